// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_file.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "ir/op_info.hpp"
#include "plan/check_indices.hpp"
#include "plan/plan_fields.hpp"
#include "rhino/error.hpp"

namespace rhino::plan {
namespace {

using Json = nlohmann::json;

template <class T>
concept Listed = requires(const T* value) {
  members(value);
};
template <class T>
concept Enumerated = std::is_enum_v<T>;

/// Initialises a member of any type.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT: only its type is used
};

/// The number of members of aggregate T.
template <class T, class... Given>
constexpr std::size_t arity() {
  if constexpr (requires { T{Given{}..., Anything{}}; }) return arity<T, Given..., Anything>();
  else return sizeof...(Given);
}

template <Listed T, class Visit>
void for_each_member(Visit visit) {
  constexpr auto list = members(static_cast<const T*>(nullptr));
  static_assert(std::tuple_size_v<decltype(list)> == arity<T>(), "members() must list all of them");
  std::apply([&](auto... member) { (visit(member), ...); }, list);
}

/// Equal values once, by index.
template <class T>
class Table {
 public:
  std::int64_t index(const T& value) {
    std::string key;
    append_key(key, value);
    const auto [found, added] = index_.try_emplace(std::move(key), std::ssize(values_));
    if (added) values_.push_back(value);
    return found->second;
  }
  const std::vector<T>& values() const { return values_; }

 private:
  static void append_int(std::string& key, std::int64_t value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  static void append_key(std::string& key, const Shape& shape) {
    append_int(key, static_cast<int>(shape.dtype));
    for (std::int64_t extent : shape.dims) append_int(key, extent);
  }
  static void append_key(std::string& key, const ShardingSpec& spec) {
    for (const DimSharding& dim : spec.dims) {
      append_int(key, std::ssize(dim.splits));
      for (const AxisSplit& split : dim.splits) {
        append_int(key, split.axis);
        append_int(key, split.period);
      }
    }
    append_int(key, -1);
    for (const Partial& partial : spec.partial) {
      append_int(key, partial.axis);
      append_int(key, static_cast<int>(partial.reduction));
    }
  }

  std::map<std::string, std::int64_t> index_;
  std::vector<T> values_;
};

/// Structs as arrays of their members, shapes and specs as indices into tables that are written
/// last.
class Writer {
 public:
  template <class T>
  std::string document(const char* format, const T& value) {
    put(value);
    std::string body = std::move(text_);
    text_.clear();
    put(shapes_);
    std::string shapes = std::move(text_);
    text_.clear();
    put(specs_);
    return std::string("{\"format\":\"") + format +
           "\",\"version\":" + std::to_string(ExecutionPlan::kVersion) + ",\n\"shapes\":" + shapes +
           ",\n\"specs\":" + text_ + ",\n\"content\":" + body + "}\n";
  }

 private:
  template <std::integral T>
  void put(T value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text_.append(digits, end.ptr);
  }
  void put(bool value) { text_ += value ? '1' : '0'; }
  void put(double value) {
    if (std::isnan(value)) return put_text("nan");
    if (std::isinf(value)) return put_text(value > 0 ? "inf" : "-inf");
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text_.append(digits, end.ptr);
  }
  void put_text(const char* text) { text_.append("\"").append(text).append("\""); }
  void put(const std::string& text) { text_ += Json(text).dump(); }
  void put(OpKind kind) { put(std::string(ir::op_name(kind))); }
  template <Enumerated T>
  void put(T value) {
    put(static_cast<int>(value));
  }
  void put(const Shape& shape) { put(shapes_.index(shape)); }
  void put(const ShardingSpec& spec) { put(specs_.index(spec)); }
  void put(const Attributes& attributes) {
    text_ += '[';
    put(static_cast<int>(attributes.index()));
    attributes.visit([this](const auto& attribute) {
      if constexpr (!std::is_same_v<std::decay_t<decltype(attribute)>, std::monostate>) {
        text_ += ',';
        put(attribute);
      }
    });
    text_ += ']';
  }
  void put(const std::map<DType, double>& map) {
    text_ += '[';
    const char* comma = "";
    for (const auto& [key, value] : map) {
      text_ += comma;
      put(key);
      text_ += ',';
      put(value);
      comma = ",";
    }
    text_ += ']';
  }
  template <class T>
  void put(const std::vector<T>& values) {
    text_ += '[';
    const char* comma = "";
    for (const T& value : values) {
      text_ += comma;
      put(value);
      comma = ",";
    }
    text_ += ']';
  }
  template <Listed T>
  void put(const T& value) {
    text_ += '[';
    const char* comma = "";
    for_each_member<T>([&](auto member) {
      text_ += comma;
      put(value.*member);
      comma = ",";
    });
    text_ += ']';
  }
  void put(const Table<Shape>& table) {
    text_ += '[';
    const char* comma = "";
    for (const Shape& shape : table.values()) {
      text_.append(comma).append("[\"").append(dtype_name(shape.dtype)).append("\",");
      put(shape.dims);
      text_ += ']';
      comma = ",";
    }
    text_ += ']';
  }
  void put(const Table<ShardingSpec>& table) {
    text_ += '[';
    const char* comma = "";
    for (const ShardingSpec& spec : table.values()) {
      text_.append(comma).append("[");
      put(spec.dims);
      text_ += ',';
      put(spec.partial);
      text_ += ']';
      comma = ",";
    }
    text_ += ']';
  }

  std::string text_;
  Table<Shape> shapes_;
  Table<ShardingSpec> specs_;
};

/// The inverse of Writer. Throws Error (without the file) or Json::exception.
class Reader {
 public:
  template <class T>
  T document(std::string_view text, const std::string& format) {
    const Json json = Json::parse(text);
    const Json& version = json.at("version");
    if (json.at("format") != format) throw Error("this is not a " + format);
    if (version != ExecutionPlan::kVersion) {
      throw Error("version " + version.dump() + " of the format; this program reads version " +
                  std::to_string(ExecutionPlan::kVersion));
    }
    read_tables(json);
    T value;
    get(json.at("content"), value);
    return value;
  }

 private:
  void read_tables(const Json& json) {
    for (const Json& entry : list(json.at("shapes"))) {
      Shape shape;
      shape.dtype = dtype(entry.at(0).get_ref<const std::string&>());
      get(entry.at(1), shape.dims);
      shapes_.push_back(std::move(shape));
    }
    for (const Json& entry : list(json.at("specs"))) {
      ShardingSpec spec;
      get(entry.at(0), spec.dims);
      get(entry.at(1), spec.partial);
      specs_.push_back(std::move(spec));
    }
  }
  static DType dtype(const std::string& name) {
    for (int i = 0; i < num_values(DType{}); ++i) {
      if (name == dtype_name(static_cast<DType>(i))) return static_cast<DType>(i);
    }
    throw Error("there is no element type '" + name + "'");
  }
  static const Json& list(const Json& json) {
    if (!json.is_array()) throw Error("a list is expected where there is " + excerpt(json));
    return json;
  }
  static std::string excerpt(const Json& json) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() > 40 ? text.substr(0, 40) + "..." : text;
  }

  template <std::integral T>
  static void get(const Json& json, T& value) {
    if (json.is_number_unsigned()) {
      const auto whole = json.get<std::uint64_t>();
      if (std::in_range<T>(whole)) return void(value = static_cast<T>(whole));
    } else if (json.is_number_integer()) {
      const auto whole = json.get<std::int64_t>();
      if (std::in_range<T>(whole)) return void(value = static_cast<T>(whole));
    }
    throw Error("an integer is expected where there is " + excerpt(json));
  }
  static void get(const Json& json, bool& value) {
    if (json != 0 && json != 1) throw Error("0 or 1 is expected where there is " + excerpt(json));
    value = json == 1;
  }
  static void get(const Json& json, double& value) {
    if (json.is_number()) return void(value = json.get<double>());
    if (json == "inf") value = std::numeric_limits<double>::infinity();
    else if (json == "-inf") value = -std::numeric_limits<double>::infinity();
    else if (json == "nan") value = std::numeric_limits<double>::quiet_NaN();
    else throw Error("a number is expected where there is " + excerpt(json));
  }
  static void get(const Json& json, std::string& text) {
    text = json.get_ref<const std::string&>();
  }
  static void get(const Json& json, OpKind& kind) {
    const auto found = ir::op_from_name(json.get_ref<const std::string&>());
    if (!found) throw Error("there is no op " + excerpt(json));
    kind = *found;
  }
  template <Enumerated T>
  static void get(const Json& json, T& value) {
    int index = 0;
    get(json, index);
    if (index < 0 || index >= num_values(T{}))
      throw Error(excerpt(json) + " stands for no known word");
    value = static_cast<T>(index);
  }
  void get(const Json& json, Shape& shape) { shape = entry(shapes_, json); }
  void get(const Json& json, ShardingSpec& spec) { spec = entry(specs_, json); }
  template <class T>
  static const T& entry(const std::vector<T>& table, const Json& json) {
    std::size_t index = 0;
    get(json, index);
    if (index >= table.size())
      throw Error("entry " + excerpt(json) + " of a table of " + std::to_string(table.size()));
    return table[index];
  }
  void get(const Json& json, Attributes& attributes) {
    std::size_t index = 0;
    get(list(json).at(0), index);
    using Indices = std::make_index_sequence<std::variant_size_v<Attributes::Types>>;
    if (!get_alternative(json, attributes, index, Indices())) {
      throw Error("there are no attributes of kind " + excerpt(json));
    }
  }
  template <std::size_t... I>
  bool get_alternative(const Json& json, Attributes& attributes, std::size_t index,
                       std::index_sequence<I...>) {
    using Types = Attributes::Types;
    return ((I == index &&
             (attributes = attribute<std::variant_alternative_t<I, Types>>(json), true)) ||
            ...);
  }
  template <class T>
  Attributes attribute(const Json& json) {
    T value;
    if constexpr (Listed<T>) get(json.at(1), value);
    if constexpr (std::is_same_v<T, std::monostate>) return {};
    else return value;
  }
  void get(const Json& json, std::map<DType, double>& map) {
    if (list(json).size() % 2 != 0)
      throw Error("pairs are expected where there is " + excerpt(json));
    for (std::size_t i = 0; i < json.size(); i += 2) {
      DType key{};
      get(json[i], key);
      get(json[i + 1], map[key]);
    }
  }
  template <class T>
  void get(const Json& json, std::vector<T>& values) {
    values.reserve(list(json).size());
    for (const Json& element : json) get(element, values.emplace_back());
  }
  template <Listed T>
  void get(const Json& json, T& value) {
    std::size_t i = 0;
    list(json);
    for_each_member<T>([&](auto member) { get(json.at(i++), value.*member); });
    if (i != json.size()) throw Error("too many entries in " + excerpt(json));
  }

  std::vector<Shape> shapes_;
  std::vector<ShardingSpec> specs_;
};

constexpr const char* kPlanFormat = "rhino-bench plan";
constexpr const char* kStrategyFormat = "rhino-bench strategy";

template <class T>
std::string encode_as(const char* format, const T& value) {
  try {
    return Writer().document(format, value);
  } catch (const Json::exception& error) {
    throw Error(std::string(format) + ": a name is not UTF-8 text: " + error.what());
  }
}

template <class T>
T decode_as(const char* format, std::string_view text, const std::string& file) {
  try {
    T value = Reader().document<T>(text, format);
    check_indices(value);
    return value;
  } catch (const Json::exception& error) {
    throw Error(file + ": not a whole " + format + ": " + error.what());
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

}  // namespace rhino::plan
