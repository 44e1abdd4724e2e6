// SPDX-License-Identifier: Apache-2.0
#include "evaluate/table_trial.hpp"

#include <algorithm>
#include <set>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

using sharding::ChunkPhase;
using When = StepParts::Crossing::When;

}  // namespace

TableTrial::TableTrial(const Means& means, std::shared_ptr<const Frame> frame,
                       const Strategy& strategy)
    : context_(means.context),
      tables_(means.tables),
      crossings_(means.crossings),
      frame_(std::move(frame)),
      strategy_(strategy),
      pricer_(tables_, *frame_, cuts_, context_.least_bucket_bytes),
      times_(frame_->passes.size()),
      is_stale_(frame_->passes.size(), true) {
  std::vector<Mesh> meshes;
  for (const Chunk& chunk : strategy_.chunks) {
    cuts_.kind_of_chunk.push_back(tables_.kind_of(chunk.mesh));
    const auto found = std::find(meshes.begin(), meshes.end(), chunk.mesh);
    cuts_.mesh_of_chunk.push_back(static_cast<std::int32_t>(found - meshes.begin()));
    if (found == meshes.end()) meshes.push_back(chunk.mesh);
  }
  const Program& program = context_.program;
  cuts_.forms.resize(at(program.size()));
  cuts_.ops.resize(at(program.size()));
  for (ValueId id = 0; id < program.size(); ++id) cuts_.forms[at(id)] = form_of(id);
  for (ValueId id = 0; id < program.size(); ++id) {
    if (frame_->made_in[at(id)] >= 0) cuts_.ops[at(id)] = op_price(id);
  }
}

std::int32_t TableTrial::mesh_index(ValueId id) const {
  return std::max(strategy_.chunk_of[at(id)], 0);
}

FormId TableTrial::form_of(ValueId id) {
  return tables_.form(context_.program.shape(id), strategy_.specs[at(id)],
                      cuts_.kind_of_chunk[at(mesh_index(id))], strategy_.num_micro_batches);
}

const OpPrice* TableTrial::op_price(ValueId id) {
  const std::int32_t chunk = frame_->chunk_of[at(id)];
  asked_.assign(1, cuts_.forms[at(id)]);
  for (const ValueId operand : context_.program.op(id).operands)
    asked_.push_back(cuts_.forms[at(operand)]);
  return &tables_.op({id, chunk, cuts_.kind_of_chunk[at(chunk)]}, strategy_, asked_);
}

/// The passes that make or read a value are to be priced anew.
void TableTrial::touch(ValueId id) {
  for (std::size_t p = 0; p < frame_->passes.size(); ++p) {
    if (frame_->passes[p].makes(id)) is_stale_[p] = true;
    for (const sharding::Use& use : tables_.graph().uses(id)) {
      if (frame_->passes[p].makes(use.user)) is_stale_[p] = true;
    }
  }
}

void TableTrial::replace(ValueId id, const OpPrice* price) {
  cuts_.ops[at(id)] = price;
  touch(id);
  for (const ValueId operand : context_.program.op(id).operands) touch(operand);
}

void TableTrial::set(ValueId value, const ShardingSpec& spec) {
  Change change{value, strategy_.specs[at(value)], cuts_.forms[at(value)], {}};
  std::set<ValueId> ops;
  if (frame_->made_in[at(value)] >= 0) ops.insert(value);
  for (const sharding::Use& use : tables_.graph().uses(value)) {
    if (frame_->made_in[at(use.user)] >= 0) ops.insert(use.user);
  }
  for (const ValueId id : ops) change.ops.emplace_back(id, cuts_.ops[at(id)]);
  changes_.push_back(std::move(change));
  strategy_.specs[at(value)] = spec;
  try {
    cuts_.forms[at(value)] = form_of(value);
    touch(value);
    for (const ValueId id : ops) replace(id, op_price(id));
  } catch (const Error&) {
    undo();
    throw;
  }
}

void TableTrial::undo() {
  if (changes_.empty()) throw Error("there is no change of this strategy to undo");
  const Change change = std::move(changes_.back());
  changes_.pop_back();
  strategy_.specs[at(change.value)] = change.spec;
  cuts_.forms[at(change.value)] = change.form;
  touch(change.value);
  for (const auto& [id, price] : change.ops) replace(id, price);
}

/// Of tensors that leave one chunk for another at the same point.
double TableTrial::crossing_s(std::span<const CrossingValue> together) const {
  const auto& [when, from, to, first] = together.front();
  if (cuts_.mesh_of_chunk[at(from)] == cuts_.mesh_of_chunk[at(to)]) return 0;
  // Sums over micro-batches cross once they are made whole.
  const ChunkPhase phase = when == When::after ? ChunkPhase::prologue : ChunkPhase::forward;
  CrossingTimes::Tensors tensors;
  for (const CrossingValue& crossing : together) {
    tensors.emplace_back(
        tables_.resolved(pricer_.held({.chunk = from, .phase = phase}, crossing.value)),
        tables_.resolved(pricer_.held({.chunk = to, .phase = phase}, crossing.value)));
  }
  return crossings_.seconds(tensors, strategy_.chunks[at(from)].mesh,
                            strategy_.chunks[at(to)].mesh);
}

StepParts TableTrial::parts(bool bounds) const {
  StepParts parts;
  const auto num_meshes =
      at(*std::max_element(cuts_.mesh_of_chunk.begin(), cuts_.mesh_of_chunk.end()) + 1);
  parts.prologue_s.assign(num_meshes, 0);
  parts.update_s.assign(num_meshes, 0);
  for (const std::int32_t mesh : cuts_.mesh_of_chunk) parts.chunks.push_back({.mesh = mesh});
  for (std::size_t p = 0; p < times_.size(); ++p) {
    const PassOps& pass = frame_->passes[p];
    const PassTime& time = bounds ? times_[p].bound : times_[p].expected;
    const StepParts::PassParts part{time.seconds, time.after_s, time.departs_s,
                                    time.departs_after_s};
    StepParts::Chunk& chunk = parts.chunks[at(pass.chunk)];
    switch (pass.phase) {
      case ChunkPhase::prologue: parts.prologue_s[at(chunk.mesh)] += time.seconds; break;
      case ChunkPhase::update:
        parts.update_s[at(chunk.mesh)] += time.seconds;
        chunk.early_s += time.early_s;
        break;
      case ChunkPhase::weight: break;  // backward passes are whole here
      case ChunkPhase::forward: chunk.forward = part; break;
      case ChunkPhase::backward: chunk.backward = part; break;
    }
  }
  // Ordered by when, from, to.
  const std::span<const CrossingValue> all = frame_->crossings;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const auto is_same = [&](const CrossingValue& other) {
      return other.when == all[begin].when && other.from == all[begin].from &&
             other.to == all[begin].to;
    };
    while (end < all.size() && is_same(all[end])) ++end;
    // Nothing says that all of a pass or an update waits for what crosses once per step.
    const bool is_once = all[begin].when == When::before || all[begin].when == When::after;
    if (bounds && is_once) continue;
    parts.crossings.push_back({all[begin].when, all[begin].from, all[begin].to,
                               bounds ? 0 : crossing_s(all.subspan(begin, end - begin))});
  }
  return parts;
}

PipelineProblem TableTrial::problem(const StepParts& parts) const {
  PipelineProblem problem;
  for (const StepParts::Chunk& chunk : parts.chunks) {
    // The halves of a backward pass are not told apart.
    const double half_s = chunk.backward.seconds / 2;
    problem.chunks.push_back({.mesh = chunk.mesh,
                              .forward_s = chunk.forward.seconds,
                              .backward_s = half_s,
                              .weight_s = half_s,
                              .backward_weight_s = chunk.backward.seconds});
  }
  problem.num_micro_batches = strategy_.num_micro_batches;
  problem.num_meshes = static_cast<std::int32_t>(parts.prologue_s.size());
  problem.activation_limit_bytes.assign(parts.prologue_s.size(), 0);
  for (const StepParts::Crossing& crossing : parts.crossings) {
    if (crossing.when != When::forward && crossing.when != When::backward) continue;
    const Pass pass = crossing.when == When::forward ? Pass::forward : Pass::backward;
    problem.edges.push_back({{pass, crossing.from}, {pass, crossing.to}, 0, crossing.seconds});
  }
  std::ranges::sort(problem.edges, {},
                    [](const PipelineEdge& edge) { return std::pair(edge.from, edge.to); });
  return problem;
}

double TableTrial::peak_bytes(const PipelineSchedule& schedule) const {
  const Program& program = context_.program;
  const auto num_meshes =
      at(*std::max_element(cuts_.mesh_of_chunk.begin(), cuts_.mesh_of_chunk.end()) + 1);
  std::vector<double> bytes(num_meshes), temporary(num_meshes);
  for (const Input& input : program.inputs) {
    const auto mesh = at(cuts_.mesh_of_chunk[at(std::max(frame_->chunk_of[at(input.value)], 0))]);
    const double count = frame_->is_per_micro_batch[at(input.value)]
                             ? static_cast<double>(strategy_.num_micro_batches)
                             : 1;
    bytes[mesh] += count * tables_.tile_bytes(cuts_.forms[at(input.value)]);
  }
  for (const CrossingValue& crossing : frame_->crossings) {
    if (crossing.when != When::before) continue;
    const FormId form = pricer_.held({.chunk = crossing.to}, crossing.value);
    bytes[at(cuts_.mesh_of_chunk[at(crossing.to)])] += tables_.tile_bytes(form);
  }
  for (ValueId id = 0; id < program.size(); ++id) {
    if (!frame_->is_accumulated[at(id)]) continue;
    bytes[at(cuts_.mesh_of_chunk[at(frame_->chunk_of[at(id)])])] +=
        tables_.tile_bytes(pricer_.summed(id));
  }
  const std::vector<std::int64_t> in_flight = most_in_flight(schedule, strategy_.chunks.size());
  for (std::size_t c = 0; c < strategy_.chunks.size(); ++c) {
    const PassOps backward{.chunk = static_cast<std::int32_t>(c), .phase = ChunkPhase::backward};
    for (const ValueId id : frame_->kept[c])
      bytes[at(cuts_.mesh_of_chunk[c])] +=
          static_cast<double>(in_flight[c]) * tables_.tile_bytes(pricer_.held(backward, id));
  }
  for (std::size_t p = 0; p < times_.size(); ++p) {
    double& most = temporary[at(cuts_.mesh_of_chunk[at(frame_->passes[p].chunk)])];
    most = std::max(most, times_[p].expected.temporary_bytes);
  }
  double peak = 0;
  for (std::size_t mesh = 0; mesh < num_meshes; ++mesh)
    peak = std::max(peak, bytes[mesh] + temporary[mesh]);
  return peak;
}

Estimate TableTrial::price() {
  for (std::size_t p = 0; p < times_.size(); ++p) {
    if (is_stale_[p]) times_[p] = pricer_.price(frame_->passes[p]);
    is_stale_[p] = false;
  }
  const StepParts expected = parts(false);
  const PipelineSchedule schedule = context_.schedule.schedule(problem(expected));
  return {.bound_s = step_bound_s(parts(true), schedule, strategy_.num_micro_batches),
          .step_s = expected_step_s(expected, schedule),
          .peak_bytes = peak_bytes(schedule)};
}

}  // namespace rhino::evaluate
