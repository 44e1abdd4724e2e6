// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

#include "rhino/error.hpp"
#include "runtime/session.hpp"
#include "session_fixture.hpp"
#include "toy_plans.hpp"

namespace rhino {
namespace {

struct FaultCase {
  std::string kind;
  std::string told;  ///< what the sentence says of rank 1
};

const std::vector<FaultCase> kFaults = {{"kill", "was killed by signal 9 (KILL)"},
                                        {"stop", "was stopped by a signal"},
                                        {"segv", "was killed by signal 11 (SEGV)"},
                                        {"abort", "was killed by signal 6 (ABRT)"},
                                        {"hang", "hangs"},
                                        {"exit", "exited with code 0"},
                                        {"throw", "failed"}};

/// Short deadlines where only they can tell, so that a busy machine is not blamed on others.
runtime::SessionOptions options_for(const std::string& kind, const RunDir& dir) {
  runtime::SessionOptions options = quick_options(dir);
  if (kind == "hang") options.start_deadline_s = options.step_deadline_s = 3;
  if (kind == "stop") options.heartbeat_s = 0.5;
  return options;
}

/// The sentence with which `plan` ends, from start to `num_steps` steps; empty where it does not.
std::string failure_of(const plan::ExecutionPlan& plan, const runtime::SessionOptions& options,
                       int num_steps) {
  try {
    runtime::start_session(plan, options)->run_steps(num_steps, false);
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

/// A controller that tells its workers' ids and then runs steps for good.
[[noreturn]] void control_until_killed(const runtime::SessionOptions& options, int told) noexcept {
  try {
    const auto session = runtime::start_session(toy::data_parallel(), options);
    const std::vector<std::int32_t> pids = session->pids();
    if (::write(told, pids.data(), 2 * sizeof(std::int32_t)) > 0)
      session->run_steps(100'000'000, false);
  } catch (const std::exception&) {  // the other side misses the ids
  }
  ::_exit(1);
}

TEST_CASE("a fault while preparing ends the session and names the rank") {
  for (const FaultCase& fault : kFaults) {
    const RunDir dir;
    const FaultRequest request("rank=1,phase=prepare,kind=" + fault.kind);
    const Stopwatch watch;
    const std::string sentence = failure_of(toy::data_parallel(), options_for(fault.kind, dir), 1);
    INFO(fault.kind << ": " << sentence);
    CHECK_THAT(sentence, Catch::StartsWith("rank 1 (pid ") && Catch::Contains(fault.told));
    CHECK_THAT(sentence, Catch::Contains("while preparing the plan"));
    CHECK(watch.seconds() < 10);
    CHECK(no_child_left());
  }
}

TEST_CASE("a fault in a step ends the session and names rank, step and instruction") {
  for (const FaultCase& fault : kFaults) {
    const RunDir dir;
    const FaultRequest request("rank=1,step=2,instruction=2,kind=" + fault.kind);
    const Stopwatch watch;
    const std::string sentence = failure_of(toy::data_parallel(), options_for(fault.kind, dir), 5);
    INFO(fault.kind << ": " << sentence);
    CHECK_THAT(sentence, Catch::StartsWith("rank 1 (pid ") && Catch::Contains(fault.told));
    CHECK_THAT(sentence, Catch::Contains("in step 2 at instruction 2 (wait for 'gradient')"));
    CHECK(watch.seconds() < 10);
    CHECK(no_child_left());
  }
}

TEST_CASE("a step that takes longer than its deadline goes on as long as some rank moves") {
  const RunDir dir;
  runtime::SessionOptions options = quick_options(dir);
  options.step_deadline_s = 2;
  const FaultRequest request("rank=1,kind=lag,ms=700");  // 4 instructions, while rank 0 waits
  CHECK(failure_of(toy::data_parallel(), options, 1).empty());
}

TEST_CASE("memory that a rank cannot have is told apart from other failures") {
  const RunDir dir;
  plan::ExecutionPlan plan = toy::data_parallel();
  plan.roles[0].arena_bytes = std::int64_t{1} << 50;  // beyond the addresses of a process
  const auto start = [&] { runtime::start_session(plan, quick_options(dir))->run_steps(1, false); };
  CHECK_THROWS_AS(start(), runtime::OutOfMemory);
  CHECK_THROWS_WITH(start(), Catch::StartsWith("memory ran out: rank ") &&
                                 Catch::Contains("cannot allocate 1125899906842624"));
  plan = toy::data_parallel();
  for (const std::string where : {"phase=prepare", "step=1,instruction=1"}) {
    const FaultRequest request("rank=1,kind=kill," + where);
    try {
      start();
      FAIL("rank 1 was not killed");
    } catch (const runtime::OutOfMemory& error) {
      FAIL(error.what());
    } catch (const Error&) {
    }
  }
}

TEST_CASE("the culprit is named whichever side of a transfer it is on") {
  for (const int rank : {0, 1}) {
    for (const std::string kind : {"kill", "hang", "throw"}) {
      const RunDir dir;
      const FaultRequest request("rank=" + std::to_string(rank) +
                                 ",step=3,instruction=1,kind=" + kind);
      const std::string sentence = failure_of(toy::pipeline(), options_for(kind, dir), 5);
      INFO(sentence);
      CHECK_THAT(sentence, Catch::StartsWith("rank " + std::to_string(rank) + " (pid "));
      CHECK_THAT(sentence, Catch::Contains("in step 3 at instruction 1"));
    }
  }
}

TEST_CASE("signals from outside are noticed in the middle of many steps") {
  for (const int signal : {SIGKILL, SIGSTOP}) {
    const RunDir dir;
    const auto session = runtime::start_session(toy::data_parallel(), quick_options(dir));
    const std::vector<std::int32_t> pids = session->pids();
    std::thread killer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      ::kill(pids[1], signal);
    });
    const Stopwatch watch;
    CHECK_THROWS_WITH(session->run_steps(100'000'000, false),
                      Catch::StartsWith("rank 1 (pid " + std::to_string(pids[1]) + ")") &&
                          Catch::Contains("in step"));
    killer.join();
    CHECK(watch.seconds() < 5);
    CHECK(group_is_gone(pids[0]));
    CHECK_THROWS_WITH(session->run_steps(1, false),
                      Catch::StartsWith("the session has ended: rank 1"));
  }
}

TEST_CASE("a rank that dies between two commands is found by the next one") {
  const RunDir dir;
  const auto session = runtime::start_session(toy::pipeline(), quick_options(dir));
  ::kill(session->pids()[0], SIGKILL);
  CHECK_THROWS_WITH(session->run_steps(1, false),
                    Catch::StartsWith("rank 0") && Catch::Contains("signal 9"));
}

TEST_CASE("a stopped rank does not hold up the end of a session") {
  const RunDir dir;
  auto session = runtime::start_session(toy::pipeline(), quick_options(dir));
  const std::int32_t group = session->pids()[0];
  ::kill(session->pids()[1], SIGSTOP);
  const Stopwatch watch;
  session.reset();
  CHECK(watch.seconds() < 3);
  CHECK(group_is_gone(group));
}

TEST_CASE("workers end with a controller that is killed") {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become our children: their end can be seen
  const RunDir dir;
  const runtime::SessionOptions options = quick_options(dir);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t controller = ::fork();
  REQUIRE(controller >= 0);
  if (controller == 0) control_until_killed(options, ends[1]);
  ::close(ends[1]);
  std::int32_t pids[2];
  REQUIRE(::read(ends[0], pids, sizeof(pids)) == sizeof(pids));
  ::close(ends[0]);
  ::kill(controller, SIGKILL);
  const Stopwatch watch;
  while (!no_child_left() && watch.seconds() < 5) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(watch.seconds() < 2);
  CHECK(group_is_gone(pids[0]));
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace rhino
