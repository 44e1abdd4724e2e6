// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rhino::launch {

/// How both ends of a control connection prove to each other that they know the run's token, which
/// never crosses the wire:
///
///     controller -> agent   Hello c
///     agent -> controller   Answer{Hello a, MAC(token, "agent", c, a)}
///     controller -> agent   Proof{MAC(token, "controller", c, a)}
///
/// Either Hello has a nonce of its own, so that what was heard once proves nothing again; both
/// versions are under the MACs. What follows on the connection is neither secret nor signed.

inline constexpr std::uint32_t kProtocolVersion = 1;

using Nonce = std::array<unsigned char, 32>;
using Mac = std::array<unsigned char, 32>;

struct Hello {
  std::array<unsigned char, 8> magic{};
  std::array<unsigned char, 4> version{};  ///< the most significant byte first
  Nonce nonce{};
};

struct Answer {
  Hello hello;
  Mac mac{};
};

struct Proof {
  Mac mac{};
};

static_assert(sizeof(Hello) == 44 && sizeof(Answer) == 76 && sizeof(Proof) == 32);

/// Of this program, with a new nonce.
Hello new_hello();

/// Why who sent this is not spoken to: `speaks no rhino-bench`, `speaks version 2 of the protocol,
/// where this is version 1`. Empty: it is.
std::string fault_of(const Hello& hello);

enum class Side { controller, agent };

/// The token, as far as it is needed.
class Prover {
 public:
  explicit Prover(const std::string& token);

  Mac mac(Side side, const Hello& controller, const Hello& agent) const;
  /// In a time that tells nothing of `mac`.
  bool accepts(const Mac& mac, Side side, const Hello& controller, const Hello& agent) const;

 private:
  std::array<unsigned char, 32> key_{};
};

/// 32 random hexadecimal digits.
std::string new_token();

/// A message of fixed size that arrives in pieces.
template <typename Message>
class Arriving {
 public:
  std::size_t missing() const { return sizeof(Message) - size_; }
  bool has_begun() const { return size_ > 0; }
  /// Where the next of `missing()` bytes belongs.
  void* next() { return reinterpret_cast<unsigned char*>(&message_) + size_; }
  void add(std::size_t size) { size_ += size; }
  const Message& get() const { return message_; }

 private:
  Message message_{};
  std::size_t size_ = 0;
};

}  // namespace rhino::launch
