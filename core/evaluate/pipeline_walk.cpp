// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pipeline_walk.hpp"

#include <algorithm>
#include <numeric>

#include "evaluate/shared_links.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

using plan::phase_of;
using sharding::ChunkPhase;

PipelineWalk::PipelineWalk(const StepParts& parts, const PassSteps& order, bool expects)
    : parts_(parts),
      order_(order),
      expects_(expects),
      sent_(parts.crossings.size()),
      step_end_s_(order.size()),
      first_end_s_(order.size()),
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
  find_sites();
  find_users();
  if (expects_) order_sums();
}

void PipelineWalk::find_sites() {
  for (const StepParts::Chunk& chunk : parts_.chunks) {
    const auto c = static_cast<std::int32_t>(&chunk - parts_.chunks.data());
    for (const Pass pass : {Pass::forward, Pass::backward, Pass::weight}) {
      const Place place{phase_of(pass), c};
      sites_.push_back({&chunk.passes[static_cast<std::size_t>(pass)], from_[place], into_[place],
                        before_[place]});
    }
  }
}

double PipelineWalk::period_s() {
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

std::size_t PipelineWalk::site_number(const Place& place) {
  return kNumPasses * at(place.second) + static_cast<std::size_t>(plan::pass_of(place.first));
}

/// Whether targets get micro-batches in the order in which they leave.
void PipelineWalk::find_orders() {
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

const PipelineWalk::Site& PipelineWalk::site(const plan::PassStep& step) const {
  return sites_[site_number({phase_of(step.pass), step.chunk})];
}

void PipelineWalk::run_step() {
  for (std::size_t c = 0; c < sent_.size(); ++c) {
    const std::size_t count = parts_.crossings[c].targets.size();
    sent_[c] = {std::vector<std::vector<double>>(count), std::vector<double>(count), {}, 0, {}};
  }
  spans_.assign(sites_.size(), {});
  now_s_ = host_s_ = step_end_s_;
  doing_.assign(order_.size(), {});
  for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh) now_s_[mesh] += parts_.prologue_s[mesh];
  send_before();
  update_from_s_ = now_s_;
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
    if (expects_ && next[first] == order_[first].size()) begin_update(first);
    if (std::exchange(is_delayed_, false)) begin_s.assign(order_.size(), -1);
  }
  for (std::size_t mesh = 0; mesh < order_.size(); ++mesh) {
    if (next[mesh] < order_[mesh].size())
      throw Error("the schedule waits for itself on mesh " + std::to_string(mesh));
  }
  end_step();
}

void PipelineWalk::end_step() {
  const std::vector<double> updated_s = expects_ ? this->updated_s() : std::vector<double>();
  for (std::size_t mesh = 0; mesh < now_s_.size(); ++mesh)
    step_end_s_[mesh] = expects_ ? updated_s[mesh] : now_s_[mesh] + parts_.update_s[mesh];
  first_end_s_ = step_end_s_;
  // What one update makes, another one reads; of a bound it is a sum that the last backward pass
  // completes.
  sums_arrive_s_.assign(parts_.chunks.size(), {});
  for (const std::size_t c : sums_) send_sums(parts_.crossings[c]);
  if (expects_) return;
  for (const Crossing& crossing : parts_.crossings) {
    if (crossing.phase != ChunkPhase::update) continue;
    for (const Crossing::Target& target : crossing.targets) {
      double& end_s = step_end_s_[mesh_of(target.chunk)];
      end_s =
          std::max(end_s, last_backward_s_[at(crossing.chunk)] + target.latency_s + target.busy_s);
    }
  }
}

/// Whether the update that sends `crossing` waits for `other` before.
bool PipelineWalk::waits_for(const Crossing& crossing, const Crossing& other) const {
  const PassSpan& update = parts_.chunks[at(crossing.chunk)].update;
  return at(crossing.departure) < update.departures.size() &&
         std::ranges::any_of(other.targets, [&](const Crossing::Target& target) {
           return target.chunk == crossing.chunk && target.arrival >= 0 &&
                  target.arrival < update.departures[at(crossing.departure)].num_arrivals;
         });
}

void PipelineWalk::order_sums() {
  std::vector<std::size_t> left;
  for (std::size_t c = 0; c < parts_.crossings.size(); ++c)
    if (parts_.crossings[c].phase == ChunkPhase::update) left.push_back(c);
  while (!left.empty()) {
    const auto is_next = [&](std::size_t c) {
      return std::ranges::none_of(left, [&](std::size_t other) {
        return waits_for(parts_.crossings[c], parts_.crossings[other]);
      });
    };
    auto next = std::ranges::find_if(left, is_next);
    if (next == left.end()) next = left.begin();  // as far as passes tell they wait in turn
    sums_.push_back(*next);
    left.erase(next);
  }
}

/// Their sender waits for them, too; devices that come first at either end begin the next step so
/// much sooner.
void PipelineWalk::send_sums(const Crossing& crossing) {
  const std::size_t from = mesh_of(crossing.chunk);
  const double made_s = departs_s(crossing);
  double later_s = share_links(crossing, from, 0, made_s);
  for (const Crossing::Target& target : crossing.targets)
    later_s = std::max(later_s, share_links(crossing, mesh_of(target.chunk), 1, made_s));
  for (const Crossing::Target& target : crossing.targets) {
    const double after_s = parts_.chunks[at(target.chunk)].update.after_s;
    const auto arrive = [&](std::vector<double>& end_s, double arrives_s) {
      double& there_s = end_s[mesh_of(target.chunk)];
      there_s = std::max(there_s, arrives_s + after_s);
      end_s[from] = std::max(end_s[from], arrives_s);
      if (target.arrival < 0) return;
      std::vector<double>& known_s = sums_arrive_s_[at(target.chunk)];
      known_s.resize(std::max(known_s.size(), at(target.arrival) + 1));
      known_s[at(target.arrival)] = std::max(known_s[at(target.arrival)], arrives_s);
    };
    arrive(step_end_s_, made_s + target.latency_s + target.busy_s + later_s);
    arrive(first_end_s_, made_s + target.first_s + later_s);
  }
}

/// What crosses and the reductions of a mesh at one end of it share links evenly, out (`side` 0) or
/// in: as long as both are under way each takes twice as long, so both end as much later. Returns
/// how much.
double PipelineWalk::share_links(const Crossing& crossing, std::size_t mesh, std::size_t side,
                                 double made_s) {
  if (parts_.links.empty()) return 0;
  const Reducing& own = reducing_[mesh];
  double later_s = 0;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const auto load = std::ranges::find(crossing.loads, parts_.links[mesh][2 * kind + side],
                                        &Crossing::Load::link);
    if (load == crossing.loads.end()) continue;
    const double between_s = made_s - own.begin_s,
                 reductions_s = own.links_s[kind] - std::max(0.0, between_s),
                 crossing_s = load->seconds + std::min(0.0, between_s);
    later_s = std::max(later_s, std::min(reductions_s, crossing_s));
  }
  step_end_s_[mesh] += later_s;
  return later_s;
}

/// Of an update, which goes on where it was as what it waits for arrives.
double PipelineWalk::departs_s(const Crossing& crossing) const {
  const PassSpan& update = parts_.chunks[at(crossing.chunk)].update;
  const double now_s = now_s_[mesh_of(crossing.chunk)];
  if (at(crossing.departure) >= update.departures.size()) return now_s + update.seconds;
  const PassSpan::Departure& own = update.departures[at(crossing.departure)];
  const std::vector<double>& arrive_s = sums_arrive_s_[at(crossing.chunk)];
  double departs_s = now_s + own.seconds;
  for (std::size_t a = 0; a < std::min(at(own.num_arrivals), arrive_s.size()); ++a)
    departs_s = std::max(departs_s, arrive_s[a] + own.seconds - update.arrivals_s[a]);
  return departs_s;
}

/// Per mesh, when its update ends: behind all passes, behind the first bucket of early reductions,
/// and what of it waits for the last bucket behind that. Reductions of one chunk come after those
/// of another, as these complete their sums; their last bucket behind all passes, at least.
std::vector<double> PipelineWalk::updated_s() {
  constexpr double kCovered = 0.9;  // of a pass that sends nothing, behind the first gradient
  std::vector<std::size_t> chunks(parts_.chunks.size());
  std::iota(chunks.begin(), chunks.end(), 0);
  std::ranges::stable_sort(chunks, {}, [&](std::size_t c) { return summed_s_[c]; });
  std::vector<double> ends_s = update_from_s_, free_s(now_s_.size());
  for (std::size_t mesh = 0; mesh < ends_s.size(); ++mesh) ends_s[mesh] += parts_.update_s[mesh];
  reducing_.clear();
  for (const double now_s : now_s_) reducing_.push_back({now_s, {}});
  for (const std::size_t c : chunks) {
    const StepParts::Chunk& chunk = parts_.chunks[c];
    const Pass last = chunk.passes[2].seconds > 0 ? Pass::weight : Pass::backward;
    const Site& site = sites_[kNumPasses * c + static_cast<std::size_t>(last)];
    const double share = site.from.empty() ? kCovered : 0,
                 last_s = now_s_[at(chunk.mesh)] + chunk.last_early_s;
    double takes_s = chunk.early_s;  // with what the pass sends over the same links
    for (std::size_t kind = 0; kind < 2; ++kind) {
      if (chunk.early_links_s[kind] > 0)
        takes_s = std::max(takes_s, chunk.early_links_s[kind] + share * site.span->links_s[kind]);
    }
    double& free = free_s[at(chunk.mesh)];
    free = std::max(free, summed_s_[c] - share * site.span->seconds) + takes_s;
    Reducing& reducing = reducing_[at(chunk.mesh)];
    for (std::size_t kind = 0; kind < 2; ++kind)
      reducing.links_s[kind] += chunk.early_links_s[kind] + chunk.update.links_s[kind];
    if (chunk.early_s == 0) continue;
    reducing.begin_s = std::min(reducing.begin_s, free - takes_s);
    const double update_s = parts_.update_s[at(chunk.mesh)];
    double& end_s = ends_s[at(chunk.mesh)];
    end_s = std::max({end_s, free - takes_s + chunk.last_early_s + update_s,
                      std::max(free, last_s) + chunk.after_early_s});
  }
  return ends_s;
}

/// What passes get once a step leaves as it begins, or, made of something, behind the prologue.
/// What passes send waits for links that it takes.
void PipelineWalk::send_before() {
  for (std::size_t c = 0; c < parts_.crossings.size(); ++c) {
    const Crossing& crossing = parts_.crossings[c];
    if (crossing.phase != ChunkPhase::prologue) continue;
    const std::size_t from = mesh_of(crossing.chunk);
    const double prologue_s = expects_ ? parts_.prologue_s[from] : 0;
    sent_[c].before_s.clear();
    for (const Crossing::Load& load : crossing.loads) {
      double& free_s = free_s_[at(load.link)];
      free_s = std::max(free_s, first_end_s_[from] + prologue_s) + load.seconds;
    }
    for (const Crossing::Target& target : crossing.targets) {
      double arrives_s = (expects_ ? first_end_s_ : step_end_s_)[from] + prologue_s +
                         target.latency_s + target.busy_s;
      if (expects_)
        arrives_s = std::max(arrives_s, step_end_s_[from] + prologue_s + target.first_s);
      sent_[c].before_s.push_back(arrives_s);
      double& ready_s = now_s_[mesh_of(target.chunk)];
      if (target.phase == ChunkPhase::prologue)
        ready_s = std::max(ready_s, sent_[c].before_s.back());
    }
  }
}

std::size_t PipelineWalk::mesh_of(std::int32_t chunk) const {
  return at(parts_.chunks[at(chunk)].mesh);
}

double PipelineWalk::arrived_s(const Into& into, std::int32_t micro_batch) const {
  const std::vector<double>& times = sent_[into.crossing].arrived_s[into.target];
  return at(micro_batch) < times.size() ? times[at(micro_batch)] : kNever;
}

/// When all is there that it waits for, and its mesh has time.
double PipelineWalk::ready_s(std::size_t mesh, const plan::PassStep& step) const {
  double ready_s = now_s_[mesh];
  for (const Into& into : site(step).into)
    ready_s = std::max(ready_s, arrived_s(into, step.micro_batch));
  return ready_s;
}

/// Of the collectives of a pass.
static double exposed(const PassSpan& span) {
  const double links_s = span.links_s[0] + span.links_s[1];
  return links_s > 0 ? std::min(1.0, span.waited_s / links_s) : 0;
}

void PipelineWalk::run(std::size_t mesh, const plan::PassStep& step) {
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
  if (expects_) waits_until_s = std::max(begin.now_s + span.seconds - span.after_s, waits_until_s);
  host_s += span.issue_s;
  if (!site.into.empty()) host_s = std::max(host_s, waits_until_s + span.issue_after_s);
  std::vector<Span>& spans = spans_[at(&site - sites_.data())];
  const double own_s = span.seconds + (spans.empty() ? 0 : span.adding_s);
  now_s_[mesh] = std::max({begin.now_s + own_s, begin.arrived_s + span.after_s, last_s, host_s});
  doing_[mesh] = {&site,        step.micro_batch, std::max(begin.now_s, now_s_[mesh] - own_s),
                  now_s_[mesh], span.links_s,     exposed(span)};
  const double later_s = share_with_sends(mesh);
  now_s_[mesh] = doing_[mesh].end_s += later_s;
  if (spans.size() <= at(step.micro_batch)) spans.resize(at(step.micro_batch) + 1);
  spans[at(step.micro_batch)] = {begin.now_s, now_s_[mesh]};
  if (step.pass == Pass::backward) last_backward_s_[at(step.chunk)] = now_s_[mesh];
  summed_s_[at(step.chunk)] = now_s_[mesh];
  for (const std::size_t c : site.from) {
    send(c, step.micro_batch, departs_s(span, parts_.crossings[c].departure, begin) + later_s);
  }
}

double PipelineWalk::departs_s(const PassSpan& span, std::int32_t departure, const Begin& begin) {
  const PassSpan::Departure& own = span.departures[at(departure)];
  return std::max(begin.now_s + own.seconds, own.after_s < 0 ? 0 : begin.arrived_s + own.after_s);
}

void PipelineWalk::send(std::size_t c, std::int32_t micro_batch, double departs_s) {
  const Crossing& crossing = parts_.crossings[c];
  Sent& sent = sent_[c];
  double shared_s = 0;  // when links that it shares are done with it
  for (const Crossing::Load& load : crossing.loads) {
    double& free_s = free_s_[at(load.link)];
    if (free_s < departs_s) busy_from_s_[at(load.link)] = free_s = departs_s;
    free_s += load.seconds + share_with_collectives(load.link, free_s, load.seconds);
    shared_s = std::max(shared_s, free_s);
  }
  // What leaves out of order may come before the rest.
  const bool is_behind = is_in_order_[c] && departs_s >= sent.last_s;
  sent.last_s = departs_s;
  if (sent.left_s.size() <= at(micro_batch)) sent.left_s.resize(at(micro_batch) + 1);
  sent.left_s[at(micro_batch)] = departs_s;
  for (std::size_t t = 0; t < crossing.targets.size(); ++t) {
    const Crossing::Target& target = crossing.targets[t];
    double& last_s = sent.came_s[t];
    const double alone_s = departs_s + target.busy_s;
    last_s = is_behind ? std::max(alone_s, last_s + target.period_s) : alone_s;
    std::vector<double>& arrived_s = sent.arrived_s[t];
    if (arrived_s.size() <= at(micro_batch)) arrived_s.resize(at(micro_batch) + 1, kNever);
    arrived_s[at(micro_batch)] = std::max(last_s, shared_s) + target.latency_s;
  }
}

}  // namespace rhino::evaluate
