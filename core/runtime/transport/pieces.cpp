// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/pieces.hpp"

#include <algorithm>

namespace rhino::runtime {

Piece Run::cut(std::int64_t entry, std::int64_t begin, std::int64_t end) const {
  begin *= dtype_bytes(dtype);
  end *= dtype_bytes(dtype);
  Piece piece{{}, end - begin};
  std::int64_t first = 0;  // of the part in the run
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t from = std::max(begin, first), to = std::min(end, first + entry_bytes[i]);
    if (from < to)
      piece.segments.push_back({parts[i], entry * entry_bytes[i] + from - first, to - from});
    first += entry_bytes[i];
  }
  return piece;
}

std::vector<Run> make_runs(const std::vector<Shape>& parts,
                           const std::vector<std::int64_t>& entry_bytes, std::int64_t small_bytes) {
  std::vector<Run> large, small;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (entry_bytes[p] == 0) continue;
    Run* run = nullptr;
    if (entry_bytes[p] < small_bytes) {
      const auto same = [&](const Run& r) { return r.dtype == parts[p].dtype; };
      const auto found = std::find_if(small.begin(), small.end(), same);
      run = found != small.end() ? &*found : &small.emplace_back();
    } else {
      run = &large.emplace_back();
    }
    run->dtype = parts[p].dtype;
    run->parts.push_back(static_cast<std::int32_t>(p));
    run->entry_bytes.push_back(entry_bytes[p]);
    run->bytes += entry_bytes[p];
  }
  large.insert(large.end(), small.begin(), small.end());
  return large;
}

std::int64_t range_begin(std::int64_t count, std::int64_t num, std::int64_t i,
                         std::int64_t element_bytes) {
  if (i >= num) return count;
  const std::int64_t unit = 64 / element_bytes;
  return std::min(count, (count / num * i + count % num * i / num + unit - 1) / unit * unit);
}

}  // namespace rhino::runtime
