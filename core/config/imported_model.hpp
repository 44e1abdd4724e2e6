// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/experiment.hpp"
#include "config/yaml_reader.hpp"

namespace rhino::config {

/// The option of an imported model that tells contents of files apart.
inline constexpr const char* kContent = "content";

/// Whether a model is in a file: a program, `{hlo: FILE, ...}` or `{stablehlo: FILE, ...}`, or the
/// sizes of a built-in model, `{hf_config: FILE, ...}`.
bool names_import(const YamlReader& node);

/// The file that `node` names, as written, else beside the file that `node` stands in. Throws Error
/// with the place.
std::string find_beside(const YamlReader& node);

/// Such a model, as models::imported_model() or models::build_forward() takes it. A FILE is looked
/// for as written, then beside the experiment. Throws Error with the place.
Choice read_imported_model(const YamlReader& node);

/// The global batch that the program of an imported model has; nothing of other models.
void complete_import(CellSpec& cell);

}  // namespace rhino::config
