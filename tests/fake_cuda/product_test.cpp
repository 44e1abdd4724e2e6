// SPDX-License-Identifier: Apache-2.0
// The fake cuBLASLt against products in double, written down beside it.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>

#include "child.hpp"
#include "common/numbers.hpp"
#include "library.hpp"

using fake::DevicePtr;
using fake::LtCompute;
using fake::LtType;
using fake_test::check;
using fake_test::in_child;
using fake_test::Outcome;

namespace {

void* at(DevicePtr p) { return reinterpret_cast<void*>(p); }

struct Problem {
  int m = 5, n = 7, k = 11, batch = 1;
  bool transpose_a = false, transpose_b = false, by_rows = false;
  LtType type = LtType::kF32, out = LtType::kF32;
  LtCompute compute = LtCompute::kF32;
  int epilogue = fake::kLtEpilogueDefault;
  float alpha = 1, beta = 0;
  int slack = 0;  // of the leading dimensions
};

std::size_t bytes_of(LtType t) { return t == LtType::kF64 ? 8 : t == LtType::kF32 ? 4 : 2; }

std::vector<char> packed(const std::vector<double>& values, LtType type) {
  std::vector<char> bytes(values.size() * bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto f = static_cast<float>(values[i]);
    const std::uint16_t bf16 = fake::to_bf16(f);
    const _Float16 f16 = static_cast<_Float16>(f);
    const void* from = type == LtType::kF64   ? static_cast<const void*>(&values[i])
                       : type == LtType::kF32 ? static_cast<const void*>(&f)
                       : type == LtType::kF16 ? static_cast<const void*>(&f16)
                                              : static_cast<const void*>(&bf16);
    std::memcpy(bytes.data() + i * bytes_of(type), from, bytes_of(type));
  }
  return bytes;
}

std::vector<double> unpacked(const std::vector<char>& bytes, LtType type) {
  std::vector<double> values(bytes.size() / bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const char* p = bytes.data() + i * bytes_of(type);
    if (type == LtType::kF64) std::memcpy(&values[i], p, 8);
    float f = 0;
    std::uint16_t bits = 0;
    _Float16 half = 0;
    if (type == LtType::kF32) std::memcpy(&f, p, 4);
    if (type == LtType::kBf16) std::memcpy(&bits, p, 2), f = fake::from_bf16(bits);
    if (type == LtType::kF16) std::memcpy(&half, p, 2), f = static_cast<float>(half);
    if (type != LtType::kF64) values[i] = f;
  }
  return values;
}

/// A matrix of a batch with its place in memory.
struct Matrix {
  int rows, columns, leading, batch;
  bool by_rows;
  std::size_t stride() const {
    return static_cast<std::size_t>(leading) * (by_rows ? rows : columns) + 3;
  }
  std::size_t size() const { return stride() * batch; }
  std::size_t place(int z, int i, int j) const {
    return z * stride() + static_cast<std::size_t>(by_rows ? i * leading + j : j * leading + i);
  }
};

Matrix matrix(int rows, int columns, const Problem& p) {
  return {rows, columns, (p.by_rows ? columns : rows) + p.slack, p.batch, p.by_rows};
}

struct Bench : fake_test::Machine, fake_test::CublasLt {
  Bench() { check(cublasLtCreate(&handle)); }
  fake::LtLayout* layout(const Matrix& m, LtType type) {
    fake::LtLayout* l = nullptr;
    check(cublasLtMatrixLayoutCreate(&l, type, m.rows, m.columns, m.leading));
    const std::int32_t order = m.by_rows, batch = m.batch;
    const std::int64_t stride = static_cast<std::int64_t>(m.stride());
    check(cublasLtMatrixLayoutSetAttribute(l, fake::kLtLayoutOrder, &order, 4));
    check(cublasLtMatrixLayoutSetAttribute(l, fake::kLtLayoutBatch, &batch, 4));
    check(cublasLtMatrixLayoutSetAttribute(l, fake::kLtLayoutStride, &stride, 8));
    return l;
  }
  DevicePtr put(const std::vector<double>& values, LtType type) {
    const std::vector<char> bytes = packed(values, type);
    const DevicePtr to = allocate(bytes.size());
    check(cuMemcpyHtoD_v2(to, bytes.data(), bytes.size()));
    return to;
  }
  fake::LtHandle* handle = nullptr;
  std::mt19937 random{7};
};

std::vector<double> numbers(Bench& b, std::size_t n, LtType type) {
  std::uniform_real_distribution<double> some(-1, 1);
  std::vector<double> values(n);
  for (double& v : values) v = some(b.random);
  return unpacked(packed(values, type), type);
}

double activation(double x, int epilogue) {
  if (epilogue & fake::kLtEpilogueRelu) return std::fmax(x, 0.0);
  if (epilogue & fake::kLtEpilogueGelu)
    return x / (1 + std::exp(-2 * 0.7978845608 * (x + 0.044715 * x * x * x)));
  return x;
}

/// The largest relative error over all algorithms that are offered, or what failed.
std::string worst_error(const Problem& p) {
  Bench b;
  const Matrix ma = p.transpose_a ? matrix(p.k, p.m, p) : matrix(p.m, p.k, p);
  const Matrix mb = p.transpose_b ? matrix(p.n, p.k, p) : matrix(p.k, p.n, p);
  const Matrix md = matrix(p.m, p.n, p);
  const auto va = numbers(b, ma.size(), p.type), vb = numbers(b, mb.size(), p.type),
             vc = numbers(b, md.size(), p.out);
  const auto bias = numbers(b, static_cast<std::size_t>(p.m), p.out);
  const DevicePtr a = b.put(va, p.type), bb = b.put(vb, p.type), c = b.put(vc, p.out),
                  d = b.put(vc, p.out), v = b.put(bias, p.out);
  fake::LtDesc* desc = nullptr;
  const bool wide = p.type == LtType::kF64;
  check(b.cublasLtMatmulDescCreate(&desc, p.compute, wide ? LtType::kF64 : LtType::kF32));
  const std::int32_t ta = p.transpose_a, tb = p.transpose_b;
  const void* bias_at = at(v);
  check(b.cublasLtMatmulDescSetAttribute(desc, fake::kLtDescTransposeA, &ta, 4));
  check(b.cublasLtMatmulDescSetAttribute(desc, fake::kLtDescTransposeB, &tb, 4));
  check(b.cublasLtMatmulDescSetAttribute(desc, fake::kLtDescEpilogue, &p.epilogue, 4));
  check(b.cublasLtMatmulDescSetAttribute(desc, fake::kLtDescBias, &bias_at, 8));
  fake::LtLayout *la = b.layout(ma, p.type), *lb = b.layout(mb, p.type), *ld = b.layout(md, p.out);
  fake::LtPreference* preference = nullptr;
  check(b.cublasLtMatmulPreferenceCreate(&preference));
  const std::uint64_t workspace_bytes = 1 << 20;
  check(b.cublasLtMatmulPreferenceSetAttribute(preference, fake::kLtPreferenceWorkspace,
                                               &workspace_bytes, 8));
  fake::LtHeuristicResult results[8];
  int found = 0;
  check(b.cublasLtMatmulAlgoGetHeuristic(b.handle, desc, la, lb, ld, ld, preference, 8, results,
                                         &found),
        "heuristic");
  if (found < 2) return "too few algorithms";
  const DevicePtr workspace = b.allocate(workspace_bytes);
  const double alpha64 = p.alpha, beta64 = p.beta;
  const void* alpha = wide ? static_cast<const void*>(&alpha64) : &p.alpha;
  const void* beta = wide ? static_cast<const void*>(&beta64) : &p.beta;
  double worst = 0;
  for (int r = 0; r < found; ++r) {
    check(b.cublasLtMatmul(b.handle, desc, alpha, at(a), la, at(bb), lb, beta, at(c), ld, at(d), ld,
                           &results[r].algorithm, at(workspace), workspace_bytes, b.a),
          "matmul");
    std::vector<char> bytes(md.size() * bytes_of(p.out));
    check(b.cuStreamSynchronize(b.a));
    check(b.cuMemcpyDtoH_v2(bytes.data(), d, bytes.size()));
    const auto got = unpacked(bytes, p.out);
    auto expected = vc;  // what lies between columns stays
    for (int z = 0; z < p.batch; ++z) {
      for (int i = 0; i < p.m; ++i) {
        for (int j = 0; j < p.n; ++j) {
          double sum = 0;
          for (int q = 0; q < p.k; ++q)
            sum += va[p.transpose_a ? ma.place(z, q, i) : ma.place(z, i, q)] *
                   vb[p.transpose_b ? mb.place(z, j, q) : mb.place(z, q, j)];
          sum = p.alpha * sum + p.beta * vc[md.place(z, i, j)] +
                (p.epilogue & fake::kLtEpilogueBias ? bias[i] : 0);
          expected[md.place(z, i, j)] = activation(sum, p.epilogue);
        }
      }
    }
    for (std::size_t e = 0; e < got.size(); ++e)
      worst = std::fmax(worst, std::fabs(got[e] - expected[e]) / (1 + std::fabs(expected[e])));
  }
  return std::to_string(worst);
}

double error_of(const Problem& p) {
  const Outcome o = in_child({{"FAKE_CUDA_CHECKED", "0"}}, [&] { return worst_error(p); });
  INFO(o.result << o.said);
  CHECK(o.result.find_first_not_of("0123456789.e-") == std::string::npos);
  return std::atof(o.result.c_str());
}

}  // namespace

TEST_CASE(
    "products equal those in double, for transposes, orders, batches and leading dimensions") {
  for (int bits = 0; bits < 16; ++bits) {
    Problem p;
    p.transpose_a = bits & 1;
    p.transpose_b = bits & 2;
    p.by_rows = bits & 4;
    p.batch = bits & 8 ? 3 : 1;
    p.slack = bits % 3;
    p.alpha = 1.5f;
    p.beta = bits % 2 ? 0.5f : 0;
    INFO(bits);
    CHECK(error_of(p) < 3e-6);
  }
}

TEST_CASE("each type has its own error") {
  CHECK(error_of({.type = LtType::kF64, .out = LtType::kF64, .compute = LtCompute::kF64}) < 1e-12);
  CHECK(error_of({.type = LtType::kBf16, .out = LtType::kF32}) < 3e-6);
  CHECK(error_of({.type = LtType::kF16, .out = LtType::kF32}) < 3e-6);
  const double bf16 = error_of({.type = LtType::kBf16, .out = LtType::kBf16}),
               f16 = error_of({.type = LtType::kF16, .out = LtType::kF16});
  CHECK((bf16 > 1e-4 && bf16 < 4e-3));
  CHECK((f16 > 1e-5 && f16 < 5e-4));
  const double tf32 = error_of({.compute = LtCompute::kTf32});
  CHECK((tf32 > 1e-5 && tf32 < 3e-3));
}

TEST_CASE("epilogues") {
  for (int e : std::vector<int>{fake::kLtEpilogueRelu, fake::kLtEpilogueBias, fake::kLtEpilogueGelu,
                                fake::kLtEpilogueRelu | fake::kLtEpilogueBias,
                                fake::kLtEpilogueGelu | fake::kLtEpilogueBias}) {
    INFO(e);
    CHECK(error_of({.epilogue = e, .slack = 1}) < 3e-6);
  }
}

TEST_CASE("what cuBLASLt refuses is refused") {
  const Outcome o = in_child({}, [] {
    Bench b;
    fake::LtDesc* desc = nullptr;
    check(b.cublasLtMatmulDescCreate(&desc, LtCompute::kF32, LtType::kF32));
    const auto layout = [&](int rows, int columns, int leading) {
      fake::LtLayout* l = nullptr;
      check(b.cublasLtMatrixLayoutCreate(&l, LtType::kF32, rows, columns, leading));
      return l;
    };
    fake::LtPreference* preference = nullptr;
    check(b.cublasLtMatmulPreferenceCreate(&preference));
    const std::uint64_t room = 1 << 20;
    check(
        b.cublasLtMatmulPreferenceSetAttribute(preference, fake::kLtPreferenceWorkspace, &room, 8));
    fake::LtHeuristicResult r[1];
    int found = 0;
    const auto ask = [&](fake::LtLayout* a, fake::LtLayout* bb, fake::LtLayout* d) {
      return std::to_string(b.cublasLtMatmulAlgoGetHeuristic(b.handle, desc, a, bb, d, d,
                                                             preference, 1, r, &found)) +
             " ";
    };
    std::string codes =
        ask(layout(8, 8, 7), layout(8, 8, 8), layout(8, 8, 8));       // leading dimension too small
    codes += ask(layout(8, 9, 8), layout(8, 8, 8), layout(8, 8, 8));  // shapes do not fit
    const int size_4 = 0;
    codes +=
        std::to_string(b.cublasLtMatmulDescSetAttribute(desc, fake::kLtDescBias, &size_4, 4)) + " ";
    fake::LtLayout *l = layout(8, 8, 8), *other = layout(8, 8, 16);
    codes += ask(l, l, l);
    const DevicePtr x = b.put(std::vector<double>(512, 1.0), LtType::kF32), w = b.allocate(room);
    const float one = 1, zero = 0;
    const auto run = [&](fake::LtLayout* a, DevicePtr from, std::size_t bytes) {
      return std::to_string(b.cublasLtMatmul(b.handle, desc, &one, at(from), a, at(x), l, &zero,
                                             at(x), l, at(x + 1024), l, &r[0].algorithm, at(w),
                                             bytes, b.a)) +
             " ";
    };
    codes += run(other, x, room);  // another problem's algorithm
    codes += run(l, x, 0);         // too little workspace
    codes += run(l, x, room);
    run(l, x + 4, room);  // less aligned than was promised
    return codes + std::to_string(b.cuStreamSynchronize(b.a));
  });
  INFO(o.said);
  CHECK(o.result == "7 7 7 0 7 7 0 716");
}
