// SPDX-License-Identifier: Apache-2.0
// Resharding plugins that misbehave, one per kind of fault: what the harness must survive.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "rhino/plugin.hpp"

namespace rhino {
namespace {

class Faulty : public Resharding {
 public:
  explicit Faulty(const Options& options) : depth_(options.get<std::int64_t>("depth", 0)) {}

  TransferPlan plan(const ReshardProblem&) override {
    const std::string fault = RHINO_TEST_FAULT;
    if (fault == "throws") throw std::string("no reason at all");
    if (fault == "throws_error") throw Error("the mesh is too round");
    if (fault == "speaks_in_lines")
      throw Error("the mesh\n\tis \x1b[31mtoo round" + std::string(5000, '!'));
    if (fault == "names_a_stranger") return {.ops = {{0, Copy{0, 999, {{0}, {1}}}, {}}}};
    if (fault == "loops") {
      for (volatile bool forever = true; forever;) {
      }
    }
    if (fault == "segfaults") *volatile_null() = 1;
    if (fault == "aborts_on_a_thread") std::thread([] { std::abort(); }).join();
    if (fault == "exits") _exit(0);
    if (fault == "writes_to_stdout") std::puts("hello from the plugin");
    if (fault == "eats_memory") {
      for (;;) eaten_.append(1 << 20, 'x');
    }
    return TransferPlan{};  // misses every element
  }

 private:
  static volatile int* volatile_null() {
    static volatile int* volatile null = nullptr;
    return null;
  }

  std::int64_t depth_;
  std::string eaten_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/" RHINO_TEST_FAULT, rhino::Faulty, "misbehaves")
