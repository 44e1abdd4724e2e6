// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/yaml_reader.hpp"

/// Cases that hold a pipeline of abstract stages: seconds in place of a model.
namespace rhino::config {

/// `pipeline:` of a case, one number of stages and of micro-batches. All times are of one
/// micro-batch; lists have an entry per stage, those of transfers one per border, from stage i to i
/// + 1.
struct PipelineChoice {
  std::string name;  ///< for people; may be empty
  std::int64_t num_stages = 1, num_micro_batches = 1;
  std::vector<double> forward_s, backward_s, weight_s;
  /// Until what a stage sends is there; nothing queues.
  std::vector<double> transfer_s;
  /// In place of them, what crosses on the links of the case's topology.
  std::vector<std::int64_t> transfer_bytes;
  /// Micro-batches whose activations a stage may keep; empty: any number.
  std::vector<std::int64_t> activation_limit;
  /// Where a backward pass is whole, what it sends leaves before its gradients of weights are made,
  /// as the engine has it; else at its end, as papers have it.
  bool is_gradient_early = false;
  std::string place;  ///< file:line
  bool operator==(const PipelineChoice&) const = default;
};

/// One choice for each of the numbers of stages and of micro-batches in the lists `stages` and
/// `micro_batches`. Throws Error `file:line: ...` where a number is out of range or a list does not
/// fit the stages.
std::vector<PipelineChoice> read_pipelines(const YamlReader& node);

/// One line that says everything but the name: `4 stages x 12 micro-batches, F 10 s, B 10 s, W 10
/// s, gradients at the end`.
std::string to_string(const PipelineChoice& choice);

}  // namespace rhino::config
