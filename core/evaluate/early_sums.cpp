// SPDX-License-Identifier: Apache-2.0
#include "evaluate/early_sums.hpp"

#include <algorithm>
#include <utility>

namespace rhino::evaluate {

void EarlySums::clear(Tables& tables, std::int32_t kind, double bucket_bytes) {
  *this = {};
  tables_ = &tables;
  kind_ = kind;
  bucket_bytes_ = bucket_bytes;
}

std::int32_t EarlySums::add(const Collective& sum) {
  const auto number = static_cast<std::int32_t>(bytes_ / bucket_bytes_);
  bytes_ += sum.bytes;
  sure_s_[sum.axes] += tables_->bound(sum, kind_, true).busy_s;
  auto bucket =
      std::ranges::find_if(open_, [&](const Collective& other) { return other.is_like(sum); });
  if (bucket == open_.end()) bucket = open_.insert(bucket, {sum.kind, sum.axes, 0, sum.reduction});
  bucket->join(sum);
  if (bucket->bytes < bucket_bytes_) return number;
  start(*bucket);
  open_.erase(bucket);
  return number;
}

void EarlySums::close() {
  for (const Collective& bucket : std::exchange(open_, {})) start(bucket);
}

double EarlySums::sure_s() const {
  double most_s = 0;
  for (const auto& [axes, seconds] : sure_s_) most_s = std::max(most_s, seconds);
  return most_s;
}

double EarlySums::last_s() const { return seconds_ / std::max(1, num_started_); }

void EarlySums::start(const Collective& bucket) {
  const LinkUse use = tables_->use(bucket, kind_);
  seconds_ += use.alone_s();
  for (std::size_t kind = 0; kind < links_s_.size(); ++kind) links_s_[kind] += use.busy_s[kind];
  ++num_started_;
}

}  // namespace rhino::evaluate
