// SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "settings.hpp"

namespace fake {

Faults::Fault Faults::parse(const std::string& text) {
  Fault fault;
  std::istringstream in(text);
  std::string call, code;
  std::getline(in, fault.name, ':');
  std::getline(in, call, ':');
  std::getline(in, code);
  fault.hangs = code == "hang";
  try {
    fault.call = std::stoi(call);
    if (!fault.hangs) fault.code = std::stoi(code);
  } catch (const std::exception&) {
    refuse("FAKE_CUDA_FAIL: '" + text + "' is not name:call:code or name:call:hang");
  }
  return fault;
}

Faults::Faults(std::string prefix, std::vector<std::string> names) {
  std::istringstream in(text_setting("FAKE_CUDA_FAIL", ""));
  for (std::string part; std::getline(in, part, ',');) {
    Fault fault = parse(part);
    const bool known = std::find(names.begin(), names.end(), fault.name) != names.end();
    // `cu` begins `cublasLt`, too: after the prefix comes a capital.
    const bool ours = fault.name.compare(0, prefix.size(), prefix) == 0 &&
                      fault.name.size() > prefix.size() && std::isupper(fault.name[prefix.size()]);
    if (ours && !known) refuse("FAKE_CUDA_FAIL: there is no entry point '" + fault.name + "'");
    if (known) faults_.push_back(std::move(fault));
  }
}

std::optional<int> Faults::next(const std::string& name) {
  for (Fault& fault : faults_) {
    if (fault.name != name || ++fault.seen != fault.call) continue;
    say("fault on demand: " + name + ", call " + std::to_string(fault.call) +
        (fault.hangs ? ", hangs" : ", returns " + std::to_string(fault.code)));
    while (fault.hangs) pause();
    return fault.code;
  }
  return std::nullopt;
}

}  // namespace fake
