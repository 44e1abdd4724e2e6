// SPDX-License-Identifier: Apache-2.0
#include "simulate/classes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "rhino/index.hpp"

namespace rhino::simulate {
namespace {

using Color = std::uint64_t;

/// A pseudo-random function of both.
Color mix(Color a, Color b) {
  Color x = a * 0x9e3779b97f4a7c15U + b + 0x632be59bd9b4e019U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
Color mix(Color a, double b) { return mix(a, std::bit_cast<Color>(b)); }

/// Kinds of links that a device has beside those of Links::of().
constexpr Color kOwn = 1 << 16;

class Refiner {
 public:
  Refiner(const plan::ExecutionPlan& plan, const cost::CostModel& cost, const CollectiveSets& sets)
      : plan_(plan),
        cost_(cost),
        links_(cost.links()),
        sets_(sets),
        colors_(plan.cluster.host_of.size(), 0) {
    for (const plan::Communication& communication : plan.communications) {
      if (communication.kind == plan::CommunicationKind::transfer) add_transfer(communication);
    }
    find_connections();
    for (const CollectiveSets::Set& set : sets.sets()) collectives_.push_back(describe(set));
    for (std::size_t r = 0; r < plan.roles.size(); ++r) {
      for (const DeviceId device : plan.roles[r].mesh.devices) {
        devices_.push_back(device);
        colors_[at(device)] = mix(r + 1, static_cast<Color>(plan.cluster.model_of[at(device)]));
      }
    }
    own_ = links_.own();
    std::erase_if(own_, [&](const cost::Links::Own& own) { return colors_[at(own.device)] == 0; });
    find_own_messages();
  }

  Classes classes() {
    for (std::size_t before = 0; before < num_colors(); refine()) before = num_colors();
    Classes classes = no_classes(links_);
    color_links();
    join(devices_, colors_, classes.representative, classes.size);
    std::vector<std::int32_t> links;
    for (const DeviceId device : devices_) {
      for (const std::int32_t link : links_.of(device)) links.push_back(link);
    }
    for (const cost::Links::Own& own : own_) links.push_back(own.link);
    join(links, link_colors_, classes.link_representative, classes.link_size);
    return classes;
  }

 private:
  /// A step that is stated, what of it does not depend on colours.
  struct Message {
    std::size_t from = 0, to = 0;  ///< places
    Color color = 0;
    std::int32_t number = 0;  ///< of its sender's in this communication
  };
  struct OwnMessage {
    std::int32_t link = -1;
    DeviceId from = 0, to = 0;
    const Message* message = nullptr;
  };
  struct Transfer {
    plan::SharedSteps shared;
    std::vector<Message> messages;
    /// Per share and step: all messages that share its connection.
    std::vector<Color> connections;
  };

  /// All collectives of one set, per group.
  struct Collective {
    Color color = 0;                            ///< of the bytes of each
    std::vector<const Network::Route*> shares;  ///< of all manners in which it is made
  };

  std::vector<Collective> describe(const CollectiveSets::Set& set) const {
    std::vector<Collective> collectives(set.groups.size());
    for (std::size_t g = 0; g < set.groups.size(); ++g) {
      for (const std::int32_t communication : set.communications) {
        const CollectiveSets::Choice choice = sets_.choice(communication, g);
        Color& color = collectives[g].color;
        color = mix(mix(color, static_cast<Color>(communication)), choice.latency_s);
        color = mix(mix(color, static_cast<Color>(choice.manner)), choice.bytes);
        const Network::Route* shares = &set.manners[g][at(choice.manner)].shares;
        std::vector<const Network::Route*>& all = collectives[g].shares;
        if (std::find(all.begin(), all.end(), shares) == all.end()) all.push_back(shares);
      }
    }
    return collectives;
  }

  void add_transfer(const plan::Communication& communication) {
    Transfer& transfer =
        transfers_.emplace_back(Transfer{plan::SharedSteps(plan_, communication), {}, {}});
    std::unordered_map<DeviceId, std::int32_t> num_sent;
    for (const plan::TransferStep& step : transfer.shared.stated()) {
      const DType dtype = communication.parts[at(step.part)].dtype;
      Color color = mix(transfers_.size(), static_cast<Color>(dtype_bytes(dtype)));
      for (const std::int64_t extent : step.global.size)
        color = mix(color, static_cast<Color>(extent));
      transfer.messages.push_back({transfer.shared.place(step.from), transfer.shared.place(step.to),
                                   color, num_sent[step.from]++});
    }
  }

  /// Calls `f(transfer, share, step)` for all messages.
  template <class F>
  void for_each_message(Transfer& transfer, F&& f) {
    for (std::int64_t share = 0; share < transfer.shared.num_shares(); ++share) {
      for (std::size_t s = 0; s < transfer.messages.size(); ++s) f(share, s);
    }
  }

  void find_connections() {
    std::unordered_map<std::int64_t, Color> connections;
    const auto connection = [&](const Transfer& transfer, std::int64_t share, std::size_t s) {
      const std::int64_t from = transfer.shared.device_at(share, transfer.messages[s].from);
      const std::int64_t to = transfer.shared.device_at(share, transfer.messages[s].to);
      return from * std::ssize(colors_) + to;
    };
    for (std::size_t c = 0; c < transfers_.size(); ++c) {
      for_each_message(transfers_[c], [&](std::int64_t share, std::size_t s) {
        connections[connection(transfers_[c], share, s)] +=
            mix(c, static_cast<Color>(transfers_[c].messages[s].number));
      });
    }
    for (Transfer& transfer : transfers_) {
      for_each_message(transfer, [&](std::int64_t share, std::size_t s) {
        transfer.connections.push_back(connections[connection(transfer, share, s)]);
      });
    }
  }

  void find_own_messages() {
    if (own_.empty()) return;
    std::vector<bool> is_own(links_.bytes_per_s().size());
    for (const cost::Links::Own& own : own_) is_own[at(own.link)] = true;
    for (Transfer& transfer : transfers_) {
      for_each_message(transfer, [&](std::int64_t share, std::size_t s) {
        const Message& message = transfer.messages[s];
        const DeviceId from = transfer.shared.device_at(share, message.from);
        const DeviceId to = transfer.shared.device_at(share, message.to);
        if (from == to) return;
        const std::int32_t link = links_.route(from, to).front();
        if (is_own[at(link)]) own_messages_.push_back({link, from, to, &message});
      });
    }
  }

  std::size_t num_colors() const {
    std::vector<Color> colors;
    for (const DeviceId device : devices_) colors.push_back(colors_[at(device)]);
    std::sort(colors.begin(), colors.end());
    return static_cast<std::size_t>(std::unique(colors.begin(), colors.end()) - colors.begin());
  }

  /// A group by its members.
  Color color_of(std::size_t set, std::size_t group) const {
    Color members = 0;
    for (const DeviceId device : sets_.sets()[set].groups[group])
      members += mix(colors_[at(device)], Color{1});
    return mix(mix(set, collectives_[set][group].color), members);
  }

  template <class Work>
  void for_each_share(const Collective& collective, const Work& work) const {
    for (std::size_t m = 0; m < collective.shares.size(); ++m) {
      for (const Network::Share& share : *collective.shares[m]) work(m, share);
    }
  }

  /// By the colours of the devices attached to them, as what they are, and by what groups load
  /// them.
  void color_links() {
    link_colors_.assign(links_.bytes_per_s().size(), 0);
    for (std::size_t set = 0; set < collectives_.size(); ++set) {
      for (std::size_t g = 0; g < collectives_[set].size(); ++g) {
        const Color color = color_of(set, g);
        for_each_share(collectives_[set][g], [&](std::size_t manner, const Network::Share& share) {
          link_colors_[at(share.link)] += mix(mix(color, manner), share.weight);
        });
      }
    }
    for (const DeviceId device : devices_) {
      Color kind = 0;
      for (const std::int32_t link : links_.of(device)) {
        link_colors_[at(link)] +=
            mix(mix(colors_[at(device)], ++kind), links_.bytes_per_s()[at(link)]);
      }
    }
    // A device may have several, of which its messages take some.
    for (const OwnMessage& own : own_messages_) {
      const Message& message = *own.message;
      const Color ends = mix(colors_[at(own.from)], colors_[at(own.to)]);
      link_colors_[at(own.link)] +=
          mix(mix(message.color, ends), static_cast<Color>(message.number));
    }
    for (const cost::Links::Own& own : own_)
      link_colors_[at(own.link)] += mix(mix(colors_[at(own.device)], kOwn + Color{own.is_out}),
                                        links_.bytes_per_s()[at(own.link)]);
  }

  void refine() {
    color_links();
    next_ = colors_;
    for (const DeviceId device : devices_) {
      for (const std::int32_t link : links_.of(device))
        next_[at(device)] = mix(next_[at(device)], link_colors_[at(link)]);
    }
    received_.assign(colors_.size(), 0);
    for (const cost::Links::Own& own : own_)
      received_[at(own.device)] += mix(link_colors_[at(own.link)], kOwn + Color{own.is_out});
    for (Transfer& transfer : transfers_) refine_transfer(transfer);
    for (std::size_t set = 0; set < collectives_.size(); ++set) refine_collectives(set);
    for (const DeviceId device : devices_)
      colors_[at(device)] = mix(next_[at(device)], received_[at(device)]);
  }

  void refine_transfer(Transfer& transfer) {
    const std::vector<plan::TransferStep>& steps = transfer.shared.stated();
    const auto name = [&](std::int64_t share, std::size_t s) {
      const Message& message = transfer.messages[s];
      const DeviceId from = transfer.shared.device_at(share, message.from);
      return mix(mix(message.color, colors_[at(from)]), static_cast<Color>(message.number));
    };
    auto connection = transfer.connections.begin();
    for_each_message(transfer, [&](std::int64_t share, std::size_t s) {
      const Message& message = transfer.messages[s];
      const DeviceId from = transfer.shared.device_at(share, message.from);
      const DeviceId to = transfer.shared.device_at(share, message.to);
      Color color = mix(mix(message.color, colors_[at(to)]), *connection++);
      if (from != to) color = mix(color, path(from, to));
      Color after = 0;
      for (const std::int32_t earlier : steps[s].after) {
        const bool follows = plan::follows_by_pieces(steps[at(earlier)], steps[s]);
        after += mix(name(share, at(earlier)), Color{follows});
      }
      next_[at(from)] = mix(next_[at(from)], mix(color, after));
      received_[at(to)] += name(share, s);
    });
  }

  Color path(DeviceId from, DeviceId to) const {
    Color color = mix(1, cost_.link(from, to).latency_s);
    for (const std::int32_t link : links_.route(from, to))
      color = mix(color, link_colors_[at(link)]);
    return color;
  }

  void refine_collectives(std::size_t set) {
    for (std::size_t g = 0; g < collectives_[set].size(); ++g) {
      Color loads = 0;
      for_each_share(collectives_[set][g], [&](std::size_t manner, const Network::Share& share) {
        loads += mix(mix(link_colors_[at(share.link)], manner), share.weight);
      });
      const Color color = mix(color_of(set, g), loads);
      for (const DeviceId device : sets_.sets()[set].groups[g])
        next_[at(device)] = mix(next_[at(device)], color);
    }
  }

  /// What has the same colour is of one class.
  static void join(const std::vector<std::int32_t>& members, const std::vector<Color>& colors,
                   std::vector<std::int32_t>& representative, std::vector<std::int32_t>& size) {
    std::vector<std::int32_t> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::unordered_map<Color, std::int32_t> first, count;
    for (const std::int32_t member : sorted) {
      representative[at(member)] = first.try_emplace(colors[at(member)], member).first->second;
      ++count[colors[at(member)]];
    }
    for (const std::int32_t member : sorted) size[at(member)] = count[colors[at(member)]];
  }

  const plan::ExecutionPlan& plan_;
  const cost::CostModel& cost_;
  const cost::Links& links_;
  const CollectiveSets& sets_;
  std::vector<DeviceId> devices_;      ///< those with a role
  std::vector<cost::Links::Own> own_;  ///< of these
  std::vector<OwnMessage> own_messages_;
  std::vector<Transfer> transfers_;
  std::vector<std::vector<Collective>> collectives_;  ///< per set
  std::vector<Color> colors_, next_, received_;       ///< per device
  std::vector<Color> link_colors_;
};

}  // namespace

Network::Route Classes::route(const cost::Links& links, DeviceId from, DeviceId to) const {
  Network::Route route;
  for (const std::int32_t link : links.route(from, to)) {
    route.push_back(
        {link_representative[at(link)], static_cast<double>(size[at(from)]) / link_size[at(link)]});
  }
  return route;
}

Classes no_classes(const cost::Links& links) {
  Classes classes;
  classes.representative.resize(at(links.num_devices()));
  std::iota(classes.representative.begin(), classes.representative.end(), 0);
  classes.size.assign(at(links.num_devices()), 1);
  classes.link_representative.resize(links.bytes_per_s().size());
  std::iota(classes.link_representative.begin(), classes.link_representative.end(), 0);
  classes.link_size.assign(links.bytes_per_s().size(), 1);
  return classes;
}

Classes find_classes(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                     const CollectiveSets& sets) {
  return Refiner(plan, cost, sets).classes();
}

}  // namespace rhino::simulate
