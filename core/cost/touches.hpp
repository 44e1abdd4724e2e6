// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lower/lower.hpp"

namespace rhino::cost {

/// Per input and output of a program: bytes that its device touches from the last use of their
/// memory to the begin of a run. Empty: it runs again and again, and nothing else does.
struct Reuse {
  std::vector<double> inputs, outputs;
};

/// A buffer, or a part of one, that a kernel reads or writes.
struct Touch {
  double bytes = 0;
  double reuse_bytes = 0;  ///< touched since its last use, this kernel's own not counted
  /// What it does with them: a kernel that writes over what it reads has a touch for either.
  enum class Kind : std::uint8_t { read, fresh, over } kind = Kind::read;
  bool operator==(const Touch&) const = default;
};

/// Of each kernel group of a program, by where lower() has put its buffers: what the program makes
/// and reads again is near, however much memory it takes in all.
std::vector<std::vector<Touch>> touches(const lower::LoweredProgram& lowered, const Reuse& reuse);

}  // namespace rhino::cost
