// SPDX-License-Identifier: Apache-2.0
#include "topology/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "rhino/error.hpp"
#ifdef RHINO_HWLOC
#include <hwloc.h>
#endif

namespace rhino::topology {
namespace {

bool may_run_on(std::int32_t number) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return true;
  return number < CPU_SETSIZE && CPU_ISSET(static_cast<std::size_t>(number), &allowed);
}

#ifdef RHINO_HWLOC
using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

/// `machine`: empty for this one.
Topology load(const std::string& machine) {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw Error("hwloc does not start");
  Topology topology(made, &hwloc_topology_destroy);
  if (!machine.empty() && hwloc_topology_set_synthetic(made, machine.c_str()) != 0)
    throw Error("hwloc knows no machine '" + machine + "'");
  if (hwloc_topology_load(made) != 0) throw Error("hwloc cannot look at this machine");
  return topology;
}

std::int32_t above(const Topology& topology, hwloc_obj_t object, hwloc_obj_type_t type) {
  const hwloc_obj_t ancestor = hwloc_get_ancestor_obj_by_type(topology.get(), type, object);
  return ancestor ? static_cast<std::int32_t>(ancestor->logical_index) : 0;
}

std::vector<Core> cores_of(const std::string& machine) {
  const Topology topology = load(machine);
  std::vector<Core> cores;
  const int count = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU);
  for (int i = 0; i < count; ++i) {
    const hwloc_obj_t unit =
        hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_PU, static_cast<unsigned>(i));
    cores.push_back({.number = static_cast<std::int32_t>(unit->os_index),
                     .package = above(topology, unit, HWLOC_OBJ_PACKAGE),
                     .node = std::max(0, hwloc_bitmap_first(unit->nodeset)),
                     .cache = above(topology, unit, HWLOC_OBJ_L3CACHE)});
  }
  return cores;
}

std::vector<Core> cores_here() {
  std::vector<Core> cores = cores_of("");
  std::erase_if(cores, [](const Core& core) { return !may_run_on(core.number); });
  return cores;
}
#else
std::vector<Core> cores_of(const std::string&) { throw Error("this build has no hwloc"); }

std::vector<Core> cores_here() {
  std::vector<Core> cores;
  for (std::int32_t number = 0; number < CPU_SETSIZE; ++number) {
    if (may_run_on(number)) cores.push_back({.number = number});
  }
  return cores;
}
#endif

using Cores = std::vector<std::int32_t>;
/// Cores with the same answer are of one domain.
using Domain = std::pair<std::int32_t, std::int32_t> (*)(const Core&);

std::pair<std::int32_t, std::int32_t> cache_of(const Core& core) { return {core.node, core.cache}; }
std::pair<std::int32_t, std::int32_t> node_of(const Core& core) { return {core.node, 0}; }

/// Cuts places of `share` cores out of domains: several out of one, or one out of as many whole
/// ones as it takes.
std::vector<Cores> places_of(const std::vector<Core>& cores, Domain domain, std::size_t share) {
  std::vector<Cores> places;
  Cores place;
  for (auto begin = cores.begin(); begin != cores.end();) {
    const auto end = std::find_if(begin, cores.end(),
                                  [&](const Core& core) { return domain(core) != domain(*begin); });
    const bool spans = static_cast<std::size_t>(end - begin) < share;
    while (static_cast<std::size_t>(end - begin) >= share - place.size() || spans) {
      if (begin == end) break;
      place.push_back((begin++)->number);
      if (place.size() < share) continue;
      places.push_back(std::exchange(place, {}));
      if (spans) break;
    }
    begin = end;
  }
  return places;
}

std::vector<Cores> one_after_the_other(const std::vector<Core>& cores, std::size_t num_ranks) {
  const std::size_t share = cores.size() / num_ranks;
  std::vector<Cores> places(num_ranks);
  for (std::size_t i = 0; i < num_ranks * share; ++i) places[i / share].push_back(cores[i].number);
  return places;
}

std::string counted(const std::vector<Core>& cores, std::int32_t Core::*level,
                    const std::string& noun) {
  std::set<std::int32_t> numbers;
  for (const Core& core : cores) numbers.insert(core.*level);
  return std::to_string(numbers.size()) + " " + noun + (numbers.size() == 1 ? "" : "s");
}

}  // namespace

const std::vector<Core>& discover_cores() {
  static const std::vector<Core> cores = cores_here();
  return cores;
}

std::vector<Core> synthetic_cores(const std::string& machine) { return cores_of(machine); }

std::string describe_cores([[maybe_unused]] const std::vector<Core>& cores) {
#ifdef RHINO_HWLOC
  return counted(cores, &Core::package, "package") + ", " +
         counted(cores, &Core::node, "NUMA node") + ", " +
         counted(cores, &Core::cache, "last-level cache") + " (hwloc " RHINO_HWLOC ")";
#else
  return "";
#endif
}

std::vector<Cores> share_cores(const std::vector<Core>& cores, std::int32_t num_ranks) {
  const auto count = static_cast<std::size_t>(num_ranks);
  const std::size_t most = cores.size() / count;
  for (std::size_t share = most; 4 * share >= 3 * most && share > 0; --share) {
    for (const Domain domain : {&cache_of, &node_of}) {
      std::vector<Cores> places = places_of(cores, domain, share);
      if (places.size() < count) continue;
      places.resize(count);
      return places;
    }
  }
  return one_after_the_other(cores, count);
}

std::string core_list(const Cores& cores) {
  std::string text;
  for (std::size_t i = 0; i < cores.size();) {
    std::size_t end = i + 1;
    while (end < cores.size() && cores[end] == cores[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(cores[i]);
    if (end - i > 1) text += "-" + std::to_string(cores[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace rhino::topology
