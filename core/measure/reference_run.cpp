// SPDX-License-Identifier: Apache-2.0
#include "measure/reference_run.hpp"

#include <algorithm>

#include "evaluate/planner.hpp"
#include "ir/initial_values.hpp"
#include "plan/assemble.hpp"
#include "plan/validate.hpp"
#include "rhino/error.hpp"
#include "rhino/tile.hpp"
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

const std::string& name_of_input(const Program& step, std::int32_t output) {
  const Input& input =
      step.inputs[static_cast<std::size_t>(step.outputs[static_cast<std::size_t>(output)].input)];
  return step.producer(input.value).name;
}

std::vector<check::CheckedTensor> fetch(runtime::Session& session, const Program& step,
                                        OutputKind kind) {
  std::vector<check::CheckedTensor> tensors;
  for (runtime::FetchedTensor& tensor : session.fetch(outputs_of_kind(step, kind))) {
    tensors.push_back({name_of_input(step, tensor.output), tensor.shape, std::move(tensor.elements),
                       tensor.num_disagreeing});
  }
  return tensors;
}

check::StepValues fetch_values(runtime::Session& session, const Program& step) {
  check::StepValues values;
  values.loss = session.fetch(outputs_of_kind(step, OutputKind::loss)).front().elements.front();
  values.gradients = fetch(session, step, OutputKind::gradient);
  return values;
}

template <class Element>
std::vector<double> as_doubles(const std::vector<std::byte>& bytes) {
  const auto* first = reinterpret_cast<const Element*>(bytes.data());
  return {first, first + bytes.size() / sizeof(Element)};
}

/// What input number `input` holds before the first step.
check::CheckedTensor initial_value(const Program& step, std::int32_t input, std::uint64_t seed) {
  const Input& what = step.inputs[static_cast<std::size_t>(input)];
  const Shape& shape = step.shape(what.value);
  std::vector<std::byte> bytes(static_cast<std::size_t>(num_bytes(shape)));
  ShardingSpec whole;
  whole.dims.resize(shape.dims.size());
  const Mesh one{{}, {0}};
  ir::fill_initial(what.initializer, seed, input, shape, tile_boxes(shape.dims, whole, one, 0), 1,
                   bytes.data());
  return {step.producer(what.value).name, shape,
          shape.dtype == DType::f64 ? as_doubles<double>(bytes) : as_doubles<float>(bytes), 0};
}

}  // namespace

plan::ExecutionPlan single_device_plan(const Program& step) {
  const Mesh one{{{"data", 1}}, {0}};
  const Strategy strategy =
      sharding::complete(step, {.name = "single device", .chunks = {{one, false}}});
  PipelineSchedule schedule;
  schedule.order = {{{ActionKind::forward, 0, 0}, {ActionKind::backward_weight, 0, 0}}};
  NoResharding resharding;
  const std::vector<sharding::ChunkProgram> chunk_programs = sharding::partition(step, strategy);
  plan::ExecutionPlan plan = plan::assemble(
      {step, strategy, chunk_programs, topology::discover_local(1), {}, schedule, resharding});
  plan.name = "single device";
  plan::validate(plan);
  return plan;
}

check::StepValues reference_values(const Program& step, runtime::SessionOptions options) {
  if (options.device != "reference") options.device = "cpu";
  const auto session = runtime::start_session(single_device_plan(step), options);
  session->run_steps(1, false);
  return fetch_values(*session, step);
}

const check::StepValues& References::of(const std::string& model, const Program& step,
                                        const runtime::SessionOptions& options) {
  const std::string key = model + "/" + options.device;
  const auto found = made_.find(key);
  return found != made_.end() ? found->second
                              : made_.emplace(key, reference_values(step, options)).first->second;
}

check::CheckResult check_session(runtime::Session& session, const Program& step,
                                 const check::StepValues& reference, std::uint64_t seed,
                                 double tolerance) {
  const check::StepValues values = fetch_values(session, step);
  const check::CheckResult result = check::compare_steps(reference, values, tolerance);
  if (!result.ok) return result;
  std::vector<check::CheckedTensor> initial;
  for (const Output& output : step.outputs) {
    if (output.kind == OutputKind::updated_state)
      initial.push_back(initial_value(step, output.input, seed));
  }
  const check::CheckResult update = check::compare_update(
      step, initial, values.gradients, fetch(session, step, OutputKind::updated_state), tolerance);
  return update.ok ? result : update;
}

}  // namespace rhino::measure
