// SPDX-License-Identifier: Apache-2.0
#include "config/pipeline_choice.hpp"

#include <algorithm>
#include <charconv>

#include "plugin/suggest.hpp"
#include "rhino/strategy.hpp"

namespace rhino::config {
namespace {

constexpr std::int64_t kMostStages = 1024, kMostMicroBatches = 65536,
                       kMostBytes = std::int64_t{1} << 40;
constexpr double kMostSeconds = 1e9;

double seconds(const YamlReader& node) {
  const double value = node.number();
  if (!(value >= 0 && value <= kMostSeconds)) node.fail("seconds from 0 to 1e9 are wanted here");
  return value;
}

std::int64_t message_bytes(const YamlReader& node) {
  const std::int64_t value = node.whole_bytes();
  if (value < 1 || value > kMostBytes)
    node.fail("a number from 1 to " + std::to_string(kMostBytes) + " is wanted here");
  return value;
}

std::vector<std::int64_t> counts(const YamlReader& node, std::int64_t most) {
  std::vector<std::int64_t> values;
  for (const YamlReader& item : node.items()) values.push_back(item.integer_in(1, most));
  if (values.empty()) node.fail("at least one number is wanted here");
  return values;
}

/// What `read` says of a number for all `size` places, or of one for each; `places`: what they are.
template <class Read>
auto each(const YamlReader& node, std::int64_t size, const char* places, Read&& read) {
  std::vector<decltype(read(node))> values;
  for (const YamlReader& item : node.items()) values.push_back(read(item));
  if (!node.is_list()) values.resize(static_cast<std::size_t>(size), values.front());
  if (std::ssize(values) != size)
    node.fail("one number is wanted, or one for each of " + std::to_string(size) + " " + places +
              ", not " + std::to_string(values.size()));
  return values;
}

void read_transfers(const YamlReader& node, PipelineChoice& choice) {
  const std::int64_t borders = choice.num_stages - 1;
  if (node.has("transfer_bytes")) {
    if (node.has("transfer_s")) node.at("transfer_s").fail("transfer_bytes says what crosses");
    choice.transfer_bytes = each(node.at("transfer_bytes"), borders, "borders", message_bytes);
  } else if (node.has("transfer_s")) {
    choice.transfer_s = each(node.at("transfer_s"), borders, "borders", seconds);
  } else {
    choice.transfer_s.assign(static_cast<std::size_t>(borders), 0);
  }
}

bool read_leaves(const YamlReader& node) {
  const std::string word = node.string("gradient_leaves", "end");
  if (word != "end" && word != "early")
    node.at("gradient_leaves")
        .fail("unknown word '" + word + "'" + plugin::suggestion(word, {"end", "early"}));
  return word == "early";
}

PipelineChoice read_pipeline(const YamlReader& node, std::int64_t stages,
                             std::int64_t micro_batches) {
  PipelineChoice choice{.name = node.line("name", ""),
                        .num_stages = stages,
                        .num_micro_batches = micro_batches,
                        .is_gradient_early = read_leaves(node),
                        .place = node.place()};
  const auto times = [&](const char* key) { return each(node.at(key), stages, "stages", seconds); };
  choice.forward_s = times("forward_s");
  choice.backward_s = times("backward_s");
  choice.weight_s = node.has("weight_s") ? times("weight_s")
                                         : std::vector<double>(static_cast<std::size_t>(stages), 0);
  for (std::size_t s = 0; s < choice.forward_s.size(); ++s) {
    if (choice.forward_s[s] + choice.backward_s[s] + choice.weight_s[s] <= 0)
      node.fail("stage " + std::to_string(s) + " takes no time");
  }
  read_transfers(node, choice);
  if (node.has("activation_limit"))
    choice.activation_limit =
        each(node.at("activation_limit"), stages, "stages",
             [](const YamlReader& item) { return item.integer_in(1, kMostMicroBatches); });
  return choice;
}

std::string text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}
std::string text(std::int64_t value) { return std::to_string(value); }

/// `, F 10 s`, or of unlike places `, F [10, 12] s`.
template <class T>
std::string part(const std::string& what, const std::vector<T>& values, const char* unit) {
  if (values.empty()) return "";
  const bool is_one = std::all_of(values.begin(), values.end(),
                                  [&](const T& value) { return value == values.front(); });
  std::string list;
  for (const T& value : values) list += (list.empty() ? "" : ", ") + text(value);
  return ", " + what + " " + (is_one ? text(values.front()) : "[" + list + "]") + unit;
}

}  // namespace

std::vector<PipelineChoice> read_pipelines(const YamlReader& node) {
  std::vector<PipelineChoice> choices;
  for (const std::int64_t stages : counts(node.at("stages"), kMostStages)) {
    for (const std::int64_t number : counts(node.at("micro_batches"), kMostMicroBatches))
      choices.push_back(read_pipeline(node, stages, number));
  }
  node.finish();
  return choices;
}

std::string to_string(const PipelineChoice& choice) {
  const bool is_free = std::ranges::all_of(choice.transfer_s, [](double s) { return s == 0; });
  return text(choice.num_stages) + (choice.num_stages == 1 ? " stage x " : " stages x ") +
         micro_batches_text(choice.num_micro_batches) + part("F", choice.forward_s, " s") +
         part("B", choice.backward_s, " s") + part("W", choice.weight_s, " s") +
         (is_free ? "" : part("transfers", choice.transfer_s, " s")) +
         part("transfers of", choice.transfer_bytes, " B") +
         part("at most", choice.activation_limit, " in flight") + ", gradients " +
         (choice.is_gradient_early ? "early" : "at the end");
}

}  // namespace rhino::config
