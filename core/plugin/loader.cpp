// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <utility>

#include "plugin/registry.hpp"
#include "plugin/scope.hpp"
#include "plugin/suggest.hpp"
#include "rhino/plugin.hpp"

namespace rhino::plugin {
namespace {

/// Loads the library that `fd` is open on. It is never unloaded, and dlopen knows it by its name:
/// so that no other library gets this one, the descriptor stays open, too.
void* load(int fd) {
  static std::map<std::pair<dev_t, ino_t>, void*> loaded;
  struct stat file {};
  fstat(fd, &file);
  void*& library = loaded[{file.st_dev, file.st_ino}];
  if (library == nullptr) {
    const std::string name = "/proc/self/fd/" + std::to_string(fcntl(fd, F_DUPFD_CLOEXEC, 0));
    library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  }
  return library;
}

const PluginEntry& open_entry(const PluginInfo& info) {
  const std::string refusal = abi_refusal(info);
  if (!refusal.empty()) throw Error(refusal);
  const PluginScope scope(info.id);
  void* library = info.fd >= 0 ? load(info.fd)
                               : dlopen(info.path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr)
    throw Error(info.path + ": plugin '" + info.id + "' does not load: " + dlerror());
  const void* entry = dlsym(library, "rhino_plugin_entry");
  if (entry == nullptr)
    throw Error(info.path + ": plugin '" + info.id +
                "' exports no entry; end its file with RHINO_PLUGIN(...)");
  return *static_cast<const PluginEntry*>(entry);
}

/// Bytes that went to standard output where that is a file (in a planning child it is).
std::int64_t stdout_bytes() {
  std::fflush(stdout);
  return std::max<off_t>(lseek(STDOUT_FILENO, 0, SEEK_CUR), 0);
}

/// Calls into plugin `info`: marked, with every exception as an Error that names the plugin, and
/// none of its output among the results.
template <class Call>
auto guarded(const PluginInfo& info, Call&& call) {
  const PluginScope scope(info.id);
  const std::int64_t before = stdout_bytes();
  try {
    auto result = call();
    if (stdout_bytes() != before)
      throw Fault("plugin '" + info.id +
                  "': it wrote to standard output, which belongs to the results");
    return result;
  } catch (const EndOfSearch&) {
    throw;
  } catch (const Error& error) {
    const std::string sentence = error.what();
    if (dynamic_cast<const Fault*>(&error) != nullptr) throw;
    if (sentence.find("plugin '" + info.id + "'") != std::string::npos) throw;
    throw Error("plugin '" + info.id + "': " + sentence);
  } catch (const std::bad_alloc&) {
    throw Error("plugin '" + info.id + "' ran out of its memory limit");
  } catch (const std::exception& error) {
    throw Fault("plugin '" + info.id + "' threw: " + error.what());
  } catch (...) {
    throw Fault("plugin '" + info.id + "' threw something that is no exception");
  }
}

template <class Interface>
std::unique_ptr<Interface> create(const PluginInfo& info, const Options& options,
                                  Interface* (*make)(const Options&), const char* kind) {
  if (make == nullptr) throw Error(info.path + ": plugin '" + info.id + "' is no " + kind);
  auto made = guarded(info, [&] { return std::unique_ptr<Interface>(make(options)); });
  const std::vector<std::string> unread = options.unread();
  if (!unread.empty()) {
    const std::vector<std::string> asked(options.asked().begin(), options.asked().end());
    throw Error("plugin '" + info.id + "' knows no option '" + unread.front() + "'" +
                suggestion(unread.front(), asked));
  }
  return made;
}

/// What all guarded plugins hold.
template <class Interface>
class Guarded : public Interface {
 public:
  Guarded(PluginInfo info, std::unique_ptr<Interface> inner)
      : info_(std::move(info)), inner_(std::move(inner)) {}

 protected:
  PluginInfo info_;
  std::unique_ptr<Interface> inner_;
};

class GuardedSearch : public Guarded<Search> {
 public:
  using Guarded::Guarded;
  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    return guarded(info_, [&] { return inner_->search(problem, strategies); });
  }
};

class GuardedResharding : public Guarded<Resharding> {
 public:
  using Guarded::Guarded;
  TransferPlan plan(const ReshardProblem& problem) override {
    return guarded(info_, [&] { return inner_->plan(problem); });
  }
};

class GuardedSchedule : public Guarded<Schedule> {
 public:
  using Guarded::Guarded;
  Placement placement(int num_meshes) override {
    return guarded(info_, [&] { return inner_->placement(num_meshes); });
  }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    return guarded(info_, [&] { return inner_->schedule(problem); });
  }
  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return guarded(info_, [&] { return inner_->bubble_s(problem); });
  }
};

}  // namespace

std::string abi_refusal(const PluginInfo& info) {
  if (info.abi_tag == RHINO_ABI_TAG) return "";
  const auto headers = [](const std::string& tag) { return tag.substr(0, tag.find('-')); };
  const bool has_same = headers(info.abi_tag) == headers(RHINO_ABI_TAG);
  return info.path + ": plugin '" + info.id + "' was built against " +
         (has_same ? "the standard library in another flavour" : "other headers") +
         " (its ABI tag is " + info.abi_tag + ", this engine's " + RHINO_ABI_TAG + "); rebuild it";
}

std::unique_ptr<Search> make_search(const PluginInfo& info, const Options& options) {
  return std::make_unique<GuardedSearch>(
      info, create(info, options, open_entry(info).make_search, "search"));
}

std::unique_ptr<Resharding> make_resharding(const PluginInfo& info, const Options& options) {
  return std::make_unique<GuardedResharding>(
      info, create(info, options, open_entry(info).make_resharding, "resharding"));
}

std::unique_ptr<Schedule> make_schedule(const PluginInfo& info, const Options& options) {
  return std::make_unique<GuardedSchedule>(
      info, create(info, options, open_entry(info).make_schedule, "schedule"));
}

}  // namespace rhino::plugin
