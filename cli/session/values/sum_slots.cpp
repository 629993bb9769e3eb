// A walk over the form of a sum with the cells at which it is alive. A leaf has a block of elements
// for each cell: several where its payload is an array.
#include "cli/session/values/sum_slots.h"

#include <algorithm>

namespace halo::session {
namespace {

using value::Form;
using value::SumForm;
using value::Value;

int64_t elementsOf(const Value& leaf) { return leaf.array() ? leaf.array()->elements() : 1; }

prim::Scalar elementAt(const Value& leaf, int64_t i) {
  return leaf.array() ? leaf.array()->at(i) : *leaf.scalar();
}

void setElement(Value& leaf, int64_t i, prim::Scalar element) {
  if (auto* array = std::get_if<value::Array>(&leaf.data)) {
    value::setAt(*array, i, element);
  } else {
    leaf.data = element;
  }
}

// All cells of the leaves, and those that count.
struct Cells {
  int64_t total;
  std::vector<int64_t> alive;
};
using LeafRefs = std::vector<Value*>;

size_t leafCount(const SumForm& form) { return slotCount(form) + (form.has_tag ? 1 : 0); }

// The cells with each constructor; tags that no constructor has become others.
std::vector<std::vector<int64_t>> byConstructor(const SumForm& form, Value* tag,
                                                const Cells& cells) {
  std::vector<std::vector<int64_t>> split(form.constructors.size());
  for (const int64_t cell : cells.alive) {
    uint64_t constructor = 0;
    if (tag != nullptr) {
      const prim::Scalar old = elementAt(*tag, cell);
      constructor = old.asUnsigned() % form.constructors.size();
      setElement(*tag, cell, prim::Scalar::ofUnsigned(old.type, constructor));
    }
    split[constructor].push_back(cell);
  }
  return split;
}

void clear(Value& slot, const Cells& cells) {
  const int64_t block = elementsOf(slot) / cells.total;
  for (const int64_t cell : cells.alive) {
    for (int64_t i = cell * block; i < (cell + 1) * block; ++i) {
      setElement(slot, i, prim::Scalar{elementAt(slot, i).type, 0});
    }
  }
}

void cleanSum(const SumForm& form, const LeafRefs& leaves, const Cells& cells);

void cleanPart(const Form& form, const LeafRefs& leaves, size_t* next, const Cells& cells) {
  if (form.is_record) {
    for (const Form& field : form.fields) cleanPart(field, leaves, next, cells);
    return;
  }
  if (!form.sum) {
    ++*next;
    return;
  }
  const size_t count = leafCount(*form.sum);
  const auto first = leaves.begin() + static_cast<std::ptrdiff_t>(*next);
  const LeafRefs own(first, first + static_cast<std::ptrdiff_t>(count));
  *next += count;
  if (own.empty() || (form.rank > 0 && !form.sum->has_tag)) return;
  const int64_t block = form.rank > 0 ? elementsOf(*own[0]) / cells.total : 1;
  Cells inner{cells.total * block, {}};
  for (const int64_t cell : cells.alive) {
    for (int64_t i = 0; i < block; ++i) inner.alive.push_back(cell * block + i);
  }
  cleanSum(*form.sum, own, inner);
}

void cleanSum(const SumForm& form, const LeafRefs& leaves, const Cells& cells) {
  if (cells.alive.empty()) return;
  const auto split = byConstructor(form, form.has_tag ? leaves[0] : nullptr, cells);
  const LeafRefs slots(leaves.begin() + (form.has_tag ? 1 : 0), leaves.end());
  for (size_t c = 0; c < split.size(); ++c) {
    const std::vector<size_t>& used = form.slot_of_leaf[c];
    const Cells own{cells.total, split[c]};
    for (size_t slot = 0; slot < slots.size(); ++slot) {
      if (std::find(used.begin(), used.end(), slot) == used.end()) clear(*slots[slot], own);
    }
    LeafRefs payload;
    for (const size_t slot : used) payload.push_back(slots[slot]);
    size_t next = 0;
    for (const Form& part : form.payloads[c]) cleanPart(part, payload, &next, own);
  }
}

void cleanValue(Value& value) {
  if (auto* record = std::get_if<value::Record>(&value.data)) {
    for (Value& field : record->fields) cleanValue(field);
  }
  auto* sum = std::get_if<value::Sum>(&value.data);
  if (sum == nullptr || sum->leaves.empty() || (sum->rank > 0 && !sum->form->has_tag)) return;
  Cells all{sum->rank > 0 ? elementsOf(sum->leaves[0]) : 1, {}};
  for (int64_t cell = 0; cell < all.total; ++cell) all.alive.push_back(cell);
  LeafRefs leaves;
  for (Value& leaf : sum->leaves) leaves.push_back(&leaf);
  cleanSum(*sum->form, leaves, all);
}

bool hasSum(const Value& value) {
  if (const value::Record* record = value.record()) {
    return std::any_of(record->fields.begin(), record->fields.end(), hasSum);
  }
  return value.sum() != nullptr;
}

diag::Result<value::Array> copied(const value::Array& array) {
  auto copy = value::makeArray(array.type(), array.shape());
  for (int64_t i = 0; copy && i < array.elements(); ++i) value::setAt(*copy, i, array.at(i));
  return copy;
}

}  // namespace

Value withUsedSlots(const Value& value) {
  if (!hasSum(value)) return value;
  auto own = value::withArrays(value, copied);  // arguments share arrays with other attempts
  if (!own) return value;
  cleanValue(*own);
  return std::move(*own);
}

}  // namespace halo::session
