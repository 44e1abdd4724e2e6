// SPDX-License-Identifier: Apache-2.0
#include "ir/autodiff.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "ir/derivative.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

/// Values that change smoothly with one of `sources`.
std::vector<bool> dependent(const Program& program, const std::vector<ValueId>& sources) {
  std::vector<bool> depends(program.ops.size());
  for (ValueId source : sources) depends[at(source)] = is_floating(program.shape(source).dtype);
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (!is_floating(op.shape.dtype) || traits(op.kind).flat) continue;
    for (ValueId operand : op.operands) {
      if (depends[at(operand)]) depends[at(id)] = true;
    }
  }
  return depends;
}

Terms terms_of(const Pullback& pullback) {
  const OpKind kind = pullback.op.kind;
  if (const auto terms = traits(kind).terms) return terms(pullback);
  const std::string name = pullback.op.name.empty() ? "" : " '" + pullback.op.name + "'";
  throw Error("program '" + pullback.builder.program().name + "': op " +
              std::to_string(pullback.id) + " " + std::string(op_name(kind)) + name +
              " has no derivative");
}

class ReverseMode {
 public:
  ReverseMode(const Program& program, ValueId loss, const std::vector<ValueId>& sources,
              ValueId seed)
      : builder_(program),
        loss_(loss),
        seed_(seed),
        depends_(dependent(program, sources)),
        terms_(program.ops.size()) {}

  std::vector<ValueId> run(const std::vector<ValueId>& sources) {
    if (depends_[at(loss_)]) {
      builder_.set_phase(Phase::backward, loss_);
      if (seed_ == kNoValue) seed_ = builder_.fill(Shape(builder_.shape(loss_)), 1);
      terms_[at(loss_)].push_back({seed_});
    }
    for (ValueId id = loss_; id >= 0; --id) pull_back(id);
    for (ValueId id = 0; id <= loss_; ++id) {
      if (is_parameter(id)) sum_terms(id);
    }
    std::vector<ValueId> gradients;
    for (ValueId source : sources) gradients.push_back(gradient_of(source));
    return gradients;
  }

  Program finish() && { return std::move(builder_).finish(); }

 private:
  /// A contribution to a value's gradient. Where `slice` is an op, `value` is the gradient of that
  /// slice of it: its place is known, so complementary slices are joined rather than padded and
  /// added.
  struct Term {
    ValueId value = kNoValue;
    ValueId slice = kNoValue;
  };

  bool is_parameter(ValueId id) const {
    return builder_.program().op(id).kind == OpKind::parameter;
  }

  ValueId gradient_of(ValueId id) const {
    return id <= loss_ && !terms_[at(id)].empty() ? terms_[at(id)].front().value : kNoValue;
  }

  void pull_back(ValueId id) {
    if (terms_[at(id)].empty() || is_parameter(id)) return;
    sum_terms(id);
    builder_.set_phase(Phase::backward, id);
    Pullback pullback{builder_, builder_.program().op(id), id, terms_[at(id)].front().value, {}};
    bool any = false;
    for (ValueId operand : pullback.op.operands) {
      pullback.wanted.push_back(depends_[at(operand)]);
      any = any || depends_[at(operand)];
    }
    if (any) add_terms(pullback);
  }

  void add_terms(const Pullback& pullback) {
    const std::vector<ValueId>& operands = pullback.op.operands;
    if (pullback.op.kind == OpKind::slice) {
      terms_[at(operands[0])].push_back({pullback.gradient, pullback.id});
      return;
    }
    const Terms terms = terms_of(pullback);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (pullback.wanted[i]) terms_[at(operands[i])].push_back({terms[i]});
    }
  }

  /// Leaves one whole term of value `id`, or none.
  void sum_terms(ValueId id) {
    std::vector<Term>& terms = terms_[at(id)];
    if (terms.empty()) return;
    if (!join_slices(id)) {
      for (Term& term : terms) widen(term);
      builder_.set_phase(Phase::backward, id);
      for (std::size_t i = 1; i < terms.size(); ++i) {
        terms[0].value = builder_.add(terms[0].value, terms[i].value);
      }
    }
    terms.resize(1);
    name_gradient(id);
  }

  /// After the value that it is the gradient of, unless it is that of another already.
  void name_gradient(ValueId id) {
    const std::string& name = builder_.program().op(id).name;
    const ValueId gradient = gradient_of(id);
    const Op& op = builder_.program().op(gradient);
    if (name.empty() || is_parameter(id) || !op.name.empty() || op.phase != Phase::backward) return;
    builder_.name(gradient, name + ".gradient");
  }

  void widen(Term& term) {
    if (term.slice == kNoValue) return;
    builder_.set_phase(Phase::backward, term.slice);
    const Op slice = builder_.program().op(term.slice);
    term.value = terms_of({builder_, slice, term.slice, term.value, {true}})[0];
    term.slice = kNoValue;
  }

  /// If the terms are slices that tile the value along one dim, concatenates them.
  bool join_slices(ValueId id) {
    std::vector<Term>& terms = terms_[at(id)];
    const std::optional<std::size_t> dim = tiled_dim(id);
    if (!dim) return false;
    std::ranges::sort(terms, {}, [&](const Term& term) { return bounds(term).starts[*dim]; });
    std::vector<ValueId> parts;
    for (const Term& term : terms) parts.push_back(term.value);
    builder_.set_phase(Phase::backward, id);
    if (parts.size() > 1) {
      terms[0].value = builder_.concatenate(parts, static_cast<std::int64_t>(*dim));
    }
    return true;
  }

  const SliceAttr& bounds(const Term& term) const {
    return builder_.program().op(term.slice).attributes.get<SliceAttr>();
  }

  /// The dim along which the terms of `id` are neighbouring slices that make up all of it.
  std::optional<std::size_t> tiled_dim(ValueId id) const {
    const std::vector<Term>& terms = terms_[at(id)];
    if (!std::ranges::all_of(terms, [](const Term& term) { return term.slice != kNoValue; })) {
      return std::nullopt;
    }
    const std::vector<std::int64_t>& extents = builder_.shape(id).dims;
    for (std::size_t dim = 0; dim < extents.size(); ++dim) {
      if (tiles(terms, dim, extents)) return dim;
    }
    return std::nullopt;
  }

  bool tiles(const std::vector<Term>& terms, std::size_t dim,
             const std::vector<std::int64_t>& extents) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (const Term& term : terms) {
      const SliceAttr& slice = bounds(term);
      for (std::size_t i = 0; i < extents.size(); ++i) {
        const bool whole = slice.starts[i] == 0 && slice.limits[i] == extents[i];
        if (slice.strides[i] != 1 || (i != dim && !whole)) return false;
      }
      ranges.emplace_back(slice.starts[dim], slice.limits[dim]);
    }
    std::ranges::sort(ranges);
    std::int64_t end = 0;
    for (const auto& [start, limit] : ranges) {
      if (start != end) return false;
      end = limit;
    }
    return end == extents[dim];
  }

  Builder builder_;
  ValueId loss_, seed_;
  std::vector<bool> depends_;
  std::vector<std::vector<Term>> terms_;  ///< per value of the original program
};

}  // namespace

std::vector<ValueId> append_gradients(Program& program, ValueId loss,
                                      const std::vector<ValueId>& with_respect_to, ValueId seed) {
  const Shape& shape = program.shape(loss);
  if (!shape.dims.empty() || !is_floating(shape.dtype)) {
    throw Error("program '" + program.name + "': the loss is " + to_string(shape) +
                ", not a floating-point scalar");
  }
  ReverseMode reverse(program, loss, with_respect_to, seed);
  std::vector<ValueId> gradients = reverse.run(with_respect_to);
  program = std::move(reverse).finish();
  return gradients;
}

}  // namespace rhino::ir
