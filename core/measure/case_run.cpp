// SPDX-License-Identifier: Apache-2.0
#include "measure/case_run.hpp"

#include <algorithm>
#include <random>

#include "topology/gpus.hpp"

namespace rhino::measure {
namespace {

/// So often is a disturbed turn of a cell measured again in all: what disturbs mostly stays.
constexpr int kMostRepeats = 1;

bool has_round(const std::vector<store::Round>& rounds, std::int64_t number) {
  return std::any_of(rounds.begin(), rounds.end(),
                     [&](const store::Round& round) { return round.number == number; });
}

bool is_open(const store::BaselineRatio& ratio) { return ratio.verdict == "inconclusive"; }

/// The PCI ids of the GPUs that run a cell.
std::vector<std::string> gpus_of(const config::CellSpec& cell) {
  std::vector<std::string> ids;
  if (cell.device != "cuda") return ids;
  for (const topology::Gpu& gpu : topology::discover_gpus().gpus) ids.push_back(gpu.pci_bus_id);
  return ids;
}

/// One of these baselines, or the comparison with one, is open.
bool is_in_question(const store::Record& record, const std::vector<store::Record>& all) {
  const auto is_asked_for = [&](const store::BaselineRatio& ratio) {
    return is_open(ratio) && std::find(record.baseline_of.begin(), record.baseline_of.end(),
                                       ratio.name) != record.baseline_of.end();
  };
  return std::any_of(record.baselines.begin(), record.baselines.end(), is_open) ||
         std::any_of(all.begin(), all.end(), [&](const store::Record& other) {
           return std::any_of(other.baselines.begin(), other.baselines.end(), is_asked_for);
         });
}

}  // namespace

CaseRun::CaseRun(RunContext& context, const std::vector<NamedCell>& cells,
                 std::vector<store::Record> recorded, OnNews on_news)
    : context_(context),
      measure_(context.experiment.measure),
      recorded_(std::move(recorded)),
      on_news_(std::move(on_news)) {
  bool took_turns = false;  // the run was cut while it recorded the case
  for (const NamedCell& named : cells) {
    entries_.push_back({.cell = named, .run = nullptr});
    const std::string id = config::cell_id(named.cell);
    took_turns |= context.folder.journalled(id, named.cell.case_index) != nullptr;
  }
  for (const store::Record& record : recorded_) {
    if (took_turns) break;
    for (const store::Round& round : record.rounds) first_ = std::max(first_, round.number + 1);
  }
}

std::vector<store::Record> CaseRun::run() {
  context_.calibrations.begin_case();
  if (!first_round()) return {};
  for (std::int64_t number = first_ + 1; number < first_ + measure_.max_rounds; ++number) {
    for (const Turn& turn : turns(number)) {
      if (!take(turn, number)) return {};
    }
  }
  const std::vector<store::Record> all = records();
  for (const store::Record& record : all) context_.folder.append(record);
  context_.folder.forget_rounds();
  return all;
}

/// Fewer rounds than verdicts take are a look alone: no A/A pair, and nothing is measured again.
bool CaseRun::is_judged() const { return measure_.max_rounds >= kLeastRounds; }

/// In the order of the file, so that a first row stands early: each cell is planned, checked and
/// measured before the next one is planned.
bool CaseRun::first_round() {
  for (Entry& entry : entries_) {
    if (!prepare(entry)) return false;
    if (entry.run && !take({&entry, false}, first_)) return false;
  }
  choose_twin();
  for (Entry& entry : entries_) {
    if (&entry == twin_ && !take({&entry, true}, first_)) return false;
  }
  return true;
}

/// False: the run is to end.
bool CaseRun::prepare(Entry& entry) {
  const store::Record* before =
      context_.folder.journalled(config::cell_id(entry.cell.cell), entry.cell.cell.case_index);
  if (before != nullptr && (before->rounds.empty() || before->status != store::Status::ok)) {
    entry.record = *before;  // there is no more to it
    on_news_(records(), index_of(entry));
    return true;
  }
  entry.run = std::make_unique<CellRun>(context_, entry.cell.cell, entry.cell.name);
  entry.run->prepare(before);
  entry.record = entry.run->result();
  if (context_.is_interrupted()) return false;
  entry.same_plan = with_same_plan(entry);
  const bool is_ok = entry.run->record().status == store::Status::ok;
  if (!is_ok || entry.same_plan || entry.cell.cell.backend == "simulate") note(entry);
  return true;
}

/// An entry before it that is measured for both.
const CaseRun::Entry* CaseRun::with_same_plan(const Entry& entry) const {
  for (const Entry& other : entries_) {
    if (&other == &entry) break;
    if (other.run && !other.same_plan && entry.run->takes_rounds() &&
        other.run->signature() == entry.run->signature())
      return &other;
  }
  return nullptr;
}

/// Neither the shortest time, which feels noise most, nor the longest, which costs most; and rather
/// one of a plan that is complete.
void CaseRun::choose_twin() {
  std::vector<const Entry*> timed;
  for (const Entry& entry : entries_) {
    if (!entry.record.twin_rounds.empty()) twin_ = &entry;
    if (entry.run && !entry.same_plan && !entry.record.rounds.empty()) timed.push_back(&entry);
  }
  if (!is_judged() || twin_ != nullptr || timed.empty()) return;
  const auto rank = [](const Entry* entry) {
    return std::pair(entry->record.check_kind == "none", entry->record.rounds.front().seconds);
  };
  std::sort(timed.begin(), timed.end(),
            [&](const Entry* a, const Entry* b) { return rank(a) < rank(b); });
  const auto complete = std::find_if(timed.begin(), timed.end(), [&](const Entry* entry) {
    return rank(entry).first != rank(timed.front()).first;
  });
  twin_ = timed[static_cast<std::size_t>(complete - timed.begin() - 1) / 2];
}

std::vector<CaseRun::Turn> CaseRun::turns(std::int64_t number) {
  std::vector<Turn> turns;
  const std::vector<store::Record> all = records();
  for (Entry& entry : entries_) {
    if (!entry.run || entry.same_plan) continue;
    if (number >= first_ + measure_.rounds && !is_in_question(entry, all)) continue;
    turns.push_back({&entry, false});
    if (&entry == twin_) turns.push_back({&entry, true});
  }
  std::mt19937_64 random(context_.experiment.seed + static_cast<std::uint64_t>(number / 2));
  for (std::size_t left = turns.size(); left > 1; --left)
    std::swap(turns[left - 1], turns[random() % left]);
  if (number % 2 == 1) std::reverse(turns.begin(), turns.end());
  return turns;
}

/// The comparison of this cell, or of one with an equal plan, with a baseline is open, or that of
/// another cell with this one.
bool CaseRun::is_in_question(const Entry& entry, const std::vector<store::Record>& all) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& other) {
    return (&other == &entry || other.same_plan == &entry) &&
           measure::is_in_question(all[index_of(other)], all);
  });
}

/// False: the run is to end.
bool CaseRun::take(const Turn& turn, std::int64_t number) {
  Entry& entry = *turn.entry;
  if (!entry.run || entry.same_plan) return true;
  store::Record& record = entry.run->record();
  std::vector<store::Round>& rounds = turn.twin ? record.twin_rounds : record.rounds;
  if (has_round(rounds, number)) return true;
  const store::Round round = calmest(entry, number);
  if (context_.is_interrupted()) return false;
  if (entry.run->takes_rounds() && !round.samples_s.empty()) rounds.push_back(round);
  note(entry);
  return true;
}

/// One turn of a cell; where other work disturbs it, the least disturbed of a few.
store::Round CaseRun::calmest(Entry& entry, std::int64_t number) {
  if (!context_.watch) context_.watch.emplace();
  store::Round best;
  double least = 0;
  for (bool again = true; again;) {
    context_.watch->begin(gpus_of(entry.cell.cell));
    store::Round round{.number = number, .samples_s = entry.run->measure()};
    if (round.samples_s.empty()) return round;
    round.seconds = median(round.samples_s);
    context_.watch->end(round);
    const double disturbance = context_.watch->disturbance(round);
    if (best.samples_s.empty() || disturbance < least) {
      best = round;
      least = disturbance;
    }
    again =
        least > 1 && is_judged() && entry.run->takes_rounds() && entry.num_repeats++ < kMostRepeats;
  }
  best.disturbed = least > 1;
  return best;
}

/// What the cell came to so far goes to the journal, to equal plans, and to who wants to know.
void CaseRun::note(Entry& entry) {
  if (entry.same_plan) take_measurement(entry.same_plan->record, entry.run->record());
  if (context_.watch) {
    store::Record& record = entry.run->record();
    for (std::vector<store::Round>* rounds : {&record.rounds, &record.twin_rounds}) {
      for (store::Round& round : *rounds)
        round.disturbed = round.disturbed || context_.watch->disturbance(round) > 1;
    }
  }
  entry.record = entry.run->result();
  context_.folder.journal(entry.record);
  if (entry.record.status != store::Status::ok || !entry.run->takes_rounds()) entry.run.reset();
  for (Entry& other : entries_) {
    if (other.same_plan != &entry || !other.run) continue;
    take_measurement(entry.record, other.run->record());
    other.record = other.run->result();
  }
  on_news_(records(), index_of(entry));
}

/// Entries come to records in their order.
std::size_t CaseRun::index_of(const Entry& entry) const {
  return static_cast<std::size_t>(&entry - entries_.data());
}

std::vector<store::Record> CaseRun::records() const {
  std::vector<store::Record> all;
  for (const Entry& entry : entries_) {
    if (entry.record.label.empty()) continue;
    all.push_back(entry.record);
  }
  all.insert(all.end(), recorded_.begin(), recorded_.end());
  compare_with_baselines(all, {.first = measure_.rounds, .most = measure_.max_rounds});
  all.resize(all.size() - recorded_.size());
  return all;
}

}  // namespace rhino::measure
