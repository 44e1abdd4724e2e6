// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "evaluate/pipeline_time.hpp"
#include "evaluate/shared_links.hpp"

namespace rhino::evaluate {

/// Works off the orders of all meshes, always the pass that can begin first.
class PipelineWalk {
 public:
  /// `expects`: as it is expected to be; else as short as it can be. Borrows the others.
  PipelineWalk(const StepParts& parts, const PassSteps& order, bool expects);

  /// Of the mesh with the longest one, or of that with the shortest.
  double period_s();
  /// As of ExpectedStep, in the last step.
  std::vector<double> most_bytes(const std::vector<ChunkBytes>& chunks) const;

 private:
  using Crossing = StepParts::Crossing;
  using Place = std::pair<sharding::ChunkPhase, std::int32_t>;
  /// A target of a crossing.
  struct Into {
    std::size_t crossing = 0, target = 0;
  };
  struct Site {
    const PassSpan* span = nullptr;
    std::vector<std::size_t> from;
    std::vector<Into> into, before;  ///< of each micro-batch; once a step
  };
  /// Of a crossing, in this step.
  struct Sent {
    std::vector<std::vector<double>> arrived_s;  ///< per target and micro-batch; kNever: not yet
    std::vector<double> came_s;                  ///< per target, but for latencies
    std::vector<double> before_s;                ///< per target, of what crosses once
    double last_s = 0;                           ///< when it last left
    std::vector<double> left_s;                  ///< per micro-batch
  };
  struct Span {
    double begin_s = 0, end_s = 0;
  };
  /// When a pass begins, and when that has arrived which it waits for.
  struct Begin {
    double now_s = 0, arrived_s = 0;
  };

  /// What a mesh does at a time, and seconds of links of its collectives, spread over that.
  struct Doing {
    const Site* site = nullptr;  ///< null: its update
    std::int32_t micro_batch = 0;
    double begin_s = 0, end_s = 0;
    std::array<double, 2> links_s = {};  ///< as of LinkUse
    double exposed = 1;                  ///< of these, that nothing hides
    double left_s(std::size_t kind, double from_s) const;
  };
  /// Who has collectives on a shared link.
  struct User {
    std::size_t mesh = 0, kind = 0;
  };

  /// Of the bytes that a mesh holds, and when.
  using Changes = std::vector<std::pair<double, double>>;
  static void hold(double bytes, const Span& span, Changes& changes);
  static double most_of(Changes changes);
  static std::size_t site_number(const Place& place);
  static double departs_s(const PassSpan& span, std::int32_t departure, const Begin& begin);
  void find_sites();
  void find_orders();
  const Site& site(const plan::PassStep& step) const;
  std::size_t mesh_of(std::int32_t chunk) const;
  void run_step();
  void send_before();
  double arrived_s(const Into& into, std::int32_t micro_batch) const;
  double ready_s(std::size_t mesh, const plan::PassStep& step) const;
  void run(std::size_t mesh, const plan::PassStep& step);
  void send(std::size_t crossing, std::int32_t micro_batch, double departs_s);
  void end_step();
  // What sends and collectives lose to each other on links that both take (pipeline_links.cpp):
  void find_users();
  double share_with_sends(std::size_t mesh);
  double share_with_collectives(std::int32_t link, double begin_s, double seconds);
  void begin_update(std::size_t mesh);
  void delay_pass(std::size_t mesh, double from_s, double later_s);
  void delay_sends(std::int32_t link, double from_s, double later_s);
  double sent_s(std::size_t mesh) const;
  double idle_share(std::size_t mesh, std::int32_t link) const;
  void order_sums();
  bool waits_for(const Crossing& crossing, const Crossing& other) const;
  double departs_s(const Crossing& crossing) const;
  /// Reductions of a mesh that its update waits for, when they begin, and their seconds of links.
  struct Reducing {
    double begin_s = kNever;
    std::array<double, 2> links_s = {};
  };
  std::vector<double> updated_s();
  void send_sums(const Crossing& crossing);
  double share_links(const Crossing& crossing, std::size_t mesh, std::size_t side, double made_s);

  const StepParts& parts_;
  const PassSteps& order_;
  bool expects_;
  std::map<Place, std::vector<std::size_t>> from_;
  std::map<Place, std::vector<Into>> into_, before_;
  std::vector<Site> sites_;               ///< per chunk and pass
  std::vector<std::vector<Span>> spans_;  ///< as `sites_`, per micro-batch of this step
  std::vector<Sent> sent_;                ///< per crossing
  std::vector<bool> is_in_order_;
  std::vector<double> now_s_, host_s_;            ///< per mesh
  std::vector<double> step_end_s_, first_end_s_;  ///< per mesh, of its last and its first device
  std::vector<Reducing> reducing_;                ///< per mesh
  std::vector<double> last_backward_s_;           ///< per chunk: the end of its last backward pass
  std::vector<double> summed_s_;                  ///< of its last pass
  /// What updates send, each behind those that it waits for, and, per chunk, when what its own
  /// waits for arrives.
  std::vector<std::size_t> sums_;
  std::vector<std::vector<double>> sums_arrive_s_;
  std::vector<double> free_s_;            ///< per shared link
  std::vector<double> busy_from_s_;       ///< likewise, since when it has been in use
  std::vector<std::vector<User>> users_;  ///< likewise
  std::vector<Doing> doing_;              ///< per mesh
  std::vector<double> update_from_s_;     ///< per mesh
  bool is_delayed_ = false;               ///< something that has been told already
};

}  // namespace rhino::evaluate
