// SPDX-License-Identifier: Apache-2.0
// The order of operations in streams, across streams and in graphs.
#include <catch2/catch.hpp>

#include "bench.hpp"
#include "child.hpp"

using fake::DevicePtr;
using fake_test::Bench;
using fake_test::check;
using fake_test::code;
using fake_test::in_child;
using fake_test::kCount;
using fake_test::Outcome;
using fake_test::Settings;

namespace {

const std::vector<std::string> kOrders{"early", "late", "random"};

}  // namespace

TEST_CASE(
    "a missing event is a wrong number when streams run late, and a sentence in every order when "
    "checked") {
  const auto rounds = [](bool has_event) {
    return [=] {
      Bench m;
      int wrong = 0;
      std::vector<float> got(kCount);
      fake::Kernel* fill = m.kernel(m.library, "fill");
      for (int i = 0; i < 20; ++i) {
        float v = static_cast<float>(i) + 100;
        check(m.launch(fill, 10, 128, {&m.x, &v, &m.n}, m.a));
        if (has_event) {
          check(m.cuEventRecord(m.event, m.a));
          check(m.cuStreamWaitEvent(m.b, m.event, 0));
        }
        check(m.cuMemcpyDtoDAsync_v2(m.y, m.x, kCount * 4, m.b));
        check(m.cuMemcpyDtoHAsync_v2(got.data(), m.y, kCount * 4, m.b));
        check(m.cuStreamSynchronize(m.b));
        wrong += got[kCount / 2] != v;
        check(m.cuCtxSynchronize());
      }
      return std::to_string(wrong);
    };
  };
  CHECK(in_child({{"FAKE_CUDA_ORDER", "early"}}, rounds(false)).result == "0");
  CHECK(in_child({{"FAKE_CUDA_ORDER", "late"}}, rounds(false)).result == "20");
  for (const std::string& order : kOrders) {
    INFO(order);
    CHECK(in_child({{"FAKE_CUDA_ORDER", order}}, rounds(true)).result == "0");
    CHECK(in_child({{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", "1"}}, rounds(true)).result ==
          "0");
    const Outcome o =
        in_child({{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", "1"}}, rounds(false));
    CHECK(o.result == "a call returned 999");
    CHECK(o.said.find("not ordered after the") != std::string::npos);
  }
}

TEST_CASE(
    "a buffer is written while another stream still reads it: found though a later reader is "
    "ordered") {
  for (const std::string& order : kOrders) {
    const Outcome o = in_child({{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", "1"}}, [] {
      Bench m;
      const DevicePtr z = m.allocate(kCount * 4);
      check(m.cuMemcpyDtoDAsync_v2(m.y, m.x, kCount * 4,
                                   m.a));  // nothing orders this against the memset
      check(m.cuMemcpyDtoDAsync_v2(z, m.x, kCount * 4, m.b));
      check(m.cuMemsetD32Async(m.x, 0, kCount, m.b));
      return code(m.cuCtxSynchronize());
    });
    INFO(order << o.said);
    CHECK(o.result == code(fake::kUnknown));
  }
}

TEST_CASE("the default stream is ordered against blocking streams, and not against others") {
  const auto body = [](unsigned flags) {
    return [=] {
      Bench m;
      fake::Stream* s = nullptr;
      check(m.cuStreamCreate(&s, flags));
      check(m.cuMemsetD32Async(m.x, 1, kCount, s));
      check(m.cuMemcpyDtoDAsync_v2(m.y, m.x, kCount * 4, nullptr));
      check(m.cuMemsetD32Async(m.y, 2, kCount, s));
      check(m.cuCtxSynchronize());
      return std::string("ordered");
    };
  };
  for (const std::string& order : kOrders) {
    const Settings settings{{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", "1"}};
    CHECK(in_child(settings, body(0)).result == "ordered");
    CHECK(in_child(settings, body(fake::kStreamNonBlocking)).result == "a call returned 999");
  }
}

TEST_CASE("a graph repeats what was captured; what a capture forbids is refused") {
  const auto body = [](const std::string& mistake) {
    return [=] {
      Bench m;
      fake::Graph* graph = nullptr;
      fake::GraphExec* exec = nullptr;
      fake::Event* back = nullptr;
      check(m.cuEventCreate(&back, 0));
      int zero = 0;  // no element: the launch loads the kernel and does nothing
      if (mistake != "first") check(m.launch(m.kernel(m.library, "add_one"), 1, 1, {&m.x, &zero}));
      check(m.cuStreamBeginCapture_v2(m.a, fake::kCaptureThreadLocal));
      if (const int c = m.launch(m.kernel(m.library, "add_one"), 100, 100, {&m.x, &m.n}))
        return code(c);
      check(m.cuEventRecord(m.event, m.a));
      check(m.cuStreamWaitEvent(m.b, m.event, 0));
      check(m.cuMemcpyDtoDAsync_v2(m.y, m.x, kCount * 4, m.b));
      if (mistake == "sync") return code(m.cuStreamSynchronize(m.a));
      if (mistake == "query") return code(m.cuEventQuery(back));
      DevicePtr more = 0;
      if (mistake == "alloc") return code(m.cuMemAlloc_v2(&more, 4));
      if (mistake != "unjoined") {
        check(m.cuEventRecord(back, m.b));
        check(m.cuStreamWaitEvent(m.a, back, 0));
      }
      if (const int c = m.cuStreamEndCapture(m.a, &graph)) return code(c);
      check(m.cuGraphInstantiateWithFlags(&exec, graph, 0));
      for (int i = 0; i < 3; ++i) check(m.cuGraphLaunch(exec, m.a));
      check(m.cuStreamSynchronize(m.a));
      return std::to_string(static_cast<int>(m.read<float>(m.y, 2)[1]));
    };
  };
  for (const std::string& order : kOrders) {
    CHECK(in_child({{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", "1"}}, body("")).result ==
          "4");
  }
  CHECK(in_child({}, body("unjoined")).result == code(fake::kCaptureUnjoined));
  CHECK(in_child({}, body("sync")).result == code(fake::kCaptureUnsupported));
  CHECK(in_child({}, body("alloc")).result == code(fake::kCaptureUnsupported));
  CHECK(in_child({}, body("query")).result == code(fake::kCaptureUnsupported));
  CHECK(in_child({}, body("first")).result == code(fake::kCaptureUnsupported));
}

TEST_CASE(
    "what waits for an event inside a graph waits for its last launch, and for nothing before it") {
  const auto body = [](bool is_external) {
    return [=] {
      Bench m;
      fake::Graph* graph = nullptr;
      fake::GraphExec* exec = nullptr;
      fake::Kernel* add = m.kernel(m.library, "add_one");
      check(m.launch(add, 10, 128, {&m.x, &m.n}, m.a));
      check(m.cuStreamBeginCapture_v2(m.a, fake::kCaptureThreadLocal));
      check(m.launch(add, 10, 128, {&m.x, &m.n}, m.a));
      if (is_external) check(m.cuEventRecordWithFlags(m.event, m.a, fake::kEventRecordExternal));
      check(m.cuStreamEndCapture(m.a, &graph));
      check(m.cuGraphInstantiateWithFlags(&exec, graph, 0));
      check(m.cuCtxSynchronize());
      std::string read;
      for (int i = 0; i < 3; ++i) {
        check(m.cuGraphLaunch(exec, m.a));
        check(m.cuStreamWaitEvent(m.b, m.event, 0));
        check(m.cuMemcpyDtoDAsync_v2(m.y, m.x, kCount * 4, m.b));
        check(m.cuCtxSynchronize());
        read += std::to_string(static_cast<int>(m.read<float>(m.y, 2)[1])) + " ";
      }
      return read;
    };
  };
  for (const std::string& order : kOrders) {
    INFO(order);
    const Settings checked{{"FAKE_CUDA_ORDER", order}, {"FAKE_CUDA_CHECKED", "1"}};
    CHECK(in_child(checked, body(true)).result == "3 4 5 ");
    CHECK(in_child(checked, body(false)).result == "a call returned 999");
  }
  CHECK(in_child({{"FAKE_CUDA_ORDER", "late"}}, body(false)).result == "2 3 4 ");
  CHECK(in_child({}, [] {
          Bench m;
          return code(m.cuEventRecordWithFlags(m.event, m.a, fake::kEventRecordExternal));
        }).result == code(fake::kInvalidValue));
}
