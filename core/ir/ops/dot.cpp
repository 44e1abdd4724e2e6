// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/derivative.hpp"
#include "ir/element.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"
#include "rhino/index.hpp"

/// Dots of two tensors.
namespace rhino::ir {
namespace {

void require_pairs(const Site& site, const Dims& lhs, const Dims& rhs, const char* what) {
  if (lhs.size() != rhs.size()) site.fail(std::string("unequal numbers of ") + what);
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    if (site.operand(0).dims[at(lhs[i])] != site.operand(1).dims[at(rhs[i])]) {
      site.fail(std::string(what) + " " + std::to_string(lhs[i]) + " and " +
                std::to_string(rhs[i]) + " differ in extent");
    }
  }
}

Shape dot(const Site& site) {
  site.require_operands(2);
  const auto& dims = site.attributes<DotAttr>();
  site.require(site.operand(0).dtype == site.operand(1).dtype, "operands differ in element type");
  site.require(site.operand(0).dtype != DType::pred, "takes no pred");
  const Dims lhs_used = joined(dims.lhs_batch, dims.lhs_contracting);
  const Dims rhs_used = joined(dims.rhs_batch, dims.rhs_contracting);
  site.require_dims(lhs_used, site.rank(0), "lhs batch and contracting dims");
  site.require_dims(rhs_used, site.rank(1), "rhs batch and contracting dims");
  require_pairs(site, dims.lhs_batch, dims.rhs_batch, "batch dims");
  require_pairs(site, dims.lhs_contracting, dims.rhs_contracting, "contracting dims");
  const DType dtype = site.operand(0).dtype;
  const bool widens = is_narrow(dtype) && site.op.shape.dtype == DType::f32;
  Shape result{widens ? DType::f32 : dtype, {}};
  for (std::int64_t d : dims.lhs_batch) result.dims.push_back(site.operand(0).dims[at(d)]);
  for (std::int64_t d = 0; d < site.rank(0); ++d) {
    if (!contains(lhs_used, d)) result.dims.push_back(site.operand(0).dims[at(d)]);
  }
  for (std::int64_t d = 0; d < site.rank(1); ++d) {
    if (!contains(rhs_used, d)) result.dims.push_back(site.operand(1).dims[at(d)]);
  }
  return result;
}

// One operand of a dot as a row-major [batch][rows][columns] block.
struct Panel {
  std::int64_t batch = 1, rows = 1, columns = 1;
  std::vector<double> elements;
};

Panel panel(const Tensor& a, const Dims& batch, const Dims& rows, const Dims& columns) {
  const Dims from = row_major_strides(a.shape.dims);
  Panel result;
  Dims dims, strides;
  for (const auto& [group, extent] :
       {std::pair{&batch, &result.batch}, {&rows, &result.rows}, {&columns, &result.columns}}) {
    for (std::int64_t d : *group) {
      *extent *= a.shape.dims[at(d)];
      dims.push_back(a.shape.dims[at(d)]);
      strides.push_back(from[at(d)]);
    }
  }
  result.elements.reserve(a.elements.size());
  for_each_index<1>(dims, {strides}, {0}, [&](const Offsets<1>& offset) {
    result.elements.push_back(a.elements[at(offset[0])]);
  });
  return result;
}

Dims free_dims(const Tensor& a, const Dims& batch, const Dims& contracting) {
  std::vector<bool> used(a.shape.dims.size());
  for (std::int64_t d : batch) used[at(d)] = true;
  for (std::int64_t d : contracting) used[at(d)] = true;
  Dims dims;
  for (std::size_t d = 0; d < used.size(); ++d) {
    if (!used[d]) dims.push_back(static_cast<std::int64_t>(d));
  }
  return dims;
}

// result[i][j] = sum over k of lhs[i][k] * rhs[k][j], in the order of k.
void multiply(const double* lhs, const double* rhs, double* result, std::int64_t rows,
              std::int64_t terms, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i, result += columns) {
    for (std::int64_t k = 0; k < terms; ++k) {
      const double factor = lhs[i * terms + k];
      const double* row = rhs + k * columns;
      for (std::int64_t j = 0; j < columns; ++j) result[j] += factor * row[j];
    }
  }
}

Tensor dot(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const Tensor& b = *operands[1];
  const auto& dims = op.attributes.get<DotAttr>();
  const Panel lhs = panel(a, dims.lhs_batch, free_dims(a, dims.lhs_batch, dims.lhs_contracting),
                          dims.lhs_contracting);
  const Panel rhs = panel(b, dims.rhs_batch, dims.rhs_contracting,
                          free_dims(b, dims.rhs_batch, dims.rhs_contracting));
  Tensor result = filled(op.shape);
  for (std::int64_t i = 0; i < lhs.batch; ++i) {
    multiply(lhs.elements.data() + i * lhs.rows * lhs.columns,
             rhs.elements.data() + i * rhs.rows * rhs.columns,
             result.elements.data() + i * lhs.rows * rhs.columns, lhs.rows, lhs.columns,
             rhs.columns);
  }
  if (!is_floating(op.shape.dtype)) round_all(op.shape.dtype, result.elements);
  return result;
}

/// A tensor whose dims carry labels: dims with one label run over the same index.
struct Labelled {
  ValueId value;
  std::vector<int> labels;
};

bool has(const std::vector<int>& labels, int label) {
  return std::ranges::find(labels, label) != labels.end();
}
std::int64_t position(const std::vector<int>& labels, int label) {
  return std::ranges::find(labels, label) - labels.begin();
}

/// Labels of dot(a, b) when labels of both that `target` has are batch dims, in target's order, and
/// the others contracted.
std::vector<int> dot_labels(const Labelled& a, const Labelled& b, const std::vector<int>& target) {
  std::vector<int> labels;
  for (int label : target) {
    if (has(a.labels, label) && has(b.labels, label)) labels.push_back(label);
  }
  for (int label : a.labels) {
    if (!has(b.labels, label)) labels.push_back(label);
  }
  for (int label : b.labels) {
    if (!has(a.labels, label)) labels.push_back(label);
  }
  return labels;
}

DotAttr dot_dims(const Labelled& a, const Labelled& b, const std::vector<int>& target) {
  DotAttr dims;
  for (int label : target) {
    if (!has(a.labels, label) || !has(b.labels, label)) continue;
    dims.lhs_batch.push_back(position(a.labels, label));
    dims.rhs_batch.push_back(position(b.labels, label));
  }
  for (int label : a.labels) {
    if (!has(b.labels, label) || has(target, label)) continue;
    dims.lhs_contracting.push_back(position(a.labels, label));
    dims.rhs_contracting.push_back(position(b.labels, label));
  }
  return dims;
}

/// The contraction of `a` and `b` with dims as in `target`, operands in the order that needs no
/// transpose, or else one that leaves the last dim in place, if there is one.
ValueId contract(Builder& builder, Labelled a, Labelled b, const std::vector<int>& target) {
  const auto fit = [&](const std::vector<int>& labels) {
    return labels == target ? 2 : !target.empty() && labels.back() == target.back() ? 1 : 0;
  };
  if (fit(dot_labels(b, a, target)) > fit(dot_labels(a, b, target))) std::swap(a, b);
  const std::vector<int> labels = dot_labels(a, b, target);
  const ValueId result = builder.dot(a.value, b.value, dot_dims(a, b, target));
  if (labels == target) return result;
  Dims permutation;
  for (int label : target) permutation.push_back(position(labels, label));
  return builder.transpose(result, permutation);
}

/// Labels per dim of lhs and rhs: batch and contracting pairs alike, free dims of their own.
std::pair<std::vector<int>, std::vector<int>> operand_labels(const Pullback& p) {
  const DotAttr& dot = p.op.attributes.get<DotAttr>();
  std::vector<int> lhs(p.operand_dims(0).size(), -1), rhs(p.operand_dims(1).size(), -1);
  int next = 0;
  const auto pair = [&](const Dims& lhs_dims, const Dims& rhs_dims) {
    for (std::size_t i = 0; i < lhs_dims.size(); ++i, ++next) {
      lhs[static_cast<std::size_t>(lhs_dims[i])] = rhs[static_cast<std::size_t>(rhs_dims[i])] =
          next;
    }
  };
  pair(dot.lhs_batch, dot.rhs_batch);
  pair(dot.lhs_contracting, dot.rhs_contracting);
  for (std::vector<int>* labels : {&lhs, &rhs}) {
    for (int& label : *labels) label = label < 0 ? next++ : label;
  }
  return {lhs, rhs};
}

Terms dot_terms(const Pullback& p) {
  const auto [lhs_labels, rhs_labels] = operand_labels(p);
  const DotAttr& dot = p.op.attributes.get<DotAttr>();
  std::vector<int> result_labels;
  for (std::int64_t dim : dot.lhs_batch) {
    result_labels.push_back(lhs_labels[static_cast<std::size_t>(dim)]);
  }
  for (int label : lhs_labels) {
    if (!has(rhs_labels, label)) result_labels.push_back(label);
  }
  for (int label : rhs_labels) {
    if (!has(lhs_labels, label)) result_labels.push_back(label);
  }
  const Labelled lhs{p.op.operands[0], lhs_labels}, rhs{p.op.operands[1], rhs_labels};
  const Labelled gradient{p.gradient, result_labels};
  Terms terms(2, kNoValue);
  if (p.wanted[0]) terms[0] = contract(p.builder, gradient, rhs, lhs_labels);
  if (p.wanted[1]) terms[1] = contract(p.builder, lhs, gradient, rhs_labels);
  return terms;
}

/// Each result element is a sum over the contracted dims of lhs.
double dot_flops(const Program& program, const Op& op) {
  double terms = 1;
  for (std::int64_t dim : op.attributes.get<DotAttr>().lhs_contracting) {
    terms *= static_cast<double>(program.shape(op.operands[0]).dims[at(dim)]);
  }
  return 2 * terms * static_cast<double>(num_elements(op.shape));
}

void write_dot(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<DotAttr>();
  if (!a.lhs_batch.empty()) writer.print_dims("lhs_batch_dims", a.lhs_batch);
  writer.print_dims("lhs_contracting_dims", a.lhs_contracting);
  if (!a.rhs_batch.empty()) writer.print_dims("rhs_batch_dims", a.rhs_batch);
  writer.print_dims("rhs_contracting_dims", a.rhs_contracting);
}

Attributes read_dot(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  const auto dims = [&](const char* key) { return hlo::read_integers(instruction.attribute(key)); };
  return DotAttr{dims("lhs_batch_dims"), dims("rhs_batch_dims"), dims("lhs_contracting_dims"),
                 dims("rhs_contracting_dims")};
}

/// Appends a dim of `size` to `dims` and lists it.
void add_dim(Dims& dims, std::int64_t size, Dims& list) {
  list.push_back(std::ssize(dims));
  dims.push_back(size);
}

ValueId sample_dot(Sampler& s) {
  DotAttr attributes;
  Dims lhs, rhs;
  for (std::int64_t b = s.draw(3); b > 0; --b) {
    const std::int64_t size = s.extent();
    add_dim(lhs, size, attributes.lhs_batch);
    add_dim(rhs, size, attributes.rhs_batch);
  }
  for (std::int64_t c = 1 + s.draw(2); c > 0; --c) {
    const std::int64_t size = s.extent();
    add_dim(lhs, size, attributes.lhs_contracting);
    add_dim(rhs, size, attributes.rhs_contracting);
  }
  for (std::int64_t f = s.draw(3); f > 0; --f) lhs.push_back(s.extent());
  for (std::int64_t f = s.draw(3); f > 0; --f) rhs.push_back(s.extent());
  const ValueId a = s.input(lhs);
  return s.builder.dot(a, s.input(rhs), attributes);
}

constexpr OpTraits kDotRows[] = {
    {.kind = OpKind::dot,
     .name = "dot",
     .op_class = OpClass::contraction,
     .arity = 2,
     .heavy = true,
     .infer = dot,
     .evaluate = dot,
     .terms = dot_terms,
     .flops = dot_flops,
     .write = write_dot,
     .read = read_dot,
     .sample = sample_dot},
};

}  // namespace

std::span<const OpTraits> dot_ops() { return kDotRows; }

}  // namespace rhino::ir
