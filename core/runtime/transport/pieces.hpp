// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"

namespace rhino::runtime {

/// Bytes in a row of the buffer of one part.
struct Segment {
  std::int32_t part = 0;
  std::int64_t offset = 0, bytes = 0;
  bool operator==(const Segment&) const = default;
};

/// What one message carries: usually one segment, several where small parts travel together.
struct Piece {
  std::vector<Segment> segments;
  std::int64_t bytes = 0;
};

/// Parts of one dtype that a collective treats as one long tensor: a large part alone, or all small
/// ones one after the other. Each part consists of entries (one per rank where the collective
/// distributes them, else one); the run is that of an entry.
struct Run {
  DType dtype = DType::f32;
  std::vector<std::int32_t> parts;
  std::vector<std::int64_t> entry_bytes;  ///< per part
  std::int64_t bytes = 0;                 ///< of one entry of all parts

  /// The elements [begin, end) of the run, in entry `entry` of a buffer.
  Piece cut(std::int64_t entry, std::int64_t begin, std::int64_t end) const;
  std::int64_t num_elements() const { return bytes / dtype_bytes(dtype); }
};

/// Groups parts into runs. `entry_bytes[p]` is the size of one entry of part p; parts smaller than
/// `small_bytes` share a run per dtype.
std::vector<Run> make_runs(const std::vector<Shape>& parts,
                           const std::vector<std::int64_t>& entry_bytes, std::int64_t small_bytes);

/// Cuts `count` elements into `num` ranges that differ by little and begin on 64-byte boundaries:
/// the begin of range i; range `num` begins at `count`.
std::int64_t range_begin(std::int64_t count, std::int64_t num, std::int64_t i,
                         std::int64_t element_bytes);

}  // namespace rhino::runtime
