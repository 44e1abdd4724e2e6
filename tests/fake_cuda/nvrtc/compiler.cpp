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

/// Contraction as NVRTC would, wherever it may. Checked: each access goes through a hook of the
/// driver.
std::string flags(const Unit& unit) {
  const bool checked = number_setting("FAKE_CUDA_CHECKED", 0) != 0;
  const std::string common =
      std::string(" -std=c++20 -w -fPIC -shared -fno-gnu-unique -Wl,-Bsymbolic -march=native ") +
      (unit.contracts ? "-ffp-contract=fast -fexpensive-optimizations " : "-ffp-contract=off ");
  return text_setting("FAKE_NVRTC_CXX", "g++") + common +
         (checked ? "-O1 -g1 -fsanitize=thread -fsanitize=alignment -c"
                  : " -fno-math-errno -fno-trapping-math -O" +
                        std::to_string(number_setting("FAKE_NVRTC_LEVEL", kUsualLevel)));
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string command(const Unit& unit, const fs::path& folder) {
  const std::string own = quoted(own_folder()), f = folder.string();
  std::string line = flags(unit);
  for (const std::string& define : unit.defines) line += " " + quoted(define);
  line += " -I" + own + " -I" + quoted(f);
  // The sanitizer's own library must not come in: compile first, link without it.
  const bool two_steps = number_setting("FAKE_CUDA_CHECKED", 0) != 0;
  const std::string link = " -L" + own + " -l:libcuda.so.1 ";
  if (!two_steps)
    return line + " " + f + "/unit.cpp" + link + "-o " + f + "/unit.so >" + f + "/log 2>&1";
  return line + " " + f + "/unit.cpp -o " + f + "/unit.o >" + f + "/log 2>&1 && " +
         text_setting("FAKE_NVRTC_CXX", "g++") + " -shared -Wl,-Bsymbolic " + f + "/unit.o" + link +
         "-o " + f + "/unit.so >>" + f + "/log 2>&1";
}

Compiled run(const Unit& unit) {
  std::string made = (fs::temp_directory_path() / "fake_nvrtc_XXXXXX").string();
  if (!mkdtemp(made.data())) return {false, "no folder for temporary files", {}};
  const fs::path folder = made;
  write(folder / "unit.cpp", unit.text);
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
