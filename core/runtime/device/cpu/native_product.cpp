// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/native_product.hpp"

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>

namespace rhino::runtime {
namespace {

using Type = dnnl::memory::data_type;

/// A dim of extent 1 may have any stride in Matmul; oneDNN wants none below the other dim's.
dnnl::memory::desc desc_of(Type type, std::int64_t rows, std::int64_t columns,
                           std::int64_t row_stride, std::int64_t column_stride) {
  if (rows == 1) row_stride = std::max(row_stride, columns * column_stride);
  if (columns == 1) column_stride = std::max(column_stride, rows * row_stride);
  return {{rows, columns}, type, {row_stride, column_stride}};
}

class MatmulProduct final : public NativeProduct {
 public:
  MatmulProduct(const lower::Matmul& m, DType operands, Result result)
      : engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        primitive_(primitive_of(m, operands, result)),
        a_(desc_of(type_of(operands), m.m, m.k, m.a_m, m.a_k), engine_, nullptr),
        b_(desc_of(type_of(operands), m.k, m.n, m.b_k, m.b_n), engine_, nullptr),
        c_(desc_of(type_of(result.dtype), m.m, m.n, m.c_m, m.c_n), engine_, nullptr) {}

  void run(const void* a, const void* b, void* c) override {
    a_.set_data_handle(const_cast<void*>(a), stream_);
    b_.set_data_handle(const_cast<void*>(b), stream_);
    c_.set_data_handle(c, stream_);
    primitive_.execute(stream_, {{DNNL_ARG_SRC, a_}, {DNNL_ARG_WEIGHTS, b_}, {DNNL_ARG_DST, c_}});
    stream_.wait();
  }

 private:
  static Type type_of(DType dtype) { return dtype == DType::f32 ? Type::f32 : Type::bf16; }

  dnnl::matmul primitive_of(const lower::Matmul& m, DType operands, const Result& result) const {
    const dnnl::matmul::desc desc(desc_of(type_of(operands), m.m, m.k, m.a_m, m.a_k),
                                  desc_of(type_of(operands), m.k, m.n, m.b_k, m.b_n),
                                  desc_of(type_of(result.dtype), m.m, m.n, m.c_m, m.c_n));
    dnnl::primitive_attr attributes;
    dnnl::post_ops sum;
    if (result.adds) sum.append_sum(1);
    attributes.set_post_ops(sum);
    return dnnl::matmul({desc, attributes, engine_});
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul primitive_;
  dnnl::memory a_, b_, c_;
};

}  // namespace

bool has_native_products(DType dtype) {
  constexpr int kBf16 = dnnl_cpu_isa_avx512_core_bf16;
  const int isa = dnnl_get_effective_cpu_isa();
  return dtype == DType::f32 || (dtype == DType::bf16 && (isa & kBf16) == kBf16);
}

std::unique_ptr<NativeProduct> make_native_product(const lower::Matmul& matmul, DType operands,
                                                   NativeProduct::Result result) {
  if (!has_native_products(operands) || (result.adds && result.dtype != DType::f32)) return nullptr;
  try {
    return std::make_unique<MatmulProduct>(matmul, operands, result);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace rhino::runtime
