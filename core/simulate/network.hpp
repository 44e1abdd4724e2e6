// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulate/steady_state.hpp"

namespace rhino::simulate {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Messages in flight that share links. Those of one connection follow each other. Rates of
/// connections are max-min fair: what limits one least fairly is filled up last.
///
/// A connection, a link and a message may each stand for a whole class of equal ones, of which all
/// members do the same at the same time; then each link of a class carries `weight` connections of
/// a class. Rates do not depend on the order of anything, and those of connections that share no
/// link, over others either, not on each other: so classes get the very rates of their members.
class Network {
 public:
  /// A link that a message takes, and how many messages of its class each such link carries, or
  /// parts of messages.
  struct Share {
    std::int32_t link = 0;
    double weight = 1;  ///< a multiple of 2^-20
    bool operator==(const Share&) const = default;
  };
  using Route = std::vector<Share>;
  struct Message {
    std::int32_t id = 0;  ///< comes back from `take_arrived`; of no other one in flight
    std::int32_t connection = 0;
    const Route* route = nullptr;  ///< must live as long as the network, and stay as it is
    double bytes = 0;
  };

  /// With the rates of all links.
  explicit Network(const std::vector<double>& bytes_per_s, const Grid& grid = Grid(0));
  /// Messages of one connection leave in the order in which they are sent.
  std::int32_t add_connection();

  /// Puts a message on its way. Times never go back.
  void send(const Message& message, double now_s);
  /// When the next message arrives if none joins; infinity: none is in flight.
  double next_arrival_s();
  /// Whether one has arrived by then, whoever joins.
  bool is_due(double now_s);
  /// Moves time on and returns the messages that have arrived, in order of id; until called again.
  const std::vector<std::int32_t>& take_arrived(double now_s);

  /// Adds what is in flight, whose rates are settled; `add_message(id)` says which messages it is.
  template <class F>
  void add_to(State& state, F&& add_message) const {
    for (std::size_t c = 0; c < connections_.size(); ++c) {
      const Connection& own = connections_[c];
      if (own.messages.empty()) continue;
      state.add(static_cast<std::int64_t>(c));
      state.add(static_cast<std::int64_t>(own.messages.size()));
      state.add(own.left);
      state.add(own.rate);
      state.add_time(own.since_s);
      own.messages.for_each(add_message);
    }
  }

 private:
  /// First in, first out.
  class Waiting {
   public:
    void push(const Message& message) { messages_.push_back(message); }
    void pop() {
      if (++first_ == messages_.size()) messages_.clear(), first_ = 0;
    }
    const Message& front() const { return messages_[first_]; }
    std::size_t size() const { return messages_.size() - first_; }
    bool empty() const { return size() == 0; }
    template <class F>
    void for_each(F&& f) const {
      for (std::size_t i = first_; i < messages_.size(); ++i) f(messages_[i].id);
    }

   private:
    std::vector<Message> messages_;
    std::size_t first_ = 0;
  };
  struct Connection {
    Waiting messages;              ///< the first one moves
    const Route* route = nullptr;  ///< the links that it is a user of; none: nullptr
    std::uint64_t key = 0;         ///< of itself and the route
    double rate = 0, left = 0;     ///< bytes left at `since_s`
    double since_s = 0;
    std::int64_t version = 0;  ///< of what `arrivals_` knows
    double new_rate = 0;       ///< while links are shared out; 0: not known yet
    bool is_changed = false;   ///< its route may be another than that of its first message
    bool is_found = false;
  };
  struct Link {
    double bytes_per_s = 0;
    std::vector<std::pair<std::int32_t, double>> users;  ///< connections, with their weights
    bool is_dirty = false;                               ///< users have come or gone
    bool is_found = false;
    // While it is shared out:
    double left = 0, num_open = 0;  ///< connections without a rate yet
    double share = 0;
    double num_filled = 0;  ///< connections that got a rate in this round
  };
  /// Links that are connected through their users, and these.
  struct Component {
    std::vector<std::int32_t> links, connections;
    std::uint64_t key = 0;  ///< of the connections and their routes, which decide all rates
  };
  using Rates = std::vector<std::pair<std::int32_t, double>>;  ///< per connection
  /// What was found last among those of which the keys end alike.
  struct Found {
    std::uint64_t key = 0;
    const Rates* rates = nullptr;
  };
  using Least = std::pair<double, std::int32_t>;  ///< share of a link
  using Shares = std::priority_queue<Least, std::vector<Least>, std::greater<>>;

  Connection& connection(std::int32_t index) {
    return connections_[static_cast<std::size_t>(index)];
  }
  Link& link(std::int32_t index) { return links_[static_cast<std::size_t>(index)]; }
  void drop_outdated();
  void move_to(double now_s);
  void begin_message(std::int32_t index);
  void change(std::int32_t index);
  void settle();
  void reroute(std::int32_t index);
  void make_dirty(std::int32_t index);
  void find_component(std::int32_t first);
  void share_out();
  const Rates& rates();
  Rates fill_up();
  bool open(std::int32_t index);
  bool is_current(const Least& least);
  bool drop_outdated_shares();
  void fill(std::int32_t index, double rate);
  void set_rate(std::int32_t index, double rate);
  void expect(std::int32_t index);

  Grid grid_;
  std::vector<Link> links_;
  std::vector<Connection> connections_;
  std::vector<std::int32_t> changed_, dirty_;
  std::vector<std::int32_t> arrived_, freed_;
  // While links are shared out:
  Component component_;
  Shares least_;
  std::unordered_map<std::uint64_t, Rates> known_;  ///< by key of a component
  std::size_t num_known_ = 0;                       ///< rates in them
  std::vector<Found> found_ = std::vector<Found>(4096);
  std::vector<std::int32_t> filled_;  ///< links of which users got a rate in this round
  /// (when, connection, version): out of date where the version is.
  using Arrival = std::tuple<double, std::int32_t, std::int64_t>;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  double now_s_ = 0;
};

}  // namespace rhino::simulate
