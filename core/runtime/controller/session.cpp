// SPDX-License-Identifier: Apache-2.0
#include "runtime/session.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

#include "plan/plan_file.hpp"
#include "runtime/controller/mailbox.hpp"
#include "runtime/controller/trace.hpp"
#include "runtime/controller/watch.hpp"
#include "runtime/controller/worker_group.hpp"
#include "runtime/ranks.hpp"
#include "topology/cores.hpp"
#include "topology/discover.hpp"

namespace rhino::runtime {
namespace {

constexpr int kLookMilliseconds = 50;
/// The ranks' own deadline comes first: they know which peer is missing.
constexpr double kConnectGrace_s = 2;
/// How long after one rank's error another may turn out to be its cause.
constexpr std::chrono::milliseconds kVictimGrace{300};

topology::FileDescriptor memory_file_of(const std::string& bytes) {
  topology::FileDescriptor memory = make_memory_file("rhino-plan");
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written =
        ::pwrite(memory.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      throw Error(std::string("cannot hand over the plan: ") + std::strerror(errno));
    done += static_cast<std::size_t>(written);
  }
  return memory;
}

/// The cores that each rank runs on; none in particular where they do not suffice.
std::vector<std::vector<std::int32_t>> cores_of_ranks(int num_ranks,
                                                      const SessionOptions& options) {
  std::vector<std::vector<std::int32_t>> cores =
      topology::share_cores(topology::discover_cores(), num_ranks);
  const bool suffice = std::ssize(cores.front()) >= options.num_threads;
  if (options.oversubscribed || !suffice) cores.assign(cores.size(), {});
  return cores;
}

/// Where the worker of each rank starts.
std::vector<topology::HostNamespaces> hosts_of_ranks(const plan::ExecutionPlan& plan,
                                                     const std::vector<RankPlace>& places,
                                                     const SessionOptions& options) {
  std::vector<topology::HostNamespaces> hosts(places.size());
  if (options.hosts.empty()) return hosts;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const auto device = static_cast<std::size_t>(places[rank].device);
    hosts[rank] = options.hosts.at(static_cast<std::size_t>(plan.cluster.host_of.at(device)));
  }
  return hosts;
}

/// A session of local processes.
class ProcessSession final : public Session {
 public:
  ProcessSession(const plan::ExecutionPlan& plan, const SessionOptions& options)
      : plan_(plan),
        options_(options),
        places_(place_ranks(plan_)),
        plan_file_(memory_file_of(options_.plan_bytes.empty() ? plan::to_bytes(plan_)
                                                              : options_.plan_bytes)),
        pages_(num_ranks()),
        group_(options_, plan_file_.get(), pages_, hosts_of_ranks(plan_, places_, options_)),
        watch_(plan_, places_, group_, pages_) {
    set_up();
    connect();
  }

  plan::StepTrace run_steps(int num_steps, bool keep_events) override {
    if (num_steps < 1) throw Error("a session cannot run " + std::to_string(num_steps) + " steps");
    const RunRequest request{.num_steps = num_steps, .keep_events = keep_events};
    std::vector<RunReply> replies;
    for (const Frame& frame :
         ask_all(MessageKind::run, encode_message(request), options_.step_deadline_s)) {
      replies.push_back(decode_message<RunReply>(frame.body));
      peak_memory_bytes_ = std::max(peak_memory_bytes_, replies.back().memory_bytes);
    }
    return join_traces(std::move(replies));
  }

  void reset(std::uint64_t seed, std::int64_t step) override {
    ask_all(MessageKind::reset, encode_message(ResetRequest{seed, step}), options_.step_deadline_s);
  }

  std::vector<FetchedTensor> fetch(const std::vector<std::int32_t>& outputs) override {
    check_outputs(plan_, outputs);
    ask_all(MessageKind::fetch, encode_message(FetchRequest{outputs}), options_.step_deadline_s);
    return read_mailboxes(plan_, places_, group_, outputs);
  }

  Verification verify() override {
    Verification sum;
    const std::vector<Frame> frames = ask_all(MessageKind::verify, {}, options_.step_deadline_s);
    for (std::size_t rank = 0; rank < frames.size(); ++rank) {
      const auto reply = decode_message<VerifyReply>(frames[rank].body);
      sum.num_elements += reply.num_elements;
      sum.num_wrong += reply.num_wrong;
      if (reply.num_wrong > 0 && sum.message.empty()) {
        sum.message = "device " + std::to_string(places_[rank].device) + ": element " +
                      std::to_string(reply.element) + " of output " + std::to_string(reply.output) +
                      " is " + std::to_string(reply.actual) + " and should be " +
                      std::to_string(reply.expected);
      }
    }
    return sum;
  }

  std::int64_t peak_memory_bytes() const override { return peak_memory_bytes_; }
  std::string transport() const override { return transport_; }
  std::string binding() const override { return binding_; }
  std::string narrow_dots() const override { return narrow_dots_; }
  std::string slow_ops() const override { return slow_ops_; }
  std::string device() const override { return device_; }
  bool shares_devices() const override { return shares_devices_; }
  std::vector<std::int32_t> pids() const override {
    std::vector<std::int32_t> ids;
    for (int rank = 0; rank < group_.size(); ++rank) ids.push_back(group_.pid(rank));
    return ids;
  }

 private:
  int num_ranks() const { return static_cast<int>(places_.size()); }

  void set_up() {
    const std::vector<std::vector<std::int32_t>> cores = cores_of_ranks(num_ranks(), options_);
    for (int rank = 0; rank < num_ranks(); ++rank) {
      const SetupRequest request{.rank = rank,
                                 .num_threads = options_.num_threads,
                                 .oversubscribed = options_.oversubscribed,
                                 .emulated_hosts = !options_.hosts.empty(),
                                 .seed = options_.seed,
                                 .device = options_.device,
                                 .transport = options_.transport,
                                 .broadcasts = options_.broadcasts,
                                 .cores = cores[static_cast<std::size_t>(rank)],
                                 .gpu = options_.gpu};
      ask(rank, {.kind = MessageKind::setup, .body = encode_message(request), .error = {}});
    }
    for (const Frame& frame : collect(options_.start_deadline_s)) {
      const auto reply = decode_message<SetupReply>(frame.body);
      addresses_.push_back(reply.address);
      narrow_dots_ = reply.narrow_dots;
      if (device_.empty()) device_ = reply.device;
      shares_devices_ = shares_devices_ || reply.is_shared;
      if (reply.slow_ops.size() > slow_ops_.size()) slow_ops_ = reply.slow_ops;
      binding_ += (binding_.empty() ? "" : "; ") +
                  (reply.cores.empty() ? "any" : topology::core_list(reply.cores));
    }
  }

  void connect() {
    const ConnectRequest request{.addresses = addresses_, .deadline_s = options_.start_deadline_s};
    const std::vector<Frame> replies = ask_all(MessageKind::connect, encode_message(request),
                                               options_.start_deadline_s + kConnectGrace_s);
    for (int rank = 0; rank < num_ranks(); ++rank)
      use(rank, decode_message<ConnectReply>(replies[static_cast<std::size_t>(rank)].body));
  }

  /// What crosses between emulated hosts has to cross the interface whose rate is limited.
  void use(int rank, const ConnectReply& reply) {
    if (rank == 0) transport_ = reply.transport;
    if (options_.hosts.empty() || reply.network.empty() || reply.network == "tcp") return;
    fail("rank " + std::to_string(rank) + " reaches other emulated hosts by " + reply.network +
         " instead of through their interfaces");
  }

  /// A worker that cannot be written to has ended or is stuck: collect() says which and where.
  void ask(int rank, const Frame& request) {
    if (!failure_.empty()) throw Error("the session has ended: " + failure_);
    try {
      group_.channel(rank).put(request);
    } catch (const Error&) {
    }
  }

  std::vector<Frame> ask_all(MessageKind kind, const std::string& body, double deadline_s) {
    for (int rank = 0; rank < num_ranks(); ++rank)
      ask(rank, {.kind = kind, .body = body, .error = {}});
    return collect(deadline_s);
  }

  /// One answer per rank. Ends the session and throws when one fails, or does not come.
  std::vector<Frame> collect(double deadline_s) {
    std::vector<Frame> replies(places_.size());
    std::vector<bool> pending(places_.size(), true);
    std::optional<std::string> error;  // of a rank that may be the victim of another
    std::chrono::steady_clock::time_point error_time;
    watch_.begin(deadline_s, options_.heartbeat_s);
    while (true) {
      for (int rank = 0; rank < num_ranks(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        std::optional<Frame> frame = pending[r] ? group_.channel(rank).poll() : std::nullopt;
        if (!frame) continue;
        pending[r] = false;
        if (!frame->error.empty() && !error) {
          error = watch_.sentence(rank, "failed", frame->error);
          error_time = std::chrono::steady_clock::now();
        }
        replies[r] = std::move(*frame);
      }
      const bool all = std::find(pending.begin(), pending.end(), true) == pending.end();
      if (all && !error) return replies;
      if (options_.is_interrupted && options_.is_interrupted()) fail("interrupted");
      if (const std::optional<std::string> culprit = watch_.inspect(pending))
        fail(*culprit, lacks_memory(false));
      if (error && std::chrono::steady_clock::now() - error_time > kVictimGrace)
        fail(*error, lacks_memory(true));
      sleep_until_news(pending);
    }
  }

  void sleep_until_news(const std::vector<bool>& pending) {
    std::vector<pollfd> sockets;
    int limit_ms = kLookMilliseconds;
    for (int rank = 0; rank < num_ranks(); ++rank) {
      if (!pending[static_cast<std::size_t>(rank)]) continue;
      if (group_.channel(rank).ended())
        limit_ms = 1;  // it is about to become a process that has ended
      else sockets.push_back({group_.channel(rank).fd(), POLLIN, 0});
    }
    ::poll(sockets.data(), sockets.size(), limit_ms);
  }

  /// A rank ended, or gave up, while it took memory, or the system killed for memory.
  bool lacks_memory(bool gave_up) const {
    bool ended = false, took = false;
    for (int rank = 0; rank < num_ranks(); ++rank) {
      const bool here = group_.end_of(rank).has_value();
      ended = ended || here;
      took = took || ((here || gave_up) && pages_[rank].taking_bytes.load() > 0);
    }
    return took || (ended && topology::num_memory_kills() > num_memory_kills_);
  }

  [[noreturn]] void fail(const std::string& sentence, bool lacks_memory = false) {
    failure_ = sentence;
    group_.kill();
    if (lacks_memory) throw OutOfMemory("memory ran out: " + sentence);
    throw Error(sentence);
  }

  const plan::ExecutionPlan plan_;
  const SessionOptions options_;
  const std::vector<RankPlace> places_;
  const topology::FileDescriptor plan_file_;
  const ProgressPages pages_;
  WorkerGroup group_;
  Watch watch_;
  std::vector<std::vector<std::byte>> addresses_;
  const std::int64_t num_memory_kills_ = topology::num_memory_kills();
  std::int64_t peak_memory_bytes_ = 0;
  std::string transport_, binding_, narrow_dots_, slow_ops_, device_;
  bool shares_devices_ = false;
  std::string failure_;
};

}  // namespace

std::unique_ptr<Session> start_session(const plan::ExecutionPlan& plan,
                                       const SessionOptions& options) {
  if (place_ranks(plan).empty()) throw Error("the plan has no devices");
  return std::make_unique<ProcessSession>(plan, options);
}

}  // namespace rhino::runtime
