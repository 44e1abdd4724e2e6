// SPDX-License-Identifier: Apache-2.0
#include "store/merge_runs.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "codec/text_file.hpp"
#include "store/run_description.hpp"
#include "store/run_folder.hpp"

namespace rhino::store {
namespace {

namespace fs = std::filesystem;

struct Taken {
  Record record;
  std::size_t run = 0;
};
using Key = std::pair<std::int32_t, std::string>;  // case, id
using Cells = std::map<Key, Taken>;

Key key_of(const Record& record) { return {record.case_index, record.cell_id}; }

std::string first_of_one(const std::vector<std::string>& cells,
                         const std::vector<std::string>& others) {
  const auto lacks = [&](const std::string& cell) { return !std::ranges::count(others, cell); };
  const auto found = std::ranges::find_if(cells, lacks);
  return found == cells.end() ? "" : *found;
}

/// What two runs are not the same of; empty: they are of one.
std::string difference(const RunDescription& a, const RunDescription& b) {
  if (a.experiment != b.experiment) return "experiment " + a.experiment + ", not " + b.experiment;
  if (a.engine != b.engine) return "engine " + a.engine + ", not " + b.engine;
  if (a.seed != b.seed) return "seed " + std::to_string(a.seed) + ", not " + std::to_string(b.seed);
  if (a.measure != b.measure) return a.measure + ", not " + b.measure;
  if (a.cells == b.cells) return "";
  const std::string more = first_of_one(a.cells, b.cells), less = first_of_one(b.cells, a.cells);
  if (!more.empty()) return "an experiment with cell '" + more + "', which the other lacks";
  if (!less.empty()) return "an experiment without cell '" + less + "' of the other";
  return "an experiment with its cells in another order";
}

RunDescription common_description(const std::vector<std::string>& runs) {
  RunDescription first = read_description(runs.front());
  for (const std::string& run : runs) {
    const std::string differs = difference(read_description(run), first);
    if (!differs.empty()) throw Error(run + ": is of " + differs + " (" + runs.front() + ")");
  }
  return first;
}

Cells take_records(const std::vector<std::string>& runs, Keep keep) {
  Cells cells;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const bool has_any = fs::exists(runs[run] + "/records.jsonl");  // one that was cut early: none
    for (Record& record : has_any ? read_records(runs[run]) : std::vector<Record>()) {
      const auto [found, is_new] = cells.try_emplace(key_of(record), Taken{record, run});
      if (is_new || encode(found->second.record) == encode(record)) continue;
      if (keep == Keep::neither)
        throw Error(runs[run] + ": has another record of cell '" + record.label + "' than " +
                    runs[found->second.run] +
                    ": --keep first or --keep last says which one counts");
      if (keep == Keep::last) found->second = {std::move(record), run};
    }
  }
  return cells;
}

/// A verdict is of two cells of one run, which took turns. Throws Error where one of them has gone.
void check_verdicts(const Cells& cells, const std::vector<std::string>& runs) {
  for (const auto& [key, cell] : cells) {
    for (const BaselineRatio& ratio : cell.record.baselines) {
      if (ratio.verdict == "none" || ratio.verdict.empty()) continue;
      const bool is_there = std::ranges::any_of(cells, [&](const auto& other) {
        return other.first.first == key.first && other.second.run == cell.run &&
               std::ranges::count(other.second.record.baseline_of, ratio.name) > 0;
      });
      if (!is_there)
        throw Error(runs[cell.run] + ": cell '" + cell.record.label +
                    "' was compared there with baseline '" + ratio.name +
                    "', which would come from another run: --keep tears no case");
    }
  }
}

/// Of cases of which one run alone has anything: rounds of several were not in turns.
std::vector<Taken> take_journals(const std::vector<std::string>& runs, const Cells& cells) {
  std::map<std::int32_t, std::set<std::size_t>> runs_of_case;
  for (const auto& [key, cell] : cells) runs_of_case[key.first].insert(cell.run);
  std::vector<Taken> all;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (Record& record : read_journal(runs[run])) {
      runs_of_case[record.case_index].insert(run);
      all.push_back({std::move(record), run});
    }
  }
  std::erase_if(all,
                [&](const Taken& one) { return runs_of_case[one.record.case_index].size() > 1; });
  return all;
}

/// Files and folders alike.
void copy_text(const fs::path& from, const fs::path& to) {
  if (fs::is_regular_file(from)) {
    fs::create_directories(to.parent_path());
    codec::write_file(to, codec::read_file(from));
  }
  if (!fs::is_directory(from)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(from))
    copy_text(entry.path(), to / entry.path().filename());
}

/// A record may come from anywhere: what it names lies in the folders for that, or is refused.
void copy_artifacts(const Record& record, const std::string& run, const std::string& to) {
  for (const auto& [kind, name] : record.artifacts) {
    const fs::path path = fs::path(name).lexically_normal();
    if (*path.begin() != "plans" && *path.begin() != "traces" && *path.begin() != "logs")
      throw Error(run + ": cell '" + record.label + "' names a " + kind +
                  " outside of it: " + name);
    copy_text(run + "/" + path.string(), to + "/" + path.string());
  }
}

std::string join(const std::vector<Taken>& taken) {
  std::string lines;
  for (const Taken& one : taken) lines += encode(one.record) + "\n";
  return lines;
}

void copy_calibrations(const std::vector<std::string>& runs, const std::string& to,
                       std::vector<std::string>& notes) {
  for (const std::string& run : runs) {
    if (!fs::is_directory(run + "/calibrations")) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(run + "/calibrations")) {
      const fs::path target = fs::path(to) / "calibrations" / entry.path().filename();
      if (!fs::exists(target)) copy_text(entry.path(), target);
      else if (codec::read_file(target) != codec::read_file(entry.path()))
        notes.push_back(entry.path().string() + ": an earlier run's is kept");
    }
  }
}

/// The folder while it is made, beside where it will be; gone again unless it is finished.
class Scaffolding {
 public:
  explicit Scaffolding(const std::string& out)
      : out_(out), path_(out + ".merging-" + std::to_string(::getpid())) {
    if (fs::exists(out)) throw Error(out + ": is there already; a merged run is a new folder");
    const fs::path parent = fs::path(out).parent_path();
    if (!parent.empty()) fs::create_directories(parent);
    if (!fs::create_directory(path_)) throw Error(path_ + ": is there already");
  }
  ~Scaffolding() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }
  void finish() { fs::rename(path_, out_); }

 private:
  std::string out_, path_;
};

std::vector<Taken> in_order(Cells cells, const RunDescription& description) {
  std::vector<Taken> ordered;
  for (auto& [key, cell] : cells) ordered.push_back(std::move(cell));
  const auto place = [&](const Taken& cell) {
    const std::string start =
        std::to_string(cell.record.case_index) + " " + cell.record.cell_id + " ";
    return std::ranges::find_if(description.cells,
                                [&](const std::string& one) { return one.starts_with(start); }) -
           description.cells.begin();
  };
  std::ranges::stable_sort(ordered, {}, place);
  return ordered;
}

}  // namespace

MergedRun merge_runs(const std::string& out, const std::vector<std::string>& runs, Keep keep) try {
  const RunDescription description = common_description(runs);
  Cells cells = take_records(runs, keep);
  check_verdicts(cells, runs);
  const std::vector<Taken> journal = take_journals(runs, cells);
  const std::vector<Taken> ordered = in_order(std::move(cells), description);
  Scaffolding folder(out);
  MergedRun merged{.num_cells = description.cells.size()};
  for (const std::vector<Taken>* list : {&ordered, &journal}) {
    for (const Taken& one : *list) copy_artifacts(one.record, runs[one.run], folder.path());
  }
  copy_calibrations(runs, folder.path(), merged.notes);
  codec::write_file(folder.path() + "/" + kDescription, encode(description));
  if (!ordered.empty()) codec::write_file(folder.path() + "/records.jsonl", join(ordered));
  if (!journal.empty()) codec::write_file(folder.path() + "/rounds.jsonl", join(journal));
  folder.finish();
  for (const Taken& one : ordered) merged.records.push_back(one.record);
  return merged;
} catch (const fs::filesystem_error& error) {
  throw codec::OutputError(out + ": cannot be made: " + error.code().message());
}

}  // namespace rhino::store
