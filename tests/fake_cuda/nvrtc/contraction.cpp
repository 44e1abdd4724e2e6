// SPDX-License-Identifier: Apache-2.0
#include "contraction.hpp"

#include <cstdint>
#include <regex>
#include <set>
#include <sstream>

#include "source.hpp"

namespace fake {
namespace {

/// Whether it is the first of two, by FNV-1a.
bool draws_first(const std::string& kernel, int place) {
  std::uint32_t hash = 2166136261u;
  for (const char c : kernel + " " + std::to_string(place))
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash >> 16 & 1) != 0;
}

/// Lines of a source, one after the other.
class Contraction {
 public:
  std::string line(const std::string& text) {
    static const std::regex value(R"(^\s*const (?:float|double) (\w+) = (.*)$)"),
        sum(R"(^(\s*const (?:float|double) \w+ = (?:op_add|op_subtract)\()(\w+), (\w+)(\);.*)$)");
    if (text.find("__global__") != std::string::npos) begin(text);
    std::smatch found;
    if (text.find("const ") == std::string::npos || !std::regex_match(text, found, value))
      return text;
    const std::string name = found[1], made = found[2];
    products_.erase(name);
    if (made.rfind("op_multiply(", 0) == 0) products_.insert(name);
    if (!std::regex_match(text, found, sum)) return text;
    const std::string first = found[2], second = found[3];
    if (products_.count(first) == 0 || products_.count(second) == 0) return text;
    const bool hides_first = draws_first(kernel_, num_sums_++);
    return found[1].str() + (hides_first ? "hc_hidden(" + first + ")" : first) + ", " +
           (hides_first ? second : "hc_hidden(" + second + ")") + found[4].str();
  }

 private:
  void begin(const std::string& text) {
    const std::vector<FoundKernel> kernels = find_kernels(text);
    if (!kernels.empty()) kernel_ = kernels.back().name;
    products_.clear();
    num_sums_ = 0;
  }

  std::string kernel_;
  std::set<std::string> products_;  ///< those that values of these names are now
  int num_sums_ = 0;                ///< of two products, in this kernel so far
};

}  // namespace

std::string with_drawn_contractions(const std::string& source) {
  Contraction contraction;
  std::istringstream lines(source);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += contraction.line(line) + "\n";
  return result;
}

}  // namespace fake
