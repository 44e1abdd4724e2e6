// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pipeline_time.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "evaluate/shared_links.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

using sharding::ChunkPhase;
using Crossing = StepParts::Crossing;

ChunkPhase phase_of(Pass pass) {
  constexpr ChunkPhase kPhases[] = {ChunkPhase::forward, ChunkPhase::backward, ChunkPhase::weight};
  return kPhases[static_cast<std::size_t>(pass)];
}

/// Works off the orders of all meshes, always the pass that can begin first.
class Walk {
 public:
  /// `expects`: as it is expected to be; else as short as it can be.
  Walk(const StepParts& parts, const PassSteps& order, bool expects)
      : parts_(parts),
        order_(order),
        expects_(expects),
        sent_(parts.crossings.size()),
        step_end_s_(order.size()),
        last_backward_s_(parts.chunks.size()),
        summed_s_(parts.chunks.size()) {
    for (std::size_t c = 0; c < parts.crossings.size(); ++c) {
      const Crossing& crossing = parts.crossings[c];
      if (sharding::is_pass(crossing.phase)) from_[{crossing.phase, crossing.chunk}].push_back(c);
      for (std::size_t t = 0; t < crossing.targets.size(); ++t) {
        const Place target{crossing.targets[t].phase, crossing.targets[t].chunk};
        if (sharding::is_pass(crossing.phase)) into_[target].push_back({c, t});
        else if (crossing.phase == ChunkPhase::prologue) before_[target].push_back({c, t});
      }
      for (const Crossing::Load& load : crossing.loads)
        free_s_.resize(std::max(free_s_.size(), at(load.link) + 1));
    }
    find_orders();
    for (const StepParts::Chunk& chunk : parts.chunks) {
      const auto c = static_cast<std::int32_t>(&chunk - parts.chunks.data());
      for (const Pass pass : {Pass::forward, Pass::backward, Pass::weight}) {
        const Place place{phase_of(pass), c};
        sites_.push_back({&chunk.passes[static_cast<std::size_t>(pass)], from_[place], into_[place],
                          before_[place]});
      }
    }
  }

  /// Of the mesh with the longest one, or of that with the shortest.
  double period_s() {
    std::vector<double> before_s;
    for (int step = 0; step < (expects_ ? 2 : 3); ++step) {
      before_s = step_end_s_;
      run_step();
    }
    double period_s = expects_ ? 0 : kNever;
    for (std::size_t mesh = 0; mesh < before_s.size(); ++mesh) {
      const double own_s = step_end_s_[mesh] - before_s[mesh];
      period_s = expects_ ? std::max(period_s, own_s) : std::min(period_s, own_s);
    }
    return period_s;
  }

  /// As of ExpectedStep, in the last step.
  std::vector<double> moving_bytes() const {
    std::vector<double> bytes(order_.size());
    for (std::size_t c = 0; c < parts_.crossings.size(); ++c) {
      const Crossing& crossing = parts_.crossings[c];
      if (!sharding::is_pass(crossing.phase)) continue;
      const std::vector<Span>& made = spans_[site_number({crossing.phase, crossing.chunk})];
      std::vector<Span> leaving = made;
      for (std::size_t m = 0; m < made.size(); ++m) leaving[m].end_s = made[m].begin_s;
      for (const Crossing::Target& target : crossing.targets) {
        const std::vector<Span>&used = spans_[site_number({target.phase, target.chunk})],
              &kept = spans_[site_number({target.kept_to, target.chunk})];
        std::vector<Span> arriving, staying;
        for (std::size_t m = 0; m < made.size(); ++m) {
          const double posted_s = sent_[c].left_s[m];
          leaving[m].end_s = std::max(leaving[m].end_s, used[m].begin_s);
          arriving.push_back({posted_s, used[m].end_s});
          staying.push_back({posted_s, kept.empty() ? used[m].end_s : kept[m].end_s});
        }
        bytes[mesh_of(target.chunk)] +=
            target.bytes * most_at_once(arriving) + target.kept_bytes * most_at_once(staying);
      }
      bytes[mesh_of(crossing.chunk)] += crossing.bytes * most_at_once(leaving);
    }
    return bytes;
  }

 private:
  using Place = std::pair<ChunkPhase, std::int32_t>;
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
    std::vector<double> free_s;                  ///< per target: its own links
    std::vector<double> before_s;                ///< per target, of what crosses once
    double last_s = 0;                           ///< when it last left
    std::vector<double> left_s;                  ///< per micro-batch
  };
  struct Span {
    double begin_s = 0, end_s = 0;
  };

  static double most_at_once(const std::vector<Span>& spans) {
    std::vector<std::pair<double, int>> changes;  // at equal times what ends is gone first
    for (const Span& span : spans) {
      changes.emplace_back(span.begin_s, 1);
      changes.emplace_back(std::max(span.end_s, std::nextafter(span.begin_s, kNever)), -1);
    }
    std::ranges::sort(changes);
    int now = 0, most = 0;
    for (const auto& [time_s, change] : changes) most = std::max(most, now += change);
    return most;
  }

  static std::size_t site_number(const Place& place) {
    const Pass pass = place.first == ChunkPhase::forward  ? Pass::forward
                      : place.first == ChunkPhase::weight ? Pass::weight
                                                          : Pass::backward;
    return kNumPasses * at(place.second) + static_cast<std::size_t>(pass);
  }

  /// Whether targets get micro-batches in the order in which they leave.
  void find_orders() {
    std::map<Place, std::vector<std::int32_t>> micro_batches;
    for (const std::vector<plan::PassStep>& steps : order_) {
      for (const plan::PassStep& step : steps)
        micro_batches[{phase_of(step.pass), step.chunk}].push_back(step.micro_batch);
    }
    for (const Crossing& crossing : parts_.crossings) {
      is_in_order_.push_back(
          std::ranges::all_of(crossing.targets, [&](const Crossing::Target& target) {
            return micro_batches[{crossing.phase, crossing.chunk}] ==
                   micro_batches[{target.phase, target.chunk}];
          }));
    }
  }

  const Site& site(const plan::PassStep& step) const {
    return sites_[site_number({phase_of(step.pass), step.chunk})];
  }

  void run_step() {
    for (std::size_t c = 0; c < sent_.size(); ++c) {
      const std::size_t count = parts_.crossings[c].targets.size();
      sent_[c] = {std::vector<std::vector<double>>(count), std::vector<double>(count), {}, 0, {}};
    }
    spans_.assign(sites_.size(), {});
    now_s_ = host_s_ = step_end_s_;
    for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh)
      now_s_[mesh] += parts_.prologue_s[mesh];
    send_before();
    std::vector<std::size_t> next(order_.size());
    std::vector<double> begin_s(order_.size(), -1);  // of the next pass; -1: to be found
    while (true) {
      std::size_t first = 0;
      for (std::size_t mesh = 0; mesh < order_.size(); ++mesh) {
        if (begin_s[mesh] < 0 || begin_s[mesh] == kNever)
          begin_s[mesh] =
              next[mesh] < order_[mesh].size() ? ready_s(mesh, order_[mesh][next[mesh]]) : kNever;
        if (begin_s[mesh] < begin_s[first]) first = mesh;
      }
      if (begin_s[first] == kNever) break;
      run(first, order_[first][next[first]++]);
      begin_s[first] = -1;
    }
    for (std::size_t mesh = 0; mesh < order_.size(); ++mesh) {
      if (next[mesh] < order_[mesh].size())
        throw Error("the schedule waits for itself on mesh " + std::to_string(mesh));
    }
    end_step();
  }

  void end_step() {
    step_end_s_ = expects_ ? reduced_s() : now_s_;
    for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh)
      step_end_s_[mesh] += parts_.update_s[mesh];
    // What one update makes, another one reads; of a bound it is a sum that the last backward pass
    // completes.
    for (const Crossing& crossing : parts_.crossings) {
      if (crossing.phase != ChunkPhase::update) continue;
      const std::size_t from = mesh_of(crossing.chunk);
      const double made_s =
          expects_ ? now_s_[from] + departs_s(crossing) : last_backward_s_[at(crossing.chunk)];
      for (const Crossing::Target& target : crossing.targets) {
        double& end_s = step_end_s_[mesh_of(target.chunk)];
        const double arrives_s = made_s + target.latency_s + target.busy_s,
                     after_s = expects_ ? parts_.chunks[at(target.chunk)].update.after_s : 0;
        end_s = std::max(end_s, arrives_s + after_s);
        // Its sender waits for it, too.
        if (expects_) step_end_s_[from] = std::max(step_end_s_[from], arrives_s);
      }
    }
  }

  /// From the begin of the update.
  double departs_s(const Crossing& crossing) const {
    const PassSpan& update = parts_.chunks[at(crossing.chunk)].update;
    const auto number = at(crossing.departure);
    return number < update.departures.size() ? update.departures[number].seconds : update.seconds;
  }

  /// Per mesh, when its early reductions are over: those of one chunk after those of another, as
  /// these complete their sums; the last of 32 buckets behind all passes, at least.
  std::vector<double> reduced_s() const {
    constexpr double kCovered = 0.9;  // of a pass that sends nothing, behind the first gradient
    std::vector<std::size_t> chunks(parts_.chunks.size());
    std::iota(chunks.begin(), chunks.end(), 0);
    std::ranges::stable_sort(chunks, {}, [&](std::size_t c) { return summed_s_[c]; });
    std::vector<double> over_s = now_s_, free_s(now_s_.size());
    for (const std::size_t c : chunks) {
      const StepParts::Chunk& chunk = parts_.chunks[c];
      const Pass last = chunk.passes[2].seconds > 0 ? Pass::weight : Pass::backward;
      const Site& site = sites_[kNumPasses * c + static_cast<std::size_t>(last)];
      const double share = site.from.empty() ? kCovered : 0,
                   last_s = now_s_[at(chunk.mesh)] + chunk.early_s / 32;
      double takes_s = chunk.early_s;  // with what the pass sends over the same links
      for (std::size_t kind = 0; kind < 2; ++kind) {
        if (chunk.early_links_s[kind] > 0)
          takes_s = std::max(takes_s, chunk.early_links_s[kind] + share * site.span->links_s[kind]);
      }
      double& free = free_s[at(chunk.mesh)];
      free = std::max(free, summed_s_[c] - share * site.span->seconds) + takes_s;
      if (chunk.early_s > 0)
        over_s[at(chunk.mesh)] = std::max({over_s[at(chunk.mesh)], free, last_s});
    }
    return over_s;
  }

  /// What passes get once a step leaves as it begins, or, made of something, behind the prologue.
  void send_before() {
    for (std::size_t c = 0; c < parts_.crossings.size(); ++c) {
      const Crossing& crossing = parts_.crossings[c];
      if (crossing.phase != ChunkPhase::prologue) continue;
      const std::size_t from = mesh_of(crossing.chunk);
      const double leaves_s = step_end_s_[from] + (expects_ ? parts_.prologue_s[from] : 0);
      sent_[c].before_s.clear();
      for (const Crossing::Target& target : crossing.targets) {
        sent_[c].before_s.push_back(leaves_s + target.latency_s + target.busy_s);
        double& ready_s = now_s_[mesh_of(target.chunk)];
        if (target.phase == ChunkPhase::prologue)
          ready_s = std::max(ready_s, sent_[c].before_s.back());
      }
    }
  }

  std::size_t mesh_of(std::int32_t chunk) const { return at(parts_.chunks[at(chunk)].mesh); }

  double arrived_s(const Into& into, std::int32_t micro_batch) const {
    const std::vector<double>& times = sent_[into.crossing].arrived_s[into.target];
    return at(micro_batch) < times.size() ? times[at(micro_batch)] : kNever;
  }

  /// When all is there that it waits for, and its mesh has time.
  double ready_s(std::size_t mesh, const plan::PassStep& step) const {
    double ready_s = now_s_[mesh];
    for (const Into& into : site(step).into)
      ready_s = std::max(ready_s, arrived_s(into, step.micro_batch));
    return ready_s;
  }

  void run(std::size_t mesh, const plan::PassStep& step) {
    const Site& site = this->site(step);
    const PassSpan& span = *site.span;
    Begin begin{now_s_[mesh], 0};
    double last_s = 0;
    for (const Into& into : site.before)
      begin.now_s = std::max(begin.now_s, sent_[into.crossing].before_s[into.target]);
    for (const Into& into : site.into) {
      const double own_s = this->arrived_s(into, step.micro_batch);
      last_s = std::max(last_s, own_s);
      if (parts_.crossings[into.crossing].targets[into.target].is_main)
        begin.arrived_s = std::max(begin.arrived_s, own_s);
    }
    // Whoever waits for messages lets the host wait, too; steps of a pipeline do so all the time.
    double& host_s = host_s_[mesh];
    if (expects_ && !parts_.crossings.empty()) host_s = std::max(host_s, begin.now_s);
    double waits_until_s = begin.arrived_s;
    if (expects_)
      waits_until_s = std::max(begin.now_s + span.seconds - span.after_s, waits_until_s);
    for (const std::size_t c : site.from) send(c, step.micro_batch, departs_s(span, c, begin));
    host_s += span.issue_s;
    if (!site.into.empty()) host_s = std::max(host_s, waits_until_s + span.issue_after_s);
    std::vector<Span>& spans = spans_[at(&site - sites_.data())];
    const double own_s = span.seconds + (spans.empty() ? 0 : span.adding_s);
    now_s_[mesh] = std::max({begin.now_s + own_s, begin.arrived_s + span.after_s, last_s, host_s});
    if (spans.size() <= at(step.micro_batch)) spans.resize(at(step.micro_batch) + 1);
    spans[at(step.micro_batch)] = {begin.now_s, now_s_[mesh]};
    if (step.pass == Pass::backward) last_backward_s_[at(step.chunk)] = now_s_[mesh];
    summed_s_[at(step.chunk)] = now_s_[mesh];
  }

  /// When a pass begins, and when that has arrived which it waits for.
  struct Begin {
    double now_s = 0, arrived_s = 0;
  };

  double departs_s(const PassSpan& span, std::size_t crossing, const Begin& begin) const {
    const auto [seconds, after_s] = span.departures[at(parts_.crossings[crossing].departure)];
    return std::max(begin.now_s + seconds, after_s < 0 ? 0 : begin.arrived_s + after_s);
  }

  void send(std::size_t c, std::int32_t micro_batch, double departs_s) {
    const Crossing& crossing = parts_.crossings[c];
    Sent& sent = sent_[c];
    double shared_s = 0;  // when links that it shares are done with it
    for (const Crossing::Load& load : crossing.loads) {
      double& free_s = free_s_[at(load.link)];
      free_s = std::max(free_s, departs_s) + load.seconds;
      shared_s = std::max(shared_s, free_s);
    }
    // What leaves out of order may come before the rest.
    const bool is_behind = is_in_order_[c] && departs_s >= sent.last_s;
    sent.last_s = departs_s;
    if (sent.left_s.size() <= at(micro_batch)) sent.left_s.resize(at(micro_batch) + 1);
    sent.left_s[at(micro_batch)] = departs_s;
    for (std::size_t t = 0; t < crossing.targets.size(); ++t) {
      const Crossing::Target& target = crossing.targets[t];
      double& free_s = sent.free_s[t];
      free_s = (is_behind ? std::max(free_s, departs_s) : departs_s) + target.busy_s;
      std::vector<double>& arrived_s = sent.arrived_s[t];
      if (arrived_s.size() <= at(micro_batch)) arrived_s.resize(at(micro_batch) + 1, kNever);
      arrived_s[at(micro_batch)] = std::max(free_s, shared_s) + target.latency_s;
    }
  }

  const StepParts& parts_;
  const PassSteps& order_;
  bool expects_;
  std::map<Place, std::vector<std::size_t>> from_;
  std::map<Place, std::vector<Into>> into_, before_;
  std::vector<Site> sites_;               ///< per chunk and pass
  std::vector<std::vector<Span>> spans_;  ///< as `sites_`, per micro-batch of this step
  std::vector<Sent> sent_;                ///< per crossing
  std::vector<bool> is_in_order_;
  std::vector<double> now_s_, host_s_, step_end_s_;  ///< per mesh
  std::vector<double> last_backward_s_;  ///< per chunk: the end of its last backward pass
  std::vector<double> summed_s_;         ///< of its last pass
  std::vector<double> free_s_;           ///< per shared link
};

/// What a mesh has to do in a step, one after the other.
double work_s(const StepParts& parts, const PassSteps& order, std::size_t mesh) {
  double sum_s = parts.prologue_s[mesh], early_s = 0, issue_s = 0;
  std::set<std::pair<std::int32_t, Pass>> begun;
  for (const plan::PassStep& step : order[mesh]) {
    const PassSpan& span = parts.chunks[at(step.chunk)].passes[static_cast<std::size_t>(step.pass)];
    sum_s += span.seconds + (begun.insert({step.chunk, step.pass}).second ? 0 : span.adding_s);
    issue_s += span.issue_s;
  }
  int num_chunks = 0;
  for (const StepParts::Chunk& chunk : parts.chunks) {
    if (at(chunk.mesh) != mesh) continue;
    // Reductions begin no sooner than the last pass that adds to sums.
    const auto longest_s = [](const PassSpan& span) { return span.seconds + span.adding_s; };
    early_s = chunk.early_s - std::max(longest_s(chunk.passes[1]), longest_s(chunk.passes[2]));
    ++num_chunks;
  }
  return std::max(issue_s, sum_s + std::max(parts.update_s[mesh], num_chunks == 1 ? early_s : 0));
}

}  // namespace

std::vector<PipelineEdge> edges_of(const StepParts& parts) {
  const auto pass_of = [](ChunkPhase phase) {
    return phase == ChunkPhase::forward  ? Pass::forward
           : phase == ChunkPhase::weight ? Pass::weight
                                         : Pass::backward;
  };
  std::map<std::pair<ChunkPass, ChunkPass>, double> seconds;
  for (const Crossing& crossing : parts.crossings) {
    if (!sharding::is_pass(crossing.phase)) continue;
    for (const Crossing::Target& target : crossing.targets) {
      double& most_s = seconds[{{pass_of(crossing.phase), crossing.chunk},
                                {pass_of(target.phase), target.chunk}}];
      most_s = std::max(most_s, target.latency_s + target.busy_s);
    }
  }
  std::vector<PipelineEdge> edges;
  for (const auto& [ends, most_s] : seconds) edges.push_back({ends.first, ends.second, 0, most_s});
  return edges;
}

ExpectedStep expected_step(const StepParts& parts, const PassSteps& order) {
  Walk walk(parts, order, true);
  const double step_s = walk.period_s();
  return {step_s, walk.moving_bytes()};
}

double work_bound_s(const StepParts& parts, const PassSteps& order) {
  double bound_s = 0;
  for (std::size_t mesh = 0; mesh < order.size(); ++mesh)
    bound_s = std::max(bound_s, work_s(parts, order, mesh));
  return bound_s;
}

double step_bound_s(const StepParts& parts, const PassSteps& order) {
  return std::max(Walk(parts, order, false).period_s(), work_bound_s(parts, order));
}

std::vector<double> most_kept_bytes(const PassSteps& order, const std::vector<KeptBytes>& chunks) {
  std::vector<double> most(order.size());
  for (std::size_t mesh = 0; mesh < order.size(); ++mesh) {
    double now = 0;
    for (const plan::PassStep& step : order[mesh]) {
      const KeptBytes& kept = chunks[at(step.chunk)];
      if (step.pass == Pass::forward) now += kept.forward_to_backward + kept.forward_to_weight;
      if (step.pass == Pass::backward) now += kept.backward_to_weight;
      most[mesh] = std::max(most[mesh], now);
      if (step.pass == Pass::backward) now -= kept.forward_to_backward;
      if (step.pass == Pass::weight) now -= kept.forward_to_weight + kept.backward_to_weight;
    }
  }
  return most;
}

}  // namespace rhino::evaluate
