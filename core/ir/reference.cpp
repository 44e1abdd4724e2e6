// SPDX-License-Identifier: Apache-2.0
#include "ir/reference.hpp"

#include <algorithm>
#include <numeric>

#include "ir/element.hpp"
#include "ir/mesh_groups.hpp"
#include "ir/op_info.hpp"
#include "ir/reference_ops.hpp"
#include "rhino/error.hpp"
#include "rhino/tile.hpp"

namespace rhino::ir {
namespace {

/// All devices in lockstep, op by op.
class Machine {
 public:
  Machine(const Program& program, const Mesh& mesh, Precision precision, bool keep_all)
      : program_(program),
        mesh_(mesh),
        precision_(precision),
        values_(mesh.devices.size(), std::vector<Tensor>(program.ops.size())),
        last_use_(last_uses(keep_all)) {}

  void set_inputs(std::size_t rank, std::span<const Tensor> inputs) {
    if (inputs.size() != program_.inputs.size()) {
      throw Error("program '" + program_.name + "' takes " +
                  std::to_string(program_.inputs.size()) + " inputs, not " +
                  std::to_string(inputs.size()));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ValueId id = program_.inputs[i].value;
      if (inputs[i].shape != program_.shape(id) ||
          static_cast<std::int64_t>(inputs[i].elements.size()) != num_elements(inputs[i].shape)) {
        throw Error("input " + std::to_string(i) + " of program '" + program_.name + "' is " +
                    to_string(inputs[i].shape) + ", not " + to_string(program_.shape(id)));
      }
      values_[rank][at(id)] = inputs[i];
    }
  }

  void run() {
    for (ValueId id = 0; id < program_.size(); ++id) {
      step(id);
      release(id);
    }
  }

  std::vector<Tensor> outputs(std::size_t rank) const {
    std::vector<Tensor> results;
    for (const Output& output : program_.outputs)
      results.push_back(values_[rank][at(output.value)]);
    return results;
  }

  std::vector<Tensor> take_values(std::size_t rank) { return std::move(values_[rank]); }

 private:
  std::vector<ValueId> last_uses(bool keep_all) const {
    std::vector<ValueId> last(program_.ops.size(), program_.size());
    if (keep_all) return last;
    std::iota(last.begin(), last.end(), 0);
    for (ValueId id = 0; id < program_.size(); ++id) {
      for (ValueId operand : program_.op(id).operands) last[at(operand)] = id;
    }
    for (const Output& output : program_.outputs) last[at(output.value)] = program_.size();
    return last;
  }

  void release(ValueId id) {
    for (std::vector<Tensor>& values : values_) {
      for (ValueId operand : program_.op(id).operands) {
        if (last_use_[at(operand)] == id) values[at(operand)] = {};
      }
      if (last_use_[at(id)] == id) values[at(id)] = {};
    }
  }

  void step(ValueId id) {
    const Op& op = program_.op(id);
    if (op.kind == OpKind::parameter) return;
    if (op.kind == OpKind::axis_index) return set_axis_index(id);
    if (is_collective(op.kind)) return run_collective(id);
    for (std::vector<Tensor>& values : values_) {
      Operands operands;
      for (ValueId operand : op.operands) operands.push_back(&values[at(operand)]);
      store(values, id, traits(op.kind).evaluate(op, operands));
    }
  }

  void set_axis_index(ValueId id) {
    const Op& op = program_.op(id);
    for (const auto& group : ranks_along(mesh_, op.attributes.get<CollectiveAttr>().axes)) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        values_[group[i]][at(id)] = {op.shape, {static_cast<double>(i)}};
      }
    }
  }

  void run_collective(ValueId id) {
    const Op& op = program_.op(id);
    for (const auto& group : ranks_along(mesh_, op.attributes.get<CollectiveAttr>().axes)) {
      std::vector<const Tensor*> operands;
      for (std::size_t rank : group) operands.push_back(&values_[rank][at(op.operands[0])]);
      std::vector<Tensor> results = collective(op, operands);
      for (std::size_t i = 0; i < group.size(); ++i) {
        store(values_[group[i]], id, std::move(results[i]));
      }
    }
  }

  void store(std::vector<Tensor>& values, ValueId id, Tensor result) {
    if (is_floating(result.shape.dtype) && precision_ == Precision::declared) {
      round_all(result.shape.dtype, result.elements);
    }
    values[at(id)] = std::move(result);
  }

  const Program& program_;
  const Mesh& mesh_;
  Precision precision_;
  std::vector<std::vector<Tensor>> values_;
  std::vector<ValueId> last_use_;
};

const Mesh kOneDevice{{}, {0}};

}  // namespace

Tensor filled(const Shape& shape, double value) {
  return {shape, std::vector<double>(at(num_elements(shape)), value)};
}

double combine(Reduction reduction, DType dtype, double total, double term) {
  const bool exact = !is_floating(dtype);
  switch (reduction) {
    case Reduction::sum: return exact ? wrap_bits(dtype, bits(total) + bits(term)) : total + term;
    case Reduction::product:
      return exact ? wrap_bits(dtype, bits(total) * bits(term)) : total * term;
    case Reduction::max: return maximum(total, term);
    case Reduction::min: return minimum(total, term);
    case Reduction::logical_and: return wrap_bits(dtype, bits(total) & bits(term));
    case Reduction::logical_or: break;
  }
  return wrap_bits(dtype, bits(total) | bits(term));
}

Tensor pick_elements(const Tensor& a, const Shape& shape, std::int64_t offset,
                     const Dims& strides) {
  Tensor result{shape, {}};
  result.elements.reserve(at(num_elements(shape)));
  for_each_index<1>(shape.dims, {strides}, {offset}, [&](const Offsets<1>& from) {
    result.elements.push_back(a.elements[at(from[0])]);
  });
  return result;
}

void place_box(const Tensor& part, std::int64_t from, const Dims& size, Tensor& result,
               std::int64_t to, const Dims& strides) {
  for_each_index<2>(size, {row_major_strides(part.shape.dims), strides}, {from, to},
                    [&](const Offsets<2>& offset) {
                      result.elements[at(offset[1])] = part.elements[at(offset[0])];
                    });
}

Clipped clip(const Dims& start, const Dims& sizes, const Dims& dims) {
  Clipped inside;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t begin = std::max<std::int64_t>(0, -start[d]);
    const std::int64_t end = std::min(sizes[d], dims[d] - start[d]);
    inside.begin.push_back(begin);
    inside.size.push_back(std::max<std::int64_t>(0, end - begin));
  }
  return inside;
}

std::vector<Tensor> evaluate(const Program& program, std::span<const Tensor> inputs,
                             Precision precision) {
  Machine machine(program, kOneDevice, precision, false);
  machine.set_inputs(0, inputs);
  machine.run();
  return machine.outputs(0);
}

std::vector<Tensor> evaluate_all(const Program& program, std::span<const Tensor> inputs,
                                 Precision precision) {
  Machine machine(program, kOneDevice, precision, true);
  machine.set_inputs(0, inputs);
  machine.run();
  return machine.take_values(0);
}

std::vector<std::vector<Tensor>> evaluate_spmd(const Program& program, const Mesh& mesh,
                                               const std::vector<std::vector<Tensor>>& inputs,
                                               Precision precision) {
  if (inputs.size() != mesh.devices.size()) {
    throw Error("inputs are for " + std::to_string(inputs.size()) + " devices of a mesh of " +
                std::to_string(mesh.devices.size()));
  }
  Machine machine(program, mesh, precision, false);
  for (std::size_t rank = 0; rank < inputs.size(); ++rank) machine.set_inputs(rank, inputs[rank]);
  machine.run();
  std::vector<std::vector<Tensor>> results;
  for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
    results.push_back(machine.outputs(rank));
  }
  return results;
}

}  // namespace rhino::ir
