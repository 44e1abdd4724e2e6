// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <functional>
#include <string>

namespace rhino::launch {

struct GuardOptions {
  std::string name = "rhino-bench";  ///< of the child, in sentences: `the agent`
  /// A child that a signal ended, and that was not asked to end, is started again.
  bool restarts = false;
  int max_restarts = 20;
  /// What the child gets from the kernel where its guardian is gone.
  int signal_when_orphaned = SIGKILL;
  double kill_after_s = 3;  ///< from SIGTERM on, where the parent of this process is gone
  /// Longest that a signal may stop the child while this process goes on.
  double longest_stop_s = 5;
  /// Sentences on what befell the child; empty: to standard error, behind `rhino-bench: `.
  std::function<void(const std::string&)> tell = {};
};

/// Runs `work`, which does not throw, in a child and stays its parent: what a launcher starts.
/// SIGTERM, SIGINT and SIGHUP go on to the child; those of the terminal reach it anyway. When the
/// parent of this process goes away, the child gets SIGTERM, then SIGKILL. Returns the exit code of
/// the child, or 128 + the signal that ended it, with a sentence. For a process that has one
/// thread. Throws Error where none can be started.
int guard(const std::function<int()>& work, const GuardOptions& options);

}  // namespace rhino::launch
