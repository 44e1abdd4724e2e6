// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "rhino/error.hpp"
#include "sharding/rule.hpp"

namespace rhino::sharding {
namespace {

std::string axis_text(AxisId axis, const Mesh& mesh) {
  if (axis == kMicroAxis) return "micro";
  return mesh.axes[static_cast<std::size_t>(axis)].name;
}

const char* reduction_text(Reduction reduction) {
  constexpr const char* kNames[] = {"sum", "product", "max", "min", "and", "or"};
  return kNames[static_cast<int>(reduction)];
}

// Checks one spec; `used_` are the axes met so far.
class SpecChecker {
 public:
  SpecChecker(const Shape& shape, const Mesh& mesh, std::int64_t num_micro_batches)
      : shape_(shape),
        mesh_(mesh),
        parts_(axis_parts(mesh, num_micro_batches)),
        used_(parts_.size()) {}

  void check(const ShardingSpec& spec) {
    if (spec.dims.size() != shape_.dims.size()) {
      throw Error("a spec of " + std::to_string(spec.dims.size()) + " dims does not fit " +
                  to_string(shape_));
    }
    for (std::size_t d = 0; d < spec.dims.size(); ++d) check_dim(d, spec.dims[d]);
    for (const Partial& partial : spec.partial) {
      use(partial.axis);
      if (partial.reduction == Reduction::product) {
        throw Error("a value of " + to_string(shape_) + " is partial under product");
      }
    }
    for (std::size_t i = 1; i < spec.partial.size(); ++i) {
      if (spec.partial[i - 1].axis >= spec.partial[i].axis) {
        throw Error("the partial axes of a spec of " + to_string(shape_) + " are not in order");
      }
    }
  }

 private:
  std::int64_t use(AxisId axis) {
    if (axis < kMicroAxis || axis >= static_cast<AxisId>(mesh_.axes.size())) {
      throw Error("axis " + std::to_string(axis) + " of a spec is not on a mesh of " +
                  std::to_string(mesh_.axes.size()) + " axes");
    }
    const auto index = static_cast<std::size_t>(axis + 1);
    if (used_[index]) {
      throw Error("axis '" + axis_text(axis, mesh_) + "' occurs twice in a spec of " +
                  to_string(shape_));
    }
    used_[index] = true;
    return parts_[index];
  }

  void check_dim(std::size_t d, const DimSharding& dim) {
    std::int64_t block = shape_.dims[d];
    for (const AxisSplit& split : dim.splits) {
      const std::int64_t parts = use(split.axis);
      const std::string place =
          "dim " + std::to_string(d) + " of " + std::to_string(shape_.dims[d]) + " elements ";
      if (split.period <= 0 || block % split.period != 0) {
        throw Error(place + "has a period of " + std::to_string(split.period) + " over axis '" +
                    axis_text(split.axis, mesh_) + "' that does not divide " +
                    std::to_string(block));
      }
      if (split.period % parts != 0) {
        throw Error(place + "does not divide by axis '" + axis_text(split.axis, mesh_) + "' of " +
                    std::to_string(parts));
      }
      block = split.period / parts;
    }
  }

  const Shape& shape_;
  const Mesh& mesh_;
  std::vector<std::int64_t> parts_;
  std::vector<bool> used_;
};

std::string dim_text(const DimSharding& dim, const Mesh& mesh) {
  std::string text;
  for (const AxisSplit& split : dim.splits) {
    if (!text.empty()) text += ' ';
    text += axis_text(split.axis, mesh) + ":" + std::to_string(split.period);
    if (split.axis == kMicroAxis) continue;
    text += "/" + std::to_string(mesh.axes[static_cast<std::size_t>(split.axis)].size);
  }
  return text.empty() ? "-" : text;
}

}  // namespace

void check_spec(const Shape& shape, const ShardingSpec& spec, const Mesh& mesh,
                std::int64_t num_micro_batches) {
  SpecChecker(shape, mesh, num_micro_batches).check(spec);
}

std::string to_string(const ShardingSpec& spec, const Mesh& mesh) {
  std::string text = "[";
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    text += (d ? ", " : "") + dim_text(spec.dims[d], mesh);
  }
  text += "]";
  for (const Partial& partial : spec.partial) {
    text += std::string(" partial ") + reduction_text(partial.reduction) + " " +
            axis_text(partial.axis, mesh);
  }
  return text;
}

std::size_t hash_of(const ShardingSpec& spec) {
  std::size_t hash = 0;
  const auto mix = [&](std::int64_t value) {
    hash = (hash ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  for (const DimSharding& dim : spec.dims) {
    mix(std::ssize(dim.splits));
    for (const AxisSplit& split : dim.splits) mix(8 * split.period + split.axis);
  }
  for (const Partial& partial : spec.partial)
    mix(64 * (partial.axis + 2) + static_cast<std::int64_t>(partial.reduction));
  return hash;
}

ShardingSpec replicated(std::size_t rank) {
  ShardingSpec spec;
  spec.dims.resize(rank);
  return spec;
}

}  // namespace rhino::sharding
