// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "call.hpp"
#include "entries.hpp"

namespace fake {
namespace {

Event& event_of(Event* handle) {
  if (!handle || handle->dead) throw Result{kInvalidHandle};
  return *handle;
}

bool is_done(const Node& node) { return !node || node->done; }

/// Whether it is over; if so the host knows what came before.
Result query(const Node& node) {
  step();  // a device moves while the host asks
  if (sticky_error()) return sticky_error();
  if (!is_done(node)) return kNotReady;
  if (node) learn(node);
  return kSuccess;
}

Result create_stream(Stream** out, unsigned flags) {
  if (flags > kStreamNonBlocking) return kInvalidValue;
  auto* stream = new Stream;
  stream->lane = new_lane();
  stream->device = current_context()->device;
  stream->blocking = flags != kStreamNonBlocking;
  all_streams().push_back(stream);
  *out = stream;
  return kSuccess;
}

/// The host asks or waits: what it asks for may be captured, and so may another stream of it.
Result refuse_waiting(Stream& stream) {
  if (const Result r = refuse_captured(stream)) return r;
  return refuse_while_capturing();
}

Result refuse_waiting(const Event& event) {
  if (event.capture) return kCaptureUnsupported;
  return refuse_while_capturing();
}

Result record(Event& event, Stream& stream) {
  if (stream.capture) {
    event.capture = stream.capture;
    event.tips = stream.tips;
    return kSuccess;
  }
  event.capture = nullptr;
  auto mark = std::make_shared<Event::Mark>();
  event.mark = mark;
  event.at = enqueue(stream, "event", [mark](Operation&) {
    mark->when = std::chrono::steady_clock::now();
    return true;
  });
  return kSuccess;
}

/// A node of the graph, which records the event each time that the graph runs.
Result record_external(Event& event, Stream& stream) {
  if (!stream.capture) return kInvalidValue;
  enqueue(stream, "event", [](Operation&) { return true; })->records = &event;
  return kSuccess;
}

Result wait_event(Stream& stream, Event& event) {
  if (event.capture) {
    if (!is_capturing(event.capture)) return kIllegalState;
    if (stream.capture && stream.capture != event.capture) return kCaptureIsolation;
    if (stream.is_default) return kCaptureImplicit;
    join_capture(stream, event);
    return kSuccess;
  }
  if (stream.capture) {
    stream.capture->broken = true;
    return kCaptureIsolation;
  }
  if (event.at) stream.waits.push_back(event.at);
  return kSuccess;
}

}  // namespace
}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

Result cuStreamCreate(Stream** stream, unsigned flags) {
  return call(__func__, [&] { return create_stream(stream, flags); });
}

Result cuStreamCreateWithPriority(Stream** stream, unsigned flags, int) {
  return call(__func__, [&] { return create_stream(stream, flags); });
}

Result cuStreamDestroy_v2(Stream* handle) {
  return call(__func__, [&]() -> Result {
    Stream& stream = stream_of(handle);
    if (stream.is_default) return kInvalidHandle;
    stream.dead = true;
    return kSuccess;
  });
}

Result cuStreamSynchronize(Stream* handle) {
  return call(__func__, [&]() -> Result {
    Stream& stream = stream_of(handle);
    if (const Result r = refuse_waiting(stream)) return r;
    wait_for(stream.last);
    return waited();
  });
}

Result cuStreamQuery(Stream* handle) {
  return call(__func__, [&]() -> Result {
    Stream& stream = stream_of(handle);
    if (const Result r = refuse_waiting(stream)) return r;
    return query(stream.last);
  });
}

Result cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  return call(__func__, [&] { return wait_event(stream_of(stream), event_of(event)); });
}

Result cuStreamBeginCapture_v2(Stream* stream, int mode) {
  return call(__func__, [&] { return begin_capture(stream_of(stream), mode); });
}

Result cuStreamEndCapture(Stream* stream, Graph** graph) {
  return call(__func__, [&] { return end_capture(stream_of(stream), graph); });
}

Result cuStreamIsCapturing(Stream* handle, int* status) {
  return call(__func__, [&]() -> Result {
    const Stream& stream = stream_of(handle);
    *status = !stream.capture ? 0 : stream.capture->broken ? 2 : 1;
    return kSuccess;
  });
}

Result cuLaunchHostFunc(Stream* stream, HostFunction function, void* data) {
  return call(__func__, [&]() -> Result {
    if (!function) return kInvalidValue;
    enqueue(stream_of(stream), "host function", [=](Operation&) {
      memory().close();  // it is the host's code
      function(data);
      memory().open();
      return true;
    });
    return kSuccess;
  });
}

Result cuEventCreate(Event** event, unsigned flags) {
  return call(__func__, [&]() -> Result {
    *event = new Event;
    (*event)->timed = !(flags & kEventDisableTiming);
    return kSuccess;
  });
}

Result cuEventDestroy_v2(Event* event) {
  return call(__func__, [&]() -> Result {
    event_of(event).dead = true;
    event->at.reset();
    return kSuccess;
  });
}

Result cuEventRecord(Event* event, Stream* stream) {
  return call(__func__, [&] { return record(event_of(event), stream_of(stream)); });
}

Result cuEventRecordWithFlags(Event* event, Stream* stream, unsigned flags) {
  return call(__func__, [&]() -> Result {
    if (flags > kEventRecordExternal) return kInvalidValue;
    if (flags == kEventRecordExternal) return record_external(event_of(event), stream_of(stream));
    return record(event_of(event), stream_of(stream));
  });
}

Result cuEventQuery(Event* event) {
  return call(__func__, [&]() -> Result {
    if (const Result r = refuse_waiting(event_of(event))) return r;
    return query(event->at);
  });
}

Result cuEventSynchronize(Event* event) {
  return call(__func__, [&]() -> Result {
    if (const Result r = refuse_waiting(event_of(event))) return r;
    wait_for(event->at);
    return waited();
  });
}

Result cuEventElapsedTime(float* ms, Event* from, Event* to) {
  return call(__func__, [&]() -> Result {
    const Event &a = event_of(from), &b = event_of(to);
    if (!a.timed || !b.timed || !a.at || !b.at) return kInvalidHandle;
    if (!a.at->done || !b.at->done) return kNotReady;
    *ms = std::chrono::duration<float, std::milli>(b.mark->when - a.mark->when).count();
    return kSuccess;
  });
}

Result cuGraphGetNodes(Graph* graph, GraphNode**, std::size_t* count) {
  return call(__func__, [&]() -> Result {
    *count = graph->nodes.size();
    return kSuccess;
  });
}

Result cuGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long) {
  return call(__func__, [&]() -> Result {
    if (!graph) return kInvalidValue;
    *exec = instantiate(*graph);
    return kSuccess;
  });
}

Result cuGraphUpload(GraphExec*, Stream* stream) {
  return call(__func__, [&]() -> Result {
    stream_of(stream);
    return kSuccess;
  });
}

Result cuGraphLaunch(GraphExec* exec, Stream* handle) {
  return call(__func__, [&]() -> Result {
    if (!exec) return kInvalidValue;
    Stream& stream = stream_of(handle);
    if (stream.capture) return kNotSupported;
    launch_graph(*exec, stream);
    return kSuccess;
  });
}

Result cuGraphDestroy(Graph* graph) {
  return call(__func__, [&]() -> Result {
    delete graph;
    return kSuccess;
  });
}

Result cuGraphExecDestroy(GraphExec* exec) {
  return call(__func__, [&]() -> Result {
    delete exec;
    return kSuccess;
  });
}
}
#pragma GCC visibility pop
