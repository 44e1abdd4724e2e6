// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/side_by_side.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

namespace rhino::runtime::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// Between two looks at what others make, and how long a process that says nothing more, one of
/// another run that was stopped perhaps, is waited for.
constexpr std::chrono::milliseconds kBetweenLooks{5}, kPatience{10000};

class Batch {
 public:
  Batch(std::size_t count, const CodeMaker& maker)
      : maker_(maker), codes_(count), errors_(count), first_failed_(count), waiting_(count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), maker.size);
    for (std::size_t i = 0; i < count; ++i) waiting_[i].number = order[i];
  }

  /// Until nothing waits any more. [any thread]
  void work() {
    while (std::optional<Waiting> next = take()) {
      try {
        put(*next, maker_.code(next->number, next->may_wait()));
      } catch (...) {
        fail(next->number, std::current_exception());
      }
    }
  }

  std::vector<std::string> result() {
    if (first_failed_ < errors_.size()) std::rethrow_exception(errors_[first_failed_]);
    return std::move(codes_);
  }

 private:
  struct Waiting {
    std::size_t number = 0;
    std::optional<Clock::time_point> since = {};  ///< when another process was seen to make it
    Clock::time_point looked = {};
    bool may_wait() const { return !since || Clock::now() - *since < kPatience; }
  };

  /// What comes behind one that failed is not wanted any more; all before it is.
  std::optional<Waiting> take() {
    std::unique_lock lock(mutex_);
    std::erase_if(waiting_, [&](const Waiting& one) { return one.number > first_failed_; });
    if (waiting_.empty()) return std::nullopt;
    Waiting next = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    if (next.since) std::this_thread::sleep_until(next.looked + kBetweenLooks);
    return next;
  }

  void put(Waiting one, std::optional<std::string> code) {
    const std::lock_guard lock(mutex_);
    if (code) {
      codes_[one.number] = std::move(*code);
      maker_.moves_on();
    } else {
      one.looked = Clock::now();
      if (!one.since) one.since = one.looked;
      waiting_.push_back(one);
    }
  }

  void fail(std::size_t number, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    errors_[number] = std::move(error);
    first_failed_ = std::min(first_failed_, number);
  }

  const CodeMaker& maker_;
  std::mutex mutex_;
  std::vector<std::string> codes_;
  std::vector<std::exception_ptr> errors_;
  std::size_t first_failed_;
  std::deque<Waiting> waiting_;  ///< those that others make behind all others
};

}  // namespace

std::vector<std::string> side_by_side(std::size_t count, int num_threads, const CodeMaker& maker) {
  Batch batch(count, maker);
  std::vector<std::future<void>> others;
  const std::size_t most = std::min(count, static_cast<std::size_t>(std::max(1, num_threads)));
  for (std::size_t i = 1; i < most; ++i)
    others.push_back(std::async(std::launch::async, [&] { batch.work(); }));
  batch.work();
  for (std::future<void>& other : others) other.get();
  return batch.result();
}

}  // namespace rhino::runtime::cuda
