// SPDX-License-Identifier: Apache-2.0
#include "evaluate/table_trial.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::evaluate {

using sharding::ChunkPhase;

TableTrial::View::View(TableTrial& trial, bool is_cut)
    : frame(trial.frames_.with_loops(trial.strategy_, is_cut)),
      pricer(trial.tables_, *frame, trial.cuts_, trial.strategy_.gradient_sums,
             trial.context_.blocking.collectives,
             [&trial, is_cut] { return trial.frames_.with_loops(trial.strategy_, is_cut, false); }),
      times(frame->passes.size()),
      is_stale(frame->passes.size(), true) {}

void TableTrial::View::price() {
  for (std::size_t p = 0; p < times.size(); ++p) {
    if (is_stale[p]) times[p] = pricer.price(frame->passes[p]);
    is_stale[p] = false;
  }
}

TableTrial::TableTrial(const Means& means, const Strategy& strategy, std::vector<FormId> forms)
    : context_(means.context),
      tables_(means.tables),
      crossings_(means.crossings),
      frames_(means.frames),
      strategy_(strategy),
      whole_(std::make_unique<View>(*this, false)) {
  for (const Chunk& chunk : strategy_.chunks)
    cuts_.kind_of_chunk.push_back(tables_.kind_of(chunk.mesh));
  cuts_.mesh_of_chunk = mesh_numbers(strategy_.chunks);
  num_meshes_ = at(*std::ranges::max_element(cuts_.mesh_of_chunk) + 1);
  find_links();
  const Program& program = context_.program;
  cuts_.forms = std::move(forms);
  cuts_.ops.resize(at(program.size()));
  for (ValueId id = static_cast<ValueId>(cuts_.forms.size()); id < program.size(); ++id)
    cuts_.forms.push_back(form_of(id));
  for (ValueId id = 0; id < program.size(); ++id) {
    if (whole_->frame->made_in[at(id)] >= 0) cuts_.ops[at(id)] = op_price(id);
  }
}

/// Where each device of a mesh has a link for itself they are as busy as the busiest of them.
void TableTrial::find_links() {
  const cost::Links& links = tables_.cost().links();
  std::map<std::int32_t, std::set<std::pair<std::int32_t, std::size_t>>> users;
  for (std::size_t c = 0; c < strategy_.chunks.size(); ++c) {
    for (const DeviceId device : strategy_.chunks[c].mesh.devices) {
      const std::vector<std::int32_t> own = links.of(device);
      for (std::size_t place = 0; place < own.size(); ++place)
        users[own[place]].insert({cuts_.mesh_of_chunk[c], place});
    }
  }
  link_class_.assign(links.bytes_per_s().size(), -1);
  std::map<std::pair<std::int32_t, std::size_t>, std::int32_t> of_mesh;
  std::int32_t num_classes = 0;
  for (const auto& [link, own] : users) {
    std::int32_t number = num_classes;
    if (own.size() == 1) number = of_mesh.try_emplace(*own.begin(), num_classes).first->second;
    link_class_[at(link)] = number;
    num_classes = std::max(num_classes, number + 1);
  }
}

FormId TableTrial::form_of(ValueId id) {
  return tables_.form_of(id, strategy_.specs[at(id)],
                         cuts_.kind_of_chunk[at(std::max(strategy_.chunk_of[at(id)], 0))],
                         strategy_.num_micro_batches);
}

const OpPrice* TableTrial::op_price(ValueId id) {
  const std::int32_t chunk = whole_->frame->chunk_of[at(id)];
  asked_.assign(1, cuts_.forms[at(id)]);
  for (const ValueId operand : context_.program.op(id).operands)
    asked_.push_back(cuts_.forms[at(operand)]);
  return &tables_.op({id, chunk, cuts_.kind_of_chunk[at(chunk)]}, strategy_, asked_);
}

TableTrial::View& TableTrial::cut() {
  if (!cut_) cut_ = std::make_unique<View>(*this, true);
  return *cut_;
}

void TableTrial::price(View& view) {
  view.price();
  view.crossed.clear();
  for (const CrossingValues& values : view.frame->crossings) {
    Crossed& crossed = view.crossed.emplace_back(Crossed{boundary(view, values)});
    crossed.price = &crossings_.price(crossed.boundary);
  }
}

const TableTrial::View& TableTrial::view_of(std::int32_t chunk) const {
  return is_cut_[at(chunk)] ? *cut_ : *whole_;
}

/// A backward pass that is whole does what the weight pass would.
PassPlace TableTrial::as_run(PassPlace place) const {
  if (place.phase == ChunkPhase::weight && !is_cut_[at(place.chunk)])
    place.phase = ChunkPhase::backward;
  return place;
}

Boundary TableTrial::boundary(const View& view, const CrossingValues& crossing) const {
  Boundary boundary{&strategy_.chunks[at(crossing.from.chunk)].mesh, {}, {}};
  const auto held = [&](const PassPlace& place, ValueId id) {
    return view.pricer.forms().held({.chunk = place.chunk, .phase = place.phase}, id);
  };
  for (const auto& [id, readers] : crossing.values) {
    Boundary::Tensor& tensor =
        boundary.tensors.emplace_back(Boundary::Tensor{view.pricer.forms().handed_on(id), {}});
    for (const PassPlace& reader : readers) {
      const Mesh& mesh = strategy_.chunks[at(reader.chunk)].mesh;
      const auto found = std::ranges::find_if(boundary.targets,
                                              [&](const Mesh* target) { return *target == mesh; });
      const auto t = static_cast<std::size_t>(found - boundary.targets.begin());
      if (found == boundary.targets.end()) boundary.targets.push_back(&mesh);
      tensor.arriving.resize(std::max(tensor.arriving.size(), t + 1), -1);
      if (tensor.arriving[t] < 0) tensor.arriving[t] = held(reader, id);
    }
  }
  return boundary;
}

void TableTrial::add_loads(const Boundary& boundary, const CrossingPrice& price,
                           StepParts::Crossing& crossing) const {
  const cost::Links& links = tables_.cost().links();
  struct OfLink {
    double seconds = 0;
    const Mesh* mesh = nullptr;
    std::int32_t num_devices = 0;
  };
  std::map<std::int32_t, OfLink> of_link;
  for (const CrossingPrice::Load& load : price.loads) {
    const Mesh& mesh = load.mesh == 0 ? *boundary.source : *boundary.targets[load.mesh - 1];
    OfLink& own = of_link[links.of(mesh.devices[load.rank])[load.place]];
    own.seconds += load.seconds;
    own.mesh = &mesh;
    ++own.num_devices;
  }
  std::map<std::int32_t, StepParts::Crossing::Load> loads;
  for (const auto& [link, own] : of_link) {
    StepParts::Crossing::Load& most = loads[link_class_[at(link)]];
    if (own.seconds <= most.seconds) continue;
    const auto has_link = [&](DeviceId device) {
      return std::ranges::count(links.of(device), link) > 0;
    };
    most = {link_class_[at(link)], own.seconds, own.num_devices,
            static_cast<std::int32_t>(std::ranges::count_if(own.mesh->devices, has_link))};
  }
  for (const auto& [link, load] : loads) crossing.loads.push_back(load);
}

/// Some of it, of micro-batches, is complete as the last backward pass of their chunk ends, and no
/// sooner.
bool TableTrial::has_sums(const View& view, const CrossingValues& crossing) {
  return std::ranges::any_of(crossing.values, [&](const auto& value) {
    const ValueId id = value.first;
    return view.frame->is_accumulated[at(id)] &&
           view.frame->passes[at(view.frame->made_in[at(id)])].phase == ChunkPhase::backward;
  });
}

/// What leaves chunks whose passes run as in `view`.
void TableTrial::add_crossings(const View& view, bool bounds, StepParts& parts) const {
  for (const auto& [from, reader] : view.frame->stays) {
    if (&view_of(from.chunk) != &view) continue;
    const PassPlace maker = as_run(from), waits = as_run(reader);
    parts.stays.push_back(
        {{plan::pass_of(maker.phase), maker.chunk}, {plan::pass_of(waits.phase), waits.chunk}});
  }
  for (std::size_t c = 0; c < view.frame->crossings.size(); ++c) {
    const CrossingValues& values = view.frame->crossings[c];
    if (bounds && values.from.phase == ChunkPhase::update && !has_sums(view, values)) continue;
    if (&view_of(values.from.chunk) != &view) continue;
    const Boundary& boundary = view.crossed[c].boundary;
    const CrossingPrice& price = *view.crossed[c].price;
    StepParts::Crossing& crossing = parts.crossings.emplace_back(StepParts::Crossing{
        values.from.phase, values.from.chunk, std::max(values.departure, 0), {}, {}});
    if (!bounds) {
      add_loads(boundary, price, crossing);
      crossing.bytes = leaving_bytes(view, values, boundary);
    }
    for (const PassPlace& reader : values.readers()) {
      const Mesh& mesh = strategy_.chunks[at(reader.chunk)].mesh;
      const auto t = static_cast<std::size_t>(
          std::ranges::find_if(boundary.targets,
                               [&](const Mesh* target) { return *target == mesh; }) -
          boundary.targets.begin());
      const CrossingPrice::Target& target = price.targets[t];
      const PassPlace place = as_run(reader);
      const std::vector<PassOps>& passes = view.frame->passes;
      const auto pass = std::ranges::find_if(passes, [&](const PassOps& other) {
        return PassPlace{other.phase, other.chunk} == reader;
      });
      const bool is_updated = values.from.phase == ChunkPhase::update && pass != passes.end();
      const std::uint32_t together =
          is_updated ? view.times[at(pass - passes.begin())].expected.together : 0;
      StepParts::Crossing::Target& added =
          crossing.targets.emplace_back(StepParts::Crossing::Target{
              place.phase, place.chunk, target.latency_s, target.seconds - target.latency_s,
              target.first_s[together], target.period_s});
      if (is_updated) {
        const auto arrival = std::ranges::find(pass->crossings, static_cast<std::int32_t>(c));
        if (arrival != pass->crossings.end())
          added.arrival = static_cast<std::int32_t>(arrival - pass->crossings.begin());
      }
      if (!bounds) {
        add_arriving_bytes(view, values, reader, added);
        continue;
      }
      if (!sharding::is_pass(values.from.phase)) {
        added.busy_s = target.busy_s.front();
        continue;
      }
      added.is_main = at(pass->main_crossing) == c && &view_of(reader.chunk) == &view;
      added.busy_s = target.busy_s[view.times[at(pass - passes.begin())].bound.together];
      added.period_s = added.busy_s;
    }
  }
}

void TableTrial::add_passes(const View& view, bool bounds, StepParts& parts) const {
  for (std::size_t p = 0; p < view.times.size(); ++p) {
    const PassOps& pass = view.frame->passes[p];
    if (&view_of(pass.chunk) != &view) continue;
    const PassTime& time = bounds ? view.times[p].bound : view.times[p].expected;
    StepParts::Chunk& chunk = parts.chunks[at(pass.chunk)];
    switch (pass.phase) {
      case ChunkPhase::prologue: break;
      case ChunkPhase::update:
        chunk.early_s += time.early_s;
        chunk.last_early_s = time.last_early_s;
        chunk.after_early_s = time.after_early_s;
        chunk.early_links_s = time.early_links_s;
        chunk.update = time.span;
        break;
      case ChunkPhase::forward: chunk.passes[0] = time.span; break;
      case ChunkPhase::backward: chunk.passes[1] = time.span; break;
      case ChunkPhase::weight: chunk.passes[2] = time.span; break;
    }
  }
}

/// Prologues, and updates, of a mesh are one program: of several chunks it waits for messages of
/// all of them at once, but for what links need.
void TableTrial::add_joint(const View& view, bool bounds, ChunkPhase phase,
                           std::vector<double>& seconds) const {
  std::vector<double> work_s(seconds.size(), 0), latency_s(seconds.size(), 0);
  for (std::size_t p = 0; p < view.times.size(); ++p) {
    const PassOps& pass = view.frame->passes[p];
    if (pass.phase != phase || &view_of(pass.chunk) != &view) continue;
    const std::size_t mesh = at(cuts_.mesh_of_chunk[at(pass.chunk)]);
    const auto& [expected, bound] = view.times[p];
    work_s[mesh] += bound.work_s;
    if (bounds) {
      seconds[mesh] = std::max({seconds[mesh], bound.span.seconds, work_s[mesh]});
      continue;
    }
    const auto& [inside_s, between_s] = expected.span.links_s;
    const double own_s = std::max(0.0, expected.span.waited_s - inside_s - between_s);
    seconds[mesh] += expected.span.seconds - std::min(own_s, latency_s[mesh]);
    latency_s[mesh] = std::max(latency_s[mesh], own_s);
  }
}

StepParts TableTrial::parts(bool bounds) const {
  StepParts parts;
  parts.prologue_s.assign(num_meshes_, 0);
  parts.update_s.assign(num_meshes_, 0);
  parts.links.resize(num_meshes_);
  for (std::size_t c = 0; c < cuts_.mesh_of_chunk.size(); ++c) {
    const std::int32_t mesh = cuts_.mesh_of_chunk[c];
    parts.chunks.push_back({.mesh = mesh});
    const std::vector<std::int32_t> own =
        tables_.cost().links().of(strategy_.chunks[c].mesh.devices.front());
    for (std::size_t place = 0; place < 4; ++place)
      parts.links[at(mesh)][place] = link_class_[at(own[place])];
  }
  for (const View* view : std::initializer_list<const View*>{whole_.get(), cut_.get()}) {
    if (view == nullptr) continue;
    add_joint(*view, bounds, ChunkPhase::prologue, parts.prologue_s);
    add_passes(*view, bounds, parts);
    add_joint(*view, bounds, ChunkPhase::update, parts.update_s);
    add_crossings(*view, bounds, parts);
  }
  return parts;
}

}  // namespace rhino::evaluate
