// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/communication_choice.hpp"
#include "config/yaml_reader.hpp"

namespace rhino::config {

/// All weights of a model from one mesh to another:
///
///     reshard:
///       weights: {hf_config: FILE, dtype: bf16, layers: 2}   # layers: fewer than the file says
///       source: {mesh: {stage: 2, data: 4}}
///       target: {mesh: {data: 2, tensor: 4}, split: {heads: tensor, vocabulary: tensor, expert:
///       [data, tensor]}}
///
/// `mesh`: axes, the last one innermost, over devices that follow each other, those of the target
/// behind the source's or from `first_device` on. `stage` holds equal parts of the layers, the
/// first one what is in front of them, the last one what is behind; along axes that split no dim of
/// a weight (dims: models::read_hf_weights()) it is there as often. Layers that go from the same
/// stage to the same stage are one tensor per weight, with a dim of layers. FILE is looked for as
/// written, then beside the experiment. Throws Error with the place.
ReshardChoice read_weights(const YamlReader& node);

}  // namespace rhino::config
