// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "evaluate/pass_price.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

/// To other meshes, whole. Which form they have there is not sure: bounds leave that out.
void PassPricer::send_sums() {
  for (const auto& [id, departures] : pass_->departing) {
    if (pass_->makes(id)) continue;
    Held sum = node(id).made;
    const Reshard& price = tables_.reshard(sum.form, tables_.resolved(sum.form));
    for (const Collective& collective : price.collectives)
      sum.unit = cut_.add(collective, {}, sum.unit);
    depart(id, sum);
  }
}

/// As plan/reductions.cpp does: where those of the mesh are many bytes.
bool PassPricer::has_early_sums(const PassOps& pass) {
  if (pass.repeats() || !sums_.overlap) return false;
  double bytes = 0;
  for (ValueId id = 0; id < graph_.size(); ++id) {
    if (!frame_.is_accumulated[at(id)] || is_reduced_late(id)) continue;
    if (mesh_of(frame_.chunk_of[at(id)]) != mesh_of(pass.chunk)) continue;
    const FormId sum = summed(id);
    if (tables_.form(sum).is_partial()) bytes += tables_.tile_bytes(sum);
  }
  early_bucket_bytes_ = std::max(least_bucket_bytes_, bytes / 32);
  return bytes > least_bucket_bytes_;
}

/// Whether another mesh waits for what the pass sends that makes a sum, and no pass of its own is
/// expected to come behind it: that of the first chunk there ends last.
bool PassPricer::is_reduced_late(ValueId id) const {
  const PassOps& pass = frame_.passes[at(frame_.made_in[at(id)])];
  const auto first = std::ranges::find(cuts_.mesh_of_chunk, mesh_of(pass.chunk));
  return pass.num_departures > 0 && first - cuts_.mesh_of_chunk.begin() == pass.chunk;
}

/// Whether a mesh has other chunks, too: which sums it reduces early is then up to the schedule.
bool PassPricer::has_others(std::int32_t chunk) const {
  return std::ranges::count(cuts_.mesh_of_chunk, mesh_of(chunk)) > 1;
}

/// The form in which ops of `chunk` first need a value; its own without partial sums where none do.
FormId PassPricer::first_need(std::int32_t chunk, ValueId id) const {
  FormId first = -1;
  sharding::ChunkPhase phase{};
  for (const sharding::Use& use : graph_.uses(id)) {
    const std::int32_t home = frame_.made_in[at(use.user)];
    if (home < 0 || frame_.passes[at(home)].chunk != chunk) continue;
    const FormId need = cuts_.ops[at(use.user)]->needs[at(use.operand)];
    if (tables_.form(need).is_partial()) continue;
    if (first < 0 || frame_.passes[at(home)].phase < phase)
      first = need, phase = frame_.passes[at(home)].phase;
  }
  return first;
}

/// As it is made; where the update reads it in parts along all axes along which that is partial,
/// and micro-batches scatter their terms, in those parts (partition.hpp).
FormId PassPricer::summed(ValueId id) const {
  const FormId made = cuts_.forms[at(id)];
  const std::vector<Partial>& partial = tables_.form(made).view.spec.partial;
  const bool scatters = sums_.scatter_each || tables_.form(made).num_micro_batches == 1;
  const FormId need = partial.empty() || !scatters ? -1 : first_need(frame_.chunk_of[at(id)], id);
  if (need < 0) return made;
  const auto splits = [&](const Partial& term) {
    return term.reduction == Reduction::sum &&
           std::ranges::any_of(tables_.form(need).view.spec.dims, [&](const DimSharding& dim) {
             return std::ranges::count(dim.splits, term.axis, &AxisSplit::axis) > 0;
           });
  };
  return std::ranges::all_of(partial, splits) ? need : made;
}

FormId PassPricer::held(const PassOps& pass, ValueId id) const {
  if (frame_.is_accumulated[at(id)] && !pass.repeats()) return summed(id);
  const FormId made = cuts_.forms[at(id)];
  const std::int32_t home = frame_.chunk_of[at(id)];
  const bool is_near = home < 0 || home == pass.chunk ||
                       cuts_.mesh_of_chunk[at(home)] == cuts_.mesh_of_chunk[at(pass.chunk)];
  if (is_near && !tables_.form(made).is_partial()) return made;
  const FormId need = first_need(is_near ? home : pass.chunk, id);
  return need >= 0 ? need : tables_.resolved(made);
}

}  // namespace rhino::evaluate
