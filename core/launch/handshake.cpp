// SPDX-License-Identifier: Apache-2.0
#include "launch/handshake.hpp"

#include <sodium.h>

#include <vector>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

constexpr std::array<unsigned char, 8> kMagic{'r', 'h', 'i', 'n', 'o', '\n', 0x1a, 0xff};

static_assert(crypto_auth_BYTES == std::tuple_size_v<Mac>);
static_assert(crypto_auth_KEYBYTES == 32);

void start_sodium() {
  if (sodium_init() < 0) throw Error("this system gives no random numbers");
}

std::array<unsigned char, 4> bytes_of(std::uint32_t number) {
  return {static_cast<unsigned char>(number >> 24), static_cast<unsigned char>(number >> 16),
          static_cast<unsigned char>(number >> 8), static_cast<unsigned char>(number)};
}

std::uint32_t number_of(const std::array<unsigned char, 4>& bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

void append(std::vector<unsigned char>& to, const Hello& hello) {
  to.insert(to.end(), hello.magic.begin(), hello.magic.end());
  to.insert(to.end(), hello.version.begin(), hello.version.end());
  to.insert(to.end(), hello.nonce.begin(), hello.nonce.end());
}

/// Its first byte tells the sides apart; all else has one length.
std::vector<unsigned char> signed_text(Side side, const Hello& controller, const Hello& agent) {
  std::vector<unsigned char> text{side == Side::agent ? static_cast<unsigned char>('a')
                                                      : static_cast<unsigned char>('c')};
  append(text, controller);
  append(text, agent);
  return text;
}

}  // namespace

Hello new_hello() {
  start_sodium();
  Hello hello{.magic = kMagic, .version = bytes_of(kProtocolVersion)};
  randombytes_buf(hello.nonce.data(), hello.nonce.size());
  return hello;
}

std::string fault_of(const Hello& hello) {
  if (hello.magic != kMagic) return "it does not speak as rhino-bench does";
  const std::uint32_t version = number_of(hello.version);
  if (version == kProtocolVersion) return {};
  return "it speaks version " + std::to_string(version) +
         " of the protocol, where this is version " + std::to_string(kProtocolVersion);
}

Prover::Prover(const std::string& token) {
  start_sodium();
  crypto_generichash(key_.data(), key_.size(), reinterpret_cast<const unsigned char*>(token.data()),
                     token.size(), nullptr, 0);
}

Mac Prover::mac(Side side, const Hello& controller, const Hello& agent) const {
  const std::vector<unsigned char> text = signed_text(side, controller, agent);
  Mac mac;
  crypto_auth(mac.data(), text.data(), text.size(), key_.data());
  return mac;
}

bool Prover::accepts(const Mac& mac, Side side, const Hello& controller, const Hello& agent) const {
  const std::vector<unsigned char> text = signed_text(side, controller, agent);
  return crypto_auth_verify(mac.data(), text.data(), text.size(), key_.data()) == 0;
}

std::string new_token() {
  start_sodium();
  std::array<unsigned char, 16> bytes;
  randombytes_buf(bytes.data(), bytes.size());
  char text[2 * bytes.size() + 1];
  return sodium_bin2hex(text, sizeof text, bytes.data(), bytes.size());
}

}  // namespace rhino::launch
