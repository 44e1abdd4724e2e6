// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "common/hosts.hpp"
#include "common/option_values.hpp"
#include "common/scatter_gather.hpp"
#include "rhino/error.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Resharding by local all-gather (Alpa, arXiv 2201.12023, section 6; AlpaComm, arXiv 2211.05322,
/// section 3): a tile that B devices of a host need is scattered over them, 1 / B to each, and
/// gathered inside the host, so that the network carries it once per host.
///
/// Option `fallback`: `published` does as Alpa does where this does not go smoothly. A tile that
/// several hosts need goes to all its receivers by send/recv; one whose extents cannot be cut into
/// B equal parts is cut into as many as B has a common divisor for, each of which goes to several
/// devices (to all of them, whole, where 3 devices share a power of two). `none` cuts unevenly
/// instead, and has every host gather for itself.
class LocalAllgather : public Resharding {
 public:
  explicit LocalAllgather(const Options& options) {
    as_published_ =
        common::word_option(options, "fallback", "published", {"published", "none"}) == "published";
  }

  TransferPlan plan(const ReshardProblem& problem) override {
    common::ScatterGather writer(problem);
    return writer.plan([&](const Box& tile, const std::vector<DeviceId>& receivers) {
      const auto hosts = common::by_host(problem.cluster, receivers);
      for (const std::vector<DeviceId>& group : hosts)
        deliver(tile, group, hosts.size() > 1, writer);
    });
  }

 private:
  void deliver(const Box& tile, const std::vector<DeviceId>& group, bool is_on_several_hosts,
               common::ScatterGather& writer) const {
    std::vector<Box> parts{tile};
    if (!as_published_) parts = writer.parts(tile, group.size());
    else if (!is_on_several_hosts)
      parts = common::cut_evenly(tile, static_cast<std::int64_t>(group.size()));
    const auto count = static_cast<std::ptrdiff_t>(parts.size());
    for (auto first = group.begin(); first != group.end(); first += count)
      writer.gather(parts, {first, first + count});
  }

  bool as_published_ = true;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("resharding/local_allgather", rhino::LocalAllgather,
             "scatter over the devices of each host, then an all-gather inside it (Alpa)")
