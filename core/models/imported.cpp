// SPDX-License-Identifier: Apache-2.0
#include "models/imported.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "models/imported_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::models {
namespace {

using imported::Marks;

bool is_told(const Program& program) {
  return std::ranges::any_of(program.outputs, [](const Output& output) {
    return output.kind == OutputKind::loss || output.kind == OutputKind::gradient;
  });
}

/// Makes the names of inputs unique: `p3` where there is none, or several have it.
void name_inputs(Program& program) {
  std::map<std::string, int> count;
  for (const Input& input : program.inputs) ++count[program.op(input.value).name];
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    std::string& name = program.ops[at(program.inputs[i].value)].name;
    if (name.empty() || count[name] > 1) name = "p" + std::to_string(i);
  }
}

class Inference {
 public:
  Inference(Program program, const ImportedInterface& interface)
      : program_(std::move(program)), interface_(interface) {
    name_inputs(program_);
  }

  Program run() {
    find_states();
    find_loss();
    set_input_kinds();
    if (!states_.empty()) find_gradients();
    set_phases();
    set_outputs();
    imported::set_initializers(program_);
    for (const auto& [name, number] : interface_.initial) {
      program_.inputs[at(input_named(name))].initializer = {Initializer::Kind::constant, number, 0};
    }
    return imported::without_dead_ops(program_);
  }

 private:
  struct State {
    ValueId value;
    std::int32_t input;
  };

  const std::string& name_of(std::int32_t input) const {
    return program_.op(program_.inputs[at(input)].value).name;
  }

  std::int32_t input_named(const std::string& name) const {
    std::int32_t number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc() && end == name.data() + name.size();
    for (std::int32_t i = 0; i < std::ssize(program_.inputs); ++i) {
      if (is_number ? i == number : name_of(i) == name) return i;
    }
    throw Error("the program has no input '" + name + "'; it has " +
                std::to_string(program_.inputs.size()) + ", the first is '" +
                (program_.inputs.empty() ? "" : name_of(0)) + "'");
  }

  std::int64_t output_numbered(const std::string& text) const {
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0 ||
        number >= std::ssize(program_.outputs)) {
      throw Error("the program has no output '" + text + "': they are numbers below " +
                  std::to_string(program_.outputs.size()));
    }
    return number;
  }

  void add_state(ValueId value, std::int32_t input) {
    if (program_.shape(value) != program_.shape(program_.inputs[at(input)].value)) {
      throw Error("input '" + name_of(input) + "' is not of the shape of the output that is to " +
                  "replace it");
    }
    if (value != program_.inputs[at(input)].value) states_.push_back({value, input});
  }

  void find_states() {
    for (const auto& [output, input] : interface_.states) {
      add_state(program_.outputs[at(output_numbered(output))].value, input_named(input));
    }
    if (!interface_.states.empty()) return;
    bool has_alias = false;
    for (const Output& output : program_.outputs) {
      if (output.kind != OutputKind::updated_state) continue;
      has_alias = true;
      add_state(output.value, output.input);
    }
    if (!has_alias) match_states();
  }

  /// Whether output `o` may be the next step's input `i`.
  bool may_replace(std::size_t o, std::size_t i) const {
    const ValueId value = program_.outputs[o].value, input = program_.inputs[i].value;
    return program_.shape(value) == program_.shape(input) &&
           imported::ancestors(program_, {value})[at(input)];
  }

  void match_states() {
    std::size_t best = 0, first = 0;
    for (std::size_t o = 0; o < program_.outputs.size(); ++o) {
      std::size_t length = 0;
      while (o + length < program_.outputs.size() && length < program_.inputs.size() &&
             may_replace(o + length, length)) {
        ++length;
      }
      if (length > best) best = length, first = o;
    }
    for (std::size_t i = 0; i < best; ++i) {
      add_state(program_.outputs[first + i].value, static_cast<std::int32_t>(i));
    }
  }

  bool is_state(ValueId value) const {
    return std::ranges::any_of(states_, [&](const State& s) { return s.value == value; });
  }

  /// The value of an output that may be the loss; kNoValue otherwise.
  ValueId loss_candidate(const Output& output) const {
    const Shape& shape = program_.shape(output.value);
    const bool fits = is_floating(shape.dtype) && num_elements(shape) == 1;
    const bool is_input = program_.op(output.value).kind == OpKind::parameter;
    return fits && !is_input && !is_state(output.value) ? output.value : kNoValue;
  }

  void find_loss() {
    if (interface_.loss) {
      loss_ = program_.outputs[at(output_numbered(std::to_string(*interface_.loss)))].value;
    } else {
      std::pair<std::int64_t, std::int64_t> best{-1, 0};
      for (const Output& output : program_.outputs) {
        const ValueId value = loss_candidate(output);
        if (value == kNoValue) continue;
        const Marks before = imported::ancestors(program_, {value});
        const std::pair weight{num_parameters_in(before),
                               -static_cast<std::int64_t>(std::ranges::count(before, true))};
        if (weight > best) best = weight, loss_ = value;
      }
    }
    if (loss_ == kNoValue) {
      throw Error("no output is a floating-point scalar, a loss: `loss: NUMBER` names one of the " +
                  std::to_string(program_.outputs.size()) + " outputs");
    }
    loss_ = imported::as_scalar(program_, loss_);
    forward_ = imported::ancestors(program_, {loss_});
  }

  /// Replaced inputs, or if there are none all inputs.
  std::int64_t num_parameters_in(const Marks& marks) const {
    if (states_.empty()) {
      return std::ranges::count_if(program_.inputs,
                                   [&](const Input& input) { return marks[at(input.value)]; });
    }
    return std::ranges::count_if(states_, [&](const State& state) {
      return marks[at(program_.inputs[at(state.input)].value)];
    });
  }

  void set_input_kinds() {
    std::set<std::int32_t> batch, scalars, replaced;
    for (const std::string& name : interface_.batch) batch.insert(input_named(name));
    for (const std::string& name : interface_.scalars) scalars.insert(input_named(name));
    for (const State& state : states_) replaced.insert(state.input);
    const std::int64_t extent = batch_extent(batch, replaced);
    for (std::int32_t i = 0; i < std::ssize(program_.inputs); ++i) {
      Input& input = program_.inputs[at(i)];
      const Shape& shape = program_.shape(input.value);
      const bool is_free = !replaced.contains(i) && !scalars.contains(i);
      const bool is_batch = batch.contains(i) || (is_free && interface_.batch.empty() &&
                                                  may_be_batch(shape) && shape.dims[0] == extent);
      if (is_batch) input.kind = InputKind::batch;
      else if (scalars.contains(i) || (is_free && shape.dims.empty())) {
        input.kind = InputKind::scalar;
      } else if (replaced.contains(i) && !forward_[at(input.value)]) {
        input.kind = InputKind::optimizer_state;
      } else {
        input.kind = InputKind::parameter;
      }
    }
  }

  /// Without updates parameters look like a batch, unless they are no integers.
  bool may_be_batch(const Shape& shape) const {
    return !shape.dims.empty() && (!states_.empty() || !is_floating(shape.dtype));
  }

  std::int64_t batch_extent(const std::set<std::int32_t>& batch,
                            const std::set<std::int32_t>& replaced) const {
    if (!batch.empty()) return program_.shape(program_.inputs[at(*batch.begin())].value).dims.at(0);
    std::int64_t extent = 0;
    bool has_integers = false;
    for (std::int32_t i = 0; i < std::ssize(program_.inputs); ++i) {
      const Input& input = program_.inputs[at(i)];
      const Shape& shape = program_.shape(input.value);
      if (replaced.contains(i) || !may_be_batch(shape) || !forward_[at(input.value)]) continue;
      const bool is_integer = !is_floating(shape.dtype);
      if (extent != 0 && (has_integers || !is_integer)) continue;
      extent = shape.dims[0];
      has_integers = is_integer;
    }
    if (extent == 0) throw Error("no input looks like a batch: `batch: [NAMES]` tells which are");
    return extent;
  }

  void find_gradients() {
    const Marks after_batch = imported::descendants(program_, batch_values());
    for (const State& state : states_) {
      const Input& input = program_.inputs[at(state.input)];
      if (input.kind != InputKind::parameter) continue;
      const ValueId gradient =
          imported::gateway(program_, state.value, input.value, {after_batch, forward_});
      if (gradient == kNoValue) {
        throw Error("what replaces '" + name_of(state.input) +
                    "' reads the backward pass in several places: its gradient cannot be told");
      }
      gradients_.push_back({gradient, state.input});
    }
    set_owners();
  }

  std::vector<ValueId> batch_values() const {
    std::vector<ValueId> values;
    for (const Input& input : program_.inputs) {
      if (input.kind == InputKind::batch) values.push_back(input.value);
    }
    return values;
  }

  /// A state belongs to the parameter whose gradient, and no other, its update reads.
  void set_owners() {
    for (const State& state : states_) {
      Input& input = program_.inputs[at(state.input)];
      if (input.kind != InputKind::optimizer_state) continue;
      for (const State& gradient : gradients_) {
        const ValueId parameter = program_.inputs[at(gradient.input)].value;
        if (program_.shape(parameter).dims != program_.shape(input.value).dims) continue;
        if (!imported::reads_elementwise(program_, state.value, gradient.value)) continue;
        input.state_of = gradient.input;
        break;
      }
    }
  }

  void set_phases() {
    std::vector<ValueId> wanted;
    for (const State& gradient : gradients_) wanted.push_back(gradient.value);
    const Marks backward = imported::ancestors(program_, wanted);
    for (ValueId id = 0; id < program_.size(); ++id) {
      Op& op = program_.ops[at(id)];
      op.phase = forward_[at(id)]   ? Phase::forward
                 : backward[at(id)] ? Phase::backward
                                    : Phase::update;
    }
    imported::set_origins(program_, loss_);
  }

  void set_outputs() {
    program_.outputs = {{loss_, OutputKind::loss, -1}};
    const auto append = [&](std::vector<State> list, OutputKind kind) {
      std::ranges::sort(list, {}, &State::input);
      for (const State& entry : list) {
        program_.outputs.push_back({entry.value, kind, entry.input});
      }
    };
    append(gradients_, OutputKind::gradient);
    append(states_, OutputKind::updated_state);
  }

  Program program_;
  const ImportedInterface& interface_;
  ValueId loss_ = kNoValue;
  Marks forward_;
  std::vector<State> states_, gradients_;
};

}  // namespace

Program imported_step(const Program& program, const ImportedInterface& interface) {
  if (is_told(program)) return program;
  return Inference(program, interface).run();
}

std::int64_t batch_of(const Program& step) {
  for (const Input& input : step.inputs) {
    if (input.kind == InputKind::batch && !step.shape(input.value).dims.empty()) {
      return step.shape(input.value).dims[0];
    }
  }
  return 0;
}

}  // namespace rhino::models
