// SPDX-License-Identifier: Apache-2.0
#include "launch/meeting.hpp"

#include <netinet/in.h>

#include <charconv>
#include <filesystem>
#include <sstream>

#include "launch/endpoint.hpp"
#include "launch/handshake.hpp"
#include "launch/slurm.hpp"
#include "rhino/error.hpp"
#include "topology/child_output.hpp"

namespace rhino::launch {
namespace {

constexpr std::size_t kShortestToken = 16;

std::uint16_t port_in(const std::string& text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0 || port == 65535)
    throw Error("MASTER_PORT='" + text + "' is no port");
  return port;
}

std::uint16_t env_port(const Environment& environment) {
  const std::optional<std::string> given = environment("MASTER_PORT");
  if (!given && is_slurm_step(environment)) return slurm_port(environment);
  if (!given)
    throw Error("MASTER_ADDR is set, and MASTER_PORT is not: one that is free on that host");
  const bool is_taken = environment("TORCHELASTIC_USE_AGENT_STORE") == "True";
  return static_cast<std::uint16_t>(port_in(*given) + (is_taken ? 1 : 0));
}

std::string env_host(const Environment& environment) {
  if (const std::optional<std::string> given = environment("MASTER_ADDR")) return *given;
  if (is_slurm_step(environment)) {
    for (const char* variable : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"}) {
      if (const auto list = environment(variable)) return expand_hostlist(*list).front();
    }
  }
  throw Error("MASTER_ADDR is not set: the name of the host of rank 0, on every host");
}

std::string env_token(const Environment& environment) {
  const std::string how =
      ": export RHINO_TOKEN=$(openssl rand -hex 16) before srun, or one value on every host";
  const std::optional<std::string> token = environment("RHINO_TOKEN");
  if (!token)
    throw Error("RHINO_TOKEN is not set, by which the hosts of a run know each other" + how);
  if (token->size() < kShortestToken)
    throw Error("RHINO_TOKEN has less than " + std::to_string(kShortestToken) + " characters" +
                how);
  return *token;
}

bool is_loopback(const Endpoint& endpoint) {
  if (endpoint.address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(endpoint.address);
    return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
  }
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(endpoint.address).sin6_addr);
}

/// A host knows itself by loopback addresses (127.0.1.1 on Debian), where rank 0 need not listen.
std::vector<std::string> addresses_of(const std::string& host, std::uint16_t port) {
  std::vector<std::string> addresses;
  bool is_here = false;
  for (const Endpoint& endpoint : resolve(host, port)) {
    is_here = is_here || is_loopback(endpoint);
    addresses.push_back(endpoint.text());
  }
  if (!is_here) return addresses;
  for (InterfaceAddress& own : interface_addresses()) {
    own.endpoint.set_port(port);
    addresses.push_back(own.endpoint.text());
  }
  return addresses;
}

/// What rhino-pmix prints (launch/pmix/main.cpp).
std::string exchange(const std::string& program, const std::string& text, double deadline_s) {
  if (!std::filesystem::exists(program))
    throw Error(
        "this rhino-bench was built without PMIx: install libpmix-dev and build it anew, or set "
        "MASTER_ADDR, MASTER_PORT and RHINO_TOKEN and use --launcher env");
  const topology::ChildOutput child = topology::output_of({program}, deadline_s, text);
  if (child.how_it_ended.empty()) return child.output;
  throw Error("PMIx: rhino-pmix " + topology::end_of(child));
}

void check(const Place& place, std::int32_t rank, std::int32_t num_ranks) {
  if (rank != place.rank)
    throw Error("PMIx knows this process as rank " + std::to_string(rank) +
                ", its environment as " + std::to_string(place.rank));
  if (place.num_ranks != 0 && num_ranks != place.num_ranks)
    throw Error(place.launcher + " promises " + std::to_string(place.num_ranks) +
                " ranks, of which PMIx sees " + std::to_string(num_ranks));
}

Meeting meet_by_pmix(const Place& place, const Rendezvous& rendezvous,
                     const std::vector<std::string>& listening, double deadline_s) {
  std::string text;
  if (place.rank == 0) {
    text = rendezvous.token + "\n";
    for (const std::string& address : listening) text += address + "\n";
  }
  std::istringstream answer(exchange(rendezvous.pmix_program, text, deadline_s));
  Meeting meeting;
  std::int32_t rank = -1;
  answer >> rank >> meeting.num_ranks >> meeting.token;
  check(place, rank, meeting.num_ranks);
  for (std::string address; answer >> address;) meeting.addresses.push_back(address);
  if (meeting.addresses.empty()) throw Error("PMIx: rank 0 told no address");
  return meeting;
}

}  // namespace

Rendezvous prepare(const Place& place, const Environment& environment) {
  if (place.kind == LauncherKind::pmix)
    return {.token = place.rank == 0 ? new_token() : std::string(),
            .pmix_program = topology::program_beside("rhino-pmix")};
  const std::string token = env_token(environment);
  return {.host = env_host(environment), .port = env_port(environment), .token = token};
}

Meeting meet(const Place& place, const Rendezvous& rendezvous,
             const std::vector<std::string>& listening, double deadline_s) {
  if (place.kind == LauncherKind::pmix)
    return meet_by_pmix(place, rendezvous, listening, deadline_s);
  return {.addresses = place.rank == 0 ? listening : addresses_of(rendezvous.host, rendezvous.port),
          .token = rendezvous.token,
          .num_ranks = place.num_ranks};
}

}  // namespace rhino::launch
