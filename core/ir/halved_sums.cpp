// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "ir/shape_inference.hpp"
#include "ir/training_step.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

/// Copies a program op by op, sums of 16 bits as two.
class Halving {
 public:
  explicit Halving(const Program& program)
      : program_(program), renamed_(program.ops.size(), kNoValue) {}

  Program run() && {
    result_.name = program_.name;
    for (ValueId id = 0; id < program_.size(); ++id) renamed_[at(id)] = copy(program_.op(id));
    result_.inputs = program_.inputs;
    result_.outputs = program_.outputs;
    for (Input& input : result_.inputs) input.value = renamed_[at(input.value)];
    for (Output& output : result_.outputs) output.value = renamed_[at(output.value)];
    check_program(result_);
    return std::move(result_);
  }

 private:
  /// Along these dims of its operands a product adds up; -1: it is not to be halved.
  struct Terms {
    std::int64_t lhs = -1, rhs = -1;
  };

  ValueId copy(Op op) {
    for (ValueId& operand : op.operands) operand = renamed_[at(operand)];
    if (op.origin != kNoValue) op.origin = renamed_[at(op.origin)];
    const Terms terms = terms_of(op);
    if (terms.lhs < 0) return append(std::move(op));
    const std::int64_t extent = result_.shape(op.operands[0]).dims[at(terms.lhs)];
    const ValueId first = part(op, terms, 0, extent / 2),
                  second = part(op, terms, extent / 2, extent);
    op.kind = OpKind::add;
    op.operands = {first, second};
    op.attributes = {};
    return append(std::move(op));
  }

  Terms terms_of(const Op& op) const {
    Terms terms;
    if (op.phase == Phase::update || !is_narrow(op.shape.dtype)) return {};
    if (const auto* dot = op.attributes.get_if<DotAttr>(); dot && !dot->lhs_contracting.empty())
      terms = {dot->lhs_contracting[0], dot->rhs_contracting[0]};
    if (const auto* a = op.attributes.get_if<ConvolutionAttr>();
        a && a->feature_groups == 1 && a->batch_groups == 1)
      terms = {a->input_feature, a->kernel_input};
    const bool is_short = terms.lhs >= 0 && result_.shape(op.operands[0]).dims[at(terms.lhs)] < 2;
    return is_short ? Terms{} : terms;
  }

  ValueId part(const Op& whole, const Terms& terms, std::int64_t begin, std::int64_t end) {
    Op op = whole;
    op.name.clear();
    op.operands = {sliced(whole, whole.operands[0], terms.lhs, begin, end),
                   sliced(whole, whole.operands[1], terms.rhs, begin, end)};
    return append(std::move(op));
  }

  ValueId sliced(const Op& reader, ValueId value, std::int64_t dim, std::int64_t begin,
                 std::int64_t end) {
    Op op{.kind = OpKind::slice,
          .phase = reader.phase,
          .origin = reader.origin,
          .shape = result_.shape(value),
          .operands = {value}};
    const std::size_t rank = op.shape.dims.size();
    SliceAttr a{std::vector<std::int64_t>(rank, 0), op.shape.dims,
                std::vector<std::int64_t>(rank, 1)};
    a.starts[at(dim)] = begin;
    a.limits[at(dim)] = end;
    op.shape.dims[at(dim)] = end - begin;
    op.attributes = std::move(a);
    return append(std::move(op));
  }

  ValueId append(Op op) {
    result_.ops.push_back(std::move(op));
    return result_.size() - 1;
  }

  const Program& program_;
  Program result_;
  std::vector<ValueId> renamed_;
};

}  // namespace

Program halved_sums(const Program& program) { return Halving(program).run(); }

}  // namespace rhino::ir
