// SPDX-License-Identifier: Apache-2.0
#include "commands/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "evaluate/price_changes.hpp"
#include "report/table.hpp"
#include "report/table_parts.hpp"

namespace rhino::commands {
namespace {

constexpr std::size_t kMostRows = 10;

report::Row row_of(std::size_t rank, const evaluate::Candidate& one) {
  report::Row row{fmt::format("  {}  {}", rank, one.name)};
  for (const double seconds : {one.step_s, one.compute_s, one.communication_s, one.bubble_s})
    row.push_back(report::format_seconds(seconds));
  row.insert(row.begin() + 2, report::format_bytes(one.peak_bytes));
  return row;
}

std::string change(const char* what, double seconds) {
  return fmt::format("{} less {}", report::format_seconds(seconds), what);
}

/// What the first saves against the second, the most first.
std::string why_first(const evaluate::Candidate& first, const evaluate::Candidate& second) {
  std::vector<std::pair<double, const char*>> savings = {
      {second.compute_s - first.compute_s, "compute"},
      {second.bubble_s - first.bubble_s, "bubble"}};
  std::sort(savings.rbegin(), savings.rend());
  const double gain = 1 - first.step_s / second.step_s;
  if (gain < 5e-4) return "  1 and 2 are alike\n";
  std::string text = fmt::format("  1 is {:.1f} % quicker than 2: ", 100 * gain);
  text += change(savings.front().second, savings.front().first);
  const auto [saved, what] = savings.back();
  if (std::abs(saved) < 1e-3 * second.step_s) return text + "\n";
  return text +
         (saved > 0 ? " and " + change(what, saved)
                    : fmt::format(", for {} more {}", report::format_seconds(-saved), what)) +
         "\n";
}

/// The rank of the first under each change, and by how much another one is then quicker.
std::string ranks_text(const std::vector<evaluate::Candidate>& ranked) {
  std::string text;
  for (std::size_t c = 0; c < ranked.front().changed_s.size(); ++c) {
    const auto changed_s = [c](const evaluate::Candidate& one) { return one.changed_s[c]; };
    const double own_s = changed_s(ranked.front());
    const auto num_quicker = std::ranges::count_if(
        ranked, [&](const auto& other) { return changed_s(other) < own_s * (1 - 5e-4); });
    const auto best = std::ranges::min_element(ranked, {}, changed_s);
    text += fmt::format("{}{} {}", c == 0 ? "" : ", ", evaluate::kPriceChanges[c].name,
                        num_quicker + 1);
    if (num_quicker > 0)
      text += fmt::format(" ({} is {:.1f} % quicker)", best - ranked.begin() + 1,
                          100 * (1 - changed_s(*best) / own_s));
  }
  return text.empty() ? "" : fmt::format("  rank of 1 under other prices: {}\n", text);
}

/// Numbers as one mark.
std::string without_numbers(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    const bool is_number = std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
    if (!is_number) plain += c;
    else if (plain.empty() || plain.back() != '#') plain += '#';
  }
  return plain;
}

}  // namespace

std::string candidate_table(std::vector<evaluate::Candidate> candidates) {
  if (candidates.empty()) return "";
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.step_s < b.step_s; });
  std::vector<report::Row> rows{
      {"  #  strategy", "step", "memory", "compute", "communication", "bubble"}};
  for (std::size_t i = 0; i < std::min(kMostRows, candidates.size()); ++i)
    rows.push_back(row_of(i + 1, candidates[i]));
  std::string text = report::aligned(rows);
  if (candidates.size() > kMostRows)
    text += fmt::format("  and {} slower\n", candidates.size() - kMostRows);
  if (candidates.size() == 1) return text;
  return text + why_first(candidates[0], candidates[1]) + ranks_text(candidates);
}

std::string left_out_text(const std::vector<std::string>& rejected) {
  std::vector<std::pair<std::string, std::size_t>> kinds;  // the first of each, and how many
  std::map<std::string, std::size_t> kind_of;
  for (const std::string& line : rejected) {
    const std::size_t colon = line.find(": ", line.find(" micro-batch") + 1);
    const auto [kind, is_new] = kind_of.try_emplace(
        without_numbers(line.substr(std::min(colon, line.size()))), kinds.size());
    if (is_new) kinds.emplace_back(line, 0);
    ++kinds[kind->second].second;
  }
  std::string text;
  for (const auto& [first, count] : kinds)
    text += count == 1 ? fmt::format("  left out: {}\n", first)
                       : fmt::format("  left out: {} alike; the first, {}\n", count, first);
  return text;
}

}  // namespace rhino::commands
