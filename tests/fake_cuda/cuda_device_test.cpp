// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_device.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "../unit/runtime/device_ops_harness.hpp"
#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "rhino/error.hpp"

// The cuda device, on the fakes: every program equals the reference evaluator.

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

constexpr DType kTypes[] = {DType::f32,  DType::f64, DType::s32, DType::u32,
                            DType::bf16, DType::f16, DType::s8,  DType::pred};
/// Ops that the device refuses.
constexpr OpKind kRefused[] = {OpKind::sort, OpKind::rng, OpKind::convolution,
                               OpKind::reduce_window, OpKind::select_and_scatter};

std::uint64_t first_seed() {
  const char* seed = std::getenv("RHINO_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

/// Tensors on a device, in memory that held all ones.
struct Placed {
  std::vector<std::unique_ptr<DeviceMemory>> memory;
  std::byte* add(Device& device, Stream& stream, std::int64_t num_bytes) {
    memory.push_back(device.allocate(num_bytes));
    device.fill(stream, memory.back()->data(), std::byte{0xff}, num_bytes);
    return memory.back()->data();
  }
};

std::vector<std::byte> bytes_of(const ir::Tensor& tensor) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(num_bytes(tensor.shape)));
  ir::write_elements(tensor.shape.dtype, tensor.elements, bytes.data());
  return bytes;
}

/// Runs twice, so that nothing relies on fresh memory; an updated_state gets its input's memory in
/// the second run only.
std::vector<ir::Tensor> run_on_device(Device& device, const Program& program,
                                      const std::vector<ir::Tensor>& inputs, bool in_place) {
  const std::unique_ptr<Executable> executable = device.compile(program);
  const std::unique_ptr<Stream> stream = device.stream();
  Placed placed;
  std::vector<std::vector<std::byte>> host;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const ir::Tensor& input : inputs) {
    host.push_back(bytes_of(input));
    std::byte* place = placed.add(device, *stream, num_bytes(input.shape));
    device.copy(*stream, place, host.back().data(), num_bytes(input.shape));
    in.push_back(place);
  }
  for (const Output& output : program.outputs) {
    const bool shares = in_place && output.kind == OutputKind::updated_state;
    out.push_back(shares ? const_cast<void*>(in[static_cast<std::size_t>(output.input)])
                         : placed.add(device, *stream, num_bytes(program.shape(output.value))));
  }
  std::byte* workspace = placed.add(device, *stream, executable->workspace_bytes());
  executable->enqueue(*stream, in, out, workspace);
  std::vector<ir::Tensor> results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Shape& shape = program.shape(program.outputs[i].value);
    std::vector<std::byte> bytes(static_cast<std::size_t>(num_bytes(shape)));
    device.copy(*stream, bytes.data(), out[i], num_bytes(shape));
    stream->record().wait();
    ir::Tensor& result = results.emplace_back(ir::Tensor{shape, {}});
    result.elements.resize(static_cast<std::size_t>(num_elements(shape)));
    ir::read_elements(shape.dtype, bytes.data(), result.elements);
  }
  return results;
}

void check_program(const Program& program, double tolerance) {
  const std::vector<ir::Tensor> inputs = random_inputs(program);
  const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  const std::vector<ir::Tensor> actual = run_on_device(*device, program, inputs, true);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Op& made = program.producer(program.outputs[i].value);
    INFO("output " << i << ", " << ir::op_name(made.kind) << " " << to_string(expected[i].shape));
    CHECK(relative_error(actual[i], expected[i]) <= tolerance);
  }
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
      if (!row.sample || std::ranges::find(kRefused, row.kind) != std::end(kRefused)) continue;
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

TEST_CASE("an op without a kernel is refused by its name") {
  for (const ir::OpTraits& row : ir::all_traits()) {
    if (!row.sample || std::ranges::find(kRefused, row.kind) == std::end(kRefused)) continue;
    std::mt19937_64 random(1);
    ir::Builder b("refused");
    ir::Sampler sampler(b, random);
    b.output(row.sample(sampler), OutputKind::value);
    const std::unique_ptr<Device> device = cuda::make_cuda_device({});
    const std::string name(ir::op_name(row.kind));
    CHECK_THROWS_WITH(device->compile(std::move(b).finish()),
                      "the cuda device has no kernel for '" + name + "'");
  }
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
