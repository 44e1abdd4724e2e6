// SPDX-License-Identifier: Apache-2.0
#include "store/run_description.hpp"

#include <filesystem>

#include "codec/json.hpp"
#include "codec/text_file.hpp"
#include "rhino/error.hpp"

namespace rhino::store {
namespace {

struct DescriptionStyle {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
};

}  // namespace

constexpr auto members(const RunDescription*) {
  using D = RunDescription;
  using codec::named;
  return std::tuple(named("experiment", &D::experiment), named("engine", &D::engine),
                    named("measure", &D::measure), named("seed", &D::seed),
                    named("cells", &D::cells));
}

std::string encode(const RunDescription& description) {
  return codec::JsonWriter<DescriptionStyle>().text(description) + "\n";
}

RunDescription read_description(const std::string& folder) {
  const std::string file = folder + "/" + kDescription;
  if (!std::filesystem::exists(file))
    throw Error(folder + ": does not say what it is a run of (no " + kDescription + ")");
  const std::string text = codec::read_file(file);
  const codec::JsonText json(text, file);
  return codec::JsonReader<DescriptionStyle>().read<RunDescription>(json.root());
}

}  // namespace rhino::store
