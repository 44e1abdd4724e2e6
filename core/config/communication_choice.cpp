// SPDX-License-Identifier: Apache-2.0
#include "config/communication_choice.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "config/weights_choice.hpp"
#include "plugin/suggest.hpp"
#include "rhino/error.hpp"

namespace rhino::config {
namespace {

/// More elements than any machine holds: sizes stay countable.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 45;
constexpr std::int64_t kMaxDevices = 65536;

std::string number(std::int64_t value) { return std::to_string(value); }

template <class List>
std::string joined(const List& values, const char* between) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : between) + number(value);
  return text;
}

/// Sizes of at least 1, whose product stays below `most`.
std::vector<std::int64_t> read_sizes(const YamlReader& node, std::int64_t most, const char* what) {
  std::vector<std::int64_t> sizes;
  std::int64_t product = 1;
  for (const YamlReader& item : node.items()) {
    const std::int64_t size = item.integer();
    if (size < 1) item.fail(std::string(what) + " must be at least 1, not " + number(size));
    if (size > most / product) item.fail("more than " + number(most) + " in all");
    product *= size;
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<DeviceId> read_devices(const YamlReader& node) {
  std::vector<DeviceId> devices;
  for (const YamlReader& item : node.items()) {
    const std::int64_t device = item.integer();
    if (device < 0 || device >= kMaxDevices) item.fail("there is no device " + number(device));
    const auto id = static_cast<DeviceId>(device);
    if (std::find(devices.begin(), devices.end(), id) != devices.end())
      item.fail("device " + number(device) + " occurs twice");
    devices.push_back(id);
  }
  return devices;
}

MeshChoice read_mesh(const YamlReader& node) {
  MeshChoice mesh;
  mesh.place = node.place();
  mesh.sizes = read_sizes(node.at("mesh"), kMaxDevices, "a mesh axis");
  if (mesh.sizes.empty()) node.at("mesh").fail("a mesh has at least one axis");
  if (node.has("first_host")) {
    mesh.first_host = node.at("first_host").integer();
    if (mesh.first_host < 0) node.at("first_host").fail("hosts count from 0");
  }
  if (node.has("devices")) {
    if (node.has("first_host")) node.at("devices").fail("first_host says already where it lies");
    mesh.devices = read_devices(node.at("devices"));
    if (std::ssize(mesh.devices) != num_elements(mesh.sizes)) {
      node.at("devices").fail("a mesh of " + joined(mesh.sizes, "x") + " has " +
                              number(num_elements(mesh.sizes)) + " devices, not " +
                              number(std::ssize(mesh.devices)));
    }
  }
  return mesh;
}

/// `R`, `S0`, `S10`, `S0/4`.
class SplitReader {
 public:
  SplitReader(const YamlReader& node, const std::vector<std::int64_t>& mesh, std::int64_t extent)
      : node_(node), text_(node.string()), mesh_(mesh), extent_(extent) {}

  /// Axes that are used are added to `used`.
  DimSharding read(std::set<AxisId>& used) {
    if (text_ == "R") return {};
    const std::size_t slash = text_.find('/');
    const std::string axes = text_.substr(0, slash);
    if (axes.size() < 2 || axes.front() != 'S') fail_form();
    const bool is_strided = slash != std::string::npos;
    std::int64_t length = is_strided ? period(text_.substr(slash + 1)) : extent_;
    DimSharding dim;
    for (const char digit : axes.substr(1)) {
      const AxisId axis = axis_of(digit);
      if (!used.insert(axis).second) node_.fail("mesh axis " + number(axis) + " is used twice");
      const std::int64_t parts = mesh_[static_cast<std::size_t>(axis)];
      if (is_strided && length % parts != 0)
        node_.fail("blocks of " + number(length) + " do not divide into " + number(parts));
      dim.splits.push_back({axis, length});
      length = (length + parts - 1) / parts;
    }
    return dim;
  }

 private:
  [[noreturn]] void fail_form() const {
    node_.fail("'" + text_ + "' is no way to lie: R, or S and mesh axes such as S0, S01, S1/8");
  }
  std::int64_t period(const std::string& text) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1) fail_form();
    if (extent_ % value != 0)
      node_.fail("a dim of " + number(extent_) + " does not divide into blocks of " +
                 number(value));
    return value;
  }
  AxisId axis_of(char digit) const {
    if (digit < '0' || digit > '9') fail_form();
    const std::int64_t axis = digit - '0';
    if (axis >= std::ssize(mesh_))
      node_.fail("there is no mesh axis " + number(axis) + " in " + joined(mesh_, "x"));
    return static_cast<AxisId>(axis);
  }

  const YamlReader& node_;
  const std::string text_;
  const std::vector<std::int64_t>& mesh_;
  const std::int64_t extent_;
};

TiledChoice read_tiled(const YamlReader& node, const Shape& shape) {
  TiledChoice tiled;
  tiled.mesh = read_mesh(node);
  const std::vector<YamlReader> dims = node.at("spec").items();
  if (dims.size() != shape.dims.size()) {
    node.at("spec").fail("a spec of " + number(std::ssize(dims)) + " dims for the tensor " +
                         to_string(shape));
  }
  std::set<AxisId> used;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    tiled.spec.dims.push_back(SplitReader(dims[d], tiled.mesh.sizes, shape.dims[d]).read(used));
    tiled.text += dims[d].string() + " ";
  }
  tiled.text += "@ " + joined(tiled.mesh.sizes, "x");
  node.finish();
  return tiled;
}

TensorChoice read_tensor(const YamlReader& node) {
  TensorChoice tensor;
  tensor.shape.dtype = node.dtype(node.string("dtype", "s32"));
  tensor.shape.dims = read_sizes(node.at("tensor"), kMaxElements, "an extent");
  tensor.source = read_tiled(node.at("source"), tensor.shape);
  if (node.has("targets")) {
    if (node.has("target")) node.fail("either target or targets");
    for (const YamlReader& target : node.at("targets").items())
      tensor.targets.push_back(read_tiled(target, tensor.shape));
  } else {
    tensor.targets.push_back(read_tiled(node.at("target"), tensor.shape));
  }
  return tensor;
}

/// What tells a mesh apart beside its sizes.
std::string placement(const MeshChoice& mesh) {
  if (!mesh.devices.empty()) return "[" + joined(mesh.devices, ",") + "]";
  return mesh.first_host < 0 ? "" : "+" + number(mesh.first_host);
}

std::string to_string(const TensorChoice& tensor) {
  std::string text = rhino::to_string(tensor.shape) + ": " + tensor.source.text +
                     placement(tensor.source.mesh) + " to ";
  for (std::size_t i = 0; i < tensor.targets.size(); ++i)
    text += (i > 0 ? " and " : "") + tensor.targets[i].text + placement(tensor.targets[i].mesh);
  return text;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; bytes % 1024 == 0 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return number(bytes) + kUnits[unit];
}

Mesh explicit_mesh(const MeshChoice& choice, const Cluster& cluster) {
  for (const DeviceId device : choice.devices) {
    if (device >= cluster.num_devices()) {
      throw Error(choice.place + ": there is no device " + number(device) + ": " + cluster.name +
                  " has " + number(cluster.num_devices()));
    }
  }
  return {{}, choice.devices};
}

/// `next`: where a mesh goes that does not say; moved behind it.
Mesh mesh_by_host(const MeshChoice& choice, const Cluster& cluster, std::int64_t& next) {
  const std::int64_t per_host = choice.sizes.back();
  const std::int64_t num_hosts = num_elements(choice.sizes) / per_host;
  const auto fail = [&] {
    throw Error(choice.place + ": " + cluster.name + " has no room for a mesh of " +
                joined(choice.sizes, "x") + " behind the others: it has " +
                number(std::ssize(cluster.hosts)) + " hosts and " + number(cluster.num_devices()) +
                " devices");
  };
  Mesh mesh;
  if (cluster.hosts.size() == 1 && choice.first_host < 0) {
    const std::vector<DeviceId>& own = cluster.hosts.front().devices;
    if (num_hosts * per_host > std::ssize(own) - next) fail();
    mesh.devices.assign(own.begin() + next, own.begin() + next + num_hosts * per_host);
    next += num_hosts * per_host;
    return mesh;
  }
  const std::int64_t first = choice.first_host < 0 ? next : choice.first_host;
  if (first + num_hosts > std::ssize(cluster.hosts)) fail();
  for (std::int64_t h = first; h < first + num_hosts; ++h) {
    const std::vector<DeviceId>& own = cluster.hosts[static_cast<std::size_t>(h)].devices;
    if (per_host > std::ssize(own)) fail();
    mesh.devices.insert(mesh.devices.end(), own.begin(), own.begin() + per_host);
  }
  next = std::max(next, first + num_hosts);
  return mesh;
}

}  // namespace

ReshardChoice read_reshard(const YamlReader& node) {
  ReshardChoice choice;
  if (node.has("weights")) {
    choice = read_weights(node);
  } else if (node.has("tensors")) {
    for (const YamlReader& tensor : node.at("tensors").items()) {
      choice.tensors.push_back(read_tensor(tensor));
      tensor.finish();
    }
  } else {
    choice.tensors.push_back(read_tensor(node));
  }
  choice.name = node.line("name", "");
  node.finish();
  return choice;
}

std::vector<CollectiveChoice> read_collective(const YamlReader& node) {
  const std::vector<std::string> kinds = {"all_reduce", "all_gather", "reduce_scatter",
                                          "all_to_all"};
  CollectiveChoice choice;
  choice.place = node.place();
  choice.kind = node.at("kind").string();
  if (std::find(kinds.begin(), kinds.end(), choice.kind) == kinds.end())
    node.at("kind").fail("unknown word '" + choice.kind + "'" +
                         plugin::suggestion(choice.kind, kinds));
  choice.dtype = node.dtype(node.string("dtype", "f32"));
  choice.group = read_devices(node.at("group"));
  if (choice.group.size() < 2) node.at("group").fail("a group has at least two devices");
  const std::int64_t width = dtype_bytes(choice.dtype);
  const std::int64_t least = choice.kind == "all_reduce" ? width : width * std::ssize(choice.group);
  std::vector<CollectiveChoice> choices;
  for (const YamlReader& item : node.at("bytes").items()) {
    choice.bytes = item.whole_bytes();
    if (choice.bytes < least || choice.bytes % least != 0 || choice.bytes / width > kMaxElements) {
      item.fail(
          number(choice.bytes) + " bytes are not a multiple of " + number(least) + ": one " +
          dtype_name(choice.dtype) +
          (least == width ? "" : " for each of " + number(std::ssize(choice.group)) + " devices"));
    }
    choices.push_back(choice);
  }
  if (choices.empty()) node.at("bytes").fail("at least one size is wanted");
  node.finish();
  return choices;
}

std::string to_string(const ReshardChoice& choice) {
  return choice.text.empty() ? tensors_text(choice) : choice.text;
}

std::string tensors_text(const ReshardChoice& choice) {
  std::string text;
  for (const TensorChoice& tensor : choice.tensors)
    text += (text.empty() ? "" : "; ") + to_string(tensor);
  return text;
}

std::string to_string(const CollectiveChoice& choice) {
  return choice.kind + " " + bytes_text(choice.bytes) + " " + dtype_name(choice.dtype) + " over " +
         joined(choice.group, ",");
}

std::vector<Mesh> place_meshes(const TensorChoice& tensor, const Cluster& cluster) {
  std::vector<const MeshChoice*> choices{&tensor.source.mesh};
  for (const TiledChoice& target : tensor.targets) choices.push_back(&target.mesh);
  std::vector<Mesh> meshes;
  std::set<DeviceId> targets;
  std::int64_t next = 0;
  for (const MeshChoice* choice : choices) {
    Mesh mesh = choice->devices.empty() ? mesh_by_host(*choice, cluster, next)
                                        : explicit_mesh(*choice, cluster);
    for (std::size_t a = 0; a < choice->sizes.size(); ++a)
      mesh.axes.push_back({std::to_string(a), choice->sizes[a]});
    for (const DeviceId device : mesh.devices) {
      if (choice != choices.front() && !targets.insert(device).second)
        throw Error(choice->place + ": device " + number(device) + " is of two targets");
    }
    meshes.push_back(std::move(mesh));
  }
  return meshes;
}

void check_group(const CollectiveChoice& choice, const Cluster& cluster) {
  for (const DeviceId device : choice.group) {
    if (device < cluster.num_devices()) continue;
    throw Error(choice.place + ": there is no device " + number(device) + ": " + cluster.name +
                " has " + number(cluster.num_devices()));
  }
}

}  // namespace rhino::config
