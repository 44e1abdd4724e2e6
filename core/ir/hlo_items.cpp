// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_items.hpp"

#include <bit>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

constexpr std::size_t kMaxVisited = 10'000'000;

template <typename T>
std::int32_t last_of(const std::vector<T>& list) {
  return static_cast<std::int32_t>(list.size()) - 1;
}

}  // namespace

Item Items::tuple(std::vector<Item> elements) {
  tuples_.push_back(std::move(elements));
  return {Item::Kind::tuple, last_of(tuples_)};
}

Item Items::number(const Shape& shape, double number) {
  numbers_.push_back({shape, number});
  return {Item::Kind::number, last_of(numbers_)};
}

Item Items::pending(Maker maker) {
  pending_.push_back({std::move(maker)});
  return {Item::Kind::pending, last_of(pending_)};
}

ValueId Items::value(const Item& item, const Instruction* taker) {
  if (item.kind == Item::Kind::array) return item.index;
  if (item.kind == Item::Kind::pending) {
    if (pending_[at(item.index)].value == kNoValue) {
      const ValueId made = pending_[at(item.index)].maker(taker);
      pending_[at(item.index)].value = made;
    }
    return pending_[at(item.index)].value;
  }
  if (item.kind != Item::Kind::number) throw Error("an operand is no single array");
  const Number number = numbers_[at(item.index)];
  const auto make = [&] {
    return builder_.add(Op{.kind = OpKind::constant,
                           .shape = number.shape,
                           .attributes = ConstantAttr{{number.number}}});
  };
  if (!number.shape.dims.empty()) return make();
  const std::pair key{static_cast<int>(number.shape.dtype),
                      std::bit_cast<std::uint64_t>(number.number)};
  const auto found = constants_.find(key);
  return found != constants_.end() ? found->second : constants_.emplace(key, make()).first->second;
}

const std::vector<Item>& Items::elements(const Item& item) const {
  if (item.kind != Item::Kind::tuple) throw Error("an operand is no tuple");
  return tuples_[at(item.index)];
}

std::optional<double> Items::known(const Item& item) const {
  if (item.kind == Item::Kind::number) return numbers_[at(item.index)].number;
  if (item.kind != Item::Kind::array) return std::nullopt;
  const Op& op = builder_.program().op(item.index);
  if (op.kind != OpKind::constant || is_floating(op.shape.dtype)) return std::nullopt;
  if (num_elements(op.shape) != 1) return std::nullopt;
  return op.attributes.get<ConstantAttr>().elements[0];
}

Shape Items::shape(const Item& item) {
  if (item.kind == Item::Kind::number) return numbers_[at(item.index)].shape;
  return builder_.shape(value(item));
}

std::vector<std::pair<Path, ValueId>> Items::leaves(const Item& item) {
  std::vector<std::pair<Path, ValueId>> leaves;
  Path path;
  append_leaves(item, path, leaves);
  return leaves;
}

void Items::append_leaves(const Item& item, Path& path,
                          std::vector<std::pair<Path, ValueId>>& leaves) {
  if (++num_visited_ > kMaxVisited) throw Error("tuples have more than 10000000 elements");
  if (path.size() > kMaxTupleDepth) throw Error("tuples nest deeper than 100");
  if (item.kind != Item::Kind::tuple) return leaves.emplace_back(path, value(item)), void();
  const std::vector<Item> elements = tuples_[at(item.index)];
  path.push_back(0);
  for (const Item& element : elements) {
    append_leaves(element, path, leaves);
    ++path.back();
  }
  path.pop_back();
}

}  // namespace rhino::ir::hlo
