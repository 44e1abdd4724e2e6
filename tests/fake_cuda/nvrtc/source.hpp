// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace fake {

/// A kernel that a host can find by its name: one that is extern "C".
struct FoundKernel {
  std::string name;
  std::string bound = "1024";  // the first argument of __launch_bounds__
};

std::vector<FoundKernel> find_kernels(const std::string& source);

/// The source as a unit for the host's compiler: dynamic shared memory by pointer, and beside each
/// kernel what a launch needs.
std::string host_unit(const std::string& source, const std::string& name, int architecture,
                      bool is_own = false);

}  // namespace fake
