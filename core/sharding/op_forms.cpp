// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sharding/complete.hpp"
#include "sharding/step_graph.hpp"

namespace rhino::sharding {
namespace {

bool is_splat(const Op& op) {
  return op.kind == OpKind::constant && op.attributes.get<ConstantAttr>().elements.size() == 1;
}

}  // namespace

void StepGraph::make_form(ValueId id) {
  const OpForm*& form = forms_[index(id)];
  if (nodes_[index(id)].input >= 0) {
    form = &made_forms_.emplace_back(
        OpForm{{}, micro_view(shape(id), strategy_.specs[index(id)], num_micro_batches())});
    return;
  }
  if (graph_ == nullptr) {
    form = &op_form(id);
    return;
  }
  const OpForm*& known = known_forms_[(*keys_)(id)];
  if (known == nullptr) known = &op_form(id);
  form = known;
}

const OpForm& StepGraph::op_form(ValueId id) {
  const OpRule& rule = graph_ != nullptr ? graph_->rule(id) : op_rule(program_, id);
  const Mesh& mesh = this->mesh(chunk_of(id));
  return made_forms_.emplace_back(
      make_form(id, rule, op_sharding(program_, rule, {strategy_, chunks_of_}, id), mesh));
}

OpForm StepGraph::make_form(ValueId id, const OpRule& rule, const OpSharding& sharding,
                            const Mesh& mesh) const {
  OpForm form;
  const Op& op = this->op(id);
  const std::int64_t count = num_micro_batches();
  form.needs.reserve(op.operands.size());
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    form.needs.push_back(micro_view(this->shape(op.operands[i]),
                                    operand_spec(program_, id, rule, sharding, i, mesh, count),
                                    count));
    if (!rule.halos.empty())
      form.needs.back().halos = operand_halos(rule, sharding, i, axis_parts(mesh, count));
  }
  form.result = micro_view(op.shape, result_spec(program_, id, rule, sharding, mesh, count), count);
  return form;
}

static std::size_t hash_of(std::int32_t op_class, std::int32_t chunk, const MicroView& view) {
  std::size_t hash = hash_of(view.spec);
  const auto mix = [&](std::int64_t value) {
    hash ^= static_cast<std::size_t>(value) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
  };
  mix(op_class), mix(chunk), mix(view.micro_dim);
  for (const std::int64_t extent : view.shape.dims) mix(extent);
  return hash;
}

const OpForm& StepGraph::copied_form(ValueId id, const MicroView& wanted,
                                     std::int32_t chunk) const {
  const std::int32_t op_class = graph_ != nullptr ? graph_->class_of(id) : id;
  const std::size_t hash = hash_of(op_class, chunk, wanted);
  const auto [first, last] = known_copies_.equal_range(hash);
  const auto same = std::find_if(first, last, [&](const auto& entry) {
    const CopiedForm& known = entry.second;
    return known.op_class == op_class && known.chunk == chunk && known.wanted == wanted;
  });
  if (same != last) return *same->second.form;
  CopiedForm made{op_class, chunk, wanted,
                  std::make_unique<const OpForm>(make_copied_form(id, wanted, chunk))};
  return *known_copies_.emplace(hash, std::move(made))->second.form;
}

OpForm StepGraph::make_copied_form(ValueId id, const MicroView& wanted, std::int32_t chunk) const {
  if (is_splat(op(id))) {
    OpForm form{{}, wanted};
    form.result.spec.partial.clear();
    form.result.accumulates = false;
    return form;
  }
  const Mesh& mesh = this->mesh(chunk);
  const OpRule rule = graph_ != nullptr ? graph_->rule(id) : op_rule(program_, id);
  const std::vector<std::int64_t> parts = axis_parts(mesh, num_micro_batches());
  const ShardingSpec spec = whole_spec(wanted, num_micro_batches());
  OpSharding sharding;
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    for (const AxisSplit& split : spec.dims[d].splits) {
      const std::int64_t count = parts[static_cast<std::size_t>(split.axis + 1)];
      const auto factor = find_factor(rule, rule.result[d], split, count);
      if (factor && may_add(rule, sharding.splits, *factor, parts))
        sharding.splits.push_back(*factor);
    }
  }
  std::sort(sharding.splits.begin(), sharding.splits.end(),
            [](const FactorSplit& a, const FactorSplit& b) { return a.axis < b.axis; });
  return make_form(id, rule, sharding, mesh);
}

}  // namespace rhino::sharding
