// SPDX-License-Identifier: Apache-2.0
#include "evaluate/chunk_flow.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "plugin/scope.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

using sharding::ChunkPhase;

/// Of a tile whose seconds per byte are those of large ones.
constexpr double kTileBytes = 1 << 22;
/// Of a forward pass: what a crossing is taken for while orders are played through.
constexpr double kCrossing = 0.25;

/// The most micro-batches that have begun the one pass of a chunk and not ended the other.
double most_between(const std::vector<plan::PassStep>& steps, std::int32_t chunk, Pass first,
                    Pass last) {
  double now = 0, most = 0;
  for (const plan::PassStep& step : steps) {
    if (step.chunk != chunk) continue;
    now += step.pass == first;
    most = std::max(most, now);
    now -= step.pass == last;
  }
  return most;
}

Mesh on_one_axis(const Mesh& mesh) {
  return {{{"all", static_cast<std::int64_t>(mesh.devices.size())}}, mesh.devices};
}

class FlowMaker {
 public:
  FlowMaker(const Means& means, const Strategy& strategy)
      : means_(means),
        strategy_(strategy),
        mesh_of_chunk_(mesh_numbers(strategy.chunks)),
        frame_(means.frames.of(strategy, false)) {
    order_ = ordered();
    if (std::ranges::find(order_.is_cut, true) == order_.is_cut.end()) return;
    frame_ = means.frames.of(strategy, true);
    order_ = ordered();
  }

  ChunkFlow run() {
    count_in_flight();
    count_crossing();
    for (const auto& [from, to] : neighbours()) add_crossing(from, to);
    if (!flow_.crossings.empty()) flow_.exposed = exposed();
    return std::move(flow_);
  }

 private:
  std::size_t num_meshes() const { return at(*std::ranges::max_element(mesh_of_chunk_) + 1); }
  bool is_cut(std::int32_t chunk) const {
    return !order_.is_cut.empty() && order_.is_cut[at(chunk)];
  }

  plan::PassOrder ordered() const {
    PipelineProblem problem;
    for (const std::int32_t mesh : mesh_of_chunk_) problem.chunks.push_back({mesh, 1, 1, 1, 2});
    problem.edges = edges_of(parts(kCrossing));
    problem.activation_limit_bytes.assign(num_meshes(), 0);
    problem.num_micro_batches = strategy_.num_micro_batches;
    problem.num_meshes = static_cast<std::int32_t>(num_meshes());
    problem.is_draft = true;
    const PipelineSchedule answer = means_.context.schedule.schedule(problem);
    return plugin::blaming(means_.context.schedule_id,
                           [&] { return plan::pass_order(problem, answer); });
  }

  void count_in_flight() {
    flow_.in_flight.assign(at(means_.context.program.size()), 0);
    for (std::int32_t c = 0; at(c) < strategy_.chunks.size(); ++c) {
      const std::vector<plan::PassStep>& steps = order_.steps[at(mesh_of_chunk_[at(c)])];
      std::map<std::pair<Pass, Pass>, double> counts;
      for (const KeptValue& life : frame_->kept[at(c)]) {
        const std::pair between{pass_of(life.first, c), pass_of(life.last, c)};
        const auto [found, is_new] = counts.try_emplace(between);
        if (is_new) found->second = most_between(steps, c, between.first, between.second);
        flow_.kept.push_back({life.value, c, found->second});
        flow_.in_flight[at(life.value)] += found->second;
      }
    }
  }

  /// What no chunk keeps at one end of a crossing lies there all the same.
  void count_crossing() {
    std::set<std::pair<std::int32_t, ValueId>> known;
    for (const ChunkFlow::Kept& kept : flow_.kept) known.insert({kept.chunk, kept.value});
    const auto add = [&](std::int32_t chunk, ValueId value) {
      if (known.insert({chunk, value}).second) flow_.kept.push_back({value, chunk, 1});
    };
    for (const CrossingValues& crossing : frame_->crossings) {
      for (const auto& [value, readers] : crossing.values) {
        if (sharding::is_pass(crossing.from.phase)) add(crossing.from.chunk, value);
        for (const PassPlace& reader : readers) add(reader.chunk, value);
      }
    }
  }

  /// A backward pass that is whole does what the weight pass would.
  Pass pass_of(ChunkPhase phase, std::int32_t chunk) const {
    if (phase == ChunkPhase::forward) return Pass::forward;
    return phase == ChunkPhase::weight && is_cut(chunk) ? Pass::weight : Pass::backward;
  }

  std::set<std::pair<std::int32_t, std::int32_t>> neighbours() const {
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const CrossingValues& crossing : frame_->crossings) {
      for (const PassPlace& reader : crossing.readers())
        pairs.insert({crossing.from.chunk, reader.chunk});
    }
    return pairs;
  }

  void add_crossing(std::int32_t from, std::int32_t to) {
    const Mesh source = on_one_axis(strategy_.chunks[at(from)].mesh),
               target = on_one_axis(strategy_.chunks[at(to)].mesh);
    flow_.crossings.push_back({from, to, s_per_byte(source, target, true),
                               s_per_byte(source, target, false),
                               static_cast<std::int64_t>(target.devices.size())});
  }

  double s_per_byte(const Mesh& source, const Mesh& target, bool is_split) const {
    const std::int64_t parts = std::lcm(source.axes[0].size, target.axes[0].size),
                       tile = static_cast<std::int64_t>(kTileBytes) / dtype_bytes(DType::f32);
    const Shape shape{DType::f32, {is_split ? parts * tile : tile}};
    const auto form = [&](const Mesh& mesh) {
      ShardingSpec spec{{{}}, {}};
      if (is_split) spec.dims[0].splits.push_back({0, shape.dims[0]});
      return means_.tables.form(shape, spec, means_.tables.kind_of(mesh), 1);
    };
    const FormId arriving = form(target);
    const CrossingPrice& price =
        means_.crossings.price({&source, {&target}, {{form(source), {arriving}}}});
    return (price.targets[0].seconds - price.targets[0].latency_s) /
           means_.tables.tile_bytes(arriving);
  }

  /// F, B and W last 1 each, crossings of passes `crossing_s`.
  StepParts parts(double crossing_s) const {
    StepParts parts;
    parts.prologue_s.assign(num_meshes(), 0);
    parts.update_s.assign(num_meshes(), 0);
    for (const std::int32_t mesh : mesh_of_chunk_) parts.chunks.push_back({mesh, {}, 0});
    for (const PassOps& pass : frame_->passes) {
      if (!pass.repeats()) continue;
      const Pass own = pass_of(pass.phase, pass.chunk);
      const double seconds = own == Pass::backward && !is_cut(pass.chunk) ? 2 : 1;
      PassSpan& span = parts.chunks[at(pass.chunk)].passes[static_cast<std::size_t>(own)];
      span = {.seconds = seconds, .after_s = seconds, .departures = span.departures};
      span.departures.resize(std::max(span.departures.size(), at(pass.num_departures)),
                             {seconds, seconds});
    }
    for (const CrossingValues& crossing : frame_->crossings) {
      if (!sharding::is_pass(crossing.from.phase)) continue;
      StepParts::Crossing& made = parts.crossings.emplace_back(StepParts::Crossing{
          as_run(crossing.from).phase, crossing.from.chunk, crossing.departure, {}, {}});
      for (const PassPlace& reader : crossing.readers())
        made.targets.push_back({.phase = as_run(reader).phase,
                                .chunk = reader.chunk,
                                .busy_s = crossing_s,
                                .first_s = crossing_s,
                                .period_s = crossing_s});
    }
    for (const auto& [from, reader] : frame_->stays)
      parts.stays.push_back({{pass_of(from.phase, from.chunk), from.chunk},
                             {pass_of(reader.phase, reader.chunk), reader.chunk}});
    return parts;
  }

  PassPlace as_run(PassPlace place) const {
    if (place.phase == ChunkPhase::weight && !is_cut(place.chunk))
      place.phase = ChunkPhase::backward;
    return place;
  }

  double exposed() const {
    const StepParts with = parts(kCrossing);
    const double whole_s = expected_step(parts(0), order_.steps).step_s,
                 more_s = expected_step(with, order_.steps).step_s - whole_s;
    double crossings_s = 0;
    for (const StepParts::Crossing& crossing : with.crossings)
      crossings_s += kCrossing * static_cast<double>(crossing.targets.size());
    const double ops_s = 3 * static_cast<double>(strategy_.chunks.size());
    return crossings_s > 0 ? more_s / whole_s * ops_s / crossings_s : 0;
  }

  const Means& means_;
  const Strategy& strategy_;
  const std::vector<std::int32_t> mesh_of_chunk_;
  std::shared_ptr<const Frame> frame_;
  plan::PassOrder order_;
  ChunkFlow flow_;
};

}  // namespace

ChunkFlow chunk_flow(const Means& means, const Strategy& strategy) {
  return FlowMaker(means, strategy).run();
}

}  // namespace rhino::evaluate
