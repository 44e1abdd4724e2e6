// SPDX-License-Identifier: Apache-2.0
// Atomic operations.
#pragma once

extern "C" void hc_atomic(void* at, unsigned long bytes);

// One thread runs at a time: the operation is atomic as it stands, and is no plain access for the
// checks.
template <class T, class F>
__attribute__((noinline, no_sanitize("thread"))) T hc_read_modify_write(T* p, F f) {
  hc_atomic(p, sizeof *p);
  const T old = *p;
  *p = f(old);
  return old;
}
template <class T>
struct hc_same {
  using type = T;
};
template <class T>
using hc_value = typename hc_same<T>::type;
template <class T>
inline T atomicAdd(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return static_cast<T>(o + v); });
}
template <class T>
inline T atomicSub(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return static_cast<T>(o - v); });
}
template <class T>
inline T atomicMax(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o < v ? v : o; });
}
template <class T>
inline T atomicMin(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return v < o ? v : o; });
}
template <class T>
inline T atomicExch(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T) { return v; });
}
template <class T>
inline T atomicCAS(T* p, hc_value<T> compare, hc_value<T> v) {
  return hc_read_modify_write(p, [=](T o) { return o == compare ? v : o; });
}
template <class T>
inline T atomicAnd(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o & v; });
}
template <class T>
inline T atomicOr(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o | v; });
}
template <class T>
inline T atomicXor(T* p, hc_value<T> v) {
  return hc_read_modify_write(p, [v](T o) { return o ^ v; });
}
