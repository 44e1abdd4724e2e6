// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/code_cache.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

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

/// The right to make what several want. It ends with its process, too, however that ends.
class Turn {
 public:
  explicit Turn(std::string path)
      : path_(std::move(path)), file_(::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    int result = -1;
    do {
      result = ::flock(file_, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    holds_ = result == 0;
    is_of_another_ = !holds_ && errno == EWOULDBLOCK;
  }
  /// The file goes first: who opens it from now on has a turn of its own, and finds what was made.
  ~Turn() {
    if (holds_) ::unlink(path_.c_str());
    if (file_ >= 0) ::close(file_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Where no file can be locked nobody has it.
  bool is_of_another() const { return is_of_another_; }

 private:
  std::string path_;
  int file_ = -1;
  bool holds_ = false, is_of_another_ = false;
};

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

std::optional<std::string> CodeCache::code(const std::string& key, bool waits,
                                           const std::function<std::string()>& make) const {
  if (folder_.empty()) return make();
  if (std::optional<std::string> kept = find(key)) return kept;
  std::error_code error;
  fs::create_directories(folder_, error);
  const Turn turn(path_of(key) + ".turn");
  if (turn.is_of_another() && waits) return std::nullopt;
  // Who had the turn before may have made it since.
  if (std::optional<std::string> kept = find(key)) return kept;
  std::string made = make();
  keep(key, made);
  return made;
}

}  // namespace rhino::runtime::cuda
