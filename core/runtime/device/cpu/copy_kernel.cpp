// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "ir/element.hpp"
#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "runtime/box_copy.hpp"
#include "runtime/device/cpu/index_kernel.hpp"
#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {
namespace {

/// Copies the parts of a concatenation that do not lie in place yet.
class ConcatenateKernel : public Kernel {
 public:
  ConcatenateKernel(const lower::LoweredProgram& lowered, ValueId id, int num_threads)
      : num_threads_(num_threads), to_(id) {
    const Op& op = lowered.program.op(id);
    const std::int64_t size = dtype_bytes(op.shape.dtype);
    const auto dim = at(op.attributes.get<DimAttr>().dim);
    const lower::Dims strides = lower::dense_strides(op.shape.dims);
    std::int64_t start = 0;
    for (ValueId part : op.operands) {
      const lower::View& view = lowered.views[at(part)];
      const lower::Dims& dims = lowered.program.shape(part).dims;
      if (view.base != id) {
        parts_.push_back({view.base, view.offset * size, start * strides[dim] * size,
                          BoxCopy(dims, view.strides, strides, size)});
      }
      start += dims[dim];
    }
  }

  void run(Memory memory) override {
    for (const Part& part : parts_) {
      part.copy.run_threaded(memory[at(part.base)] + part.from, memory[at(to_)] + part.to,
                             num_threads_);
    }
  }

 private:
  struct Part {
    ValueId base;
    std::int64_t from, to;  ///< bytes
    BoxCopy copy;
  };
  int num_threads_;
  ValueId to_;
  std::vector<Part> parts_;
};

/// A constant scalar as bytes of its type.
struct Splat {
  std::byte element[8] = {};
  std::int64_t size = 1;

  Splat(DType dtype, double value) : size(dtype_bytes(dtype)) {
    ir::write_elements(dtype, {&value, 1}, element);
  }
  void fill(std::byte* to, std::int64_t count) const {
    if (std::ranges::all_of(element, element + size,
                            [](std::byte b) { return b == std::byte{0}; })) {
      std::memset(to, 0, at(count * size));
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * size, element, at(size));
  }
};

std::optional<Splat> splat_of(const Op& op) {
  if (op.kind != OpKind::constant) return std::nullopt;
  const std::vector<double>& elements = op.attributes.get<ConstantAttr>().elements;
  if (elements.size() != 1) return std::nullopt;
  return Splat(op.shape.dtype, elements[0]);
}

class PadKernel : public Kernel {
 public:
  PadKernel(const lower::LoweredProgram& lowered, ValueId id, int num_threads)
      : num_threads_(num_threads),
        from_(lowered.views[at(lowered.program.op(id).operands[0])].base),
        to_(id) {
    const Op& op = lowered.program.op(id);
    const PadAttr& pad = op.attributes.get<PadAttr>();
    const lower::Dims& dims = lowered.program.shape(op.operands[0]).dims;
    const lower::Dims from = lower::dense_strides(dims), to = lower::dense_strides(op.shape.dims);
    const std::int64_t size = dtype_bytes(op.shape.dtype);
    lower::Dims extents(dims.size()), spread(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::int64_t step = pad.interior[i] + 1;
      const std::int64_t first = pad.low[i] >= 0 ? 0 : (-pad.low[i] + step - 1) / step;
      const std::int64_t room = op.shape.dims[i] - 1 - pad.low[i];
      const std::int64_t end = room < 0 ? 0 : std::min(dims[i], room / step + 1);
      extents[i] = std::max<std::int64_t>(0, end - first);
      is_empty_ = is_empty_ || extents[i] == 0;
      spread[i] = to[i] * step;
      from_offset_ += first * from[i] * size;
      to_offset_ += (pad.low[i] + first * step) * to[i] * size;
    }
    copy_ = BoxCopy(extents, from, spread, size);
    num_elements_ = num_elements(op.shape);
    const ValueId fill = op.operands[1];
    splat_ = splat_of(lowered.program.producer(fill));
    if (!splat_) fill_ = lowered.views[at(fill)];
    size_ = size;
    dtype_ = op.shape.dtype;
  }

  void run(Memory memory) override {
    Splat splat = splat_ ? *splat_ : Splat(dtype_, 0);
    if (!splat_)
      std::memcpy(splat.element, memory[at(fill_.base)] + fill_.offset * size_, at(size_));
    splat.fill(memory[at(to_)], num_elements_);
    if (!is_empty_)
      copy_.run_threaded(memory[at(from_)] + from_offset_, memory[at(to_)] + to_offset_,
                         num_threads_);
  }

 private:
  int num_threads_;
  ValueId from_, to_;
  std::int64_t from_offset_ = 0, to_offset_ = 0, num_elements_ = 0, size_ = 1;
  bool is_empty_ = false;
  DType dtype_ = DType::f32;
  BoxCopy copy_;
  std::optional<Splat> splat_;
  lower::View fill_;  ///< where it is no constant
};

/// Where a dynamic slice begins, from one s32 scalar per dim; clamped so that it lies inside.
class DynamicStart {
 public:
  DynamicStart(const lower::LoweredProgram& lowered, const Op& op, std::size_t first,
               const lower::Dims& dims, const lower::Dims& sizes)
      : strides_(lower::dense_strides(dims)) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      starts_.push_back(lowered.views[at(op.operands[first + i])]);
      last_.push_back(dims[i] - sizes[i]);
    }
  }
  std::int64_t offset(Memory memory) const {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      std::int32_t start = 0;
      std::memcpy(&start, memory[at(starts_[i].base)] + starts_[i].offset * 4, sizeof start);
      offset += std::clamp<std::int64_t>(start, 0, last_[i]) * strides_[i];
    }
    return offset;
  }

 private:
  std::vector<lower::View> starts_;
  lower::Dims last_, strides_;
};

class DynamicSliceKernel : public Kernel {
 public:
  DynamicSliceKernel(const lower::LoweredProgram& lowered, ValueId id, int num_threads)
      : num_threads_(num_threads),
        to_(id),
        from_(lowered.views[at(lowered.program.op(id).operands[0])].base),
        size_(dtype_bytes(lowered.program.shape(id).dtype)),
        start_(lowered, lowered.program.op(id), 1, dims_of(lowered, id),
               lowered.program.shape(id).dims),
        copy_(lowered.program.shape(id).dims, lower::dense_strides(dims_of(lowered, id)),
              lower::dense_strides(lowered.program.shape(id).dims), size_) {}

  void run(Memory memory) override {
    copy_.run_threaded(memory[at(from_)] + start_.offset(memory) * size_, memory[at(to_)],
                       num_threads_);
  }

 private:
  static const lower::Dims& dims_of(const lower::LoweredProgram& lowered, ValueId id) {
    return lowered.program.shape(lowered.program.op(id).operands[0]).dims;
  }
  int num_threads_;
  ValueId to_, from_;
  std::int64_t size_;
  DynamicStart start_;
  BoxCopy copy_;
};

class DynamicUpdateSliceKernel : public Kernel {
 public:
  DynamicUpdateSliceKernel(const lower::LoweredProgram& lowered, ValueId id, int num_threads)
      : num_threads_(num_threads),
        to_(id),
        op_(lowered.program.op(id)),
        size_(dtype_bytes(op_.shape.dtype)),
        table_(lowered.views[at(op_.operands[0])].base),
        update_(lowered.views[at(op_.operands[1])].base),
        splat_(splat_of(lowered.program.producer(op_.operands[0]))),
        start_(lowered, op_, 2, op_.shape.dims, lowered.program.shape(op_.operands[1]).dims) {
    const lower::Dims& dims = lowered.program.shape(op_.operands[1]).dims;
    copy_ = BoxCopy(dims, lower::dense_strides(dims), lower::dense_strides(op_.shape.dims), size_);
  }

  void run(Memory memory) override {
    const std::int64_t start =
        start_.offset(memory);  // before the table changes: it may hold the starts
    fill_table(memory);
    copy_.run_threaded(memory[at(update_)], memory[at(to_)] + start * size_, num_threads_);
  }

 private:
  void fill_table(Memory memory) const {
    const std::int64_t count = num_elements(op_.shape);
    if (table_ == kNoValue) {
      splat_->fill(memory[at(to_)], count);
    } else if (memory[at(table_)] != memory[at(to_)]) {
      std::memcpy(memory[at(to_)], memory[at(table_)], at(count * size_));
    }
  }

  int num_threads_;
  ValueId to_;
  const Op& op_;
  std::int64_t size_;
  ValueId table_, update_;
  std::optional<Splat> splat_;
  DynamicStart start_;
  BoxCopy copy_;
};

bool all_s32(const lower::LoweredProgram& lowered, const Op& op, std::size_t first) {
  return std::all_of(op.operands.begin() + static_cast<std::ptrdiff_t>(first), op.operands.end(),
                     [&](ValueId id) { return lowered.program.shape(id).dtype == DType::s32; });
}

}  // namespace

std::unique_ptr<Kernel> make_copy_kernel(const lower::LoweredProgram& lowered,
                                         const lower::KernelGroup& group, int num_threads) {
  const ValueId id = group.ops[0];
  const Op& op = lowered.program.op(id);
  switch (op.kind) {
    case OpKind::concatenate: return std::make_unique<ConcatenateKernel>(lowered, id, num_threads);
    case OpKind::pad: return std::make_unique<PadKernel>(lowered, id, num_threads);
    case OpKind::dynamic_slice:
      if (!all_s32(lowered, op, 1)) return nullptr;
      return std::make_unique<DynamicSliceKernel>(lowered, id, num_threads);
    case OpKind::dynamic_update_slice:
      if (!all_s32(lowered, op, 2)) return nullptr;
      return std::make_unique<DynamicUpdateSliceKernel>(lowered, id, num_threads);
    case OpKind::gather: return make_gather_kernel(lowered, id, num_threads);
    case OpKind::scatter: return make_scatter_kernel(lowered, id, num_threads);
    default: return nullptr;
  }
}

}  // namespace rhino::runtime
