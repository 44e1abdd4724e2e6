// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"
#include "common/pinned_values.hpp"
#include "common/reads.hpp"
#include "common/space_layouts.hpp"
#include "rhino/program.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// The choice of a strategy for every op of a space, as a graph of costs: seconds of a step in
/// which nothing overlaps.
///
/// A node is an op, its labels the strategies of its class. What several ops read of a value in one
/// pass they read of a node between: its label is a layout into which the value is brought once,
/// and from which each reader takes its own. So a choice costs what StrategySpace says, or a little
/// more where readers want layouts that differ.
class StrategyGraph {
 public:
  struct Options {
    std::int64_t num_micro_batches = 1;
    bool tied = false;          ///< ops that the space says repeat are cut alike
    bool zero = true;           ///< states may be cut further than their parameters
    bool scatter_each = false;  ///< as of GradientSums
    /// Per value the chunk that makes it; -1: whatever chunk reads it.
    std::vector<std::int32_t> chunk_of;
    ChunkFlow flow;  ///< of these chunks
    /// Seconds of reshards count by so much: less, where kernels run beside them.
    double reshard_share = 1;
    std::vector<Pin> pins = {};       ///< that each choice keeps to
    std::vector<MeshAxis> axes = {};  ///< of the mesh
    /// Bytes of tiles that live within a pass count by so much.
    double temporary_share = 0;
  };

  /// Program and space are borrowed.
  StrategyGraph(const Program& program, const StrategySpace& space, Options options)
      : program_(program),
        space_(space),
        options_(std::move(options)),
        layouts_(space, options_.reshard_share),
        pinned_(options_.pins, options_.axes) {
    pinned_.follow(space, options_.zero);
    const std::vector<Read> reads = reads_by_place(program, space);
    add_nodes(reads);
    for (std::span<const Read> left = reads; !left.empty();) add_reads(next_place(left));
    for (const auto& [value, renewed] : space.updates) tie(value, renewed);
    if (!options_.zero) {
      for (const auto& [parameter, state] : space.states) tie(parameter, state);
    }
    std::ranges::sort(edges_, {}, &Edge::ends);
    for (const Edge& edge : edges_) add_edge(edge.ends.first, edge.ends.second, edge.parts);
    edges_.clear(), edge_of_.clear();
  }

  const choice::CostGraph& graph() const { return graph_; }

  /// How all values lie then; those that are not of the space as in `others`.
  std::vector<ShardingSpec> specs(const choice::Labels& labels,
                                  const std::vector<ShardingSpec>& others) const {
    std::vector<ShardingSpec> specs;
    specs.reserve(at(program_.size()));
    for (ValueId id = 0; id < program_.size(); ++id) {
      const std::int32_t node = node_of_[at(id)];
      specs.push_back(node >= 0 ? spec(id, labels[at(node)]) : others[at(id)]);
    }
    return specs;
  }

  /// Per node of the graph a value that it is of: one whose op it is, or that is read of it.
  std::vector<ValueId> values() const {
    std::vector<ValueId> values(graph_.nodes.size(), kNoValue);
    for (ValueId id = 0; id < program_.size(); ++id)
      if (node_of_[at(id)] >= 0) values[at(node_of_[at(id)])] = id;
    for (const auto& [place, between] : between_)
      values[at(between.node)] = values[at(place.first)];
    return values;
  }

  /// What a value is read of in one pass: a node whose labels are layouts of a set.
  struct Between {
    std::int32_t node = -1, set = -1;
  };
  const std::map<std::pair<std::int32_t, std::int32_t>, Between>& between() const {
    return between_;
  }
  /// Per value; -1: it is not of the space.
  const std::vector<std::int32_t>& node_of() const { return node_of_; }
  const StrategySpace& space() const { return space_; }

  /// Per value the seconds of its op in a step.
  std::vector<double> seconds(const choice::Labels& labels) const {
    std::vector<double> seconds(at(program_.size()));
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (node_of_[at(id)] < 0) continue;
      const std::int32_t label = labels[at(node_of_[at(id)])];
      seconds[at(id)] = times(id) * class_of(id).strategies[at(label)].seconds;
    }
    return seconds;
  }

 private:
  using Costs = std::vector<double>;
  using Table = choice::Table;
  /// Tables that add up, each so often.
  using Parts = std::vector<std::pair<Table, int>>;
  struct Edge {
    std::pair<std::int32_t, std::int32_t> ends;
    Parts parts;
  };

  static double allowed(double cost) { return std::min(cost, choice::kForbidden); }

  const OpClass& class_of(ValueId id) const { return space_.classes[at(space_.class_of[at(id)])]; }
  const ShardingSpec& spec(ValueId id, std::int32_t label) const {
    const OpClass& op = class_of(id);
    return space_.layouts[at(op.result_set)].specs[at(op.strategies[at(label)].result)];
  }
  double times(ValueId id) const {
    return class_of(id).per_micro_batch ? static_cast<double>(options_.num_micro_batches) : 1;
  }

  std::int32_t chunk_of(ValueId id) const { return options_.chunk_of[at(id)]; }
  bool crosses(ValueId id, std::int32_t to) const {
    return chunk_of(id) >= 0 && to >= 0 && chunk_of(id) != to;
  }
  /// Parameters and sums of gradients cross once a step, whoever reads them.
  double num_crossings(ValueId id, ValueId reader) const {
    return std::min(times(id), times(reader));
  }
  double crossing_s(ValueId id, std::int32_t to, const LayoutSet& set, std::size_t layout) const {
    return options_.flow.crossing_s(chunk_of(id), to, set.tile_bytes[layout], set.bytes);
  }

  void add_nodes(std::span<const Read> reads) {
    node_of_.assign(at(program_.size()), -1);
    std::vector<ValueId> first(at(program_.size()), kNoValue);
    if (options_.tied) {
      for (const std::vector<ValueId>& values : space_.repeats) {
        for (const ValueId id : values) first[at(id)] = first_alike(values, id);
      }
    }
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (space_.class_of[at(id)] < 0) continue;
      const bool is_first = first[at(id)] == kNoValue || first[at(id)] == id;
      node_of_[at(id)] =
          is_first ? add_node(class_of(id).strategies.size()) : node_of_[at(first[at(id)])];
      add_op(id, graph_.nodes[at(node_of_[at(id)])]);
      while (!reads.empty() && reads.front().place.first == id) add_between(next_place(reads));
    }
  }

  /// It stands behind what makes the value and before its readers, as messages go.
  void add_between(std::span<const Read> reads) {
    const Read& first = reads.front();
    if (is_read_alone(reads)) return;
    const std::int32_t set = class_of(first.reader).operand_sets[first.index];
    const auto [found, is_new] =
        between_.try_emplace({node_of_[at(first.place.first)], first.place.second});
    if (is_new) found->second = {add_node(space_.layouts[at(set)].specs.size()), set};
  }
  bool is_read_alone(std::span<const Read> reads) const {
    return reads.size() == 1 && !is_summed(reads.front());
  }
  bool is_summed(const Read& read) const {
    return space_.keeps[at(read.place.first)] == Keeping::gradient &&
           !class_of(read.reader).per_micro_batch;
  }

  /// Ops that repeat are cut alike as far as they are pinned alike.
  ValueId first_alike(const std::vector<ValueId>& values, ValueId id) const {
    if (pinned_.empty()) return values.front();
    return *std::ranges::find_if(values, [&](ValueId one) { return pinned_.are_alike(one, id); });
  }

  std::int32_t add_node(std::size_t num_labels) {
    graph_.nodes.push_back({Costs(num_labels), Costs(num_labels)});
    return graph_.size() - 1;
  }

  void add_op(ValueId id, choice::CostGraph::Node& node) const {
    const OpClass& op = class_of(id);
    const double kept = num_kept(id);
    for (std::size_t s = 0; s < op.strategies.size(); ++s) {
      if (breaks_pin(id, static_cast<std::int32_t>(s))) node.cost[s] = choice::kForbidden;
      node.cost[s] += times(id) * op.strategies[s].seconds;
      node.bytes[s] +=
          kept * space_.layouts[at(op.result_set)].tile_bytes[at(op.strategies[s].result)];
    }
  }

  bool breaks_pin(ValueId id, std::int32_t label) const {
    return pinned_.contain(id) && !pinned_.allow(id, spec(id, label));
  }

  /// Tiles of one micro-batch, as far as they are there at the same time.
  double num_kept(ValueId id) const {
    if (program_.op(id).operands.empty()) return times(id);  // an input, of all micro-batches
    switch (space_.keeps[at(id)]) {
      case Keeping::state: return 1;
      case Keeping::activation:
        return std::max(options_.flow.in_flight[at(id)], options_.temporary_share);
      case Keeping::gradient: return 0;
      case Keeping::nothing: return options_.temporary_share;
    }
    return 0;
  }

  /// Of one value in one pass.
  void add_reads(std::span<const Read> reads) {
    const auto [id, pass] = reads.front().place;
    if (is_read_alone(reads)) return read_alone(id, reads.front());
    const Read& first = reads.front();
    const bool is_summed = this->is_summed(first);
    const std::int32_t set = class_of(first.reader).operand_sets[first.index];
    const std::int32_t between = between_.at({node_of_[at(id)], pass}).node;
    const LayoutSet& layouts = space_.layouts[at(set)];
    choice::CostGraph::Node& node = graph_.nodes[at(between)];
    if (is_summed) {
      for (std::size_t i = 0; i < layouts.specs.size(); ++i) node.bytes[i] += layouts.tile_bytes[i];
    }
    std::set<std::int32_t> chunks;
    for (const Read& read : reads) chunks.insert(chunk_of(read.reader));
    for (const std::int32_t chunk : chunks) {
      if (!crosses(id, chunk)) continue;
      for (std::size_t i = 0; i < layouts.specs.size(); ++i)
        node.cost[i] += num_crossings(id, first.reader) * crossing_s(id, chunk, layouts, i);
    }
    add_costs(node_of_[at(id)], between, bring(id, set, times(first.reader), is_summed));
    for (const Read& read : reads)
      add_costs(between, node_of_[at(read.reader)], take(set, read, is_summed));
  }

  void read_alone(ValueId id, const Read& read) {
    const OpClass& reader = class_of(read.reader);
    const std::int32_t set = reader.operand_sets[read.index];
    if (crosses(id, chunk_of(read.reader))) {
      choice::CostGraph::Node& node = graph_.nodes[at(node_of_[at(read.reader)])];
      for (std::size_t s = 0; s < reader.strategies.size(); ++s) {
        const std::size_t need = at(reader.strategies[s].operands[read.index]);
        node.cost[s] += num_crossings(id, read.reader) *
                        crossing_s(id, chunk_of(read.reader), space_.layouts[at(set)], need);
      }
    }
    add_costs(node_of_[at(id)], node_of_[at(read.reader)], handed_on(id, read));
  }

  /// From a class of ops to one reader of another class: the same for all ops of both.
  const Table& handed_on(ValueId id, const Read& read) {
    const OpClass &made = class_of(id), &reader = class_of(read.reader);
    Table& known = known_[{0, space_.class_of[at(id)], space_.class_of[at(read.reader)],
                           static_cast<std::int32_t>(read.index)}];
    if (known != nullptr) return known;
    const std::int32_t set = reader.operand_sets[read.index];
    const std::vector<std::int32_t>& there = layouts_.translated(made.result_set, set);
    const Costs& seconds = layouts_.reshards(set);
    const std::size_t count = space_.layouts[at(set)].specs.size();
    Costs costs;
    for (const OpStrategy& from : made.strategies) {
      const std::int32_t own = there[at(from.result)];
      for (const OpStrategy& to : reader.strategies)
        costs.push_back(own < 0 ? choice::kForbidden
                                : allowed(times(read.reader) *
                                          seconds[at(own) * count + at(to.operands[read.index])]));
    }
    return known = choice::table(std::move(costs));
  }

  /// From what a class of ops makes to the layouts of a set.
  const Table& bring(ValueId id, std::int32_t set, double times, bool is_summed) {
    Table& known = known_[{is_summed ? 2 : 1, space_.class_of[at(id)], set, times > 1 ? 1 : 0}];
    if (known != nullptr) return known;
    const OpClass& made = class_of(id);
    const std::vector<std::int32_t>& there = layouts_.translated(made.result_set, set);
    const Costs& seconds = layouts_.reshards(set);
    const std::size_t count = space_.layouts[at(set)].specs.size();
    Costs costs;
    for (const OpStrategy& from : made.strategies) {
      const std::int32_t own = there[at(from.result)];
      for (std::size_t to = 0; to < count; ++to) {
        const bool scatters =
            is_summed && own >= 0 && layouts_.cuts_sums(set, own, static_cast<std::int32_t>(to));
        const double all = scatters ? static_cast<double>(options_.num_micro_batches) : times;
        const bool may = own >= 0 && (!scatters || scatters_each());
        costs.push_back(may ? allowed(all * seconds[at(own) * count + to]) : choice::kForbidden);
      }
    }
    return known = choice::table(std::move(costs));
  }

  /// From the layouts of a set to a reader.
  const Table& take(std::int32_t set, const Read& read, bool is_summed) {
    Table& known = known_[{is_summed ? 4 : 3, set, space_.class_of[at(read.reader)],
                           static_cast<std::int32_t>(read.index)}];
    if (known != nullptr) return known;
    const OpClass& reader = class_of(read.reader);
    const std::int32_t own_set = reader.operand_sets[read.index];
    const std::vector<std::int32_t>& there = layouts_.translated(set, own_set);
    const Costs& seconds = layouts_.reshards(own_set);
    const std::size_t count = space_.layouts[at(own_set)].specs.size();
    Costs costs;
    for (const std::int32_t from : there) {
      for (const OpStrategy& to : reader.strategies) {
        const std::int32_t need = to.operands[read.index];
        const bool is_wrong = from < 0 || (is_summed && scatters_each() &&
                                           layouts_.cuts_sums(own_set, std::max(from, 0), need));
        costs.push_back(is_wrong
                            ? choice::kForbidden
                            : allowed(times(read.reader) * seconds[at(from) * count + at(need)]));
      }
    }
    return known = choice::table(std::move(costs));
  }

  /// Whether sums that the update reads in parts are cut so from the first micro-batch on; else
  /// they are kept as they are made, and scattered once.
  bool scatters_each() const { return options_.scatter_each || options_.num_micro_batches == 1; }

  void tie(ValueId a, ValueId b) {
    if (node_of_[at(a)] < 0 || node_of_[at(b)] < 0) return;
    add_costs(node_of_[at(a)], node_of_[at(b)], same(a, b));
  }

  const Table& same(ValueId a, ValueId b) {
    Table& known = known_[{5, space_.class_of[at(a)], space_.class_of[at(b)], 0}];
    if (known != nullptr) return known;
    Costs costs;
    for (std::size_t i = 0; i < class_of(a).strategies.size(); ++i) {
      for (std::size_t j = 0; j < class_of(b).strategies.size(); ++j) {
        const bool is_same =
            spec(a, static_cast<std::int32_t>(i)) == spec(b, static_cast<std::int32_t>(j));
        costs.push_back(is_same ? 0 : choice::kForbidden);
      }
    }
    return known = choice::table(std::move(costs));
  }

  void add_costs(std::int32_t from, std::int32_t to, const Table& costs) {
    const auto [found, is_new] = edge_of_.try_emplace(std::int64_t{from} << 32 | to, edges_.size());
    if (is_new) edges_.push_back({{from, to}, {}});
    Parts& parts = edges_[found->second].parts;
    for (auto& [table, count] : parts) {
      if (table == costs) return void(++count);
    }
    parts.emplace_back(costs, 1);
  }

  /// Where equal ops are tied, one may read of itself.
  void add_edge(std::int32_t from, std::int32_t to, const Parts& parts) {
    const Table costs = sum(parts);
    if (from != to) return graph_.edges.push_back({from, to, costs});
    Costs& own = graph_.nodes[at(from)].cost;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += (*costs)[i * own.size() + i];
  }

  static Table sum(const Parts& parts) {
    if (parts.size() == 1 && parts.front().second == 1) return parts.front().first;
    Costs sum(parts.front().first->size());
    for (const auto& [table, count] : parts) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = allowed(sum[i] + count * (*table)[i]);
    }
    return choice::table(std::move(sum));
  }

  const Program& program_;
  const StrategySpace& space_;
  Options options_;
  SpaceLayouts layouts_;
  choice::CostGraph graph_;
  PinnedValues pinned_;
  std::vector<std::int32_t> node_of_;  ///< per value
  std::map<std::pair<std::int32_t, std::int32_t>, Between> between_;
  std::map<std::array<std::int32_t, 4>, Table> known_;  ///< of classes and sets, by kind
  std::vector<Edge> edges_;
  std::unordered_map<std::int64_t, std::size_t> edge_of_;  ///< by its ends
};

}  // namespace rhino::common
