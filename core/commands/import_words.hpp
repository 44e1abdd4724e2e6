// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/imported.hpp"

namespace rhino::commands {

/// What the outputs of an imported program were taken as, a line for each run of outputs alike, and
/// how to say otherwise; empty for a program that says it itself.
std::string outputs_text(const models::ImportReading& reading);

}  // namespace rhino::commands
