// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/loop_values.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/op_info.hpp"
#include "lower/loop_space.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/leaf_text.hpp"

namespace rhino::runtime::cuda {
namespace {

using Member = lower::LoopNest::Member;

constexpr std::int64_t kPackBytes = 16;

/// Visits the elements of its result, which are not those of its operand.
bool moves_elements(OpKind kind) {
  return kind == OpKind::broadcast || kind == OpKind::transpose || kind == OpKind::slice ||
         kind == OpKind::reverse;
}

/// How `width` elements, the first of them a multiple of `width`, lie in memory.
enum class Way : std::uint8_t {
  apart,
  same,      ///< all are one
  together,  ///< side by side, the first aligned to all of them or to 16 bytes
};

Way way_of(const lower::Dims& dims, const lower::View& view, DType dtype, std::int64_t width) {
  const std::vector<lower::StridedDim> runs = lower::collapsed(dims, view.strides);
  if (runs.empty()) return Way::same;
  const lower::StridedDim& inner = runs.back();
  if (inner.extent % width != 0 || inner.stride < 0 || inner.stride > 1) return Way::apart;
  if (inner.stride == 0) return Way::same;
  const std::int64_t bytes = dtype_bytes(dtype), unit = std::min(kPackBytes, width * bytes);
  bool is_aligned = view.offset * bytes % unit == 0;
  for (std::size_t d = 0; d + 1 < runs.size(); ++d)
    is_aligned = is_aligned && runs[d].stride * bytes % unit == 0;
  return is_aligned ? Way::together : Way::apart;
}

}  // namespace

LoopValues::LoopValues(const lower::LoweredProgram& lowered, const lower::LoopNest& nest,
                       KernelWriter& writer, std::int64_t width)
    : lowered_(lowered), writer_(writer), width_(width) {
  for (const Member& member : nest.members) members_[member.op] = member;
}

const Op& LoopValues::op(ValueId id) const { return lowered_.program.op(id); }

std::string LoopValues::take_elements() {
  elements_.clear();
  return std::exchange(element_text_, {});
}

std::string LoopValues::value(const Member& member) {
  const bool row = is_row(member);
  std::map<ValueId, std::string>& names = row ? rows_ : elements_;
  const auto known = names.find(member.op);
  if (known != names.end()) return known->second;
  if (member.folds) throw Error("a kernel reads a fold before it is made");
  const std::string made = expression(member);
  const std::string name = "v" + std::to_string(names.size()) + (row ? "r" : "e");
  (row ? row_text_ : element_text_) +=
      "const " + computed_type(op(member.op).shape.dtype) + " " + name + " = " + made + ";\n";
  return names[member.op] = name;
}

std::string LoopValues::expression(const Member& member) {
  const Op& o = op(member.op);
  if (ir::is_elementwise(o.kind)) {
    std::vector<std::string> operands;
    for (std::size_t i = 0; i < o.operands.size(); ++i) operands.push_back(operand(member, i));
    return elementwise(lowered_.program, o, operands);
  }
  if (!o.operands.empty()) return operand(member, 0);  // a window that is copied
  Coordinates own;                                     // a leaf that is read from memory
  for (std::size_t d = 0; d < o.shape.dims.size(); ++d)
    own.push_back(coordinate(o.shape.dims, d, member.per_row ? "r" : "i"));
  return leaf_text(lowered_.program, member.op, own);
}

std::string LoopValues::operand(const Member& member, std::size_t index) {
  const ValueId value_id = op(member.op).operands[index];
  const ValueId base = lowered_.views[at(value_id)].base;
  if (base == kNoValue) return leaf_operand(member, index);
  const auto made_here = members_.find(base);
  if (made_here != members_.end()) return value(made_here->second);
  const lower::Read read = lower::read_of(lowered_.program, lowered_.views, member.op, index);
  return load(op(value_id).shape.dtype, read, member.per_row);
}

std::string LoopValues::load(DType dtype, const lower::Read& read, bool is_row) {
  const auto plain = [&](const char* index) {
    return writer_.load(dtype, read.view.base, offset_of(read.dims, read.view, index));
  };
  if (is_row) return plain("r");
  switch (width_ > 1 ? way_of(read.dims, read.view, dtype, width_) : Way::apart) {
    case Way::apart: return plain("i");
    case Way::same: {
      const std::string value = plain("first");
      const auto [name, is_new] = packs_.try_emplace(value, "q" + std::to_string(packs_.size()));
      if (is_new)
        load_text_ += "const " + computed_type(dtype) + " " + name->second + " = " + value + ";\n";
      return name->second;
    }
    case Way::together: break;
  }
  const std::string offset = offset_of(read.dims, read.view, "first");
  const std::string place = stored_type(dtype) + ", " + std::to_string(width_) + ">(" +
                            writer_.pointer(read.view.base) + ", (Index)(" + offset + "))";
  if (const std::string kept = keep(dtype, place); !kept.empty())
    return from_stored(dtype, kept + "[n].at[u]");
  const auto [name, is_new] = packs_.try_emplace(place, "q" + std::to_string(packs_.size()));
  if (is_new) {
    load_text_ += "const auto " + name->second + " = load_pack<" + place + ";\n";
    packed_bytes_ += width_ * dtype_bytes(dtype);
  }
  return from_stored(dtype, name->second + ".at[u]");
}

/// Empty: there are no registers for it.
std::string LoopValues::keep(DType dtype, const std::string& place) {
  const auto known = kept_.find(place);
  if (known != kept_.end()) return known->second;
  const std::int64_t registers = (width_ * dtype_bytes(dtype) + 3) / 4 * num_kept_;
  if (num_kept_ == 0 || kept_registers_ + registers > most_kept_registers_) return {};
  kept_registers_ += registers;
  const std::string name = "k" + std::to_string(kept_.size());
  kept_text_ += "Pack<" + stored_type(dtype) + ", " + std::to_string(width_) + "> " + name + "[" +
                std::to_string(num_kept_) + "];\n";
  load_text_ += name + "[n] = load_pack<" + place + ";\n";
  return kept_[place] = name;
}

std::string LoopValues::store(const Member& member, const std::string& value) {
  const Op& o = op(member.op);
  const lower::View& view = lowered_.views[at(member.op)];
  const DType dtype = o.shape.dtype;
  const bool row = is_row(member);
  if (row || width_ == 1 || way_of(o.shape.dims, view, dtype, width_) != Way::together)
    return writer_.store(dtype, view.base, offset_of(o.shape.dims, view, row ? "r" : "i"), value);
  const std::string name = "out" + std::to_string(packs_.size());  // s8 is a type
  packs_[name] = name;
  packed_bytes_ += width_ * dtype_bytes(dtype);
  load_text_ += "Pack<" + stored_type(dtype) + ", " + std::to_string(width_) + "> " + name + ";\n";
  store_text_ += "store_pack(" + writer_.pointer(view.base) + ", (Index)(" +
                 offset_of(o.shape.dims, view, "first") + "), " + name + ");\n";
  return name + ".at[u] = " + to_stored(dtype, value) + ";\n";
}

std::string LoopValues::take_loads() {
  packs_.clear();
  return std::exchange(load_text_, {});
}

std::string LoopValues::leaf_operand(const Member& member, std::size_t index) {
  const Op& o = op(member.op);
  const ValueId id = o.operands[index];
  const bool moves = moves_elements(o.kind);
  const lower::Dims& dims = moves ? o.shape.dims : op(id).shape.dims;
  Coordinates visited;
  for (std::size_t d = 0; d < dims.size(); ++d)
    visited.push_back(coordinate(dims, d, member.per_row ? "r" : "i"));
  return leaf_text(lowered_.program, id,
                   moves ? coordinates_before(lowered_.program, o, visited) : visited);
}

bool calls_sine(const lower::LoweredProgram& lowered, const lower::LoopNest& nest) {
  std::vector<ValueId> open;
  for (const Member& member : nest.members) open.push_back(member.op);
  std::set<ValueId> seen;
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const Op& op = lowered.program.op(id);
    if (op.kind == OpKind::sine || op.kind == OpKind::cosine) return true;
    for (ValueId operand : op.operands) {
      // Computed where it is read.
      if (lowered.views[at(operand)].base == kNoValue) open.push_back(operand);
    }
  }
  return false;
}

}  // namespace rhino::runtime::cuda
