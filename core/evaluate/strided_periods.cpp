// SPDX-License-Identifier: Apache-2.0
#include "evaluate/strided_periods.hpp"

#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// A dim in which a factor lies: of which tensor, how far apart its elements are there.
struct FactorPlace {
  const StridedPeriods::Dims* dims;
  std::size_t dim = 0;
  std::int64_t stride = 1;
};

std::vector<FactorPlace> places_of(const sharding::OpGraph& graph, ValueId id, std::size_t f) {
  const sharding::OpRule& rule = graph.rule(id);
  std::vector<FactorPlace> places;
  const auto look = [&](const sharding::TensorFactors& tensor, const Shape& shape) {
    for (std::size_t d = 0; d < tensor.size(); ++d) {
      std::int64_t stride = 1;
      for (std::size_t i = tensor[d].size(); i-- > 0;) {
        if (at(tensor[d][i]) == f) places.push_back({&shape.dims, d, stride});
        stride *= rule.factors[at(tensor[d][i])].size;
      }
    }
  };
  const std::vector<ValueId>& operands = graph.op(id).operands;
  for (std::size_t i = 0; i < operands.size(); ++i)
    look(rule.operands[i], graph.shape(operands[i]));
  look(rule.result, graph.shape(id));
  return places;
}

}  // namespace

std::vector<std::int64_t> StridedPeriods::of_factor(const sharding::OpGraph& graph, ValueId id,
                                                    std::size_t f) const {
  const std::int64_t size = graph.rule(id).factors[f].size;
  std::set<std::int64_t> periods;
  for (const FactorPlace& place : places_of(graph, id, f)) {
    const auto found = of_dim.find({*place.dims, place.dim});
    if (found == of_dim.end()) continue;
    for (const std::int64_t period : found->second) {
      const std::int64_t own = period / place.stride;
      if (period % place.stride == 0 && own < size && size % own == 0) periods.insert(own);
    }
  }
  return {periods.begin(), periods.end()};
}

StridedPeriods strided_periods(const sharding::OpGraph& graph) {
  StridedPeriods found;
  std::vector<ValueId> members(at(graph.num_classes()));
  for (ValueId id = graph.size(); id-- > 0;) members[at(graph.class_of(id))] = id;
  for (bool grows = true; grows;) {
    grows = false;
    for (const ValueId id : members) {
      const sharding::OpRule& rule = graph.rule(id);
      for (std::size_t f = 0; f < rule.factors.size(); ++f) {
        if (rule.factors[f].kind == sharding::Factor::Kind::blocked) continue;
        std::vector<std::int64_t> periods = found.of_factor(graph, id, f);
        periods.push_back(rule.factors[f].size);
        for (const FactorPlace& place : places_of(graph, id, f)) {
          for (const std::int64_t period : periods) {
            const std::int64_t there = period * place.stride;
            if (there < (*place.dims)[place.dim])
              grows |= found.of_dim[{*place.dims, place.dim}].insert(there).second;
          }
        }
      }
    }
  }
  return found;
}

}  // namespace rhino::evaluate
