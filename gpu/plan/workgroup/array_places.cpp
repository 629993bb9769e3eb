// Views, elements and arrays changed in place lie where the array does that they are of.
#include "gpu/plan/workgroup/array_places.h"

#include "lang/core/aliases.h"
#include "lang/core/bound_values.h"

namespace halo::gpu {

using namespace core;

ArrayPlaces::ArrayPlaces(const Loop& loop) {
  for (const Carried& carried : loop.carried) {
    inside_.insert(carried.param);
    if (carried.consumed) places_[carried.param] = Place::kTable;
  }
}

ArrayPlaces::Place ArrayPlaces::of(ValueId array) const {
  if (!inside_.contains(array)) return Place::kOutside;
  const auto found = places_.find(array);
  return found == places_.end() ? Place::kOwn : found->second;
}

void ArrayPlaces::same(ValueId array, ValueId as) {
  const Place place = of(as);
  places_[array] = place;
}

void ArrayPlaces::elements(const std::vector<ValueId>& params, const std::vector<ValueId>& inputs) {
  for (size_t k = 0; k < params.size(); ++k) same(params[k], inputs[k]);
}

void ArrayPlaces::bind(const Stm& stm) {
  core::addBound(stm, inside_);
  if (const auto array = viewed(stm.expr)) {
    same(stm.results[0], *array);
  } else if (const auto* update = std::get_if<Update>(&stm.expr)) {
    same(stm.results[0], update->array);
  } else if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) {
    for (size_t k = 0; k < scatter->destinations.size(); ++k) {
      same(stm.results[k], scatter->destinations[k].array);
    }
    elements(scatter->map.params, scatter->inputs);
  } else if (const auto* node = std::get_if<Screma>(&stm.expr)) {
    elements(node->map.params, node->inputs);
  } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
    for (size_t k = 0; k < loop->carried.size(); ++k) {
      const Carried& carried = loop->carried[k];
      if (!carried.consumed || carried.initial.isConstant()) continue;
      same(carried.param, carried.initial.value);
      same(stm.results[k], carried.initial.value);
    }
  }
}

}  // namespace halo::gpu
