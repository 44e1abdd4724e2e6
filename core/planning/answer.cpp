// SPDX-License-Identifier: Apache-2.0
#include "planning/answer.hpp"

#include <chrono>
#include <tuple>

#include "codec/binary.hpp"
#include "plan/bytes_text.hpp"
#include "plan/check_indices.hpp"
#include "plan/plan_file.hpp"
#include "plan/plan_mesh.hpp"
#include "plan/validate.hpp"
#include "rhino/error.hpp"
#include "rhino/members.hpp"

namespace rhino::planning {

constexpr auto members(const Answer*) {
  using A = Answer;
  return std::tuple(&A::status, &A::message, &A::strategy, &A::plan_bytes, &A::rejected,
                    &A::candidates, &A::num_evaluated, &A::bound_s, &A::gap, &A::formula_s);
}

/// What `work` throws is why there is no plan.
template <class Work>
static PlannedCell timed(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  PlannedCell planned;
  try {
    work(planned);
  } catch (const Error& error) {
    planned.status = store::Status::failed;
    planned.message = error.what();
  }
  planned.search_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return planned;
}

std::string bytes_of(plan::ExecutionPlan plan) {
  plan.name = plan.search = plan.resharding = plan.schedule = plan.program = "";
  return plan::to_bytes(plan);
}

std::string too_large(const plan::ExecutionPlan& plan) {
  for (const plan::Role& role : plan.roles) {
    const auto bytes = static_cast<double>(plan::memory_bytes(role));
    const double limit_bytes = plan::memory_bytes(plan.cluster, role.mesh);
    if (bytes > limit_bytes) return plan::too_large_text(bytes, limit_bytes);
  }
  return "";
}

void prove(const plan::ExecutionPlan& plan, const std::string& made_with) {
  try {
    plan::validate(plan);
  } catch (const Error& error) {
    throw Error("the plan made with " + made_with + " is refused: " + error.what());
  }
}

PlannedCell plan_in_child(const std::function<Answer(const HandOver&)>& work,
                          const plugin::ChildLimits& limits, const std::string& when_late) {
  const auto in_child = [&](const plugin::HandOver& hand_over) {
    return codec::to_bytes(work([&](const Answer& so_far) { hand_over(codec::to_bytes(so_far)); }));
  };
  return timed([&](PlannedCell& planned) {
    const plugin::ChildResult child = plugin::run_in_child(in_child, limits);
    const bool is_ok = child.outcome == plugin::ChildOutcome::ok;
    if (!is_ok && child.so_far.empty()) {
      const bool is_late = child.outcome == plugin::ChildOutcome::deadline;
      planned.status = is_late ? store::Status::timeout : store::Status::failed;
      planned.message = child.text + (is_late ? when_late : "");
      return;
    }
    static_cast<Answer&>(planned) =
        codec::from_bytes<Answer>(is_ok ? child.text : child.so_far, "answer of planning");
    if (!is_ok) planned.message = child.text + planned.message;
    if (planned.status != store::Status::ok) return;
    plan::check_indices(planned.strategy);
    planned.plan = plan::plan_from_bytes(planned.plan_bytes, "planned plan");
    plan::validate(planned.plan);
  });
}

PlannedCell plan_here(const std::function<plan::ExecutionPlan()>& work) {
  return timed([&](PlannedCell& planned) {
    planned.plan = work();
    plan::check_indices(planned.plan);
    planned.message = too_large(planned.plan);
    if (!planned.message.empty()) return void(planned.status = store::Status::infeasible);
    plan::validate(planned.plan);
    planned.plan_bytes = bytes_of(planned.plan);
  });
}

}  // namespace rhino::planning
