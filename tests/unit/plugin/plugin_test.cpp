// SPDX-License-Identifier: Apache-2.0
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

TEST_CASE("files that are no plugins are passed over and torn ones are refused") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "text.so") << "not a library";
  CHECK(Registry({folder.path.string()}).plugins().empty());
  const Registry registry({kPlugins});
  fs::copy(registry.find("schedule/gpipe").path, folder.path / "torn.so");
  fs::resize_file(folder.path / "torn.so", fs::file_size(folder.path / "torn.so") / 2);
  CHECK_THROWS_WITH(Registry({folder.path.string()}), Contains("torn.so: torn library"));
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
#else
constexpr ChildOutcome kOutOfMemory = ChildOutcome::error;
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
      {"eats_memory", kOutOfMemory, ""},
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

TEST_CASE("a child returns large results whole") {
  const ChildResult result = run_in_child([] { return std::string(5 << 20, 'p'); }, {});
  CHECK(result.outcome == ChildOutcome::ok);
  CHECK(result.text == std::string(5 << 20, 'p'));
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

TEST_CASE("a child without plugin that crashes blames planning") {
  const ChildResult result = run_in_child([]() -> std::string { std::abort(); }, {});
  CHECK(result.outcome == ChildOutcome::crashed);
  CHECK_THAT(result.text, Contains("planning was killed by signal 6"));
}
