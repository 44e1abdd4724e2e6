// SPDX-License-Identifier: Apache-2.0
#include "commands/import_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace rhino::commands {
namespace {

using models::ImportReading;
using Kind = ImportReading::Kind;
using Line = std::array<std::string, 4>;

/// `3`, `3-7`
std::string range(std::int64_t first, std::int64_t last) {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

/// Whether `next` is told in the line of `one`, the output before it.
bool goes_on(const ImportReading::Output& one, const ImportReading::Output& next) {
  if (one.kind != next.kind || one.kind == Kind::loss) return false;
  if (one.kind == Kind::state) return next.input == one.input + 1;
  return one.why == next.why && one.shape == next.shape;
}

Line line_of(const ImportReading& reading, std::size_t first, std::size_t last) {
  constexpr const char* kNames[] = {"loss", "new state", "value", "left out"};
  const ImportReading::Output &begin = reading.outputs[first], &end = reading.outputs[last];
  const bool is_state = begin.kind == Kind::state;
  const std::string names =
      first == last || begin.name.empty() ? begin.name : begin.name + " .. " + end.name;
  return {range(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)),
          kNames[static_cast<int>(begin.kind)],
          is_state ? "of input " + range(begin.input, end.input) : to_string(begin.shape),
          names + (names.empty() || begin.why.empty() ? "" : ": ") + begin.why};
}

std::string gradients_text(const ImportReading& reading) {
  if (!reading.no_gradient.empty()) return "gradients: none, " + reading.no_gradient + "\n";
  if (reading.num_gradients == 0) return "";
  return fmt::format(
      "gradients: of all {} parameters that are updated, where their updates begin\n",
      reading.num_gradients);
}

}  // namespace

std::string outputs_text(const ImportReading& reading) {
  if (reading.outputs.empty()) return "";
  std::vector<Line> lines;
  for (std::size_t first = 0; first < reading.outputs.size();) {
    std::size_t last = first;
    while (last + 1 < reading.outputs.size() &&
           goes_on(reading.outputs[last], reading.outputs[last + 1]))
      ++last;
    lines.push_back(line_of(reading, first, last));
    first = last + 1;
  }
  std::array<std::size_t, 3> widths{};
  for (const Line& line : lines) {
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], line[k].size());
  }
  std::string text =
      "outputs, and what they are taken as (`loss: N`, `states: {N: INPUT}` of the model say "
      "otherwise):\n";
  for (const Line& line : lines) {
    std::string row = fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}", line[0], widths[0], line[1],
                                  widths[1], line[2], widths[2], line[3]);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text + gradients_text(reading);
}

}  // namespace rhino::commands
