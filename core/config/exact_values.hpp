// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config/strategy_file.hpp"
#include "config/yaml_reader.hpp"

/// What a strategy file says of values that no rule of it leads to: how each lies, split by split,
/// and in which chunk (`exact:`).
namespace rhino::config {

/// Splits and terms along micro-batches are written so.
inline constexpr const char* kMicroWord = "micro";

/// Of a file whose axes have been read. Throws Error `file:line: ...`.
std::vector<StrategyFile::Exact> read_exact(const YamlReader& root, const StrategyFile& file);

/// The section as text; empty: there is none.
std::string exact_text(const StrategyFile& file);

/// Throws Error, naming the place, where the program lacks a value, it has other dims, or a cut
/// does not divide them. Whether there is such a chunk, the schedule says.
void check_exact(const StrategyFile& file, const Program& program);

/// Sets these values of `strategy`, which the rest of `file` was completed to. Throws Error, naming
/// the place, where the program lacks one, or it has other dims.
void set_exact(const StrategyFile& file, const Program& program, Strategy& strategy);

/// Adds all that differs in `made`, which `file` is completed to, from `strategy`; equal ones
/// together.
void add_exact(const Program& program, const Strategy& made, const Strategy& strategy,
               StrategyFile& file);

}  // namespace rhino::config
