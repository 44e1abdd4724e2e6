// SPDX-License-Identifier: Apache-2.0
// Races schedule/auto against the other schedules of single chunks on random pipelines, by list
// execution: schedule_race PLUGINS COUNT [SEED]. Only who keeps to the memory of a pipeline takes
// part. Prints every loss with its seed, and in the end wins, ties and losses against each, by how
// much, gaps to the bound, and time. Exit 1: auto loses 2 % of the races against any or one by more
// than 1 %, its median gap is above 3 %, or an order is quicker than the bound or does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>

#include "chains.hpp"
#include "evaluate/pipeline_bound.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

using namespace rhino;

namespace {

constexpr const char* kOthers[] = {"gpipe", "1f1b", "eager_1f1b", "zb_h1", "zero_bubble"};
constexpr const char* kDrafting[] = {"auto", "zero_bubble"};
constexpr double kTie = 1e-9, kMostLoss = 0.01, kMostLosses = 0.02, kMostGap = 0.03;

/// Of this process, so that others do not count.
double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double at_share(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Racer {
  std::string name;
  std::unique_ptr<Schedule> schedule;
  std::vector<double> gaps, losses;  ///< losses: of auto against it, below 0 where it wins
  std::vector<double> cpu_s;
};

class Race {
 public:
  explicit Race(const std::string& plugins) : registry_({plugins}), own_(racer("auto")) {
    for (const char* name : kOthers) others_.push_back(racer(name));
    for (const char* name : kDrafting) drafts_.push_back(racer(name));
  }

  void run(unsigned seed) {
    std::mt19937 random(seed);
    PipelineProblem problem = test::random_chain(random);
    const double bound_s = evaluate::pipeline_bound_s(problem);
    const double own_s = period_s(own_, problem, bound_s);
    std::map<std::string, double> full_s{{own_.name, own_s}};
    if (own_s == 0) fail(fmt::format("seed {}: auto does not fit", seed));
    for (Racer& other : others_) {
      const double other_s = period_s(other, problem, bound_s);
      if (other_s == 0) continue;
      full_s[other.name] = other_s;
      other.losses.push_back(own_s / other_s - 1);
      if (other.losses.back() > kTie)
        fmt::print("seed {}, {} stages, {} micro-batches: {:.2f} % behind {}\n", seed,
                   problem.num_meshes, problem.num_micro_batches, 100 * other.losses.back(),
                   other.name);
    }
    problem.is_draft = true;
    for (Racer& draft : drafts_)
      draft.losses.push_back(period_s(draft, problem, bound_s) / full_s.at(draft.name) - 1);
  }

  bool report() {
    fmt::print("{:12} {:>5} {:>9} {:>9} {:>5} {:>5} {:>9} {:>9} {:>9} {:>7} {:>9}\n", "", "wins",
               "by median", "most", "ties", "loses", "most", "gap", "p90", "worst", "longest");
    print(own_);
    for (const Racer& other : others_) print(other);
    fmt::print(
        "drafts, longer than full answers by median, p90, most; gap of median, p90; cpu of "
        "median, longest\n");
    for (const Racer& draft : drafts_) print_draft(draft);
    if (at_share(own_.gaps, 0.5) > kMostGap) fail("the median gap of auto is too large");
    for (const Racer& other : others_) {
      const auto lost = static_cast<double>(
          std::ranges::count_if(other.losses, [](double loss) { return loss > kTie; }));
      if (lost >= kMostLosses * static_cast<double>(other.losses.size()) && lost > 0)
        fail("auto loses too often against " + other.name);
      if (at_share(other.losses, 1) > kMostLoss) fail("auto loses too much against " + other.name);
    }
    return is_ok_;
  }

 private:
  Racer racer(const std::string& name) {
    return {.name = name,
            .schedule = plugin::make_schedule(registry_.find("schedule/" + name), Options()),
            .gaps = {},
            .losses = {},
            .cpu_s = {}};
  }
  void fail(const std::string& why) {
    fmt::print("FAILED: {}\n", why);
    is_ok_ = false;
  }

  /// 0: it does not fit.
  double period_s(Racer& racer, const PipelineProblem& problem, double bound_s) {
    const double begin_s = cpu_s();
    const PipelineSchedule schedule = racer.schedule->schedule(problem);
    const double taken_s = cpu_s() - begin_s;
    const plan::PassOrder order = plan::pass_order(problem, schedule);
    if (!test::fits(problem, order)) return 0;
    const double period_s = test::times(problem, order).period_s;
    if (period_s < bound_s * (1 - kTie)) fail(racer.name + " is quicker than the bound");
    racer.gaps.push_back(period_s / bound_s - 1);
    racer.cpu_s.push_back(taken_s);
    return period_s;
  }

  static void print(const Racer& racer) {
    std::vector<double> wins, losses;  // each by how much
    for (const double loss : racer.losses) {
      if (loss < -kTie) wins.push_back(1 / (1 + loss) - 1);
      if (loss > kTie) losses.push_back(loss);
    }
    fmt::print(
        "{:12} {:5} {:7.2f} % {:7.2f} % {:5} {:5} {:7.2f} % {:7.2f} % {:7.2f} % {:5.1f} % {:6.0f} "
        "ms\n",
        racer.name, wins.size(), 100 * at_share(wins, 0.5), 100 * at_share(wins, 1),
        racer.losses.size() - wins.size() - losses.size(), losses.size(), 100 * at_share(losses, 1),
        100 * at_share(racer.gaps, 0.5), 100 * at_share(racer.gaps, 0.9),
        100 * at_share(racer.gaps, 1), 1e3 * at_share(racer.cpu_s, 1));
  }

  static void print_draft(const Racer& draft) {
    fmt::print("{:12} {:5.2f} % {:5.2f} % {:5.2f} %  {:5.2f} % {:5.2f} %  {:4.1f} ms {:4.1f} ms\n",
               draft.name, 100 * at_share(draft.losses, 0.5), 100 * at_share(draft.losses, 0.9),
               100 * at_share(draft.losses, 1), 100 * at_share(draft.gaps, 0.5),
               100 * at_share(draft.gaps, 0.9), 1e3 * at_share(draft.cpu_s, 0.5),
               1e3 * at_share(draft.cpu_s, 1));
  }

  plugin::Registry registry_;
  Racer own_;
  std::vector<Racer> others_, drafts_;
  bool is_ok_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const auto count = static_cast<unsigned>(std::atoi(argv[2])),
             first = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 1000);
  try {
    Race race(argv[1]);
    fmt::print("seeds {} to {}\n", first, first + count - 1);
    for (unsigned seed = first; seed < first + count; ++seed) race.run(seed);
    return race.report() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
