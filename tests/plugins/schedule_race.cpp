// SPDX-License-Identifier: Apache-2.0
// Races schedule/auto against the other schedules of single chunks on random pipelines, by list
// execution: schedule_race PLUGINS COUNT [SEED]. Only who keeps to the memory of a pipeline takes
// part. Prints every loss with its seed, and in the end wins, ties and losses against each, by how
// much, gaps to the bound, and time. Exit 1: auto loses 2 % of the races against any or one by more
// than 1 %, its median gap is above 3 %, or an order is quicker than the bound or does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "chains.hpp"
#include "evaluate/pipeline_bound.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "schedule_racer.hpp"

using namespace rhino;
using test::at_share;
using test::kTie;
using test::period_s;
using test::Racer;

namespace {

constexpr const char* kOthers[] = {"gpipe", "1f1b", "eager_1f1b", "zb_h1", "zero_bubble"};
constexpr const char* kDrafting[] = {"auto", "zero_bubble"};
constexpr double kMostLoss = 0.01, kMostLosses = 0.02, kMostGap = 0.03;

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
    test::print_head("");
    test::print(own_);
    for (const Racer& other : others_) test::print(other);
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
  Racer racer(const std::string& name) const { return test::racer(registry_, name, name); }
  void fail(const std::string& why) {
    fmt::print("FAILED: {}\n", why);
    is_ok_ = false;
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
