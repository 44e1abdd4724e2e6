// SPDX-License-Identifier: Apache-2.0
#include "models/imported.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "ir/dead_ops.hpp"
#include "models/imported_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::models {
namespace {

using imported::Marks;
using imported::State;

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
      : program_(std::move(program)), interface_(interface), given_(program_.outputs) {
    name_inputs(program_);
  }

  Program run() {
    find_states();
    find_loss();
    find_batch();
    set_input_kinds();
    if (trains_ && !states_.empty()) find_gradients();
    if (!gradients_.empty()) find_statistics();
    set_phases();
    set_outputs();
    if (!gradients_.empty() && !imported::has_own_update(ir::without_dead_ops(program_))) {
      gradients_.clear();
      no_gradient_ = "updates read more of the backward pass than gradients";
      set_phases();
      set_outputs();
    }
    imported::set_initializers(program_);
    if (!trains_) set_positive_states();
    for (const auto& [name, number] : interface_.initial) {
      program_.inputs[at(input_named(name))].initializer = {Initializer::Kind::constant, number, 0};
    }
    return imported::batch_first(ir::without_dead_ops(program_), interface_.batch_dimension);
  }

  /// Of what run() did.
  ImportReading reading() const {
    return {.outputs = imported::outputs_read(taken(), trains_),
            .num_updated = num_updated_,
            .num_gradients = std::min<std::int64_t>(num_updated_, std::ssize(gradients_)),
            .no_gradient = no_gradient_};
  }

 private:
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
    for (const Output& output : program_.outputs) {
      if (output.kind != OutputKind::updated_state) continue;
      has_alias_ = true;
      add_state(output.value, output.input);
    }
    if (has_alias_) imported::exchange_inputs(program_, states_);
    else match_states();
  }

  void match_states() {
    for (const State& state : imported::matched_states(program_))
      add_state(state.value, state.input);
  }

  void find_loss() {
    if (interface_.loss) {
      loss_ = program_.outputs[at(output_numbered(std::to_string(*interface_.loss)))].value;
    } else {
      choice_ =
          imported::loss_among(program_, imported::loss_candidates(program_, states_), states_);
      loss_ = choice_.loss;
    }
    if (loss_ == kNoValue) {
      forward_ = Marks(program_.ops.size(), true);
      return;
    }
    loss_ = imported::as_scalar(program_, loss_);
    forward_ = imported::ancestors(program_, {loss_});
  }

  /// A program trains if it has a loss, a batch, and either updates, or no gradients of its own.
  void find_batch() {
    for (const std::string& name : interface_.batch) batch_.insert(input_named(name));
    for (const State& state : states_) replaced_.insert(state.input);
    extent_ = batch_extent();
    const bool is_pass = loss_ != kNoValue && states_.empty() && yields_gradients();
    trains_ = loss_ != kNoValue && extent_ != 0 && !is_pass;
    if (trains_ || (is_pass && extent_ != 0)) return;
    if (interface_.loss) {
      throw Error("no input looks like a batch: `batch: [NAMES]` tells which are");
    }
    loss_ = kNoValue;
    forward_ = Marks(program_.ops.size(), true);
  }

  /// Whether an output behind the loss is like an input that the loss reads.
  bool yields_gradients() const {
    return std::ranges::any_of(program_.outputs, [&](const Output& output) {
      const Shape& shape = program_.shape(output.value);
      if (forward_[at(output.value)] || shape.dims.empty() || !is_floating(shape.dtype)) {
        return false;
      }
      return std::ranges::any_of(program_.inputs, [&](const Input& input) {
        return forward_[at(input.value)] && program_.shape(input.value) == shape;
      });
    });
  }

  void set_input_kinds() {
    std::set<std::int32_t> scalars;
    for (const std::string& name : interface_.scalars) scalars.insert(input_named(name));
    for (std::int32_t i = 0; i < std::ssize(program_.inputs); ++i) {
      Input& input = program_.inputs[at(i)];
      const Shape& shape = program_.shape(input.value);
      const bool is_free = !replaced_.contains(i) && !scalars.contains(i);
      const bool is_batch =
          batch_.contains(i) ||
          (is_free && batch_.empty() && may_be_batch(shape) && samples_of(shape) == extent_);
      if (is_batch) input.kind = InputKind::batch;
      else if (scalars.contains(i) || (is_free && shape.dims.empty())) {
        input.kind = InputKind::scalar;
      } else if (replaced_.contains(i) && !forward_[at(input.value)]) {
        input.kind = InputKind::optimizer_state;
      } else {
        input.kind = InputKind::parameter;
      }
    }
  }

  /// Without updates by a loss parameters look like a batch, unless they are no integers.
  bool may_be_batch(const Shape& shape) const {
    const bool is_updated = !states_.empty() && loss_ != kNoValue;
    const bool is_key = shape.dtype == DType::u32;  // of random numbers
    return !shape.dims.empty() && !is_key && (is_updated || !is_floating(shape.dtype));
  }

  std::int64_t samples_of(const Shape& shape) const {
    return shape.dims[imported::batch_dim(shape, interface_.batch_dimension)];
  }

  /// 0: nothing looks like a batch.
  std::int64_t batch_extent() const {
    if (!batch_.empty()) {
      const Shape& shape = program_.shape(program_.inputs[at(*batch_.begin())].value);
      if (shape.dims.empty()) throw Error("a scalar is no batch");
      return samples_of(shape);
    }
    std::int64_t extent = 0;
    bool has_integers = false;
    for (std::int32_t i = 0; i < std::ssize(program_.inputs); ++i) {
      const Input& input = program_.inputs[at(i)];
      const Shape& shape = program_.shape(input.value);
      if (replaced_.contains(i) || !may_be_batch(shape) || !forward_[at(input.value)]) continue;
      const bool is_integer = !is_floating(shape.dtype);
      if (extent != 0 && (has_integers || !is_integer)) continue;
      extent = samples_of(shape);
      has_integers = is_integer;
    }
    return extent;
  }

  /// What one update reads behind its gradient others may need for theirs: then it is behind that.
  void find_gradients() {
    Marks of_gradients(program_.ops.size());
    for (;;) {
      gradients_ = gateways(of_gradients);
      std::vector<ValueId> values;
      for (const State& gradient : gradients_) values.push_back(gradient.value);
      Marks found = imported::ancestors(program_, values);
      if (gradients_.empty() || found == of_gradients) break;
      of_gradients = std::move(found);
    }
    set_owners();
  }

  /// States that read of the forward pass, and of no gradient, one value of their shape, as running
  /// means do: it is theirs as a gradient is a parameter's.
  void find_statistics() {
    std::vector<ValueId> gradients;
    for (const State& gradient : gradients_) gradients.push_back(gradient.value);
    const Marks after_batch = imported::descendants(program_, batch_values()),
                after_gradients = imported::descendants(program_, gradients),
                none(program_.ops.size());
    for (const State& state : states_) {
      const Input& input = program_.inputs[at(state.input)];
      const bool is_of_forward = after_batch[at(state.value)] && !after_gradients[at(state.value)];
      if (input.kind != InputKind::optimizer_state || !is_of_forward) continue;
      const ValueId value = gateway(state, {after_batch, forward_, none});
      if (value != kNoValue) gradients_.push_back({value, state.input});
    }
  }

  /// Of all parameters whose updates read the batch, or none.
  std::vector<State> gateways(const Marks& of_gradients) {
    const Marks after_batch = imported::descendants(program_, batch_values());
    std::vector<State> found;
    num_updated_ = 0;
    for (const State& state : states_) {
      const Input& input = program_.inputs[at(state.input)];
      if (input.kind != InputKind::parameter || !after_batch[at(state.value)]) continue;
      ++num_updated_;
      const ValueId gradient = gateway(state, {after_batch, forward_, of_gradients});
      if (gradient == kNoValue) {
        no_gradient_ = "nothing of the shape of '" + name_of(state.input) +
                       "' is all that its update reads of the backward pass";
        return {};
      }
      found.push_back({gradient, state.input});
    }
    return found;
  }

  /// A product's gradient may be a value of the forward pass.
  ValueId gateway(const State& state, const imported::Passes& passes) const {
    const ValueId input = program_.inputs[at(state.input)].value;
    const ValueId found = imported::gateway(program_, state.value, input, passes);
    if (found != kNoValue) return found;
    const Marks none(program_.ops.size());
    return imported::gateway(program_, state.value, input,
                             {passes.after_batch, none, passes.of_gradients});
  }

  std::vector<ValueId> batch_values() const {
    std::vector<ValueId> values;
    for (const Input& input : program_.inputs) {
      if (input.kind == InputKind::batch) values.push_back(input.value);
    }
    return values;
  }

  /// Of states nobody tells which are squares: all are positive.
  void set_positive_states() {
    for (const State& state : states_) {
      Input& input = program_.inputs[at(state.input)];
      if (is_floating(program_.shape(input.value).dtype))
        input.initializer = {Initializer::Kind::uniform, 0.01, 1};
    }
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
    // Where no gradient is known, all that is behind the batch; where nothing is updated, the rest.
    const Marks backward = states_.empty()  ? Marks(program_.ops.size(), true)
                           : wanted.empty() ? imported::descendants(program_, batch_values())
                                            : imported::ancestors(program_, wanted);
    for (ValueId id = 0; id < program_.size(); ++id) {
      Op& op = program_.ops[at(id)];
      op.phase = forward_[at(id)]   ? Phase::forward
                 : backward[at(id)] ? Phase::backward
                                    : Phase::update;
    }
    if (loss_ != kNoValue) imported::set_origins(program_, loss_);
  }

  void set_outputs() {
    const std::vector<Output> others =
        trains_ ? std::vector<Output>() : imported::other_values(taken());
    program_.outputs.clear();
    if (loss_ != kNoValue) program_.outputs.push_back({loss_, OutputKind::loss, -1});
    const auto append = [&](std::vector<State> list, OutputKind kind) {
      std::ranges::sort(list, {}, &State::input);
      for (const State& entry : list) {
        program_.outputs.push_back({entry.value, kind, entry.input});
      }
    };
    append(gradients_, OutputKind::gradient);
    append(states_, OutputKind::updated_state);
    program_.outputs.insert(program_.outputs.end(), others.begin(), others.end());
  }

  imported::Taken taken() const {
    const char* states_by = !interface_.states.empty() ? "`states` says so"
                            : has_alias_               ? "by alias or donation"
                                                       : "by their shapes alone";
    return {program_, given_, states_, states_by, loss_, choice_, interface_.loss.has_value()};
  }

  Program program_;
  const ImportedInterface& interface_;
  std::vector<Output> given_;  ///< outputs of the program
  imported::LossChoice choice_;
  ValueId loss_ = kNoValue;
  Marks forward_;
  std::vector<State> states_, gradients_;
  std::set<std::int32_t> batch_, replaced_;  ///< inputs that are told, that states replace
  std::int64_t extent_ = 0;                  ///< of the batch; 0: there is none
  bool trains_ = false, has_alias_ = false;
  std::int64_t num_updated_ = 0;  ///< parameters
  std::string no_gradient_;       ///< why gradients are not told
};

}  // namespace

bool is_told(const Program& program) {
  return std::ranges::any_of(program.outputs, [](const Output& output) {
    return output.kind == OutputKind::loss || output.kind == OutputKind::gradient;
  });
}

Program imported_step(const Program& program, const ImportedInterface& interface) {
  if (is_told(program)) return program;
  return Inference(program, interface).run();
}

ImportReading read_outputs(const Program& program, const ImportedInterface& interface) {
  if (is_told(program)) return {};
  Inference inference(program, interface);
  inference.run();
  return inference.reading();
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
