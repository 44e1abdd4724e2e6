// SPDX-License-Identifier: Apache-2.0
#include "evaluate/value_forms.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::evaluate {

bool ValueForms::is_read_elsewhere(ValueId sum) const {
  return frame_.is_read(graph_, sum, [&](ValueId user) {
    const std::int32_t home = frame_.made_in[at(user)];
    return home >= 0 && !frame_.passes[at(home)].repeats() &&
           frame_.passes[at(home)].chunk != frame_.chunk_of[at(sum)];
  });
}

/// As plan/reductions.cpp does it: where those of the mesh are many bytes.
double ValueForms::early_sum_bytes(const PassOps& pass) const {
  if (pass.phase != sharding::ChunkPhase::update || !sums_.overlap) return 0;
  double bytes = 0;
  for (const ValueId id : frame_.sums) {
    if (is_reduced_late(id) || mesh_of(frame_.chunk_of[at(id)]) != mesh_of(pass.chunk)) continue;
    const FormId sum = summed(id);
    if (tables_.facts(sum).is_partial) bytes += tables_.tile_bytes(sum);
  }
  return bytes;
}

/// Whether another mesh waits for what the pass sends that makes a sum, and no pass of its own is
/// expected to come behind it: that of the first chunk there ends last.
bool ValueForms::is_reduced_late(ValueId id) const {
  const PassOps& pass = frame_.passes[at(frame_.made_in[at(id)])];
  const auto first = std::ranges::find(cuts_.mesh_of_chunk, mesh_of(pass.chunk));
  return pass.num_departures > 0 && first - cuts_.mesh_of_chunk.begin() == pass.chunk;
}

/// Whether a mesh has other chunks, too: which sums it reduces early is then up to the schedule.
bool ValueForms::has_others(std::int32_t chunk) const {
  return std::ranges::count(cuts_.mesh_of_chunk, mesh_of(chunk)) > 1;
}

/// The form in which ops of `chunk` first need a value; its own without partial sums where none do.
FormId ValueForms::first_need(std::int32_t chunk, ValueId id) const {
  FormId first = -1;
  sharding::ChunkPhase phase{};
  for (const sharding::Use& use : graph_.uses(id)) {
    const std::int32_t home = frame_.made_in[at(use.user)];
    if (home < 0 || frame_.passes[at(home)].chunk != chunk) continue;
    const FormId need = tables_.tile(cuts_.ops[at(use.user)]->needs[at(use.operand)]);
    if (tables_.facts(need).is_partial) continue;
    if (first < 0 || frame_.passes[at(home)].phase < phase)
      first = need, phase = frame_.passes[at(home)].phase;
  }
  return first;
}

/// As it is made; where the update reads it in parts along all axes along which that is partial,
/// and micro-batches scatter their terms, in those parts (partition.hpp).
FormId ValueForms::summed(ValueId id) const {
  const FormId made = cuts_.forms[at(id)];
  if (!tables_.facts(made).is_partial) return made;
  const std::vector<Partial>& partial = tables_.form(made).view.spec.partial;
  const bool scatters = sums_.scatter_each || tables_.form(made).num_micro_batches == 1;
  const FormId need = scatters ? first_need(frame_.chunk_of[at(id)], id) : -1;
  if (need < 0) return made;
  const auto splits = [&](const Partial& term) {
    return term.reduction == Reduction::sum &&
           std::ranges::any_of(tables_.form(need).view.spec.dims, [&](const DimSharding& dim) {
             return std::ranges::count(dim.splits, term.axis, &AxisSplit::axis) > 0;
           });
  };
  return std::ranges::all_of(partial, splits) ? need : made;
}

/// As it is made; or as its own pass reads it, too, where all behind that read it so and it takes
/// no more room (program_plan.cpp).
FormId ValueForms::kept(ValueId id) const {
  const FormId made = cuts_.forms[at(id)];
  const std::int32_t readers = frame_.readers_of[at(id)];
  if (readers < 0) return made;
  const auto spec_of = [&](FormId form) -> const ShardingSpec& {
    return tables_.form(form).view.spec;
  };
  const auto need_of = [&](const sharding::Use& use) {
    return cuts_.ops[at(use.user)]->needs[at(use.operand)];
  };
  const auto& [inside, behind] = frame_.own_readers[at(readers)];
  const FormId first = need_of(behind.front());
  const ShardingSpec& kept = spec_of(first);
  const auto reads_so = [&](const sharding::Use& use) {
    return need_of(use) == first || spec_of(need_of(use)) == kept;
  };
  if (!kept.partial.empty() || !std::ranges::all_of(behind, reads_so)) return made;
  const auto own = std::ranges::find_if(inside, reads_so);
  if (own == inside.end() || tables_.tile_bytes(need_of(*own)) > tables_.tile_bytes(made))
    return made;
  return need_of(*own);
}

FormId ValueForms::handed_on(ValueId id) const {
  const FormId made = cuts_.forms[at(id)];
  const std::int32_t home = frame_.chunk_of[at(id)];
  if (!tables_.facts(made).is_partial) return kept(id);
  if (const FormId need = first_need(home, id); need >= 0) return need;
  for (std::int32_t c = 0; home >= 0 && at(c) < cuts_.mesh_of_chunk.size(); ++c) {
    const FormId need = mesh_of(c) == mesh_of(home) ? first_need(c, id) : -1;
    if (need >= 0) return need;
  }
  return tables_.resolved(made);
}

FormId ValueForms::held(const PassOps& pass, ValueId id) const {
  const std::int32_t home = frame_.chunk_of[at(id)];
  if (frame_.is_accumulated[at(id)] && !pass.repeats() && home == pass.chunk) return summed(id);
  if (home < 0 || mesh_of(home) == mesh_of(pass.chunk)) return handed_on(id);
  const FormId need = first_need(pass.chunk, id);
  return need >= 0 ? need : tables_.resolved(cuts_.forms[at(id)]);
}

}  // namespace rhino::evaluate
