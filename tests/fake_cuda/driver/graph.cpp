// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <algorithm>

namespace fake {
namespace {

std::vector<Capture*>& captures() {
  static auto* const all = new std::vector<Capture*>;
  return *all;
}

/// All nodes that come before the stream's next one.
std::set<const Operation*> reached(const std::vector<Node>& tips) {
  std::set<const Operation*> seen;
  std::vector<const Operation*> todo;
  for (const Node& n : tips) todo.push_back(n.get());
  while (!todo.empty()) {
    const Operation* op = todo.back();
    todo.pop_back();
    if (!seen.insert(op).second) continue;
    for (const Node& before : op->after) todo.push_back(before.get());
  }
  return seen;
}

bool is_nothing(Operation&) { return true; }

/// A launch is where an external event was recorded last.
void record_anew(Event& event, const Node& node) {
  if (event.dead) throw Result{kInvalidHandle};
  auto mark = std::make_shared<Event::Mark>();
  node->run = [mark](Operation&) {
    mark->when = std::chrono::steady_clock::now();
    return true;
  };
  event.capture = nullptr;
  event.mark = mark;
  event.at = node;
}

std::shared_ptr<Operation> operation(std::string what, Action run) {
  auto node = std::make_shared<Operation>();
  node->what = std::move(what);
  node->run = std::move(run);
  return node;
}

}  // namespace

std::vector<Stream*>& all_streams() {
  static auto* const all = new std::vector<Stream*>;
  return *all;
}

void add_default_stream_order(Stream& stream, Operation& op) {
  if (!stream.blocking) return;
  for (Stream* other : all_streams()) {
    const bool pair = other->device == stream.device && other->blocking &&
                      (stream.is_default || other->is_default);
    if (pair && other != &stream && other->last) op.after.push_back(other->last);
  }
}

void append_captured(Stream& stream, const Node& node) {
  node->after = stream.tips;
  stream.capture->nodes.push_back(node);
  stream.capture->streams.push_back(stream.lane);
  stream.tips = {node};
}

Result begin_capture(Stream& stream, int mode) {
  if (stream.is_default) return kCaptureUnsupported;
  if (stream.capture || mode < kCaptureGlobal || mode > kCaptureRelaxed) return kIllegalState;
  auto* capture = new Capture;
  capture->origin = &stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->joined.insert(&stream);
  stream.capture = capture;
  stream.tips.clear();
  captures().push_back(capture);
  return kSuccess;
}

void join_capture(Stream& stream, Event& event) {
  if (!stream.capture) {
    stream.capture = event.capture;
    stream.capture->joined.insert(&stream);
    stream.tips.clear();
  }
  stream.tips.insert(stream.tips.end(), event.tips.begin(), event.tips.end());
}

Result end_capture(Stream& stream, Graph** out) {
  if (!stream.capture) return kIllegalState;
  if (stream.capture->origin != &stream) return kCaptureUnmatched;
  const std::unique_ptr<Capture> capture(stream.capture);
  const bool joined = reached(stream.tips).size() == capture->nodes.size();
  for (Stream* member : capture->joined) {
    member->capture = nullptr;
    member->tips.clear();
  }
  captures().erase(std::find(captures().begin(), captures().end(), capture.get()));
  *out = nullptr;
  if (capture->broken) return kCaptureInvalidated;
  if (!joined) return kCaptureUnjoined;
  *out = new Graph{capture->nodes, capture->streams};
  return kSuccess;
}

Result refuse_captured(Stream& stream) {
  if (!stream.capture) return kSuccess;
  stream.capture->broken = true;
  return kCaptureUnsupported;
}

bool is_capturing(const Capture* capture) {
  return std::find(captures().begin(), captures().end(), capture) != captures().end();
}

Result refuse_while_capturing() {
  for (Capture* capture : captures()) {
    const bool concerned =
        capture->mode == kCaptureGlobal ||
        (capture->mode == kCaptureThreadLocal && capture->thread == std::this_thread::get_id());
    if (!concerned) continue;
    capture->broken = true;
    return kCaptureUnsupported;
  }
  return kSuccess;
}

GraphExec* instantiate(const Graph& graph) {
  auto* exec = new GraphExec{graph, {}, {}};
  for (int stream : graph.streams) {
    if (!exec->lanes.count(stream)) exec->lanes[stream] = new_lane();
  }
  return exec;
}

void launch_graph(GraphExec& exec, Stream& stream) {
  const Node head = enqueue(stream, "graph begins", is_nothing, exec.last);
  std::map<const Operation*, Node> made;
  const Node tail = operation("graph ends", is_nothing);
  for (std::size_t i = 0; i < exec.graph.nodes.size(); ++i) {
    const Operation& node = *exec.graph.nodes[i];
    const Node copy = operation(node.what + " (graph)", node.run);
    copy->crosses_processes = node.crosses_processes;
    if (node.records) record_anew(*node.records, copy);
    copy->after = {head};
    for (const Node& before : node.after) copy->after.push_back(made.at(before.get()));
    submit(copy, exec.lanes.at(exec.graph.streams[i]));
    made[&node] = copy;
    tail->after.push_back(copy);
  }
  tail->after.push_back(head);
  submit(tail, stream.lane);
  stream.last = exec.last = tail;
  after_enqueue();
}

}  // namespace fake
