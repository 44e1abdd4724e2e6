// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_syntax.hpp"

#include <algorithm>
#include <array>

#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

constexpr std::array<bool, 256> word_characters() {
  std::array<bool, 256> in_word{};
  for (int c = '0'; c <= '9'; ++c) in_word[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) in_word[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) in_word[static_cast<std::size_t>(c)] = true;
  for (char c : {'_', '.', '-', '%'}) in_word[static_cast<unsigned char>(c)] = true;
  return in_word;
}
constexpr std::array<bool, 256> kInWord = word_characters();

bool in_word(char c) { return kInWord[static_cast<unsigned char>(c)]; }

/// Tables of debug information, which stand between the head and the computations.
constexpr std::string_view kSections[] = {"FileNames", "FunctionNames", "FileLocations",
                                          "StackFrames"};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Module module() {
    Module result;
    skip_space();
    if (peek_word() != "HloModule") fail("expected 'HloModule', found " + found());
    word("HloModule");
    result.name = peek() == '"' ? quoted() : word("a module name");
    result.attributes = attributes();
    for (skip_space(); !at_end(); skip_space()) {
      if (std::ranges::find(kSections, peek_word()) != std::end(kSections)) skip_section();
      else result.computations.push_back(computation());
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(file_ + ":" + std::to_string(line_) + ":" + std::to_string(column()) + ": " +
                sentence);
  }

  std::int32_t column() const { return static_cast<std::int32_t>(position_ - line_begin_) + 1; }

  bool at_end() const { return position_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  bool follows(std::string_view words) const { return text_.substr(position_).starts_with(words); }

  void advance() {
    if (text_[position_++] != '\n') return;
    ++line_;
    line_begin_ = position_;
  }

  // A word, and lines that begin with a number.
  void skip_section() {
    word("a section");
    while (peek() >= '0' && peek() <= '9') {
      while (!at_end() && peek() != '\n') advance();
      skip_space();
    }
  }

  /// Where something began that does not end.
  struct Mark {
    std::size_t position, line_begin;
    std::int32_t line;
  };
  Mark mark() const { return {position_, line_begin_, line_}; }
  [[noreturn]] void fail_at(const Mark& mark, const std::string& sentence) {
    position_ = mark.position, line_begin_ = mark.line_begin, line_ = mark.line;
    fail(sentence);
  }

  void skip_space() {
    for (; !at_end(); advance()) {
      const char c = text_[position_];
      if (c == '/' && follows("/*")) skip_comment();
      else if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    }
  }

  // Up to the last character of the comment.
  void skip_comment() {
    const Mark begin = mark();
    for (advance(); !at_end(); advance()) {
      if (!follows("*/")) continue;
      advance();
      return;
    }
    fail_at(begin, "comment without end");
  }

  bool accept(char c) {
    skip_space();
    return accept_next(c);
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "', found " + found());
  }

  std::string found() const {
    if (at_end()) return "the end of the file";
    const std::string_view next = peek_word();
    return "'" + std::string(next.empty() ? text_.substr(position_, 1) : next) + "'";
  }

  std::string_view peek_word() const {
    std::size_t end = position_;
    while (end < text_.size() && in_word(text_[end]) && text_.substr(end, 2) != "->") ++end;
    return text_.substr(position_, end - position_);
  }

  std::string_view word(const char* what) {
    skip_space();
    const std::string_view result = peek_word();
    if (result.empty()) fail(std::string("expected ") + what + ", found " + found());
    position_ += result.size();
    skip_space();
    return result;
  }

  std::string_view quoted() {
    const std::size_t begin = position_;
    skip_string();
    advance();
    return text_.substr(begin, position_ - begin);
  }

  // From the opening quote to the closing one.
  void skip_string() {
    for (advance(); !at_end() && peek() != '"' && peek() != '\n'; advance()) {
      if (peek() == '\\') advance();
      if (at_end()) break;
    }
    if (peek() != '"') fail("string without end");
  }

  // Text up to a character of `ends` outside of brackets and strings.
  std::string_view until(std::string_view ends) {
    const std::size_t begin = position_;
    const Mark first = mark();
    for (int depth = 0; !at_end(); advance()) {
      const char c = text_[position_];
      if (in_word(c)) continue;
      if (depth == 0 && ends.find(c) != std::string_view::npos) {
        return text_.substr(begin, position_ - begin);
      }
      if (c == '{' || c == '(' || c == '[') ++depth;
      else if (c == '}' || c == ')' || c == ']') --depth;
      else if (c == '"') skip_string();
      if (depth < 0) fail(std::string("unexpected '") + c + "'");
    }
    if (ends.find('\n') == std::string_view::npos) fail_at(first, "bracket without end");
    return text_.substr(begin);
  }

  // The bracket that `end` closes ends on this line.
  void close_line(char end) {
    until(std::string{end, '\n'});
    if (peek() != end) fail("bracket without end");
    advance();
  }

  bool accept_next(char c) {
    if (peek() != c) return false;
    advance();
    return true;
  }

  // `{1,0:T(8,128)}` follows the shape of an array.
  std::string_view shape() {
    skip_space();
    const std::size_t begin = position_;
    if (accept('(')) {
      until(")");
      advance();
    } else {
      word("a shape");
      expect('[');
      close_line(']');
      if (accept_next('{')) close_line('}');
    }
    const std::string_view result = text_.substr(begin, position_ - begin);
    skip_space();
    return result;
  }

  // `, key=value` up to the end of the line.
  std::vector<Attribute> attributes() {
    std::vector<Attribute> result;
    while (peek() == ',') {
      advance();
      const std::string_view key = word("an attribute");
      expect('=');
      skip_space();
      std::string_view value = until(",\n");
      if (result.empty()) result.reserve(4);
      while (value.ends_with(' ') || value.ends_with('\r')) value.remove_suffix(1);
      result.push_back({key, value});
    }
    return result;
  }

  Computation computation() {
    Computation result;
    result.line = line_;
    result.is_entry = peek_word() == "ENTRY";
    if (result.is_entry) word("ENTRY");
    result.name = bare(word("a computation"));
    if (accept('(')) {
      until(")");
      advance();
      skip_space();
      if (!follows("->")) fail("expected '->', found " + found());
      position_ += 2;
      shape();
    }
    expect('{');
    while (!accept('}')) result.instructions.push_back(instruction());
    skip_space();
    attributes();  // execution_thread and the like
    return result;
  }

  Instruction instruction() {
    Instruction result;
    skip_space();
    result.line = line_, result.column = column();
    std::string_view name = word("an instruction");
    result.is_root = name == "ROOT";
    if (result.is_root) {
      result.line = line_, result.column = column();
      name = word("an instruction");
    }
    result.name = bare(name);
    expect('=');
    result.shape = shape();
    result.opcode = word("an opcode");
    expect('(');
    result.arguments = until(")");
    advance();
    while (peek() == ' ') advance();
    result.attributes = attributes();
    return result;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0, line_begin_ = 0;
  std::int32_t line_ = 1;
};

}  // namespace

std::string_view Instruction::attribute(std::string_view key) const {
  for (const Attribute& entry : attributes) {
    if (entry.key == key) return entry.value;
  }
  return {};
}

std::string place(const std::string& file, const Instruction& instruction) {
  return file + ":" + std::to_string(instruction.line) + ":" + std::to_string(instruction.column) +
         ": %" + std::string(instruction.name) + ": ";
}

Module parse_module(std::string_view text, const std::string& file) {
  return Parser(text, file).module();
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '(' || c == '[') ++depth;
    else if (c == '}' || c == ')' || c == ']') --depth;
    if (c != ',' || depth != 0) continue;
    pieces.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

OperandNames operand_names(std::string_view arguments) {
  OperandNames names;
  int depth = 0;
  std::size_t begin = 0;  // of the last word outside of brackets
  std::size_t end = 0;
  const auto take = [&] {
    if (begin < end) names.push_back(bare(arguments.substr(begin, end - begin)));
    begin = end = 0;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const char c = arguments[i];
    if (in_word(c)) {
      if (end != i) begin = i;
      end = i + 1;
      continue;
    }
    if (c == '{' || c == '(' || c == '[') ++depth;
    else if (c == '}' || c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) take();
    else if (c != ' ') begin = end = 0;
  }
  take();
  return names;
}

}  // namespace rhino::ir::hlo
