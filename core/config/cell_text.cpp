// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdio>

#include "codec/fingerprint.hpp"
#include "config/experiment.hpp"
#include "config/imported_model.hpp"

namespace rhino::config {

static std::string to_text(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, std::get<double>(value));
  return {buffer, end};  // as few digits as tell it apart
}

std::string to_string(const Choice& choice) {
  if (choice.options.empty()) return choice.id;
  std::string text = choice.id + "(";
  for (const auto& [key, value] : choice.options) {
    if (key == kContent) continue;  // says nothing to people
    text += (text.back() == '(' ? "" : ", ") + key + "=" + to_text(value);
  }
  return text + ")";
}

std::string to_string(const ScheduleChoice& choice) {
  std::string text = to_string(static_cast<const Choice&>(choice));
  if (choice.blocking.transfers) text += ", transfers block";
  if (choice.blocking.collectives) text += ", collectives block";
  return text;
}

std::string to_string(const SearchBudget& budget) {
  std::string text;
  if (budget.num_evaluations > 0) {
    text = std::to_string(budget.num_evaluations) + " evaluation";
    if (budget.num_evaluations > 1) text += "s";
  }
  char seconds[48] = "";
  if (budget.cpu_s > 0) std::snprintf(seconds, sizeof seconds, "%g s of a processor", budget.cpu_s);
  return text + (text.empty() || budget.cpu_s <= 0 ? "" : ", ") + seconds;
}

std::string device_text(const CellSpec& cell) {
  const std::string modes = runtime::to_string(cell.gpu);
  return cell.device + (modes.empty() ? "" : ", " + modes);
}

/// Without what does not count for one communication alone.
static std::string canonical_communication(const CellSpec& cell) {
  const std::string what = cell.reshard
                               ? tensors_text(*cell.reshard) + "\n" + to_string(cell.resharding)
                               : to_string(*cell.collective);
  return to_string(cell.topology) + "\n" + what + "\n" + cell.backend + "\n" + device_text(cell) +
         "\n";
}

std::string canonical(const CellSpec& cell) {
  if (cell.is_communication()) return canonical_communication(cell);
  if (cell.pipeline)  // of stages the rest does not count
    return to_string(cell.topology) + "\n" + to_string(*cell.pipeline) + "\n" +
           to_string(cell.schedule) + "\n" + cell.backend + "\n";
  std::string text;
  for (const Choice* choice : {&cell.topology, &cell.model, &cell.search, &cell.resharding})
    text += to_string(*choice) + "\n";
  const auto content = cell.model.options.find(kContent);
  if (content != cell.model.options.end()) text += to_text(content->second) + "\n";
  text += to_string(cell.schedule) + "\n" + to_string(cell.optimizer) + "\n";
  if (cell.budget != SearchBudget{}) text += to_string(cell.budget) + "\n";
  for (const PinRule& pin : cell.pins) text += to_string(pin) + "\n";
  text += std::to_string(cell.global_batch) + "\n";
  for (const std::int64_t count : cell.micro_batches) text += std::to_string(count) + " ";
  return text + "\n" + cell.backend + "\n" + device_text(cell) + "\n" + cell.check + "\n";
}

std::string cell_id(const CellSpec& cell) {
  return codec::fingerprint(canonical(cell)).substr(0, 12);
}

}  // namespace rhino::config
