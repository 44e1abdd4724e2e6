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

constexpr const char* kFormat = "rhino-bench plan";

void check_head(codec::JsonView json) {
  if (json.at("format").text() != kFormat) throw Error(std::string("this is not a ") + kFormat);
  const std::int64_t version = json.at("version").whole();
  if (version != ExecutionPlan::kVersion)
    throw Error("version " + std::to_string(version) +
                " of the format; this program reads version " +
                std::to_string(ExecutionPlan::kVersion));
}

}  // namespace

std::string encode(const ExecutionPlan& plan) {
  codec::JsonWriter<PlanStyle> writer;
  try {
    const std::string content = writer.text(plan);
    return std::string("{\"format\":\"") + kFormat +
           "\",\"version\":" + std::to_string(ExecutionPlan::kVersion) +
           ",\n\"shapes\":" + writer.table<Shape>() +
           ",\n\"specs\":" + writer.table<ShardingSpec>() + ",\n\"content\":" + content + "}\n";
  } catch (const Error& error) {
    throw Error(std::string(kFormat) + ": " + error.what());
  }
}

ExecutionPlan decode_plan(std::string_view text, const std::string& file) {
  try {
    const codec::JsonText json(text, std::string("not a whole ") + kFormat);
    const codec::JsonView root = json.root();
    check_head(root);
    codec::JsonReader<PlanStyle> reader;
    reader.read_table<Shape>(root.at("shapes"));
    reader.read_table<ShardingSpec>(root.at("specs"));
    ExecutionPlan plan = reader.read<ExecutionPlan>(root.at("content"));
    check_indices(plan);
    return plan;
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
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
