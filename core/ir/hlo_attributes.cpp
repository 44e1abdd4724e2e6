// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "ir/element.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

[[noreturn]] void fail(const char* what, std::string_view text) {
  throw Error("'" + std::string(text) + "' is no " + what);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

std::string_view inside(std::string_view text, char open, char close, const char* what) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != open || text.back() != close) fail(what, text);
  return text.substr(1, text.size() - 2);
}

// Pieces between separators; none of an empty text.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  if (trimmed(text).empty()) return pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

Dims split_integers(std::string_view text, char separator) {
  Dims values;
  text = trimmed(text);
  if (text.empty()) return values;
  values.reserve(4);
  for (;;) {
    const std::size_t end = text.find(separator);
    values.push_back(read_integer(trimmed(text.substr(0, end))));
    if (end == std::string_view::npos) return values;
    text.remove_prefix(end + 1);
  }
}

std::optional<DType> find_dtype(std::string_view name) {
  if (name == "f32") return DType::f32;
  for (int i = 0; i <= static_cast<int>(DType::pred); ++i) {
    if (name == dtype_name(static_cast<DType>(i))) return static_cast<DType>(i);
  }
  return std::nullopt;
}

double read_number(DType dtype, std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_read = error == std::errc() && end == text.data() + text.size();
  if (is_read && !std::isnan(value)) return value;
  if (const auto nan = read_nan(dtype, text)) return *nan;
  if (text == "...")
    throw Error(
        "elements of the constant are left out of the text; JAX writes them with "
        "as_hlo_text(print_large_constants=True), and in StableHLO");
  fail("number", text);
}

/// Calls `visit` with each number of a literal; comments are passed over.
template <typename Visit>
void for_each_number(std::string_view text, Visit visit) {
  constexpr std::string_view kBetween = " ,{}\n\t\r";
  for (std::size_t begin = 0;;) {
    begin = text.find_first_not_of(kBetween, begin);
    if (begin == std::string_view::npos) return;
    if (text.substr(begin, 2) == "/*") {
      begin = std::min(text.size(), text.find("*/", begin) + 2);
      continue;
    }
    const std::size_t end = std::min(text.size(), text.find_first_of(kBetween, begin));
    visit(text.substr(begin, end - begin));
    begin = end;
  }
}

Dims ones(std::size_t count) { return Dims(count, 1); }

// Dims of `labels` (`bf01`): where `first`, `second` and the spatial dims 0, 1, ... are.
struct Labels {
  std::int64_t first = -1, second = -1;
  Dims spatial;
};

Labels read_labels(std::string_view labels, char first, char second) {
  Labels result;
  result.spatial.assign(labels.size() < 2 ? 0 : labels.size() - 2, -1);
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const auto dim = static_cast<std::int64_t>(d);
    const auto place = static_cast<std::size_t>(labels[d] - '0');
    if (labels[d] == first) result.first = dim;
    else if (labels[d] == second) result.second = dim;
    else if (labels[d] >= '0' && place < result.spatial.size()) result.spatial[place] = dim;
    else fail("list of dim labels", labels);
  }
  return result;
}

}  // namespace

std::int64_t read_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("integer", text);
  return value;
}

Shape read_shape(std::string_view text) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos) fail("shape", text);
  const auto dtype = find_dtype(text.substr(0, open));
  if (!dtype) {
    throw Error("element type '" + std::string(text.substr(0, open)) + "' is not supported");
  }
  Shape shape{*dtype, split_integers(text.substr(open + 1, close - open - 1), ',')};
  double bytes = static_cast<double>(dtype_bytes(*dtype));
  for (std::int64_t extent : shape.dims) {
    if (extent < 0) fail("shape", text);
    bytes *= static_cast<double>(std::max<std::int64_t>(1, extent));
  }
  if (bytes > 0x1p60) throw Error("a tensor of " + to_string(shape) + " is too large");
  return shape;
}

Dims read_dims(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) fail("shape", text);
  return read_shape("pred" + std::string(text.substr(open))).dims;
}

std::vector<std::string_view> element_shapes(std::string_view text) {
  std::vector<std::string_view> shapes;
  for (std::string_view piece : split_at_commas(inside(text, '(', ')', "shape of a tuple"))) {
    piece = trimmed(piece);
    if (piece.starts_with("/*"))
      piece = trimmed(piece.substr(std::min(piece.size(), piece.find("*/") + 2)));
    if (!piece.empty()) shapes.push_back(piece);
  }
  return shapes;
}

Dims read_integers(std::string_view text) {
  if (text.empty()) return {};
  return split_integers(inside(text, '{', '}', "list of integers"), ',');
}

std::vector<double> read_literal(std::string_view text, DType dtype) {
  std::vector<double> values;
  for_each_number(text,
                  [&](std::string_view number) { values.push_back(read_number(dtype, number)); });
  return values;
}

std::vector<std::uint64_t> read_wide_literal(std::string_view text) {
  std::vector<std::uint64_t> values;
  for_each_number(text, [&](std::string_view number) {
    std::uint64_t value = 0;
    const bool is_negative = number.starts_with('-');
    const char* first = number.data() + (is_negative ? 1 : 0);
    const auto [end, error] = std::from_chars(first, number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size()) fail("integer", number);
    values.push_back(is_negative ? -value : value);
  });
  return values;
}

void require_exact_integers(std::string_view text) {
  for_each_number(text, [](std::string_view number) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool is_word = number == "true" || number == "false";
    const auto held = static_cast<double>(value);
    if (is_word ||
        (error == std::errc() && held < 0x1p63 && static_cast<std::int64_t>(held) == value)) {
      return;
    }
    throw Error(std::string(number) + " takes more than 53 bits, which is not supported");
  });
}

std::string read_string(std::string_view text) {
  std::string result;
  const std::string_view body = inside(text, '"', '"', "string");
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) result += body[i];
    else result += body[++i] == 'n' ? '\n' : body[i];
  }
  return result;
}

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') result += "\\n";
    else result += c;
  }
  return result + '"';
}

std::vector<Attribute> read_dictionary(std::string_view text) {
  std::vector<Attribute> entries;
  if (text.empty()) return entries;
  std::string_view rest = inside(text, '{', '}', "dictionary");
  for (;;) {
    while (rest.starts_with(' ') || rest.starts_with(',')) rest.remove_prefix(1);
    if (rest.empty()) return entries;
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) fail("dictionary", text);
    Attribute entry{rest.substr(0, equals), {}};
    rest.remove_prefix(equals + 1);
    std::size_t end = 0;
    bool quoted = false;
    for (; end < rest.size() && (quoted || (rest[end] != ' ' && rest[end] != ',')); ++end) {
      if (rest[end] == '"') quoted = !quoted;
      else if (quoted && rest[end] == '\\') ++end;
    }
    entry.value = rest.substr(0, end);
    rest.remove_prefix(std::min(end, rest.size()));
    entries.push_back(entry);
  }
}

std::string find_string(std::string_view dictionary, std::string_view key) {
  for (const Attribute& entry : read_dictionary(dictionary)) {
    if (entry.key == key) return read_string(entry.value);
  }
  return {};
}

SliceAttr read_slice(std::string_view text) {
  SliceAttr slice;
  for (std::string_view range : split(inside(text, '{', '}', "slice"), ',')) {
    const Dims bounds = split_integers(inside(range, '[', ']', "slice"), ':');
    if (bounds.size() < 2 || bounds.size() > 3) fail("slice", text);
    slice.starts.push_back(bounds[0]);
    slice.limits.push_back(bounds[1]);
    slice.strides.push_back(bounds.size() == 3 ? bounds[2] : 1);
  }
  return slice;
}

PadAttr read_padding(std::string_view text) {
  PadAttr padding;
  for (std::string_view dim : split(text, 'x')) {
    const Dims amounts = split_integers(dim, '_');
    if (amounts.size() < 2 || amounts.size() > 3) fail("padding", text);
    padding.low.push_back(amounts[0]);
    padding.high.push_back(amounts[1]);
    padding.interior.push_back(amounts.size() == 3 ? amounts[2] : 0);
  }
  return padding;
}

Window read_window(std::string_view text) {
  Window window;
  for (const Attribute& entry : read_dictionary(text)) {
    if (entry.key == "size") window.sizes = split_integers(entry.value, 'x');
    else if (entry.key == "stride") window.strides = split_integers(entry.value, 'x');
    else if (entry.key == "lhs_dilate") window.lhs_dilation = split_integers(entry.value, 'x');
    else if (entry.key == "rhs_dilate") window.rhs_dilation = split_integers(entry.value, 'x');
    else if (entry.key == "pad") {
      PadAttr padding = read_padding(entry.value);
      window.low = std::move(padding.low);
      window.high = std::move(padding.high);
    } else {
      throw Error("window attribute '" + std::string(entry.key) + "' is not supported");
    }
  }
  const std::size_t rank = window.sizes.size();
  if (window.strides.empty()) window.strides = ones(rank);
  if (window.lhs_dilation.empty()) window.lhs_dilation = ones(rank);
  if (window.rhs_dilation.empty()) window.rhs_dilation = ones(rank);
  if (window.low.empty()) window.low.assign(rank, 0), window.high.assign(rank, 0);
  return window;
}

ConvolutionAttr read_convolution(std::string_view window_text, std::string_view dim_labels) {
  const std::size_t underscore = dim_labels.find('_'), arrow = dim_labels.find("->");
  if (underscore == std::string_view::npos || arrow == std::string_view::npos) {
    fail("list of dim labels", dim_labels);
  }
  const Labels input = read_labels(dim_labels.substr(0, underscore), 'b', 'f');
  const Labels kernel =
      read_labels(dim_labels.substr(underscore + 1, arrow - underscore - 1), 'i', 'o');
  const Labels output = read_labels(dim_labels.substr(arrow + 2), 'b', 'f');
  Window window = read_window(window_text);
  ConvolutionAttr dims;
  dims.input_batch = input.first, dims.input_feature = input.second;
  dims.kernel_input = kernel.first, dims.kernel_output = kernel.second;
  dims.output_batch = output.first, dims.output_feature = output.second;
  dims.input_spatial = input.spatial;
  dims.kernel_spatial = kernel.spatial;
  dims.output_spatial = output.spatial;
  dims.strides = std::move(window.strides);
  dims.low = std::move(window.low), dims.high = std::move(window.high);
  dims.lhs_dilation = std::move(window.lhs_dilation);
  dims.rhs_dilation = std::move(window.rhs_dilation);
  return dims;
}

}  // namespace rhino::ir::hlo
