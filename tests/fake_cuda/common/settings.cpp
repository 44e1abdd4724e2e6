// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace fake {

void say(const std::string& sentence) {
  std::fprintf(stderr, "fake cuda: %s\n", sentence.c_str());
  std::fflush(stderr);
}

void refuse(const std::string& sentence) {
  say(sentence);
  _exit(2);
}

std::string text_setting(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

std::int64_t number_setting(const char* name, std::int64_t otherwise) {
  const char* value = std::getenv(name);
  if (!value) return otherwise;
  char* end = nullptr;
  errno = 0;
  const std::int64_t number = std::strtoll(value, &end, 10);
  if (errno || end == value || *end) {
    refuse(std::string(name) + "=" + value + " is no whole number");
  }
  return number;
}

}  // namespace fake
