// SPDX-License-Identifier: Apache-2.0
#include "codec/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace rhino::codec {
namespace {

using Json = nlohmann::json;

const Json& json_of(const void* value) { return *static_cast<const Json*>(value); }

/// What a message shows of a value.
std::string excerpt(const Json& json) {
  if (json.is_structured()) return json.is_array() ? "a list" : "an object";
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

/// The library's sentence without its id in brackets.
std::string sentence(const Json::exception& error) {
  const std::string text = error.what();
  return text.substr(text.find("] ") + 2);
}

}  // namespace

void JsonView::refuse(const std::string& expected) const {
  throw Error(expected + " is expected where there is " + excerpt(json_of(value_)));
}

bool JsonView::is_null() const { return json_of(value_).is_null(); }

std::size_t JsonView::size() const {
  if (!json_of(value_).is_array()) refuse("a list");
  return json_of(value_).size();
}

JsonView JsonView::at(std::size_t index) const {
  if (index >= size()) throw Error("a list of " + std::to_string(size()) + " is too short");
  return JsonView(&json_of(value_)[index]);
}

JsonView JsonView::at(std::string_view key) const {
  if (const std::optional<JsonView> found = find(key)) return *found;
  throw Error("there is no '" + std::string(key) + "'");
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
  if (!json_of(value_).is_object()) refuse("an object");
  const auto found = json_of(value_).find(key);
  if (found == json_of(value_).end()) return std::nullopt;
  return JsonView(&*found);
}

std::vector<std::string> JsonView::keys() const {
  if (!json_of(value_).is_object()) refuse("an object");
  std::vector<std::string> keys;
  for (const auto& [key, value] : json_of(value_).items()) keys.push_back(key);
  return keys;
}

std::string_view JsonView::text() const {
  if (!json_of(value_).is_string()) refuse("a text");
  return json_of(value_).get_ref<const std::string&>();
}

double JsonView::number() const {
  const Json& json = json_of(value_);
  if (json.is_number()) return json.get<double>();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  if (json != "nan" && json != "-nan") refuse("a number");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  return json == "nan" ? kNan : -kNan;
}

bool JsonView::boolean() const {
  const Json& json = json_of(value_);
  if (json.is_boolean()) return json.get<bool>();
  if (json != 0 && json != 1) refuse("0 or 1");
  return json == 1;
}

std::int64_t JsonView::whole() const {
  const Json& json = json_of(value_);
  if (!json.is_number_integer()) refuse("an integer");
  if (json.is_number_unsigned() && !std::in_range<std::int64_t>(json.get<std::uint64_t>()))
    refuse("a smaller integer");
  return json.get<std::int64_t>();
}

std::uint64_t JsonView::natural() const {
  if (!json_of(value_).is_number_unsigned()) refuse("a positive integer");
  return json_of(value_).get<std::uint64_t>();
}

JsonText::JsonText(std::string_view text, const std::string& failure) {
  try {
    root_ = std::make_shared<const Json>(Json::parse(text));
  } catch (const Json::exception& error) {
    throw Error(failure + ": " + sentence(error));
  }
}

void append_text(std::string& to, std::string_view value, bool replace) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(value.begin(), value.end(), plain)) {
    to.append("\"").append(value).append("\"");
    return;
  }
  try {
    to += Json(value).dump(
        -1, ' ', false, replace ? Json::error_handler_t::replace : Json::error_handler_t::strict);
  } catch (const Json::exception& error) {
    throw Error(std::string("a name is not UTF-8 text: ") + sentence(error));
  }
}

}  // namespace rhino::codec
