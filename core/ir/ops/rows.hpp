// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ir/op_traits.hpp"

/// The rows of the table of OpTraits, per class. A class is a file.
namespace rhino::ir {

std::span<const OpTraits> source_ops();
std::span<const OpTraits> function_ops();
std::span<const OpTraits> arithmetic_ops();
std::span<const OpTraits> elementwise_ops();
std::span<const OpTraits> movement_ops();
std::span<const OpTraits> pad_ops();
std::span<const OpTraits> reduce_ops();
std::span<const OpTraits> window_ops();
std::span<const OpTraits> dot_ops();
std::span<const OpTraits> convolution_ops();
std::span<const OpTraits> gather_ops();
std::span<const OpTraits> dynamic_slice_ops();
std::span<const OpTraits> sort_ops();
std::span<const OpTraits> collective_ops();

}  // namespace rhino::ir
