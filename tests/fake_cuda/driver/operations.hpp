// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "types.hpp"

/// Operations of all streams form one graph. They run one at a time, in an order that
/// FAKE_CUDA_ORDER picks among those that the API permits: `early` (when they are enqueued), `late`
/// (when something waits, the youngest first) or `random`.
namespace fake {

struct Event;
struct Operation;
using Node = std::shared_ptr<Operation>;
/// Carries an operation out. False: it cannot end yet, as others must move first; it is asked
/// again.
using Action = std::function<bool(Operation&)>;

struct Operation {
  std::uint32_t id = 0;
  int lane = -1;  // what runs in order: a stream, or a stream's part of a graph
  bool begun = false, done = false;
  bool crosses_processes = false;
  std::string what;
  Action run;
  std::vector<Node> after;
  std::vector<Node> next;
  Event* records = nullptr;  // in a graph: what each launch records anew
  int waits_for = 0;
  std::vector<std::uint32_t>
      clock;  // per lane, how many of its operations came before; lane 0 is the host
};

struct Capture;

/// CUstream. Lives until the process ends: handles that outlive a stream are found.
struct Stream {
  int lane = 0;
  Ordinal device = 0;
  bool blocking = true;  // ordered against the default stream
  bool dead = false;
  bool is_default = false;
  Node last;
  std::vector<Node> waits;
  Capture* capture = nullptr;
  std::vector<Node> tips;  // while captured: what the next node comes after
};

/// CUevent: where it was recorded last.
struct Event {
  struct Mark {
    std::chrono::steady_clock::time_point when{};
  };
  bool timed = true, dead = false;
  Node at;
  std::shared_ptr<Mark> mark;
  Capture* capture = nullptr;
  std::vector<Node> tips;
};

#pragma GCC visibility push(default)

/// Held during every entry point of every fake library.
struct Lock {
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

/// The stream behind a handle: null is the default stream of the thread's context. Throws the code
/// for a destroyed one.
Stream& stream_of(Stream* handle);

/// Appends to a stream, or to the graph that it is captured into; then runs as much as the order
/// says.
Node enqueue(Stream& stream, std::string what, Action run, Node also_after = {});

/// Marks the last operation as one that other processes wait for: it goes on while the host does
/// something else.
void let_cross_processes(const Node& node);

/// An access of a whole operation to memory. False: it was wrong, which has been said; the
/// operation ends at once.
bool touch(Operation& op, const void* at, std::size_t bytes, bool writes);

/// Says what went wrong, once per fault, and makes `code` the answer of every later call, as a
/// fault on a device does.
void fail(Result code, const std::string& sentence);

/// Runs one operation. False: none can go on.
bool step();

bool captured(const Stream& stream);
/// For what is unsafe on a stream that is captured: the code that it answers with, which breaks the
/// capture.
Result refuse_captured(Stream& stream);

/// Ends what `step` has opened: the host is about to go on.
void close_memory();

/// A number below `n` from the seed FAKE_CUDA_SEED.
std::uint32_t roll(std::uint32_t n);
/// Whether what need not be done at once is put off.
bool may_defer();

#pragma GCC visibility pop

/// The error that every call answers since something failed on the device.
Result sticky_error();

/// A place in the order of things for a stream or for a part of a graph.
int new_lane();
/// Gives the operation its id, its clock and its place among those that wait.
void submit(const Node& node, int lane);
/// Runs, as the order says, after something was enqueued.
void after_enqueue();

/// Runs until the node is done; the host then knows all that came before it. Says so after
/// FAKE_CUDA_STUCK_S without a move.
void wait_for(Node node);
void wait_for_all();
bool all_done();
/// The host has learned that the node is done.
void learn(const Node& node);

/// Whether the operation with this id is done before `op` can begin.
bool ordered(std::uint32_t before, const Operation& op);
const std::string& name_of(std::uint32_t id);

/// Whether accesses are checked one by one: FAKE_CUDA_CHECKED=1.
bool checked();
bool order_is_early();

}  // namespace fake
