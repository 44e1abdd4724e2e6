// SPDX-License-Identifier: Apache-2.0
#include "planning/pipeline_stages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "ir/builder.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::planning {
namespace {

/// So quick that it takes no time.
constexpr double kFree = 1e30;
constexpr double kNoLimit_bytes = 1e15;

/// By Pass: f32 is left out, or elementwise ops would count.
constexpr DType kDTypes[kNumPasses] = {DType::f64, DType::f16, DType::bf16};

/// How deep a dot is that lasts as long as a pass of a stage; a chunk of several has a part of it.
constexpr std::int64_t kDepth = 840;

/// Of a second dot, of f32, that takes no time: with it the FLOPs of B and W are to each other as
/// their seconds, and tell how far a pass has come. Rounded so that B is rather too long a part.
std::int64_t free_depth(Pass pass, double backward_s, double weight_s) {
  constexpr double kMost = 1 << 20;
  if (pass == Pass::forward || backward_s <= 0 || weight_s <= 0) return 0;
  const bool is_backward = pass == Pass::backward;
  const double ratio = is_backward ? backward_s / weight_s : weight_s / backward_s;
  const double depth = static_cast<double>(kDepth) * (std::min(ratio, kMost / kDepth) - 1);
  return std::llround(is_backward ? std::ceil(depth) : std::floor(depth));
}

/// By Pass.
std::array<double, kNumPasses> seconds_of(const config::PipelineChoice& choice, std::size_t stage) {
  return {choice.forward_s[stage], choice.backward_s[stage], choice.weight_s[stage]};
}

DeviceModel device_of(const config::PipelineChoice& choice, std::size_t stage, DeviceModel model) {
  model.name = "stage " + std::to_string(stage);
  model.memory_bytes_per_s = kFree;
  model.stream_bytes_per_s = model.kernel_latency_s = model.cache_bytes_per_s = 0;
  model.num_multiprocessors = 0;
  model.sustained_flops.clear();
  model.peak_flops.clear();
  for (std::size_t pass = 0; pass < kNumPasses; ++pass) {
    const double seconds = seconds_of(choice, stage)[pass];
    if (seconds > 0) model.peak_flops[kDTypes[pass]] = 2 * static_cast<double>(kDepth) / seconds;
  }
  return model;
}

/// One host whose devices have a link for each border, both ways.
Cluster own_cluster(const config::PipelineChoice& choice) {
  Cluster cluster;
  cluster.name = "stages";
  cluster.source = "seconds of the experiment";
  cluster.hosts = {{.name = "host", .devices = {}}};
  cluster.intra_host = cluster.inter_host = {kFree, 0};
  for (std::int32_t s = 0; s < choice.num_stages; ++s) {
    cluster.hosts.front().devices.push_back(s);
    cluster.host_of.push_back(0);
    cluster.model_of.push_back(0);
  }
  const auto join = [&](std::int32_t a, std::int32_t b, double seconds) {
    if (seconds > 0)
      cluster.own_links.push_back(
          {.between_hosts = false, .a = a, .b = b, .link = {kFree, seconds}});
  };
  for (std::int32_t s = 0; s + 1 < choice.num_stages; ++s) join(s, s + 1, choice.transfer_s[at(s)]);
  // Schedules that go round pass it on as slowly as the slowest border does.
  if (choice.num_stages > 2)
    join(0, static_cast<std::int32_t>(choice.num_stages) - 1,
         *std::ranges::max_element(choice.transfer_s));
  return cluster;
}

std::int64_t crossing_bytes(const config::PipelineChoice& choice, std::int32_t from,
                            std::int32_t to) {
  if (choice.transfer_bytes.empty()) return 1;
  if (std::abs(from - to) != 1) return *std::ranges::max_element(choice.transfer_bytes);
  return choice.transfer_bytes[at(std::min(from, to))];
}

/// The programs of one chunk. X c is what chunk c makes of micro-batches and keeps until their last
/// pass, G c their gradient that it makes for the chunk before, D c the sum of gradients of
/// weights.
class ChunkMaker {
 public:
  ChunkMaker(const config::PipelineChoice& choice, const PipelineProblem& problem,
             std::int32_t chunk)
      : choice_(choice), problem_(problem), chunk_(chunk), mesh_(problem.chunks[at(chunk)].mesh) {}

  void add(bool is_cut, std::vector<sharding::ChunkProgram>& programs) {
    programs.push_back(forward());
    programs.push_back(backward(is_cut));
    if (is_cut) programs.push_back(weight());
  }
  Shape forward_shape() const { return is_last() ? element() : made_for(chunk_ + 1); }
  Shape backward_shape() const { return is_first() ? element() : made_for(chunk_ - 1); }

 private:
  using ChunkPhase = sharding::ChunkPhase;
  std::int32_t num_chunks() const { return static_cast<std::int32_t>(problem_.chunks.size()); }
  std::int32_t chunks_each() const { return num_chunks() / problem_.num_replicas; }
  bool is_first() const { return chunk_ % chunks_each() == 0; }
  bool is_last() const { return (chunk_ + 1) % chunks_each() == 0; }
  ValueId x(std::int32_t chunk) const { return chunk; }
  ValueId g(std::int32_t chunk) const { return num_chunks() + chunk; }
  ValueId d(std::int32_t chunk) const { return 2 * num_chunks() + chunk; }

  static Shape element() { return {DType::f32, {1}}; }
  Shape made_for(std::int32_t other) const {
    const std::int32_t reader = problem_.chunks[at(other)].mesh;
    const std::int64_t width = dtype_bytes(DType::f32);
    const std::int64_t bytes = mesh_ == reader ? width : crossing_bytes(choice_, mesh_, reader);
    return {DType::f32, {(bytes + width - 1) / width}};
  }

  sharding::ChunkProgram begin(ChunkPhase phase) {
    builder_.emplace("stage");
    builder_->set_phase(phase == ChunkPhase::forward ? Phase::forward : Phase::backward);
    return {.chunk = chunk_, .phase = phase, .inputs = {}, .outputs = {}};
  }
  sharding::ChunkProgram end(sharding::ChunkProgram program) {
    program.program = std::move(*builder_).finish();
    return program;
  }
  /// One element of what chunk `source` made.
  ValueId read(sharding::ChunkProgram& program, ValueId value, std::int32_t source,
               const Shape& shape) {
    program.inputs.push_back(
        {value, sharding::Repeat::per_micro_batch, shape, {.dims = {{}}, .partial = {}}, source});
    const ValueId tensor = builder_->input(InputKind::batch, shape, {}, "");
    return shape.dims[0] == 1 ? tensor : builder_->slice(tensor, {0}, {1});
  }
  void yield(sharding::ChunkProgram& program, ValueId value, ValueId element, const Shape& shape,
             sharding::Repeat repeat = sharding::Repeat::per_micro_batch) {
    program.outputs.push_back({value, repeat, shape, {.dims = {{}}, .partial = {}}, -1});
    const ValueId own = builder_->add(element, element);  // no other output, nor an input
    const ValueId tensor =
        shape.dims[0] == 1 ? own
                           : builder_->broadcast_in_dim(builder_->reshape(own, {}), shape.dims, {});
    builder_->output(tensor, OutputKind::value);
  }

  /// An element that is there when the seconds of a pass are over after `element` is.
  ValueId after(Pass pass, ValueId element) {
    const std::array<double, kNumPasses> seconds = seconds_of(choice_, at(mesh_));
    const auto number = static_cast<std::size_t>(pass);
    if (seconds[number] <= 0) return element;
    const std::int64_t chunks_here =
        std::ranges::count(problem_.chunks, mesh_, &ChunkCost::mesh) / problem_.num_replicas;
    const ValueId timed = dot(element, kDTypes[number], kDepth / chunks_here);
    const std::int64_t depth = free_depth(pass, seconds[1], seconds[2]);
    return depth > 0 ? dot(timed, DType::f32, std::max<std::int64_t>(1, depth / chunks_here))
                     : timed;
  }
  ValueId dot(ValueId element, DType dtype, std::int64_t depth) {
    const ValueId row = builder_->convert(
        builder_->broadcast_in_dim(builder_->reshape(element, {}), {1, depth}, {}), dtype);
    const ValueId column = builder_->fill({dtype, {depth, 1}}, 0);
    const ValueId product =
        builder_->dot(row, column, {.lhs_contracting = {1}, .rhs_contracting = {0}});
    return builder_->reshape(builder_->convert(product, DType::f32), {1});
  }

  sharding::ChunkProgram forward() {
    sharding::ChunkProgram program = begin(ChunkPhase::forward);
    const ValueId from = is_first()
                             ? builder_->fill({DType::f32, {1}}, 0)
                             : read(program, x(chunk_ - 1), chunk_ - 1, before(Pass::forward));
    yield(program, x(chunk_), after(Pass::forward, from), forward_shape());
    return end(std::move(program));
  }
  sharding::ChunkProgram backward(bool is_cut) {
    sharding::ChunkProgram program = begin(ChunkPhase::backward);
    ValueId element = read(program, x(chunk_), chunk_, forward_shape());
    if (!is_last())
      element =
          builder_->add(element, read(program, g(chunk_ + 1), chunk_ + 1, before(Pass::backward)));
    ValueId gradient = after(Pass::backward, element);
    if (!is_cut) {
      const ValueId sum = after(Pass::weight, gradient);
      if (!choice_.is_gradient_early) gradient = sum;
      yield(program, d(chunk_), sum, {DType::f32, {1}}, sharding::Repeat::accumulated);
    }
    if (is_cut || !is_first()) yield(program, g(chunk_), gradient, backward_shape());
    return end(std::move(program));
  }
  sharding::ChunkProgram weight() {
    sharding::ChunkProgram program = begin(ChunkPhase::weight);
    const ValueId element = builder_->add(read(program, x(chunk_), chunk_, forward_shape()),
                                          read(program, g(chunk_), chunk_, backward_shape()));
    yield(program, d(chunk_), after(Pass::weight, element), {DType::f32, {1}},
          sharding::Repeat::accumulated);
    return end(std::move(program));
  }
  /// What the chunk before, of that direction, sends.
  Shape before(Pass pass) const {
    const ChunkMaker other(choice_, problem_, pass == Pass::forward ? chunk_ - 1 : chunk_ + 1);
    return pass == Pass::forward ? other.forward_shape() : other.backward_shape();
  }

  const config::PipelineChoice& choice_;
  const PipelineProblem& problem_;
  const std::int32_t chunk_, mesh_;
  std::optional<ir::Builder> builder_;
};

}  // namespace

Cluster pipeline_cluster(const config::PipelineChoice& choice,
                         const std::optional<Cluster>& topology) {
  Cluster cluster = topology ? *topology : own_cluster(choice);
  if (choice.num_stages > cluster.num_devices())
    throw Error(choice.place + ": a pipeline of " + std::to_string(choice.num_stages) +
                " stages on topology '" + cluster.name + "' of " +
                std::to_string(cluster.num_devices()) + " devices");
  DeviceModel model;
  model.memory_bytes = kNoLimit_bytes;
  cluster.models.clear();
  cluster.shares_of_model.clear();
  cluster.software = {};
  for (std::int32_t device = 0; device < cluster.num_devices(); ++device) {
    cluster.model_of[at(device)] =
        std::min(device, static_cast<std::int32_t>(choice.num_stages) - 1);
    if (device >= choice.num_stages) continue;
    if (topology) model = topology->device(device);
    cluster.models.push_back(device_of(choice, at(device), model));
    if (topology && !topology->shares_of_model.empty())
      cluster.shares_of_model.push_back(
          topology->shares_of_model[at(topology->model_of[at(device)])]);
  }
  return cluster;
}

PipelineProblem pipeline_problem(const config::PipelineChoice& choice, const Placement& placement,
                                 const Cluster& cluster) {
  PipelineProblem problem;
  problem.num_micro_batches = choice.num_micro_batches;
  problem.num_meshes = static_cast<std::int32_t>(choice.num_stages);
  problem.num_replicas = placement.num_replicas;
  for (const std::int32_t mesh : placement.mesh_of_chunk) {
    const std::int64_t here =
        std::ranges::count(placement.mesh_of_chunk, mesh) / placement.num_replicas;
    if (kDepth % here != 0)
      throw Error("a stage does not divide into the " + std::to_string(here) +
                  " chunks that the schedule places on one mesh");
    const auto [forward_s, backward_s, weight_s] = seconds_of(choice, at(mesh));
    const auto part = static_cast<double>(here);
    problem.chunks.push_back({.mesh = mesh,
                              .forward_s = forward_s / part,
                              .backward_s = backward_s / part,
                              .weight_s = weight_s / part,
                              .backward_weight_s = (backward_s + weight_s) / part,
                              .forward_to_weight_bytes = 1 / part});
  }
  const auto chunks_each = static_cast<std::int32_t>(problem.chunks.size()) / problem.num_replicas;
  for (std::int32_t chunk = 0; chunk + 1 < std::ssize(problem.chunks); ++chunk) {
    if ((chunk + 1) % chunks_each == 0) continue;
    const std::int32_t a = problem.chunks[at(chunk)].mesh, b = problem.chunks[at(chunk + 1)].mesh;
    const auto bytes = static_cast<double>(crossing_bytes(choice, a, b));
    const Link link = cluster.link(a, b);
    const bool is_sized = !choice.transfer_bytes.empty();
    const double seconds = a == b ? 0 : link.latency_s + (is_sized ? bytes / link.bytes_per_s : 0);
    problem.edges.push_back({{Pass::forward, chunk}, {Pass::forward, chunk + 1}, bytes, seconds});
    problem.edges.push_back({{Pass::backward, chunk + 1}, {Pass::backward, chunk}, bytes, seconds});
  }
  std::ranges::sort(problem.edges, {},
                    [](const PipelineEdge& edge) { return std::pair(edge.from, edge.to); });
  problem.activation_limit_bytes.assign(choice.activation_limit.begin(),
                                        choice.activation_limit.end());
  problem.activation_limit_bytes.resize(at(choice.num_stages));
  return problem;
}

PipelinePrograms pipeline_programs(const config::PipelineChoice& choice,
                                   const PipelineProblem& problem,
                                   const std::vector<bool>& is_cut) {
  PipelinePrograms programs;
  programs.program.name = "stages";
  const auto num_chunks = static_cast<std::int32_t>(problem.chunks.size());
  const auto add_values = [&](const auto& shape) {
    for (std::int32_t chunk = 0; chunk < num_chunks; ++chunk)
      programs.program.ops.push_back({.kind = OpKind::parameter, .shape = shape(chunk)});
  };
  add_values([&](std::int32_t c) { return ChunkMaker(choice, problem, c).forward_shape(); });
  add_values([&](std::int32_t c) { return ChunkMaker(choice, problem, c).backward_shape(); });
  add_values([](std::int32_t) { return Shape{DType::f32, {1}}; });
  for (std::int32_t chunk = 0; chunk < num_chunks; ++chunk) {
    ChunkMaker(choice, problem, chunk).add(is_cut[at(chunk)], programs.chunks);
    programs.program.outputs.push_back({2 * num_chunks + chunk, OutputKind::value, -1});
  }
  return programs;
}

}  // namespace rhino::planning
