// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/executor.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <functional>

#include "rhino/error.hpp"
#include "runtime/progress.hpp"
#include "toy_plans.hpp"

namespace rhino {
namespace {

/// What a rank said of itself as its device came to an operation.
struct Said {
  std::int32_t instruction;
  bool blocked;
  std::uint64_t progress;
};

/// Work that lies until somebody asks about it, one operation each time: a GPU behind its host.
class LaggingStream final : public runtime::Stream {
 public:
  explicit LaggingStream(const runtime::ProgressPage*& page) : page_(page) {}

  void enqueue(std::function<void()> operation) { queue_.push_back(std::move(operation)); }
  void wait(std::int64_t) override {
    while (!queue_.empty()) move();
  }
  runtime::Event record() override { return {this, 0}; }
  void wait_for(const runtime::Event& event) override {
    enqueue([event] { event.wait(); });
  }
  std::int64_t mark() override {
    enqueue([this] { ++num_over_; });
    return num_marks_++;
  }
  bool is_over(std::int64_t mark) override {
    if (mark >= num_over_) move();
    return mark < num_over_;
  }
  double time_s(std::int64_t mark) override { return static_cast<double>(mark); }

  std::vector<Said> said;
  int fails_at = -1;

 private:
  void move() {
    if (page_) said.push_back({page_->instruction, page_->blocked != 0, page_->progress});
    if (static_cast<int>(said.size()) == fails_at) throw Error("the device broke");
    const std::function<void()> operation = std::move(queue_.front());
    queue_.pop_front();
    operation();
  }

  const runtime::ProgressPage*& page_;
  std::deque<std::function<void()>> queue_;
  std::int64_t num_marks_ = 0, num_over_ = 0;
};

class LaggingExecutable final : public runtime::Executable {
 public:
  LaggingExecutable(std::unique_ptr<runtime::Executable> real, runtime::Stream& now)
      : real_(std::move(real)), now_(now) {}
  std::int64_t workspace_bytes() const override { return real_->workspace_bytes(); }
  void enqueue(runtime::Stream& stream, std::span<const void* const> inputs,
               std::span<void* const> outputs, void* workspace) override {
    dynamic_cast<LaggingStream&>(stream).enqueue(
        [=, this] { real_->enqueue(now_, inputs, outputs, workspace); });
  }

 private:
  std::unique_ptr<runtime::Executable> real_;
  runtime::Stream& now_;
};

class LaggingDevice final : public runtime::Device {
 public:
  std::unique_ptr<runtime::DeviceMemory> allocate(std::int64_t num_bytes) override {
    return real_->allocate(num_bytes);
  }
  void copy(runtime::Stream&, void* to, const void* from, std::int64_t num_bytes) override {
    real_->copy(*now_, to, from, num_bytes);
  }
  void fill(runtime::Stream&, void* to, std::byte value, std::int64_t num_bytes) override {
    real_->fill(*now_, to, value, num_bytes);
  }
  std::unique_ptr<runtime::Stream> stream() override {
    auto made = std::make_unique<LaggingStream>(page);
    if (!first) first = made.get();
    return made;
  }
  std::unique_ptr<runtime::Executable> compile(const Program& program) override {
    return std::make_unique<LaggingExecutable>(real_->compile(program), *now_);
  }
  std::vector<std::unique_ptr<runtime::Executable>> compile_all(
      const std::vector<const Program*>& programs, const std::function<void()>& moves_on) override {
    auto made = Device::compile_all(programs, [] {});
    for (int unit = 0; unit < num_units; ++unit) {
      moves_on();
      if (page) said_of_units.push_back(page->progress);
    }
    return made;
  }
  std::string name() const override { return "lagging"; }
  std::string narrow_dots() const override { return ""; }

  LaggingStream* first = nullptr;  ///< the executor's
  const runtime::ProgressPage* page = nullptr;
  int num_units = 0;  ///< that it compiles of all programs together
  std::vector<std::uint64_t> said_of_units;

 private:
  std::unique_ptr<runtime::Device> real_ = runtime::make_reference_device({});
  std::unique_ptr<runtime::Stream> now_ = real_->stream();
};

/// A peer that has always sent what is waited for.
class ReadyTransport final : public runtime::Transport {
 public:
  void wait(std::int64_t) override {}
  std::vector<std::byte> address() const override { return {}; }
  void connect(const std::vector<std::vector<std::byte>>&, double) override {}
  void prepare(const plan::ExecutionPlan&) override {}
  runtime::Event start(const runtime::CommunicationBinding& binding,
                       const runtime::Event&) override {
    std::copy_n(static_cast<const float*>(binding.inputs[0]), toy::kColumns,
                static_cast<float*>(binding.outputs[0]));
    return {this, 0};
  }
  void work_in_background() override {}
  void poll() override { ++num_polls; }
  void cancel(const std::string&) override {}
  std::int64_t staged_bytes() const override { return 0; }
  std::string description() const override { return ""; }
  std::string network() const override { return ""; }

  int num_polls = 0;
};

struct Fixture {
  plan::ExecutionPlan plan = toy::data_parallel();
  runtime::ProgressPages pages{1};
  LaggingDevice device;
  runtime::Fault fault{"", 0};
  ReadyTransport transport;
  runtime::Executor executor{plan, {0, 0, 0}, 1, 1, device, pages[0], fault};
};

TEST_CASE("while the host waits it says where the device is") {
  Fixture f;
  f.device.page = &f.pages[0];
  f.executor.run(1, false, f.transport);
  // Asked whether all is over; then run, mark; mark of the start; wait, mark; run, mark.
  const std::vector<std::int32_t> expected{3, 0, 0, 1, 2, 2, 3, 3};
  std::vector<std::int32_t> instructions;
  for (const Said& said : f.device.first->said) {
    instructions.push_back(said.instruction);
    CHECK(said.blocked == (said.instruction == 2));
  }
  CHECK(instructions == expected);
  CHECK(f.device.first->said.back().progress > f.device.first->said.front().progress + 2);
  CHECK(f.transport.num_polls > 0);
  CHECK(f.pages[0].blocked == 0);
}

TEST_CASE("a rank moves on with each unit that its device compiles") {
  const plan::ExecutionPlan plan = toy::data_parallel();
  const runtime::ProgressPages pages(1);
  const runtime::Fault fault("", 0);
  LaggingDevice device;
  device.page = &pages[0];
  device.num_units = 3;
  const runtime::Executor executor(plan, {0, 0, 0}, 1, 1, device, pages[0], fault);
  CHECK(device.said_of_units == std::vector<std::uint64_t>{1, 2, 3});
}

TEST_CASE("work that fails on the device ends the step with what it says") {
  Fixture f;
  f.device.page = &f.pages[0];
  f.device.first->fails_at = 3;
  CHECK_THROWS_WITH(f.executor.run(1, false, f.transport), "the device broke");
}

}  // namespace
}  // namespace rhino
