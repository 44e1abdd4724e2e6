// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/native_product.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "ir/element.hpp"

using namespace rhino;
using namespace rhino::runtime;

namespace {

/// Of a matrix of rows x columns: adjacent along columns, or along rows, and `gap` elements
/// between.
std::pair<std::int64_t, std::int64_t> strides(bool by_rows, std::int64_t rows, std::int64_t columns,
                                              std::int64_t gap) {
  return by_rows ? std::pair(columns + gap, std::int64_t{1})
                 : std::pair(std::int64_t{1}, rows + gap);
}

std::vector<double> random_values(std::mt19937& random, DType dtype, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(ir::round_to(dtype, static_cast<double>(random() % 2001) / 1000 - 1));
  return values;
}

std::vector<std::byte> in_memory(DType dtype, const std::vector<double>& values) {
  std::vector<std::byte> memory(values.size() * static_cast<std::size_t>(dtype_bytes(dtype)));
  ir::write_elements(dtype, values, memory.data());
  return memory;
}

/// Whether there is such a product.
bool compare(std::mt19937& random, DType operands, NativeProduct::Result result) {
  lower::Matmul m;
  const auto extent = [&] {
    return 1 + static_cast<std::int64_t>(random() % 40 * (random() % 4 != 0));
  };
  m.m = extent(), m.n = extent(), m.k = extent();
  const auto gap = [&] { return static_cast<std::int64_t>(random() % 3); };
  std::tie(m.a_m, m.a_k) = strides(random() % 2, m.m, m.k, gap());
  std::tie(m.b_k, m.b_n) = strides(random() % 2, m.k, m.n, gap());
  std::tie(m.c_m, m.c_n) = strides(random() % 2, m.m, m.n, gap());
  const auto size = [](std::int64_t rows, std::int64_t by, std::int64_t columns, std::int64_t to) {
    return (rows - 1) * by + (columns - 1) * to + 1;
  };
  const auto a = random_values(random, operands, size(m.m, m.a_m, m.k, m.a_k)),
             b = random_values(random, operands, size(m.k, m.b_k, m.n, m.b_n)),
             before = random_values(random, result.dtype, size(m.m, m.c_m, m.n, m.c_n));
  std::vector<double> expected = before, after(before.size());
  const auto at = [](std::int64_t index) { return static_cast<std::size_t>(index); };
  for (std::int64_t i = 0; i < m.m; ++i) {
    for (std::int64_t j = 0; j < m.n; ++j) {
      double sum = result.adds ? before[at(i * m.c_m + j * m.c_n)] : 0;
      for (std::int64_t k = 0; k < m.k; ++k)
        sum += a[at(i * m.a_m + k * m.a_k)] * b[at(k * m.b_k + j * m.b_n)];
      expected[at(i * m.c_m + j * m.c_n)] = sum;
    }
  }
  const std::vector<std::byte> left = in_memory(operands, a), right = in_memory(operands, b);
  std::vector<std::byte> memory = in_memory(result.dtype, before);
  const auto product = make_native_product(m, operands, result);
  if (!product) return false;
  product->run(left.data(), right.data(), memory.data());
  ir::read_elements(result.dtype, memory.data(), after);
  const double most = result.dtype == DType::f32 ? 1e-4 : 0.05;
  CAPTURE(m.m, m.n, m.k, m.a_m, m.a_k, m.b_k, m.b_n, m.c_m, m.c_n, result.adds);
  for (std::size_t i = 0; i < after.size(); ++i)
    CHECK(after[i] == Approx(expected[i]).epsilon(most / 10).margin(most));
  return true;
}

}  // namespace

TEST_CASE("oneDNN's products of any strides are products") {
  std::mt19937 random(23);
  int num_real = 0, num_narrow = 0;
  for (int i = 0; i < 300; ++i) {
    num_real += compare(random, DType::f32, {DType::f32, i % 2 == 0});
    num_narrow += compare(random, DType::bf16, {DType::f32, i % 2 == 0});
    num_narrow += compare(random, DType::bf16, {DType::bf16, false});
  }
  CAPTURE(num_real, num_narrow);
  CHECK(num_real > 100);
  CHECK((num_narrow > 200) == has_native_products(DType::bf16));
  CHECK_FALSE(has_native_products(DType::f16));
  CHECK_FALSE(make_native_product({}, DType::f16, {}));
}
