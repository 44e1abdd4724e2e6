// SPDX-License-Identifier: Apache-2.0
#include "store/run_owner.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "codec/fingerprint.hpp"
#include "codec/text_file.hpp"

namespace rhino::store {
namespace {

namespace fs = std::filesystem;

std::string word_in(const std::string& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

std::string host_name() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return host;
}

std::string boot() { return word_in("/proc/sys/kernel/random/boot_id"); }

/// Process ids, and times at which processes began, mean nothing elsewhere.
std::string namespaces() {
  std::error_code none;
  return fs::read_symlink("/proc/self/ns/pid", none).string() +
         fs::read_symlink("/proc/self/ns/time", none).string();
}

/// In ticks since the boot; empty: there is no such process.
std::string start_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos) return "";
  std::istringstream fields(text.substr(end_of_name + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;  // proc(5)
  return field;
}

struct Identity {
  std::string sentence;  ///< `process 4711 on node7 since 2026-11-22 14:03:59`
  std::string host, boot, namespaces, start;
  pid_t process = 0;
  bool has_ended = false;
};

std::string this_process() {
  char time[32] = {};
  const std::time_t now = std::time(nullptr);
  std::strftime(time, sizeof time, "%F %T", std::localtime(&now));
  return "process " + std::to_string(getpid()) + " on " + host_name() + " since " + time +
         "\nboot " + boot() + " namespaces " + namespaces() + " start " + start_of(getpid()) + "\n";
}

Identity read_identity(const std::string& text) {
  Identity owner{.sentence = text.substr(0, text.find('\n'))};
  std::istringstream words(text);
  std::string word, day, time;
  words >> word >> owner.process >> word >> owner.host >> word >> day >> time;
  words >> word >> owner.boot >> word >> owner.namespaces >> word >> owner.start >> word;
  owner.has_ended = word == "ended";
  return owner;
}

/// What only kernels of this machine mount: locks on it are seen by all who write.
bool is_own_file_system(const std::string& folder) {
  struct statfs system {};
  if (statfs(folder.c_str(), &system) != 0) return false;
  static const std::set<std::uint32_t> kOwn = {0xEF53,     0x58465342, 0x9123683E, 0x01021994,
                                               0x794c7630, 0x2fc12fc1, 0xF2F52010, 0x858458f6};
  return kOwn.contains(static_cast<std::uint32_t>(system.f_type));
}

bool is_locked(const std::string& file) {
  const topology::FileDescriptor fd(open(file.c_str(), O_RDWR | O_CLOEXEC));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  return fd.is_open() && fcntl(fd.get(), F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

enum class Life { gone, lives, unknown };

Life life_of(const Identity& owner, const std::string& file, bool is_own) {
  if (is_locked(file)) return Life::lives;
  if (owner.has_ended) return Life::gone;
  if (owner.start.empty()) return is_own ? Life::gone : Life::unknown;  // of before, or torn
  // Another boot: of this host before, or, where hosts share the folder, of one of its name.
  if (owner.boot != boot()) return is_own && owner.host == host_name() ? Life::gone : Life::unknown;
  if (owner.namespaces == namespaces())
    return start_of(owner.process) == owner.start ? Life::lives : Life::gone;
  return is_own ? Life::gone : Life::unknown;
}

[[noreturn]] void fail(const std::string& file) {
  throw codec::OutputError(file + ": cannot be written: " + std::strerror(errno));
}

/// A whole file beside `owner` that no other process knows; locked before anybody can see it.
class Claim {
 public:
  Claim(const std::string& folder, bool is_own)
      : path_(folder + "/owner." + word_in("/proc/sys/kernel/random/uuid")),
        file_(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
    if (!file_.is_open()) fail(path_);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    fcntl(file_.get(), F_SETLK, &whole);  // some file systems have no locks
    const std::string text = this_process();
    if (write(file_.get(), text.data(), text.size()) == std::ssize(text) && fsync(file_.get()) == 0)
      return;
    const int error = errno;
    // On a full disk of this machine the lock alone says it; elsewhere an empty one is refused.
    const bool has_lock = is_own && (error == ENOSPC || error == EDQUOT);
    if (has_lock && ftruncate(file_.get(), 0) == 0) return;
    unlink(path_.c_str());
    errno = error;
    fail(folder + "/owner");
  }
  ~Claim() { unlink(path_.c_str()); }

  /// False: somebody has. The answer of a server may get lost; two names of the file do not.
  bool link_to(const std::string& name) const {
    if (link(path_.c_str(), name.c_str()) == 0) return true;
    const int error = errno;
    struct stat now {};
    if (fstat(file_.get(), &now) == 0 && now.st_nlink == 2) return true;
    errno = error;
    if (error != EEXIST) fail(name);
    return false;
  }
  void rename_to(const std::string& name) const {
    if (rename(path_.c_str(), name.c_str()) != 0) fail(name);
  }
  topology::FileDescriptor take() { return std::move(file_); }

 private:
  std::string path_;
  topology::FileDescriptor file_;
};

std::string content(const std::string& file) {
  try {
    return codec::read_file(file);
  } catch (const Error&) {
    return "";  // just gone
  }
}

/// In place of an owner that is gone. Of several who want that one has the right to: the name of it
/// is the dead one's. False: look again.
bool bury(const std::string& folder, const std::string& dead, bool is_own) {
  const std::string file = folder + "/owner";
  const std::string right = file + ".after-" + codec::fingerprint(dead);
  const Claim grave(folder, is_own);
  if (!grave.link_to(right))
    throw Error(folder + ": another run just takes it over; where none does, remove " + right);
  const bool is_same = content(file) == dead;
  if (!is_same) unlink(right.c_str());
  return is_same;
}

}  // namespace

RunOwner::RunOwner(const std::string& folder) : process_(getpid()) {
  const std::string file = folder + "/owner";
  const bool is_own = is_own_file_system(folder);
  Claim claim(folder, is_own);
  while (!claim.link_to(file)) {
    const std::string text = content(file);
    const Identity owner = read_identity(text);
    const Life life = life_of(owner, file, is_own);
    if (life == Life::lives) throw Error(folder + ": another run writes here: " + owner.sentence);
    if (life == Life::unknown)
      throw Error(folder + ": another run may write here: " + owner.sentence +
                  "; where it is over, remove " + file);
    if (!bury(folder, text, is_own)) continue;
    claim.rename_to(file);
    unlink((file + ".after-" + codec::fingerprint(text)).c_str());
    break;
  }
  file_ = claim.take();
}

RunOwner::~RunOwner() {
  if (getpid() != process_ || !file_.is_open()) return;
  if (write(file_.get(), "ended\n", 6) != 6) return;  // then this host alone can tell
}

}  // namespace rhino::store
