// SPDX-License-Identifier: Apache-2.0
//
// Two ranks on one host: all-reduce of f32 and a transfer, beside the time of the memory traffic
// that they cannot do without.
//
// An all-reduce of S bytes between two ranks: each reduces one half and takes the other half of the
// result from its peer. Bounds do just that, on mapped memory, both ranks at the same time, with a
// barrier between the halves and no messages:
//   copy bound    memory of a peer is not read in place: copy S/2 of its operand, add S/2, copy S/2
//                 of its result
//   fused bound   it is: add S/2 with the peer's operand read in place, copy S/2 of its result
// in pieces of the size that does best. The bound of a transfer is one copy of S bytes.
//
// Bounds and transport are timed in turns of many repetitions, each with its own data in cache; a
// time is that of the slower rank. The best of all repetitions are compared: other load on the
// machine only ever adds. The median of the transport stands beside it.
#include <fmt/core.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "communication_case.hpp"
#include "runtime/transport/reduce.hpp"

using namespace rhino;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMaxBytes = 64 << 20;
constexpr std::int64_t kSkew =
    4096 + 1088;  // buffers that begin alike in their pages get in each other's way
constexpr int kRounds = 8;
constexpr int kRepetitions = 40;  // per round

struct Shared {
  std::atomic<int> arrived[2];
  double seconds[2];
  std::byte* exposed[2];  // by rank, mapped by both: operand, then result
};

template <typename T>
T* map_shared(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  return static_cast<T*>(memory);
}

std::byte* allocate(std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
  madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 1, bytes);
  return memory;
}

struct Times {
  std::vector<double> seconds;
  template <typename Measure>
  void add(int repetitions, const Measure& measure) {
    for (int i = 0; i < repetitions; ++i) seconds.push_back(measure());
  }
  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

class Measurement {
 public:
  Measurement(RankContext& context, Shared& shared) : context_(context), shared_(shared) {
    in_ = context.shared->data();
    out_ = in_ + kMaxBytes + kSkew;
    std::memset(in_, 1, 2 * kMaxBytes + kSkew);
    staging_ = allocate(kMaxBytes);
    std::memset(shared.exposed[context.rank], 1, 2 * kMaxBytes + kSkew);
  }
  ~Measurement() { std::free(staging_); }

  void all_reduce(std::int32_t communication, std::int64_t bytes, int repetitions) {
    Times bound, fused, measured;
    for (int round = 0; round < kRounds; ++round) {
      for (std::int64_t piece : {bytes / 2, std::int64_t{512} << 10, std::int64_t{128} << 10}) {
        if (piece > bytes / 2) continue;
        bound.add(repetitions,
                  [&] { return timed([&] { reduce_and_take(bytes / 2, piece, false); }); });
        fused.add(repetitions,
                  [&] { return timed([&] { reduce_and_take(bytes / 2, piece, true); }); });
      }
      measured.add(repetitions, [&] { return timed([&] { run(communication, in_, out_); }); });
    }
    print("all_reduce", bytes, bound, measured);
    if (context_.rank == 0) {
      fmt::print("   fused {:8.1f} us: {:3.0f} %\n", fused.best() * 1e6,
                 100 * fused.best() / measured.best());
    }
  }

  void transfer(std::int32_t communication, std::int64_t bytes, int repetitions) {
    Times bound, measured;
    const bool source = context_.rank == 0;
    for (int round = 0; round < kRounds; ++round) {
      bound.add(repetitions, [&] {
        return timed([&] {
          if (!source) std::memcpy(out_, in_of(peer()), static_cast<std::size_t>(bytes));
        });
      });
      measured.add(repetitions, [&] {
        return timed([&] { run(communication, source ? in_ : nullptr, source ? nullptr : out_); });
      });
    }
    print("transfer", bytes, bound, measured);
    if (context_.rank == 0) fmt::print("\n");
  }

 private:
  int own() const { return context_.rank; }
  int peer() const { return 1 - context_.rank; }
  std::byte* in_of(int rank) const { return shared_.exposed[rank]; }
  std::byte* out_of(int rank) const { return shared_.exposed[rank] + kMaxBytes + kSkew; }

  // Reduces the own half of the result, takes the other half from the peer.
  void reduce_and_take(std::int64_t half, std::int64_t piece, bool in_place) {
    const std::int64_t mine = own() * half, others = peer() * half;
    for (std::int64_t at = 0; at < half; at += piece) {
      const std::int64_t size = std::min(piece, half - at);
      const std::byte* operand = in_of(peer()) + mine + at;
      if (!in_place) {
        std::memcpy(staging_, operand, static_cast<std::size_t>(size));
        operand = staging_;
      }
      add_(out_of(own()) + mine + at, in_of(own()) + mine + at, operand, size / 4);
      meet();
      std::memcpy(out_of(own()) + others + at, out_of(peer()) + others + at,
                  static_cast<std::size_t>(size));
    }
  }

  // For two ranks, the bus bandwidth of an all-reduce is S / t as well.
  void print(const char* what, std::int64_t bytes, const Times& bound,
             const Times& measured) const {
    if (context_.rank != 0) return;
    fmt::print(
        "{:<10} {:>9} B {:9.1f} us {:6.2f} GB/s (median {:9.1f} us)   copy bound {:8.1f} us: "
        "{:3.0f} %",
        what, bytes, measured.best() * 1e6, static_cast<double>(bytes) / measured.best() / 1e9,
        measured.median() * 1e6, bound.best() * 1e6, 100 * bound.best() / measured.best());
  }

  void run(std::int32_t communication, const void* in, void* out) {
    binding_.communication = communication;
    binding_.inputs = {in};
    binding_.outputs = {out};
    context_.transport->wait(context_.transport->start(binding_));
  }

  void meet() {
    shared_.arrived[context_.rank] = ++round_;
    for (int spins = 0; shared_.arrived[1 - context_.rank] < round_; ++spins) {
      if (spins > 10000) sched_yield();
    }
  }

  // Seconds of the slower rank.
  template <typename Body>
  double timed(const Body& body) {
    meet();
    const auto start = Clock::now();
    body();
    shared_.seconds[context_.rank] = std::chrono::duration<double>(Clock::now() - start).count();
    meet();
    const double seconds = std::max(shared_.seconds[0], shared_.seconds[1]);
    meet();
    return seconds;
  }

  RankContext& context_;
  Shared& shared_;
  runtime::ReduceFunction add_ = runtime::reduce_function(Reduction::sum, DType::f32);
  runtime::CommunicationBinding binding_;
  std::byte *in_, *out_, *staging_;
  int round_ = 0;
};

CommunicationCase transfer_case(std::int64_t bytes) {
  const Shape shape{DType::f32, {bytes / 4}};
  const Box box{{0}, {bytes / 4}};
  constexpr DeviceId kFirst = RankContext::kFirstDevice;
  CommunicationCase test;
  test.communication.parts = {shape};
  test.communication.name = "transfer";
  test.communication.steps = {{0, kFirst, kFirst + 1, box, box, box, false, {}}};
  test.inputs = {{shape}, {std::nullopt}};
  test.outputs = {{std::nullopt}, {shape}};
  return test;
}

void measure(RankContext& context, Shared& shared, const std::vector<std::int64_t>& sizes) {
  if (context.rank == 0) fmt::print("{}\n", context.transport->description());
  Measurement measurement(context, shared);
  std::int32_t communication = 0;
  const auto repetitions = [](std::int64_t bytes) { return bytes > 4 << 20 ? 5 : kRepetitions; };
  for (std::int64_t bytes : sizes) {
    measurement.all_reduce(communication++, bytes, repetitions(bytes));
  }
  for (std::int64_t bytes : sizes) measurement.transfer(communication++, bytes, repetitions(bytes));
}

}  // namespace

int main() {
  const std::vector<std::int64_t> sizes{8,       4 << 10,  64 << 10, 1 << 20,
                                        4 << 20, 16 << 20, kMaxBytes};
  std::vector<CommunicationCase> cases;
  for (std::int64_t bytes : sizes) {
    cases.push_back(collective_case(plan::CommunicationKind::all_reduce, Reduction::sum,
                                    {{DType::f32, {bytes / 4}}}, {{0, 1}}, 2));
  }
  for (std::int64_t bytes : sizes) cases.push_back(transfer_case(bytes));
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);

  auto* shared = map_shared<Shared>(sizeof(Shared));
  for (std::byte*& memory : shared->exposed) {
    memory = map_shared<std::byte>(2 * kMaxBytes + kSkew);
    madvise(memory, 2 * kMaxBytes + kSkew, MADV_HUGEPAGE);
  }
  RankGroupOptions options;
  options.oversubscribed = false;
  options.deadline_s = 120;
  options.shared_bytes = 2 * kMaxBytes + kSkew;
  const std::string failed = failures(run_ranks(options, [&](RankContext& context) {
    context.transport->prepare(plan);
    measure(context, *shared, sizes);
  }));
  fmt::print("{}", failed);
  return failed.empty() ? 0 : 1;
}
