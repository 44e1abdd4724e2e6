// SPDX-License-Identifier: Apache-2.0
// A searcher whose answers are no strategies of its problem, each in the way that `fault` says.
#include <cstdint>
#include <string>

#include "rhino/plugin.hpp"

namespace rhino {
namespace {

class Astray : public Search {
 public:
  explicit Astray(const Options& options) : fault_(options.get<std::string>("fault", "none")) {}

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    StrategyDraft draft;
    draft.name = "astray";
    if (fault_ == "meshes") strategies.chunks(-3, {{"data", 2}});
    if (fault_ == "axis") strategies.chunks(1, {{"data", 2}, {"tensor", 0}});
    if (fault_ == "axes")
      strategies.chunks(1, {{"data", std::int64_t{1} << 32}, {"tensor", std::int64_t{1} << 32}});
    draft.chunks = strategies.chunks(1, {{"data", 2}});
    if (fault_ == "shared") draft.chunks.push_back(draft.chunks.front());
    draft.batch_axis = 0;
    draft.num_micro_batches = problem.micro_batch_counts.front() / (fault_ == "count" ? 2 : 1);
    Strategy strategy = strategies.complete(draft);
    std::vector<DeviceId>& devices = strategy.chunks.front().mesh.devices;
    if (fault_ == "values") strategy.chunk_of.pop_back();
    if (fault_ == "twice") devices[1] = devices[0];
    if (fault_ == "device") devices[1] = 99;
    if (fault_ == "name") {
      strategy.name = "of\ntwo \033[31mlines" + std::string(10'000, '!');
      strategies.reject(strategy.name, "for\nno reason");
    }
    return {strategy};
  }

 private:
  std::string fault_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/astray", rhino::Astray, "answers with what is no strategy of its problem")
