// SPDX-License-Identifier: Apache-2.0
#include "cost/touches.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::cost;

namespace {

constexpr std::int64_t kBlock = 64;

/// Inputs, outputs and the workspace of a run, one behind the other.
struct Layout {
  explicit Layout(const lower::LoweredProgram& lowered) {
    const auto take = [&](std::int64_t bytes) {
      const std::int64_t offset = num_bytes;
      num_bytes += (bytes + kBlock - 1) / kBlock * kBlock;
      return offset;
    };
    const Program& program = lowered.program;
    for (const Input& input : program.inputs)
      place.inputs.push_back(take(rhino::num_bytes(program.shape(input.value))));
    for (const Output& output : program.outputs)
      place.outputs.push_back(take(rhino::num_bytes(program.shape(output.value))));
    place.workspace = take(lowered.workspace_bytes);
  }
  RunPlace place;
  std::int64_t num_bytes = 0;
};

/// Where a value lies.
struct Place {
  std::int64_t first = 0, last = 0;  ///< blocks
  bool operator==(const Place&) const = default;
};

Place place_of(const lower::LoweredProgram& lowered, const Layout& layout, ValueId id) {
  while (lowered.placed_in[at(id)] != kNoValue) id = lowered.placed_in[at(id)];
  std::int64_t offset = layout.place.workspace + lowered.offsets[at(id)];
  const auto& inputs = lowered.program.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].value == id) offset = layout.place.inputs[i];
  }
  if (lowered.placed_out[at(id)] >= 0)
    offset = layout.place.outputs[at(lowered.placed_out[at(id)])];
  const std::int64_t bytes = num_bytes(lowered.program.shape(id));
  return {offset / kBlock, (offset + bytes + kBlock - 1) / kBlock};
}

/// Looks back from a group, block by block and group by group, through two runs.
double looked_up(const lower::LoweredProgram& lowered, const Layout& layout, std::size_t group,
                 ValueId id) {
  const Place mine = place_of(lowered, layout, id);
  const std::size_t count = lowered.groups.size();
  double sum = 0;
  for (std::int64_t block = mine.first; block < mine.last; ++block) {
    std::set<std::int64_t> seen;
    for (std::size_t back = count + group; back-- > 0 && !seen.contains(block);) {
      const lower::KernelGroup& other = lowered.groups[back % count];
      for (const auto* list : {&other.inputs, &other.outputs}) {
        for (const ValueId touched : *list) {
          const Place place = place_of(lowered, layout, touched);
          for (std::int64_t i = place.first; i < place.last; ++i) seen.insert(i);
        }
      }
    }
    sum += static_cast<double>(kBlock) * static_cast<double>(seen.size());
  }
  return mine.first == mine.last ? 0 : sum / static_cast<double>(mine.last - mine.first);
}

}  // namespace

TEST_CASE("between two uses of memory lies what a program touches from the one to the other") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  int num_fresh = 0, num_over = 0;
  for (int i = 0; i < 30; ++i) {
    const Program step =
        ir::training_step(models::random_forward(random(), 8, 3 + random() % 12), {});
    const lower::LoweredProgram lowered = lower::lower(step);
    const Layout layout(lowered);
    REQUIRE(layout.num_bytes < 8000 * kBlock);  // pages are blocks
    RecentMemory memory(layout.num_bytes, 2 * lowered.groups.size());
    touches(lowered, layout.place, memory);
    const auto found = touches(lowered, layout.place, memory);
    REQUIRE(found.size() == lowered.groups.size());
    for (std::size_t g = 0; g < found.size(); ++g) {
      const lower::KernelGroup& group = lowered.groups[g];
      std::vector<Place> read, all;
      std::size_t next = 0;
      const auto is_in = [](const std::vector<Place>& places, const Place& place) {
        return std::ranges::any_of(places,
                                   [&](const Place& other) { return other.first == place.first; });
      };
      for (const ValueId id : group.inputs) {
        const Place place = place_of(lowered, layout, id);
        if (is_in(read, place)) continue;
        read.push_back(place);
        REQUIRE(next < found[g].size());
        CHECK(found[g][next].kind == Touch::Kind::read);
        CHECK(found[g][next].reuse_bytes == Approx(looked_up(lowered, layout, g, id)));
        ++next;
      }
      for (const ValueId id : group.outputs) {
        const bool is_over = is_in(read, place_of(lowered, layout, id));
        REQUIRE(next < found[g].size());
        CHECK(found[g][next].kind == (is_over ? Touch::Kind::over : Touch::Kind::fresh));
        CHECK(found[g][next].bytes == num_bytes(lowered.program.shape(id)));
        CHECK(found[g][next].reuse_bytes == Approx(looked_up(lowered, layout, g, id)));
        (is_over ? num_over : num_fresh) += 1;
        ++next;
      }
      CHECK(next == found[g].size());
    }
  }
  CHECK(num_fresh > 0);
  CHECK(num_over > 0);
}

TEST_CASE("memory is as long ago as what was done since its last use took") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  constexpr std::int64_t kNumBlocks = 40;
  constexpr int kNumTurns = 200;
  RecentMemory memory(kNumBlocks * kBlock, kNumTurns);
  std::vector<double> end_s(kNumBlocks);  // of each block's last use; before all turns at first
  double now_s = 0;
  for (int turn = 0; turn < kNumTurns; ++turn) {
    const auto first = static_cast<std::int64_t>(random() % kNumBlocks),
               count = 1 + static_cast<std::int64_t>(random()) % (kNumBlocks - first);
    const Part part{first * kBlock, count * kBlock};
    memory.begin_turn();
    double sum_s = 0;
    for (std::int64_t block = first; block < first + count; ++block)
      sum_s += now_s - end_s[static_cast<std::size_t>(block)];
    CHECK(memory.since(part).seconds == Approx(sum_s / static_cast<double>(count)).margin(1e-9));
    memory.touch(part);
    if (random() % 4 > 0) {  // else no time passes
      const double own_s = static_cast<double>(random() % 100);
      memory.spend(own_s);
      now_s += own_s;
    }
    for (std::int64_t block = first; block < first + count; ++block)
      end_s[static_cast<std::size_t>(block)] = now_s;
  }
  CHECK(memory.since({-1, 1000}).seconds == 0);  // nowhere
}

TEST_CASE("memory is as far as what was touched since, each byte once") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  constexpr std::int64_t kNumBlocks = 60;
  constexpr std::size_t kNumTurns = 300;
  RecentMemory memory(kNumBlocks * kBlock, kNumTurns);
  std::vector<std::set<std::int64_t>> turns;
  const auto draw_part = [&] {
    const auto first = static_cast<std::int64_t>(random() % kNumBlocks),
               count = 1 + static_cast<std::int64_t>(random() % 20);
    return Part{first * kBlock, std::min(count, kNumBlocks - first) * kBlock};
  };
  const auto looked_up = [&](const Part& part) {
    double sum = 0;
    for (std::int64_t block = part.offset / kBlock; kBlock * block < part.offset + part.bytes;
         ++block) {
      std::set<std::int64_t> seen;
      for (std::size_t turn = turns.size(); turn-- > 0 && !seen.contains(block);)
        seen.insert(turns[turn].begin(), turns[turn].end());
      sum += static_cast<double>(kBlock) * static_cast<double>(seen.size());
    }
    return sum * static_cast<double>(kBlock) / static_cast<double>(part.bytes);
  };
  for (std::size_t turn = 0; turn < kNumTurns; ++turn) {
    const Part asked = draw_part();
    CHECK(memory.since(asked).bytes == Approx(looked_up(asked)));
    memory.begin_turn();
    turns.emplace_back();
    for (int i = 0; i < 3; ++i) {
      const Part part = draw_part();
      memory.touch(part);
      for (std::int64_t byte = 0; byte < part.bytes; byte += kBlock)
        turns.back().insert((part.offset + byte) / kBlock);
    }
  }
  CHECK(memory.since({-1, 1000}).bytes == 0);  // nowhere
  CHECK(memory.since({0, 0}).bytes == 0);
}
