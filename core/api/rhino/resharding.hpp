// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/transfer.hpp"

namespace rhino {

/// Plans how tensors sharded over one mesh come to lie, re-sharded, on others.
///
/// An object is made in the child process that plans a cell, and lives as long as that.
/// plugins/resharding/send_recv.cpp is a whole one; plugins/README.md walks through it.
class Resharding {
 public:
  virtual ~Resharding() = default;

  /// Returns transfers after which every target tile is complete. Called once per distinct problem
  /// of a strategy, each time that one is priced or planned: boundaries that differ in the names of
  /// devices alone share an answer, so do equal parts on hosts of their own, and micro-batches. The
  /// core rejects a plan that misses an element, delivers one twice or sends one from a device that
  /// does not hold it by then. `problem` is valid for the call only. [in a child process] [pure]
  /// [may throw Error]
  virtual TransferPlan plan(const ReshardProblem& problem) = 0;
};

}  // namespace rhino
