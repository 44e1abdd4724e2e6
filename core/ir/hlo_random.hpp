// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "ir/hlo_wide.hpp"

namespace rhino::ir::hlo {

/// What rng-bit-generator yields, as XLA's CPU compiler expands it.
struct RandomBits {
  ValueId state = kNoValue;  ///< of the shape of the one before
  ValueId bits = kNoValue;
};

/// `state`: u64[2], or u64[3] of Philox; the first is the key. `algorithm`: rng_philox,
/// rng_three_fry, or rng_default, which is Philox. Bits of u32 or u8 are elementwise functions of
/// an element's place and of the state, so that devices make their parts of one and the same
/// tensor. Throws Error for others.
RandomBits random_bits(Builder& b, ValueId state, const Shape& shape, std::string_view algorithm);

}  // namespace rhino::ir::hlo
