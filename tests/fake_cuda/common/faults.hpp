// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace fake {

/// Failures on demand: FAKE_CUDA_FAIL="cuMemAlloc_v2:3:2,ncclAllReduce:1:hang" makes the third call
/// of the first fail with code 2 and the first call of the second never return. Each library counts
/// the calls of its own entry points.
class Faults {
 public:
  /// `prefix` says which names belong to this library (`cu`, `nccl`); one of those that is not
  /// among `names` is refused.
  Faults(std::string prefix, std::vector<std::string> names);

  /// Counts a call of `name`; the code that it is to fail with, if it is. Does not return where a
  /// hang was asked for.
  std::optional<int> next(const std::string& name);

 private:
  struct Fault {
    std::string name;
    int call = 1, code = 0;
    bool hangs = false;
    int seen = 0;
  };
  static Fault parse(const std::string& text);
  std::vector<Fault> faults_;
};

}  // namespace fake
