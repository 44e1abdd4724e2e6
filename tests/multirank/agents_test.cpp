// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "rhino/error.hpp"
#include "runtime/agents/agent.hpp"
#include "runtime/agents/agent_link.hpp"
#include "session_fixture.hpp"
#include "toy_plans.hpp"

namespace rhino {
namespace {

/// An agent in a process of its own, as on another host, and the link to it.
class FarHost {
 public:
  /// Its clock is `ahead_s` ahead, where this process may make it so.
  explicit FarHost(int ahead_s = 0) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::runtime_error("no sockets");
    const std::string worker = std::getenv("RHINO_WORKER");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::close(ends[0]);
      if (ahead_s > 0 && !shift_clock(ahead_s)) ::_exit(kNoClock);
      runtime::Channel controller{topology::FileDescriptor(ends[1])};
      const runtime::AgentEnd end = runtime::serve_agent(controller, {.worker = worker});
      ::_exit(end == runtime::AgentEnd::left ? 0 : 3);
    }
    ::close(ends[1]);
    link_ = std::make_unique<runtime::AgentLink>(
        runtime::Channel(topology::FileDescriptor(ends[0]), 1 << 26),
        topology::HostReport{.rank = 1, .name = "far"});
  }
  ~FarHost() {
    link_->leave();
    if (pid_ > 0) end();
  }

  static constexpr int kNoClock = 77;

  runtime::AgentLink& link() { return *link_; }
  void hang_up() { link_.reset(new runtime::AgentLink(dead_channel(), {.name = "gone"})); }
  bool has_no_clock() {
    try {
      link_->measure_clock();
      return false;
    } catch (const Error&) {
      return end() == kNoClock;
    }
  }
  void signal(int number) const {
    if (pid_ > 0) ::kill(pid_, number);
  }
  /// Its exit code, or minus the signal that ended it.
  int end() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  static runtime::Channel dead_channel() { return runtime::Channel(topology::FileDescriptor()); }
  /// In a time namespace of its own; only before threads are made.
  static bool shift_clock(int ahead_s) {
    if (::unshare(CLONE_NEWTIME) != 0) return false;
    std::ofstream("/proc/self/timens_offsets") << "monotonic " << ahead_s << " 0" << std::endl;
    const int clock = ::open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
    return clock >= 0 && ::setns(clock, CLONE_NEWTIME) == 0;
  }
  pid_t pid_ = 0;
  std::unique_ptr<runtime::AgentLink> link_;
};

plan::ExecutionPlan on_two_hosts(plan::ExecutionPlan plan) {
  plan.cluster.hosts = {{"here", {0}}, {"far", {1}}};
  plan.cluster.host_of = {0, 1};
  return plan;
}

runtime::SessionOptions far_options(const RunDir& dir, FarHost& far) {
  runtime::SessionOptions options = quick_options(dir);
  options.agents = {{.agent = nullptr, .cores = topology::discover_cores()},
                    {.agent = &far.link(), .cores = topology::discover_cores()}};
  options.tcp_between_hosts = true;
  return options;
}

std::string failure_of(const RunDir& dir, FarHost& far, double deadline_s = 20) {
  runtime::SessionOptions options = far_options(dir, far);
  options.start_deadline_s = options.step_deadline_s = deadline_s;
  options.heartbeat_s = 0.5;
  try {
    runtime::start_session(on_two_hosts(toy::data_parallel()), options)
        ->run_steps(1'000'000, false);
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

TEST_CASE("ranks of two hosts do what those of one do, bit by bit") {
  const RunDir dir;
  FarHost far;
  const auto here = runtime::start_session(toy::data_parallel(), quick_options(dir));
  const auto apart =
      runtime::start_session(on_two_hosts(toy::data_parallel()), far_options(dir, far));
  CHECK_THAT(apart->transport(), Catch::Contains("tcp"));
  for (int round = 0; round < 3; ++round) {
    here->run_steps(2, true);
    const plan::StepTrace trace = apart->run_steps(2, true);
    CHECK(trace.clock_error_s > 0);
    CHECK(trace.clock_error_s < 1);
    for (const plan::DeviceTrace& device : trace.devices) {
      CHECK(device.events.size() == 4);  // of the last step
      for (const plan::TraceEvent& event : device.events) CHECK(event.begin_s >= 0);
    }
    const auto expected = here->fetch({0, 1, 2}), actual = apart->fetch({0, 1, 2});
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(actual[i].elements == expected[i].elements);
      CHECK(actual[i].num_disagreeing == 0);
    }
    here->reset(11, 4);
    apart->reset(11, 4);
  }
}

TEST_CASE("traces of hosts whose clocks are 3 s apart lie on one clock") {
  const RunDir dir;
  FarHost far(3);
  if (far.has_no_clock()) {
    WARN("this kernel, or this user, has no time namespaces: not tested");
    return;
  }
  const auto session =
      runtime::start_session(on_two_hosts(toy::data_parallel()), far_options(dir, far));
  const runtime::ClockOffset clock = far.link().measure_clock();
  CHECK(std::abs(clock.offset_s - 3) <= clock.error_s + 1e-4);
  const plan::StepTrace trace = session->run_steps(3, true);
  // Neither leaves the all-reduce before the other has entered it.
  const auto &here = trace.devices[0].events, &there = trace.devices[1].events;
  REQUIRE(here.size() == 4);
  REQUIRE(there.size() == 4);
  const double both_enter_s = std::max(here[1].begin_s, there[1].begin_s);
  for (const auto* events : {&here, &there})
    CHECK((*events)[2].end_s >= both_enter_s - 2 * trace.clock_error_s);
  CHECK(trace.makespan_s < 1);
  CHECK(trace.clock_error_s < 0.1);
}

TEST_CASE("a session that ends leaves its agent ready for the next, and no worker") {
  const RunDir dir;
  FarHost far;
  for (int i = 0; i < 3; ++i) {
    const auto session =
        runtime::start_session(on_two_hosts(toy::data_parallel()), far_options(dir, far));
    session->run_steps(1, false);
    const std::int32_t pid = session->pids()[1];
    CHECK(::kill(pid, 0) == 0);
  }
  far.link().leave();
  CHECK(far.end() == 0);
}

TEST_CASE("a fault of a rank on another host names rank, host and instruction") {
  struct Case {
    std::string kind, told;
  };
  for (const Case& fault : std::vector<Case>{{"kill", "was killed by signal 9 (KILL)"},
                                             {"stop", "was stopped by a signal"},
                                             {"segv", "was killed by signal 11 (SEGV)"},
                                             {"hang", "hangs"},
                                             {"exit", "exited with code 0"},
                                             {"throw", "a fault on purpose"}}) {
    const RunDir dir;
    const FaultRequest request("rank=1,step=2,instruction=2,kind=" + fault.kind);
    FarHost far;
    const Stopwatch watch;
    const std::string sentence = failure_of(dir, far, 2);
    INFO(fault.kind << ": " << sentence);
    CHECK_THAT(sentence, Catch::StartsWith("rank 1 (pid ") && Catch::Contains(" on far) ") &&
                             Catch::Contains(fault.told));
    CHECK_THAT(sentence, Catch::Contains("in step 2 at instruction 2 (wait for 'gradient')"));
    CHECK(watch.seconds() < 10);
  }
}

TEST_CASE("an agent that is killed or stopped ends the session, named by its host") {
  for (const auto& [number, told] :
       std::vector<std::pair<int, std::string>>{{SIGKILL, "is lost"}, {SIGSTOP, "is silent"}}) {
    const RunDir dir;
    FarHost far;
    std::thread killer([&, number = number] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      far.signal(number);
    });
    const Stopwatch watch;
    const std::string sentence = failure_of(dir, far);
    killer.join();
    INFO(sentence);
    CHECK_THAT(sentence, Catch::Contains("on far) was killed") ||
                             (Catch::StartsWith("host far with rank 1") && Catch::Contains(told)));
    CHECK(watch.seconds() < 10);
    far.signal(SIGKILL);
  }
}

TEST_CASE("an agent whose controller is gone ends, and its workers with it") {
  const RunDir dir;
  FarHost far;
  std::int32_t pid = 0;
  {
    const auto session =
        runtime::start_session(on_two_hosts(toy::data_parallel()), far_options(dir, far));
    pid = session->pids()[1];
    far.link().give_up("on purpose");
    CHECK_THROWS_WITH(
        session->run_steps(1, false),
        Catch::Contains("host far with rank 1 is lost") && Catch::Contains("on purpose"));
  }
  far.hang_up();
  CHECK(far.end() == 3);
  CHECK(::kill(pid, 0) < 0);
}

TEST_CASE("an agent that has nothing to do ends, too, when its controller is gone") {
  FarHost far;
  far.link().measure_clock();
  far.hang_up();
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    far.signal(SIGKILL);
  });
  CHECK(far.end() == 3);
  late.join();
}

TEST_CASE("what no agent says is the end of its link, in a sentence") {
  struct Header {
    std::uint32_t kind, failed, session;
    std::int32_t rank;
    std::uint64_t size;
  };
  const auto kind = static_cast<std::uint32_t>(runtime::MessageKind::clock);
  const std::vector<std::pair<Header, std::string>> cases{
      {{kind, 0, 0, -1, std::uint64_t{1} << 60}, "a message of 1152921504606846976 bytes"},
      {{kind, 0, 0, -1, 3}, "a control message"}};
  for (const auto& [header, told] : cases) {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    const topology::FileDescriptor theirs(ends[1]);
    runtime::AgentLink link(runtime::Channel(topology::FileDescriptor{ends[0]}, 1 << 20),
                            {.name = "far"});
    REQUIRE(::write(theirs.get(), &header, sizeof header) == sizeof header);
    REQUIRE(::write(theirs.get(), "abc", 3) == 3);
    link.pump();
    CHECK_THAT(link.why_lost(), Catch::Contains(told));
    CHECK_THROWS_AS(link.put({}), runtime::PeerGone);
  }
}

}  // namespace
}  // namespace rhino
