// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/op_keys.hpp"

namespace rhino::sharding {
namespace {

class StrategyChecker {
 public:
  StrategyChecker(const Program& program, const Strategy& strategy, const OpGraph* graph = nullptr)
      : program_(program), strategy_(strategy), graph_(graph) {}

  void check_structure() const {
    check_sizes();
    check_meshes();
    check_recompute();
    for (ValueId id = 0; id < program_.size(); ++id) {
      const std::int32_t chunk = strategy_.chunk_of[at(id)];
      if (chunk < -1 || chunk >= static_cast<std::int32_t>(strategy_.chunks.size())) {
        fail(text(id) + " is in chunk " + std::to_string(chunk) + " of " +
             std::to_string(strategy_.chunks.size()));
      }
      check_order(id);
    }
  }
  void check_shardings() const {
    std::optional<const OpKeys> keys;
    if (graph_ != nullptr) keys.emplace(*graph_, strategy_, strategy_.chunk_of);
    OpKeys::Known<bool> known;
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (!keys || known.emplace((*keys)(id), true).second) check_sharding(id);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error("strategy '" + strategy_.name + "': " + sentence);
  }

  std::string text(ValueId id) const {
    return "op " + std::to_string(id) + " '" + program_.op(id).name + "'";
  }

  void check_sizes() const {
    if (strategy_.num_micro_batches < 1) fail("there must be at least one micro-batch");
    if (strategy_.chunks.empty()) fail("there must be at least one chunk");
    for (const std::size_t count : {strategy_.chunk_of.size(), strategy_.specs.size()}) {
      if (count != program_.ops.size())
        fail("it is for " + std::to_string(count) + " values; program '" + program_.name +
             "' has " + std::to_string(program_.ops.size()));
    }
  }

  void check_meshes() const {
    for (std::size_t c = 0; c < strategy_.chunks.size(); ++c) {
      const Mesh& mesh = strategy_.chunks[c].mesh;
      std::size_t num_devices = 1;
      for (const MeshAxis& axis : mesh.axes) num_devices *= static_cast<std::size_t>(axis.size);
      if (num_devices != mesh.devices.size()) {
        fail("the axes of the mesh of chunk " + std::to_string(c) + " make " +
             std::to_string(num_devices) + " devices of " + std::to_string(mesh.devices.size()));
      }
      const std::set<DeviceId> devices(mesh.devices.begin(), mesh.devices.end());
      if (devices.size() != mesh.devices.size())
        fail("a device is twice in the mesh of chunk " + std::to_string(c));
    }
  }

  void check_recompute() const {
    ValueId last = kNoValue;
    for (const ValueId id : strategy_.recompute) {
      if (id <= last) fail("values to be made anew do not increase: " + std::to_string(id));
      if (id >= program_.size())
        fail("value " + std::to_string(id) + " is to be made anew; program '" + program_.name +
             "' has " + std::to_string(program_.size()));
      const Op& op = program_.op(id);
      if (op.phase != Phase::forward || op.operands.empty())
        fail(text(id) + " is to be made anew and is not made by a forward pass");
      last = id;
    }
  }

  // Forward passes run from the first chunk to the last, backward ones from the last to the first.
  void check_order(ValueId id) const {
    const Op& op = program_.op(id);
    const std::int32_t chunk = strategy_.chunk_of[at(id)];
    for (ValueId operand : op.operands) {
      const std::int32_t source = strategy_.chunk_of[at(operand)];
      if (source < 0) continue;
      if (chunk < 0) fail(text(id) + " is in no chunk but reads " + text(operand) + ", which is");
      const Op& read = program_.producer(operand);
      if (read.kind == OpKind::parameter || read.phase != op.phase) continue;
      const bool in_order = op.phase == Phase::forward    ? source <= chunk
                            : op.phase == Phase::backward ? source >= chunk
                                                          : true;
      if (!in_order) {
        fail(text(id) + " in chunk " + std::to_string(chunk) + " reads " + text(operand) +
             " of chunk " + std::to_string(source) + ", which runs later");
      }
    }
  }

  void check_sharding(ValueId id) const {
    const std::int32_t chunk = std::max(strategy_.chunk_of[at(id)], 0);
    try {
      check_spec(program_.shape(id), strategy_.specs[at(id)], strategy_.chunks[at(chunk)].mesh,
                 strategy_.num_micro_batches);
      if (graph_ == nullptr) op_sharding(program_, strategy_, id);
      else op_sharding(program_, graph_->rule(id), strategy_, id);
    } catch (const Error& error) {
      fail(text(id) + ": " + error.what());
    }
  }

  const Program& program_;
  const Strategy& strategy_;
  const OpGraph* graph_;
};

}  // namespace

void check_strategy(const Program& program, const Strategy& strategy, const OpGraph* graph) {
  const StrategyChecker checker(program, strategy, graph);
  checker.check_structure();
  checker.check_shardings();
}

void check_structure(const Program& program, const Strategy& strategy) {
  StrategyChecker(program, strategy).check_structure();
}

}  // namespace rhino::sharding
