// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "entries.hpp"

namespace fake {

struct LtDesc {
  LtCompute compute = LtCompute::kF32;
  LtType scale = LtType::kF32;
  std::int32_t transpose_a = 0, transpose_b = 0, pointer_mode = 0;
  std::int32_t epilogue = kLtEpilogueDefault;
  const void* bias = nullptr;
  bool was_run = false;
};

struct LtLayout {
  LtType type = LtType::kF32;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0, stride = 0;
  std::int32_t batch = 1, order = kLtColumns;
};

struct LtPreference {
  std::uint64_t workspace_bytes = 0;
  std::uint32_t alignment[4] = {256, 256, 256, 256};
};

/// How a product sums over k: what tells algorithms apart.
enum class Summation : int { kForward, kBackward, kHalves };

/// D = alpha * op(A) op(B) + beta * C, then the epilogue. Layouts are taken at their word.
struct Product {
  LtDesc desc;
  LtLayout a, b, c, d;
  const void *at_a = nullptr, *at_b = nullptr, *at_c = nullptr;
  void* at_d = nullptr;
  double alpha = 1, beta = 0;
  Summation summation = Summation::kForward;
};

std::size_t bytes_of(LtType type);
/// Bytes from the first to the last element.
std::size_t span_bytes(const LtLayout& layout);
/// A code of cuBLASLt for what does not fit together, or is not faked.
int check_product(const Product& product);
bool has_bias(const LtDesc& desc);
void multiply(const Product& product);

}  // namespace fake
