// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ir/builder.hpp"
#include "ir/initial_values.hpp"
#include "plan/execution_plan.hpp"

/// Plans small enough to be written by hand and computed directly.
namespace rhino::toy {

inline constexpr std::int64_t kRows = 4, kColumns = 6;

inline Cluster cluster(int num_devices) {
  Cluster cluster;
  cluster.name = "toy";
  cluster.hosts = {{"host0", {}}};
  cluster.models = {DeviceModel{}};
  for (int device = 0; device < num_devices; ++device) {
    cluster.hosts[0].devices.push_back(device);
    cluster.host_of.push_back(0);
    cluster.model_of.push_back(0);
  }
  return cluster;
}

/// Lays buffers one after the other.
inline void lay_out(plan::Role& role) {
  for (plan::PlanBuffer& buffer : role.buffers) {
    buffer.offset = role.arena_bytes;
    role.arena_bytes += (num_bytes(buffer.shape) + 63) / 64 * 64;
  }
}

inline ShardingSpec replicated(std::size_t rank) { return {std::vector<DimSharding>(rank), {}}; }

inline ShardingSpec rows_over_axis_0(std::int64_t rows) {
  ShardingSpec spec = replicated(2);
  spec.dims[0].splits = {{0, rows}};
  return spec;
}

inline plan::Instruction run(std::int32_t program, std::vector<std::int32_t> inputs,
                             std::vector<std::int32_t> outputs) {
  return {.kind = plan::InstructionKind::run,
          .index = program,
          .inputs = std::move(inputs),
          .outputs = std::move(outputs)};
}
inline plan::Instruction start(std::int32_t instance, std::vector<std::int32_t> inputs,
                               std::vector<std::int32_t> outputs) {
  return {.kind = plan::InstructionKind::start,
          .index = 0,
          .instance = instance,
          .inputs = std::move(inputs),
          .outputs = std::move(outputs)};
}
inline plan::Instruction wait(std::int32_t instance) {
  return {.kind = plan::InstructionKind::wait,
          .index = 0,
          .instance = instance,
          .inputs = {},
          .outputs = {}};
}

inline const Initializer kUniform{Initializer::Kind::uniform, -1, 1};
inline const Initializer kStep{Initializer::Kind::step, 0, 0};

/// One column sum of x [rows, columns]: the gradient of sum(x * w) by w.
inline Program column_sum(std::int64_t rows) {
  ir::Builder b("column_sum");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {rows, kColumns}}, kUniform, "x");
  b.output(b.reduce(x, {0}, Reduction::sum), OutputKind::value);
  return std::move(b).finish();
}

/// w - step * g.
inline Program update() {
  ir::Builder b("update");
  const Shape shape{DType::f32, {kColumns}};
  const ValueId w = b.input(InputKind::parameter, shape, kUniform, "w");
  const ValueId g = b.input(InputKind::batch, shape, kUniform, "g");
  const ValueId step = b.input(InputKind::scalar, {DType::f32, {}}, kStep, "step");
  const ValueId factor = b.broadcast_in_dim(step, {kColumns}, {});
  b.output(b.sub(w, b.mul(factor, g)), OutputKind::updated_state, 0);
  return std::move(b).finish();
}

/// Data parallelism over two devices of one role: inputs x (0, split by rows), w (1), step (2);
/// outputs the gradient (0, replicated), the updated w (1, in place), x itself (2, split).
inline plan::ExecutionPlan data_parallel() {
  const std::int64_t local_rows = kRows / 2;
  const Shape vector{DType::f32, {kColumns}};
  plan::ExecutionPlan plan;
  plan.name = "data_parallel";
  plan.cluster = cluster(2);
  plan.programs = {column_sum(local_rows), update()};
  plan.communications = {{.kind = plan::CommunicationKind::all_reduce,
                          .reduction = Reduction::sum,
                          .parts = {vector},
                          .groups = {{0, 1}},
                          .steps = {},
                          .name = "gradient"}};
  plan::Role role;
  role.mesh = {{{"data", 2}}, {0, 1}};
  role.buffers = {{{DType::f32, {local_rows, kColumns}}, 0, true},
                  {vector, 0, true},
                  {{DType::f32, {}}, 0, true},
                  {vector, 0, false},
                  {vector, 0, false}};
  lay_out(role);
  role.instructions = {run(0, {0}, {3}), start(-1, {3}, {4}), wait(-1), run(1, {1, 4, 2}, {1})};
  const Shape x{DType::f32, {kRows, kColumns}};
  role.inputs = {{0, 0, x, rows_over_axis_0(kRows), kUniform, InputKind::batch, -1, 0},
                 {1, 1, vector, replicated(1), kUniform, InputKind::parameter, -1, 0},
                 {2, 2, {DType::f32, {}}, replicated(0), kStep, InputKind::scalar, -1, 0}};
  role.outputs = {{0, 4, vector, replicated(1)},
                  {1, 1, vector, replicated(1)},
                  {2, 0, x, rows_over_axis_0(kRows)}};
  plan.roles = {role};
  return plan;
}

/// The column sums of x (0) on one device.
inline plan::ExecutionPlan alone() {
  const Shape x{DType::f32, {kRows, kColumns}}, vector{DType::f32, {kColumns}};
  plan::ExecutionPlan plan;
  plan.name = "alone";
  plan.cluster = cluster(1);
  plan.programs = {column_sum(kRows)};
  plan::Role role;
  role.mesh = {{}, {0}};
  role.buffers = {{x, 0, true}, {vector, 0, false}};
  lay_out(role);
  role.instructions = {run(0, {0}, {1})};
  role.inputs = {{0, 0, x, replicated(2), kUniform, InputKind::batch, -1, 0}};
  role.outputs = {{0, 1, vector, replicated(1)}};
  plan.roles = {role};
  return plan;
}

inline Program twice(std::int64_t rows) {
  ir::Builder b("twice");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {rows, kColumns}}, kUniform, "x");
  b.output(b.add(x, x), OutputKind::value);
  return std::move(b).finish();
}

inline Program sum_of_two(std::int64_t rows) {
  ir::Builder b("sum_of_two");
  const Shape shape{DType::f32, {rows, kColumns}};
  const ValueId p = b.input(InputKind::batch, shape, kUniform, "p");
  const ValueId q = b.input(InputKind::batch, shape, kUniform, "q");
  b.output(b.add(p, q), OutputKind::value);
  return std::move(b).finish();
}

/// A pipeline of two roles and two micro-batches: device 0 doubles each half of x (input 0), device
/// 1 adds the two up (output 0).
inline plan::ExecutionPlan pipeline() {
  const std::int64_t rows = kRows / 2;
  const Shape half{DType::f32, {rows, kColumns}};
  const Box all{{0, 0}, {rows, kColumns}};
  plan::ExecutionPlan plan;
  plan.name = "pipeline";
  plan.num_micro_batches = 2;
  plan.cluster = cluster(2);
  plan.programs = {twice(rows), sum_of_two(rows)};
  plan.communications = {{.kind = plan::CommunicationKind::transfer,
                          .reduction = Reduction::sum,
                          .parts = {half},
                          .groups = {},
                          .steps = {{.part = 0,
                                     .from = 0,
                                     .to = 1,
                                     .global = all,
                                     .source = all,
                                     .target = all,
                                     .relayed = false,
                                     .after = {}}},
                          .name = "activations"}};
  plan::Role first;
  first.mesh = {{}, {0}};
  first.buffers = {{half, 0, true}, {half, 0, true}, {half, 0, false}, {half, 0, false}};
  lay_out(first);
  first.instructions = {run(0, {0}, {2}), start(0, {2}, {-1}),
                        run(0, {1}, {3}), start(1, {3}, {-1}),
                        wait(0),          wait(1)};
  for (std::int32_t m = 0; m < 2; ++m) {
    first.inputs.push_back({0, m, half, replicated(2), kUniform, InputKind::batch, 0, m});
  }
  plan::Role second;
  second.mesh = {{}, {1}};
  second.buffers = {{half, 0, false}, {half, 0, false}, {half, 0, false}};
  lay_out(second);
  second.instructions = {start(0, {-1}, {0}), start(1, {-1}, {1}), wait(0), wait(1),
                         run(1, {0, 1}, {2})};
  second.outputs = {{0, 2, half, replicated(2)}};
  plan.roles = {first, second};
  return plan;
}

/// All elements of an f32 input as every device makes its part of them.
inline std::vector<float> initial_elements(std::int32_t input, std::vector<std::int64_t> dims,
                                           std::uint64_t seed) {
  const Shape shape{DType::f32, dims};
  const Box all{std::vector<std::int64_t>(dims.size()), dims};
  std::vector<float> elements(static_cast<std::size_t>(num_elements(shape)));
  ir::fill_initial(kUniform, seed, input, shape, {{all, all}}, 0, elements.data());
  return elements;
}

}  // namespace rhino::toy
