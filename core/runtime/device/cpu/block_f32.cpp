// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/block_floating.hpp"

namespace rhino::runtime::block {

BlockFunction elementwise_f32(const Op& op, unsigned single) { return floating<float>(op, single); }

}  // namespace rhino::runtime::block
