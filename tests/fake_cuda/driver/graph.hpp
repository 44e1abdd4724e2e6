// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "operations.hpp"

namespace fake {

/// Streams that are being captured into one graph.
struct Capture {
  std::vector<Node> nodes;
  std::vector<int> streams;  // per node, the lane of the stream that it was captured from
  std::set<Stream*> joined;
  Stream* origin = nullptr;
  int mode = 0;
  std::thread::id thread;
  bool broken = false;
};

/// CUgraph.
struct Graph {
  std::vector<Node> nodes;
  std::vector<int> streams;
};

/// CUgraphExec. Launches of one follow each other, so its lanes can be used again.
struct GraphExec {
  Graph graph;
  std::map<int, int> lanes;
  Node last;
};

void append_captured(Stream& stream, const Node& node);
Result begin_capture(Stream& stream, int mode);
Result end_capture(Stream& stream, Graph** out);
/// The stream waits for an event that was recorded inside a capture, and so joins that.
void join_capture(Stream& stream, Event& event);

/// Whether the capture, which an event may have outlived, goes on.
bool is_capturing(const Capture* capture);

/// For a call that is unsafe while a stream is captured: the code that it answers with, which
/// breaks the capture.
Result refuse_while_capturing();

GraphExec* instantiate(const Graph& graph);
void launch_graph(GraphExec& exec, Stream& stream);

/// Every stream that was ever made, the default ones too.
std::vector<Stream*>& all_streams();
/// The default stream comes after, and before, what blocking streams of its device hold.
void add_default_stream_order(Stream& stream, Operation& op);

}  // namespace fake
