// SPDX-License-Identifier: Apache-2.0
#include "check/device_cases.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "codec/binary.hpp"
#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "ir/dead_ops.hpp"
#include "ir/initial_values.hpp"
#include "ir/op_info.hpp"
#include "ir/reference.hpp"
#include "lower/lower.hpp"
#include "rhino/index.hpp"

namespace rhino::check {
namespace {

using runtime::DeviceCase;

/// Sums in another order, at the extents of a check, may round to the next number of 16 bits.
double tolerance_of(const Program& program) {
  double tolerance = 1e-4;
  for (const Op& op : program.ops) {
    if (op.shape.dtype == DType::f16) tolerance = std::max(tolerance, 2e-3);
    if (op.shape.dtype == DType::bf16) tolerance = std::max(tolerance, 9e-3);
  }
  return tolerance;
}

bool is_source(const Op& op) {
  return op.kind == OpKind::parameter || op.kind == OpKind::constant || op.kind == OpKind::iota;
}

/// A part of a program as a program of its own: `outputs`, computed from `sources`.
class Part {
 public:
  Part(const Program& whole, const std::vector<ir::Tensor>& values,
       const std::vector<ValueId>& sources)
      : whole_(whole),
        values_(values),
        sources_(sources.begin(), sources.end()),
        builder_("part") {}

  DeviceCase take(const std::vector<ValueId>& outputs, std::string name) && {
    DeviceCase part{.name = std::move(name)};
    for (ValueId output : outputs) {
      builder_.output(made(output), OutputKind::value);
      part.expected.push_back(values_[at(output)].elements);
    }
    part.inputs = std::move(inputs_);
    part.program = std::move(builder_).finish();
    part.tolerance = tolerance_of(part.program);
    return part;
  }

 private:
  ValueId made(ValueId value) {
    if (const auto known = made_.find(value); known != made_.end()) return known->second;
    const Op& op = whole_.op(value);
    ValueId here = kNoValue;
    if (sources_.contains(value) || op.kind == OpKind::parameter) {
      here = builder_.input(InputKind::batch, op.shape, {}, "x" + std::to_string(inputs_.size()));
      inputs_.push_back(values_[at(value)].elements);
    } else {
      std::vector<ValueId> operands;
      for (ValueId operand : op.operands) operands.push_back(made(operand));
      here = builder_.add_like(op, operands, "");
    }
    return made_[value] = here;
  }

  const Program& whole_;
  const std::vector<ir::Tensor>& values_;
  std::set<ValueId> sources_;
  ir::Builder builder_;
  std::map<ValueId, ValueId> made_;
  std::vector<std::vector<double>> inputs_;
};

/// Programs that differ in no more than their numbers are checked once.
void add_unlike(std::vector<DeviceCase>& cases, std::set<std::string>& known, DeviceCase fresh) {
  codec::BinaryWriter key;
  key.put(fresh.program);
  if (known.insert(key.take()).second) cases.push_back(std::move(fresh));
}

std::vector<DeviceCase> op_cases(const Program& step, const std::vector<ir::Tensor>& values) {
  std::vector<DeviceCase> cases;
  std::set<std::string> known;
  for (ValueId id = 0; id < step.size(); ++id) {
    const Op& op = step.op(id);
    if (is_source(op)) continue;
    std::vector<ValueId> sources;
    for (ValueId operand : op.operands)
      if (step.op(operand).kind != OpKind::constant) sources.push_back(operand);
    std::string name = std::string(ir::op_name(op.kind)) + " " + to_string(op.shape);
    add_unlike(cases, known, Part(step, values, sources).take({id}, std::move(name)));
  }
  return cases;
}

bool is_derivative(const lower::Attention& attention) {
  using Part = lower::Attention::Part;
  return std::ranges::count(attention.members, Part::column_result,
                            &lower::Attention::Member::part) > 0;
}

std::string name_of(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  constexpr std::size_t kMostNames = 4;
  const std::string shape =
      group.outputs.empty() ? "" : " " + to_string(lowered.program.shape(group.outputs.front()));
  if (group.attention)
    return (is_derivative(*group.attention) ? "derivatives of attention" : "attention") + shape;
  std::string name;
  std::size_t count = 0;
  for (ValueId id : group.ops) {
    const std::string op = std::string(ir::op_name(lowered.program.op(id).kind));
    if (name.find(op) != std::string::npos) continue;
    if (++count > kMostNames) return name + ", ...";
    name += (name.empty() ? "" : ", ") + op;
  }
  return name + shape;
}

/// Whether attention keeps its scores in memory.
constexpr std::array<bool, 2> kWaysOfAttention{false, true};

/// The unlike kernels of one such way, those of attention alone or all.
std::vector<DeviceCase> kernels_of(const Program& step, const std::vector<ir::Tensor>& inputs,
                                   bool keeps_scores, bool attention_alone = false) {
  std::vector<DeviceCase> cases;
  std::set<std::string> known;
  const lower::LoweredProgram lowered = lower::lower(step, lower::kernels_of_gpus(!keeps_scores));
  const std::vector<ir::Tensor> values = ir::evaluate_all(lowered.program, inputs);
  for (const lower::KernelGroup& group : lowered.groups) {
    if (group.outputs.empty() || (attention_alone && !group.attention)) continue;
    DeviceCase fresh =
        Part(lowered.program, values, group.inputs).take(group.outputs, name_of(lowered, group));
    fresh.gpu.keeps_scores = keeps_scores;
    add_unlike(cases, known, std::move(fresh));
  }
  return cases;
}

std::vector<DeviceCase> kernel_cases(const Program& step, const std::vector<ir::Tensor>& inputs) {
  std::vector<DeviceCase> cases;
  std::set<std::string> known;
  for (const bool keeps_scores : kWaysOfAttention)
    for (DeviceCase& fresh : kernels_of(step, inputs, keeps_scores))
      add_unlike(cases, known, std::move(fresh));
  return cases;
}

/// Of a step the loss alone: what Adam makes of a gradient that is zero but for rounding is noise.
std::vector<DeviceCase> whole_cases(const Program& step, const std::vector<ir::Tensor>& inputs) {
  DeviceCase whole{.name = "loss of a step", .program = step};
  std::erase_if(whole.program.outputs,
                [](const Output& output) { return output.kind != OutputKind::loss; });
  whole.program = ir::without_dead_ops(whole.program, ir::Unused::kept);
  for (const ir::Tensor& input : inputs) whole.inputs.push_back(input.elements);
  for (const ir::Tensor& output : ir::evaluate(whole.program, inputs))
    whole.expected.push_back(output.elements);
  constexpr double kMoreRounding = 3;
  whole.tolerance = kMoreRounding * tolerance_of(step);
  std::vector<DeviceCase> cases;
  for (const bool keeps_scores : kWaysOfAttention) {
    if (keeps_scores && lower::with_attention(whole.program).attentions.empty()) continue;
    cases.push_back(whole);
    if (keeps_scores) cases.back().name += ", scores in memory";
    cases.back().gpu.keeps_scores = keeps_scores;
  }
  return cases;
}

struct DotExtents {
  std::int64_t batch, m, n, k;
};

DeviceCase dot_case(DType dtype, const DotExtents& extents, bool transposed) {
  const auto [batch, m, n, k] = extents;
  ir::Builder b("dot");
  const ValueId x =
      b.input(InputKind::batch, {dtype, {batch, m, k}}, {Initializer::Kind::normal, 0, 1}, "x");
  ValueId y = b.input(InputKind::batch,
                      {dtype, transposed ? std::vector{batch, n, k} : std::vector{batch, k, n}},
                      {Initializer::Kind::normal, 0, 1}, "y");
  b.output(b.dot(x, y,
                 {.lhs_batch = {0},
                  .rhs_batch = {0},
                  .lhs_contracting = {2},
                  .rhs_contracting = {transposed ? 2 : 1}}),
           OutputKind::value);
  DeviceCase made{.name = std::string(dtype_name(dtype)) + " " + std::to_string(batch) + " x [" +
                          std::to_string(m) + ", " + std::to_string(k) + "] x [" +
                          std::to_string(k) + ", " + std::to_string(n) +
                          (transposed ? "], transposed" : "]"),
                  .program = std::move(b).finish()};
  made.tolerance = tolerance_of(made.program);
  return made;
}

/// Forward; the derivative of an image, which dilates it; that of a kernel, whose window is one.
std::vector<std::pair<std::string, ConvolutionAttr>> convolution_directions() {
  ConvolutionAttr forward = ir::channels_last(2), image = forward, kernel = forward,
                  groups = forward;
  for (ConvolutionAttr* a : {&forward, &image, &groups}) a->low = {1, 1}, a->high = {1, 2};
  forward.strides = {2, 1};
  image.lhs_dilation = {2, 1};
  groups.feature_groups = 2;
  std::swap(kernel.input_batch, kernel.input_feature);
  kernel.kernel_spatial = {1, 2}, kernel.kernel_input = 0, kernel.kernel_output = 3;
  return {{"forward", forward},
          {"derivative of the image", image},
          {"derivative of the kernel", kernel},
          {"in groups", groups}};
}

DeviceCase convolution_case(DType dtype, const std::string& name, const ConvolutionAttr& a) {
  constexpr std::int64_t kSamples = 3, kRows = 9, kColumns = 7, kFeatures = 6, kWindow = 3;
  ir::Builder b("convolution");
  const std::vector<std::int64_t> kernel =
      a.kernel_input == 0 ? std::vector{kSamples, kRows - 2, kColumns - 2, kFeatures}
                          : std::vector{kWindow, kWindow, kFeatures / a.feature_groups, kFeatures};
  const Initializer normal{Initializer::Kind::normal, 0, 1};
  const ValueId x = b.input(InputKind::batch, {dtype, {kSamples, kRows, kColumns, kFeatures}},
                            normal, "x"),
                w = b.input(InputKind::batch, {dtype, kernel}, normal, "w");
  b.output(b.add(Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = a}),
           OutputKind::value);
  DeviceCase made{.name = std::string(dtype_name(dtype)) + " " + name,
                  .program = std::move(b).finish()};
  made.tolerance = tolerance_of(made.program);
  return made;
}

void compute(DeviceCase& fresh, std::uint64_t seed) {
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(fresh.program, seed);
  for (const ir::Tensor& input : inputs) fresh.inputs.push_back(input.elements);
  for (const ir::Tensor& output : ir::evaluate(fresh.program, inputs))
    fresh.expected.push_back(output.elements);
}

RateCase stream_case(const std::string& name, ir::Builder& b, ValueId x, ValueId y) {
  RateCase rate{.run = {.name = name},
                .dtype = b.shape(x).dtype,
                .bytes = static_cast<double>(num_bytes(b.shape(x)) + num_bytes(b.shape(y)))};
  b.output(y, OutputKind::value);
  rate.run.program = std::move(b).finish();
  return rate;
}

}  // namespace

StepCases step_cases(const Program& step, std::uint64_t seed) {
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(step, seed);
  return {op_cases(step, ir::evaluate_all(step, inputs)), kernel_cases(step, inputs),
          whole_cases(step, inputs)};
}

std::vector<DeviceCase> attention_cases(const Program& step, std::uint64_t seed) {
  return kernels_of(step, ir::initial_tensors(step, seed), false, true);
}

std::vector<DeviceCase> dot_cases(DType dtype, std::uint64_t seed) {
  std::vector<DeviceCase> cases;
  for (const DotExtents& extents : {DotExtents{1, 64, 64, 64}, DotExtents{1, 7, 13, 29},
                                    DotExtents{3, 33, 17, 65}, DotExtents{1, 128, 8, 256}}) {
    for (const bool transposed : {false, true})
      compute(cases.emplace_back(dot_case(dtype, extents, transposed)), seed);
  }
  return cases;
}

std::vector<DeviceCase> dot_ways(const std::vector<DeviceCase>& dots) {
  std::vector<DeviceCase> cases;
  const auto add = [&](const runtime::GpuModes& modes, const std::string& way) {
    for (const DeviceCase& dot : dots) {
      DeviceCase& fresh = cases.emplace_back(dot);
      fresh.gpu = modes;
      fresh.name += ", " + way;
    }
  };
  for (int i = 0; i < runtime::kTimedAlgorithms; ++i)
    add({.algorithm = i}, "algorithm " + std::to_string(i) + " of cuBLASLt");
  add({.dots = runtime::GpuModes::Dots::simple}, "by a kernel of our own");
  return cases;
}

std::vector<DeviceCase> convolution_cases(DType dtype, std::uint64_t seed) {
  std::vector<DeviceCase> cases;
  for (const auto& [name, attributes] : convolution_directions()) {
    DeviceCase whole = convolution_case(dtype, name, attributes);
    compute(whole, seed);
    cases.push_back(whole);
    cases.back().name += ", by cuDNN where it takes it";
    whole.gpu.convolves_simply = true;
    whole.name += ", by a kernel of our own";
    cases.push_back(std::move(whole));
  }
  return cases;
}

std::vector<DeviceCase> as_graphs(std::vector<DeviceCase> cases) {
  for (DeviceCase& one : cases) one.gpu.uses_graphs = true;
  return cases;
}

std::vector<RateCase> rate_cases(const RateSizes& sizes) {
  std::vector<RateCase> cases;
  for (const DType dtype : {DType::f32, DType::bf16}) {
    const Shape shape{dtype, {sizes.rows, sizes.columns}};
    const std::string suffix = " of " + to_string(shape);
    ir::Builder copy("double");
    const ValueId x = copy.input(InputKind::batch, shape, {}, "x");
    cases.push_back(stream_case("x + x" + suffix, copy, x, copy.add(x, x)));
    ir::Builder rows("softmax");
    const ValueId z = rows.input(InputKind::batch, shape, {}, "z");
    const ValueId most =
        rows.broadcast_in_dim(rows.reduce(z, {1}, Reduction::max), shape.dims, {0});
    const ValueId powers = rows.unary(OpKind::exponential, rows.sub(z, most));
    const ValueId sums =
        rows.broadcast_in_dim(rows.reduce(powers, {1}, Reduction::sum), shape.dims, {0});
    cases.push_back(stream_case("softmax" + suffix, rows, z, rows.div(powers, sums)));
  }
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    RateCase dot{.run = dot_case(dtype, {1, sizes.extent, sizes.extent, sizes.extent}, false),
                 .dtype = dtype};
    const auto extent = static_cast<double>(sizes.extent);
    dot.flops = 2 * extent * extent * extent;
    dot.run.name = "dot of " + dot.run.name;
    cases.push_back(std::move(dot));
  }
  return cases;
}

}  // namespace rhino::check
