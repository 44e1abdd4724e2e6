// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/pass_graph.hpp"
#include "common/step_player.hpp"

namespace rhino::common {

/// How one mesh orders the passes of its chunk.
struct MeshLead {
  /// Fs before the first B, and before the i-th at least i more than `lead`: where the first are
  /// more than that, Bs come without Fs until they are not.
  std::int32_t first = 1, lead = 1;
  std::int32_t most_late = 0;  ///< Bs whose W may be to come where an F begins
  double least_gap = 1;        ///< a W fills a gap before an F or B that is so long, relative to W
};

/// Orders of one chunk per mesh that leads tell: Fs and Bs by turns, and Ws where the mesh would
/// wait, where they make room, or where more are late than may be.
class LeadOrder {
 public:
  explicit LeadOrder(const PassGraph& graph)
      : graph_(graph), moments_(moments_of(graph)), ends_(graph) {}

  /// One chunk on each mesh, in order.
  static bool is_for(const PassGraph& graph) {
    for (std::size_t mesh = 0; mesh < graph.num_meshes(); ++mesh)
      if (graph.chunks(mesh) != std::vector{static_cast<std::int32_t>(mesh)}) return false;
    return true;
  }

  /// All meshes' passes, each after what it reads; fewer where a mesh has no room. `leads`: [mesh],
  /// none longer than that of the mesh before. Valid until the next call.
  const PassList& play(const std::vector<MeshLead>& leads) {
    begin(leads);
    const auto count = static_cast<std::int32_t>(leads.size());
    for (std::int32_t turn = 0; turn < graph_.num_micro_batches(); ++turn) {
      for (std::int32_t mesh = 0; mesh < count; ++mesh)
        if (!go_ahead(mesh, turn)) return order_;
      for (std::int32_t mesh = count; mesh-- > 0;)
        if (!run(mesh, {PassGraph::of({Pass::backward, mesh}), turn})) return order_;
    }
    for (std::int32_t mesh = 0; mesh < count; ++mesh)
      while (is_late(meshes_[index(mesh)])) catch_up(mesh);
    return order_;
  }

  /// From the first pass to the update, on the mesh that takes longest, of what was played last.
  double longest_s() const {
    double longest_s = 0;
    for (std::size_t mesh = 0; mesh < meshes_.size(); ++mesh)
      longest_s =
          std::max(longest_s, meshes_[mesh].now_s - meshes_[mesh].first_s + graph_.update_s(mesh));
    return longest_s;
  }

  /// What was played last, for room in which to play the next.
  void swap_order(PassList& order) { order_.swap(order); }

 private:
  struct Mesh {
    MeshLead lead;
    double now_s = 0, first_s = 0, gap_s = 0;
    std::int32_t forwards = 0, backwards = 0, weights = 0;  ///< done
    bool is_cut = false;
    KeptPasses kept;
  };
  static std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }
  static std::int32_t weight_of(std::int32_t mesh) { return PassGraph::of({Pass::weight, mesh}); }

  void begin(const std::vector<MeshLead>& leads) {
    order_.clear();
    order_.reserve(static_cast<std::size_t>(num_uses(graph_)));
    meshes_.clear();
    for (const MeshLead& lead : leads) {
      const std::int32_t weight = weight_of(static_cast<std::int32_t>(meshes_.size()));
      Mesh& mesh = meshes_.emplace_back();
      mesh.lead = lead;
      mesh.gap_s = lead.least_gap * graph_.seconds(weight);
      mesh.is_cut = graph_.is_run(weight);
    }
  }

  /// All Fs that come before the B of micro-batch `turn`. False: there is no room.
  bool go_ahead(std::int32_t mesh, std::int32_t turn) {
    Mesh& at = meshes_[index(mesh)];
    const std::int32_t most =
        std::min(std::max(at.lead.first, turn + at.lead.lead), graph_.num_micro_batches());
    for (; at.forwards < most; ++at.forwards) {
      while (is_late(at) && at.backwards - at.weights > at.lead.most_late) catch_up(mesh);
      if (!run(mesh, {PassGraph::of({Pass::forward, mesh}), at.forwards})) return false;
    }
    return true;
  }
  static bool is_late(const Mesh& mesh) { return mesh.is_cut && mesh.weights < mesh.backwards; }
  void catch_up(std::int32_t mesh) {
    Mesh& at = meshes_[index(mesh)];
    at.now_s += moments_[index(weight_of(mesh))].seconds;
    add(at, {weight_of(mesh), at.weights++});
  }

  /// An F or B, once it is there. False: there is no room.
  bool run(std::int32_t mesh, const PassUse& use) {
    Mesh& at = meshes_[index(mesh)];
    const PassMoment& moment = moments_[index(use.pass)];
    const double there_s = ends_.there_s(use, moment);
    while (is_late(at) && there_s > at.now_s && there_s - at.now_s >= at.gap_s) catch_up(mesh);
    for (; !at.kept.fits(graph_, use.pass); catch_up(mesh))
      if (!is_late(at)) return false;
    if (at.forwards == 0) at.first_s = there_s;
    at.now_s = std::max(at.now_s, there_s) + moment.seconds;
    at.backwards += PassGraph::kind_of(use.pass) == Pass::backward ? 1 : 0;
    add(at, use);
    return true;
  }
  void add(Mesh& mesh, const PassUse& use) {
    mesh.kept.run(graph_, use.pass);
    ends_.set(use, mesh.now_s);
    order_.push_back(use);
  }

  const PassGraph& graph_;
  std::vector<PassMoment> moments_;  ///< [pass]
  PassEnds ends_;
  std::vector<Mesh> meshes_;
  PassList order_;
};

}  // namespace rhino::common
