// SPDX-License-Identifier: Apache-2.0
#include "measure/equal_plans.hpp"

#include <functional>

namespace rhino::measure {

std::string EqualPlans::signature(const std::string& plan_bytes, const config::CellSpec& cell) {
  return std::to_string(plan_bytes.size()) + "/" +
         std::to_string(std::hash<std::string>()(plan_bytes)) + "/" + cell.device + "/" +
         cell.check;
}

bool EqualPlans::reuse(const std::string& signature, store::Record& record) const {
  const auto found = done_.find(signature);
  if (found == done_.end()) return false;
  const store::Record& same = found->second;
  record.samples_s = same.samples_s;
  record.summary.makespan_s = same.summary.makespan_s;
  record.breakdown = same.breakdown;
  record.measured_peak_bytes = same.measured_peak_bytes;
  record.check_kind = same.check_kind;
  record.check_max_error = same.check_max_error;
  record.check_tolerance = same.check_tolerance;
  record.communication.measured_bytes_between_hosts =
      same.communication.measured_bytes_between_hosts;
  record.environment = same.environment;
  record.artifacts = same.artifacts;
  record.message = "the same plan as " + same.label + ", measured once";
  return true;
}

void EqualPlans::remember(const std::string& signature, const store::Record& record) {
  done_[signature] = record;
}

}  // namespace rhino::measure
