// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/send_queue.hpp"

#include <catch2/catch.hpp>

using namespace rhino;
using namespace rhino::runtime;

namespace {

Turn turn(std::int64_t launch, std::int32_t step, std::int32_t task) {
  return {.launch = launch, .step = step, .task = task};
}

/// Task of the next turn, -1: none may leave.
std::int32_t next_task(SendQueue& queue) {
  const std::optional<Turn> next = queue.next();
  return next ? next->task : -1;
}

}  // namespace

TEST_CASE("messages leave in the order of the steps, two at a time") {
  SendQueue queue;
  queue.reserve(8);
  for (const std::int32_t step : {3, 1, 0, 2}) queue.push(turn(0, step, step));
  CHECK(next_task(queue) == 0);
  CHECK(next_task(queue) == 1);
  CHECK(next_task(queue) == -1);
  queue.end(0, 1);
  CHECK(next_task(queue) == 2);
  CHECK(next_task(queue) == -1);
  queue.end(0, 0);
  queue.end(0, 2);
  CHECK(next_task(queue) == 3);
  CHECK(next_task(queue) == -1);
}

TEST_CASE("an earlier launch goes before a later one, whatever became ready first") {
  SendQueue queue;
  queue.reserve(8);
  queue.push(turn(1, 0, 0));
  queue.push(turn(0, 5, 50));
  CHECK(next_task(queue) == 50);
  CHECK(next_task(queue) == 0);
}

TEST_CASE("two steps share a link, one alone has both places") {
  SendQueue queue;
  queue.reserve(8);
  for (const std::int32_t chunk : {0, 1}) queue.push(turn(0, 0, chunk));
  CHECK(next_task(queue) == 0);
  CHECK(next_task(queue) == 1);
  queue.push(turn(0, 1, 10));
  queue.push(turn(0, 1, 11));
  queue.end(0, 0);
  queue.push(turn(0, 0, 2));
  CHECK(next_task(queue) == 10);
  queue.end(0, 1);
  CHECK(next_task(queue) == 2);
}
