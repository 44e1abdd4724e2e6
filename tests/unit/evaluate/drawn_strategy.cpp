// SPDX-License-Identifier: Apache-2.0
#include "drawn_strategy.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "config/strategy_file.hpp"
#include "config/topology_file.hpp"
#include "evaluate/frames.hpp"
#include "ir/training_step.hpp"
#include "models/llama.hpp"
#include "models/models.hpp"
#include "models/vgg.hpp"
#include "models/wide_resnet.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

/// As slow as its programs are small: kernels take microseconds, as those of large models do on
/// large devices.
Cluster draw_cluster(Random& random, std::int32_t num_devices) {
  Cluster cluster = modelled_cluster(num_devices);
  const double flops = one_of(random, {1e9, 4e9});
  cluster.models[0] = {
      DeviceKind::modelled, "device", 1e12, flops * one_of(random, {0.5, 2.0}), 1e-6,
      {{DType::f32, flops}}};
  cluster.intra_host = {flops * one_of(random, {0.2, 1.0}), 2e-6};
  cluster.inter_host = {flops * one_of(random, {0.02, 0.2}), 1e-5};
  if (draw(random, 2) == 0) return cluster;
  cluster.hosts = {{"a", {}}, {"b", {}}};
  for (DeviceId device = 0; device < num_devices; ++device) {
    const std::int32_t host = 2 * device / num_devices;
    cluster.hosts[at(host)].devices.push_back(device);
    cluster.host_of[at(device)] = host;
  }
  return cluster;
}

Program draw_program(Random& random, const Precision& precision) {
  constexpr std::int64_t kBatch = 16;
  // Random programs are of f32.
  switch (precision.dtype == DType::f32 ? draw(random, 3) : 1 + draw(random, 2)) {
    case 0:
      return ir::training_step(
          models::random_forward(at(draw(random, 1 << 20)), kBatch, 20 + draw(random, 40)),
          precision.optimizer);
    case 1:
      return ir::training_step(
          models::branching_forward(kBatch, 32, 2 + draw(random, 3), precision.dtype),
          precision.optimizer);
    default:
      return ir::training_step(
          models::gpt_forward({.num_layers = 2 + draw(random, 3),
                               .hidden = one_of<std::int64_t>(random, {32, 64}),
                               .num_heads = 4,
                               .vocabulary = 64,
                               .sequence = one_of<std::int64_t>(random, {16, 32}),
                               .dtype = precision.dtype},
                              kBatch),
          precision.optimizer);
  }
}

}  // namespace

Precision draw_mixed_precision(Random& random) {
  Precision mixed{one_of(random, {DType::bf16, DType::f16}), {}};
  mixed.optimizer.master_weights = draw(random, 4) > 0;
  mixed.optimizer.wide_gradients = draw(random, 2) == 0;
  if (draw(random, 2) == 0) mixed.optimizer.loss_scale = {1024, 100 * draw(random, 2)};
  return mixed;
}

std::string text_of(const Precision& precision) {
  std::string text = precision.dtype == DType::f32    ? ""
                     : precision.dtype == DType::bf16 ? " bf16"
                                                      : " f16";
  if (precision.optimizer.master_weights) text += " masters";
  if (precision.optimizer.wide_gradients) text += " wide";
  if (precision.optimizer.loss_scale.is_on()) text += " scaled";
  return text;
}

Drawn draw_small(Random& random, const Precision& precision) {
  Drawn drawn{std::make_unique<const Program>(draw_program(random, precision)),
              nullptr,
              {},
              "small" + text_of(precision)};
  const std::int64_t stage = 1 + draw(random, 4), data = one_of<std::int64_t>(random, {1, 2}),
                     tensor = one_of<std::int64_t>(random, {1, 2, 4});
  const Cluster cluster = draw_cluster(random, static_cast<std::int32_t>(stage * data * tensor));
  drawn.planning = std::make_unique<Planning>(
      *drawn.program, cluster, one_of<const char*>(random, {"schedule/gpipe", "schedule/1f1b"}));
  drawn.draft.num_micro_batches = one_of<std::int64_t>(random, {1, 2, 4, 8});
  drawn.draft.chunks = drawn.planning->chunks(static_cast<std::int32_t>(stage),
                                              {{"data", data}, {"tensor", tensor}});
  if (draw(random, 8) > 0) drawn.draft.batch_axis = 0;
  if (drawn.draft.batch_axis == 0)
    drawn.draft.zero_stage = static_cast<std::int32_t>(draw(random, 4));
  return drawn;
}

void annotate(Random& random, const Program& program, StrategyDraft& draft) {
  for (const Input& input : program.inputs) {
    if (input.kind != InputKind::parameter || draw(random, 2) == 0) continue;
    const auto& dims = program.shape(input.value).dims;
    std::vector<std::size_t> fitting;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] % draft.chunks.front().mesh.axes[1].size == 0) fitting.push_back(d);
    }
    if (fitting.empty()) continue;
    Annotation annotation{input.value, std::vector<std::vector<AxisId>>(dims.size())};
    annotation.dims[fitting[at(draw(random, static_cast<std::int64_t>(fitting.size())))]] = {1};
    draft.annotations.push_back(std::move(annotation));
  }
}

void draw_rest(Random& random, const Program& program, StrategyDraft& draft) {
  switch (draw(random, 4)) {
    case 0: draft.chunks.front().recompute = true; break;
    case 1:
      for (ValueId id = 0; id < program.size(); ++id) {
        const Op& op = program.op(id);
        if (op.phase == Phase::forward && !op.operands.empty() && draw(random, 4) == 0)
          draft.recompute.push_back(id);
      }
      break;
    default: break;
  }
  draft.gradient_sums.overlap = draw(random, 4) > 0;
}

namespace {

Drawn small_strategy(Random& random, const Precision& precision) {
  Drawn drawn = draw_small(random, precision);
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  return drawn;
}

}  // namespace

Drawn draw_small_strategy(Random& random) { return small_strategy(random, {}); }
Drawn draw_small_mixed(Random& random) {
  return small_strategy(random, draw_mixed_precision(random));
}

Drawn draw_images(Random& random) {
  const std::int64_t batch = one_of<std::int64_t>(random, {2, 4, 8}),
                     side = one_of<std::int64_t>(random, {32, 64}),
                     width = one_of<std::int64_t>(random, {4, 8});
  Program forward =
      draw(random, 2) == 0
          ? models::vgg_forward(
                {.blocks = {{1, width}, {2, 2 * width}}, .image = side, .hidden = 16, .classes = 8},
                batch)
          : models::wide_resnet_forward({.blocks = {1, 1},
                                         .channels = width,
                                         .width = 1,
                                         .image = side,
                                         .classes = 8,
                                         .norm_batch = 1},
                                        batch);
  Drawn drawn{std::make_unique<const Program>(ir::training_step(std::move(forward), {})),
              nullptr,
              {},
              "images"};
  const std::int64_t data = one_of<std::int64_t>(random, {1, 2}),
                     space = one_of<std::int64_t>(random, {2, 4});
  const Cluster cluster = draw_cluster(random, static_cast<std::int32_t>(data * space));
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster);
  drawn.draft.num_micro_batches = one_of<std::int64_t>(random, {1, 2});
  drawn.draft.chunks = drawn.planning->chunks(1, {{"data", data}, {"space", space}});
  drawn.draft.batch_axis = 0;
  Annotation images{drawn.program->inputs[0].value, std::vector<std::vector<AxisId>>(4)};
  for (const Input& input : drawn.program->inputs) {
    const bool is_images =
        input.kind == InputKind::batch && drawn.program->shape(input.value).dims.size() == 4;
    if (is_images) images.value = input.value;
  }
  images.dims[at(1 + draw(random, 2))] = {1};
  drawn.draft.annotations = {images};
  drawn.draft.gradient_sums.overlap = draw(random, 4) > 0;
  return drawn;
}

namespace {

Drawn hard(Random& random, const Precision& precision) {
  Drawn drawn = draw_small(random, precision);
  Cluster cluster = drawn.planning->cost().cluster();
  cluster.software = {1e-5, 1 + static_cast<double>(draw(random, 3)), 1};
  if (draw(random, 2) == 0) {
    cluster.collective_shares.any = {{1 << 6, 0.1}, {1 << 14, 0.9}, {1 << 16, 0.6}};
    cluster.collective_shares.of_kind = {{OpKind::all_gather, {{1 << 8, 0.3}, {1 << 15, 0.7}}}};
  }
  const std::int32_t num_meshes = std::ranges::max(evaluate::mesh_numbers(drawn.draft.chunks)) + 1;
  const bool may_interleave = drawn.draft.num_micro_batches % num_meshes == 0;
  const char* const schedule =
      std::array{"schedule/1f1b", "schedule/zb_h1",
                 "schedule/interleaved_1f1b"}[at(draw(random, may_interleave ? 3 : 2))];
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster, schedule);
  drawn.draft.chunks =
      drawn.planning->chunks(num_meshes, std::vector(drawn.draft.chunks.front().mesh.axes));
  drawn.text = std::string("hard, ") + schedule + text_of(precision);
  drawn.draft.gradient_sums.bucket_bytes = 1 << 10;
  annotate(random, *drawn.program, drawn.draft);
  draw_rest(random, *drawn.program, drawn.draft);
  return drawn;
}

}  // namespace

Drawn draw_hard(Random& random) { return hard(random, {}); }
Drawn draw_hard_mixed(Random& random) { return hard(random, draw_mixed_precision(random)); }

namespace {

/// The first devices of a topology, on hosts of four where it has no more.
Cluster draw_topology(Random& random, std::int64_t num_devices, std::string& text) {
  const std::string name = one_of<const char*>(
      random, {"p3_8xlarge", "p3_16xlarge", "p4d_24xlarge", "dgx_a100", "dgx_h100", "a100_eager"});
  text += name;
  const std::int64_t per_host = name == "p3_8xlarge" ? 4 : 8;
  Cluster cluster =
      config::read_topology(std::string(RHINO_TEST_STRATEGIES) + "/../topologies/" + name + ".yaml",
                            (num_devices + per_host - 1) / per_host);
  for (DeviceModel& model : cluster.models) model.memory_bytes = 1e13;
  return cluster;
}

Program draw_large_program(Random& random, const Precision& precision, std::int64_t batch,
                           std::string& text) {
  if (draw(random, 4) == 0) {
    const auto width = one_of<std::int64_t>(random, {1024, 4096});
    text += " branching " + std::to_string(width);
    return ir::training_step(
        models::branching_forward(64 * batch, width, 3 + draw(random, 6), precision.dtype),
        precision.optimizer);
  }
  const std::string preset = one_of<const char*>(random, {"125m", "350m", "1.3b", "2.6b"});
  text += " gpt " + preset;
  models::GptConfig config = models::gpt_preset(preset);
  config.dtype = precision.dtype;
  return ir::training_step(models::gpt_forward(config, batch), precision.optimizer);
}

/// Parameters of equal shapes are cut alike, as equal layers are.
void annotate_alike(Random& random, const Program& program, StrategyDraft& draft) {
  const std::int64_t size = draft.chunks.front().mesh.axes[1].size;
  std::map<std::vector<std::int64_t>, std::int64_t> dim_of;
  for (const Input& input : program.inputs) {
    const auto& dims = program.shape(input.value).dims;
    if (input.kind != InputKind::parameter || dims.empty()) continue;
    const auto [found, is_new] = dim_of.try_emplace(dims, -1);
    if (is_new) found->second = draw(random, std::ssize(dims) + 1) - 1;
    if (found->second < 0 || dims[at(found->second)] % size != 0) continue;
    Annotation annotation{input.value, std::vector<std::vector<AxisId>>(dims.size())};
    annotation.dims[at(found->second)] = {1};
    draft.annotations.push_back(std::move(annotation));
  }
}

/// Where no precision is given it is f32, or bf16 where devices have it, without masters.
Drawn large(Random& random, const Precision* given) {
  Drawn drawn;
  const auto stage = one_of<std::int64_t>(random, {1, 2, 2, 4}),
             data = one_of<std::int64_t>(random, {1, 2, 4}),
             tensor = one_of<std::int64_t>(random, {1, 2, 4});
  const auto num_micro_batches = one_of<std::int64_t>(random, {1, 2, 4, 8, 16});
  const Cluster cluster = draw_topology(random, stage * data * tensor, drawn.text);
  const bool is_new = cluster.models.front().peak_flops.contains(DType::bf16);
  const Precision precision =
      given != nullptr ? *given
                       : Precision{is_new && draw(random, 2) == 0 ? DType::bf16 : DType::f32, {}};
  drawn.program = std::make_unique<const Program>(
      draw_large_program(random, precision, num_micro_batches * data, drawn.text));
  const std::string schedule = one_of<const char*>(
      random, {"schedule/1f1b", "schedule/gpipe", "schedule/eager_1f1b", "schedule/zb_h1"});
  drawn.planning = std::make_unique<Planning>(
      *drawn.program, cluster, schedule,
      one_of<const char*>(random,
                          {"resharding/send_recv", "resharding/broadcast", "resharding/striped"}));
  const bool is_gpt = drawn.text.find("gpt") != std::string::npos;
  const std::vector<Chunk> chunks = drawn.planning->chunks(static_cast<std::int32_t>(stage),
                                                           {{"data", data}, {"tensor", tensor}});
  const std::int64_t manner = is_gpt ? draw(random, 4) : 3;
  const char* const kFiles[] = {"gpt_megatron", "gpt_megatron_sequence", "gpt_megatron_recompute"};
  if (manner < 3) {
    const config::StrategyFile file = config::read_strategy_file(
        std::string(RHINO_TEST_STRATEGIES) + "/" + kFiles[manner] + ".yaml",
        Options({{"stage", stage}, {"data", data}, {"tensor", tensor}}));
    drawn.draft = config::draft_of(file, *drawn.program, chunks, num_micro_batches);
  } else {
    drawn.draft = {.num_micro_batches = num_micro_batches, .chunks = chunks};
    drawn.draft.batch_axis = 0;
    annotate_alike(random, *drawn.program, drawn.draft);
  }
  drawn.draft.zero_stage = static_cast<std::int32_t>(draw(random, 4));
  if (draw(random, 4) == 0) {
    for (Chunk& chunk : drawn.draft.chunks) chunk.recompute = true;
  }
  drawn.draft.gradient_sums.overlap = draw(random, 4) > 0;
  drawn.text += " " + std::to_string(stage) + "x" + std::to_string(data) + "x" +
                std::to_string(tensor) + " m" + std::to_string(num_micro_batches) + " zero" +
                std::to_string(drawn.draft.zero_stage) + " " + schedule.substr(9) + " way" +
                std::to_string(manner) + text_of(precision);
  return drawn;
}

}  // namespace

Drawn draw_large(Random& random) { return large(random, nullptr); }
Drawn draw_large_mixed(Random& random) {
  const Precision precision = draw_mixed_precision(random);
  return large(random, &precision);
}

Drawn draw_grouped(Random& random) {
  Drawn drawn;
  const auto data = one_of<std::int64_t>(random, {1, 2}),
             tensor = one_of<std::int64_t>(random, {1, 2, 4}),
             num_micro_batches = one_of<std::int64_t>(random, {1, 2, 4}),
             stage = one_of<std::int64_t>(random, {1, 1, 2}),
             num_kv_heads = one_of<std::int64_t>(random, {1, 2, 4, 8}),
             sequence = one_of<std::int64_t>(random, {512, 2048, 8192});
  Cluster cluster = draw_topology(random, stage * data * tensor, drawn.text);
  cluster.software.attention = true;
  const bool is_new = cluster.models.front().peak_flops.contains(DType::bf16);
  const DType dtype = is_new && draw(random, 4) > 0 ? DType::bf16 : DType::f32;
  drawn.program = std::make_unique<const Program>(
      ir::training_step(models::llama_forward({.num_layers = 2,
                                               .hidden = 1024,
                                               .num_heads = 16,
                                               .num_kv_heads = num_kv_heads,
                                               .ffn = 2048,
                                               .vocabulary = 1024,
                                               .sequence = sequence,
                                               .dtype = dtype},
                                              num_micro_batches * data),
                        {}));
  drawn.planning = std::make_unique<Planning>(*drawn.program, cluster);
  const std::vector<Chunk> chunks = drawn.planning->chunks(static_cast<std::int32_t>(stage),
                                                           {{"data", data}, {"tensor", tensor}});
  if (num_kv_heads % tensor == 0 && draw(random, 2) == 0) {
    const config::StrategyFile file =
        config::read_strategy_file(std::string(RHINO_TEST_STRATEGIES) + "/llama_megatron.yaml",
                                   Options({{"stage", stage}, {"data", data}, {"tensor", tensor}}));
    drawn.draft = config::draft_of(file, *drawn.program, chunks, num_micro_batches);
    drawn.text += " megatron";
  } else {
    drawn.draft = {.num_micro_batches = num_micro_batches, .chunks = chunks};
    drawn.draft.batch_axis = 0;
    annotate_alike(random, *drawn.program, drawn.draft);
  }
  if (draw(random, 4) == 0) {
    for (Chunk& chunk : drawn.draft.chunks) chunk.recompute = true;
    drawn.text += " recompute";
  }
  drawn.text += " " + std::to_string(stage) + "x" + std::to_string(data) + "x" +
                std::to_string(tensor) + " m" + std::to_string(num_micro_batches) + " kv" +
                std::to_string(num_kv_heads) + " s" + std::to_string(sequence) +
                (dtype == DType::f32 ? "" : " bf16");
  return drawn;
}

}  // namespace rhino::test
