// SPDX-License-Identifier: Apache-2.0
#include "rivals.hpp"

#include "common/configurations.hpp"

namespace rhino::test {
namespace {

class Rivals {
 public:
  Rivals(const SearchProblem& problem, Strategies& strategies)
      : problem_(problem), strategies_(strategies) {}

  void add_data_parallel() {
    const auto chunks = strategies_.chunks(1, {{"data", problem_.cluster.num_devices()}});
    for (const std::int64_t count : problem_.micro_batch_counts) {
      for (const std::int32_t zero : {0, 1, 2, 3})
        add({.name = "data parallel, zero " + std::to_string(zero),
             .num_micro_batches = count,
             .chunks = chunks,
             .batch_axis = 0,
             .zero_stage = zero});
    }
  }

  void add_drawn(Random& random) {
    const auto one_of = [&](const auto& all) {
      return all[at(draw(random, static_cast<std::int64_t>(all.size())))];
    };
    const common::Configuration drawn = one_of(common::configurations(problem_, 2));
    StrategyDraft draft{.name = "drawn",
                        .num_micro_batches = drawn.num_micro_batches,
                        .chunks = strategies_.chunks(static_cast<std::int32_t>(drawn.num_stages),
                                                     drawn.mesh_axes()),
                        .batch_axis = static_cast<AxisId>(draw(random, 3)) - 1,
                        .recompute = common::recomputed(
                            problem_.program, static_cast<common::Recompute>(draw(random, 3)))};
    if (draft.batch_axis < 0) draft.batch_axis = -2;
    else if (at(draft.batch_axis) >= drawn.axes.size()) draft.batch_axis = 0;
    if (draft.batch_axis >= 0) draft.zero_stage = static_cast<std::int32_t>(draw(random, 4));
    annotate(random, drawn, draft);
    add(draft);
  }

  Answer best;

 private:
  void annotate(Random& random, const common::Configuration& drawn, StrategyDraft& draft) const {
    for (const Input& input : problem_.program.inputs) {
      const auto& dims = problem_.program.shape(input.value).dims;
      if (input.kind != InputKind::parameter || dims.empty()) continue;
      Annotation made{input.value, std::vector<std::vector<AxisId>>(dims.size())};
      for (AxisId axis = 0; at(axis) < drawn.axes.size(); ++axis) {
        const std::size_t dim = at(draw(random, std::ssize(dims)));
        const bool fits = made.dims[dim].empty() && dims[dim] % drawn.axes[at(axis)] == 0;
        if (axis != draft.batch_axis && fits && draw(random, 3) > 0) made.dims[dim].push_back(axis);
      }
      draft.annotations.push_back(std::move(made));
    }
  }

  void add(const StrategyDraft& draft) {
    try {
      const Strategy strategy = strategies_.complete(draft);
      const Evaluation priced = strategies_.evaluate(strategy);
      if (!priced.feasible || (best.ok() && best.step_s <= priced.step_s)) return;
      best.step_s = priced.step_s, best.peak_bytes = priced.peak_bytes;
      best.strategy = strategy;
    } catch (const Error&) {
      return;  // it does not divide, or dims are cut into strips
    }
  }

  const SearchProblem& problem_;
  Strategies& strategies_;
};

}  // namespace

Answer quickest_rival(Toy& toy, double memory_bytes, std::uint64_t seed, int num_drawn) {
  Answer best;
  toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
    Rivals rivals(problem, strategies);
    rivals.add_data_parallel();
    Random random(seed);
    for (int i = 0; i < num_drawn; ++i) rivals.add_drawn(random);
    best = rivals.best;
  });
  return best;
}

}  // namespace rhino::test
