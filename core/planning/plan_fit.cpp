// SPDX-License-Identifier: Apache-2.0
#include "planning/plan_fit.hpp"

#include <algorithm>

#include "codec/binary.hpp"
#include "codec/fingerprint.hpp"
#include "codec/text_file.hpp"
#include "plan/plan_file.hpp"
#include "plan/plan_mesh.hpp"
#include "plan/validate.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/members.hpp"
#include "rhino/strategy.hpp"

namespace rhino::planning {
namespace {

void require_equal(const std::string& what, const std::string& of_plan,
                   const std::string& of_cell) {
  if (of_plan == of_cell) return;
  throw Error("the plan is of " + (of_plan.empty() ? "nothing that it names" : what + of_plan) +
              ", and the cell of " + what + of_cell);
}

std::string cluster_text(const Cluster& cluster) {
  return "'" + cluster.name + "' of " + std::to_string(cluster.num_devices()) + " devices on " +
         std::to_string(cluster.hosts.size()) + " hosts";
}

void check_micro_batches(std::int64_t count, const config::CellSpec& cell) {
  const std::vector<std::int64_t>& allowed = cell.micro_batches;
  if (std::find(allowed.begin(), allowed.end(), count) != allowed.end()) return;
  throw Error("the plan is of " + micro_batches_text(count) + ", which the cell does not allow");
}

void check_input(const plan::ExecutionPlan& plan, const plan::PlanInput& input,
                 const Program& step) {
  const std::string what = "input " + std::to_string(input.input) + " of the plan ";
  if (at(input.input) >= step.inputs.size()) throw Error(what + "is none of the program");
  const Input& wanted = step.inputs[at(input.input)];
  const Shape& shape = step.shape(wanted.value);
  const Shape whole = plan::whole_shape(plan, input);
  if (whole != shape)
    throw Error(what + "is " + to_string(whole) + ", and '" + step.producer(wanted.value).name +
                "' of the program " + to_string(shape));
  if (input.initializer != wanted.initializer || input.kind != wanted.kind)
    throw Error(what + "does not begin as '" + step.producer(wanted.value).name + "' does");
}

/// An updated state has to lie where the next step reads it.
bool is_in_place(const plan::Role& role, const plan::PlanOutput& output, std::int32_t input) {
  return std::any_of(role.inputs.begin(), role.inputs.end(), [&](const plan::PlanInput& tile) {
    return tile.input == input && tile.buffer == output.buffer;
  });
}

void check_output(const plan::Role& role, const plan::PlanOutput& output, const Program& step) {
  const std::string what = "output " + std::to_string(output.output) + " of the plan ";
  if (at(output.output) >= step.outputs.size()) throw Error(what + "is none of the program");
  const Output& wanted = step.outputs[at(output.output)];
  if (output.global != step.shape(wanted.value))
    throw Error(what + "is " + to_string(output.global) + ", and of the program " +
                to_string(step.shape(wanted.value)));
  if (wanted.kind == OutputKind::updated_state && !is_in_place(role, output, wanted.input))
    throw Error(what + "does not replace the state that the next step reads");
}

void check_ports(const plan::ExecutionPlan& plan, const Program& step) {
  std::vector<bool> is_there(step.outputs.size(), false);
  for (const plan::Role& role : plan.roles) {
    for (const plan::PlanInput& input : role.inputs) check_input(plan, input, step);
    for (const plan::PlanOutput& output : role.outputs) {
      check_output(role, output, step);
      is_there[at(output.output)] = true;
    }
  }
  const auto missing = std::find(is_there.begin(), is_there.end(), false);
  if (missing != is_there.end())
    throw Error("the plan lacks output " + std::to_string(missing - is_there.begin()) +
                " of the program");
}

}  // namespace

std::string program_text(const config::CellSpec& cell, const CellModel* model) {
  if (cell.reshard) return config::to_string(*cell.reshard);
  if (cell.collective) return config::to_string(*cell.collective);
  if (cell.pipeline) return config::to_string(*cell.pipeline);
  return config::to_string(cell.model) + ", " + config::to_string(cell.optimizer) +
         ", global batch " + std::to_string(cell.global_batch) + " (" +
         codec::fingerprint(codec::to_bytes(model->step)).substr(0, 12) + ")";
}

plan::ExecutionPlan read_plan(const std::string& path) {
  return plan::decode_plan(codec::read_file(path), path);
}

void check_fit(const plan::ExecutionPlan& plan, const config::CellSpec& cell,
               const CellModel* model, const Cluster& cluster) {
  require_equal("", plan.program, program_text(cell, model));
  require_equal("cluster ", cluster_text(plan.cluster), cluster_text(cluster));
  if (plan.cluster.host_of != cluster.host_of)
    throw Error("the plan's devices lie on other hosts than the cell's");
  if (!cell.collective && !cell.pipeline)
    require_equal("", plan.resharding, config::to_string(cell.resharding));
  if (!cell.is_communication()) require_equal("", plan.schedule, config::to_string(cell.schedule));
  if (model != nullptr) {
    require_equal("", plan.search, config::to_string(cell.search));
    check_micro_batches(plan.num_micro_batches, cell);
    check_ports(plan, model->step);
  }
  plan::ExecutionPlan here = plan;
  here.cluster = cluster;
  plan::validate(here);
}

}  // namespace rhino::planning
