// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/transport/pieces.hpp"
#include "runtime/transport/task_graph.hpp"

namespace rhino::runtime {

using Tasks = std::vector<std::int32_t>;

/// A piece in one row: in its buffer, or in staging memory once `after` have packed it.
struct Loaded {
  Region region;
  Tasks after;
};

/// Brings pieces of several segments into one row of memory, as messages and reductions want them,
/// and back.
class PieceRows {
 public:
  /// Borrowed.
  explicit PieceRows(TaskGraphBuilder& builder) : builder_(builder) {}

  /// A piece of the inputs, once `after` have ended.
  Loaded load(const Piece& piece, const Tasks& after);
  /// Where a piece of the outputs is made in one row; store() then brings it to its outputs.
  Region target_of(const Piece& piece);
  void store(const Piece& piece, Region made, std::int32_t after);
  /// From inputs to outputs, at most so many bytes at a time.
  void copy(const Piece& in, const Piece& out, std::int64_t chunk_bytes);

 private:
  TaskGraphBuilder& builder_;
};

}  // namespace rhino::runtime
