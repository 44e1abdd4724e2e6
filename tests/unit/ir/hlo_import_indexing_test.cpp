// SPDX-License-Identifier: Apache-2.0
#include "import_harness.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

/// Gathers and scatters that Programs have not, against loops over their elements.
namespace {

/// `combiner`: joins updates; empty: the update stays.
Program scattering(const std::string& instructions, const std::string& combiner = "add") {
  const std::string root = combiner.empty() ? "" : "  ROOT %r = f32[] " + combiner + "(%x, %y)\n";
  return parse_hlo("HloModule m\n%f {\n  %x = f32[] parameter(0)\n  " +
                       std::string(combiner.empty() ? "ROOT " : "") + "%y = f32[] parameter(1)\n" +
                       root + "}\nENTRY %main {\n" + instructions + "}\n",
                   "m.hlo");
}

std::size_t clamped(double index, std::size_t extent) {
  return static_cast<std::size_t>(std::min(std::max(index, 0.0), static_cast<double>(extent - 1)));
}

}  // namespace

TEST_CASE("a gather with batching dims looks rows up in its own part of the table") {
  // result[b, i, w] = table[w, b, indices[b, i]], table dims apart from each other on purpose.
  std::mt19937 random(1);
  for (const std::size_t rows : {1U, 3U, 6U}) {
    CAPTURE(rows);
    const std::string n = std::to_string(rows);
    const Program program = scattering(
        "  %t = f32[2,3,5] parameter(0)\n  %i = s32[3," + n +
        ",1] parameter(1)\n  ROOT %g = f32[3," + n +
        ",2] gather(%t, %i), offset_dims={2}, collapsed_slice_dims={2}, start_index_map={2}, "
        "operand_batching_dims={1}, start_indices_batching_dims={0}, index_vector_dim=2, "
        "slice_sizes={2,1,1}\n");
    CHECK(has(program, OpKind::gather) == (rows > 4));
    const Numbers table = draw(random, 30, -9, 9), indices = draw(random, 3 * rows, -2, 7);
    const Numbers found =
        evaluate(program, std::vector{f32({2, 3, 5}, table),
                                      s32({3, static_cast<std::int64_t>(rows), 1}, indices)})[0]
            .elements;
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t w = 0; w < 2; ++w) {
          CHECK(found[(b * rows + i) * 2 + w] ==
                table[(w * 3 + b) * 5 + clamped(indices[b * rows + i], 5)]);
        }
      }
    }
  }
}

TEST_CASE("a gather with batching dims may take windows") {
  const Program program = scattering(
      "  %t = f32[2,5] parameter(0)\n  %i = s32[2] parameter(1)\n"
      "  ROOT %g = f32[2,3] gather(%t, %i), offset_dims={1}, collapsed_slice_dims={}, "
      "start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
      "index_vector_dim=1, slice_sizes={1,3}\n");
  const Numbers found = evaluate(program, std::vector{f32({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
                                                      s32({2}, {1, 9})})[0]
                            .elements;
  CHECK(found == Numbers{1, 2, 3, 7, 8, 9});
}

TEST_CASE("index vectors that count along the batch look up, or add to, rows of their own") {
  // x[arange(4), y] as JAX writes it, where negative indices count from the end.
  const std::string indices =
      "  %t = f32[4,5] parameter(0)\n  %y = s32[4] parameter(1)\n  %n = s32[4] iota(), "
      "iota_dimension=0\n  %z = s32[] constant(0)\n  %zs = s32[4] broadcast(%z), dimensions={}\n"
      "  %m = s32[] constant(4)\n  %ms = s32[4] broadcast(%m), dimensions={}\n"
      "  %lt = pred[4] compare(%n, %zs), direction=LT\n  %up = s32[4] add(%n, %ms)\n"
      "  %at = s32[4] select(%lt, %up, %n)\n  %a = s32[4,1] reshape(%at)\n"
      "  %b = s32[4,1] reshape(%y)\n  %i = s32[4,2] concatenate(%a, %b), dimensions={1}\n";
  const Program found = scattering(indices +
                                   "  ROOT %g = f32[4] gather(%t, %i), offset_dims={}, "
                                   "collapsed_slice_dims={0,1}, start_index_map={0,1}, "
                                   "index_vector_dim=1, slice_sizes={1,1}\n");
  const ir::Tensor table = f32({4, 5}, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                        10, 11, 12, 13, 14, 15, 16, 17, 18, 19}),
                   rows = s32({4}, {2, 0, 9, 4});
  CHECK_FALSE(has(found, OpKind::gather));
  CHECK(output_of(found, {table, rows}) == Numbers{2, 5, 14, 19});
  const Program added =
      scattering(indices +
                     "  %u = f32[4] parameter(2)\n  ROOT %s = f32[4,5] scatter(%t, %i, %u), "
                     "update_window_dims={}, inserted_window_dims={0,1}, "
                     "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=%f\n",
                 "add");
  CHECK_FALSE(has(added, OpKind::scatter));
  Numbers expected = table.elements;
  expected[2] += 1, expected[5] += 2, expected[19] += 4;  // the third misses the table
  CHECK(output_of(added, {table, rows, f32({4}, {1, 2, 3, 4})}) == expected);
}

TEST_CASE("a window of one element is compared as a row is") {
  const Program found = scattering(
      "  %t = f32[2,5] parameter(0)\n  %i = s32[2,1] parameter(1)\n"
      "  ROOT %g = f32[2,1] gather(%t, %i), offset_dims={1}, collapsed_slice_dims={}, "
      "start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
      "index_vector_dim=1, slice_sizes={1,1}\n");
  CHECK_FALSE(has(found, OpKind::gather));
  const ir::Tensor table = f32({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), rows = s32({2, 1}, {3, 1});
  CHECK(output_of(found, {table, rows}) == Numbers{3, 6});
  const Program added = scattering(
      "  %t = f32[2,5] parameter(0)\n  %i = s32[2,1] parameter(1)\n  %u = f32[2,1] parameter(2)\n"
      "  ROOT %s = f32[2,5] scatter(%t, %i, %u), update_window_dims={1}, inserted_window_dims={}, "
      "scatter_dims_to_operand_dims={1}, input_batching_dims={0}, "
      "scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=%f\n",
      "add");
  CHECK_FALSE(has(added, OpKind::scatter));
  CHECK(output_of(added, {table, rows, f32({2, 1}, {10, 20})}) ==
        Numbers{0, 1, 2, 13, 4, 5, 26, 7, 8, 9});
}

TEST_CASE("a scatter with batching dims joins updates into its own part of the table") {
  // table[w, b, indices[b, i]] joined with updates[b, i, w]; what misses the table is dropped.
  std::mt19937 random(2);
  for (const std::string combiner : {"add", "maximum", ""}) {
    for (const std::size_t rows : {1U, 3U, 6U}) {
      CAPTURE(combiner, rows);
      const std::string n = std::to_string(rows);
      const Program program =
          scattering("  %t = f32[2,3,5] parameter(0)\n  %i = s32[3," + n +
                         ",1] parameter(1)\n  %u = f32[3," + n +
                         ",2] parameter(2)\n  ROOT %s = f32[2,3,5] scatter(%t, %i, %u), "
                         "update_window_dims={2}, inserted_window_dims={2}, "
                         "scatter_dims_to_operand_dims={2}, input_batching_dims={1}, "
                         "scatter_indices_batching_dims={0}, index_vector_dim=2, to_apply=%f\n",
                     combiner);
      CHECK(has(program, OpKind::scatter) == (rows > (combiner.empty() ? 1U : 4U)));
      Numbers table = draw(random, 30, -9, 9);
      const Numbers indices = draw(random, 3 * rows, -1, 6),
                    updates = draw(random, 6 * rows, -9, 9);
      const auto count = static_cast<std::int64_t>(rows);
      const Numbers found =
          evaluate(program, std::vector{f32({2, 3, 5}, table), s32({3, count, 1}, indices),
                                        f32({3, count, 2}, updates)})[0]
              .elements;
      for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t i = 0; i < rows; ++i) {
          const double index = indices[b * rows + i];
          if (index < 0 || index > 4) continue;
          for (std::size_t w = 0; w < 2; ++w) {
            double& element = table[(w * 3 + b) * 5 + static_cast<std::size_t>(index)];
            const double update = updates[(b * rows + i) * 2 + w];
            element = combiner == "add"       ? element + update
                      : combiner == "maximum" ? std::max(element, update)
                                              : update;
          }
        }
      }
      CHECK(found == table);
    }
  }
}

TEST_CASE("an overwriting scatter of one row, as caches have it, is a choice by place") {
  const Program program = scattering(
      "  %t = f32[4,2] parameter(0)\n  %i = s32[1] parameter(1)\n  %u = f32[1,2] parameter(2)\n"
      "  ROOT %s = f32[4,2] scatter(%t, %i, %u), update_window_dims={1}, "
      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
      "to_apply=%f\n",
      "");
  CHECK_FALSE(has(program, OpKind::scatter));
  const Tensor table = f32({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), row = f32({1, 2}, {-1, -2});
  CHECK(evaluate(program, std::vector{table, s32({1}, {2}), row})[0].elements ==
        Numbers{1, 2, 3, 4, -1, -2, 7, 8});
  CHECK(evaluate(program, std::vector{table, s32({1}, {4}), row})[0].elements == table.elements);
}

TEST_CASE("an overwriting scatter of single elements keeps the last update of each") {
  std::mt19937 random(4);
  const Program program = scattering(
      "  %t = f32[4,3] parameter(0)\n  %i = s32[9,2] parameter(1)\n  %u = f32[9] parameter(2)\n"
      "  ROOT %s = f32[4,3] scatter(%t, %i, %u), update_window_dims={}, "
      "inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, "
      "to_apply=%f\n",
      "");
  for (int round = 0; round < 10; ++round) {
    Numbers table = draw(random, 12, -9, 9);
    const Numbers indices = draw(random, 18, 0, 4), updates = draw(random, 9, 10, 99);
    const Numbers found = evaluate(program, std::vector{f32({4, 3}, table), s32({9, 2}, indices),
                                                        f32({9}, updates)})[0]
                              .elements;
    for (std::size_t i = 0; i < 9; ++i) {
      if (indices[2 * i + 1] > 2) continue;  // misses the table
      table[static_cast<std::size_t>(indices[2 * i] * 3 + indices[2 * i + 1])] = updates[i];
    }
    CHECK(found == table);
  }
}

TEST_CASE("batching dims that do not run together are refused") {
  CHECK_THROWS_WITH(
      scattering("  %t = f32[2,5] parameter(0)\n  %i = s32[3] parameter(1)\n"
                 "  ROOT %g = f32[3] gather(%t, %i), offset_dims={}, collapsed_slice_dims={1}, "
                 "start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
                 "index_vector_dim=1, slice_sizes={1,1}\n"),
      Catch::Matchers::Contains("m.hlo:10:8: %g: batching dims 0 and 0 do not run together"));
}

TEST_CASE("windows that do not fit their table are refused") {
  const auto gathered = [](const std::string& sizes, const std::string& map) {
    return scattering(
        "  %t = f32[2,5] parameter(0)\n  %i = s32[2,3] parameter(1)\n"
        "  ROOT %g = f32[2,3] gather(%t, %i), offset_dims={}, collapsed_slice_dims={1}, "
        "start_index_map={" +
        map +
        "}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, "
        "slice_sizes={" +
        sizes + "}\n");
  };
  CHECK_NOTHROW(gathered("1,1", "1"));
  for (const char* sizes : {"", "1", "1,1,1"})
    CHECK_THROWS_WITH(gathered(sizes, "1"), Catch::Matchers::Contains("m.hlo:10:8: %g: "));
  for (const char* map : {"7", "-1"})
    CHECK_THROWS_WITH(gathered("1,1", map), Catch::Matchers::Contains("m.hlo:10:8: %g: "));
}

TEST_CASE("starts of slices beyond 32 bits are clamped as others are") {
  const auto sliced = [](const std::string& dtype, const std::string& start) {
    const Program program = import(
        "  %x = f32[8] parameter(0)\n  %u = f32[2] constant({-1, -2})\n"
        "  %s = " +
        dtype + "[] constant(" + start +
        ")\n"
        "  %a = f32[3] dynamic-slice(%x, %s), dynamic_slice_sizes={3}\n"
        "  %b = f32[8] dynamic-update-slice(%x, %u, %s)\n"
        "  ROOT %t = (f32[3], f32[8]) tuple(%a, %b)\n");
    const std::vector<Tensor> inputs = {f32({8}, {0, 1, 2, 3, 4, 5, 6, 7})};
    Numbers all = output_of(program, inputs, 0);
    const Numbers updated = output_of(program, inputs, 1);
    all.insert(all.end(), updated.begin(), updated.end());
    return all;
  };
  const Numbers at_end = {5, 6, 7, 0, 1, 2, 3, 4, 5, -1, -2},
                at_begin = {0, 1, 2, -1, -2, 2, 3, 4, 5, 6, 7},
                at_two = {2, 3, 4, 0, 1, -1, -2, 4, 5, 6, 7};
  for (const char* dtype : {"s8", "u8", "s32", "u32", "s64"}) {
    CAPTURE(dtype);
    CHECK(sliced(dtype, "2") == at_two);
    CHECK(sliced(dtype, "100") == at_end);
  }
  CHECK(sliced("u8", "255") == at_end);
  CHECK(sliced("s8", "-1") == at_begin);
  CHECK(sliced("u32", "4294967295") == at_end);
  CHECK(sliced("u32", "2147483648") == at_end);
  CHECK(sliced("s64", "4294967296") == at_end);
  CHECK(sliced("s64", "-4294967295") == at_begin);
}
