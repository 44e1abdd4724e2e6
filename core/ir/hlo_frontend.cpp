// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_frontend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/hlo_attributes.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

constexpr std::array<std::string_view, 3> kPhases = {"forward", "backward", "update"};
constexpr std::array<std::string_view, 4> kInputKinds = {"parameter", "optimizer_state", "batch",
                                                         "scalar"};
constexpr std::array<std::string_view, 8> kInitializers = {
    "constant", "normal", "uniform", "uniform_integer", "step", "moment", "doubling", "cycle"};
constexpr std::array<std::string_view, 4> kOutputKinds = {"loss", "gradient", "updated_state",
                                                          "value"};
template <typename Enum, std::size_t N>
Enum find_name(const std::array<std::string_view, N>& names, std::string_view name,
               const char* what) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  throw Error("'" + std::string(name) + "' is no " + what);
}

template <std::size_t N, typename Enum>
std::string_view name_of(const std::array<std::string_view, N>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

double read_double(std::string_view text) {
  const std::vector<double> numbers = read_literal(text);
  if (numbers.size() != 1) throw Error("'" + std::string(text) + "' is no number");
  return numbers[0];
}

/// Empty: there is none.
std::string_view attribute_of(const Module& module, std::string_view wanted) {
  for (const auto& [key, value] : module.attributes) {
    if (key == wanted) return value;
  }
  return {};
}

// `{0,1}`: the list that begins at `text[open]`; `end` is behind it.
Path read_path(std::string_view text, std::size_t open, std::size_t& end) {
  const std::size_t close = text.find('}', open);
  if (open == std::string_view::npos || close == std::string_view::npos || text[open] != '{') {
    throw Error("input_output_alias is not readable");
  }
  end = close + 1;
  return read_integers(text.substr(open, end - open));
}

void read_output_kind(std::string_view text, Output& output) {
  const std::size_t colon = text.find(':');
  output.kind = find_name<OutputKind>(kOutputKinds, text.substr(0, colon), "kind of output");
  if (colon == std::string_view::npos) return;
  output.input = static_cast<std::int32_t>(read_integer(text.substr(colon + 1)));
}

}  // namespace

Phase read_phase(std::string_view word) { return find_name<Phase>(kPhases, word, "phase"); }

std::string_view phase_name(Phase phase) { return name_of(kPhases, phase); }

Input read_input(const Instruction& instruction, ValueId value) {
  Input input;
  input.value = value;
  for (const auto& [key, quoted] : read_dictionary(instruction.attribute("frontend_attributes"))) {
    if (key != "input" && key != "initializer" && key != "state_of" && key != "same_as") continue;
    const std::string text = read_string(quoted);
    if (key == "same_as") {
      input.initializer.same_as = static_cast<std::int32_t>(read_integer(text));
    }
    if (key == "input") input.kind = find_name<InputKind>(kInputKinds, text, "kind of input");
    if (key == "state_of") input.state_of = static_cast<std::int32_t>(read_integer(text));
    if (key != "initializer") continue;
    const std::size_t open = text.find('('), comma = text.find(',');
    if (!text.ends_with(')') || comma == std::string::npos) {
      throw Error("'" + text + "' is no initializer");
    }
    const std::string_view view = text;
    input.initializer.kind =
        find_name<Initializer::Kind>(kInitializers, view.substr(0, open), "initializer");
    input.initializer.a = read_double(view.substr(open + 1, comma - open - 1));
    input.initializer.b = read_double(view.substr(comma + 1, view.size() - comma - 2));
  }
  return input;
}

std::string input_text(const Input& input) {
  const Initializer& initializer = input.initializer;
  std::string text =
      fmt::format(R"hlo(input="{}",initializer="{}({},{})")hlo", name_of(kInputKinds, input.kind),
                  name_of(kInitializers, initializer.kind), initializer.a, initializer.b);
  if (input.state_of != -1) text += fmt::format(R"(,state_of="{}")", input.state_of);
  if (initializer.same_as != -1) text += fmt::format(R"(,same_as="{}")", initializer.same_as);
  return text;
}

std::vector<Donor> read_donors(const Module& module) {
  std::vector<Donor> donors;
  const std::string_view text = attribute_of(module, "buffer_donor");
  for (std::size_t open = text.find('('); open != std::string_view::npos;) {
    const std::size_t comma = text.find(',', open);
    if (comma == std::string_view::npos) throw Error("buffer_donor is not readable");
    std::size_t end = 0;
    Donor donor{read_integer(text.substr(open + 1, comma - open - 1)), {}};
    donor.in_parameter = read_path(text, text.find('{', comma), end);
    donors.push_back(std::move(donor));
    open = text.find('(', end);
  }
  return donors;
}

std::vector<Alias> read_aliases(const Module& module) {
  std::vector<Alias> aliases;
  const std::string_view text = attribute_of(module, "input_output_alias");
  // { {0}: (3, {}, must-alias), {1}: (0, {1}, may-alias) }
  for (std::size_t open = text.find('{', 1); open != std::string_view::npos;) {
    Alias alias;
    std::size_t end = 0;
    alias.output = read_path(text, open, end);
    const std::size_t paren = text.find('(', end), comma = text.find(',', paren);
    if (comma == std::string_view::npos) throw Error("input_output_alias is not readable");
    alias.parameter = read_integer(text.substr(paren + 1, comma - paren - 1));
    alias.in_parameter = read_path(text, text.find('{', comma), end);
    aliases.push_back(std::move(alias));
    const std::size_t close = text.find(')', end);
    open = close == std::string_view::npos ? close : text.find('{', close);
  }
  return aliases;
}

void read_output_kinds(const Instruction& root, std::vector<Output>& outputs) {
  const std::string kinds = find_string(root.attribute("frontend_attributes"), "outputs");
  std::size_t begin = 0;
  for (std::size_t i = 0; i < outputs.size() && begin < kinds.size(); ++i) {
    const std::size_t end = std::min(kinds.size(), kinds.find(',', begin));
    const auto kind = std::string_view(kinds).substr(begin, end - begin);
    if (kind != "value") read_output_kind(kind, outputs[i]);
    begin = end + 1;
  }
}

std::string output_kinds_text(const std::vector<Output>& outputs) {
  std::string text;
  for (const Output& output : outputs) {
    if (!text.empty()) text += ',';
    if (output.kind == OutputKind::updated_state) text += "value";
    else text += name_of(kOutputKinds, output.kind);
    if (output.kind != OutputKind::updated_state && output.input != -1) {
      text += fmt::format(":{}", output.input);
    }
  }
  return text;
}

}  // namespace rhino::ir::hlo
