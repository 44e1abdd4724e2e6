// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rhino/pipeline.hpp"

namespace rhino::common {

/// A pass of one micro-batch in the order of a mesh.
struct PassUse {
  std::int32_t pass = 0, micro_batch = 0;
  auto operator<=>(const PassUse&) const = default;
};
using PassList = std::vector<PassUse>;
using PassLists = std::vector<PassList>;  ///< [mesh]

/// Passes of a pipeline by number, with what they read of each other and what they keep.
class PassGraph {
 public:
  struct Source {
    std::int32_t pass = 0;
    /// From its end until what it makes is there; below 0 where that leaves before its end.
    double seconds = 0;
  };
  /// What one mesh may keep.
  struct Room {
    std::int64_t most = 0;   ///< chunks of micro-batches, from F to the last pass
    double limit_bytes = 0;  ///< 0: any number

    bool holds(double bytes) const {
      constexpr double kRounding = 1 + 1e-9;
      return limit_bytes <= 0 || bytes <= limit_bytes * kRounding;
    }
  };

  /// `is_whole` [chunk]: its backward pass is one, which here is its B; it has no W, and what
  /// others read of it leaves when a B alone would end, and what of W comes before that. A mesh has
  /// room for `most_in_flight` micro-batches; of 0 for as many as its bytes hold, or where nothing
  /// is said of these, twice the meshes.
  PassGraph(const PipelineProblem& problem, const std::vector<bool>& is_whole,
            std::int64_t most_in_flight)
      : is_step_joint_(problem.is_step_joint),
        num_micro_batches_(static_cast<std::int32_t>(problem.num_micro_batches)),
        nodes_(kNumPasses * problem.chunks.size()),
        chunks_(index(problem.num_meshes)),
        updates_s_(chunks_.size()) {
    for (std::int32_t chunk = 0; chunk < static_cast<std::int32_t>(problem.chunks.size()); ++chunk)
      add(chunk, problem.chunks[index(chunk)], is_whole[index(chunk)]);
    for (const PipelineEdge& edge : problem.edges) add(edge, problem, is_whole);
    keep_links();
    for (std::size_t mesh = 0; mesh < chunks_.size(); ++mesh) {
      const double limit = problem.activation_limit_bytes[mesh];
      rooms_.push_back(
          {most_of(problem, limit, most_in_flight) * std::ssize(chunks_[mesh]), limit});
    }
  }

  /// Micro-batches that a mesh with room for so many bytes may keep, see the constructor.
  static std::int64_t most_of(const PipelineProblem& problem, double limit_bytes,
                              std::int64_t most_in_flight) {
    const std::int64_t all = problem.num_micro_batches;
    if (most_in_flight > 0) return std::min(most_in_flight, all);
    return limit_bytes > 0 ? all : std::min(2 * std::int64_t{problem.num_meshes}, all);
  }

  static std::int32_t of(const ChunkPass& pass) {
    return pass.chunk * static_cast<std::int32_t>(kNumPasses) +
           static_cast<std::int32_t>(pass.pass);
  }
  static std::int32_t chunk_of(std::int32_t pass) {
    return pass / static_cast<std::int32_t>(kNumPasses);
  }
  static Pass kind_of(std::int32_t pass) {
    return static_cast<Pass>(pass % static_cast<std::int32_t>(kNumPasses));
  }
  /// No mesh begins a step before all have ended the one before.
  bool is_step_joint() const { return is_step_joint_; }
  std::int32_t num_passes() const { return static_cast<std::int32_t>(nodes_.size()); }
  std::int32_t num_micro_batches() const { return num_micro_batches_; }
  /// In pipeline order.
  const std::vector<std::int32_t>& chunks(std::size_t mesh) const { return chunks_[mesh]; }
  std::size_t num_meshes() const { return chunks_.size(); }
  const Room& room(std::size_t mesh) const { return rooms_[mesh]; }

  /// False of the W of a chunk that is whole.
  bool is_run(std::int32_t pass) const { return nodes_[index(pass)].is_run; }
  /// The one after which a chunk keeps nothing of a micro-batch.
  bool is_last(std::int32_t pass) const {
    return kind_of(pass) == Pass::weight || (kind_of(pass) == Pass::backward && !is_run(pass + 1));
  }
  /// Those over edges first.
  std::span<const Source> sources(std::int32_t pass) const {
    const Node& node = nodes_[index(pass)];
    return {&sources_[node.sources], node.num_crossing + node.num_own};
  }
  /// Over edges alone: a mesh that works off an order has by then done what else a pass reads.
  std::span<const Source> crossing(std::int32_t pass) const {
    const Node& node = nodes_[index(pass)];
    return {&sources_[node.sources], node.num_crossing};
  }
  /// Passes that read it.
  std::span<const std::int32_t> readers(std::int32_t pass) const {
    const Node& node = nodes_[index(pass)];
    return {&readers_[node.readers], node.num_readers};
  }
  /// What a mesh does when it is through with its passes.
  double update_s(std::size_t mesh) const { return updates_s_[mesh]; }
  double seconds(std::int32_t pass) const { return nodes_[index(pass)].seconds; }
  /// Taken in front of it, and freed behind it.
  double taken_bytes(std::int32_t pass) const { return nodes_[index(pass)].taken_bytes; }
  double freed_bytes(std::int32_t pass) const { return nodes_[index(pass)].freed_bytes; }
  std::int32_t mesh_of(std::int32_t pass) const { return nodes_[index(pass)].mesh; }
  /// All that the mesh that has most to do does in a step.
  double busiest_s() const {
    std::vector<double> work_s = updates_s_;
    for (const Node& node : nodes_) work_s[index(node.mesh)] += num_micro_batches_ * node.seconds;
    return *std::ranges::max_element(work_s);
  }

 private:
  struct Node {
    std::int32_t mesh = 0;
    bool is_run = true;
    double seconds = 0, taken_bytes = 0, freed_bytes = 0;
    std::size_t sources = 0, num_crossing = 0, num_own = 0;  ///< of sources_
    std::size_t readers = 0, num_readers = 0;                ///< of readers_
  };
  /// `to` reads `from`; on one chunk where it is its own.
  struct Link {
    std::int32_t to = 0;
    Source from;
    bool is_own = false;
  };
  static std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }
  static double whole_s(const ChunkCost& cost) {
    return std::max(cost.backward_s, cost.backward_weight_s);
  }

  void add(std::int32_t chunk, const ChunkCost& cost, bool is_whole) {
    const double to_backward = cost.forward_to_backward_bytes,
                 to_weight = cost.forward_to_weight_bytes, made = cost.backward_to_weight_bytes;
    Node* node = &nodes_[index(of({Pass::forward, chunk}))];
    for (Node& each : std::span(node, kNumPasses)) each.mesh = cost.mesh;
    node[0].seconds = cost.forward_s;
    node[0].taken_bytes = to_backward + to_weight;
    node[1].seconds = is_whole ? whole_s(cost) : cost.backward_s;
    node[1].taken_bytes = is_whole ? 0 : made;
    node[1].freed_bytes = is_whole ? to_backward + to_weight : to_backward;
    links_.push_back({of({Pass::backward, chunk}), {of({Pass::forward, chunk}), 0}, true});
    node[2].is_run = !is_whole;
    if (!is_whole) {
      node[2].seconds = cost.weight_s;
      node[2].freed_bytes = to_weight + made;
      links_.push_back({of({Pass::weight, chunk}), {of({Pass::backward, chunk}), 0}, true});
    }
    chunks_[index(cost.mesh)].push_back(chunk);
    updates_s_[index(cost.mesh)] += cost.update_s;
  }
  void add(const PipelineEdge& edge, const PipelineProblem& problem,
           const std::vector<bool>& is_whole) {
    const auto run = [&](ChunkPass pass) {
      if (pass.pass == Pass::weight && is_whole[index(pass.chunk)]) pass.pass = Pass::backward;
      return of(pass);
    };
    const bool is_early = edge.from.pass == Pass::backward && is_whole[index(edge.from.chunk)];
    const ChunkCost& sender = problem.chunks[index(edge.from.chunk)];
    const double sent_s = sender.backward_s + sender.weight_first_s,
                 rest_s = is_early ? std::max(0.0, whole_s(sender) - sent_s) : 0;
    links_.push_back({run(edge.to), {run(edge.from), edge.seconds - rest_s}, false});
  }
  /// Those of each pass side by side.
  void keep_links() {
    std::ranges::stable_sort(links_, {},
                             [](const Link& link) { return std::pair(link.to, link.is_own); });
    for (const Link& link : links_) {
      Node& reader = nodes_[index(link.to)];
      if (reader.num_crossing + reader.num_own == 0) reader.sources = sources_.size();
      ++(link.is_own ? reader.num_own : reader.num_crossing);
      sources_.push_back(link.from);
    }
    std::ranges::stable_sort(links_, {}, [](const Link& link) { return link.from.pass; });
    for (const Link& link : links_) {
      Node& read = nodes_[index(link.from.pass)];
      if (read.num_readers++ == 0) read.readers = readers_.size();
      readers_.push_back(link.to);
    }
  }

  bool is_step_joint_;
  std::int32_t num_micro_batches_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<Source> sources_;
  std::vector<std::int32_t> readers_;
  std::vector<std::vector<std::int32_t>> chunks_;  ///< [mesh]
  std::vector<double> updates_s_;                  ///< [mesh]
  std::vector<Room> rooms_;                        ///< [mesh]
};

/// What one mesh keeps while it works off its list.
class KeptPasses {
 public:
  /// There is room to begin `pass`.
  bool fits(const PassGraph& graph, std::int32_t pass) const {
    const PassGraph::Room& room = graph.room(static_cast<std::size_t>(graph.mesh_of(pass)));
    const bool is_forward = PassGraph::kind_of(pass) == Pass::forward;
    return (!is_forward || count_ < room.most) && room.holds(bytes_ + graph.taken_bytes(pass));
  }
  void run(const PassGraph& graph, std::int32_t pass) {
    count_ += PassGraph::kind_of(pass) == Pass::forward ? 1 : 0;
    count_ -= graph.is_last(pass) ? 1 : 0;
    bytes_ += graph.taken_bytes(pass) - graph.freed_bytes(pass);
  }

 private:
  std::int64_t count_ = 0;
  double bytes_ = 0;
};

/// Of all passes and micro-batches.
inline std::int64_t num_uses(const PassGraph& graph) {
  std::int64_t count = 0;
  for (std::int32_t pass = 0; pass < graph.num_passes(); ++pass)
    count += graph.is_run(pass) ? graph.num_micro_batches() : 0;
  return count;
}

/// What each mesh does of an order of all.
inline PassLists lists_of(const PassGraph& graph, const PassList& order) {
  PassLists lists(graph.num_meshes());
  for (PassList& list : lists) list.reserve(order.size() / lists.size());
  for (const PassUse& use : order)
    lists[static_cast<std::size_t>(graph.mesh_of(use.pass))].push_back(use);
  return lists;
}

inline Action action_of(const PassGraph& graph, const PassUse& use) {
  const Pass pass = PassGraph::kind_of(use.pass);
  const bool is_whole = pass == Pass::backward && graph.is_last(use.pass);
  const ActionKind kind = is_whole                ? ActionKind::backward_weight
                          : pass == Pass::forward ? ActionKind::forward
                          : pass == Pass::weight  ? ActionKind::weight
                                                  : ActionKind::backward;
  return {kind, PassGraph::chunk_of(use.pass), use.micro_batch};
}

/// What meshes are told that work off these lists.
inline PipelineSchedule schedule_of(const PassGraph& graph, const PassLists& lists) {
  PipelineSchedule schedule;
  for (const PassList& list : lists) {
    std::vector<Action>& order = schedule.order.emplace_back();
    order.reserve(list.size());
    for (const PassUse& use : list) order.push_back(action_of(graph, use));
  }
  return schedule;
}
/// The same of an order of all.
inline PipelineSchedule schedule_of(const PassGraph& graph, const PassList& order) {
  PipelineSchedule schedule;
  schedule.order.resize(graph.num_meshes());
  for (std::vector<Action>& actions : schedule.order)
    actions.reserve(order.size() / graph.num_meshes());
  for (const PassUse& use : order)
    schedule.order[static_cast<std::size_t>(graph.mesh_of(use.pass))].push_back(
        action_of(graph, use));
  return schedule;
}

}  // namespace rhino::common
