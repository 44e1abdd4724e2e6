// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "cost/attention_price.hpp"
#include "evaluate/pipeline_time.hpp"
#include "evaluate/tables.hpp"
#include "sharding/partition.hpp"

namespace rhino::evaluate {

/// What memory an op of a fused loop touches, as long as nothing reshards inside of the loop.
struct LoopTraffic {
  std::vector<ValueId> reads;   ///< values that lie in memory; each once per loop
  std::vector<ValueId> inputs;  ///< all of them, also those that others of the loop read
  /// Operands, or what they show, that some loop reads from memory, however ops are fused.
  std::vector<std::pair<ValueId, ValueId>> sure_reads;
  std::vector<ValueId> bases;  ///< per operand what it shows; kNoValue: copied to its users
  bool writes = false;         ///< the result goes to memory
  bool surely_writes = false;
  bool opens = false;  ///< the first op of its loop: a kernel is launched
  /// Of loops that are one kernel where nothing is between them; -1: of none. And of those of them
  /// that need each other.
  std::int32_t launch = -1, nest = -1;
};

/// A kernel of attention, where its values lie as each of its ops needs them; ops are those of the
/// step.
struct PassAttention {
  lower::Attention attention;        ///< of whole tensors
  cost::AttentionDots dots;          ///< of them
  std::vector<ValueId> inputs = {};  ///< values that lie in memory
  std::vector<ValueId> results = {};
  /// A product that the softmax does without, as the gradient of its weights, and the kernels that
  /// there are where devices hold terms of it, which are added up in memory: of results that do not
  /// need it, and of those that do.
  ValueId apart = kNoValue;
  std::vector<PassAttention> parts = {};
};

/// The launch that finds out the place of a device in its mesh, for all slices that run with it.
inline constexpr std::int32_t kPlaceLaunch = 0;
/// The one that brings parts of tiles together for collectives, and that which adds what these have
/// scattered to sums: for all that runs with it.
inline constexpr std::int32_t kGatherLaunch = 1, kSumLaunch = 2;
inline constexpr std::int32_t kFirstLoopLaunch = 3;

/// What is asked of an op whenever its pass is priced.
struct PassOp {
  OpKind kind{};
  OpWork work = OpWork::none;
  bool is_heavy = false;  ///< OpTraits::heavy
  bool is_anew = false;   ///< an earlier pass has made it, too
  bool leaves = false;    ///< something behind the pass reads what this one makes
  bool is_accumulated = false, may_attend = false;  ///< as of Frame
  bool attends = false;                             ///< of an attention, or inside of one
  std::uint32_t departing = 0;                      ///< PassOps::departing
  std::int32_t first_read = 0, num_reads = 0;       ///< PassOps::reads
};

/// An operand that is not copied to its users, or, behind them, what such copies are made of.
struct PassRead {
  ValueId value = kNoValue;
  std::int32_t operand = 0;  ///< -1: it is in a copy, whole
  bool is_again = false;     ///< an earlier operand of the op is the same
};

/// The ops of a chunk in one phase, in order, with what of earlier passes it makes anew.
struct PassOps {
  std::int32_t chunk = 0;
  sharding::ChunkPhase phase = sharding::ChunkPhase::forward;
  std::vector<ValueId> ops = {};
  /// Where, in `ops`, further programs of it begin, which run behind all of those before them.
  std::vector<std::size_t> further = {};
  std::vector<std::int32_t> place = {};   ///< per value: index in `ops`; -1: not made here
  std::vector<PassOp> facts = {};         ///< per op
  std::vector<PassRead> reads = {};       ///< by op
  std::vector<LoopTraffic> traffic = {};  ///< per op; of OpWork::loop
  std::vector<PassAttention> attentions = {};
  /// Per op, of `attentions` that which it is of; -1: none.
  std::vector<std::int32_t> attention_of = {};
  Flags is_inside = {};                       ///< per op: made inside of such a kernel alone
  std::vector<ValueId> arriving = {};         ///< increasing: other meshes make them meanwhile
  std::vector<std::int32_t> brought_by = {};  ///< of each of them: the number of its arrival
  std::int32_t num_arrivals = 0;              ///< they are waited for in order
  std::vector<std::int32_t> crossings = {};   ///< per arrival, that which brings it
  /// Of these that of the nearest chunk, and the number of its arrival.
  std::int32_t main_crossing = -1, main_arrival = 0;
  /// What leaves for other meshes, by value: a bit for each crossing of the pass.
  std::map<ValueId, std::uint32_t> departing = {};
  std::int32_t num_departures = 0;
  /// -1: it is there, or made here.
  std::int32_t arrival_of(ValueId id) const {
    const auto found = std::ranges::lower_bound(arriving, id);
    if (found == arriving.end() || *found != id) return -1;
    return brought_by[static_cast<std::size_t>(found - arriving.begin())];
  }
  bool makes(ValueId id) const { return place[static_cast<std::size_t>(id)] >= 0; }
  const PassOp& facts_of(ValueId id) const {
    return facts[static_cast<std::size_t>(place[static_cast<std::size_t>(id)])];
  }
  std::span<const PassRead> reads_of(const PassOp& op) const {
    return std::span(reads).subspan(static_cast<std::size_t>(op.first_read),
                                    static_cast<std::size_t>(op.num_reads));
  }
  const LoopTraffic& traffic_of(ValueId id) const {
    return traffic[static_cast<std::size_t>(place[static_cast<std::size_t>(id)])];
  }
  bool repeats() const { return sharding::is_pass(phase); }  ///< runs once per micro-batch
};

/// The ops of one phase of a chunk, by name.
struct PassPlace {
  sharding::ChunkPhase phase = sharding::ChunkPhase::forward;
  std::int32_t chunk = 0;
  auto operator<=>(const PassPlace&) const = default;
};

/// What one pass, or prologue, or update, makes for others on other meshes, as one handover: each
/// value, and per mesh that gets it the first to read it there.
struct CrossingValues {
  PassPlace from;
  std::int32_t level = 0;       ///< of the programs of `from`, where these wait for others in turn
  std::int32_t departure = -1;  ///< its bit in PassOps::departing; of a prologue none
  std::vector<std::pair<ValueId, std::vector<PassPlace>>> values;
  /// Of each chunk that gets some of it the first pass to read any: this waits for it all.
  std::set<PassPlace> readers() const;
};

/// A value of each micro-batch in the memory of a chunk's devices.
struct KeptValue {
  ValueId value = kNoValue;
  /// The pass that makes or first gets it, and the last one that reads it.
  sharding::ChunkPhase first{}, last{};
};

/// Into how many parts micro-batches and devices cut a batch, where nothing but a row of it is left
/// to each: loops fuse otherwise than where there are several. 0: they do not.
std::int64_t num_single_rows(const Program& program, const Strategy& strategy);

/// How micro-batches and devices cut a batch, see num_single_rows().
struct Rows {
  std::int64_t num_single = 0;
  std::vector<std::uint32_t> cut_dims;  ///< per value, to single rows, a bit each; else empty
};

/// What of a strategy does not depend on how values are cut over meshes, but for single rows: which
/// pass makes what, and, once find_loops() has been there, how its ops fuse. Made from the
/// partitioner's own view of a step.
struct Frame {
  /// `is_cut`: every backward pass runs in two.
  Frame(const sharding::OpGraph& graph, const Strategy& strategy, bool is_cut);

  Rows rows;

  std::vector<PassOps> passes;  ///< by chunk and phase; empty ones are left out
  // Per value.
  std::vector<std::int32_t> chunk_of;  ///< that makes or owns it; -1: any
  std::vector<std::int32_t> made_in;   ///< index in `passes`; -1: an input, or copied to its users
  Flags is_copied;
  /// Of what is copied, that which it is made of and is not, through other copies, too; increasing.
  /// Left out where there is none.
  std::map<ValueId, std::vector<ValueId>> copied_from;
  Flags is_per_micro_batch;
  Flags leaves;                     ///< some other pass, or the caller, reads it
  Flags leaves_anew;                ///< the weight pass reads it as the backward pass makes it anew
  Flags is_output;                  ///< of the step, but for new states
  std::vector<ValueId> renews;      ///< the parameter or state that it is in the next step, or none
  std::vector<ValueId> renewed_by;  ///< of that, likewise
  Flags is_accumulated;             ///< micro-batches hold terms of a sum that the update reads
  std::vector<ValueId> sums;        ///< these; increasing
  Flags is_needed;                  ///< something that leaves the step depends on it
  /// Of what a forward pass makes for passes of its chunk alone: who reads it there and behind it.
  struct Readers {
    std::vector<sharding::Use> inside, behind;
  };
  std::vector<Readers> own_readers;
  std::vector<std::int32_t> readers_of;  ///< per value: index of own_readers; -1: it has none
  std::vector<OpWork> work;
  /// It may be part of a kernel of attention, which takes other times than its ops one by one: what
  /// software there is the caller knows.
  Flags may_attend;
  /// Inputs of the step that anything reads, and where they lie: parameters and states with their
  /// chunk, all else with each chunk that reads them.
  std::vector<std::pair<ValueId, std::int32_t>> inputs;  ///< increasing
  std::vector<CrossingValues> crossings;
  /// Between chunks of one mesh: who makes a value of each micro-batch, and who in another chunk
  /// reads it first.
  std::set<std::pair<PassPlace, PassPlace>> stays;
  std::vector<std::vector<KeptValue>> kept;  ///< per chunk
  /// Null: there is none.
  PassOps* find_pass(const PassPlace& place);
  /// Whether some op of which `is_it(op)` reads a value, itself or in copies.
  template <class IsIt>
  bool is_read(const sharding::OpGraph& graph, ValueId id, const IsIt& is_it) const {
    return std::ranges::any_of(graph.uses(id), [&](const sharding::Use& use) {
      return is_it(use.user) || (is_copied[static_cast<std::size_t>(use.user)] != 0 &&
                                 is_read(graph, use.user, is_it));
    });
  }
  /// Until when a chunk keeps a value of each micro-batch; null: it does not outlive a pass there.
  const KeptValue* kept_by(std::int32_t chunk, ValueId id) const;
  /// What prologues make that passes of their own meshes read; increasing.
  std::vector<ValueId> made_before;
};

}  // namespace rhino::evaluate
