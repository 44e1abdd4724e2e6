// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace rhino::evaluate {

/// Another thread, which does what it is given in turn: memory that one piece of work gave back
/// serves the next one. All calls are its owner's.
class InTurn {
 public:
  InTurn() = default;
  /// Waits for what is being done; what has not begun is dropped.
  ~InTurn() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  InTurn(const InTurn&) = delete;
  InTurn& operator=(const InTurn&) = delete;

  /// Ready once it is done; get() throws what `work` threw.
  std::shared_future<void> give(std::function<void()> work) {
    std::packaged_task<void()> task(std::move(work));
    std::shared_future<void> done = task.get_future().share();
    if (!thread_.joinable() && !starts()) {
      task();
      return done;
    }
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(task));
    }
    changed_.notify_all();
    return done;
  }

 private:
  /// False where there can be no other thread.
  bool starts() {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return is_over_ || !queue_.empty(); });
      if (is_over_) return;
      std::packaged_task<void()> task = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void()>> queue_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace rhino::evaluate
