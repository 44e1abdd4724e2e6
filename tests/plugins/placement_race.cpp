// SPDX-License-Identifier: Apache-2.0
// Races schedule/auto where each mesh has two chunks, placed round and round or there and back,
// against the schedules that place them likewise, on random pipelines and by list execution:
// placement_race PLUGINS COUNT [SEED]. Each stage of a random pipeline is cut in two uneven chunks.
// Only who answers and keeps to the memory takes part. Prints each loss of more than 1 % with its
// seed, and in the end wins, ties and losses against each, and what placement does to auto itself.
// Exit 1: auto loses 5 % of the races of its placement, or one by more than 10 %, or an order is
// quicker than its bound or does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "chains.hpp"
#include "evaluate/pipeline_bound.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "schedule_racer.hpp"

using namespace rhino;
using test::kTie;
using test::Racer;

namespace {

constexpr double kShownLoss = 0.01, kMostLoss = 0.1, kMostLosses = 0.05;

/// Schedules of one placement, auto first.
struct Class {
  std::string placement;
  Racer own;
  std::vector<Racer> others;
};

/// Twice as many chunks as `stages` has, each stage cut in two; its border in the middle is as slow
/// as any other.
PipelineProblem halved(const PipelineProblem& stages, std::mt19937& random) {
  PipelineProblem problem = stages;
  problem.chunks.clear();
  problem.edges.clear();
  for (const ChunkCost& stage : stages.chunks) {
    const double first = 0.3 + 0.4 * static_cast<double>(random() % 1000) / 1000;
    for (const double share : {first, 1 - first}) {
      ChunkCost chunk = stage;
      for (double* cost : {&chunk.forward_s, &chunk.backward_s, &chunk.weight_s,
                           &chunk.backward_weight_s, &chunk.forward_to_weight_bytes})
        *cost *= share;
      problem.chunks.push_back(chunk);
    }
  }
  for (std::int32_t chunk = 1; chunk < std::ssize(problem.chunks); ++chunk) {
    const auto seconds = static_cast<double>(random() % 11);
    problem.edges.push_back({{Pass::forward, chunk - 1}, {Pass::forward, chunk}, 0, seconds});
    problem.edges.push_back({{Pass::backward, chunk}, {Pass::backward, chunk - 1}, 0, seconds});
  }
  return problem;
}

/// Its chunks where `placement` has them; nothing crosses inside a mesh.
PipelineProblem placed(PipelineProblem problem, const Placement& placement) {
  for (std::size_t chunk = 0; chunk < problem.chunks.size(); ++chunk)
    problem.chunks[chunk].mesh = placement.mesh_of_chunk.at(chunk);
  for (PipelineEdge& edge : problem.edges)
    if (problem.chunks[at(edge.from.chunk)].mesh == problem.chunks[at(edge.to.chunk)].mesh)
      edge.seconds = 0;
  return problem;
}

/// What stages would be whose chunks both lie on one mesh.
PipelineProblem joined(const PipelineProblem& halves, const PipelineProblem& stages) {
  PipelineProblem problem = stages;
  for (PipelineEdge& edge : problem.edges) {
    const std::int32_t border = std::max(edge.from.chunk, edge.to.chunk);  // 2 border - 1 to it
    edge.seconds = halves.edges[at(2 * (2 * border - 1))].seconds;
  }
  return problem;
}

class Race {
 public:
  explicit Race(const std::string& plugins)
      : registry_({plugins}), chain_(test::racer(registry_, "auto", "auto, chain")) {
    add("interleaved", {"interleaved_1f1b", "breadth_first"});
    add("v", {"hanayo", "zb_v", "dualpipe_v"});
  }

  void run(unsigned seed) {
    std::mt19937 random(seed);
    const PipelineProblem stages = test::random_chain(random), halves = halved(stages, random);
    const double chain_s = period_s(chain_, joined(halves, stages));
    for (Class& of : classes_) {
      const double own_s = period_s(of.own, halves);
      if (own_s == 0) {
        fail(fmt::format("seed {}: {} does not fit", seed, of.own.name));
        continue;
      }
      of.own.losses.push_back(chain_s / own_s - 1);
      for (Racer& other : of.others) {
        const double other_s = period_s(other, halves);
        if (other_s == 0) continue;
        other.losses.push_back(own_s / other_s - 1);
        if (other.losses.back() > kShownLoss)
          fmt::print("seed {}, {} stages, {} micro-batches, {}: {:.2f} % behind {}\n", seed,
                     stages.num_meshes, stages.num_micro_batches, of.placement,
                     100 * other.losses.back(), other.name);
      }
    }
  }

  bool report() {
    for (const Class& of : classes_) {
      test::print_head("auto, " + of.placement + ", against");
      for (const Racer& other : of.others) {
        test::print(other);
        judge(of, other);
      }
    }
    test::print_head("auto, chain, against");
    test::print(chain_);
    for (const Class& of : classes_) test::print(of.own);
    return is_ok_;
  }

 private:
  void add(const std::string& placement, const std::vector<std::string>& others) {
    const Options options({{"placement", placement}});
    Class of{placement, test::racer(registry_, "auto", "auto, " + placement, options), {}};
    for (const std::string& name : others) of.others.push_back(test::racer(registry_, name, name));
    classes_.push_back(std::move(of));
  }

  /// 0: it has no answer, or that does not fit.
  static double period_s(Racer& racer, const PipelineProblem& chunks) {
    try {
      const Placement placement = racer.schedule->placement(chunks.num_meshes);
      const PipelineProblem problem = placed(chunks, placement);
      return test::period_s(racer, problem, evaluate::pipeline_bound_s(problem));
    } catch (const Error& error) {
      if (std::string(error.what()).find("quicker than") != std::string::npos) throw;
      return 0;
    }
  }

  void judge(const Class& of, const Racer& other) {
    const auto lost = static_cast<double>(
        std::ranges::count_if(other.losses, [](double loss) { return loss > kTie; }));
    if (lost > 0 && lost >= kMostLosses * static_cast<double>(other.losses.size()))
      fail(of.own.name + " loses too often against " + other.name);
    if (test::at_share(other.losses, 1) > kMostLoss)
      fail(of.own.name + " loses too much against " + other.name);
  }

  void fail(const std::string& why) {
    fmt::print("FAILED: {}\n", why);
    is_ok_ = false;
  }

  plugin::Registry registry_;
  Racer chain_;
  std::vector<Class> classes_;
  bool is_ok_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const auto count = static_cast<unsigned>(std::atoi(argv[2])),
             first = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 1000);
  try {
    Race race(argv[1]);
    fmt::print("seeds {} to {}\n", first, first + count - 1);
    for (unsigned seed = first; seed < first + count; ++seed) race.run(seed);
    return race.report() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
