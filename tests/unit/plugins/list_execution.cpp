// SPDX-License-Identifier: Apache-2.0
#include "list_execution.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "rhino/index.hpp"

namespace rhino::test {
namespace {

class ListExecution {
 public:
  ListExecution(const PipelineProblem& problem, const plan::PassOrder& order,
                const ListOptions& options)
      : problem_(problem),
        order_(order),
        options_(options),
        meshes_(order.steps.size()),
        ends_s_(order.steps.size()) {}

  std::vector<std::vector<double>> run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t mesh = 0; mesh < meshes_.size(); ++mesh)
        while (step(mesh)) moved = true;
    }
    return ends_s_;
  }

 private:
  struct Mesh {
    std::int32_t step = 0;
    std::size_t next = 0;
    double now_s = 0;
  };
  using Made =
      std::tuple<std::int32_t, Pass, std::int32_t, std::int32_t>;  // step, ..., micro-batch

  double seconds(const plan::PassStep& pass) const {
    const ChunkCost& cost = problem_.chunks[at(pass.chunk)];
    if (pass.pass == Pass::forward) return cost.forward_s;
    if (pass.pass == Pass::weight) return cost.weight_s;
    return order_.is_cut[at(pass.chunk)] ? cost.backward_s : cost.backward_weight_s;
  }
  double until_sent_s(const plan::PassStep& pass) const {
    const bool early = options_.is_gradient_early && pass.pass == Pass::backward;
    const ChunkCost& cost = problem_.chunks[at(pass.chunk)];
    return early ? std::min(cost.backward_s + cost.weight_first_s, seconds(pass)) : seconds(pass);
  }

  /// False: another mesh has not ended the step before, and steps are joint.
  bool may_begin(Mesh& mesh) const {
    if (!problem_.is_step_joint || mesh.step == 0) return true;
    for (const std::vector<double>& ends_s : ends_s_) {
      if (std::ssize(ends_s) < mesh.step) return false;
      mesh.now_s = std::max(mesh.now_s, ends_s[at(mesh.step - 1)]);
    }
    return true;
  }

  /// False: the mesh is done, or waits.
  bool step(std::size_t index) {
    Mesh& mesh = meshes_[index];
    const std::vector<plan::PassStep>& list = order_.steps[index];
    if (mesh.step == options_.num_steps) return false;
    const plan::PassStep& pass = list[mesh.next];
    if (mesh.next == 0 && !may_begin(mesh)) return false;
    double begin_s = mesh.now_s;
    for (const PipelineEdge& edge : problem_.edges) {
      if (edge.to != ChunkPass{pass.pass, pass.chunk}) continue;
      const auto made =
          sent_s_.find({mesh.step, edge.from.pass, edge.from.chunk, pass.micro_batch});
      if (made == sent_s_.end()) return false;
      begin_s = std::max(begin_s, made->second + edge.seconds);
    }
    sent_s_[{mesh.step, pass.pass, pass.chunk, pass.micro_batch}] = begin_s + until_sent_s(pass);
    mesh.now_s = begin_s + seconds(pass);
    if (++mesh.next < list.size()) return true;
    for (const ChunkCost& chunk : problem_.chunks)
      if (at(chunk.mesh) == index) mesh.now_s += chunk.update_s;
    ends_s_[index].push_back(mesh.now_s);
    mesh.next = 0;
    ++mesh.step;
    return true;
  }

  const PipelineProblem& problem_;
  const plan::PassOrder& order_;
  const ListOptions options_;
  std::vector<Mesh> meshes_;
  std::map<Made, double> sent_s_;
  std::vector<std::vector<double>> ends_s_;
};

}  // namespace

std::vector<std::vector<double>> list_ends_s(const PipelineProblem& problem,
                                             const plan::PassOrder& order,
                                             const ListOptions& options) {
  return ListExecution(problem, order, options).run();
}

}  // namespace rhino::test
