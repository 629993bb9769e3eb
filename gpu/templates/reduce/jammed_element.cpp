// Cells of a tile are numbered in row-major order, elements last.
#include "gpu/templates/reduce/jammed_element.h"

#include <map>

#include "gpu/schedule/node_code.h"

namespace halo::gpu {

using namespace imp;
using core::ValueId;

namespace {

std::vector<int64_t> extentsOf(const ReduceNest& nest, const ReduceSchedule& schedule,
                               int64_t elements) {
  std::vector<int64_t> extents;
  for (size_t level = 0; level + 1 < nest.levels.size(); ++level) {
    extents.push_back(schedule.cells(level));
  }
  extents.push_back(elements);
  return extents;
}

size_t cellsOf(const std::vector<int64_t>& extents) {
  size_t cells = 1;
  for (const int64_t extent : extents) cells *= static_cast<size_t>(extent);
  return cells;
}

std::vector<size_t> placeOf(const std::vector<int64_t>& extents, size_t cell) {
  std::vector<size_t> place(extents.size());
  for (size_t level = extents.size(); level-- > 0;) {
    place[level] = cell % static_cast<size_t>(extents[level]);
    cell /= static_cast<size_t>(extents[level]);
  }
  return place;
}

}  // namespace

JammedElement::JammedElement(const ReduceNest& nest, const ReduceSchedule& schedule,
                             int64_t elements)
    : nest_(nest),
      screma_(nest.screma),
      extents_(extentsOf(nest, schedule, elements)),
      names_(cellsOf(extents_)) {
  program_.values = nest.call.core.values;
  std::map<ValueId, std::vector<size_t>> levels;  // in which a value differs between cells
  for (size_t level = 0; level + 1 < extents_.size(); ++level) {
    if (extents_[level] == 1) continue;
    for (ValueId value : changingWith(nest.call.core, nest.levels, level)) {
      levels[value].push_back(level);
    }
  }
  for (const auto& [value, its_levels] : levels) name(value, its_levels);
  for (size_t k = 0; k < screma_.inputs.size(); ++k) {
    std::vector<size_t> of_param = levels[screma_.inputs[k]];
    of_param.push_back(extents_.size() - 1);
    name(screma_.map.params[k], of_param);
  }
  body_ = core::jam(program_, screma_.map.body, names_);
}

size_t JammedElement::segments() const {
  return names_.cells() / static_cast<size_t>(extents_.back());
}

void JammedElement::name(ValueId value, const std::vector<size_t>& levels) {
  std::map<std::vector<size_t>, ValueId> known;
  std::vector<ValueId>& names = names_[value];
  for (size_t cell = 0; cell < names.size(); ++cell) {
    const std::vector<size_t> place = placeOf(extents_, cell);
    std::vector<size_t> key;
    for (size_t level : levels) key.push_back(place[level]);
    const auto found = known.find(key);
    if (found != known.end()) {
      names[cell] = found->second;
    } else if (!known.empty()) {
      names[cell] = program_.values.add(core::ValueInfo(program_.values[value]));
    }
    known.emplace(std::move(key), names[cell]);
  }
}

Environment JammedElement::joined(const std::vector<Environment>& segments) const {
  Environment all = segments[0];
  const std::unordered_set<ValueId> bound = boundAround(nest_.levels);
  for (size_t q = 1; q < segments.size(); ++q) {
    for (ValueId value : bound) {
      const ValueId name = names_.of(value, q * static_cast<size_t>(extents_.back()));
      const auto scalar = segments[q].scalars.find(value);
      if (scalar != segments[q].scalars.end()) all.scalars.try_emplace(name, scalar->second);
      const auto array = segments[q].arrays.find(value);
      if (array != segments[q].arrays.end()) all.arrays.try_emplace(name, array->second);
    }
  }
  return all;
}

Operands JammedElement::lower(KernelScope& scope, Environment environment,
                              const LoweringTarget& target, const Operands& elements) const {
  std::unordered_set<ValueId> done;
  for (size_t k = 0; k < screma_.inputs.size(); ++k) {
    for (size_t cell = 0; cell < names_.cells(); ++cell) {
      const ValueId param = names_.of(screma_.map.params[k], cell);
      if (!done.insert(param).second) continue;
      const ArrayRef input = environment.arrays.at(names_.of(screma_.inputs[k], cell));
      bindElement(scope.code(), program_, environment, param, input,
                  {elements[cell % elements.size()]});
    }
  }
  return lowerBody(scope.code(), program_, body_, environment, target).scalars;
}

}  // namespace halo::gpu
