// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/earliest_mesh.hpp"
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
  /// Of several chunks of the mesh that with the least left to do in its direction goes first, else
  /// that with the most.
  bool is_last_first = true;
  /// Fs of each chunk before the first B of the mesh, and at any time before its own Bs.
  std::int32_t most_ahead = std::numeric_limits<std::int32_t>::max(), most_lead = most_ahead;
};

/// Plays a pipeline through, mesh by mesh as time goes on: B before F before W, as each is ready
/// and there is room, micro-batches in their order. Of several chunks of a mesh room for one
/// micro-batch is kept for the later ones, so that what began can end.
class GreedyPasses {
 public:
  explicit GreedyPasses(const PassGraph& graph)
      : graph_(graph),
        passes_(static_cast<std::size_t>(graph.num_passes())),
        ends_s_(passes_.size() * static_cast<std::size_t>(graph.num_micro_batches())),
        looks_(graph.num_meshes()) {
    for (std::size_t mesh = 0; mesh < graph.num_meshes(); ++mesh) look_at_room(mesh);
  }

  /// What all meshes do, as time goes on. `policies`: [mesh]. Where not all is done there was no
  /// room. Valid until the next call.
  const PassList& play(const std::vector<GreedyPolicy>& policies) {
    begin();
    for (std::size_t mesh = 0; mesh < meshes_.size(); ++mesh)
      meshes_[mesh].is_last_first = policies[mesh].is_last_first;
    for (std::size_t mesh; looks_.time_s(mesh = looks_.mesh()) < kNever;) {
      const double time_s = looks_.time_s(mesh);
      decide(time_s, mesh, policies[mesh]);
    }
    return order_;
  }

 private:
  static constexpr double kNever = EarliestMesh::kNever;
  struct PassState {
    std::int32_t next = 0;  ///< micro-batch
    double ready_s =
        kNever;  ///< when all that the next one reads is there, as far as that is known
    double needed_bytes = 0;  ///< to begin it, and what has begun can end
    std::int64_t needed = 0;  ///< likewise, chunks of micro-batches
  };
  struct Mesh {
    std::int64_t kept = 0;
    double kept_bytes = 0, free_s = 0;
    bool has_begun_back = false, is_last_first = true;
    Pass last = Pass::forward;  ///< W aside
  };
  struct Choice {
    std::int32_t pass = -1;
    double ready_s = kNever;
  };

  void look_at_room(std::size_t mesh) {
    double back_bytes = 0, later_bytes = 0;
    std::int64_t later = 0;
    const std::vector<std::int32_t>& chunks = graph_.chunks(mesh);
    for (const std::int32_t chunk : chunks)
      back_bytes = std::max(back_bytes, graph_.taken_bytes(PassGraph::of({Pass::backward, chunk})));
    for (std::size_t i = chunks.size(); i-- > 0;) {
      const std::int32_t forward = PassGraph::of({Pass::forward, chunks[i]});
      later_bytes += graph_.taken_bytes(forward);
      state(forward).needed_bytes = later_bytes + back_bytes;
      state(forward).needed = ++later;
      state(forward + 1).needed_bytes = graph_.taken_bytes(forward + 1);
    }
  }
  void begin() {
    meshes_.assign(graph_.num_meshes(), {});
    order_.clear();
    for (std::int32_t pass = 0; pass < graph_.num_passes(); ++pass)
      state(pass).next = graph_.is_run(pass) ? 0 : graph_.num_micro_batches();
    for (std::int32_t pass = 0; pass < graph_.num_passes(); ++pass) look_at_sources(pass);
    for (std::size_t mesh = 0; mesh < meshes_.size(); ++mesh) looks_.set(mesh, 0);
  }

  PassState& state(std::int32_t pass) { return passes_[static_cast<std::size_t>(pass)]; }
  double& end_s(std::int32_t pass, std::int32_t micro_batch) {
    return ends_s_[static_cast<std::size_t>(pass) *
                       static_cast<std::size_t>(graph_.num_micro_batches()) +
                   static_cast<std::size_t>(micro_batch)];
  }
  void look_at_sources(std::int32_t pass) {
    PassState& at = state(pass);
    at.ready_s = at.next < graph_.num_micro_batches() ? 0 : kNever;
    if (at.ready_s == kNever) return;
    for (const PassGraph::Source& source : graph_.sources(pass)) {
      const bool is_known = state(source.pass).next > at.next;
      at.ready_s =
          is_known ? std::max(at.ready_s, end_s(source.pass, at.next) + source.seconds) : kNever;
      if (!is_known) return;
    }
  }
  bool fits(const Mesh& mesh, std::int32_t pass) {
    const PassState& at = state(pass);
    const PassGraph::Room& room = graph_.room(static_cast<std::size_t>(graph_.mesh_of(pass)));
    return mesh.kept + at.needed <= room.most && room.holds(mesh.kept_bytes + at.needed_bytes);
  }

  /// Of the chunks of a mesh the first that is ready, else the one that is so soonest.
  template <class May>
  Choice choose(std::size_t mesh, Pass kind, double time_s, May&& may) {
    const std::vector<std::int32_t>& chunks = graph_.chunks(mesh);
    const bool is_backwards = (kind == Pass::forward) == meshes_[mesh].is_last_first;
    Choice best;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const std::size_t turn = is_backwards ? chunks.size() - 1 - i : i;
      const std::int32_t pass = PassGraph::of({kind, chunks[turn]});
      const double ready_s = state(pass).ready_s;
      if (ready_s >= best.ready_s || !may(pass)) continue;
      best = {pass, ready_s};
      if (ready_s <= time_s) break;
    }
    return best;
  }

  void decide(double time_s, std::size_t mesh, const GreedyPolicy& policy) {
    const Mesh& at = meshes_[mesh];
    const auto any = [](std::int32_t) { return true; };
    const Choice backward =
        choose(mesh, Pass::backward, time_s, [&](std::int32_t pass) { return fits(at, pass); });
    const Choice forward = choose(mesh, Pass::forward, time_s, [&](std::int32_t pass) {
      const std::int32_t next = state(pass).next;
      return (at.has_begun_back || next < policy.most_ahead) &&
             next - state(pass + 1).next < policy.most_lead && fits(at, pass);
    });
    const Choice weight = choose(mesh, Pass::weight, time_s, any);
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
      if (backward.ready_s < soon_s) return looks_.set(mesh, backward.ready_s);
      return run(time_s, mesh, forward.pass);
    }
    const double next_s = std::min(forward.ready_s, backward.ready_s);
    if (weight.ready_s <= time_s &&
        next_s - time_s >= policy.least_gap * graph_.seconds(weight.pass))
      return run(time_s, mesh, weight.pass);
    looks_.set(mesh, std::min(next_s, weight.ready_s > time_s ? weight.ready_s : kNever));
  }

  void run(double time_s, std::size_t mesh, std::int32_t pass) {
    Mesh& at = meshes_[mesh];
    const PassUse use{pass, state(pass).next++};
    const Pass kind = PassGraph::kind_of(pass);
    at.kept += (kind == Pass::forward ? 1 : 0) - (graph_.is_last(pass) ? 1 : 0);
    at.kept_bytes += graph_.taken_bytes(pass) - graph_.freed_bytes(pass);
    at.free_s = time_s + graph_.seconds(pass);
    if (kind != Pass::weight) at.last = kind;
    at.has_begun_back = at.has_begun_back || kind == Pass::backward;
    end_s(pass, use.micro_batch) = at.free_s;
    order_.push_back(use);
    look_at_sources(pass);
    looks_.set(mesh, at.free_s);
    for (const std::int32_t reader : graph_.readers(pass)) {
      if (state(reader).next != use.micro_batch) continue;
      look_at_sources(reader);
      const auto other = static_cast<std::size_t>(graph_.mesh_of(reader));
      if (meshes_[other].free_s <= time_s && looks_.time_s(other) > time_s)
        looks_.set(other, time_s);
    }
  }

  const PassGraph& graph_;
  std::vector<PassState> passes_;  ///< [pass]
  std::vector<double> ends_s_;     ///< of pass and micro-batch
  std::vector<Mesh> meshes_;
  PassList order_;
  EarliestMesh looks_;
};

}  // namespace rhino::common
