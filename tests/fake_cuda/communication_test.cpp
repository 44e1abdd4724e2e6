// SPDX-License-Identifier: Apache-2.0
// The fake NCCL between processes: what its operations compute, and what it does with mistakes.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>

#include "child.hpp"
#include "common/numbers.hpp"
#include "library.hpp"

using fake::DevicePtr;
using fake::NcclReduction;
using fake::NcclType;
using fake_test::check;
using fake_test::in_children;
using fake_test::Outcome;
using fake_test::Settings;

namespace {

constexpr int kRanks = 3, kNumIds = 2;
constexpr int kCount = 50000;  // more than a channel holds

/// How rank 0's ids come to the others.
struct Board {
  std::atomic<int> written;
  fake::NcclId ids[kNumIds];
};

Board* new_board() {
  void* at =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return new (at) Board{};
}

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A rank with two communicators of all ranks.
struct Rank : fake_test::Machine, fake_test::Nccl {
  Rank(Board& board, int own, int count, int device) : Machine(device), rank(own), size(count) {
    for (int i = 0; rank == 0 && i < kNumIds; ++i) check(ncclGetUniqueId(&board.ids[i]));
    if (rank == 0) board.written = 1;
    while (!board.written) usleep(100);
    for (int i = 0; i < kNumIds; ++i) join(board.ids[i], comms[i]);
    x = allocate(kCount * 4);
    y = allocate(kCount * 4);
    z = allocate(kCount * 4 * static_cast<std::size_t>(size));
    put(x, kCount, [&](int j) { return value(rank, j); });
    put(z, kCount * size, [&](int j) { return value(rank, j); });
  }
  static float value(int rank, int j) { return static_cast<float>(rank + j % 7); }

  void join(const fake::NcclId& id, fake::Communicator*& comm) {
    fake::NcclConfig config{sizeof config, 0xcafebeef, 21403, 0};
    const int code = ncclCommInitRankConfig(&comm, size, id, rank, &config);
    if (code != fake::kNcclInProgress) check(code, "ncclCommInitRankConfig");
    check(settle(comm), "joining");
  }
  /// What the communicator says once it is no longer in progress.
  int settle(fake::Communicator* comm) {
    int code = fake::kNcclInProgress;
    for (const double begin = now_s(); code == fake::kNcclInProgress && now_s() < begin + 20;
         usleep(50)) {
      check(ncclCommGetAsyncError(comm, &code));
    }
    return code;
  }
  void did(int code, int comm = 0) {
    if (code != fake::kNcclInProgress) check(code, "a call of nccl");
    check(settle(comms[comm]), "a communicator");
  }
  /// Waits for what stands in a stream, as a program does that does not trust the others. False:
  /// given up.
  bool done(fake::Stream* stream, double limit_s = 20) {
    fake::Event* event = nullptr;
    check(cuEventCreate(&event, 0));
    check(cuEventRecord(event, stream));
    for (const double begin = now_s(); now_s() < begin + limit_s; usleep(50)) {
      const int code = cuEventQuery(event);
      if (code == 0) return true;
      if (code != fake::kNotReady) check(code, "the device");
      for (fake::Communicator* comm : comms) {
        int async = 0;
        check(ncclCommGetAsyncError(comm, &async));
        if (async && async != fake::kNcclInProgress) return give_up();
      }
    }
    return give_up();
  }
  bool give_up() {
    for (fake::Communicator* comm : comms) check(ncclCommAbort(comm));
    return false;
  }
  template <class F>
  void put(DevicePtr to, int n, F f) {
    std::vector<float> values(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) values[j] = f(j);
    check(cuMemcpyHtoD_v2(to, values.data(), values.size() * 4));
  }
  template <class F>
  bool holds(DevicePtr from, int n, F f) {
    std::vector<float> values(static_cast<std::size_t>(n));
    check(cuMemcpyDtoH_v2(values.data(), from, values.size() * 4));
    for (int j = 0; j < n; ++j) {
      if (values[j] != f(j)) return false;
    }
    return true;
  }

  int rank, size;
  fake::Communicator* comms[kNumIds] = {};
  DevicePtr x = 0, y = 0, z = 0;
};

void* at(DevicePtr p) { return reinterpret_cast<void*>(p); }

enum class Devices { kOneEach, kShared, kSharedWithHostIds };

std::vector<Outcome> ranks(const Settings& settings, const std::function<std::string(Rank&)>& body,
                           Devices devices = Devices::kOneEach) {
  Board* board = new_board();
  auto outcomes = in_children(kRanks, settings, [&](int rank) {
    if (devices == Devices::kSharedWithHostIds)
      setenv("NCCL_HOSTID", std::to_string(rank).c_str(), 1);
    Rank r(*board, rank, kRanks, devices == Devices::kOneEach ? rank : 0);
    return body(r);
  });
  munmap(board, sizeof *board);
  return outcomes;
}

std::string all_collectives(Rank& r) {
  const auto f32 = NcclType::kF32;
  const auto sum = [&](int j) { return 3.0f + 3 * static_cast<float>(j % 7); };
  r.did(r.ncclAllReduce(at(r.x), at(r.y), kCount, f32, NcclReduction::kSum, r.comms[0], r.a));
  if (!r.done(r.a) || !r.holds(r.y, kCount, sum)) return "all-reduce";
  r.did(r.ncclAllReduce(at(r.y), at(r.y), kCount, f32, NcclReduction::kMax, r.comms[1], r.a), 1);
  if (!r.done(r.a) || !r.holds(r.y, kCount, sum)) return "all-reduce in place";
  const int next = (r.rank + 1) % r.size, before = (r.rank + r.size - 1) % r.size;
  check(r.ncclGroupStart());
  check(r.ncclSend(at(r.x), kCount, f32, next, r.comms[0], r.a));
  check(r.ncclRecv(at(r.y), kCount, f32, before, r.comms[0], r.a));
  r.did(r.ncclGroupEnd());
  if (!r.done(r.a) || !r.holds(r.y, kCount, [&](int j) { return Rank::value(before, j); }))
    return "ring";
  r.did(r.ncclAllGather(at(r.x), at(r.z), kCount, f32, r.comms[0], r.a));
  if (!r.done(r.a) ||
      !r.holds(r.z, kCount * r.size, [&](int j) { return Rank::value(j / kCount, j % kCount); }))
    return "all-gather";
  r.did(
      r.ncclReduceScatter(at(r.z), at(r.y), kCount, f32, NcclReduction::kAverage, r.comms[0], r.a));
  if (!r.done(r.a) || !r.holds(r.y, kCount, [&](int j) { return Rank::value(r.rank, j); }))
    return "reduce-scatter";
  r.did(r.ncclBroadcast(at(r.x), at(r.y), kCount, f32, 1, r.comms[0], r.a));
  if (!r.done(r.a) || !r.holds(r.y, kCount, [&](int j) { return Rank::value(1, j); }))
    return "broadcast";
  r.did(r.ncclReduce(at(r.x), at(r.y), kCount, f32, NcclReduction::kProduct, 2, r.comms[0], r.a));
  const auto product = [&](int j) {
    return r.rank == 2 ? Rank::value(0, j) * Rank::value(1, j) * Rank::value(2, j)
                       : Rank::value(1, j);
  };
  return r.done(r.a) && r.holds(r.y, kCount, product) ? "right" : "reduce";
}

bool said(const std::vector<Outcome>& outcomes, const std::string& sentence) {
  for (const Outcome& o : outcomes) {
    if (o.said.find(sentence) != std::string::npos) return true;
  }
  return false;
}

const Settings kSoon{{"FAKE_NCCL_STUCK_MS", "200"}};

}  // namespace

TEST_CASE("collectives, sends and receives give every rank what they should, in every order") {
  for (const char* order : {"early", "late", "random"}) {
    for (const Outcome& o :
         ranks({{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", "1"}}, all_collectives)) {
      INFO(order << " " << o.said);
      CHECK(o.result == "right");
    }
  }
}

TEST_CASE("each type is reduced in its own arithmetic") {
  const auto outcomes = ranks({}, [](Rank& r) {
    const std::vector<std::int32_t> i32{r.rank - 1, 1 << r.rank};
    check(r.cuMemcpyHtoD_v2(r.x, i32.data(), 8));
    r.did(r.ncclAllReduce(at(r.x), at(r.y), 2, NcclType::kInt32, NcclReduction::kSum, r.comms[0],
                          r.a));
    check(r.cuStreamSynchronize(r.a));
    std::vector<std::int32_t> got(2);
    check(r.cuMemcpyDtoH_v2(got.data(), r.y, 8));
    if (got != std::vector<std::int32_t>{0, 7}) return std::string("int32");
    const std::uint16_t bf16 = fake::to_bf16(r.rank == 0 ? 256.0f : 1.0f);  // 257 has no bfloat16
    check(r.cuMemcpyHtoD_v2(r.x, &bf16, 2));
    r.did(r.ncclAllReduce(at(r.x), at(r.y), 1, NcclType::kBf16, NcclReduction::kSum, r.comms[0],
                          r.a));
    check(r.cuStreamSynchronize(r.a));
    std::uint16_t sum = 0;
    check(r.cuMemcpyDtoH_v2(&sum, r.y, 2));
    return std::string(fake::from_bf16(sum) == 256 ? "right" : "bf16");
  });
  for (const Outcome& o : outcomes) CHECK(o.result == "right");
}

TEST_CASE("communication goes on while the host is elsewhere") {
  const auto outcomes = ranks({{"FAKE_CUDA_ORDER", "late"}}, [](Rank& r) {
    r.did(r.ncclAllReduce(at(r.x), at(r.y), kCount, NcclType::kF32, NcclReduction::kSum, r.comms[0],
                          r.a));
    if (r.rank == 1) sleep(2);  // no call of the API
    return std::string(r.done(r.a, 1) ? "right" : "waited");
  });
  for (const Outcome& o : outcomes) {
    INFO(o.said);
    CHECK(o.result == "right");
  }
}

TEST_CASE("a call while an earlier one is in progress is refused") {
  const auto outcomes = ranks({{"FAKE_CUDA_ORDER", "late"}}, [](Rank& r) {
    const auto reduce = [&] {
      return r.ncclAllReduce(at(r.x), at(r.y), 4, NcclType::kF32, NcclReduction::kSum, r.comms[0],
                             r.a);
    };
    std::string codes = std::to_string(reduce()) + " ";
    codes += std::to_string(reduce());
    r.did(0);
    check(r.cuStreamSynchronize(r.a));
    return codes;
  });
  for (const Outcome& o : outcomes) CHECK(o.result == "7 5");
}

TEST_CASE("a ring of sends without a group is stuck, and said") {
  const auto outcomes = ranks(kSoon, [](Rank& r) {
    r.did(r.ncclSend(at(r.x), kCount, NcclType::kF32, (r.rank + 1) % r.size, r.comms[0], r.a));
    r.did(r.ncclRecv(at(r.y), kCount, NcclType::kF32, (r.rank + r.size - 1) % r.size, r.comms[0],
                     r.a));
    return std::string(r.done(r.a, 0.6) ? "done" : "given up");
  });
  for (const Outcome& o : outcomes) CHECK(o.result == "given up");
  CHECK(said(outcomes, "stuck: rank 0"));
  CHECK(said(outcomes, "is in nccl send"));
}

TEST_CASE("another order of collectives on one rank breaks the communicator with a sentence") {
  const auto outcomes = ranks(kSoon, [](Rank& r) {
    const auto reduce = [&] {
      r.did(r.ncclAllReduce(at(r.x), at(r.y), kCount, NcclType::kF32, NcclReduction::kSum,
                            r.comms[0], r.a));
    };
    const auto gather = [&] {
      r.did(r.ncclAllGather(at(r.x), at(r.z), kCount, NcclType::kF32, r.comms[0], r.a));
    };
    r.rank == 1 ? gather() : reduce();
    r.rank == 1 ? reduce() : gather();
    return std::string(r.done(r.a, 1) ? "done" : "given up");
  });
  for (const Outcome& o : outcomes) CHECK(o.result != "done");
  CHECK(said(outcomes, "takes part in all-gather number 0"));
}

TEST_CASE("opposite orders on two communicators are stuck, and the sentence names both") {
  const auto outcomes = ranks(kSoon, [](Rank& r) {
    for (int i = 0; i < kNumIds; ++i) {
      const int k = (i + r.rank) % kNumIds;
      r.did(r.ncclAllReduce(at(r.x), at(k ? r.y : r.z), kCount, NcclType::kF32, NcclReduction::kSum,
                            r.comms[k], k ? r.b : r.a),
            k);
    }
    return std::string(r.done(r.a, 0.6) && r.done(r.b, 0.6) ? "done" : "given up");
  });
  for (const Outcome& o : outcomes) CHECK(o.result == "given up");
  CHECK(said(outcomes, "which is in nccl all-reduce on"));
}

TEST_CASE("a dead rank is waited for until the others give up, or is noticed") {
  for (const bool noticed : {false, true}) {
    Settings settings = kSoon;
    if (noticed) settings["FAKE_NCCL_NOTICES_DEATH"] = "1";
    const auto outcomes = ranks(settings, [](Rank& r) {
      if (r.rank == 2) _exit(0);
      usleep(100000);
      const int code = r.ncclAllReduce(at(r.x), at(r.y), kCount, NcclType::kF32,
                                       NcclReduction::kSum, r.comms[0], r.a);
      if (code != fake::kNcclInProgress) check(code);
      return std::string(r.settle(r.comms[0]) || !r.done(r.a, 0.6) ? "given up" : "done");
    });
    CHECK(outcomes[0].result == "given up");
    CHECK(outcomes[1].result == "given up");
    if (!noticed) CHECK(said(outcomes, "waits for rank 2, which is dead"));
  }
}

TEST_CASE("a collective that nothing orders after the write of its input is said in checked mode") {
  const auto outcomes = ranks({{"FAKE_CUDA_CHECKED", "1"}}, [](Rank& r) {
    check(r.cuMemsetD32Async(r.x, 0, kCount, r.b));
    const int code = r.ncclAllReduce(at(r.x), at(r.y), kCount, NcclType::kF32, NcclReduction::kSum,
                                     r.comms[0], r.a);
    if (code != fake::kNcclInProgress) check(code);
    check(r.settle(r.comms[0]));
    check(r.cuCtxSynchronize());
    return std::string("done");
  });
  for (const Outcome& o : outcomes) CHECK(o.result.find("returned 999") != std::string::npos);
}

TEST_CASE("two ranks on one device are refused, unless their host ids differ") {
  const auto body = [](Rank&) { return std::string("joined"); };
  const auto outcomes = ranks({}, body, Devices::kShared);
  for (const Outcome& o : outcomes) CHECK(o.result == "joining returned 5");
  CHECK(said(outcomes, "Duplicate GPU detected"));
  for (const Outcome& o : ranks({}, body, Devices::kSharedWithHostIds)) CHECK(o.result == "joined");
}
