// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "plugin/child.hpp"
#include "plugin/registry.hpp"
#include "plugin/suggest.hpp"

using namespace rhino;
using namespace rhino::plugin;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const char* const kFaulty = RHINO_TEST_FAULTY_PLUGINS;
const char* const kPlugins = RHINO_TEST_PLUGINS;

/// What planning with a faulty plugin comes to.
ChildResult plan_with(const std::string& fault) {
  const Registry registry({kFaulty});
  const PluginInfo& info = registry.find("resharding/" + fault);
  return run_in_child(
      [&] {
        make_resharding(info, Options{})->plan({});
        return std::string("planned");
      },
      {.deadline_s = 2, .memory_bytes = 256 << 20});
}

/// A file with some bytes, gone at the end of the test.
struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("rhino_plugin_test_" + std::to_string(getpid()));
  TemporaryFolder() { fs::create_directory(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

/// Forks a process that leaves its session and its parent, and lives on.
void leave_behind() {
  if (fork() != 0) return;
  setsid();
  if (fork() == 0) pause();
  _exit(0);
}

/// Whether nobody has the other end of a pipe open any more, within a minute.
bool is_abandoned(int end) {
  pollfd abandoned{end, POLLIN, 0};
  char byte = 0;
  return poll(&abandoned, 1, 60'000) == 1 && read(end, &byte, 1) == 0;
}

}  // namespace

TEST_CASE("notes are read without opening the library") {
  const Registry registry({kPlugins});
  const PluginInfo& info = registry.find("resharding/send_recv");
  CHECK_THAT(info.path, Contains("rhino_resharding_send_recv.so"));
  CHECK_FALSE(info.description.empty());
  CHECK(info.build_id.size() == 16);
}

TEST_CASE("an unknown id suggests the nearest one") {
  const Registry registry({kPlugins});
  CHECK_THROWS_WITH(registry.find("resharding/send_rcev"),
                    "unknown plugin 'resharding/send_rcev'; did you mean 'resharding/send_recv'?");
}

TEST_CASE("a suggestion lists what is known where nothing is near") {
  CHECK(suggestion("zzzzzzzz", {"broadcast", "striped"}) == "; known: broadcast, striped");
  CHECK(suggestion("resharing", {"resharding", "schedule"}) == "; did you mean 'resharding'?");
}

TEST_CASE("the same id in two files is an error that names both") {
  const TemporaryFolder folder;
  const Registry registry({kPlugins});
  fs::copy(registry.find("schedule/gpipe").path, folder.path / "copy.so");
  CHECK_THROWS_WITH(Registry({kPlugins, folder.path.string()}),
                    Contains("copy.so") && Contains("rhino_schedule_gpipe.so"));
}

TEST_CASE("files that are no plugins are passed over and torn ones are refused by their name") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "text.so") << "not a library";
  fs::create_directory(folder.path / "folder.so");
  REQUIRE(mkfifo((folder.path / "pipe.so").c_str(), 0600) == 0);  // nobody writes to it
  CHECK(Registry({folder.path.string()}).plugins().empty());
  const Registry registry({kPlugins});
  const fs::path torn = folder.path / "rhino_schedule_mine.so";
  fs::copy(registry.find("schedule/gpipe").path, torn);
  fs::resize_file(torn, fs::file_size(torn) / 2);
  const Registry beside({folder.path.string(), kPlugins});
  CHECK_NOTHROW(beside.find("schedule/gpipe"));
  REQUIRE(beside.unreadable().size() == 1);
  CHECK_THAT(beside.unreadable().front(), Contains("rhino_schedule_mine.so: torn library"));
  CHECK_THROWS_WITH(beside.find("schedule/mine"),
                    Contains("unknown plugin 'schedule/mine': ") && Contains("torn library"));
}

TEST_CASE("a plugin of another ABI is refused with both tags and none of its code runs") {
  const Registry registry({kFaulty});
  CHECK_THROWS_WITH(make_resharding(registry.find("resharding/foreign"), {}),
                    Contains("0123456789abcdef-cxx11-plain") && Contains("this engine's"));
}

TEST_CASE("a plugin of another kind is refused") {
  const Registry registry({kPlugins});
  CHECK_THROWS_WITH(make_search(registry.find("schedule/gpipe"), {}),
                    Contains("plugin 'schedule/gpipe' is no search"));
}

TEST_CASE("an option that a plugin never reads is refused by name") {
  const Registry registry({kFaulty});
  const PluginInfo& info = registry.find("resharding/misses_elements");
  CHECK_THROWS_WITH(make_resharding(info, Options({{"dpeth", std::int64_t{1}}})),
                    Contains("knows no option 'dpeth'; did you mean 'depth'?"));
  CHECK_NOTHROW(make_resharding(info, Options({{"depth", std::int64_t{1}}})));
}

/// The allocator of the address sanitizer ends the process where others throw.
#ifdef __SANITIZE_ADDRESS__
constexpr ChildOutcome kOutOfMemory = ChildOutcome::crashed;
constexpr const char* kLimit = "";
#else
constexpr ChildOutcome kOutOfMemory = ChildOutcome::error;
constexpr const char* kLimit = "ran out of its memory limit";
#endif

TEST_CASE("every fault of a plugin ends in one sentence that names it") {
  const auto [fault, outcome, words] = GENERATE(table<std::string, ChildOutcome, std::string>({
      {"throws", ChildOutcome::error, "threw something that is no exception"},
      {"throws_error", ChildOutcome::error, "the mesh is too round"},
      {"loops", ChildOutcome::deadline, "did not end within 2 s"},
      {"segfaults", ChildOutcome::crashed, "was killed by signal 11"},
      {"aborts_on_a_thread", ChildOutcome::crashed, "was killed by signal 6"},
      {"exits", ChildOutcome::crashed, "exited with code 0"},
      {"writes_to_stdout", ChildOutcome::error, "wrote to standard output"},
      {"eats_memory", kOutOfMemory, kLimit},
  }));
  CAPTURE(fault);
  const ChildResult result = plan_with(fault);
  CHECK(result.outcome == outcome);
  CHECK_THAT(result.text, Contains("plugin 'resharding/" + fault + "'") && Contains(words));
  CHECK(result.text.find('\n') == std::string::npos);
}

TEST_CASE("an interrupt ends a child that works on") {
  int num_asked = 0;
  const ChildResult result = run_in_child(
      [] {
        for (volatile bool forever = true; forever;) {
        }
        return std::string();
      },
      {.deadline_s = 60, .is_interrupted = [&] { return ++num_asked > 2; }});
  CHECK(result.outcome == ChildOutcome::interrupted);
}

TEST_CASE("a child that is ended before it began ends, though its caller hears the same signal") {
  const auto before = signal(SIGTERM, [](int) {});
  alarm(60);  // a lost signal would let both wait for each other
  for (int attempt = 0; attempt < 20; ++attempt) {
    const ChildResult result = run_in_child([] { return std::string(5 << 20, 'p'); },
                                            {.is_interrupted = [] { return true; }});
    CHECK(result.outcome == ChildOutcome::interrupted);
  }
  alarm(0);
  signal(SIGTERM, before);
}

TEST_CASE("a child returns large results whole") {
  const ChildResult result = run_in_child([] { return std::string(5 << 20, 'p'); }, {});
  CHECK(result.outcome == ChildOutcome::ok);
  CHECK(result.text == std::string(5 << 20, 'p'));
}

TEST_CASE("what a child handed over last is there where its deadline comes, and there alone") {
  const std::string large(5 << 20, 's');
  const bool is_late = GENERATE(true, false);
  CAPTURE(is_late);
  const ChildResult result = run_in_child(
      [&](const HandOver& hand_over) {
        hand_over("small");
        hand_over("");
        hand_over(large);
        for (volatile bool forever = is_late; forever;) {
        }
        return std::string("end");
      },
      {.deadline_s = is_late ? 2.0 : 60.0});
  CHECK(result.outcome == (is_late ? ChildOutcome::deadline : ChildOutcome::ok));
  CHECK(result.text == (is_late ? "planning did not end within 2 s" : "end"));
  CHECK(result.so_far == (is_late ? large : ""));
}

TEST_CASE("what a plugin leaves running dies with its cell") {
  int end[2];
  REQUIRE(pipe(end) == 0);
  const ChildResult result = run_in_child(
      [&] {
        if (fork() == 0) {
          close(end[0]);
          pause();
        }
        return std::string("left one behind");
      },
      {.deadline_s = 5});
  CHECK(result.outcome == ChildOutcome::ok);
  close(end[1]);
  char byte = 0;
  CHECK(read(end[0], &byte, 1) == 0);  // the other end is closed: nobody lives
  close(end[0]);
}

TEST_CASE("what left its session dies with its cell, and other children of the caller do not") {
  int end[2];
  REQUIRE(pipe(end) == 0);
  const pid_t other = fork();
  if (other == 0) pause(), _exit(0);
  const ChildResult result = run_in_child(
      [&] {
        leave_behind();
        return std::string("done");
      },
      {.deadline_s = 60});
  CHECK(result.text == "done");
  CHECK(kill(other, 0) == 0);
  CHECK(waitpid(other, nullptr, WNOHANG) == 0);
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  close(end[1]);
  CHECK(is_abandoned(end[0]));
  close(end[0]);
}

TEST_CASE("what left its session dies with the caller, however that ends") {
  int end[2], begun[2];
  REQUIRE(pipe(end) == 0);
  REQUIRE(pipe(begun) == 0);
  const pid_t caller = fork();
  if (caller == 0) {
    run_in_child(
        [&] {
          leave_behind();
          if (write(begun[1], "!", 1) == 1) pause();
          return std::string();
        },
        {.deadline_s = 60});
    _exit(0);
  }
  char byte = 0;
  CHECK(read(begun[0], &byte, 1) == 1);
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  close(end[1]);
  CHECK(is_abandoned(end[0]));
  for (const int fd : {end[0], begun[0], begun[1]}) close(fd);
}

TEST_CASE("files in memory count as memory, also those of what a plugin left behind") {
  constexpr std::int64_t kLimit = 64 << 20;
  const auto fill = [] {
    const int file = memfd_create("large", 0);
    const std::string block(1 << 20, 'x');
    for (int i = 0; i < 1024; ++i) {
      if (write(file, block.data(), block.size()) < 0) break;
      if (i > 2 * (kLimit >> 20)) usleep(100'000);  // the supervisor looks ten times a second
    }
  };
  const bool detached = GENERATE(false, true);
  CAPTURE(detached);
  const ChildResult result = run_in_child(
      [&] {
        if (detached && fork() == 0) setsid(), fill(), _exit(0);
        if (detached) pause();
        fill();
        return std::string("kept it all");
      },
      {.deadline_s = 60, .memory_bytes = kLimit});
  CHECK(result.outcome == ChildOutcome::error);
  CHECK(result.text == "planning ran out of its memory limit, with files in memory");
}

TEST_CASE("standard output holds a page") {
  const ChildResult result = run_in_child(
      [] {
        const std::string line(1 << 20, 'x');
        for (int i = 0; i < 64; ++i) std::puts(line.c_str());
        struct stat output {};
        fstat(STDOUT_FILENO, &output);
        throw Error(std::to_string(output.st_blocks * 512));
        return std::string();
      },
      {.deadline_s = 60});
  CHECK(std::stoll(result.text) <= 4096);
}

TEST_CASE("a child without plugin that crashes blames planning") {
  const ChildResult result = run_in_child([]() -> std::string { std::abort(); }, {});
  CHECK(result.outcome == ChildOutcome::crashed);
  CHECK_THAT(result.text, Contains("planning was killed by signal 6"));
}
