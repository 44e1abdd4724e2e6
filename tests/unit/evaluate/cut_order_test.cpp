// SPDX-License-Identifier: Apache-2.0
/// The order in which tables play passes through against that of plans: bounds by tables hold as
/// far as these are equal. RHINO_STRATEGIES, RHINO_SEED: as in estimate_test.cpp.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "drawn_strategy.hpp"
#include "estimate_quality.hpp"
#include "evaluate/frames.hpp"
#include "evaluate/loops.hpp"
#include "evaluate/pass_price.hpp"
#include "evaluate/planner.hpp"
#include "ir/mesh_groups.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

using plan::CutItem;
using plan::InstructionKind;
using sharding::ChunkPhase;

/// Whether an op stands in a plan once for each that the step has: all that takes long, and what
/// the partitioner adds nowhere.
bool is_told(OpKind kind) {
  constexpr std::array kKinds{OpKind::exponential, OpKind::tanh, OpKind::log, OpKind::rsqrt,
                              OpKind::reduce};
  return ir::traits(kind).heavy || std::ranges::find(kKinds, kind) != kKinds.end();
}

/// Selections are cut to their tile behind the op.
std::string name_of_op(OpKind kind, double bytes) {
  if (kind == OpKind::select_and_scatter) bytes = 0;
  return std::string(ir::traits(kind).name) + ":" +
         std::to_string(static_cast<std::int64_t>(bytes));
}

/// What a pass comes to, in words. Runs one behind the other are one: no time lies between them.
class Order {
 public:
  void run(const std::string& op) { ops_.insert(op); }
  void add(const std::string& item) {
    close();
    if (item != "arrive" || items_.empty() || items_.back() != item) items_.push_back(item);
  }
  std::string text() {
    close();
    std::string all;
    for (const std::string& item : items_) all += item + "\n";
    return all;
  }

 private:
  void close() {
    if (ops_.empty()) return;
    std::string text = "run";
    for (const std::string& op : ops_) text += " " + op;
    ops_.clear();
    items_.push_back(text);
  }
  std::multiset<std::string> ops_;
  std::vector<std::string> items_;
};

std::string start_of(std::string_view kind, const std::vector<DeviceId>& group, double bytes) {
  std::string text = "start " + std::string(kind) + " among";
  for (const DeviceId device : group) text += " " + std::to_string(device);
  return text + " of " + std::to_string(static_cast<std::int64_t>(bytes));
}

constexpr std::array kNames{"all-reduce", "all-gather",    "reduce-scatter",
                            "all-to-all", "halo-exchange", "transfer"};

/// A pass of a role, as one micro-batch comes through it.
class PlannedPass {
 public:
  PlannedPass(const plan::ExecutionPlan& plan, const plan::Role& role, std::int32_t micro_batch)
      : plan_(plan), role_(role), micro_batch_(micro_batch) {
    for (const plan::Instruction& own : role.instructions) {
      if (own.kind != InstructionKind::start) continue;
      const auto is_bound = [](std::int32_t buffer) { return buffer >= 0; };
      if (std::ranges::any_of(own.inputs, is_bound)) sent_.insert(own.index);
      else received_.insert(own.index);
    }
  }

  std::string order(std::int32_t chunk, plan::InstructionPhase phase) {
    Order order;
    for (const plan::Instruction& own : role_.instructions) {
      if (own.chunk == chunk && own.phase == phase && own.instance == micro_batch_) add(own, order);
    }
    return order.text();
  }

 private:
  void add(const plan::Instruction& own, Order& order) {
    if (own.kind == InstructionKind::run) {
      for (const Op& op : plan_.programs[at(own.index)].ops)
        if (is_told(op.kind))
          order.run(name_of_op(op.kind, static_cast<double>(num_bytes(op.shape))));
    } else if (own.kind == InstructionKind::start || own.kind == InstructionKind::wait) {
      const plan::Communication& communication = plan_.communications[at(own.index)];
      if (communication.kind == plan::CommunicationKind::transfer) cross(own, order);
      else if (own.kind == InstructionKind::start) start(own.index, communication, order);
      else order.add("wait " + std::to_string(number_of_.at(own.index)));
    }
  }
  void cross(const plan::Instruction& own, Order& order) {
    const bool starts = own.kind == InstructionKind::start;
    if (starts && sent_.contains(own.index)) order.add("depart");
    if (!starts && received_.contains(own.index)) order.add("arrive");
  }
  void start(std::int32_t index, const plan::Communication& communication, Order& order) {
    number_of_[index] = static_cast<std::int32_t>(number_of_.size());
    const std::int32_t like = communication.like < 0 ? index : communication.like;
    double bytes = 0;
    for (const Shape& part : communication.parts) bytes += static_cast<double>(num_bytes(part));
    order.add(start_of(kNames[static_cast<std::size_t>(communication.kind)],
                       plan_.communications[at(like)].groups.front(), bytes));
  }

  const plan::ExecutionPlan& plan_;
  const plan::Role& role_;
  const std::int32_t micro_batch_;
  std::set<std::int32_t> sent_, received_;
  std::map<std::int32_t, std::int32_t> number_of_;  ///< of communications, in the order of starts
};

/// The same by tables.
class PlayedPasses {
 public:
  PlayedPasses(const Drawn& drawn, const Strategy& strategy, const sharding::OpGraph& graph,
               bool is_cut, bool blocks)
      : strategy_(strategy),
        graph_(graph),
        tables_(graph, drawn.planning->cost()),
        fused_(graph),
        frame_(graph, strategy, is_cut),
        cuts_(make_cuts()),
        pricer_(tables_, frame_, cuts_, strategy.gradient_sums, blocks, nullptr) {
    evaluate::find_loops(graph, fused_, frame_);
  }

  /// Empty where none is sure.
  std::string order(std::int32_t chunk, ChunkPhase phase) {
    for (const evaluate::PassOps& pass : frame_.passes) {
      if (pass.chunk == chunk && pass.phase == phase) return order(pass);
    }
    return {};
  }

 private:
  evaluate::Cuts make_cuts() {
    evaluate::Cuts cuts{.mesh_of_chunk = evaluate::mesh_numbers(strategy_.chunks)};
    for (const Chunk& chunk : strategy_.chunks)
      cuts.kind_of_chunk.push_back(tables_.kind_of(chunk.mesh));
    for (ValueId id = 0; id < graph_.size(); ++id) {
      const std::int32_t chunk = std::max(strategy_.chunk_of[at(id)], 0);
      cuts.forms.push_back(tables_.form(graph_.program().shape(id), strategy_.specs[at(id)],
                                        cuts.kind_of_chunk[at(chunk)],
                                        strategy_.num_micro_batches));
    }
    cuts.ops.resize(at(graph_.size()));
    for (ValueId id = 0; id < graph_.size(); ++id) {
      const std::int32_t chunk = frame_.chunk_of[at(id)];
      if (frame_.made_in[at(id)] < 0) continue;
      std::vector<evaluate::FormId> forms{cuts.forms[at(id)]};
      for (const ValueId operand : graph_.op(id).operands) forms.push_back(cuts.forms[at(operand)]);
      cuts.ops[at(id)] = &tables_.op({id, chunk, cuts.kind_of_chunk[at(chunk)]}, strategy_, forms);
    }
    return cuts;
  }

  std::string order(const evaluate::PassOps& pass) {
    Order order;
    for (const evaluate::PassPricer::Item& item : pricer_.items(pass)) {
      switch (item.kind) {
        case CutItem::Kind::run:
          for (const ValueId id : item.ops) {
            const OpKind kind = graph_.op(id).kind;
            if (is_told(kind))
              order.run(name_of_op(kind, tables_.tile_bytes(cuts_.ops[at(id)]->result)));
          }
          break;
        case CutItem::Kind::start: order.add(start(item.message, pass.chunk)); break;
        case CutItem::Kind::wait: order.add("wait " + std::to_string(item.number)); break;
        case CutItem::Kind::depart: order.add("depart"); break;
        case CutItem::Kind::arrive: order.add("arrive"); break;
      }
    }
    return order.text();
  }

  std::string start(const evaluate::Collective& message, std::int32_t chunk) const {
    std::vector<std::int32_t> axes;
    for (std::int32_t axis = 0; axis < 32; ++axis)
      if ((message.axes >> axis & 1) != 0) axes.push_back(axis);
    return start_of(ir::traits(message.kind).name,
                    ir::devices_along(strategy_.chunks[at(chunk)].mesh, axes).front(),
                    message.bytes);
  }

  const Strategy& strategy_;
  const sharding::OpGraph& graph_;
  evaluate::Tables tables_;
  evaluate::FusedLoops fused_;
  evaluate::Frame frame_;
  const evaluate::Cuts cuts_;
  evaluate::PassPricer pricer_;
};

struct Compared {
  int num_passes = 0, num_messages = 0, num_unsure = 0;
};

/// `blocks`: collectives are waited for where they start.
void compare(const Drawn& drawn, bool blocks, Compared& compared) {
  const sharding::Completer completer(*drawn.program);
  Strategy strategy;
  try {
    strategy = completer.complete(drawn.draft);
  } catch (const Error&) {
    return;
  }
  // The first micro-batch adds to nothing, the last one reduces what others have summed up.
  const auto num_alike = strategy.num_micro_batches - (strategy.gradient_sums.overlap ? 1 : 0);
  if (num_alike == 0) return;
  evaluate::PlanContext context = drawn.planning->context();
  context.blocking.collectives = blocks;
  const plan::ExecutionPlan plan = evaluate::make_plan(context, strategy);
  PlayedPasses whole(drawn, strategy, completer.graph(), false, blocks),
      cut(drawn, strategy, completer.graph(), true, blocks);
  constexpr std::array kPhases{std::pair{ChunkPhase::forward, plan::InstructionPhase::forward},
                               std::pair{ChunkPhase::backward, plan::InstructionPhase::backward},
                               std::pair{ChunkPhase::weight, plan::InstructionPhase::weight}};
  for (std::int32_t chunk = 0; at(chunk) < strategy.chunks.size(); ++chunk) {
    const auto role = std::ranges::find_if(plan.roles, [&](const plan::Role& own) {
      return own.mesh == strategy.chunks[at(chunk)].mesh;
    });
    REQUIRE(role != plan.roles.end());
    const bool is_cut = std::ranges::any_of(role->instructions, [&](const plan::Instruction& own) {
      return own.chunk == chunk && own.phase == plan::InstructionPhase::weight;
    });
    for (const auto& [phase, name] : kPhases) {
      if (phase == ChunkPhase::weight && !is_cut) continue;
      const std::string played = (is_cut ? cut : whole).order(chunk, phase);
      compared.num_unsure += played.empty();
      if (played.empty()) continue;
      for (std::int32_t micro_batch = 0; micro_batch < std::min<std::int64_t>(num_alike, 2);
           ++micro_batch) {
        CAPTURE(chunk, plan::name_of(name), micro_batch);
        CHECK(played == PlannedPass(plan, *role, micro_batch).order(chunk, name));
      }
      ++compared.num_passes;
      for (std::size_t found = 0; (found = played.find("start", found)) != std::string::npos;
           ++found)
        ++compared.num_messages;
    }
  }
}

}  // namespace

TEST_CASE("tables play passes through in the order of plans") {
  const auto [what, draw, wanted] =
      GENERATE(table<const char*, Drawn (*)(Random&), int>({{"small", draw_small_strategy, 40},
                                                            {"hard", draw_hard, 40},
                                                            {"images", draw_images, 24},
                                                            {"large", draw_large, 4},
                                                            {"small mixed", draw_small_mixed, 40},
                                                            {"hard mixed", draw_hard_mixed, 40},
                                                            {"large mixed", draw_large_mixed, 4}}));
  const auto first = static_cast<std::uint64_t>(number("RHINO_SEED", 1));
  const auto count = static_cast<std::uint64_t>(number("RHINO_STRATEGIES", wanted));
  Compared compared;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Drawn drawn = draw(random);
    const bool blocks = seed % 4 == 0;
    CAPTURE(what, seed, blocks, drawn.text);
    compare(drawn, blocks, compared);
  }
  std::printf("%s: %d passes with %d messages in order, %d not sure\n", what, compared.num_passes,
              compared.num_messages, compared.num_unsure);
  CHECK(compared.num_messages > 100);
}

/// What leaves as all behind read it; gathers of which light ops alone are made; several chunks of
/// a mesh of which the first alone waits; a tile that is gathered in another shape for what is made
/// anew.
TEST_CASE("tables play what plans cut in ways of their own") {
  const auto [draw, seeds] = GENERATE(table<Drawn (*)(Random&), std::vector<std::uint64_t>>(
      {{draw_small_strategy, {5286}},
       {draw_hard, {5023, 5061, 5063, 5131, 5149, 5192, 5198, 5355}},
       {draw_large, {5178}}}));
  Compared compared;
  for (const std::uint64_t seed : seeds) {
    Random random(seed);
    const Drawn drawn = draw(random);
    CAPTURE(seed, drawn.text);
    compare(drawn, false, compared);
  }
  CHECK(compared.num_messages > 0);
}

}  // namespace rhino::test
