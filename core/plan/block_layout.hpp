// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plan/blocks.hpp"
#include "plan/cut.hpp"
#include "rhino/shape.hpp"

namespace rhino::plan {

/// Where a value of a block lies: in the memory of a resident, or in memory of its own that only
/// this block uses.
struct Place {
  enum class Kind : std::uint8_t { none, resident, temporary } kind = Kind::none;
  std::int32_t index = -1;
};

/// A temporary, alive while items [first, last] of the block run.
struct Temporary {
  Shape shape;
  std::int64_t first = 0, last = 0;
};

/// A value that must be copied to a resident after the block, because its place is taken: an old
/// state that is still read, ...
struct ResidentCopy {
  Place from;
  std::int32_t resident = -1;
};

/// A block cut into items, with a place for every value that items exchange.
struct BlockLayout {
  Site site;
  std::shared_ptr<const CutProgram> cut;
  std::vector<Place> places;  ///< per value of the block's program
  std::vector<Temporary> temporaries;
  std::vector<ResidentCopy> copies;
};

/// Lays out `block`: an all_reduce works in place where nothing else reads its operand; an output
/// whose resident is `stored_in` that of an input takes its place once all readers are through. May
/// set `stored_in` of residents that an update reduces in place. `fixed[b]`: resident b must keep
/// its content to the end of the step (or is sent while the update runs).
BlockLayout lay_out(const Block& block, std::shared_ptr<const CutProgram> cut,
                    std::vector<Resident>& residents, const std::vector<bool>& fixed);

}  // namespace rhino::plan
