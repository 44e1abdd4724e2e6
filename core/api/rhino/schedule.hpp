// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/pipeline.hpp"

namespace rhino {

/// Orders the forward and backward passes of micro-batches on every mesh of a pipeline.
class Schedule {
 public:
  virtual ~Schedule() = default;

  /// Which chunk lies on which mesh; asked before the search. [in a child process] [pure] [may
  /// throw Error]
  virtual Placement placement(int num_meshes) = 0;

  /// Per mesh, every micro-batch forward and backward once for every chunk there. The core rejects
  /// an order that breaks a dependency, deadlocks or does not fit in memory. [in a child process]
  /// [pure] [may throw Error]
  virtual PipelineSchedule schedule(const PipelineProblem& problem) = 0;
};

}  // namespace rhino
