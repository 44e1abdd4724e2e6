// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "ir/builder.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/cpu_executable.hpp"
#include "runtime/device/cpu/strip.hpp"

using namespace rhino;

namespace {

/// Where memory that nobody may touch was touched first, page by page: it is let go then.
class FirstTouches {
 public:
  FirstTouches() {
    num_touches = 0;
    struct sigaction action {};
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGSEGV, &action, &before_);
  }
  ~FirstTouches() { ::sigaction(SIGSEGV, &before_, nullptr); }
  FirstTouches(const FirstTouches&) = delete;
  FirstTouches& operator=(const FirstTouches&) = delete;

  /// Those between two addresses, in order.
  static std::vector<const std::byte*> within(const std::byte* begin, const std::byte* end) {
    std::vector<const std::byte*> found;
    for (int i = 0; i < num_touches; ++i) {
      if (touches[at(i)] >= begin && touches[at(i)] < end) found.push_back(touches[at(i)]);
    }
    return found;
  }

 private:
  static constexpr int kMost = 16;

  static void note(int, siginfo_t* info, void*) {
    auto* address = static_cast<std::byte*>(info->si_addr);
    if (num_touches == kMost) ::_exit(1);
    touches[at(num_touches)] = address;
    num_touches = num_touches + 1;
    const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    std::byte* page = address - reinterpret_cast<std::uintptr_t>(address) % size;
    if (::mprotect(page, size, PROT_READ | PROT_WRITE) != 0) ::_exit(1);
  }

  static inline std::array<std::byte*, kMost> touches;
  static inline std::atomic<int> num_touches = 0;
  struct sigaction before_ {};
};

/// Two pages, of which the second one begins so far behind the data.
class Straddling {
 public:
  Straddling(std::int64_t num_bytes, std::int64_t before) : num_bytes_(num_bytes) {
    void* pages =
        ::mmap(nullptr, 2 * at(page_), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    pages_ = static_cast<std::byte*>(pages);
    data_ = pages_ + page_ - before;
    std::vector<float> ones(at(num_bytes) / sizeof(float), 1);
    std::memcpy(data_, ones.data(), at(num_bytes));
  }
  ~Straddling() { ::munmap(pages_, 2 * at(page_)); }
  Straddling(const Straddling&) = delete;
  Straddling& operator=(const Straddling&) = delete;

  void forbid() const { REQUIRE(::mprotect(pages_, 2 * at(page_), PROT_NONE) == 0); }
  std::byte* data() const { return data_; }
  const std::byte* border() const { return pages_ + page_; }
  const std::byte* end() const { return data_ + num_bytes_; }

 private:
  std::int64_t page_ = ::sysconf(_SC_PAGESIZE), num_bytes_;
  std::byte *pages_ = nullptr, *data_ = nullptr;
};

}  // namespace

// What goes backwards within each strip while strips go on forwards is a stream that goes down, to
// prefetchers, by turns: loops that stream from memory took up to three times as long.
TEST_CASE("a strip asks for what it reads from the first to the last") {
  constexpr std::int64_t kVectors = 8;
  const std::int64_t elements = runtime::strip_elements(), num_bytes = 4 * elements;
  const Shape shape{DType::f32, {elements}};
  for (const OpKind kind : {OpKind::add, OpKind::subtract, OpKind::multiply, OpKind::divide}) {
    for (const bool is_reversed : {false, true}) {
      ir::Builder b("strip");
      const ValueId x = b.input(InputKind::batch, shape, {}, "x"),
                    z = b.input(InputKind::batch, shape, {}, "z"), made = b.unary(OpKind::sqrt, x);
      b.output(
          b.unary(OpKind::negate, is_reversed ? b.binary(kind, z, made) : b.binary(kind, made, z)),
          OutputKind::value);
      const Program program = std::move(b).finish();
      runtime::CpuExecutable executable(program, 1);
      std::vector<float> result(at(elements));
      for (std::int64_t vector = 1; vector < kVectors; ++vector) {
        CAPTURE(kind, is_reversed, vector);
        const Straddling from(num_bytes, vector * num_bytes / kVectors),
            other(num_bytes, vector * num_bytes / kVectors);
        const std::vector<const void*> inputs{from.data(), other.data()};
        const std::vector<void*> outputs{result.data()};
        std::vector<std::byte> workspace(at(executable.workspace_bytes()));
        {
          const FirstTouches noting;
          from.forbid();
          other.forbid();
          executable.run(inputs, outputs, workspace.data());
        }
        for (const Straddling* memory : {&from, &other}) {
          CHECK(FirstTouches::within(memory->data(), memory->end()) ==
                std::vector<const std::byte*>{memory->data(), memory->border()});
        }
      }
      CHECK(std::ranges::count(result, -(kind == OpKind::subtract ? 0.0F
                                         : kind == OpKind::add    ? 2.0F
                                                                  : 1.0F)) == elements);
    }
  }
}
