// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace rhino::plugin {

struct ChildLimits {
  double deadline_s = 0;  ///< 0: none
  /// Further address space that the child may take, and bytes of files in memory that it and its
  /// children may hold; 0: no limit.
  std::int64_t memory_bytes = 0;
  /// Asked a few times a second; true ends the child. Empty: never.
  std::function<bool()> is_interrupted = {};
};

enum class ChildOutcome : std::uint8_t {
  ok,
  error,
  crashed,
  deadline,
  wrote_to_stdout,
  interrupted
};

struct ChildResult {
  ChildOutcome outcome = ChildOutcome::ok;
  /// Ok: what `work` returned; else one sentence that names the innermost plugin.
  std::string text;
  std::string so_far = {};  ///< where the deadline came: what was handed over last; empty: nothing
};

/// Hands over what there is so far, in place of what was before.
using HandOver = std::function<void(const std::string&)>;

/// Runs `work` in a forked child below a supervisor (supervisor.hpp) and returns what it returned.
/// The child sees this process's memory (copy-on-write), writes nothing to its standard output, and
/// is killed with all it started, however detached, at the deadline and when it is done. A throw, a
/// crash, a hang, an exit, output on stdout end in an outcome, never in an exception. For
/// single-threaded callers.
ChildResult run_in_child(const std::function<std::string(const HandOver&)>& work,
                         const ChildLimits& limits);
inline ChildResult run_in_child(const std::function<std::string()>& work,
                                const ChildLimits& limits) {
  return run_in_child([&](const HandOver&) { return work(); }, limits);
}

}  // namespace rhino::plugin
