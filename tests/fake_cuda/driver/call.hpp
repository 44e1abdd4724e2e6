// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "entries.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "operations.hpp"

namespace fake {

/// CUcontext: the primary context of a device.
struct Context {
  Ordinal device = 0;
  int retained = 0;
  Stream* default_stream = nullptr;
};

/// The context of the calling thread, or null.
Context*& current_context();
Context* primary_context(Ordinal device);
int num_devices();
bool initialised();

/// In faults on demand: not a call, but what a stream carries out.
inline constexpr const char* kOperation = "operation";

/// The code that a fault on demand makes this call fail with.
std::optional<int> injected(const std::string& entry);

/// What a call needs: a context and a device without faults, only cuInit, or nothing.
enum class Needs { kContext, kInit, kNothing };

/// The body of every entry point: one at a time, faults on demand first; then the device's memory
/// is out of reach again.
template <class Body>
Result call(const char* entry, Needs needs, Body body) {
  const Lock lock;
  if (const auto code = injected(entry)) return *code;
  if (needs != Needs::kNothing && !initialised()) return kNotInitialized;
  if (needs == Needs::kContext && !current_context()) return kInvalidContext;
  if (needs == Needs::kContext && sticky_error()) return sticky_error();
  Result result;
  try {
    result = body();
  } catch (Result code) {
    result = code;
  }
  memory().close();
  return result;
}

template <class Body>
Result call(const char* entry, Body body) {
  return call(entry, Needs::kContext, body);
}

/// The code for waits: what has failed on the device by now.
inline Result waited() { return sticky_error(); }

}  // namespace fake

// A definition of another type is an error.
#pragma GCC visibility push(default)
extern "C" {
#define RHINO_FAKE_DECLARE(name, ...) fake::declared::name name;
RHINO_FAKE_DRIVER(RHINO_FAKE_DECLARE)
#undef RHINO_FAKE_DECLARE
}
#pragma GCC visibility pop
