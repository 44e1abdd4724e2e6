// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

namespace fake {

/// Whether a caller that passes a `B` is understood by a function that takes an `A`: pointers,
/// integers and enumerations, floating point numbers, or structs, of one size. Names and what is
/// pointed to do not matter.
template <class A, class B>
constexpr bool same_abi() {
  if constexpr (std::is_void_v<A> || std::is_void_v<B>) {
    return std::is_void_v<A> && std::is_void_v<B>;
  } else {
    constexpr auto kind = []<class T>(std::type_identity<T>) {
      return std::is_pointer_v<T>                         ? 0
             : std::is_integral_v<T> || std::is_enum_v<T> ? 1
             : std::is_floating_point_v<T>                ? 2
                                                          : 3;
    };
    return kind(std::type_identity<A>{}) == kind(std::type_identity<B>{}) &&
           sizeof(A) == sizeof(B) && alignof(A) == alignof(B);
  }
}

template <class F, class G>
struct SameFunction : std::false_type {};
template <class R, class... A, class S, class... B>
requires(sizeof...(A) == sizeof...(B)) struct SameFunction<R(A...), S(B...)>
    : std::bool_constant<same_abi<R, S>() && (same_abi<A, B>() && ...)> {
};

/// Whether functions of both types can be called through either.
template <class F, class G>
constexpr bool same_function = SameFunction<F, G>::value;

}  // namespace fake
