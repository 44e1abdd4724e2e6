// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "common/pass_graph.hpp"
#include "common/step_player.hpp"

namespace rhino::common {

/// What one mesh does next where it has a choice.
struct GreedyPolicy {
  /// A W fills a gap before the next F or B if that is at least so long, relative to W.
  double least_gap = 1;
  /// An F waits for a B that comes before this part of it is over.
  double patience = 0;
  /// After a B comes an F, if it can (`soft`), if need be when a W has made room for it (`strict`).
  enum class Turns { none, soft, strict } turns = Turns::none;
  std::int32_t most_ahead = 0;  ///< Fs of each chunk before the first B of the mesh
};

/// Plays a pipeline through, mesh by mesh as time goes on: B before F before W, as each is ready
/// and there is room, micro-batches in their order. Of several chunks of a mesh that with the least
/// left to do in its direction goes first, and room for one micro-batch is kept for the later ones,
/// so that what began can end.
class GreedyPasses {
 public:
  GreedyPasses(const PassGraph& graph, const std::vector<GreedyPolicy>& policies)
      : graph_(graph),
        policies_(policies),
        ends_(graph),
        meshes_(graph.num_meshes()),
        next_(static_cast<std::size_t>(graph.num_passes())),
        lists_(graph.num_meshes()) {}

  PassLists play() {
    for (std::size_t mesh = 0; mesh < meshes_.size(); ++mesh) look_at(0, mesh);
    while (!events_.empty()) {
      const auto [time_s, mesh] = events_.top();
      events_.pop();
      if (meshes_[mesh].free_s <= time_s) decide(time_s, mesh);
    }
    return std::move(lists_);
  }

 private:
  struct Mesh {
    KeptPasses kept;
    double free_s = 0;
    bool has_begun_back = false;
    Pass last = Pass::forward;  ///< W aside
  };
  struct Choice {
    std::int32_t pass = -1;
    double ready_s = PassEnds::kNever;
  };
  using Event = std::pair<double, std::size_t>;

  void look_at(double time_s, std::size_t mesh) { events_.push({time_s, mesh}); }
  std::int32_t& next(std::int32_t pass) { return next_[static_cast<std::size_t>(pass)]; }

  /// Of the chunks of a mesh the first that is ready, else the one that is so soonest.
  template <class May>
  Choice choose(std::size_t mesh, Pass kind, double time_s, May&& may) {
    const std::vector<std::int32_t>& chunks = graph_.chunks(mesh);
    Choice best;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const std::size_t turn = kind == Pass::forward ? chunks.size() - 1 - i : i;
      const std::int32_t pass = PassGraph::of({kind, chunks[turn]});
      if (!graph_.is_run(pass) || next(pass) == graph_.num_micro_batches()) continue;
      const double ready_s = ends_.ready_s(pass, next(pass));
      if (ready_s >= best.ready_s || !may(pass)) continue;
      best = {pass, ready_s};
      if (ready_s <= time_s) break;
    }
    return best;
  }
  /// After an F there has to be room for the Fs of later chunks and the first B.
  bool may_forward(std::size_t mesh, std::int32_t pass) {
    if (!meshes_[mesh].has_begun_back && next(pass) >= policies_[mesh].most_ahead) return false;
    std::int64_t more = 0;
    double more_bytes = 0, back_bytes = 0;
    for (const std::int32_t chunk : graph_.chunks(mesh)) {
      const std::int32_t forward = PassGraph::of({Pass::forward, chunk});
      back_bytes = std::max(back_bytes, graph_.taken_bytes(forward + 1));
      if (forward <= pass) continue;
      ++more;
      more_bytes += graph_.taken_bytes(forward);
    }
    return meshes_[mesh].kept.fits(graph_, pass, more, more_bytes + back_bytes);
  }

  void decide(double time_s, std::size_t mesh) {
    const Mesh& at = meshes_[mesh];
    const GreedyPolicy& policy = policies_[mesh];
    const auto any = [](std::int32_t) { return true; };
    const Choice weight = choose(mesh, Pass::weight, time_s, any);
    const Choice backward = choose(mesh, Pass::backward, time_s,
                                   [&](std::int32_t pass) { return at.kept.fits(graph_, pass); });
    const Choice forward = choose(mesh, Pass::forward, time_s,
                                  [&](std::int32_t pass) { return may_forward(mesh, pass); });
    if (policy.turns != GreedyPolicy::Turns::none && at.last == Pass::backward) {
      if (forward.ready_s <= time_s) return run(time_s, mesh, forward.pass);
      const bool is_strict = policy.turns == GreedyPolicy::Turns::strict;
      if (is_strict && weight.ready_s <= time_s &&
          choose(mesh, Pass::forward, time_s, any).ready_s <= time_s)
        return run(time_s, mesh, weight.pass);
    }
    if (backward.ready_s <= time_s) return run(time_s, mesh, backward.pass);
    if (forward.ready_s <= time_s) {
      const double soon_s = time_s + policy.patience * graph_.seconds(forward.pass);
      if (backward.ready_s < soon_s) return look_at(backward.ready_s, mesh);
      return run(time_s, mesh, forward.pass);
    }
    const double next_s = std::min(forward.ready_s, backward.ready_s);
    if (weight.ready_s <= time_s &&
        next_s - time_s >= policy.least_gap * graph_.seconds(weight.pass))
      return run(time_s, mesh, weight.pass);
    const double again_s =
        std::min(next_s, weight.ready_s > time_s ? weight.ready_s : PassEnds::kNever);
    if (again_s < PassEnds::kNever) look_at(again_s, mesh);
  }

  void run(double time_s, std::size_t mesh, std::int32_t pass) {
    Mesh& at = meshes_[mesh];
    const PassUse use{pass, next(pass)++};
    const Pass kind = PassGraph::kind_of(pass);
    at.kept.run(graph_, pass);
    at.free_s = time_s + graph_.seconds(pass);
    if (kind != Pass::weight) at.last = kind;
    at.has_begun_back = at.has_begun_back || kind == Pass::backward;
    ends_.set(use, at.free_s);
    lists_[mesh].push_back(use);
    look_at(at.free_s, mesh);
    for (const std::int32_t reader : graph_.readers(pass)) {
      const auto other = static_cast<std::size_t>(reader);
      look_at(std::max(time_s, meshes_[other].free_s), other);
    }
  }

  const PassGraph& graph_;
  const std::vector<GreedyPolicy>& policies_;  ///< [mesh]
  PassEnds ends_;
  std::vector<Mesh> meshes_;
  std::vector<std::int32_t> next_;  ///< [pass]: micro-batch
  PassLists lists_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace rhino::common
