// SPDX-License-Identifier: Apache-2.0
#include "codec/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace rhino::codec {
namespace {

bool write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  // Pipes and terminals have no disk.
  return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

/// Writes at the end of what the flags leave of the file; 0, or the error after which the file is
/// as it was then.
int write_at_end(int fd, const std::string& text, const char* path) {
  struct stat before {};
  if (fstat(fd, &before) != 0) return errno;
  if (write_all(fd, text)) return 0;
  const int error = errno;
  const bool is_cut = S_ISREG(before.st_mode) && ftruncate(fd, before.st_size) == 0;
  if (is_cut && before.st_size == 0) unlink(path);
  return error;
}

void write(const std::string& path, int flags, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);
  const int error = fd < 0 ? errno : write_at_end(fd, text, path.c_str());
  if (fd >= 0) close(fd);
  if (error != 0) throw OutputError(path + ": cannot be written: " + std::strerror(error));
}

}  // namespace

std::string read_file(const std::string& path, std::int64_t most_bytes) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  std::array<char, 65536> buffer;
  ssize_t count = -1;
  const auto is_within = [&] { return std::ssize(text) <= most_bytes; };
  while (fd >= 0 && is_within() && (count = read(fd, buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  const int error = errno;
  if (fd >= 0) close(fd);
  if (!is_within())
    throw Error(path + ": is longer than the " + std::to_string(most_bytes) +
                " bytes that such a file may have");
  if (count != 0) throw Error(path + ": cannot be read: " + std::strerror(error));
  return text;
}

void write_file(const std::string& path, const std::string& text) { write(path, O_TRUNC, text); }

void append_to_file(const std::string& path, const std::string& text) {
  write(path, O_APPEND, text);
}

}  // namespace rhino::codec
