// SPDX-License-Identifier: Apache-2.0
// What runs computations: calls, loops, conditionals.
#include <algorithm>
#include <utility>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_importer.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

constexpr int kMaxCallDepth = 200;
constexpr std::int64_t kMaxMade = 5'000'000;

/// `{%a, %b}`
OperandNames read_names(std::string_view text) {
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  return operand_names(text);
}

}  // namespace

const Body& Importer::body_of(const Computation& computation) {
  std::unique_ptr<Body>& body = bodies_[&computation];
  if (!body) {
    try {
      body = std::make_unique<Body>(computation, reader_, file_);
    } catch (const Error&) {
      is_placed_ = true;
      throw;
    }
  }
  return *body;
}

Item Importer::run_body(const Body& body, const std::vector<Item>* arguments) {
  if (depth_ >= kMaxCallDepth) throw Error("computations call each other deeper than 200");
  std::vector<Notes>& notes = notes_[&body];
  if (unrolling_ > 0) notes.resize(body.size());
  Frame frame{body, notes, {}, arguments};
  frame.items.reserve(body.size());
  ++depth_;
  make_items(frame);
  --depth_;
  const Item result = frame.items[body.root()];
  if (!arguments) entry_items_ = std::move(frame.items);
  return result;
}

void Importer::make_items(Frame& frame) {
  std::size_t i = 0;
  try {
    for (; i < frame.body.size(); ++i) frame.items.push_back(make(frame, i));
  } catch (const Error& error) {
    if (std::exchange(is_placed_, true)) throw;
    throw Error(hlo::place(file_, frame.body.instruction(i)) + error.what());
  }
}

Item Importer::make(Frame& frame, std::size_t i) {
  if (++num_made_ > kMaxMade) throw Error("more than 5000000 instructions are inlined");
  const Make make = make_of(frame, i);
  return make ? (this->*make)(frame, i) : make_op(frame, i);
}

Importer::Make Importer::make_of(Frame& frame, std::size_t i) {
  const std::string_view opcode = frame.body.instruction(i).opcode;
  if (frame.notes.empty()) return find_make(opcode);
  Notes& notes = frame.notes[i];
  if (!notes.is_found) notes.make = find_make(opcode);
  notes.is_found = true;
  return notes.make;
}

Importer::Make Importer::find_make(std::string_view opcode) {
  static const std::unordered_map<std::string_view, Make> kMakes = {
      {"all-gather", &Importer::make_collective},
      {"all-reduce", &Importer::make_collective},
      {"all-to-all", &Importer::make_collective},
      {"batch-norm-grad", &Importer::make_batch_norm},
      {"batch-norm-inference", &Importer::make_batch_norm},
      {"batch-norm-training", &Importer::make_batch_norm},
      {"broadcast", &Importer::make_broadcast},
      {"call", &Importer::make_call},
      {"conditional", &Importer::make_conditional},
      {"constant", &Importer::make_constant},
      {"copy", &Importer::make_same},
      {"custom-call", &Importer::make_custom_call},
      {"dynamic-slice", &Importer::make_dynamic_slice},
      {"dynamic-update-slice", &Importer::make_dynamic_update_slice},
      {"fusion", &Importer::make_call},
      {"gather", &Importer::make_gather},
      {"get-tuple-element", &Importer::take_element},
      {"opt-barrier", &Importer::make_same},
      {"parameter", &Importer::make_parameter},
      {"reduce", &Importer::make_reduce},
      {"reduce-precision", &Importer::make_reduce_precision},
      {"reduce-scatter", &Importer::make_collective},
      {"scatter", &Importer::make_scatter},
      {"rng-bit-generator", &Importer::make_random},
      {"sort", &Importer::make_sort},
      {"topk", &Importer::make_top_k},
      {"tuple", &Importer::make_tuple},
      {"while", &Importer::make_while},
  };
  const auto found = kMakes.find(opcode);
  return found == kMakes.end() ? nullptr : found->second;
}

Item Importer::run_named(std::string_view computation, const std::vector<Item>& arguments) {
  if (computation.empty()) throw Error("names no computation");
  return run_body(body_of(reader_.computation(computation)), &arguments);
}

Item Importer::make_call(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  std::vector<Item> arguments;
  arguments.reserve(frame.body.num_operands(i));
  for (std::size_t k = 0; k < frame.body.num_operands(i); ++k) {
    arguments.push_back(item(frame, i, k));
  }
  const bool is_fusion = instruction.opcode == "fusion";
  return run_named(instruction.attribute(is_fusion ? "calls" : "to_apply"), arguments);
}

Item Importer::make_while(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::string_view condition = instruction.attribute("condition"),
                         body = instruction.attribute("body");
  const std::int64_t limit = builder_.program().size() + options_.max_unrolled_ops;
  Item state = item(frame, i, 0);
  ++unrolling_;
  for (std::int64_t round = 0;; ++round) {
    const std::optional<double> goes_on = items_.known(run_named(condition, {state}));
    if (!goes_on) {
      throw Error(
          "how often this loop runs is not known: its condition depends on more than counters "
          "that begin with constants");
    }
    if (*goes_on == 0) break;
    state = run_named(body, {state});
    if (builder_.program().size() > limit || round > options_.max_unrolled_ops) {
      throw Error("this loop makes more than " + std::to_string(options_.max_unrolled_ops) +
                  " ops when it is unrolled, in round " + std::to_string(round + 1) +
                  "; where it accumulates gradients, import one round and let micro-batches do so");
    }
  }
  --unrolling_;
  return state;
}

Item Importer::make_conditional(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const Item which = item(frame, i, 0);
  OperandNames branches = read_names(instruction.attribute("branch_computations"));
  // A truth value picks the first branch where it holds.
  const bool is_truth = items_.shape(which).dtype == DType::pred;
  if (branches.empty()) {
    branches = {instruction.attribute("true_computation"),
                instruction.attribute("false_computation")};
  }
  if (frame.body.num_operands(i) != branches.size() + 1) {
    throw Error("takes one operand for each of its " + std::to_string(branches.size()) +
                " branches");
  }
  const auto last = static_cast<std::int64_t>(branches.size()) - 1;
  const auto run = [&](std::int64_t branch) {
    return run_named(branches[at(branch)], {item(frame, i, at(branch) + 1)});
  };
  if (const std::optional<double> known = items_.known(which)) {
    if (is_truth) return run(*known != 0 ? 0 : 1);
    return run(*known >= 0 && *known < static_cast<double>(last) ? static_cast<std::int64_t>(*known)
                                                                 : last);
  }
  Item result = run(last);
  for (std::int64_t branch = last - 1; branch >= 0; --branch) {
    const ValueId index = items_.value(which);
    const ValueId predicate =
        is_truth ? index
                 : builder_.compare(
                       Comparison::eq, index,
                       builder_.fill(Shape(builder_.shape(index)), static_cast<double>(branch)));
    result = choose(predicate, run(branch), result, 0);
  }
  return result;
}

Item Importer::choose(ValueId predicate, const Item& on_true, const Item& on_false,
                      std::size_t depth) {
  if (depth > kMaxTupleDepth) throw Error("tuples nest deeper than 100");
  if (on_true.kind != Item::Kind::tuple) {
    const ValueId first = items_.value(on_true), second = items_.value(on_false);
    if (first == second) return on_true;
    const Shape shape = builder_.shape(first);
    return Items::array(
        builder_.select(builder_.broadcast_in_dim(predicate, shape.dims, {}), first, second));
  }
  const std::vector<Item> first = items_.elements(on_true), second = items_.elements(on_false);
  if (first.size() != second.size()) throw Error("branches yield tuples of different lengths");
  std::vector<Item> elements;
  for (std::size_t k = 0; k < first.size(); ++k) {
    elements.push_back(choose(predicate, first[k], second[k], depth + 1));
  }
  return items_.tuple(std::move(elements));
}

}  // namespace rhino::ir::hlo
