// SPDX-License-Identifier: Apache-2.0
#include "evaluate/space.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "evaluate/strided_periods.hpp"
#include "rhino/index.hpp"
#include "sharding/propagate.hpp"

namespace rhino::evaluate {
namespace {

using sharding::FactorSplit;
using sharding::OpRule;
using sharding::OpSharding;

class SpaceMaker {
 public:
  SpaceMaker(Tables& tables, const Frame& frame, const SpaceOptions& options)
      : tables_(tables),
        graph_(tables.graph()),
        frame_(frame),
        options_(options),
        chunks_{{options.mesh, false}},
        chunk_of_(at(graph_.size())),
        assignment_(graph_, chunk_of_, chunks_, options.num_micro_batches),
        parts_(sharding::axis_parts(options.mesh, options.num_micro_batches)),
        kind_(tables.kind_of(options.mesh)) {
    sharding::split_micro_batches(assignment_);
    if (options.strided) periods_ = strided_periods(graph_);
  }

  double least_s() && {
    space_.class_of.assign(at(graph_.size()), -1);
    for (ValueId id = 0; id < graph_.size(); ++id) {
      const OpKind kind = graph_.op(id).kind;
      if (kind == OpKind::dot || kind == OpKind::convolution) add(id);
    }
    double seconds = 0;
    for (const OpClass& op : space_.classes) {
      const std::int64_t times = op.per_micro_batch ? options_.num_micro_batches : 1;
      seconds += std::ranges::min(op.strategies, {}, &OpStrategy::seconds).seconds *
                 static_cast<double>(times * std::ssize(op.values));
    }
    return seconds;
  }

  StrategySpace run() && {
    space_.class_of.assign(at(graph_.size()), -1);
    space_.keeps.assign(at(graph_.size()), Keeping::nothing);
    for (ValueId id = 0; id < graph_.size(); ++id) {
      if (!frame_.is_copied[at(id)]) add(id);
    }
    for (LayoutSet& set : space_.layouts) price_reshards(set);
    mark_kept();
    find_ties();
    space_.repeats = repeats();
    return std::move(space_);
  }

 private:
  /// What makes ops alike: their class, how micro-batches cut them, and when they run.
  struct Key {
    std::int32_t op_class;
    std::int32_t micro_factor;
    std::vector<bool> is_copied;  ///< per operand
    std::int32_t pass;
    bool is_input;
    auto operator<=>(const Key&) const = default;
  };

  void add(ValueId id) {
    const FactorSplit* micro = assignment_.find(id, kMicroAxis);
    Key key{graph_.class_of(id),
            micro == nullptr ? -1 : micro->factor,
            {},
            frame_.made_in[at(id)],
            graph_.input(id) != nullptr};
    for (const ValueId operand : graph_.op(id).operands)
      key.is_copied.push_back(frame_.is_copied[at(operand)]);
    const auto [found, is_new] =
        index_.try_emplace(std::move(key), static_cast<std::int32_t>(space_.classes.size()));
    if (is_new) add_class(id);
    space_.class_of[at(id)] = found->second;
    space_.classes[at(found->second)].values.push_back(id);
  }

  void add_class(ValueId id) {
    OpClass& made = space_.classes.emplace_back();
    const std::int32_t pass = frame_.made_in[at(id)];
    made.per_micro_batch =
        pass >= 0 ? frame_.passes[at(pass)].repeats() : frame_.is_per_micro_batch[at(id)];
    OpSharding base;
    if (const FactorSplit* micro = assignment_.find(id, kMicroAxis)) base.splits.push_back(*micro);
    std::vector<OpSharding> shardings;
    enumerate(id, 0, base, shardings);
    std::map<std::pair<std::int32_t, std::vector<std::int32_t>>, OpStrategy> quickest;
    for (OpSharding& sharding : shardings) {
      std::ranges::sort(sharding.splits, {}, &FactorSplit::axis);
      const OpStrategy strategy = priced(id, sharding, made);
      OpStrategy& known =
          quickest.try_emplace({strategy.result, strategy.operands}, strategy).first->second;
      known.seconds = std::min(known.seconds, strategy.seconds);
    }
    for (auto& [layouts, strategy] : quickest) made.strategies.push_back(std::move(strategy));
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
    for (const std::int64_t period : periods_.of_factor(graph_, id, f)) {
      if (period < block && block % period == 0) periods.push_back(period);
    }
    return periods;
  }

  OpStrategy priced(ValueId id, const OpSharding& sharding, OpClass& made) {
    const std::vector<ValueId>& operands = graph_.op(id).operands;
    const OpPrice price = tables_.priced({id, 0, kind_}, sharding, options_.num_micro_batches);
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

  void price_reshards(LayoutSet& set) {
    const std::vector<FormId>& forms = forms_[at(&set - space_.layouts.data())];
    for (const FormId from : forms) {
      for (const FormId to : forms) {
        const Reshard& price = tables_.reshard(from, to);
        double seconds = price.kernels_s;
        for (const Collective& collective : price.collectives)
          seconds += tables_.seconds(collective, kind_);
        set.reshard_s.push_back(seconds);
      }
    }
  }

  void mark_kept() {
    for (const std::vector<KeptValue>& kept : frame_.kept) {
      for (const KeptValue& life : kept) space_.keeps[at(life.value)] = Keeping::activation;
    }
    for (ValueId id = 0; id < graph_.size(); ++id) {
      if (frame_.is_accumulated[at(id)]) space_.keeps[at(id)] = Keeping::gradient;
      const Input* input = graph_.input(id);
      const bool is_state = input != nullptr && (input->kind == InputKind::parameter ||
                                                 input->kind == InputKind::optimizer_state);
      if (is_state) space_.keeps[at(id)] = Keeping::state;
    }
  }

  void find_ties() {
    const Program& program = graph_.program();
    for (const Output& output : program.outputs) {
      if (output.kind == OutputKind::updated_state)
        space_.updates.emplace_back(program.inputs[at(output.input)].value, output.value);
    }
    for (const Input& input : program.inputs) {
      if (input.kind == InputKind::optimizer_state && input.state_of >= 0)
        space_.states.emplace_back(program.inputs[at(input.state_of)].value, input.value);
    }
  }

  /// By colours that take in those of their neighbours, a few times over.
  std::vector<std::vector<ValueId>> repeats() const {
    constexpr int kDistance = 8;
    std::vector<std::size_t> colour(space_.class_of.begin(), space_.class_of.end());
    const auto mix = [](std::size_t a, std::size_t b) {
      a = (a ^ b) * 0x9e3779b97f4a7c15u;
      return a ^ a >> 29;
    };
    for (int step = 0; step < kDistance; ++step) {
      std::vector<std::size_t> next = colour;
      for (ValueId id = 0; id < graph_.size(); ++id) {
        for (const ValueId operand : graph_.op(id).operands)
          next[at(id)] = mix(next[at(id)], colour[at(operand)]);
        std::size_t readers = 0;  // in any order
        for (const sharding::Use& use : graph_.uses(id))
          readers += mix(colour[at(use.user)], at(use.operand) + 1);
        next[at(id)] = mix(next[at(id)], readers);
      }
      colour = std::move(next);
    }
    std::map<std::size_t, std::vector<ValueId>> groups;
    for (ValueId id = 0; id < graph_.size(); ++id) {
      if (space_.class_of[at(id)] >= 0) groups[colour[at(id)]].push_back(id);
    }
    std::vector<std::vector<ValueId>> repeated;
    for (auto& [key, values] : groups) {
      if (values.size() > 1) repeated.push_back(std::move(values));
    }
    std::ranges::sort(repeated);
    return repeated;
  }

  using SetKey = std::tuple<DType, std::vector<std::int64_t>, std::int32_t, bool, bool>;

  Tables& tables_;
  const sharding::OpGraph& graph_;
  const Frame& frame_;
  const SpaceOptions& options_;
  std::vector<Chunk> chunks_;
  std::vector<std::int32_t> chunk_of_;
  sharding::Assignment assignment_;
  std::vector<std::int64_t> parts_;
  std::int32_t kind_;
  StridedPeriods periods_;
  std::map<Key, std::int32_t> index_;
  std::map<SetKey, std::int32_t> sets_;
  std::vector<std::vector<FormId>> forms_;  ///< per set, as its specs
  std::map<FormId, std::pair<std::int32_t, std::int32_t>> places_;
  StrategySpace space_;
};

}  // namespace

StrategySpace make_space(Tables& tables, const Frame& frame, const SpaceOptions& options) {
  return SpaceMaker(tables, frame, options).run();
}

double least_s(Tables& tables, const Frame& frame, const SpaceOptions& options) {
  return SpaceMaker(tables, frame, options).least_s();
}

}  // namespace rhino::evaluate
