// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/candidate.hpp"
#include "common/choice/known_solutions.hpp"
#include "common/cut_choice.hpp"
#include "common/solving.hpp"
#include "common/space_width.hpp"
#include "rhino/error.hpp"

namespace rhino::common {

/// How a search cuts the values of a configuration, and with how much work.
class Cutting {
 public:
  /// How much work a cut is worth.
  enum Level : std::int64_t {
    first_look = 1,
    segments = 2,  ///< op by op where that takes little work
    whole = 3,     ///< op by op, and until nothing gets better
  };
  struct Options {
    bool zero = true, strided = true, is_linear = false;
    std::int64_t level = whole;
  };

  /// The first two are borrowed; of the problem its memory does not matter. `solutions`: of this
  /// and of other levels.
  Cutting(const SearchProblem& problem, Strategies& strategies, const Options& options,
          std::shared_ptr<choice::KnownSolutions> solutions =
              std::make_shared<choice::KnownSolutions>())
      : problem_(problem),
        strategies_(strategies),
        options_(options),
        uncut_(problem, strategies, options.is_linear),
        least_steps_(problem.cluster, strategies, options.strided),
        width_(problem.program, strategies),
        deadline_(strategies),
        solutions_(std::move(solutions)) {}

  const SearchProblem& problem() const { return problem_; }
  Strategies& strategies() const { return strategies_; }
  const Options& options() const { return options_; }
  LeastSteps& least_steps() { return least_steps_; }
  choice::KnownSolutions& solutions() { return *solutions_; }

  /// Of several axes nothing is cut in strides where their tables would be too large.
  bool may_stride(const Configuration& configuration) {
    return options_.strided && !width_.is_wide(configuration, true);
  }

  /// Ops that repeat are then cut alike at a first look, and less is looked at.
  bool is_large() const { return problem_.program.size() > kMostUntied; }
  /// Op by op takes long then.
  bool is_huge() const { return problem_.program.size() > kMostSettled; }
  /// Level 2 of what is no toy.
  bool is_brisk() const { return options_.level < whole; }
  /// Of a large program level 2 looks at what promises the most.
  bool is_quick() const { return options_.level < whole && is_large(); }
  /// And of a huge one at nothing that is much like what it has looked at.
  bool is_brief() const { return options_.level < whole && is_huge(); }

  /// That a cut may be chosen by.
  std::vector<double> shares_of_communication() const {
    if (is_huge()) return {1};
    if (is_large()) return {1, 0.5};
    return {1, 0.5, 0.2};
  }

  /// `share`: of seconds in collectives, the rest lying beside kernels; `stage_of` as of
  /// StrategyDraft::chunk_of. Throws Error where the batch does not divide.
  CutChoice choice(const Configuration& configuration, std::int64_t level, double share = 1,
                   const std::vector<std::int32_t>& stage_of = {}) {
    return CutChoice(parts(configuration, level, share, stage_of));
  }

  /// The cheapest one by tables; of steps longer than `most_s` some one, that their bound is above,
  /// and at level 2 of large programs no strategy.
  /// All but first looks are remembered. Throws Error where there is none.
  Candidate cheapest(const Configuration& configuration, std::int64_t level, double share = 1,
                     double most_s = std::numeric_limits<double>::infinity()) {
    if (const Known* known = this->known(configuration, level, share, most_s)) return known->found;
    Foreseen one = foreseen(configuration, level, share);
    Candidate found = one.solving != nullptr && one.solving->most_s() >= most_s
                          ? waited_for(configuration, level, *one.solving, most_s)
                          : cheapest(configuration, level, CutChoice(std::move(one.parts)), most_s);
    if (level == first_look) return found;  // they are many, and looked at once
    std::erase_if(known_, [&](const Known& known) {
      return known.found.configuration == configuration && known.level == level &&
             known.share == share;
    });
    return known_.emplace_back(std::move(found), level, share, most_s).found;
  }
  Candidate cheapest(const Configuration& configuration, std::int64_t level,
                     const std::vector<std::int32_t>& stage_of) {
    return cheapest(configuration, level, choice(configuration, level, 1, stage_of),
                    std::numeric_limits<double>::infinity());
  }

  /// What cheapest() may be asked for next: foresee() makes its tables while something else is
  /// solved, begin() has another thread solve it. That changes no answer. Of programs of few ops
  /// neither does anything: threads would take longer than they save.
  void foresee(const Configuration& configuration, std::int64_t level, double share = 1) {
    if (problem_.program.size() < kFewestAhead) return;
    try {
      foreseen_.push_back(foreseen(configuration, level, share));
    } catch (const Error&) {  // for whoever asks for it
    }
  }
  void begin(const Configuration& configuration, std::int64_t level, double share = 1,
             double most_s = std::numeric_limits<double>::infinity()) {
    if (known(configuration, level, share, most_s) != nullptr) return;
    foresee(configuration, level, share);
    if (foreseen_.empty() || !foreseen_.back().is_of(configuration, level, share)) return;
    Foreseen& one = foreseen_.back();
    if (one.solving == nullptr)
      one.solving =
          std::make_unique<Solving>(helper_, one.parts, dear_effort(configuration, level), most_s);
  }
  /// With each share of its communication.
  void begin_all(const Configuration& configuration, std::int64_t level) {
    for (const double share : shares_of_communication()) begin(configuration, level, share);
  }
  /// An estimate that is asked for again soon: evaluators remember.
  void ask(const Strategy& strategy) {
    try {
      strategies_.estimate(strategy);
    } catch (const Error&) {  // for whoever asks for it
    }
  }
  /// Ends what was begun and not asked for.
  void forget() {
    for (Foreseen& one : foreseen_) {
      if (one.solving == nullptr) continue;
      one.solving->end();
      ended_.push_back(std::move(one.solving));
    }
    std::erase_if(ended_, [](const auto& solving) { return !solving->is_running(); });
  }

  /// Ends when the search is out of time.
  choice::Effort effort(const Configuration& configuration, std::int64_t level) const {
    return timely(whatever_time(configuration, level));
  }
  choice::Effort timely(choice::Effort effort) const {
    effort.deadline = &deadline_;
    return effort;
  }

 private:
  struct SearchDeadline final : choice::Deadline {
    explicit SearchDeadline(Strategies& searched) : strategies(searched) {}
    bool is_over() const override { return strategies.is_out_of_time(); }
    Strategies& strategies;
  };

  choice::Effort whatever_time(const Configuration& configuration, std::int64_t level) const {
    const bool is_one_axis = configuration.axes.size() == 1;
    if (level == whole && (is_one_axis || problem_.program.size() < kFewOps)) return choice::kExact;
    if (level == whole && !is_large()) return choice::kUnbranched;
    if (level == whole) return {.num_sweeps = 100, .improvement_work = 0};
    if (!is_large()) return choice::kCareful;
    if (level == first_look) return choice::kQuick;
    return is_tied(configuration, level) ? choice::kThorough : choice::kSettled;
  }

  struct Known {
    Candidate found;
    std::int64_t level = 0;
    double share = 1, most_s = 0;
    bool is_whole() const { return found.table_bound_s <= most_s; }
  };

  struct Foreseen {
    std::int64_t level;
    double share;
    CutChoice::Parts parts;
    std::unique_ptr<Solving> solving = nullptr;
    bool is_of(const Configuration& configuration, std::int64_t of_level, double of_share) const {
      return parts.configuration == configuration && level == of_level && share == of_share;
    }
  };

  static constexpr std::int32_t kMostUntied = 4000, kMostSettled = 20000, kFewestAhead = 1000;

  const Known* known(const Configuration& configuration, std::int64_t level, double share,
                     double most_s) const {
    for (const Known& known : known_) {
      if (known.found.configuration == configuration && known.level == level &&
          known.share == share && (known.is_whole() || known.most_s >= most_s))
        return &known;
    }
    return nullptr;
  }

  CutChoice::Parts parts(const Configuration& configuration, std::int64_t level, double share,
                         const std::vector<std::int32_t>& stage_of = {}) {
    const bool strided = may_stride(configuration);
    if (width_.is_wide(configuration, strided))
      throw Error("its ops may be cut in too many ways for tables of them");
    return CutChoice::parts(problem_, strategies_, uncut_.of(configuration, stage_of),
                            configuration,
                            {.tied = is_tied(configuration, level),
                             .zero = options_.zero,
                             .strided = strided,
                             .reshard_share = share});
  }

  /// As it was foreseen, no longer held, or made now.
  Foreseen foreseen(const Configuration& configuration, std::int64_t level, double share) {
    for (auto one = foreseen_.begin(); one != foreseen_.end(); ++one) {
      if (!one->is_of(configuration, level, share)) continue;
      Foreseen taken = std::move(*one);
      foreseen_.erase(one);
      return taken;
    }
    return {level, share, parts(configuration, level, share)};
  }

  /// First looks of large programs are not come to again, and take much memory.
  bool is_seen_once(std::int64_t level) const { return is_large() && level == first_look; }

  /// For which what is dear is of no use.
  choice::Effort dear_effort(const Configuration& configuration, std::int64_t level) const {
    choice::Effort effort = this->effort(configuration, level);
    effort.repairs_dear = !is_quick();
    return effort;
  }
  choice::Effort effort(const Configuration& configuration, std::int64_t level,
                        const CutChoice& cuts, double most_s) const {
    choice::Effort effort = dear_effort(configuration, level);
    effort.most_cost = cuts.cost(most_s);
    return effort;
  }

  Candidate cheapest(const Configuration& configuration, std::int64_t level, const CutChoice& cuts,
                     double most_s) {
    const choice::Effort effort = this->effort(configuration, level, cuts, most_s);
    return made(configuration, cuts, effort,
                is_seen_once(level) ? cuts.solve(effort) : solutions_->solve(cuts.graph(), effort));
  }
  Candidate waited_for(const Configuration& configuration, std::int64_t level, Solving& solving,
                       double most_s) {
    solving.wait();
    const CutChoice& cuts = solving.choice();
    if (!is_seen_once(level))
      solutions_->add(cuts.graph(), effort(configuration, level, cuts, solving.most_s()),
                      solving.found());
    return made(configuration, cuts, effort(configuration, level, cuts, most_s), solving.found());
  }

  Candidate made(const Configuration& configuration, const CutChoice& cuts,
                 const choice::Effort& effort, choice::Solution found) {
    const bool is_dear = is_quick() && found.bound > effort.most_cost && !found.is_forced();
    const bool is_none = found.cost >= choice::kForbidden && !is_dear;
    if (is_none && (found.is_forced() || !cuts.repair(found, effort))) {
      // Where time was up that ends the search, with what there is to run.
      if (deadline_.is_over()) strategies_.estimate(*uncut_.of(configuration).like);
      throw Error(why_forbidden(found));
    }
    Candidate made{configuration, {}};
    if (!is_dear) made.strategy = cuts.strategy(found.labels);
    made.table_s = cuts.step_s(found.cost);
    made.table_bound_s = cuts.step_s(found.bound);
    made.table_bytes = cuts.device_bytes(found.labels);
    return made;
  }

  std::string why_forbidden(const choice::Solution& found) const {
    if (!found.is_forced())
      return "its search ended before a cut was found in which all that meets fits together";
    return problem_.pins.empty() ? "there is no cut in which all that meets fits together"
                                 : "no cut in which all that meets fits together keeps to the pins";
  }

  /// Whether ops that repeat are cut alike: graphs of few nodes, but ones that are hard to solve.
  bool is_tied(const Configuration& configuration, std::int64_t level) const {
    if (level == first_look) return true;
    return is_huge() && configuration.axes.size() > 1 && level == segments;
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
  Options options_;
  Uncut uncut_;
  LeastSteps least_steps_;
  SpaceWidth width_;
  SearchDeadline deadline_;
  std::vector<Known> known_;
  std::shared_ptr<choice::KnownSolutions> solutions_;
  Helper helper_;
  std::list<Foreseen> foreseen_;                 ///< few
  std::vector<std::unique_ptr<Solving>> ended_;  ///< whose threads may be about to see it
};

}  // namespace rhino::common
