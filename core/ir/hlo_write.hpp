// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <compare>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

template <typename Integer>
std::string joined(const std::vector<Integer>& entries, char separator) {
  std::string text;
  for (Integer entry : entries) {
    if (!text.empty()) text += separator;
    text += std::to_string(entry);
  }
  return text;
}

/// Appends attributes of ops to HLO text, and the computations they name to `reducers`.
class AttributeWriter {
 public:
  AttributeWriter(const Program& program, std::string& text, std::set<Reducer>& reducers)
      : program_(program), text_(text), reducers_(reducers) {}

  const Program& program() const { return program_; }

  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  /// `, key={0,1}`
  void print_dims(const char* key, const std::vector<std::int64_t>& dims);
  /// `, key=%sum.f32`
  void print_reducer(const char* key, Reduction reduction, DType dtype,
                     Reducer::Role role = Reducer::Role::combine);
  /// `, window={size=2x2 stride=1x1 pad=0_1x0_0`, `more` and `}`; braces alone without dims.
  void print_window(const std::vector<std::int64_t>& sizes,
                    const std::vector<std::int64_t>& strides, const std::vector<std::int64_t>& low,
                    const std::vector<std::int64_t>& high, const std::string& more = {});

 private:
  const Program& program_;
  std::string& text_;
  std::set<Reducer>& reducers_;
};

/// Of collectives and axis_index: the axes they name.
void write_axes(const Op& op, AttributeWriter& writer);

}  // namespace rhino::ir::hlo
