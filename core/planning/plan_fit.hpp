// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config/experiment.hpp"
#include "plan/execution_plan.hpp"
#include "planning/cell_inputs.hpp"

/// Plans that are given instead of made: which cells they are of.
namespace rhino::planning {

/// What a cell's plan is a plan of: model, optimizer, batch and the fingerprint of the step; or the
/// communication. `model`: nullptr of a communication.
std::string program_text(const config::CellSpec& cell, const CellModel* model);

/// Reads a plan file. Throws Error naming it.
plan::ExecutionPlan read_plan(const std::string& path);

/// Throws Error, one sentence naming what differs, unless `plan` could have been made for this
/// cell: of its program and batch, with its plugins, a count of micro-batches that it allows, and a
/// cluster like `cluster`; and is valid there, with the inputs and outputs that the step has.
void check_fit(const plan::ExecutionPlan& plan, const config::CellSpec& cell,
               const CellModel* model, const Cluster& cluster);

}  // namespace rhino::planning
