// SPDX-License-Identifier: Apache-2.0
#include "ir/stablehlo_syntax.hpp"

#include <algorithm>

#include "ir/hlo_syntax.hpp"
#include "ir/stablehlo_scanner.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::stablehlo {
namespace {

constexpr int kMaxRegionDepth = 100;
constexpr std::size_t kMaxLines = 4096;

class Reader : Scanner {
 public:
  using Scanner::Scanner;

  Module module() {
    Module result;
    read_locations(result);
    if (!accept_word("module")) fail("expected 'module'");
    if (peek() == '@') result.name = symbol();
    if (accept_word("attributes")) balanced();
    expect('{');
    while (!accept('}')) {
      if (peek_word() == "sdy.mesh") skip_mesh();
      else result.functions.push_back(function());
    }
    skip_location();
    read_locations(result);
    if (!at_end()) fail("expected the end of the file");
    return result;
  }

 private:
  /// `#loc3 = loc(..)`, at either end of the file.
  void read_locations(Module& module) {
    while (peek() == '#') {
      const std::string_view name = word();
      expect('=');
      if (!follows("loc(")) {
        word();
        if (peek() == '<') balanced();
        continue;
      }
      module.locations[name] = location();
    }
  }

  /// `sdy.mesh @mesh = <["data"=2]> {..}`: where tensors lay is nothing that is computed.
  void skip_mesh() {
    word();
    symbol();
    expect('=');
    balanced();
    if (peek() == '{') balanced();
    skip_location();
  }

  Argument argument() {
    Argument result;
    result.name = value();
    if (accept(':')) result.type = type();
    if (peek() == '{') result.attributes = balanced();
    result.location = location();
    return result;
  }

  std::vector<Argument> arguments() {
    std::vector<Argument> result;
    expect('(');
    while (!accept(')')) {
      result.push_back(argument());
      accept(',');
    }
    return result;
  }

  Function function() {
    Function result;
    skip_space();
    result.line = line_at(position_), result.column = column_at(position_);
    if (!accept_word("func.func")) fail("expected 'func.func'");
    if (accept_word("private")) result.is_private = true;
    else accept_word("public");
    result.name = symbol();
    result.body.arguments = arguments();
    if (accept_text("->")) types();
    if (accept_word("attributes")) balanced();
    result.body.ops.reserve(num_lines());
    read_ops(result.body);
    skip_location();
    return result;
  }

  /// Up to the next function, no more than kMaxLines.
  std::size_t num_lines() const {
    const std::string_view rest =
        text_.substr(position_, text_.find("func.func", position_) - position_);
    return std::min(kMaxLines, static_cast<std::size_t>(std::ranges::count(rest, '\n')));
  }

  void read_ops(Region& region) {
    if (++depth_ > kMaxRegionDepth) fail("regions nest deeper than 100");
    expect('{');
    if (peek() == '^') {
      ++position_;
      word();
      if (peek() == '(') region.arguments = arguments();
      expect(':');
    }
    while (!accept('}')) region.ops.push_back(op());
    --depth_;
  }

  Op op() {
    Op result;
    skip_space();
    result.line = line_at(position_), result.column = column_at(position_);
    if (peek() == '%') {
      result.result = value();
      if (accept(':')) word();
      while (accept(',')) result.more_results.push_back(value());
      expect('=');
    }
    if (peek() == '"') {
      const std::size_t begin = position_;
      skip_string();
      result.name = text_.substr(begin + 1, position_ - begin - 2);
    } else {
      result.name = word();
    }
    if (result.name == "sdy.manual_computation") {
      throw Error(file_ + ":" + std::to_string(result.line) + ":" + std::to_string(result.column) +
                  ": " + std::string(hlo::kPartOfMesh));
    }
    if (result.name == "stablehlo.while" && peek() == '(') read_while(result);
    else read_parts(result);
    result.location = location();
    return result;
  }

  /// `(%i = %a, %j = %b) : types cond {..} do {..}`
  void read_while(Op& op) {
    op.regions.resize(2);
    expect('(');
    while (!accept(')')) {
      Argument argument{value(), {}, {}, {}};
      expect('=');
      op.operands.push_back(value());
      op.regions[0].arguments.push_back(argument);
      accept(',');
    }
    if (accept(':')) op.result_types = types();
    if (op.result_types.size() != op.operands.size()) fail("expected a type for each value");
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      op.regions[0].arguments[k].type = op.result_types[k];
    }
    op.regions[1].arguments = op.regions[0].arguments;
    if (accept_word("attributes")) balanced();
    if (!accept_word("cond")) fail("expected 'cond'");
    read_ops(op.regions[0]);
    if (!accept_word("do")) fail("expected 'do'");
    read_ops(op.regions[1]);
  }

  /// Everything between the name and the location.
  void read_parts(Op& op) {
    for (;;) {
      const char c = peek();
      if (c == '%') op.operands.push_back(value());
      else if (c == ',' || c == ')') ++position_;
      else if (c == '(') read_parenthesis(op);
      else if (follows("<{")) {
        const std::string_view all = balanced();
        op.attributes.add(read_pairs(all.substr(2, all.size() - 4)));
      } else if (c == '{') {
        const std::string_view all = balanced();
        op.attributes.add(read_pairs(all.substr(1, all.size() - 2)));
      } else if (c == '<') balanced();  // where it lies, `<@mesh, [{"data"}]>`
      else if (c == '[') op.words.push_back(balanced());
      else if (c == '@') op.words.push_back(symbol());
      else if (c == '"') {
        const std::size_t begin = position_;
        skip_string();
        op.words.push_back(text_.substr(begin, position_ - begin));
      } else if (c == ':') {
        ++position_;
        return read_signature(op);
      } else if (is_word_character(c) && !is_next_op()) read_word(op);
      else return;
    }
  }

  /// Of ops without a signature, `stablehlo.return` of nothing.
  bool is_next_op() { return follows("func.") || follows("return"); }

  void read_parenthesis(Op& op) {
    ++position_;
    if (peek() != '{') return;
    do read_ops(op.regions.emplace_back());
    while (accept(','));
    expect(')');
  }

  void read_word(Op& op) {
    const std::size_t begin = position_;
    const std::string_view key = word();
    if (position_ < text_.size() && text_[position_] == '<') balanced();
    if (key == "init") {  // `%a init: %b`
      expect(':');
      op.words.push_back(key);
      return;
    }
    if (key == "across" || key == "applies") return;
    const std::size_t end = position_;
    if (!accept('=')) {
      op.words.push_back(text_.substr(begin, end - begin));
      return;
    }
    op.attributes.add(key, attribute_value());
  }

  /// `[0] x [1]`, `[b, 0]x[0, o]->[b, 0]`, `{..}`, `3 : i64`, `LT`.
  std::string_view attribute_value() {
    skip_space();
    const std::size_t begin = position_;
    if (peek() == '{') return balanced();
    if (peek() == '[') {
      do balanced();
      while (accept_text("x") || accept_text("->"));
      return trim(text_.substr(begin, position_ - begin));
    }
    if (peek() == '"') {
      skip_string();
      return text_.substr(begin, position_ - begin);
    }
    accept('@');
    word();
    if (position_ < text_.size() && text_[position_] == '<') balanced();
    return text_.substr(begin, position_ - begin);
  }

  void read_signature(Op& op) {
    Types first = types();
    if (accept_text("->")) {
      op.operand_types = std::move(first);
      op.result_types = types();
    } else {
      op.result_types = std::move(first);
    }
    if (!accept_word("reducer")) return;
    // Each pair of parentheses has both values of one operand; parameters are all first values,
    // then all second ones.
    std::vector<std::vector<Argument>> pairs;
    while (peek() == '(') pairs.push_back(arguments());
    Region& region = op.regions.emplace_back();
    for (std::size_t side = 0; side < 2; ++side) {
      for (const std::vector<Argument>& pair : pairs) {
        if (pair.size() != 2) fail("expected two values for each operand");
        region.arguments.push_back(pair[side]);
      }
    }
    read_ops(region);
  }

  int depth_ = 0;
};

}  // namespace

Module parse_module(std::string_view text, const std::string& file) {
  return Reader(text, file).module();
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted && i < text.size()) continue;
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    const bool is_arrow = c == '>' && i > 0 && text[i - 1] == '-';
    if ((c == ')' || c == ']' || c == '}' || c == '>') && !is_arrow) --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    const std::string_view piece = trim(text.substr(begin, i - begin));
    if (!piece.empty()) pieces.push_back(piece);
    begin = i + 1;
  }
  return pieces;
}

Pairs read_pairs(std::string_view text) {
  text = trim(text);
  if (text.starts_with('#')) {
    const std::size_t open = text.find('<');
    text = open == std::string_view::npos || !text.ends_with('>')
               ? std::string_view()
               : text.substr(open + 1, text.size() - open - 2);
  } else if (text.starts_with('{') && text.ends_with('}')) {
    text = text.substr(1, text.size() - 2);
  }
  Pairs pairs;
  for (std::string_view piece : split_list(text)) {
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos) pairs.add(piece, "");
    else pairs.add(trim(piece.substr(0, equals)), trim(piece.substr(equals + 1)));
  }
  return pairs;
}

}  // namespace rhino::ir::stablehlo
