// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "rhino/program.hpp"

namespace rhino::sharding {

/// How many elements in front of its tile, of n, some device reads, whose windows begin `low` in
/// front of it, and further in front by drift / n with each device.
inline std::int64_t widest_before(std::int64_t low, std::int64_t drift, std::int64_t n) {
  return std::max<std::int64_t>(0, low + std::max<std::int64_t>(0, drift - drift / n));
}
/// And behind it, where windows of a tile without drift end `high` behind it.
inline std::int64_t widest_behind(std::int64_t high, std::int64_t drift, std::int64_t n) {
  return std::max<std::int64_t>(0, high - std::min(drift / n, drift));
}

/// Windows along one dim of an input: position j reads elements from j * step - low to that + span.
/// `dilation` - 1 holes follow each element and count as places. Cut into n blocks, positions and
/// input together, what devices read beyond their tiles is a halo. Where blocks of positions begin
/// where blocks of the input do, windows lie alike in all tiles; else they drift, as those without
/// padding do: all get the widest halo, and each has its windows elsewhere in it.
struct Windows {
  std::int64_t input = 1, positions = 1;
  std::int64_t step = 1, low = 0, span = 0, dilation = 1;

  /// Blocks of positions begin where blocks of the input do.
  bool are_aligned() const { return drift() == 0; }
  /// Places by which the last of many parts begins behind its first window, more than the first.
  std::int64_t drift() const { return input * dilation - positions * step; }
  /// Drifting windows have to begin at elements, not between them.
  bool can_be_cut() const { return input > 0 && positions > 0 && (are_aligned() || dilation == 1); }
  /// In how many parts they can be cut at the most.
  std::int64_t most_parts() const { return std::gcd(input, positions); }
  /// A position reads the element of its number, and no other.
  bool are_pointwise() const {
    return step == 1 && low == 0 && span == 0 && dilation == 1 && are_aligned();
  }
  /// Elements in front of a tile and behind it that windows without drift read; negative: fewer.
  std::int64_t low_elements() const { return below(low); }
  std::int64_t high_elements() const { return below(span - step - low) + 1; }
  std::int64_t before(std::int64_t num_parts) const {
    return widest_before(low_elements(), drift(), num_parts);
  }
  std::int64_t behind(std::int64_t num_parts) const {
    return widest_behind(high_elements(), drift(), num_parts);
  }
  /// Least parts, of most_parts() in all, that hold the halo of a neighbour.
  std::int64_t least_part() const {
    const std::int64_t most = most_parts();
    for (std::int64_t part = 1; part < most; ++part) {
      const std::int64_t n = most / part;
      if (most % part == 0 && std::max(before(n), behind(n)) <= input / n) return part;
    }
    return most;
  }
  /// Elements that the windows of a part read, its halo and holes included.
  std::int64_t read(std::int64_t num_parts) const {
    return (positions / num_parts - 1) * step + span + 1;
  }
  /// Padding of a tile with its halo in which aligned windows lie; negative: what none reads.
  std::int64_t local_low() const { return low - before(1) * dilation; }
  std::int64_t local_high(std::int64_t num_parts) const {
    const std::int64_t tile = input / num_parts + before(1) + behind(1);
    return read(num_parts) - ((tile - 1) * dilation + 1) - local_low();
  }

 private:
  /// Elements at places from 1 on up to this one; negative where it is before element 0.
  std::int64_t below(std::int64_t place) const {
    return place >= 0 ? place / dilation : -((-place + dilation - 1) / dilation);
  }
};

/// Spatial dim `i` of a convolution: each output is a position; or, where `along_kernel`, each
/// element of the kernel, as in the gradient of a kernel, whose sums run over the image.
struct ConvolutionWindows {
  Windows windows;
  bool along_kernel = false;
};
ConvolutionWindows convolution_windows(const ConvolutionAttr& dims, const Shape& input,
                                       const Shape& kernel, const Shape& result, std::size_t i);

/// Dim `d` of a reduction over windows.
Windows reduction_windows(const WindowAttr& window, const Shape& input, const Shape& result,
                          std::size_t d);

/// Dim `d` of select_and_scatter: a device that has all windows over its elements, and all that
/// those windows read, knows what they select.
struct SelectionHalos {
  std::int64_t source_before = 0, source_behind = 0;  ///< windows
  std::int64_t before = 0, behind = 0;                ///< elements
};
SelectionHalos selection_halos(const WindowAttr& window, std::size_t d);

}  // namespace rhino::sharding
