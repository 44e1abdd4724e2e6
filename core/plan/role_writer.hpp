// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "plan/buffers.hpp"
#include "plan/handover.hpp"
#include "plan/outline.hpp"
#include "plan/program_table.hpp"
#include "plan/reductions.hpp"
#include "plan/timeline.hpp"

namespace rhino::plan {

/// What all roles of a plan under construction share. Handover b is communication b.
struct PlanParts {
  const AssembleInput& input;
  std::vector<RoleBlocks> blocks;
  std::vector<Handover> handovers;
  std::vector<RoleTimeline> timelines;
  struct Source {
    std::int32_t role = -1, resident = -1;
  };
  std::vector<Source> outputs;                     ///< where each output of the Program is read
  std::vector<std::vector<LastPass>> last_passes;  ///< per role
  /// By block and the handovers that arrive in its midst.
  std::map<std::pair<const Block*, std::vector<std::int32_t>>, std::shared_ptr<const CutProgram>>
      cuts = {};
};

/// Writes the list of one role: its buffers, its instructions, what it reads and yields.
class RoleWriter {
 public:
  RoleWriter(PlanParts& parts, std::int32_t role, ExecutionPlan& plan, ProgramTable& programs);
  /// Without Frees; nor do instructions bind what take_bindings() tells.
  Role write();
  RoleBindings take_bindings();

 private:
  /// A block of the role, cut and laid out, with the indices in the plan of its programs and
  /// communications (-1: not used so far).
  struct Layout {
    const Block* block = nullptr;
    BlockLayout layout;
    std::vector<std::int32_t> programs, communications;
    std::int32_t micro_batch = -1;       ///< for which it was last written
    std::size_t first_item = 0;          ///< in its bindings
    std::vector<bool> is_resident_used;  ///< by items whose bindings are known
  };
  /// Reductions that start together: a collective of the layout of a last pass.
  struct Bucket {
    std::size_t layout = 0, collective = 0;
  };

  void find_first_readers();
  std::int32_t first_micro_batch(std::int32_t chunk) const;
  void lay_out_blocks();
  Layout make_layout(const Block& block) { return make_layout(block, {}); }
  Layout make_layout(const Block& block, const LastPass& last);
  void lay_out_last(const LastPass& pass);
  std::int32_t arrival_of(std::int32_t resident, const Site& site) const;
  void fix_residents();
  std::size_t layout_of(const TimelineStep& step) const;
  bool cuts_at(std::int32_t handover, const Site& site) const;
  std::vector<std::int32_t> departures(const Site& site) const;
  std::vector<ValueId> departing_values(const Block& block, std::int32_t handover) const;

  std::size_t num_expected() const;
  std::vector<LayoutTime> layout_times() const;
  void write_step(const TimelineStep& step, bool is_once);
  void write_item(std::size_t number);
  void write_run(std::int32_t run, std::size_t item);
  void write_collective(const CutItem& item, std::size_t number);
  void write_copy(const ResidentCopy& copy);
  void wait_for_inputs();
  void receive(const HandoverInstance& use);
  void depart(std::int32_t handover);
  void exchange(const HandoverInstance& use);
  void send(const HandoverInstance& use);
  void wait(const HandoverInstance& use);
  void arrive(std::int32_t arrival);
  HandoverInstance use_of(std::int32_t handover) const;

  std::int32_t handle(const Place& place);
  std::int32_t resident_handle(std::int32_t resident, std::int32_t micro_batch) {
    return pool_.resident(resident, micro_batch, now_);
  }
  const Binding& use(std::size_t item, const std::vector<ValueId>& inputs,
                     const std::vector<ValueId>& outputs);
  void note_binding(std::size_t item);
  void learn(const std::vector<ValueId>& ids, std::vector<std::int32_t>& handles,
             std::vector<Binding::Own>& own, Binding& binding);
  std::int32_t program_index(const Program& program, std::size_t hash, std::vector<Output> outputs,
                             std::string name);
  Instruction& add(InstructionKind kind, std::int32_t index, std::int32_t instance);
  std::int32_t communication_of(std::int32_t collective);
  bool is_same(std::int32_t known, const Communication& wanted) const;
  Communication make_communication(const CutCollective& collective) const;
  void write_inputs();
  void write_input(std::int32_t resident);
  std::vector<std::int32_t> micro_batches_of(std::int32_t resident) const;
  void write_outputs();
  void resolve_buffers();

  PlanParts& parts_;
  const std::int32_t role_index_;
  RoleBlocks& blocks_;
  const RoleTimeline& timeline_;
  ExecutionPlan& plan_;
  ProgramTable& programs_;
  BufferPool pool_;
  Role role_;
  RoleBindings bindings_;

  std::vector<std::int32_t> handover_of_;  ///< per resident: the handover that brings it, -1: none
  std::vector<Site> first_reader_;  ///< per handover: the site of this role that first reads it
  std::vector<bool> fixed_;         ///< per resident: keeps its content through the update
  /// Prologue, update, then per chunk and pass first and next, last passes.
  std::vector<Layout> layouts_;
  std::vector<Bucket> buckets_;
  std::map<std::int32_t, std::int32_t> bucket_of_;  ///< per resident that the update waits for
  /// By (phase, chunk), for both variants.
  std::map<std::pair<int, std::int32_t>, std::vector<std::int32_t>> communications_of_;
  /// By kind and axes, the collective that states the groups.
  std::map<std::pair<CommunicationKind, std::vector<std::int32_t>>, std::int32_t> groups_of_;
  std::set<std::pair<std::int32_t, std::int32_t>> waited_;  ///< (handover, micro-batch)
  std::set<std::int32_t> exchanged_;                        ///< handovers that block

  // The step that is being written.
  const TimelineStep* step_ = nullptr;
  Layout* current_ = nullptr;
  std::int32_t now_ = 0;
};

}  // namespace rhino::plan
