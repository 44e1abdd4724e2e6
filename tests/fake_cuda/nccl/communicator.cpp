// SPDX-License-Identifier: Apache-2.0
#include "communicator.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>

#include "../common/settings.hpp"
#include "../driver/entries.hpp"

extern "C" fake::declared::cuCtxGetDevice cuCtxGetDevice;

namespace fake {
namespace {

std::string& error_text() {
  static auto* const text = new std::string;
  return *text;
}

std::vector<Communicator*>& communicators() {
  static auto* const all = new std::vector<Communicator*>;
  return *all;
}

/// NCCL takes ranks with another host id for ranks of another host.
std::uint64_t place_of(Ordinal device) {
  const std::size_t host = std::hash<std::string>{}(text_setting("NCCL_HOSTID", ""));
  return (std::uint64_t{host} << 8 | static_cast<std::uint64_t>(device)) + 1;
}

}  // namespace

void set_last_error(const std::string& sentence) {
  error_text() = sentence;
  say("nccl: " + sentence);
}
const std::string& last_error() { return error_text(); }

NcclId make_id() {
  std::random_device random;
  NcclId id{};
  std::snprintf(id.internal, sizeof id.internal, "/fake_nccl.%08x%08x", random(), random());
  return id;
}

int join_communicator(Communicator** out, int size, const NcclId& id, int rank) {
  Ordinal device = 0;
  if (cuCtxGetDevice(&device)) {
    set_last_error("a communicator wants a context of CUDA");
    return kNcclUnhandledCudaError;
  }
  if (size < 1 || size > kMaxRanks || rank < 0 || rank >= size) return kNcclInvalidArgument;
  const std::size_t bytes =
      sizeof(Shared) + sizeof(Channel) * static_cast<std::size_t>(size * size);
  const int file = shm_open(id.internal, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes))) return kNcclSystemError;
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (at == MAP_FAILED) return kNcclSystemError;
  auto* comm = new Communicator;
  comm->shared = static_cast<Shared*>(at);
  comm->size = size;
  comm->rank = rank;
  comm->name = id.internal;
  comm->shared->device[rank] = place_of(device);
  comm->shared->pid[rank] = getpid();
  communicators().push_back(comm);
  publish("nothing yet");
  ++comm->shared->num_joined;
  *out = comm;
  return kNcclSuccess;
}

bool all_joined(Communicator& comm, int& code) {
  code = kNcclSuccess;
  if (comm.shared->num_joined < comm.size) return false;
  if (comm.rank == 0) shm_unlink(comm.name.c_str());
  for (int a = 0; a < comm.size; ++a) {
    for (int b = a + 1; b < comm.size; ++b) {
      if (comm.shared->device[a] != comm.shared->device[b]) continue;
      set_last_error("Duplicate GPU detected: rank " + std::to_string(a) + " and rank " +
                     std::to_string(b));
      code = kNcclInvalidUsage;
    }
  }
  return true;
}

bool is_dead(const Communicator& comm, int rank) {
  std::ifstream in("/proc/" + std::to_string(comm.shared->pid[rank].load()) + "/stat");
  std::string line;
  if (!std::getline(in, line)) return true;
  const std::size_t end = line.rfind(')');
  return end == std::string::npos || end + 2 >= line.size() || line[end + 2] == 'Z';
}

void publish(const std::string& doing) {
  for (Communicator* comm : communicators()) {
    std::snprintf(comm->shared->doing[comm->rank], sizeof comm->shared->doing[0], "%s",
                  doing.c_str());
  }
}

}  // namespace fake
