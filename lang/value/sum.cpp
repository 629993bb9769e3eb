// Sums, and putting values together from leaves.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/value/value.h"

namespace halo::value {

size_t Sum::constructor() const {
  HALO_CHECK(rank == 0, "the constructor of an array");
  if (!form->has_tag) return 0;
  const Scalar* tag = leaves.front().scalar();
  HALO_CHECK(tag != nullptr, "the tag of a sum is a scalar");
  return std::min<size_t>(tag->bits, form->constructors.size() - 1);
}

std::vector<Value> Sum::payload() const {
  const size_t which = constructor();
  std::vector<Value> own;
  for (const size_t slot : form->slot_of_leaf[which]) {
    own.push_back(leaves[slot + (form->has_tag ? 1 : 0)]);
  }
  std::vector<Value> payload;
  size_t next = 0;
  for (const Form& part : form->payloads[which]) payload.push_back(assemble(part, own, &next));
  return payload;
}

size_t slotCount(const SumForm& form) {
  size_t count = 0;
  for (const auto& slots : form.slot_of_leaf) {
    for (const size_t slot : slots) count = std::max(count, slot + 1);
  }
  return count;
}

Value assemble(const Form& form, const std::vector<Value>& leaves, size_t* next) {
  if (form.sum != nullptr) {
    Sum sum{form.sum, form.rank, {}};
    const size_t count = slotCount(*form.sum) + (form.sum->has_tag ? 1 : 0);
    for (size_t i = 0; i < count; ++i) sum.leaves.push_back(leaves.at((*next)++));
    return sum;
  }
  if (!form.is_record) return leaves.at((*next)++);
  Record record{form.names, {}};
  for (const Form& field : form.fields) record.fields.push_back(assemble(field, leaves, next));
  return record;
}

int64_t lengthOf(const Value& array) {
  if (const Array* leaf = array.array()) return leaf->shape().front();
  if (array.scalar() != nullptr) return 0;
  const auto& parts = array.sum() != nullptr ? array.sum()->leaves : array.record()->fields;
  return parts.empty() ? 0 : lengthOf(parts.front());
}

Value elementOf(const Value& array, int64_t index) {
  if (const Array* leaf = array.array()) {
    if (leaf->rank() == 1) return leaf->at(index);
    Array row = *leaf;
    row.layout.offset += index * row.layout.strides.front();
    row.layout.shape.erase(row.layout.shape.begin());
    row.layout.strides.erase(row.layout.strides.begin());
    return row;
  }
  Value element = array;
  if (auto* sum = std::get_if<Sum>(&element.data)) --sum->rank;
  auto& parts = element.sum() != nullptr ? std::get<Sum>(element.data).leaves
                                         : std::get<Record>(element.data).fields;
  for (Value& part : parts) part = elementOf(part, index);
  return element;
}

}  // namespace halo::value
