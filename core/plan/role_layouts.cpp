// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>

#include "lower/lower.hpp"
#include "plan/role_writer.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {

void RoleWriter::lay_out_blocks() {
  layouts_.push_back(make_layout(blocks_.prologue));
  layouts_.emplace_back();
  for (std::size_t c = 0; c < blocks_.chunks.size(); ++c) {
    for (const std::vector<PassBlocks>& passes : blocks_.passes) {
      layouts_.push_back(make_layout(passes[c].first));
      layouts_.push_back(make_layout(passes[c].following()));
    }
  }
  for (const LastPass& pass : parts_.last_passes[at(role_index_)]) lay_out_last(pass);
  layouts_[1] = make_layout(blocks_.update);
}

/// `last`: of a last pass, what it reduces.
RoleWriter::Layout RoleWriter::make_layout(const Block& block, const LastPass& last) {
  CutProblem problem{
      block.program, {}, {}, last.reductions, parts_.input.strategy.gradient_sums.bucket_bytes};
  problem.reduces_last = last.sends;
  problem.blocks = parts_.input.blocking.collectives;
  for (std::int32_t resident : block.inputs) {
    const Resident& input = blocks_.residents[at(resident)];
    problem.arrival.push_back(arrival_of(resident, block.site));
    problem.lasting.push_back(input.origin != Resident::Origin::received &&
                              !input.per_micro_batch &&
                              input.site.phase == sharding::ChunkPhase::prologue);
  }
  for (std::int32_t handover : departures(block.site)) {
    problem.departures.push_back(departing_values(block, handover));
    problem.target_roles.push_back(parts_.handovers[at(handover)].target_roles);
  }
  // What other roles make in the same phase may wait for what leaves here at a lower level.
  for (const Handover& handover : parts_.handovers)
    problem.arrival_rank.push_back(handover.site == block.site ? 1 + handover.level : 0);
  problem.first_under_way = static_cast<std::int32_t>(parts_.handovers.size());
  problem.arrival_rank.resize(parts_.handovers.size() + buckets_.size(), 0);
  // The same at each attempt to write the role, mostly.
  std::shared_ptr<const CutProgram>& known = parts_.cuts[{&block, problem.arrival}];
  if (known == nullptr) {
    if (lower::kernels_of(parts_.input.cluster).attention)
      problem.inside = lower::inside_attention(block.program);
    KnownCuts* const cuts = parts_.input.cuts;
    known = cuts != nullptr ? cuts->of(problem) : std::make_shared<const CutProgram>(cut(problem));
  }
  Layout layout{.block = &block,
                .layout = lay_out(block, known, blocks_.residents, fixed_),
                .programs = {},
                .communications = {},
                .first_item = bindings_.items.size(),
                .is_resident_used = {}};
  bindings_.items.resize(layout.first_item + layout.layout.cut->items.size());
  layout.programs.assign(layout.layout.cut->runs.size(), -1);
  layout.communications.assign(layout.layout.cut->collectives.size(), -1);
  return layout;
}

void RoleWriter::lay_out_last(const LastPass& pass) {
  const Layout& layout = layouts_.emplace_back(make_layout(pass.block, pass));
  for (std::size_t c = 0; c < layout.communications.size(); ++c) {
    const std::vector<ValueId>& results = layout.layout.cut->collectives[c].results;
    if (!std::ranges::binary_search(pass.reductions, results.front())) continue;
    for (const ValueId id : results)
      bucket_of_[layout.layout.places[at(id)].index] = static_cast<std::int32_t>(buckets_.size());
    buckets_.push_back({layouts_.size() - 1, c});
  }
}

/// What CutProblem::arrival says of an input: a handover, or behind those a bucket of reductions.
std::int32_t RoleWriter::arrival_of(std::int32_t resident, const Site& site) const {
  const auto bucket = bucket_of_.find(resident);
  if (bucket != bucket_of_.end())
    return static_cast<std::int32_t>(parts_.handovers.size()) + bucket->second;
  const std::int32_t handover = handover_of_[at(resident)];
  return handover >= 0 && cuts_at(handover, site) ? handover : -1;
}

std::size_t RoleWriter::layout_of(const TimelineStep& step) const {
  if (step.site.phase == sharding::ChunkPhase::prologue) return 0;
  if (step.site.phase == sharding::ChunkPhase::update) return 1;
  const std::size_t num_passes = 2 + 2 * kNumPasses * blocks_.chunks.size();
  for (std::size_t l = num_passes; step.last && l < layouts_.size(); ++l) {
    if (layouts_[l].block->site == step.site) return l;
  }
  const auto chunk = std::find(blocks_.chunks.begin(), blocks_.chunks.end(), step.site.chunk) -
                     blocks_.chunks.begin();
  return 2 + 2 * (kNumPasses * at(chunk) + static_cast<std::size_t>(pass_of(step.site))) +
         (step.first ? 0 : 1);
}

/// Whether the block at `site` waits for the handover in its midst: where it is the first to read
/// it, and time presses. What comes once a step for passes has long arrived and is waited for
/// before them.
bool RoleWriter::cuts_at(std::int32_t handover, const Site& site) const {
  if (site.chunk >= 0 && !parts_.handovers[at(handover)].per_micro_batch) return false;
  return first_reader_[at(handover)] == site;
}

void RoleWriter::find_first_readers() {
  first_reader_.resize(parts_.handovers.size());
  std::vector<bool> found(parts_.handovers.size());
  const auto note = [&](const Block& block) {
    for (std::int32_t resident : block.inputs) {
      const std::int32_t handover = handover_of_[at(resident)];
      if (handover < 0 || found[at(handover)]) continue;
      found[at(handover)] = true;
      first_reader_[at(handover)] = block.site;
    }
  };
  note(blocks_.prologue);
  std::map<std::int32_t, std::int32_t> shown;  // per chunk: a micro-batch that it runs
  for (const TimelineStep& step : timeline_.steps) {
    if (step.micro_batch < 0) continue;
    const auto first = shown.emplace(step.site.chunk, first_micro_batch(step.site.chunk)).first;
    if (step.micro_batch == first->second) note(blocks_.pass(step.site).first);
  }
  note(blocks_.update);
}

/// The lowest that a chunk runs: the first of its replica.
std::int32_t RoleWriter::first_micro_batch(std::int32_t chunk) const {
  std::int32_t first = std::numeric_limits<std::int32_t>::max();
  for (const TimelineStep& step : timeline_.steps) {
    if (step.site.chunk == chunk) first = std::min(first, step.micro_batch);
  }
  return first;
}

std::vector<std::int32_t> RoleWriter::departures(const Site& site) const {
  std::vector<std::int32_t> list;
  for (std::size_t b = 0; b < parts_.handovers.size(); ++b) {
    const Handover& handover = parts_.handovers[b];
    const bool accumulated = site.chunk >= 0 && !handover.per_micro_batch;
    if (handover.source_role == role_index_ && handover.site == site && !accumulated)
      list.push_back(static_cast<std::int32_t>(b));
  }
  return list;
}

/// The values of the block that a handover sends; what is an input of the Program and not of the
/// block is there anyway.
std::vector<ValueId> RoleWriter::departing_values(const Block& block, std::int32_t handover) const {
  std::vector<ValueId> values;
  for (const Handover::Tensor& tensor : parts_.handovers[at(handover)].tensors) {
    for (std::size_t i = 0; i < block.outputs.size(); ++i) {
      if (block.outputs[i] == tensor.source_resident)
        values.push_back(block.program.outputs[i].value);
    }
  }
  return values;
}

}  // namespace rhino::plan
