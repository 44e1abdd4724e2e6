// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rhino/options.hpp"
#include "rhino/shape.hpp"

namespace rhino::config {

/// A node of a YAML file that knows its place. Every accessor throws Error `file:line: ...` where
/// the file says something else; `finish` does so for keys that nobody asked for, naming the
/// nearest known one.
class YamlReader {
 public:
  /// Parses one document; torn YAML, duplicate keys, nesting beyond 64 levels and more than 100 000
  /// values (each alias counted as what it stands for) are Errors with file and line.
  static YamlReader file(const std::string& path);
  static YamlReader text(const std::string& text, const std::string& path);

  bool is_map() const;
  bool is_list() const;
  bool is_scalar() const;

  /// The child under `key`, which must be there / may be there.
  YamlReader at(const std::string& key) const;
  bool has(const std::string& key) const;
  /// Keys of a map, in file order; marks all as asked for.
  std::vector<std::string> keys() const;
  std::vector<YamlReader> items() const;  ///< of a list; a scalar or map counts as a list of one

  std::string string() const;
  /// A string without control characters: it will be part of the name of a cell.
  std::string line() const;
  bool boolean() const;
  std::int64_t integer() const;  ///< exponents may give a whole number
  std::int64_t integer_in(std::int64_t least, std::int64_t most) const;
  double number() const;
  /// The same of bytes: accept KiB, MiB, GiB, kB, MB, GB, too.
  std::int64_t whole_bytes() const;
  double bytes() const;
  OptionValue option() const;  ///< true/false, integer, number or string, by its look

  std::string string(const std::string& key, const std::string& fallback) const;
  std::string line(const std::string& key, const std::string& fallback) const;
  bool boolean(const std::string& key, bool fallback) const;
  std::int64_t integer(const std::string& key, std::int64_t fallback) const;
  double number(const std::string& key, double fallback) const;
  double bytes(const std::string& key, double fallback) const;
  /// The dtype of that name, which stands in this node.
  DType dtype(const std::string& name) const;

  /// Error where the map holds a key that was not asked for through this reader or one made from
  /// the same node.
  void finish() const;

  std::string place() const;  ///< "file:line"
  /// `path` as written where there is such a file, or else none beside the file of this node.
  std::string beside(const std::string& path) const;
  /// Throws Error "file:line: sentence".
  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  struct Node;
  std::int64_t whole(double value) const;
  explicit YamlReader(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;
};

}  // namespace rhino::config
