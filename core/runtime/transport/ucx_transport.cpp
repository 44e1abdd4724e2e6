// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "rhino/error.hpp"
#include "runtime/transport/prepared_plan.hpp"
#include "runtime/transport/shared_memory.hpp"
#include "runtime/transport/short_slices.hpp"
#include "runtime/transport/sleeper.hpp"
#include "runtime/transport/task_runner.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSpins = 200;  // empty looks before a thread that shares its core lets others run
constexpr int kOwnCoreSpins = 20000;  // milliseconds: to be found away by a message costs as much
constexpr int kSleepMs = 100;         // wakes are not lost: this is only a net
constexpr double kCloseDeadlineS = 2;
constexpr std::int64_t kWireUpBytes = 64 << 10;  // large enough to go the way of large messages
constexpr int kWireUpSleepMs = 10;

// A user who names transports without shared memory gets none.
bool may_share_memory() {
  const char* names = std::getenv("UCX_TLS");
  if (!names) return true;
  for (const char* name : {"all", "sm", "shm", "posix", "sysv", "cma", "knem", "xpmem"}) {
    if (std::string_view(names).find(name) != std::string_view::npos) return names[0] != '^';
  }
  return names[0] == '^';
}

// Per rank: whether it is on the host of this one.
std::vector<bool> near_ranks(const TransportOptions& options) {
  std::vector<bool> near(static_cast<std::size_t>(options.num_ranks), true);
  for (std::size_t rank = 0; rank < options.hosts.size(); ++rank)
    near[rank] = options.hosts[rank] == options.hosts[static_cast<std::size_t>(options.rank)];
  return near;
}

// Messages to and from every peer that make all connections before the first step.
struct WireUp {
  explicit WireUp(std::size_t num_ranks)
      : sends(num_ranks), receives(num_ranks), out(num_ranks), in(num_ranks) {
    for (std::size_t r = 0; r < num_ranks; ++r) {
      sends[r] = receives[r] = {.peer = static_cast<std::int32_t>(r), .bytes = kWireUpBytes};
      out[r].resize(kWireUpBytes);
      in[r].resize(kWireUpBytes);
    }
  }
  std::vector<UcxMessage> sends, receives;
  std::vector<std::vector<std::byte>> out, in;  // the first byte is what the sender says
};

// Of ports that could not be closed: UCX may still call into them until the process ends.
void abandon(std::unique_ptr<UcxPort> port) {
  static std::vector<std::unique_ptr<UcxPort>>& abandoned =
      *new std::vector<std::unique_ptr<UcxPort>>;
  abandoned.push_back(std::move(port));
}

// The thread that waits drives the messages itself; while none waits, the background thread does.
// Whoever does holds `driving_`.
class UcxTransport final : public Transport {
 public:
  explicit UcxTransport(const TransportOptions& options)
      : options_(options),
        port_(std::make_unique<UcxPort>(options.rank,
                                        UcxRoutes{near_ranks(options), options.tcp_between_hosts})),
        runner_(*port_, options.rank, near_ranks(options), sharing_) {
    caller_.watch(port_->file_descriptors());
    background_.watch(port_->file_descriptors());
    sharing_.own = {options.shared, &staging_};
    sharing_.in_place.resize(static_cast<std::size_t>(options.num_ranks));
    if (options.shared && may_share_memory()) shared_address_ = share(sharing_.own);
  }

  ~UcxTransport() override {
    stopping_ = true;
    background_.wake();
    if (thread_.joinable()) thread_.join();
    const bool closed = !failed_ && runner_.num_running() == 0 && port_->close(kCloseDeadlineS);
    if (!closed) abandon(std::move(port_));
  }

  // SharedAddress, then that of UCX.
  std::vector<std::byte> address() const override {
    std::vector<std::byte> address(sizeof(SharedAddress));
    std::memcpy(address.data(), &shared_address_, sizeof(SharedAddress));
    const std::vector<std::byte> port_address = port_->address();
    address.insert(address.end(), port_address.begin(), port_address.end());
    return address;
  }

  void connect(const std::vector<std::vector<std::byte>>& addresses, double deadline_s) override {
    if (addresses.size() != static_cast<std::size_t>(options_.num_ranks)) {
      throw Error(fmt::format("rank {} got {} addresses of {} ranks", options_.rank,
                              addresses.size(), options_.num_ranks));
    }
    const std::vector<bool> near = near_ranks(options_);
    std::vector<std::vector<std::byte>> port_addresses;
    for (const std::vector<std::byte>& address : addresses) {
      if (address.size() <= sizeof(SharedAddress))
        throw Error("the address of a rank is cut short");
      SharedAddress shared;
      std::memcpy(&shared, address.data(), sizeof(SharedAddress));
      const std::size_t rank = sharing_.peers.size();
      const bool is_peer = rank != static_cast<std::size_t>(options_.rank) && near[rank];
      PeerMemory& memory = sharing_.peers.emplace_back();
      sharing_.in_place[rank] = is_peer && memory.open(shared_address_, shared);
      port_addresses.emplace_back(address.begin() + sizeof(SharedAddress), address.end());
    }
    port_->connect(port_addresses);
    wire_up(deadline_s);
    description_ = port_->transports(std::vector<bool>(near.size(), true));
    if (description_.empty()) description_ = "self";
    std::vector<bool> far = near;
    far.flip();
    network_ = port_->transports(far);
    if (shares_memory()) description_ += ",mapped";
    thread_ = std::thread([this] { run_background(); });
  }

  void prepare(const plan::ExecutionPlan& plan) override {
    const std::lock_guard lock(driving_);
    if (runner_.num_running() > 0)
      throw Error("a plan cannot be prepared while communications are under way");
    plan_.emplace(plan, options_, sharing_.in_place, staging_);
    if (options_.enter_thread && port_->takes_gpu_memory()) plan_->hand_over_gpu_memory();
    runner_.reserve(plan_->num_tasks(), plan_->num_queued(), plan_->tags());
    submitted_.resize(plan_->num_executions() + 1);
    first_submitted_ = end_submitted_ = 0;
  }

  bool takes_gpu_memory(const Part& part) const override { return plan_->is_on_gpu(part); }

  Event start(const CommunicationBinding& binding, const Event& after) override {
    if (!plan_) throw Error("a communication was started before a plan was prepared");
    throw_if_failed(binding.communication, binding.instance);
    after.wait();
    const CommunicationHandle handle = plan_->bind(binding);
    submit(plan_->execution(handle));
    if (driving_.try_lock()) {
      launch_submitted();
      driving_.unlock();
    }
    return {this, handle};
  }

  void work_in_background() override {
    if (runner_.num_running() > 0 || has_submitted()) background_.wake();
  }

  void wait(CommunicationHandle handle) override {
    Execution& execution = plan_->execution(handle);
    if (!execution.ended.load(std::memory_order_acquire)) drive_until(execution);
    if (!execution.ended.load(std::memory_order_acquire))
      throw_if_failed(execution.communication, execution.instance);
    plan_->release(execution);
  }

  void cancel(const std::string& reason) override {
    fail(reason);
    caller_.wake();
    background_.wake();
  }

  std::int64_t staged_bytes() const override { return runner_.staged_bytes(); }
  std::string description() const override { return description_; }
  std::string network() const override { return network_; }

 private:
  // One message each way makes all connections; it says whether the sender maps the memory of all
  // others on its host. Ranks of one host share memory if all say so.
  void wire_up(double deadline_s) {
    const std::vector<bool> near = near_ranks(options_);
    const bool maps_all = shares_memory();
    const std::vector<bool> said = exchange(maps_all, deadline_s);
    bool all_map_all = maps_all;
    for (std::size_t rank = 0; rank < near.size(); ++rank)
      all_map_all &= said[rank] || !near[rank] || static_cast<std::int32_t>(rank) == options_.rank;
    if (!all_map_all) sharing_.in_place.assign(near.size(), false);
  }

  // Whether this rank maps the memory of all others on its host, of which there are some.
  bool shares_memory() const {
    const std::vector<bool> near = near_ranks(options_);
    const auto mapped = std::count(sharing_.in_place.begin(), sharing_.in_place.end(), true);
    return mapped > 0 && mapped + 1 == std::count(near.begin(), near.end(), true);
  }

  std::vector<bool> exchange(bool says, double deadline_s) {
    const auto num_ranks = static_cast<std::size_t>(options_.num_ranks);
    WireUp wire_up(num_ranks);
    port_->reserve(2 * num_ranks);
    for (std::size_t peer = 0; peer < num_ranks; ++peer) {
      const auto rank = static_cast<std::int32_t>(peer);
      if (rank == options_.rank) continue;
      wire_up.out[peer][0] = std::byte{says};
      port_->receive_message(wire_up.receives[peer], TagLayout::wire_up(rank),
                             wire_up.in[peer].data());
      port_->send_message(wire_up.sends[peer], TagLayout::wire_up(options_.rank),
                          wire_up.out[peer].data());
    }
    await_wire_up(deadline_s);
    std::vector<bool> said;
    for (const std::vector<std::byte>& message : wire_up.in)
      said.push_back(message[0] != std::byte{0});
    return said;
  }

  void await_wire_up(double deadline_s) {
    std::vector<int> num_left(static_cast<std::size_t>(options_.num_ranks), 2);
    num_left[static_cast<std::size_t>(options_.rank)] = 0;
    const auto end = Clock::now() + std::chrono::duration<double>(deadline_s);
    while (true) {
      const std::uint64_t version = caller_.version();
      const bool moved = port_->progress() || !port_->ended().empty();
      for (const UcxMessage* message : port_->ended()) {
        if (message->status != UCS_OK)
          throw_not_connected(message->peer, ucs_status_string(message->status));
        --num_left[static_cast<std::size_t>(message->peer)];
      }
      port_->ended().clear();
      if (!port_->failure().empty()) throw_not_connected(-1, port_->failure());
      if (failed_) throw_not_connected(-1, reason());
      const auto missing =
          std::find_if(num_left.begin(), num_left.end(), [](int n) { return n > 0; });
      if (missing == num_left.end()) return;
      if (Clock::now() > end) {
        throw_not_connected(static_cast<std::int32_t>(missing - num_left.begin()),
                            fmt::format("no answer within {} s", deadline_s));
      }
      if (!moved && port_->arm()) caller_.sleep(version, true, kWireUpSleepMs);
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
      const int spins = options_.oversubscribed ? kSpins : kOwnCoreSpins;
      while (!execution.ended.load(std::memory_order_relaxed) && !failed_) {
        const std::uint64_t version = caller_.version();
        if (advance()) idle = 0;
        else if (++idle > spins) pause(version);
      }
    }
    caller_waits_ = false;
  }

  // With a core for every rank, waking is not worth its time.
  void pause(std::uint64_t version) {
    if (!options_.oversubscribed) sched_yield();
    else if (!failed_ && port_->arm()) caller_.sleep(version, true, kSleepMs);
  }

  // Never spins: the caller computes on the same core.
  void run_background() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    pthread_setname_np(pthread_self(), "rhino-progress");
    ask_for_short_slices();
    enter_thread();
    while (!stopping_) {
      const std::uint64_t version = background_.version();
      const bool busy = runner_.num_running() > 0 || has_submitted();
      if (caller_waits_ || failed_ || !busy) {
        background_.sleep(version, false, -1);
        continue;
      }
      std::unique_lock lock(driving_);
      const bool moved = advance();
      const bool armed = !moved && port_->arm();
      lock.unlock();
      if (armed) background_.sleep(version, true, kSleepMs);
    }
  }

  void enter_thread() {
    try {
      if (options_.enter_thread) options_.enter_thread();
    } catch (const std::exception& failure) {
      fail(failure.what());
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
  SharedMemory staging_;
  SharedAddress shared_address_;
  Sharing sharing_;
  std::unique_ptr<UcxPort> port_;
  TaskRunner runner_;
  std::optional<PreparedPlan> plan_;
  std::string description_, network_;

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

}  // namespace rhino::runtime
