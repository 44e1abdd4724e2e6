// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/code_cache.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "codec/fingerprint.hpp"
#include "codec/text_file.hpp"

namespace rhino::runtime::cuda {
namespace {

namespace fs = std::filesystem;

/// A file begins with this many digits that tell its key and code from any others.
std::string mark_of(const std::string& key, const std::string& code) {
  return codec::fingerprint(code + key);
}
constexpr std::size_t kMarkBytes = 16;

/// A new file beside `path` that no other process has, of this host or of another that shares the
/// folder; empty: none can be made.
std::string fresh_beside(const std::string& path) {
  std::string name = path + ".XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return {};
  ::close(file);
  return name;
}

}  // namespace

std::string CodeCache::path_of(const std::string& key) const {
  return fs::path(folder_) / ("kernels-" + codec::fingerprint(key) + ".cubin");
}

std::optional<std::string> CodeCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  try {
    const std::string file = codec::read_file(path_of(key));
    if (file.size() <= kMarkBytes) return std::nullopt;
    std::string code = file.substr(kMarkBytes);
    if (file.starts_with(mark_of(key, code))) return code;
  } catch (const Error&) {
    // None is there, or in a folder that may not be entered: it is compiled again.
  }
  return std::nullopt;
}

void CodeCache::keep(const std::string& key, const std::string& code) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  // Ranks that compile the same at once each write a file of their own; readers see a whole one.
  const std::string fresh = fresh_beside(path_of(key));
  if (fresh.empty()) return;
  try {
    codec::write_file(fresh, mark_of(key, code) + code);
    fs::rename(fresh, path_of(key), error);
    if (error) fs::remove(fresh, error);
  } catch (const codec::OutputError&) {
    fs::remove(fresh, error);  // the next run compiles again
  }
}

}  // namespace rhino::runtime::cuda
