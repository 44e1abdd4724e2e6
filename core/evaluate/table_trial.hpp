// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "evaluate/crossing_time.hpp"
#include "evaluate/frames.hpp"
#include "evaluate/pass_price.hpp"
#include "evaluate/planner.hpp"
#include "rhino/search.hpp"

namespace rhino::evaluate {

/// What prices are worked out with, and kept in. Borrowed.
struct Means {
  const PlanContext& context;
  Tables& tables;
  CrossingTimes& crossings;
  Frames& frames;
};

/// A strategy priced by tables, pass by pass; a change prices those passes again that it touches.
class TableTrial : public Trial {
 public:
  /// To be priced alone: the strategy is borrowed. `forms`: of its specs, where they are known.
  /// Throws Error where specs do not fit.
  TableTrial(const Means& means, const Strategy& strategy, std::vector<FormId> forms = {});
  /// To be changed. Throws Error likewise.
  TableTrial(const Means& means, std::unique_ptr<Strategy> strategy)
      : TableTrial(means, *strategy) {
    own_ = std::move(strategy);
  }

  const Strategy& strategy() const override { return strategy_; }
  void set(ValueId value, const ShardingSpec& spec) override;
  void undo() override;
  Estimate price() override;

 private:
  /// What a pass took before a change.
  struct Kept {
    std::shared_ptr<const Frame> frame;
    std::size_t pass = 0;
    PassPricer::Price time;
  };
  /// What a set() has replaced.
  struct Change {
    ValueId value = kNoValue;
    ShardingSpec spec;
    FormId form = -1;
    std::vector<std::pair<ValueId, const OpPrice*>> ops;
    std::vector<Kept> kept;
  };
  /// What leaves at once for other meshes, as it now is.
  struct Crossed {
    Boundary boundary;
    const CrossingPrice* price = nullptr;
  };
  /// The passes of the strategy with every backward pass whole, or with every one cut.
  struct View {
    std::shared_ptr<const Frame> frame;
    PassPricer pricer;
    std::vector<PassPricer::Price> times;  ///< per pass
    std::vector<bool> is_stale;
    std::vector<Crossed> crossed;  ///< per crossing
    View(TableTrial& trial, bool is_cut);
    /// What they took is handed to `kept`, where there is any.
    void touch(ValueId id, const TableTrial& trial, std::vector<Kept>* kept);
    void touch_pass(std::size_t pass, std::vector<Kept>* kept);
    void take_back(const Kept& kept);
    void price();
  };

  FormId form_of(ValueId id);
  const OpPrice* op_price(ValueId id);
  void replace(ValueId id, const OpPrice* price, std::vector<Kept>* kept);
  void touch(ValueId id, std::vector<Kept>* kept);
  bool may_reframe(ValueId id, const ShardingSpec& before) const;
  void reframe(ValueId id, const ShardingSpec& before);
  View& cut();
  void price(View& view);
  void find_links();
  const View& view_of(std::int32_t chunk) const;
  PassPlace as_run(PassPlace place) const;
  StepParts parts(bool bounds) const;
  void add_passes(const View& view, bool bounds, StepParts& parts) const;
  void add_joint(const View& view, bool bounds, sharding::ChunkPhase phase,
                 std::vector<double>& seconds) const;
  double leaving_bytes(const View& view, const CrossingValues& crossing,
                       const Boundary& boundary) const;
  void add_arriving_bytes(const View& view, const CrossingValues& crossing, const PassPlace& reader,
                          StepParts::Crossing::Target& target) const;
  void add_crossings(const View& view, bool bounds, StepParts& parts) const;
  Boundary boundary(const View& view, const CrossingValues& crossing) const;
  static bool has_sums(const View& view, const CrossingValues& crossing);
  void add_loads(const Boundary& boundary, const CrossingPrice& price,
                 StepParts::Crossing& crossing) const;
  PipelineProblem problem(const StepParts& parts) const;
  std::vector<double> lasting_bytes() const;
  std::vector<KeptBytes> kept_bytes(bool with_received) const;
  template <class Visit>
  void for_each_of_update(const Visit& visit) const;
  template <class Visit>
  void for_each_pass(const Visit& visit) const;
  std::vector<const PassTime*> parted_passes() const;
  std::vector<ChunkBytes> chunk_bytes() const;
  double peak_bytes(const std::vector<double>& most_bytes) const;
  plan::PassOrder ordered(const PipelineProblem& problem) const;
  /// The schedule orders so whatever the times and the room.
  bool is_fixed(PipelineProblem problem, const plan::PassOrder& order) const;

  const PlanContext& context_;
  Tables& tables_;
  CrossingTimes& crossings_;
  Frames& frames_;
  std::unique_ptr<Strategy> own_;  ///< null: it is borrowed
  const Strategy& strategy_;
  Cuts cuts_;
  std::size_t num_meshes_ = 0;
  std::vector<std::int32_t> link_class_;  ///< per link: those of one mesh alone are one of a kind
  std::unique_ptr<View> whole_;
  std::unique_ptr<View> cut_;  ///< once a schedule wants it
  std::vector<bool> is_cut_;   ///< per chunk, while it is priced
  std::vector<Change> changes_;
  std::vector<FormId> asked_;  ///< of the op that is looked up
  /// What a schedule was asked last in is_fixed(), and its answer.
  mutable PipelineProblem fixed_problem_;
  mutable PassSteps fixed_steps_;
};

}  // namespace rhino::evaluate
