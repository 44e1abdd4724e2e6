// SPDX-License-Identifier: Apache-2.0
#include "inline_ptx.hpp"

#include <algorithm>
#include <regex>
#include <vector>

namespace fake {
namespace {

constexpr std::size_t kNone = std::string::npos;

/// Behind the literal that begins at `at`.
std::size_t behind_string(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\';
  return at + 1;
}

/// Where brackets that are open at `at` close.
std::size_t closing(const std::string& text, std::size_t at) {
  for (int depth = 1; at < text.size();) {
    if (text[at] == '"') {
      at = behind_string(text, at);
      continue;
    }
    depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    if (depth == 0) return at;
    ++at;
  }
  return kNone;
}

/// What stands between `separator`s that are in no brackets and no literal.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '"' ? behind_string(text, at) : at + 1;
    depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    if (text[at] == separator && depth == 0) parts.emplace_back();
    else parts.back() += text.substr(at, end - at);
    at = end;
  }
  return parts;
}

/// Of an operand in such a register; empty: the fake knows none.
std::string type_of(const std::string& constraint) {
  if (constraint == "f") return "float";
  if (constraint == "r") return "unsigned";
  if (constraint == "h") return "unsigned short";
  return constraint == "l" ? "unsigned long long" : "";
}

/// `"+f"(x)` as `hc_changed<float>(x)`.
std::string operand(const std::string& text) {
  const std::size_t open = text.find('"'), close = behind_string(text, open),
                    begin = text.find('(', close), end = text.rfind(')');
  const std::string constraint = text.substr(open + 1, close - open - 2);
  const std::string access = constraint.substr(0, constraint.size() - 1),
                    type = constraint.empty() ? "" : constraint.substr(constraint.size() - 1);
  const bool is_known = (access.empty() || access == "=" || access == "+") &&
                        !type_of(type).empty() && begin < end && end != kNone;
  if (!is_known) return "hc_instruction(\"operand " + constraint + "\")";  // an error that says so
  return std::string(access == "="   ? "hc_made"
                     : access == "+" ? "hc_changed"
                                     : "hc_read") +
         "<" + type_of(type) + ">" + text.substr(begin, end + 1 - begin);
}

std::string call(const std::string& inside) {
  const std::vector<std::string> parts = split(inside, ':');
  static const std::regex nothing(R"(\s*""\s*)");  // keeps a compiler from knowing a value
  if (std::regex_match(parts[0], nothing)) return "((void)0)";
  std::string operands;
  for (std::size_t i = 1; i < std::min<std::size_t>(parts.size(), 3); ++i) {
    for (const std::string& part : split(parts[i], ',')) {
      if (part.find('"') != kNone) operands += ", " + operand(part);
    }
  }
  return "hc_ptx(hc_instruction(" + parts[0] + ")" + operands + ")";
}

}  // namespace

std::string with_inline_ptx(const std::string& source) {
  static const std::regex opening(R"(\basm(\s+volatile)?\s*\()");
  std::string result;
  std::size_t at = 0;
  std::smatch found;
  while (std::regex_search(source.cbegin() + static_cast<std::ptrdiff_t>(at), source.cend(), found,
                           opening)) {
    const std::size_t begin = at + static_cast<std::size_t>(found.position()),
                      inside = begin + static_cast<std::size_t>(found.length()),
                      end = closing(source, inside);
    if (end == kNone) break;
    result += source.substr(at, begin - at) + call(source.substr(inside, end - inside));
    at = end + 1;
  }
  return result + source.substr(at);
}

}  // namespace fake
