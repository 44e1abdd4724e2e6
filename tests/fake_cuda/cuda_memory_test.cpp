// SPDX-License-Identifier: Apache-2.0
// Memory, streams and code of the cuda device, and what is said where something is amiss.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "codec/text_file.hpp"
#include "cuda_programs.hpp"
#include "ir/builder.hpp"
#include "runtime/cuda/code_cache.hpp"
#include "runtime/cuda/compiler.hpp"
#include "runtime/cuda/driver.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

TEST_CASE("compiled code is kept, and made again where its file is damaged") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rhino_code_" + std::to_string(::getpid()));
  const cuda::CodeCache cache(folder);
  cache.keep("key", "code of the key");
  CHECK(cache.find("key") == "code of the key");
  CHECK(cache.find("another key") == std::nullopt);
  const cuda::Driver driver(0);
  const std::string source = "extern \"C\" __global__ void k(int* p) { *p = 1; }";
  const auto files = [&] {
    std::set<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.insert(entry.path());
    return found;
  };
  const std::set<std::filesystem::path> before = files();
  cuda::Compiler(driver, folder).compile({source})->kernel("k");
  std::set<std::filesystem::path> after = files();
  for (const auto& path : before) after.erase(path);
  REQUIRE(after.size() == 1);
  const std::filesystem::path kept = *after.begin();
  const std::string whole = codec::read_file(kept);
  for (const std::string& damaged : {whole.substr(0, 7), whole.substr(0, whole.size() / 2),
                                     "x" + whole.substr(1), whole + "x", std::string()}) {
    std::ofstream(kept, std::ios::binary) << damaged;
    cuda::Compiler(driver, folder).compile({source})->kernel("k");
    CHECK((codec::read_file(kept) == whole));
  }
  std::filesystem::remove_all(folder);
}

/// Whether nothing is found there, nothing is thrown, and nothing is kept.
bool is_harmless(const std::filesystem::path& folder) {
  try {
    const cuda::CodeCache cache(folder);
    cache.keep("key", "code");
    return cache.find("key") == std::nullopt;
  } catch (...) {
    return false;
  }
}

TEST_CASE("a folder that may not be entered, or cannot be, holds no code and harms nobody") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rhino_locked_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "inner");
  std::ofstream(folder / "file") << "no folder";
  CHECK(is_harmless(folder / "file" / "below"));
  CHECK(is_harmless(folder / std::string(300, 'n')));
  std::filesystem::create_directories(folder / "taken");
  const cuda::CodeCache cache(folder / "taken");
  cache.keep("key", "code");
  const std::filesystem::path kept = *std::filesystem::directory_iterator(folder / "taken");
  std::filesystem::remove(kept);
  std::filesystem::create_directories(kept / "a folder in the place of the file");
  CHECK(is_harmless(folder / "taken"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "taken"), {}) == 1);
  ::chmod(folder.c_str(), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    constexpr uid_t kNobody = 65534;  // root enters every folder
    if (::getuid() == 0 && ::setuid(kNobody) != 0) ::_exit(2);
    ::_exit(is_harmless(folder / "inner") ? 0 : 1);
  }
  int status = -1;
  ::waitpid(other, &status, 0);
  CHECK(status == 0);
  ::chmod(folder.c_str(), 0700);
  std::filesystem::remove_all(folder);
}

TEST_CASE("processes that keep the same code at once never find it torn") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rhino_torn_" + std::to_string(::getpid()));
  constexpr std::size_t kSizes[] = {100, 3'000'000};
  const auto code = [&](std::size_t size) { return std::string(size, 'c'); };
  const cuda::CodeCache cache(folder);
  cache.keep("key", code(kSizes[0]));
  std::vector<pid_t> writers;
  for (const std::size_t size : kSizes) {
    const pid_t writer = ::fork();
    if (writer == 0) {
      for (int i = 0; i < 100; ++i) cuda::CodeCache(folder).keep("key", code(size));
      ::_exit(0);
    }
    writers.push_back(writer);
  }
  std::set<std::size_t> found;
  std::size_t missed = 0, left = writers.size();
  while (left > 0) {
    const std::optional<std::string> kept = cache.find("key");
    if (!kept) ++missed;
    else found.insert(kept->size());
    while (left > 0 && ::waitpid(writers[left - 1], nullptr, WNOHANG) > 0) --left;
  }
  CHECK(missed == 0);
  CHECK(found == std::set<std::size_t>{std::begin(kSizes), std::end(kSizes)});
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);  // nothing is left
  std::filesystem::remove_all(folder);
}

TEST_CASE("a GPU's memory is taken by whoever works on it, of a shared one by each its own") {
  constexpr std::int64_t kOwn = 64 << 20, kLibrary = 96 << 20;  // whole pages of real GPUs
  const bool is_shared = GENERATE(false, true);
  DeviceOptions options;
  if (is_shared) options.beside.assign(99, 0);
  const std::unique_ptr<Device> device = cuda::make_cuda_device(options);
  REQUIRE(device->is_shared() == is_shared);
  CHECK(device->taken_bytes().value() == 0);
  {
    const std::unique_ptr<DeviceMemory> own = device->allocate(kOwn);
    CHECK(device->taken_bytes().value() == kOwn);
    const std::unique_ptr<Device> library = cuda::make_cuda_device({});
    const std::unique_ptr<DeviceMemory> other = library->allocate(kLibrary);
    CHECK(device->taken_bytes().value() == (is_shared ? kOwn : kOwn + kLibrary));
    CHECK(library->taken_bytes().value() == kLibrary);
  }
  CHECK(device->taken_bytes().value() == 0);
  CHECK(make_cpu_device({})->taken_bytes() == std::nullopt);
}

TEST_CASE("what a GPU lacks is said in one sentence") {
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  CHECK_THROWS_WITH(
      device->allocate(std::int64_t{1} << 40),
      Catch::Contains("cannot allocate 1099511627776 bytes on " + device->name() + ": ") &&
          Catch::Contains(" are free"));
  CHECK_THROWS_WITH(cuda::make_cuda_device({.ordinal = 99}),
                    Catch::StartsWith("there is no GPU 99 on this host, which has "));
}

TEST_CASE("events order streams, and marks advance") {
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  const std::unique_ptr<Stream> a = device->stream(), b = device->stream();
  const std::int64_t size = 4096;
  const std::unique_ptr<DeviceMemory> memory = device->allocate(size),
                                      other = device->allocate(size);
  for (int step = 0; step < 3; ++step) {
    const std::int64_t first = a->mark();
    device->fill(*a, memory->data(), static_cast<std::byte>(step), size);
    b->wait_for(a->record());
    device->copy(*b, other->data(), memory->data(), size);
    a->wait_for(b->record());
    device->fill(*a, memory->data(), std::byte{0xff}, size);
    const std::int64_t last = a->mark();
    std::vector<std::byte> bytes(size);
    device->copy(*a, bytes.data(), other->data(), size);
    a->record().wait();
    CHECK(std::ranges::count(bytes, static_cast<std::byte>(step)) == size);
    CHECK(a->time_s(last) >= a->time_s(first));
  }
}

TEST_CASE("buffers that lie elsewhere than executables take them are refused by name") {
  ir::Builder b("shifted");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {64}}, {}, "x");
  b.output(b.unary(OpKind::negate, x), OutputKind::value);
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  const std::unique_ptr<Executable> executable = device->compile(std::move(b).finish());
  const std::unique_ptr<Stream> stream = device->stream();
  const std::unique_ptr<DeviceMemory> memory = device->allocate(4096);
  std::byte* base = memory->data();
  device->fill(*stream, base, std::byte{0}, 4096);
  const auto run = [&](std::int64_t in, std::int64_t out, std::int64_t workspace) {
    const void* input = base + in;
    void* output = base + 1024 + out;
    executable->enqueue(*stream, {&input, 1}, {&output, 1}, base + 2048 + workspace);
    stream->record().wait();
  };
  run(0, 64, 128);
  const std::string rest = " of program 'shifted' lies at no multiple of 64 bytes";
  CHECK_THROWS_WITH(run(16, 0, 0), "input 0" + rest);
  CHECK_THROWS_WITH(run(0, 32, 0), "output 0" + rest);
  CHECK_THROWS_WITH(run(0, 0, 4), "the workspace" + rest);
}
