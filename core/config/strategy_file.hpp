// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rhino/options.hpp"
#include "rhino/program.hpp"
#include "rhino/strategy.hpp"

namespace rhino::config {

/// A strategy that a person, or `search --save`, wrote down: mesh axes and patterns over value
/// names. The rest follows by propagation (sharding/complete.hpp).
struct StrategyFile {
  /// Axes that split dims of the values whose name matches; of other axes of the mesh they take
  /// none but the batch's.
  struct Rule {
    std::vector<std::string> match;  ///< globs; "%7" is value number 7, whatever its name
    std::map<std::string, std::vector<std::string>> dims;  ///< dim (its name or number) → axes
    std::string place;                                     ///< file:line
    bool operator==(const Rule& other) const { return match == other.match && dims == other.dims; }
  };
  /// Forward values that the backward pass makes anew: those that `values` match, or those that lie
  /// on a path from one that `from` matches to one that `to` matches, past no other of both.
  struct Recompute {
    std::vector<std::string> values, from, to;  ///< globs as of Rule; `values` or both others
    std::string place;                          ///< file:line
    bool operator==(const Recompute& other) const {
      return values == other.values && from == other.from && to == other.to;
    }
  };
  /// How values lie to which no rule leads, and where they are, as a whole: set when all else has
  /// been completed.
  struct Exact {
    static constexpr std::int32_t kAsCompleted = -2;
    std::vector<std::string> values;  ///< names that no other value has, or "%7"
    std::int32_t chunk = kAsCompleted;
    std::map<std::int32_t, DimSharding> dims;  ///< that are split, by number
    std::vector<Partial> partial;
    std::string place;  ///< file:line
    bool says_same(const Exact& other) const {
      return chunk == other.chunk && dims == other.dims && partial == other.partial;
    }
  };
  std::string path, name, description;
  std::vector<MeshAxis> axes;  ///< of the first mesh, in file order, `stage` left out
  /// Where meshes differ: per mesh its sizes of `axes`. Empty: all are alike.
  std::vector<std::vector<std::int64_t>> own_sizes;
  std::string rest;                ///< the axis that takes `all`; empty: none
  std::int32_t num_stages = 1;     ///< `stage`: meshes of the pipeline
  std::int64_t micro_batches = 0;  ///< 0: each count that the case allows
  std::string batch = "data";      ///< axis that splits the batch, if the mesh has it; or "none"
  std::int32_t zero_stage = 0;
  GradientSums gradient_sums;          ///< `overlap`, `bucket`
  std::vector<bool> recompute{false};  ///< all of it, per chunk; one entry stands for all
  std::vector<Recompute> segments;
  /// Chunks of forward ops in program order: up to and with this value, this chunk; behind the last
  /// value named, the last chunk. Empty: cut into equal work.
  std::vector<std::pair<std::string, std::int32_t>> chunks;
  /// Globs; in place of `chunks`: each chunk ends with one of the forward values that they match,
  /// and has as many of them as others, or one more: the first ones.
  std::vector<std::string> chunk_ends;
  std::string chunks_place;  ///< file:line
  std::vector<Rule> shard;   ///< of parameters, batch inputs and scalars
  std::vector<Rule> values;  ///< of all else: activations, gradients, optimizer states
  std::vector<Exact> exact;  ///< of the sizes that the file says, and no others

  /// The axes of each of `num_stages` meshes.
  std::vector<std::vector<MeshAxis>> meshes() const;
};

/// Reads a strategy; `sizes` (options of the choice) replace sizes of its mesh axes, `zero`,
/// `overlap`, `bucket`, `recompute` and `micro_batches`. An axis of size `all` takes what the
/// others leave of `num_devices`, at least 1. Throws Error `file:line: ...`.
StrategyFile read_strategy_file(const std::string& path, const Options& sizes,
                                std::int64_t num_devices = 0);

/// Throws Error naming file and line where the file names a value or dim that `program` lacks, or
/// what is exact does not divide.
void check(const StrategyFile& file, const Program& program);

/// The text of a strategy file; reading it gives `file` again, but for path and places. `comment`
/// stands in front, one line or more.
std::string strategy_text(const StrategyFile& file, const std::string& comment);

/// What `segments` match of a program, increasing. Throws Error, naming the place, where a pattern
/// matches no forward value, or nothing lies between two.
std::vector<ValueId> recomputed_values(const StrategyFile& file, const Program& program);

/// Applies the patterns to a program: annotations, on `num_stages` meshes of `chunks`. A pattern
/// that matches nothing is an Error. What is exact is not in it (set_exact).
StrategyDraft draft_of(const StrategyFile& file, const Program& program,
                       const std::vector<Chunk>& chunks, std::int64_t num_micro_batches);

}  // namespace rhino::config
