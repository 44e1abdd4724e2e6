// SPDX-License-Identifier: Apache-2.0
#include "commands/scaffold.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "codec/text_file.hpp"
#include "commands/scaffold_text.hpp"
#include "rhino/error.hpp"

namespace rhino::commands {
namespace {

namespace fs = std::filesystem;

/// The source folder of the Meson build tree `build`; empty where it is none.
std::string source_of(const fs::path& build) {
  std::ifstream stream(build / "meson-info" / "meson-info.json");
  const nlohmann::json info = nlohmann::json::parse(stream, nullptr, false);
  if (info.is_discarded()) return "";
  return info.value("/directories/source"_json_pointer, std::string());
}

bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && name.size() <= 48 && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

/// `my_idea` → `MyIdeaPlugin`
std::string class_name(const std::string& name) {
  std::string text;
  bool capital = true;
  for (const char c : name) {
    if (c != '_') text += capital ? static_cast<char>(std::toupper(c)) : c;
    capital = c == '_';
  }
  return text + "Plugin";  // no type of the api ends with that
}

std::string replaced(std::string text, const std::string& mark, const std::string& value) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + value.size()))
    text.replace(at, mark.size(), value);
  return text;
}

std::string joined(const std::vector<std::string>& folders, const std::string& before,
                   const std::string& after, const std::string& between) {
  std::string text;
  for (const std::string& folder : folders)
    text += (text.empty() ? "" : between) + before + folder + after;
  return text;
}

}  // namespace

std::vector<std::string> plugin_kinds() { return {"search", "resharding", "schedule"}; }

std::vector<std::string> api_folders(const std::string& executable) {
  const fs::path home = fs::path(executable).parent_path();
  const auto holds = [](const fs::path& folder, const char* header) {
    return fs::exists(folder / "rhino" / header);
  };
  const fs::path installed = home.parent_path() / "include";
  if (holds(installed, "plugin.hpp") && holds(installed, "abi.hpp"))
    return {installed.string(), (installed / "rhino-plugins").string()};
  const fs::path generated = home / "api";
  const fs::path source = source_of(home.parent_path()), written = source / "core" / "api";
  if (holds(generated, "abi.hpp") && holds(written, "plugin.hpp"))
    return {written.string(), generated.string(), (source / "plugins").string()};
  throw Error("the headers rhino/*.hpp are neither in " + installed.string() +
              " nor in a build tree around " + executable);
}

std::string write_scaffold(const std::string& kind, const std::string& name,
                           const std::vector<std::string>& include_folders) {
  if (!is_identifier(name)) {
    throw Error(
        "'" + name +
        "' is no name for a plugin: lower-case letters, digits and _ are wanted, at most 48");
  }
  if (fs::exists(name)) throw Error("./" + name + " is there already");
  const auto filled = [&](const char* text) {
    std::string all = replaced(text, "@NAME@", name);
    all = replaced(all, "@KIND@", kind);
    all = replaced(all, "@CLASS@", class_name(name));
    all = replaced(all, "@ARGUMENTS@", joined(include_folders, "'-I", "'", ", "));
    return replaced(all, "@FLAGS@", joined(include_folders, "-I", "", " "));
  };
  fs::create_directory(name);
  const fs::path folder(name);
  codec::write_file(folder / (name + ".cpp"), filled(kind == "search"       ? kSearchText
                                                     : kind == "resharding" ? kReshardingText
                                                                            : kScheduleText));
  codec::write_file(folder / "meson.build", filled(kMesonText));
  codec::write_file(folder / "README.md", filled(kReadmeText));
  return name;
}

}  // namespace rhino::commands
