// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/send_queue.hpp"

#include <algorithm>
#include <utility>

namespace rhino::runtime {
namespace {

auto place(const Turn& turn) { return std::pair(turn.launch, turn.task); }

struct Later {
  bool operator()(const Turn& a, const Turn& b) const { return place(a) > place(b); }
};

bool is_same_step(const Turn& a, const Turn& b) { return a.launch == b.launch && a.step == b.step; }

}  // namespace

void SendQueue::reserve(std::size_t num_turns) {
  waiting_.clear();
  waiting_.reserve(num_turns);
  num_under_way_ = 0;
}

void SendQueue::push(const Turn& turn) {
  waiting_.push_back(turn);
  std::push_heap(waiting_.begin(), waiting_.end(), Later{});
}

std::optional<Turn> SendQueue::next() {
  if (waiting_.empty() || num_under_way_ == kMostUnderWay) return std::nullopt;
  Turn turn = pop();
  if (is_under_way(turn) && !waiting_.empty()) {
    const Turn other = pop();
    push(std::exchange(turn, other));
  }
  under_way_[num_under_way_++] = turn;
  return turn;
}

void SendQueue::end(std::int64_t launch, std::int32_t task) {
  for (std::size_t i = 0; i < num_under_way_; ++i) {
    if (place(under_way_[i]) != std::pair(launch, task)) continue;
    under_way_[i] = under_way_[--num_under_way_];
    return;
  }
}

Turn SendQueue::pop() {
  std::pop_heap(waiting_.begin(), waiting_.end(), Later{});
  const Turn turn = waiting_.back();
  waiting_.pop_back();
  return turn;
}

bool SendQueue::is_under_way(const Turn& turn) const {
  return std::any_of(under_way_.begin(),
                     under_way_.begin() + static_cast<std::ptrdiff_t>(num_under_way_),
                     [&](const Turn& other) { return is_same_step(other, turn); });
}

}  // namespace rhino::runtime
