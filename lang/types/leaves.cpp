// What values of a type are made of at run time: scalar leaves, and where a sum keeps its payloads.
#include <map>

#include "lang/base/match.h"
#include "lang/types/checked.h"

namespace halo::types {

namespace {

void collectLeaves(const Program& program, TypeId type, std::vector<SizeId>& shape,
                   std::vector<Leaf>& leaves);

void collectSum(const Program& program, const SumType& sum, const std::vector<SizeId>& shape,
                std::vector<Leaf>& leaves) {
  if (auto tag = tagType(sum.constructors.size())) leaves.push_back({*tag, shape});
  std::vector<Leaf> distinct;
  std::vector<std::vector<size_t>> keys;
  for (const auto& payload : sum.payloads) {
    std::vector<SizeId> inner;  // equal leaves share a slot, whatever is around the sum
    std::vector<Leaf> own;
    for (TypeId part : payload) collectLeaves(program, part, inner, own);
    keys.emplace_back();
    for (Leaf& leaf : own) {
      size_t key = 0;
      while (key < distinct.size() &&
             !(distinct[key].scalar == leaf.scalar && distinct[key].shape == leaf.shape)) {
        ++key;
      }
      if (key == distinct.size()) distinct.push_back(std::move(leaf));
      keys.back().push_back(key);
    }
  }
  for (size_t key : layoutOf(keys).slots) {
    Leaf slot{distinct[key].scalar, shape};
    slot.shape.insert(slot.shape.end(), distinct[key].shape.begin(), distinct[key].shape.end());
    leaves.push_back(std::move(slot));
  }
}

void collectLeaves(const Program& program, TypeId type, std::vector<SizeId>& shape,
                   std::vector<Leaf>& leaves) {
  base::match(
      program.types[type],
      [&](const ScalarTypeNode& scalar) {
        leaves.push_back({scalar.scalar, shape});
      },
      [&](const ArrayType& array) {
        shape.push_back(array.size);
        collectLeaves(program, array.element, shape, leaves);
        shape.pop_back();
      },
      [&](const RecordType& record) {
        for (TypeId field : record.fields) collectLeaves(program, field, shape, leaves);
      },
      [&](const SumType& sum) { collectSum(program, sum, shape, leaves); },
      [](const FunctionType&) {}, [](const ParamType&) {});
}

}  // namespace

std::vector<Leaf> leaves(const Program& program, TypeId type) {
  std::vector<SizeId> shape;
  std::vector<Leaf> leaves;
  collectLeaves(program, type, shape, leaves);
  return leaves;
}

// Each leaf takes the first slot of its key that its own payload has not taken yet; if there is
// none, a new slot at the end.
SumLayout layoutOf(const std::vector<std::vector<size_t>>& keys) {
  SumLayout layout;
  std::map<size_t, std::vector<size_t>> slots_of_key;
  for (const std::vector<size_t>& payload : keys) {
    std::map<size_t, size_t> taken;  // how many slots of a key this payload has used
    layout.slot_of_leaf.emplace_back();
    for (size_t key : payload) {
      std::vector<size_t>& slots = slots_of_key[key];
      size_t index = taken[key]++;
      if (index == slots.size()) {
        slots.push_back(layout.slots.size());
        layout.slots.push_back(key);
      }
      layout.slot_of_leaf.back().push_back(slots[index]);
    }
  }
  return layout;
}

std::optional<prim::ScalarType> tagType(size_t constructors) {
  if (constructors <= 1) return std::nullopt;
  return constructors <= 256 ? prim::ScalarType::kU8 : prim::ScalarType::kU16;
}

}  // namespace halo::types
