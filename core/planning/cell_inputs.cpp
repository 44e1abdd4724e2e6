// SPDX-License-Identifier: Apache-2.0
#include "planning/cell_inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "config/topology_file.hpp"
#include "ir/flops.hpp"
#include "models/catalog.hpp"
#include "models/imported_file.hpp"
#include "planning/pipeline_stages.hpp"
#include "plugin/suggest.hpp"
#include "sharding/defer_scales.hpp"
#include "topology/discover.hpp"
#include "topology/gpus.hpp"
#include "topology/host_report.hpp"
#include "topology/varied.hpp"

namespace rhino::planning {
namespace {

namespace fs = std::filesystem;

/// What goes wrong while a choice is read is put down to its word, too.
std::string place_of(const config::Choice& choice) { return choice.place + ": " + choice.id; }

void refuse_unread(const Options& options) {
  const std::vector<std::string> unread = options.unread();
  if (unread.empty()) return;
  throw Error("unknown option '" + unread.front() + "'" +
              plugin::suggestion(unread.front(), {options.asked().begin(), options.asked().end()}));
}

DType floating_dtype(const std::string& name) {
  std::vector<std::string> known;
  for (const DType dtype : {DType::bf16, DType::f16, DType::f32, DType::f64}) {
    if (name == dtype_name(dtype)) return dtype;
    known.push_back(dtype_name(dtype));
  }
  throw Error("unknown dtype '" + name + "'" + plugin::suggestion(name, known));
}

/// Whether what a 16-bit model has of `what` is f32, as it is unless it is said to be the model's
/// own.
bool is_wide(const Options& options, const char* what, DType model) {
  const std::string wide = dtype_name(is_narrow(model) ? DType::f32 : model),
                    own = dtype_name(model), given = options.get<std::string>(what, wide);
  if (given == wide || given == own) return is_narrow(model) && given == wide;
  throw Error(std::string(what) + " of a model of " + own + " are " + wide +
              (wide == own ? "" : " or " + own) + ", not '" + given + "'");
}

/// What the options of a model say of its dtypes: `dtype`, `parameters`, `gradients`.
DType read_dtypes(const Options& options, ir::Optimizer& optimizer) {
  const DType dtype = floating_dtype(options.get<std::string>("dtype", "f32"));
  optimizer.master_weights = is_wide(options, "parameters", dtype);
  optimizer.wide_gradients = is_wide(options, "gradients", dtype);
  if (dtype == DType::f16 && !optimizer.loss_scale.is_on()) {
    throw Error(
        "dtype f16 needs a loss scale, or small gradients vanish: optimizer: {adam: "
        "{loss_scale: dynamic}}, or a number");
  }
  return dtype;
}

/// `loss_scale: dynamic` with `initial_scale` and `growth_interval`, whose defaults are those of
/// torch.amp.GradScaler, or `loss_scale: NUMBER`.
ir::LossScale read_loss_scale(const Options& options) {
  ir::LossScale scale;
  const auto given = options.values().find("loss_scale");
  const bool is_word =
      given != options.values().end() && std::holds_alternative<std::string>(given->second);
  const bool is_dynamic = is_word && options.get<std::string>("loss_scale", "") == "dynamic";
  if (is_dynamic) {
    scale.initial = options.get<double>("initial_scale", 65536);
    scale.growth_interval = options.get<std::int64_t>("growth_interval", 2000);
    if (!(scale.initial >= 1 && scale.initial <= ir::LossScale::kMost))
      throw Error("initial_scale must lie between 1 and 2^126");
    if (scale.growth_interval < 1 || scale.growth_interval > 1'000'000)
      throw Error("growth_interval must lie between 1 and 1000000");
  } else if (given != options.values().end()) {
    if (!is_word) scale.initial = options.get<double>("loss_scale", 0);
    if (!(scale.initial >= ir::LossScale::kLeast && scale.initial <= ir::LossScale::kMost))
      throw Error(
          "loss_scale must be 'dynamic' or a number from 2^-126 to 2^126, so that devices divide "
          "by it");
  }
  return scale;
}

double read_factor(const Options& options, const std::string& key, double otherwise) {
  const double factor = options.get<double>(key, otherwise);
  if (!(factor >= 0 && factor <= std::numeric_limits<float>::max()))
    throw Error(key + " must be a number from 0 up that f32 can hold");
  return factor;
}

ir::Optimizer read_optimizer(const config::Choice& choice) {
  return at_place(place_of(choice), [&] {
    const Options options(choice.options);
    ir::Optimizer optimizer;
    if (choice.id == "sgd") optimizer.kind = ir::Optimizer::Kind::sgd;
    else if (choice.id != "adam")
      throw Error("unknown optimizer" + plugin::suggestion(choice.id, {"adam", "sgd"}));
    optimizer.learning_rate = read_factor(options, "learning_rate", optimizer.learning_rate);
    if (choice.id == "sgd") optimizer.momentum = read_factor(options, "momentum", 0);
    optimizer.loss_scale = read_loss_scale(options);
    refuse_unread(options);
    return optimizer;
  });
}

/// The dtype that most of the work of dots is in.
DType main_dtype(const Program& program) {
  std::map<DType, double> flops{{DType::f32, 0}};
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (op.kind != OpKind::dot) continue;
    flops[program.shape(op.operands[0]).dtype] += ir::op_flops(program, id);
  }
  return std::ranges::max_element(flops, {}, [](const auto& entry) { return entry.second; })->first;
}

/// A program as it stands, ready for micro-batches; what is a forward pass with a loss alone is
/// differentiated.
Program imported_step(const config::CellSpec& cell, CellModel& model,
                      const ir::Optimizer& optimizer) {
  const Options options(cell.model.options);
  Program program = models::imported_model(cell.model.id, options);
  const bool may_repeat = options.get<bool>(models::kRepeatOps, false);
  refuse_unread(options);
  model.dtype = main_dtype(program);
  model.flops_formula = "dots of the graph";
  const bool is_forward = std::ranges::all_of(
      program.outputs, [](const Output& output) { return output.kind == OutputKind::loss; });
  model.takes_optimizer = is_forward;
  if (is_forward) program = ir::training_step(std::move(program), optimizer);
  sharding::Deferral deferral = sharding::defer_scales(program, may_repeat);
  if (deferral.is_changed) model.given = std::move(program);
  return std::move(deferral.program);
}

Program forward_program(const config::CellSpec& cell, CellModel& model, ir::Optimizer& optimizer) {
  std::vector<std::string> known = models::model_names();
  if (std::ranges::find(known, cell.model.id) == known.end()) {
    known.insert(known.end(), {"hlo", "stablehlo"});
    throw Error("unknown model" + plugin::suggestion(cell.model.id, known));
  }
  const Options options(cell.model.options);
  if (!models::has_own_dtypes(cell.model.id)) model.dtype = read_dtypes(options, optimizer);
  models::Forward forward =
      models::build_forward(cell.model.id, options, cell.global_batch, model.dtype);
  refuse_unread(options);
  model.tokens_per_sample = forward.tokens_per_sample;
  model.flops_formula = std::move(forward.flops_formula);
  return std::move(forward.program);
}

}  // namespace

std::string placed(const std::string& place, const std::string& sentence) {
  if (place.empty()) return sentence;
  const std::string word = place.substr(place.rfind(' ') + 1) + ": ";
  return place + ": " + (sentence.starts_with(word) ? sentence.substr(word.size()) : sentence);
}

CellModel build_model(const config::CellSpec& cell) {
  ir::Optimizer optimizer = read_optimizer(cell.optimizer);
  return at_place(place_of(cell.model), [&] {
    CellModel model;
    model.step = models::is_imported(cell.model.id)
                     ? imported_step(cell, model, optimizer)
                     : ir::training_step(forward_program(cell, model, optimizer), optimizer);
    model.model_flops = ir::model_flops(model.step);
    return model;
  });
}

std::string optimizer_text(const config::CellSpec& cell, const CellModel& model) {
  if (model.takes_optimizer) return config::to_string(cell.optimizer);
  const bool updates = std::ranges::any_of(model.step.outputs, [](const Output& output) {
    return output.kind == OutputKind::updated_state;
  });
  return updates ? "its own updates" : "no updates";
}

std::string model_key(const config::CellSpec& cell) {
  return config::to_string(cell.model) + "/" + config::to_string(cell.optimizer) + "/" +
         std::to_string(cell.global_batch);
}

const CellModel& Models::of(const config::CellSpec& cell) {
  const std::string key = model_key(cell);
  const auto found = built_.find(key);
  return found != built_.end() ? found->second
                               : built_.emplace(key, build_model(cell)).first->second;
}

std::string find_file(const std::string& name, const std::vector<std::string>& folders) {
  std::error_code error;
  if (fs::exists(name, error)) return name;
  for (const std::string& folder : folders) {
    const fs::path path = fs::path(folder) / name;
    if (fs::exists(path, error)) return path.string();
  }
  return "";
}

/// Of GPUs that are not there: cells are planned, and told so when they run.
constexpr double kUnknownMemoryBytes = 1e15;

/// 0: all of them, and one where there are none.
static Cluster local_cluster(std::int32_t num_devices, const std::string& device) {
  if (device != "cuda") return topology::discover_local(num_devices);
  const topology::GpuInventory& gpus = topology::discover_gpus();
  if (gpus.missing.empty()) return topology::gpu_cluster(gpus, num_devices);
  Cluster without = topology::discover_local(std::max(1, num_devices));
  for (DeviceModel& model : without.models) model.memory_bytes = kUnknownMemoryBytes;
  return without;
}

static Cluster found_cluster(const config::Choice& topology, const std::string& device) {
  return at_place(place_of(topology), [&] {
    const std::vector<topology::FoundHost>* hosts = topology::found_hosts();
    if (hosts == nullptr)
      throw Error(
          "is what a launcher started this run on, and none did: mpirun -n 2 --host a,b "
          "rhino-bench ..., srun -N 2 rhino-bench ...; `local` is this machine");
    const Options options(topology.options);
    const std::int64_t num_hosts = options.get<std::int64_t>("hosts", 0),
                       per_host = options.get<std::int64_t>("devices_per_host", 0);
    if (options.values().contains("hosts") && num_hosts < 1)
      throw Error("at least 1 host is wanted");
    const std::int64_t least = options.values().contains("devices_per_host") ? 1 : 0;
    if (per_host < least || per_host > 1024)
      throw Error("between 1 and 1024 devices of each host are wanted");
    refuse_unread(options);
    return topology::cluster_of(*hosts, device, num_hosts, per_host);
  });
}

Cluster resolve_topology(const config::Choice& topology, const std::vector<std::string>& folders,
                         const std::string& device) {
  if (topology.id == "cluster") return found_cluster(topology, device);
  if (topology.id == "local") {
    return at_place(place_of(topology), [&] {
      const Options options(topology.options);
      const std::int64_t devices = options.get<std::int64_t>("devices", 0);
      const std::int64_t least = options.values().contains("devices") ? 1 : 0;  // 0: all
      if (devices < least || devices > 1024) throw Error("between 1 and 1024 devices are wanted");
      refuse_unread(options);
      return local_cluster(static_cast<std::int32_t>(devices), device);
    });
  }
  const bool is_path = topology.id.ends_with(".yaml");
  const std::string path =
      find_file(is_path ? topology.id : "topologies/" + topology.id + ".yaml", folders);
  if (!path.empty()) {
    std::int64_t hosts = 0, devices = 0;
    topology::Variation variation;
    at_place(place_of(topology), [&] {
      const Options options(topology.options);
      hosts = options.get<std::int64_t>("hosts", 0);
      devices = options.get<std::int64_t>("devices_per_host", 0);
      variation = {options.get<double>("network", 1), options.get<double>("kernels", 1)};
      if (options.values().contains("hosts") && hosts < 1) throw Error("at least 1 host is wanted");
      if (options.values().contains("devices_per_host") && devices < 1)
        throw Error("at least 1 device of each host is wanted");
      refuse_unread(options);
    });
    const Cluster cluster = config::read_topology(path, hosts, devices);
    return at_place(place_of(topology), [&] { return topology::varied(cluster, variation); });
  }
  if (is_path) throw Error(topology.place + ": there is no topology file '" + topology.id + "'");
  std::vector<std::string> known{"cluster", "local"};
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(folder) / "topologies", error))
      if (entry.path().extension() == ".yaml") known.push_back(entry.path().stem().string());
  }
  throw Error(topology.place + ": unknown topology '" + topology.id + "'" +
              plugin::suggestion(topology.id, known));
}

/// Whether devices compute attention without scores in memory: GPUs do, CPUs do not, and of what is
/// modelled the topology says so.
static bool has_attention(const config::CellSpec& cell, const Cluster& cluster) {
  if (cell.device == "cuda") return !cell.gpu.keeps_scores;
  const bool is_modelled = cell.backend == "simulate" || cell.device == "emulated";
  return is_modelled && cluster.software.attention;
}

Cluster cell_cluster(const config::CellSpec& cell, const std::vector<std::string>& folders) {
  std::optional<Cluster> topology;
  if (!cell.topology.id.empty()) topology = resolve_topology(cell.topology, folders, cell.device);
  Cluster cluster =
      cell.pipeline ? pipeline_cluster(*cell.pipeline, topology) : *std::move(topology);
  cluster.software.attention = has_attention(cell, cluster);
  return cluster;
}

}  // namespace rhino::planning
