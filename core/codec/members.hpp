// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// One list of a struct's members is all that its codecs know of it:
///
///     constexpr auto members(const Link*) { return std::tuple(&Link::bytes_per_s,
///     &Link::latency_s); }
///
/// beside the struct, in its namespace. From it come bytes (codec/binary.hpp) and JSON
/// (codec/json.hpp). A list that forgets a member does not compile. Values may be numbers, bools,
/// strings, listed structs, vectors, maps and variants of those, and enums that say in the same
/// way how many values they have: `constexpr int num_values(Phase) { return 3; }`.
namespace rhino::codec {

/// A struct all of whose members are named is an object in JSON; else it is a list.
template <class Member, bool kMayMiss>
struct Named {
  const char* key;
  Member member;
};
template <class Member>
constexpr Named<Member, false> named(const char* key, Member member) {
  return {key, member};
}
/// A member that older files lack; `{}` stands for a struct's default.
template <class Member>
constexpr Named<Member, true> optional(const char* key, Member member) {
  return {key, member};
}

/// Members that JSON shows as one value under `key`: a list, or an object where they are named.
template <class... Entries>
struct Group {
  const char* key;
  std::tuple<Entries...> entries;
};
template <class... Entries>
constexpr Group<Entries...> group(const char* key, Entries... entries) {
  return {key, {entries...}};
}

template <class T>
concept Listed = requires(const T* value) {
  members(value);
};
template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept Enumerated = std::is_enum_v<T>;

/// Initialises a member of any type.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT: only its type is used
};

/// Whether aggregate T takes as many initialisers as there are indices.
template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}
/// Whether aggregate T has that many members.
template <class T, std::size_t kCount>
constexpr bool has_members() {
  return takes<T>(std::make_index_sequence<kCount>()) &&
         !takes<T>(std::make_index_sequence<kCount + 1>());
}

template <class Member, class T>
constexpr auto flat(Member T::*member) {
  return std::tuple(member);
}
template <class Member, bool kMayMiss>
constexpr auto flat(const Named<Member, kMayMiss>& entry) {
  return std::tuple(entry.member);
}
template <class... Entries>
constexpr auto flat(const std::tuple<Entries...>& entries) {
  if constexpr ((std::is_member_object_pointer_v<Entries> && ...)) return entries;
  else
    return std::apply([](const auto&... entry) { return std::tuple_cat(flat(entry)...); }, entries);
}
template <class... Entries>
constexpr auto flat(const Group<Entries...>& group) {
  return flat(group.entries);
}

/// What `members` lists of T, as it is written there.
template <Listed T>
constexpr auto entries_of() {
  return members(static_cast<const T*>(nullptr));
}

/// The pointers to T's members, in order.
template <Listed T>
constexpr auto members_of() {
  constexpr auto list = flat(entries_of<T>());
  static_assert(has_members<T, std::tuple_size_v<decltype(list)>>(),
                "members() must list all of them");
  return list;
}

/// One of several types, std::monostate the first of them (Attributes).
template <class T>
concept Alternatives = requires(const T& value) {
  std::variant_size_v<typename T::Types>;
  value.index();
};

/// Sets `value` to its alternative `index`, read by `get`; false where there is none.
template <Alternatives T, class Get>
bool get_alternative(T& value, std::size_t index, Get get) {
  const auto set = [&]<class One>(One one) {
    get(one);
    if constexpr (std::is_same_v<One, std::monostate>) value = T();
    else value = std::move(one);
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((I == index && (set(std::variant_alternative_t<I, typename T::Types>()), true)) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<typename T::Types>>());
}

}  // namespace rhino::codec
