// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rhino/options.hpp"
#include "rhino/program.hpp"
#include "rhino/strategy.hpp"

namespace rhino::config {

/// A strategy that a person wrote: mesh axes and patterns over value names. `stage` is the
/// pipeline, `data` splits the batch.
struct StrategyFile {
  struct Rule {
    std::string match;                        ///< glob over names of parameters and other values
    std::map<std::string, std::string> dims;  ///< dim (its name or number) → axis
    std::string place;
  };
  std::string path, name, description;
  std::vector<MeshAxis> axes;  ///< in file order, `stage` left out
  std::int32_t num_stages = 1;
  std::vector<Rule> rules;
  std::int32_t zero_stage = 0;
  bool recompute = false;
};

/// Reads a strategy; `sizes` (options of the choice) replace sizes of its mesh axes. Throws Error
/// `file:line: ...`.
StrategyFile read_strategy_file(const std::string& path, const Options& sizes);

/// Applies the patterns to a program: annotations, on `num_stages` meshes of `chunks`. A pattern
/// that matches nothing is an Error.
StrategyDraft draft_of(const StrategyFile& file, const Program& program,
                       const std::vector<Chunk>& chunks, std::int64_t num_micro_batches);

}  // namespace rhino::config
