// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/imported.hpp"
#include "rhino/options.hpp"
#include "rhino/program.hpp"

namespace rhino::models {

/// Formats of programs in files, as models are called: `hlo`, `stablehlo`.
bool is_imported(const std::string& model);

/// An option of imported models that imported_model() does not look at: whether a step in several
/// micro-batches may compute ops once per part of its loss (see sharding::defer_scales).
inline constexpr const char* kRepeatOps = "repeat_ops";

/// Options of an imported model, all others: `file`; `loss`, `batch`,
/// `batch_dimension`, `scalars`, `states`, `initial` (see ImportedInterface), `custom_calls` and
/// `max_unrolled_ops` (ImportOptions); what is a list or a map in YAML is one text of entries that
/// join_entries() makes. `content` tells files of one name apart and is not looked at.
///
/// The program in its canonical form, as imported_step() reads it, gradients in the order in which
/// the backward pass comes to them (imported::in_order_of_gradients). Throws Error, with the place
/// in the file where it has one.
Program imported_model(const std::string& format, const Options& options);

/// What became of the outputs of that program, with the names that the file has for them.
ImportReading imported_reading(const std::string& format, const Options& options);

std::string join_entries(const std::vector<std::string>& entries);

}  // namespace rhino::models
