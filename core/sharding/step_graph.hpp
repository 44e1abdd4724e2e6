// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rhino/program.hpp"
#include "rhino/strategy.hpp"
#include "sharding/micro_view.hpp"
#include "sharding/op_graph.hpp"
#include "sharding/op_keys.hpp"
#include "sharding/partition.hpp"
#include "sharding/rule.hpp"

namespace rhino::sharding {

/// One chunk program. `level` tells several programs of a chunk and phase apart: they occur only
/// where chunks wait for each other in turn within a phase.
struct Place {
  std::int32_t chunk = -1;
  ChunkPhase phase = ChunkPhase::forward;
  std::int32_t level = 0;
  auto operator<=>(const Place&) const = default;
};

/// When a value exists.
enum class Timing : std::uint8_t {
  once,   ///< per step, from the start
  each,   ///< per micro-batch
  after,  ///< per step, behind an accumulated value
};

/// The form of an op on its devices: what it needs and yields.
struct OpForm {
  std::vector<MicroView> needs;  ///< per operand
  MicroView result;
};

/// Where and when everything of a step is computed. A copied value has no place: what is cheap to
/// make (constants, iotas, scalars of these, a scalar spread over a shape) is made anew, in the
/// form that is needed, in every program that reads it.
class StepGraph {
 public:
  /// All are borrowed. Throws Error where `strategy` has no meaning for `program`: an op per
  /// micro-batch waits for an accumulated value, chunks wait for each other, ... With the graph of
  /// the program ops that are alike and cut alike are worked out once: they share one form.
  StepGraph(const Program& program, const Strategy& strategy, const OpGraph* graph = nullptr);

  /// Gives ops of the backward passes of these chunks (empty: of none) to their weight programs,
  /// see Partitioner; those of others back.
  void cut_backward(const std::vector<bool>& is_cut);

  const Program& program() const { return program_; }
  /// Its chunk_of lacks what has no place of its own: chunks_of().
  const Strategy& strategy() const { return strategy_; }
  const Mesh& mesh(std::int32_t chunk) const {
    return strategy_.chunks[static_cast<std::size_t>(chunk)].mesh;
  }
  bool same_mesh(std::int32_t a, std::int32_t b) const { return a == b || mesh(a) == mesh(b); }
  std::int64_t num_micro_batches() const { return strategy_.num_micro_batches; }

  bool is_copied(ValueId id) const { return nodes_[index(id)].copied; }
  /// The Program's input that yields `id`, nullptr for ops.
  const Input* input_of(ValueId id) const;
  /// Chunk that computes `id`, or owns it where it is an input; -1: any.
  std::int32_t chunk_of(ValueId id) const { return nodes_[index(id)].chunk; }
  /// The same, where what is copied has none but what the strategy gives it.
  const std::vector<std::int32_t>& chunks_of() const { return chunks_of_; }
  Timing timing(ValueId id) const { return nodes_[index(id)].timing; }
  /// Of an op that is not copied.
  const Place& home(ValueId id) const { return nodes_[index(id)].home; }
  /// Of an op that is not copied; of an input only `result`.
  const OpForm& form(ValueId id) const { return *forms_[index(id)]; }

  /// The form of a copied op that comes closest to `wanted` on the mesh of `chunk`; what remains is
  /// a matter of slicing. It lasts as long as the graph, and ops that are alike share it.
  const OpForm& copied_form(ValueId id, const MicroView& wanted, std::int32_t chunk) const;

  /// Where output number `output` of the Program leaves, and whether every micro-batch yields one.
  const Place& output_place(std::size_t output) const { return output_places_[output]; }

  /// "op 12 dot 'h0.mlp.up'": for errors.
  std::string text(ValueId id) const;

 private:
  struct Node {
    bool copied = false;
    bool early = false;     ///< once, and something per micro-batch depends on it
    bool backward = false;  ///< a backward op, or behind one
    std::int32_t chunk = -1;
    std::int32_t input = -1;
    Timing timing = Timing::once;
    Place home;
  };

  static std::size_t index(ValueId id) { return static_cast<std::size_t>(id); }
  const Op& op(ValueId id) const { return program_.op(id); }
  const Shape& shape(ValueId value) const { return program_.shape(value); }

  void classify(ValueId id);
  bool may_copy(ValueId id) const;
  void find_chunk(ValueId id);
  void make_form(ValueId id);
  const OpForm& op_form(ValueId id);
  OpForm make_form(ValueId id, const OpRule& rule, const OpSharding& sharding,
                   const Mesh& mesh) const;
  OpForm make_copied_form(ValueId id, const MicroView& wanted, std::int32_t chunk) const;
  bool adds_terms(ValueId id) const;
  void add_terms(ValueId id);
  bool is_read_once(ValueId id) const;
  bool waits(ValueId operand) const;
  Timing input_timing(ValueId id) const;
  Timing copied_timing(ValueId id) const;
  Timing op_timing(ValueId id) const;

  void mark_early();
  void spread_in_passes();
  void place_ops();
  void check_micro_order() const;
  bool is_activation_gradient(ValueId id) const;

  /// Level of a program of `reader`'s chunk and phase that can read `value`.
  std::int32_t arrival(ValueId value, const Place& reader);
  void order_phase(ChunkPhase phase);
  bool waits_in_turn() const;
  void delay_updates();
  Place place_output(const Output& output);

  const Program& program_;
  const Strategy& strategy_;
  std::vector<std::int32_t> chunks_of_;
  std::vector<Node> nodes_;
  std::deque<OpForm> made_forms_;
  std::vector<const OpForm*> forms_;  ///< per value; an empty one where it is copied
  const OpGraph* graph_;
  mutable std::vector<std::int32_t> num_uses_;  ///< without a graph, once they are asked for
  std::optional<const OpKeys> keys_;            ///< where there is a graph
  OpKeys::Known<const OpForm*> known_forms_;
  struct CopiedForm {
    std::int32_t op_class = 0, chunk = 0;  ///< where there is no graph, the op is a class
    MicroView wanted;
    std::unique_ptr<const OpForm> form;
  };
  mutable std::unordered_multimap<std::size_t, CopiedForm> known_copies_;  ///< by hash
  std::vector<Place> output_places_;
  /// (a, b): within the phase that is being ordered, chunk b waits for chunk a.
  std::set<std::pair<std::int32_t, std::int32_t>> waits_for_;
};

}  // namespace rhino::sharding
