// SPDX-License-Identifier: Apache-2.0
#include "models/transformer.hpp"

#include <utility>

namespace rhino::models {

ValueId token_input(ir::Builder& builder, const std::string& name, std::vector<std::int64_t> dims,
                    std::int64_t vocabulary) {
  const Initializer any_token{Initializer::Kind::uniform_integer, 0,
                              static_cast<double>(vocabulary)};
  Names names{"batch", "sequence"};
  names.resize(dims.size());
  const ValueId value =
      builder.input(InputKind::batch, {DType::s32, std::move(dims)}, any_token, name);
  builder.name_dims(std::move(names));
  return value;
}

ValueId with_positions(ir::Builder& builder, ValueId x, const std::string& name) {
  const Shape shape = builder.shape(x);
  const ValueId positions = weight(builder, {shape.dtype, {shape.dims[1], shape.dims[2]}},
                                   kDeviation, name, {"sequence", "hidden"});
  return builder.add(x, broadcast_last(builder, positions, x));
}

ValueId multi_head_attention(ir::Builder& builder, ValueId x, ValueId memory,
                             const MultiHead& layer) {
  const std::int64_t hidden = builder.shape(x).dims[2];
  const std::int64_t head_dim = layer.head_dim > 0 ? layer.head_dim : hidden / layer.heads;
  const auto projection = [&](ValueId source, const char* part) {
    return linear(builder, source,
                  {.name = layer.name + "." + part,
                   .result = {layer.heads, head_dim},
                   .dims = {"hidden", "heads", "head_dim"},
                   .has_bias = layer.has_bias});
  };
  const ValueId flat = projection(x, "query");
  std::vector<std::int64_t> dims = builder.shape(flat).dims;
  const ValueId key = projection(memory, "key"), value = projection(memory, "value");
  dims.insert(dims.begin() + 3, 1);  // each query has a key of its own
  const ValueId query = builder.reshape(flat, dims);
  const ValueId mixed = attention(builder, query, key, value, {.is_causal = layer.is_causal});
  dims.erase(dims.begin() + 3);
  return linear(builder, builder.reshape(mixed, dims),
                {.name = layer.name + ".out",
                 .result = {hidden},
                 .num_contracted = 2,
                 .deviation = layer.deviation,
                 .dims = {"heads", "head_dim", "hidden"},
                 .has_bias = layer.has_bias});
}

ValueId feed_forward(ir::Builder& builder, ValueId x, std::int64_t ffn, double deviation) {
  const std::int64_t hidden = builder.shape(x).dims.back();
  const ValueId up =
      linear(builder, x, {.name = "mlp.up", .result = {ffn}, .dims = {"hidden", "ffn"}});
  return linear(
      builder, gelu(builder, up),
      {.name = "mlp.down", .result = {hidden}, .deviation = deviation, .dims = {"ffn", "hidden"}});
}

}  // namespace rhino::models
