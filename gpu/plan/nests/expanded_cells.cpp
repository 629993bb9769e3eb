#include "gpu/plan/nests/expanded_cells.h"

#include <algorithm>

#include "gpu/plan/split.h"

namespace halo::gpu {

using namespace core;

ValueId ExpandedCells::nameOf(ValueId value) {
  auto found = names_.find(value);
  if (found != names_.end()) return found->second;
  return program_.add(program_.values[value].name, levels_.expandedType(program_.type(value)));
}

std::vector<Stm> ExpandedCells::cheapCode() const {
  std::vector<Stm> cheap;
  std::copy_if(cheap_.begin(), cheap_.end(), std::back_inserter(cheap),
               [this](const Stm& stm) { return !has(stm.results[0]); });
  return cheap;
}

void ExpandedCells::addNest(Body body, const std::vector<ValueId>& values, Span span) {
  std::vector<ValueId> names;
  for (ValueId value : values) names.push_back(nameOf(value));
  append(levels_.nest(std::move(body), names, expanded_, span));
  for (size_t i = 0; i < values.size(); ++i) expanded_[values[i]] = names[i];
}

void ExpandedCells::addNamed(Body body, std::vector<ValueId> names) {
  append(levels_.nest(withNeeded(program_, cheapCode(), std::move(body)), std::move(names),
                      expanded_, span_));
}

void ExpandedCells::copyAll(ValueId array, ValueId value) {
  const ValueId whole = wholeOf(array);
  if (!whole.valid()) return element(array, value);
  const ValueId name = nameOf(value);
  append({{name}, Copy{whole}, false, span_});
  expanded_[value] = name;
}

// The array of the host that holds this one of all cells; or none.
ValueId ExpandedCells::wholeOf(ValueId array) const {
  auto found = expanded_.find(array);
  return found != expanded_.end() ? found->second : levels_.sourceOf(array);
}

// The elements of an array of the cell, one by one: made for all cells as `value`.
void ExpandedCells::element(ValueId array, ValueId value) {
  std::vector<Stm> stms;
  ValueId inside = elementwise(program_, array, Operands(program_.type(array).shape), stms);
  const ValueId name = nameOf(value);
  addNamed(Body{std::move(stms), {inside}}, {name});
  expanded_[value] = name;
}

// remove_copies finds those that no use can tell from their source.
ValueId ExpandedCells::copyOf(ValueId whole) {
  const ValueId copy = program_.add(program_.values[whole].name, program_.type(whole));
  append({{copy}, Copy{whole}, false, span_});
  return copy;
}

ValueId ExpandedCells::arrayOf(const Operand& operand, bool fresh) {
  if (!operand.isConstant()) {
    auto found = expanded_.find(operand.value);
    bool shared = fresh && isNamed(operand.value);
    if (found != expanded_.end() && !shared) return found->second;
    const ValueId whole = wholeOf(operand.value);
    if (whole.valid()) return fresh ? copyOf(whole) : whole;
    if (!program_.type(operand).isScalar()) {
      ValueId copy =
          program_.add(program_.values[operand.value].name, program_.type(operand.value));
      element(operand.value, copy);
      return expanded_.at(copy);
    }
  }
  Body body;
  body.results = {operand};
  const ValueId name = program_.add("all", levels_.expandedType(program_.type(operand)));
  addNamed(std::move(body), {name});
  return name;
}

}  // namespace halo::gpu
