// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/hlo_syntax.hpp"
#include "rhino/program.hpp"

/// Values inside of HLO text. All readers throw Error without a place.
namespace rhino::ir::hlo {

using Dims = std::vector<std::int64_t>;

/// `f32[2,3]{1,0}`; the layout has no meaning here.
Shape read_shape(std::string_view text);
/// Its dims, whatever the element type.
Dims read_dims(std::string_view text);
/// Pieces of the shape of a tuple, `(f32[2], /*index=1*/(s32[], pred[]))`, which may be tuples.
std::vector<std::string_view> element_shapes(std::string_view text);
std::int64_t read_integer(std::string_view text);
/// `{1,2}`; empty text: none.
Dims read_integers(std::string_view text);
/// Numbers of a literal in row-major order, nested braces or none; `true` is 1,
/// `nan(0x12)` has the payload of one of `dtype`.
std::vector<double> read_literal(std::string_view text, DType dtype = DType::f64);
/// The same of integers of 64 bits, with a sign or without.
std::vector<std::uint64_t> read_wide_literal(std::string_view text);
/// Throws Error if one of the integers of a literal is no double.
void require_exact_integers(std::string_view text);
/// `"..."` with \" \\ and \n.
std::string read_string(std::string_view text);
std::string quote(std::string_view text);
/// `{key="value" key2=3, ...}`, values as written; separated by commas or spaces.
std::vector<Attribute> read_dictionary(std::string_view text);
/// Value of `key` without its quotes; empty without one.
std::string find_string(std::string_view dictionary, std::string_view key);

/// `{[0:4:2], [1:3]}`
SliceAttr read_slice(std::string_view text);
/// `1_2_0x0_0`: low, high and optional interior of every dim.
PadAttr read_padding(std::string_view text);

/// `{size=2x2 stride=1x1 pad=0_1x0_0 lhs_dilate=1x1 rhs_dilate=1x1}`: what is not written is empty.
struct Window {
  Dims sizes, strides, low, high, lhs_dilation, rhs_dilation;
};
Window read_window(std::string_view text);
/// `window` with the values that hold where nothing is written.
ConvolutionAttr read_convolution(std::string_view window, std::string_view dim_labels);

}  // namespace rhino::ir::hlo
