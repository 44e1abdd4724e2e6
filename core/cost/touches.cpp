// SPDX-License-Identifier: Apache-2.0
#include "cost/touches.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::cost {
namespace {

/// The memory of one run.
class Places {
 public:
  Places(const lower::LoweredProgram& lowered, const RunPlace& run)
      : lowered_(lowered), run_(run), input_of_(lowered.program.ops.size(), -1) {
    const std::vector<Input>& inputs = lowered.program.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      input_of_[at(inputs[i].value)] = static_cast<std::int32_t>(i);
  }

  /// The value whose memory it lies in.
  ValueId of(ValueId id) const {
    while (lowered_.placed_in[at(id)] != kNoValue) id = lowered_.placed_in[at(id)];
    return id;
  }

  Part part(ValueId place) const {
    const std::int64_t bytes = num_bytes(lowered_.program.shape(place));
    if (const std::int32_t input = input_of_[at(place)]; input >= 0)
      return {run_.inputs[at(input)], bytes};
    if (const std::int32_t output = lowered_.placed_out[at(place)]; output >= 0)
      return {run_.outputs[at(output)], bytes};
    const std::int64_t offset = lowered_.offsets[at(place)];
    return {offset < 0 ? -1 : run_.workspace + offset, bytes};
  }

 private:
  const lower::LoweredProgram& lowered_;
  const RunPlace& run_;
  std::vector<std::int32_t> input_of_;  ///< per value
};

}  // namespace

std::vector<std::vector<Touch>> touches(const lower::LoweredProgram& lowered, const RunPlace& place,
                                        RecentMemory& memory, const std::vector<double>& groups_s) {
  const Places places(lowered, place);
  std::vector<std::vector<Touch>> found;
  for (const lower::KernelGroup& group : lowered.groups) {
    std::vector<Touch>& touches = found.emplace_back();
    std::vector<ValueId> read, written;
    const auto touch = [&](ValueId id, Touch::Kind kind) {
      const RecentMemory::Distance since = memory.since(places.part(places.of(id)));
      touches.push_back({static_cast<double>(num_bytes(lowered.program.shape(id))), since.bytes,
                         kind, since.seconds});
    };
    memory.begin_turn();
    for (const ValueId id : group.inputs) {
      if (std::ranges::find(read, places.of(id)) != read.end()) continue;
      read.push_back(places.of(id));
      touch(id, Touch::Kind::read);
    }
    for (const ValueId id : group.outputs) {
      const bool is_over = std::ranges::find(read, places.of(id)) != read.end();
      if (!is_over && std::ranges::find(written, places.of(id)) != written.end()) continue;
      written.push_back(places.of(id));
      touch(id, is_over ? Touch::Kind::over : Touch::Kind::fresh);
    }
    for (const auto* list : {&read, &written})
      for (const ValueId id : *list) memory.touch(places.part(id));
    if (!groups_s.empty()) memory.spend(groups_s[found.size() - 1]);
  }
  return found;
}

}  // namespace rhino::cost
