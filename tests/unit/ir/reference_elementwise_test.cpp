// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "evaluation.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

std::vector<double> on(const Tensor& a, OpKind kind) { return compute({a}, kind).elements; }
std::vector<double> on(const Tensor& a, const Tensor& b, OpKind kind) {
  return compute({a, b}, kind).elements;
}
Tensor integers(DType dtype, std::vector<double> elements) {
  const auto count = static_cast<std::int64_t>(elements.size());
  return {{dtype, {count}}, std::move(elements)};
}
Tensor floats(std::vector<double> elements) { return integers(DType::f32, std::move(elements)); }
Tensor doubles(std::vector<double> elements) { return integers(DType::f64, std::move(elements)); }
using Row = std::vector<double>;

}  // namespace

TEST_CASE("unary ops on floating-point values") {
  CHECK(on(floats({1.5, -2, 0}), OpKind::negate) == Row{-1.5, 2, 0});
  CHECK(on(floats({1.5, -2}), OpKind::absolute) == Row{1.5, 2});
  CHECK(on(floats({3, -2, 0}), OpKind::sign) == Row{1, -1, 0});
  CHECK(on(floats({1.5, -1.5}), OpKind::floor) == Row{1, -2});
  CHECK(on(floats({1.5, -1.5}), OpKind::ceil) == Row{2, -1});
  CHECK(on(floats({0.5, 1.5, 2.5, -0.5, -1.5, 1.4}), OpKind::round) == Row{0, 2, 2, 0, -2, 1});
  CHECK(on(floats({kInf, -kInf, 3.5, -2.5}), OpKind::round) == Row{kInf, -kInf, 4, -2});
  CHECK(std::isnan(on(floats({kNan}), OpKind::round)[0]));
  for (const double zero : on(floats({-0.0, -0.5, -0.25}), OpKind::round))
    CHECK((zero == 0 && std::signbit(zero)));
  CHECK(on(floats({4, 0.25}), OpKind::sqrt) == Row{2, 0.5});
  CHECK(on(floats({4, 0.25}), OpKind::rsqrt) == Row{0.5, 2});
  CHECK(on(floats({27, -8}), OpKind::cbrt) == Row{3, -2});
  CHECK(on(floats({kInf, kNan, 1}), OpKind::is_finite) == Row{0, 0, 1});
  CHECK(on(integers(DType::pred, {0, 1}), OpKind::logical_not) == Row{1, 0});
  CHECK(on(integers(DType::s32, {5, -1}), OpKind::logical_not) == Row{-6, 0});
  CHECK(on(integers(DType::u8, {5}), OpKind::logical_not) == Row{250});
}

TEST_CASE("transcendental ops obey their identities in f64") {
  const Tensor x = doubles({-2, -0.3, 0.1, 1.7});
  const auto f = [&](OpKind kind) { return on(x, kind); };
  for (std::size_t i = 0; i < 4; ++i) {
    const double at = x.elements[i];
    const double e = f(OpKind::exponential)[i];
    CHECK(on(doubles({e}), OpKind::log)[0] == Approx(at).epsilon(1e-14));
    CHECK(f(OpKind::exponential_minus_one)[i] == Approx(e - 1).epsilon(1e-14));
    CHECK(f(OpKind::logistic)[i] == Approx(e / (1 + e)).epsilon(1e-14));
    CHECK(f(OpKind::tanh)[i] == Approx((e * e - 1) / (e * e + 1)).epsilon(1e-14));
    const double sine = f(OpKind::sine)[i], cosine = f(OpKind::cosine)[i];
    CHECK(sine * sine + cosine * cosine == Approx(1).epsilon(1e-14));
    CHECK(on(doubles({e}), OpKind::log_plus_one)[0] == Approx(std::log(1 + e)).epsilon(1e-14));
  }
  CHECK(on(doubles({0.5}), OpKind::sine)[0] == Approx(0.479425538604203).epsilon(1e-14));
  CHECK(on(doubles({0.5}), OpKind::erf)[0] == Approx(0.520499877813047).epsilon(1e-14));
}

TEST_CASE("binary ops on floating-point values") {
  const Tensor a = floats({7, -7, 1.5}), b = floats({2, 2, -0.5});
  CHECK(on(a, b, OpKind::add) == Row{9, -5, 1});
  CHECK(on(a, b, OpKind::subtract) == Row{5, -9, 2});
  CHECK(on(a, b, OpKind::multiply) == Row{14, -14, -0.75});
  CHECK(on(a, b, OpKind::divide) == Row{3.5, -3.5, -3});
  CHECK(on(a, b, OpKind::maximum) == Row{7, 2, 1.5});
  CHECK(on(a, b, OpKind::minimum) == Row{2, -7, -0.5});
  CHECK(on(a, b, OpKind::remainder) == Row{1, -1, 0});
  CHECK(on(floats({2, 9}), floats({3, 0.5}), OpKind::power) == Row{8, 3});
  for (const OpKind kind : {OpKind::maximum, OpKind::minimum}) {
    CHECK(std::isnan(on(floats({kNan}), floats({1}), kind)[0]));
    CHECK(std::isnan(on(floats({1}), floats({kNan}), kind)[0]));
  }
}

TEST_CASE("integer arithmetic wraps and truncates") {
  const auto s = [](Row row) { return integers(DType::s32, std::move(row)); };
  CHECK(on(s({2147483647}), s({1}), OpKind::add) == Row{-2147483648.0});
  CHECK(on(s({-2147483648.0}), s({1}), OpKind::subtract) == Row{2147483647});
  CHECK(on(s({65536, 123456789}), s({65536, 987654321}), OpKind::multiply) == Row{0, -67153019});
  CHECK(on(s({7, -7, 5, -2147483648.0}), s({2, 2, 0, -1}), OpKind::divide) ==
        Row{3, -3, -1, -2147483648.0});
  CHECK(on(s({7, -7, 5}), s({2, 2, 0}), OpKind::remainder) == Row{1, -1, 5});
  CHECK(on(s({3, -2, 2, 1, -1}), s({4, 3, -1, -5, -5}), OpKind::power) == Row{81, -8, 0, 1, -1});
  CHECK(on(s({12}), s({10}), OpKind::logical_and) == Row{8});
  CHECK(on(s({12}), s({10}), OpKind::logical_or) == Row{14});
  CHECK(on(s({12}), s({-1}), OpKind::logical_xor) == Row{-13});
  CHECK(on(integers(DType::u8, {200}), integers(DType::u8, {100}), OpKind::add) == Row{44});
  CHECK(on(integers(DType::u32, {0}), integers(DType::u32, {1}), OpKind::subtract) ==
        Row{4294967295});
  CHECK(on(integers(DType::s8, {-128}), OpKind::negate) == Row{-128});
  CHECK(on(integers(DType::s8, {-128}), OpKind::absolute) == Row{-128});
}

TEST_CASE("comparisons, with NaN unequal to all") {
  const Tensor a = floats({1, 2, kNan}), b = floats({1, 3, kNan});
  const auto is = [&](Comparison comparison) {
    return compute({a, b}, OpKind::compare, CompareAttr{comparison}).elements;
  };
  CHECK(is(Comparison::eq) == Row{1, 0, 0});
  CHECK(is(Comparison::ne) == Row{0, 1, 1});
  CHECK(is(Comparison::lt) == Row{0, 1, 0});
  CHECK(is(Comparison::le) == Row{1, 1, 0});
  CHECK(is(Comparison::gt) == Row{0, 0, 0});
  CHECK(is(Comparison::ge) == Row{1, 0, 0});
}

TEST_CASE("select and clamp") {
  CHECK(compute({integers(DType::pred, {1, 0}), floats({1, 2}), floats({3, 4})}, OpKind::select)
            .elements == Row{1, 4});
  CHECK(compute({floats({0, 0, 0}), floats({-1, 0.5, 2}), floats({1, 1, 1})}, OpKind::clamp)
            .elements == Row{0, 0.5, 1});
}

TEST_CASE("conversions truncate, saturate, wrap and round to even") {
  const auto to = [](DType dtype, const Tensor& a) {
    return compute({a}, OpKind::convert, {}, {dtype, a.shape.dims}).elements;
  };
  CHECK(to(DType::s32, floats({1.9, -1.9, 1e10, -kInf, kNan})) ==
        Row{1, -1, 2147483647, -2147483648.0, 0});
  CHECK(to(DType::u8, floats({300, -5})) == Row{255, 0});
  CHECK(to(DType::u8, integers(DType::s32, {300, -5})) == Row{44, 251});
  CHECK(to(DType::pred, floats({0, 0.1, -2})) == Row{0, 1, 1});
  CHECK(to(DType::f32, integers(DType::s32, {16777217})) == Row{16777216});
  // Halfway between two bf16 values: 1 + 2^-8 goes down to 1, 1 + 3 * 2^-8 up to 1 + 2^-6.
  CHECK(to(DType::bf16, floats({1 + 0x1p-8, 1 + 0x3p-8, 3.4e38})) == Row{1, 1 + 0x1p-6, kInf});
  CHECK(to(DType::f16, floats({1 + 0x1p-11, 1 + 0x3p-11, 65504, 65520, 0x1p-25, 0x3p-25})) ==
        Row{1, 1 + 0x1p-9, 65504, kInf, 0, 0x1p-23});
}

TEST_CASE("results round to the declared type, or keep 53 bits") {
  const auto sum = [](Builder& b, const std::vector<ValueId>& v) { return b.add(v[0], v[1]); };
  const std::vector<Tensor> inputs = {floats({1}), floats({0x1p-30})};
  CHECK(compute(inputs, sum).elements == Row{1});
  CHECK(compute(inputs, sum, Precision::f64).elements == Row{1 + 0x1p-30});
  const auto tenth = [](Builder& b, const std::vector<ValueId>&) {
    return b.constant(DType::f32, 0.1);
  };
  CHECK(compute({}, tenth).elements == Row{static_cast<double>(0.1F)});
  CHECK(compute({}, tenth, Precision::f64).elements == Row{0.1});
}

TEST_CASE("elements survive memory in every dtype") {
  for (int i = 0; i <= static_cast<int>(DType::pred); ++i) {
    const auto dtype = static_cast<DType>(i);
    CAPTURE(dtype_name(dtype));
    std::vector<double> values = {0, 1, 2.5, 100, 127};
    if (is_floating(dtype)) {
      values.insert(values.end(), {-0.1, 1e-7, kInf, -kInf, 6.1e-5, 3e38, 1e300});
    }
    round_all(dtype, values);
    std::vector<std::byte> memory(values.size() * static_cast<std::size_t>(dtype_bytes(dtype)));
    write_elements(dtype, values, memory.data());
    std::vector<double> back(values.size());
    read_elements(dtype, memory.data(), back);
    CHECK(back == values);
  }
}

TEST_CASE("every f16 and bf16 pattern reads and writes back as itself") {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    int num_changed = 0;
    for (int pattern = 0; pattern < 65536; ++pattern) {
      const auto bits = static_cast<std::uint16_t>(pattern);
      std::uint16_t again = 0;
      double value = 0;
      read_elements(dtype, &bits, {&value, 1});
      if (std::isnan(value)) continue;
      write_elements(dtype, std::vector<double>{value}, &again);
      num_changed += again != bits;
    }
    CHECK(num_changed == 0);
  }
}
