// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "lower/matmul.hpp"
#include "rhino/shape.hpp"

namespace rhino::runtime {

/// One matrix product by oneDNN, on the processor's own instructions for its operands' type.
class NativeProduct {
 public:
  /// What C holds, and whether the product is added to it.
  struct Result {
    DType dtype = DType::f32;
    bool adds = false;
  };
  virtual ~NativeProduct() = default;
  /// Operands as in Matmul. Not for several threads at once; oneDNN spreads it over those it has.
  virtual void run(const void* a, const void* b, void* c) = 0;
};

/// Whether this processor multiplies values of `dtype`: f32, and bf16 by AVX512-BF16 or AMX.
bool has_native_products(DType dtype);
/// nullptr where it does not, or oneDNN has no quick such product. A sum of 16 bits is none: it
/// would be rounded once where an op of its own rounds twice.
std::unique_ptr<NativeProduct> make_native_product(const lower::Matmul& matmul, DType operands,
                                                   NativeProduct::Result result);

}  // namespace rhino::runtime
