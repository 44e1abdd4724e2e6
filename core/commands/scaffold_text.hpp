// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rhino::commands {

/// Files of a new plugin; @NAME@, @KIND@, @CLASS@, @FLAGS@ and @ARGUMENTS@ (include folders for a
/// shell and for Meson) are filled in.
inline constexpr const char* kReshardingText = R"(#include <set>
#include <vector>

#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Sends every slice from the first device that holds it, in a message of its own to each receiver;
/// where that is the receiver, it copies the slice from its source tile to its target tile.
class @CLASS@ : public Resharding {
 public:
  explicit @CLASS@(const Options&) {}  // read options here: options.get<std::int64_t>("depth", 4)

  TransferPlan plan(const ReshardProblem& problem) override {
    TransferPlan plan;
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      for (const ReshardTarget& target : problem.tensors[t].targets) {
        for (std::size_t rank = 0; rank < target.mesh.devices.size(); ++rank) {
          for (const TileBox& wanted : tile_boxes(problem.tensors[t].shape.dims, target.spec,
                                                  target.mesh, static_cast<std::int64_t>(rank)))
            fetch(problem.tensors[t], static_cast<std::int32_t>(t), wanted.global,
                  target.mesh.devices[rank], plan);
        }
      }
    }
    return plan;
  }

 private:
  /// One copy per distinct source box that `wanted` intersects; replicas of a box begin alike.
  static void fetch(const ReshardTensor& tensor, std::int32_t index, const Box& wanted, DeviceId to,
                    TransferPlan& plan) {
    std::set<std::vector<std::int64_t>> fetched;
    for (std::size_t rank = 0; rank < tensor.source_mesh.devices.size(); ++rank) {
      for (const TileBox& held : tile_boxes(tensor.shape.dims, tensor.source_spec,
                                            tensor.source_mesh, static_cast<std::int64_t>(rank))) {
        const Box box = intersect(wanted, held.global);
        if (num_elements(box) == 0 || !fetched.insert(held.global.start).second) continue;
        plan.ops.push_back({index, Copy{tensor.source_mesh.devices[rank], to, box}, {}});
      }
    }
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/@NAME@", rhino::@CLASS@, "says in a few words what it does")
)";

inline constexpr const char* kScheduleText = R"(#include <algorithm>

#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// One chunk per mesh; each keeps as many micro-batches as there are meshes after it, then runs one
/// forward and one backward by turns (1F1B).
class @CLASS@ : public Schedule {
 public:
  explicit @CLASS@(const Options&) {}  // read options here: options.get<std::int64_t>("depth", 4)

  Placement placement(int num_meshes) override {
    Placement placement;
    for (int mesh = 0; mesh < num_meshes; ++mesh) placement.mesh_of_chunk.push_back(mesh);
    return placement;
  }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    PipelineSchedule schedule;
    const auto count = static_cast<std::int32_t>(problem.num_micro_batches);
    for (std::int32_t mesh = 0; mesh < problem.num_meshes; ++mesh) {
      const std::int32_t ahead = std::min(problem.num_meshes - mesh, count);
      std::vector<Action> order;
      for (std::int32_t forward = 0; forward < ahead; ++forward)
        order.push_back({ActionKind::forward, mesh, forward});
      for (std::int32_t backward = 0; backward < count; ++backward) {
        order.push_back({ActionKind::backward_weight, mesh, backward});
        if (backward + ahead < count)
          order.push_back({ActionKind::forward, mesh, backward + ahead});
      }
      schedule.order.push_back(std::move(order));
    }
    return schedule;
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/@NAME@", rhino::@CLASS@, "says in a few words what it does")
)";

inline constexpr const char* kSearchText = R"(#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Splits the batch over all devices and tries every micro-batch count.
class @CLASS@ : public Search {
 public:
  explicit @CLASS@(const Options&) {}  // read options here: options.get<std::int64_t>("depth", 4)

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    StrategyDraft draft;
    draft.chunks = strategies.chunks(1, {{"data", problem.cluster.num_devices()}});
    draft.batch_axis = 0;
    std::vector<std::pair<double, Strategy>> ranked;
    for (const std::int64_t count : problem.micro_batch_counts) {
      draft.name = "data parallel, " + micro_batches_text(count);
      draft.num_micro_batches = count;
      try {
        Strategy strategy = strategies.complete(draft);
        const Evaluation evaluation = strategies.evaluate(strategy);
        if (evaluation.feasible) ranked.emplace_back(evaluation.step_s, std::move(strategy));
        else strategies.reject(draft.name, evaluation.reason);
      } catch (const Error& error) {
        strategies.reject(draft.name, error.what());
      }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Strategy> best;
    for (auto& [seconds, strategy] : ranked) best.push_back(std::move(strategy));
    return best;
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/@NAME@", rhino::@CLASS@, "says in a few words what it does")
)";

inline constexpr const char* kMesonText = R"(project('@NAME@', 'cpp',
  default_options: ['cpp_std=c++20', 'warning_level=2', 'buildtype=release'])
shared_module('rhino_@KIND@_@NAME@', '@NAME@.cpp',
  name_prefix: '',
  cpp_args: [@ARGUMENTS@, '-Wno-missing-field-initializers'],
  gnu_symbol_visibility: 'hidden')
)";

inline constexpr const char* kReadmeText = R"(# @KIND@/@NAME@

A plugin for rhino-bench. The interface it implements is described in `rhino/@KIND@.hpp`; what the
plugins of rhino-bench are made of can be included, too, as `common/unit_tasks.hpp` and so on.

Build, either way:

    g++ -std=c++20 -O2 -shared -fPIC -fvisibility=hidden @FLAGS@ @NAME@.cpp -o rhino_@KIND@_@NAME@.so
    meson setup build && ninja -C build

Check that it keeps the contract, over a grid of problems:

    rhino-bench plugin check rhino_@KIND@_@NAME@.so

Use it: name `@KIND@/@NAME@` in an experiment and say where it is:

    rhino-bench experiment.yaml --plugin-dir .
)";

}  // namespace rhino::commands
