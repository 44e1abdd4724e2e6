// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/few.hpp"
#include "rhino/error.hpp"

/// Words and brackets of MLIR text.
namespace rhino::ir::stablehlo {

/// By character.
inline constexpr std::array<bool, 256> kIsInWord = [] {
  std::array<bool, 256> is_in_word{};
  for (const auto& [first, last] : {std::pair{'0', '9'}, {'a', 'z'}, {'A', 'Z'}})
    for (char c = first; c <= last; ++c) is_in_word[static_cast<unsigned char>(c)] = true;
  for (const char c : {'_', '.', '$', '-', '+', '#', '!'})
    is_in_word[static_cast<unsigned char>(c)] = true;
  return is_in_word;
}();

/// Brackets and quotes, by character.
inline constexpr std::array<bool, 256> kIsMark = [] {
  std::array<bool, 256> is_mark{};
  for (const char c : {'(', ')', '[', ']', '{', '}', '<', '>', '"'})
    is_mark[static_cast<unsigned char>(c)] = true;
  return is_mark;
}();

/// Of an opening bracket; none of others.
inline char closing(char open) {
  if (open == '(') return ')';
  return open == '[' || open == '{' || open == '<' ? static_cast<char>(open + 2) : '\0';
}

inline bool is_word_character(char c) { return kIsInWord[static_cast<unsigned char>(c)]; }

inline std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Reads from the begin of a text on; what it returns are views into it. Throws Error
/// `file:line:column: expected ..., found ...`.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

 protected:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(file_ + ":" + std::to_string(line_at(position_)) + ":" +
                std::to_string(column_at(position_)) + ": " + sentence + ", found " + found());
  }
  std::string found() const {
    if (position_ >= text_.size()) return "the end of the file";
    std::size_t end = position_;
    while (end < text_.size() && end < position_ + 40 && is_word_character(text_[end])) ++end;
    return "'" + std::string(text_.substr(position_, std::max<std::size_t>(1, end - position_))) +
           "'";
  }

  /// Lines are counted from where they were counted last.
  std::int32_t line_at(std::size_t position) const {
    if (position < counted_) counted_ = 0, counted_line_ = 1;
    const std::string_view before = text_.substr(0, position);
    for (std::size_t i = counted_; (i = before.find('\n', i)) != std::string_view::npos; ++i) {
      ++counted_line_;
    }
    counted_ = position;
    return counted_line_;
  }
  std::int32_t column_at(std::size_t position) const {
    const std::size_t before =
        position == 0 ? std::string_view::npos : text_.rfind('\n', position - 1);
    return static_cast<std::int32_t>(before == std::string_view::npos ? position + 1
                                                                      : position - before);
  }

  void skip_space() {
    for (; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c > ' ' && c != '/') return;
      if (c == '/' && text_.substr(position_, 2) == "//") {
        position_ = std::min(text_.size(), text_.find('\n', position_));
        if (position_ == text_.size()) return;
      } else if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
        return;
      }
    }
  }
  bool at_end() {
    skip_space();
    return position_ >= text_.size();
  }
  char peek() {
    skip_space();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool follows(std::string_view what) {
    return peek() == what.front() && text_.substr(position_).starts_with(what);
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++position_;
    return true;
  }
  bool accept_text(std::string_view what) {
    if (!follows(what)) return false;
    position_ += what.size();
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }

  bool is_arrow(std::size_t place) const {
    return text_[place] == '-' && place + 1 < text_.size() && text_[place + 1] == '>';
  }
  std::string_view peek_word() {
    skip_space();
    std::size_t end = position_;
    while (end < text_.size() && is_word_character(text_[end]) && !is_arrow(end)) ++end;
    return text_.substr(position_, end - position_);
  }
  std::string_view word() {
    const std::string_view result = peek_word();
    if (result.empty()) fail("expected a word");
    position_ += result.size();
    return result;
  }
  bool accept_word(std::string_view what) {
    if (peek_word() != what) return false;
    position_ += what.size();
    return true;
  }

  void skip_string() {
    for (++position_; position_ < text_.size() && text_[position_] != '"'; ++position_) {
      if (text_[position_] == '\\') ++position_;
    }
    position_ = std::min(position_, text_.size());
    if (position_ == text_.size()) fail("string without end");
    ++position_;
  }

  /// A bracket with all that is in it. `->` closes no `<`.
  std::string_view balanced() {
    skip_space();
    if (const std::string_view simple = without_inner(); !simple.empty()) {
      position_ += simple.size();
      return simple;
    }
    const std::size_t begin = position_;
    std::string open;
    do {
      if (position_ >= text_.size()) {
        position_ = begin;
        fail("bracket without end");
      }
      const char c = text_[position_];
      if (c == '"') {
        skip_string();
        continue;
      }
      if (c == '(' || c == '[' || c == '{' || c == '<') open += c;
      const bool is_arrow = c == '>' && position_ > 0 && text_[position_ - 1] == '-';
      if ((c == ')' || c == ']' || c == '}' || c == '>') && !is_arrow) {
        if (open.empty()) fail("expected an opening bracket");
        if (c != closing(open.back())) {
          position_ = begin;
          fail("bracket without end");
        }
        open.pop_back();
      }
      ++position_;
    } while (!open.empty());
    return text_.substr(begin, position_ - begin);
  }

  /// The bracket that begins here, if none is in it and no string.
  std::string_view without_inner() const {
    const std::string_view rest = text_.substr(position_);
    const char wanted = rest.empty() ? '\0' : closing(rest[0]);
    if (wanted == '\0') return {};
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (!kIsMark[static_cast<unsigned char>(rest[i])]) continue;
      return rest[i] == wanted && rest[i - 1] != '-' ? rest.substr(0, i + 1) : std::string_view();
    }
    return {};
  }

  std::string_view symbol() {
    expect('@');
    if (peek() != '"') return word();
    const std::size_t begin = position_;
    skip_string();
    return text_.substr(begin + 1, position_ - begin - 2);
  }

  /// `%a#1` without `%`.
  std::string_view value() {
    expect('%');
    return word();
  }

  /// `tensor<..>`, `tuple<..>`, `!stablehlo.token`.
  std::string_view type() {
    skip_space();
    const std::size_t begin = position_;
    word();
    if (position_ < text_.size() && text_[position_] == '<') balanced();
    return text_.substr(begin, position_ - begin);
  }

  Few<std::string_view, 2> types() {
    Few<std::string_view, 2> result;
    if (accept('(')) {
      if (accept(')')) return result;
      do {
        result.push_back(type());
        if (peek() == '{') balanced();  // attributes of results
        skip_location();
      } while (accept(','));
      expect(')');
      return result;
    }
    do result.push_back(type());
    while (accept(','));
    return result;
  }

  std::string_view location() {
    if (!follows("loc(")) return {};
    position_ += 3;
    const std::string_view all = balanced();
    return trim(all.substr(1, all.size() - 2));
  }
  void skip_location() { location(); }

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;

 private:
  mutable std::size_t counted_ = 0;
  mutable std::int32_t counted_line_ = 1;
};

}  // namespace rhino::ir::stablehlo
