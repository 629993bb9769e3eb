// Types and static values as trees over scalar leaves: the one flattening of arrays of tuples into
// tuples of arrays that all of lowering uses.
#include "lang/lower/static_value.h"

#include <algorithm>

#include "lang/base/match.h"

namespace halo::lower {

MonoTypeRef scalarType(ScalarType scalar) {
  return std::make_shared<const MonoType>(MonoType{scalar});
}

MonoTypeRef arrayType(Operand size, MonoTypeRef element) {
  return std::make_shared<const MonoType>(MonoType{MonoArray{size, std::move(element)}});
}

MonoTypeRef recordType(std::vector<std::string> names, std::vector<MonoTypeRef> fields) {
  return std::make_shared<const MonoType>(
      MonoType{MonoRecord{std::move(names), std::move(fields)}});
}

size_t MonoSum::number(const std::string& constructor) const {
  const auto at = std::find(constructors.begin(), constructors.end(), constructor);
  HALO_CHECK(at != constructors.end(), "lower: no such constructor");
  return static_cast<size_t>(at - constructors.begin());
}

MonoTypeRef sumType(std::vector<std::string> constructors,
                    std::vector<std::vector<MonoTypeRef>> payloads) {
  std::vector<std::vector<core::Type>> leaves;
  std::vector<std::vector<types::SlotLeaf>> kinds;
  for (const std::vector<MonoTypeRef>& payload : payloads) {
    leaves.emplace_back();
    kinds.emplace_back();
    for (const MonoTypeRef& part : payload) {
      for (core::Type& leaf : leafTypes(part)) {
        kinds.back().push_back({leaf.scalar, !leaf.isScalar()});
        leaves.back().push_back(std::move(leaf));
      }
    }
  }
  types::SumLayout layout = types::layoutOf(types::slotKeys(kinds));
  MonoSum sum{std::move(constructors), std::move(payloads), {}, std::move(layout.slot_of_leaf)};
  sum.slots.resize(layout.slots.size());
  for (size_t c = 0; c < leaves.size(); ++c) {
    for (size_t i = 0; i < leaves[c].size(); ++i) sum.slots[sum.slot_of_leaf[c][i]] = leaves[c][i];
  }
  return std::make_shared<const MonoType>(MonoType{std::move(sum)});
}

MonoTypeRef functionType() {
  static const MonoTypeRef kFunction = std::make_shared<const MonoType>(MonoType{MonoFunction{}});
  return kFunction;
}

namespace {

void appendLeafTypes(const MonoType& type, Operands& shape, std::vector<core::Type>& leaves) {
  base::match(
      type.node,
      [&](const ScalarType& scalar) {
        leaves.push_back({scalar, shape});
      },
      [&](const MonoArray& array) {
        shape.push_back(array.size);
        appendLeafTypes(*array.element, shape, leaves);
        shape.pop_back();
      },
      [&](const MonoRecord& record) {
        for (const MonoTypeRef& field : record.fields) appendLeafTypes(*field, shape, leaves);
      },
      [&](const MonoSum& sum) {
        if (sum.hasTag()) leaves.push_back({sum.tag(), shape});
        for (const core::Type& slot : sum.slots) {
          leaves.push_back({slot.scalar, shape});
          Operands& whole = leaves.back().shape;
          whole.insert(whole.end(), slot.shape.begin(), slot.shape.end());
        }
      },
      [](const MonoFunction&) {});
}

size_t leafCount(const MonoType& type) {
  return base::match(
      type.node, [](const ScalarType&) { return size_t{1}; },
      [](const MonoArray& array) { return leafCount(*array.element); },
      [](const MonoRecord& record) {
        size_t count = 0;
        for (const MonoTypeRef& field : record.fields) count += leafCount(*field);
        return count;
      },
      [](const MonoSum& sum) { return sum.slots.size() + (sum.hasTag() ? 1 : 0); },
      [](const MonoFunction&) { return size_t{0}; });
}

}  // namespace

bool hasFunction(const MonoTypeRef& type) {
  const auto any = [](const std::vector<MonoTypeRef>& parts) {
    return std::any_of(parts.begin(), parts.end(), hasFunction);
  };
  return base::match(
      type->node, [](const ScalarType&) { return false; },
      [](const MonoArray& array) { return hasFunction(array.element); },
      [&](const MonoRecord& record) { return any(record.fields); },
      [&](const MonoSum& sum) {
        return std::any_of(sum.payloads.begin(), sum.payloads.end(), any);
      },
      [](const MonoFunction&) { return true; });
}

std::vector<core::Type> leafTypes(const MonoTypeRef& type) {
  std::vector<core::Type> leaves;
  Operands shape;
  appendLeafTypes(*type, shape, leaves);
  return leaves;
}

Operands dimensions(const MonoTypeRef& type) {
  Operands sizes;
  for (const MonoType* at = type.get(); const MonoArray* array = at->array();
       at = array->element.get()) {
    sizes.push_back(array->size);
  }
  return sizes;
}

MonoTypeRef elementBelow(const MonoTypeRef& type, size_t dimension_count) {
  MonoTypeRef at = type;
  for (size_t i = 0; i < dimension_count; ++i) {
    HALO_CHECK(at->array() != nullptr, "lower: an array type was expected");
    at = at->array()->element;
  }
  return at;
}

MonoTypeRef arrayOf(const Operands& sizes, MonoTypeRef element) {
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
    element = arrayType(*size, element);
  return element;
}

void appendLeaves(const StaticValue& value, Operands& leaves) {
  base::match(
      value.node, [&](const Operand& scalar) { leaves.push_back(scalar); },
      [&](const ArrayValue& array) {
        leaves.insert(leaves.end(), array.leaves.begin(), array.leaves.end());
      },
      [&](const RecordValue& record) {
        for (const StaticValue& field : record.fields) appendLeaves(field, leaves);
      },
      [&](const SumValue& sum) {
        leaves.insert(leaves.end(), sum.leaves.begin(), sum.leaves.end());
      },
      [](const ConstructedValue&) { HALO_UNREACHABLE("lower: a constructor has no leaves yet"); },
      [](const ClosureRef&) {});
}

bool hasConstructed(const StaticValue& value) {
  if (const RecordValue* record = value.record()) {
    return std::any_of(record->fields.begin(), record->fields.end(), hasConstructed);
  }
  return value.constructed() != nullptr;
}

StaticValue fromLeaves(const MonoTypeRef& type, const Operands& leaves, size_t& next) {
  return base::match(
      type->node,
      [&](const ScalarType&) -> StaticValue {
        HALO_CHECK(next < leaves.size(), "lower: too few leaves");
        return {leaves[next++]};
      },
      [&](const MonoArray&) -> StaticValue {
        ArrayValue array{type, {}};
        for (size_t count = leafCount(*type); count > 0; --count) {
          HALO_CHECK(next < leaves.size(), "lower: too few leaves");
          HALO_CHECK(!leaves[next].isConstant(), "lower: an array is no constant");
          array.leaves.push_back(leaves[next++].value);
        }
        return {array};
      },
      [&](const MonoRecord& record) -> StaticValue {
        RecordValue value{record.names, {}};
        for (const MonoTypeRef& field : record.fields) {
          value.fields.push_back(fromLeaves(field, leaves, next));
        }
        return {value};
      },
      [&](const MonoSum& sum) -> StaticValue {
        SumValue value{type, {}};
        for (size_t count = sum.slots.size() + (sum.hasTag() ? 1 : 0); count > 0; --count) {
          HALO_CHECK(next < leaves.size(), "lower: too few leaves");
          value.leaves.push_back(leaves[next++]);
        }
        return {value};
      },
      [](const MonoFunction&) -> StaticValue {
        HALO_UNREACHABLE("lower: a function has no leaves");
      });
}

StaticValue fromLeaves(const MonoTypeRef& type, const Operands& leaves) {
  size_t next = 0;
  StaticValue value = fromLeaves(type, leaves, next);
  HALO_CHECK(next == leaves.size(), "lower: too many leaves");
  return value;
}

StaticValue recordOf(std::vector<std::string> names, std::vector<StaticValue> fields) {
  return {RecordValue{std::move(names), std::move(fields)}};
}

const StaticValue& field(const StaticValue& record, const std::string& name) {
  const RecordValue* fields = record.record();
  HALO_CHECK(fields != nullptr, "lower: projection from something else than a record");
  for (size_t i = 0; i < fields->names.size(); ++i) {
    if (fields->names[i] == name) return fields->fields[i];
  }
  HALO_UNREACHABLE("lower: no such field");
}

std::vector<StaticValue> payloadOf(const SumValue& sum, size_t constructor) {
  const MonoSum& type = *sum.type->sum();
  Operands leaves;
  for (const size_t slot : type.slot_of_leaf[constructor]) {
    leaves.push_back(sum.leaves[slot + (type.hasTag() ? 1 : 0)]);
  }
  size_t next = 0;
  std::vector<StaticValue> payload;
  for (const MonoTypeRef& part : type.payloads[constructor]) {
    payload.push_back(fromLeaves(part, leaves, next));
  }
  return payload;
}

std::vector<StaticValue> payloadIn(const StaticValue& value, const std::string& constructor) {
  if (const ConstructedValue* known = value.constructed()) return known->payload;
  HALO_CHECK(value.sum() != nullptr, "lower: a sum was expected");
  return payloadOf(*value.sum(), value.sum()->type->sum()->number(constructor));
}

const StaticValue* Frame::find(BinderId binder) const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->parent) {
    auto found = frame->binders.find(binder);
    if (found != frame->binders.end()) return &found->second;
  }
  return nullptr;
}

const MonoTypeRef* Frame::find(TypeParamId parameter) const {
  for (const Frame* frame = this; frame != nullptr; frame = frame->parent) {
    auto found = frame->type_params.find(parameter);
    if (found != frame->type_params.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace halo::lower
