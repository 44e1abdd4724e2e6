// SPDX-License-Identifier: Apache-2.0
#include "ir/stablehlo_functions.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "rhino/error.hpp"

namespace rhino::ir::stablehlo {
namespace {

/// Writes one instruction after another; values are called by name, numbers become splats.
class Text {
 public:
  explicit Text(std::string dims) : dims_(std::move(dims)) {}

  std::string op(const std::string& opcode, const std::string& operands,
                 const std::string& dtype = "f32", const std::string& attributes = "") {
    const std::string name = "v" + std::to_string(count_++);
    text_ += fmt::format("{} = {}{} {}({}){}\n", name, dtype, dims_, opcode, operands, attributes);
    return name;
  }
  std::string number(std::string_view number) {
    const std::string name = "c" + std::to_string(count_++);
    text_ += fmt::format("{} = f32[] constant({})\n", name, number);
    return op("broadcast", name, "f32", ", dimensions={}");
  }
  std::string binary(const std::string& opcode, const std::string& a, const std::string& b) {
    return op(opcode, a + ", " + b);
  }
  std::string less(const std::string& a, const std::string& b) {
    return op("compare", a + ", " + b, "pred", ", direction=LT");
  }
  std::string select(const std::string& which, const std::string& a, const std::string& b) {
    return op("select", which + ", " + a + ", " + b);
  }
  /// ((c0 x + c1) x + c2) ...
  std::string polynomial(const std::string& x, std::span<const std::string_view> numbers) {
    std::string sum = number(numbers[0]);
    for (std::string_view next : numbers.subspan(1)) {
      sum = binary("add", binary("multiply", sum, x), number(next));
    }
    return sum;
  }
  const std::string& text() const { return text_; }

 private:
  std::string dims_, text_;
  int count_ = 0;
};

constexpr std::string_view kNearZero[] = {"7.85386146e-05", "-0.000801019371", "0.00518832775",
                                          "-0.0268538129",  "0.112835854",     "-0.37612626",
                                          "1.12837911"};
constexpr std::string_view kBelowTwo[] = {"0.0232682",    "-0.138703942", "0.368742466",
                                          "-0.582473278", "0.621000469",  "-0.494451523",
                                          "0.340488",     "-0.274112701", "0.563825965"};
constexpr std::string_view kFromTwoOn[] = {"-10.477664",   "12.9772",     "-7.49551868",
                                           "2.92101908",   "-1.01526523", "0.42184633",
                                           "-0.282076746", "0.564189494"};

/// Cephes' erfc: 1 - x p(x^2) within 1 of zero, else exp(-x^2) / |x| q(1 / x^2), mirrored below 0.
std::string erfc(Text& t, const std::string& x) {
  const std::string one = t.number("1"), two = t.number("2"), zero = t.number("0");
  const std::string square = t.binary("multiply", x, x), size = t.op("abs", x);
  const std::string near_square = t.binary("multiply", x, x), near_size = t.op("abs", x);
  const std::string near =
      t.binary("subtract", one, t.binary("multiply", x, t.polynomial(near_square, kNearZero)));
  const std::string exponent = t.op("negate", square);
  const std::string inverse = t.binary("divide", one, square);
  const std::string factor = t.select(t.less(size, two), t.polynomial(inverse, kBelowTwo),
                                      t.polynomial(inverse, kFromTwoOn));
  const std::string tail = t.binary(
      "multiply",
      t.binary("multiply", t.op("exponential", exponent), t.binary("divide", one, size)), factor);
  const std::string kept = t.select(t.less(exponent, t.number("-88.7228394")), zero, tail);
  const std::string far = t.select(t.less(x, zero), t.binary("subtract", two, kept), kept);
  return t.select(t.less(near_size, one), near, far);
}

/// Giles' approximation in w = -log(1 - x^2), by another polynomial from 5 on.
std::string erf_inv(Text& t, const std::string& x) {
  constexpr std::string_view kSmall[] = {"2.81022636e-08",  "3.43273939e-07", "-3.5233877e-06",
                                         "-4.39150654e-06", "0.00021858087",  "-0.00125372503",
                                         "-0.00417768164",  "0.246640727",    "1.50140941"};
  constexpr std::string_view kLarge[] = {"-0.000200214257", "0.000100950558", "0.00134934322",
                                         "-0.00367342844",  "0.00573950773",  "-0.0076224613",
                                         "0.00943887047",   "1.00167406",     "2.83297682"};
  const std::string w =
      t.op("negate", t.op("log-plus-one", t.binary("multiply", x, t.op("negate", x))));
  const std::string is_small = t.less(w, t.number("5"));
  const std::string place = t.select(is_small, t.binary("subtract", w, t.number("2.5")),
                                     t.binary("subtract", t.op("sqrt", w), t.number("3")));
  std::string sum = t.select(is_small, t.number(kSmall[0]), t.number(kLarge[0]));
  for (std::size_t i = 1; i < std::size(kSmall); ++i) {
    const std::string next = t.select(is_small, t.number(kSmall[i]), t.number(kLarge[i]));
    sum = t.binary("add", next, t.binary("multiply", sum, place));
  }
  const std::string is_end =
      t.op("compare", t.op("abs", x) + ", " + t.number("1"), "pred", ", direction=EQ");
  return t.select(is_end, t.binary("multiply", x, t.number("inf")), t.binary("multiply", sum, x));
}

}  // namespace

bool is_function(std::string_view name) { return name == "erfc" || name == "erf_inv"; }

std::string function_text(std::string_view function, const std::string& name,
                          const std::string& shape) {
  const std::string dtype = shape.substr(0, shape.find('['));
  if (dtype != "f32" && dtype != "bf16" && dtype != "f16") {
    throw Error(std::string(function) + " of " + dtype + " is not supported");
  }
  Text text(shape.substr(dtype.size()));
  std::string x = text.op("parameter", "0", dtype);
  if (dtype != "f32") x = text.op("convert", x);
  std::string result = function == "erfc" ? erfc(text, x) : erf_inv(text, x);
  if (dtype != "f32") result = text.op("convert", result, dtype);
  return "HloModule m\n" + name + " {\n" + text.text() + "ROOT r = " + shape + " reshape(" +
         result + ")\n}\n";
}

}  // namespace rhino::ir::stablehlo
