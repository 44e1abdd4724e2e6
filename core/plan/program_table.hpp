// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::plan {

/// The programs of a plan, equal ones once: layers that compute alike are compiled once.
class ProgramTable {
 public:
  explicit ProgramTable(std::vector<Program>& programs) : programs_(programs) {}

  /// The index of a program that equals `program` but for its name; added where there is none.
  std::int32_t index(Program program);
  /// Bytes that a device needs as scratch to run a program.
  std::int64_t workspace_bytes(std::int32_t index);

 private:
  std::vector<Program>& programs_;
  std::unordered_multimap<std::size_t, std::int32_t> by_hash_;
  std::map<std::int32_t, std::int64_t> workspace_;
};

}  // namespace rhino::plan
