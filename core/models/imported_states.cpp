// SPDX-License-Identifier: Apache-2.0
// Which output replaces which input.
#include <algorithm>
#include <map>
#include <string>

#include "models/imported_parts.hpp"
#include "rhino/index.hpp"

namespace rhino::models::imported {
namespace {

/// States of one shape, and which input each of their values reads element by element.
class Exchange {
 public:
  Exchange(const Program& program, const std::vector<State*>& states)
      : states_(states), reads_(states.size()) {
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (const State* other : states) {
        const ValueId input = program.inputs[at(other->input)].value;
        reads_[s].push_back(reads_elementwise(program, states[s]->value, input));
      }
    }
  }

  /// Gives each value an input that it reads, if that can be; else nothing changes.
  void run() {
    std::vector<std::int32_t> inputs;
    for (const State* state : states_) inputs.push_back(state->input);
    owner_.assign(states_.size(), kNone);
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (reads_[s][s]) owner_[s] = s;
    }
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (reads_[s][s]) continue;
      tried_.assign(states_.size(), false);
      if (!take_input(s)) return;
    }
    for (std::size_t t = 0; t < states_.size(); ++t) states_[owner_[t]]->input = inputs[t];
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// An augmenting path of the matching.
  bool take_input(std::size_t s) {
    for (std::size_t t = 0; t < states_.size(); ++t) {
      if (!reads_[s][t] || tried_[t]) continue;
      tried_[t] = true;
      if (owner_[t] != kNone && !take_input(owner_[t])) continue;
      owner_[t] = s;
      return true;
    }
    return false;
  }

  const std::vector<State*>& states_;
  std::vector<std::vector<bool>> reads_;
  std::vector<std::size_t> owner_;  ///< of each input: who replaces it
  std::vector<bool> tried_;
};

/// Runs of outputs and inputs that may be steps of the same states.
class Runs {
 public:
  explicit Runs(const Program& program) : program_(program) {}

  std::vector<State> longest() {
    std::size_t length = 0, first_output = 0, first_input = 0;
    for (std::size_t i = 0; i + length < program_.inputs.size(); ++i) {
      for (std::size_t o = 0; o + length < program_.outputs.size(); ++o) {
        if (const std::size_t found = length_at(o, i); found > length) {
          length = found, first_output = o, first_input = i;
        }
      }
    }
    std::vector<State> states;
    for (std::size_t k = 0; k < length; ++k) {
      states.push_back(
          {program_.outputs[first_output + k].value, static_cast<std::int32_t>(first_input + k)});
    }
    return are_gradients(states) ? std::vector<State>() : states;
  }

 private:
  std::size_t length_at(std::size_t o, std::size_t i) {
    std::size_t length = 0;
    while (o + length < program_.outputs.size() && i + length < program_.inputs.size() &&
           may_replace(o + length, i + length)) {
      ++length;
    }
    return length;
  }

  bool may_replace(std::size_t o, std::size_t i) {
    const ValueId value = program_.outputs[o].value, input = program_.inputs[i].value;
    if (program_.shape(value) != program_.shape(input)) return false;
    Marks& before = before_[o];
    if (before.empty()) before = ancestors(program_, {value});
    return before[at(input)];
  }

  /// Beside a scalar that reads what they would replace.
  bool are_gradients(const std::vector<State>& states) const {
    if (states.empty()) return false;
    std::vector<ValueId> inputs;
    for (const State& state : states) {
      inputs.push_back(program_.inputs[at(state.input)].value);
      if (reads_elementwise(program_, state.value, inputs.back())) return false;
    }
    const Marks after = descendants(program_, inputs);
    return std::ranges::any_of(program_.outputs, [&](const Output& output) {
      const Shape& shape = program_.shape(output.value);
      const bool is_scalar = is_floating(shape.dtype) && num_elements(shape) == 1;
      return is_scalar && after[at(output.value)];
    });
  }

  const Program& program_;
  std::map<std::size_t, Marks> before_;  ///< of each output: what it depends on
};

}  // namespace

void exchange_inputs(const Program& program, std::vector<State>& states) {
  std::map<std::string, std::vector<State*>> by_shape;
  for (State& state : states) {
    by_shape[to_string(program.shape(state.value))].push_back(&state);
  }
  for (const auto& [shape, group] : by_shape) {
    const bool is_doubtful = std::ranges::any_of(group, [&](const State* state) {
      return !reads_elementwise(program, state->value, program.inputs[at(state->input)].value);
    });
    if (is_doubtful && group.size() > 1) Exchange(program, group).run();
  }
}

std::vector<State> matched_states(const Program& program) { return Runs(program).longest(); }

}  // namespace rhino::models::imported
