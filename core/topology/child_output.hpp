// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace rhino::topology {

/// What a child process printed.
struct ChildOutput {
  std::string output, errors;  ///< standard output, standard error
  int exit_code = -1;          ///< -1: it did not end by itself
  /// `ended by signal 11 (Segmentation fault)`; empty: with exit code 0.
  std::string how_it_ended;
};

/// How it ended, and the last line of its errors.
std::string end_of(const ChildOutput& child);

/// Runs a program to its end, or kills it when it has said nothing for `deadline_s`. `input`, at
/// most 64 KiB, is its standard input.
ChildOutput output_of(const std::vector<std::string>& command, double deadline_s,
                      const std::string& input = {});

/// A program in the folder of this one.
std::string program_beside(const std::string& name);
inline std::string worker_beside() { return program_beside("rhino-worker"); }

}  // namespace rhino::topology
