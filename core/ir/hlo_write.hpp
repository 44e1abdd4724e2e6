// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <set>
#include <string>

#include "rhino/program.hpp"

/// Attributes of ops as HLO text.
namespace rhino::ir::hlo {

/// A computation that the text refers to by name.
struct Reducer {
  enum class Role : std::uint8_t {
    combine,  ///< two values into one
    choose,   ///< whether the first is kept: of select-and-scatter
    order,    ///< whether the first comes before: of sort
  } role = Role::combine;
  Reduction reduction = Reduction::sum;
  DType dtype = DType::f32;
  std::optional<DType> follower = std::nullopt;  ///< order: of the tensor that follows the keys
  auto operator<=>(const Reducer&) const = default;

  std::string name() const;
};

/// The text of the computation itself.
std::string computation_text(const Reducer& reducer);

/// Appends `, key=value` for all attributes of `op` to `text` and the computations they name to
/// `reducers`.
void write_attributes(const Program& program, const Op& op, std::string& text,
                      std::set<Reducer>& reducers);

}  // namespace rhino::ir::hlo
