// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ir/builder.hpp"
#include "sharding/step_graph.hpp"

namespace rhino::sharding {

/// Appends what one device of `mesh` does for op `id` of `program` in the given form: the same op
/// on tiles, and where it knows positions (iota, gather, scatter) with them shifted by the device's
/// offset. `operands`: local values under form.needs.
ValueId append_local_op(ir::Builder& builder, const Program& program, ValueId id,
                        const OpForm& form, const std::vector<ValueId>& operands, const Mesh& mesh);

}  // namespace rhino::sharding
