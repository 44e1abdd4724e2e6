// SPDX-License-Identifier: Apache-2.0
#include "lower/lowerings.hpp"

#include <catch2/catch.hpp>

#include "ir/builder.hpp"

namespace rhino::lower {
namespace {

/// Sums of the exponentials of a square along one dim.
Program sums(const std::string& name, std::int64_t dim, bool yields_both = false) {
  ir::Builder builder("program of " + name);
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {64, 64}}, {}, name);
  const ValueId powers = builder.unary(OpKind::exponential, x);
  const ValueId sum = builder.reduce(powers, {dim}, Reduction::sum);
  builder.output(sum, OutputKind::value, -1);
  if (yields_both) builder.output(powers, OutputKind::value, -1);
  return std::move(builder).finish();
}

}  // namespace

TEST_CASE("programs that compute alike are lowered once, whatever their names") {
  Lowerings lowerings({});
  const auto known = lowerings.of(sums("x", 1));
  CHECK(lowerings.of(sums("y", 1)) == known);
  CHECK(known->groups == lower(sums("x", 1)).groups);
}

TEST_CASE("programs that differ in an attribute or an output alone are lowered each") {
  Lowerings lowerings({});
  const auto rows = lowerings.of(sums("x", 1)), columns = lowerings.of(sums("x", 0)),
             both = lowerings.of(sums("x", 1, true));
  CHECK(columns->groups == lower(sums("x", 0)).groups);
  CHECK(both->groups == lower(sums("x", 1, true)).groups);
  CHECK(columns->groups != rows->groups);
  CHECK(both->groups != rows->groups);
}

TEST_CASE("what stands in for a program is made where that is unknown") {
  Lowerings lowerings({});
  int num_made = 0;
  const auto stand_in = [&] { return ++num_made, sums("x", 0); };
  const auto first = lowerings.of(sums("x", 1), stand_in),
             again = lowerings.of(sums("x", 1), stand_in);
  CHECK(num_made == 1);
  CHECK(again == first);
  CHECK(first->groups == lower(sums("x", 0)).groups);
}

}  // namespace rhino::lower
