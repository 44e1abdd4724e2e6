// SPDX-License-Identifier: Apache-2.0
// A searcher that answers with the largest micro-batch count, which it has not priced. It may tell
// a bound, with the smallest count, which is priced then, or with no strategy at all.
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

class Unpriced : public Search {
 public:
  explicit Unpriced(const Options& options)
      : bound_s_(options.get<double>("bound_s", 0)),
        prices_another_(options.get<bool>("prices_another", false)) {}

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    StrategyDraft draft;
    draft.chunks = strategies.chunks(1, {{"data", 1}});
    draft.num_micro_batches = problem.micro_batch_counts.front();
    const Strategy another = strategies.complete(draft);
    if (prices_another_) strategies.offer(another, bound_s_);
    else if (bound_s_ > 0) strategies.offer(Strategy{}, bound_s_);
    draft.name = "unpriced";
    draft.num_micro_batches = problem.micro_batch_counts.back();
    return {strategies.complete(draft)};
  }

 private:
  double bound_s_;
  bool prices_another_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/unpriced", rhino::Unpriced, "answers with what it has not priced")
