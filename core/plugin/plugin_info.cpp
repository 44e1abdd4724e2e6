// SPDX-License-Identifier: Apache-2.0
#include "plugin/plugin_info.hpp"

#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "plugin/one_line.hpp"
#include "rhino/plugin.hpp"

namespace rhino::plugin {
namespace {

/// Copies a T from `offset` of the file; false where the file ends before.
template <class T>
bool read_at(std::string_view file, std::uint64_t offset, T& value) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return true;
}

std::string text_of(const char* field, std::size_t room) { return {field, strnlen(field, room)}; }

/// FNV-1a, 64 bits: tells builds apart, no more.
std::string fingerprint(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(hash >> shift) & 15];
  return text;
}

std::optional<PluginInfo> info_from(std::string_view section) {
  PluginNote note{};
  if (!read_at(section, 0, note) || std::strncmp(note.name, "Rhino", sizeof note.name) != 0)
    return std::nullopt;
  PluginInfo info;
  info.abi_tag = text_of(note.abi_tag, PluginNote::kAbiTagRoom);
  info.id = text_of(note.id, PluginNote::kIdRoom);
  info.description = one_line(text_of(note.description, PluginNote::kDescriptionRoom));
  return info;
}

/// The note in a whole ELF file.
std::optional<PluginInfo> find_note(std::string_view file, const std::string& path) {
  Elf64_Ehdr header{};
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return std::nullopt;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN) return std::nullopt;
  Elf64_Shdr names{};
  const auto section_at = [&](unsigned index, Elf64_Shdr& section) {
    return read_at(file, header.e_shoff + std::uint64_t{index} * sizeof(Elf64_Shdr), section);
  };
  if (!section_at(header.e_shstrndx, names))
    throw Error(path + ": torn library: its section table lies outside of the file");
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section{};
    if (!section_at(i, section))
      throw Error(path + ": torn library: its section table lies outside of the file");
    const std::uint64_t name = names.sh_offset + section.sh_name;
    constexpr std::string_view kName(".note.rhino\0", 12);
    if (name > file.size() || file.substr(name, kName.size()) != kName) continue;
    if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset) {
      throw Error(path + ": torn library: its plugin note lies outside of the file");
    }
    return info_from(file.substr(section.sh_offset, section.sh_size));
  }
  return std::nullopt;
}

}  // namespace

std::optional<PluginInfo> read_plugin_note(const std::string& path) {
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(path + ": cannot be opened");
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  std::optional<PluginInfo> info = find_note(file, path);
  if (info) {
    info->path = path;
    info->build_id = fingerprint(file);
  }
  return info;
}

}  // namespace rhino::plugin
