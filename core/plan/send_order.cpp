// SPDX-License-Identifier: Apache-2.0
#include "plan/send_order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rhino::plan {
namespace {

auto place(const Turn& turn) { return std::tuple(turn.launch, turn.step, turn.piece); }

struct Later {
  bool operator()(const Turn& a, const Turn& b) const { return place(a) > place(b); }
};

bool is_same_step(const Turn& a, const Turn& b) { return a.launch == b.launch && a.step == b.step; }

}  // namespace

std::int64_t message_bytes(const Communication& communication, const TransferStep& step) {
  return num_elements(step.global) *
         dtype_bytes(communication.parts[static_cast<std::size_t>(step.part)].dtype);
}

bool follows_by_pieces(const TransferStep& before, const TransferStep& step) {
  return step.relayed && before.part == step.part && before.global == step.global &&
         before.to == step.from;
}

MessageCut::MessageCut(std::vector<std::int64_t> size, std::int64_t element_bytes,
                       std::int64_t max_bytes)
    : size_(std::move(size)) {
  std::int64_t row_bytes = element_bytes * num_elements(size_);
  if (row_bytes == 0) num_outer_ = 0;
  if (row_bytes <= max_bytes || size_.empty()) return;
  // The outermost dim whose single rows fit is cut.
  for (dim_ = 0; dim_ < size_.size(); ++dim_) {
    row_bytes /= size_[dim_];
    if (row_bytes <= max_bytes || dim_ + 1 == size_.size()) break;
    num_outer_ *= size_[dim_];
  }
  rows_ = std::max<std::int64_t>(1, max_bytes / row_bytes);
  per_outer_ = (size_[dim_] + rows_ - 1) / rows_;
}

Box MessageCut::box(std::int64_t piece) const {
  Box box{std::vector<std::int64_t>(size_.size(), 0), size_};
  if (num_pieces() == 1) return box;
  box.start[dim_] = piece % per_outer_ * rows_;
  box.size[dim_] = std::min(rows_, size_[dim_] - box.start[dim_]);
  std::int64_t outer = piece / per_outer_;
  for (std::size_t d = dim_; d-- > 0; outer /= size_[d]) {
    box.start[d] = outer % size_[d];
    box.size[d] = 1;
  }
  return box;
}

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

void SendQueue::end(const Turn& piece) {
  for (std::size_t i = 0; i < num_under_way_; ++i) {
    if (place(under_way_[i]) != place(piece)) continue;
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

}  // namespace rhino::plan
