// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <filesystem>

#include "commands/commands.hpp"
#include "commands/scaffold.hpp"
#include "config/yaml_reader.hpp"
#include "conformance/conformance.hpp"
#include "rhino/error.hpp"

namespace rhino::commands {
namespace {

int check(const CommandLine& line, const std::string& path) {
  // A name without a slash would be looked for among the system's libraries.
  const std::optional<plugin::PluginInfo> info =
      plugin::read_plugin_note(std::filesystem::absolute(path).string());
  if (!info)
    throw Error(path + ": is no plugin; its source must end with RHINO_PLUGIN(id, class, text)");
  const std::string refusal = plugin::abi_refusal(*info);
  if (!refusal.empty()) {
    fmt::print(stderr, "rhino-bench: {}\n", refusal);
    return kExitPluginRefused;
  }
  const plugin::Registry registry(plugin::plugin_folders(line.plugin_dirs, line.executable));
  std::map<std::string, OptionValue> options;
  for (const auto& [key, value] : line.set)
    options[key] = config::YamlReader::text(value, "--set " + key).option();
  const conformance::ConformanceReport report =
      conformance::check_plugin(*info, registry, Options(std::move(options)));
  for (const std::string& fault : report.faults) fmt::print("fault: {}\n", fault);
  if (report.num_refused > 0 && report.ok())
    fmt::print("it refuses {} problems; the first, {}\n", report.num_refused, report.first_refusal);
  if (report.ok()) {
    fmt::print("{}: {} conforms on {} problems\n", path, info->id, report.num_problems);
    return kExitOk;
  }
  fmt::print(stderr, "rhino-bench: {}: {} does not conform\n", path, info->id);
  return kExitPluginRefused;
}

int make_new(const CommandLine& line, const std::string& name) {
  const std::string folder = write_scaffold(line.kind, name, api_folders(line.executable));
  fmt::print("{0}/README.md says how to build and check {1}/{2}\n", folder, line.kind, name);
  return kExitOk;
}

}  // namespace

int plugin_command(const CommandLine& line) {
  const std::string& verb = line.arguments.front();
  if (verb == "check" && line.arguments.size() == 2) return check(line, line.arguments[1]);
  if (verb == "new" && line.arguments.size() == 2 && !line.kind.empty())
    return make_new(line, line.arguments[1]);
  fmt::print(stderr,
             "rhino-bench: plugin new NAME --kind search|resharding|schedule, or plugin check "
             "FILE.so\n");
  return kExitUsage;
}

}  // namespace rhino::commands
