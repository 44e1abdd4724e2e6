// SPDX-License-Identifier: Apache-2.0
#include "plan/block_layout.hpp"

#include <algorithm>
#include <unordered_map>

#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// The items of a block that make and read a value.
struct Use {
  std::int64_t made = -1;            ///< -1: before the block
  std::int64_t last_read = -1;       ///< a collective reads until it is waited for
  std::int64_t started = -1;         ///< the last Start that reads it
  std::int64_t last_run = -1;        ///< that reads it
  std::int64_t num_collectives = 0;  ///< as operand
  bool by_run = false;
};

class LayoutMaker {
 public:
  LayoutMaker(const Block& block, std::shared_ptr<const CutProgram> cut,
              std::vector<Resident>& residents, const std::vector<bool>& fixed)
      : block_(block),
        program_(block.program),
        residents_(residents),
        fixed_(fixed),
        uses_(program_.ops.size()) {
    layout_.site = block.site;
    layout_.cut = std::move(cut);
    layout_.places.resize(program_.ops.size());
  }

  BlockLayout make() {
    find_uses();
    for (std::size_t i = 0; i < block_.inputs.size(); ++i) {
      layout_.places[at(program_.inputs[i].value)] = {Place::Kind::resident, block_.inputs[i]};
      entering_.try_emplace(block_.inputs[i], program_.inputs[i].value);
    }
    for (std::size_t i = 0; i < block_.outputs.size(); ++i) place_output(i);
    for (const CutCollective& collective : layout_.cut->collectives) {
      if (collective.kind == CommunicationKind::all_reduce) reduce_in_place(collective);
    }
    place_temporaries();
    return std::move(layout_);
  }

 private:
  void find_uses() {
    for (const CutCollective& collective : layout_.cut->collectives) {
      for (ValueId id : collective.operands) ++uses_[at(id)].num_collectives;
    }
    for (std::size_t i = 0; i < layout_.cut->items.size(); ++i) {
      const CutItem& item = layout_.cut->items[i];
      const auto now = static_cast<std::int64_t>(i);
      if (item.kind == CutItem::Kind::run) {
        const CutRun& run = layout_.cut->runs[at(item.index)];
        for (ValueId id : run.inputs) uses_[at(id)].last_read = uses_[at(id)].last_run = now;
        for (ValueId id : run.outputs) uses_[at(id)].made = now, uses_[at(id)].by_run = true;
      } else if (item.kind == CutItem::Kind::start || item.kind == CutItem::Kind::wait) {
        const CutCollective& collective = layout_.cut->collectives[at(item.index)];
        for (ValueId id : collective.operands) {
          uses_[at(id)].last_read = now;
          if (item.kind == CutItem::Kind::start) uses_[at(id)].started = now;
        }
        for (ValueId id : collective.results) {
          if (item.kind == CutItem::Kind::start) uses_[at(id)].made = now;
          uses_[at(id)].last_read = std::max(uses_[at(id)].last_read, now);
        }
      }
    }
  }

  std::int32_t root(std::int32_t resident) const {
    while (residents_[at(resident)].stored_in >= 0) resident = residents_[at(resident)].stored_in;
    return resident;
  }
  /// The value that enters this block at `resident`, kNoValue for none.
  ValueId entering(std::int32_t resident) const {
    const auto found = entering_.find(resident);
    return found == entering_.end() ? kNoValue : found->second;
  }

  void place_output(std::size_t index) {
    const ValueId value = program_.outputs[index].value;
    const std::int32_t resident = block_.outputs[index];
    Place& place = layout_.places[at(value)];
    const bool taken = place.kind != Place::Kind::none;
    if (taken && place.index == resident) return;
    if (taken || overwrites_early(value, resident))
      layout_.copies.push_back({{}, resident}), copied_.push_back(value);
    else place = {Place::Kind::resident, resident};
  }
  /// The old content of `resident` is still read when `value` is made.
  bool overwrites_early(ValueId value, std::int32_t resident) const {
    const ValueId old = entering(root(resident));
    if (old == kNoValue) return false;
    const Use& made = uses_[at(value)];
    const std::int64_t last_read = uses_[at(old)].last_read;
    return made.by_run ? last_read > made.made : last_read >= made.made;
  }

  void reduce_in_place(const CutCollective& collective) {
    for (std::size_t i = 0; i < collective.operands.size(); ++i) {
      const ValueId operand = collective.operands[i], result = collective.results[i];
      const Use& use = uses_[at(operand)];
      const bool last = reads_once(operand) && use.started >= 0;
      if (!last || program_.shape(operand) != program_.shape(result)) continue;
      Place& from = layout_.places[at(operand)];
      Place& to = layout_.places[at(result)];
      if (from.kind == Place::Kind::none && use.made >= 0) share(operand, result);
      else if (from.kind == Place::Kind::resident && entering(from.index) == operand)
        take_over(from, to);
    }
  }
  /// One Start reads it, and nothing after that but its Wait.
  bool reads_once(ValueId id) const {
    const Use& use = uses_[at(id)];
    return use.num_collectives == 1 && use.last_run <= use.started &&
           std::find(copied_.begin(), copied_.end(), id) == copied_.end();
  }
  /// The operand is made where the result is to be.
  void share(ValueId operand, ValueId result) {
    Place& to = layout_.places[at(result)];
    if (to.kind == Place::Kind::resident && residents_[at(to.index)].stored_in >= 0) return;
    if (to.kind == Place::Kind::none) to = new_temporary(result);
    layout_.places[at(operand)] = to;
  }
  /// The result stays where the accumulated operand is.
  void take_over(const Place& from, Place& to) {
    const Resident& resident = residents_[at(from.index)];
    const bool free = block_.site.phase == sharding::ChunkPhase::update &&
                      resident.origin == Resident::Origin::made && !resident.per_micro_batch &&
                      resident.stored_in < 0 && !fixed_[at(from.index)];
    if (!free) return;
    if (to.kind == Place::Kind::none) to = from;
    else if (to.kind == Place::Kind::resident && residents_[at(to.index)].stored_in < 0)
      residents_[at(to.index)].stored_in = from.index;
  }

  Place new_temporary(ValueId id) {
    layout_.temporaries.push_back({program_.shape(id), 0, 0});
    return {Place::Kind::temporary, static_cast<std::int32_t>(layout_.temporaries.size() - 1)};
  }

  void place_temporaries() {
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Use& use = uses_[at(id)];
      if (use.made < 0) continue;
      Place& place = layout_.places[at(id)];
      if (place.kind == Place::Kind::none) place = new_temporary(id);
    }
    std::vector<bool> seen(layout_.temporaries.size());
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Place& place = layout_.places[at(id)];
      if (place.kind != Place::Kind::temporary) continue;
      Temporary& temporary = layout_.temporaries[at(place.index)];
      const Use& use = uses_[at(id)];
      const std::int64_t last = std::max(use.made, use.last_read);
      temporary.first = seen[at(place.index)] ? std::min(temporary.first, use.made) : use.made;
      temporary.last = seen[at(place.index)] ? std::max(temporary.last, last) : last;
      seen[at(place.index)] = true;
    }
    for (std::size_t i = 0; i < copied_.size(); ++i) {
      const Place& place = layout_.places[at(copied_[i])];
      layout_.copies[i].from = place;
      if (place.kind == Place::Kind::temporary)
        layout_.temporaries[at(place.index)].last =
            static_cast<std::int64_t>(layout_.cut->items.size());
    }
  }

  const Block& block_;
  const Program& program_;
  std::vector<Resident>& residents_;
  const std::vector<bool>& fixed_;
  std::vector<Use> uses_;
  std::unordered_map<std::int32_t, ValueId> entering_;  ///< by resident
  std::vector<ValueId> copied_;                         ///< per entry of copies
  BlockLayout layout_;
};

}  // namespace

BlockLayout lay_out(const Block& block, std::shared_ptr<const CutProgram> cut,
                    std::vector<Resident>& residents, const std::vector<bool>& fixed) {
  return LayoutMaker(block, std::move(cut), residents, fixed).make();
}

}  // namespace rhino::plan
