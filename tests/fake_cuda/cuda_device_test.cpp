// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_device.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "../unit/runtime/device_ops_harness.hpp"
#include "codec/text_file.hpp"
#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "ir/training_step.hpp"
#include "lower/lower.hpp"
#include "models/catalog.hpp"
#include "on_cuda_device.hpp"
#include "rhino/error.hpp"
#include "runtime/cuda/code_cache.hpp"
#include "runtime/cuda/compiler.hpp"
#include "runtime/cuda/kernel_unit.hpp"
#include "runtime/cuda/lt_problem.hpp"

// The cuda device, on the fakes: every program equals the reference evaluator.

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

constexpr DType kTypes[] = {DType::f32,  DType::f64, DType::s32, DType::u32,
                            DType::bf16, DType::f16, DType::s8,  DType::pred};

std::uint64_t first_seed() {
  const char* seed = std::getenv("RHINO_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

void check_program(const Program& program, double tolerance, const GpuModes& modes = {}) {
  const std::vector<ir::Tensor> inputs = random_inputs(program);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  const std::unique_ptr<Device> device = cuda::make_cuda_device({.gpu = modes});
  const std::vector<ir::Tensor> actual = run_on_device(*device, program, inputs, true);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Op& made = program.producer(program.outputs[i].value);
    INFO("output " << i << ", " << ir::op_name(made.kind) << " " << to_string(expected[i].shape));
    CHECK(relative_error(actual[i], expected[i]) <= tolerance);
  }
}

/// Of the smallest preset of a model that has presets, or as it is.
Program smallest_forward(const std::string& model) {
  for (const char* preset : {"tiny", "1m"}) {
    try {
      return models::build_forward(model, Options({{"preset", std::string(preset)}}), 4, DType::f32)
          .program;
    } catch (const Error&) {
      // the model has other presets
    }
  }
  return models::build_forward(model, {}, 4, DType::f32).program;
}

bool takes(const ir::OpTraits& row, DType dtype) {
  const int kind = is_floating(dtype)     ? ir::kFloating
                   : dtype == DType::pred ? ir::kPred
                                          : ir::kInteger;
  return (row.takes & kind) != 0;
}

/// Whole, one per row, one per column, one for all, transposed, every other column backwards.
ValueId operand(ir::Builder& b, DType dtype, int form, const Initializer& range) {
  const std::vector<std::int64_t> dims{7, 13};
  const auto input = [&](std::vector<std::int64_t> own) {
    return b.input(InputKind::batch, {dtype, std::move(own)}, range, "x");
  };
  switch (form % 6) {
    case 0: return input(dims);
    case 1: return b.broadcast_in_dim(input({7}), dims, {0});
    case 2: return b.broadcast_in_dim(input({13}), dims, {1});
    case 3: return b.broadcast_in_dim(input({}), dims, {});
    case 4: return b.transpose(input({13, 7}), {1, 0});
    default: return b.slice(b.reverse(input({7, 27}), {1}), {0, 1}, {7, 27}, {1, 2});
  }
}

}  // namespace

TEST_CASE("samples of every op equal the reference on the cuda device") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 2; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    ir::Builder b("samples");
    for (const ir::OpTraits& row : ir::all_traits()) {
      if (!row.sample) continue;
      for (int i = 0; i < 2; ++i) {
        ir::Sampler sampler(b, random);
        b.output(row.sample(sampler), OutputKind::value);
      }
    }
    check_program(std::move(b).finish(), 2e-5);
  }
}

TEST_CASE("elementwise ops of all types and forms of operands equal the reference") {
  for (DType dtype : kTypes) {
    INFO(dtype_name(dtype));
    ir::Builder b("forms");
    int form = 0;
    for (const ir::OpTraits& row : ir::all_traits()) {
      const bool has_result_type = row.kind == OpKind::convert || row.kind == OpKind::select ||
                                   row.kind == OpKind::bitcast_convert;
      if (row.op_class != ir::OpClass::elementwise || row.read || has_result_type) continue;
      if (!takes(row, dtype)) continue;
      for (int i = 0; i < 2; ++i, ++form) {
        Op op{.kind = row.kind};
        for (int k = 0; k < row.arity; ++k)
          op.operands.push_back(
              operand(b, dtype, form + k * 5, range_of(dtype, row.low, row.high)));
        b.output(b.add(std::move(op)), OutputKind::value);
      }
    }
    for (int i = 0; i < 6; ++i) {
      const ValueId x = operand(b, dtype, i, range_of(dtype)),
                    y = operand(b, dtype, i + 2, range_of(dtype));
      const ValueId less = b.compare(static_cast<Comparison>(i), x, y);
      b.output(less, OutputKind::value);
      b.output(b.select(less, x, y), OutputKind::value);
      if (dtype != DType::pred)
        b.output(b.clamp(operand(b, dtype, 3, range_of(dtype)), x, y), OutputKind::value);
    }
    const ValueId x = operand(b, dtype, 0, range_of(dtype));
    for (DType to : kTypes) b.output(b.convert(x, to), OutputKind::value);
    check_program(std::move(b).finish(), tolerance_of(dtype));
  }
}

TEST_CASE("reductions of any dims equal the reference on the cuda device") {
  for (DType dtype : {DType::f32, DType::s32, DType::pred, DType::bf16}) {
    INFO(dtype_name(dtype));
    const std::vector<Reduction> reductions =
        dtype == DType::pred ? std::vector{Reduction::logical_and, Reduction::logical_or}
                             : std::vector{Reduction::sum, Reduction::max, Reduction::product};
    ir::Builder b("reduce");
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{3, 5, 7}, {2, 1, 131}, {1, 1, 5000}, {37, 3, 2}}) {
      const ValueId x = b.input(InputKind::batch, {dtype, shape}, range_of(dtype, -1.5, 1.5), "x");
      const ValueId made =
          dtype == DType::pred ? b.unary(OpKind::logical_not, x) : b.unary(OpKind::negate, x);
      const ValueId turned = b.transpose(x, {2, 0, 1});
      int next = 0;
      for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{
               {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
        const Reduction reduction =
            reductions[static_cast<std::size_t>(next++) % reductions.size()];
        b.output(b.reduce(made, dims, reduction), OutputKind::value);
        b.output(b.reduce(turned, dims, reduction), OutputKind::value);
      }
    }
    check_program(std::move(b).finish(), tolerance_of(dtype) * 100);
  }
}

TEST_CASE("what rows fold to meets whole rows and sums over rows") {
  for (const std::int64_t columns : {33, 70, 300}) {
    INFO(columns << " columns");
    ir::Builder b("rows");
    const std::vector<std::int64_t> dims{19, columns};
    const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, {}, "x");
    const auto mean = [&](ValueId v) {
      return b.scale(b.reduce(v, {1}, Reduction::sum), 1.0 / static_cast<double>(columns));
    };
    const auto spread = [&](ValueId v) { return b.broadcast_in_dim(v, dims, {0}); };
    const ValueId centered = b.sub(x, spread(mean(x)));
    const ValueId deviation = b.unary(OpKind::sqrt, mean(b.mul(centered, centered)));
    const ValueId normal = b.div(centered, spread(deviation));
    b.output(normal, OutputKind::value);
    b.output(deviation, OutputKind::value);
    b.output(b.reduce(deviation, {0}, Reduction::max), OutputKind::value);
    b.output(b.reduce(normal, {0}, Reduction::sum), OutputKind::value);
    b.output(b.reduce(b.mul(normal, x), {0, 1}, Reduction::sum), OutputKind::value);
    check_program(std::move(b).finish(), 2e-5);
  }
}

TEST_CASE("states are updated in place, and constants lie in memory, on the cuda device") {
  ir::Builder b("update");
  const Shape shape{DType::f32, {5, 11}};
  const ValueId w = b.input(InputKind::parameter, shape, {Initializer::Kind::uniform, -1, 1}, "w");
  const ValueId g = b.input(InputKind::batch, shape, {Initializer::Kind::uniform, -1, 1}, "g");
  Op table{.kind = OpKind::constant, .shape = {DType::f32, {11}}};
  table.attributes = ConstantAttr{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}};
  const ValueId rates = b.broadcast_in_dim(b.add(std::move(table)), shape.dims, {1});
  b.output(b.sub(w, b.mul(g, rates)), OutputKind::updated_state, 0);
  b.output(b.reduce(w, {0}, Reduction::sum), OutputKind::value);
  b.output(b.transpose(w, {1, 0}), OutputKind::value);
  check_program(std::move(b).finish(), 2e-6);
}

TEST_CASE("a state per row is replaced when all of the row has read it") {
  ir::Builder b("rows in place");
  const std::vector<std::int64_t> dims{7, 300};
  const ValueId s =
      b.input(InputKind::parameter, {DType::f32, {7}}, range_of(DType::f32, -1, 1), "s");
  const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, range_of(DType::f32, -1, 1), "x");
  const ValueId sum = b.reduce(x, {1}, Reduction::sum);
  const auto spread = [&](ValueId v) { return b.broadcast_in_dim(v, dims, {0}); };
  b.output(b.add(s, sum), OutputKind::updated_state, 0);
  b.output(b.add(b.mul(x, spread(s)), spread(sum)), OutputKind::value);
  check_program(std::move(b).finish(), 2e-5);
}

TEST_CASE("products of several tiles along every dim equal the reference") {
  ir::Builder b("product");
  const ValueId x =
      b.input(InputKind::batch, {DType::f32, {19, 50}}, range_of(DType::f32, -1, 1), "x");
  const ValueId y =
      b.input(InputKind::batch, {DType::f32, {50, 21}}, range_of(DType::f32, -1, 1), "y");
  b.output(b.dot(x, y, {{}, {}, {1}, {0}}), OutputKind::value);
  check_program(std::move(b).finish(), 2e-6);
}

TEST_CASE("no op that the CPU device runs is refused") {
  std::string refused;
  for (const ir::OpTraits& row : ir::all_traits()) {
    if (!row.sample) continue;
    std::mt19937_64 random(1);
    ir::Builder b("refused");
    ir::Sampler sampler(b, random);
    b.output(row.sample(sampler), OutputKind::value);
    try {
      cuda::group_sources(lower::lower(std::move(b).finish()));
    } catch (const Error& error) {
      refused += std::string(error.what()) + "; ";
    }
  }
  CHECK(refused == "");
}

TEST_CASE("random convolutions and windows equal the reference on the cuda device") {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 2; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    ir::Builder b("windows");
    ir::Sampler sampler(b, random);
    for (OpKind kind :
         {OpKind::convolution, OpKind::reduce_window, OpKind::select_and_scatter, OpKind::sort}) {
      for (int i = 0; i < 6; ++i) b.output(ir::traits(kind).sample(sampler), OutputKind::value);
    }
    check_program(std::move(b).finish(), 2e-5);
  }
}

TEST_CASE("convolutions with features last, of many tiles and in 16 bits, equal the reference") {
  for (DType dtype : {DType::f32, DType::bf16, DType::f16, DType::s32}) {
    INFO(dtype_name(dtype));
    ir::Builder b("convolutions");
    ConvolutionAttr a{.input_batch = 0,
                      .input_feature = 3,
                      .kernel_input = 2,
                      .kernel_output = 3,
                      .output_batch = 0,
                      .output_feature = 3};
    a.input_spatial = a.output_spatial = {1, 2};
    a.kernel_spatial = {0, 1};
    a.strides = {2, 1}, a.low = {1, 0}, a.high = {2, 3}, a.lhs_dilation = {1, 2};
    a.rhs_dilation = {2, 1};
    const Initializer range = range_of(dtype, -1, 1);
    const ValueId image = b.input(InputKind::batch, {dtype, {3, 9, 11, 6}}, range, "x");
    const ValueId kernel = b.input(InputKind::batch, {dtype, {3, 2, 6, 70}}, range, "w");
    b.output(b.add(Op{.kind = OpKind::convolution, .operands = {image, kernel}, .attributes = a}),
             OutputKind::value);
    const ValueId half = b.input(InputKind::batch, {dtype, {3, 2, 3, 10}}, range, "w");
    a.feature_groups = 2;
    b.output(b.add(Op{.kind = OpKind::convolution, .operands = {image, half}, .attributes = a}),
             OutputKind::value);
    check_program(std::move(b).finish(), tolerance_of(dtype) * 10);
  }
}

TEST_CASE("lines of any length are sorted, stable, and others follow them") {
  for (DType dtype : {DType::f32, DType::s32, DType::bf16}) {
    INFO(dtype_name(dtype));
    ir::Builder b("sort");
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{1}, {3, 33, 2}, {2, 200}, {97, 3}, {0, 5}}) {
      const ValueId keys = b.input(InputKind::batch, {dtype, dims}, range_of(DType::s32, 0), "k");
      const ValueId order = b.iota({DType::s32, dims}, static_cast<std::int64_t>(dims.size()) - 1);
      for (std::int64_t d = 0; d < std::ssize(dims); ++d) {
        for (const std::vector<ValueId>& operands : {std::vector<ValueId>{keys}, {keys, order}}) {
          b.output(b.add(Op{.kind = OpKind::sort, .operands = operands, .attributes = DimAttr{d}}),
                   OutputKind::value);
        }
      }
    }
    check_program(std::move(b).finish(), 0);
  }
}

TEST_CASE("rng gives what the CPU device gives, bit by bit") {
  ir::Builder b("rng");
  for (DType dtype : {DType::f32, DType::f64, DType::bf16, DType::f16}) {
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{}, {3, 7, 5}, {1000}, {0}}) {
      b.output(b.add(Op{.kind = OpKind::rng,
                        .shape = {dtype, dims},
                        .attributes = RngAttr{0x123456789abcdefu, -1.3, 2.1}}),
               OutputKind::value);
    }
  }
  const Program program = std::move(b).finish();
  const std::unique_ptr<Device> gpu = cuda::make_cuda_device({}), cpu = make_cpu_device({});
  const std::vector<ir::Tensor> made = run_on_device(*gpu, program, {}, false),
                                expected = run_on(*cpu, program, {});
  for (std::size_t i = 0; i < made.size(); ++i) {
    INFO(to_string(made[i].shape));
    CHECK(std::ranges::mismatch(made[i].elements, expected[i].elements).in1 ==
          made[i].elements.end());
  }
}

TEST_CASE("dots of whole tiles and beyond equal the reference on the cuda device") {
  for (DType dtype : {DType::f32, DType::f64, DType::bf16}) {
    INFO(dtype_name(dtype));
    ir::Builder b("dots");
    const Initializer range = range_of(dtype, -1, 1);
    const auto input = [&](std::vector<std::int64_t> dims) {
      return b.input(InputKind::batch, {dtype, std::move(dims)}, range, "x");
    };
    // Of 1, 16 and 64 sums a thread, by rows and by columns.
    const ValueId wide = input({67, 33}), tall = input({33, 131}), other = input({131, 33});
    b.output(b.dot(wide, tall, {.lhs_contracting = {1}, .rhs_contracting = {0}}),
             OutputKind::value);
    b.output(b.dot(wide, other, {.lhs_contracting = {1}, .rhs_contracting = {1}}),
             OutputKind::value);
    const ValueId many = input({129, 9, 128}), batches = input({129, 128, 7});
    b.output(b.dot(many, batches, {{0}, {0}, {2}, {1}}), OutputKind::value);
    const ValueId deep = input({130, 128, 3}), deeper = input({130, 3, 129});
    b.output(b.dot(deep, deeper, {{0}, {0}, {2}, {1}}), OutputKind::value);
    const Program program = std::move(b).finish();
    using Dots = GpuModes::Dots;
    for (Dots dots : {Dots::library, Dots::timed, Dots::simple})
      check_program(program, tolerance_of(dtype) * 10,
                    {.dots = dots, .waits_each = dots == Dots::timed});
    if (dtype == DType::f32) check_program(program, 2e-3, {.uses_tf32 = true});
  }
}

TEST_CASE("cuBLASLt takes the dots of every model as they lie") {
  std::string refused;
  for (const std::string& model : models::model_names()) {
    if (model == "hf_config") continue;  // one of the others, by sizes of a file
    const Program step = ir::training_step(smallest_forward(model), {});
    const lower::LoweredProgram lowered = lower::lower(step);
    for (const lower::KernelGroup& group : lowered.groups) {
      if (group.kind != lower::KernelGroup::Kind::dot || cuda::lt_problem(lowered, group)) continue;
      refused += model + " " + to_string(lowered.program.shape(group.ops[0])) + "; ";
    }
  }
  CHECK(refused == "");
}

TEST_CASE("a dot that cuBLASLt runs adds to what was there, in many launches") {
  for (DType dtype : {DType::f32, DType::bf16, DType::f16, DType::f64}) {
    INFO(dtype_name(dtype));
    ir::Builder b("launches");
    const auto input = [&](InputKind kind, std::vector<std::int64_t> dims) {
      return b.input(kind, {dtype, std::move(dims)}, {Initializer::Kind::uniform, -1, 1}, "x");
    };
    // Queries and keys as heads of [sample, position, head, dim]: two dims of batch that are not
    // one.
    const ValueId q = b.transpose(input(InputKind::batch, {3, 5, 2, 7}), {0, 2, 1, 3});
    const ValueId k = b.transpose(input(InputKind::batch, {3, 9, 2, 7}), {0, 2, 1, 3});
    b.output(b.dot(q, k, {{0, 1}, {0, 1}, {3}, {3}}), OutputKind::value);
    if (is_narrow(dtype)) {  // the result in f32, as gradients of 16-bit weights are
      Op wide{.kind = OpKind::dot, .shape = {DType::f32, {}}, .operands = {q, k}};
      wide.attributes = DotAttr{{0, 1}, {0, 1}, {3}, {3}};
      b.output(b.add(std::move(wide)), OutputKind::value);
    }
    const ValueId sum = input(InputKind::parameter, {6, 11});
    const ValueId x = input(InputKind::batch, {5, 6}), y = input(InputKind::batch, {5, 11});
    const ValueId product = b.dot(x, y, {.lhs_contracting = {0}, .rhs_contracting = {0}});
    b.output(b.add(sum, product), OutputKind::updated_state, 2);
    check_program(std::move(b).finish(), tolerance_of(dtype) * 10);
  }
}

TEST_CASE("compiled code is kept, and made again where its file is damaged") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rhino_code_" + std::to_string(::getpid()));
  const cuda::CodeCache cache(folder);
  cache.keep("key", "code of the key");
  CHECK(cache.find("key") == "code of the key");
  CHECK(cache.find("another key") == std::nullopt);
  const cuda::Driver driver(0);
  const std::string source = "extern \"C\" __global__ void k(int* p) { *p = 1; }";
  const auto files = [&] {
    std::set<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.insert(entry.path());
    return found;
  };
  const std::set<std::filesystem::path> before = files();
  cuda::Compiler(driver, folder).compile(source)->kernel("k");
  std::set<std::filesystem::path> after = files();
  for (const auto& path : before) after.erase(path);
  REQUIRE(after.size() == 1);
  const std::filesystem::path kept = *after.begin();
  const std::string whole = codec::read_file(kept);
  for (const std::string& damaged : {whole.substr(0, 7), whole.substr(0, whole.size() / 2),
                                     "x" + whole.substr(1), whole + "x", std::string()}) {
    std::ofstream(kept, std::ios::binary) << damaged;
    cuda::Compiler(driver, folder).compile(source)->kernel("k");
    CHECK((codec::read_file(kept) == whole));
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("what a GPU lacks is said in one sentence") {
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  CHECK_THROWS_WITH(device->allocate(std::int64_t{1} << 40),
                    Catch::Contains("cannot allocate 1099511627776 bytes on fake GPU sm_90: ") &&
                        Catch::Contains(" are free"));
  CHECK_THROWS_WITH(cuda::make_cuda_device({.ordinal = 9}),
                    "there is no GPU 9 on this host, which has 4");
}

TEST_CASE("events order streams, and marks advance") {
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  const std::unique_ptr<Stream> a = device->stream(), b = device->stream();
  const std::int64_t size = 4096;
  const std::unique_ptr<DeviceMemory> memory = device->allocate(size),
                                      other = device->allocate(size);
  for (int step = 0; step < 3; ++step) {
    const std::int64_t first = a->mark();
    device->fill(*a, memory->data(), static_cast<std::byte>(step), size);
    b->wait_for(a->record());
    device->copy(*b, other->data(), memory->data(), size);
    a->wait_for(b->record());
    device->fill(*a, memory->data(), std::byte{0xff}, size);
    const std::int64_t last = a->mark();
    std::vector<std::byte> bytes(size);
    device->copy(*a, bytes.data(), other->data(), size);
    a->record().wait();
    CHECK(std::ranges::count(bytes, static_cast<std::byte>(step)) == size);
    CHECK(a->time_s(last) >= a->time_s(first));
  }
}
