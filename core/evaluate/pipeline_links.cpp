// SPDX-License-Identifier: Apache-2.0
/// What collectives of a mesh, and what it and others send, lose to each other on links that both
/// take: as long as both are under way each has half of one, so that either ends later by as much
/// as the shorter of them takes.
#include <algorithm>

#include "evaluate/pipeline_walk.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

double PipelineWalk::Doing::left_s(std::size_t kind, double from_s) const {
  const double length_s = end_s - begin_s;
  if (links_s[kind] <= 0 || length_s <= 0 || from_s >= end_s) return 0;
  return links_s[kind] * (end_s - std::max(from_s, begin_s)) / length_s;
}

void PipelineWalk::find_users() {
  busy_from_s_.assign(free_s_.size(), 0);
  users_.resize(free_s_.size());
  if (!expects_ || parts_.links.empty()) return;
  for (std::size_t mesh = 0; mesh < parts_.links.size(); ++mesh) {
    for (std::size_t place = 0; place < parts_.links[mesh].size(); ++place) {
      const std::int32_t link = parts_.links[mesh][place];
      if (link >= 0 && at(link) < users_.size()) users_[at(link)].push_back({mesh, place / 2});
    }
  }
}

/// The pass that begins, with what is being sent. Returns how much later it ends.
double PipelineWalk::share_with_sends(std::size_t mesh) {
  if (!expects_ || parts_.links.empty()) return 0;
  const Doing& own = doing_[mesh];
  double later_s = 0;
  for (std::size_t place = 0; place < parts_.links[mesh].size(); ++place) {
    const std::int32_t link = parts_.links[mesh][place];
    if (own.links_s[place / 2] <= 0 || link < 0 || at(link) >= free_s_.size()) continue;
    double& free_s = free_s_[at(link)];
    const double from_s = std::max(own.begin_s, busy_from_s_[at(link)]),
                 both_s = std::min(free_s - from_s, own.left_s(place / 2, from_s));
    if (both_s <= 0) continue;
    delay_sends(link, from_s, both_s);
    free_s += both_s;
    later_s = std::max(later_s, own.exposed * both_s);
  }
  return later_s;
}

/// Of what is sent from then on. Returns how much later it arrives.
double PipelineWalk::share_with_collectives(std::int32_t link, double begin_s, double seconds) {
  double later_s = 0;
  for (const User& user : users_[at(link)]) {
    const double both_s = std::min(seconds, doing_[user.mesh].left_s(user.kind, begin_s));
    if (both_s <= 0) continue;
    delay_pass(user.mesh, begin_s, doing_[user.mesh].exposed * both_s);
    later_s += both_s;
  }
  return later_s;
}

/// What a mesh does, and what it has not sent so far.
void PipelineWalk::delay_pass(std::size_t mesh, double from_s, double later_s) {
  Doing& own = doing_[mesh];
  own.end_s += later_s;
  is_delayed_ = true;
  if (own.site == nullptr) {
    update_from_s_[mesh] += later_s;
    return;
  }
  now_s_[mesh] += later_s;
  spans_[at(own.site - sites_.data())][at(own.micro_batch)].end_s += later_s;
  for (const std::size_t c : own.site->from) {
    Sent& sent = sent_[c];
    const auto micro_batch = at(own.micro_batch);
    if (sent.left_s.size() <= micro_batch || sent.left_s[micro_batch] <= from_s) continue;
    sent.left_s[micro_batch] += later_s;
    for (std::vector<double>& arrived_s : sent.arrived_s) arrived_s[micro_batch] += later_s;
  }
}

/// What is to arrive behind `from_s`.
void PipelineWalk::delay_sends(std::int32_t link, double from_s, double later_s) {
  for (std::size_t c = 0; c < sent_.size(); ++c) {
    const std::vector<Crossing::Load>& loads = parts_.crossings[c].loads;
    if (std::ranges::find(loads, link, &Crossing::Load::link) == loads.end()) continue;
    for (std::size_t t = 0; t < sent_[c].arrived_s.size(); ++t) {
      std::vector<double>& arrived_s = sent_[c].arrived_s[t];
      for (std::size_t m = arrived_s.size(); m-- > 0;) {
        if (arrived_s[m] == kNever) continue;
        if (arrived_s[m] <= from_s && is_in_order_[c]) break;
        if (arrived_s[m] > from_s) arrived_s[m] += later_s;
      }
      if (sent_[c].came_s[t] > from_s) sent_[c].came_s[t] += later_s;
    }
  }
  is_delayed_ = true;
}

/// When all that passes of a mesh have sent has arrived.
double PipelineWalk::sent_s(std::size_t mesh) const {
  double last_s = 0;
  for (std::size_t c = 0; c < sent_.size(); ++c) {
    if (!sharding::is_pass(parts_.crossings[c].phase) || mesh_of(parts_.crossings[c].chunk) != mesh)
      continue;
    for (const std::vector<double>& arrived_s : sent_[c].arrived_s) {
      for (const double own_s : arrived_s) last_s = std::max(last_s, own_s < kNever ? own_s : 0);
    }
  }
  return last_s;
}

/// A device waits for what it has sent, and the others of its mesh begin to reduce meanwhile.
void PipelineWalk::begin_update(std::size_t mesh) {
  const double now_s = now_s_[mesh];
  Doing own{nullptr, 0, now_s, now_s + parts_.update_s[mesh]};
  for (const StepParts::Chunk& chunk : parts_.chunks) {
    if (at(chunk.mesh) != mesh) continue;
    for (std::size_t kind = 0; kind < 2; ++kind)
      own.links_s[kind] += chunk.early_links_s[kind] + chunk.update.links_s[kind];
  }
  double soonest_s = now_s, spared_s = 0;
  for (std::size_t kind = 0; kind < 2 && !parts_.links.empty(); ++kind) {
    const std::int32_t link = parts_.links[mesh][2 * kind];
    const double share = idle_share(mesh, link), reductions_s = own.links_s[kind] * share;
    if (reductions_s <= 0) continue;
    const double waiting_s = free_s_[at(link)] - now_s;
    if (waiting_s <= 0) continue;
    // As many groups as devices begin, beside two messages of each that sends.
    const double later_s = std::min(waiting_s * 0.5 * share / (1 - share), reductions_s);
    delay_sends(link, now_s, later_s);
    free_s_[at(link)] += later_s;
    soonest_s = std::max(soonest_s, now_s + waiting_s);
    spared_s = std::max(spared_s, later_s);
  }
  update_from_s_[mesh] = std::max(soonest_s, sent_s(mesh) - spared_s);
  own.end_s += update_from_s_[mesh] - now_s;
  own.begin_s = update_from_s_[mesh];
  doing_[mesh] = own;
}

/// Of the devices of a mesh that have a link out, those by which nothing that passes send leaves;
/// 0: nothing does.
double PipelineWalk::idle_share(std::size_t mesh, std::int32_t link) const {
  double share = 1;
  for (const Crossing& crossing : parts_.crossings) {
    if (!sharding::is_pass(crossing.phase) || mesh_of(crossing.chunk) != mesh) continue;
    for (const Crossing::Load& load : crossing.loads) {
      if (load.link == link) share = std::min(share, 1 - 1.0 * load.num_devices / load.num_all);
    }
  }
  return share < 1 ? share : 0;
}

}  // namespace rhino::evaluate
