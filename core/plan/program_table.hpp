// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "lower/lowerings.hpp"
#include "rhino/program.hpp"

namespace rhino::plan {

/// The programs of a plan, equal ones once: layers that compute alike are compiled once.
class ProgramTable {
 public:
  ProgramTable(std::vector<Program>& programs, lower::Lowerings& lowerings)
      : programs_(programs), lowerings_(lowerings) {}

  /// The index of a program that equals `program` with these outputs, of the same values, but for
  /// its name; added under this one where there is none.
  /// `hash`: its ir::structure_hash().
  std::int32_t index(const Program& program, std::size_t hash, std::vector<Output> outputs,
                     std::string name);
  /// Bytes that a device needs as scratch to run a program.
  std::int64_t workspace_bytes(std::int32_t index);

 private:
  std::vector<Program>& programs_;
  std::unordered_multimap<std::size_t, std::int32_t> by_hash_;
  lower::Lowerings& lowerings_;
  std::map<std::int32_t, std::int64_t> workspace_;
};

}  // namespace rhino::plan
