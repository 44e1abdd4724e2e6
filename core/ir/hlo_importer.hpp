// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "ir/hlo_body.hpp"
#include "ir/hlo_custom_call.hpp"
#include "ir/hlo_frontend.hpp"
#include "ir/hlo_items.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_static.hpp"
#include "ir/hlo_text.hpp"
#include "ir/hlo_wide.hpp"

namespace rhino::ir::hlo {

/// Makes a Program of a module. Computations run as functions do, with items for values: what they
/// call is inlined. In hlo_import.cpp; what runs computations in hlo_import_calls.cpp; ops that are
/// made of others, or have several results, in hlo_import_others.cpp; inputs and outputs in
/// hlo_import_interface.cpp.
class Importer {
 public:
  /// All arguments must outlive it.
  Importer(const Module& module, const std::string& file, const ImportOptions& options);

  Program run();

 private:
  struct Frame;
  using Make = Item (Importer::*)(Frame&, std::size_t);
  /// What the text of an instruction in a loop says: it is read once and made in every round.
  struct Notes {
    bool is_found = false, has_attributes = false;
    Make make = nullptr;
    std::optional<OpKind> kind;  ///< of what make_op() makes, and its shape
    Shape shape;
    Attributes attributes;
    ValueId made = kNoValue;  ///< by make_op() in an earlier round, where the next ones are alike
  };
  /// A computation under way.
  struct Frame {
    const Body& body;
    std::vector<Notes>& notes;           ///< of its instructions
    std::vector<Item> items;             ///< of the instructions that are done
    const std::vector<Item>* arguments;  ///< null: of the entry, inputs of the Program
  };
  static Make find_make(std::string_view opcode);
  static Make make_of(Frame& frame, std::size_t i);

  // Computations.
  const Body& body_of(const Computation& computation);
  Item run_body(const Body& body, const std::vector<Item>* arguments);
  Item run_named(std::string_view computation, const std::vector<Item>& arguments);
  void make_items(Frame& frame);
  Item make(Frame& frame, std::size_t i);

  // One instruction each; `frame.items` of its operands are done.
  Item make_op(Frame& frame, std::size_t i);
  Item make_parameter(Frame& frame, std::size_t i);
  Item make_constant(Frame& frame, std::size_t i);
  Item make_broadcast(Frame& frame, std::size_t i);
  Item make_same(Frame& frame, std::size_t i);
  Item make_tuple(Frame& frame, std::size_t i);
  Item take_element(Frame& frame, std::size_t i);
  Item make_call(Frame& frame, std::size_t i);
  Item make_while(Frame& frame, std::size_t i);
  Item make_conditional(Frame& frame, std::size_t i);
  Item make_sort(Frame& frame, std::size_t i);
  Item make_reduce(Frame& frame, std::size_t i);
  Item make_batch_norm(Frame& frame, std::size_t i);
  Item make_custom_call(Frame& frame, std::size_t i);
  Item make_top_k(Frame& frame, std::size_t i);
  Item make_reduce_precision(Frame& frame, std::size_t i);
  /// Of what means nothing: Error where it means that each device has its part.
  void require_same_shape(Frame& frame, std::size_t i);
  Item make_collective(Frame& frame, std::size_t i);
  Item make_gather(Frame& frame, std::size_t i);
  Item make_scatter(Frame& frame, std::size_t i);
  Item make_dynamic_slice(Frame& frame, std::size_t i);
  Item make_dynamic_update_slice(Frame& frame, std::size_t i);
  Item make_random(Frame& frame, std::size_t i);

  // In hlo_import_wide.cpp: what reads or yields u64.
  bool touches_wide(const Frame& frame, std::size_t i) const;
  bool is_wide_operand(const Frame& frame, std::size_t i, std::size_t k) const;
  Item make_wide(Frame& frame, std::size_t i);
  ValueId wide_constant(const Instruction& instruction);
  ValueId wide_conversion(Frame& frame, std::size_t i);
  /// Kinds that move whole elements: the words go along.
  ValueId wide_movement(const Instruction& instruction, OpKind kind, std::vector<ValueId> operands);
  ValueId wide_arithmetic(const Instruction& instruction, OpKind kind,
                          const std::vector<ValueId>& operands);

  Item item(const Frame& frame, std::size_t i, std::size_t k) const;
  ValueId value(const Frame& frame, std::size_t i, std::size_t k);
  std::vector<ValueId> values(const Frame& frame, std::size_t i);
  /// A tuple of these, or the one.
  Item tuple_of(const std::vector<ValueId>& values);
  /// An op of the kind that `instruction` names and declares the shape of.
  ValueId append(const Instruction& instruction, OpKind kind, std::vector<ValueId> operands,
                 Attributes attributes);
  ValueId append(const Instruction& instruction, OpKind kind, std::vector<ValueId> operands,
                 Attributes attributes, Shape shape);
  /// Whether these have the shapes of the operands of an op that was made.
  bool fit(ValueId made, const std::vector<ValueId>& operands) const;
  Attributes attributes_of(Notes& notes, const Instruction& instruction) const;
  /// Those of a loop, or `fresh` ones.
  Notes& notes_of(Frame& frame, std::size_t i, Notes& fresh) const {
    return frame.notes.empty() ? fresh : frame.notes[i];
  }
  /// What ops that are made of others yield, and how it is called.
  void check_result(const Instruction& instruction, ValueId result);
  ValueId named(const Instruction& instruction, ValueId result);
  /// An integer of any type as where a slice begins.
  ValueId as_start(ValueId start);
  /// Operands of shapes that HLO lets differ.
  void adapt(OpKind kind, const Shape& result, std::vector<ValueId>& operands);
  Item input(const Instruction& instruction, std::string_view shape, Path path);
  Item choose(ValueId predicate, const Item& on_true, const Item& on_false, std::size_t depth);
  /// Of an op on numbers in a loop; none elsewhere.
  std::optional<Item> fold(const Frame& frame, std::size_t i, Notes& notes);
  std::optional<std::vector<std::int64_t>> known_starts(const Frame& frame, std::size_t i,
                                                        std::size_t first) const;
  void read_frontend(const Instruction& instruction);
  void set_origins(Program& program);
  void set_inputs(Program& program);
  /// Number of the input that is this part of a parameter; -1: there is none.
  std::int32_t input_at(std::int64_t parameter, const Path& path) const;
  void set_outputs(Program& program);
  std::string place(std::int32_t line) const;

  struct Origin {
    ValueId op;
    std::string_view name;  // with its quotes
    std::int32_t line;
  };
  struct NamedInput {
    std::int64_t number;  ///< of the parameter
    Path path;            ///< in it
    Input input;
  };

  const Module& module_;
  const std::string& file_;
  const ImportOptions& options_;
  const Computation& entry_;
  AttributeReader reader_;
  CustomCalls custom_calls_;
  Builder builder_;
  Items items_;
  WideIntegers wide_;
  Updates updates_;
  std::unordered_map<const Computation*, std::unique_ptr<Body>> bodies_;
  std::unordered_map<const Body*, std::vector<Notes>> notes_;
  std::vector<Item> entry_items_;
  std::vector<NamedInput> inputs_;
  std::vector<Origin> origins_;
  std::vector<std::pair<Path, ValueId>> leaves_;  ///< of the root
  int depth_ = 0;                                 ///< of computations under way
  int unrolling_ = 0;                             ///< of loops under way
  std::int64_t num_made_ = 0;
  bool is_placed_ = false;  ///< the Error under way has a place
};

}  // namespace rhino::ir::hlo
