// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace fake {

struct Unit {
  std::string text;
  bool contracts = true;  ///< --fmad
  std::vector<std::string> defines;
  std::vector<std::pair<std::string, std::string>> headers;  // name and text
};

struct Compiled {
  bool ok = false;
  std::string log;
  std::string library;
};

/// Compiles with the host's g++ ($FAKE_NVRTC_CXX), once per text: what was made before comes from
/// the folder $FAKE_CUDA_CACHE, whose default is one of the user in the folder for temporary files.
Compiled compile(const Unit& unit);

}  // namespace fake
