// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Types and attribute values of StableHLO as HLO writes them. All throw Error without a place.
namespace rhino::ir::stablehlo {

/// `tensor<2x3xui8>` as `u8[2,3]`.
std::string hlo_shape(std::string_view type);
/// `dense<[[1, 2], [3, 4]]>`, of elements of `type`, as `{{1, 2}, {3, 4}}`; one element stands for
/// all. Also bits, `dense<0xFF800000>`, and bytes, `dense<"0x0000803F">`.
std::string hlo_literal(std::string_view dense, std::string_view type);

/// `[1, 2]`, `array<i64: 1, 2>`, `dense<[[0, 1]]> : tensor<1x2xi64>`, `3 : i64`. A dense splat is
/// as long as its tensor.
std::vector<std::int64_t> read_integers(std::string_view text);
std::int64_t read_integer(std::string_view text);

}  // namespace rhino::ir::stablehlo
