// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/pass_graph.hpp"
#include "common/step_player.hpp"

namespace rhino::common {

/// Of one mesh's list: `moved` goes in front of `anchor`, or behind it.
struct PassMove {
  PassUse moved, anchor;
  bool is_behind = false;

  /// Moves alike shift the same pass against the same, for other micro-batches.
  bool is_like(const PassMove& other) const {
    return moved.pass == other.moved.pass && anchor.pass == other.anchor.pass &&
           is_behind == other.is_behind;
  }
  auto operator<=>(const PassMove&) const = default;
};

/// False: nothing moves, or the wrong way.
inline bool apply(const PassMove& move, PassList& list) {
  const auto moved = std::ranges::find(list, move.moved),
             anchor = std::ranges::find(list, move.anchor);
  if (move.is_behind) {
    if (moved >= anchor) return false;
    std::rotate(moved, moved + 1, anchor + 1);
  } else {
    if (moved <= anchor) return false;
    std::rotate(anchor, moved, moved + 1);
  }
  return true;
}

/// The list of one mesh is an order: micro-batches one after the other in every pass, each after
/// its F and its B, with room for what is kept.
inline bool is_order(const PassGraph& graph, const PassList& list) {
  std::vector<std::int32_t> next(static_cast<std::size_t>(graph.num_passes()));
  KeptPasses kept;
  for (const PassUse& use : list) {
    const auto pass = static_cast<std::size_t>(use.pass);
    const bool is_first = PassGraph::kind_of(use.pass) == Pass::forward;
    if (next[pass] != use.micro_batch || (!is_first && next[pass - 1] <= use.micro_batch) ||
        !kept.fits(graph, use.pass))
      return false;
    ++next[pass];
    kept.run(graph, use.pass);
  }
  return true;
}

/// What may shorten steps that have been played. From the end of a step back to what it waited for
/// lies a path of passes, each beginning as soon as the one before it lets it. A pass on it that
/// waits for another mesh is better preceded by others of its own; one that others wait for, better
/// followed by what precedes it. All other changes of order leave the path as it is.
class CriticalMoves {
 public:
  CriticalMoves(const PassGraph& graph, const StepPlayer& player, const PassLists& lists)
      : graph_(graph),
        player_(player),
        lists_(lists),
        place_(lists_size(graph)),
        seen_(static_cast<std::size_t>(graph.num_passes())) {
    for (const PassList& list : lists) {
      for (std::size_t i = 0; i < list.size(); ++i) place_[index(list[i])] = i;
    }
  }

  /// Of the path to the end of `step` on `mesh`, each once.
  std::vector<PassMove> find(std::size_t step, std::size_t mesh) {
    moves_.clear();
    std::size_t place = lists_[mesh].size() - 1;
    while (true) {
      const PassUse use = lists_[mesh][place];
      const double begin_s = player_.ends(step).end_s(use) - graph_.seconds(use.pass);
      if (before_s(step, mesh, place) >= begin_s - kRounding * begin_s) {
        if (place == 0 && step == 0) return each_once();
        if (place == 0) --step;
        place = place == 0 ? lists_[mesh].size() - 1 : place - 1;
        continue;
      }
      add_preceding(mesh, place);
      const PassUse sender = waited_for(step, use);
      mesh = static_cast<std::size_t>(graph_.mesh_of(sender.pass));
      place = place_[index(sender)];
      add_following(mesh, place);
    }
  }

 private:
  static constexpr double kRounding = 1e-12;
  static std::size_t lists_size(const PassGraph& graph) {
    return static_cast<std::size_t>(graph.num_passes()) *
           static_cast<std::size_t>(graph.num_micro_batches());
  }
  std::size_t index(const PassUse& use) const {
    return static_cast<std::size_t>(use.pass) *
               static_cast<std::size_t>(graph_.num_micro_batches()) +
           static_cast<std::size_t>(use.micro_batch);
  }
  /// When the mesh is done with what comes in front.
  double before_s(std::size_t step, std::size_t mesh, std::size_t place) const {
    if (place > 0) return player_.ends(step).end_s(lists_[mesh][place - 1]);
    return step > 0 ? player_.ends(step - 1).end_s(lists_[mesh].back()) + graph_.update_s(mesh) : 0;
  }
  PassUse waited_for(std::size_t step, const PassUse& use) const {
    PassUse last;
    double last_s = -PassEnds::kNever;
    for (const PassGraph::Source& source : graph_.sources(use.pass)) {
      const PassUse made{source.pass, use.micro_batch};
      const double there_s = player_.ends(step).end_s(made) + source.seconds;
      if (there_s <= last_s) continue;
      last = made;
      last_s = there_s;
    }
    return last;
  }

  /// The next of every other pass, in front of what waits.
  void add_preceding(std::size_t mesh, std::size_t place) {
    const PassList& list = lists_[mesh];
    const PassUse waits = list[place];
    std::size_t left = see_first(mesh, waits.pass);
    for (std::size_t i = place + 1; i < list.size() && left > 0; ++i)
      left -= add({list[i], waits, false}) ? 1 : 0;
  }
  /// The last of every other pass, behind what others wait for.
  void add_following(std::size_t mesh, std::size_t place) {
    const PassList& list = lists_[mesh];
    const PassUse sends = list[place];
    std::size_t left = see_first(mesh, sends.pass);
    for (std::size_t i = place; i > 0 && left > 0; --i)
      left -= add({list[i - 1], sends, true}) ? 1 : 0;
  }
  /// How many passes of the mesh there are beside this one.
  std::size_t see_first(std::size_t mesh, std::int32_t pass) {
    ++look_;
    seen_[static_cast<std::size_t>(pass)] = look_;
    std::size_t count = 0;
    for (const std::int32_t chunk : graph_.chunks(mesh))
      count += graph_.is_run(PassGraph::of({Pass::weight, chunk})) ? kNumPasses : kNumPasses - 1;
    return count - 1;
  }
  bool add(const PassMove& move) {
    std::int64_t& seen = seen_[static_cast<std::size_t>(move.moved.pass)];
    if (seen == look_) return false;
    seen = look_;
    moves_.push_back(move);
    return true;
  }
  std::vector<PassMove> each_once() {
    std::ranges::sort(moves_);
    moves_.erase(std::unique(moves_.begin(), moves_.end()), moves_.end());
    return std::move(moves_);
  }

  const PassGraph& graph_;
  const StepPlayer& player_;
  const PassLists& lists_;
  std::vector<std::size_t> place_;  ///< per pass and micro-batch, in the list of its mesh
  std::vector<PassMove> moves_;
  std::vector<std::int64_t> seen_;  ///< [pass]: the look that saw it last
  std::int64_t look_ = 0;
};

}  // namespace rhino::common
