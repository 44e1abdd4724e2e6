// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

#include "communication_case.hpp"

using namespace rhino;

namespace {

std::atomic<bool> counting{false};
std::atomic<std::int64_t> num_allocations{0};

const std::uint64_t kSeed = std::getenv("RHINO_TEST_SEED")
                                ? std::strtoull(std::getenv("RHINO_TEST_SEED"), nullptr, 10)
                                : 20221117;

// Starts all uses in an order of this rank's own, but for collectives, which all start in that of
// `shared`, waits in another, and checks every element.
void run_cases(RankContext& context, const std::vector<CommunicationCase>& cases,
               std::int32_t num_instances, std::mt19937_64& random, std::mt19937_64& shared,
               int max_delay_us) {
  struct Use {
    std::size_t communication;
    std::uint64_t turn;
    CaseBuffers buffers;
    runtime::Event event;
  };
  BufferPool pool(context.shared.get());
  std::vector<Use> uses;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const bool can_be_in_place = cases[c].communication.kind == plan::CommunicationKind::all_reduce;
    for (std::int32_t i = 0; i < num_instances; ++i) {
      const bool in_place = can_be_in_place && (random() & 1);
      uses.push_back({c, shared(), CaseBuffers(cases[c], context.rank, i, pool, in_place)});
      uses.back().buffers.fill();
    }
  }
  const auto pause = [&] {
    if (max_delay_us > 0 && random() % 4 == 0)
      usleep(static_cast<useconds_t>(random() % static_cast<std::uint64_t>(max_delay_us)));
  };
  std::shuffle(uses.begin(), uses.end(), random);
  std::vector<std::size_t> collectives;
  for (std::size_t u = 0; u < uses.size(); ++u) {
    const plan::Communication& communication = cases[uses[u].communication].communication;
    if (communication.kind != plan::CommunicationKind::transfer) collectives.push_back(u);
  }
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const auto next =
        std::min_element(collectives.begin() + static_cast<std::ptrdiff_t>(i), collectives.end(),
                         [&](std::size_t a, std::size_t b) { return uses[a].turn < uses[b].turn; });
    std::swap(uses[collectives[i]], uses[*next]);
  }
  for (Use& use : uses) {
    pause();
    use.event = context.transport->start(
        use.buffers.binding(static_cast<std::int32_t>(use.communication)), {});
  }
  std::shuffle(uses.begin(), uses.end(), random);
  for (Use& use : uses) {
    pause();
    use.event.wait();
    use.buffers.check();
  }
}

std::string run_all(const RankGroupOptions& options, const std::vector<CommunicationCase>& cases,
                    std::int32_t num_instances = 1, int num_rounds = 1, int max_delay_us = 0) {
  const plan::ExecutionPlan plan = plan_of(cases, options.num_ranks, num_instances);
  return failures(run_ranks(options, [&](RankContext& context) {
    context.transport->prepare(plan);
    std::mt19937_64 random(kSeed + static_cast<std::uint64_t>(context.rank)), shared(kSeed);
    for (int round = 0; round < num_rounds; ++round)
      run_cases(context, cases, num_instances, random, shared, max_delay_us);
  }));
}

std::vector<CaseBuffers> filled(const std::vector<CommunicationCase>& cases, std::int32_t rank,
                                BufferPool& pool) {
  std::vector<CaseBuffers> buffers;
  for (const CommunicationCase& test : cases) buffers.emplace_back(test, rank, 0, pool).fill();
  return buffers;
}

constexpr std::int64_t kShared = 256 << 20, kPrivate = 0;  // RankGroupOptions::shared_bytes

constexpr plan::CommunicationKind kCollectives[] = {
    plan::CommunicationKind::all_reduce, plan::CommunicationKind::all_gather,
    plan::CommunicationKind::reduce_scatter, plan::CommunicationKind::all_to_all,
    plan::CommunicationKind::halo_exchange};

// Sizes around every choice of algorithm: nothing, one element, odd, several small parts together,
// slices of a ring.
std::vector<CommunicationCase> collectives_of_all_sizes(std::int32_t num_ranks) {
  std::vector<CommunicationCase> cases;
  const std::vector<std::vector<std::int32_t>> all{ranks_upto(num_ranks)};
  for (plan::CommunicationKind kind : kCollectives) {
    for (std::int64_t size : {0, 1, 7, 1000, 20011, 70001, 300007}) {
      cases.push_back(
          collective_case(kind, Reduction::sum, {{DType::f32, {size}}}, all, num_ranks));
    }
    cases.push_back(collective_case(kind, Reduction::sum,
                                    {{DType::f32, {33}},
                                     {DType::s32, {5, 3}},
                                     {DType::f32, {}},
                                     {DType::f32, {90001}},
                                     {DType::f32, {0}},
                                     {DType::f64, {7001}},
                                     {DType::f32, {8000}},
                                     {DType::f32, {7999}},
                                     {DType::f32, {7998}}},
                                    all, num_ranks));
  }
  for (CommunicationCase& test : cases) test.seed = kSeed;
  return cases;
}

}  // namespace

// The address sanitizer brings its own. Not inlined: GCC takes free() for a delete of another kind.
#ifndef __SANITIZE_ADDRESS__
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (counting) ++num_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (counting) ++num_allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace {

/// Makes the inputs as late as it may.
struct LateInputs : runtime::EventSource {
  explicit LateInputs(CaseBuffers& filled) : buffers(filled) {}
  void wait(std::int64_t) override { buffers.fill(); }
  CaseBuffers& buffers;
};

}  // namespace

TEST_CASE("a communication begins when the event before it is over") {
  const std::vector<CommunicationCase> cases{
      collective_case(plan::CommunicationKind::all_reduce, Reduction::sum, {{DType::f32, {300007}}},
                      {ranks_upto(2)}, 2)};
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  for (const std::int64_t shared_bytes : {kShared, kPrivate}) {
    RankGroupOptions options{.num_ranks = 2};
    options.shared_bytes = shared_bytes;
    CHECK(failures(run_ranks(options, [&](RankContext& context) {
            context.transport->prepare(plan);
            BufferPool pool(context.shared.get());
            CaseBuffers buffers(cases[0], context.rank, 0, pool, false);
            LateInputs late(buffers);
            context.transport->start(buffers.binding(0), {&late, 0}).wait();
            buffers.check();
          })) == "");
  }
}

TEST_CASE("collectives of all sizes equal the closed formula") {
  const std::int32_t num_ranks = GENERATE(1, 2, 3, 4, 6, 8);
  CAPTURE(num_ranks, kSeed);
  RankGroupOptions options;
  options.num_ranks = num_ranks;
  options.shared_bytes = GENERATE(kShared, kPrivate);
  options.chunk_bytes = 64 << 10;
  CHECK(run_all(options, collectives_of_all_sizes(num_ranks)) == "");
}

TEST_CASE("reductions of every dtype equal the closed formula") {
  const std::int32_t num_ranks = GENERATE(2, 3, 8);
  CAPTURE(num_ranks, kSeed);
  std::vector<CommunicationCase> cases;
  for (plan::CommunicationKind kind :
       {plan::CommunicationKind::all_reduce, plan::CommunicationKind::reduce_scatter}) {
    for (Reduction reduction : {Reduction::sum, Reduction::product, Reduction::max, Reduction::min,
                                Reduction::logical_and, Reduction::logical_or}) {
      const bool logical =
          reduction == Reduction::logical_and || reduction == Reduction::logical_or;
      for (DType dtype : {DType::f64, DType::f32, DType::bf16, DType::f16, DType::s64, DType::s32,
                          DType::u32, DType::s8, DType::u8, DType::pred}) {
        if (logical && is_floating(dtype)) continue;
        cases.push_back(collective_case(kind, reduction, {{dtype, {3001}}}, {ranks_upto(num_ranks)},
                                        num_ranks));
      }
    }
  }
  RankGroupOptions options;
  options.num_ranks = num_ranks;
  options.shared_bytes = GENERATE(kShared, kPrivate);
  CHECK(run_all(options, cases) == "");
}

TEST_CASE("disjoint groups work at the same time, in the order that the group names") {
  RankGroupOptions options;
  options.num_ranks = 6;
  options.shared_bytes = GENERATE(kShared, kPrivate);
  std::vector<CommunicationCase> cases;
  for (plan::CommunicationKind kind : kCollectives) {
    for (std::int64_t size : {3, 50000}) {
      cases.push_back(
          collective_case(kind, Reduction::sum, {{DType::s32, {size}}}, {{4, 0}, {1, 5}}, 6));
      cases.push_back(
          collective_case(kind, Reduction::sum, {{DType::s32, {size}}}, {{5, 3, 1}, {0, 4, 2}}, 6));
    }
  }
  CHECK(run_all(options, cases, 2) == "");
}

TEST_CASE("random transfers equal the dense tensor") {
  const std::int32_t num_ranks = GENERATE(2, 3, 4, 6, 8);
  CAPTURE(num_ranks, kSeed);
  std::mt19937_64 random(kSeed + static_cast<std::uint64_t>(num_ranks));
  std::vector<CommunicationCase> cases;
  for (int i = 0; i < 20; ++i) cases.push_back(random_transfer(random, num_ranks));
  RankGroupOptions options;
  options.num_ranks = num_ranks;
  options.shared_bytes = GENERATE(kShared, kPrivate);
  options.chunk_bytes = GENERATE(512, 1 << 20);
  CHECK(run_all(options, cases) == "");
}

TEST_CASE("many communications under way survive any order of transfers and any delay") {
  std::mt19937_64 random(kSeed);
  CAPTURE(kSeed);
  std::vector<CommunicationCase> cases;
  for (plan::CommunicationKind kind : kCollectives) {
    for (std::int64_t size : {10, 5000, 40003}) {
      cases.push_back(collective_case(
          kind, Reduction::sum, {{DType::f32, {size}}, {DType::f32, {11}}}, {ranks_upto(4)}, 4));
    }
  }
  for (int i = 0; i < 4; ++i) cases.push_back(random_transfer(random, 4));
  RankGroupOptions options;
  options.deadline_s = 200;  // 100 rounds, under sanitizers as well
  options.num_ranks = 4;
  options.shared_bytes = GENERATE(kShared, kPrivate);
  options.chunk_bytes = 64 << 10;
  CHECK(run_all(options, cases, 2, 100, 300) == "");
}

TEST_CASE("every transport gives the same results") {
  const std::string tls = GENERATE("sysv,cma,self", "posix,self", "tcp,self");
  const bool oversubscribed = GENERATE(true, false);
  CAPTURE(tls, oversubscribed, kSeed);
  std::mt19937_64 random(kSeed);
  std::vector<CommunicationCase> cases = collectives_of_all_sizes(3);
  for (int i = 0; i < 5; ++i) cases.push_back(random_transfer(random, 3));
  RankGroupOptions options;
  options.num_ranks = 3;
  options.tls = tls;
  options.oversubscribed = oversubscribed;
  options.shared_bytes = kShared;
  options.chunk_bytes = 64 << 10;
  CHECK(run_all(options, cases) == "");
}

TEST_CASE("replicas get the same bits of sums that round") {
  for (std::int64_t size : {100, 20000, 500000}) {
    const std::vector<CommunicationCase> cases{
        collective_case(plan::CommunicationKind::all_reduce, Reduction::sum, {{DType::f32, {size}}},
                        {ranks_upto(3)}, 3),
        collective_case(plan::CommunicationKind::all_gather, Reduction::sum, {{DType::f32, {size}}},
                        {ranks_upto(3)}, 3)};
    const plan::ExecutionPlan plan = plan_of(cases, 3, 1);
    RankGroupOptions options;
    options.num_ranks = 3;
    CHECK(failures(run_ranks(options, [&](RankContext& context) {
            context.transport->prepare(plan);
            const auto count = static_cast<std::size_t>(size);
            std::vector<float> values(count), sums(count), gathered(3 * count);
            std::mt19937_64 random(kSeed + static_cast<std::uint64_t>(context.rank));
            std::normal_distribution<float> normal;
            for (float& value : values) value = normal(random);
            context.transport->start({0, 0, {values.data()}, {sums.data()}}, {}).wait();
            context.transport->start({1, 0, {sums.data()}, {gathered.data()}}, {}).wait();
            for (std::size_t r = 0; r < 3; ++r) {
              expect(
                  std::memcmp(sums.data(), gathered.data() + r * count, count * sizeof(float)) == 0,
                  "replicas disagree");
            }
          })) == "");
  }
}

TEST_CASE("communication goes on while the caller computes") {
  const std::vector<CommunicationCase> cases{
      collective_case(plan::CommunicationKind::all_reduce, Reduction::sum,
                      {{DType::f32, {1 << 20}}}, {ranks_upto(2)}, 2)};
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  RankGroupOptions options;
  options.oversubscribed = GENERATE(true, false);
  options.shared_bytes = GENERATE(kShared, kPrivate);
  CHECK(failures(run_ranks(options, [&](RankContext& context) {
          context.transport->prepare(plan);
          BufferPool pool(context.shared.get());
          CaseBuffers buffers(cases[0], context.rank, 0, pool);
          buffers.fill();
          context.barrier();
          const runtime::Event event = context.transport->start(buffers.binding(0), {});
          context.transport->work_in_background();
          const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
          while (std::chrono::steady_clock::now() < end) {
          }
          buffers.check();  // before anybody waits
          event.wait();
        })) == "");
}

/// The first one ends before the last one begins: those between did not take their share of it.
TEST_CASE("collectives of a group follow each other in the order of their starts") {
  constexpr std::size_t kCount = 6;
  const CommunicationCase one = collective_case(plan::CommunicationKind::all_reduce, Reduction::sum,
                                                {{DType::f32, {1 << 20}}}, {ranks_upto(2)}, 2);
  const std::vector<CommunicationCase> cases(kCount, one);
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  RankGroupOptions options;
  options.shared_bytes = GENERATE(kShared, kPrivate);
  CHECK(failures(run_ranks(options, [&](RankContext& context) {
          context.transport->prepare(plan);
          BufferPool pool(context.shared.get());
          std::vector<CaseBuffers> buffers = filled(cases, context.rank, pool);
          const auto* last =
              static_cast<const std::byte*>(buffers.back().binding(kCount - 1).outputs.front());
          const std::vector<std::byte> before(last, last + 4 * (1 << 20));
          std::vector<runtime::Event> events;
          for (std::size_t c = 0; c < kCount; ++c)
            events.push_back(
                context.transport->start(buffers[c].binding(static_cast<std::int32_t>(c)), {}));
          events.front().wait();
          buffers.front().check();
          expect(std::equal(before.begin(), before.end(), last), "the last one has begun");
          for (std::size_t c = 1; c < kCount; ++c) {
            events[c].wait();
            buffers[c].check();
          }
        })) == "");
}

TEST_CASE("nothing is allocated after prepare") {
  std::mt19937_64 random(kSeed);
  std::vector<CommunicationCase> cases = collectives_of_all_sizes(2);
  for (int i = 0; i < 5; ++i) cases.push_back(random_transfer(random, 2));
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  RankGroupOptions options;
  options.shared_bytes = GENERATE(kShared, kPrivate);
  CHECK(failures(run_ranks(options, [&](RankContext& context) {
          context.transport->prepare(plan);
          BufferPool pool(context.shared.get());
          std::vector<CaseBuffers> buffers = filled(cases, context.rank, pool);
          std::vector<runtime::CommunicationBinding> bindings;
          std::vector<runtime::Event> events(cases.size());
          for (std::size_t c = 0; c < cases.size(); ++c)
            bindings.push_back(buffers[c].binding(static_cast<std::int32_t>(c)));
          counting = true;
          for (int round = 0; round < 3; ++round) {
            for (std::size_t c = 0; c < cases.size(); ++c)
              events[c] = context.transport->start(bindings[c], {});
            for (std::size_t c = 0; c < cases.size(); ++c) events[c].wait();
          }
          counting = false;
          expect(num_allocations == 0, std::to_string(num_allocations) + " allocations");
          expect(!context.transport->description().empty(), "the transports have no names");
        })) == "");
}

TEST_CASE("ranks of one host that share memory stage nothing, all others are counted") {
  std::mt19937_64 random(kSeed);
  std::vector<CommunicationCase> cases = collectives_of_all_sizes(2);
  for (int i = 0; i < 5; ++i) cases.push_back(random_transfer(random, 2));
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  RankGroupOptions options;
  const auto [shared_bytes, tls] = GENERATE(
      table<std::int64_t, std::string>({{kShared, ""}, {kShared, "tcp,self"}, {kPrivate, ""}}));
  options.shared_bytes = shared_bytes;
  options.tls = tls;
  const bool shares = shared_bytes == kShared && tls.empty();
  CHECK(failures(run_ranks(options, [&](RankContext& context) {
          context.transport->prepare(plan);
          std::mt19937_64 shared(kSeed);
          run_cases(context, cases, 1, random, shared, 0);
          const std::int64_t staged = context.transport->staged_bytes();
          expect((staged == 0) == shares, std::to_string(staged) + " bytes were staged");
        })) == "");
}
