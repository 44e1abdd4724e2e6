// SPDX-License-Identifier: Apache-2.0
/// HLO and StableHLO text with bytes, words, numbers or lines changed, pieces of other texts in it,
/// or its end missing: it is refused with an Error, or read; then it has a canonical form, an
/// interface, and prints as what reads back the same. Nothing crashes, hangs or takes 1 GiB.
/// RHINO_MUTATIONS="FIRST COUNT" goes on elsewhere than at seed 0, or for another number;
/// RHINO_TEXTS=FOLDER takes the texts there, too.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "ir/canonical.hpp"
#include "ir/hlo_text.hpp"
#include "models/imported.hpp"
#include "rhino/error.hpp"

namespace rhino {
namespace {

using Random = std::mt19937_64;

constexpr int kPerProcess = 250;
constexpr int kMaxCpuSeconds = 10;  ///< of one text; the slowest of all takes a tenth
constexpr rlim_t kMaxBytes = 1 << 30;

struct Text {
  std::string name, text;
  bool is_hlo;
};

void add_texts(const std::filesystem::path& folder, std::vector<Text>& texts) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    const bool is_hlo = name.ends_with(".hlo.txt");
    if (!is_hlo && !name.ends_with(".mlir")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    texts.push_back({name, {std::istreambuf_iterator<char>(file), {}}, is_hlo});
  }
}

std::vector<Text> all_texts() {
  std::vector<Text> texts;
  add_texts(std::filesystem::path(RHINO_TEST_DATA) / "jax", texts);
  if (const char* more = std::getenv("RHINO_TEXTS")) add_texts(more, texts);
  std::ranges::sort(texts, {}, &Text::name);
  return texts;
}

std::size_t place(const std::string& text, Random& random) { return random() % (text.size() + 1); }

struct Piece {
  std::size_t begin, size;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

/// The word at or behind a place.
Piece word(const std::string& text, Random& random) {
  std::size_t begin = place(text, random);
  while (begin < text.size() && !is_word(text[begin])) ++begin;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  std::size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return {begin, end - begin};
}

Piece line(const std::string& text, Random& random) {
  const std::size_t at = place(text, random);
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return {begin, std::min(text.size(), text.find('\n', begin)) + 1 - begin};
}

std::string cut(const std::string& text, Piece piece) {
  return text.substr(std::min(piece.begin, text.size()), piece.size);
}

void put(std::string& text, Piece piece, const std::string& with) {
  text.replace(std::min(piece.begin, text.size()), piece.size, with);
}

void change_bytes(std::string& text, Random& random) {
  static const std::string kBytes("{}()[]<>,=:%#@\"/*-\n\0\xff 0x9", 26);
  const Piece piece{place(text, random), random() % 3};
  put(text, piece, std::string(random() % 3, kBytes[random() % kBytes.size()]));
}

void change_number(std::string& text, Random& random) {
  static const std::vector<std::string> kNumbers = {"0",
                                                    "-1",
                                                    "1",
                                                    "2",
                                                    "7",
                                                    "65536",
                                                    "2147483648",
                                                    "9223372036854775807",
                                                    "99999999999999999999"};
  std::size_t begin = place(text, random);
  while (begin < text.size() && std::isdigit(static_cast<unsigned char>(text[begin])) == 0) ++begin;
  std::size_t end = begin;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  put(text, {begin, end - begin}, kNumbers[random() % kNumbers.size()]);
}

void splice(std::string& text, const std::string& other, Random& random) {
  const std::size_t size = random() % 400;
  put(text, {place(text, random), random() % 2 == 0 ? 0 : size},
      cut(other, {place(other, random), size}));
}

std::string mutated(const std::vector<Text>& texts, const Text& base, Random& random) {
  std::string text = base.text;
  const auto& other = texts[random() % texts.size()].text;
  for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
    switch (random() % 10) {
      case 0:
      case 1: change_bytes(text, random); break;
      case 2: put(text, word(text, random), cut(text, word(text, random))); break;
      case 3: put(text, word(text, random), cut(other, word(other, random))); break;
      case 4:
      case 5: change_number(text, random); break;
      case 6: put(text, line(text, random), ""); break;
      case 7: put(text, {line(text, random).begin, 0}, cut(text, line(text, random))); break;
      case 8: splice(text, random() % 2 == 0 ? text : other, random); break;
      default:
        if (random() % 4 == 0) text.resize(place(text, random));
    }
  }
  return text;
}

/// 0: refused, 1: read. Whatever else happens ends the process.
int check(const Text& base, const std::string& text) {
  Program program;
  try {
    program = base.is_hlo ? ir::parse_hlo(text, base.name) : ir::parse_stablehlo(text, base.name);
  } catch (const Error& error) {
    const std::string sentence = error.what();
    if (!sentence.starts_with(base.name + ":")) {
      std::fprintf(stderr, "an Error without a place: %s\n", sentence.c_str());
      std::abort();
    }
    return 0;
  }
  if (ir::parse_hlo(ir::print_hlo(program), "printed") != program) {
    std::fprintf(stderr, "what is printed reads back as another program\n");
    std::abort();
  }
  try {
    models::imported_step(ir::canonical(program), {});
  } catch (const Error&) {
  }
  return 1;
}

void limit(int resource, rlim_t most) {
  const rlimit limits{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

/// What a child tells while it is under way.
struct Progress {
  std::uint64_t seed, num_read;
};

[[noreturn]] void run_child(const std::vector<Text>& texts, std::uint64_t first, std::uint64_t end,
                            Progress& progress) {
  for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) std::signal(number, SIG_DFL);
  limit(RLIMIT_AS, kMaxBytes);
  limit(RLIMIT_CORE, 0);
  for (std::uint64_t seed = first; seed < end; ++seed) {
    progress.seed = seed;
    const itimerval timer{{0, 0}, {kMaxCpuSeconds, 0}};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
    Random random(seed);
    const Text& base = texts[random() % texts.size()];
    try {
      progress.num_read += static_cast<std::uint64_t>(check(base, mutated(texts, base, random)));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: no Error but %s\n", base.name.c_str(), error.what());
      std::abort();
    }
  }
  _exit(0);
}

}  // namespace

TEST_CASE("text that is changed is refused or read") {
  std::uint64_t first = 0, count = 100'000;
  if (const char* given = std::getenv("RHINO_MUTATIONS")) {
    std::istringstream(given) >> first >> count;
  }
  const std::vector<Text> texts = all_texts();
  auto* shared = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(shared != MAP_FAILED);
  *shared = {};
  const std::uint64_t end = first + count;
  for (std::uint64_t seed = first; seed < end;) {
    const std::uint64_t stop = std::min(end, seed + kPerProcess);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) run_child(texts, seed, stop, *shared);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    const bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!is_done) {
      Random random(shared->seed);
      const Text& base = texts[random() % texts.size()];
      if (const char* folder = std::getenv("RHINO_KEEP")) {
        std::ofstream(std::string(folder) + "/" + std::to_string(shared->seed) + "." + base.name)
            << mutated(texts, base, random);
      }
      INFO("RHINO_MUTATIONS=\"" << shared->seed << " 1\", " << base.name);
      CHECK(status == 0);
    }
    seed = is_done ? stop : shared->seed + 1;
  }
  WARN(shared->num_read << " of " << count << " from seed " << first << " are still read, of "
                        << texts.size() << " texts");
  CHECK(shared->num_read > count / 100);
  CHECK(shared->num_read < count);
}

}  // namespace rhino
