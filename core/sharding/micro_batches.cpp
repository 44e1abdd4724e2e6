// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "rhino/index.hpp"
#include "sharding/propagate.hpp"

namespace rhino::sharding {
namespace {

// Follows the micro axis from batch inputs. Unlike other axes it has no way to change a layout:
// what is cut by it must be read cut, and what is read cut must be made cut.
class MicroBatcher {
 public:
  explicit MicroBatcher(Assignment& assignment)
      : assignment_(assignment), graph_(assignment.graph()) {}

  std::vector<bool> run() {
    for (const Input& input : graph_.program().inputs) {
      if (input.kind == InputKind::batch) cut_input(input.value);
    }
    while (!open_.empty()) {
      const auto [id, split] = open_.back();
      open_.pop_back();
      follow(id, split);
    }
    return find_late();
  }

 private:
  void cut_input(ValueId id) {
    const Shape& shape = graph_.shape(id);
    if (shape.dims.empty() || shape.dims[0] == 1) return;  // one sample is one micro-batch
    const DimSplit split{0, {kMicroAxis, shape.dims[0]}};
    require(id, assignment_.from_result(id, split), id);
  }

  // What is made of constants alone each reader makes for itself, cut as it needs it.
  void follow(ValueId id, const FactorSplit& split) {
    const auto place = assignment_.in_result(id, split);
    if (place && !graph_.is_pure(id)) {
      for (const Use& use : graph_.uses(id)) {
        require(use.user,
                assignment_.from_operand(use.user, static_cast<std::size_t>(use.operand), *place),
                use.user);
      }
    }
    const auto& operands = graph_.op(id).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto place = assignment_.in_operand(id, i, split);
      if (place) require(operands[i], assignment_.from_result(operands[i], *place), id);
    }
  }

  // Op `id` must be cut by `split`; `culprit` is to blame if it cannot be.
  void require(ValueId id, const std::optional<FactorSplit>& split, ValueId culprit) {
    if (!split) fail(culprit, "its micro-batches are no whole pieces of what it reads or yields");
    const FactorSplit* present = assignment_.find(id, kMicroAxis);
    if (present && *present == *split) return;
    const bool is_another = present != nullptr;
    if (is_another && !graph_.is_pure(id)) fail(id, "it meets the batch along two different dims");
    if (is_another && !others_.insert({id, split->factor, split->period}).second) return;
    const Factor& factor = graph_.rule(id).factors[at(split->factor)];
    const bool sums = factor.kind == Factor::Kind::reduction && factor.reduction == Reduction::sum;
    const Input* input = graph_.input(id);
    const bool is_fixed = input && input->kind != InputKind::batch;
    if (is_fixed || (factor.kind != Factor::Kind::parallel && !sums)) {
      const bool slices = graph_.op(id).kind == OpKind::slice;
      fail(culprit, is_fixed ? "it pairs elements of the batch with those of a whole input"
                    : slices
                        ? "it slices the batch; of an import that counts samples along another "
                          "dim than the first `batch_dimension: N` says so"
                        : "it needs more of the batch than one micro-batch at a time");
    }
    if (!is_another && !assignment_.try_add(id, *split))
      fail(culprit, "its batch dim does not divide");
    open_.push_back({id, *split});
  }

  // Ops behind a sum over micro-batches; such a sum must not flow back into micro-batches.
  std::vector<bool> find_late() const {
    std::vector<bool> late(at(graph_.size()));
    for (ValueId id = 0; id < graph_.size(); ++id) {
      for (ValueId operand : graph_.op(id).operands) {
        late[at(id)] = late[at(id)] || late[at(operand)] || is_accumulated(operand);
      }
      if (late[at(id)] && assignment_.find(id, kMicroAxis)) {
        fail(id,
             "every micro-batch needs a sum over all of them; samples that share statistics (of "
             "batch norms: norm_batch) must be in one micro-batch");
      }
    }
    return late;
  }

  bool is_accumulated(ValueId id) const {
    const FactorSplit* split = assignment_.find(id, kMicroAxis);
    return split && !assignment_.in_result(id, *split);
  }

  [[noreturn]] void fail(ValueId id, const std::string& reason) const {
    throw CouplesBatch(id, graph_.text(id) + " couples the batch: " + reason);
  }

  Assignment& assignment_;
  const OpGraph& graph_;
  std::vector<std::pair<ValueId, FactorSplit>> open_;
  /// Further ways in which readers need what is made of constants: op, factor, period.
  std::set<std::tuple<ValueId, std::int32_t, std::int64_t>> others_;
};

}  // namespace

std::vector<bool> split_micro_batches(Assignment& assignment) {
  try {
    return MicroBatcher(assignment).run();
  } catch (const Error&) {
    if (assignment.parts(0, kMicroAxis) > 1) throw;
  }
  // The only micro-batch is the whole batch, which ops may couple as they like.
  const std::int32_t size = assignment.graph().size();
  for (ValueId id = 0; id < size; ++id) assignment.remove(id, kMicroAxis);
  return std::vector<bool>(at(size));
}

}  // namespace rhino::sharding
