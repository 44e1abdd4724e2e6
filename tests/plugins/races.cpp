// SPDX-License-Identifier: Apache-2.0
#include "races.hpp"

#include <fmt/format.h>

#include <array>

#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "searching.hpp"

namespace rhino::test {

Race race(std::uint64_t seed) {
  Random random(seed);
  const std::int32_t num_devices = std::array{2, 4, 6, 8}[at(draw(random, 4))];
  const bool two_hosts = draw(random, 2) == 0;
  const std::string where = fmt::format("{}{}", num_devices, two_hosts ? " on 2 hosts" : "");
  const Cluster on = slow_cluster(num_devices, two_hosts);
  const std::int64_t batch = draw(random, 3) == 0 ? 2 : 24;
  if (draw(random, 3) == 0) {
    const models::GptConfig config{.preset = "toy",
                                   .num_layers = 1 + draw(random, 2),
                                   .hidden = 48,
                                   .num_heads = 12,
                                   .vocabulary = draw(random, 2) == 0 ? 96 : 960,
                                   .sequence = 24};
    return {fmt::format("gpt {}, vocabulary {}, batch {}, {}", config.num_layers, config.vocabulary,
                        batch, where),
            ir::training_step(models::gpt_forward(config, batch), {}), on};
  }
  const std::int64_t num_ops = 3 + draw(random, 8);
  return {fmt::format("dag of {}, batch {}, {}", num_ops, batch, where),
          ir::training_step(models::random_forward(seed, batch, num_ops), {}), on};
}

}  // namespace rhino::test
