// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "common/cutting.hpp"
#include "common/first_looks.hpp"
#include "rhino/error.hpp"

namespace rhino::common {

/// What configurations promise: the cheapest cut of each by tables, and its estimate.
class Survey {
 public:
  /// `cutting` is borrowed.
  explicit Survey(Cutting& cutting) : cutting_(cutting) {}

  /// Of those that may be the quickest, and of the cheapest of each mesh, in the order of what they
  /// promise, of a large program once they fit. Most micro-batches stand first in `all`.
  std::vector<Candidate> run(const std::vector<Configuration>& all) const { return run(all, 0); }

  /// Of a smaller program those that such a survey left out because others promise far less, where
  /// these have no room: the best that fits takes `best_s`.
  std::vector<Candidate> left_out(std::vector<Configuration> all,
                                  const std::vector<Candidate>& surveyed, double best_s) const {
    if (cutting_.is_large() || surveyed.empty()) return {};
    const double promised_s = std::ranges::min_element(surveyed, {}, &Candidate::table_s)->table_s;
    if (best_s <= kHopeless * promised_s) return {};
    std::erase_if(all, [&](const Configuration& one) {
      return std::ranges::find(surveyed, one, &Candidate::configuration) != surveyed.end();
    });
    return run(all, best_s);
  }

 private:
  /// `best_s`: all that may be quicker; 0: than the cheapest, or nearly.
  std::vector<Candidate> run(const std::vector<Configuration>& all, double best_s) const {
    std::vector<Candidate> cheap = cheapest_of_each(all, best_s);
    look_again(cheap);
    std::ranges::stable_sort(cheap, {}, &Candidate::table_s);
    return estimated(std::move(cheap), best_s);
  }

  /// Into how many equal parts the devices of a mesh may cut the samples of a micro-batch.
  std::int64_t num_parts(const Configuration& one) const {
    const Program& program = cutting_.problem().program;
    std::int64_t parts = one.num_devices();
    for (const Input& input : program.inputs) {
      const std::vector<std::int64_t>& dims = program.shape(input.value).dims;
      if (input.kind == InputKind::batch && !dims.empty())
        parts = std::gcd(parts, dims.front() / one.num_micro_batches);
    }
    return parts;
  }

  /// A first look; at fewer micro-batches as long as they take less, or nearly. What cuts samples
  /// among fewer devices than more micro-batches do tells nothing of still fewer of these.
  std::vector<Candidate> cheapest_of_each(const std::vector<Configuration>& all,
                                          double best_s) const {
    std::vector<Candidate> cheap;
    double least_s = std::numeric_limits<double>::infinity();
    std::vector<std::vector<Configuration>> groups = by_mesh(all);
    if (cutting_.is_quick() && !cutting_.is_huge()) {
      std::ranges::stable_partition(groups, [](const auto& group) {  // looks at them take little
        return group.front().axes.size() == 1;
      });
    }
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      FirstLooks looks;
      std::int64_t most_parts = 0;
      const bool is_any = best_s > 0;
      const std::vector<Configuration> some = is_any ? *group : worth_a_look(*group, cheap);
      const auto alone_s = [&](const Configuration& one) { return cutting_.least_steps().of(one); };
      const auto dots_s = [&](const Configuration& one) { return alone_s(one) * one.fill(); };
      const auto may_be_quickest = [&](const Configuration& one) {  // schedules may wait for less
        return is_any ? alone_s(one) < best_s
                      : looks.may_be_quickest(dots_s(one), kHopeless * least_s);
      };
      const auto most_s = [&] { return std::max(kNear * least_s, best_s); };
      for (auto one = some.begin(); one != some.end(); ++one) {
        const Configuration& configuration = *one;
        if (!may_be_quickest(configuration)) continue;
        try {
          cutting_.begin(configuration, Cutting::first_look, 1, most_s());
          const auto next = is_any || looks.is_likely_to_go_on(configuration)
                                ? std::find_if(one + 1, some.end(), may_be_quickest)
                                : some.end();
          if (next != some.end()) cutting_.begin(*next, Cutting::first_look, 1, most_s());
          else if (group + 1 != groups.end())
            cutting_.foresee(group[1].front(), Cutting::first_look);
          cheap.push_back(cutting_.cheapest(configuration, Cutting::first_look, 1, most_s()));
        } catch (const Error& error) {
          cutting_.strategies().reject(configuration.name(), error.what());
          continue;
        }
        const bool goes_on = looks.add(cheap.back(), dots_s(configuration));
        // Of what is dear the cut is some one, that may be forbidden; its bound tells of others.
        if (cutting_.is_quick() && cheap.back().table_bound_s > most_s())
          cheap.back().strategy = {};
        const std::int64_t parts = num_parts(configuration);
        if (!goes_on && !is_any && parts >= most_parts) break;
        most_parts = std::max(most_parts, parts);
        least_s = std::min(least_s, looks.best_s());
      }
      cutting_.forget();
    }
    std::erase_if(cheap, [](const Candidate& one) { return one.strategy.chunks.empty(); });
    return cheap;
  }

  /// Of a mesh, at level 2. Of a huge program what lies between promises about as much, and a
  /// shortlist counts on from what is quick. Of several axes those that promise the most of one
  /// axis with as many stages, and where these have no room the most micro-batches, of which each
  /// device has the fewest bytes.
  std::vector<Configuration> worth_a_look(const std::vector<Configuration>& group,
                                          const std::vector<Candidate>& cheap) const {
    if (cutting_.is_brief()) return every_second(group);
    if (!cutting_.is_quick() || group.front().axes.size() == 1) return group;
    double best_s = std::numeric_limits<double>::infinity();
    for (const Candidate& one : cheap) {
      if (is_mate(one.configuration, group.front())) best_s = std::min(best_s, one.table_bound_s);
    }
    if (best_s == std::numeric_limits<double>::infinity()) return group;  // one axis tells nothing
    std::vector<Configuration> some;
    bool has_room = false;
    for (const Configuration& one : group) {
      const auto mate = std::ranges::find_if(cheap, [&](const Candidate& other) {
        return is_mate(other.configuration, one) && other.table_bound_s <= kFar * best_s &&
               other.configuration.num_micro_batches == one.num_micro_batches;
      });
      if (mate == cheap.end()) continue;
      some.push_back(one);
      has_room = has_room || squeeze(mate->table_bytes) <= 1;
    }
    if (!has_room && (some.empty() || some.front() != group.front()))
      some.insert(some.begin(), group.front());
    return some;
  }

  /// Of one axis, and as many stages.
  static bool is_mate(const Configuration& one, const Configuration& of) {
    return one.axes.size() == 1 && one.num_stages == of.num_stages;
  }

  /// Several axes of which no cut takes much less than what is known of one axis.
  bool is_beaten(const Candidate& candidate, const std::vector<Candidate>& cheap) const {
    if (!cutting_.is_quick() || cutting_.is_huge() || candidate.configuration.axes.size() == 1)
      return false;
    return std::ranges::any_of(cheap, [&](const Candidate& mate) {
      return is_mate(mate.configuration, candidate.configuration) &&
             mate.table_s <= kFar * candidate.table_bound_s;
    });
  }

  /// A first look may end far above its bound: of each mesh that may be the quickest by its bound
  /// one count of micro-batches is looked at more thoroughly.
  void look_again(std::vector<Candidate>& cheap) const {
    if (cheap.empty()) return;
    const bool is_large = cutting_.is_large();
    std::ranges::stable_sort(cheap, {}, [&](const Candidate& one) {
      return one.table_bound_s * (is_large ? squeeze(one.table_bytes) : 1);
    });
    double best_s = std::ranges::min_element(cheap, {}, &Candidate::table_s)->table_s;
    const std::size_t most_meshes = cutting_.is_brief() ? kFewMeshes : kMostMeshes;
    std::vector<Configuration> known;
    if (cutting_.is_quick() && !cutting_.is_huge()) {
      std::ranges::stable_partition(
          cheap, [](const Candidate& one) { return one.configuration.axes.size() == 1; });
    }
    const auto is_worth_it = [&](const Candidate& candidate) {
      return candidate.table_bound_s <= kNear * best_s &&
             !is_of_any(candidate.configuration, known) && !is_beaten(candidate, cheap);
    };
    const auto is_far = [](const Candidate& one) { return one.table_s > kFar * one.table_bound_s; };
    std::vector<bool> is_asked(cheap.size());  // meanwhile, for estimates of cuts that are final
    const std::size_t most_ahead = cutting_.is_huge() ? 1 : kMostAhead;
    for (auto one = cheap.begin(); one != cheap.end(); ++one) {
      if (!is_worth_it(*one)) continue;
      if (cutting_.is_quick() && known.size() >= most_meshes) break;
      known.push_back(one->configuration);
      if (!is_far(*one)) continue;
      const auto begin = [&](const Candidate& of) {
        cutting_.begin(of.configuration, Cutting::segments, 1, kNear * best_s);
      };
      begin(*one);
      // The next ones, too, if they are still worth it should those before reach their bounds.
      std::vector<std::pair<Candidate*, double>> begun;  // with the seconds that are known of them
      for (auto next = one; next != cheap.end() && begun.size() <= most_ahead;) {
        begun.emplace_back(&*next, std::exchange(next->table_s, next->table_bound_s));
        next = std::find_if(next + 1, cheap.end(), [&](const Candidate& other) {
          const bool is_alone = std::ranges::none_of(begun, [&](const auto& before) {
            return before.first->configuration.is_of_mesh(other.configuration);
          });
          return is_alone && is_far(other) && is_worth_it(other);
        });
        if (next != cheap.end()) begin(*next);
      }
      for (const auto& [candidate, table_s] : begun) candidate->table_s = table_s;
      for (std::size_t i = 0, left = kMostAhead; i < cheap.size() && left > 0; ++i) {
        if (is_asked[i] || is_far(cheap[i]) || cheap[i].table_s > kQuickNear * best_s) continue;
        is_asked[i] = true, --left;
        cutting_.ask(cheap[i].strategy);
      }
      take_better(*one,
                  cutting_.cheapest(one->configuration, Cutting::segments, 1, kNear * best_s));
      best_s = std::min(best_s, one->table_s);
    }
    cutting_.forget();
  }

  /// Tables know nothing of what overlaps, so that a mesh may promise what it takes as a person
  /// would write it.
  std::vector<Candidate> estimated(std::vector<Candidate> cheap, double best_s) const {
    std::vector<Candidate> looked;
    std::vector<Configuration> meshes;
    const double near = cutting_.is_brief() ? kQuickNear : kNear;
    const double most_s = std::max(cheap.empty() ? 0 : near * cheap.front().table_s, best_s);
    for (Candidate& candidate : cheap) {
      const bool is_known = is_of_any(candidate.configuration, meshes),
                 is_dear = cutting_.is_quick() &&
                           (is_known ? candidate.table_s : may_take_s(candidate)) > most_s;
      if (is_dear || (is_known && looked.size() >= kMostEstimates && cutting_.is_large())) continue;
      try {
        candidate.estimate = cutting_.strategies().estimate(candidate.strategy);
      } catch (const Error& error) {  // what ops read may not say how they are cut
        cutting_.strategies().reject(candidate.configuration.name(), error.what());
        continue;
      }
      candidate.promised_s = candidate.step_s();
      // What is varied first, mostly.
      if (looked.empty() && cutting_.is_quick() && squeeze(candidate.estimate.peak_bytes) <= 1)
        cutting_.begin_all(candidate.configuration, cutting_.options().level);
      looked.push_back(std::move(candidate));
      if (!is_known) meshes.push_back(looked.back().configuration);
    }
    write(looked);
    std::ranges::stable_sort(looked, {}, [&](const Candidate& one) { return hope_s(one); });
    return looked;
  }

  /// Of a large program once it fits: with more made anew, or as it is written with all that is cut
  /// like the batch that can be.
  double hope_s(const Candidate& one) const {
    if (!cutting_.is_large()) return one.promised_s;
    const double remade_s = one.promised_s * squeeze(one.estimate.peak_bytes);
    return std::min(remade_s, one.written_s);
  }

  /// Of a mesh, by a cut of it, or where that tells little by its bound; each takes its time.
  double may_take_s(const Candidate& one) const {
    const bool is_estimated = one.estimate.step_s > 0;
    if (is_lost(one) && !cutting_.is_huge()) return one.table_bound_s;
    return is_estimated ? one.step_s() : one.table_s;
  }

  double squeeze(double bytes) const { return common::squeeze(cutting_.problem(), bytes); }

  /// One of each mesh: the others promise as much less than they take.
  void write(std::vector<Candidate>& looked) const {
    const auto fitting_s = [&](const Candidate& one) {
      return may_take_s(one) * squeeze(one.estimate.peak_bytes);
    };
    if (cutting_.is_quick()) std::ranges::stable_sort(looked, {}, fitting_s);
    std::vector<Configuration> meshes;
    for (std::size_t i = 0; i < looked.size(); ++i) {
      Candidate& first = looked[i];
      if (is_of_any(first.configuration, meshes)) continue;
      if (cutting_.is_quick() && fitting_s(first) > kQuickNear * fitting_s(looked.front()))
        continue;
      meshes.push_back(first.configuration);
      first.writing = std::make_shared<Writing>(cutting_.problem().program, cutting_.strategies(),
                                                first.strategy, cutting_.options().zero);
      const double share = std::min(1.0, first.writing->least_s() / first.step_s());
      if (!cutting_.is_quick() && squeeze(first.estimate.peak_bytes) > 1)
        first.written_s = first.writing->least_small_s(cutting_.problem());
      for (Candidate& other : looked) {
        if (other.configuration.is_of_mesh(first.configuration))
          other.promised_s = other.step_s() * share;
      }
    }
  }

  static constexpr std::size_t kMostAhead = 2, kMostEstimates = 12, kMostMeshes = 10,
                               kFewMeshes = 6;
  static constexpr double kNear = FirstLooks::kNear, kQuickNear = 1.1, kFar = FirstLooks::kFar;
  static constexpr double kHopeless = 1.5;  ///< of dots alone, were all else beside them

  Cutting& cutting_;
};

}  // namespace rhino::common
