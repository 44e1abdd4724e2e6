// SPDX-License-Identifier: Apache-2.0
#include "evaluate/frame_crossings.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

using sharding::ChunkPhase;

class CrossingMaker {
 public:
  CrossingMaker(const sharding::StepGraph& step, Frame& frame) : step_(step), frame_(frame) {}

  /// As plan::make_handovers does: of one origin what goes to the same meshes, or some of them,
  /// leaves together.
  void join(ReadersElsewhere all, ReadersElsewhere staying) {
    for (auto& [source, readers] : staying) {
      first_on_each_mesh(readers);
      for (const PassPlace& reader : readers) frame_.stays.insert({source.first, reader});
    }
    for (auto& [source, readers] : all) {
      const auto& [from, id] = source;
      first_on_each_mesh(readers);
      CrossingValues joined{from, level_of(id, from), -1, {{id, readers}}};
      for (auto other = frame_.crossings.begin(); other != frame_.crossings.end();) {
        const bool is_like = other->from == from && other->level == joined.level;
        if (!is_like || !share_a_mesh(*other, joined)) {
          ++other;
          continue;
        }
        joined.values.insert(joined.values.begin(), other->values.begin(), other->values.end());
        other = frame_.crossings.erase(other);
      }
      frame_.crossings.push_back(std::move(joined));
    }
    // They leave level by level, in the order of the first value of each.
    std::ranges::sort(frame_.crossings, {}, [](const CrossingValues& crossing) {
      ValueId first = crossing.values.front().first;
      for (const auto& [id, readers] : crossing.values) first = std::min(first, id);
      return std::tuple(crossing.from, crossing.level, first);
    });
  }

  void announce() {
    for (std::size_t c = 0; c < frame_.crossings.size(); ++c) announce(c);
    for (std::size_t c = 0; c < frame_.crossings.size(); ++c) bring(c);
    for (auto& [pass, brought] : brought_) number_arrivals(*pass, brought);
  }

 private:
  /// Sums over micro-batches are there as the update begins.
  std::int32_t level_of(ValueId id, const PassPlace& from) const {
    const bool is_made = step_.input_of(id) == nullptr && step_.home(id).phase == from.phase;
    return is_made && !sharding::is_pass(from.phase) ? step_.home(id).level : 0;
  }

  void first_on_each_mesh(std::vector<PassPlace>& readers) const {
    std::ranges::sort(readers);
    std::vector<PassPlace> first;
    for (const PassPlace& reader : readers) {
      const bool is_known = std::ranges::any_of(
          first, [&](const PassPlace& other) { return other.chunk == reader.chunk; });
      if (!is_known) first.push_back(reader);
    }
    readers = std::move(first);
  }

  bool share_a_mesh(const CrossingValues& a, const CrossingValues& b) const {
    const auto reaches = [&](std::int32_t chunk, const CrossingValues& other) {
      return std::ranges::any_of(other.values, [&](const auto& value) {
        return std::ranges::any_of(value.second, [&](const PassPlace& reader) {
          return step_.same_mesh(reader.chunk, chunk);
        });
      });
    };
    return std::ranges::any_of(a.values, [&](const auto& value) {
      return std::ranges::any_of(value.second,
                                 [&](const PassPlace& reader) { return reaches(reader.chunk, b); });
    });
  }

  /// At the pass that makes it, and at those that wait for it.
  void announce(std::size_t index) {
    CrossingValues& crossing = frame_.crossings[index];
    if (crossing.from.phase == ChunkPhase::prologue) return;
    PassOps* const from = frame_.find_pass(crossing.from);  // null: an update of nothing but sums
    if (from != nullptr) {
      constexpr std::int32_t kMost = 31;  // the others leave with the last of these
      crossing.departure = std::min(from->num_departures, kMost);
      from->num_departures = crossing.departure + 1;
    }
    for (const auto& [id, readers] : crossing.values) {
      if (from != nullptr) from->departing[id] |= 1u << crossing.departure;
    }
    for (const PassPlace& reader : waiting(crossing)) {
      std::int32_t& main = frame_.find_pass(reader)->main_crossing;
      if (main < 0 || distance(crossing, reader) < distance(frame_.crossings[at(main)], reader))
        main = static_cast<std::int32_t>(index);
    }
  }

  /// Of each mesh, the pass that waits for it: the first one to read any. Chunks come in the order
  /// of their numbers, forward, and backward the other way round.
  std::set<PassPlace> waiting(const CrossingValues& crossing) const {
    std::set<PassPlace> readers = crossing.readers();
    const auto turn = [](const PassPlace& reader) {
      const bool is_forward = reader.phase == ChunkPhase::forward;
      return std::tuple(!is_forward, is_forward ? reader.chunk : -reader.chunk, reader.phase);
    };
    std::erase_if(readers, [&](const PassPlace& reader) {
      return std::ranges::any_of(crossing.readers(), [&](const PassPlace& other) {
        return sharding::is_pass(reader.phase) && sharding::is_pass(other.phase) &&
               step_.same_mesh(reader.chunk, other.chunk) && turn(other) < turn(reader);
      });
    });
    return readers;
  }

  static std::int32_t distance(const CrossingValues& crossing, const PassPlace& reader) {
    return std::abs(crossing.from.chunk - reader.chunk);
  }

  void bring(std::size_t index) {
    const CrossingValues& crossing = frame_.crossings[index];
    if (crossing.from.phase == ChunkPhase::prologue) return;
    const std::set<PassPlace> waiting = this->waiting(crossing);
    for (const auto& [id, readers] : crossing.values) {
      for (const PassPlace& reader : readers) {
        if (!waiting.contains(reader)) continue;
        brought_[frame_.find_pass(reader)].emplace_back(id, static_cast<std::int32_t>(index));
      }
    }
  }

  /// As plans do (plan/cut_graph.cpp): by levels of what waits in turn, and in the order of the
  /// first value that each brings.
  void number_arrivals(PassOps& pass,
                       std::vector<std::pair<ValueId, std::int32_t>>& brought) const {
    std::ranges::sort(brought);
    const auto repeated = std::ranges::unique(brought);
    brought.erase(repeated.begin(), repeated.end());
    std::vector<std::int32_t> crossings;
    for (const auto& [id, crossing] : brought) {
      if (std::ranges::find(crossings, crossing) == crossings.end()) crossings.push_back(crossing);
    }
    std::ranges::stable_sort(crossings, {}, [&](std::int32_t crossing) {
      const CrossingValues& own = frame_.crossings[at(crossing)];
      return own.from.phase == pass.phase ? 1 + own.level : 0;
    });
    for (const auto& [id, crossing] : brought) {
      pass.arriving.push_back(id);
      const auto number = std::ranges::find(crossings, crossing) - crossings.begin();
      pass.brought_by.push_back(static_cast<std::int32_t>(number));
      if (crossing == pass.main_crossing) pass.main_arrival = pass.brought_by.back();
    }
    pass.num_arrivals = static_cast<std::int32_t>(crossings.size());
    pass.crossings = std::move(crossings);
  }

  const sharding::StepGraph& step_;
  Frame& frame_;
  /// Per pass the values that arrive, and by which crossing.
  std::map<PassOps*, std::vector<std::pair<ValueId, std::int32_t>>> brought_;
};

}  // namespace

void find_crossings(const sharding::StepGraph& step, Frame& frame, ReadersElsewhere all,
                    ReadersElsewhere staying) {
  CrossingMaker maker(step, frame);
  maker.join(std::move(all), std::move(staying));
  maker.announce();
}

std::set<PassPlace> CrossingValues::readers() const {
  std::set<PassPlace> first;
  for (const auto& [id, places] : values) first.insert(places.begin(), places.end());
  std::erase_if(first, [&](const PassPlace& reader) {
    return std::ranges::any_of(first, [&](const PassPlace& other) {
      return other.chunk == reader.chunk && other.phase < reader.phase;
    });
  });
  return first;
}

}  // namespace rhino::evaluate
