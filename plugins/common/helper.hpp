// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace rhino::common {

/// A thread that works beside the one that owns it, which lends a hand when it waits: what is given
/// to it runs on two processors, and memory is used again by the same two threads. All calls are
/// the owner's.
class Helper {
 public:
  enum class By { helper, owner };
  /// Work that a Helper is given, and has to outlive.
  class Task {
   public:
    explicit Task(std::function<void(By)> work) : work_(std::move(work)) {}

   private:
    friend class Helper;
    enum class State { queued, running, done };

    std::function<void(By)> work_;
    State state_ = State::queued;
    std::exception_ptr error_;
  };

  Helper() = default;
  ~Helper() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  /// Runs in the order in which it is given. `task` is borrowed until it is waited for or dropped.
  void give(Task& task) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(&task);
    }
    if (!thread_.joinable()) start();
    changed_.notify_all();
  }

  /// Rethrows what its work threw. `idle` is called now and then while there is nothing to lend a
  /// hand with.
  template <class Idle>
  void wait(Task& task, const Idle& idle) {
    for (std::unique_lock lock(mutex_); task.state_ != Task::State::done;) {
      if (take(lock, task)) continue;
      if (changed_.wait_for(lock, kPause) == std::cv_status::no_timeout) continue;
      lock.unlock();
      idle();
      lock.lock();
    }
    if (task.error_) std::rethrow_exception(task.error_);
  }

  /// Waits only if it runs.
  void drop(Task& task) {
    std::unique_lock lock(mutex_);
    std::erase(queue_, &task);
    changed_.wait(lock, [&] { return task.state_ != Task::State::running; });
  }

  bool is_running(const Task& task) const {
    const std::lock_guard lock(mutex_);
    return task.state_ == Task::State::running;
  }

 private:
  /// Where there can be no other thread the owner does all.
  void start() {
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return is_over_ || !queue_.empty(); });
      if (is_over_) return;
      run(lock, By::helper);
    }
  }

  /// By the owner: the one that it waits for, else the first one; false: there is none.
  bool take(std::unique_lock<std::mutex>& lock, Task& wanted) {
    if (queue_.empty()) return false;
    const auto found = std::ranges::find(queue_, &wanted);
    if (found != queue_.end()) std::rotate(queue_.begin(), found, found + 1);
    run(lock, By::owner);
    return true;
  }

  /// The first of the queue.
  void run(std::unique_lock<std::mutex>& lock, By by) {
    Task& task = *queue_.front();
    queue_.pop_front();
    task.state_ = Task::State::running;
    lock.unlock();
    try {
      task.work_(by);
    } catch (...) {
      task.error_ = std::current_exception();
    }
    lock.lock();
    task.state_ = Task::State::done;
    changed_.notify_all();
  }

  static constexpr std::chrono::milliseconds kPause{5};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task*> queue_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace rhino::common
