// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fake_test {

using Settings = std::map<std::string, std::string>;

struct Outcome {
  int status = 0;      // as waitpid gives it
  std::string result;  // what the body returned
  std::string said;    // its standard error
};

/// Runs the body in a child with these environment variables: a fault on a device lasts as long as
/// its process.
Outcome in_child(const Settings& settings, const std::function<std::string()>& body);

/// As many children at once, each with its rank.
std::vector<Outcome> in_children(int count, const Settings& settings,
                                 const std::function<std::string(int)>& body);

}  // namespace fake_test
