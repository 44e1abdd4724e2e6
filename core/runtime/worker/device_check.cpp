// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/device_check.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "ir/element.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime {
namespace {

constexpr int kTimedRuns = 10, kWarmRuns = 3, kReplays = 2;
constexpr double kLeastScale = 1e-30;

/// What a program works on, on a device; all ones where nothing was given.
class Bound {
 public:
  Bound(Device& device, const DeviceCase& what)
      : device_(device),
        program_(what.program),
        executable_(device.compile(what.program)),
        stream_(device.stream()) {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      const Shape& shape = program_.shape(program_.inputs[i].value);
      std::byte* place = add(num_bytes(shape));
      inputs_.push_back(place);
      if (i < what.inputs.size()) give(shape, what.inputs[i], place);
      else device.fill(*stream_, place, std::byte{0}, num_bytes(shape));
    }
    for (const Output& output : program_.outputs)
      outputs_.push_back(add(num_bytes(program_.shape(output.value))));
    workspace_ = add(executable_->workspace_bytes());
  }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  void run() { executable_->enqueue(*stream_, inputs_, outputs_, workspace_); }
  /// Outputs are what the last replay makes of inputs alone.
  void run_as_recording() {
    wait();
    stream_->begin_recording();
    run();
    recording_ = stream_->end_recording();
    for (int i = 0; i < kReplays; ++i) {
      for (std::size_t output = 0; output < outputs_.size(); ++output)
        device_.fill(*stream_, outputs_[output], std::byte{0xff},
                     num_bytes(program_.shape(program_.outputs[output].value)));
      recording_->replay();
    }
  }
  bool can_record() const { return stream_->can_record(); }
  void wait() { stream_->record().wait(); }

  std::vector<double> output(std::size_t index) {
    const Shape& shape = program_.shape(program_.outputs[index].value);
    std::vector<std::byte> bytes(at(num_bytes(shape)));
    device_.copy(*stream_, bytes.data(), outputs_[index], num_bytes(shape));
    wait();
    std::vector<double> elements(at(num_elements(shape)));
    ir::read_elements(shape.dtype, bytes.data(), elements);
    return elements;
  }

 private:
  std::byte* add(std::int64_t bytes) {
    memory_.push_back(device_.allocate(bytes));
    device_.fill(*stream_, memory_.back()->data(), std::byte{0xff}, bytes);
    return memory_.back()->data();
  }
  void give(const Shape& shape, const std::vector<double>& elements, std::byte* place) {
    std::vector<std::byte> bytes(at(num_bytes(shape)));
    ir::write_elements(shape.dtype, elements, bytes.data());
    device_.copy(*stream_, place, bytes.data(), num_bytes(shape));
    wait();
  }

  Device& device_;
  const Program& program_;
  std::vector<std::unique_ptr<DeviceMemory>> memory_;
  std::unique_ptr<Executable> executable_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Recording> recording_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
  void* workspace_ = nullptr;
};

/// The largest difference over the largest element that is expected; integers count whole.
double error_of(DType dtype, const std::vector<double>& actual,
                const std::vector<double>& expected) {
  double largest = kLeastScale, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool same =
        actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i]));
    if (std::isfinite(expected[i])) largest = std::max(largest, std::abs(expected[i]));
    if (same) continue;
    const double by = std::abs(actual[i] - expected[i]);
    difference = std::max(difference, std::isfinite(by) ? by : HUGE_VAL);
  }
  return is_floating(dtype) ? difference / largest : difference;
}

void compare(Bound& bound, const DeviceCase& what, DeviceCaseResult& result) {
  for (std::size_t i = 0; i < what.expected.size(); ++i) {
    const Shape& shape = what.program.shape(what.program.outputs[i].value);
    const double error = error_of(shape.dtype, bound.output(i), what.expected[i]);
    result.error = std::max(result.error, error);
    if (error <= (is_floating(shape.dtype) ? what.tolerance : 0) || result.is_wrong) continue;
    result.is_wrong = true;
    result.failure = "output " + std::to_string(i) + " is not what the reference computes";
  }
}

double median_s(Bound& bound) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = 0; i < kWarmRuns + kTimedRuns; ++i) {
    const Clock::time_point begin = Clock::now();
    bound.run();
    bound.wait();
    if (i >= kWarmRuns)
      seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace

DeviceCaseResult run_case(Device& device, const DeviceCase& what) {
  DeviceCaseResult result;
  try {
    Bound bound(device, what);
    bound.run();
    if (bound.can_record()) bound.run_as_recording();
    bound.wait();
    if (what.expected.empty()) result.seconds = median_s(bound);
    else compare(bound, what, result);
  } catch (const Error& error) {
    result.failure = error.what();
  }
  return result;
}

void check_memory(Device& device, std::int64_t num_bytes) {
  const std::unique_ptr<DeviceMemory> first = device.allocate(num_bytes),
                                      second = device.allocate(num_bytes);
  const std::unique_ptr<Stream> stream = device.stream();
  std::vector<std::byte> there(at(num_bytes)), back(at(num_bytes));
  for (std::size_t i = 0; i < there.size(); ++i) there[i] = static_cast<std::byte>(i * 131 % 251);
  device.fill(*stream, second->data(), std::byte{7}, num_bytes);
  device.copy(*stream, first->data(), there.data(), num_bytes);
  device.copy(*stream, second->data(), first->data(), num_bytes);
  device.copy(*stream, back.data(), second->data(), num_bytes);
  stream->record().wait();
  if (there != back) throw Error("bytes that went to the GPU and back are others");
}

}  // namespace rhino::runtime
