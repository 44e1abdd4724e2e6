// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace rhino::runtime {

/// `UCX 1.13.1: cma/memory posix/memory tcp/eth0`: what UCX finds on this machine. Throws Error
/// where it finds nothing.
std::string describe_ucx();

}  // namespace rhino::runtime
