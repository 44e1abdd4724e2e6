// SPDX-License-Identifier: Apache-2.0
// Kernels of several programs, threads and processes, compiled side by side.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include "codec/text_file.hpp"
#include "cuda_programs.hpp"
#include "ir/builder.hpp"
#include "runtime/cuda/code_cache.hpp"
#include "runtime/cuda/cuda_executable.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/side_by_side.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

/// A folder of this test's own, empty and gone again with it.
struct Folder {
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() /
             ("rhino_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

/// A softmax, and a tensor times `factor`: one kernel each.
Program softmax_program(double factor) {
  ir::Builder b("softmax");
  const Shape shape{DType::f32, {24, 40}};
  const ValueId x = b.input(InputKind::batch, shape, range_of(DType::f32), "x");
  const ValueId top = b.reduce(x, {1}, Reduction::max);
  const ValueId e = b.unary(OpKind::exponential, b.sub(x, b.broadcast_in_dim(top, {24, 40}, {0})));
  const ValueId sum = b.reduce(e, {1}, Reduction::sum);
  b.output(b.div(e, b.broadcast_in_dim(sum, {24, 40}, {0})), OutputKind::value);
  const ValueId y = b.input(InputKind::batch, shape, range_of(DType::f32), "y");
  b.output(b.mul(b.reshape(y, {40, 24}), b.fill({DType::f32, {40, 24}}, factor)),
           OutputKind::value);
  return std::move(b).finish();
}

void append(const std::filesystem::path& file, const std::string& line) {
  const int log = ::open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
  if (::write(log, line.data(), line.size()) < 0) std::abort();
  ::close(log);
}

}  // namespace

TEST_CASE("of codes that are made side by side the first that fails is told") {
  constexpr std::size_t kCount = 40;
  for (const int num_threads : {1, 2, 7}) {
    for (const std::size_t first : {std::size_t{3}, std::size_t{17}, kCount}) {
      std::atomic<std::size_t> made = 0;
      std::size_t moved = 0;
      const auto code = [&](std::size_t i, bool) -> std::optional<std::string> {
        // The first one that fails is the last one to say so.
        if (i == first) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (i == first || (i > first && i % 2 == 0)) throw Error("code " + std::to_string(i));
        ++made;
        return std::to_string(i);
      };
      const cuda::CodeMaker maker{code, [](std::size_t i) { return i * 7 % 5; }, [&] { ++moved; }};
      INFO(num_threads << " threads, " << first << " fails");
      if (first < kCount) {
        CHECK_THROWS_WITH(cuda::side_by_side(kCount, num_threads, maker),
                          "code " + std::to_string(first));
      } else {
        const std::vector<std::string> codes = cuda::side_by_side(kCount, num_threads, maker);
        for (std::size_t i = 0; i < kCount; ++i) CHECK(codes.at(i) == std::to_string(i));
      }
      CHECK(made >= first);
      CHECK(moved == made);
    }
  }
  CHECK(cuda::side_by_side(0, 3, {}).empty());
}

TEST_CASE("processes that want the same codes make each of them once") {
  constexpr int kProcesses = 4;
  constexpr std::size_t kCodes = 30;
  const Folder folder("shared");
  const std::filesystem::path log = folder.path / "log", kept = folder.path / "kept";
  std::vector<pid_t> processes;
  for (int process = 0; process < kProcesses; ++process) {
    processes.push_back(::fork());
    if (processes.back() != 0) continue;
    const cuda::CodeCache cache(kept);
    const auto code = [&](std::size_t i, bool waits) {
      return cache.code("key " + std::to_string(i), waits, [&] {
        append(log, std::to_string(i) + "\n");
        std::this_thread::sleep_for(std::chrono::milliseconds(4));
        return "code " + std::to_string(i);
      });
    };
    bool right = true;
    const std::vector<std::string> codes = cuda::side_by_side(
        kCodes, 1 + process % 2, {code, [](std::size_t) { return std::size_t{1}; }, [] {}});
    for (std::size_t i = 0; i < kCodes; ++i) right &= codes[i] == "code " + std::to_string(i);
    ::_exit(right ? 0 : 1);
  }
  for (const pid_t process : processes) {
    int status = -1;
    ::waitpid(process, &status, 0);
    CHECK(status == 0);
  }
  const std::string made = codec::read_file(log);
  CHECK(std::ranges::count(made, '\n') == kCodes);
  // Nothing but the codes is left.
  CHECK(std::distance(std::filesystem::directory_iterator(kept), {}) == kCodes);
}

TEST_CASE("a code whose maker was killed, or makes nothing, is made by another") {
  const Folder folder("killed");
  const cuda::CodeCache cache(folder.path / "kept");
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t other = ::fork();
  if (other == 0) {
    cache.code("key", true, [&]() -> std::string {
      if (::write(ready[1], "x", 1) == 1) ::pause();
      return {};
    });
    ::_exit(1);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  const auto make = [] { return std::string("made here"); };
  CHECK(cache.code("key", true, make) == std::nullopt);
  CHECK(cache.code("another key", true, make) == "made here");
  SECTION("it is killed") {
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
    CHECK(cache.code("key", true, make) == "made here");
  }
  SECTION("nobody waits for it any more") {
    CHECK(cache.code("key", false, make) == "made here");
    CHECK(cache.code("key", true, [] { return std::string(); }) == "made here");
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
  }
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("kernels that several programs have are compiled once, and are right") {
  const Folder folder("kernels");
  const std::unique_ptr<Device> device = cuda::make_cuda_device({});
  const cuda::Driver& driver = dynamic_cast<cuda::CudaDeviceBase&>(*device).driver();
  const cuda::Compiler compiler(driver, folder.path);
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.path), {});
  };
  std::size_t num_moves = 0;
  std::ptrdiff_t num_kernels = 0;
  for (const double factor : {2.0, 3.0}) {
    const Program program = softmax_program(factor);
    cuda::CudaExecutable executable({.driver = driver, .compiler = compiler}, program);
    const std::size_t num_sources = executable.sources().size();
    std::vector<cuda::UnitSource> twice = executable.sources();
    twice.insert(twice.end(), executable.sources().begin(), executable.sources().end());
    num_moves = 0;
    const auto libraries = compiler.compile(twice, 3, [&] { ++num_moves; });
    CHECK(num_sources == 2);
    CHECK(num_moves == num_sources);
    CHECK(libraries.front() == libraries[num_sources]);
    CHECK(files() == num_kernels + (factor == 2 ? 2 : 1));  // the softmax is there already
    num_kernels = files();
    executable.link({libraries.begin(), libraries.begin() + std::ssize(executable.sources())});
    const std::vector<ir::Tensor> inputs = random_inputs(program);
    const std::vector<ir::Tensor> expected = ir::evaluate(program, inputs),
                                  actual =
                                      run_on_device(*device, executable, program, inputs, false);
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(relative_error(actual[i], expected[i]) < 1e-5);
  }
}

TEST_CASE("a device that compiles several programs moves on behind each unit of each") {
  const Program programs[] = {softmax_program(2), softmax_program(3), softmax_program(2)};
  const std::unique_ptr<Device> device = cuda::make_cuda_device({.num_threads = 2});
  std::size_t num_moves = 0;
  const auto executables =
      device->compile_all({&programs[0], &programs[1], &programs[2]}, [&] { ++num_moves; });
  REQUIRE(executables.size() == 3);
  CHECK(num_moves == 3 + 3);  // each program, then the softmax of all and two products
  for (std::size_t p = 0; p < 3; ++p) {
    const std::vector<ir::Tensor> inputs = random_inputs(programs[p]);
    const std::vector<ir::Tensor> expected = ir::evaluate(programs[p], inputs),
                                  actual = run_on_device(*device, *executables[p], programs[p],
                                                         inputs, false);
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(relative_error(actual[i], expected[i]) < 1e-5);
  }
}

TEST_CASE("of units that NVRTC refuses the first one is told, however many threads compile") {
  const cuda::Driver driver(0);
  const auto unit = [](const std::string& body) {
    return cuda::UnitSource{"extern \"C\" __global__ void k(int* p) { *p = " + body + "; }"};
  };
  for (const int num_threads : {1, 3}) {
    CHECK_THROWS_WITH(cuda::Compiler(driver).compile({unit("1"), unit("first_unknown"), unit("2"),
                                                      unit("second_unknown_and_longer")},
                                                     num_threads, [] {}),
                      Catch::Contains("first_unknown") && !Catch::Contains("second_unknown"));
  }
}
