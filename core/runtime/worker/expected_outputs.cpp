// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/expected_outputs.hpp"

#include <cmath>
#include <cstring>
#include <string>

#include "ir/element.hpp"
#include "ir/initial_values.hpp"
#include "plan/plan_mesh.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime {
namespace {

const plan::PlanInput& input_of(const plan::ExecutionPlan& plan, std::int32_t number) {
  for (const plan::Role& role : plan.roles) {
    for (const plan::PlanInput& input : role.inputs) {
      if (input.input == number) return input;
    }
  }
  throw Error("output " + std::to_string(number) + " of the plan is not a moved input");
}

std::vector<std::int64_t> behind(std::int64_t first, const std::vector<std::int64_t>& rest) {
  std::vector<std::int64_t> list{first};
  list.insert(list.end(), rest.begin(), rest.end());
  return list;
}

/// The boxes of part number `term` of a tensor that is `num_terms` times as long.
std::vector<TileBox> of_term(std::vector<TileBox> boxes, std::int64_t term) {
  for (TileBox& box : boxes) {
    box.global = {behind(term, box.global.start), behind(1, box.global.size)};
    box.local = {behind(0, box.local.start), behind(1, box.local.size)};
  }
  return boxes;
}

/// Of one addition, relative to terms of at most 1.
double rounding(DType dtype) {
  switch (dtype) {
    case DType::f64: return 0x1p-52;
    case DType::f32: return 0x1p-23;
    case DType::f16: return 0x1p-10;
    case DType::bf16: return 0x1p-7;
    default: return 0;
  }
}

std::int64_t offset_of(const std::vector<std::int64_t>& extents,
                       const std::vector<std::int64_t>& start,
                       const std::vector<std::int64_t>& index) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < extents.size(); ++d)
    offset = offset * extents[d] + start[d] + index[d];
  return offset;
}

}  // namespace

ExpectedOutputs::ExpectedOutputs(const plan::ExecutionPlan& plan, const RankPlace& place,
                                 std::uint64_t seed) {
  const plan::Role& role = plan.roles[at(place.role)];
  for (const plan::PlanOutput& output : role.outputs) {
    const Mesh& mesh = plan::mesh_of(role, output);
    Tile& tile = tiles_.emplace_back();
    tile.output = &output;
    tile.buffer = &role.buffers[at(output.buffer)];
    tile.boxes =
        tile_boxes(output.global.dims, output.spec, mesh, plan::rank_in(mesh, place.device));
    fill(tile, input_of(plan, output.output), seed);
  }
}

void ExpectedOutputs::fill(Tile& tile, const plan::PlanInput& input, std::uint64_t seed) const {
  const Shape& whole = tile.output->global;
  const std::int64_t count = num_elements(whole);
  if (count == 0 || num_elements(input.global) % count != 0 || input.global.dtype != whole.dtype)
    throw Error("output " + std::to_string(tile.output->output) +
                " of the plan is not a moved input");
  tile.num_terms = num_elements(input.global) / count;
  const Shape& shape = tile.buffer->shape;
  tile.elements.resize(at(num_bytes(shape)));
  const Shape terms{whole.dtype, behind(tile.num_terms, whole.dims)};
  const auto fill_term = [&](std::int64_t term) {
    ir::fill_initial(input.initializer, seed, input.input, terms, of_term(tile.boxes, term),
                     behind(1, shape.dims), 0, tile.elements.data());
  };
  fill_term(0);
  if (tile.num_terms == 1) return;
  std::vector<double> sum(at(num_elements(shape))), next(sum.size());
  ir::read_elements(whole.dtype, tile.elements.data(), sum);
  for (std::int64_t term = 1; term < tile.num_terms; ++term) {
    fill_term(term);
    ir::read_elements(whole.dtype, tile.elements.data(), next);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += next[i];
  }
  ir::write_elements(whole.dtype, sum, tile.elements.data());
}

VerifyReply ExpectedOutputs::compare(Arena& arena) const {
  VerifyReply reply;
  for (const Tile& tile : tiles_) {
    const auto size = static_cast<std::int64_t>(tile.elements.size());
    compare(tile, arena.fetch(arena.data() + tile.buffer->offset, size), reply);
  }
  return reply;
}

void ExpectedOutputs::poison(Arena& arena) const {
  for (const Tile& tile : tiles_) {
    arena.poison(arena.data() + tile.buffer->offset,
                 static_cast<std::int64_t>(tile.elements.size()));
  }
}

/// Row by row: the last dim is consecutive in the tensor and in the tile.
void ExpectedOutputs::compare(const Tile& tile, const std::byte* actual, VerifyReply& reply) {
  const std::vector<std::int64_t>& extents = tile.buffer->shape.dims;
  for (const TileBox& box : tile.boxes) {
    const std::size_t rank = box.global.size.size();
    const std::int64_t row = rank == 0 ? 1 : box.global.size.back();
    std::vector<std::int64_t> index(rank);
    for (std::int64_t left = num_elements(box.global) / row; left > 0; --left) {
      compare_row(tile, actual, offset_of(extents, box.local.start, index), row,
                  offset_of(tile.output->global.dims, box.global.start, index), reply);
      for (std::size_t d = rank; d-- > 1;) {
        if (++index[d - 1] < box.global.size[d - 1]) break;
        index[d - 1] = 0;
      }
    }
  }
}

void ExpectedOutputs::compare_row(const Tile& tile, const std::byte* actual, std::int64_t first,
                                  std::int64_t count, std::int64_t global, VerifyReply& reply) {
  const DType dtype = tile.output->global.dtype;
  const std::size_t width = at(dtype_bytes(dtype));
  const std::byte* expected = tile.elements.data() + at(first) * width;
  actual += at(first) * width;
  reply.num_elements += count;
  if (std::memcmp(actual, expected, at(count) * width) == 0) return;
  const double terms = static_cast<double>(tile.num_terms);
  const double tolerance = tile.num_terms > 1 ? terms * terms * rounding(dtype) : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::byte* a = actual + at(i) * width;
    const std::byte* e = expected + at(i) * width;
    if (std::memcmp(a, e, width) == 0) continue;
    double is = 0, wanted = 0;
    ir::read_elements(dtype, a, {&is, 1});
    ir::read_elements(dtype, e, {&wanted, 1});
    if (std::abs(is - wanted) <= tolerance && tolerance > 0) continue;
    if (reply.num_wrong++ > 0) continue;
    reply.output = tile.output->output;
    reply.element = global + i;
    reply.actual = is;
    reply.expected = wanted;
  }
}

}  // namespace rhino::runtime
