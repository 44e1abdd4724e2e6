// SPDX-License-Identifier: Apache-2.0
#include "config/weights_choice.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "config/imported_model.hpp"
#include "models/hf_weights.hpp"
#include "plugin/suggest.hpp"
#include "rhino/error.hpp"

namespace rhino::config {
namespace {

using models::HfWeight;
using models::HfWeights;

constexpr const char* kStage = "stage";
constexpr std::int64_t kMostDevices = 65536;

/// One end.
struct Side {
  std::vector<std::string> axes;
  std::vector<std::int64_t> sizes;
  std::map<std::string, std::vector<std::size_t>> split;  ///< dim: axes, major first
  std::int64_t first_device = 0;
  std::string place, text;

  std::int64_t num_stages() const {
    const auto stage = std::ranges::find(axes, kStage);
    return stage == axes.end() ? 1 : sizes[static_cast<std::size_t>(stage - axes.begin())];
  }
  std::int64_t num_devices() const { return num_elements(sizes); }
  std::int64_t stage_of(std::int64_t layer, std::int64_t num_layers) const {
    if (layer < 0) return 0;
    return std::min(layer, num_layers - 1) * num_stages() / num_layers;
  }
};

std::size_t axis_of(const YamlReader& node, const Side& side) {
  const std::string name = node.string();
  const auto axis = std::ranges::find(side.axes, name);
  if (axis == side.axes.end() || name == kStage) {
    std::vector<std::string> known = side.axes;
    std::erase(known, kStage);
    node.fail("no axis '" + name + "' splits dims" + plugin::suggestion(name, known));
  }
  return static_cast<std::size_t>(axis - side.axes.begin());
}

Side read_side(const YamlReader& node, const std::set<std::string>& dims,
               std::int64_t first_device) {
  Side side{.place = node.place()};
  const YamlReader mesh = node.at("mesh");
  if (!mesh.is_map()) mesh.fail("a mesh of weights is a map of axes: {stage: 2, tensor: 4}");
  std::int64_t product = 1;
  for (const std::string& name : mesh.keys()) {
    const std::int64_t size = mesh.at(name).integer();
    if (size < 1) mesh.at(name).fail("a mesh axis must be at least 1");
    if (size > kMostDevices / product) mesh.at(name).fail("a mesh of more than 65536 devices");
    product *= size;
    side.axes.push_back(name), side.sizes.push_back(size);
    side.text += (side.text.empty() ? "" : " x ") + name + " " + std::to_string(size);
  }
  if (side.axes.empty()) mesh.fail("a mesh has at least one axis");
  if (node.has("split")) {
    const YamlReader split = node.at("split");
    for (const std::string& dim : split.keys()) {
      if (!dims.contains(dim))
        split.at(dim).fail("no weight has a dim '" + dim + "'" +
                           plugin::suggestion(dim, {dims.begin(), dims.end()}));
      side.text += ", " + dim + " by";
      for (const YamlReader& axis : split.at(dim).items()) {
        side.split[dim].push_back(axis_of(axis, side));
        side.text += " " + axis.string();
      }
    }
  }
  side.first_device = node.integer("first_device", first_device);
  if (side.first_device < 0 || side.first_device > kMostDevices)
    node.at("first_device").fail("there is no device " + std::to_string(side.first_device));
  if (side.first_device != first_device)
    side.text += ", from device " + std::to_string(side.first_device) + " on";
  node.finish();
  return side;
}

/// The devices of one stage, along the other axes.
MeshChoice mesh_of(const Side& side, std::int64_t stage) {
  MeshChoice mesh{.place = side.place};
  std::int64_t inner = 1;  // devices between neighbours along the axis of stages
  bool is_inside = false;
  for (std::size_t a = 0; a < side.axes.size(); ++a) {
    if (side.axes[a] == kStage) {
      is_inside = true;
      continue;
    }
    mesh.sizes.push_back(side.sizes[a]);
    if (is_inside) inner *= side.sizes[a];
  }
  if (mesh.sizes.empty()) mesh.sizes = {1};
  const std::int64_t count = num_elements(mesh.sizes), stages = side.num_stages();
  if (stages == 1) inner = count;
  for (std::int64_t i = 0; i < count; ++i)
    mesh.devices.push_back(static_cast<DeviceId>(side.first_device + i / inner * inner * stages +
                                                 stage * inner + i % inner));
  return mesh;
}

TiledChoice tiled(const Side& side, const HfWeight& weight, std::int64_t stage, bool has_layers) {
  TiledChoice result{.mesh = mesh_of(side, stage)};
  if (has_layers) result.spec.dims.emplace_back();
  result.text = has_layers ? "R " : "";
  const auto stage_axis =
      static_cast<std::size_t>(std::ranges::find(side.axes, kStage) - side.axes.begin());
  std::set<std::size_t> used;
  for (std::size_t d = 0; d < weight.shape.size(); ++d) {
    DimSharding& sharding = result.spec.dims.emplace_back();
    const auto split = side.split.find(weight.dims[d]);
    if (split == side.split.end()) {
      result.text += "R ";
      continue;
    }
    result.text += "S";
    std::int64_t length = weight.shape[d];
    for (const std::size_t axis : split->second) {
      if (!used.insert(axis).second)
        throw Error(side.place + ": axis '" + side.axes[axis] + "' is to split two dims of " +
                    weight.name);
      if (length < side.sizes[axis])
        throw Error(side.place + ": " + weight.dims[d] + " of " + weight.name + " are " +
                    std::to_string(weight.shape[d]) + ", too few to be split by " +
                    side.axes[axis] + " of " + std::to_string(side.sizes[axis]));
      const std::size_t own = axis > stage_axis ? axis - 1 : axis;
      sharding.splits.push_back({static_cast<AxisId>(own), length});
      result.text += std::to_string(own);
      length = (length + side.sizes[axis] - 1) / side.sizes[axis];
    }
    result.text += " ";
  }
  result.text += "@ ";
  for (const std::int64_t size : result.mesh.sizes)
    result.text += (result.text.ends_with(' ') ? "" : "x") + std::to_string(size);
  return result;
}

class Tensors {
 public:
  Tensors(DType dtype, const Side& source, const Side& target)
      : dtype_(dtype), source_(source), target_(target) {}

  /// `count` layers of `weight`, or 0: it is none of a layer.
  void add(const HfWeight& weight, std::int64_t count, std::int64_t from, std::int64_t to) {
    TensorChoice tensor;
    tensor.shape = {dtype_, weight.shape};
    if (count > 0) tensor.shape.dims.insert(tensor.shape.dims.begin(), count);
    tensor.source = tiled(source_, weight, from, count > 0);
    tensor.targets = {tiled(target_, weight, to, count > 0)};
    list.push_back(std::move(tensor));
  }

  std::vector<TensorChoice> list;

 private:
  DType dtype_;
  const Side &source_, &target_;
};

std::set<std::string> dims_of(const HfWeights& weights) {
  std::set<std::string> dims;
  for (const auto* list : {&weights.front, &weights.layer, &weights.behind})
    for (const HfWeight& weight : *list) dims.insert(weight.dims.begin(), weight.dims.end());
  return dims;
}

std::string gigabytes(std::int64_t elements, DType dtype) {
  const double bytes = static_cast<double>(elements) * static_cast<double>(dtype_bytes(dtype));
  std::string text = std::to_string(bytes / 1e9);
  return text.substr(0, text.find('.') + 3) + " GB";
}

}  // namespace

ReshardChoice read_weights(const YamlReader& node) {
  const YamlReader what = node.at("weights");
  const std::string path = find_beside(what.at("hf_config"));
  const DType dtype = what.dtype(what.string("dtype", "bf16"));
  HfWeights weights;
  try {
    weights = models::read_hf_weights(path);
  } catch (const Error& error) {
    what.at("hf_config").fail(error.what());
  }
  const std::int64_t layers = what.integer("layers", weights.num_layers);
  if (layers < 1 || layers > weights.num_layers)
    what.at("layers").fail("the model has " + std::to_string(weights.num_layers) + " layers");
  weights.num_layers = layers;
  what.finish();
  const std::set<std::string> dims = dims_of(weights);
  const Side source = read_side(node.at("source"), dims, 0),
             target = read_side(node.at("target"), dims, source.num_devices());
  for (const Side* side : {&source, &target})
    if (side->num_stages() > layers)
      throw Error(side->place + ": " + std::to_string(layers) + " layers do not fill " +
                  std::to_string(side->num_stages()) + " stages");
  Tensors tensors(dtype, source, target);
  for (const HfWeight& weight : weights.front) tensors.add(weight, 0, 0, 0);
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;  // stages: layers
  for (std::int64_t layer = 0; layer < layers; ++layer)
    ++counts[{source.stage_of(layer, layers), target.stage_of(layer, layers)}];
  for (const auto& [stages, count] : counts)
    for (const HfWeight& weight : weights.layer)
      tensors.add(weight, count, stages.first, stages.second);
  for (const HfWeight& weight : weights.behind)
    tensors.add(weight, 0, source.num_stages() - 1, target.num_stages() - 1);
  ReshardChoice choice{.tensors = std::move(tensors.list)};
  choice.text = std::filesystem::path(path).filename().string() + ", " + std::to_string(layers) +
                " layers of " + dtype_name(dtype) + ", " + gigabytes(num_elements(weights), dtype) +
                ": " + source.text + " to " + target.text;
  return choice;
}

}  // namespace rhino::config
