// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "measure/cell_run.hpp"
#include "measure/named_cells.hpp"
#include "measure/verdict.hpp"

namespace rhino::measure {

/// The cells of one case, measured in interleaved rounds: in each, every cell gets new workers and
/// a turn of its own, in an order that the seed draws and the next round reverses. One cell
/// has two turns: the A/A pair, whose difference is noise. Rounds are added while
/// verdicts are open, for the cells that they are about. What is simulated, or has more ranks than
/// cores, has no rounds.
class CaseRun {
 public:
  /// Told the case's records so far, and which of them has news.
  using OnNews = std::function<void(const std::vector<store::Record>&, std::size_t)>;

  /// `recorded`: cells of the case that an earlier session of the run ended.
  CaseRun(RunContext& context, const std::vector<NamedCell>& cells,
          std::vector<store::Record> recorded, OnNews on_news);

  /// Goes on where an earlier session stopped; each turn is journalled. In the end the records go
  /// to the run's folder, with their verdicts, and come back; none where the run is to end before.
  std::vector<store::Record> run();

 private:
  struct Entry {
    NamedCell cell;
    std::unique_ptr<CellRun> run;      ///< none: there is nothing more to measure
    store::Record record;              ///< empty label: nothing is known yet
    const Entry* same_plan = nullptr;  ///< whose rounds are its own
    int num_repeats = 0;               ///< of disturbed turns
  };
  struct Turn {
    Entry* entry;
    bool twin;
  };

  bool is_judged() const;
  bool first_round();
  bool prepare(Entry& entry);
  void choose_twin();
  std::vector<Turn> turns(std::int64_t number);
  bool take(const Turn& turn, std::int64_t number);
  store::Round calmest(Entry& entry, std::int64_t number);
  const Entry* with_same_plan(const Entry& entry) const;
  bool is_in_question(const Entry& entry, const std::vector<store::Record>& all) const;
  std::size_t index_of(const Entry& entry) const;
  void note(Entry& entry);
  std::vector<store::Record> records() const;

  RunContext& context_;
  const config::MeasureSpec& measure_;
  std::vector<Entry> entries_;
  std::vector<store::Record> recorded_;
  OnNews on_news_;
  const Entry* twin_ = nullptr;
  std::int64_t first_ = 0;  ///< number of the first round, behind those of `recorded`
};

}  // namespace rhino::measure
