// SPDX-License-Identifier: Apache-2.0
#include "cost/tightest_set.hpp"

#include <algorithm>
#include <utility>

#include "rhino/index.hpp"
#include "rhino/work_division.hpp"

namespace rhino::cost {
namespace {

TightestSet within(const std::vector<SharedWork>& works, std::vector<std::int32_t> nodes,
                   std::int32_t num_nodes) {
  std::vector<bool> inside(at(num_nodes), false);
  for (const std::int32_t v : nodes) inside[at(v)] = true;
  TightestSet set{0, std::move(nodes)};
  for (const SharedWork& work : works) {
    if (std::all_of(work.nodes.begin(), work.nodes.end(),
                    [&](std::int32_t v) { return inside[at(v)]; }))
      set.amount += work.amount;
  }
  return set;
}

std::vector<std::int32_t> used_nodes(const std::vector<SharedWork>& works) {
  std::vector<std::int32_t> nodes;
  for (const SharedWork& work : works) {
    if (work.amount > 0) nodes.insert(nodes.end(), work.nodes.begin(), work.nodes.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

TightestSet tightest_set(const std::vector<SharedWork>& works, std::int32_t num_nodes) {
  TightestSet best = within(works, used_nodes(works), num_nodes);
  while (!best.nodes.empty()) {
    // Everyone takes amount / |nodes|; times |nodes|, to stay with integers.
    WorkDivision division(num_nodes, best.amount);
    for (const SharedWork& work : works)
      division.add(work.amount * static_cast<std::int64_t>(best.nodes.size()), work.nodes);
    if (division.divide()) break;
    best = within(works, division.overloaded(), num_nodes);
  }
  return best;
}

}  // namespace rhino::cost
