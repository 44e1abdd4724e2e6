// SPDX-License-Identifier: Apache-2.0
#include "choice_instance.hpp"

#include <map>

#include "codec/json.hpp"

namespace rhino::test {
namespace {

using common::choice::CostGraph;

struct NodeText {
  std::vector<double> cost, bytes;
  bool operator==(const NodeText&) const = default;
};
constexpr auto members(const NodeText*) {
  return std::tuple(codec::named("cost", &NodeText::cost), codec::named("bytes", &NodeText::bytes));
}

struct EdgeText {
  std::int32_t from = 0, to = 0, table = 0;
  bool operator==(const EdgeText&) const = default;
};
constexpr auto members(const EdgeText*) {
  return std::tuple(codec::named("from", &EdgeText::from), codec::named("to", &EdgeText::to),
                    codec::named("table", &EdgeText::table));
}

struct GraphText {
  std::vector<std::vector<double>> tables;
  std::vector<NodeText> nodes;
  std::vector<EdgeText> edges;
};
constexpr auto members(const GraphText*) {
  return std::tuple(codec::named("tables", &GraphText::tables),
                    codec::named("nodes", &GraphText::nodes),
                    codec::named("edges", &GraphText::edges));
}

struct Style {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
};

void check(const GraphText& text) {
  const auto size_of = [&](std::int32_t node) { return text.nodes.at(at(node)).cost.size(); };
  for (const EdgeText& edge : text.edges) {
    const bool is_there = edge.from >= 0 && edge.to >= 0 && edge.table >= 0 &&
                          at(edge.from) < text.nodes.size() && at(edge.to) < text.nodes.size() &&
                          at(edge.table) < text.tables.size();
    if (!is_there || edge.from == edge.to ||
        text.tables[at(edge.table)].size() != size_of(edge.from) * size_of(edge.to))
      throw Error("an edge from node " + std::to_string(edge.from) + " to node " +
                  std::to_string(edge.to) + " does not fit them");
  }
}

}  // namespace

std::string text_of(const CostGraph& graph) {
  GraphText text;
  for (const CostGraph::Node& node : graph.nodes) text.nodes.push_back({node.cost, node.bytes});
  std::map<const std::vector<double>*, std::int32_t> index;
  for (const CostGraph::Edge& edge : graph.edges) {
    const auto [known, is_new] =
        index.try_emplace(edge.cost.get(), static_cast<std::int32_t>(text.tables.size()));
    if (is_new) text.tables.push_back(*edge.cost);
    text.edges.push_back({edge.from, edge.to, known->second});
  }
  return codec::JsonWriter<Style>().text(text);
}

CostGraph instance_of(const std::string& text) {
  const codec::JsonText json(text, "no choice");
  const auto read = codec::JsonReader<Style>().read<GraphText>(json.root());
  check(read);
  CostGraph graph;
  for (const NodeText& node : read.nodes) graph.nodes.push_back({node.cost, node.bytes});
  std::vector<common::choice::Table> tables;
  for (const std::vector<double>& costs : read.tables)
    tables.push_back(common::choice::table(costs));
  for (const EdgeText& edge : read.edges)
    graph.edges.push_back({edge.from, edge.to, tables[at(edge.table)]});
  return graph;
}

}  // namespace rhino::test
