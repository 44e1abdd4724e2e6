// SPDX-License-Identifier: Apache-2.0
#include "plugin/suggest.hpp"

#include <algorithm>

namespace rhino::plugin {
namespace {

/// Edits (insert, delete, replace, swap of neighbours) from `a` to `b`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  const auto distance = [&](const std::string& other) { return edit_distance(word, other); };
  const auto nearest = std::min_element(
      known.begin(), known.end(),
      [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
  if (distance(*nearest) <= std::max<std::size_t>(2, word.size() / 3))
    return "; did you mean '" + *nearest + "'?";
  std::string list = "; known: ";
  for (std::size_t i = 0; i < known.size(); ++i) list += (i ? ", " : "") + known[i];
  return list;
}

}  // namespace rhino::plugin
