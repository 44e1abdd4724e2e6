// SPDX-License-Identifier: Apache-2.0
#include "compiler.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../common/settings.hpp"

namespace fake {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Where this library lies, and beside it the header and the driver.
fs::path own_folder() {
  Dl_info info;
  dladdr(reinterpret_cast<const void*>(&own_folder), &info);
  return fs::path(info.dli_fname).parent_path();
}

fs::path cache_folder() {
  const fs::path usual = fs::temp_directory_path() / ("fake_cuda_" + std::to_string(getuid()));
  return text_setting("FAKE_CUDA_CACHE", usual.string());
}

constexpr int kUsualLevel = 2;  ///< toy kernels want less: half of the time is g++'s optimiser

/// Held while a unit is compiled: ranks that are alike want the same one at the same moment, and
/// all but the first find it made. Where no file can be, each compiles for itself.
class Turn {
 public:
  explicit Turn(const fs::path& path)
      : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Turn() {
    if (file_ >= 0) close(file_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int file_;
};

/// 128 bits by FNV-1a from two starts.
std::string digest(const std::string& text) {
  std::uint64_t a = 14695981039346656037u, b = 0x9E3779B97F4A7C15u;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 1099511628211u;
    b = (b ^ static_cast<unsigned char>(c)) * 1099511628211u + (b >> 47);
  }
  char name[40];
  std::snprintf(name, sizeof name, "%016lx%016lx", static_cast<unsigned long>(a),
                static_cast<unsigned long>(b));
  return name;
}

std::string compiler() { return text_setting("FAKE_NVRTC_CXX", FAKE_CXX); }

/// What -march=native means here: caches outlive machines.
std::string this_processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("flags")) return digest(line);
  }
  return "unknown";
}

/// Contraction as NVRTC would, wherever it may. Checked: each access goes through a hook of the
/// driver.
std::string flags(const Unit& unit) {
  static const std::string processor = this_processor();
  const bool checked = number_setting("FAKE_CUDA_CHECKED", 0) != 0;
  const std::string common =
      " -std=c++20 -w -fPIC -fno-gnu-unique -march=native -DFAKE_PROCESSOR_" + processor +
      (unit.contracts ? " -ffp-contract=fast -fexpensive-optimizations " : " -ffp-contract=off ");
  return compiler() + common +
         (checked ? "-O1 -g1 -fsanitize=thread -fsanitize=alignment"
                  : " -fno-math-errno -fno-trapping-math -O" +
                        std::to_string(number_setting("FAKE_NVRTC_LEVEL", kUsualLevel)));
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// In the unit's folder, and with no name of another one in it: what ccache keeps is of no build.
/// Linked by a step of its own, which ccache leaves alone and in which no sanitizer comes in.
std::string command(const Unit& unit, const fs::path& folder) {
  std::string line = "cd " + quoted(folder) + " && " + flags(unit);
  for (const std::string& define : unit.defines) line += " " + quoted(define);
  return line + " -Iown -I. -c unit.cpp -o unit.o >log 2>&1 && " + compiler() +
         " -shared -Wl,-Bsymbolic unit.o -Lown -l:libcuda.so.1 -o unit.so >>log 2>&1";
}

Compiled run(const Unit& unit) {
  std::string made = (fs::temp_directory_path() / "fake_nvrtc_XXXXXX").string();
  if (!mkdtemp(made.data())) return {false, "no folder for temporary files", {}};
  const fs::path folder = made;
  write(folder / "unit.cpp", unit.text);
  fs::create_directory_symlink(own_folder(), folder / "own");
  for (const auto& [name, text] : unit.headers) {
    fs::create_directories((folder / name).parent_path());
    write(folder / name, text);
  }
  const int status = std::system(command(unit, folder).c_str());
  Compiled result{status == 0, read(folder / "log"),
                  status == 0 ? read(folder / "unit.so") : std::string()};
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return result;
}

}  // namespace

Compiled compile(const Unit& unit) {
  std::string key = flags(unit) + unit.text;
  for (const char* header :
       {"host_atomics.hpp", "host_cuda.hpp", "host_math.hpp", "host_ptx.hpp", "host_types.hpp"}) {
    key += read(own_folder() / header);
  }
  for (const std::string& define : unit.defines) key += '\n' + define;
  for (const auto& [name, text] : unit.headers) key += '\n' + name + '\n' + text;
  const fs::path kept = cache_folder() / (digest(key) + ".so");
  if (std::string library = read(kept); !library.empty()) return {true, {}, std::move(library)};
  std::error_code ignored;
  fs::create_directories(kept.parent_path(), ignored);
  const Turn turn(kept.string() + ".lock");
  if (std::string library = read(kept); !library.empty()) return {true, {}, std::move(library)};
  Compiled made = run(unit);
  if (!made.ok) return made;
  // Whole or not at all, for others that compile the same.
  const fs::path part = kept.string() + "." + std::to_string(getpid());
  write(part, made.library);
  fs::rename(part, kept, ignored);
  return made;
}

}  // namespace fake
