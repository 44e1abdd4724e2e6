// SPDX-License-Identifier: Apache-2.0
#include "plan_interpreter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "plan/plan_mesh.hpp"
#include "plan/shares.hpp"
#include "plan_harness.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"

namespace rhino::test {
namespace {

template <class T>
void load(const std::byte* from, std::vector<double>& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    elements[i] = static_cast<double>(value);
  }
}
template <class T>
void store(std::byte* to, const std::vector<double>& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const T value = static_cast<T>(elements[i]);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

/// Calls `visit(index of the box's element in a tensor of `dims`)` for the elements of `box`,
/// row-major.
template <class Visit>
void for_each_index(const Box& box, const std::vector<std::int64_t>& dims, Visit visit) {
  std::vector<std::int64_t> index(dims.size(), 0);
  for (std::int64_t count = num_elements(box); count > 0; --count) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) flat = flat * dims[d] + box.start[d] + index[d];
    visit(at(flat));
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < box.size[d]) break;
      index[d] = 0;
    }
  }
}

Box shifted(Box box, std::int32_t dim, std::int64_t by) {
  if (dim >= 0) box.start[at(dim)] += by;
  return box;
}

/// The part of `whole` that a tile of `global` holds; `micro_dim`: `global` is micro-batch number
/// `micro_batch` of whole. What lies outside of an uneven tile stays as `tile` has it.
std::vector<double> tile_of(const ir::Tensor& whole, const Shape& global, const ShardingSpec& spec,
                            const Mesh& mesh, std::int64_t rank, std::vector<double> tile,
                            std::int32_t micro_dim = -1, std::int32_t micro_batch = 0) {
  const std::vector<std::int64_t> dims = tile_dims(global.dims, spec, mesh);
  tile.resize(at(num_elements(dims)));
  const std::int64_t shift = micro_dim >= 0 ? micro_batch * global.dims[at(micro_dim)] : 0;
  for (const TileBox& box : tile_boxes(global.dims, spec, mesh, rank)) {
    std::vector<std::size_t> from, to;
    for_each_index(shifted(box.global, micro_dim, shift), whole.shape.dims,
                   [&](std::size_t i) { from.push_back(i); });
    for_each_index(box.local, dims, [&](std::size_t i) { to.push_back(i); });
    for (std::size_t i = 0; i < from.size(); ++i) tile[to[i]] = whole.elements[from[i]];
  }
  return tile;
}

double reduced(Reduction reduction, double a, double b) {
  switch (reduction) {
    case Reduction::sum: return a + b;
    case Reduction::product: return a * b;
    case Reduction::max: return std::max(a, b);
    case Reduction::min: return std::min(a, b);
    case Reduction::logical_and: return a != 0 && b != 0;
    case Reduction::logical_or: return a != 0 || b != 0;
  }
  return 0;
}

}  // namespace

PlanInterpreter::PlanInterpreter(const plan::ExecutionPlan& plan,
                                 const std::vector<ir::Tensor>& inputs, Eagerness eagerness)
    : plan_(plan), eagerness_(eagerness) {
  for (const plan::Role& role : plan.roles) {
    for (std::size_t rank = 0; rank < role.mesh.devices.size(); ++rank) {
      Device device{role.mesh.devices[rank], &role, static_cast<std::int64_t>(rank), {}, 0};
      device.arena.assign(at(role.arena_bytes), std::byte{0xff});
      for (const plan::PlanInput& input : role.inputs) {
        const Mesh& mesh = plan::mesh_of(role, input);
        write(device, input.buffer,
              {input.global,
               tile_of(inputs[at(input.input)], input.global, input.spec, mesh,
                       plan::rank_in(mesh, device.id), {}, input.micro_dim, input.micro_batch)});
      }
      index_[device.id] = devices_.size();
      devices_.push_back(std::move(device));
    }
  }
  for (std::size_t c = 0; c < plan.communications.size(); ++c) {
    std::vector<DeviceId>& list = participants_[static_cast<std::int32_t>(c)];
    const plan::Communication communication = plan::expanded(plan, plan.communications[c]);
    for (const plan::TransferStep& step : communication.steps)
      list.insert(list.end(), {step.from, step.to});
    for (const auto& group : communication.groups)
      list.insert(list.end(), group.begin(), group.end());
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

void PlanInterpreter::run_step() {
  started_.clear();
  for (Device& device : devices_) device.next = 0;
  while (true) {
    bool moved = false, left = false;
    for (Device& device : devices_) {
      while (device.next < device.role->instructions.size() && advance(device)) moved = true;
      left = left || device.next < device.role->instructions.size();
    }
    if (!left) return;
    if (!moved && !move_one()) {
      std::string where;
      for (const Device& device : devices_)
        where += " " + std::to_string(device.id) + "@" + std::to_string(device.next);
      throw std::runtime_error("deadlock:" + where);
    }
  }
}

bool PlanInterpreter::advance(Device& device) {
  const plan::Instruction& instruction = device.role->instructions[device.next];
  const Use use{instruction.index, instruction.instance};
  switch (instruction.kind) {
    case plan::InstructionKind::run: run(device, instruction); break;
    case plan::InstructionKind::start:
      started_[use].by[device.id] = &instruction;
      for (std::size_t p = 0; p < instruction.outputs.size(); ++p) {
        const bool in_place =
            p < instruction.inputs.size() && instruction.inputs[p] == instruction.outputs[p];
        if (instruction.outputs[p] >= 0 && !in_place) poison(device, instruction.outputs[p]);
      }
      if (eagerness_ == Eagerness::early && !started_[use].moved && complete(use)) move(use);
      break;
    case plan::InstructionKind::wait:
      if (const auto& devices = participants_.at(use.first);
          std::find(devices.begin(), devices.end(), device.id) == devices.end())
        break;
      if (!started_[use].moved) return false;
      break;
    case plan::InstructionKind::free:
      for (std::int32_t buffer : instruction.inputs) poison(device, buffer);
      break;
  }
  ++device.next;
  return true;
}

void PlanInterpreter::run(Device& device, const plan::Instruction& instruction) {
  const Program& program = plan_.programs[at(instruction.index)];
  std::vector<ir::Tensor> inputs, outputs;
  for (std::int32_t buffer : instruction.inputs) inputs.push_back(read(device, buffer));
  const bool asks_where = std::any_of(program.ops.begin(), program.ops.end(),
                                      [](const Op& op) { return op.kind == OpKind::axis_index; });
  if (asks_where) {
    const Mesh& mesh = device.role->mesh;
    outputs =
        ir::evaluate_spmd(program, mesh, std::vector(mesh.devices.size(), inputs))[at(device.rank)];
  } else {
    outputs = ir::evaluate(program, inputs);
  }
  for (std::size_t o = 0; o < outputs.size(); ++o)
    write(device, instruction.outputs[o], outputs[o]);
}

bool PlanInterpreter::complete(const Use& use) const {
  const auto found = started_.find(use);
  if (found == started_.end()) return false;
  const std::vector<DeviceId>& devices = participants_.at(use.first);
  return std::all_of(devices.begin(), devices.end(),
                     [&](DeviceId device) { return found->second.by.contains(device); });
}

bool PlanInterpreter::move_one() {
  for (const auto& [use, started] : started_) {
    if (started.moved || !complete(use)) continue;
    move(use);
    return true;
  }
  return false;
}

void PlanInterpreter::move(const Use& use) {
  Started& started = started_[use];
  const plan::Communication communication =
      plan::expanded(plan_, plan_.communications[at(use.first)]);
  if (communication.kind == plan::CommunicationKind::transfer) transfer(communication, started);
  else collective(communication, started);
  started.moved = true;
}

void PlanInterpreter::transfer(const plan::Communication& communication, const Started& started) {
  for (const plan::TransferStep& step : communication.steps) {
    Device& from = devices_[index_.at(step.from)];
    Device& to = devices_[index_.at(step.to)];
    const plan::Instruction& sender = *started.by.at(step.from);
    const std::int32_t source_buffer =
        (step.relayed ? sender.outputs : sender.inputs).at(at(step.part));
    const std::int32_t target_buffer = started.by.at(step.to)->outputs.at(at(step.part));
    const ir::Tensor source = read(from, source_buffer);
    ir::Tensor target = read(to, target_buffer);
    std::vector<std::size_t> source_index, target_index;
    for_each_index(step.source, source.shape.dims,
                   [&](std::size_t i) { source_index.push_back(i); });
    for_each_index(step.target, target.shape.dims,
                   [&](std::size_t i) { target_index.push_back(i); });
    for (std::size_t i = 0; i < source_index.size(); ++i)
      target.elements.at(target_index[i]) = source.elements.at(source_index[i]);
    write(to, target_buffer, target);
  }
}

void PlanInterpreter::collective(const plan::Communication& communication, const Started& started) {
  for (std::size_t p = 0; p < communication.parts.size(); ++p) {
    for (const std::vector<DeviceId>& group : communication.groups) {
      std::vector<std::vector<double>> in;
      for (DeviceId id : group)
        in.push_back(read(devices_[index_.at(id)], started.by.at(id)->inputs[p]).elements);
      std::vector<double> sum = in.front(), all;
      for (std::size_t r = 1; r < in.size(); ++r) {
        for (std::size_t i = 0; i < sum.size(); ++i)
          sum[i] = reduced(communication.reduction, sum[i], in[r][i]);
      }
      for (const auto& part : in) all.insert(all.end(), part.begin(), part.end());
      const std::size_t entry = sum.size() / group.size();
      for (std::size_t r = 0; r < group.size(); ++r) {
        Device& device = devices_[index_.at(group[r])];
        const auto first = static_cast<std::ptrdiff_t>(r * entry);
        std::vector<double> out;
        switch (communication.kind) {
          case plan::CommunicationKind::all_reduce: out = sum; break;
          case plan::CommunicationKind::all_gather: out = all; break;
          case plan::CommunicationKind::reduce_scatter:
            out.assign(sum.begin() + first,
                       sum.begin() + first + static_cast<std::ptrdiff_t>(entry));
            break;
          default:
            for (const auto& part : in)
              out.insert(out.end(), part.begin() + first,
                         part.begin() + first + static_cast<std::ptrdiff_t>(entry));
        }
        write(device, started.by.at(group[r])->outputs[p], {communication.parts[p], out});
      }
    }
  }
}

ir::Tensor PlanInterpreter::read(const Device& device, std::int32_t buffer) const {
  const plan::PlanBuffer& info = device.role->buffers.at(at(buffer));
  ir::Tensor tensor{info.shape, std::vector<double>(at(num_elements(info.shape)))};
  if (at(info.offset + num_bytes(info.shape)) > device.arena.size())
    throw std::runtime_error("a buffer outside of the arena");
  const std::byte* from = device.arena.data() + info.offset;
  switch (info.shape.dtype) {
    case DType::f64: load<double>(from, tensor.elements); break;
    case DType::f32: load<float>(from, tensor.elements); break;
    case DType::s64: load<std::int64_t>(from, tensor.elements); break;
    case DType::s32: load<std::int32_t>(from, tensor.elements); break;
    case DType::u32: load<std::uint32_t>(from, tensor.elements); break;
    case DType::pred:
    case DType::u8: load<std::uint8_t>(from, tensor.elements); break;
    default: throw std::runtime_error("a dtype the interpreter does not know");
  }
  return tensor;
}

void PlanInterpreter::write(Device& device, std::int32_t buffer, const ir::Tensor& tensor) {
  const plan::PlanBuffer& info = device.role->buffers.at(at(buffer));
  if (at(num_elements(info.shape)) != tensor.elements.size())
    throw std::runtime_error("a buffer of another size than its value");
  std::byte* to = device.arena.data() + info.offset;
  switch (info.shape.dtype) {
    case DType::f64: store<double>(to, tensor.elements); break;
    case DType::f32: store<float>(to, tensor.elements); break;
    case DType::s64: store<std::int64_t>(to, tensor.elements); break;
    case DType::s32: store<std::int32_t>(to, tensor.elements); break;
    case DType::u32: store<std::uint32_t>(to, tensor.elements); break;
    case DType::pred:
    case DType::u8: store<std::uint8_t>(to, tensor.elements); break;
    default: throw std::runtime_error("a dtype the interpreter does not know");
  }
}

void PlanInterpreter::poison(Device& device, std::int32_t buffer) {
  const plan::PlanBuffer& info = device.role->buffers.at(at(buffer));
  std::memset(device.arena.data() + info.offset, 0xff, at(num_bytes(info.shape)));
}

std::vector<PlanInterpreter::Tile> PlanInterpreter::tiles(std::int32_t output,
                                                          const ir::Tensor& whole) const {
  std::vector<Tile> list;
  for (const Device& device : devices_) {
    for (const plan::PlanOutput& own : device.role->outputs) {
      if (own.output != output) continue;
      const Mesh& mesh = plan::mesh_of(*device.role, own);
      const std::vector<double> actual = read(device, own.buffer).elements;
      list.push_back(
          {device.id, actual,
           tile_of(whole, own.global, own.spec, mesh, plan::rank_in(mesh, device.id), actual)});
    }
  }
  return list;
}

void check_against_reference(const plan::ExecutionPlan& plan, const Program& program,
                             std::vector<ir::Tensor> inputs, Eagerness eagerness,
                             double tolerance) {
  PlanInterpreter interpreter(plan, inputs, eagerness);
  for (int step = 0; step < 2; ++step) {
    const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs);
    interpreter.run_step();
    for (std::size_t o = 0; o < expected.size(); ++o) {
      CAPTURE(step, o, program.producer(program.outputs[o].value).name);
      const auto tiles = interpreter.tiles(static_cast<std::int32_t>(o), expected[o]);
      CHECK(!tiles.empty());
      for (const PlanInterpreter::Tile& tile : tiles) {
        CAPTURE(tile.device);
        CHECK(relative_error(tile.actual, tile.expected) < tolerance);
      }
    }
    for (std::size_t o = 0; o < expected.size(); ++o) {
      if (program.outputs[o].kind == OutputKind::updated_state)
        inputs[static_cast<std::size_t>(program.outputs[o].input)] = expected[o];
    }
  }
}

}  // namespace rhino::test
