// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/native_product.hpp"

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

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

Type operand_type(DType dtype) { return dtype == DType::f32 ? Type::f32 : Type::bf16; }

/// Whether C lies by columns: then the transposed product is made, oneDNN being quick by rows only.
bool lies_by_columns(const lower::Matmul& m) { return m.c_n != 1 && m.n > 1 && m.m > 1; }

lower::Matmul by_rows(const lower::Matmul& m) {
  if (!lies_by_columns(m)) return m;
  return {{}, m.n, m.m, m.k, m.b_n, m.b_k, m.a_k, m.a_m, m.c_n, m.c_m};
}

struct Descs {
  dnnl::memory::desc a, b, c;

  Descs(const lower::Matmul& m, DType operands, DType result)
      : a(desc_of(operand_type(operands), m.m, m.k, m.a_m, m.a_k)),
        b(desc_of(operand_type(operands), m.k, m.n, m.b_k, m.b_n)),
        c(desc_of(operand_type(result), m.m, m.n, m.c_m, m.c_n)) {}
};

class MatmulProduct final : public NativeProduct {
 public:
  MatmulProduct(const Descs& descs, const dnnl::matmul::primitive_desc& primitive, bool is_swapped)
      : stream_(primitive.get_engine()),
        primitive_(primitive),
        a_(descs.a, primitive.get_engine(), nullptr),
        b_(descs.b, primitive.get_engine(), nullptr),
        c_(descs.c, primitive.get_engine(), nullptr),
        arguments_{{DNNL_ARG_SRC, a_}, {DNNL_ARG_WEIGHTS, b_}, {DNNL_ARG_DST, c_}},
        is_swapped_(is_swapped) {}

  void run(const void* a, const void* b, void* c) override {
    if (is_swapped_) std::swap(a, b);
    a_.set_data_handle(const_cast<void*>(a), stream_);
    b_.set_data_handle(const_cast<void*>(b), stream_);
    c_.set_data_handle(c, stream_);
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  dnnl::stream stream_;
  dnnl::matmul primitive_;
  dnnl::memory a_, b_, c_;
  std::unordered_map<int, dnnl::memory> arguments_;
  bool is_swapped_;
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
  const Descs descs(by_rows(matmul), operands, result.dtype);
  dnnl::primitive_attr attributes;
  dnnl::post_ops sum;
  if (result.adds) sum.append_sum(1);
  attributes.set_post_ops(sum);
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const dnnl::matmul::primitive_desc primitive({descs.a, descs.b, descs.c}, attributes, engine);
    if (std::string_view(primitive.impl_info_str()).starts_with("ref")) return nullptr;
    return std::make_unique<MatmulProduct>(descs, primitive, lies_by_columns(matmul));
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace rhino::runtime
