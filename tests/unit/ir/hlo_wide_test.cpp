// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_wide.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "import_harness.hpp"
#include "ir/hlo_text.hpp"
#include "ir/reference.hpp"

using namespace rhino;
using namespace rhino::ir;
using rhino::testing::refuses;

namespace {

constexpr std::int64_t kCount = 64;

Tensor words_of(const std::vector<std::uint64_t>& numbers, bool high) {
  Tensor tensor{{DType::u32, {kCount}}, {}};
  for (const std::uint64_t number : numbers)
    tensor.elements.push_back(
        static_cast<double>(static_cast<std::uint32_t>(high ? number >> 32 : number)));
  return tensor;
}

/// Numbers of all sizes.
std::vector<std::uint64_t> draw(std::mt19937_64& random) {
  std::vector<std::uint64_t> numbers;
  for (std::int64_t i = 0; i < kCount; ++i) numbers.push_back(random() >> (random() % 64));
  return numbers;
}

}  // namespace

TEST_CASE("words of u64 compute what 64 bits do") {
  Builder b("wide");
  hlo::WideIntegers wide(b);
  const auto input = [&] { return b.input(InputKind::batch, {DType::u32, {kCount}}, {}, ""); };
  hlo::Words operands[3];
  for (hlo::Words& words : operands) words = {input(), input()};
  const auto& [x, y, places] = operands;
  for (const hlo::Words& words :
       {wide.add(x, y), wide.subtract(x, y), wide.multiply(x, y), wide.shift_left(x, places),
        wide.shift_right(x, places), wide.split(wide.join(x)),
        wide.of(wide.as_signed(wide.product(x.low, y.low)))}) {
    b.output(words.low, OutputKind::value);
    b.output(words.high, OutputKind::value);
  }
  b.output(wide.less(x, y), OutputKind::value);
  b.output(wide.equal(x, wide.split(wide.join(x))), OutputKind::value);
  const Program program = std::move(b).finish();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::vector<std::uint64_t> a = draw(random), c = draw(random);
    std::vector<std::uint64_t> n = draw(random);
    for (std::uint64_t& count : n) count %= 70;
    std::vector<Tensor> inputs;
    for (const auto* numbers : {&a, &c, static_cast<const std::vector<std::uint64_t>*>(&n)})
      for (const bool high : {false, true}) inputs.push_back(words_of(*numbers, high));
    const std::vector<Tensor> found = evaluate(program, inputs);
    const auto word_pair = [&](std::size_t k, std::size_t i) {
      return static_cast<std::uint64_t>(found[2 * k].elements[i]) |
             static_cast<std::uint64_t>(found[2 * k + 1].elements[i]) << 32;
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
      CAPTURE(a[i], c[i], n[i]);
      CHECK(word_pair(0, i) == a[i] + c[i]);
      CHECK(word_pair(1, i) == a[i] - c[i]);
      CHECK(word_pair(2, i) == a[i] * c[i]);
      CHECK(word_pair(3, i) == (n[i] < 64 ? a[i] << n[i] : 0));
      CHECK(word_pair(4, i) == (n[i] < 64 ? a[i] >> n[i] : 0));
      CHECK(word_pair(5, i) == a[i]);
      CHECK((found[14].elements[i] != 0) == (a[i] < c[i]));
      CHECK(found[15].elements[i] != 0);
    }
  }
}

TEST_CASE("a seed that multiplies on and on keeps all bits on its way to u64") {
  std::string text =
      "HloModule m\nENTRY %main {\n  %s0 = s64[] parameter(0)\n"
      "  %f = s64[] constant(214013)\n  %c = s64[] constant(2531011)\n";
  std::uint64_t seed = 77;
  for (int k = 0; k < 9; ++k) {
    const std::string here = std::to_string(k), next = std::to_string(k + 1);
    text += "  %m" + here + " = s64[] multiply(%s" + here + ", %f)\n  %s" + next +
            " = s64[] add(%m" + here + ", %c)\n";
    seed = seed * 214013 + 2531011;
  }
  text += "  ROOT %u = u64[] convert(%s9)\n}\n";
  const Program program = parse_hlo(text, "seed");
  const Tensor result = evaluate(program, std::vector<Tensor>{{{DType::s64, {}}, {77}}})[0];
  REQUIRE(result.shape == Shape{DType::u32, {2}});
  CHECK(static_cast<std::uint64_t>(result.elements[0]) == (seed & 0xffffffff));
  CHECK(static_cast<std::uint64_t>(result.elements[1]) == seed >> 32);
}

TEST_CASE("what u64 cannot do is refused in a sentence") {
  const auto refused = [](const std::string& line, const std::string& words) {
    CHECK_THROWS_WITH(parse_hlo("HloModule m\nENTRY %main {\n  %a = u64[2] parameter(0)\n  ROOT " +
                                    line + "\n}\n",
                                "m.hlo"),
                      Catch::Matchers::Contains("m.hlo:4:") && Catch::Matchers::Contains(words));
  };
  refused("%r = u64[2] divide(%a, %a)", "divide of u64 is not supported");
  refused("%r = f32[2] convert(%a)", "between u64 and f32 is not supported");
  refused("%r = u64[3] add(%a, %a)", "add does not yield u64[3]");
  refused("%r = () reshape(%a)", "reshape of u64 yields u64, not ()");
  refused("%r = f32[2] slice(%a), slice={[0:2]}", "slice of u64 yields u64, not f32[2]");
  refused("%r = (u64[2], f32[4]) rng-bit-generator(%a), algorithm=rng_default",
          "random bits of f32 are not supported");
  refused("%r = (u64[2], u32[4]) rng-bit-generator(%a), algorithm=rng_new", "is no algorithm");
}

TEST_CASE("u64 and other integers are not mixed") {
  refuses("  %x = u32[] parameter(0)\n  ROOT %r = u64[3] subtract(%x, %x)\n",
          "%r: an operand is no u64");
}
