// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/loop_source.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/loop_values.hpp"

namespace rhino::runtime::cuda {
namespace {

using Member = lower::LoopNest::Member;

/// So many results, or so few elements for each, and a thread takes one; else a block does.
constexpr std::int64_t kManyResults = 4096, kFewTerms = 32;

struct Terms {
  lower::Dims kept, reduced;  ///< extents
  lower::View from_kept, from_reduced;
};

Terms terms_of(const Program& program, const Op& reduce) {
  const lower::Dims& dims = program.shape(reduce.operands[0]).dims;
  const lower::Dims strides = lower::dense_strides(dims);
  const lower::Dims& reduced = reduce.attributes.get<ReduceAttr>().dims;
  Terms terms;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool is_reduced = contains(reduced, static_cast<std::int64_t>(d));
    (is_reduced ? terms.reduced : terms.kept).push_back(dims[d]);
    (is_reduced ? terms.from_reduced : terms.from_kept).strides.push_back(strides[d]);
  }
  return terms;
}

std::int64_t product(const lower::Dims& dims) {
  std::int64_t result = 1;
  for (std::int64_t extent : dims) result *= extent;
  return result;
}

class LoopSource {
 public:
  LoopSource(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
             const lower::LoopNest& nest, ValueId scratch)
      : lowered_(lowered),
        nest_(nest),
        written_(group.outputs.begin(), group.outputs.end()),
        scratch_(scratch) {
    for (const Member& member : nest.members) {
      members_[member.op] = member;
      if (member.folds) folds_.push_back(member);
      if (accumulates(member)) {
        accumulators_.push_back(member);
      } else if (written_.contains(base(member.op))) {
        stored_.push_back(member);
      }
    }
  }

  std::vector<KernelText> run() {
    std::vector<KernelText> kernels;
    if (nest_.rows * nest_.columns > 0) {
      if (!accumulators_.empty() && !folds_.empty()) kernels.push_back(folds_to_scratch());
      has_scratch_ = !kernels.empty();
    }
    for (const Member& member : accumulators_) kernels.push_back(accumulate(member));
    if (!stored_.empty() && nest_.rows * nest_.columns > 0) kernels.push_back(main());
    return kernels;
  }

 private:
  const Op& op(ValueId id) const { return lowered_.program.op(id); }
  ValueId base(ValueId id) const { return lowered_.views[at(id)].base; }
  std::string type(const Member& member) const { return computed_type(op(member.op).shape.dtype); }
  bool accumulates(const Member& member) const {
    return op(member.op).kind == OpKind::reduce && !member.folds;
  }
  std::int64_t elements() const { return nest_.rows * nest_.columns; }
  static Reduction reduction(const Op& op) { return op.attributes.get<ReduceAttr>().reduction; }

  std::string row_of_element() const {
    return "const Index r = i / " + std::to_string(nest_.columns) + ";\n";
  }
  static std::string fold_name(std::size_t fold) { return "f" + std::to_string(fold); }

  /// Members whose values those in `wanted` need, themselves included.
  std::set<ValueId> needed(const std::vector<Member>& wanted) const {
    std::set<ValueId> found;
    std::vector<ValueId> open;
    for (const Member& member : wanted) open.push_back(member.op);
    while (!open.empty()) {
      const ValueId next = open.back();
      open.pop_back();
      if (!found.insert(next).second) continue;
      for (ValueId operand : op(next).operands) {
        if (members_.contains(base(operand))) open.push_back(base(operand));
      }
    }
    return found;
  }

  /// Largest index into any memory of this kernel, or a bound of it.
  std::int64_t largest(const KernelWriter&) const {
    std::int64_t most = elements();
    for (const auto& [id, member] : members_) {
      most = std::max(most, num_elements(op(id).shape));
      for (ValueId operand : op(id).operands) {
        const ValueId from = base(operand);
        if (from != kNoValue) most = std::max(most, num_elements(op(from).shape));
      }
    }
    return most;
  }

  /// Statements that give every needed fold its name, for row `r` and all threads of the block.
  std::string fold_rows(const std::set<ValueId>& needs, LoopValues& values) {
    std::string text;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const Member& fold = folds_[f];
      if (!needs.contains(fold.op)) continue;
      const Op& reduce = op(fold.op);
      const DType dtype = reduce.shape.dtype;
      const std::string term = values.operand(fold, 0), name = fold_name(f);
      const std::string function = functor(reduction(reduce));
      text += values.take_rows();
      text += type(fold) + " " + name + " = " +
              literal(dtype, ir::neutral_element(reduction(reduce), dtype)) + ";\n";
      text += over_columns(values.take_elements() + name + " = " + function + "(" + name + ", " +
                           term + ");\n");
      text += name + " = " + rounded(dtype, "fold_block(" + function + ", " + name + ")") + ";\n";
      values.name_row(fold.op, name);
    }
    return text;
  }

  std::string over_columns(const std::string& body) const {
    const std::string columns = std::to_string(nest_.columns);
    return "for (Index c = threadIdx.x; c < " + columns +
           "; c += blockDim.x) {\nconst Index i = r * " + columns + " + c;\n" + body + "}\n";
  }

  KernelText by_rows(const KernelWriter& writer, const std::string& body) const {
    KernelText kernel =
        writer.finish("for (Index r = blockIdx.x; r < " + std::to_string(nest_.rows) +
                          "; r += gridDim.x) {\n" + body + "}\n",
                      largest(writer));
    spread(kernel, nest_.rows);
    kernel.blocks = std::min<std::int64_t>(nest_.rows, kMaxRowBlocks);
    kernel.threads = block_threads(nest_.columns);
    return kernel;
  }
  static constexpr std::int64_t kMaxRowBlocks = 65536;

  KernelText folds_to_scratch() {
    KernelWriter writer;
    LoopValues values(lowered_, nest_, writer);
    std::string body = fold_rows(needed(folds_), values), stores;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      stores += "((" + type(folds_[f]) + "*)" + writer.pointer(scratch_ + static_cast<ValueId>(f)) +
                ")[r] = " + fold_name(f) + ";\n";
    }
    return by_rows(writer, body + "if (threadIdx.x == 0) {\n" + stores + "}\n");
  }

  void name_scratch(KernelWriter& writer, LoopValues& values) const {
    for (std::size_t f = 0; has_scratch_ && f < folds_.size(); ++f) {
      values.name_row(folds_[f].op, "((const " + type(folds_[f]) + "*)" +
                                        writer.pointer(scratch_ + static_cast<ValueId>(f)) +
                                        ")[r]");
    }
  }

  KernelText accumulate(const Member& member) {
    const Op& reduce = op(member.op);
    const DType dtype = reduce.shape.dtype;
    const Terms terms = terms_of(lowered_.program, reduce);
    const std::int64_t results = product(terms.kept), count = product(terms.reduced);
    KernelWriter writer;
    LoopValues values(lowered_, nest_, writer);
    name_scratch(writer, values);
    const std::string term = values.operand(member, 0);
    const std::string function = functor(reduction(reduce));
    const std::string from = offset_of(terms.kept, terms.from_kept, "k") + " + " +
                             offset_of(terms.reduced, terms.from_reduced, "j");
    std::string step = member.per_row ? "const Index r = " + from + ";\n"
                                      : "const Index i = " + from + ";\n" + row_of_element();
    step += values.take_rows() + values.take_elements() + "sum = " + function + "(sum, " + term +
            ");\n";
    const bool by_thread = results >= kManyResults || count <= kFewTerms;
    const std::string start =
        type(member) + " sum = " + literal(dtype, ir::neutral_element(reduction(reduce), dtype)) +
        ";\n";
    const std::string loop = std::string("for (Index j = ") + (by_thread ? "0" : "threadIdx.x") +
                             "; j < " + std::to_string(count) +
                             "; j += " + (by_thread ? "1" : "blockDim.x") + ") {\n" + step + "}\n";
    const std::string store = writer.store(dtype, member.op, "k", rounded(dtype, "sum"));
    if (by_thread) {
      KernelText kernel = writer.finish(KernelWriter::for_each("k", results, start + loop + store),
                                        largest(writer));
      spread(kernel, results);
      return kernel;
    }
    KernelText kernel =
        writer.finish("for (Index k = blockIdx.x; k < " + std::to_string(results) +
                          "; k += gridDim.x) {\n" + start + loop + "sum = fold_block(" + function +
                          ", sum);\nif (threadIdx.x == 0) " + store + "}\n",
                      largest(writer));
    kernel.blocks = results;
    kernel.threads = block_threads(count);
    return kernel;
  }

  /// All that is stored: values first, so that no element is overwritten before it is read.
  KernelText main() {
    KernelWriter writer;
    LoopValues values(lowered_, nest_, writer);
    name_scratch(writer, values);
    const std::set<ValueId> needs = needed(stored_);
    const bool stores_rows = std::ranges::any_of(stored_, LoopValues::is_row);
    const bool folds = !has_scratch_ && std::ranges::any_of(folds_, [&](const Member& fold) {
      return needs.contains(fold.op);
    });
    std::string body = has_scratch_ ? "" : fold_rows(needs, values);
    std::string rows, elements;
    for (const Member& member : stored_) {
      const bool row = LoopValues::is_row(member);
      const std::string value = values.value(member);
      (row ? rows : elements) += writer.store(
          op(member.op).shape.dtype, base(member.op),
          offset_of(op(member.op).shape.dims, lowered_.views[at(member.op)], row ? "r" : "i"),
          value);
    }
    const std::string row_text = values.take_rows(), element_text = values.take_elements();
    if (!folds && !stores_rows) {
      KernelText kernel = writer.finish(
          KernelWriter::for_each("i", elements_count(),
                                 row_of_element() + row_text + element_text + elements),
          largest(writer));
      spread(kernel, elements_count());
      return kernel;
    }
    body += row_text;
    if (!elements.empty()) body += over_columns(element_text + elements);
    // Rows last: other threads may still read what they replace.
    if (stores_rows) body += "__syncthreads();\nif (threadIdx.x == 0) {\n" + rows + "}\n";
    return by_rows(writer, body);
  }
  std::int64_t elements_count() const { return elements(); }

  const lower::LoweredProgram& lowered_;
  const lower::LoopNest& nest_;
  const std::set<ValueId> written_;  ///< bases
  ValueId scratch_;
  bool has_scratch_ = false;
  std::map<ValueId, Member> members_;
  std::vector<Member> folds_, accumulators_, stored_;
};

}  // namespace

std::vector<KernelText> loop_kernels(const lower::LoweredProgram& lowered,
                                     const lower::KernelGroup& group, const lower::LoopNest& nest,
                                     ValueId scratch) {
  return LoopSource(lowered, group, nest, scratch).run();
}

}  // namespace rhino::runtime::cuda
