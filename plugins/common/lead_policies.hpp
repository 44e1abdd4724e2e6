// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "common/counter_random.hpp"
#include "common/greedy_passes.hpp"
#include "common/lead_order.hpp"

namespace rhino::common {

inline constexpr double kFineGaps[] = {0, 0.25, 0.5, 0.75, 1};
/// Fs before the first B of a mesh with `left` meshes from it on: as many as fit (0), as in
/// eager-1F1B (2), as in 1F1B (1).
inline std::int32_t usual_lead(std::int32_t ahead, std::int32_t left) {
  return ahead == 0 ? std::numeric_limits<std::int32_t>::max() : ahead * left - (ahead - 1);
}
/// As many micro-batches of a chunk as a mesh has room for, beside what the B of one makes.
inline std::int32_t most_kept(const PassGraph& graph, std::size_t mesh) {
  const PassGraph::Room& room = graph.room(mesh);
  std::int64_t most = room.most;
  for (const std::int32_t chunk : graph.chunks(mesh)) {
    const std::int32_t forward = PassGraph::of({Pass::forward, chunk});
    const double each = graph.taken_bytes(forward),
                 left = room.limit_bytes * (1 + 1e-9) - graph.taken_bytes(forward + 1);
    if (room.limit_bytes > 0 && each > 0)
      most = std::min(most, static_cast<std::int64_t>(std::max(0., left / each)));
  }
  return static_cast<std::int32_t>(std::max<std::int64_t>(1, most));
}

/// A part of all meshes, drawn by chance: one, with or without all in front of it or behind.
struct MeshRange {
  std::size_t begin = 0, end = 0;

  MeshRange(std::size_t num_meshes, CounterRandom& random) {
    const std::size_t mesh = random.below(num_meshes), extent = random.below(3);
    begin = extent == 1 ? 0 : mesh;
    end = extent == 2 ? num_meshes : mesh + 1;
  }
};

/// Orders that leads tell, of one chunk per mesh (see LeadOrder, PolicyClimb).
class LeadTurns {
 public:
  using Policies = std::vector<MeshLead>;  ///< [mesh]
  static constexpr std::int64_t kPlayed = 5;

  explicit LeadTurns(const PassGraph& graph)
      : graph_(graph), order_(graph), round_trip_s_(round_trips_s(graph)) {}

  const PassList& play(const Policies& leads) { return order_.play(leads); }
  // Of what was played last.
  double longest_s() const { return order_.longest_s(); }
  void swap_order(PassList& order) { order_.swap_order(order); }

  /// As many Fs as fit and as in 1F1B, with as many early ones as can be, Ws where there are gaps.
  /// What is mostly better comes first.
  std::vector<Policies> starts() const {
    std::vector<Policies> all;
    const auto count = static_cast<std::int32_t>(graph_.num_meshes());
    for (const bool is_early : {true, false}) {
      for (const bool is_even : {true, false}) {
        for (const double least_gap : {0.5, 0., 1.}) {
          Policies& leads = all.emplace_back();
          for (std::int32_t mesh = 0; mesh < count; ++mesh)
            leads.push_back({.first = is_early ? early_lead(mesh) : 1,
                             .lead = is_even ? even_lead(mesh) : count - mesh,
                             .most_late = graph_.num_micro_batches(),
                             .least_gap = least_gap});
          fit(leads);
        }
      }
    }
    return all;
  }

  Policies changed(Policies leads, CounterRandom& random) const {
    MeshLead& at = leads[random.below(leads.size())];
    switch (random.below(6)) {
      case 0: at.least_gap = kFineGaps[random.below(std::size(kFineGaps))]; break;
      case 1: at.most_late = static_cast<std::int32_t>(random.below(2 * leads.size() + 1)); break;
      case 2: lengthen(&MeshLead::first, leads, random); break;
      default: lengthen(&MeshLead::lead, leads, random);
    }
    fit(leads);
    return leads;
  }

 private:
  /// As many Fs as fit in front of the first mesh's first B, one in front of the last one's.
  std::int32_t even_lead(std::int32_t mesh) const {
    const std::int64_t most = most_kept(graph_, 0) - 1;
    const auto last = static_cast<std::int64_t>(graph_.num_meshes()) - 1;
    return static_cast<std::int32_t>(1 + most * (last - mesh) / std::max<std::int64_t>(1, last));
  }
  /// As many Fs as can come before the first B is there.
  std::int32_t early_lead(std::int32_t mesh) const {
    double longest_s = 0;
    for (std::int32_t before = 0; before <= mesh; ++before)
      longest_s = std::max(longest_s, graph_.seconds(PassGraph::of({Pass::forward, before})));
    const double trip_s =
        round_trip_s_[at(mesh)] - graph_.seconds(PassGraph::of({Pass::backward, mesh}));
    const double most =
        std::min<double>(trip_s / std::max(longest_s, 1e-30), graph_.num_micro_batches());
    return static_cast<std::int32_t>(most);
  }
  /// By one, or shorten, of some meshes.
  static void lengthen(std::int32_t MeshLead::*lead, Policies& leads, CounterRandom& random) {
    const std::int32_t more = random.below(2) == 0 ? 1 : -1;
    const MeshRange range(leads.size(), random);
    for (std::size_t mesh = range.begin; mesh < range.end; ++mesh) leads[mesh].*lead += more;
    for (std::size_t mesh = range.begin; mesh-- > 0 && more > 0;)
      leads[mesh].*lead = std::max(leads[mesh].*lead, leads[mesh + 1].*lead);
  }
  /// None longer than there is room for, nor than that of the mesh before.
  void fit(Policies& leads) const {
    std::int32_t longest = graph_.num_micro_batches(), first = longest;
    for (std::size_t mesh = 0; mesh < leads.size(); ++mesh) {
      const std::int32_t most = most_kept(graph_, mesh);
      longest = leads[mesh].lead = std::clamp(leads[mesh].lead, 1, std::min(longest, most));
      first = leads[mesh].first = std::clamp(leads[mesh].first, 1, std::min(first, most));
    }
  }

  static std::size_t at(std::int32_t mesh) { return static_cast<std::size_t>(mesh); }
  /// [mesh], of a micro-batch that runs alone: from its F to the end of its B.
  static std::vector<double> round_trips_s(const PassGraph& graph) {
    PassEnds ends(graph, 1);
    std::vector<double> trips_s(graph.num_meshes());
    const auto count = static_cast<std::int32_t>(trips_s.size());
    for (std::int32_t mesh = 0; mesh < count; ++mesh) {
      const PassUse forward{PassGraph::of({Pass::forward, mesh}), 0};
      trips_s[at(mesh)] = ends.ready_s(forward.pass, 0);
      ends.set(forward, trips_s[at(mesh)] + graph.seconds(forward.pass));
    }
    for (std::int32_t mesh = count; mesh-- > 0;) {
      const PassUse backward{PassGraph::of({Pass::backward, mesh}), 0};
      const double end_s = ends.ready_s(backward.pass, 0) + graph.seconds(backward.pass);
      ends.set(backward, end_s);
      trips_s[at(mesh)] = end_s - trips_s[at(mesh)];
    }
    return trips_s;
  }

  const PassGraph& graph_;
  LeadOrder order_;
  std::vector<double> round_trip_s_;  ///< [mesh]
};

/// Greedy meshes that let few micro-batches begin before they have gone back (see PolicyClimb).
class LeadLimits {
 public:
  using Policies = std::vector<GreedyPolicy>;  ///< [mesh]
  static constexpr std::int64_t kPlayed = 12;

  /// `is_last_first`: of the meshes' chunks, see GreedyPolicy.
  explicit LeadLimits(const PassGraph& graph, bool is_last_first = true)
      : graph_(graph), greedy_(graph), is_last_first_(is_last_first) {
    for (std::size_t mesh = 0; mesh < graph.num_meshes(); ++mesh)
      most_ = std::max(most_, most_kept(graph, mesh));
  }

  const PassList& play(const Policies& policies) { return greedy_.play(policies); }

  std::vector<Policies> starts() const {
    std::vector<Policies> all;
    for (const auto turns :
         {GreedyPolicy::Turns::strict, GreedyPolicy::Turns::soft, GreedyPolicy::Turns::none}) {
      for (const double least_gap : {0., 0.5, 1.}) {
        for (const std::int32_t ahead : {0, 2, 1}) {
          for (const double patience : {0., 0.5}) {
            Policies& policies = all.emplace_back();
            for (auto left = static_cast<std::int32_t>(graph_.num_meshes()); left > 0; --left)
              policies.push_back({.least_gap = least_gap,
                                  .patience = patience,
                                  .turns = turns,
                                  .is_last_first = is_last_first_,
                                  .most_lead = std::min(most_, usual_lead(ahead, left))});
          }
        }
      }
    }
    return all;
  }

  Policies changed(Policies policies, CounterRandom& random) const {
    GreedyPolicy& at = policies[random.below(policies.size())];
    switch (random.below(6)) {
      case 0: at.least_gap = kFineGaps[random.below(std::size(kFineGaps))]; break;
      case 1: at.patience = kFineGaps[random.below(std::size(kFineGaps))]; break;
      case 2: at.turns = static_cast<GreedyPolicy::Turns>(random.below(3)); break;
      default: {
        const std::int32_t more = random.below(2) == 0 ? 1 : -1;
        const MeshRange range(policies.size(), random);
        for (std::size_t mesh = range.begin; mesh < range.end; ++mesh)
          policies[mesh].most_lead = std::clamp(policies[mesh].most_lead + more, 1, most_);
      }
    }
    return policies;
  }

 private:
  const PassGraph& graph_;
  GreedyPasses greedy_;
  bool is_last_first_;
  std::int32_t most_ = 1;
};

}  // namespace rhino::common
