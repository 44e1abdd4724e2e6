// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <unordered_map>

#include "../common/settings.hpp"
#include "call.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "progress.hpp"

namespace fake {
namespace {

enum class Order { kEarly, kLate, kRandom };

Order order_setting() {
  const std::string text = text_setting("FAKE_CUDA_ORDER", "random");
  if (text == "early") return Order::kEarly;
  if (text == "late") return Order::kLate;
  if (text == "random") return Order::kRandom;
  refuse("FAKE_CUDA_ORDER=" + text + " is none of early, late, random");
}

struct Birth {
  int lane;
  std::uint32_t count;
  std::uint32_t name;
};

/// All that is shared, constructed with the first call: settings are read then.
struct World {
  std::recursive_mutex mutex;
  const Order order = order_setting();
  const bool checked = number_setting("FAKE_CUDA_CHECKED", 0) != 0;
  const double stuck_s = static_cast<double>(number_setting("FAKE_CUDA_STUCK_S", 60));
  std::mt19937 random{static_cast<std::uint32_t>(number_setting("FAKE_CUDA_SEED", 1))};
  Result sticky = kSuccess;
  int sentences = 0;
  std::map<std::uint32_t, Node> ready;
  std::map<std::uint32_t, Node> pending;
  std::vector<Birth> births{{0, 0, 0}};
  std::vector<std::string> names{"?"};
  std::unordered_map<std::string, std::uint32_t> name_ids;
  std::vector<std::uint32_t> host_clock = std::vector<std::uint32_t>(1);
  std::vector<std::uint32_t> lane_counts = std::vector<std::uint32_t>(1);
};

World& world() {
  static World* const one = new World;  // outlives the destructors of callers
  return *one;
}

void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

std::uint32_t name_id(const std::string& name) {
  World& w = world();
  const auto [found, is_new] =
      w.name_ids.try_emplace(name, static_cast<std::uint32_t>(w.names.size()));
  if (is_new) w.names.push_back(name);
  return found->second;
}

void finish(const Node& node) {
  World& w = world();
  node->done = true;
  node->run = nullptr;
  node->after.clear();
  w.ready.erase(node->id);
  w.pending.erase(node->id);
  for (const Node& next : node->next) {
    if (--next->waits_for == 0) w.ready.emplace(next->id, next);
  }
  node->next.clear();
}

std::vector<Node> candidates() {
  World& w = world();
  std::vector<Node> nodes;
  for (const auto& [id, node] : w.ready) nodes.push_back(node);
  if (w.order == Order::kLate) std::reverse(nodes.begin(), nodes.end());
  if (w.order == Order::kRandom) std::shuffle(nodes.begin(), nodes.end(), w.random);
  return nodes;
}

bool try_one(const Node& node) {
  World& w = world();
  if (!w.sticky) memory().open();
  if (!node->begun) {
    node->begun = true;
    if (const auto code = injected(kOperation)) fail(*code, node->what + " fails on demand");
  }
  // After a fault nothing on the device goes on; what waits is given up, so that the host gets its
  // answer.
  if (!w.sticky && !node->run(*node)) return false;
  finish(node);
  return true;
}

}  // namespace

Lock::Lock() { world().mutex.lock(); }
Lock::~Lock() { world().mutex.unlock(); }

void fail(Result code, const std::string& sentence) {
  if (world().sentences++ < 8) say(sentence);
  if (!world().sticky) world().sticky = code;
}

Result sticky_error() { return world().sticky; }
bool checked() { return world().checked; }
bool order_is_early() { return world().order == Order::kEarly; }
void close_memory() { memory().close(); }
bool may_defer() { return world().order != Order::kEarly; }
std::uint32_t roll(std::uint32_t n) { return n < 2 ? 0 : world().random() % n; }

bool ordered(std::uint32_t before, const Operation& op) {
  if (before == 0 || before == op.id) return true;
  const Birth& birth = world().births[before];
  return birth.lane < static_cast<int>(op.clock.size()) && op.clock[birth.lane] >= birth.count;
}

const std::string& name_of(std::uint32_t id) { return world().names[world().births[id].name]; }

int new_lane() {
  world().lane_counts.push_back(0);
  return static_cast<int>(world().lane_counts.size()) - 1;
}

void submit(const Node& node, int lane) {
  World& w = world();
  node->lane = lane;
  node->id = static_cast<std::uint32_t>(w.births.size());
  node->clock = w.host_clock;
  for (const Node& before : node->after) {
    join(node->clock, before->clock);
    if (before->done) continue;
    before->next.push_back(node);
    ++node->waits_for;
  }
  if (static_cast<int>(node->clock.size()) <= lane) node->clock.resize(lane + 1);
  node->clock[lane] = ++w.lane_counts[lane];
  node->after.clear();
  w.births.push_back({lane, node->clock[lane], name_id(node->what)});
  w.pending.emplace(node->id, node);
  if (node->waits_for == 0) w.ready.emplace(node->id, node);
}

void after_enqueue() {
  World& w = world();
  if (w.order == Order::kEarly) {
    while (step()) {
    }
  }
  if (w.order == Order::kRandom) {
    for (std::uint32_t i = roll(3); i > 0; --i) step();
  }
}

Node enqueue(Stream& stream, std::string what, Action run, Node also_after) {
  auto node = std::make_shared<Operation>();
  node->what = std::move(what);
  node->run = std::move(run);
  if (stream.capture) {
    append_captured(stream, node);
    return node;
  }
  if (also_after) node->after.push_back(std::move(also_after));
  if (stream.last) node->after.push_back(stream.last);
  node->after.insert(node->after.end(), stream.waits.begin(), stream.waits.end());
  stream.waits.clear();
  add_default_stream_order(stream, *node);
  submit(node, stream.lane);
  stream.last = node;
  after_enqueue();
  return node;
}

void let_cross_processes(const Node& node) { node->crosses_processes = true; }
bool captured(const Stream& stream) { return stream.capture != nullptr; }

bool step() {
  for (const Node& node : candidates()) {
    if (try_one(node)) return true;
  }
  return false;
}

void learn(const Node& node) { join(world().host_clock, node->clock); }
bool all_done() { return world().pending.empty(); }

void wait_for(Node node) {
  if (!node) return;
  World& w = world();
  auto since = std::chrono::steady_clock::now();
  while (!node->done) {
    if (step()) {
      since = std::chrono::steady_clock::now();
      continue;
    }
    const std::chrono::duration<double> idle = std::chrono::steady_clock::now() - since;
    if (idle.count() > w.stuck_s) {
      fail(kLaunchTimeout, "the host waits for '" + node->what + "', and nothing has moved for " +
                               std::to_string(static_cast<int>(w.stuck_s)) + " s");
      continue;
    }
    w.mutex.unlock();
    usleep(50);
    w.mutex.lock();
  }
  learn(node);
}

void wait_for_all() {
  World& w = world();
  while (!w.pending.empty()) wait_for(w.pending.rbegin()->second);
  join(w.host_clock, w.lane_counts);
}

bool step_crossing() {
  World& w = world();
  const bool any = std::any_of(w.ready.begin(), w.ready.end(),
                               [](const auto& entry) { return entry.second->crosses_processes; });
  const bool waits = std::any_of(w.pending.begin(), w.pending.end(),
                                 [](const auto& entry) { return entry.second->crosses_processes; });
  if (!waits) return false;
  // What stands before a communication has to run for it; where one is ready, only those go on.
  for (const Node& node : candidates()) {
    if (any && !node->crosses_processes) continue;
    if (try_one(node)) return true;
  }
  return false;
}

}  // namespace fake
