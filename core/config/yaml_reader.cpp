// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_reader.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "codec/text_file.hpp"
#include "plugin/suggest.hpp"
#include "rhino/error.hpp"
#include "rhino/members.hpp"

namespace rhino::config {

struct YamlReader::Node {
  YAML::Node node;
  std::shared_ptr<const std::string> file;
  std::string what;  ///< the key it stands under
  std::set<std::string> asked;
  std::map<std::string, std::shared_ptr<Node>> children;
  YAML::Mark key_mark = YAML::Mark::null_mark();  ///< of that key

  /// Of a key without a value yaml-cpp tells the place of whatever comes next in the file.
  YAML::Mark mark() const { return node.IsNull() && !key_mark.is_null() ? key_mark : node.Mark(); }
};

namespace {

constexpr int kMaxDepth = 64;
constexpr std::int64_t kMaxValues = 100'000;
constexpr std::int64_t kMaxBytes = std::int64_t{16} << 20;

std::string place_of(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? file : file + ":" + std::to_string(mark.line + 1);
}

/// yaml-cpp accepts what a person would not have meant: a key twice, bottomless nesting, aliases of
/// aliases that stand for billions of values. Counts the values in `num_values`.
void check_tree(const YAML::Node& node, const std::string& file, int depth,
                std::int64_t& num_values) {
  if (++num_values > kMaxValues)
    throw Error(place_of(file, node.Mark()) + ": more than " + std::to_string(kMaxValues) +
                " values, each alias counted as what it stands for");
  if (depth > kMaxDepth)
    throw Error(place_of(file, node.Mark()) + ": nested deeper than " + std::to_string(kMaxDepth) +
                " levels");
  if (node.IsMap()) {
    std::set<std::string> keys;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar())
        throw Error(place_of(file, entry.first.Mark()) + ": a key must be one word");
      if (!keys.insert(entry.first.Scalar()).second) {
        throw Error(place_of(file, entry.first.Mark()) + ": key '" + entry.first.Scalar() +
                    "' occurs twice");
      }
      check_tree(entry.second, file, depth + 1, num_values);
    }
  } else if (node.IsSequence()) {
    for (const auto& item : node) check_tree(item, file, depth + 1, num_values);
  }
}

/// What stands in place of one word.
std::string form(const YAML::Node& node) {
  return node.IsSequence() ? ", not a list"
         : node.IsMap()    ? ", not a map of keys"
                           : ", not nothing";
}

/// The bytes of the character that begins so; 0: none does.
int utf8_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

/// yaml-cpp puts other characters where text is of another encoding, and stumbles over a zero byte.
void check_utf8(const std::string& text, const std::string& file) {
  for (std::size_t i = 0; i < text.size();) {
    const int length = utf8_length(static_cast<unsigned char>(text[i]));
    bool is_whole = length > 0 && text[i] != '\0';
    for (int k = 1; k < length; ++k) {
      const std::size_t next = i + static_cast<std::size_t>(k);
      is_whole &= next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80;
    }
    if (!is_whole) {
      const auto line =
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
      throw Error(file + ":" + std::to_string(line + 1) + ": is no text in UTF-8");
    }
    i += static_cast<std::size_t>(length);
  }
}

/// The factor of a unit such as MiB; 0: unknown.
double unit_factor(const std::string& unit) {
  static const std::map<std::string, double> kUnits = {
      {"", 1},     {"B", 1},      {"kB", 1e3},      {"KB", 1e3},        {"MB", 1e6},
      {"GB", 1e9}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}};
  const auto found = kUnits.find(unit);
  return found == kUnits.end() ? 0 : found->second;
}

/// `12`, `1.5e9`, `64MiB`; false where the text is no such number.
bool parse_number(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value)) return false;
  const std::string unit(rest, end);
  const std::size_t begin = unit.find_first_not_of(' ');
  const double factor = unit_factor(begin == std::string::npos ? "" : unit.substr(begin));
  value *= factor;
  return factor != 0;
}

bool has_unit(const std::string& number) { return number.find('B') != std::string::npos; }

bool is_whole(double value) { return std::floor(value) == value; }
bool is_exact(double value) { return std::abs(value) < 9e15; }

/// What yaml-cpp says of a glob is a riddle.
std::string sentence(const YAML::Exception& error) {
  const bool is_glob = error.msg == YAML::ErrorMsg::UNKNOWN_TOKEN;
  return error.msg + (is_glob ? "; a word with ?, * or % stands in quotes" : "");
}

}  // namespace

YamlReader YamlReader::text(const std::string& text, const std::string& path) {
  check_utf8(text, path);
  auto node = std::make_shared<Node>();
  node->file = std::make_shared<std::string>(path);
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1)
      throw Error(place_of(path, documents[1].Mark()) + ": a second document; a file holds one");
    if (!documents.empty()) node->node = documents.front();
    std::int64_t num_values = 0;
    check_tree(node->node, path, 0, num_values);
  } catch (const YAML::Exception& error) {
    throw Error(place_of(path, error.mark) + ": " + sentence(error));
  }
  if (!node->node.IsDefined() || node->node.IsNull()) throw Error(path + ": the file is empty");
  return YamlReader(node);
}

YamlReader YamlReader::file(const std::string& path) {
  return text(codec::read_file(path, kMaxBytes), path);
}

bool YamlReader::is_map() const { return node_->node.IsMap(); }
bool YamlReader::is_list() const { return node_->node.IsSequence(); }
bool YamlReader::is_scalar() const { return node_->node.IsScalar(); }

bool YamlReader::has(const std::string& key) const {
  node_->asked.insert(key);
  if (!is_map()) fail("a map of keys is wanted here");
  const YAML::Node child = std::as_const(node_->node)[key];
  return child.IsDefined();
}

YamlReader YamlReader::at(const std::string& key) const {
  if (!has(key)) {
    // The likeliest cause of a key that is missing is one that is misspelt.
    for (const auto& entry : node_->node) {
      const std::string other = entry.first.Scalar();
      const std::string hint = plugin::suggestion(other, {key});
      const bool near = hint.find("did you mean") != std::string::npos;
      if (near && !node_->asked.contains(other))
        throw Error(place_of(*node_->file, entry.first.Mark()) + ": unknown key '" + other + "'" +
                    hint);
    }
    fail("key '" + key + "' is missing");
  }
  std::shared_ptr<Node>& child = node_->children[key];
  if (child) return YamlReader(child);
  child = std::make_shared<Node>(Node{std::as_const(node_->node)[key], node_->file, key, {}, {}});
  for (const auto& entry : node_->node) {
    if (entry.first.Scalar() == key) child->key_mark = entry.first.Mark();
  }
  return YamlReader(child);
}

std::vector<std::string> YamlReader::keys() const {
  if (!is_map()) fail("a map of keys is wanted here");
  std::vector<std::string> keys;
  for (const auto& entry : node_->node) keys.push_back(entry.first.Scalar());
  node_->asked.insert(keys.begin(), keys.end());
  return keys;
}

std::vector<YamlReader> YamlReader::items() const {
  if (!is_list()) return {*this};
  std::vector<YamlReader> items;
  for (const auto& item : node_->node)
    items.push_back(
        YamlReader(std::make_shared<Node>(Node{item, node_->file, node_->what, {}, {}})));
  return items;
}

std::string YamlReader::string() const {
  if (!is_scalar()) fail("a word is wanted here" + form(node_->node));
  return node_->node.Scalar();
}

std::string YamlReader::line() const {
  const std::string text = string();
  const auto is_control = [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte < 0x20 || byte == 0x7f;
  };
  if (std::ranges::any_of(text, is_control))
    fail("text without line breaks and other control characters is wanted here");
  return text;
}

bool YamlReader::boolean() const {
  if (!is_scalar()) fail("true or false is wanted here" + form(node_->node));
  const std::string text = string();
  if (text == "true" || text == "false") return text == "true";
  fail("true or false is wanted here, not '" + text + "'");
}

double YamlReader::bytes() const {
  if (!is_scalar()) fail("a number is wanted here" + form(node_->node));
  double value = 0;
  if (!parse_number(string(), value)) fail("a number is wanted here, not '" + string() + "'");
  return value;
}

double YamlReader::number() const {
  const double value = bytes();
  if (has_unit(string()))
    fail("a number without a unit of bytes is wanted here, not '" + string() + "'");
  return value;
}

std::int64_t YamlReader::whole(double value) const {
  if (!is_whole(value)) fail("a whole number is wanted here, not '" + string() + "'");
  if (!is_exact(value)) fail("a whole number below 9e15 is wanted here, not '" + string() + "'");
  return static_cast<std::int64_t>(value);
}

std::int64_t YamlReader::integer() const { return whole(number()); }
std::int64_t YamlReader::integer_in(std::int64_t least, std::int64_t most) const {
  const std::int64_t value = integer();
  if (value < least || value > most)
    fail("a number from " + std::to_string(least) + " to " + std::to_string(most) +
         " is wanted here");
  return value;
}
std::int64_t YamlReader::whole_bytes() const { return whole(bytes()); }

OptionValue YamlReader::option() const {
  const std::string text = line();
  const bool quoted = node_->node.Tag() == "!";
  double value = 0;
  if (!quoted && (text == "true" || text == "false")) return text == "true";
  if (quoted || !parse_number(text, value)) return text;
  const bool integral =
      text.find_first_of(".") == std::string::npos && is_whole(value) && is_exact(value);
  return integral ? OptionValue(static_cast<std::int64_t>(value)) : OptionValue(value);
}

std::string YamlReader::string(const std::string& key, const std::string& fallback) const {
  return has(key) ? at(key).string() : fallback;
}
std::string YamlReader::line(const std::string& key, const std::string& fallback) const {
  return has(key) ? at(key).line() : fallback;
}
bool YamlReader::boolean(const std::string& key, bool fallback) const {
  return has(key) ? at(key).boolean() : fallback;
}
std::int64_t YamlReader::integer(const std::string& key, std::int64_t fallback) const {
  return has(key) ? at(key).integer() : fallback;
}
double YamlReader::number(const std::string& key, double fallback) const {
  return has(key) ? at(key).number() : fallback;
}
double YamlReader::bytes(const std::string& key, double fallback) const {
  return has(key) ? at(key).bytes() : fallback;
}
DType YamlReader::dtype(const std::string& name) const {
  std::vector<std::string> known;
  for (int i = 0; i < num_values(DType{}); ++i) {
    known.emplace_back(dtype_name(static_cast<DType>(i)));
    if (known.back() == name) return static_cast<DType>(i);
  }
  fail("unknown dtype '" + name + "'" + plugin::suggestion(name, known));
}

void YamlReader::finish() const {
  if (!is_map()) return;
  for (const auto& entry : node_->node) {
    const std::string key = entry.first.Scalar();
    if (node_->asked.contains(key)) continue;
    std::vector<std::string> known;
    for (const std::string& asked : node_->asked) {
      if (!std::as_const(node_->node)[asked].IsDefined()) known.push_back(asked);
    }
    throw Error(place_of(*node_->file, entry.first.Mark()) + ": unknown key '" + key + "'" +
                plugin::suggestion(key, known));
  }
}

std::string YamlReader::place() const { return place_of(*node_->file, node_->mark()); }

std::string YamlReader::beside(const std::string& path) const {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string other = (fs::path(*node_->file).parent_path() / path).string();
  const bool is_other = !fs::is_regular_file(path, error) && fs::is_regular_file(other, error);
  return is_other ? other : path;
}

void YamlReader::fail(const std::string& sentence) const {
  throw Error(place() + ": " + (node_->what.empty() ? "" : "'" + node_->what + "': ") + sentence);
}

}  // namespace rhino::config
