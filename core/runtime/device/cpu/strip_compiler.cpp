// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/strip_compiler.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::runtime {
namespace {

using Instruction = BlockInstruction;
using Where = BlockOperand::Where;

bool is_register(const BlockOperand& operand) { return operand.where == Where::scratch; }

/// Which values of a chain are needed when the accumulator has gone on: per value whether a later
/// step of the chain reads it.
class StripWriter {
 public:
  /// `needed`: registers that others read.
  StripWriter(std::vector<Instruction> maps, const std::vector<bool>& needed)
      : maps_(std::move(maps)), needed_(needed) {
    for (std::size_t i = 0; i < maps_.size(); ++i) count_reads(i);
  }

  /// nullopt where the chain has more places than fit.
  std::optional<Instruction> run() {
    for (std::size_t i = 0; i < maps_.size(); ++i) write(i);
    result_.steps.push_back({strip_end()});
    if (result_.from.size() + at(num_temporaries_) > kMaxPlaces) return std::nullopt;
    number_temporaries();
    prefetch();
    result_.kind = Instruction::Kind::strips;
    return std::move(result_);
  }

 private:
  using Form = StripOp::Form;

  /// The operand of step `i` that the step before has left in the accumulator; -1: none.
  int accumulated(std::size_t i) const {
    if (i == 0) return -1;
    const Instruction& map = maps_[i];
    const BlockOperand& last = maps_[i - 1].to;
    const auto holds = [&](std::size_t operand) { return map.from[operand] == last; };
    if (map.strip->form == Form::select) {
      return holds(1) == holds(2) ? -1 : holds(1) ? 1 : 2;
    }
    for (std::size_t operand = 0; operand < map.from.size(); ++operand) {
      if (holds(operand)) return static_cast<int>(operand);
    }
    return -1;
  }

  bool is_square(std::size_t i) const {
    return maps_[i].strip->form == Form::binary && maps_[i].from[0] == maps_[i].from[1];
  }

  void count_reads(std::size_t i) {
    const int skipped = accumulated(i);
    for (std::size_t operand = 0; operand < maps_[i].from.size(); ++operand) {
      const BlockOperand& from = maps_[i].from[operand];
      const bool in_accumulator =
          static_cast<int>(operand) == skipped || (skipped >= 0 && is_square(i));
      if (is_register(from) && !in_accumulator) last_read_[from.offset] = i;
    }
  }

  void write(std::size_t i) {
    const Instruction& map = maps_[i];
    const StripOp& op = *map.strip;
    int held = accumulated(i);
    const bool is_single_step = op.form == Form::copy || op.form == Form::unary || is_square(i);
    if (held < 0) {
      held = op.form == Form::select ? 1 : 0;
      const auto operand = static_cast<std::size_t>(held);
      add(strip_load(is_single(map, operand)), place(map, operand));
    }
    if (op.form == Form::unary) add(op.codes[0], 0);
    if (op.form == Form::binary) {
      const auto other = static_cast<std::size_t>(1 - held);
      const bool single = is_single(map, other);
      const auto where = is_square(i) ? StripOp::itself
                         : single     ? StripOp::single
                                      : StripOp::vectors;
      add(op.binary(where, held == 1), is_single_step ? 0 : place(map, other));
    }
    if (op.form == Form::select) {
      const auto other = static_cast<std::size_t>(3 - held);
      add(op.select(is_single(map, 0), is_single(map, other), held == 2), place(map, other),
          place(map, 0));
    }
    release(i);
    keep(i);
  }

  /// Stores a result that is read when the accumulator has gone on.
  void keep(std::size_t i) {
    const BlockOperand& to = maps_[i].to;
    if (!is_register(to) || needed_[at(to.offset)]) {
      const std::int32_t number = place_of(to, false);
      result_.is_written[at(number)] = true;
      add(strip_store(), number);
    } else if (last_read_.contains(to.offset)) {
      std::int32_t number = num_temporaries_;
      if (free_.empty()) {
        ++num_temporaries_;
      } else {
        number = free_.back();
        free_.pop_back();
      }
      temporaries_[to.offset] = number;
      add(strip_store(), -1 - number);
    }
  }

  /// Temporaries that step `i` was the last to read are free for its result.
  void release(std::size_t i) {
    for (const BlockOperand& from : maps_[i].from) {
      const auto known = is_register(from) ? temporaries_.find(from.offset) : temporaries_.end();
      if (known == temporaries_.end() || last_read_.at(from.offset) != i) continue;
      free_.push_back(known->second);
      temporaries_.erase(known);
    }
  }

  static bool is_single(const Instruction& map, std::size_t operand) {
    return (map.single >> operand & 1) != 0;
  }

  /// A place of the block, or -1 - t for temporary t.
  std::int32_t place(const Instruction& map, std::size_t operand) {
    const BlockOperand& from = map.from[operand];
    if (is_register(from)) {
      const auto known = temporaries_.find(from.offset);
      if (known != temporaries_.end()) return -1 - known->second;
    }
    return place_of(from, is_single(map, operand));
  }

  std::int32_t place_of(const BlockOperand& operand, bool is_single) {
    for (std::size_t i = 0; i < result_.from.size(); ++i) {
      if (result_.from[i] == operand && (result_.single >> i & 1) == (is_single ? 1U : 0U)) {
        return static_cast<std::int32_t>(i);
      }
    }
    const auto number = static_cast<std::int32_t>(result_.from.size());
    if (is_single && number < kMaxPlaces) result_.single |= std::uint64_t{1} << number;
    result_.from.push_back(operand);
    result_.is_written.push_back(false);
    return number;
  }

  void add(StripCode code, std::int32_t place, std::int32_t condition = 0) {
    result_.steps.push_back({code, place, condition, place < 0 ? 0 : ~std::int64_t{0}});
  }

  /// Streams from memory are asked for ahead of time.
  void prefetch() {
    std::vector<StripStep> steps;
    for (std::size_t i = 0; i < result_.from.size(); ++i) {
      const BlockOperand& from = result_.from[i];
      const bool streams = from.where == Where::memory && from.row_stride != 0 &&
                           from.dtype == DType::f32 && (result_.single >> i & 1) == 0;
      if (streams && !result_.is_written[i]) {
        steps.push_back({strip_prefetch(), static_cast<std::int32_t>(i)});
      }
    }
    result_.steps.insert(result_.steps.begin(), steps.begin(), steps.end());
  }

  void number_temporaries() {
    const auto first = static_cast<std::int32_t>(result_.from.size());
    for (StripStep& step : result_.steps) {
      if (step.place < 0) step.place = first + (-1 - step.place);
    }
  }

  std::vector<Instruction> maps_;
  const std::vector<bool>& needed_;
  std::map<std::int64_t, std::size_t> last_read_;  ///< of registers, from outside the accumulator
  std::map<std::int64_t, std::int32_t> temporaries_;  ///< of registers, now
  std::vector<std::int32_t> free_;
  std::int32_t num_temporaries_ = 0;
  Instruction result_;
};

class StripCompiler {
 public:
  explicit StripCompiler(std::vector<Instruction> instructions)
      : instructions_(std::move(instructions)) {
    for (const Instruction& instruction : instructions_) {
      for (const BlockOperand& from : instruction.from) count(from, 1);
    }
  }

  std::vector<Instruction> run() {
    for (Instruction& instruction : instructions_) {
      if (continues(instruction)) {
        if (chain_.size() == kMaxMaps) close();
        chain_.push_back(std::move(instruction));
      } else {
        place(std::move(instruction));
      }
    }
    close();
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kMaxMaps = 48;

  static bool continues(const Instruction& instruction) {
    return instruction.kind == Instruction::Kind::map && instruction.strip != nullptr &&
           instruction.extent == Extent::full;
  }

  void place(Instruction instruction) {
    const bool writes_memory =
        instruction.kind == Instruction::Kind::store || instruction.to.where == Where::memory;
    if (!writes_memory && !reads_chain(instruction)) {
      result_.push_back(std::move(instruction));
    } else if (!writes_memory && instruction.kind == Instruction::Kind::accumulate) {
      behind_.push_back(std::move(instruction));
    } else {
      close();
      result_.push_back(std::move(instruction));
    }
  }

  bool reads_chain(const Instruction& instruction) const {
    return std::ranges::any_of(instruction.from, [&](const BlockOperand& from) {
      return std::ranges::any_of(chain_, [&](const Instruction& map) {
        return from.where == map.to.where &&
               (is_register(from) ? from.offset == map.to.offset : from.base == map.to.base);
      });
    });
  }

  void count(const BlockOperand& operand, int change) {
    if (!is_register(operand)) return;
    const std::size_t number = at(operand.offset);
    if (number >= reads_.size()) reads_.resize(number + 1);
    reads_[number] += change;
  }

  /// Ends the chain. One map alone is faster as it is.
  void close() {
    std::optional<Instruction> strips;
    if (chain_.size() > 1) strips = StripWriter(chain_, needed()).run();
    if (strips) {
      result_.push_back(*std::move(strips));
    } else {
      std::ranges::move(chain_, std::back_inserter(result_));
    }
    std::ranges::move(behind_, std::back_inserter(result_));
    chain_.clear();
    behind_.clear();
  }

  /// Per register: whether others than the chain read it.
  std::vector<bool> needed() {
    for (const Instruction& map : chain_) {
      for (const BlockOperand& from : map.from) count(from, -1);
      count(map.to, 0);
    }
    std::vector<bool> needed(reads_.size());
    for (std::size_t i = 0; i < reads_.size(); ++i) needed[i] = reads_[i] > 0;
    return needed;
  }

  std::vector<Instruction> instructions_, chain_, behind_, result_;
  std::vector<int> reads_;  ///< per register: by instructions that are in no chain yet
};

}  // namespace

std::vector<Instruction> with_strips(std::vector<Instruction> instructions) {
  return StripCompiler(std::move(instructions)).run();
}

}  // namespace rhino::runtime
