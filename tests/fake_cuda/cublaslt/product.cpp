// SPDX-License-Identifier: Apache-2.0
#include "product.hpp"

#include <cmath>
#include <cstring>
#include <vector>

#include "../common/numbers.hpp"
#include "../common/settings.hpp"

namespace fake {
namespace {

template <class T>
T load_as(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

double load(const char* at, LtType type) {
  switch (type) {
    case LtType::kF64: return load_as<double>(at);
    case LtType::kF16: return static_cast<double>(load_as<_Float16>(at));
    case LtType::kBf16: return from_bf16(load_as<std::uint16_t>(at));
    default: return load_as<float>(at);
  }
}

template <class T>
void store_as(char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

void store(char* at, double value, LtType type) {
  switch (type) {
    case LtType::kF64: return store_as(at, value);
    case LtType::kF16: return store_as(at, static_cast<_Float16>(static_cast<float>(value)));
    case LtType::kBf16: return store_as(at, to_bf16(static_cast<float>(value)));
    default: return store_as(at, static_cast<float>(value));
  }
}

std::size_t offset(const LtLayout& l, std::int64_t batch, std::uint64_t row, std::uint64_t column) {
  const auto r = static_cast<std::int64_t>(row), c = static_cast<std::int64_t>(column);
  const std::int64_t element =
      batch * l.stride + (l.order == kLtRows ? r * l.leading + c : c * l.leading + r);
  return static_cast<std::size_t>(element) * bytes_of(l.type);
}

/// One matrix of a batch, transposed or not, by rows.
template <class T>
std::vector<T> unpack(const LtLayout& l, const void* at, std::int64_t batch, const LtDesc& desc,
                      bool transposed) {
  const std::uint64_t rows = transposed ? l.columns : l.rows,
                      columns = transposed ? l.rows : l.columns;
  std::vector<T> out(rows * columns);
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      const std::size_t place = transposed ? offset(l, batch, j, i) : offset(l, batch, i, j);
      const T value = static_cast<T>(load(static_cast<const char*>(at) + place, l.type));
      out[i * columns + j] = desc.compute == LtCompute::kTf32
                                 ? static_cast<T>(as_tf32(static_cast<float>(value)))
                                 : value;
    }
  }
  return out;
}

template <class T>
void add_row(T* __restrict row, const T* __restrict from, T factor, std::uint64_t n) {
  for (std::uint64_t j = 0; j < n; ++j) row[j] += factor * from[j];
}

/// Row i of the product, its terms from `begin` to `end` of k.
template <class T>
void sum_row(const std::vector<T>& a, const std::vector<T>& b, std::uint64_t i, std::uint64_t k,
             std::uint64_t begin, std::uint64_t end, bool backward, std::vector<T>& row) {
  for (std::uint64_t q = begin; q < end; ++q) {
    const std::uint64_t at = backward ? end - 1 - (q - begin) : q;
    add_row(row.data(), b.data() + at * row.size(), a[i * k + at], row.size());
  }
}

double activated(double x, int epilogue) {
  constexpr double kRootOf2OverPi = 0.7978845608028654, kCubic = 0.044715;
  if (epilogue & kLtEpilogueRelu) return x > 0 ? x : 0;
  if (epilogue & kLtEpilogueGelu)
    return 0.5 * x * (1 + std::tanh(kRootOf2OverPi * (x + kCubic * x * x * x)));
  return x;
}

template <class T>
void finish_row(const Product& p, std::int64_t batch, std::uint64_t i, const std::vector<T>& row) {
  for (std::uint64_t j = 0; j < row.size(); ++j) {
    T value = static_cast<T>(p.alpha) * row[j];
    if (p.beta != 0) {
      value += static_cast<T>(
          p.beta * load(static_cast<const char*>(p.at_c) + offset(p.c, batch, i, j), p.c.type));
    }
    if (has_bias(p.desc)) {
      value += static_cast<T>(
          load(static_cast<const char*>(p.desc.bias) + i * bytes_of(p.d.type), p.d.type));
    }
    store(static_cast<char*>(p.at_d) + offset(p.d, batch, i, j), activated(value, p.desc.epilogue),
          p.d.type);
  }
}

template <class T>
void multiply_as(const Product& p) {
  const std::uint64_t k = p.desc.transpose_a ? p.a.rows : p.a.columns;
  const std::uint64_t middle = p.summation == Summation::kHalves ? k / 2 : k;
  for (std::int64_t z = 0; z < p.d.batch; ++z) {
    const auto a = unpack<T>(p.a, p.at_a, z, p.desc, p.desc.transpose_a);
    const auto b = unpack<T>(p.b, p.at_b, z, p.desc, p.desc.transpose_b);
    std::vector<T> row(p.d.columns), second(p.d.columns);
    for (std::uint64_t i = 0; i < p.d.rows; ++i) {
      std::fill(row.begin(), row.end(), T{});
      std::fill(second.begin(), second.end(), T{});
      sum_row(a, b, i, k, 0, middle, p.summation == Summation::kBackward, row);
      if (middle < k) sum_row(a, b, i, k, middle, k, false, second);
      add_row(row.data(), second.data(), T{1}, row.size());
      finish_row(p, z, i, row);
    }
  }
}

bool is_type(LtType t) {
  return t == LtType::kF32 || t == LtType::kF64 || t == LtType::kF16 || t == LtType::kBf16;
}

bool malformed(const LtLayout& l) {
  const std::uint64_t least = l.order == kLtRows ? l.columns : l.rows;
  return l.batch < 1 || l.rows == 0 || l.columns == 0 ||
         l.leading < static_cast<std::int64_t>(least);
}

int check_types(const Product& p) {
  const LtType in = p.a.type, out = p.d.type;
  if (!is_type(in) || in != p.b.type || p.c.type != out) return kLtNotSupported;
  const bool wide = in == LtType::kF64;
  if (wide != (p.desc.compute == LtCompute::kF64) || wide != (p.desc.scale == LtType::kF64))
    return kLtNotSupported;
  if (p.desc.compute == LtCompute::kTf32 && in != LtType::kF32) return kLtNotSupported;
  return out == in || (!wide && out == LtType::kF32) ? kLtSuccess : kLtNotSupported;
}

int check_epilogue(const Product& p) {
  const int known = kLtEpilogueRelu | kLtEpilogueBias | kLtEpilogueGelu;
  const int e = p.desc.epilogue;
  if (e == kLtEpilogueDefault) return kLtSuccess;
  if ((e & ~known) || ((e & kLtEpilogueRelu) && (e & kLtEpilogueGelu))) {
    say("cublasLt: epilogue " + std::to_string(e) + " is not faked");
    return kLtNotSupported;
  }
  if (!has_bias(p.desc)) return kLtSuccess;
  return p.d.order == kLtRows ? kLtNotSupported : kLtSuccess;
}

}  // namespace

std::size_t bytes_of(LtType type) {
  return type == LtType::kF64 ? 8 : type == LtType::kF32 ? 4 : 2;
}

std::size_t span_bytes(const LtLayout& l) {
  return offset(l, l.batch - 1, l.rows - 1, l.columns - 1) + bytes_of(l.type);
}

bool has_bias(const LtDesc& desc) { return desc.epilogue & kLtEpilogueBias; }

int check_product(const Product& p) {
  for (const LtLayout* l : {&p.a, &p.b, &p.c, &p.d}) {
    if (malformed(*l)) return kLtInvalidValue;
  }
  const std::uint64_t m = p.desc.transpose_a ? p.a.columns : p.a.rows,
                      k = p.desc.transpose_a ? p.a.rows : p.a.columns;
  const std::uint64_t k2 = p.desc.transpose_b ? p.b.columns : p.b.rows,
                      n = p.desc.transpose_b ? p.b.rows : p.b.columns;
  const bool fits =
      k == k2 && p.d.rows == m && p.d.columns == n && p.c.rows == m && p.c.columns == n;
  const bool same_batch =
      p.a.batch == p.d.batch && p.b.batch == p.d.batch && p.c.batch == p.d.batch;
  if (!fits || !same_batch) return kLtInvalidValue;
  if (const int code = check_types(p)) return code;
  return check_epilogue(p);
}

void multiply(const Product& p) {
  if (p.desc.compute == LtCompute::kF64) return multiply_as<double>(p);
  multiply_as<float>(p);
}

}  // namespace fake
