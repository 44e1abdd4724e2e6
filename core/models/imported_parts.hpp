// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/imported.hpp"
#include "rhino/program.hpp"

/// What the reading of an imported program is made of.
namespace rhino::models::imported {

using Marks = std::vector<bool>;  ///< by value

/// Values that `values` are computed of, or that are computed of them; themselves too.
Marks ancestors(const Program& program, const std::vector<ValueId>& values);
Marks descendants(const Program& program, const std::vector<ValueId>& values);

/// A value and the input that it replaces.
struct State {
  ValueId value;
  std::int32_t input;
};

/// An alias says whose memory a value takes, the first one of its shape that is donated: where
/// values do not read what they replace element by element, as updates do, but each would after an
/// exchange among those of one shape, they are exchanged.
void exchange_inputs(const Program& program, std::vector<State>& states);

/// The longest run of outputs that have the shapes of a run of inputs and depend on them, in a
/// program without any alias; none where they look like gradients beside a loss: not one reads its
/// input element by element.
std::vector<State> matched_states(const Program& program);

/// Which of several scalars was taken for the loss; kNoValue: none.
struct LossChoice {
  ValueId loss = kNoValue;
  std::map<ValueId, std::string> others;  ///< candidates, and what tells them from the loss
};

/// The loss of `candidates`, floating-point values of one element: that which is made of more than
/// parameters and of no gradients (as norms are), has a derivative by most parameters (as
/// accuracies have not), has most behind it of what `states` are computed of (as parts have not),
/// and of what is left the one with the fewest ops behind it (as a perplexity has not), or else
/// what is a sum of that and more. Without states: of those that depend on most inputs the one with
/// the fewest ops behind it. No loss: there is none.
LossChoice loss_among(const Program& program, const std::vector<ValueId>& candidates,
                      const std::vector<State>& states);

/// Outputs that may be the loss: floating-point, of one element, made of inputs, no state.
std::vector<ValueId> loss_candidates(const Program& program, const std::vector<State>& states);

/// What a program was read as.
struct Taken {
  const Program& program;
  const std::vector<Output>& given;  ///< outputs that it came with
  const std::vector<State>& states;
  std::string states_by;  ///< how it is known what replaces what
  ValueId loss;
  const LossChoice& choice;
  bool is_loss_told;
};
/// What a program that does not train yields beside its states, each value once.
std::vector<Output> other_values(const Taken& taken);
/// Of each output that it came with, without a name.
std::vector<ImportReading::Output> outputs_read(const Taken& taken, bool trains);

/// Where the backward pass begins: values that depend on the batch and are not of the forward pass.
struct Passes {
  const Marks &after_batch, &forward;
  const Marks& of_gradients;  ///< values that gradients are computed of
};
/// The earliest value of the dims of `parameter` through which everything goes that `updated` reads
/// of the backward pass element by element, and behind which no other gradient is computed of it;
/// kNoValue if there is none.
ValueId gateway(const Program& program, ValueId updated, ValueId parameter, const Passes& passes);

/// Where what `updated` computes element by element begins, behind `after_batch`: gradients are
/// among it.
std::vector<ValueId> leaves_of_update(const Program& program, ValueId updated,
                                      const Marks& after_batch);

/// Whether `value` reads `read` through elementwise ops.
bool reads_elementwise(const Program& program, ValueId value, ValueId read);

/// Whether the updates read nothing of the batch but gradients.
bool has_own_update(const Program& step);

/// The value itself, or its one element as a scalar, a new op. Throws Error: it is none.
ValueId as_scalar(Program& program, ValueId value);

/// Of ops of the backward pass.
void set_origins(Program& program, ValueId loss);

/// Numbers to begin with: integers of the batch below the extents that they index, the rest of a
/// size with which results stay finite.
void set_initializers(Program& program);

/// Which dim of a batch input counts samples, where those with so many dims have `dimension`.
std::size_t batch_dim(const Shape& shape, std::int64_t dimension);
/// The same, whose batch inputs have that dim first and are transposed behind.
Program batch_first(const Program& step, std::int64_t dimension);

/// A dot that is read by nothing but a transpose which exchanges what its operands leave yields
/// that by itself, its operands exchanged: as exports write gradients of weights, which are to be
/// sums of the backward pass and not what an update makes of them. What is left of it is not read.
void swap_dots(Program& program);

/// The same with each gradient where all that it needs is known, nearest to the loss first: in the
/// order in which exports yield their outputs what the first layer needs comes before the gradients
/// of the others, so that all that they need is kept and nothing sums them meanwhile. Behind them
/// the update of one parameter and its states after the other: exports write each line of an
/// optimizer for all parameters, too far apart to be one loop.
Program in_order_of_gradients(const Program& step);

}  // namespace rhino::models::imported
