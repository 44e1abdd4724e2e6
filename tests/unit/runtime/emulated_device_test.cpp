// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <chrono>
#include <ctime>

#include "runtime/device/device.hpp"

using namespace rhino;

TEST_CASE("an emulated device takes the time of a program, leaves its outputs and the core alone") {
  Program program;
  program.name = "work";
  runtime::DeviceOptions options;
  options.program_s = [](const Program& asked) { return asked.name == "work" ? 0.2 : 0; };
  const auto device = runtime::make_emulated_device(options);
  const auto executable = device->compile(program);
  const auto stream = device->stream();
  CHECK(executable->workspace_bytes() == 0);
  float output = 7;
  void* const outputs[] = {&output};
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t busy = std::clock();
  executable->enqueue(*stream, {}, outputs, nullptr);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(200));
  CHECK(std::clock() - busy < CLOCKS_PER_SEC / 10);
  CHECK(output == 7);
}
