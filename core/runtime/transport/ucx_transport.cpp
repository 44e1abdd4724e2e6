// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <sched.h>
#include <signal.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "rhino/error.hpp"
#include "runtime/transport/prepared_plan.hpp"
#include "runtime/transport/sleeper.hpp"
#include "runtime/transport/task_runner.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSpins = 200;    // empty looks before the thread lets others run
constexpr int kSleepMs = 100;  // wakes are not lost: this is only a net
constexpr double kCloseDeadlineS = 2;
constexpr std::int64_t kWireUpBytes =
    256 << 10;  // large enough to take the same way as large messages later

// The thread that waits drives the messages itself; while none waits, the background thread does.
// Whoever does holds `driving_`.
class UcxTransport final : public Transport {
 public:
  explicit UcxTransport(const TransportOptions& options)
      : options_(options), port_(options.rank, options.num_ranks), runner_(port_, options.rank) {
    caller_.watch(port_.file_descriptors());
    background_.watch(port_.file_descriptors());
  }

  ~UcxTransport() override {
    stopping_ = true;
    background_.wake();
    if (thread_.joinable()) thread_.join();
    if (!failed_ && runner_.num_running() == 0) port_.close(kCloseDeadlineS);
    else if (plan_) plan_->abandon();
  }

  std::vector<std::byte> address() const override { return port_.address(); }

  void connect(const std::vector<std::vector<std::byte>>& addresses, double deadline_s) override {
    if (addresses.size() != static_cast<std::size_t>(options_.num_ranks)) {
      throw Error(fmt::format("rank {} got {} addresses of {} ranks", options_.rank,
                              addresses.size(), options_.num_ranks));
    }
    port_.connect(addresses);
    wire_up(deadline_s);
    description_ = port_.transports();
    thread_ = std::thread([this] { run_background(); });
  }

  void prepare(const ExecutionPlan& plan) override {
    const std::lock_guard lock(driving_);
    if (runner_.num_running() > 0)
      throw Error("a plan cannot be prepared while communications are under way");
    plan_.emplace(plan, options_);
    runner_.reserve(plan_->num_tasks(), plan_->tags());
    submitted_.resize(plan_->num_executions() + 1);
    first_submitted_ = end_submitted_ = 0;
  }

  CommunicationHandle start(const CommunicationBinding& binding) override {
    if (!plan_) throw Error("a communication was started before a plan was prepared");
    throw_if_failed(binding.communication, binding.instance);
    const CommunicationHandle handle = plan_->bind(binding);
    submit(plan_->execution(handle));
    if (driving_.try_lock()) {
      launch_submitted();
      driving_.unlock();
    }
    background_.wake();
    return handle;
  }

  void wait(CommunicationHandle handle) override {
    Execution& execution = plan_->execution(handle);
    if (!execution.ended.load(std::memory_order_acquire)) drive_until(execution);
    if (!execution.ended.load(std::memory_order_acquire))
      throw_if_failed(execution.communication, execution.instance);
    plan_->release(execution);
  }

  bool test(CommunicationHandle handle) override {
    Execution& execution = plan_->execution(handle);
    if (execution.ended.load(std::memory_order_acquire)) return true;
    throw_if_failed(execution.communication, execution.instance);
    if (driving_.try_lock()) {
      advance();
      driving_.unlock();
    }
    return execution.ended.load(std::memory_order_acquire);
  }

  void cancel(const std::string& reason) override {
    fail(reason);
    caller_.wake();
    background_.wake();
  }

  std::int64_t sent_bytes() const override { return runner_.sent_bytes(); }
  std::string description() const override { return description_; }

 private:
  // One message each way makes every connection before the first step.
  void wire_up(double deadline_s) {
    const auto num_ranks = static_cast<std::size_t>(options_.num_ranks);
    const std::vector<std::byte> out(kWireUpBytes);
    std::vector<std::byte> in(kWireUpBytes);
    std::vector<UcxMessage> sends(num_ranks), receives(num_ranks);
    port_.reserve(2 * num_ranks);
    for (std::size_t peer = 0; peer < num_ranks; ++peer) {
      const auto rank = static_cast<std::int32_t>(peer);
      sends[peer] = receives[peer] = {.peer = rank, .bytes = kWireUpBytes};
      if (rank == options_.rank) continue;
      port_.receive_message(receives[peer], TagLayout::wire_up(rank), in.data());
      port_.send_message(sends[peer], TagLayout::wire_up(options_.rank), out.data());
    }
    std::vector<int> num_ended(num_ranks);
    num_ended[static_cast<std::size_t>(options_.rank)] = 2;
    const auto end = Clock::now() + std::chrono::duration<double>(deadline_s);
    for (std::size_t num_left = 2 * (num_ranks - 1); num_left > 0;) {
      const std::uint64_t version = caller_.version();
      if (!port_.progress() && port_.ended().empty() && port_.arm())
        caller_.sleep(version, true, 10);
      for (const UcxMessage* message : port_.ended()) {
        const auto peer = static_cast<std::size_t>(message->peer);
        if (message->status != UCS_OK)
          throw_not_connected(message->peer, ucs_status_string(message->status));
        ++num_ended[peer];
        --num_left;
      }
      port_.ended().clear();
      if (!port_.failure().empty()) throw_not_connected(-1, port_.failure());
      if (failed_) throw_not_connected(-1, reason());
      if (num_left > 0 && Clock::now() > end) {
        const auto missing =
            std::find_if(num_ended.begin(), num_ended.end(), [](int n) { return n < 2; });
        throw_not_connected(static_cast<std::int32_t>(missing - num_ended.begin()),
                            fmt::format("no answer within {} s", deadline_s));
      }
    }
  }

  [[noreturn]] void throw_not_connected(std::int32_t peer, const std::string& why) {
    fail(why);
    const std::string who = peer < 0 ? "" : fmt::format("rank {}: ", peer);
    throw Error(fmt::format("rank {} cannot connect: {}{}", options_.rank, who, why));
  }

  // A ring with one writer, the caller, and one reader, who drives.
  void submit(Execution& execution) {
    const std::size_t end = end_submitted_.load(std::memory_order_relaxed);
    submitted_[end] = &execution;
    end_submitted_.store((end + 1) % submitted_.size());
  }
  void launch_submitted() {
    std::size_t first = first_submitted_.load(std::memory_order_relaxed);
    while (first != end_submitted_.load()) {
      runner_.launch(*submitted_[first]);
      first = (first + 1) % submitted_.size();
      first_submitted_.store(first);
    }
  }
  bool has_submitted() const { return first_submitted_.load() != end_submitted_.load(); }

  bool advance() {
    launch_submitted();
    const bool moved = runner_.advance();
    if (!runner_.failure().empty() && !failed_) fail(runner_.failure());
    return moved;
  }

  void drive_until(const Execution& execution) {
    caller_waits_ = true;
    {
      const std::lock_guard lock(driving_);
      int idle = 0;
      while (!execution.ended.load(std::memory_order_relaxed) && !failed_) {
        const std::uint64_t version = caller_.version();
        if (advance()) idle = 0;
        else if (++idle > kSpins) pause(version);
      }
    }
    caller_waits_ = false;
    if (runner_.num_running() > 0) background_.wake();
  }

  // With a core for every rank, waking is not worth its time.
  void pause(std::uint64_t version) {
    if (!options_.oversubscribed) sched_yield();
    else if (!failed_ && port_.arm()) caller_.sleep(version, true, kSleepMs);
  }

  // Never spins: the caller computes on the same core.
  void run_background() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    pthread_setname_np(pthread_self(), "rhino-progress");
    while (!stopping_) {
      const std::uint64_t version = background_.version();
      const bool busy = runner_.num_running() > 0 || has_submitted();
      if (caller_waits_ || failed_ || !busy) {
        background_.sleep(version, false, -1);
        continue;
      }
      std::unique_lock lock(driving_);
      const bool moved = advance();
      const bool armed = !moved && port_.arm();
      lock.unlock();
      if (armed) background_.sleep(version, true, kSleepMs);
    }
  }

  void fail(const std::string& reason) {
    const std::lock_guard lock(reason_mutex_);
    if (!failed_) reason_ = reason;
    failed_ = true;
  }
  std::string reason() {
    const std::lock_guard lock(reason_mutex_);
    return reason_;
  }
  void throw_if_failed(std::int32_t communication, std::int32_t instance) {
    if (!failed_) return;
    throw Error(fmt::format("communication '{}' (instance {}) of rank {} failed: {}",
                            plan_->name(communication), instance, options_.rank, reason()));
  }

  TransportOptions options_;
  UcxPort port_;
  TaskRunner runner_;
  std::optional<PreparedPlan> plan_;
  std::string description_;

  std::mutex driving_;
  std::vector<Execution*> submitted_;
  std::atomic<std::size_t> first_submitted_{0}, end_submitted_{0};
  std::atomic<bool> caller_waits_{false}, stopping_{false}, failed_{false};
  std::mutex reason_mutex_;
  std::string reason_;
  Sleeper caller_, background_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Transport> make_ucx_transport(const TransportOptions& options) {
  return std::make_unique<UcxTransport>(options);
}

}  // namespace rhino
