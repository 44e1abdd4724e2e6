// SPDX-License-Identifier: Apache-2.0
#include "sharding/propagate.hpp"

#include "ir/op_traits.hpp"

namespace rhino::sharding {
namespace {

class Spreader {
 public:
  Spreader(Assignment& assignment, AxisId axis, const std::vector<bool>& open)
      : assignment_(assignment), graph_(assignment.graph()), axis_(axis), open_(open) {}

  void run(const std::vector<ValueId>& seeds) {
    for (ValueId seed : seeds) expand(seed, true);
    std::size_t next_light = 0, next_heavy = 0;
    while (next_light < light_.size() || next_heavy < heavy_.size()) {
      if (next_light < light_.size()) {
        expand(light_[next_light++]);
      } else {
        const Step step = heavy_[next_heavy++];
        if (offer(step)) expand(step.target);
      }
    }
  }

 private:
  // The axis may come to `target` by `split`: of its operand number `operand`, of its result if -1.
  struct Step {
    ValueId target;
    std::int32_t operand;
    DimSplit split;
  };

  void expand(ValueId id, bool is_seed = false) {
    const FactorSplit* split = assignment_.find(id, axis_);
    if (!split) return;
    // Constants have readers that have nothing to do with each other.
    const bool is_made_anywhere = graph_.is_pure(id) && !is_seed;
    if (const auto place = assignment_.in_result(id, *split); place && !is_made_anywhere) {
      for (const Use& use : graph_.uses(id)) forward(id, use, *place);
    }
    const auto& operands = graph_.op(id).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!is_wanted(operands[i])) continue;
      if (const auto place = assignment_.in_operand(id, i, *split)) backward(id, i, *place);
    }
  }

  bool is_wanted(ValueId id) const {
    return open_[static_cast<std::size_t>(id)] && !assignment_.find(id, axis_);
  }

  void forward(ValueId id, const Use& use, const DimSplit& split) {
    if (!is_wanted(use.user)) return;
    const auto operand = static_cast<std::size_t>(use.operand);
    step({use.user, use.operand,
          assignment_.carried(id, graph_.rule(id).result, use.user,
                              graph_.rule(use.user).operands[operand], split)});
  }

  void backward(ValueId id, std::size_t operand, const DimSplit& split) {
    const ValueId source = graph_.op(id).operands[operand];
    step({source, -1,
          assignment_.carried(id, graph_.rule(id).operands[operand], source,
                              graph_.rule(source).result, split)});
  }

  void step(const Step& step) {
    // Ops in which an axis changes its meaning wait until cheaper ones are done.
    if (ir::traits(graph_.op(step.target).kind).heavy) {
      heavy_.push_back(step);
    } else if (offer(step)) {
      light_.push_back(step.target);
    }
  }

  bool offer(const Step& step) {
    if (!is_wanted(step.target)) return false;
    const auto split = step.operand < 0
                           ? assignment_.from_result(step.target, step.split)
                           : assignment_.from_operand(
                                 step.target, static_cast<std::size_t>(step.operand), step.split);
    return split && assignment_.try_add(step.target, *split);
  }

  Assignment& assignment_;
  const OpGraph& graph_;
  AxisId axis_;
  const std::vector<bool>& open_;
  std::vector<ValueId> light_;
  std::vector<Step> heavy_;
};

}  // namespace

void spread(Assignment& assignment, AxisId axis, const std::vector<ValueId>& seeds,
            const std::vector<bool>& open) {
  Spreader(assignment, axis, open).run(seeds);
}

}  // namespace rhino::sharding
