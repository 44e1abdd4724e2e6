// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "import_harness.hpp"
#include "ir/canonical.hpp"
#include "ir/element.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;

/// Bits of constants: what is written as bits comes out of every form as these bits.
namespace {

struct Format {
  DType dtype;
  const char* name;
  int bits, fraction;
};
constexpr Format kFormats[] = {{DType::f16, "f16", 16, 10},
                               {DType::bf16, "bf16", 16, 7},
                               {DType::f32, "f32", 32, 23},
                               {DType::f64, "f64", 64, 52}};

/// Zeros, subnormals, infinities and NaNs, all of them where they are few, and others.
std::vector<std::uint64_t> patterns(const Format& format, std::mt19937_64& random) {
  std::vector<std::uint64_t> patterns;
  const std::uint64_t sign = std::uint64_t{1} << (format.bits - 1);
  if (format.bits == 16) {
    for (std::uint64_t bits = 0; bits < 2 * sign; ++bits) patterns.push_back(bits);
    return patterns;
  }
  const std::uint64_t fraction = (std::uint64_t{1} << format.fraction) - 1;
  const std::uint64_t infinity = sign - 1 - fraction;
  for (const std::uint64_t top : {std::uint64_t{0}, sign}) {
    for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1}, fraction, infinity,
                                     infinity + 1, infinity + fraction / 2 + 1, sign - 1}) {
      patterns.push_back(top + bits);
    }
    for (int i = 0; i < 300; ++i) {
      patterns.push_back(top + (random() & fraction));
      patterns.push_back(top + infinity + (random() & fraction));
      patterns.push_back(top + (random() & (sign - 1)));
    }
  }
  return patterns;
}

std::string stable_text(const Format& format, const std::vector<std::uint64_t>& patterns) {
  std::string list;
  for (const std::uint64_t bits : patterns) {
    list += fmt::format("{}0x{:0{}X}", list.empty() ? "" : ", ", bits, format.bits / 4);
  }
  const std::string type = fmt::format("tensor<{}x{}>", patterns.size(), format.name);
  return "module @m {\n  func.func public @main() -> " + type +
         " {\n    %c = stablehlo.constant dense<[" + list + "]> : " + type +
         "\n    return %c : " + type + "\n  }\n}\n";
}

std::vector<std::uint64_t> bits_of(const Program& program, const Format& format) {
  const auto& elements = program.op(0).attributes.get<ConstantAttr>().elements;
  const auto size = static_cast<std::size_t>(format.bits / 8);
  std::vector<std::byte> memory(elements.size() * size);
  write_elements(format.dtype, elements, memory.data());
  std::vector<std::uint64_t> bits(elements.size(), 0);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    std::memcpy(&bits[i], memory.data() + i * size, size);
  }
  std::vector<double> again(elements.size());
  read_elements(format.dtype, memory.data(), again);
  write_elements(format.dtype, again, memory.data());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    CHECK(std::memcmp(&bits[i], memory.data() + i * size, size) == 0);
  }
  return bits;
}

bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

TEST_CASE("constants keep their bits in both texts, payloads of NaNs too") {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  for (const Format& format : kFormats) {
    CAPTURE(seed, format.name);
    const std::vector<std::uint64_t> bits = patterns(format, random);
    const Program program = parse_stablehlo(stable_text(format, bits), "m.mlir");
    CHECK(bits_of(program, format) == bits);
    const std::string text = print_hlo(program);
    const Program again = parse_hlo(text, "m.hlo");
    CHECK(again == program);
    CHECK(print_hlo(again) == text);
    CHECK(bits_of(canonical(program), format) == bits);
  }
}

TEST_CASE("NaNs are read and written as XLA writes them") {
  const std::tuple<const Format&, std::string, std::uint64_t> kCases[] = {
      {kFormats[0], "nan", 0x7e00},
      {kFormats[0], "-nan(0x201)", 0xfe01},
      {kFormats[1], "nan(0x1)", 0x7f81},
      {kFormats[2], "-nan", 0xffc00000},
      {kFormats[2], "nan(0x00001)", 0x7f800001},
      {kFormats[3], "nan(0x8000000000001)", 0x7ff8000000000001}};
  for (const auto& [format, literal, bits] : kCases) {
    CAPTURE(format.name, literal);
    const Program program =
        import("  ROOT %c = " + std::string(format.name) + "[] constant(" + literal + ")\n");
    CHECK(bits_of(program, format) == std::vector{bits});
    CHECK(print_hlo(program).find("constant(" + literal + ")") != std::string::npos);
  }
  CHECK_THROWS(import("  ROOT %c = f16[] constant(nan(0x400))\n"));
  CHECK_THROWS(import("  ROOT %c = f16[] constant(nan(0x0))\n"));
  CHECK_THROWS(import("  ROOT %c = f16[] constant(nan(1)\n"));
}

TEST_CASE("the canonical form is exact at zeros of both signs, infinities and NaNs") {
  const std::string constants =
      "  %x = f32[8] constant({0, -0, 1, -1, inf, -inf, nan, 1e-45})\n"
      "  %o = f32[8] parameter(0)\n  %y = f32[8] multiply(%x, %o)\n";
  for (const char* element : {"0", "-0", "1", "-1", "inf", "-inf", "nan"}) {
    for (const char* opcode : {"add", "subtract", "multiply", "divide", "maximum", "minimum"}) {
      for (const char* operands : {"%y, %s", "%s, %y"}) {
        CAPTURE(element, opcode, operands);
        const Program program = import(constants + "  %e = f32[] constant(" + element +
                                       ")\n  %s = f32[8] broadcast(%e), dimensions={}\n"
                                       "  ROOT %r = f32[8] " +
                                       opcode + "(" + operands + ")\n");
        const std::vector<Tensor> ones = {f32({8}, Numbers(8, 1))};
        const Numbers expected = output_of(program, ones),
                      found = output_of(canonical(program), ones);
        REQUIRE(found.size() == expected.size());
        // Either zero may be the larger one.
        const bool picks = std::string_view(opcode).ends_with("imum");
        for (std::size_t i = 0; i < found.size(); ++i) {
          CHECK((is_same(found[i], expected[i]) || (picks && found[i] == 0 && expected[i] == 0)));
        }
      }
    }
  }
}

TEST_CASE("what is reduced over dims of one element is itself") {
  const std::string sum =
      "%sum {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %c = f32[] add(%a, "
      "%b)\n}\n";
  const auto num_reduces = [&](const std::string& dims, const std::string& shape) {
    const Program form = canonical(
        import("  %x = f32[4,1,1] parameter(0)\n  %z = f32[] constant(0)\n  ROOT %r = f32" + shape +
                   " reduce(%x, %z), dimensions=" + dims + ", to_apply=%sum\n",
               sum));
    return std::ranges::count(form.ops, OpKind::reduce, &Op::kind);
  };
  CHECK(num_reduces("{2}", "[4,1]") == 0);
  CHECK(num_reduces("{1,2}", "[4]") == 0);
  CHECK(num_reduces("{0,2}", "[1]") == 1);
}

TEST_CASE("sums with 0 are dropped where they change nothing") {
  const auto num_sums = [](const std::string& body, Zeros zeros = Zeros::exact) {
    const Program form = canonical(import("  %x = f32[4] parameter(0)\n  %z = f32[] constant(0)\n"
                                          "  %s = f32[4] broadcast(%z), dimensions={}\n" +
                                          body),
                                   zeros);
    return std::ranges::count(form.ops, OpKind::add, &Op::kind);
  };
  const std::string sum = "  %a = f32[4] add(%x, %s)\n";
  CHECK(num_sums(sum) == 1);
  CHECK(num_sums(sum, Zeros::alike) == 0);
  CHECK(num_sums("  %m = f32[4] abs(%x)\n  ROOT %a = f32[4] add(%m, %s)\n") == 0);
  CHECK(num_sums(sum + "  %y = f32[4] exponential(%x)\n  %n = pred[4] compare(%x, %x), "
                       "direction=NE\n  ROOT %r = f32[4] select(%n, %a, %y)\n") == 0);
  CHECK(num_sums(sum + "  %y = f32[4] exponential(%x)\n  %n = pred[4] compare(%x, %y), "
                       "direction=NE\n  ROOT %r = f32[4] select(%n, %a, %y)\n") == 1);
  const auto with_term = [&](const std::string& term) {
    return num_sums(sum + "  %c = f32[] constant(" + term +
                    ")\n  %d = f32[4] broadcast(%c), "
                    "dimensions={}\n  ROOT %r = f32[4] add(%a, %d)\n");
  };
  CHECK(with_term("1e-8") == 1);
  CHECK(with_term("0") == 2);
}
