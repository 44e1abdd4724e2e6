// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace rhino::plugin {

/// The end of a sentence about an unknown word: "; did you mean 'x'?" where a known one is near
/// (edit distance with transpositions), else "; known: a, b, c", or nothing where none is known.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace rhino::plugin
