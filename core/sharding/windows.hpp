// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "rhino/program.hpp"

namespace rhino::sharding {

/// Windows along one dim of an input: position j reads elements from j * step - low to that + span.
/// `dilation` - 1 holes follow each element and count as places. Cut into n blocks, positions and
/// input together, every device has the same windows in its tile, and what they read beyond it is
/// the same number of elements of either neighbour: a halo.
struct Windows {
  std::int64_t input = 1, positions = 1;
  std::int64_t step = 1, low = 0, span = 0, dilation = 1;

  /// Blocks of positions begin where blocks of the input do.
  bool are_aligned() const { return input * dilation == positions * step && input > 0; }
  /// In how many parts they can be cut at the most.
  std::int64_t most_parts() const { return std::gcd(input, positions); }
  /// A position reads the element of its number, and no other.
  bool are_pointwise() const { return step == 1 && low == 0 && span == 0 && dilation == 1; }
  std::int64_t before() const { return std::max<std::int64_t>(0, below(low)); }
  std::int64_t behind() const { return std::max<std::int64_t>(0, below(span - step - low) + 1); }
  /// Least parts, of most_parts() in all, that hold the halo of a neighbour.
  std::int64_t least_part() const {
    const std::int64_t each = input / most_parts(), reach = std::max(before(), behind());
    return std::max<std::int64_t>(1, (reach + each - 1) / each);
  }
  /// Padding of a tile with its halo in which the same windows lie; negative: what none reads.
  std::int64_t local_low() const { return low - before() * dilation; }
  std::int64_t local_high(std::int64_t num_parts) const {
    const std::int64_t tile = input / num_parts + before() + behind();
    const std::int64_t read = (positions / num_parts - 1) * step + span + 1;
    return read - ((tile - 1) * dilation + 1) - local_low();
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
