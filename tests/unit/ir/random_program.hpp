// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rhino/program.hpp"

namespace rhino::testing {

/// Each op kind at least once, with attributes that differ from their defaults.
Program every_op_program();

/// About `num_ops` ops of many kinds and shapes. Same seed, same program.
Program random_program(std::uint32_t seed, int num_ops);

}  // namespace rhino::testing
