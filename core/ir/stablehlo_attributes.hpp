// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/stablehlo_syntax.hpp"

namespace rhino::ir::stablehlo {

/// Attributes as HLO writes them, without what names computations. Keys are literals.
using HloAttributes = std::vector<std::pair<std::string_view, std::string>>;

/// Of `name`, an op without its dialect. Throws Error without a place.
HloAttributes hlo_attributes(std::string_view name, const Op& op);

}  // namespace rhino::ir::stablehlo
