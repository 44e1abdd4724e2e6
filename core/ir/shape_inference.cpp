// SPDX-License-Identifier: Apache-2.0
#include "ir/shape_inference.hpp"

#include <algorithm>
#include <cmath>

#include "ir/op_traits.hpp"
#include "ir/site.hpp"

namespace rhino::ir {

void Site::fail(const std::string& sentence) const {
  std::string place(op_name(op.kind));
  if (!op.name.empty()) place += " '" + op.name + "'";
  place += " (";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    place += (i ? ", " : "") + to_string(*operands[i]);
  }
  throw Error(place + "): " + sentence);
}

void Site::require_operands(std::size_t count) const {
  if (operands.size() != count) {
    fail("takes " + std::to_string(count) + " operands, not " + std::to_string(operands.size()));
  }
}

void Site::require_dims(const Dims& dims, std::int64_t rank, const char* what) const {
  std::uint64_t seen = 0;  // of the first 64: no more than that many dims are read
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t dim = dims[i];
    if (dim < 0 || dim >= rank) {
      fail(std::string(what) + " name dim " + std::to_string(dim) + " of a tensor of rank " +
           std::to_string(rank));
    }
    const bool is_seen = dim < 64
                             ? (seen >> dim & 1) != 0
                             : std::find(dims.begin(), dims.begin() + i, dim) != dims.begin() + i;
    if (is_seen) fail(std::string(what) + " name dim " + std::to_string(dim) + " twice");
    if (dim < 64) seen |= std::uint64_t{1} << dim;
  }
}

void Site::require_length(const Dims& entries, std::int64_t rank, const char* what) const {
  if (static_cast<std::int64_t>(entries.size()) != rank) {
    fail(std::string(what) + " has " + std::to_string(entries.size()) + " entries, needs " +
         std::to_string(rank));
  }
}

void Site::require_amounts(const Dims& entries, const Dims& extents, const char* what) const {
  require_length(entries, std::ssize(extents), what);
  for (std::size_t d = 0; d < entries.size(); ++d) {
    const double amount = std::abs(static_cast<double>(entries[d])),
                 extent = static_cast<double>(std::max<std::int64_t>(1, extents[d]));
    if (amount * extent > 0x1p60) {
      fail(std::string(what) + " of " + std::to_string(entries[d]) + " is too large");
    }
  }
}

Dims joined(Dims a, const Dims& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool is_integer(DType dtype) { return !is_floating(dtype) && dtype != DType::pred; }

void require_reducible(const Site& site, Reduction reduction, DType dtype) {
  switch (reduction) {
    case Reduction::sum:
    case Reduction::product:
      return site.require(dtype != DType::pred, "pred values have no sum or product");
    case Reduction::logical_and:
    case Reduction::logical_or:
      return site.require(!is_floating(dtype), "floating-point values have no logical reduction");
    case Reduction::max:
    case Reduction::min: return;
  }
}

std::int64_t window_extent(std::int64_t extent, std::int64_t size, std::int64_t stride) {
  return extent < size ? 0 : (extent - size) / stride + 1;
}

Shape infer_shape(const Op& op, std::span<const Shape* const> operands, std::int64_t group_size) {
  return traits(op.kind).infer({op, operands, group_size});
}

Shape infer_shape(const Op& op, const std::vector<Shape>& operands, std::int64_t group_size) {
  std::vector<const Shape*> shapes;
  shapes.reserve(operands.size());
  for (const Shape& operand : operands) shapes.push_back(&operand);
  return infer_shape(op, shapes, group_size);
}

}  // namespace rhino::ir
