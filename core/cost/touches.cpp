// SPDX-License-Identifier: Apache-2.0
#include "cost/touches.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

/// The memory of a run, in pages, and when each was touched: a clock that counts bytes.
class Memory {
 public:
  explicit Memory(const lower::LoweredProgram& lowered) : lowered_(lowered) {
    const Program& program = lowered.program;
    input_of_.assign(program.ops.size(), -1);
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      input_of_[at(program.inputs[i].value)] = static_cast<std::int32_t>(i);
    inputs_.assign(program.inputs.size(), 0);
    outputs_.assign(program.outputs.size(), 0);
    constexpr std::int64_t kLeastPage = 64, kMostPages = 4096;
    page_bytes_ = std::max(kLeastPage, lowered.workspace_bytes / kMostPages + 1);
    workspace_.assign(at((lowered.workspace_bytes + page_bytes_ - 1) / page_bytes_), 0);
  }

  /// As of the begin of a run.
  void set(const Reuse& reuse) {
    for (std::size_t i = 0; i < reuse.inputs.size(); ++i) inputs_[i] = clock_ - reuse.inputs[i];
    for (std::size_t i = 0; i < reuse.outputs.size(); ++i) outputs_[i] = clock_ - reuse.outputs[i];
  }

  std::vector<Touch> run(const lower::KernelGroup& group) {
    std::vector<Touch> touches;
    std::vector<ValueId> places;
    double bytes = 0;
    for (const ValueId id : group.inputs) touch(id, Touch::Kind::read, places, touches, bytes);
    const std::vector<ValueId> read = places;
    for (const ValueId id : group.outputs) {
      const ValueId place = this->place(id);
      if (std::ranges::find(read, place) == read.end()) {
        touch(id, Touch::Kind::fresh, places, touches, bytes);
      } else {  // written over what it reads
        touches.push_back({bytes_of(id), since(place), Touch::Kind::over});
      }
    }
    for (const ValueId place : places) set_last(place, clock_);
    clock_ += bytes;
    return touches;
  }

 private:
  /// The value whose memory it lies in.
  ValueId place(ValueId id) const {
    while (lowered_.placed_in[at(id)] != kNoValue) id = lowered_.placed_in[at(id)];
    return id;
  }

  double bytes_of(ValueId id) const {
    return static_cast<double>(num_bytes(lowered_.program.shape(id)));
  }

  void touch(ValueId id, Touch::Kind kind, std::vector<ValueId>& places,
             std::vector<Touch>& touches, double& bytes) {
    const ValueId place = this->place(id);
    if (std::ranges::find(places, place) != places.end()) return;
    places.push_back(place);
    touches.push_back({bytes_of(id), since(place), kind});
    bytes += bytes_of(id);
  }

  double since(ValueId place) const {
    if (const std::int32_t input = input_of_[at(place)]; input >= 0)
      return clock_ - inputs_[at(input)];
    if (const std::int32_t output = lowered_.placed_out[at(place)]; output >= 0)
      return clock_ - outputs_[at(output)];
    const auto [first, last] = pages(place);
    if (first == last) return 0;
    double sum = 0;
    for (std::size_t page = first; page < last; ++page) sum += clock_ - workspace_[page];
    return sum / static_cast<double>(last - first);
  }

  void set_last(ValueId place, double clock) {
    if (const std::int32_t input = input_of_[at(place)]; input >= 0) {
      inputs_[at(input)] = clock;
    } else if (const std::int32_t output = lowered_.placed_out[at(place)]; output >= 0) {
      outputs_[at(output)] = clock;
    } else {
      const auto [first, last] = pages(place);
      std::fill(workspace_.begin() + static_cast<std::ptrdiff_t>(first),
                workspace_.begin() + static_cast<std::ptrdiff_t>(last), clock);
    }
  }

  /// First, and behind the last.
  std::pair<std::size_t, std::size_t> pages(ValueId place) const {
    const std::int64_t offset = lowered_.offsets[at(place)],
                       bytes = num_bytes(lowered_.program.shape(place));
    if (offset < 0 || bytes == 0) return {0, 0};
    return {at(offset / page_bytes_), at((offset + bytes - 1) / page_bytes_ + 1)};
  }

  const lower::LoweredProgram& lowered_;
  std::vector<std::int32_t> input_of_;  ///< per value
  std::vector<double> inputs_, outputs_, workspace_;
  std::int64_t page_bytes_ = 0;
  double clock_ = 0;
};

}  // namespace

std::vector<std::vector<Touch>> touches(const lower::LoweredProgram& lowered, const Reuse& reuse) {
  Memory memory(lowered);
  for (const lower::KernelGroup& group : lowered.groups) memory.run(group);  // the run before
  memory.set(reuse);
  std::vector<std::vector<Touch>> touches;
  for (const lower::KernelGroup& group : lowered.groups) touches.push_back(memory.run(group));
  return touches;
}

}  // namespace rhino::cost
