// SPDX-License-Identifier: Apache-2.0
#include "runtime/controller/gather.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "ir/element.hpp"
#include "plan/plan_mesh.hpp"
#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

/// Row-major index of `at` in a tensor of these extents.
std::int64_t offset_of(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& at) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) offset = offset * dims[d] + at[d];
  return offset;
}

/// Moves `at` to the next row of `box`, the last dim stays; false after the last row.
bool next_row(const Box& box, std::vector<std::int64_t>& at) {
  for (std::size_t d = at.size(); d-- > 1;) {
    if (++at[d - 1] < box.size[d - 1]) return true;
    at[d - 1] = 0;
  }
  return false;
}

std::vector<std::int64_t> sum(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
  for (std::size_t d = 0; d < a.size(); ++d) a[d] += b[d];
  return a;
}

}  // namespace

void Gather::add(const plan::Role& role, std::int32_t position, const plan::PlanOutput& output,
                 const std::byte* tile) {
  if (seen_.empty()) {
    shape_ = output.global;
    element_bytes_ = static_cast<std::size_t>(dtype_bytes(shape_.dtype));
    seen_.resize(static_cast<std::size_t>(num_elements(shape_)));
    elements_.resize(seen_.size() * element_bytes_);
  }
  const Mesh& mesh = plan::mesh_of(role, output);
  const std::int64_t rank =
      plan::rank_in(mesh, role.mesh.devices[static_cast<std::size_t>(position)]);
  const std::vector<std::int64_t> tile_extents = tile_dims(shape_.dims, output.spec, mesh);
  for (const TileBox& box : tile_boxes(shape_.dims, output.spec, mesh, rank)) {
    if (num_elements(box.global) == 0) continue;
    const std::size_t count =
        box.global.size.empty() ? 1 : static_cast<std::size_t>(box.global.size.back());
    std::vector<std::int64_t> at(box.global.size.size());
    do {
      const std::int64_t from = offset_of(tile_extents, sum(at, box.local.start));
      const std::int64_t to = offset_of(shape_.dims, sum(at, box.global.start));
      add_row(static_cast<std::size_t>(to), count,
              tile + static_cast<std::size_t>(from) * element_bytes_);
    } while (next_row(box.global, at));
  }
}

void Gather::add_row(std::size_t whole, std::size_t count, const std::byte* row) {
  const auto first = seen_.begin() + static_cast<std::ptrdiff_t>(whole);
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  std::byte* place = elements_.data() + whole * element_bytes_;
  const auto is = [&](Seen what) {
    return std::all_of(first, last, [what](Seen seen) { return seen == what; });
  };
  if (is(Seen::never)) {
    std::memcpy(place, row, count * element_bytes_);
    std::fill(first, last, Seen::agreed);
    return;
  }
  if (is(Seen::agreed) && std::memcmp(place, row, count * element_bytes_) == 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* element = elements_.data() + (whole + i) * element_bytes_;
    Seen& seen = seen_[whole + i];
    if (seen == Seen::never) {
      std::memcpy(element, row + i * element_bytes_, element_bytes_);
      seen = Seen::agreed;
    } else if (std::memcmp(element, row + i * element_bytes_, element_bytes_) != 0) {
      seen = Seen::disagreed;
    }
  }
}

FetchedTensor Gather::take() const {
  const auto missing = std::find(seen_.begin(), seen_.end(), Seen::never);
  if (missing != seen_.end()) {
    throw Error("the plan leaves element " + std::to_string(missing - seen_.begin()) +
                " of output " + std::to_string(output_) + " on no device");
  }
  FetchedTensor tensor{.output = output_, .shape = shape_, .elements = {}, .num_disagreeing = 0};
  tensor.num_disagreeing = std::count(seen_.begin(), seen_.end(), Seen::disagreed);
  tensor.elements.resize(seen_.size());
  ir::read_elements(shape_.dtype, elements_.data(), tensor.elements);
  return tensor;
}

}  // namespace rhino::runtime
