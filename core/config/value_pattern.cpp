// SPDX-License-Identifier: Apache-2.0
#include "config/value_pattern.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "rhino/error.hpp"

namespace rhino::config {

ValueId value_number(const std::string& pattern) {
  ValueId number = -1;
  if (pattern.starts_with("%"))
    std::from_chars(pattern.data() + 1, pattern.data() + pattern.size(), number);
  return number;
}

std::vector<ValueId> matching_values(const Program& program, const std::string& pattern,
                                     bool in_shard) {
  std::vector<bool> is_sharded(program.ops.size());
  for (const Input& input : program.inputs) {
    if (input.kind != InputKind::optimizer_state)
      is_sharded[static_cast<std::size_t>(input.value)] = true;
  }
  const ValueId number = value_number(pattern);
  std::vector<ValueId> values;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (is_sharded[static_cast<std::size_t>(id)] != in_shard) continue;
    const std::string& name = program.op(id).name;
    const bool matches =
        number >= 0 ? id == number
                    : !name.empty() && fnmatch(pattern.c_str(), name.c_str(), FNM_EXTMATCH) == 0;
    if (matches) values.push_back(id);
  }
  return values;
}

bool is_made_forward(const Program& program, ValueId value) {
  return program.op(value).phase == Phase::forward && !program.op(value).operands.empty();
}

std::vector<ValueId> matching_forward_values(const Program& program,
                                             const std::vector<std::string>& patterns,
                                             const std::string& place) {
  std::set<ValueId> found;
  for (const std::string& pattern : patterns) {
    std::vector<ValueId> values = matching_values(program, pattern, false);
    std::erase_if(values, [&](ValueId id) { return !is_made_forward(program, id); });
    if (values.empty())
      throw Error(place + ": pattern '" + pattern + "' matches no value of the forward pass");
    found.insert(values.begin(), values.end());
  }
  return {found.begin(), found.end()};
}

std::int32_t dim_number(const Program& program, ValueId value, const std::string& dim) {
  for (const Input& input : program.inputs) {
    if (input.value != value) continue;
    const auto found = std::find(input.dim_names.begin(), input.dim_names.end(), dim);
    if (found != input.dim_names.end())
      return static_cast<std::int32_t>(found - input.dim_names.begin());
  }
  std::int32_t number = -1;
  const auto rank = static_cast<std::int32_t>(program.op(value).shape.dims.size());
  std::from_chars(dim.data(), dim.data() + dim.size(), number);
  return number < rank ? number : -1;
}

std::string escaped_glob(const std::string& name) {
  std::string glob;
  for (const char c : name) {
    if (c == '*' || c == '?' || c == '[' || c == '(' || c == '\\') glob += '\\';
    glob += c;
  }
  return glob;
}

std::vector<std::string> general_globs(const std::string& name) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto begin = std::find_if(name.begin(), name.end(), is_digit);
  if (begin == name.end()) return {};
  const std::string before(name.begin(), begin),
      behind(std::find_if_not(begin, name.end(), is_digit), name.end());
  std::vector<std::string> globs;
  if (behind.starts_with(".")) globs.push_back("*" + escaped_glob(behind));
  globs.push_back(escaped_glob(before) + "*" + escaped_glob(behind));
  return globs;
}

}  // namespace rhino::config
