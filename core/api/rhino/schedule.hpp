// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rhino/pipeline.hpp"

namespace rhino {

/// Orders the forward and backward passes of micro-batches on every mesh of a pipeline.
///
/// An object is made in the child process that plans a cell, and lives as long as that.
/// plugins/schedule/1f1b.cpp is a whole one.
class Schedule {
 public:
  virtual ~Schedule() = default;

  /// How many chunks a pipeline over `num_meshes` >= 1 equal meshes has, and where they lie: every
  /// mesh has one at least. Asked whenever a searcher or a strategy file wants chunks for so many
  /// meshes, since that decides into how many pieces the program is cut. [in a child process]
  /// [pure] [may throw Error]
  virtual Placement placement(int num_meshes) = 0;

  /// Per mesh, every micro-batch forward and backward once for every chunk there. Asked for each
  /// strategy that is priced or planned, with its own costs; `problem.chunks` lie as placement()
  /// said where a searcher kept to it. The core rejects an order that lacks, repeats or misplaces
  /// an action, waits in a circle or does not fit in memory. [in a child process] [pure] [may throw
  /// Error, say where micro-batches do not divide]
  virtual PipelineSchedule schedule(const PipelineProblem& problem) = 0;

  /// What a formula says that every mesh idles in a step, beside its own passes, if gradients leave
  /// at the end of a BW; nothing where there is none for such a problem. It decides nothing: tables
  /// show it beside what is simulated. [in a child process] [pure]
  virtual std::optional<double> bubble_s(const PipelineProblem& problem) {
    static_cast<void>(problem);
    return std::nullopt;
  }
};

}  // namespace rhino
