// Making shapes agree where only a run-time check can tell that they do.
#include "lang/lower/value_emission.h"

namespace halo::lower {

namespace {

// One assert for each nest of dimensions (those of one array, then those of arrays in its
// elements).
class ShapeCheck {
 public:
  ShapeCheck(ValueEmission& emission, Code code, Span span)
      : emission_(emission), code_(code), span_(span) {}

  bool differs() const { return differs_; }

  void run(const MonoTypeRef& found, const MonoTypeRef& wanted) {
    const Operands found_sizes = dimensions(found);
    const Operands wanted_sizes = dimensions(wanted);
    HALO_CHECK(found_sizes.size() == wanted_sizes.size(), "lower: arrays of different rank");
    checkNest(found_sizes, wanted_sizes);
    const MonoTypeRef inner = elementBelow(found, found_sizes.size());
    const MonoTypeRef inner_wanted = elementBelow(wanted, found_sizes.size());
    if (const MonoRecord* record = inner->record()) {
      runAll(record->fields, inner_wanted->record()->fields);
    }
    if (const MonoSum* sum = inner->sum()) {
      for (size_t c = 0; c < sum->payloads.size(); ++c) {
        runAll(sum->payloads[c], inner_wanted->sum()->payloads[c]);
      }
    }
  }

 private:
  void runAll(const std::vector<MonoTypeRef>& found, const std::vector<MonoTypeRef>& wanted) {
    for (size_t i = 0; i < found.size(); ++i) run(found[i], wanted[i]);
  }

  void checkNest(const Operands& found, const Operands& wanted) {
    std::optional<Operand> condition;
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i] == wanted[i]) continue;
      differs_ = true;
      if (emission_.sizes().equal(found[i], wanted[i])) continue;
      const Operand same = emission_.compare(Op::kEq, found[i], wanted[i]);
      condition = condition ? emission_.both(*condition, same) : same;
    }
    if (!condition) return;
    // An irregular array names the first element's shape first, which is the wanted one.
    const bool wanted_first = code_ == Code::irregular_array;
    Operands operands = wanted_first ? wanted : found;
    const Operands& others = wanted_first ? found : wanted;
    operands.insert(operands.end(), others.begin(), others.end());
    emission_.builder().assertThat(*condition, code_, std::move(operands), span_);
  }

  ValueEmission& emission_;
  Code code_;
  Span span_;
  bool differs_ = false;
};

std::vector<StaticValue> coerceAll(ValueEmission& emission, const std::vector<StaticValue>& values,
                                   const std::vector<MonoTypeRef>& types, Code code, Span span) {
  std::vector<StaticValue> result;
  for (size_t i = 0; i < values.size(); ++i) {
    result.push_back(emission.coerce(values[i], types[i], code, span));
  }
  return result;
}

// All sizes of the slots are known to be equal.
bool agree(ValueEmission& emission, const MonoSum& found, const MonoSum& wanted) {
  for (size_t i = 0; i < found.slots.size(); ++i) {
    const Operands &a = found.slots[i].shape, &b = wanted.slots[i].shape;
    for (size_t d = 0; d < a.size(); ++d) {
      if (!emission.sizes().equal(a[d], b[d])) return false;
    }
  }
  return true;
}

// Only the payload that is there has to fit, so one branch for each constructor checks its own.
StaticValue coerceByConstructor(ValueEmission& emission, const SumValue& sum,
                                const MonoTypeRef& type, Code code, Span span) {
  const auto branch = [&](size_t c) {
    emission.openBody();
    const ConstructedValue known{sum.type, c, payloadOf(sum, c)};
    const StaticValue fitted = emission.coerce({known}, type, code, span);
    return emission.closeBody(emission.leavesOf(fitted));
  };
  const size_t count = type->sum()->constructors.size();
  if (count == 1) {
    const ConstructedValue known{sum.type, 0, payloadOf(sum, 0)};
    return emission.dynamic(emission.coerce({known}, type, code, span));
  }
  core::Match match{sum.leaves[0], {}, {}};
  for (size_t c = 0; c + 1 < count; ++c) {
    match.cases.push_back({tagOf(*type->sum(), c), branch(c)});
  }
  match.otherwise = branch(count - 1);
  const std::vector<ValueId> leaves = emission.bindAll(leafTypes(type), std::move(match));
  return fromLeaves(type, Operands(leaves.begin(), leaves.end()));
}

StaticValue coerceSum(ValueEmission& emission, const SumValue& sum, const MonoTypeRef& type,
                      Code code, Span span) {
  if (sum.type == type || leafTypes(sum.type) == leafTypes(type))
    return {SumValue{type, sum.leaves}};
  if (!agree(emission, *sum.type->sum(), *type->sum())) {
    return coerceByConstructor(emission, sum, type, code, span);
  }
  SumValue result{type, sum.leaves};
  const std::vector<core::Type> leaf_types = leafTypes(type);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    if (leaf_types[i].isScalar()) continue;
    result.leaves[i] =
        emission.bind(leaf_types[i], core::Reshape{sum.leaves[i].value, leaf_types[i].shape});
  }
  return {result};
}

}  // namespace

StaticValue ValueEmission::coerce(const StaticValue& value, const MonoTypeRef& type, Code code,
                                  Span span) {
  if (const RecordValue* record = value.record()) {
    return recordOf(record->names,
                    coerceAll(*this, record->fields, type->record()->fields, code, span));
  }
  if (const ConstructedValue* sum = value.constructed()) {
    const std::vector<MonoTypeRef>& payload = type->sum()->payloads[sum->constructor];
    return {ConstructedValue{type, sum->constructor,
                             coerceAll(*this, sum->payload, payload, code, span)}};
  }
  if (const SumValue* sum = value.sum()) return coerceSum(*this, *sum, type, code, span);
  const ArrayValue* array = value.array();
  if (array == nullptr || array->type == type) return value;
  ShapeCheck check(*this, code, span);
  check.run(array->type, type);
  if (!check.differs()) return value;
  ArrayValue result{type, {}};
  const std::vector<core::Type> leaf_types = leafTypes(type);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    const bool same = out.type(array->leaves[i]) == leaf_types[i];
    result.leaves.push_back(
        same ? array->leaves[i]
             : bind(leaf_types[i], core::Reshape{array->leaves[i], leaf_types[i].shape}));
  }
  return {result};
}

}  // namespace halo::lower
