// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_syntax.hpp"
#include "ir/name_table.hpp"
#include "ir/stablehlo_attributes.hpp"
#include "ir/stablehlo_syntax.hpp"
#include "ir/stablehlo_values.hpp"
#include "rhino/error.hpp"

/// What the translation of StableHLO into HLO's instructions writes with.
namespace rhino::ir::stablehlo {

/// An instruction of the computation under way, and its shape: views into the text, or into what
/// the module keeps.
struct Value {
  std::string_view name, shape;
};

class Scope;

/// What regions of one op read of the values around it, in the order in which they do.
struct Captures {
  Scope& outer;
  std::function<std::string_view(std::string_view)> keep;  ///< Writer::keep
  std::vector<std::string_view> names = {};
};

using Values = Few<Value, 3>;

/// One computation under way.
class Scope {
 public:
  explicit Scope(Captures* captures = nullptr) : captures_(captures) {}

  void define(std::string_view name, Value value) {
    const std::size_t number = names_.insert(name);
    if (number == values_.size()) values_.push_back(value);
    else values_[number] = value;
  }

  /// The value of that name; from around this computation it is an element of its parameter.
  Value find(std::string_view name) {
    const std::size_t found = names_.find(name);
    if (found != NameTable::kNone) return values_[found];
    if (!captures_) throw Error("'%" + std::string(name) + "' is not defined before");
    const Value outer = captures_->outer.find(name);
    const auto known = std::ranges::find(captures_->names, name);
    const std::ptrdiff_t number = known - captures_->names.begin();
    if (known == captures_->names.end()) captures_->names.push_back(name);
    used_.insert(static_cast<std::size_t>(number));
    const Value value{captures_->keep("captured." + std::to_string(number)), outer.shape};
    define(name, value);
    return value;
  }

  const std::set<std::size_t>& used() const { return used_; }

  std::vector<hlo::Instruction> instructions;
  Values returned;

 private:
  Captures* captures_;
  NameTable names_;
  std::vector<Value> values_;   ///< by number of their name
  std::set<std::size_t> used_;  ///< numbers of captures
};

/// Adds instructions and computations to a module.
class Writer {
  static constexpr std::size_t kBlock = 1 << 16;

 public:
  Writer(const Module& module, const std::string& file) : module_(module), file_(file) {}

 protected:
  /// A copy that lives as long as the module does; texts lie behind each other in blocks.
  std::string_view keep(std::string_view text) {
    std::deque<std::string>& blocks = result_.made;
    if (blocks.empty() || blocks.back().capacity() - blocks.back().size() < text.size()) {
      blocks.emplace_back().reserve(std::max(kBlock, text.size()));
    }
    std::string& block = blocks.back();
    block += text;
    return std::string_view(block).substr(block.size() - text.size());
  }

  std::function<std::string_view(std::string_view)> keeper() {
    return [this](std::string_view text) { return keep(text); };
  }

  /// The shape of a type in HLO's words; each type is read once.
  std::string_view shape_of(std::string_view type) {
    std::string_view& shape = shapes_[type];
    if (shape.empty()) shape = keep(hlo_shape(type));
    return shape;
  }

  std::string_view tuple_shape(const Values& values) {
    std::string text = "(";
    for (const Value& value : values) (text.size() > 1 ? text += ", " : text) += value.shape;
    return keep(text += ")");
  }

  std::string_view arguments_text(const Values& values) {
    if (values.size() == 1) return values[0].name;
    text_.clear();
    for (const Value& value : values) (text_.empty() ? text_ : text_ += ", ") += value.name;
    return keep(text_);
  }

  /// What people call an op: a location that is a name and no place in a file.
  std::string location_name(std::string_view location) const {
    if (location.starts_with('#')) {
      const auto found = module_.locations.find(location);
      location = found == module_.locations.end() ? std::string_view() : found->second;
    }
    if (!location.starts_with('"')) return {};
    std::size_t end = 1;
    while (end < location.size() && location[end] != '"') end += location[end] == '\\' ? 2 : 1;
    if (end >= location.size() || location.substr(end + 1).starts_with(':')) return {};
    return hlo::read_string(location.substr(0, end + 1));
  }

  /// Texts that live as long as the module; those of attributes are kept.
  struct Made {
    std::string_view name, shape, opcode, arguments;
    HloAttributes attributes = {};
    std::string_view location = {};
  };

  Value add(Scope& scope, const Made& made) {
    hlo::Instruction instruction;
    instruction.line = line_, instruction.column = column_;
    instruction.name = made.name;
    instruction.shape = made.shape;
    instruction.opcode = made.opcode;
    instruction.arguments = made.arguments;
    instruction.attributes.reserve(made.attributes.size());
    for (const auto& [key, text] : made.attributes) {
      instruction.attributes.push_back({key, keep(text)});
    }
    const std::string name = location_name(made.location);
    if (!name.empty()) {
      instruction.attributes.push_back({"metadata", keep("{op_name=" + hlo::quote(name) + "}")});
    }
    scope.instructions.push_back(std::move(instruction));
    return {made.name, made.shape};
  }

  Value add_element(Scope& scope, const Value& tuple, std::size_t k, const Value& element) {
    return add(scope, {element.name,
                       element.shape,
                       "get-tuple-element",
                       tuple.name,
                       {{"index", std::to_string(k)}}});
  }

  void read_aliases(const Function& function, bool is_tuple) {
    std::string aliases, donors;
    for (std::size_t k = 0; k < function.body.arguments.size(); ++k) {
      const auto pairs = read_pairs(function.body.arguments[k].attributes);
      const std::string argument = "(" + std::to_string(k) + ", {}";
      if (pairs["jax.buffer_donor"] == "true") {
        donors += (donors.empty() ? " " : ", ") + argument + ")";
      }
      if (!pairs.contains("tf.aliasing_output")) continue;
      const std::int64_t number = read_integer(pairs["tf.aliasing_output"]);
      const std::string output = is_tuple ? std::to_string(number) : "";
      aliases += (aliases.empty() ? " {" : ", {") + output + "}: " + argument + ", must-alias)";
    }
    if (!aliases.empty()) add_attribute("input_output_alias", aliases);
    if (!donors.empty()) add_attribute("buffer_donor", donors);
  }
  void add_attribute(std::string_view key, const std::string& entries) {
    result_.attributes.push_back({key, keep("{" + entries + " }")});
  }

  /// Adds the computation; its root is what it returns.
  void finish(Scope& scope, std::string_view name, bool is_entry, bool as_tuple) {
    if (as_tuple) {
      add(scope,
          {"returned", tuple_shape(scope.returned), "tuple", arguments_text(scope.returned)});
      scope.instructions.back().is_root = true;
    } else {
      const auto root =
          std::ranges::find(scope.instructions, scope.returned[0].name, &hlo::Instruction::name);
      if (root != scope.instructions.end()) root->is_root = true;
    }
    hlo::Computation computation;
    computation.name = name;
    computation.is_entry = is_entry;
    computation.instructions = std::move(scope.instructions);
    computation.line = line_;
    result_.computations.push_back(std::move(computation));
  }

  template <typename F>
  void at_place(std::string_view name, F f) {
    try {
      f();
    } catch (const Error& error) {
      if (is_placed_) throw;
      is_placed_ = true;
      throw Error(file_ + ":" + std::to_string(line_) + ":" + std::to_string(column_) + ": " +
                  (name.empty() ? "" : "%" + std::string(name) + ": ") + error.what());
    }
  }

  const Module& module_;
  const std::string& file_;
  hlo::Module result_;
  std::unordered_map<std::string_view, std::string_view> shapes_;  ///< by type
  std::string text_;                                               ///< under way
  std::int32_t line_ = 1, column_ = 1;                             ///< of the op under way
  bool is_placed_ = false;  ///< the Error under way has a place
};

}  // namespace rhino::ir::stablehlo
