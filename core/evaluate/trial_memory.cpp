// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <utility>

#include "evaluate/table_trial.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

using sharding::ChunkPhase;

double TableTrial::leaving_bytes(const View& view, const CrossingValues& crossing,
                                 const Boundary& boundary) const {
  double bytes = 0;
  for (std::size_t i = 0; i < crossing.values.size(); ++i) {
    const ValueId id = crossing.values[i].first;
    const bool is_kept = view.frame->kept_by(crossing.from.chunk, id) != nullptr &&
                         boundary.tensors[i].leaving == cuts_.forms[at(id)];
    if (!is_kept) bytes += tables_.memory_bytes(boundary.tensors[i].leaving);
  }
  return bytes;
}

void TableTrial::add_arriving_bytes(const View& view, const CrossingValues& crossing,
                                    const PassPlace& reader,
                                    StepParts::Crossing::Target& target) const {
  for (const auto& [id, readers] : crossing.values) {
    const auto own = std::ranges::find(readers, reader.chunk, &PassPlace::chunk);
    if (own == readers.end()) continue;
    const double bytes = tables_.memory_bytes(
        view.pricer.forms().held({.chunk = reader.chunk, .phase = reader.phase}, id));
    const KeptValue* const kept = view.frame->kept_by(reader.chunk, id);
    const ChunkPhase last = kept == nullptr ? own->phase : kept->last;
    const bool stays = last != reader.phase;
    (stays ? target.kept_bytes : target.bytes) += bytes;
    if (stays) target.kept_to = as_run({last, reader.chunk}).phase;
  }
}

/// Bytes per device that a mesh holds beside activations while passes run.
std::vector<double> TableTrial::lasting_bytes() const {
  const Frame& frame = *whole_->frame;
  std::vector<double> bytes(num_meshes_);
  std::vector<std::pair<std::int32_t, FormId>> held;  // of one input: meshes that have it so
  ValueId last = kNoValue;
  for (const auto& [id, chunk] : frame.inputs) {
    const std::int32_t mesh = cuts_.mesh_of_chunk[at(chunk)];
    const FormId form = frame.chunk_of[at(id)] == chunk
                            ? cuts_.forms[at(id)]
                            : whole_->pricer.forms().held({.chunk = chunk}, id);
    if (std::exchange(last, id) != id) held.clear();
    if (std::ranges::find(held, std::pair(mesh, form)) != held.end()) continue;
    held.emplace_back(mesh, form);
    const double count =
        frame.is_per_micro_batch[at(id)] ? static_cast<double>(strategy_.num_micro_batches) : 1;
    bytes[at(mesh)] += count * tables_.memory_bytes(form);
  }
  for (const CrossingValues& crossing : frame.crossings) {
    if (crossing.from.phase != ChunkPhase::prologue) continue;
    for (const auto& [id, readers] : crossing.values) {
      for (const PassPlace& reader : readers)
        bytes[at(cuts_.mesh_of_chunk[at(reader.chunk)])] += tables_.memory_bytes(
            whole_->pricer.forms().held({.chunk = reader.chunk, .phase = reader.phase}, id));
    }
  }
  for (const ValueId id : frame.sums)
    bytes[at(cuts_.mesh_of_chunk[at(frame.chunk_of[at(id)])])] +=
        tables_.memory_bytes(whole_->pricer.forms().summed(id));
  return bytes;
}

/// Per chunk, of a micro-batch; with what comes from other meshes, or without it.
std::vector<KeptBytes> TableTrial::kept_bytes(bool with_received) const {
  std::vector<KeptBytes> kept(strategy_.chunks.size());
  for (std::int32_t c = 0; at(c) < kept.size(); ++c) {
    const View& view = view_of(c);
    for (const KeptValue& life : view.frame->kept[at(c)]) {
      const std::int32_t home = view.frame->chunk_of[at(life.value)];
      const bool is_own = home < 0 || cuts_.mesh_of_chunk[at(home)] == cuts_.mesh_of_chunk[at(c)];
      if (!is_own && !with_received) continue;
      const double own = tables_.memory_bytes(
          view.pricer.forms().held({.chunk = c, .phase = life.last}, life.value));
      if (life.last == ChunkPhase::backward) kept[at(c)].forward_to_backward += own;
      else if (life.first == ChunkPhase::forward) kept[at(c)].forward_to_weight += own;
      else kept[at(c)].backward_to_weight += own;
    }
  }
  return kept;
}

/// Per chunk of another mesh, bytes of a value that an update gets from one.
template <class Visit>
void TableTrial::for_each_of_update(const Visit& visit) const {
  for (const CrossingValues& crossing : whole_->frame->crossings) {
    if (crossing.from.phase != ChunkPhase::update) continue;
    for (const auto& [id, readers] : crossing.values) {
      for (const PassPlace& reader : readers)
        visit(reader.chunk, tables_.memory_bytes(whole_->pricer.forms().held(
                                {.chunk = reader.chunk, .phase = reader.phase}, id)));
    }
  }
}

/// Each as it is run, with a whole backward pass or with two.
template <class Visit>
void TableTrial::for_each_pass(const Visit& visit) const {
  for (const View* view : std::initializer_list<const View*>{whole_.get(), cut_.get()}) {
    for (std::size_t p = 0; view != nullptr && p < view->times.size(); ++p) {
      const PassOps& pass = view->frame->passes[p];
      if (&view_of(pass.chunk) == view) visit(pass, view->times[p].expected);
    }
  }
}

/// Per chunk the last pass that adds to sums, where reductions of these part it; else none.
std::vector<const PassTime*> TableTrial::parted_passes() const {
  std::vector<const PassTime*> last(strategy_.chunks.size()), parted(last.size());
  for_each_pass([&](const PassOps& pass, const PassTime& time) {
    if (pass.repeats()) last[at(pass.chunk)] = &time;
    else if (pass.phase == ChunkPhase::update && time.early_s > 0)
      parted[at(pass.chunk)] = last[at(pass.chunk)];
  });
  return parted;
}

std::vector<ChunkBytes> TableTrial::chunk_bytes() const {
  std::vector<ChunkBytes> chunks;
  const bool is_once = strategy_.num_micro_batches <= kMostOnce;
  for (const KeptBytes& kept : kept_bytes(false)) chunks.push_back({kept});
  std::span<const ValueId> sums;
  if (is_once) sums = whole_->frame->sums;
  for (const ValueId id : sums) {
    const std::int32_t chunk = whole_->frame->chunk_of[at(id)];
    const Frame& frame = *view_of(chunk).frame;
    const ChunkPhase phase = frame.passes[at(frame.made_in[at(id)])].phase;
    chunks[at(chunk)].sums[static_cast<std::size_t>(plan::pass_of(phase))] +=
        tables_.memory_bytes(whole_->pricer.forms().summed(id));
  }
  for_each_pass([&](const PassOps& pass, const PassTime& time) {
    if (!pass.repeats()) return;
    ChunkBytes& chunk = chunks[at(pass.chunk)];
    const auto number = static_cast<std::size_t>(plan::pass_of(pass.phase));
    const double bytes = time.temporary_bytes + time.output_bytes;
    chunk.in_first[number] = bytes - time.freed_bytes;
    chunk.in_pass[number] = bytes - time.freed_again_bytes;
  });
  const std::vector<const PassTime*> parted = parted_passes();
  for (std::size_t c = 0; c < chunks.size(); ++c)
    chunks[c].in_last = parted[c] == nullptr ? 0 : parted[c]->workspace_bytes;
  // Room for it is there from the last pass on.
  for_each_of_update([&](std::int32_t chunk, double bytes) { chunks[at(chunk)].in_last += bytes; });
  return chunks;
}

/// While passes run, or while the update does, and what it gets from other meshes lies there.
/// `most_bytes`: of ExpectedStep.
double TableTrial::peak_bytes(const std::vector<double>& most_bytes) const {
  std::vector<double> in_passes = most_bytes, in_update(num_meshes_), workspace(num_meshes_);
  const std::vector<const PassTime*> parted = parted_passes();
  for_each_pass([&](const PassOps& pass, const PassTime& time) {
    const auto mesh = at(cuts_.mesh_of_chunk[at(pass.chunk)]);
    const double own = time.temporary_bytes + time.output_bytes - time.freed_bytes;
    if (pass.phase == ChunkPhase::update) in_update[mesh] += own;  // one program of all chunks
    else if (!pass.repeats()) in_update[mesh] = std::max(in_update[mesh], own);
    const bool is_parted = strategy_.num_micro_batches == 1 && parted[at(pass.chunk)] == &time;
    workspace[mesh] =
        std::max(workspace[mesh], is_parted ? time.launch_bytes : time.workspace_bytes);
  });
  for_each_of_update([&](std::int32_t chunk, double bytes) {
    in_update[at(cuts_.mesh_of_chunk[at(chunk)])] += bytes;
  });
  for (const ValueId id : whole_->frame->made_before)
    in_passes[at(cuts_.mesh_of_chunk[at(whole_->frame->chunk_of[at(id)])])] +=
        tables_.memory_bytes(whole_->pricer.forms().handed_on(id));
  const std::vector<double> lasting = lasting_bytes();
  double peak = 0;
  for (std::size_t mesh = 0; mesh < num_meshes_; ++mesh)
    peak = std::max(peak,
                    lasting[mesh] + workspace[mesh] + std::max(in_passes[mesh], in_update[mesh]));
  return peak;
}

}  // namespace rhino::evaluate
