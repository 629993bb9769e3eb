#include "interp/scalars.h"

#include <fmt/format.h>

namespace halo::interp {

namespace {

// Calls visit(part) for the parts of a value that are no tags.
template <typename Visit>
void forEachPart(const Datum& value, const Visit& visit) {
  const auto* array = value.asIf<Array>();
  const auto* sum = value.asIf<Sum>();
  const auto& parts = array != nullptr ? array->fields
                      : sum != nullptr ? sum->payload
                                       : value.as<Record>().fields;
  const size_t first = array != nullptr && array->isSum() ? 1 : 0;
  for (size_t i = first; i < parts.size(); ++i) visit(parts[i]);
}

bool isScalarArray(const Datum& value) {
  const auto* array = value.asIf<Array>();
  return array != nullptr && !array->is_record;
}

class Rebuild {
 public:
  Rebuild(State& state, const std::vector<Datum>& scalars) : state_(state), next_(scalars.data()) {}

  Datum value(const Datum& model) {
    if (model.isScalar()) return *next_++;
    if (isScalarArray(model)) return array(arrayOf(model));
    std::vector<Datum> parts;
    forEachPart(model, [&](const Datum& part) { parts.push_back(value(part)); });
    if (const auto* sum = model.asIf<Sum>()) {
      return makeSum(sum->type, sum->constructor, std::move(parts));
    }
    const auto* records = model.asIf<Array>();
    if (records == nullptr) return makeRecord(std::move(parts));
    if (records->isSum()) parts.insert(parts.begin(), copied(state_, arrayOf(records->fields[0])));
    return newRecordArray(records->shape, std::move(parts), records->sum_type);
  }

 private:
  Datum array(const Array& model) {
    const Datum made = newArray(state_, model.type, model.shape);
    const Array& array = arrayOf(made);
    forEachCell(array, [&](std::byte* at) { storeCell(array, at, *next_++); });
    return made;
  }

  State& state_;
  const Datum* next_;
};

[[noreturn]] void failConstructors(State& state, const Datum& sum_type, size_t value,
                                   size_t tangent) {
  const auto& names = *sum_type.as<RuntimeType>().names;
  throw Failed{diag::Diagnostic{
      Code::tangent_constructor,
      diag::Severity::kError,
      fmt::format("the tangent is `#{}` where the value is `#{}`", names[tangent], names[value]),
      state.user_span,
      {},
      {}}};
}

void checkTags(State& state, const Array& values, const Array& tangents) {
  const Array& tags = arrayOf(values.fields[0]);
  const Datum other = copied(state, arrayOf(tangents.fields[0]));  // dense
  const std::byte* at = arrayOf(other).data;
  int64_t i = 0;
  forEachCell(tags, [&](const std::byte* tag) {
    const uint64_t wanted = loadCellBits(tags, tag);
    const uint64_t found = loadCellBits(arrayOf(other), at + i * cellSize(arrayOf(other)));
    if (wanted != found) {
      try {
        failConstructors(state, values.sum_type, wanted, found);
      } catch (Failed& failed) {
        failed.diagnostic.notes.push_back(fmt::format("element {}", i));
        throw;
      }
    }
    ++i;
  });
}

}  // namespace

void appendScalars(const Datum& value, std::vector<Datum>& scalars) {
  if (value.isScalar()) return scalars.push_back(value);
  if (!isScalarArray(value)) {
    return forEachPart(value, [&](const Datum& part) { appendScalars(part, scalars); });
  }
  const Array& array = arrayOf(value);
  forEachCell(array, [&](const std::byte* at) { scalars.push_back(loadCell(array, at)); });
}

std::vector<Datum> scalarsOf(const Datum& value) {
  std::vector<Datum> scalars;
  appendScalars(value, scalars);
  return scalars;
}

Datum withScalars(State& state, const Datum& model, const std::vector<Datum>& scalars) {
  return Rebuild(state, scalars).value(model);
}

void checkConstructors(State& state, const Datum& value, const Datum& tangent) {
  if (value.isScalar() || isScalarArray(value)) return;
  const auto* array = value.asIf<Array>();
  if (array != nullptr && array->isSum()) checkTags(state, *array, arrayOf(tangent));
  if (const auto* sum = value.asIf<Sum>()) {
    const size_t found = tangent.as<Sum>().constructor;
    if (found != sum->constructor) failConstructors(state, sum->type, sum->constructor, found);
  }
  std::vector<Datum> others;
  forEachPart(tangent, [&](const Datum& part) { others.push_back(part); });
  size_t next = 0;
  forEachPart(value, [&](const Datum& part) { checkConstructors(state, part, others[next++]); });
}

}  // namespace halo::interp
