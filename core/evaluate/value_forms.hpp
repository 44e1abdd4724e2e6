// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/frame.hpp"
#include "evaluate/tables.hpp"

namespace rhino::evaluate {

/// How every value of a strategy is cut, by the tables.
struct Cuts {
  std::vector<std::int32_t> kind_of_chunk;  ///< of meshes
  std::vector<std::int32_t> mesh_of_chunk;  ///< equal for chunks on one mesh
  std::vector<FormId> forms;                ///< per value; as its op yields it
  std::vector<const OpPrice*> ops;          ///< per value; null: an input, or copied to its users
};

/// In which forms values leave passes, come to others, and are summed up over micro-batches. All
/// borrowed.
class ValueForms {
 public:
  ValueForms(Tables& tables, const Frame& frame, const Cuts& cuts, const GradientSums& sums)
      : tables_(tables), frame_(frame), cuts_(cuts), graph_(tables.graph()), sums_(sums) {}

  /// The form in which a pass gets a value that it does not make.
  FormId held(const PassOps& pass, ValueId id) const;
  /// The form, without partial sums, in which a value leaves the passes that make it.
  FormId handed_on(ValueId id) const;
  /// The form in which micro-batches are summed up.
  FormId summed(ValueId id) const;
  /// The form in which a value without partial sums is kept for others of its mesh.
  FormId kept(ValueId id) const;

  /// A sum, by the update of another chunk.
  bool is_read_elsewhere(ValueId sum) const;
  bool is_reduced_late(ValueId sum) const;
  /// Of all sums that begin to be reduced in the last pass, for the update `pass`.
  double early_sum_bytes(const PassOps& pass) const;
  bool has_others(std::int32_t chunk) const;
  std::int32_t mesh_of(std::int32_t chunk) const {
    return cuts_.mesh_of_chunk[static_cast<std::size_t>(chunk)];
  }

 private:
  FormId first_need(std::int32_t chunk, ValueId id) const;

  Tables& tables_;
  const Frame& frame_;
  const Cuts& cuts_;
  const sharding::OpGraph& graph_;
  const GradientSums& sums_;
};

}  // namespace rhino::evaluate
