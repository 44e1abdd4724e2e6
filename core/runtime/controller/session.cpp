// SPDX-License-Identifier: Apache-2.0
#include "runtime/session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "plan/plan_file.hpp"
#include "runtime/agents/agent_link.hpp"
#include "runtime/controller/mailbox.hpp"
#include "runtime/controller/trace.hpp"
#include "runtime/controller/watch.hpp"
#include "runtime/controller/worker_group.hpp"
#include "runtime/ranks.hpp"
#include "topology/cores.hpp"

namespace rhino::runtime {
namespace {

constexpr int kLookMilliseconds = 50;
/// The ranks' own deadline comes first: they know which peer is missing.
constexpr double kConnectGrace_s = 2;
/// How long after one rank's error another may turn out to be its cause.
constexpr std::chrono::milliseconds kVictimGrace{300}, kEndingGrace{30000};

std::size_t host_of(const plan::ExecutionPlan& plan, const RankPlace& place) {
  return static_cast<std::size_t>(plan.cluster.host_of.at(static_cast<std::size_t>(place.device)));
}

/// The cores that each rank runs on; none in particular where those of its machine do not suffice.
std::vector<std::vector<std::int32_t>> cores_of_ranks(const plan::ExecutionPlan& plan,
                                                      const std::vector<RankPlace>& places,
                                                      const SessionOptions& options) {
  struct OneMachine {
    std::vector<topology::Core> cores;
    std::vector<std::size_t> ranks;
  };
  std::map<std::int32_t, OneMachine> machines;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const SessionHost* host =
        options.agents.empty() ? nullptr : &options.agents.at(host_of(plan, places[rank]));
    OneMachine& machine = machines[host ? host->machine : 0];
    machine.ranks.push_back(rank);
    for (const topology::Core& core : host ? host->cores : topology::discover_cores()) {
      if (std::ranges::find(machine.cores, core) == machine.cores.end())
        machine.cores.push_back(core);
    }
  }
  std::vector<std::vector<std::int32_t>> cores(places.size());
  for (const auto& [number, machine] : machines) {
    const auto shares =
        topology::share_cores(machine.cores, static_cast<std::int32_t>(machine.ranks.size()));
    if (options.oversubscribed || std::ssize(shares.front()) < options.num_threads) continue;
    for (std::size_t i = 0; i < shares.size(); ++i) cores[machine.ranks[i]] = shares[i];
  }
  return cores;
}

/// Where the worker of each rank starts.
std::vector<WorkerPlace> worker_places(const plan::ExecutionPlan& plan,
                                       const std::vector<RankPlace>& places,
                                       const SessionOptions& options) {
  std::vector<WorkerPlace> workers(places.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const std::size_t host = host_of(plan, places[rank]);
    if (!options.hosts.empty()) workers[rank].namespaces = options.hosts.at(host);
    if (!options.agents.empty()) workers[rank].agent = options.agents.at(host).agent;
  }
  return workers;
}

/// The moment at which ranks of different hosts begin is so far ahead that all of them know it by
/// then.
constexpr double kBeginAhead_s = 5e-3;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A session of processes.
class ProcessSession final : public Session {
 public:
  ProcessSession(const plan::ExecutionPlan& plan, const SessionOptions& options)
      : plan_(plan),
        options_(options),
        places_(place_ranks(plan_)),
        plan_bytes_(options_.plan_bytes.empty() ? plan::to_bytes(plan_) : options_.plan_bytes),
        plan_file_(make_memory_file("rhino-plan", plan_bytes_)),
        pages_(num_ranks()),
        group_(options_, plan_file_.get(), plan_bytes_, pages_,
               worker_places(plan_, places_, options_)),
        watch_(plan_, places_, group_, pages_) {
    set_up();
    connect();
  }

  plan::StepTrace run_steps(int num_steps, bool keep_events) override {
    if (num_steps < 1) throw Error("a session cannot run " + std::to_string(num_steps) + " steps");
    const std::map<AgentLink*, ClockOffset> before = measure_clocks();
    double latest_s = 0;
    for (const auto& [agent, clock] : before) latest_s = std::max(latest_s, clock.error_s);
    const double begin_s = before.empty() ? 0 : now_s() + 2 * latest_s + kBeginAhead_s;
    for (int rank = 0; rank < num_ranks(); ++rank) {
      const auto clock = before.find(agent_of(rank));
      const RunRequest request{
          .num_steps = num_steps,
          .keep_events = keep_events,
          .begin_s = begin_s + (clock == before.end() ? 0 : clock->second.offset_s)};
      ask(rank, {.kind = MessageKind::run, .body = encode_message(request)});
    }
    std::vector<RunReply> replies;
    for (const Frame& frame : collect(options_.step_deadline_s)) {
      replies.push_back(decode_message<RunReply>(frame.body));
      peak_memory_bytes_ = std::max(peak_memory_bytes_, replies.back().memory_bytes);
      small_page_bytes_ = std::max(small_page_bytes_, replies.back().small_page_bytes);
    }
    const double error_s = align(replies, before);
    plan::StepTrace trace = join_traces(std::move(replies));
    trace.clock_error_s = error_s;
    return trace;
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
  std::int64_t small_page_bytes() const override { return small_page_bytes_; }
  std::string transport() const override { return transport_; }
  std::string binding() const override { return binding_; }
  std::string dots() const override { return dots_; }
  std::string convolutions() const override { return convolutions_; }
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
    const std::vector<std::vector<std::int32_t>> cores = cores_of_ranks(plan_, places_, options_);
    for (int rank = 0; rank < num_ranks(); ++rank) {
      const SetupRequest request{
          .rank = rank,
          .num_threads = options_.num_threads,
          .oversubscribed = options_.oversubscribed,
          .tcp_between_hosts = !options_.hosts.empty() || options_.tcp_between_hosts,
          .seed = options_.seed,
          .device = options_.device,
          .transport = options_.transport,
          .broadcasts = options_.broadcasts,
          .cores = cores[static_cast<std::size_t>(rank)],
          .gpu = options_.gpu};
      ask(rank, {.kind = MessageKind::setup, .body = encode_message(request)});
    }
    for (const Frame& frame : collect(options_.start_deadline_s)) {
      const auto reply = decode_message<SetupReply>(frame.body);
      addresses_.push_back(reply.address);
      if (dots_.find(reply.dots) == std::string::npos)
        dots_ += (dots_.empty() ? "" : "; ") + reply.dots;
      if (convolutions_.find(reply.convolutions) == std::string::npos)
        convolutions_ += (convolutions_.empty() ? "" : "; ") + reply.convolutions;
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
    refuse_ended();
    try {
      group_.of(rank).put(rank, request);
    } catch (const PeerGone&) {
    }
  }

  void refuse_ended() const {
    if (!failure_.empty()) throw Error("the session has ended: " + failure_);
  }

  AgentLink* agent_of(int rank) const {
    if (options_.agents.empty()) return nullptr;
    return options_.agents.at(host_of(plan_, places_[static_cast<std::size_t>(rank)])).agent;
  }

  std::map<AgentLink*, ClockOffset> measure_clocks() {
    refuse_ended();
    std::map<AgentLink*, ClockOffset> clocks;
    for (int rank = 0; rank < num_ranks(); ++rank) {
      AgentLink* const agent = agent_of(rank);
      if (agent == nullptr || clocks.contains(agent)) continue;
      try {
        clocks[agent] = agent->measure_clock();
      } catch (const Error& error) {
        watch_.begin(options_.step_deadline_s, options_.heartbeat_s);
        fail(watch_.inspect(std::vector<bool>(places_.size(), false)).value_or(error.what()));
      }
    }
    return clocks;
  }

  /// What ranks of other hosts measured, by this host's clock. Clocks are compared before and after
  /// the run: what they drifted meanwhile is known no better. Returns how far off times may be.
  double align(std::vector<RunReply>& replies, const std::map<AgentLink*, ClockOffset>& before) {
    std::map<AgentLink*, ClockOffset> after = measure_clocks();
    double error_s = 0;
    for (int rank = 0; rank < num_ranks(); ++rank) {
      AgentLink* const agent = agent_of(rank);
      if (agent == nullptr) continue;
      const ClockOffset &first = before.at(agent), &last = after.at(agent);
      const double offset_s = (first.offset_s + last.offset_s) / 2;
      error_s = std::max(error_s, std::max(first.error_s, last.error_s) +
                                      std::abs(last.offset_s - first.offset_s) / 2);
      shift(replies[static_cast<std::size_t>(rank)], offset_s);
    }
    return error_s;
  }

  std::vector<Frame> ask_all(MessageKind kind, const std::string& body, double deadline_s) {
    for (int rank = 0; rank < num_ranks(); ++rank) ask(rank, {.kind = kind, .body = body});
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
        std::optional<Frame> frame = pending[r] ? group_.of(rank).poll(rank) : std::nullopt;
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
      if (error && std::chrono::steady_clock::now() - error_time >
                       (is_any_ending() ? kEndingGrace : kVictimGrace))
        fail(*error, lacks_memory(true));
      group_.sleep(pending, kLookMilliseconds);
    }
  }

  /// Its end may be why others failed, and is told once it is over.
  bool is_any_ending() const {
    for (int rank = 0; rank < num_ranks(); ++rank) {
      if (group_.is_ending(rank)) return true;
    }
    return false;
  }

  /// A rank ended, or gave up, while it took memory, or its system killed for memory.
  bool lacks_memory(bool gave_up) const {
    bool lacks = false;
    for (int rank = 0; rank < num_ranks(); ++rank) {
      const bool ended = group_.end_of(rank).has_value();
      lacks = lacks || group_.of(rank).ended_for_memory(rank) ||
              ((ended || gave_up) && pages_[rank].taking_bytes.load() > 0);
    }
    return lacks;
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
  const std::string plan_bytes_;
  const topology::FileDescriptor plan_file_;
  const ProgressPages pages_;
  WorkerGroup group_;
  Watch watch_;
  std::vector<std::vector<std::byte>> addresses_;
  std::int64_t peak_memory_bytes_ = 0, small_page_bytes_ = 0;
  std::string transport_, binding_, dots_, convolutions_, slow_ops_, device_;
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
