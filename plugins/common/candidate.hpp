// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/configurations.hpp"
#include "common/writing.hpp"
#include "rhino/error.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

struct Candidate {
  Configuration configuration;
  Strategy strategy;
  double table_s = 0;        ///< of a step in which nothing overlaps and stages do equal parts
  double table_bound_s = 0;  ///< no cut of the configuration takes less by tables
  double table_bytes = 0;    ///< of a device, by tables
  Estimate estimate = {};
  int form = 0;           ///< 0: as tables choose; else the way in which it is written, and ZeRO
  double promised_s = 0;  ///< of what is surveyed: its step, or of its mesh as it may be written
  /// Of what is surveyed: of its mesh as it may be written so that it fits.
  double written_s = std::numeric_limits<double>::infinity();
  std::shared_ptr<Writing> writing = nullptr;  ///< where that has begun, with nothing made anew
  double step_s() const { return estimate.step_s; }
};

/// A cut that ended so far above what none costs less than that it tells little.
inline bool is_lost(const Candidate& one) {
  constexpr double kLost = 1.5;
  return one.table_s > kLost * one.table_bound_s;
}

/// Whether such a one may still be the quickest, once it is cut with more work.
inline bool may_be_found(const Candidate& one, double least_s) {
  return is_lost(one) && one.table_bound_s < least_s;
}

inline bool is_small(const SearchProblem& problem, const Estimate& estimate, double near = 1) {
  return problem.memory_limit_bytes <= 0 ||
         estimate.peak_bytes <= near * problem.memory_limit_bytes;
}

/// With no more memory than the device that has the least: what fits into others may not there.
inline SearchProblem of_least_memory(SearchProblem problem) {
  for (DeviceId device = 0; device < problem.cluster.num_devices(); ++device) {
    const double bytes = problem.cluster.device(device).memory_bytes;
    if (bytes > 0) problem.memory_limit_bytes = std::min(problem.memory_limit_bytes, bytes);
  }
  return problem;
}

/// Those of the mesh and micro-batches of `configuration`.
inline std::vector<Candidate> alike(const std::vector<Candidate>& all,
                                    const Configuration& configuration) {
  std::vector<Candidate> some;
  std::ranges::copy_if(all, std::back_inserter(some), [&](const Candidate& one) {
    return one.configuration.is_of_mesh(configuration) &&
           one.configuration.num_micro_batches == configuration.num_micro_batches;
  });
  return some;
}

/// Of a cut that needs up to so much of the memory there is mostly one nearby that has room.
inline constexpr double kNearlyRoomy = 1.25;

/// Where one is far too large, that of its mesh with the most micro-batches of all in `cheap`.
inline const Candidate& roomiest(const SearchProblem& problem, const Candidate& candidate,
                                 const std::vector<Candidate>& cheap) {
  const Candidate* roomiest = &candidate;
  if (is_small(problem, candidate.estimate, kNearlyRoomy)) return candidate;
  for (const Candidate& other : cheap) {
    const Configuration &one = other.configuration, &best = roomiest->configuration;
    if (one.is_of_mesh(best) && one.num_micro_batches > best.num_micro_batches) roomiest = &other;
  }
  return *roomiest;
}

/// By how much a step may take longer, of what needs so many bytes with nothing made anew, once it
/// fits: a rough guess, by which one looks first at what is the least too large. Where half of them
/// are too many: what is cheap to make anew is about the other half.
inline double squeeze(const SearchProblem& problem, double bytes) {
  constexpr double kPower = 0.3;
  const double most = 2 * problem.memory_limit_bytes;
  return most <= 0 || bytes <= most ? 1 : std::pow(bytes / most, kPower);
}

/// Whatever their names. Of one micro-batch sums are scattered once, whoever does it.
inline bool is_same(const Strategy& a, const Strategy& b) {
  GradientSums sums = a.gradient_sums;
  if (a.num_micro_batches == 1) sums.scatter_each = b.gradient_sums.scatter_each;
  return a.num_micro_batches == b.num_micro_batches && a.chunks == b.chunks &&
         sums == b.gradient_sums && a.specs == b.specs && a.recompute == b.recompute &&
         a.chunk_of == b.chunk_of;
}

/// Of fewer ops estimates of memory say little.
inline constexpr std::int32_t kFewOps = 400;

/// The next candidate with more micro-batches, or fewer, cut as it is; none: there is no such
/// count, or the batch does not divide by it.
inline std::optional<Candidate> recounted(const SearchProblem& problem, Strategies& strategies,
                                          Candidate candidate, int direction) {
  const std::vector<std::int64_t>& counts = problem.micro_batch_counts;
  const auto found = std::ranges::find(counts, candidate.configuration.num_micro_batches);
  const std::ptrdiff_t next = found - counts.begin() + direction;
  if (found == counts.end() || next < 0 || next >= std::ssize(counts)) return {};
  candidate.writing = nullptr;
  candidate.configuration.num_micro_batches = counts[at(next)];
  candidate.strategy.name = candidate.configuration.name();
  set_micro_batches(candidate.strategy, counts[at(next)]);
  try {
    candidate.estimate = strategies.estimate(candidate.strategy);
  } catch (const Error&) {
    return {};
  }
  return candidate;
}

}  // namespace rhino::common
