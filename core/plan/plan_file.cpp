// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_file.hpp"

#include "codec/binary.hpp"
#include "codec/json.hpp"
#include "ir/op_info.hpp"
#include "plan/check_indices.hpp"
#include "plan/plan_fields.hpp"
#include "rhino/error.hpp"

namespace rhino::plan {
namespace {

/// Structs as lists of their members, shapes and specs as indices into tables that stand first.
struct PlanStyle {
  using Tables = std::tuple<codec::Table<Shape>, codec::Table<ShardingSpec>>;
  static constexpr bool kObjects = false;
  static std::string_view word(OpKind kind) { return ir::op_name(kind); }
  static std::string_view word(DType dtype) { return dtype_name(dtype); }
};

constexpr const char* kPlanFormat = "rhino-bench plan";
constexpr const char* kStrategyFormat = "rhino-bench strategy";

template <class T>
std::string encode_as(const std::string& format, const T& value) {
  codec::JsonWriter<PlanStyle> writer;
  try {
    const std::string content = writer.text(value);
    return "{\"format\":\"" + format + "\",\"version\":" + std::to_string(ExecutionPlan::kVersion) +
           ",\n\"shapes\":" + writer.table<Shape>() +
           ",\n\"specs\":" + writer.table<ShardingSpec>() + ",\n\"content\":" + content + "}\n";
  } catch (const Error& error) {
    throw Error(format + ": " + error.what());
  }
}

void check_head(codec::JsonView json, const std::string& format) {
  if (json.at("format").text() != format) throw Error("this is not a " + format);
  const std::int64_t version = json.at("version").whole();
  if (version != ExecutionPlan::kVersion)
    throw Error("version " + std::to_string(version) +
                " of the format; this program reads version " +
                std::to_string(ExecutionPlan::kVersion));
}

template <class T>
T decode_as(const std::string& format, std::string_view text, const std::string& file) {
  try {
    const codec::JsonText json(text, "not a whole " + format);
    const codec::JsonView root = json.root();
    check_head(root, format);
    codec::JsonReader<PlanStyle> reader;
    reader.read_table<Shape>(root.at("shapes"));
    reader.read_table<ShardingSpec>(root.at("specs"));
    T value = reader.read<T>(root.at("content"));
    check_indices(value);
    return value;
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
}

}  // namespace

std::string encode(const ExecutionPlan& plan) { return encode_as(kPlanFormat, plan); }
std::string encode(const Strategy& strategy) { return encode_as(kStrategyFormat, strategy); }

ExecutionPlan decode_plan(std::string_view text, const std::string& file) {
  return decode_as<ExecutionPlan>(kPlanFormat, text, file);
}
Strategy decode_strategy(std::string_view text, const std::string& file) {
  return decode_as<Strategy>(kStrategyFormat, text, file);
}

std::string to_bytes(const ExecutionPlan& plan) { return codec::to_bytes(plan); }

ExecutionPlan plan_from_bytes(std::string_view bytes, const std::string& what) {
  ExecutionPlan plan = codec::from_bytes<ExecutionPlan>(bytes, what);
  try {
    check_indices(plan);
  } catch (const Error& error) {
    throw Error(what + ": " + error.what());
  }
  return plan;
}

}  // namespace rhino::plan
