// SPDX-License-Identifier: Apache-2.0
// A searcher that never ends. It prices one strategy after the other; or, after so many
// `evaluations`, never asks for anything again; or it `estimates` alone, or `tries` each out. One
// that `looks` ends with nothing when it is out of time. One that `sleeps` before it asks takes
// hardly any time of a processor.
#include <chrono>
#include <limits>
#include <thread>

#include "rhino/plugin.hpp"

namespace rhino {
namespace {

class Endless : public Search {
 public:
  explicit Endless(const Options& options)
      : num_left_(
            options.get<std::int64_t>("evaluations", std::numeric_limits<std::int64_t>::max())),
        estimates_(options.get<bool>("estimates", false)),
        tries_(options.get<bool>("tries", false)),
        looks_(options.get<bool>("looks", false)),
        sleeps_(options.get<bool>("sleeps", false)) {}

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    StrategyDraft draft;
    draft.name = "one stage";
    draft.chunks = strategies.chunks(1, {{"data", 1}});
    // From the last count on, so that later ones, of fewer kernels, are quicker.
    std::size_t next = problem.micro_batch_counts.size();
    for (volatile bool forever = true; forever;) {
      if (looks_ && strategies.is_out_of_time()) return {};
      if (sleeps_) std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (num_left_ == 0) continue;
      --num_left_;
      draft.num_micro_batches = problem.micro_batch_counts[--next];
      if (next == 0) next = problem.micro_batch_counts.size();
      try {
        const Strategy strategy = strategies.complete(draft);
        if (tries_) strategies.try_out(strategy)->price();
        else if (estimates_) strategies.estimate(strategy);
        else strategies.evaluate(strategy);
      } catch (const Error& error) {
        strategies.reject(draft.name, error.what());
      }
    }
    return {};
  }

 private:
  std::int64_t num_left_;
  bool estimates_, tries_, looks_, sleeps_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/endless", rhino::Endless, "never ends")
