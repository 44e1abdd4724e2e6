// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "evaluate/frame.hpp"
#include "lower/lower.hpp"
#include "sharding/op_keys.hpp"

namespace rhino::evaluate {

/// Which loops ops of passes fall into: as core/lower fuses a pass where nothing cuts it, at the
/// extents of whole tensors, or of single rows. Passes that compute alike, as of equal layers, are
/// lowered once. And kernels of attention, where `kernels` has them.
class FusedLoops {
 public:
  /// `graph` must outlive it.
  explicit FusedLoops(const sharding::OpGraph& graph, lower::Kernels kernels = {});

  /// Fills in which loops ops of a pass fall into, and what these read and write (LoopTraffic:
  /// reads, inputs, writes, opens, launch, nest), and attentions. `num_launches`: numbers that are
  /// given.
  /// `pass`: of `frame`.
  void find(const Frame& frame, PassOps& pass, std::int32_t& num_launches);

 private:
  /// Values are numbered in the order of the pass's own program, launches from 0.
  struct Found {
    std::vector<std::pair<std::int32_t, LoopTraffic>> traffic;
    std::int32_t num_launches = 0;
    std::vector<PassAttention> attentions;
    std::vector<std::int32_t> inside;  ///< made inside of these alone
  };
  class PassProgram;
  class LoopFinder;
  const Found& found(const PassProgram& program);
  static void list_attentions(const Found& found, const PassProgram& program, PassOps& pass);

  const sharding::OpGraph& graph_;
  const lower::Kernels kernels_;
  std::vector<std::int32_t> shape_number_;  ///< per value: equal ones
  std::vector<std::int32_t> own_;           ///< per value its number in the program that is written
  std::unordered_map<std::vector<std::int32_t>, Found, sharding::OpKeys::Hash> known_;
  std::size_t num_kept_ = 0;  ///< ops of what is known
};

}  // namespace rhino::evaluate
