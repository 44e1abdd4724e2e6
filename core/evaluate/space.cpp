// SPDX-License-Identifier: Apache-2.0
#include "evaluate/space.hpp"

#include <algorithm>
#include <map>

#include "rhino/index.hpp"
#include "sharding/propagate.hpp"

namespace rhino::evaluate {
namespace {

using sharding::FactorSplit;
using sharding::OpRule;
using sharding::OpSharding;

class SpaceMaker {
 public:
  SpaceMaker(Tables& tables, const SpaceOutline& outline, const SpaceOptions& options,
             ClassPrices& prices)
      : tables_(tables),
        outline_(outline),
        prices_(prices),
        graph_(outline.graph()),
        frame_(outline.frame()),
        options_(options),
        parts_(sharding::axis_parts(options.mesh, options.num_micro_batches)),
        kind_(tables.kind_of(options.mesh)) {
    prices_.resize(outline.space().classes.size());
  }

  std::vector<double> least_of_classes() && {
    const std::vector<OpClass>& classes = outline_.space().classes;
    std::vector<double> seconds(classes.size());
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const ValueId id = classes[c].values.front();
      const OpKind kind = graph_.op(id).kind;
      if (kind != OpKind::dot && kind != OpKind::convolution) continue;
      if (frame_.may_attend[at(id)]) continue;  // a kernel of attention takes less
      OpClass made;
      fill(made, id, c);
      const std::int64_t times = made.per_micro_batch ? options_.num_micro_batches : 1;
      seconds[c] = std::ranges::min(made.strategies, {}, &OpStrategy::seconds).seconds *
                   static_cast<double>(times * std::ssize(classes[c].values));
    }
    return seconds;
  }

  StrategySpace run(const std::function<void()>& look) && {
    space_ = outline_.space();
    for (std::size_t c = 0; c < space_.classes.size(); ++c) {
      look();
      fill(space_.classes[c], space_.classes[c].values.front(), c);
    }
    for (LayoutSet& set : space_.layouts) price_reshards(set, look);
    return std::move(space_);
  }

 private:
  /// All ways to cut the ops of a class, of which one yields `id`.
  void fill(OpClass& made, ValueId id, std::size_t op_class) {
    const std::int32_t pass = frame_.made_in[at(id)];
    made.per_micro_batch =
        pass >= 0 ? frame_.passes[at(pass)].repeats() : frame_.is_per_micro_batch[at(id)];
    if (prices_[op_class].empty()) prices_[op_class] = prices(id, op_class);
    std::map<std::pair<std::int32_t, std::vector<std::int32_t>>, OpStrategy> quickest;
    for (const OpPrice& price : prices_[op_class]) {
      const OpStrategy strategy = strategy_of(id, price, made);
      OpStrategy& known =
          quickest.try_emplace({strategy.result, strategy.operands}, strategy).first->second;
      known.seconds = std::min(known.seconds, strategy.seconds);
    }
    for (auto& [layouts, strategy] : quickest) made.strategies.push_back(std::move(strategy));
  }

  std::vector<OpPrice> prices(ValueId id, std::size_t op_class) {
    OpSharding base;
    if (const auto& micro = outline_.micro_split(op_class)) base.splits.push_back(*micro);
    std::vector<OpSharding> shardings;
    enumerate(id, 0, base, shardings);
    std::vector<OpPrice> prices;
    prices.reserve(shardings.size());
    for (OpSharding& sharding : shardings) {
      std::ranges::sort(sharding.splits, {}, &FactorSplit::axis);
      prices.push_back(tables_.priced({id, 0, kind_}, sharding, options_.num_micro_batches));
    }
    return prices;
  }

  /// All ways to cut by the axes from `axis` on what `sharding` leaves.
  void enumerate(ValueId id, AxisId axis, const OpSharding& sharding,
                 std::vector<OpSharding>& found) const {
    if (at(axis) == options_.mesh.axes.size()) return found.push_back(sharding);
    enumerate(id, axis + 1, sharding, found);
    if (parts_[at(axis + 1)] == 1) return;
    const OpRule& rule = graph_.rule(id);
    for (std::size_t f = 0; f < rule.factors.size(); ++f) {
      for (const std::int64_t period : periods_of(id, f, sharding)) {
        const FactorSplit split{axis, static_cast<std::int32_t>(f), period};
        if (!may_add(rule, sharding.splits, split, parts_)) continue;
        OpSharding more = sharding;
        more.splits.push_back(split);
        enumerate(id, axis + 1, more, found);
      }
    }
    if (options_.partial) enumerate_passes(id, axis, sharding, found);
  }

  void enumerate_passes(ValueId id, AxisId axis, const OpSharding& sharding,
                        std::vector<OpSharding>& found) const {
    const OpRule& rule = graph_.rule(id);
    const std::vector<ValueId>& operands = graph_.op(id).operands;
    // What each reader makes anew is whole: with terms of the others it adds up to too much.
    const bool is_any_copied = std::ranges::any_of(
        operands, [&](ValueId operand) { return frame_.is_copied[at(operand)]; });
    if (rule.sum_together && is_any_copied) return;
    for (std::size_t i = 0; i < rule.passes_sum.size(); ++i) {
      if (!rule.passes_sum[i] || frame_.is_copied[at(operands[i])]) continue;
      OpSharding more = sharding;
      more.linear.push_back({axis, static_cast<std::int32_t>(i)});
      enumerate(id, axis + 1, more, found);
      if (rule.sum_together) return;
    }
  }

  /// Contiguous blocks of what more major splits leave of a factor, and strided ones.
  std::vector<std::int64_t> periods_of(ValueId id, std::size_t f,
                                       const OpSharding& sharding) const {
    std::int64_t block = graph_.rule(id).factors[f].size;
    for (const FactorSplit& split : sharding.splits) {
      if (at(split.factor) == f) block = std::min(block, split.period / parts_[at(split.axis + 1)]);
    }
    std::vector<std::int64_t> periods{block};
    if (!options_.strided) return periods;
    for (const std::int64_t period : outline_.periods().of_factor(graph_, id, f)) {
      if (period < block && block % period == 0) periods.push_back(period);
    }
    return periods;
  }

  OpStrategy strategy_of(ValueId id, const OpPrice& price, OpClass& made) {
    const std::vector<ValueId>& operands = graph_.op(id).operands;
    OpStrategy strategy;
    std::tie(made.result_set, strategy.result) = layout_of(price.result);
    made.operand_sets.assign(operands.size(), -1);
    strategy.operands.assign(operands.size(), -1);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!frame_.is_copied[at(operands[i])])
        std::tie(made.operand_sets[i], strategy.operands[i]) = layout_of(price.needs[i]);
    }
    strategy.seconds = seconds(id, price);
    strategy.working_bytes = working_bytes(id, price);
    return strategy;
  }

  double working_bytes(ValueId id, const OpPrice& price) const {
    const std::int32_t pass = frame_.made_in[at(id)];
    const OpWork work = frame_.work[at(id)];
    if (pass < 0 || work == OpWork::none) return 0;
    const LoopTraffic* const traffic =
        work == OpWork::loop ? &frame_.passes[at(pass)].traffic_of(id) : nullptr;
    const auto is_temporary = [&](ValueId value) {
      while (frame_.work[at(value)] == OpWork::none && !graph_.op(value).operands.empty())
        value = graph_.op(value).operands.front();  // whose memory it shows
      return frame_.made_in[at(value)] == pass && !frame_.leaves[at(value)];
    };
    const bool writes = traffic == nullptr || traffic->writes;
    double bytes = writes && is_temporary(id) ? tables_.tile_bytes(price.result) : 0;
    const std::vector<ValueId>& operands = graph_.op(id).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool reads = traffic == nullptr || std::ranges::count(traffic->reads, operands[i]) > 0;
      if (reads && is_temporary(operands[i])) bytes += tables_.tile_bytes(price.needs[i]);
    }
    return bytes;
  }

  double seconds(ValueId id, const OpPrice& price) const {
    const std::int32_t pass = frame_.made_in[at(id)];
    if (pass < 0 || frame_.work[at(id)] == OpWork::none) return 0;
    if (frame_.work[at(id)] == OpWork::kernel) return price.kernel_s;
    const LoopTraffic& traffic = frame_.passes[at(pass)].traffic_of(id);
    const std::vector<ValueId>& operands = graph_.op(id).operands;
    double bytes = traffic.writes ? tables_.tile_bytes(price.result) : 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (std::ranges::count(traffic.reads, operands[i]) > 0)
        bytes += tables_.tile_bytes(price.needs[i]);
    }
    const std::int32_t model = tables_.model_of(kind_);
    return (traffic.opens ? tables_.cost().loop_latency_s(model) : 0) +
           std::max(price.arithmetic_s, tables_.loop_stream_s(bytes, kind_));
  }

  /// The set of a form and its index there.
  std::pair<std::int32_t, std::int32_t> layout_of(FormId id) {
    const auto known = places_.find(id);
    if (known != places_.end()) return known->second;
    const Form& form = tables_.form(id);
    const auto [found, is_new] =
        sets_.try_emplace({form.shape.dtype, form.shape.dims, form.view.micro_dim, form.view.marked,
                           form.view.accumulates},
                          static_cast<std::int32_t>(space_.layouts.size()));
    if (is_new) new_set(form);
    LayoutSet& set = space_.layouts[at(found->second)];
    set.specs.push_back(form.spec);
    set.tile_bytes.push_back(form.tile_bytes);
    forms_[at(found->second)].push_back(id);
    return places_[id] = {found->second, static_cast<std::int32_t>(set.specs.size()) - 1};
  }

  void new_set(const Form& form) {
    const Shape& each = form.view.shape;
    space_.layouts.push_back(
        {form.shape, static_cast<double>(dtype_bytes(each.dtype) * num_elements(each.dims))});
    forms_.emplace_back();
  }

  void price_reshards(LayoutSet& set, const std::function<void()>& look) {
    const std::vector<FormId>& forms = forms_[at(&set - space_.layouts.data())];
    for (const FormId from : forms) {
      look();
      for (const FormId to : forms) {
        const Reshard& price = tables_.reshard(from, to);
        double seconds = price.kernels_s;
        for (const Collective& collective : price.collectives)
          seconds += tables_.seconds(collective, kind_);
        set.reshard_s.push_back(seconds);
      }
    }
  }

  using SetKey = std::tuple<DType, std::vector<std::int64_t>, std::int32_t, bool, bool>;

  Tables& tables_;
  const SpaceOutline& outline_;
  ClassPrices& prices_;
  const sharding::OpGraph& graph_;
  const Frame& frame_;
  const SpaceOptions& options_;
  std::vector<std::int64_t> parts_;
  std::int32_t kind_;
  std::map<SetKey, std::int32_t> sets_;
  std::vector<std::vector<FormId>> forms_;  ///< per set, as its specs
  std::map<FormId, std::pair<std::int32_t, std::int32_t>> places_;
  StrategySpace space_;
};

}  // namespace

StrategySpace make_space(Tables& tables, const SpaceOutline& outline, const SpaceOptions& options,
                         ClassPrices prices, const std::function<void()>& look) {
  return SpaceMaker(tables, outline, options, prices).run(look);
}

std::vector<double> least_of_classes(Tables& tables, const SpaceOutline& outline,
                                     const SpaceOptions& options, ClassPrices& prices) {
  return SpaceMaker(tables, outline, options, prices).least_of_classes();
}

}  // namespace rhino::evaluate
