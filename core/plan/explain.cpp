// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/op_info.hpp"
#include "plan/lives.hpp"
#include "plan/plan_file.hpp"
#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "plan/validate.hpp"
#include "rhino/index.hpp"
#include "rhino/strategy.hpp"

namespace rhino::plan {
namespace {

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.2f} {}", bytes, kUnits[unit]);
}

/// 0-3, 6, 8-9
template <class List>
std::string ranges(const List& values) {
  std::string text;
  for (auto first = values.begin(); first != values.end();) {
    auto last = first;
    while (std::next(last) != values.end() && *std::next(last) == *last + 1) ++last;
    text += text.empty() ? "" : ", ";
    text += *first == *last ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last);
    first = std::next(last);
  }
  return text;
}

const char* kind_name(CommunicationKind kind) {
  constexpr const char* kNames[] = {"all-reduce", "all-gather",    "reduce-scatter",
                                    "all-to-all", "halo-exchange", "transfer"};
  return kNames[static_cast<int>(kind)];
}

/// Bytes of one use: what one device gives to a collective; what all messages of a transfer carry.
double use_bytes(const Communication& communication, const Communication& stated) {
  double bytes = 0;
  if (communication.kind != CommunicationKind::transfer) {
    for (const Shape& part : communication.parts) bytes += static_cast<double>(num_bytes(part));
    return bytes;
  }
  for (const TransferStep& step : stated.steps)
    bytes += static_cast<double>(message_bytes(stated, step));
  return bytes * static_cast<double>(communication.num_shares);
}

/// `12 ops: 4 dot, 2 exponential, ...`
std::string ops_text(const Program& program) {
  std::map<std::string, int> counts;
  int total = 0;
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::parameter) continue;
    ++counts[std::string(ir::op_name(op.kind))];
    ++total;
  }
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto& [name, count] : counts) sorted.push_back({-count, name});
  std::sort(sorted.begin(), sorted.end());
  std::string text = fmt::format("{} ops", total);
  for (std::size_t i = 0; i < std::min<std::size_t>(4, sorted.size()); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? ": " : ", ", -sorted[i].first, sorted[i].second);
  }
  return text + (sorted.size() > 4 ? ", ..." : "");
}

/// Instructions of one pass of one micro-batch, one after the other.
struct PassInstructions {
  std::int32_t chunk = -1, micro_batch = -1;
  InstructionPhase phase = InstructionPhase::forward;
  std::size_t first = 0, last = 0;  ///< half-open
};

/// `direct`: each message comes from a device that holds it; `relayed`: receivers pass on.
std::string regime_text(const Communication& communication) {
  std::int64_t most_bytes = 0;
  std::vector<int> hops;
  for (const TransferStep& step : communication.steps) {
    most_bytes = std::max(most_bytes, message_bytes(communication, step));
    int before = 0;
    for (const std::int32_t earlier : step.after) {
      if (step.relayed && communication.steps[at(earlier)].to == step.from)
        before = std::max(before, hops[at(earlier)]);
    }
    hops.push_back(before + 1);
  }
  const int most_hops = hops.empty() ? 0 : *std::max_element(hops.begin(), hops.end());
  const std::string size = "messages of up to " + bytes_text(static_cast<double>(most_bytes));
  return most_hops < 2 ? "direct: " + size
                       : fmt::format("relayed: {}, over up to {} hops", size, most_hops);
}

class Explainer {
 public:
  explicit Explainer(const ExecutionPlan& plan) : plan_(plan) {}

  std::string text() {
    line("plan '{}': {}, {}{} roles on cluster '{}' ({} devices){}", plan_.name,
         micro_batches_text(plan_.num_micro_batches),
         plan_.num_replicas > 1 ? fmt::format("{} replicas, ", plan_.num_replicas) : "",
         plan_.roles.size(), plan_.cluster.name, plan_.cluster.num_devices(),
         plan_.incomplete ? ", incomplete: its numbers mean nothing" : "");
    for (const auto& [what, id] :
         {std::pair("search", &plan_.search), std::pair("resharding", &plan_.resharding),
          std::pair("schedule", &plan_.schedule)}) {
      if (!id->empty()) line("  {}: {}", what, *id);
    }
    line("  {} distinct programs, {} communications", plan_.programs.size(),
         plan_.communications.size());
    for (std::size_t role = 0; role < plan_.roles.size(); ++role) explain_role(role);
    explain_communications();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void explain_role(std::size_t index) {
    const Role& role = plan_.roles[index];
    std::string axes;
    for (const MeshAxis& axis : role.mesh.axes)
      axes += fmt::format("{}{} {}", axes.empty() ? "" : " x ", axis.name, axis.size);
    line("\nrole {}: devices {} ({})", index, ranges(role.mesh.devices), axes);
    explain_memory(role);
    const std::vector<PassInstructions> blocks = blocks_of(role);
    line("  order: {}", order_of(blocks));
    explain_patterns(role, blocks);
  }

  void explain_memory(const Role& role) {
    double persistent = 0;
    for (const PlanBuffer& buffer : role.buffers)
      persistent += buffer.persistent ? static_cast<double>(num_bytes(buffer.shape)) : 0;
    line(
        "  memory of each device: {}: {} of inputs and states, {} of other buffers, {} of "
        "workspace; {} buffers",
        bytes_text(static_cast<double>(memory_bytes(role))), bytes_text(persistent),
        bytes_text(static_cast<double>(role.arena_bytes) - persistent),
        bytes_text(static_cast<double>(role.workspace_bytes)), role.buffers.size());
  }

  /// A block goes on until a Run of another pass or micro-batch; what is posted before a Run
  /// belongs to it.
  std::vector<PassInstructions> blocks_of(const Role& role) const {
    std::vector<PassInstructions> blocks;
    for (std::size_t i = 0; i < role.instructions.size(); ++i) {
      const Instruction& instruction = role.instructions[i];
      const bool is_run = instruction.kind == InstructionKind::run;
      const bool same = !blocks.empty() && blocks.back().chunk == instruction.chunk &&
                        blocks.back().phase == instruction.phase &&
                        (!is_run || blocks.back().micro_batch == kUnknown ||
                         blocks.back().micro_batch == instruction.instance);
      if (!same) blocks.push_back({instruction.chunk, kUnknown, instruction.phase, i, i});
      blocks.back().last = i + 1;
      if (is_run) blocks.back().micro_batch = instruction.instance;
    }
    return blocks;
  }

  static std::string short_name(const PassInstructions& block) {
    if (block.phase == InstructionPhase::update) return "update";
    if (block.micro_batch < 0) return "prologue";
    const char letter = block.phase == InstructionPhase::forward  ? 'F'
                        : block.phase == InstructionPhase::weight ? 'W'
                                                                  : 'B';
    return fmt::format("{}{}", letter, block.chunk);
  }
  static std::string token(const PassInstructions& block) {
    return block.micro_batch < 0 ? short_name(block)
                                 : fmt::format("{}.{}", short_name(block), block.micro_batch);
  }
  /// F0.0 F0.1 {B0.0 F0.2} ... {B0.61 F0.63} B0.62 B0.63 update
  static std::string order_of(const std::vector<PassInstructions>& blocks) {
    std::string text;
    for (std::size_t i = 0; i < blocks.size();) {
      std::size_t best_period = 1, best_count = 1;
      for (std::size_t period = 1; period <= 8; ++period) {
        const std::size_t count = repeats(blocks, i, period);
        if (count >= 3 && count * period > best_count * best_period)
          best_period = period, best_count = count;
      }
      const std::string first = tokens(blocks, i, best_period);
      if (best_count == 1) text += first + " ";
      else
        text += fmt::format("{{{}}} ... {{{}}} ", first,
                            tokens(blocks, i + (best_count - 1) * best_period, best_period));
      i += best_count * best_period;
    }
    return text;
  }
  static std::string tokens(const std::vector<PassInstructions>& blocks, std::size_t first,
                            std::size_t count) {
    std::string text;
    for (std::size_t i = first; i < first + count; ++i)
      text += (i > first ? " " : "") + token(blocks[i]);
    return text;
  }
  /// How often the `period` blocks from `first` on come, each time for the next micro-batch.
  static std::size_t repeats(const std::vector<PassInstructions>& blocks, std::size_t first,
                             std::size_t period) {
    std::size_t length = period;
    for (; first + length < blocks.size(); ++length) {
      const PassInstructions& now = blocks[first + length];
      const PassInstructions& before = blocks[first + length - period];
      const bool follows = now.chunk == before.chunk && now.phase == before.phase &&
                           before.micro_batch >= 0 && now.micro_batch == before.micro_batch + 1;
      if (!follows) break;
    }
    return length / period;
  }

  /// Blocks that do the same, once, with the micro-batches that they are for.
  void explain_patterns(const Role& role, const std::vector<PassInstructions>& blocks) {
    std::map<std::vector<std::int64_t>, std::set<std::int32_t>> micro_batches;
    std::map<std::vector<std::int64_t>, std::int64_t> most_alive;
    const std::vector<std::int64_t> alive = live_bytes(role);
    std::vector<std::pair<std::vector<std::int64_t>, const PassInstructions*>> patterns;
    for (const PassInstructions& block : blocks) {
      std::vector<std::int64_t> key{block.chunk, static_cast<int>(block.phase)};
      for (std::size_t i = block.first; i < block.last; ++i) {
        const Instruction& instruction = role.instructions[i];
        key.insert(key.end(), {static_cast<int>(instruction.kind), instruction.index,
                               relative(instruction, block)});
      }
      std::set<std::int32_t>& list = micro_batches[key];
      if (list.empty()) patterns.push_back({key, &block});
      list.insert(block.micro_batch);
      for (std::size_t i = block.first; i < block.last; ++i)
        most_alive[key] = std::max(most_alive[key], alive[i]);
    }
    for (const auto& [key, block] : patterns) {
      const bool once = block->micro_batch < 0;
      line("  {}{}, at most {} alive:", short_name(*block),
           once ? "" : fmt::format(" of micro-batch {}", ranges(micro_batches[key])),
           bytes_text(static_cast<double>(most_alive[key])));
      for (std::size_t i = block->first; i < block->last; ++i) explain_instruction(role, i, *block);
    }
  }
  /// Micro-batches ahead of the block's own.
  static std::int64_t relative(const Instruction& instruction, const PassInstructions& block) {
    return instruction.instance < 0 ? kUnknown
                                    : instruction.instance - std::max(0, block.micro_batch);
  }

  void explain_instruction(const Role& role, std::size_t index, const PassInstructions& block) {
    const Instruction& instruction = role.instructions[index];
    const std::int64_t ahead = relative(instruction, block);
    const std::string when = ahead == kUnknown || ahead == 0 || block.micro_batch < 0
                                 ? ""
                                 : fmt::format(" (micro-batch {:+})", ahead);
    switch (instruction.kind) {
      case InstructionKind::run:
        return line("    run   {:<4} {}", instruction.index,
                    ops_text(plan_.programs[at(instruction.index)]));
      case InstructionKind::start: return explain_start(instruction, when);
      case InstructionKind::wait:
        return line("    wait  {:<4} {}{}", instruction.index,
                    plan_.communications[at(instruction.index)].name, when);
      case InstructionKind::free: return explain_free(role, instruction);
    }
  }
  /// At the end of the line of the instruction with which their lives end.
  void explain_free(const Role& role, const Instruction& instruction) {
    double bytes = 0;
    for (const std::int32_t buffer : instruction.inputs)
      bytes += static_cast<double>(num_bytes(role.buffers[at(buffer)].shape));
    text_.pop_back();
    line("; frees {}", bytes_text(bytes));
  }
  void explain_start(const Instruction& instruction, const std::string& when) {
    const Communication& communication = plan_.communications[at(instruction.index)];
    const auto given = [](const std::vector<std::int32_t>& buffers) {
      return std::any_of(buffers.begin(), buffers.end(),
                         [](std::int32_t buffer) { return buffer >= 0; });
    };
    const char* what = "start";
    if (communication.kind == CommunicationKind::transfer)
      what = given(instruction.inputs) ? "send " : "recv ";
    line("    {} {:<4} {}{}: {}", what, instruction.index, communication.name, when,
         bytes_text(bytes_of(communication)));
  }
  std::int64_t num_messages(const Communication& communication) const {
    return communication.num_shares *
           std::ssize(stated_by(plan_.communications, communication).steps);
  }
  double bytes_of(const Communication& communication) const {
    return use_bytes(communication, stated_by(plan_.communications, communication));
  }

  void explain_communications() {
    std::map<std::int32_t, std::set<std::int32_t>> uses;
    for (const Role& role : plan_.roles) {
      for (const Instruction& instruction : role.instructions) {
        if (instruction.kind == InstructionKind::start)
          uses[instruction.index].insert(instruction.instance);
      }
    }
    line("\ncommunications of one step:");
    std::map<CommunicationKind, std::pair<std::size_t, double>> totals;
    for (const auto& [index, instances] : uses) {
      const Communication& communication = plan_.communications[at(index)];
      auto& [count, bytes] = totals[communication.kind];
      count += instances.size();
      bytes += static_cast<double>(instances.size()) * bytes_of(communication);
      if (communication.kind != CommunicationKind::transfer) continue;
      line("  {:<4} {}: {} parts in {} messages, {}, {} times", index, communication.name,
           communication.parts.size(), num_messages(communication),
           bytes_text(bytes_of(communication)), instances.size());
      line("       {}", regime_text(stated_by(plan_.communications, communication)));
    }
    for (const auto& [kind, total] : totals) {
      line("  {}: {} uses, {}{}", kind_name(kind), total.first, bytes_text(total.second),
           kind == CommunicationKind::transfer ? " in all" : " from each device of its role");
    }
  }

  static constexpr std::int32_t kUnknown = -(1 << 30);

  const ExecutionPlan& plan_;
  std::string text_;
};

}  // namespace

std::string explain(const ExecutionPlan& plan) { return Explainer(plan).text(); }

}  // namespace rhino::plan
