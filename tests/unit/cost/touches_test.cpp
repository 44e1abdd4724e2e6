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

/// A byte of a run: of an input, an output or the workspace, by its address there.
using Space = std::pair<char, std::int64_t>;

/// Where a value lies, byte by byte, or 64 of them at a time.
struct Place {
  Space space;
  std::int64_t first = 0, last = 0;
  bool covers(const Place& other, std::int64_t block) const {
    return space == other.space && first <= block && block < last;
  }
};

Place place_of(const lower::LoweredProgram& lowered, ValueId id) {
  while (lowered.placed_in[at(id)] != kNoValue) id = lowered.placed_in[at(id)];
  const std::int64_t blocks = (num_bytes(lowered.program.shape(id)) + 63) / 64;
  const auto& inputs = lowered.program.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].value == id) return {{'i', static_cast<std::int64_t>(i)}, 0, blocks};
  }
  if (lowered.placed_out[at(id)] >= 0) return {{'o', lowered.placed_out[at(id)]}, 0, blocks};
  const std::int64_t first = lowered.offsets[at(id)] / 64;
  return {{'w', 0}, first, first + blocks};
}

/// Looks back from a group, block by block and group by group, through two runs.
double looked_up(const lower::LoweredProgram& lowered, std::size_t group, ValueId id) {
  const Place mine = place_of(lowered, id);
  const std::size_t count = lowered.groups.size();
  double sum = 0;
  for (std::int64_t block = mine.first; block < mine.last; ++block) {
    double bytes = 0;
    bool found = false;
    for (std::size_t back = count + group; back-- > 0 && !found;) {
      const lower::KernelGroup& other = lowered.groups[back % count];
      std::set<std::pair<Space, std::int64_t>> seen;
      for (const auto* list : {&other.inputs, &other.outputs}) {
        for (const ValueId touched : *list) {
          const Place place = place_of(lowered, touched);
          if (seen.insert({place.space, place.first}).second)
            bytes += static_cast<double>(num_bytes(lowered.program.shape(touched)));
          found |= place.covers(mine, block);
        }
      }
    }
    sum += bytes;
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
    const auto found = touches(lowered, {});
    REQUIRE(found.size() == lowered.groups.size());
    for (std::size_t g = 0; g < found.size(); ++g) {
      const lower::KernelGroup& group = lowered.groups[g];
      std::vector<Place> read, all;
      std::size_t next = 0;
      const auto is_in = [](const std::vector<Place>& places, const Place& place) {
        return std::ranges::any_of(places, [&](const Place& other) {
          return other.space == place.space && other.first == place.first;
        });
      };
      for (const ValueId id : group.inputs) {
        const Place place = place_of(lowered, id);
        if (is_in(read, place)) continue;
        read.push_back(place);
        REQUIRE(next < found[g].size());
        CHECK(found[g][next].kind == Touch::Kind::read);
        CHECK(found[g][next].reuse_bytes == Approx(looked_up(lowered, g, id)));
        ++next;
      }
      for (const ValueId id : group.outputs) {
        const bool is_over = is_in(read, place_of(lowered, id));
        REQUIRE(next < found[g].size());
        CHECK(found[g][next].kind == (is_over ? Touch::Kind::over : Touch::Kind::fresh));
        CHECK(found[g][next].bytes == num_bytes(lowered.program.shape(id)));
        CHECK(found[g][next].reuse_bytes == Approx(looked_up(lowered, g, id)));
        (is_over ? num_over : num_fresh) += 1;
        ++next;
      }
      CHECK(next == found[g].size());
    }
  }
  CHECK(num_fresh > 0);
  CHECK(num_over > 0);
}

TEST_CASE("as a run begins its inputs and outputs are as far as its caller says") {
  ir::Builder b("two");
  const Shape shape{DType::f32, {100}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x"),
                w = b.input(InputKind::parameter, {DType::f32, {100, 10}}, {}, "w");
  const ValueId y = b.dot(x, w, {.lhs_contracting = {0}, .rhs_contracting = {0}});
  b.output(b.dot(b.unary(OpKind::tanh, y), w, {.lhs_contracting = {0}, .rhs_contracting = {1}}),
           OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(b).finish());
  const auto found = touches(lowered, {{1e6, 2e6}, {3e6}});
  REQUIRE(found.size() == 3);
  CHECK(found[0][0].reuse_bytes == Approx(1e6));
  CHECK(found[0][1].reuse_bytes == Approx(2e6));
  // The weights again, behind the first dot and the loop.
  const auto again = std::ranges::find(found[2], 4000.0, &Touch::bytes);
  REQUIRE(again != found[2].end());
  CHECK(again->reuse_bytes < 5000);
  CHECK(found[2].back().kind == Touch::Kind::fresh);
  CHECK(found[2].back().reuse_bytes == Approx(3e6).epsilon(0.01));
}
