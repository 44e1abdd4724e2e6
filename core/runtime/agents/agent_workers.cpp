// SPDX-License-Identifier: Apache-2.0
#include "runtime/agents/agent_workers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace rhino::runtime {
namespace {

using Clock = std::chrono::steady_clock;

/// An agent forks, and no more; what its host is slow at are its workers.
constexpr std::chrono::seconds kStartDeadline{10};
constexpr std::chrono::seconds kKillWait{2};

/// Behind what is in the file.
void append(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw Error("there is no room for what a worker of another host sends");
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

AgentWorkers::AgentWorkers(AgentLink& link, const WorkerSpawn& spawn, const std::vector<int>& ranks,
                           const std::vector<std::string>& logs, const std::string& plan,
                           const ProgressPages& pages)
    : link_(link), pages_(pages), ranks_(ranks) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    topology::FileDescriptor mailbox = make_memory_file("rhino-mailbox");
    ::fcntl(mailbox.get(), F_SETFL, O_APPEND);
    workers_[ranks[i]] = {.pid = 0, .mailbox = std::move(mailbox), .log = logs[i]};
  }
  const StartRequest request{.cell = spawn.cell,
                             .num_ranks = spawn.num_ranks,
                             .num_threads = spawn.num_threads,
                             .ranks = ranks,
                             .plan = plan};
  session_ = link_.listen(*this);
  try {
    link_.put({.kind = MessageKind::start, .body = encode_message(request), .session = session_});
  } catch (...) {
    link_.forget(session_);
    throw;
  }
}

AgentWorkers::~AgentWorkers() { AgentWorkers::kill(); }

void AgentWorkers::await_start() {
  const auto limit = Clock::now() + kStartDeadline;
  while (!started_ && link_.why_lost().empty() && Clock::now() < limit) {
    pollfd file{link_.fd(), POLLIN, 0};
    ::poll(&file, 1, 100);
    link_.pump();
  }
  if (!link_.why_lost().empty()) throw Error("host " + host() + " is lost: " + link_.why_lost());
  if (!started_) throw Error("host " + host() + " is silent: its agent starts no worker");
  if (!started_->error.empty()) throw Error("host " + host() + ": " + started_->error);
  const auto reply = decode_message<StartReply>(started_->body);
  for (std::size_t i = 0; i < std::min(reply.pids.size(), ranks_.size()); ++i)
    worker(ranks_[i]).pid = reply.pids[i];
}

void AgentWorkers::put(int rank, const Frame& frame) {
  Frame passed = frame;
  passed.session = session_;
  passed.rank = rank;
  link_.put(passed);
}

std::optional<Frame> AgentWorkers::poll(int rank) {
  link_.pump();
  std::deque<Frame>& frames = worker(rank).frames;
  if (frames.empty()) return std::nullopt;
  Frame first = std::move(frames.front());
  frames.pop_front();
  return first;
}

bool AgentWorkers::add_files(int rank, std::vector<pollfd>& files) {
  if (!link_.why_lost().empty()) return true;  // nothing more comes
  if (worker(rank).end) return false;
  const bool known =
      std::ranges::any_of(files, [this](const pollfd& file) { return file.fd == link_.fd(); });
  if (!known) files.push_back({link_.fd(), POLLIN, 0});
  return true;
}

std::uint64_t AgentWorkers::num_signs() {
  link_.pump();
  return link_.num_received();
}

/// Throws Error for what no agent of this build says.
void AgentWorkers::hear(Frame frame) {
  if (frame.kind == MessageKind::start) started_ = std::move(frame);
  else if (frame.kind == MessageKind::finish) is_finished_ = true;
  else if (frame.kind == MessageKind::beat) take(decode_message<Beat>(frame.body));
  else if (!workers_.contains(frame.rank)) throw Error("it speaks of a rank that is not its own");
  else if (Worker& from = worker(frame.rank); frame.kind == MessageKind::tile)
    append(from.mailbox.get(), frame.body);
  else if (frame.kind == MessageKind::log) {
    const topology::FileDescriptor log(
        ::open(from.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (log.is_open()) append(log.get(), frame.body);
  } else if (frame.kind == MessageKind::ended) {
    const auto note = decode_message<EndNote>(frame.body);
    from.end = note.how;
    from.ended_for_memory = note.for_memory;
  } else from.frames.push_back(std::move(frame));
}

void AgentWorkers::take(const Beat& beat) {
  if (beat.ranks.size() != ranks_.size()) throw Error("a beat of other ranks");
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const RankBeat& told = beat.ranks[i];
    ProgressPage& page = pages_[ranks_[i]];
    constexpr auto kRelaxed = std::memory_order_relaxed;
    page.heartbeats.store(told.heartbeats, kRelaxed);
    page.progress.store(told.progress, kRelaxed);
    page.step.store(told.step, kRelaxed);
    page.taking_bytes.store(told.taking_bytes, kRelaxed);
    page.activity.store(static_cast<Activity>(std::clamp<std::int32_t>(
                            told.activity, 0, static_cast<std::int32_t>(Activity::resetting))),
                        kRelaxed);
    page.instruction.store(told.instruction, kRelaxed);
    page.blocked.store(told.blocked, kRelaxed);
    worker(ranks_[i]).is_stopped = told.is_stopped;
    worker(ranks_[i]).is_ending = told.is_ending;
  }
}

void AgentWorkers::finish(bool at_once) noexcept {
  try {
    link_.put(
        {.kind = MessageKind::finish, .error = at_once ? "at once" : "", .session = session_});
    is_asked_to_end_ = true;
  } catch (const std::exception&) {  // the agent's workers end with it
  }
}

bool AgentWorkers::all_ended() {
  link_.pump();
  return is_finished_ || !link_.why_lost().empty();
}

/// Waits until the agent says that they are gone: what comes next finds their cores and memory
/// free.
void AgentWorkers::kill() noexcept {
  if (session_ == 0) return;
  if (!is_asked_to_end_ && link_.why_lost().empty()) finish(true);
  const auto limit = Clock::now() + kKillWait;
  while (!all_ended() && Clock::now() < limit) {
    pollfd file{link_.fd(), POLLIN, 0};
    ::poll(&file, 1, 20);
  }
  link_.forget(session_);
  session_ = 0;
}

}  // namespace rhino::runtime
