// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace fake {

/// The number that the environment variable `name` holds, else `otherwise`. What is no number ends
/// the process with a sentence.
std::int64_t number_setting(const char* name, std::int64_t otherwise);
std::string text_setting(const char* name, const std::string& otherwise);

/// Writes `fake cuda: ` and the sentence to the standard error.
void say(const std::string& sentence);

/// Says the sentence and ends the process with exit code 2: a setting of the fakes that means
/// nothing.
[[noreturn]] void refuse(const std::string& sentence);

}  // namespace fake
