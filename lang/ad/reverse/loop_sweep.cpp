// The return loop carries the cotangents of the loop's carried values and of the numbers and arrays
// around it that a step reads. It also carries a row for each step of places that leave it.
#include <algorithm>

#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse_loop.h"

namespace halo::ad {

// A size as the return loop carries it; others are the same outside.
Type ReverseLoop::carriedType(Type type) const {
  for (Operand& size : type.shape) {
    for (const auto& [z, carried] : carried_sizes_) {
      if (size == Operand(param(z))) size = carried;
    }
  }
  return type;
}

Operand ReverseLoop::shaped(Emitter& e, const Operand& value, const Type& type) {
  if (type.isScalar()) return value;
  return e.reshaped(value.value, type.shape);
}

void ReverseLoop::sweep() {
  all_.own(r_, copy_.params);
  copy_body_ = copy_.body;
  for (const ValueId value : Reverse::binders(program_, copy_)) of_step_.insert(value);
  const Operands results = copy_.body.results;
  all_.start(r_, copy_.body);
  carryParams(results);
  carryAround();
  all_.run(r_);
  for (const auto& [k, slot] : of_param_) {
    const Operand c = all_.takeOrZero(r_, param(k));
    next_[slot] = shaped(r_.back, c, r_.back.type(c));
  }
  for (const auto& [value, slot] : of_array_) next_[slot] = all_.takeOrZero(r_, value);
  sinkPlaces();
  sinkRest();
}

// Sizes, and cotangents of what the loop carries: of the results of its step.
void ReverseLoop::carryParams(const Operands& results) {
  for (const size_t z : sizes_) {
    const ValueId size = program_.add("n", {});
    carried_sizes_[z] = size;
    carry(size, stm_.results[z], param(z));
  }
  for (size_t k = 0; k < count(); ++k) {
    if (!varies(k)) continue;
    const ValueId c = program_.add("c", carriedType(program_.type(param(k))));
    const Type type = program_.type(stm_.results[k]);
    of_param_[k] = carried_.size();
    carry(c, cs_[k] ? *cs_[k] : s_.back.zero(type), {});
    all_.add(r_, results[k], shaped(r_.back, c, r_.back.type(results[k])));
  }
}

// Cotangents of values around the loop grow from step to step.
void ReverseLoop::carryAround() {
  std::set<ValueId> around;
  for (const ValueId value : core::freeValues(program_, step_)) {
    if (!all_.varies(value) || all_.isDropped(s_, value)) continue;
    // Numbers as well: sums have the same order however a loop is cut.
    const bool is_scalar = program_.type(value).isScalar();
    if (is_scalar || !all_.isBeyondLambda(s_, value)) around.insert(value);
  }
  for (const ValueId value : around) {
    const ValueId c = program_.add("c", program_.type(value));
    of_array_[value] = carried_.size();
    carry(c, all_.takeOrZero(s_, value), {});
    const auto known = r_.cotangents.find(value);
    r_.cotangents[value] =
        known == r_.cotangents.end() ? Operand(c) : r_.back.sum(c, known->second);
  }
}

// What else the step has cotangents of, summed up from 0.
void ReverseLoop::sinkRest() {
  for (const auto& [value, c] : r_.cotangents) {
    if (all_.isOwn(r_, value)) continue;
    const Type type = program_.type(value);
    const ValueId sum = program_.add("c", type);
    const size_t slot = carry(sum, s_.back.zero(type), r_.back.sum(sum, c));
    const ValueId outside = value;
    sinks_.push_back([this, slot, outside] { all_.add(s_, outside, back_[slot]); });
  }
}

size_t ReverseLoop::carry(ValueId value, const Operand& initial, const Operand& next) {
  carried_.push_back({value, initial, false});
  next_.push_back(next);
  return next_.size() - 1;
}

// One row for each step.
void ReverseLoop::sinkPlaces() {
  const std::vector<Place> places = all_.leavingPlaces(r_);
  std::vector<SpreadIndex> spreads;
  for (const Place& place : places) {
    auto kept = std::make_shared<Place>(place);
    kept->surround({steps_});
    std::vector<std::pair<size_t, size_t>> rows;  // index, slot
    for (size_t i = 0; i < place.indices.size(); ++i) {
      const Operand& index = place.indices[i];
      if (place.axis(i) != Place::kNoAxis || all_.isKnownOutside(r_, {index})) continue;
      if (index == Operand(position())) {
        kept->setAxis(i, 0);
      } else {
        const auto same = std::find_if(spreads.begin(), spreads.end(), [&](const auto& one) {
          return isSameIndex(*one.place, one.index, place, i);
        });
        const size_t slot =
            same != spreads.end() ? same->slot : carryRows(spread(r_.back, place, i));
        spreads.push_back({&place, i, slot});
        rows.emplace_back(i, slot);
      }
    }
    const size_t values = carryRows(place.value);
    sinks_.push_back([this, kept, rows, values] {
      for (const auto& [i, slot] : rows) kept->setPlain(i, back_[slot]);
      kept->value = back_[values];
      all_.addPlace(s_, *kept);
    });
  }
}

// An array with a row for each step; its slot.
size_t ReverseLoop::carryRows(const Operand& part) {
  const Type type = arrayOf({steps_}, r_.back.type(part));
  const ValueId rows = program_.add("rows", type);
  const ValueId initial =
      s_.back.bind("rows", type, core::Scratch{type.scalar, type.shape}, false, stm_.span);
  return carry(rows, initial, r_.back.updated(rows, {position()}, part));
}

}  // namespace halo::ad
