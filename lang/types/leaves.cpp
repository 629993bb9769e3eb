// The parts of a type's values at run time: scalar leaves.
#include "lang/base/match.h"
#include "lang/types/checked.h"

namespace halo::types {

namespace {

void collectLeaves(const Program& program, TypeId type, std::vector<SizeId>& shape,
                   std::vector<Leaf>& leaves);

void collectSum(const Program& program, const SumType& sum, const std::vector<SizeId>& shape,
                std::vector<Leaf>& leaves) {
  if (auto tag = tagType(sum.constructors.size())) leaves.push_back({*tag, shape});
  std::vector<std::vector<Leaf>> own;
  std::vector<std::vector<SlotLeaf>> payloads;
  for (const auto& payload : sum.payloads) {
    std::vector<SizeId> inner;
    own.emplace_back();
    for (TypeId part : payload) collectLeaves(program, part, inner, own.back());
    payloads.emplace_back();
    for (const Leaf& leaf : own.back()) {
      payloads.back().push_back({leaf.scalar, !leaf.shape.empty()});
    }
  }
  SumLayout layout = layoutOf(slotKeys(payloads));
  std::vector<const Leaf*> of_slot(layout.slots.size());
  for (size_t c = 0; c < own.size(); ++c) {
    for (size_t l = 0; l < own[c].size(); ++l) of_slot[layout.slot_of_leaf[c][l]] = &own[c][l];
  }
  for (const Leaf* leaf : of_slot) {
    Leaf slot{leaf->scalar, shape};
    slot.shape.insert(slot.shape.end(), leaf->shape.begin(), leaf->shape.end());
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

}  // namespace halo::types
