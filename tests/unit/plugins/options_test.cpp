// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "plugin/registry.hpp"
#include "rhino/error.hpp"

namespace rhino::test {
namespace {

/// Makes the plugin with these options; what it says against them, or nothing.
std::string refusal(const plugin::PluginInfo& info, const Options& options) {
  try {
    if (info.id.starts_with("search/")) plugin::make_search(info, options);
    else if (info.id.starts_with("schedule/")) plugin::make_schedule(info, options);
    else plugin::make_resharding(info, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("no option of a plugin takes what makes no sense, and each says what it does take") {
  const plugin::Registry registry({RHINO_TEST_PLUGINS});
  // A seed below 0 is as good as any, a file of that name is not there.
  const std::set<std::string> open{"seed -1", "seed 0", "file maybe"};
  int num_options = 0;
  for (const plugin::PluginInfo& info : registry.plugins()) {
    const Options none;
    REQUIRE(refusal(info, none).empty());
    for (const std::string& key : none.asked()) {
      ++num_options;
      for (const auto& [name, value] :
           std::map<std::string, OptionValue>{{"-1", std::int64_t{-1}},
                                              {"1e300", 1e300},
                                              {"2.5", 2.5},
                                              {"maybe", std::string("maybe")}}) {
        if (open.contains(key + " " + name)) continue;
        const std::string text = refusal(info, Options({{key, value}}));
        CAPTURE(info.id, key, name, text);
        CHECK(text.starts_with("plugin '" + info.id + "': option '" + key + "' "));
        CHECK(text.find("must be ") != std::string::npos);
      }
      const std::string misspelt = refusal(info, Options({{key + "s", std::int64_t{1}}}));
      CHECK(misspelt ==
            "plugin '" + info.id + "' knows no option '" + key + "s'; did you mean '" + key + "'?");
    }
  }
  CHECK(num_options > 30);
}

}  // namespace
}  // namespace rhino::test
