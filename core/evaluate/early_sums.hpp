// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "evaluate/shared_links.hpp"
#include "evaluate/tables.hpp"

namespace rhino::evaluate {

/// Reductions of sums over micro-batches that begin in the last pass that adds to them, and that an
/// update waits for (plan/reductions.hpp). Those that are alike go in buckets.
class EarlySums {
 public:
  /// `kind`: of the mesh. Borrows the tables.
  void clear(Tables& tables, std::int32_t kind, double bucket_bytes);
  /// Returns which bucket of all it is expected to be part of, from 0.
  std::int32_t add(const Collective& sum);
  /// Nothing is added any more.
  void close();

  double seconds() const { return seconds_; }
  double sure_s() const;  ///< of links, however they are put together
  double last_s() const;  ///< of one bucket
  /// Of all of them, as of LinkUse.
  const std::array<double, 2>& links_s() const { return links_s_; }

 private:
  void start(const Collective& bucket);

  Tables* tables_ = nullptr;
  std::int32_t kind_ = 0;
  double bucket_bytes_ = 0;
  double seconds_ = 0, bytes_ = 0;
  std::map<std::uint32_t, double> sure_s_;  ///< by axes: others may have other links
  std::array<double, 2> links_s_ = {};
  std::int32_t num_started_ = 0;
  std::vector<Collective> open_;  ///< buckets that are not full, one of each kind
};

}  // namespace rhino::evaluate
