// SPDX-License-Identifier: Apache-2.0
// A searcher that prices one strategy after the other and never ends.
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

class Endless : public Search {
 public:
  explicit Endless(const Options&) {}

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    StrategyDraft draft;
    draft.name = "one stage";
    draft.chunks = strategies.chunks(1, {{"data", 1}});
    draft.num_micro_batches = problem.micro_batch_counts.front();
    while (true) {
      try {
        strategies.evaluate(strategies.complete(draft));
      } catch (const Error& error) {
        strategies.reject(draft.name, error.what());
      }
    }
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/endless", rhino::Endless, "never ends")
