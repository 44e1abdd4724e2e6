// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "codec/members.hpp"
#include "rhino/error.hpp"

/// Values as bytes for another process of the same build on the same host: numbers as they lie in
/// memory, sizes before what they count. The first eight bytes tell the layout, which follows from
/// the lists of members: other builds refuse each other.
namespace rhino::codec {

/// `kHash` differs where the bytes mean something else; `kMinBytes` is what any value takes.
template <class T>
struct Layout;
template <std::uint64_t kTag, std::size_t kMin, class... Parts>
struct Mixed {
  static constexpr std::uint64_t mixed() {
    std::uint64_t hash = kTag;
    ((hash = hash * 0x100000001b3 ^ Layout<Parts>::kHash), ...);
    return hash;
  }
  static constexpr std::uint64_t kHash = mixed();
  static constexpr std::size_t kMinBytes = kMin;
};
template <class... Member, class T>
auto mixed(const std::tuple<Member T::*...>&)
    -> Mixed<1, (Layout<Member>::kMinBytes + ...), Member...>;

template <Number T>
struct Layout<T>
    : Mixed<sizeof(T) * 8 + std::is_floating_point_v<T> * 2 + std::is_signed_v<T>, sizeof(T)> {};
template <Enumerated T>
struct Layout<T> : Mixed<1000 + num_values(T{}), sizeof(T)> {};
template <>
struct Layout<std::byte> : Layout<unsigned char> {};
template <>
struct Layout<std::string> : Mixed<2, sizeof(std::uint64_t)> {};
template <class T>
struct Layout<std::vector<T>> : Mixed<3, sizeof(std::uint64_t), T> {};
template <class Key, class T>
struct Layout<std::map<Key, T>> : Mixed<4, sizeof(std::uint64_t), Key, T> {};
template <>
struct Layout<std::monostate> : Mixed<5, 0> {};
template <class... T>
struct Layout<std::variant<T...>> : Mixed<6, 1, T...> {};
template <Alternatives T>
struct Layout<T> : Layout<typename T::Types> {};
template <Listed T>
struct Layout<T> : decltype(mixed(members_of<T>())) {};

/// What lies in memory as it does among the bytes, whatever its value.
template <class T>
concept Plain = (Number<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, std::byte>;

class BinaryWriter {
 public:
  template <class T>
  requires Number<T> || Enumerated<T>
  void put(const T& value) { append(&value, sizeof value); }
  void put(const std::string& text) {
    put_size(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put_size(values.size());
    if constexpr (Plain<T>) append(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values) put(value);
  }
  template <class Key, class T>
  void put(const std::map<Key, T>& map) {
    put_size(map.size());
    for (const auto& [key, value] : map) {
      put(key);
      put(value);
    }
  }
  template <Alternatives T>
  void put(const T& value) {
    put(static_cast<std::uint8_t>(value.index()));
    value.visit([this](const auto& alternative) { put(alternative); });
  }
  void put(std::monostate) {}
  template <Listed T>
  void put(const T& value) {
    std::apply([&](auto... member) { (put(value.*member), ...); }, members_of<T>());
  }
  std::string take() { return std::move(bytes_); }

 private:
  void put_size(std::uint64_t size) { put(size); }
  void append(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }

  std::string bytes_;
};

/// Reads what BinaryWriter wrote. Any bytes are safe to read: sizes are checked before memory is
/// taken, enums and bools before they are used. Throws Error.
class BinaryReader {
 public:
  explicit BinaryReader(std::string_view bytes) : rest_(bytes) {}

  template <Number T>
  void get(T& value) {
    std::memcpy(&value, next(sizeof value), sizeof value);
  }
  void get(bool& value) {
    std::uint8_t byte = 0;
    get(byte);
    if (byte > 1) throw Error("a bool of value " + std::to_string(byte));
    value = byte == 1;
  }
  template <Enumerated T>
  void get(T& value) {
    std::underlying_type_t<T> index{};
    get(index);
    if (!std::in_range<int>(index) || index < 0 || static_cast<int>(index) >= num_values(T{}))
      throw Error(std::to_string(index) + " stands for no known word");
    value = static_cast<T>(index);
  }
  void get(std::string& text) {
    const std::size_t size = get_size(1);
    text.assign(next(size), size);
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(get_size(Layout<T>::kMinBytes));
    if constexpr (!Plain<T>) {
      for (T& value : values) get(value);
    } else if (!values.empty()) {
      std::memcpy(values.data(), next(values.size() * sizeof(T)), values.size() * sizeof(T));
    }
  }
  template <class Key, class T>
  void get(std::map<Key, T>& map) {
    for (std::size_t left = get_size(Layout<Key>::kMinBytes); left > 0; --left) {
      Key key{};
      get(key);
      get(map[key]);
    }
  }
  template <Alternatives T>
  void get(T& value) {
    std::uint8_t index = 0;
    get(index);
    if (!get_alternative(value, index, [this](auto& alternative) { get(alternative); }))
      throw Error("an alternative of number " + std::to_string(index));
  }
  void get(std::monostate&) {}
  template <Listed T>
  void get(T& value) {
    std::apply([&](auto... member) { (get(value.*member), ...); }, members_of<T>());
  }
  void end() const {
    if (!rest_.empty()) throw Error(std::to_string(rest_.size()) + " bytes too many");
  }

 private:
  std::size_t get_size(std::size_t element_bytes) {
    std::uint64_t size = 0;
    get(size);
    if (size > rest_.size() / element_bytes) throw Error("torn");
    return size;
  }
  const char* next(std::size_t size) {
    if (size > rest_.size()) throw Error("torn");
    const char* begin = rest_.data();
    rest_.remove_prefix(size);
    return begin;
  }

  std::string_view rest_;
};

template <class T>
std::string to_bytes(const T& value) {
  BinaryWriter writer;
  writer.put(Layout<T>::kHash);
  writer.put(value);
  return writer.take();
}

/// The inverse of to_bytes. Throws Error `what: reason` unless `bytes` are those of one T, written
/// by the same build.
template <class T>
T from_bytes(std::string_view bytes, const std::string& what) {
  try {
    BinaryReader reader(bytes);
    std::uint64_t hash = 0;
    reader.get(hash);
    if (hash != Layout<T>::kHash) throw Error("of another build of rhino-bench");
    T value;
    reader.get(value);
    reader.end();
    return value;
  } catch (const Error& error) {
    throw Error(what + ": " + error.what());
  }
}

}  // namespace rhino::codec
