// SPDX-License-Identifier: Apache-2.0
#include "sharding/reshard_path.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <optional>
#include <tuple>

#include "rhino/shape.hpp"

namespace rhino::sharding {
namespace {

std::int64_t axis_size(const Mesh& mesh, std::int32_t axis) {
  return mesh.axes[static_cast<std::size_t>(axis)].size;
}

/// How far an axis has come on its way. A way that begins or ends replicated has only two of them.
enum Stage : std::uint8_t { kAtStart, kReplicated, kAtGoal, kNumStages };

/// Elements received first, then the number of moves.
struct Cost {
  double elements = std::numeric_limits<double>::infinity();
  std::int32_t moves = 0;
  auto operator<=>(const Cost&) const = default;
};

/// Dijkstra over the stages of the axes that differ; a state is their stages as digits to base
/// kNumStages.
class PathSearch {
 public:
  PathSearch(const std::vector<std::int64_t>& dims, const Layout& from, const Layout& to,
             const Mesh& mesh)
      : dims_(dims), from_(from), to_(to), mesh_(mesh) {
    for (std::size_t a = 0; a < from.size(); ++a) {
      if (from[a] != to[a]) axes_.push_back(static_cast<std::int32_t>(a));
    }
  }

  std::vector<Move> run() {
    if (axes_.empty()) return {};
    const std::size_t start = state_at(&PathSearch::start_stage);
    const std::size_t goal = state_at(&PathSearch::goal_stage);
    nodes_.assign(num_states(), Node{});
    nodes_[start].cost = {0, 0};
    for (std::size_t state = start; state != goal; state = cheapest_open()) {
      nodes_[state].closed = true;
      for (std::size_t kind = 0; kind < kNumKinds; ++kind) relax(state, Move::Kind(kind));
    }
    elements_ = nodes_[goal].cost.elements;
    return moves_to(start, goal);
  }

  /// Cost of the path that run() has found.
  double elements() const { return elements_; }

 private:
  static constexpr std::size_t kNumKinds = 7;
  using Kind = Placement::Kind;

  struct Node {
    Cost cost;
    std::size_t before = 0;
    Move::Kind kind = Move::Kind::slice;
    std::uint32_t axes = 0;  ///< a bit per entry of axes_
    bool closed = false;
  };

  std::size_t num_states() const {
    std::size_t count = 1;
    for (std::size_t i = 0; i < axes_.size(); ++i) count *= kNumStages;
    return count;
  }

  Stage start_stage(std::size_t i) const {
    return from_[axis(i)].kind == Kind::replicated ? kReplicated : kAtStart;
  }
  Stage goal_stage(std::size_t i) const {
    return to_[axis(i)].kind == Kind::replicated ? kReplicated : kAtGoal;
  }
  std::size_t axis(std::size_t i) const { return static_cast<std::size_t>(axes_[i]); }

  std::size_t state_at(Stage (PathSearch::*stage)(std::size_t) const) const {
    std::size_t state = 0;
    for (std::size_t i = axes_.size(); i-- > 0;) state = state * kNumStages + (this->*stage)(i);
    return state;
  }

  static Stage stage_in(std::size_t state, std::size_t i) {
    for (; i > 0; --i) state /= kNumStages;
    return Stage(state % kNumStages);
  }

  Placement placement(std::size_t i, Stage stage) const {
    if (stage == kReplicated) return {};
    return stage == kAtStart ? from_[axis(i)] : to_[axis(i)];
  }

  Layout layout(std::size_t state) const {
    Layout result = from_;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      result[axis(i)] = placement(i, stage_in(state, i));
    }
    return result;
  }

  /// Where a move of `kind` takes axis i from `stage`, if anywhere.
  std::optional<Stage> step(std::size_t i, Stage stage, Move::Kind kind) const {
    const Kind before = placement(i, stage).kind;
    const bool leaves = stage != goal_stage(i);
    const Kind goal = to_[axis(i)].kind;
    const auto to_goal = [&](bool fits) {
      return fits && leaves ? std::optional<Stage>(goal_stage(i)) : std::nullopt;
    };
    switch (kind) {
      case Move::Kind::slice: return to_goal(before == Kind::replicated && goal == Kind::split);
      case Move::Kind::mask: return to_goal(before == Kind::replicated && goal == Kind::partial);
      case Move::Kind::spread: return to_goal(before == Kind::split && goal == Kind::partial);
      case Move::Kind::reduce_scatter:
        return to_goal(before == Kind::partial && goal == Kind::split);
      case Move::Kind::all_to_all: return to_goal(before == Kind::split && goal == Kind::split);
      case Move::Kind::all_reduce:
        if (before == Kind::partial && leaves) return kReplicated;
        return std::nullopt;
      case Move::Kind::all_gather:
        if (before == Kind::split && leaves) return kReplicated;
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// Tries `kind` on every set of axes that can take it together.
  void relax(std::size_t state, Move::Kind kind) {
    std::uint32_t able = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (step(i, stage_in(state, i), kind)) able |= 1u << i;
    }
    for (std::uint32_t set = able; set != 0; set = (set - 1) & able) relax(state, kind, set);
  }

  void relax(std::size_t state, Move::Kind kind, std::uint32_t set) {
    std::size_t after = state, weight = 1;
    for (std::size_t i = 0; i < axes_.size(); ++i, weight *= kNumStages) {
      if (!(set >> i & 1)) continue;
      const Stage stage = stage_in(state, i);
      after = after + *step(i, stage, kind) * weight - stage * weight;
    }
    Node& node = nodes_[after];
    if (node.closed) return;
    const Layout before = layout(state);
    const Cost cost{nodes_[state].cost.elements + received(before, kind, set),
                    nodes_[state].cost.moves + 1};
    if (!(cost < node.cost) || !legal(before, layout(after), set)) return;
    node = {cost, state, kind, set, false};
  }

  /// Elements that a device receives.
  double received(const Layout& before, Move::Kind kind, std::uint32_t set) const {
    double group = 1;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (set >> i & 1) group *= static_cast<double>(axis_size(mesh_, axes_[i]));
    }
    const auto tile = static_cast<double>(num_elements(tile_dims(dims_, before, mesh_)));
    switch (kind) {
      case Move::Kind::all_reduce: return 2 * tile * (group - 1) / group;
      case Move::Kind::all_gather: return tile * (group - 1);
      case Move::Kind::reduce_scatter:
      case Move::Kind::all_to_all: return tile * (group - 1) / group;
      default: return 0;
    }
  }

  /// Axes that reduce together share the reduction; in every dim the digits before and after must
  /// nest.
  bool legal(const Layout& before, const Layout& after, std::uint32_t set) const {
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    for (std::size_t i = first; i < axes_.size(); ++i) {
      if (!(set >> i & 1)) continue;
      if (before[axis(i)].reduction != before[axis(first)].reduction) return false;
      if (after[axis(i)].reduction != after[axis(first)].reduction) return false;
    }
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      const auto dim = static_cast<std::int32_t>(d);
      std::vector<Digit> digits = digits_of(before, dim, mesh_);
      for (const Digit& digit : digits_of(after, dim, mesh_)) {
        if (before[static_cast<std::size_t>(digit.axis)] !=
            after[static_cast<std::size_t>(digit.axis)]) {
          digits.push_back(digit);
        }
      }
      if (!nest(digits, dims_[d])) return false;
    }
    return true;
  }

  std::size_t cheapest_open() const {
    std::size_t best = nodes_.size();
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      if (nodes_[s].closed) continue;
      if (best == nodes_.size() || nodes_[s].cost < nodes_[best].cost) best = s;
    }
    assert(best < nodes_.size() && nodes_[best].cost < Cost{});
    return best;
  }

  std::vector<Move> moves_to(std::size_t start, std::size_t goal) const {
    std::vector<Move> moves;
    for (std::size_t state = goal; state != start; state = nodes_[state].before) {
      Move move{nodes_[state].kind, {}, layout(state)};
      for (std::size_t i = 0; i < axes_.size(); ++i) {
        if (nodes_[state].axes >> i & 1) move.axes.push_back(axes_[i]);
      }
      moves.push_back(std::move(move));
    }
    std::reverse(moves.begin(), moves.end());
    return moves;
  }

  const std::vector<std::int64_t>& dims_;
  const Layout& from_;
  const Layout& to_;
  const Mesh& mesh_;
  std::vector<std::int32_t> axes_;
  std::vector<Node> nodes_;
  double elements_ = 0;
};

}  // namespace

Layout layout_of(const ShardingSpec& spec, const Mesh& mesh) {
  Layout layout(mesh.axes.size());
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    for (const AxisSplit& split : spec.dims[d].splits) {
      if (axis_size(mesh, split.axis) == 1) continue;
      layout[static_cast<std::size_t>(split.axis)] = {
          Placement::Kind::split, static_cast<std::int32_t>(d), split.period, Reduction::sum};
    }
  }
  for (const Partial& partial : spec.partial) {
    if (axis_size(mesh, partial.axis) == 1) continue;
    layout[static_cast<std::size_t>(partial.axis)] = {Placement::Kind::partial, 0, 0,
                                                      partial.reduction};
  }
  return layout;
}

std::vector<std::int64_t> tile_dims(std::vector<std::int64_t> dims, const Layout& layout,
                                    const Mesh& mesh) {
  for (std::size_t a = 0; a < layout.size(); ++a) {
    if (layout[a].kind != Placement::Kind::split) continue;
    dims[static_cast<std::size_t>(layout[a].dim)] /= mesh.axes[a].size;
  }
  return dims;
}

std::vector<Digit> digits_of(const Layout& layout, std::int32_t dim, const Mesh& mesh) {
  std::vector<Digit> digits;
  for (std::size_t a = 0; a < layout.size(); ++a) {
    if (layout[a].kind != Placement::Kind::split || layout[a].dim != dim) continue;
    digits.push_back({static_cast<std::int32_t>(a), layout[a].period, mesh.axes[a].size});
  }
  std::sort(digits.begin(), digits.end(),
            [](const Digit& a, const Digit& b) { return a.period > b.period; });
  return digits;
}

bool nest(std::vector<Digit>& digits, std::int64_t extent) {
  std::stable_sort(digits.begin(), digits.end(),
                   [](const Digit& a, const Digit& b) { return a.period > b.period; });
  for (const Digit& digit : digits) {
    if (extent % digit.period != 0) return false;
    extent = digit.period / digit.parts;
  }
  return true;
}

std::vector<Move> reshard_path(const std::vector<std::int64_t>& dims, const Layout& from,
                               const Layout& to, const Mesh& mesh) {
  return PathSearch(dims, from, to, mesh).run();
}

double reshard_elements(const std::vector<std::int64_t>& dims, const Layout& from, const Layout& to,
                        const Mesh& mesh) {
  PathSearch search(dims, from, to, mesh);
  search.run();
  return search.elements();
}

}  // namespace rhino::sharding
