// SPDX-License-Identifier: Apache-2.0
#include "calibrate/calibrations.hpp"

#include <algorithm>

#include "calibrate/drift.hpp"
#include "calibrate/network.hpp"
#include "store/calibration_file.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::calibrate {

static bool is_due(const cost::Calibration& calibration,
                   std::chrono::steady_clock::time_point made) {
  return !is_disturbed(calibration) ||
         std::chrono::steady_clock::now() > made + std::chrono::duration<double>(kLeastAge_s);
}

cost::Calibration kept_or(const std::string& folder, const std::string& fingerprint,
                          const std::function<cost::Calibration()>& make) {
  if (const auto kept = store::load_calibration(as_disturbed(fingerprint), folder)) return *kept;
  cost::Calibration made = make();
  if (is_disturbed(made)) store::save_calibration(made, folder);
  return made;
}

const cost::Calibration& Calibrations::machine(const WorkerSetup& setup, const Progress& progress) {
  const std::string fingerprint = calibration_fingerprint(setup);
  const auto known = made_.find(fingerprint);
  if (known == made_.end()) {
    progress("calibrating " + std::to_string(setup.num_ranks) + " x " +
             std::to_string(setup.session.num_threads) + " threads");
    made_[fingerprint] = kept_or(folder_, fingerprint, [&] { return calibration_for(setup); });
    made_at_[fingerprint] = Clock::now();
  } else if (!looked_at_.contains(fingerprint) && is_due(known->second, made_at_[fingerprint])) {
    if (auto now = renewed(known->second, setup)) {
      known->second = *std::move(now);
    } else {
      progress("calibrating again: the machine has become slower or quicker");
      known->second = new_calibration(setup, 1);
      made_at_[fingerprint] = Clock::now();
      if (is_disturbed(known->second)) store::save_calibration(known->second, folder_);
    }
  }
  num_looks_ += looked_at_.insert(fingerprint).second;
  return made_.at(fingerprint);
}

const cost::Calibration& Calibrations::raise_peaks(const WorkerSetup& setup,
                                                   const Progress& progress) {
  machine(setup, progress);
  cost::Calibration& known = made_.at(calibration_fingerprint(setup));
  progress("calibrating again");
  const cost::Calibration fresh = calibrate_machine(setup).calibration;
  for (double cost::Calibration::*peak :
       {&cost::Calibration::peak_flops, &cost::Calibration::peak_bytes_per_s,
        &cost::Calibration::peak_link_bytes_per_s})
    known.*peak = std::max(known.*peak, fresh.*peak);
  store::save_calibration(known, is_disturbed(known) ? folder_ : store::cache_folder());
  return known;
}

const cost::Calibration& Calibrations::network(const WorkerSetup& setup, const Cluster& cluster,
                                               const Progress& progress) {
  const std::string key = topology::emulation_key(cluster);
  WorkerSetup here = setup;
  here.session.hosts.clear();
  const cost::Calibration& base = machine(here, progress);
  const auto found = made_.find(key);
  if (found != made_.end()) return found->second = with_network(base, found->second);
  progress("calibrating the network of " + cluster.name);
  const cost::Calibration& made = made_[key] =
      kept_or(folder_, network_fingerprint(base, cluster),
              [&] { return calibrate_network(base, setup, cluster); });
  const NetworkFinding finding = judge_network(made, cluster);
  if (finding.deviates) progress(cluster.name + ": " + finding.sentence);
  return made;
}

const cost::Calibration& Calibrations::hosts(const WorkerSetup& setup, Cluster& cluster,
                                             const Progress& progress) {
  std::string key = cluster.name;
  for (const Host& host : cluster.hosts)
    key += "/" + host.name + ":" + std::to_string(host.devices.size());
  WorkerSetup here = setup;
  here.session.agents.clear();
  here.session.environment.clear();
  const cost::Calibration base = machine(here, progress);
  if (!links_.contains(key)) {
    progress("calibrating the links between " + std::to_string(cluster.hosts.size()) + " hosts");
    links_[key] = measure_links(setup, cluster);
  }
  const HostLinks& links = links_.at(key);
  made_[key] = base;
  made_[key].inter_host = links.typical;
  for (std::size_t host = 0; host < cluster.hosts.size(); ++host)
    cluster.hosts[host].interface = links.interfaces[host];
  cluster.own_links.insert(cluster.own_links.end(), links.own_links.begin(), links.own_links.end());
  return made_[key];
}

}  // namespace rhino::calibrate
