// SPDX-License-Identifier: Apache-2.0
#include "conformance/conformance.hpp"

#include <sys/mman.h>

#include <cstring>
#include <sstream>

#include "plugin/child.hpp"
#include "plugin/one_line.hpp"
#include "rhino/error.hpp"

namespace rhino::conformance {
namespace {

/// A line on a page that parent and child share: what the child was about when it ended.
class SharedLine {
 public:
  SharedLine()
      : text_(static_cast<char*>(
            mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (text_ == MAP_FAILED) throw Error("no memory for a shared page");
  }
  ~SharedLine() { munmap(text_, kRoom); }
  SharedLine(const SharedLine&) = delete;
  SharedLine& operator=(const SharedLine&) = delete;

  void write(const std::string& line) {
    std::strncpy(text_, line.c_str(), kRoom - 1);  // the last byte stays zero
  }
  std::string read() const { return text_; }

 private:
  static constexpr std::size_t kRoom = 1024;
  char* text_;
};

std::string line_of(const std::string& text) { return plugin::one_line(text) + "\n"; }

std::string encode(const ConformanceReport& report) {
  std::string text = std::to_string(report.num_problems) + "\n" +
                     std::to_string(report.num_refused) + "\n" + line_of(report.first_refusal);
  for (const std::string& fault : report.faults) text += line_of(fault);
  return text;
}

ConformanceReport decode(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  const auto next = [&] { return std::getline(lines, line) ? line : std::string("0"); };
  ConformanceReport report;
  report.num_problems = std::stoll(next());
  report.num_refused = std::stoll(next());
  report.first_refusal = next();
  while (std::getline(lines, line)) report.faults.push_back(line);
  return report;
}

bool starts_with(const plugin::PluginInfo& info, const char* kind) {
  return info.id.rfind(kind, 0) == 0;
}

std::string make_and_check(const plugin::PluginInfo& info, const plugin::Registry& registry,
                           const Options& options, const OnProblem& on_problem) {
  if (starts_with(info, "resharding/"))
    return encode(check_resharding(*plugin::make_resharding(info, options), on_problem));
  if (starts_with(info, "schedule/"))
    return encode(check_schedule(*plugin::make_schedule(info, options), on_problem));
  const auto resharding = plugin::make_resharding(registry.find("resharding/send_recv"), {});
  const auto schedule = plugin::make_schedule(registry.find("schedule/1f1b"), {});
  return encode(
      check_search(*plugin::make_search(info, options), *resharding, *schedule, on_problem));
}

/// Empty where the plugin refuses an option that it does not know.
std::string accepted_option_fault(const plugin::PluginInfo& info, const Options& given) {
  std::map<std::string, OptionValue> values = given.values();
  values["an_option_of_no_plugin"] = std::int64_t{1};
  const Options options(std::move(values));
  try {
    if (starts_with(info, "resharding/")) plugin::make_resharding(info, options);
    else if (starts_with(info, "schedule/")) plugin::make_schedule(info, options);
    else plugin::make_search(info, options);
  } catch (const Error& error) {
    return "";
  }
  return "it accepts the option 'an_option_of_no_plugin', which it cannot know";
}

}  // namespace

ConformanceReport check_plugin(const plugin::PluginInfo& info, const plugin::Registry& registry,
                               const Options& options, double deadline_s) {
  if (!starts_with(info, "resharding/") && !starts_with(info, "schedule/") &&
      !starts_with(info, "search/")) {
    throw Error(info.path + ": the id '" + info.id +
                "' begins with none of search/, resharding/ and schedule/");
  }
  SharedLine problem;
  problem.write("its construction");
  const OnProblem note = [&](const std::string& text) { problem.write(text); };
  const plugin::ChildResult child = plugin::run_in_child(
      [&] {
        const std::string fault = accepted_option_fault(info, options);
        const std::string report = make_and_check(info, registry, options, note);
        return fault.empty() ? report : report + line_of(fault);
      },
      {.deadline_s = deadline_s, .memory_bytes = std::int64_t{4} << 30});
  if (child.outcome == plugin::ChildOutcome::ok) return decode(child.text);
  ConformanceReport report;
  report.faults.push_back(problem.read() + ": " + child.text);
  return report;
}

}  // namespace rhino::conformance
