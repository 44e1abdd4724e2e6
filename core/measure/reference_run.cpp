// SPDX-License-Identifier: Apache-2.0
#include "measure/reference_run.hpp"

#include <algorithm>
#include <optional>

#include "evaluate/planner.hpp"
#include "ir/training_step.hpp"
#include "plan/assemble.hpp"
#include "plan/pipeline.hpp"
#include "plan/validate.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"
#include "topology/discover.hpp"

namespace rhino::measure {
namespace {

/// One device needs no transfers.
class NoResharding : public Resharding {
 public:
  TransferPlan plan(const ReshardProblem&) override {
    throw Error("a single device has no transfers");
  }
};

std::vector<std::int32_t> outputs_of_kind(const Program& step, OutputKind kind) {
  std::vector<std::int32_t> indices;
  for (std::size_t i = 0; i < step.outputs.size(); ++i) {
    if (step.outputs[i].kind == kind) indices.push_back(static_cast<std::int32_t>(i));
  }
  return indices;
}

bool has_gradients(const Program& step) {
  return !outputs_of_kind(step, OutputKind::gradient).empty();
}

/// Of the input that it belongs to, else its own, else its number.
std::string name_of(const Program& step, std::int32_t number) {
  const Output& output = step.outputs[static_cast<std::size_t>(number)];
  if (output.input >= 0)
    return step.producer(step.inputs[static_cast<std::size_t>(output.input)].value).name;
  const std::string& name = step.producer(output.value).name;
  return name.empty() ? std::to_string(number) : name;
}

std::vector<check::CheckedTensor> fetch(runtime::Session& session, const Program& step,
                                        OutputKind kind) {
  std::vector<check::CheckedTensor> tensors;
  for (runtime::FetchedTensor& tensor : session.fetch(outputs_of_kind(step, kind))) {
    tensors.push_back({name_of(step, tensor.output), tensor.shape, std::move(tensor.elements),
                       tensor.num_disagreeing});
  }
  return tensors;
}

check::StepValues fetch_values(runtime::Session& session, const Program& step) {
  check::StepValues values;
  const std::vector<std::int32_t> losses = outputs_of_kind(step, OutputKind::loss);
  if (!losses.empty()) {
    const runtime::FetchedTensor loss = session.fetch(losses).front();
    values.loss = loss.elements.front();
    values.num_losses_disagreeing = loss.num_disagreeing;
  }
  values.gradients = fetch(session, step, OutputKind::gradient);
  if (has_gradients(step)) return values;
  values.outputs = fetch(session, step, OutputKind::value);
  for (check::CheckedTensor& state : fetch(session, step, OutputKind::updated_state))
    values.outputs.push_back(std::move(state));
  return values;
}

}  // namespace

plan::ExecutionPlan single_device_plan(const Program& step) {
  const Mesh one{{{"data", 1}}, {0}};
  const Strategy strategy =
      sharding::complete(step, {.name = "single device", .chunks = {{one, false}}});
  NoResharding resharding;
  const std::vector<sharding::ChunkProgram> chunk_programs = sharding::partition(step, strategy);
  const PipelineProblem problem = plan::pipeline_of(strategy, chunk_programs);
  const plan::PassOrder order{{false}, {{{Pass::forward, 0, 0}, {Pass::backward, 0, 0}}}};
  plan::ExecutionPlan plan = plan::assemble(
      {step, strategy, chunk_programs, topology::discover_local(1), problem, order, resharding});
  plan.name = "single device";
  plan::validate(plan);
  return plan;
}

std::vector<std::int64_t> checked_steps(const Program& step) {
  std::vector<std::int64_t> numbers{1, 2, 1000};
  const bool has_f16_dots = std::ranges::any_of(step.ops, [&](const Op& op) {
    return op.kind == OpKind::dot && step.shape(op.operands[0]).dtype == DType::f16;
  });
  for (const Input& input : step.inputs) {
    const Initializer& scale = input.initializer;
    if (scale.kind != Initializer::Kind::doubling) continue;
    const auto interval = static_cast<std::int64_t>(scale.b);
    numbers.insert(numbers.end(), {std::max<std::int64_t>(1, interval - 1), interval});
    if (has_f16_dots) numbers.push_back(1 + 127 * interval);  // up to the most that a scale is
  }
  return numbers;
}

std::vector<check::StepValues> reference_values(const Program& step,
                                                runtime::SessionOptions options) {
  if (options.device != "reference") options.device = "cpu";
  options.transport = "ucx";
  const auto session = runtime::start_session(single_device_plan(step), options);
  std::vector<check::StepValues> values;
  const std::vector<std::int64_t> numbers = checked_steps(step);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) session->reset(options.seed + k, numbers[k]);
    session->run_steps(1, false);
    values.push_back(fetch_values(*session, step));
  }
  return values;
}

const std::vector<check::StepValues>& References::of(const std::string& model, const Program& step,
                                                     const runtime::SessionOptions& options) {
  const std::string key = model + "/" + options.device;
  const auto found = made_.find(key);
  return found != made_.end() ? found->second
                              : made_.emplace(key, reference_values(step, options)).first->second;
}

std::vector<const std::vector<check::StepValues>*> References::otherwise(
    const std::string& model, const Program& step, const runtime::SessionOptions& options) {
  std::vector<const std::vector<check::StepValues>*> values;
  if (options.gpu.uses_tf32)
    values.push_back(&of(model + "/tf32", ir::tf32_factors(step), options));
  const bool is_narrow_step =
      std::ranges::any_of(step.ops, [](const Op& op) { return is_narrow(op.shape.dtype); });
  if (!is_narrow_step) return values;
  std::optional<Program> wide;
  try {
    wide = ir::widened(step);
  } catch (const Error&) {  // of bits that are read as such
  }
  if (wide) values.push_back(&of(model + "/f32", *wide, options));
  values.push_back(&of(model + "/halves", ir::halved_sums(step), options));
  return values;
}

check::CheckResult check_step(runtime::Session& session, const CheckedStep& what,
                              const check::StepValues& reference,
                              const std::vector<const check::StepValues*>& otherwise) {
  const check::StepValues values = fetch_values(session, what.step);
  const check::CheckResult result =
      check::compare_steps(reference, values, check::check_tolerance(what.dtype, what.uses_tf32),
                           ir::may_skip_updates(what.step), otherwise);
  if (!result.ok || !has_gradients(what.step)) return result;
  const std::vector<check::CheckedTensor> updated =
      fetch(session, what.step, OutputKind::updated_state);
  const check::CheckResult update = check::compare_update(
      what.step,
      {.seed = what.seed, .number = what.number, .gradients = values.gradients, .updated = updated},
      check::update_tolerance(what.dtype));
  return update.ok ? result : update;
}

}  // namespace rhino::measure
