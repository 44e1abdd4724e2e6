// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "config/topology_file.hpp"
#include "temporary_file.hpp"
#include "topology_text.hpp"

using namespace rhino;
using namespace rhino::config;
using Catch::Matchers::Contains;

namespace {

std::string emulated_topology(const std::string& network, const std::string& inter_host,
                              const std::string& kind = "cpu") {
  return "name: two\nsource: a test\nhosts: 2\ndevices_per_host: 2\ndevice: {kind: " + kind +
         ", name: core, memory_bytes: 1e9, memory_bytes_per_s: 1e10, peak_flops: {f32: 1e11}}\n"
         "emulated: {" +
         network + "}\nlinks: {intra_host: {bytes_per_s: 4e9, latency_s: 1e-4}, inter_host: {" +
         inter_host + "}}\n";
}

}  // namespace

TEST_CASE("a topology is hosts of equal devices") {
  const TemporaryFile file(R"(name: two
source: a test
hosts: 2
devices_per_host: 4
device: {kind: modelled, name: V100, memory_bytes: 16e9, memory_bytes_per_s: 900e9, peak_flops: {f32: 15.7e12, f16: 125e12}}
links: {intra_host: {bytes_per_s: 150e9, latency_s: 5e-6}, inter_host: {bytes_per_s: 1.25e9, latency_s: 30e-6, shared_by: host}}
)");
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.num_devices() == 8);
  CHECK(cluster.host_of[5] == 1);
  CHECK(cluster.device(7).peak_flops.at(DType::f16) == 125e12);
  CHECK(cluster.inter_host.bytes_per_s == 1.25e9);
}

TEST_CASE("the links of an emulated topology carry what TCP leaves of the rate") {
  const TemporaryFile file(
      emulated_topology("rate_bits_per_s: 1e9, burst_bytes: 131072", "latency_s: 2e-4"));
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.is_emulated());
  CHECK(cluster.emulated == EmulatedNetwork{1e9, 131072});
  CHECK(cluster.inter_host.bytes_per_s == Approx(119.55e6).epsilon(1e-3));
  CHECK(cluster.inter_host.burst_bytes == 131072);
  CHECK(cluster.intra_host.burst_bytes == 0);
}

TEST_CASE("an emulated topology that cannot be is refused with its place") {
  const std::string good = "rate_bits_per_s: 1e9, burst_bytes: 131072", link = "latency_s: 2e-4";
  CHECK_THAT(refused(emulated_topology("rate_bits_per_s: 1e3, burst_bytes: 131072", link)),
             Contains(":6: 'rate_bits_per_s': an emulated network takes 1e6 to 1e10"));
  CHECK_THAT(refused(emulated_topology("rate_bits_per_s: .nan, burst_bytes: 131072", link)),
             Contains(":6: "));
  CHECK_THAT(refused(emulated_topology("rate_bits_per_s: 1e9, burst_bytes: 100", link)),
             Contains(":6: 'burst_bytes': an emulated network takes bursts of 128 KiB"));
  CHECK_THAT(refused(emulated_topology("rate_bit_per_s: 1e9, burst_bytes: 131072", link)),
             Contains(":6: "));
  CHECK_THAT(refused(emulated_topology(good, "bytes_per_s: 1e9, latency_s: 2e-4")),
             Contains(":7: 'bytes_per_s': it follows from rate_bits_per_s"));
  CHECK_THAT(refused(emulated_topology(good, link, "modelled")),
             Contains("only devices of kind cpu or emulated work on an emulated network"));
}

TEST_CASE(
    "devices share the interfaces of their host in order, hosts the uplinks of their switch") {
  const TemporaryFile file(
      switched("switches: {hosts_per_leaf: 2, oversubscription: 4, latency_s: 1e-6}\n"));
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.interface_of(0) == 0);
  CHECK(cluster.interface_of(8 + 5) == 2);
  CHECK(cluster.host_link(1) == Link{48e9, 5e-6, 0});
  CHECK(cluster.link(0, 7) == Link{200e9, 1e-6, 0});
  CHECK(cluster.link(0, 8) == Link{12e9, 5e-6, 0});  // below one switch
  REQUIRE(cluster.uplinks.size() == 2);
  CHECK(cluster.uplinks[0].bytes_per_s == 2 * 48e9 / 4);
  CHECK(cluster.link(0, 31).latency_s == Approx(7e-6));  // over two
}

TEST_CASE("a leaf may have room for more hosts than there are") {
  for (const std::int64_t per_leaf : {4, 5, 16, 65536}) {
    CAPTURE(per_leaf);
    const TemporaryFile file(
        switched("switches: {hosts_per_leaf: " + std::to_string(per_leaf) + "}\n"));
    const Cluster cluster = read_topology(file.path());
    REQUIRE(cluster.uplinks.size() == 1);
    CHECK(cluster.uplinks[0].bytes_per_s == 4 * 48e9);
    CHECK(cluster.link(0, 31) == Link{12e9, 5e-6, 0});
    CHECK(read_topology(file.path(), 1).uplinks.size() == 1);
    CHECK(read_topology(file.path(), 7).uplinks.size() == (per_leaf < 7 ? 2 : 1));
  }
}

TEST_CASE("the example of the page on topologies is one, with any number of hosts from four") {
  std::ifstream page(RHINO_TEST_TOPOLOGIES "/README.md");
  const std::string indent(4, ' ');
  std::string example;
  for (std::string line; std::getline(page, line);) {
    const bool is_in = !example.empty() || line == indent + "name: dgx_a100";
    if (is_in && !line.starts_with(indent)) break;
    if (is_in) example += line.substr(indent.size()) + '\n';
  }
  CHECK_THAT(example, Contains("own_links") && Contains("switches") && Contains("software"));
  const TemporaryFile file(example);
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.hosts.size() == 4);
  CHECK(cluster.own_links.size() == 2 + 4 * 2);
  CHECK(cluster.uplinks.size() == 1);
  CHECK(read_topology(file.path(), 32).uplinks.size() == 2);
}

TEST_CASE("classes of hosts keep their devices, links and interfaces") {
  const TemporaryFile file(kClasses);
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.num_devices() == 10);
  CHECK(cluster.device(1).name == "A100");
  CHECK(cluster.device(2).name == "V100");
  CHECK(cluster.link(0, 1) == Link{200e9, 1e-6, 0});
  CHECK(cluster.link(2, 5) == Link{80e9, 2e-6, 0});
  CHECK(cluster.link(0, 9) == Link{1e9, 30e-6, 0});  // the slower interface, the longer way
  CHECK(cluster.interface_of(9) == 1);
  CHECK_THAT(refused(kClasses, 3), Contains(":4: 'classes': its classes say how many hosts"));
}

TEST_CASE("a class that is one host of several says how quick its interface is") {
  const std::string last = ", inter_host: {bytes_per_s: 12e9, latency_s: 5e-6}";
  std::string text = kClasses;
  CHECK(refused(text.replace(text.find(last), last.size(), ""))
            .ends_with(":7: 'links': key 'inter_host' is missing"));
  text = switched("");
  text.replace(text.find(last), last.size(), "");
  CHECK_THAT(refused(text), Contains(":7: 'links': key 'inter_host' is missing"));
  CHECK(refused(text, 1).empty());
  CHECK_THAT(refused(text.replace(text.find("hosts: 4"), 8, "hosts: 1"), 2),
             Contains("'inter_host' is missing"));
  CHECK(refused(text).empty());
}

TEST_CASE("what is for one kind of devices is refused where a class has another") {
  const auto mixed = [](const std::array<const char*, 2>& kinds, const std::string& more) {
    std::string text = "name: mixed\nsource: a test\n" + more + "classes:\n";
    for (const char* kind : kinds)
      text += "  - hosts: 1\n    devices_per_host: 1\n    device: {kind: " + std::string(kind) +
              ", name: of " + kind + ", memory_bytes: 1e9, memory_bytes_per_s: 1e10, " +
              "peak_flops: {f32: 1e11}}\n    links: {intra_host: {bytes_per_s: 4e9, latency_s: " +
              "1e-6}, inter_host: {" + (more.starts_with("em") ? "" : "bytes_per_s: 1e9, ") +
              "latency_s: 1e-5}}\n";
    return text;
  };
  const std::string emulated = "emulated: {rate_bits_per_s: 1e9, burst_bytes: 131072}\n";
  CHECK_THAT(refused(mixed({"cpu", "modelled"}, emulated)),
             Contains(":3: 'emulated': only devices of kind cpu or emulated work on an emulated "
                      "network, and 'of modelled' is of another"));
  CHECK(refused(mixed({"cpu", "emulated"}, emulated)).empty());  // hosts of all classes are two
  std::string many = mixed({"cpu", "cpu"}, emulated);
  many.replace(many.rfind("hosts: 1"), 8, "hosts: 64");
  CHECK_THAT(refused(many), Contains(":3: 'emulated': an emulated network joins 2 to 64 hosts"));
  const std::string software = "software: {kernel_issue_s: 1e-5}\n";
  CHECK_THAT(refused(mixed({"modelled", "cpu"}, software)),
             Contains(":3: 'software': workers of this machine issue what they are measured to, "
                      "and 'of cpu' is of kind cpu"));
  CHECK(refused(mixed({"modelled", "emulated"}, software)).empty());
}

TEST_CASE("a class of hosts has shares of its own, or those of all") {
  std::string text = kClasses;
  const std::string place = "    links: {intra_host: {bytes_per_s: 80e9";
  text.insert(text.find(place), "    collective_shares: {all_gather: [{bytes: 8, share: 0.5}]}\n");
  const TemporaryFile file(text + "collective_shares: [{bytes: 4, share: 0.25}]\n");
  const Cluster cluster = read_topology(file.path());
  CHECK(cluster.collective_shares.any == std::vector<CollectiveShare>{{4, 0.25}});
  REQUIRE(cluster.shares_of_model.size() == 2);
  CHECK(cluster.shares_of_model[0] == cluster.collective_shares);
  CHECK(cluster.shares_of_model[1] == CollectiveShares{{}, {{OpKind::all_gather, {{8, 0.5}}}}});
}

TEST_CASE("a device says what kernels of attention reach") {
  std::string text = switched("");
  const auto with = [&](const std::string& attention) {
    std::string changed = text;
    const std::string end = "{bf16: 312e12}}";
    changed.replace(changed.find(end), end.size(), "{bf16: 312e12}, attention: " + attention + "}");
    return changed;
  };
  {
    const TemporaryFile plain(text);
    CHECK(read_topology(plain.path()).models[0].attention == AttentionRates{});
  }
  const TemporaryFile file(with("{forward: 0.7, backward: 0.5, exponentials_per_s: 2e12}"));
  CHECK(read_topology(file.path()).models[0].attention == AttentionRates{0.7, 0.5, 2e12});
  CHECK_THAT(refused(with("{forward: 1.5, backward: 0.5, exponentials_per_s: 2e12}")),
             Contains(":6: 'forward': it is a part of the peak, at most 1"));
  CHECK_THAT(refused(with("{forward: 0.5, backward: 0.5}")),
             Contains(":6: 'attention': key 'exponentials_per_s' is missing"));
}

TEST_CASE("a case asks for more hosts than the file's") {
  const TemporaryFile file(switched(""));
  CHECK(read_topology(file.path(), 16).num_devices() == 128);
  CHECK_THAT(refused(switched(""), 10000), Contains(":3: 'hosts': between 1 and 65536 devices"));
}

TEST_CASE("a case takes the first devices of each host, with the interfaces that they use") {
  const std::string path = RHINO_TEST_TOPOLOGIES "/dgx_a100.yaml";  // 8 devices, 4 interfaces
  const Cluster whole = read_topology(path, 3);
  for (const std::int64_t devices : {1, 2, 3, 4, 5, 8}) {
    CAPTURE(devices);
    const Cluster part = read_topology(path, 3, devices);
    REQUIRE(part.num_devices() == 3 * devices);
    std::set<std::int32_t> used, there;
    for (DeviceId device = 0; device < devices; ++device) {
      used.insert(whole.interface_of(device));
      there.insert(part.interface_of(device));
    }
    CHECK(there == used);
    CHECK(part.hosts[2].num_interfaces == std::ssize(used));
  }
  CHECK_THROWS_WITH(read_topology(path, 1, 9), Contains("'devices_per_host': a host has 8"));
}

TEST_CASE("what issues kernels is as its file says, and nothing by default") {
  const TemporaryFile plain(switched(""));
  CHECK(read_topology(plain.path()).software == Software{0, 1, 1});
  const TemporaryFile file(switched("software: {kernel_issue_s: 2e-5, kernels_per_loop: 1.5}"));
  CHECK(read_topology(file.path()).software == Software{2e-5, 1.5, 1});
  const TemporaryFile fused(switched("software: {kernel_issue_s: 2e-5, attention: true}"));
  CHECK(read_topology(fused.path()).software == Software{2e-5, 1, 1, true});
  const TemporaryFile own(
      switched("software: {kernel_issue_s: 2e-5, collective_issue_s: {all_reduce: 9e-5}}"));
  const Software software = read_topology(own.path()).software;
  CHECK(software.issue_s(OpKind::all_reduce) == 9e-5);
  CHECK(software.issue_s(OpKind::all_gather) == 2e-5);
}

TEST_CASE("shares of rates are as the file says, by bytes") {
  const TemporaryFile file(
      switched("collective_shares: [{bytes: 1e5, share: 1}, {bytes: 4MiB, share: 0.5}]"));
  CHECK(read_topology(file.path()).collective_shares.any ==
        std::vector<CollectiveShare>{{1e5, 1}, {4194304, 0.5}});
  const TemporaryFile by_members(switched(
      "collective_shares: [{members: 2, bytes: 8, share: 1}, {members: 4, bytes: 2, share: 0.5}]"));
  CHECK(read_topology(by_members.path()).collective_shares.any ==
        std::vector<CollectiveShare>{{8, 1, 2}, {2, 0.5, 4}});
  const TemporaryFile by_kind(
      switched("collective_shares: {all_to_all: [{bytes: 8, share: 0.5}], all_reduce: [{bytes: 1, "
               "share: 1}]}"));
  const Cluster cluster = read_topology(by_kind.path());
  CHECK(cluster.collective_shares.any.empty());
  CHECK(cluster.collective_shares.of_kind ==
        decltype(cluster.collective_shares.of_kind){{OpKind::all_reduce, {{1, 1}}},
                                                    {OpKind::all_to_all, {{8, 0.5}}}});
}

TEST_CASE("a topology that cannot be is refused with its place") {
  using Refusal = std::pair<std::string, std::string>;
  const auto [more, sentence] = GENERATE(values<Refusal>({
      {"switches: {hosts_per_leaf: 0}", ":8: 'hosts_per_leaf': a number from 1 to 65536 is wanted"},
      {"switches: {hosts_per_leaf: 2, oversubscription: 0.5}", "it must be 1 or more"},
      {"switches: {hosts_per_leaf: 2, latency_s: -1e-6}",
       ":8: 'latency_s': a switch takes no time below 0"},
      {"own_links: [{hosts: [0, 4], bytes_per_s: 1, latency_s: 0}]",
       ":8: 'hosts': two of the 4 hosts are wanted, from 0"},
      {"own_links: [{devices: [3, 3], bytes_per_s: 1, latency_s: 0}]", "two of the 32 devices"},
      {"own_links:\n  - {hosts: [0, 3], bytes_per_s: 1, latency_s: 0}\n"
       "  - {devices: [0, 3], bytes_per_s: 1, latency_s: 0}\n"
       "  - {hosts: [3, 0], bytes_per_s: 2, latency_s: 0}",
       ":11: 'own_links': hosts 3 and 0 have a link of their own already"},
      {"own_links:\n  - {devices: [1, 2], bytes_per_s: 1, latency_s: 0}\n"
       "  - {devices: [1, 2], bytes_per_s: 2, latency_s: 0}",
       ":10: 'own_links': devices 1 and 2 have a link of their own already"},
      {"own_links:\n  - {pairs_of_each_host: [[0, 8]], bytes_per_s: 1, latency_s: 0}",
       ":9: 'pairs_of_each_host': two of the 8 devices of a host are wanted, from 0"},
      {"own_links:\n  - {pairs_of_each_host: [], bytes_per_s: 1, latency_s: 0}",
       ":9: 'pairs_of_each_host': pairs of devices are wanted here"},
      {"own_links:\n  - {devices: [8, 9], bytes_per_s: 1, latency_s: 0}\n"
       "  - {pairs_of_each_host: [[0, 1]], bytes_per_s: 1, latency_s: 0}",
       ":10: 'own_links': devices 8 and 9 have a link of their own already"},
      {"collectives: gloo", ":8: 'collectives': unknown collectives 'gloo'"},
      {"host_memory: {bytes: 1e12}", ":8: unknown key 'host_memory'"},
      {"collective_shares: [{bytes: 2, share: 1}, {bytes: 2, share: 1}]",
       "members, then bytes are wanted in increasing order"},
      {"collective_shares: [{members: 4294967298, bytes: 2, share: 1}]",
       ":8: 'members': a number from 0 to 65536 is wanted here"},
      {"collective_shares: [{bytes: 2, share: 1.5}]", ":8: 'share': it is a part of the rate"},
      {"collective_shares: {allreduce: [{bytes: 2, share: 1}]}",
       ":8: unknown key 'allreduce'; did you mean 'all_reduce'?"},
      {"collective_shares: {all_reduce: [{bytes: 2, share: 2}]}",
       ":8: 'share': it is a part of the rate"},
      {"software: {kernels_per_loop: 2}", "key 'kernel_issue_s' is missing"},
      {"software: {kernel_issue_s: 1e-5, passes_per_loop: 0.5}",
       ":8: 'passes_per_loop': it must be 1 or more"},
      {"software: {kernel_issue_s: 1e-5, collective_issue_s: {allreduce: 1e-5}}",
       ":8: unknown key 'allreduce'; did you mean 'all_reduce'?"},
      {"software: {kernel_issue_s: 1e-5, collective_issue_s: {all_reduce: -1e-5}}",
       ":8: 'all_reduce': a collective takes no time below 0"},
      {"switch: {hosts_per_leaf: 2}", ":8: unknown key 'switch'; did you mean 'switches'?"},
  }));
  CAPTURE(more);
  CHECK_THAT(refused(switched(more)), Contains(sentence));
  std::string text = switched("");
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string changed = text;
    return refused(changed.replace(changed.find(old), old.size(), other));
  };
  CHECK_THAT(with("interfaces_per_host: 4", "interfaces_per_host: 9"),
             Contains(":5: 'interfaces_per_host': a number from 1 to 8 is wanted"));
  CHECK_THAT(with("peak_flops: {bf16: 312e12}",
                  "peak_flops: {bf16: 312e12}, sustained_flops: {bf16: 313e12}"),
             Contains(":6: 'bf16': it is more than peak_flops says"));
  CHECK_THAT(with("memory_bytes_per_s: 2e12", "memory_bytes_per_s: 2e12, stream_bytes_per_s: 3e12"),
             Contains("it is more than memory_bytes_per_s"));
  CHECK_THAT(with("memory_bytes_per_s: 2e12", "memory_bytes_per_s: 2e12, kernel_latency_s: -1e-6"),
             Contains(":6: 'kernel_latency_s': a kernel takes no time below 0"));
}

TEST_CASE("rates and latencies whose times could not be added up are refused with their place") {
  const std::string text = switched(
      "switches: {hosts_per_leaf: 2, oversubscription: 1.5, latency_s: 7e-6}\n"
      "software: {kernel_issue_s: 8e-6, kernels_per_loop: 1.25}\n");
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string changed = text;
    return refused(changed.replace(changed.find(old), old.size(), other));
  };
  using Change = std::array<std::string, 3>;  // what is replaced, by what, and what is said
  const std::string slow = "a rate is from 1e-3 to 1e30 per second", late = "at most 1e6 seconds";
  for (const auto& [old, other, sentence] : std::initializer_list<Change>{
           {"bytes_per_s: 12e9", "bytes_per_s: 1e-308", ":7: 'bytes_per_s': " + slow},
           {"bytes_per_s: 12e9", "bytes_per_s: 9e-4", ":7: 'bytes_per_s': " + slow},
           {"bytes_per_s: 200e9", "bytes_per_s: 1e308", ":7: 'bytes_per_s': " + slow},
           {"latency_s: 5e-6", "latency_s: 1e308", ":7: 'latency_s': a link takes " + late},
           {"latency_s: 1e-6", "latency_s: 1.1e6", ":7: 'latency_s': a link takes " + late},
           {"latency_s: 1e-6", "latency_s: -1", ":7: 'latency_s': a link takes no time below 0"},
           {"bytes_per_s: 2e12", "bytes_per_s: 1e-300", ":6: 'memory_bytes_per_s': " + slow},
           {"bf16: 312e12", "bf16: 1e-300", ":6: 'bf16': " + slow},
           {"latency_s: 7e-6", "latency_s: 1e300", ":8: 'latency_s': a switch takes " + late},
           {"1.5", "1e300", ":8: 'oversubscription': it must be 1e6 or less"},
           {"8e-6", "1e300", ":9: 'kernel_issue_s': a kernel takes " + late},
           {"1.25", "1e300", ":9: 'kernels_per_loop': it must be 1e6 or less"}}) {
    CAPTURE(old, other);
    CHECK_THAT(with(old, other), Contains(sentence));
  }
  CHECK(with("bytes_per_s: 12e9", "bytes_per_s: 1e-3").empty());
  CHECK(with("latency_s: 5e-6", "latency_s: 1e6").empty());
}

TEST_CASE("every shipped topology reads, and at twice its hosts where they are alike") {
  std::int32_t num_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RHINO_TEST_TOPOLOGIES)) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path());
    const Cluster once = read_topology(entry.path().string());
    const auto num_hosts = static_cast<std::int64_t>(once.hosts.size());
    CHECK(once.name == entry.path().stem().string());
    ++num_files;
    if (once.models.size() > 1) continue;
    CHECK(read_topology(entry.path().string(), 2 * num_hosts).num_devices() ==
          2 * once.num_devices());
  }
  CHECK(num_files >= 20);
}
