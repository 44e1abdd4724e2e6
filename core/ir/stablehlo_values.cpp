// SPDX-License-Identifier: Apache-2.0
#include "ir/stablehlo_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ir/element.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/stablehlo_syntax.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::stablehlo {
namespace {

std::string hlo_dtype(std::string_view name) {
  if (name == "i1") return "pred";
  if (name.starts_with("ui")) return "u" + std::string(name.substr(2));
  if (name.starts_with("i")) return "s" + std::string(name.substr(1));
  return std::string(name);
}

/// What stands in `word<...>`.
std::string_view inside(std::string_view text, std::string_view word) {
  const std::size_t close = text.rfind('>');
  if (!text.starts_with(word) || text.size() <= word.size() || text[word.size()] != '<' ||
      close == std::string_view::npos) {
    throw Error("'" + std::string(text) + "' is no " + std::string(word) + "<...>");
  }
  return text.substr(word.size() + 1, close - word.size() - 1);
}

bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         c == '-' || c == '+';
}

std::uint64_t read_hex(std::string_view digits) {
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    throw Error("'" + std::string(digits) + "' are no hexadecimal digits");
  }
  return bits;
}

std::string number_text(DType dtype, double number) {
  if (dtype == DType::pred) return number != 0 ? "true" : "false";
  if (is_floating(dtype) && std::isnan(number)) return nan_text(dtype, number);
  if (is_floating(dtype)) return fmt::format("{}", number);
  return std::to_string(static_cast<std::int64_t>(number));
}

/// The element whose bytes, little endian, are the low ones of `bits`.
std::string element_text(DType dtype, std::uint64_t bits) {
  if (dtype == DType::s64) return std::to_string(static_cast<std::int64_t>(bits));
  double number = 0;
  read_elements(dtype, &bits, {&number, 1});
  return number_text(dtype, number);
}

/// `0x` and two digits for each byte; elements follow each other.
std::string bytes_literal(std::string_view digits, const Shape& shape) {
  const std::size_t size = 2 * static_cast<std::size_t>(dtype_bytes(shape.dtype));
  const auto count = static_cast<std::size_t>(num_elements(shape));
  if (digits.size() != size && digits.size() != size * count) {
    throw Error("bytes of a constant are not those of " + to_string(shape));
  }
  std::string text = "{";
  for (std::size_t begin = 0; begin < digits.size(); begin += size) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < size; byte += 2) {
      bits |= read_hex(digits.substr(begin + byte, 2)) << (4 * byte);
    }
    text += (begin ? "," : "") + element_text(shape.dtype, bits);
  }
  return text + "}";
}

}  // namespace

std::string hlo_shape(std::string_view type) {
  std::string_view rest = inside(type, "tensor");
  const std::size_t encoding = rest.find(',');
  rest = rest.substr(0, encoding);
  std::string dims;
  while (!rest.empty()) {
    const std::size_t size = rest.find_first_not_of("0123456789");
    if (rest.starts_with('?'))
      throw Error("'" + std::string(type) + "': extents that are not numbers are not supported");
    if (size == 0 || size == std::string_view::npos || rest[size] != 'x') break;
    dims += (dims.empty() ? "" : ",") + std::string(rest.substr(0, size));
    rest.remove_prefix(size + 1);
  }
  return hlo_dtype(rest) + "[" + dims + "]";
}

std::string hlo_literal(std::string_view dense, std::string_view type) {
  std::string_view body = inside(dense, "dense");
  if (body.find("0x") == std::string_view::npos) {
    std::string text(body);
    std::ranges::replace(text, '[', '{');
    std::ranges::replace(text, ']', '}');
    return text;
  }
  // The bits of u64 are written as those of s64.
  const std::string text_of_shape = hlo_shape(type);
  const bool is_wide = text_of_shape.starts_with("u64[");
  const Shape shape = hlo::read_shape(is_wide ? "s" + text_of_shape.substr(1) : text_of_shape);
  if (body.starts_with("\"0x") && body.ends_with('"')) {
    return bytes_literal(body.substr(3, body.size() - 4), shape);
  }
  std::string text;
  for (std::size_t i = 0; i < body.size();) {
    const char c = body[i];
    if (!is_number_character(c)) {
      text += c == '[' ? '{' : c == ']' ? '}' : c;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < body.size() && is_number_character(body[end])) ++end;
    const std::string_view number = body.substr(i, end - i);
    if (number.starts_with("0x")) text += element_text(shape.dtype, read_hex(number.substr(2)));
    else text += number;
    i = end;
  }
  return text;
}

std::vector<std::int64_t> read_integers(std::string_view text) {
  const std::size_t colon = text.starts_with("array<") ? text.find(':') : std::string_view::npos;
  std::string_view body = text;
  std::size_t repeat = 1;
  if (text.starts_with("array<")) {
    const std::size_t close = text.find('>');
    if (colon == std::string_view::npos || colon > close) return {};
    body = text.substr(colon + 1, close - colon - 1);
  } else if (text.starts_with("dense<")) {
    const std::size_t close = text.find('>');
    body = text.substr(6, close - 6);
    const std::size_t type = text.find("tensor<");
    if (body.find('[') == std::string_view::npos && type != std::string_view::npos) {
      repeat = at(num_elements(hlo::read_shape(hlo_shape(text.substr(type)))));
    }
  } else if (text.starts_with('[')) {
    body = text.substr(0, text.rfind(']'));
  } else {
    body = text.substr(0, text.find(':'));
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < body.size();) {
    const bool is_digit = body[i] == '-' || (body[i] >= '0' && body[i] <= '9');
    if (!is_digit) {
      ++i;
      continue;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(body.data() + i, body.data() + body.size(), number);
    if (error != std::errc()) throw Error("'" + std::string(text) + "' are no integers");
    numbers.push_back(number);
    i = static_cast<std::size_t>(end - body.data());
  }
  if (repeat > 64) throw Error("'" + std::string(text) + "' are too many integers");
  if (repeat != 1 && numbers.size() == 1) numbers.assign(repeat, numbers[0]);
  return numbers;
}

std::int64_t read_integer(std::string_view text) {
  const std::vector<std::int64_t> numbers = read_integers(text);
  if (numbers.size() != 1) throw Error("'" + std::string(text) + "' is no integer");
  return numbers[0];
}

}  // namespace rhino::ir::stablehlo
