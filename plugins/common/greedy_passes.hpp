// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "common/pass_graph.hpp"

namespace rhino::common {

/// What one mesh does next where it has a choice.
struct GreedyPolicy {
  /// A W fills a gap before the next F or B if that is at least so long, relative to W.
  double least_gap = 1;
  /// An F waits for a B that comes before this part of it is over.
  double patience = 0;
  /// After a B comes an F, if it can (`soft`), if need be when a W has made room for it (`strict`).
  enum class Turns { none, soft, strict } turns = Turns::none;
  std::int32_t most_ahead = 0;  ///< Fs before the first B
};

/// What one mesh may keep, and does.
struct Room {
  std::int64_t most = 0;   ///< micro-batches between F and W
  double limit_bytes = 0;  ///< 0: any number
  /// Taken by F, taken by B in front of it, freed by B behind it; W frees the rest.
  double forward_bytes = 0, backward_bytes = 0, freed_bytes = 0;
};

/// Plays a pipeline with one chunk per mesh through, mesh by mesh as time goes on: B before F
/// before W, as each is ready and there is room, micro-batches in their order.
class GreedyPasses {
 public:
  GreedyPasses(const PassGraph& graph, const std::vector<Room>& rooms,
               const std::vector<GreedyPolicy>& policies)
      : graph_(graph), rooms_(rooms), policies_(policies), ends_(graph), meshes_(rooms.size()) {
    for (std::int32_t pass = 0; pass < graph.num_passes(); pass += kNumPasses)
      mesh(graph.mesh_of(pass)).first_pass = pass;
    lists_.resize(meshes_.size());
  }

  PassLists play() {
    for (std::int32_t m = 0; m < static_cast<std::int32_t>(meshes_.size()); ++m) look_at(0, m);
    while (!events_.empty()) {
      const auto [time_s, number] = events_.top();
      events_.pop();
      if (mesh(number).free_s <= time_s) decide(time_s, number);
    }
    return std::move(lists_);
  }

 private:
  struct Mesh {
    std::int32_t first_pass = 0;
    std::int32_t next[kNumPasses] = {0, 0, 0};  ///< micro-batch, by Pass
    double free_s = 0;
    double held_bytes = 0;
    Pass last = Pass::forward;  ///< W aside
  };
  using Event = std::pair<double, std::int32_t>;

  Mesh& mesh(std::int32_t number) { return meshes_[static_cast<std::size_t>(number)]; }
  void look_at(double time_s, std::int32_t number) { events_.push({time_s, number}); }

  /// When the next of its kind could begin, room left aside; never: there is none, or who knows.
  double ready_s(const Mesh& mesh, Pass pass) const {
    const std::int32_t micro_batch = mesh.next[static_cast<std::size_t>(pass)];
    if (micro_batch == graph_.num_micro_batches()) return PassEnds::kNever;
    return ends_.ready_s(mesh.first_pass + static_cast<std::int32_t>(pass), micro_batch);
  }
  /// After the F there has to be room for the first B.
  bool may_forward(std::int32_t number) {
    const auto m = static_cast<std::size_t>(number);
    const Room& room = rooms_[m];
    const std::int32_t* next = mesh(number).next;
    const bool is_ahead = next[1] == 0 && next[0] >= policies_[m].most_ahead;
    return !is_ahead && next[0] - next[2] < room.most &&
           fits(number, room.forward_bytes + room.backward_bytes);
  }
  bool fits(std::int32_t number, double bytes) {
    const double limit = rooms_[static_cast<std::size_t>(number)].limit_bytes;
    return limit <= 0 || mesh(number).held_bytes + bytes <= limit;
  }

  void decide(double time_s, std::int32_t number) {
    Mesh& at = mesh(number);
    const GreedyPolicy& policy = policies_[static_cast<std::size_t>(number)];
    const double weight_s = ready_s(at, Pass::weight);
    const bool may_backward = fits(number, rooms_[static_cast<std::size_t>(number)].backward_bytes);
    const double backward_s = may_backward ? ready_s(at, Pass::backward) : PassEnds::kNever;
    const double arrived_s = ready_s(at, Pass::forward);
    const double forward_s = may_forward(number) ? arrived_s : PassEnds::kNever;
    if (policy.turns != GreedyPolicy::Turns::none && at.last == Pass::backward) {
      if (forward_s <= time_s) return run(time_s, number, Pass::forward);
      const bool is_strict = policy.turns == GreedyPolicy::Turns::strict;
      if (is_strict && arrived_s <= time_s && weight_s <= time_s)
        return run(time_s, number, Pass::weight);
    }
    if (backward_s <= time_s) return run(time_s, number, Pass::backward);
    const double soon_s = time_s + policy.patience * graph_.seconds(at.first_pass);
    if (forward_s <= time_s && backward_s < soon_s) return look_at(backward_s, number);
    if (forward_s <= time_s) return run(time_s, number, Pass::forward);
    const double next_s = std::min(forward_s, backward_s);
    const double gap_s = policy.least_gap * graph_.seconds(at.first_pass + 2);
    if (weight_s <= time_s && next_s - time_s >= gap_s) return run(time_s, number, Pass::weight);
    const double again_s = std::min(next_s, weight_s > time_s ? weight_s : PassEnds::kNever);
    if (again_s < PassEnds::kNever) look_at(again_s, number);
  }

  void run(double time_s, std::int32_t number, Pass kind) {
    Mesh& at = mesh(number);
    const auto k = static_cast<std::size_t>(kind), m = static_cast<std::size_t>(number);
    const std::int32_t pass = at.first_pass + static_cast<std::int32_t>(kind);
    const std::int32_t micro_batch = at.next[k]++;
    const Room& room = rooms_[m];
    if (kind == Pass::forward) at.held_bytes += room.forward_bytes;
    if (kind == Pass::backward) at.held_bytes += room.backward_bytes - room.freed_bytes;
    if (kind == Pass::weight)
      at.held_bytes -= room.forward_bytes + room.backward_bytes - room.freed_bytes;
    at.free_s = time_s + graph_.seconds(pass);
    if (kind != Pass::weight) at.last = kind;
    ends_.set(pass, micro_batch, at.free_s);
    lists_[m].push_back({pass, micro_batch});
    look_at(at.free_s, number);
    for (const std::int32_t reader : graph_.readers(pass))
      look_at(std::max(time_s, mesh(reader).free_s), reader);
  }

  const PassGraph& graph_;
  const std::vector<Room>& rooms_;             ///< [mesh]
  const std::vector<GreedyPolicy>& policies_;  ///< [mesh]
  PassEnds ends_;
  std::vector<Mesh> meshes_;
  PassLists lists_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace rhino::common
