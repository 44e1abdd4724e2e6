// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::models {

/// What a user says of an imported program. Inputs are called by name, or by number.
struct ImportedInterface {
  std::optional<std::int64_t> loss;         ///< number of the output
  std::vector<std::string> batch, scalars;  ///< inputs; empty: inferred
  /// Which dim of batch inputs counts samples (of those that have so many dims; of others the
  /// first; one at the least has them): behind it all is as if that were dim 0.
  std::int64_t batch_dimension = 0;
  std::map<std::string, std::string> states;  ///< output number to the input it replaces
  std::map<std::string, double> initial;      ///< inputs that are constant, and what they are
  bool operator==(const ImportedInterface&) const = default;
};

/// An imported program as a training step, as a forward pass with a loss where nothing is updated,
/// or as a program that does not train (inference, an optimizer or a backward pass alone), whose
/// outputs are values and states. Programs that say what their inputs and outputs are (print_hlo)
/// stay as they are; of others is inferred:
///
///  - states: outputs that replace an input (alias, or donated memory) and differ from it, those of
///    one shape exchanged where each then reads what it replaces; without any alias, the longest
///    run of outputs that have the shapes of a run of inputs and depend on them;
///  - loss: of the floating-point scalars the one that gradients are of, not an accuracy, a norm, a
///    part or a function of it (imported::loss_among). A program without one, or without a batch,
///    does not train; nor does one that updates nothing and yields what looks like gradients,
///    beside its loss;
///  - inputs: replaced and read by the loss: parameters; replaced otherwise: optimizer states; not
///    replaced: scalars, or batch where dim 0 is as long as the batch, which integers tell before
///    others, u32 (keys of random numbers) never; the rest are parameters that nothing updates.
///    Where another dim of the batch counts samples inputs are transposed, so that it comes first;
///  - gradients: of each parameter the earliest value through which all that its update reads of
///    the backward pass goes, or else of the batch; where a parameter has none, none is told, and
///    what the updates are is all that can be compared; of states that read of the forward pass
///    and of no gradient one value of their shape, as running means do, that value;
///  - phases: forward is what the loss needs, backward what gradients need, update the rest;
///    the origin of a backward op is the forward op that reads what it reads, else its operand's.
///
/// Other outputs of what trains, and what only they need, are left out. Throws Error where
/// something cannot be inferred, with the key that tells it.
Program imported_step(const Program& program, const ImportedInterface& interface);

/// What the outputs of an imported program were taken as, and why.
struct ImportReading {
  enum class Kind : std::uint8_t { loss, state, value, left_out };
  struct Output {
    Kind kind = Kind::left_out;
    std::string name;  ///< in the file; empty: it has none
    Shape shape;
    std::int32_t input = -1;  ///< state: number of the input that it replaces
    std::string why;          ///< what decided, where there was a choice
  };
  std::vector<Output> outputs;     ///< by number
  std::int64_t num_updated = 0;    ///< parameters by what depends on the batch
  std::int64_t num_gradients = 0;  ///< of them, all or none
  std::string no_gradient;         ///< why none
};

/// What imported_step() takes outputs as, their names left empty; of a program that says it itself
/// no output.
ImportReading read_outputs(const Program& program, const ImportedInterface& interface);

/// Whether a program says what its inputs and outputs are.
bool is_told(const Program& program);

/// Extent of dim 0 of the batch inputs; 0: there are none.
std::int64_t batch_of(const Program& step);

}  // namespace rhino::models
