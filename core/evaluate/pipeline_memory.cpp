// SPDX-License-Identifier: Apache-2.0
/// What meshes hold at a time while passes run.
#include <algorithm>
#include <cmath>

#include "evaluate/pipeline_walk.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

std::vector<double> PipelineWalk::most_bytes(const std::vector<ChunkBytes>& chunks) const {
  std::vector<Changes> changes(order_.size());
  for (std::size_t c = 0; c < parts_.crossings.size(); ++c) {
    const Crossing& crossing = parts_.crossings[c];
    if (!sharding::is_pass(crossing.phase)) continue;
    const std::vector<Span>& made = spans_[site_number({crossing.phase, crossing.chunk})];
    for (std::size_t m = 0; m < made.size(); ++m) {
      double left_s = made[m].begin_s;
      for (const Crossing::Target& target : crossing.targets) {
        const std::vector<Span>&used = spans_[site_number({target.phase, target.chunk})],
              &kept = spans_[site_number({target.kept_to, target.chunk})];
        left_s = std::max(left_s, used[m].begin_s);
        Changes& own = changes[mesh_of(target.chunk)];
        const double posted_s = sent_[c].left_s[m];
        hold(target.bytes, {posted_s, used[m].end_s}, own);
        hold(target.kept_bytes, {posted_s, (kept.empty() ? used : kept)[m].end_s}, own);
      }
      hold(crossing.bytes, {made[m].begin_s, left_s}, changes[mesh_of(crossing.chunk)]);
    }
  }
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const auto& [kept, in_first, in_pass, in_last, sums] = chunks[c];
    Changes& own = changes[mesh_of(static_cast<std::int32_t>(c))];
    const auto *const passes = &spans_[kNumPasses * c], &forward = passes[0], &backward = passes[1],
                      &weight = passes[2].empty() ? backward : passes[2];
    for (std::size_t m = 0; m < forward.size(); ++m) {
      hold(kept.forward_to_backward, {forward[m].begin_s, backward[m].end_s}, own);
      hold(kept.forward_to_weight, {forward[m].begin_s, weight[m].end_s}, own);
      hold(kept.backward_to_weight, {backward[m].begin_s, weight[m].end_s}, own);
    }
    for (std::size_t pass = 0; pass < kNumPasses; ++pass) {
      if (passes[pass].empty()) continue;
      const auto first = std::ranges::min_element(passes[pass], {}, &Span::begin_s);
      for (const Span& span : passes[pass])
        hold(&span == &*first ? in_first[pass] : in_pass[pass], span, own);
      hold(-sums[pass], {0, first->begin_s}, own);
    }
    if (!weight.empty()) hold(in_last, *std::ranges::max_element(weight, {}, &Span::begin_s), own);
  }
  std::vector<double> most;
  for (Changes& own : changes) most.push_back(most_of(std::move(own)));
  return most;
}

void PipelineWalk::hold(double bytes, const Span& span, Changes& changes) {
  if (bytes == 0) return;
  changes.emplace_back(span.begin_s, bytes);
  changes.emplace_back(std::max(span.end_s, std::nextafter(span.begin_s, kNever)), -bytes);
}

double PipelineWalk::most_of(Changes changes) {
  std::ranges::sort(changes);  // at equal times what ends is gone first
  double now = 0, most = 0;
  for (const auto& [time_s, bytes] : changes) most = std::max(most, now += bytes);
  return most;
}

}  // namespace rhino::evaluate
