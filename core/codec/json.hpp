// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "codec/binary.hpp"
#include "codec/members.hpp"
#include "rhino/error.hpp"

/// Values as JSON, for files that people keep. A Style says what the lists of members do not:
///
///     struct Style {
///       using Tables = std::tuple<Table<Shape>>;    // written once each, elsewhere their index
///       static constexpr bool kObjects = false;     // bools are 0 and 1, maps [key, value, ...]
///       static std::string_view word(OpKind kind);  // how an enum is called; else its number
///     };
///
/// Structs whose members are named are objects, others lists. kObjects: for people and their tools;
/// bools are true and false, maps objects, and bytes that are no UTF-8 are replaced.
namespace rhino::codec {

/// A value inside of a parsed text that outlives it. What is asked of a value of another kind
/// throws Error.
class JsonView {
 public:
  explicit JsonView(const void* value) : value_(value) {}

  bool is_null() const;
  std::size_t size() const;                 ///< of a list
  JsonView at(std::size_t index) const;     ///< of a list
  JsonView at(std::string_view key) const;  ///< of an object
  std::optional<JsonView> find(std::string_view key) const;
  std::vector<std::string> keys() const;  ///< of an object
  std::string_view text() const;
  double number() const;          ///< "inf", "-inf", "nan" and "-nan" too
  bool boolean() const;           ///< true, false, 0 or 1
  std::int64_t whole() const;     ///< a whole number
  std::uint64_t natural() const;  ///< a whole number that is not negative
  [[noreturn]] void refuse(const std::string& expected) const;

 private:
  const void* value_;
};

/// Throws Error `failure: reason` where `text` is no JSON.
class JsonText {
 public:
  JsonText(std::string_view text, const std::string& failure);
  JsonView root() const { return JsonView(root_.get()); }

 private:
  std::shared_ptr<const void> root_;
};

/// Appends `value` as a JSON string. Bytes that are not UTF-8 are replaced, or throw Error.
void append_text(std::string& to, std::string_view value, bool replace);

/// Equal values once, by index.
template <class T>
struct Table {
  std::int64_t index(const T& value) {
    BinaryWriter key;
    key.put(value);
    const auto [found, added] = indices.try_emplace(key.take(), std::ssize(values));
    if (added) values.push_back(value);
    return found->second;
  }

  std::unordered_map<std::string, std::int64_t> indices;
  std::vector<T> values;
};
/// There is a table of T among Tables.
template <class T, class Tables>
inline constexpr bool kTabled = false;
template <class T, class... Entries>
inline constexpr bool kTabled<T, std::tuple<Table<Entries>...>> = (std::is_same_v<T, Entries> ||
                                                                   ...);

/// A member that JSON shows only where another one, `told`, is not its default.
template <class Member, class Told>
struct Beside : Named<Member, true> {
  Told told;
};
template <class Member, class Told>
constexpr Beside<Member, Told> beside(Told told, const char* key, Member member) {
  return {{key, member}, told};
}

template <class Style>
class JsonWriter {
 public:
  template <class T>
  std::string text(const T& value) {
    put(value);
    return std::exchange(text_, {});
  }
  /// All that values written so far refer to.
  template <class T>
  std::string table() {
    put_list(std::get<Table<T>>(tables_).values, [this](const T& entry) { put_struct(entry); });
    return std::exchange(text_, {});
  }

 private:
  template <Number T>
  void put(T value) {
    char digits[32];
    if constexpr (std::is_same_v<T, double>) {
      if (std::isnan(value)) return void(text_ += std::signbit(value) ? "\"-nan\"" : "\"nan\"");
      if (value == 0 && std::signbit(value)) return void(text_ += "-0.0");  // -0 is an integer
      if (std::isinf(value)) return void(text_ += value > 0 ? "\"inf\"" : "\"-inf\"");
    }
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  void put(bool value) {
    if (Style::kObjects) text_ += value ? "true" : "false";
    else text_ += value ? '1' : '0';
  }
  void put(std::string_view text) { append_text(text_, text, Style::kObjects); }
  template <Enumerated T>
  void put(T value) {
    if constexpr (requires { Style::word(value); }) put(std::string_view(Style::word(value)));
    else put(static_cast<int>(value));
  }
  template <Alternatives T>
  void put(const T& value) {
    text_ += '[';
    put(value.index());
    value.visit([this]<class One>(const One& one) {
      if constexpr (!std::is_same_v<One, std::monostate>) text_ += ',', put(one);
    });
    text_ += ']';
  }
  template <class Key, class T>
  void put(const std::map<Key, T>& map) {
    const auto put_pair = [this](const auto& entry) {
      if constexpr (Enumerated<Key> && !Style::kObjects) put(static_cast<int>(entry.first));
      else put(entry.first);
      text_ += Style::kObjects ? ':' : ',';
      put(entry.second);
    };
    put_list(map, put_pair, Style::kObjects ? '{' : '[', Style::kObjects ? '}' : ']');
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put_list(values, [this](const T& value) { put(value); });
  }
  template <Listed T>
  void put(const T& value) {
    if constexpr (kTabled<T, typename Style::Tables>) put(std::get<Table<T>>(tables_).index(value));
    else put_struct(value);
  }

  template <class Values, class Put>
  void put_list(const Values& values, Put put_entry, char open = '[', char close = ']') {
    text_ += open;
    for (bool comma = false; const auto& value : values) {
      if (std::exchange(comma, true)) text_ += ',';
      put_entry(value);
    }
    text_ += close;
  }
  template <Listed T>
  void put_struct(const T& value) {
    static_cast<void>(members_of<T>());  // all are listed
    put_entries(value, entries_of<T>());
  }
  template <class T, class... Entries>
  void put_entries(const T& value, const std::tuple<Entries...>& entries) {
    constexpr bool kObject = (!std::is_member_object_pointer_v<Entries> && ...);
    static_assert(kObject || (std::is_member_object_pointer_v<Entries> && ...), "name all or none");
    text_ += kObject ? '{' : '[';
    bool comma = false;
    std::apply([&](const auto&... entry) { (put_entry_behind(comma, value, entry), ...); },
               entries);
    text_ += kObject ? '}' : ']';
  }
  template <class T, class Entry>
  void put_entry_behind(bool& comma, const T& value, const Entry& entry) {
    if constexpr (requires { entry.told; }) {
      if (value.*entry.told == std::remove_cvref_t<decltype(value.*entry.told)>{}) return;
    }
    text_ += std::exchange(comma, true) ? "," : "";
    put_entry(value, entry);
  }
  template <class T, class Member>
  void put_entry(const T& value, Member T::*member) {
    put(value.*member);
  }
  template <class T, class... Entries>
  void put_entry(const T& value, const Group<Entries...>& group) {
    put_key(group.key);
    put_entries(value, group.entries);
  }
  template <class T, class Member, bool kMayMiss>
  void put_entry(const T& value, const Named<Member T::*, kMayMiss>& entry) {
    put_key(entry.key);
    const Member& member = value.*entry.member;
    if constexpr (kMayMiss && Listed<Member>) {
      if (member == Member{}) return void(text_ += "{}");
    }
    put(member);
  }
  void put_key(std::string_view key) {
    put(key);
    text_ += ':';
  }

  std::string text_;
  typename Style::Tables tables_;
};

/// The inverse of JsonWriter. Throws Error that says what stands where it should not.
template <class Style>
class JsonReader {
 public:
  template <class T>
  void read_table(JsonView json) {
    std::vector<T>& values = std::get<Table<T>>(tables_).values;
    values.resize(json.size());
    for (std::size_t i = 0; i < values.size(); ++i) get_struct(json.at(i), values[i]);
  }
  template <class T>
  T read(JsonView json) {
    T value;
    get(json, value);
    return value;
  }

 private:
  template <std::signed_integral T>
  void get(JsonView json, T& value) {
    get_in_range(json, json.whole(), value);
  }
  template <std::unsigned_integral T>
  void get(JsonView json, T& value) {
    get_in_range(json, json.natural(), value);
  }
  template <class T>
  void get_in_range(JsonView json, auto whole, T& value) {
    if (!std::in_range<T>(whole)) json.refuse("a smaller number");
    value = static_cast<T>(whole);
  }
  void get(JsonView json, bool& value) { value = json.boolean(); }
  void get(JsonView json, double& value) { value = json.number(); }
  void get(JsonView json, std::string& value) { value = json.text(); }
  template <Enumerated T>
  void get(JsonView json, T& value) {
    if constexpr (requires { Style::word(value); }) value = spoken<T>(json, json.text());
    else get_numbered(json, value);
  }
  template <Enumerated T>
  void get_numbered(JsonView json, T& value) {
    int index = 0;
    get(json, index);
    if (index < 0 || index >= num_values(T{})) json.refuse("a known word");
    value = static_cast<T>(index);
  }
  template <Enumerated T>
  static T spoken(JsonView json, std::string_view word) {
    for (int i = 0; i < num_values(T{}); ++i)
      if (word == Style::word(static_cast<T>(i))) return static_cast<T>(i);
    json.refuse("a known word");
  }
  template <Alternatives T>
  void get(JsonView json, T& value) {
    std::size_t index = 0;
    get(json.at(0), index);
    const auto get_value = [&]<class One>(One& one) {
      if constexpr (!std::is_same_v<One, std::monostate>) get(json.at(1), one);
    };
    if (!get_alternative(value, index, get_value)) json.refuse("a known alternative");
  }
  template <class Key, class T>
  void get(JsonView json, std::map<Key, T>& map) {
    if constexpr (Style::kObjects) {
      for (const std::string& name : json.keys()) {
        if constexpr (Enumerated<Key>) get(json.at(name), map[spoken<Key>(json, name)]);
        else get(json.at(name), map[name]);
      }
    } else {
      if (json.size() % 2 != 0) json.refuse("pairs");
      for (std::size_t i = 0; i < json.size(); i += 2) {
        Key key{};
        get_numbered(json.at(i), key);
        get(json.at(i + 1), map[key]);
      }
    }
  }
  template <class T>
  void get(JsonView json, std::vector<T>& values) {
    values.resize(json.size());
    for (std::size_t i = 0; i < values.size(); ++i) get(json.at(i), values[i]);
  }
  template <Listed T>
  void get(JsonView json, T& value) {
    if constexpr (kTabled<T, typename Style::Tables>) {
      const std::vector<T>& values = std::get<Table<T>>(tables_).values;
      if (json.natural() >= values.size())
        json.refuse("an entry of a table of " + std::to_string(values.size()));
      value = values[json.natural()];
    } else {
      get_struct(json, value);
    }
  }

  template <Listed T>
  void get_struct(JsonView json, T& value) {
    get_entries(json, value, entries_of<T>());
  }
  template <class T, class... Entries>
  void get_entries(JsonView json, T& value, const std::tuple<Entries...>& entries) {
    if constexpr ((std::is_member_object_pointer_v<Entries> && ...)) {
      if (json.size() != sizeof...(Entries))
        json.refuse(std::to_string(sizeof...(Entries)) + " entries");
    }
    std::size_t i = 0;
    std::apply([&](const auto&... entry) { (get_entry(json, i++, value, entry), ...); }, entries);
  }
  template <class T, class Member>
  void get_entry(JsonView json, std::size_t i, T& value, Member T::*member) {
    get(json.at(i), value.*member);
  }
  template <class T, class... Entries>
  void get_entry(JsonView json, std::size_t, T& value, const Group<Entries...>& group) {
    get_entries(json.at(group.key), value, group.entries);
  }
  template <class T, class Member, bool kMayMiss>
  void get_entry(JsonView json, std::size_t, T& value, const Named<Member T::*, kMayMiss>& entry) {
    if constexpr (kMayMiss) {
      const std::optional<JsonView> found = json.find(entry.key);
      if (!found) return;
      if constexpr (Listed<Member>) {
        if (found->keys().empty()) return;
      }
    }
    get(json.at(entry.key), value.*entry.member);
  }

  typename Style::Tables tables_;
};

}  // namespace rhino::codec
