// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/pass_graph.hpp"

namespace rhino::common {

/// All meshes' lists in one, in which every pass comes after what it reads; kept up while lists
/// change.
class JointOrder {
 public:
  explicit JointOrder(const PassGraph& graph)
      : graph_(graph), lists_(graph.num_meshes()), places_(graph.num_meshes()) {}

  /// False: the lists wait for each other in a circle.
  bool follow(const PassLists& lists) {
    bool is_kept = !order_.empty();
    for (std::size_t mesh = 0; mesh < lists.size() && is_kept; ++mesh)
      is_kept = exchange(lists[mesh], mesh);
    if (is_kept) return true;
    lists_ = lists;
    return sort();
  }
  const PassList& order() const { return order_; }

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  std::size_t index(std::int32_t pass, std::int32_t micro_batch) const {
    return static_cast<std::size_t>(micro_batch) * static_cast<std::size_t>(graph_.num_passes()) +
           static_cast<std::size_t>(pass);
  }
  std::size_t& place(std::int32_t pass, std::int32_t micro_batch) {
    return place_[index(pass, micro_batch)];
  }

  /// What changed in the list of one mesh goes where that lay; false where something then comes
  /// before what it reads.
  bool exchange(const PassList& list, std::size_t mesh) {
    PassList& known = lists_[mesh];
    if (list.size() != known.size()) return false;
    const auto begin = std::ranges::mismatch(list, known).in1 - list.begin();
    if (begin == std::ssize(list)) return true;
    auto end = std::ssize(list);
    while (list[static_cast<std::size_t>(end) - 1] == known[static_cast<std::size_t>(end) - 1])
      --end;
    const Range changed{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
    for (std::size_t i = changed.begin; i < changed.end; ++i) put(list[i], mesh, i);
    return is_ordered(list, changed);
  }
  void put(const PassUse& use, std::size_t mesh, std::size_t i) {
    lists_[mesh][i] = use;
    order_[places_[mesh][i]] = use;
    place(use.pass, use.micro_batch) = places_[mesh][i];
  }
  bool is_ordered(const PassList& list, const Range& range) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const auto [pass, micro_batch] = list[i];
      const std::size_t own = place(pass, micro_batch);
      for (const PassGraph::Source& source : graph_.crossing(pass))
        if (place(source.pass, micro_batch) > own) return false;
      for (const std::int32_t reader : graph_.readers(pass))
        if (place(reader, micro_batch) < own) return false;
    }
    return true;
  }

  /// There and back over the meshes, since that is how micro-batches run.
  bool sort() {
    order_.clear();
    done_.assign(static_cast<std::size_t>(graph_.num_passes()), 0);
    place_.resize(done_.size() * static_cast<std::size_t>(graph_.num_micro_batches()));
    for (std::vector<std::size_t>& places : places_) places.clear();
    std::size_t num_uses = 0;
    for (const PassList& list : lists_) num_uses += list.size();
    order_.reserve(num_uses);
    for (bool is_back = false, moved = true; moved; is_back = !is_back) {
      const std::size_t before = order_.size();
      for (std::size_t i = 0; i < lists_.size(); ++i) advance(is_back ? lists_.size() - 1 - i : i);
      moved = order_.size() > before;
    }
    if (order_.size() == num_uses) return true;
    order_.clear();
    return false;
  }
  void advance(std::size_t mesh) {
    const PassList& list = lists_[mesh];
    std::vector<std::size_t>& places = places_[mesh];
    for (std::size_t i = places.size(); i < list.size() && is_ready(list[i]); ++i) {
      ++done_[static_cast<std::size_t>(list[i].pass)];
      place(list[i].pass, list[i].micro_batch) = order_.size();
      places.push_back(order_.size());
      order_.push_back(list[i]);
    }
  }
  bool is_ready(const PassUse& use) const {
    for (const PassGraph::Source& source : graph_.crossing(use.pass))
      if (done_[static_cast<std::size_t>(source.pass)] <= use.micro_batch) return false;
    return true;
  }

  const PassGraph& graph_;
  PassLists lists_;
  PassList order_;
  std::vector<std::vector<std::size_t>> places_;  ///< [mesh], of its list in the order
  std::vector<std::size_t> place_;                ///< of micro-batch and pass, likewise
  std::vector<std::int32_t> done_;                ///< [pass]: micro-batches
};

}  // namespace rhino::common
