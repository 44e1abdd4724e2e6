// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "common/striped/relay_trees.hpp"

/// The order in which pieces go between hosts: all pairs of hosts advance side by side, each in
/// proportion to what it has to move in all. At these constant rates no interface carries more than
/// its load, whatever the loads are, and max-min fair sharing keeps close to them; an order that
/// serves pairs one after the other would rely on devices of one host waiting for each other, which
/// they do not. Within a round, sender s begins with another receiver than sender s + 1, as in a
/// Latin square.
namespace rhino::common::striped {

namespace detail {

/// Positions of the nodes that are `member`s among each other.
inline std::vector<std::int32_t> ranks(const std::vector<bool>& member, std::int32_t& count) {
  std::vector<std::int32_t> rank(member.size());
  count = 0;
  for (std::size_t v = 0; v < member.size(); ++v) {
    rank[v] = count;
    count += member[v] ? 1 : 0;
  }
  return rank;
}

/// When a crossing begins, as a part of the whole: 0 to 1.
class Progress {
 public:
  Progress(const Traffic& traffic, std::int32_t num_nodes) : traffic_(traffic) {
    std::vector<bool> sends(at(num_nodes)), receives(sends);
    for (const Crossing& crossing : traffic.crossings) {
      sends[at(crossing.from)] = receives[at(crossing.to)] = true;
      ++pairs_[{crossing.from, crossing.to}].num_pieces;
    }
    std::int32_t num_senders = 0;
    sender_rank_ = ranks(sends, num_senders);
    receiver_rank_ = ranks(receives, num_receivers_);
  }

  double of_piece(std::int32_t c) const {
    const Piece& piece = traffic_.pieces[at(traffic_.crossings[at(c)].piece)];
    return (static_cast<double>(piece.part) + 0.5) / static_cast<double>(piece.num_parts);
  }

  /// Of the next piece of the crossing's pair of nodes.
  double next(std::int32_t c) {
    const Crossing& crossing = traffic_.crossings[at(c)];
    Pair& pair = pairs_[{crossing.from, crossing.to}];
    const std::int32_t turn =
        (receiver_rank_[at(crossing.to)] - sender_rank_[at(crossing.from)]) % num_receivers_;
    const double in_round = static_cast<double>(turn < 0 ? turn + num_receivers_ : turn) /
                            static_cast<double>(num_receivers_);
    return (static_cast<double>(pair.next++) + in_round) / static_cast<double>(pair.num_pieces);
  }

 private:
  struct Pair {
    std::int64_t next = 0, num_pieces = 0;
  };

  const Traffic& traffic_;
  std::map<std::pair<std::int32_t, std::int32_t>, Pair> pairs_;
  std::vector<std::int32_t> sender_rank_, receiver_rank_;
  std::int32_t num_receivers_ = 0;
};

inline void sort_by(const std::vector<double>& key, std::vector<std::int32_t>& order) {
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return key[at(a)] < key[at(b)]; });
}

}  // namespace detail

/// Crossings in the order in which they are to begin; a relay comes after what it relays.
inline std::vector<std::int32_t> progress_order(const Traffic& traffic, std::int32_t num_nodes) {
  detail::Progress progress(traffic, num_nodes);
  std::vector<std::int32_t> order(traffic.crossings.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> begin(order.size());
  for (const std::int32_t c : order) begin[at(c)] = progress.of_piece(c);
  detail::sort_by(begin, order);
  for (const std::int32_t c : order) begin[at(c)] = progress.next(c);
  std::iota(order.begin(), order.end(), 0);
  for (const std::int32_t c : order) {
    const std::int32_t parent = traffic.crossings[at(c)].parent;
    if (parent >= 0) begin[at(c)] = std::max(begin[at(c)], begin[at(parent)]);
  }
  detail::sort_by(begin, order);
  return order;
}

}  // namespace rhino::common::striped
