// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/option_values.hpp"
#include "rhino/index.hpp"
#include "rhino/plugin.hpp"
#include "rhino/strategy.hpp"

namespace rhino {
namespace {

/// A step of one rank, as it stands in the file: `3F12`, `(0F5;7B2)OVERLAP_F_B`.
struct Cell {
  std::string text;
  std::size_t line = 0;
};

/// A schedule that a file says: a line per rank, cells between commas, `{stage}{op}{micro-batch}`,
/// as PyTorch's pipelining writes it (torch.distributed.pipelining, format "compute_only" or
/// "compute_comms") and `rhino-bench explain PLAN --out FILE.csv` does. Ops are F, the input's
/// gradient, W and the whole backward pass; whose letters the two of them bear depends on the
/// version, so `dialect` says it:
///
///   I   I is the input's gradient, B the whole backward pass (PyTorch from 2.6 on; the default)
///   B   B is the input's gradient, BW the whole backward pass
///
/// `(0F5;7B2)OVERLAP_F_B` is an FB. Empty cells wait, and what moves data (SEND_F, RECV_B,
/// UNSHARD, RESHARD, REDUCE_GRAD, ...) is left out: the engine does it, as early as it can.
/// It holds for as many ranks and micro-batches as it has.
/// With the option `replicas` its stages are those of so many pipelines, one after the other.
class Csv : public Schedule {
 public:
  explicit Csv(const Options& options)
      : file_(options.get<std::string>("file", "")),
        dialect_(common::word_option(options, "dialect", "I", {"I", "B"})),
        replicas_(
            common::whole_option(options, "replicas", 1, {.least = 1, .most = kMostReplicas})) {
    if (!file_.empty()) read();
  }

  Placement placement(int num_meshes) override {
    check_file();
    if (num_meshes != std::ssize(order_))
      throw Error(file_ + " is of " + std::to_string(order_.size()) + " ranks, not of " +
                  std::to_string(num_meshes));
    Placement placement{.mesh_of_chunk = {}, .num_replicas = static_cast<std::int32_t>(replicas_)};
    for (const auto& [stage, rank] : rank_of_) {
      if (stage != std::ssize(placement.mesh_of_chunk))
        throw Error(file_ + ": no rank has stage " +
                    std::to_string(placement.mesh_of_chunk.size()));
      placement.mesh_of_chunk.push_back(rank);
    }
    return placement;
  }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    check_file();
    if (problem.num_micro_batches != num_micro_batches_)
      throw Error(file_ + " is of " + micro_batches_text(num_micro_batches_) + ", not of " +
                  std::to_string(problem.num_micro_batches));
    return {order_};
  }

 private:
  static constexpr std::int64_t kMostReplicas = 64;

  void check_file() const {
    if (file_.empty()) throw Error("option file says which CSV to read");
  }

  [[noreturn]] void fail(const Cell& cell, const std::string& sentence) const {
    throw Error(file_ + ":" + std::to_string(cell.line) + ": '" + cell.text + "' " + sentence);
  }

  void read() {
    std::ifstream lines(file_);
    if (std::filesystem::is_directory(file_)) throw Error(file_ + " is a folder");
    if (!lines) throw Error("there is no file '" + file_ + "'");
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      order_.emplace_back();
      for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        std::string text = line.substr(begin, end - begin);
        std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; });
        if (!text.empty()) add({text, number});
        begin = end + 1;
      }
    }
    if (order_.empty()) throw Error(file_ + " is empty: it has a line per rank");
  }

  void add(const Cell& cell) {
    const std::string overlap = ")OVERLAP_F_B";
    if (cell.text.front() != '(') {
      const Action action = read_action(cell, cell.text);
      if (action.chunk >= 0) order_.back().push_back(action);
      return;
    }
    const std::size_t middle = cell.text.find(';');
    if (!cell.text.ends_with(overlap) || middle == std::string::npos)
      fail(cell, "is no pair (a;b)OVERLAP_F_B");
    const std::size_t last = cell.text.size() - overlap.size();
    Action pair = read_action(cell, cell.text.substr(1, middle - 1));
    const Action other = read_action(cell, cell.text.substr(middle + 1, last - middle - 1));
    if (pair.kind != ActionKind::forward || other.kind != ActionKind::backward_weight)
      fail(cell, "pairs what is no forward with a whole backward pass");
    pair.kind = ActionKind::forward_backward;
    pair.other_chunk = other.chunk;
    pair.other_micro_batch = other.micro_batch;
    order_.back().push_back(pair);
  }

  /// Chunk -1: it moves data.
  Action read_action(const Cell& cell, const std::string& text) {
    std::int32_t stage = -1, micro_batch = -1;
    const char* const end = text.data() + text.size();
    const auto [op, no_stage] = std::from_chars(text.data(), end, stage);
    const char* digits = std::find_if(op, end, [](char c) { return c >= '0' && c <= '9'; });
    const std::string word(op, digits);
    const auto [rest, no_number] = std::from_chars(digits, end, micro_batch);
    const bool has_number = no_number == std::errc() && rest == end && micro_batch >= 0;
    if (no_stage != std::errc() || stage < 0 || word.empty() || (digits != end && !has_number))
      fail(cell, "is not {stage}{op}{micro-batch}");
    static const std::set<std::string> kMoves = {"SEND_F",  "RECV_F",  "SEND_B",     "RECV_B",
                                                 "UNSHARD", "RESHARD", "REDUCE_GRAD"};
    if (kMoves.contains(word)) return {.chunk = -1};
    if (!has_number) fail(cell, "does not say its micro-batch");
    const std::map<std::string, ActionKind> kinds =
        dialect_ == "I" ? std::map<std::string, ActionKind>{{"F", ActionKind::forward},
                                                            {"I", ActionKind::backward},
                                                            {"W", ActionKind::weight},
                                                            {"B", ActionKind::backward_weight}}
                        : std::map<std::string, ActionKind>{{"F", ActionKind::forward},
                                                            {"B", ActionKind::backward},
                                                            {"W", ActionKind::weight},
                                                            {"BW", ActionKind::backward_weight}};
    const auto kind = kinds.find(word);
    if (kind == kinds.end()) fail(cell, "has no op of dialect " + dialect_);
    place(cell, stage);
    num_micro_batches_ = std::max<std::int64_t>(num_micro_batches_, micro_batch + 1);
    return {.kind = kind->second, .chunk = stage, .micro_batch = micro_batch};
  }

  void place(const Cell& cell, std::int32_t stage) {
    const auto rank = static_cast<std::int32_t>(order_.size()) - 1;
    if (rank_of_.try_emplace(stage, rank).first->second != rank)
      fail(cell, "is of a stage that another rank has, too");
  }

  const std::string file_, dialect_;
  const std::int64_t replicas_;
  std::vector<std::vector<Action>> order_;        ///< by rank
  std::map<std::int32_t, std::int32_t> rank_of_;  ///< by stage
  std::int64_t num_micro_batches_ = 0;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/csv", rhino::Csv, "what a file in PyTorch's CSV format says")
