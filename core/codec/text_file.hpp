// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "rhino/error.hpp"

namespace rhino::codec {

/// A file that cannot be written: a full disk, no right to. Nobody's input is wrong.
struct OutputError : Error {
  using Error::Error;
};

/// All of a file. Throws Error with its path where it cannot be read: there is none, a folder, or
/// one of more bytes than that.
std::string read_file(const std::string& path, std::int64_t most_bytes = std::int64_t{1} << 34);

/// Replaces the file by `text` and forces it to disk. Throws OutputError, and then leaves no part
/// of it.
void write_file(const std::string& path, const std::string& text);

/// The same at the end of a file, which is as it was where there is no room for all of `text`.
void append_to_file(const std::string& path, const std::string& text);

}  // namespace rhino::codec
