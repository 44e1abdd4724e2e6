// SPDX-License-Identifier: Apache-2.0
#include "ir/stablehlo_attributes.hpp"

#include <unordered_map>

#include "ir/hlo_write.hpp"
#include "ir/stablehlo_values.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::stablehlo {
namespace {

using Dims = std::vector<std::int64_t>;

std::string_view find(const Pairs& pairs, std::string_view key) { return pairs[key]; }

/// Under its name in the pretty form, or else that of the generic form.
std::string_view either(const Op& op, std::string_view pretty, std::string_view generic) {
  const std::string_view text = find(op.attributes, pretty);
  return text.empty() ? find(op.attributes, generic) : text;
}

std::string braces(const Dims& dims) { return "{" + hlo::joined(dims, ',') + "}"; }

Dims integers(std::string_view text) { return text.empty() ? Dims{} : read_integers(text); }

/// `[0, 1] x [2]`: what is left of the `x`, or right of it.
Dims side(std::string_view text, bool right) {
  const std::size_t x = text.find(" x ");
  if (x == std::string_view::npos) return {};
  return integers(right ? text.substr(x + 3) : text.substr(0, x + 1));
}

HloAttributes dot(const Op& op) {
  const Pairs generic = read_pairs(find(op.attributes, "dot_dimension_numbers"));
  const auto dims = [&](std::string_view pretty, std::string_view key, bool right) {
    const std::string_view text = find(op.attributes, pretty);
    return braces(text.empty() ? integers(find(generic, key)) : side(text, right));
  };
  return {{"lhs_batch_dims", dims("batching_dims", "lhs_batching_dimensions", false)},
          {"lhs_contracting_dims", dims("contracting_dims", "lhs_contracting_dimensions", false)},
          {"rhs_batch_dims", dims("batching_dims", "rhs_batching_dimensions", true)},
          {"rhs_contracting_dims", dims("contracting_dims", "rhs_contracting_dimensions", true)}};
}

std::string ranges(const Op& op) {
  std::string text;
  const auto add = [&](const std::string& range) {
    text += (text.empty() ? "[" : ", [") + range + "]";
  };
  const Dims starts = integers(find(op.attributes, "start_indices"));
  if (starts.empty() && !op.words.empty() && op.words[0].starts_with('[')) {
    const std::string_view body = op.words[0].substr(1, op.words[0].size() - 2);
    for (std::string_view range : split_list(body)) add(std::string(range));
    return "{" + text + "}";
  }
  const Dims limits = integers(find(op.attributes, "limit_indices")),
             strides = integers(find(op.attributes, "strides"));
  if (limits.size() != starts.size() || strides.size() != starts.size()) {
    throw Error("starts, limits and strides of a slice differ in length");
  }
  for (std::size_t d = 0; d < starts.size(); ++d) {
    add(std::to_string(starts[d]) + ":" + std::to_string(limits[d]) + ":" +
        std::to_string(strides[d]));
  }
  return "{" + text + "}";
}

std::string padding(const Op& op) {
  const Dims low = integers(either(op, "low", "edge_padding_low")),
             high = integers(either(op, "high", "edge_padding_high")),
             interior = integers(either(op, "interior", "interior_padding"));
  if (low.size() != high.size() || low.size() != interior.size()) {
    throw Error("low, high and interior padding differ in length");
  }
  std::string text;
  for (std::size_t d = 0; d < low.size(); ++d) {
    text += (d ? "x" : "") + std::to_string(low[d]) + "_" + std::to_string(high[d]) + "_" +
            std::to_string(interior[d]);
  }
  return text;
}

/// `size=.. stride=.. pad=..`; what is not given is left out.
std::string window(const Dims& sizes, std::string_view strides, std::string_view pads,
                   std::string_view lhs_dilation, std::string_view rhs_dilation) {
  std::string text = "{size=" + hlo::joined(sizes, 'x');
  if (!strides.empty()) text += " stride=" + hlo::joined(integers(strides), 'x');
  if (const Dims amounts = integers(pads); !amounts.empty()) {
    text += " pad=";
    for (std::size_t i = 0; i + 1 < amounts.size(); i += 2) {
      text += (i ? "x" : "") + std::to_string(amounts[i]) + "_" + std::to_string(amounts[i + 1]);
    }
  }
  if (!lhs_dilation.empty()) text += " lhs_dilate=" + hlo::joined(integers(lhs_dilation), 'x');
  if (!rhs_dilation.empty()) text += " rhs_dilate=" + hlo::joined(integers(rhs_dilation), 'x');
  return sizes.empty() ? "{}" : text + "}";
}

std::string reduced_window(const Op& op) {
  const auto of = [&](const char* key) { return find(op.attributes, key); };
  return window(integers(of("window_dimensions")), of("window_strides"), of("padding"),
                of("base_dilations"), of("window_dilations"));
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]` as `b01f_01io->b01f`.
std::string dim_labels(std::string_view text) {
  if (text.starts_with('#')) {
    const std::size_t open = text.find('<');
    text = text.substr(open + 1, text.rfind('>') - open - 1);
  }
  std::string labels;
  for (char c : text) {
    if (c == 'x') labels += '_';
    else if (c == '-' || c == '>' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) labels += c;
  }
  return labels;
}

HloAttributes convolution(const Op& op) {
  const Pairs pretty = read_pairs(find(op.attributes, "window"));
  const auto of = [&](std::string_view key, std::string_view generic) {
    const std::string_view text = find(pretty, key);
    return text.empty() ? find(op.attributes, generic) : text;
  };
  const std::string labels = dim_labels(either(op, "dim_numbers", "dimension_numbers"));
  if (op.operand_types.size() != 2) throw Error("takes two operands");
  const std::string shape = hlo_shape(op.operand_types[1]);
  const Dims kernel = integers(shape.substr(shape.find('[')));
  const std::size_t begin = labels.find('_') + 1;
  const std::string kernel_labels = labels.substr(begin, labels.find("->") - begin);
  Dims sizes;
  for (char place = '0'; kernel_labels.find(place) < kernel.size(); ++place) {
    sizes.push_back(kernel[kernel_labels.find(place)]);
  }
  if (of("reverse", "window_reversal").find("true") != std::string_view::npos) {
    throw Error("a convolution with a reversed window is not supported");
  }
  HloAttributes result = {
      {"window", window(sizes, of("stride", "window_strides"), of("pad", "padding"),
                        of("lhs_dilate", "lhs_dilation"), of("rhs_dilate", "rhs_dilation"))},
      {"dim_labels", labels}};
  for (const char* key : {"feature_group_count", "batch_group_count"}) {
    const std::string_view text = find(op.attributes, key);
    if (!text.empty()) result.emplace_back(key, std::to_string(read_integer(text)));
  }
  return result;
}

HloAttributes gather(const Op& op) {
  const Pairs dims = read_pairs(find(op.attributes, "dimension_numbers"));
  HloAttributes result;
  for (const char* key : {"offset_dims", "collapsed_slice_dims", "start_index_map",
                          "operand_batching_dims", "start_indices_batching_dims"}) {
    result.emplace_back(key, braces(integers(find(dims, key))));
  }
  const std::string_view vector_dim = find(dims, "index_vector_dim");
  result.emplace_back("index_vector_dim", vector_dim.empty() ? "0" : std::string(vector_dim));
  result.emplace_back("slice_sizes", braces(integers(find(op.attributes, "slice_sizes"))));
  return result;
}

HloAttributes scatter(const Op& op) {
  const Pairs dims = read_pairs(find(op.attributes, "scatter_dimension_numbers"));
  HloAttributes result;
  for (const char* key :
       {"update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims",
        "input_batching_dims", "scatter_indices_batching_dims"}) {
    result.emplace_back(key, braces(integers(find(dims, key))));
  }
  const std::string_view vector_dim = find(dims, "index_vector_dim");
  result.emplace_back("index_vector_dim", vector_dim.empty() ? "0" : std::string(vector_dim));
  return result;
}

/// `LT`, or `#stablehlo<comparison_direction LT>`.
HloAttributes compare(const Op& op) {
  const auto last_word = [](std::string_view text) {
    if (text.ends_with('>')) text.remove_suffix(1);
    return std::string(text.substr(text.rfind(' ') + 1));
  };
  const std::string_view generic = find(op.attributes, "comparison_direction");
  if (generic.empty() && op.words.empty()) throw Error("has no direction");
  HloAttributes result = {
      {"direction", generic.empty() ? std::string(op.words[0]) : last_word(generic)}};
  const std::string type = op.words.size() > 1 ? std::string(op.words[1])
                                               : last_word(find(op.attributes, "compare_type"));
  if (type == "TOTALORDER") result.emplace_back("type", type);
  return result;
}

HloAttributes custom_call(const Op& op) {
  std::string_view target = find(op.attributes, "call_target_name");
  if (target.starts_with('"')) target = target.substr(1, target.size() - 2);
  if (target.empty() && !op.words.empty()) target = op.words[0];
  HloAttributes result = {{"custom_call_target", "\"" + std::string(target) + "\""}};
  const std::string_view config = find(op.attributes, "backend_config");
  if (config.starts_with('"')) result.emplace_back("backend_config", config);
  return result;
}

/// `DEFAULT`, or `#stablehlo<rng_algorithm DEFAULT>`, as HLO writes it.
std::string random_algorithm(const Op& op) {
  std::string_view word = either(op, "algorithm", "rng_algorithm");
  word = word.substr(word.rfind(' ') + 1);
  if (word.ends_with('>')) word.remove_suffix(1);
  std::string text = "rng_";
  for (const char c : word) text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

/// `format = e8m7`, or both numbers.
HloAttributes reduce_precision(const Op& op) {
  std::string_view format = find(op.attributes, "format");
  const std::size_t m = format.find('m');
  if (!format.starts_with('e') || m == std::string_view::npos) {
    const auto number = [&](const char* key) {
      return std::to_string(read_integer(find(op.attributes, key)));
    };
    return {{"exponent_bits", number("exponent_bits")}, {"mantissa_bits", number("mantissa_bits")}};
  }
  return {{"exponent_bits", std::string(format.substr(1, m - 1))},
          {"mantissa_bits", std::string(format.substr(m + 1))}};
}

HloAttributes batch_norm(const Op& op) {
  const std::string_view epsilon = find(op.attributes, "epsilon");
  return {{"epsilon", std::string(epsilon.substr(0, epsilon.find(' ')))},
          {"feature_index", std::to_string(read_integer(find(op.attributes, "feature_index")))}};
}

template <const char* key, const char* pretty, const char* generic>
HloAttributes dims_as(const Op& op) {
  return {{key, braces(integers(either(op, pretty, generic)))}};
}
constexpr char kDimensions[] = "dimensions", kDims[] = "dims", kDim[] = "dim",
               kDimension[] = "dimension", kPermutation[] = "permutation", kSizes[] = "sizes",
               kSliceSizes[] = "slice_sizes", kDynamicSizes[] = "dynamic_slice_sizes";

using Translate = HloAttributes (*)(const Op&);
const std::unordered_map<std::string_view, Translate>& table() {
  static const std::unordered_map<std::string_view, Translate> kTable = {
      {"batch_norm_grad", batch_norm},
      {"batch_norm_inference", batch_norm},
      {"batch_norm_training", batch_norm},
      {"compare", compare},
      {"concatenate", dims_as<kDimensions, kDim, kDimension>},
      {"convolution", convolution},
      {"custom_call", custom_call},
      {"dot_general", dot},
      {"dynamic_slice", dims_as<kDynamicSizes, kSizes, kSliceSizes>},
      {"gather", gather},
      {"iota",
       [](const Op& op) {
         const std::int64_t dim = read_integer(either(op, "dim", "iota_dimension"));
         return HloAttributes{{"iota_dimension", std::to_string(dim)}};
       }},
      {"pad",
       [](const Op& op) {
         return HloAttributes{{"padding", padding(op)}};
       }},
      {"reduce", dims_as<kDimensions, kDimensions, kDimensions>},
      {"reduce_precision", reduce_precision},
      {"reduce_window",
       [](const Op& op) {
         return HloAttributes{{"window", reduced_window(op)}};
       }},
      {"reverse", dims_as<kDimensions, kDims, kDimensions>},
      {"rng_bit_generator",
       [](const Op& op) {
         return HloAttributes{{"algorithm", random_algorithm(op)}};
       }},
      {"scatter", scatter},
      {"select_and_scatter",
       [](const Op& op) {
         return HloAttributes{{"window", reduced_window(op)}};
       }},
      {"slice",
       [](const Op& op) {
         return HloAttributes{{"slice", ranges(op)}};
       }},
      {"sort", dims_as<kDimensions, kDimension, kDimension>},
      {"top_k",
       [](const Op& op) {
         return HloAttributes{{"k", std::to_string(read_integer(find(op.attributes, "k")))},
                              {"largest", "true"}};
       }},
      {"transpose", dims_as<kDimensions, kDims, kPermutation>},
  };
  return kTable;
}

}  // namespace

HloAttributes hlo_attributes(std::string_view name, const Op& op) {
  const auto found = table().find(name);
  return found == table().end() ? HloAttributes{} : found->second(op);
}

}  // namespace rhino::ir::stablehlo
