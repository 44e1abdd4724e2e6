// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/transfer.hpp"

namespace rhino {

/// Plans how tensors sharded over one mesh come to lie, re-sharded, on others.
class Resharding {
 public:
  virtual ~Resharding() = default;

  /// Returns transfers after which every target tile is complete. The core rejects a plan that
  /// misses an element or sends one from a device that does not hold it. `problem` is valid for the
  /// call only. [in a child process] [pure] [may throw Error]
  virtual TransferPlan plan(const ReshardProblem& problem) = 0;
};

}  // namespace rhino
