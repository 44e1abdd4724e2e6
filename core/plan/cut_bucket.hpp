// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "plan/cut.hpp"

namespace rhino::plan {

/// A collective of `program` as a message of its own, without its values.
CutCollective described(const Program& program, ValueId id);
/// Whether both may be one message.
bool is_alike(const Program& program, ValueId id, const CutCollective& other);
/// Of its operand or its result, which are more.
std::int64_t bucket_bytes(const Program& program, ValueId id);

/// Collectives that start together.
struct CutBucket {
  CutCollective collective = {};
  std::int64_t bytes = 0, most_bytes = 0;  ///< of operands; of bucket_bytes()
  std::int32_t gathered_in = 0;

  /// A collective that is alike.
  void add(const Program& program, ValueId id);
  /// The last in the order of the program.
  ValueId last_operand() const;
};

}  // namespace rhino::plan
