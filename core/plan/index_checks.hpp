// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plan/execution_plan.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

/// What check_indices() is made of. Each throws Error with a sentence that begins with `place`.
namespace rhino::plan::indices {

/// Whatever is added up or multiplied below these cannot overflow.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 50,
                              kMaxBytes = std::int64_t{1} << 53,
                              kMaxMicroBatches = std::int64_t{1} << 20;

template <class... Text>
[[noreturn]] void fail(const Text&... text) {
  throw Error((std::string() + ... + text));
}

template <class T>
bool is_index(std::int64_t index, const std::vector<T>& list) {
  return index >= 0 && index < std::ssize(list);
}

template <class T>
void require_index(std::int64_t index, const std::vector<T>& list, const std::string& place,
                   const char* what) {
  if (!is_index(index, list))
    fail(place, " names ", what, " ", number(index), " of ", number(std::ssize(list)));
}

template <class T>
void require_index_or_none(std::int64_t index, const std::vector<T>& list, const std::string& place,
                           const char* what) {
  if (index != -1) require_index(index, list, place, what);
}

void check_shape(const Shape& shape, const std::string& place);

/// `num_devices` of -1: any.
void check_mesh(const Mesh& mesh, std::int64_t num_devices, const std::string& place);

/// Axes exist, periods nest (tile geometry relies on it). `dims`: extents, where they are known;
/// contiguous splits of those may leave a rest.
void check_spec(const ShardingSpec& spec, const Mesh& mesh, const std::vector<std::int64_t>& dims,
                const std::string& place);

/// One instance of a tensor, cut over a mesh.
void check_tiled(const Shape& global, const ShardingSpec& spec, const Mesh& mesh,
                 const std::string& place);

/// Steps, layouts, shares, and what it is like, which comes before it.
void check_communication(const ExecutionPlan& plan, const Communication& communication,
                         const std::string& place);

}  // namespace rhino::plan::indices
