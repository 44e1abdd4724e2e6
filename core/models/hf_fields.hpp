// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>

#include "codec/json.hpp"

namespace rhino::models {

/// The fields of a config.json of Hugging Face's transformers. A field that is null counts as one
/// that is not there. All throw Error that names the file and the field.
class HfFields {
 public:
  explicit HfFields(const std::string& path);

  const std::string& model_type() const { return model_type_; }

  bool has(const char* field);
  /// A size, at least 1; without a fallback the field must be there.
  std::int64_t size(const char* field, std::optional<std::int64_t> fallback = std::nullopt);
  double number(const char* field, double fallback);
  bool boolean(const char* field, bool fallback);
  std::string word(const char* field, const std::string& fallback);

  // Where the field is there it must be what is allowed, as it is where it is not.
  void must_be(const char* field, bool allowed);
  void must_be_number(const char* field, double allowed);
  void must_be_size(const char* field, std::int64_t allowed, const std::string& because);
  /// `fallback`: one of them.
  void must_be_word(const char* field, const std::string& fallback,
                    std::initializer_list<const char*> allowed);
  void must_be_null(const char* field);

  /// Refuses a field that nobody asked for, unless it says nothing of what is computed here: names,
  /// tokens, initial values, dropout, of which models here have none.
  void finish() const;

  [[noreturn]] void fail(const std::string& sentence) const;

 private:
  template <class Value>
  void require(const char* field, bool is_so, const Value& found, const std::string& wanted) const;
  std::optional<codec::JsonView> find(const char* field);
  /// What `get` yields of it; a value of another kind is put down to the field.
  template <class Get>
  auto read(const char* field, const codec::JsonView& view, Get get) const;

  std::string path_, model_type_;
  codec::JsonText text_;
  std::set<std::string> asked_;
};

}  // namespace rhino::models
