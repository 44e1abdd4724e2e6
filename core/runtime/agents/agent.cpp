// SPDX-License-Identifier: Apache-2.0
#include "runtime/agents/agent.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <set>

#include "runtime/agents/agent_message.hpp"
#include "runtime/controller/local_workers.hpp"
#include "topology/discover.hpp"

namespace rhino::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBeat{200};
constexpr std::chrono::seconds kPoliteWait{1};
constexpr std::size_t kPieceBytes = 1 << 20;
/// Of what a rank prints more is kept here than anybody reads, and no more.
constexpr off_t kMostLogBytes = 1 << 20;

/// A file in memory, and how much of it has been passed on.
struct Spool {
  topology::FileDescriptor file;
  off_t passed = 0;
  off_t size() const {
    struct stat status {};
    return ::fstat(file.get(), &status) == 0 ? status.st_size : 0;
  }
  /// The next piece, at most so large; empty: all has been passed on.
  std::string next(std::size_t most) {
    std::string piece(most, '\0');
    ssize_t got = 0;
    do {
      got = ::pread(file.get(), piece.data(), most, passed);
    } while (got < 0 && errno == EINTR);
    piece.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    passed += std::ssize(piece);
    return piece;
  }
};

/// The workers of one session on this host.
class AgentSession {
 public:
  AgentSession(std::uint32_t id, const StartRequest& request, Channel& controller,
               const AgentOptions& options)
      : id_(id),
        controller_(controller),
        plan_(make_memory_file("rhino-plan", request.plan)),
        pages_(request.num_ranks),
        ranks_(request.ranks) {
    for (int rank = 0; rank < request.num_ranks; ++rank) {
      if (std::ranges::find(ranks_, rank) == ranks_.end()) pages_.do_not_await(rank);
    }
    std::vector<LocalRank> places;
    for (const int rank : ranks_) {
      if (rank < 0 || rank >= request.num_ranks || logs_.contains(rank))
        throw Error("the controller asks for workers that no session has");
      logs_[rank].file = make_memory_file("rhino-log");
      places.push_back({rank, "/proc/self/fd/" + std::to_string(logs_[rank].file.get()), {-1, -1}});
    }
    workers_.emplace(WorkerSpawn{options.worker, request.cell, request.num_ranks,
                                 request.num_threads, options.environment},
                     places, plan_.get(), pages_);
  }

  StartReply introduction() const {
    StartReply reply;
    for (const int rank : ranks_) reply.pids.push_back(workers_->pid(rank));
    return reply;
  }

  /// From the controller to a worker; one that cannot be written to has ended, or will be found to
  /// hang.
  void pass_on(const Frame& frame) {
    if (!logs_.contains(frame.rank)) throw Error("the controller means a rank that is not here");
    try {
      workers_->put(frame.rank, frame);
    } catch (const PeerGone&) {
    }
  }

  /// From the workers to the controller.
  void relay() {
    for (const int rank : ranks_) {
      while (std::optional<Frame> frame = workers_->poll(rank)) {
        if (frame->kind == MessageKind::fetch) send_tiles(rank);
        if (!frame->error.empty()) tell_all(rank);
        frame->session = id_;
        frame->rank = rank;
        controller_.put(*frame);
      }
      note_end(rank);
    }
    beat_if_due();
  }

  void add_files(std::vector<pollfd>& files) {
    for (const int rank : ranks_) {
      if (!ended_.contains(rank)) workers_->add_files(rank, files);
    }
  }

  /// Ends the workers: those that do not within a second are killed, or at once.
  void finish(bool at_once) {
    workers_->ask_to_end();
    const auto limit = Clock::now() + (at_once ? std::chrono::seconds(0) : kPoliteWait);
    while (!workers_->all_ended() && Clock::now() < limit) ::usleep(1000);
    for (const int rank : ranks_) send_log(rank);
    workers_->kill();
  }

 private:
  Frame frame(MessageKind kind, int rank, std::string body) const {
    return {.kind = kind, .body = std::move(body), .session = id_, .rank = rank};
  }

  /// All that lies in the mailbox, which is empty then. Beats go between the pieces.
  void send_tiles(int rank) {
    Spool mailbox{topology::FileDescriptor(::dup(workers_->mailbox(rank))), 0};
    for (std::string piece; !(piece = mailbox.next(kPieceBytes)).empty();) {
      controller_.put(frame(MessageKind::tile, rank, std::move(piece)));
      beat_if_due();
    }
    if (::ftruncate(workers_->mailbox(rank), 0) != 0) throw Error("cannot empty a mailbox");
  }

  void send_log(int rank) {
    Spool& log = logs_.at(rank);
    for (std::string piece; log.passed < kMostLogBytes;) {
      if ((piece = log.next(kPieceBytes)).empty()) return;
      controller_.put(frame(MessageKind::log, rank, std::move(piece)));
    }
  }

  /// What a rank was at, and has said, when it ended or failed.
  void tell_all(int rank) {
    beat();
    send_log(rank);
  }

  void note_end(int rank) {
    if (ended_.contains(rank)) return;
    const std::optional<std::string> how = workers_->end_of(rank);
    if (!how) return;
    ended_.insert(rank);
    tell_all(rank);
    const EndNote note{*how, workers_->ended_for_memory(rank)};
    controller_.put(frame(MessageKind::ended, rank, encode_message(note)));
  }

  void beat_if_due() {
    if (Clock::now() - last_beat_ >= kBeat) beat();
  }

  void beat() {
    last_beat_ = Clock::now();
    Beat all;
    for (const int rank : ranks_) {
      const ProgressPage& page = pages_[rank];
      constexpr auto kRelaxed = std::memory_order_relaxed;
      all.ranks.push_back({.heartbeats = page.heartbeats.load(kRelaxed),
                           .progress = page.progress.load(kRelaxed),
                           .step = page.step.load(kRelaxed),
                           .taking_bytes = page.taking_bytes.load(kRelaxed),
                           .activity = static_cast<std::int32_t>(page.activity.load(kRelaxed)),
                           .instruction = page.instruction.load(kRelaxed),
                           .blocked = page.blocked.load(kRelaxed),
                           .is_stopped = workers_->is_stopped(rank),
                           .is_ending = workers_->is_ending(rank)});
      if (logs_.at(rank).size() > logs_.at(rank).passed) send_log(rank);
    }
    controller_.put(frame(MessageKind::beat, -1, encode_message(all)));
  }

  const std::uint32_t id_;
  Channel& controller_;
  const topology::FileDescriptor plan_;
  const ProgressPages pages_;
  const std::vector<std::int32_t> ranks_;
  std::map<int, Spool> logs_;
  std::set<int> ended_;
  std::optional<LocalWorkers> workers_;
  Clock::time_point last_beat_{};
};

class Agent {
 public:
  Agent(Channel& controller, const AgentOptions& options)
      : controller_(controller), options_(options) {}

  AgentEnd serve() {
    while (true) {
      std::optional<Frame> frame;
      while ((frame = controller_.poll())) {
        if (frame->kind == MessageKind::leave) return AgentEnd::left;
        obey(*frame);
      }
      if (controller_.ended()) return AgentEnd::lost;
      for (auto& [id, session] : sessions_) session->relay();
      sleep();
    }
  }

 private:
  void obey(const Frame& frame) {
    const auto session = sessions_.find(frame.session);
    switch (frame.kind) {
      case MessageKind::clock:
        return controller_.put({.kind = MessageKind::clock, .body = encode_message(now())});
      case MessageKind::start: return start(frame);
      case MessageKind::finish:
        if (session == sessions_.end()) return;
        session->second->finish(!frame.error.empty());
        sessions_.erase(session);
        return controller_.put({.kind = MessageKind::finish, .session = frame.session});
      default:
        if (session != sessions_.end()) session->second->pass_on(frame);
    }
  }

  static ClockReply now() {
    return {std::chrono::duration<double>(Clock::now().time_since_epoch()).count()};
  }

  void start(const Frame& frame) {
    Frame reply{.kind = MessageKind::start, .session = frame.session};
    try {
      auto session = std::make_unique<AgentSession>(
          frame.session, decode_message<StartRequest>(frame.body), controller_, options_);
      reply.body = encode_message(session->introduction());
      sessions_[frame.session] = std::move(session);
    } catch (const Error& error) {
      reply.error = error.what();
    }
    controller_.put(reply);
  }

  void sleep() {
    std::vector<pollfd> files{{controller_.fd(), POLLIN, 0}};
    for (auto& [id, session] : sessions_) session->add_files(files);
    ::poll(files.data(), files.size(),
           sessions_.empty() ? -1 : static_cast<int>(kBeat.count()) / 4);
  }

  Channel& controller_;
  const AgentOptions& options_;
  std::map<std::uint32_t, std::unique_ptr<AgentSession>> sessions_;
};

}  // namespace

AgentEnd serve_agent(Channel& controller, const AgentOptions& options) {
  try {
    return Agent(controller, options).serve();
  } catch (const PeerGone&) {
    return AgentEnd::lost;
  }
}

}  // namespace rhino::runtime
