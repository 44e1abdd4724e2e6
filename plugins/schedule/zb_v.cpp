// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "common/looped_chunks.hpp"
#include "common/one_forward_one_backward.hpp"
#include "common/option_values.hpp"
#include "common/pass_graph.hpp"
#include "common/step_player.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// A micro-batch on its way through a V, in units of one pass of a chunk: by mesh, when F of its
/// first and its second chunk run, then B of the second and the first one. Others follow every six
/// units, in which a mesh has two F, two B and two W to do.
class BuildingBlock {
 public:
  using Times = std::array<std::int32_t, 4>;

  /// `steps`: from mesh to mesh, of each of the four. At the three turns a micro-batch waits as
  /// little as it takes that no two passes of a mesh ever fall together.
  BuildingBlock(const Times& steps, std::int32_t num_meshes) : steps_(steps) {
    times_.resize(static_cast<std::size_t>(num_meshes));
    for (std::int32_t sum = 0;; ++sum) {
      for (std::int32_t a = 0; a <= sum; ++a) {
        for (std::int32_t b = 0; a + b <= sum; ++b) {
          lay_out({0, a, b, sum - a - b});
          if (is_disjoint()) return;
        }
      }
    }
  }
  const Times& on(std::size_t mesh) const { return times_[mesh]; }
  static constexpr std::int32_t kPeriod = 6;

 private:
  void lay_out(const Times& waits) {
    std::int32_t now = -1;
    for (std::size_t way = 0; way < steps_.size(); ++way) {
      now += 1 + waits[way];
      for (std::size_t i = 0; i < times_.size(); ++i) {
        if (i > 0) now += steps_[way];
        times_[way % 2 == 0 ? i : times_.size() - 1 - i][way] = now;
      }
    }
  }
  bool is_disjoint() const {
    return std::ranges::all_of(times_, [](const Times& times) {
      std::set<std::int32_t> taken;
      for (const std::int32_t time : times) taken.insert(time % kPeriod);
      return taken.size() == times.size();
    });
  }

  const Times steps_;
  std::vector<Times> times_;  ///< [mesh]
};

/// Plays a V through, mesh by mesh as time goes on. W run right behind a B where a mesh keeps as
/// much as it may, in gaps, and at the end.
class PlayedV {
 public:
  struct Rules {
    const BuildingBlock* block = nullptr;  ///< F and B in its order; none: as they can begin
    std::int32_t most_kept = 0;            ///< chunks of micro-batches from F to W
    double least_gap = 1;                  ///< for a W, relative to it
  };

  PlayedV(const common::PassGraph& graph, const std::vector<std::vector<std::int32_t>>& chunks,
          const Rules& rules)
      : graph_(graph), rules_(rules), ends_(graph), lists_(chunks.size()) {
    for (const std::vector<std::int32_t>& own : chunks) {
      Mesh& mesh = meshes_.emplace_back();
      const ChunkPass passes[] = {{Pass::forward, own[0]},
                                  {Pass::forward, own[1]},
                                  {Pass::backward, own[1]},
                                  {Pass::backward, own[0]}};
      std::ranges::transform(passes, mesh.passes.begin(), &common::PassGraph::of);
    }
  }

  common::PassLists play() && {
    while (const std::optional<Step> step = first()) run(*step);
    return std::move(lists_);
  }

 private:
  static constexpr std::size_t kWeight = 4;
  /// Of the four ways, where several can begin: F before B, the second chunk's first.
  static constexpr std::int32_t kRanks[] = {1, 0, 3, 2};

  struct Mesh {
    std::array<std::int32_t, 4> passes{}, next{};  ///< by way; next: micro-batch
    std::deque<common::PassUse> late;              ///< W that may run
    std::int32_t kept = 0, kept_of_second = 0;
    double free_s = 0;
    bool is_behind_backward = false;
  };
  /// In the order of preference.
  struct Step {
    double begin_s = 0;
    std::int32_t mesh = 0, rank = 0;
    std::size_t way = kWeight;
    auto operator<=>(const Step&) const = default;
  };

  std::optional<Step> first() const {
    std::optional<Step> best;
    for (std::int32_t mesh = 0; mesh < std::ssize(meshes_); ++mesh) {
      const std::optional<Step> step = next(mesh);
      if (step && (!best || *step < *best)) best = step;
    }
    return best;
  }

  std::optional<Step> next(std::int32_t number) const {
    const Mesh& mesh = meshes_[static_cast<std::size_t>(number)];
    const bool is_full = mesh.kept >= rules_.most_kept;
    std::optional<Step> best;
    bool lacks_room = false;
    for (std::size_t way = 0; way < mesh.passes.size(); ++way) {
      if (mesh.next[way] == graph_.num_micro_batches() || !is_turn(number, way)) continue;
      const double ready_s = ends_.ready_s(mesh.passes[way], mesh.next[way]);
      if (ready_s == common::PassEnds::kNever) continue;
      const Step step{std::max(ready_s, mesh.free_s), number, kRanks[way], way};
      if (!has_room(mesh, way)) lacks_room |= ready_s <= mesh.free_s;
      else if (!best || step < *best) best = step;
    }
    if (mesh.late.empty()) return best;
    const double gap_s = best ? best->begin_s - mesh.free_s : common::PassEnds::kNever;
    const double weight_s = graph_.seconds(mesh.late.front().pass);
    const bool is_gap = gap_s > 0 && gap_s >= rules_.least_gap * weight_s;
    if (is_gap || (is_full && (mesh.is_behind_backward || (lacks_room && gap_s > 0))))
      return Step{mesh.free_s, number};
    return best;
  }
  /// The first chunk leaves the last room to the second, of which a B comes sooner, unless that has
  /// some; a block sees to it by itself.
  bool has_room(const Mesh& mesh, std::size_t way) const {
    const bool is_last = rules_.block == nullptr && way == 0 && mesh.kept_of_second == 0;
    return way >= 2 || mesh.kept + (is_last ? 1 : 0) < rules_.most_kept;
  }

  /// Of the four ways the one whose next comes first in the block.
  bool is_turn(std::int32_t number, std::size_t way) const {
    const Mesh& mesh = meshes_[static_cast<std::size_t>(number)];
    const auto time = [&](std::size_t other) {
      return rules_.block->on(static_cast<std::size_t>(number))[other] +
             BuildingBlock::kPeriod * mesh.next[other];
    };
    for (std::size_t other = 0; rules_.block != nullptr && other < mesh.next.size(); ++other) {
      if (mesh.next[other] < graph_.num_micro_batches() && time(other) < time(way)) return false;
    }
    return true;
  }

  void run(const Step& step) {
    Mesh& mesh = meshes_[static_cast<std::size_t>(step.mesh)];
    const bool is_weight = step.way == kWeight;
    const common::PassUse use = is_weight
                                    ? mesh.late.front()
                                    : common::PassUse{mesh.passes[step.way], mesh.next[step.way]++};
    mesh.is_behind_backward = !is_weight && step.way >= 2;
    if (is_weight) mesh.late.pop_front();
    if (mesh.is_behind_backward) mesh.late.push_back({use.pass + 1, use.micro_batch});
    else mesh.kept += is_weight ? -1 : 1;
    if (step.way == 1) ++mesh.kept_of_second;
    if (is_weight && use.pass == mesh.passes[2] + 1) --mesh.kept_of_second;
    mesh.free_s = step.begin_s + graph_.seconds(use.pass);
    ends_.set(use, mesh.free_s);
    lists_[static_cast<std::size_t>(step.mesh)].push_back(use);
  }

  const common::PassGraph& graph_;
  const Rules rules_;
  common::PassEnds ends_;
  std::vector<Mesh> meshes_;
  common::PassLists lists_;
};

/// V-shaped schedules with backward passes cut (Qi, Wan, Huang, Lin: Pipeline Parallelism with
/// Controllable Memory, arXiv 2405.15362): two chunks per mesh, forth and back. Option limit says
/// what stages keep: `full` is ZB-V, as soon as there is room; `half` and `min` repeat a building
/// block whose passes lie closer together. Times decide which gaps W fill: of two rules for that
/// the one with the shorter steady period is taken.
///
///   bubble   full: none in the steady period, p - 1 chunk times in a step alone; half: 3p - 4 (p
///            of 3 and more); min: 4p - 5, where 3 divides p 4p - 3: by simulation, with equal
///            chunks, F = B = W, free transfers and m >= 2p; 1F1B: 6p - 6
///   memory   2p, p + 2, floor(2p / 3) + 3 chunks of micro-batches, half a stage's each
class ZbV : public Schedule {
 public:
  explicit ZbV(const Options& options)
      : limit_(common::word_option(options, "limit", "full", {"full", "half", "min"})) {}

  Placement placement(int num_meshes) override { return common::waved(num_meshes, 1); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const std::vector<std::vector<std::int32_t>> chunks =
        common::chunks_by_mesh(problem, placement(problem.num_meshes));
    // Its own count is the limit of what is kept.
    const common::PassGraph graph(read_by_backward(problem),
                                  std::vector<bool>(problem.chunks.size()), 0);
    std::optional<BuildingBlock> block;
    if (limit_ == "half") block.emplace(BuildingBlock::Times{2, 1, 2, 1}, problem.num_meshes);
    if (limit_ == "min") block.emplace(BuildingBlock::Times{1, 1, 1, 1}, problem.num_meshes);
    common::StepPlayer player(graph);
    common::PassLists best;
    common::StepTimes best_times;
    for (const double least_gap : {1., 0.5}) {
      const PlayedV::Rules rules{block ? &*block : nullptr, most_kept(problem.num_meshes),
                                 least_gap};
      common::PassLists played = PlayedV(graph, chunks, rules).play();
      const common::StepTimes times = player.play(played);
      if (!best.empty() && !common::is_shorter(times, best_times)) continue;
      best = std::move(played);
      best_times = times;
    }
    return common::schedule_of(graph, best);
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    const ChunkCost* chunk = common::equal_chunks(problem);
    const std::int32_t stages = problem.num_meshes;
    if (chunk == nullptr || chunk->backward_s != chunk->forward_s ||
        chunk->weight_s != chunk->forward_s || problem.num_micro_batches < 2 * stages || stages < 3)
      return std::nullopt;
    if (limit_ == "full") return 0;
    if (limit_ == "half") return (3 * stages - 4) * chunk->forward_s;
    return (4 * stages - (stages % 3 == 0 ? 3 : 5)) * chunk->forward_s;
  }

 private:
  std::int32_t most_kept(std::int32_t stages) const {
    if (limit_ == "full") return 2 * stages;
    return limit_ == "half" ? stages + 2 : 2 * stages / 3 + 3;
  }

  /// What a W reads of other chunks is there before its B.
  static PipelineProblem read_by_backward(PipelineProblem problem) {
    for (PipelineEdge& edge : problem.edges) {
      if (edge.to.pass == Pass::weight) edge.to.pass = Pass::backward;
    }
    return problem;
  }

  const std::string limit_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/zb_v", rhino::ZbV,
             "two chunks per mesh, forth and back, backward passes cut, memory as wanted")
