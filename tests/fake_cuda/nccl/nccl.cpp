// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "../common/faults.hpp"
#include "../common/settings.hpp"
#include "../driver/progress.hpp"
#include "communicator.hpp"
#include "reduce.hpp"
#include "transfer.hpp"

namespace fake {
namespace {

constexpr int kVersion = 21903;  // 2.19.3, of the time of CUDA 12: FAKE_NCCL_VERSION is another
constexpr unsigned kMagic = 0xcafebeef;

int depth = 0;
std::vector<Call> group;
/// Communication of a process takes its turns in the order of the calls, whatever the communicator:
/// the worst that NCCL may do.
Node last_operation;

template <class Body>
int call(const char* entry, Body body) {
  const Lock lock;
#define RHINO_FAKE_NAME(name, ...) #name,
  static auto* const faults = new Faults("nccl", {RHINO_FAKE_NCCL(RHINO_FAKE_NAME)});
#undef RHINO_FAKE_NAME
  if (const auto code = faults->next(entry)) return *code;
  return body();
}

void submit(const std::vector<Call>& calls) {
  std::vector<Stream*> streams;
  for (const Call& c : calls) {
    if (std::find(streams.begin(), streams.end(), c.stream) == streams.end())
      streams.push_back(c.stream);
  }
  for (Stream* handle : streams) {
    std::vector<Call> mine;
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(mine),
                 [&](const Call& c) { return c.stream == handle; });
    Stream& stream = stream_of(handle);
    auto transfer = std::make_shared<Transfer>(std::move(mine));
    const bool is_captured = captured(stream);
    const Node node = enqueue(
        stream, transfer->name(), [transfer](Operation& op) { return transfer->progress(op); },
        is_captured ? Node{} : last_operation);
    let_cross_processes(node);
    if (!is_captured) last_operation = node;
  }
}

/// A non-blocking call may return before its work stands in the stream.
int submit_or_defer(const std::vector<Call>& calls) {
  if (calls.empty()) return kNcclSuccess;
  Communicator& comm = *calls[0].comm;
  if (comm.blocking || !may_defer()) {
    submit(calls);
    return kNcclSuccess;
  }
  comm.deferred = calls;
  comm.polls_left = static_cast<int>(roll(3));
  return kNcclInProgress;
}

bool overlaps(const char* a, std::size_t a_bytes, const char* b, std::size_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

/// In place means one place only.
bool well_placed(const Call& c) {
  const std::size_t part = c.count * bytes_of(c.type),
                    whole = part * static_cast<std::size_t>(c.comm->size);
  const char *in = static_cast<const char*>(c.in), *out = static_cast<const char*>(c.out);
  const std::size_t own = part * static_cast<std::size_t>(c.comm->rank);
  if (c.kind == Collective::kAllGather) return in == out + own || !overlaps(in, part, out, whole);
  if (c.kind == Collective::kReduceScatter)
    return out == in + own || !overlaps(in, whole, out, part);
  return true;
}

int refuse_call(int code, const std::string& sentence) {
  set_last_error(sentence);
  return code;
}

int take(const Call& c) {
  Communicator* comm = c.comm;
  if (!comm) return kNcclInvalidArgument;
  if (comm->aborted) return refuse_call(kNcclInvalidUsage, "the communicator was aborted");
  if (!comm->ready) return refuse_call(kNcclInvalidUsage, "the communicator is not ready yet");
  if (!comm->deferred.empty())
    return refuse_call(
        kNcclInvalidUsage,
        "an earlier call is still in progress: ask ncclCommGetAsyncError until it is not");
  if (comm->async) return comm->async;
  if (!is_type(c.type) || c.peer < 0 || c.peer >= comm->size)
    return refuse_call(kNcclInvalidArgument, "no such type or rank");
  if (!well_placed(c))
    return refuse_call(kNcclInvalidArgument, "buffers overlap and are not in place");
  if (depth) {
    group.push_back(c);
    return kNcclSuccess;
  }
  return submit_or_defer({c});
}

int initialise(Communicator** out, int size, const NcclId& id, int rank, bool blocking) {
  if (const int code = join_communicator(out, size, id, rank)) return code;
  Communicator& comm = **out;
  comm.blocking = blocking;
  if (size > 1) start_progress();
  return blocking ? kNcclSuccess : kNcclInProgress;
}

/// Without the lock: other ranks may be other threads' business.
int wait_until_ready(Communicator& comm) {
  for (int code = 0;;) {
    if (all_joined(comm, code)) {
      comm.ready = code == kNcclSuccess;
      return code;
    }
    usleep(100);
  }
}

int poll(Communicator& comm) {
  if (!comm.ready) {
    if (comm.async) return comm.async;
    int code = kNcclSuccess;
    if (!all_joined(comm, code)) return kNcclInProgress;
    comm.async = code;
    comm.ready = code == kNcclSuccess;
    return code;
  }
  if (!comm.deferred.empty()) {
    if (comm.polls_left-- > 0) return kNcclInProgress;
    const std::vector<Call> calls = std::move(comm.deferred);
    comm.deferred.clear();
    submit(calls);
  }
  step();
  close_memory();
  if (!comm.async && number_setting("FAKE_NCCL_NOTICES_DEATH", 0)) {
    for (int r = 0; r < comm.size; ++r) {
      if (r != comm.rank && is_dead(comm, r)) comm.async = kNcclRemoteError;
    }
  }
  return comm.async;
}

}  // namespace
}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {

// A definition of another type is an error.
#define RHINO_FAKE_DECLARE(name, ...) fake::declared::name name;
RHINO_FAKE_NCCL(RHINO_FAKE_DECLARE)
#undef RHINO_FAKE_DECLARE

const char* fake_nccl_entries() {
#define RHINO_FAKE_LINE(name, ...) #name "\n"
  return RHINO_FAKE_NCCL(RHINO_FAKE_LINE);
#undef RHINO_FAKE_LINE
}

int ncclGetVersion(int* version) {
  return call(__func__, [&] {
    *version = static_cast<int>(number_setting("FAKE_NCCL_VERSION", kVersion));
    return kNcclSuccess;
  });
}

const char* ncclGetErrorString(int code) {
  static const char* const texts[] = {
      "no error",       "unhandled cuda error",      "unhandled system error",
      "internal error", "invalid argument",          "invalid usage",
      "remote error",   "NCCL operation in progress"};
  return code >= 0 && code < 8 ? texts[code] : "unknown result code";
}

const char* ncclGetLastError(Communicator*) { return last_error().c_str(); }

int ncclGetUniqueId(NcclId* id) {
  return call(__func__, [&] {
    *id = make_id();
    return kNcclSuccess;
  });
}

int ncclCommInitRankConfig(Communicator** comm, int size, NcclId id, int rank, NcclConfig* config) {
  const bool blocking = !config || config->blocking != 0;  // undefined is the smallest number
  const int code = call(__func__, [&]() -> int {
    if (config && (config->magic != kMagic || config->size < sizeof(NcclConfig))) {
      return refuse_call(kNcclInvalidArgument, "the configuration was not initialised");
    }
    if (depth) return refuse_call(kNcclInvalidUsage, "communicators inside a group are not faked");
    return initialise(comm, size, id, rank, blocking);
  });
  return code || !blocking ? code : wait_until_ready(**comm);
}

int ncclCommInitRank(Communicator** comm, int size, NcclId id, int rank) {
  const int code = call(__func__, [&] { return initialise(comm, size, id, rank, true); });
  return code ? code : wait_until_ready(**comm);
}

int ncclCommFinalize(Communicator* comm) {
  return call(__func__, [&]() -> int { return comm ? kNcclSuccess : kNcclInvalidArgument; });
}

int ncclCommDestroy(Communicator* comm) {
  return call(__func__, [&]() -> int { return comm ? kNcclSuccess : kNcclInvalidArgument; });
}

int ncclCommAbort(Communicator* comm) {
  return call(__func__, [&]() -> int {
    if (!comm) return kNcclInvalidArgument;
    comm->aborted = true;
    comm->deferred.clear();
    return kNcclSuccess;
  });
}

int ncclCommGetAsyncError(Communicator* comm, int* code) {
  return call(__func__, [&] {
    *code = poll(*comm);
    return kNcclSuccess;
  });
}

int ncclCommCount(Communicator* comm, int* count) {
  return call(__func__, [&] {
    *count = comm->size;
    return kNcclSuccess;
  });
}

int ncclCommUserRank(Communicator* comm, int* rank) {
  return call(__func__, [&] {
    *rank = comm->rank;
    return kNcclSuccess;
  });
}

int ncclCommCuDevice(Communicator* comm, int* device) {
  return call(__func__, [&] {
    *device = static_cast<int>((comm->shared->device[comm->rank] - 1) & 0xff);
    return kNcclSuccess;
  });
}

int ncclGroupStart() {
  return call(__func__, [&] {
    ++depth;
    return kNcclSuccess;
  });
}

int ncclGroupEnd() {
  return call(__func__, [&]() -> int {
    if (depth == 0) return refuse_call(kNcclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
    if (--depth > 0) return kNcclSuccess;
    const std::vector<Call> calls = std::move(group);
    group.clear();
    return submit_or_defer(calls);
  });
}

int ncclSend(const void* in, std::size_t n, NcclType type, int peer, Communicator* comm,
             Stream* stream) {
  return call(__func__, [&] {
    return take({comm, Collective::kSend, in, nullptr, n, type, {}, peer, stream});
  });
}
int ncclRecv(void* out, std::size_t n, NcclType type, int peer, Communicator* comm,
             Stream* stream) {
  return call(__func__, [&] {
    return take({comm, Collective::kReceive, nullptr, out, n, type, {}, peer, stream});
  });
}
int ncclAllReduce(const void* in, void* out, std::size_t n, NcclType type, NcclReduction how,
                  Communicator* comm, Stream* stream) {
  return call(__func__, [&] {
    return take({comm, Collective::kAllReduce, in, out, n, type, how, 0, stream});
  });
}
int ncclReduce(const void* in, void* out, std::size_t n, NcclType type, NcclReduction how, int root,
               Communicator* comm, Stream* stream) {
  return call(__func__, [&] {
    return take({comm, Collective::kReduce, in, out, n, type, how, root, stream});
  });
}
int ncclReduceScatter(const void* in, void* out, std::size_t n, NcclType type, NcclReduction how,
                      Communicator* comm, Stream* stream) {
  return call(__func__, [&] {
    return take({comm, Collective::kReduceScatter, in, out, n, type, how, 0, stream});
  });
}
int ncclAllGather(const void* in, void* out, std::size_t n, NcclType type, Communicator* comm,
                  Stream* stream) {
  return call(__func__, [&] {
    return take({comm, Collective::kAllGather, in, out, n, type, {}, 0, stream});
  });
}
int ncclBroadcast(const void* in, void* out, std::size_t n, NcclType type, int root,
                  Communicator* comm, Stream* stream) {
  return call(__func__, [&] {
    return take({comm, Collective::kBroadcast, in, out, n, type, {}, root, stream});
  });
}
}
#pragma GCC visibility pop
