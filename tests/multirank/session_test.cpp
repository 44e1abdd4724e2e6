// SPDX-License-Identifier: Apache-2.0
#include "runtime/session.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "rhino/error.hpp"
#include "session_fixture.hpp"
#include "toy_plans.hpp"

namespace rhino {
namespace {

std::vector<double> column_sums(const std::vector<float>& x) {
  std::vector<double> sums(toy::kColumns);
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % sums.size()] += static_cast<double>(x[i]);
  return sums;
}

void check_close(const std::vector<double>& actual, const std::vector<double>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    CHECK(actual[i] == Approx(expected[i]).epsilon(1e-5).margin(1e-6));
}

/// w - (1 + ... + num_steps) * gradient.
std::vector<double> stepped(const std::vector<float>& w, const std::vector<double>& gradient,
                            int num_steps) {
  std::vector<double> result;
  for (std::size_t i = 0; i < w.size(); ++i) {
    result.push_back(static_cast<double>(w[i]) - num_steps * (num_steps + 1) / 2 * gradient[i]);
  }
  return result;
}

TEST_CASE("two ranks reduce a gradient and update in place, step by step") {
  const RunDir dir;
  const runtime::SessionOptions options = quick_options(dir);
  const auto session = runtime::start_session(toy::data_parallel(), options);
  const std::vector<float> x = toy::initial_elements(0, {toy::kRows, toy::kColumns}, options.seed);
  const std::vector<float> w = toy::initial_elements(1, {toy::kColumns}, options.seed);

  session->run_steps(3, false);
  const std::vector<runtime::FetchedTensor> first = session->fetch({0, 1, 2});
  REQUIRE(first.size() == 3);
  check_close(first[0].elements, column_sums(x));
  check_close(first[1].elements, stepped(w, column_sums(x), 3));
  CHECK(first[2].elements == std::vector<double>(x.begin(), x.end()));
  for (const runtime::FetchedTensor& tensor : first) CHECK(tensor.num_disagreeing == 0);

  session->run_steps(1, false);
  check_close(session->fetch({1})[0].elements, stepped(w, column_sums(x), 4));
  session->reset(options.seed, 1);
  session->run_steps(1, false);
  check_close(session->fetch({1})[0].elements, stepped(w, column_sums(x), 1));
  session->reset(8, 5);
  session->run_steps(1, false);
  const std::vector<double> other =
      column_sums(toy::initial_elements(0, {toy::kRows, toy::kColumns}, 8));
  std::vector<double> fifth;
  for (std::size_t c = 0; c < other.size(); ++c)
    fifth.push_back(toy::initial_elements(1, {toy::kColumns}, 8)[c] - 5 * other[c]);
  check_close(session->fetch({1})[0].elements, fifth);
  CHECK(session->peak_memory_bytes() >= toy::data_parallel().roles[0].arena_bytes);
  CHECK_FALSE(session->transport().empty());
}

TEST_CASE("a pipeline of two roles moves micro-batches on every kind of device") {
  const RunDir dir;
  runtime::SessionOptions options = quick_options(dir);
  options.device = GENERATE("cpu", "reference");
  const auto session = runtime::start_session(toy::pipeline(), options);
  session->run_steps(5, false);
  const std::vector<float> x = toy::initial_elements(0, {toy::kRows, toy::kColumns}, options.seed);
  std::vector<double> expected;
  for (std::size_t i = 0; i < x.size() / 2; ++i) {
    expected.push_back(2 * (static_cast<double>(x[i]) + static_cast<double>(x[i + x.size() / 2])));
  }
  check_close(session->fetch({0})[0].elements, expected);
}

TEST_CASE("workers have no memory with a name that would outlive them") {
  const RunDir dir;
  const auto session = runtime::start_session(toy::data_parallel(), quick_options(dir));
  session->run_steps(1, false);
  for (const std::int32_t pid : session->pids()) {
    std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
    const std::string text{std::istreambuf_iterator<char>(maps), {}};
    CHECK(text.find("/memfd:rhino-shared-") != std::string::npos);
    CHECK(text.find("/dev/shm/") == std::string::npos);
  }
}

double staged_bytes(const plan::ExecutionPlan& plan) {
  const RunDir dir;
  const auto session = runtime::start_session(plan, quick_options(dir));
  double bytes = 0;
  for (const plan::DeviceTrace& device : session->run_steps(3, false).devices)
    bytes += device.staged_bytes;
  return bytes;
}

TEST_CASE("ranks of one host read each other's tiles in place; without shared memory they do not") {
  const plan::ExecutionPlan plan = GENERATE(toy::data_parallel(), toy::pipeline());
  CHECK(staged_bytes(plan) == 0);
  ::setenv("UCX_TLS", "tcp,self", 1);
  const double staged = staged_bytes(plan);
  ::unsetenv("UCX_TLS");
  // Each rank its gradient to the other; one rank two halves to the other.
  const std::int64_t elements =
      plan.roles.size() == 1 ? 2 * toy::kColumns : toy::kRows * toy::kColumns;
  CHECK(staged == 4 * elements);
}

TEST_CASE("traces hold every instruction of the last step on one clock") {
  const RunDir dir;
  const plan::ExecutionPlan plan = toy::pipeline();
  const auto session = runtime::start_session(plan, quick_options(dir));
  const plan::StepTrace trace = session->run_steps(6, true);
  REQUIRE(trace.devices.size() == 2);
  CHECK(trace.step_s > 0);
  CHECK(trace.makespan_s > 0);
  for (const plan::DeviceTrace& device : trace.devices) {
    const plan::Role& role = plan.roles[static_cast<std::size_t>(device.role)];
    REQUIRE(device.step_end_s.size() == 6);
    REQUIRE(device.events.size() == role.instructions.size());
    double total_s = 0;
    for (std::size_t i = 0; i < device.events.size(); ++i) {
      CHECK(device.events[i].instruction == static_cast<int>(i));
      CHECK(device.events[i].step == 6);
      if (i > 0) CHECK(device.events[i].begin_s >= device.events[i - 1].end_s);
      total_s += device.events[i].end_s - device.events[i].begin_s;
    }
    CHECK(device.events.back().end_s == Approx(device.step_end_s.back()));
    CHECK(device.compute_s + device.exposed_communication_s <= total_s * 1.000001);
    CHECK(device.bubble_s == Approx(total_s - device.compute_s).margin(1e-9));
    CHECK(device.communication_s <= total_s * 1.000001);
  }
  const double sent_s = trace.devices[0].events[1].begin_s;
  const double received_s = trace.devices[1].events[2].end_s;
  CHECK(sent_s < received_s);
  CHECK(session->run_steps(1, false).devices[0].events.empty());
}

TEST_CASE("sessions follow one another and leave nothing behind") {
  for (int i = 0; i < 2; ++i) {
    const RunDir dir;
    const Stopwatch watch;
    auto session = runtime::start_session(toy::data_parallel(), quick_options(dir));
    const std::int32_t group = session->pids().front();
    session->run_steps(2, false);
    session.reset();
    CHECK(group_is_gone(group));
    CHECK(no_child_left());
    CHECK(watch.seconds() < 10);
  }
}

TEST_CASE("two sessions live side by side") {
  const RunDir dir_a, dir_b;
  const auto a = runtime::start_session(toy::data_parallel(), quick_options(dir_a));
  const auto b = runtime::start_session(toy::pipeline(), quick_options(dir_b));
  a->run_steps(1, false);
  b->run_steps(1, false);
  CHECK(a->fetch({0})[0].elements.size() == static_cast<std::size_t>(toy::kColumns));
  CHECK(b->fetch({0})[0].elements.size() ==
        static_cast<std::size_t>(toy::kRows / 2 * toy::kColumns));
}

TEST_CASE("a worker starts from an open file, whatever its number") {
  const RunDir dir;
  runtime::SessionOptions options = quick_options(dir);
  for (const int number : {3, 6, 100}) {
    const int opened = ::open(options.worker.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened != number) REQUIRE(::dup3(opened, number, O_CLOEXEC) == number);
    runtime::SessionOptions by_number = options;
    by_number.worker = "/proc/self/fd/" + std::to_string(number);
    runtime::start_session(toy::pipeline(), by_number)->run_steps(1, false);
    ::close(number);
    if (opened != number) ::close(opened);
  }
}

TEST_CASE("one rank alone needs nobody") {
  const RunDir dir;
  const runtime::SessionOptions options = quick_options(dir);
  const auto session = runtime::start_session(toy::alone(), options);
  session->run_steps(2, false);
  const std::vector<float> x = toy::initial_elements(0, {toy::kRows, toy::kColumns}, options.seed);
  check_close(session->fetch({0})[0].elements, column_sums(x));
}

TEST_CASE("a wrong question leaves the session usable") {
  const RunDir dir;
  const auto session = runtime::start_session(toy::pipeline(), quick_options(dir));
  CHECK_THROWS_WITH(session->fetch({9}), Catch::Contains("no output 9"));
  CHECK_THROWS_WITH(session->run_steps(0, false), Catch::Contains("0 steps"));
  session->run_steps(1, false);
}

TEST_CASE("a worker that is not there is named") {
  const RunDir dir;
  runtime::SessionOptions options = quick_options(dir);
  options.worker = "/nonexistent/rhino-worker";
  CHECK_THROWS_WITH(
      runtime::start_session(toy::pipeline(), options),
      Catch::Contains("/nonexistent/rhino-worker") && Catch::Contains("No such file"));
  options.worker = "/bin/false";
  CHECK_THROWS_WITH(runtime::start_session(toy::pipeline(), options),
                    Catch::Contains("exited with code 1"));
  options = quick_options(dir);
  options.run_dir = "/nonexistent";
  CHECK_THROWS_WITH(runtime::start_session(toy::pipeline(), options),
                    Catch::Contains("cannot write /nonexistent/rank0.log"));
  options = quick_options(dir);
  options.device = "abacus";
  CHECK_THROWS_WITH(runtime::start_session(toy::pipeline(), options),
                    Catch::Contains("no device 'abacus'"));
  CHECK(no_child_left());
}

/// Devices 0 to 2 with one vector each of x (input 0) and y (output 0), and one step per transfer.
/// Device 1 begins to receive from 0 only after what comes by way of 2 is there.
plan::ExecutionPlan late_receiver(std::int64_t num_elements) {
  const Shape vector{DType::f32, {num_elements}};
  plan::ExecutionPlan plan;
  plan.name = "late receiver";
  plan.cluster = toy::cluster(3);
  for (const auto& [from, to] : {std::pair(0, 1), std::pair(0, 2), std::pair(2, 1)}) {
    const Box all{{0}, {num_elements}};
    plan.communications.push_back(
        {.kind = plan::CommunicationKind::transfer,
         .parts = {vector},
         .steps = {{.from = from, .to = to, .global = all, .source = all, .target = all}},
         .name = std::to_string(from) + " to " + std::to_string(to)});
  }
  const auto start = [](std::int32_t index, std::int32_t source, std::int32_t target) {
    return plan::Instruction{.kind = plan::InstructionKind::start,
                             .index = index,
                             .inputs = {source},
                             .outputs = {target}};
  };
  const auto wait = [](std::int32_t index) {
    return plan::Instruction{.kind = plan::InstructionKind::wait, .index = index};
  };
  const std::vector<std::vector<plan::Instruction>> lists = {
      {start(0, 0, -1), start(1, 0, -1), wait(0), wait(1)},
      {start(2, -1, 0), wait(2), start(0, -1, 1), wait(0)},
      {start(1, -1, 0), wait(1), start(2, 0, -1), wait(2)}};
  for (DeviceId device = 0; device < 3; ++device) {
    plan::Role role;
    role.mesh = {{}, {device}};
    role.buffers = {{vector, 0, device == 0}, {vector, 0, false}};
    toy::lay_out(role);
    role.instructions = lists[static_cast<std::size_t>(device)];
    if (device == 0)
      role.inputs = {{0, 0, vector, toy::replicated(1), toy::kUniform, InputKind::batch, -1, 0}};
    if (device == 1) role.outputs = {{0, 1, vector, toy::replicated(1)}};
    plan.roles.push_back(role);
  }
  return plan;
}

TEST_CASE("large messages to a receiver that begins late hold up nobody else") {
  const RunDir dir;
  const runtime::SessionOptions options = quick_options(dir);
  constexpr std::int64_t kElements = 2 << 20;  // eight messages of a mebibyte
  const auto session = runtime::start_session(late_receiver(kElements), options);
  session->run_steps(3, false);
  const std::vector<float> x = toy::initial_elements(0, {kElements}, options.seed);
  CHECK(session->fetch({0})[0].elements == std::vector<double>(x.begin(), x.end()));
}

}  // namespace
}  // namespace rhino
