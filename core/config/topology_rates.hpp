// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/yaml_reader.hpp"
#include "rhino/cluster.hpp"

/// What devices, collectives and software of a topology reach. All throw Error with the place.
namespace rhino::config {

DeviceModel read_device(const YamlReader& node);
/// A list is of all collectives; else each kind has its own.
CollectiveShares read_collective_shares(const YamlReader& node);
Software read_software(const YamlReader& node);

}  // namespace rhino::config
