// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::config {

/// N of "%N", which names value number N whatever it is called; -1 of any other text.
ValueId value_number(const std::string& pattern);

/// Values that a pattern of `shard` (`in_shard`) or of `values` matches: a glob, as of a shell,
/// with its groups: "h+([0-9]).out" is of layers of any number.
std::vector<ValueId> matching_values(const Program& program, const std::string& pattern,
                                     bool in_shard);

/// Values that the forward pass makes and one of `patterns` matches, increasing. Throws Error,
/// naming `place`, for a pattern that matches none.
std::vector<ValueId> matching_forward_values(const Program& program,
                                             const std::vector<std::string>& patterns,
                                             const std::string& place);

/// Whether the forward pass makes a value.
bool is_made_forward(const Program& program, ValueId value);

/// Number of the dim that a rule names by its name or number; -1: the value has no such dim.
std::int32_t dim_number(const Program& program, ValueId value, const std::string& dim);

/// A glob that matches `name` alone.
std::string escaped_glob(const std::string& name);

/// Globs for a name and those that differ from it in its first number, the shortest first: of
/// "h3.attn.qkv.weight" "*.attn.qkv.weight", "h*.attn.qkv.weight".
std::vector<std::string> general_globs(const std::string& name);

}  // namespace rhino::config
