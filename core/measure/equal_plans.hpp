// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "config/experiment.hpp"
#include "store/record.hpp"

namespace rhino::measure {

/// Records of measured cells by what ran: cells that come to the same plan are measured once.
class EqualPlans {
 public:
  /// Equal where the same plan (planning::bytes_of) runs on the same device with the same check.
  static std::string signature(const std::string& plan_bytes, const config::CellSpec& cell);

  /// Gives `record` what the cell remembered under `signature` was measured to do. False: there is
  /// none.
  bool reuse(const std::string& signature, store::Record& record) const;
  void remember(const std::string& signature, const store::Record& record);

 private:
  std::map<std::string, store::Record> done_;
};

}  // namespace rhino::measure
