// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "../common/ptx.hpp"
#include "../common/settings.hpp"

namespace fake {
namespace {

/// The bytes of an ELF image, whose size nobody gives: the section headers stand last.
std::string_view elf_image(const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  constexpr Elf64_Half kCudaMachine = 190;
  if (header.e_machine == kCudaMachine) {
    say("a CUBIN of the real NVRTC: only what the fake NVRTC makes runs here");
    return {};
  }
  return {static_cast<const char*>(image),
          header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum};
}

/// The file stays open: the loader takes a path that it has seen for the same library.
void* open_image(std::string_view bytes, int file) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  void* handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) say(dlerror());
  return handle;
}

template <class T>
T symbol(void* handle, const std::string& name) {
  return reinterpret_cast<T>(dlsym(handle, name.c_str()));
}

/// CUBIN runs on its own major version from its minor on, PTX on all that is newer.
bool runs_on(int architecture, bool is_ptx) {
  const int device = static_cast<int>(number_setting("FAKE_CUDA_CAPABILITY", 90));
  return device >= architecture && (is_ptx || device / 10 == architecture / 10);
}

}  // namespace

Result load(const void* image, Library** out) {
  std::string unpacked;
  std::string_view bytes;
  const bool is_ptx = is_fake_ptx(static_cast<const char*>(image));
  if (is_ptx) {
    bytes = unpacked = unpack_ptx(static_cast<const char*>(image));
  } else if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
    bytes = elf_image(image);
  }
  if (bytes.empty()) return kInvalidImage;
  const int file = memfd_create("kernels", MFD_CLOEXEC);
  void* handle = open_image(bytes, file);
  const int* architecture = handle ? symbol<const int*>(handle, "hc_architecture") : nullptr;
  if (architecture && runs_on(*architecture, is_ptx)) {
    *out = new Library{handle, file, {}};
    return kSuccess;
  }
  const Result code = architecture ? kNoBinaryForGpu : kInvalidImage;
  if (handle) dlclose(handle);
  close(file);
  return code;
}

void unload(Library* library) {
  dlclose(library->handle);
  close(library->file);
  delete library;
}

Kernel* find_kernel(Library& library, const std::string& name) {
  const auto thunk = symbol<void (*)(void**)>(library.handle, name + "__thunk");
  if (!thunk) return nullptr;
  const auto [found, is_new] = library.kernels.try_emplace(name);
  Kernel& kernel = found->second;
  if (!is_new) return &kernel;
  kernel.name = name;
  kernel.thunk = thunk;
  const int count = *symbol<const int*>(library.handle, name + "__count");
  const auto* sizes = *symbol<const std::size_t* const*>(library.handle, name + "__sizes");
  kernel.parameter_bytes.assign(sizes, sizes + count);
  kernel.bound = *symbol<const int*>(library.handle, name + "__bound");
  kernel.shared_begin = *symbol<char* const*>(library.handle, "hc_shared_begin");
  kernel.shared_end = *symbol<char* const*>(library.handle, "hc_shared_end");
  kernel.architecture = *symbol<const int*>(library.handle, "hc_architecture");
  return &kernel;
}

}  // namespace fake
