// SPDX-License-Identifier: Apache-2.0
#include "plan/send_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace rhino;
using namespace rhino::plan;

namespace {

using Place = std::tuple<std::int64_t, std::int32_t, std::int32_t>;  // launch, step, piece

/// The rule in its own words: at most two; the earliest of a step of which none is under way, else
/// the earliest.
const Place* expected_next(const std::set<Place>& ready, const std::set<Place>& under_way) {
  if (ready.empty() || under_way.size() == 2) return nullptr;
  for (const Place& place : ready) {
    const auto same_step = [&](const Place& other) {
      return std::get<0>(other) == std::get<0>(place) && std::get<1>(other) == std::get<1>(place);
    };
    if (std::none_of(under_way.begin(), under_way.end(), same_step)) return &place;
  }
  return &*ready.begin();
}

/// A queue, and what its rule says of it.
struct Checked {
  SendQueue queue;
  std::set<Place> ready, under_way;

  void push(const Place& place) {
    ready.insert(place);
    queue.push({std::get<0>(place), std::get<1>(place), std::get<2>(place)});
  }
  void take_all() {
    while (true) {
      const Place* expected = expected_next(ready, under_way);
      const std::optional<Turn> turn = queue.next();
      REQUIRE(turn.has_value() == (expected != nullptr));
      if (!turn) return;
      REQUIRE(Place{turn->launch, turn->step, turn->piece} == *expected);
      under_way.insert(*expected);
      ready.erase(*expected);
    }
  }
  void end(const Place& place) {
    under_way.erase(place);
    queue.end({std::get<0>(place), std::get<1>(place), std::get<2>(place)});
  }
};

}  // namespace

TEST_CASE("pieces leave in the order of launches, steps and pieces, two at a time, of two steps") {
  const auto seed = GENERATE(range(0U, 40U));
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Checked checked;
  checked.queue.reserve(64);
  // Messages of up to five pieces, each of which is ready when the piece two before it has ended.
  std::map<std::pair<std::int64_t, std::int32_t>, std::int32_t> left;
  for (std::int32_t i = 0; i < 40 || !checked.under_way.empty(); ++i) {
    if (i < 40 && random() % 2 == 0) {
      const std::pair key{static_cast<std::int64_t>(random() % 4),
                          static_cast<std::int32_t>(random() % 8)};
      if (!left.try_emplace(key, static_cast<std::int32_t>(1 + random() % 5)).second) continue;
      for (std::int32_t piece = 0; piece < std::min(2, left[key]); ++piece)
        checked.push({key.first, key.second, piece});
    } else if (!checked.under_way.empty()) {
      const Place place =
          *std::next(checked.under_way.begin(),
                     static_cast<std::ptrdiff_t>(random() % checked.under_way.size()));
      checked.end(place);
      const auto [launch, step, piece] = place;
      if (piece + 2 < left.at({launch, step})) checked.push({launch, step, piece + 2});
    }
    checked.take_all();
  }
  CHECK(checked.ready.empty());
}

TEST_CASE("a message is cut into pieces that tile it in order, each in a row") {
  const auto seed = GENERATE(range(0U, 60U));
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::vector<std::int64_t> size(random() % 5);
  for (std::int64_t& extent : size) extent = 1 + static_cast<std::int64_t>(random() % 9);
  const auto element_bytes = static_cast<std::int64_t>(1U << (random() % 4));
  const auto max_bytes = static_cast<std::int64_t>(1 + random() % 700);
  const MessageCut cut(size, element_bytes, max_bytes);
  std::int64_t covered = 0;
  for (std::int64_t piece = 0; piece < cut.num_pieces(); ++piece) {
    const Box box = cut.box(piece);
    // Its first element comes right after the last one of the piece before.
    std::int64_t first = 0, last = 0;
    for (std::size_t d = 0; d < size.size(); ++d) {
      first = first * size[d] + box.start[d];
      last = last * size[d] + box.start[d] + box.size[d] - 1;
    }
    REQUIRE(first == covered);
    REQUIRE(last - first + 1 == num_elements(box));
    REQUIRE((num_elements(box) * element_bytes <= max_bytes || num_elements(box) == 1));
    covered = last + 1;
  }
  CHECK(covered == num_elements(size));
  CHECK(MessageCut({4, 0, 3}, 4).num_pieces() == 0);
}

TEST_CASE("small messages take no turn, and relays of the same box follow piece by piece") {
  Communication communication;
  communication.parts = {{DType::f32, {1 << 20}}};
  const auto step = [](std::int64_t elements, DeviceId from, DeviceId to, bool relayed) {
    const Box box{{0}, {elements}};
    return TransferStep{0, from, to, box, box, box, relayed, {}};
  };
  CHECK(!takes_turn(message_bytes(communication, step((8 << 10) - 1, 0, 1, false))));
  CHECK(takes_turn(message_bytes(communication, step(8 << 10, 0, 1, false))));
  const TransferStep first = step(100, 0, 1, false);
  CHECK(follows_by_pieces(first, step(100, 1, 2, true)));
  CHECK(!follows_by_pieces(first, step(100, 1, 2, false)));  // from its source tile
  CHECK(!follows_by_pieces(first, step(99, 1, 2, true)));
  CHECK(!follows_by_pieces(first, step(100, 2, 1, true)));
}
