// SPDX-License-Identifier: Apache-2.0
#include "sharding/micro_view.hpp"

#include <algorithm>

#include "rhino/error.hpp"
#include "rhino/tile.hpp"

namespace rhino::sharding {
namespace {

using Splits = std::vector<AxisSplit>;

/// Takes the micro split out of a dim: blocks of splits more major than it hold that many elements
/// less.
void take_out(MicroView& view, std::int32_t dim, std::int64_t num_micro_batches) {
  Splits& splits = view.spec.dims[static_cast<std::size_t>(dim)].splits;
  const auto micro = std::find_if(splits.begin(), splits.end(),
                                  [](const AxisSplit& split) { return split.axis == kMicroAxis; });
  if (micro == splits.end()) return;
  view.marked = true;
  if (num_micro_batches > 1) {
    view.micro_dim = dim;
    view.micro_period = micro->period;
  }
  for (auto split = splits.begin(); split != micro; ++split) split->period /= num_micro_batches;
  splits.erase(micro);
  view.shape.dims[static_cast<std::size_t>(dim)] /= num_micro_batches;
}

}  // namespace

MicroView micro_view(const Shape& shape, const ShardingSpec& spec, std::int64_t num_micro_batches) {
  MicroView view{shape, spec, false, -1, 0, false};
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    take_out(view, static_cast<std::int32_t>(d), num_micro_batches);
  }
  if (spec.partial.empty() || spec.partial[0].axis != kMicroAxis) return view;
  if (spec.partial[0].reduction != Reduction::sum && num_micro_batches > 1) {
    throw Error("a value of " + to_string(shape) +
                " would have to be accumulated over micro-batches by something else than a sum");
  }
  view.marked = true;
  view.accumulates = true;
  view.spec.partial.erase(view.spec.partial.begin());
  return view;
}

std::vector<std::int64_t> held_dims(const MicroView& view, const Mesh& mesh) {
  return with_halos(tile_dims(view.shape.dims, view.spec, mesh), view.halos);
}

ShardingSpec whole_spec(const MicroView& view, std::int64_t num_micro_batches) {
  ShardingSpec spec = view.spec;
  if (view.accumulates) spec.partial.insert(spec.partial.begin(), {kMicroAxis, Reduction::sum});
  if (view.micro_dim < 0) return spec;
  Splits& splits = spec.dims[static_cast<std::size_t>(view.micro_dim)].splits;
  // The micro split lies before the first one whose blocks fit into its parts.
  const std::int64_t part = view.micro_period / num_micro_batches;
  auto place = splits.begin();
  for (; place != splits.end() && place->period > part; ++place) place->period *= num_micro_batches;
  splits.insert(place, {kMicroAxis, view.micro_period});
  return spec;
}

ShardingSpec without_partial(ShardingSpec spec) {
  spec.partial.clear();
  return spec;
}

}  // namespace rhino::sharding
