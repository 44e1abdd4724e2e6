// SPDX-License-Identifier: Apache-2.0
#include "evaluate/frames.hpp"

#include <algorithm>

#include "evaluate/loops.hpp"
#include "ir/op_traits.hpp"
#include "lower/attention.hpp"
#include "lower/lower.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::evaluate {
namespace {

/// Whether micro-batches cut a value or hold terms of it; of some whether devices do.
std::uint8_t manner(const ShardingSpec& spec, bool devices_count) {
  const auto is_micro = [](const AxisSplit& split) { return split.axis == kMicroAxis; };
  const bool splits = std::ranges::any_of(
      spec.dims, [&](const DimSharding& dim) { return std::ranges::any_of(dim.splits, is_micro); });
  const bool sums = !spec.partial.empty() && spec.partial.front().axis == kMicroAxis;
  const bool is_partial = devices_count && spec.partial.size() > (sums ? 1 : 0);
  return static_cast<std::uint8_t>((splits ? 1 : 0) + (sums ? 2 : 0) + (is_partial ? 4 : 0));
}

bool sums_micro_batches(const ShardingSpec& spec) {
  return !spec.partial.empty() && spec.partial.front().axis == kMicroAxis;
}

std::vector<bool> find_adds(const sharding::OpGraph& graph) {
  std::vector<bool> adds(at(graph.size()));
  const auto is_alone = [&](ValueId operand) {
    return graph.input(operand) == nullptr && graph.uses(operand).size() == 1 &&
           !graph.is_output(operand);
  };
  for (ValueId id = 0; id < graph.size(); ++id)
    adds[at(id)] =
        graph.op(id).kind == OpKind::add && std::ranges::all_of(graph.op(id).operands, is_alone);
  return adds;
}

}  // namespace

Frames::Frames(const PlanContext& context, const sharding::OpGraph& graph)
    : context_(context),
      graph_(graph),
      kernels_(lower::kernels_of(context.cost.cluster())),
      may_attend_(kernels_.attention ? lower::may_be_attention(context.program)
                                     : std::vector<bool>(context.program.ops.size())),
      adds_(find_adds(graph)),
      fused_(graph, kernels_),
      without_attention_(graph, {.longest_row = kernels_.longest_row}) {}

/// Of micro-batches.
bool Frames::may_be_sum(const Strategy& strategy, ValueId id) const {
  return sums_micro_batches(strategy.specs[at(id)]) ||
         (adds_[at(id)] && std::ranges::all_of(graph_.op(id).operands, [&](ValueId operand) {
            return may_be_sum(strategy, operand);
          }));
}

bool Frames::depends_on(const Strategy& strategy, ValueId id) const {
  const auto is_added = [&](ValueId add) {
    return adds_[at(add)] && std::ranges::all_of(graph_.op(add).operands, [&](ValueId operand) {
             return may_be_sum(strategy, operand);
           });
  };
  return is_added(id) || (graph_.uses(id).size() == 1 && is_added(graph_.uses(id).front().user));
}

/// Whether each micro-batch adds its terms of two sums (StepGraph::adds_terms()).
bool Frames::adds_terms(const Strategy& strategy, ValueId id) const {
  const auto without_sum = [](ShardingSpec spec) {
    if (sums_micro_batches(spec)) spec.partial.erase(spec.partial.begin());
    return spec;
  };
  const std::vector<ValueId>& operands = graph_.op(id).operands;
  std::int32_t chunk = strategy.chunk_of[at(id)];
  for (std::size_t i = 0; i < operands.size() && strategy.chunk_of[at(id)] < 0; ++i)
    chunk = std::max(chunk, strategy.chunk_of[at(operands[i])]);
  chunk = std::max(chunk, 0);
  const Mesh& mesh = strategy.chunks[at(chunk)].mesh;
  const sharding::OpRule& rule = graph_.rule(id);
  try {
    const sharding::OpSharding cut =
        sharding::op_sharding(context_.program, rule, strategy, id, chunk);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const ShardingSpec& made = strategy.specs[at(operands[i])];
      const bool is_sum =
          sums_micro_batches(made) || (adds_[at(operands[i])] && adds_terms(strategy, operands[i]));
      const ShardingSpec need = sharding::operand_spec(context_.program, id, rule, cut, i, mesh,
                                                       strategy.num_micro_batches);
      if (!is_sum || without_sum(need) != without_sum(made)) return false;
    }
  } catch (const Error&) {
    return false;  // it is no strategy of the program, as is said elsewhere
  }
  return true;
}

std::vector<std::int32_t> mesh_numbers(const std::vector<Chunk>& chunks) {
  std::vector<Mesh> meshes;
  std::vector<std::int32_t> numbers;
  for (const Chunk& chunk : chunks) {
    const auto found = std::ranges::find(meshes, chunk.mesh);
    numbers.push_back(static_cast<std::int32_t>(found - meshes.begin()));
    if (found == meshes.end()) meshes.push_back(chunk.mesh);
  }
  return numbers;
}

Frames::Key Frames::key(const Strategy& strategy, bool is_cut, bool attends) const {
  Key key{.mesh_numbers = mesh_numbers(strategy.chunks),
          .chunk_of = strategy.chunk_of,
          .recompute = strategy.recompute,
          .num_single_rows = num_single_rows(context_.program, strategy),
          .is_one = strategy.num_micro_batches == 1,
          .is_cut = is_cut,
          .attends = attends};
  for (const Chunk& chunk : strategy.chunks) key.recomputes.push_back(chunk.recompute);
  key.manners.reserve(strategy.specs.size());
  for (ValueId id = 0; at(id) < strategy.specs.size(); ++id) {
    // Sums of scalars are not made anew, nor are those of heavy ops always gradients that leave.
    const OpKind kind = context_.program.op(id).kind;
    const bool devices_count = kind == OpKind::broadcast || (is_cut && ir::traits(kind).heavy);
    key.manners.push_back(manner(strategy.specs[at(id)], devices_count));
    if (adds_[at(id)] && may_be_sum(strategy, graph_.op(id).operands.front()))
      key.adds_terms.push_back(adds_terms(strategy, id));
  }
  return key;
}

Frames::Known& Frames::known(const Strategy& strategy, bool is_cut, bool attends) {
  check_devices(context_.cost.cluster(), strategy);
  sharding::check_structure(context_.program, strategy);
  Key key = this->key(strategy, is_cut, attends);
  const auto found = std::ranges::find(known_, key, &Known::key);
  if (found != known_.end()) return *found;
  constexpr std::size_t kMost = 32;
  if (known_.size() == kMost) known_.pop_front();
  const std::vector<ValueId>& unwritten = *context_.unwritten;
  const auto frame =
      unwritten.empty() ? std::make_shared<Frame>(graph_, strategy, is_cut)
                        : std::make_shared<Frame>(graph_, making_anew(strategy, unwritten), is_cut);
  frame->may_attend.assign(may_attend_.begin(), may_attend_.end());
  Known& known = known_.emplace_back(std::move(key), frame);
  known.has_loops = other_thread_.give([this, frame, attends] {
    // Numbers of their own: a pass may be priced by launches of both.
    if (attends) find_loops(graph_, fused_, *frame);
    else find_loops(graph_, without_attention_, *frame, kFirstLoopLaunch + graph_.size());
  });
  return known;
}

std::shared_ptr<const Frame> Frames::with_loops(const Strategy& strategy, bool is_cut,
                                                bool attends) {
  Known& known = this->known(strategy, is_cut, attends);
  known.has_loops.get();
  return known.frame;
}

}  // namespace rhino::evaluate
