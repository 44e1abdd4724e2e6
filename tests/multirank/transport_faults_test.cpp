// SPDX-License-Identifier: Apache-2.0
/// Waits that are in vain, peers that are gone, uses that are no uses.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

#include "communication_case.hpp"
#include "rhino/error.hpp"

using namespace rhino;

namespace {

CommunicationCase sum_of_two() {
  return collective_case(plan::CommunicationKind::all_reduce, Reduction::sum,
                         {{DType::f32, {100000}}}, {ranks_upto(2)}, 2);
}

}  // namespace

TEST_CASE("a wait can be cancelled from another thread") {
  const std::vector<CommunicationCase> cases{sum_of_two()};
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  RankGroupOptions options;
  options.oversubscribed = GENERATE(true, false);
  options.check_leaks = false;
  options.deadline_s = 10;
  CHECK(failures(run_ranks(options, [&](RankContext& context) {
          context.transport->prepare(plan);
          if (context.rank == 1) return;  // never starts
          BufferPool pool(nullptr);
          CaseBuffers buffers(cases[0], context.rank, 7, pool);
          buffers.fill();
          std::thread watcher([&] {
            usleep(100000);
            context.transport->cancel("rank 1 is gone");
          });
          std::string message;
          try {
            context.transport->start(buffers.binding(0), {}).wait();
          } catch (const Error& error) {
            message = error.what();
          }
          watcher.join();
          expect(message.find("rank 1 is gone") != std::string::npos, "wait() said: " + message);
          expect(message.find(cases[0].communication.name) != std::string::npos,
                 "wait() said: " + message);
          expect(message.find("instance 7") != std::string::npos, "wait() said: " + message);
        })) == "");
}

TEST_CASE("a peer that dies over tcp is named by the wait") {
  const std::vector<CommunicationCase> cases{sum_of_two()};
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  RankGroupOptions options;
  options.tls = "tcp,self";
  options.deadline_s = 10;
  const std::vector<RankOutcome> outcomes = run_ranks(options, [&](RankContext& context) {
    context.transport->prepare(plan);
    context.barrier();
    if (context.rank == 1) raise(SIGKILL);
    BufferPool pool(nullptr);
    CaseBuffers buffers(cases[0], context.rank, 0, pool);
    buffers.fill();
    context.transport->start(buffers.binding(0), {}).wait();
  });
  CHECK(outcomes[0].failure.find("rank 1: ") != std::string::npos);
  CHECK_FALSE(outcomes[0].killed);
}

TEST_CASE("a rank that never connects is named at the deadline") {
  RankGroupOptions group;
  group.num_ranks = 1;  // in a process of its own: one that has used UCX cannot fork ranks
  group.check_leaks = false;
  CHECK(failures(run_ranks(group, [](RankContext&) {
          runtime::TransportOptions options;
          options.num_ranks = 2;
          options.devices = {0, 1};
          const auto present = runtime::make_ucx_transport(options);
          options.rank = 1;
          const auto absent = runtime::make_ucx_transport(options);
          std::string message;
          try {
            present->connect({present->address(), absent->address()}, 0.3);
          } catch (const Error& error) {
            message = error.what();
          }
          expect(message.find("rank 1: no answer within 0.3 s") != std::string::npos,
                 "connect() said: " + message);
        })) == "");
}

TEST_CASE("a communication started too often or without a buffer is refused") {
  const std::vector<CommunicationCase> cases{collective_case(plan::CommunicationKind::all_gather,
                                                             Reduction::sum, {{DType::f32, {8}}},
                                                             {ranks_upto(2)}, 2)};
  const plan::ExecutionPlan plan = plan_of(cases, 2, 1);
  CHECK(failures(run_ranks({}, [&](RankContext& context) {
          context.transport->prepare(plan);
          BufferPool pool(nullptr);
          CaseBuffers buffers(cases[0], context.rank, 0, pool);
          buffers.fill();
          const auto refuses = [&](const runtime::CommunicationBinding& binding,
                                   const std::string& word) {
            try {
              context.transport->start(binding, {});
            } catch (const Error& error) {
              return std::string(error.what()).find(word) != std::string::npos;
            }
            return false;
          };
          runtime::CommunicationBinding bad = buffers.binding(0);
          bad.outputs[0] = nullptr;
          expect(refuses(bad, "without the output buffer of part 0"),
                 "a missing buffer was accepted");
          const runtime::Event event = context.transport->start(buffers.binding(0), {});
          expect(refuses(buffers.binding(0), "more often"), "a second start was accepted");
          event.wait();
          buffers.check();
        })) == "");
}
