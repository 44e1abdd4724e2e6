// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/loop_source.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/column_sums.hpp"
#include "runtime/cuda/loop_values.hpp"
#include "runtime/cuda/other_sums.hpp"

namespace rhino::runtime::cuda {
namespace {

using Member = lower::LoopNest::Member;

constexpr std::size_t kMostColumnSums = 4;
constexpr std::int64_t kScratchElement = 8;

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
        add_accumulator(member);
      } else if (written_.contains(base(member.op))) {
        stored_.push_back(member);
      }
    }
  }

  LoopKernels run() {
    LoopKernels made;
    std::vector<KernelText>& kernels = made.kernels;
    const bool accumulates = !accumulators_.empty() || !column_sums_.empty();
    if (elements() > 0 && accumulates && !folds_.empty()) kernels.push_back(folds_to_scratch());
    has_scratch_ = !kernels.empty();
    if (has_scratch_) made.scratch_bytes.resize(folds_.size(), nest_.rows * kScratchElement);
    for (const Member& member : accumulators_) add(other_sums(inputs_behind(made), member), made);
    for (const ColumnSums& sums : column_sums_) add_column_sums(sums, made);
    if (!stored_.empty() && elements() > 0 && !sums_store()) kernels.push_back(main());
    return made;
  }

 private:
  const Op& op(ValueId id) const { return lowered_.program.op(id); }
  ValueId base(ValueId id) const { return lowered_.views[at(id)].base; }
  std::string type(const Member& member) const { return computed_type(op(member.op).shape.dtype); }
  bool accumulates(const Member& member) const {
    return op(member.op).kind == OpKind::reduce && !member.folds;
  }
  /// Sums of as many columns over as many rows are made by one kernel, as far as registers go.
  void add_accumulator(const Member& member) {
    const ColumnSums sums = column_sums_of(lowered_.program, member);
    if (sums.members.empty()) return accumulators_.push_back(member);
    for (ColumnSums& known : column_sums_) {
      if (known.blocks != sums.blocks || known.count != sums.count ||
          known.results != sums.results || known.members.size() == kMostColumnSums)
        continue;
      return known.members.push_back(member);
    }
    column_sums_.push_back(sums);
  }

  /// The last sums of columns, behind which nothing is read, meet each element once: they store it.
  bool sums_store() const {
    if (column_sums_.empty() || std::ranges::any_of(stored_, LoopValues::is_row)) return false;
    const ColumnSums& last = column_sums_.back();
    return last.blocks * last.count * last.results == elements();
  }

  /// Of sums whose scratch is behind what was made.
  SumsInputs inputs_behind(const LoopKernels& made) const {
    SumsInputs inputs{lowered_, nest_, widest(), largest()};
    inputs.scratch = scratch_ + static_cast<ValueId>(made.scratch_bytes.size());
    inputs.name_rows = [this](KernelWriter& writer, LoopValues& values) {
      name_scratch(writer, values);
    };
    return inputs;
  }
  static void add(SumsSource source, LoopKernels& made) {
    std::ranges::move(source.kernels, std::back_inserter(made.kernels));
    std::ranges::copy(source.scratch_bytes, std::back_inserter(made.scratch_bytes));
  }
  void add_column_sums(const ColumnSums& sums, LoopKernels& made) const {
    SumsInputs inputs = inputs_behind(made);
    if (&sums == &column_sums_.back() && sums_store())
      inputs.store = [this](LoopValues& values) { return store_all(values).elements; };
    add(column_sums(inputs, sums), made);
  }

  std::int64_t elements() const { return nest_.rows * nest_.columns; }
  static Reduction reduction(const Op& op) { return op.attributes.get<ReduceAttr>().reduction; }

  /// `body` behind the row `r` of element `i`.
  std::string with_row(const std::string& body) const {
    return with_index("r", "i / " + std::to_string(nest_.columns), body);
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
  std::int64_t largest() const {
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
  std::string fold_rows(const std::set<ValueId>& needs, LoopValues& values, std::int64_t width) {
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
      text += over_columns(
          values,
          values.take_elements() + name + " = " + function + "(" + name + ", " + term + ");\n",
          width);
      text += name + " = " + rounded(dtype, "fold_block(" + function + ", " + name + ")") + ";\n";
      values.name_row(fold.op, name);
    }
    return text;
  }

  /// `body` for each of `width` elements from `first` on, between what loads and stores them all.
  std::string over_width(LoopValues& values, const std::string& body, std::int64_t width) const {
    if (width == 1) return body;
    const std::string loads = values.take_loads();
    return loads + "#pragma unroll\nfor (int u = 0; u < " + std::to_string(width) + "; ++u) {\n" +
           with_index("i", "first + u", body) + "}\n" + values.take_stores();
  }

  /// A thread's turns at a row.
  std::int64_t num_turns(std::int64_t width) const {
    const std::int64_t at_once = block_threads(nest_.columns / width) * width;
    return (nest_.columns + at_once - 1) / at_once;
  }
  std::string over_columns(LoopValues& values, const std::string& body, std::int64_t width) const {
    const std::string columns = std::to_string(nest_.columns), by = times(width);
    const std::string each = with_index(width > 1 ? "first" : "i", "r * " + columns + " + c",
                                        over_width(values, body, width));
    if (!writes_turns_)
      return "for (Index c = threadIdx.x" + by + "; c < " + columns + "; c += blockDim.x" + by +
             ") {\n" + each + "}\n";
    const std::int64_t threads = block_threads(nest_.columns / width);
    const bool is_whole = nest_.columns % (threads * width) == 0;
    const std::string place = "(n * " + std::to_string(threads) + " + (int)threadIdx.x)" + by;
    return "#pragma unroll\nfor (int n = 0; n < " + std::to_string(num_turns(width)) +
           "; ++n) {\n" +
           with_index("c", place, is_whole ? each : "if (c < " + columns + ") {\n" + each + "}\n") +
           "}\n";
  }
  static std::string times(std::int64_t width) {
    return width > 1 ? " * " + std::to_string(width) : "";
  }

  /// The most elements that a thread takes at once: 16 bytes of the narrowest.
  std::int64_t widest() const {
    std::int64_t bytes = kLeastBytes;
    bool is_first = true;
    for (const auto& [id, member] : members_) {
      const std::int64_t own = dtype_bytes(op(id).shape.dtype);
      if (own < kLeastBytes || LoopValues::is_row(member)) continue;
      bytes = is_first ? own : std::min(bytes, own);
      is_first = false;
    }
    return kVectorBytes / bytes;
  }
  /// The same for rows of a block, whose threads should all have some.
  std::int64_t widest_of_row() const {
    std::int64_t width = widest();
    while (width > 1 && (nest_.columns % width != 0 || nest_.columns / width < kWarp)) width /= 2;
    return width;
  }
  static constexpr std::int64_t kVectorBytes = 16, kLeastBytes = 2, kWarp = 32;
  /// Of what travels together; more would leave too few threads.
  static constexpr std::int64_t kMaxPackedRegisters = 64;

  KernelText by_rows(const KernelWriter& writer, const std::string& body,
                     std::int64_t width) const {
    KernelText kernel =
        writer.finish("for (Index r = blockIdx.x; r < " + std::to_string(nest_.rows) +
                          "; r += gridDim.x) {\n" + body + "}\n",
                      largest());
    spread(kernel, nest_.rows);
    kernel.blocks = std::min<std::int64_t>(nest_.rows, kMaxRowBlocks);
    kernel.threads = block_threads(nest_.columns / width);
    kernel.kind = kRowsKind;
    kernel.at_once = kRowBlocksAtOnce;
    return kernel;
  }
  /// Left to itself ptxas gives rows registers for all threads that there is room for, and spills.
  static constexpr int kRowBlocksAtOnce = 2;
  static constexpr std::int64_t kMaxRowBlocks = 65536, kMostTurns = 8, kMostKeptRegisters = 32,
                                kMostTurnRegisters = 48;

  /// A kernel by rows whose few turns are written out, so that loads of all are under way, and
  /// which keeps what it loads; as a loop where that would take too many registers.
  template <class Make>
  KernelText with_turns(std::int64_t width, Make make) {
    writes_turns_ = width > 1 && num_turns(width) <= kMostTurns;
    while (true) {
      KernelWriter writer;
      LoopValues values(lowered_, nest_, writer, width);
      if (writes_turns_) values.keep_rows(num_turns(width), kMostKeptRegisters);
      KernelText kernel = make(writer, values);
      const std::int64_t registers =
          values.num_kept_registers() + num_turns(width) * values.num_packed_registers();
      const bool is_good = !writes_turns_ || registers <= kMostTurnRegisters;
      writes_turns_ = false;
      if (is_good) return kernel;
    }
  }

  KernelText folds_to_scratch() {
    const std::int64_t width = widest_of_row();
    return with_turns(width, [&](KernelWriter& writer, LoopValues& values) {
      std::string body = fold_rows(needed(folds_), values, width), stores;
      for (std::size_t f = 0; f < folds_.size(); ++f) {
        stores += "((" + type(folds_[f]) + "*)" +
                  writer.pointer(scratch_ + static_cast<ValueId>(f)) + ")[r] = " + fold_name(f) +
                  ";\n";
      }
      return by_rows(
          writer, values.take_kept() + body + "if (threadIdx.x == 0) {\n" + stores + "}\n", width);
    });
  }

  void name_scratch(KernelWriter& writer, LoopValues& values) const {
    for (std::size_t f = 0; has_scratch_ && f < folds_.size(); ++f) {
      values.name_row(folds_[f].op, "((const " + type(folds_[f]) + "*)" +
                                        writer.pointer(scratch_ + static_cast<ValueId>(f)) +
                                        ")[r]");
    }
  }

  /// All that is stored, as many elements at once as registers hold.
  KernelText main() {
    const std::set<ValueId> needs = needed(stored_);
    const bool stores_rows = std::ranges::any_of(stored_, LoopValues::is_row);
    const bool folds = !has_scratch_ && std::ranges::any_of(folds_, [&](const Member& fold) {
      return needs.contains(fold.op);
    });
    const bool is_by_rows = folds || stores_rows;
    std::int64_t width = calls_sine(lowered_, nest_) ? 1 : is_by_rows ? widest_of_row() : widest();
    while (width > 1 && elements() % width != 0) width /= 2;
    for (;; width /= 2) {
      std::int64_t packed = 0;
      const auto make = [&](KernelWriter& writer, LoopValues& values) {
        KernelText kernel = is_by_rows ? main_by_rows(writer, values, width)
                                       : main_by_elements(writer, values, width);
        packed = values.num_packed_registers();
        return kernel;
      };
      KernelText kernel;
      if (is_by_rows) {
        kernel = with_turns(width, make);
      } else {
        KernelWriter writer;
        LoopValues values(lowered_, nest_, writer, width);
        kernel = make(writer, values);
      }
      if (width == 1 || packed <= kMaxPackedRegisters) return kernel;
    }
  }

  struct Stores {
    std::string rows, elements;
  };
  /// Values first, so that no element is overwritten before it is read.
  Stores store_all(LoopValues& values) const {
    Stores stores;
    for (const Member& member : stored_) {
      const std::string value = values.value(member);
      (LoopValues::is_row(member) ? stores.rows : stores.elements) += values.store(member, value);
    }
    return stores;
  }

  KernelText main_by_elements(KernelWriter& writer, LoopValues& values, std::int64_t width) {
    name_scratch(writer, values);
    const Stores stores = store_all(values);
    const std::string rows = values.take_rows(), made = values.take_elements();
    std::string body = with_row(rows + made + stores.elements);
    if (width > 1)
      body = "const Index first = v" + times(width) + ";\n" + over_width(values, body, width);
    KernelText kernel = writer.finish(
        KernelWriter::for_each(width > 1 ? "v" : "i", elements() / width, body), largest());
    spread(kernel, elements() / width);
    kernel.kind = "elementwise";
    return kernel;
  }

  KernelText main_by_rows(KernelWriter& writer, LoopValues& values, std::int64_t width) {
    name_scratch(writer, values);
    std::string body = has_scratch_ ? "" : fold_rows(needed(stored_), values, width);
    const Stores stores = store_all(values);
    body += values.take_rows();
    const std::string made = values.take_elements();
    if (!stores.elements.empty()) body += over_columns(values, made + stores.elements, width);
    body = values.take_kept() + body;
    // Rows last: other threads may still read what they replace.
    if (!stores.rows.empty())
      body += "__syncthreads();\nif (threadIdx.x == 0) {\n" + stores.rows + "}\n";
    return by_rows(writer, body, width);
  }

  const lower::LoweredProgram& lowered_;
  const lower::LoopNest& nest_;
  const std::set<ValueId> written_;  ///< bases
  ValueId scratch_;
  bool has_scratch_ = false;
  bool writes_turns_ = false;
  std::map<ValueId, Member> members_;
  std::vector<Member> folds_, accumulators_, stored_;
  std::vector<ColumnSums> column_sums_;
};

}  // namespace

LoopKernels loop_kernels(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                         const lower::LoopNest& nest, ValueId scratch) {
  return LoopSource(lowered, group, nest, scratch).run();
}

}  // namespace rhino::runtime::cuda
