// SPDX-License-Identifier: Apache-2.0
#include "spmd_harness.hpp"

#include <optional>
#include <string>

#include "rhino/error.hpp"
#include "sharding/micro_view.hpp"
#include "sharding/rule.hpp"

namespace rhino::test {
namespace {

using Tiles = std::vector<ir::Tensor>;                 // [rank]
using Values = std::vector<Tiles>;                     // [port]
using Instances = std::vector<std::optional<Values>>;  // [micro-batch], or one per step

/// An output of a program.
struct Source {
  std::size_t program = 0, output = 0;
};

/// Rows of one micro-batch, and back: the micro axis as a mesh of its own.
class MicroBatches {
 public:
  MicroBatches(const Program& program, const Strategy& strategy, ValueId value)
      : shape_(program.shape(value)),
        view_(sharding::micro_view(shape_, strategy.specs[static_cast<std::size_t>(value)],
                                   strategy.num_micro_batches)),
        mesh_(make_mesh({strategy.num_micro_batches})),
        spec_(sharding::replicated(shape_.dims.size())) {
    if (view_.micro_dim < 0) return;
    spec_.dims[static_cast<std::size_t>(view_.micro_dim)].splits = {{0, view_.micro_period}};
  }

  ir::Tensor part(const ir::Tensor& whole, std::int64_t micro_batch) const {
    return tile_of(whole, spec_, mesh_, micro_batch);
  }
  ir::Tensor join(const Tiles& parts) const { return join_tiles(parts, shape_, spec_, mesh_); }

 private:
  Shape shape_;
  sharding::MicroView view_;
  Mesh mesh_;
  ShardingSpec spec_;
};

class Interpreter {
 public:
  Interpreter(const Program& program, const Strategy& strategy, std::span<const ir::Tensor> inputs,
              const std::vector<bool>& is_cut)
      : program_(program),
        strategy_(strategy),
        inputs_(inputs),
        programs_(sharding::partition(program, strategy, is_cut)) {
    for (const sharding::ChunkProgram& chunk_program : programs_) {
      accumulating_.push_back(sharding::with_accumulation(chunk_program));
      const bool repeats = sharding::is_pass(chunk_program.phase);
      done_.emplace_back(static_cast<std::size_t>(repeats ? strategy.num_micro_batches : 1));
      check_ports(chunk_program);
    }
  }

  std::vector<ir::Tensor> run() {
    std::size_t num_left = 0;
    for (const Instances& instances : done_) num_left += instances.size();
    while (num_left > 0) {
      const std::size_t before = num_left;
      for (std::size_t p = 0; p < programs_.size(); ++p) num_left -= run_ready(p);
      if (num_left == before) throw Error("chunk programs wait for each other");
    }
    std::vector<ir::Tensor> outputs;
    for (const Output& output : program_.outputs) outputs.push_back(program_output(output));
    return outputs;
  }

 private:
  const Mesh& mesh(const sharding::ChunkProgram& program) const {
    return strategy_.chunks[static_cast<std::size_t>(program.chunk)].mesh;
  }

  void check_ports(const sharding::ChunkProgram& program) const {
    const bool counts = program.inputs.size() == program.program.inputs.size() &&
                        program.outputs.size() == program.program.outputs.size();
    if (!counts) throw Error("ports and borders of a chunk program differ in number");
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      const sharding::Port& port = program.outputs[i];
      const bool partial = !port.spec.partial.empty();
      if (partial && port.repeat != sharding::Repeat::accumulated)
        throw Error("a value leaves partial");
      const Output& output = program.program.outputs[i];
      if (output.kind != OutputKind::updated_state) continue;
      if (program.inputs[static_cast<std::size_t>(output.input)].spec != port.spec) {
        throw Error("an updated state lies otherwise than its input");
      }
    }
  }

  /// Runs the first instance of program p that is not done, if it is ready.
  bool run_ready(std::size_t p) {
    std::size_t instance = 0;
    while (instance < done_[p].size() && done_[p][instance]) ++instance;
    if (instance == done_[p].size()) return false;
    const bool adds = instance > 0;
    const sharding::ChunkProgram& program = adds ? accumulating_[p] : programs_[p];
    std::vector<Tiles> ports;
    for (std::size_t i = 0; i < programs_[p].inputs.size(); ++i) {
      std::optional<Tiles> tiles = port_tiles(program, program.inputs[i], instance);
      if (!tiles) return false;
      ports.push_back(std::move(*tiles));
    }
    for (std::size_t o = 0; adds && o < programs_[p].outputs.size(); ++o) {
      if (programs_[p].outputs[o].repeat != sharding::Repeat::accumulated) continue;
      ports.push_back((*done_[p][instance - 1])[o]);
    }
    done_[p][instance] = transpose(
        ir::evaluate_spmd(program.program, mesh(program),
                          transpose(ports, mesh(program).devices.size()), ir::Precision::f64),
        program.outputs.size());
    return true;
  }

  /// [a][b] → [b][a].
  static std::vector<std::vector<ir::Tensor>> transpose(
      const std::vector<std::vector<ir::Tensor>>& values, std::size_t size) {
    std::vector<std::vector<ir::Tensor>> result(size);
    for (const std::vector<ir::Tensor>& row : values) {
      for (std::size_t i = 0; i < size; ++i) result[i].push_back(row[i]);
    }
    return result;
  }

  std::optional<Tiles> port_tiles(const sharding::ChunkProgram& program, const sharding::Port& port,
                                  std::size_t instance) {
    if (port.source < 0) return input_tiles(program, port, instance);
    const Source source = find_source(port);
    const sharding::ChunkProgram& producer = programs_[source.program];
    const Instances& instances = done_[source.program];
    const std::size_t wanted =
        port.repeat == sharding::Repeat::per_micro_batch ? instance : instances.size() - 1;
    if (!instances.at(wanted)) return std::nullopt;
    const Tiles& tiles = (*instances[wanted])[source.output];
    const sharding::Port& made = producer.outputs[source.output];
    if (mesh(producer) == mesh(program)) {
      if (made.spec != port.spec || made.global != port.global) {
        throw Error("a value changes its spec between two programs of one mesh");
      }
      return tiles;
    }
    return cut(join_tiles(tiles, made.global, made.spec, mesh(producer)), port, mesh(program));
  }

  static Tiles cut(const ir::Tensor& whole, const sharding::Port& port, const Mesh& mesh) {
    if (whole.shape != port.global) throw Error("a port has another shape than its value");
    if (!port.spec.partial.empty()) throw Error("a value enters a mesh partial");
    Tiles tiles;
    for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
      tiles.push_back(tile_of(whole, port.spec, mesh, static_cast<std::int64_t>(rank)));
    }
    return tiles;
  }

  Tiles input_tiles(const sharding::ChunkProgram& program, const sharding::Port& port,
                    std::size_t instance) const {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      if (program_.inputs[i].value != port.value) continue;
      if (port.repeat != sharding::Repeat::per_micro_batch)
        return cut(inputs_[i], port, mesh(program));
      const MicroBatches batches(program_, strategy_, port.value);
      const ir::Tensor part = batches.part(inputs_[i], static_cast<std::int64_t>(instance));
      return cut(part, port, mesh(program));
    }
    throw Error("a port without source is no input of the program");
  }

  Source find_source(const sharding::Port& port) const {
    std::optional<Source> found;
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      if (programs_[p].chunk != port.source) continue;
      for (std::size_t o = 0; o < programs_[p].outputs.size(); ++o) {
        const sharding::Port& made = programs_[p].outputs[o];
        const bool updates = programs_[p].program.outputs[o].kind == OutputKind::updated_state;
        if (made.value != port.value || made.repeat != port.repeat || updates) continue;
        if (found) throw Error("two programs yield one value");
        found = Source{p, o};
      }
    }
    if (!found) throw Error("no program yields value " + std::to_string(port.value));
    return *found;
  }

  bool yields(const sharding::ChunkProgram& program, std::size_t o, const Output& output) const {
    const Output& local = program.program.outputs[o];
    const bool updates = local.kind == OutputKind::updated_state;
    if (program.outputs[o].value != output.value) return false;
    if (program.outputs[o].repeat == sharding::Repeat::accumulated) return false;
    if (updates != (output.kind == OutputKind::updated_state)) return false;
    return !updates || program.inputs[static_cast<std::size_t>(local.input)].value ==
                           program_.inputs[static_cast<std::size_t>(output.input)].value;
  }

  ir::Tensor program_output(const Output& output) const {
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      for (std::size_t o = 0; o < programs_[p].outputs.size(); ++o) {
        if (!yields(programs_[p], o, output)) continue;
        const sharding::Port& port = programs_[p].outputs[o];
        Tiles parts;
        for (const auto& instance : done_[p]) {
          parts.push_back(join_tiles((*instance)[o], port.global, port.spec, mesh(programs_[p])));
        }
        if (parts.size() == 1) return parts[0];
        return MicroBatches(program_, strategy_, output.value).join(parts);
      }
    }
    throw Error("no program yields an output of the whole program");
  }

  const Program& program_;
  const Strategy& strategy_;
  std::span<const ir::Tensor> inputs_;
  std::vector<sharding::ChunkProgram> programs_, accumulating_;
  std::vector<Instances> done_;
};

}  // namespace

std::vector<ir::Tensor> run_partitioned(const Program& program, const Strategy& strategy,
                                        std::span<const ir::Tensor> inputs,
                                        const std::vector<bool>& is_cut) {
  return Interpreter(program, strategy, inputs, is_cut).run();
}

}  // namespace rhino::test
