// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/configurations.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

/// What takes less memory however values are cut: what devices that share a batch split of states,
/// gradients and parameters, and what backward passes make anew.
namespace rhino::common {

/// A draft, and what tables say of it.
struct PricedDraft {
  StrategyDraft draft;
  Estimate estimate;
};

struct Thrift {
  std::int32_t zero_stage = 0;
  Recompute recompute = Recompute::nothing;

  std::string name() const {
    std::string text = zero_stage > 0 ? ", ZeRO " + std::to_string(zero_stage) : "";
    if (recompute == Recompute::segments) text += ", recomputing segments";
    if (recompute == Recompute::all) text += ", recomputing";
    return text;
  }
};

/// Of a draft that is not thrifty.
inline StrategyDraft with(const Thrift& thrift, const Program& program, StrategyDraft draft) {
  draft.name += thrift.name();
  draft.zero_stage = thrift.zero_stage;
  draft.recompute = recomputed(program, thrift.recompute);
  for (Chunk& chunk : draft.chunks) chunk.recompute = thrift.recompute == Recompute::all;
  return draft;
}

/// None: ops or sums cannot be cut so, or a pin is broken.
inline std::optional<PricedDraft> priced(const SearchProblem& problem, Strategies& strategies,
                                         StrategyDraft draft) {
  try {
    const Strategy made = strategies.complete(draft);
    if (!keeps_pins(problem, made)) return {};
    return PricedDraft{std::move(draft), strategies.estimate(made)};
  } catch (const Error&) {  // the others may do
    return {};
  }
}

/// Whether devices share its batch, so that there is something to split.
inline bool is_shared(const StrategyDraft& draft) {
  return draft.batch_axis >= 0 && draft.chunks.front().mesh.axes[at(draft.batch_axis)].size > 1;
}

/// With updates of parts, which take less time, too.
inline std::optional<PricedDraft> with_parts(const SearchProblem& problem, Strategies& strategies,
                                             const StrategyDraft& draft) {
  if (!is_shared(draft)) return {};
  return priced(problem, strategies, with({.zero_stage = 1}, problem.program, draft));
}

/// All that differ, but for nothing at all and with_parts() alone. Of one micro-batch sums are
/// scattered once at either stage.
inline std::vector<Thrift> thrifts(const StrategyDraft& draft) {
  std::vector<Thrift> list;
  for (const Recompute recompute : {Recompute::nothing, Recompute::segments, Recompute::all}) {
    for (const std::int32_t zero : {0, 1, 2, 3}) {
      const bool is_same =
          (zero > 0 && !is_shared(draft)) || (zero == 2 && draft.num_micro_batches == 1);
      if (!is_same && (zero >= 2 || recompute != Recompute::nothing))
        list.push_back({zero, recompute});
    }
  }
  return list;
}

namespace detail {

/// The quickest, and the smallest if it is cut otherwise; not thrifty, and of that name.
inline std::vector<StrategyDraft> ends_of(const std::vector<PricedDraft>& large,
                                          const std::string& name) {
  const auto& quickest = *std::ranges::min_element(
      large, {}, [](const PricedDraft& one) { return one.estimate.step_s; });
  const auto& smallest = *std::ranges::min_element(
      large, {}, [](const PricedDraft& one) { return one.estimate.peak_bytes; });
  std::vector<StrategyDraft> ends{quickest.draft};
  if (smallest.draft.annotations != quickest.draft.annotations) ends.push_back(smallest.draft);
  for (StrategyDraft& draft : ends) draft.name = name;
  return ends;
}

}  // namespace detail

/// Of what lacks memory, one or more that differ in what they cut and in with_parts(), those that
/// take less: first what fits by its estimate, the quickest before all, then the smallest.
inline std::vector<PricedDraft> thriftier(const SearchProblem& problem, Strategies& strategies,
                                          const std::vector<PricedDraft>& large,
                                          const std::string& name) {
  constexpr std::size_t kMost = 6;
  std::vector<PricedDraft> found;
  for (const StrategyDraft& draft : detail::ends_of(large, name)) {
    for (const Thrift& thrift : thrifts(draft)) {
      StrategyDraft less = with(thrift, problem.program, draft);
      if (thrift.recompute == Recompute::segments && less.recompute.empty()) continue;
      if (auto one = priced(problem, strategies, std::move(less))) found.push_back(std::move(*one));
    }
  }
  std::ranges::stable_sort(found, {}, [&](const PricedDraft& one) {
    const double bytes = one.estimate.peak_bytes;
    const bool is_large = problem.memory_limit_bytes > 0 && bytes > problem.memory_limit_bytes;
    return std::pair(is_large, is_large ? bytes : one.estimate.step_s);
  });
  if (found.size() > kMost) found.resize(kMost);
  return found;
}

}  // namespace rhino::common
