// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "plan/boundary.hpp"
#include "plan/buffers.hpp"
#include "plan/program_table.hpp"
#include "plan/timeline.hpp"

namespace rhino::plan {

/// What all roles of a plan under construction share. Boundary b is communication b.
struct PlanParts {
  const AssembleInput& input;
  std::vector<RoleBlocks> blocks;
  std::vector<Boundary> boundaries;
  std::vector<RoleTimeline> timelines;
  struct Source {
    std::int32_t role = -1, border = -1;
  };
  std::vector<Source> outputs;  ///< where each output of the Program is read
};

/// Writes the list of one role: its buffers, its instructions, what it reads and yields.
class RoleWriter {
 public:
  RoleWriter(PlanParts& parts, std::int32_t role, ExecutionPlan& plan, ProgramTable& programs);
  Role write();

 private:
  /// A block of the role, cut and laid out, with the indices in the plan of its programs and
  /// communications (-1: not used so far).
  struct Layout {
    const Block* block = nullptr;
    BlockLayout layout;
    std::vector<std::int32_t> programs, communications;
  };

  void find_first_readers();
  void lay_out_blocks();
  void lay_out_block(const Block& block);
  void fix_borders();
  std::size_t layout_of(const TimelineStep& step) const;
  bool cuts_at(std::int32_t boundary, const Site& site) const;
  std::vector<std::int32_t> departures(const Site& site) const;
  std::vector<ValueId> departing_values(const Block& block, std::int32_t boundary) const;

  void write_step(const TimelineStep& step);
  void write_item(const CutItem& item);
  void write_run(std::int32_t run);
  void write_collective(const CutItem& item);
  void write_copy(const BorderCopy& copy);
  void wait_for_inputs();
  void receive(const TransferUse& use);
  void send(std::int32_t boundary);
  void wait(const TransferUse& use);
  TransferUse use_of(std::int32_t boundary) const;

  std::int32_t handle(const Place& place);
  std::int32_t border_handle(std::int32_t border, std::int32_t micro_batch) {
    return pool_.border(border, micro_batch, now_);
  }
  Instruction& add(InstructionKind kind, std::int32_t index, std::int32_t instance);
  std::int32_t communication_of(std::int32_t collective);
  Communication make_communication(const CutCollective& collective) const;
  void write_inputs();
  void write_input(std::int32_t border);
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

  std::vector<std::int32_t> boundary_of_;  ///< per border: the boundary that brings it, -1: none
  std::vector<Site> first_reader_;  ///< per boundary: the site of this role that first reads it
  std::vector<bool> fixed_;         ///< per border: keeps its content through the update
  std::vector<Layout> layouts_;     ///< prologue, update, then per chunk forward first and next,
                                    ///< backward first and next
  std::map<std::pair<int, std::int32_t>, std::vector<std::int32_t>>
      communications_of_;  ///< by (phase, chunk), for both variants
  std::set<std::pair<std::int32_t, std::int32_t>> waited_;  ///< (boundary, micro-batch)

  // The step that is being written.
  const TimelineStep* step_ = nullptr;
  Layout* current_ = nullptr;
  std::int32_t now_ = 0;
};

}  // namespace rhino::plan
