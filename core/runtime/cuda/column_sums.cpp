// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/column_sums.hpp"

#include <algorithm>
#include <string>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime::cuda {
namespace {

using Reduce = lower::LoopNest::Member;

constexpr std::int64_t kLanes = 32, kWarps = 8;
/// Fewer rows, or columns, leave a block's threads without work.
constexpr std::int64_t kLeastRows = 64, kLeastColumns = 32;
/// Blocks of a multiprocessor: left to itself ptxas gives 32 registers and spills. One that reads
/// very many tensors needs what there is.
constexpr int kAtOnce = 3, kAtOnceOfMany = 1;
constexpr std::size_t kManyTensors = 24;

class ColumnSumsWriter {
 public:
  ColumnSumsWriter(const SumsInputs& in, const ColumnSums& sums) : in_(in), sums_(sums) {}

  SumsSource run() {
    SumsSource source;
    source.kernels.push_back(by_blocks());
    if (num_chunks_ == 1) return source;
    for (std::size_t i = 0; i < sums_.members.size(); ++i) {
      source.kernels.push_back(of_blocks(i));
      source.scratch_bytes.push_back(num_partial() * kBytesOfSum);
    }
    return source;
  }

 private:
  const Op& op(const Reduce& member) const { return in_.lowered.program.op(member.op); }
  DType dtype(const Reduce& member) const { return op(member).shape.dtype; }
  std::string type(const Reduce& member) const { return computed_type(dtype(member)); }
  Reduction reduction(const Reduce& member) const {
    return op(member).attributes.get<ReduceAttr>().reduction;
  }
  std::string neutral(const Reduce& member) const {
    return literal(dtype(member), ir::neutral_element(reduction(member), dtype(member)));
  }
  static std::string name(std::size_t i) { return "sum" + std::to_string(i); }
  std::string partial(KernelWriter& writer, std::size_t i) const {
    return "((" + type(sums_.members[i]) + "*)" +
           writer.pointer(in_.scratch + static_cast<ValueId>(i)) + ")";
  }

  void choose(std::int64_t width) {
    num_stripes_ = parts(sums_.results, kLanes * width);
    const std::int64_t most = parts(sums_.count, kWarps * 4),
                       wanted = kBlocksOfSums / (num_stripes_ * sums_.blocks);
    rows_ = parts(sums_.count, std::clamp<std::int64_t>(wanted, 1, most));
    num_chunks_ = parts(sums_.count, rows_);
  }

  KernelText by_blocks() {
    std::int64_t width = in_.widest;
    while (width > 1 && (sums_.results % width != 0 || sums_.results / width < kLanes)) width /= 2;
    for (;; width /= 2) {
      KernelWriter writer;
      LoopValues values(in_.lowered, in_.nest, writer, width);
      in_.name_rows(writer, values);
      const std::string step = step_text(values, width);
      if (width > 1 && values.num_packed_registers() > kMaxPackedRegistersOfSums) continue;
      choose(width);
      KernelText kernel = writer.finish(around(writer, step, width), largest());
      kernel.blocks = sums_.blocks * num_stripes_ * num_chunks_;
      kernel.threads = kLanes * kWarps;
      kernel.kind = kColumnSumsKind;
      kernel.at_once = kernel.bases.size() > kManyTensors ? kAtOnceOfMany : kAtOnce;
      return kernel;
    }
  }
  std::int64_t num_partial() const { return sums_.blocks * num_chunks_ * sums_.results; }
  std::int64_t largest() const { return std::max(in_.largest, num_partial()); }
  /// Of all `blocks`, result `k` of block `b`.
  std::string result() const { return "b * " + decimal(sums_.results) + " + k"; }

  /// What row `j` of block `b` adds to the sums of its columns `k`, ...
  std::string step_text(LoopValues& values, std::int64_t width) const {
    std::string adds;
    for (std::size_t i = 0; i < sums_.members.size(); ++i) {
      const Reduce& member = sums_.members[i];
      const std::string sum = name(i) + (width > 1 ? "[u]" : "[0]");
      const std::string term = values.operand(member, 0);
      adds += sum + " = " + functor(reduction(member)) + "(" + sum + ", " + term + ");\n";
    }
    const std::string stores = in_.store ? in_.store(values) : std::string(),
                      rows = values.take_rows(), each = values.take_elements() + adds + stores;
    const std::string columns = decimal(in_.nest.columns), first = "(b * " + decimal(sums_.count) +
                                                                   " + j) * " +
                                                                   decimal(sums_.results) + " + k";
    if (width == 1) return with_index("i", first, with_index("r", "i / " + columns, rows + each));
    return with_index("first", first, for_width(in_, values, width, rows, each));
  }

  std::string around(KernelWriter& writer, const std::string& step, std::int64_t width) const {
    const std::string results = decimal(sums_.results);
    std::string body = "const Index k = (blockIdx.x % " + decimal(num_stripes_) +
                       " * 32 + threadIdx.x % 32) * " + decimal(width) + ", part = blockIdx.x / " +
                       decimal(num_stripes_) + ", chunk = part % " + decimal(num_chunks_) +
                       ", b = part / " + decimal(num_chunks_) + ";\n",
                stores;
    for (std::size_t i = 0; i < sums_.members.size(); ++i) {
      const Reduce& member = sums_.members[i];
      body += type(member) + " " + name(i) + "[" + decimal(width) +
              "];\n#pragma unroll\nfor (int u = 0; u < " + decimal(width) + "; ++u) " + name(i) +
              "[u] = " + neutral(member) + ";\n";
      stores += num_chunks_ == 1 ? writer.store(dtype(member), member.op, result() + " + u",
                                                rounded(dtype(member), name(i) + "[u]"))
                                 : partial(writer, i) + "[part * " + results +
                                       " + k + u] = " + name(i) + "[u];\n";
    }
    const std::string behind = "(chunk + 1) * " + decimal(rows_);
    body += "if (k < " + results + ") {\nconst Index end = " + behind + " < " +
            decimal(sums_.count) + " ? " + behind + " : " + decimal(sums_.count) +
            ";\n#pragma unroll 2\nfor (Index j = chunk * " + decimal(rows_) +
            " + threadIdx.x / 32; j < end; j += 8) {\n" + step + "}\n}\n";
    return body + folded(width) + "if (threadIdx.x < 32 && k < " + results +
           ") {\n#pragma unroll\nfor (int u = 0; u < " + decimal(width) + "; ++u) {\n" + stores +
           "}\n}\n";
  }
  std::string folded(std::int64_t width) const {
    std::string all;
    for (std::size_t i = 0; i < sums_.members.size(); ++i) {
      all += "fold_warps<" + decimal(width) + ">(" + functor(reduction(sums_.members[i])) + ", " +
             name(i) + ");\n";
    }
    return all;
  }

  KernelText of_blocks(std::size_t i) const {
    const Reduce& member = sums_.members[i];
    const std::int64_t num_stripes = parts(sums_.results, kLanes);
    const std::string results = decimal(sums_.results), function = functor(reduction(member)),
                      stripes = decimal(num_stripes), chunks = decimal(num_chunks_);
    KernelWriter writer;
    const std::string from = partial(writer, i);
    const std::string body =
        "const Index k = blockIdx.x % " + stripes + " * 32 + threadIdx.x % 32, b = blockIdx.x / " +
        stripes + ";\n" + type(member) + " sum[1] = {" + neutral(member) + "};\nif (k < " +
        results + ") {\n#pragma unroll 4\nfor (Index j = threadIdx.x / 32; j < " + chunks +
        "; j += 8) sum[0] = " + function + "(sum[0], " + from + "[(b * " + chunks + " + j) * " +
        results + " + k]);\n}\nfold_warps<1>(" + function +
        ", sum);\nif (threadIdx.x < 32 && k < " + results + ") " +
        writer.store(dtype(member), member.op, result(), rounded(dtype(member), "sum[0]"));
    KernelText kernel = writer.finish(body, largest());
    kernel.blocks = sums_.blocks * num_stripes;
    kernel.threads = kLanes * kWarps;
    kernel.kind = kColumnSumsKind;
    kernel.at_once = kAtOnce;
    return kernel;
  }

  const SumsInputs& in_;
  const ColumnSums& sums_;
  std::int64_t num_stripes_ = 1, rows_ = 1, num_chunks_ = 1;
};

}  // namespace

ColumnSums column_sums_of(const Program& program, const Reduce& reduce) {
  const Op& op = program.op(reduce.op);
  const lower::Dims& dims = program.shape(op.operands[0]).dims;
  const lower::Dims& reduced = op.attributes.get<ReduceAttr>().dims;
  ColumnSums sums{.members = {reduce}};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool is_reduced = contains(reduced, static_cast<std::int64_t>(d));
    if (is_reduced && dims[d] > 1 && sums.results > 1) return {};
    (is_reduced ? sums.count : sums.count == 1 ? sums.blocks : sums.results) *= dims[d];
  }
  const bool is_worth_it =
      !reduce.per_row && sums.count >= kLeastRows && sums.results >= kLeastColumns;
  return is_worth_it ? sums : ColumnSums{};
}

SumsSource column_sums(const SumsInputs& inputs, const ColumnSums& sums) {
  return ColumnSumsWriter(inputs, sums).run();
}

}  // namespace rhino::runtime::cuda
