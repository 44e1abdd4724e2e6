// SPDX-License-Identifier: Apache-2.0
#include "launch/slurm.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <random>
#include <set>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

using Catch::Matchers::Contains;
using Hosts = std::vector<std::string>;

std::optional<ArrayTask> task_in(std::map<std::string, std::string> variables) {
  return array_task([variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

std::map<std::string, std::string> array_of(int id, int least, int most, int count, int step) {
  return {{"SLURM_ARRAY_TASK_ID", std::to_string(id)},
          {"SLURM_ARRAY_TASK_MIN", std::to_string(least)},
          {"SLURM_ARRAY_TASK_MAX", std::to_string(most)},
          {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)},
          {"SLURM_ARRAY_TASK_STEP", std::to_string(step)}};
}

TEST_CASE("tasks of an array know their place, whatever their ids") {
  CHECK(task_in({}) == std::nullopt);
  for (const auto& [least, step] : {std::pair(0, 1), {1, 1}, {7, 1}, {1, 3}, {100, 25}}) {
    for (int count = 1; count <= 5; ++count) {
      for (int index = 1; index <= count; ++index)
        CHECK(task_in(array_of(least + (index - 1) * step, least, least + (count - 1) * step, count,
                               step)) == ArrayTask{index, count});
    }
  }
}

TEST_CASE("tasks of an array that is no range do not guess") {
  CHECK_THROWS_WITH(task_in(array_of(5, 1, 8, 3, 1)),
                    "task 5 of a Slurm array of 3 from 1 to 8, which is no range of ids: --shard "
                    "I/N says which part this is");
  for (const auto& variables : {array_of(9, 1, 8, 8, 1), array_of(0, 1, 8, 8, 1),
                                array_of(2, 1, 8, 4, 2), array_of(1, 1, 8, 8, 0)})
    CHECK_THROWS_WITH(task_in(variables), Contains("no range of ids"));
  for (const char* lost : {"MIN", "MAX", "COUNT"}) {
    auto variables = array_of(2, 1, 8, 8, 1);
    variables.erase(std::string("SLURM_ARRAY_TASK_") + lost);
    CHECK_THROWS_WITH(task_in(variables), Contains(std::string(lost) + " '' is no number"));
  }
}

TEST_CASE("lists of hosts are read as Slurm writes them") {
  CHECK(expand_hostlist("b") == Hosts{"b"});
  CHECK(expand_hostlist("n[01-03,7],b") == Hosts{"n01", "n02", "n03", "n7", "b"});
  CHECK(expand_hostlist("n[9-11]") == Hosts{"n9", "n10", "n11"});
  CHECK(expand_hostlist("n[09-11]-ib") == Hosts{"n09-ib", "n10-ib", "n11-ib"});
  CHECK(expand_hostlist("r[0-1]n[2,4]") == Hosts{"r0n2", "r0n4", "r1n2", "r1n4"});
  CHECK(expand_hostlist("gpu-node.example,x[5]") == Hosts{"gpu-node.example", "x5"});
}

/// A list and what it stands for, made side by side.
struct Example {
  std::string list;
  Hosts hosts;
};

std::string padded(int number, int width) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*d", width, number);
  return text;
}

Example random_name(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Example name{"", {""}};
  const int num_brackets = below(3);
  for (int bracket = 0; bracket <= num_brackets; ++bracket) {
    const std::string word =
        std::string("n-x.y").substr(static_cast<std::size_t>(below(4)), 1) + "q";
    name.list += word;
    for (std::string& host : name.hosts) host += word;
    if (bracket == num_brackets) break;
    name.list += "[";
    Hosts numbers;
    for (int range = 0; range <= below(3); ++range) {
      if (name.list.back() != '[') name.list += ",";
      const int first = below(120), last = first + below(4), width = 1 + below(4);
      name.list += padded(first, width);
      if (last > first || below(2) == 0) name.list += "-" + padded(last, width);
      for (int number = first; number <= last; ++number) numbers.push_back(padded(number, width));
    }
    name.list += "]";
    Hosts all;
    for (const std::string& host : name.hosts) {
      for (const std::string& number : numbers) all.push_back(host + number);
    }
    name.hosts = all;
  }
  return name;
}

TEST_CASE("random lists of hosts stand for what they were made of") {
  const unsigned seed = 20261125;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 2000; ++i) {
    Example example;
    for (unsigned name = 0, count = 1 + random() % 3; name < count; ++name) {
      const Example next = random_name(random);
      example.list += (name == 0 ? "" : ",") + next.list;
      example.hosts.insert(example.hosts.end(), next.hosts.begin(), next.hosts.end());
    }
    CAPTURE(example.list);
    REQUIRE(expand_hostlist(example.list) == example.hosts);
  }
}

TEST_CASE("what is no list of hosts is refused, with the place") {
  for (const std::string list :
       {"", ",", "a,", ",a", "a,,b", "n[", "n[1", "n[]", "n[1-]", "n[-1]", "n[1-2-3]", "n[2-1]",
        "n[a]", "n]", "n[1,]", "n[[1]]", "n[99999999999999999999]"}) {
    CAPTURE(list);
    CHECK_THROWS_WITH(expand_hostlist(list), Contains("hosts '" + list + "'"));
  }
  CHECK_THROWS_WITH(expand_hostlist("n[1-3],x]"),
                    Contains("character 9 has a ']' without its '['"));
  CHECK_THROWS_WITH(expand_hostlist("n[0-18446744073709551615]"), Contains("more than 65536"));
  CHECK_THROWS_WITH(expand_hostlist("n[0-999][0-999]"), Contains("more than 65536"));
}

Environment step(const std::string& job, const std::string& id) {
  return [=](const std::string& name) -> std::optional<std::string> {
    if (name == "SLURM_JOB_ID") return job;
    if (name == "SLURM_STEP_ID") return id;
    return std::nullopt;
  };
}

TEST_CASE("steps of a job, and of jobs side by side, have ports of their own") {
  std::set<std::uint16_t> ports;
  for (int job = 4000; job < 4020; ++job) {
    for (int id = 0; id < 30; ++id) {
      const std::uint16_t port = slurm_port(step(std::to_string(job), std::to_string(id)));
      CHECK(port >= 1024);
      CHECK(port < 32768);  // from there on the kernel gives them away
      ports.insert(port);
    }
  }
  CHECK(ports.size() == 600);
  CHECK_THROWS_AS(slurm_port(step("x", "0")), Error);
}

}  // namespace
}  // namespace rhino::launch
