// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rhino::plan {

/// For what devices stop that compute meanwhile otherwise, both ends of it: what overlap is worth
/// shows against that.
struct Blocking {
  /// What passes hand over to other meshes (AlpaComm's level 0, facts 4.5).
  bool transfers = false;
  /// Collectives inside of a mesh: each is waited for where it starts, as by eager frameworks that
  /// have no stream for them. Not gradients, nor parameters that are gathered in buckets, which
  /// GradientSums tells of.
  bool collectives = false;
  bool operator==(const Blocking&) const = default;
};

}  // namespace rhino::plan
