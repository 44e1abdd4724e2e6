// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/other_sums.hpp"

#include <algorithm>
#include <string>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/reduce_terms.hpp"

namespace rhino::runtime::cuda {
namespace {

/// So many results, or so few elements for each, and a thread takes one; else a block does.
constexpr std::int64_t kManyResults = 4096, kFewTerms = 32;
/// Of a block that is one of several for a result, at the least.
constexpr std::int64_t kLeastTerms = 4096;

class OtherSums {
 public:
  OtherSums(const SumsInputs& in, const lower::LoopNest::Member& member)
      : in_(in),
        member_(member),
        reduce_(in.lowered.program.op(member.op)),
        terms_(terms_of(in.lowered.program, reduce_)),
        results_(product(terms_.kept)),
        count_(product(terms_.reduced)) {}

  SumsSource run() {
    if (results_ >= kManyResults || count_ <= kFewTerms) return {{by_threads()}, {}};
    const std::int64_t most =
        std::min(kBlocksOfSums / std::max<std::int64_t>(results_, 1), count_ / kLeastTerms);
    if (most < 2) return {{by_blocks()}, {}};
    return {{of_parts(most), of_results()}, {results_ * num_parts_ * kBytesOfSum}};
  }

 private:
  DType dtype() const { return reduce_.shape.dtype; }
  std::string type() const { return computed_type(dtype()); }
  Reduction reduction() const { return reduce_.attributes.get<ReduceAttr>().reduction; }
  std::string function() const { return functor(reduction()); }
  std::string start() const {
    return type() + " sum = " + literal(dtype(), ir::neutral_element(reduction(), dtype())) + ";\n";
  }
  std::string store(KernelWriter& writer) const {
    return writer.store(dtype(), member_.op, "k", rounded(dtype(), "sum"));
  }
  std::string fold() const { return "sum = fold_block(" + function() + ", sum);\n"; }
  std::string partial(KernelWriter& writer) const {
    return "((" + type() + "*)" + writer.pointer(in_.scratch) + ")";
  }

  /// What element `j` adds to sum `k`.
  std::string step_text(LoopValues& values) const {
    const std::string term = values.operand(member_, 0);
    const std::string from = offset_of(terms_.kept, terms_.from_kept, "k") + " + " +
                             offset_of(terms_.reduced, terms_.from_reduced, "j");
    std::string step = values.take_rows();
    step += values.take_elements() + "sum = " + function() + "(sum, " + term + ");\n";
    if (member_.per_row) return with_index("r", from, step);
    return with_index("i", from, with_index("r", "i / " + decimal(in_.nest.columns), step));
  }

  KernelText by_threads() const {
    KernelWriter writer;
    LoopValues values(in_.lowered, in_.nest, writer);
    in_.name_rows(writer, values);
    const std::string loop =
        "for (Index j = 0; j < " + decimal(count_) + "; j += 1) {\n" + step_text(values) + "}\n";
    KernelText kernel = writer.finish(
        KernelWriter::for_each("k", results_, start() + loop + store(writer)), in_.largest);
    spread(kernel, results_);
    kernel.kind = kSumsByThreadsKind;
    return kernel;
  }

  KernelText by_blocks() const {
    KernelWriter writer;
    LoopValues values(in_.lowered, in_.nest, writer);
    in_.name_rows(writer, values);
    return of_block_each(writer, count_, step_text(values), in_.largest);
  }
  /// A block for each result, which makes `step` for all `j` below `count`.
  KernelText of_block_each(KernelWriter& writer, std::int64_t count, const std::string& step,
                           std::int64_t largest) const {
    const std::string loop = "for (Index j = threadIdx.x; j < " + decimal(count) +
                             "; j += blockDim.x) {\n" + step + "}\n";
    KernelText kernel = writer.finish("for (Index k = blockIdx.x; k < " + decimal(results_) +
                                          "; k += gridDim.x) {\n" + start() + loop + fold() +
                                          "if (threadIdx.x == 0) " + store(writer) + "}\n",
                                      largest);
    kernel.blocks = results_;
    kernel.threads = block_threads(count);
    kernel.kind = kSumsByBlocksKind;
    return kernel;
  }

  /// Elements of a result lie side by side, in its operand as it is counted.
  bool is_inner() const {
    return lower::has_dense_strides(terms_.reduced, terms_.from_reduced.strides);
  }
  std::int64_t widest() const {
    if (member_.per_row || !is_inner() || calls_sine(in_.lowered, in_.nest)) return 1;
    std::int64_t width = in_.widest;
    while (count_ % width != 0) width /= 2;
    return width;
  }

  /// As far as registers go, several elements of a thread at once.
  KernelText of_parts(std::int64_t most) {
    for (std::int64_t width = widest();; width /= 2) {
      KernelWriter writer;
      LoopValues values(in_.lowered, in_.nest, writer, width);
      in_.name_rows(writer, values);
      const std::string step = width > 1 ? wide_step(values, width) : step_text(values);
      if (width > 1 && values.num_packed_registers() > kMaxPackedRegistersOfSums) continue;
      part_ = parts(parts(count_, most), width) * width;
      num_parts_ = parts(count_, part_);
      KernelText kernel = writer.finish(around(writer, step, width), in_.largest);
      kernel.blocks = results_ * num_parts_;
      kernel.threads = block_threads(part_ / width);
      kernel.kind = kSumsByBlocksKind;
      return kernel;
    }
  }
  std::string wide_step(LoopValues& values, std::int64_t width) const {
    const std::string term = values.operand(member_, 0), rows = values.take_rows();
    const std::string each =
        values.take_elements() + "sum = " + function() + "(sum, " + term + ");\n";
    return with_index("first", "k * " + decimal(count_) + " + j",
                      for_width(in_, values, width, rows, each));
  }
  std::string around(KernelWriter& writer, const std::string& step, std::int64_t width) const {
    const std::string by = width > 1 ? " * " + decimal(width) : "", num = decimal(num_parts_),
                      behind = "(part + 1) * " + decimal(part_), count = decimal(count_);
    const std::string loop = "#pragma unroll 2\nfor (Index j = part * " + decimal(part_) +
                             " + threadIdx.x" + by + "; j < end; j += blockDim.x" + by + ") {\n" +
                             step + "}\n";
    return "const Index part = blockIdx.x % " + num + ", end = " + behind + " < " + count + " ? " +
           behind + " : " + count + ";\n" + start() + with_index("k", "blockIdx.x / " + num, loop) +
           fold() + "if (threadIdx.x == 0) " + partial(writer) + "[blockIdx.x] = sum;\n";
  }

  KernelText of_results() const {
    KernelWriter writer;
    const std::string step = "sum = " + function() + "(sum, " + partial(writer) + "[k * " +
                             decimal(num_parts_) + " + j]);\n";
    return of_block_each(writer, num_parts_, step, results_ * num_parts_);
  }

  const SumsInputs& in_;
  const lower::LoopNest::Member& member_;
  const Op& reduce_;
  const Terms terms_;
  const std::int64_t results_, count_;
  std::int64_t part_ = 1, num_parts_ = 1;
};

}  // namespace

SumsSource other_sums(const SumsInputs& inputs, const lower::LoopNest::Member& reduce) {
  return OtherSums(inputs, reduce).run();
}

}  // namespace rhino::runtime::cuda
