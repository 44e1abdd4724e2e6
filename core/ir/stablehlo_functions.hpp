// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace rhino::ir::stablehlo {

/// Whether `name` is a function of CHLO, of one operand, that HLO has no op for: erfc, erf_inv.
bool is_function(std::string_view name);

/// HLO text of a module whose one computation, `name`, is that function of a tensor of `shape`: by
/// the polynomials into which XLA takes it apart, so that both texts of a program say the same.
/// 16-bit floating point is computed in f32. Throws Error for other element types than these.
std::string function_text(std::string_view function, const std::string& name,
                          const std::string& shape);

}  // namespace rhino::ir::stablehlo
