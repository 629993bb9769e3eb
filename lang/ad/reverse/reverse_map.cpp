// The return of a map is a map over its inputs and the cotangents of its results.
//
//   ys = screma [n] (xs) map (x) { y = f32.mul x c; return y }
// becomes
//   (xs', parts) = screma [n] (xs, ys') map (x, y') { x' = f32.mul y' c; p = f32.mul y' x; .. }
//   c' += screma [n] (parts) reduce f32.add 0f32
#include "lang/ad/reverse/reverse_map.h"

#include <algorithm>
#include <memory>

#include "lang/ad/element_reads.h"
#include "lang/ad/rules.h"

namespace halo::ad {

// The parameters of inputs that count the cells. Inputs of which cells read elements become such.
std::vector<ValueId> Reverse::takePositions(Scope& s, const Mapped& node, Lambda& lambda,
                                            std::vector<ValueId>& inputs) {
  std::vector<ValueId> positions;
  if (!node.windows.empty() || node.space.size() != 1) return positions;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueId array = inputs[i], row = lambda.params[i];
    if (isPositions(array)) positions.push_back(row);
    if (!varies(array) || isDropped(s, array) || !isBeyondLambda(s, array)) continue;
    if (!readsElements(program_, lambda, row)) continue;
    inputs[i] = s.back.iota(node.space[0]);
    lambda.params[i] = program_.add("p", {ScalarType::kI64, {}});
    positions.push_back(lambda.params[i]);
    readElements(program_, lambda, row, array, lambda.params[i]);
  }
  return positions;
}

std::vector<Cotangent> ReverseMap::run(const Cotangents& cs, source::Span span) {
  sweep(cs);
  windows_.resize(node_.window_params);
  giveParams();
  places_ = all_.leavingPlaces(l_);
  giveOutside();
  for (const Place& place : places_) givePlace(place);
  if (!results_.empty()) write(span);
  return windows_;
}

void ReverseMap::sweep(const Cotangents& cs) {
  positions_ = all_.takePositions(s_, node_, lambda_, inputs_);
  all_.own(l_, lambda_.params);
  const auto first_position = lambda_.params.end() - static_cast<ptrdiff_t>(node_.positions.size());
  const std::vector<ValueId> cell_position(first_position, lambda_.params.end());
  lambda_.params.erase(first_position, lambda_.params.end());
  params_ = lambda_.params;
  const Operands mapped = lambda_.body.results;
  all_.start(l_, lambda_.body);
  for (size_t i = 0; i < cs.size(); ++i) {
    if (!cs[i]) continue;
    const ValueId seed = program_.add("c", program_.type(mapped[i]));
    all_.own(l_, {seed});
    lambda_.params.push_back(seed);
    inputs_.push_back(cs[i]->value);
    all_.add(l_, mapped[i], seed);
  }
  lambda_.params.insert(lambda_.params.end(), cell_position.begin(), cell_position.end());
  all_.run(l_);
}

void ReverseMap::give(const Operand& result, Sink sink) {
  results_.push_back(result);
  sinks_.push_back(std::move(sink));
}

// A result that has a slot already is stored once.
void ReverseMap::giveAlso(size_t slot, Sink sink) {
  sinks_[slot] = [first = sinks_[slot], also = std::move(sink)](ValueId array) {
    first(array);
    also(array);
  };
}

void ReverseMap::giveParams() {
  for (size_t i = 0; i < params_.size(); ++i) {
    const Cotangent c = all_.take(l_, params_[i]);
    if (!c) continue;
    if (i < node_.window_params) {
      giveWindow(i, *c);
    } else if (const ValueId input = node_.inputs[i - node_.window_params]; all_.varies(input)) {
      give(*c, [this, input](ValueId array) { all_.add(s_, input, array); });
    }
  }
}

// Neighbours with one cotangent share an array.
void ReverseMap::giveWindow(size_t i, const Operand& c) {
  const Sink sink = [this, i](ValueId array) { windows_[i] = array; };
  const auto same =
      std::find_if(given_.begin(), given_.end(), [&](const auto& one) { return one.first == c; });
  if (same != given_.end()) return giveAlso(same->second, sink);
  given_.emplace_back(c, sinks_.size());
  give(c, sink);
}

// What all cells read has the sum of their cotangents.
void ReverseMap::giveOutside() {
  for (const auto& [value, c] : l_.cotangents) {
    if (all_.isOwn(l_, value)) continue;
    const ValueId outside = value;
    give(c, [this, outside](ValueId array) {
      Emitter& e = s_.back;
      const Type row = rowOf(program_.type(array), node_.space.size());
      const Operand total = e.product(node_.space);
      all_.add(s_, outside, e.total(e.reshaped(array, arrayOf({total}, row).shape)));
    });
  }
}

void ReverseMap::givePlace(const Place& place) {
  const auto shared = std::make_shared<Place>(place);
  shared->surround(node_.space);
  for (size_t i = 0; i < place.indices.size(); ++i) {
    const Operand& index = place.indices[i];
    if (place.axis(i) != Place::kNoAxis || all_.isKnownOutside(l_, {index})) continue;
    const bool is_position =
        !index.isConstant() && std::count(positions_.begin(), positions_.end(), index.value) > 0;
    if (is_position) {
      shared->setAxis(i, 0);
    } else {
      giveIndex(place, i, [shared, i](ValueId array) { shared->setPlain(i, array); });
    }
  }
  give(place.value, [this, shared](ValueId array) {
    shared->value = array;
    all_.addPlace(s_, *shared);
  });
}

// Equal indices of several places share an array.
void ReverseMap::giveIndex(const Place& place, size_t i, Sink sink) {
  const auto same = std::find_if(spreads_.begin(), spreads_.end(), [&](const auto& one) {
    return isSameIndex(*one.place, one.index, place, i);
  });
  if (same != spreads_.end()) return giveAlso(same->slot, std::move(sink));
  spreads_.push_back({&place, i, sinks_.size()});
  give(spread(l_.back, place, i), std::move(sink));
}

void ReverseMap::write(source::Span span) {
  Emitter& e = s_.back;
  std::vector<Type> types;
  for (const Operand& result : results_) types.push_back(arrayOf(node_.space, e.type(result)));
  lambda_.body = all_.finished(l_, std::move(results_));
  std::vector<ValueId> arrays;
  for (Type& type : types) arrays.push_back(program_.add("back", std::move(type)));
  if (node_.windows.empty() && node_.space.size() == 1 && node_.positions.empty()) {
    core::Screma back{node_.space[0], inputs_, std::move(lambda_), {}, {}};
    e.append({arrays, std::move(back), false, span});
  } else {
    core::Stencil back{node_.space, node_.windows, inputs_, std::move(lambda_), {}};
    back.positions = node_.positions;
    e.append({arrays, std::move(back), false, span});
  }
  for (size_t i = 0; i < arrays.size(); ++i) sinks_[i](arrays[i]);
}

std::vector<Cotangent> Reverse::returned(Scope& s, const Mapped& node, const Cotangents& cs,
                                         source::Span span) {
  return ReverseMap(*this, s, node).run(cs, span);
}

namespace {

constexpr size_t kMaxPoints = 4;

bool isPoint(const Place& place) {
  return place.space.empty() && place.indices.size() == 1 && place.axis(0) == Place::kNoAxis &&
         place.moduli.empty();
}

}  // namespace

// A map of which a few elements count (`minimum (map f xs)`): its return runs for those alone,
//
//   y = match inside { true -> x = index xs[i], .. f x ..; else -> 0 }
//
// for each of them. Returns whether it did.
bool Reverse::mapAtPoints(Scope& s, const Stm& stm, const core::Screma& node) {
  if (!node.reductions.empty() || !node.scans.empty()) return false;
  std::vector<std::pair<size_t, Place>> points;
  for (size_t i = 0; i < stm.results.size(); ++i) {
    if (s.cotangents.contains(stm.results[i])) return false;
    for (const Place& place : s.places) {
      if (place.array != stm.results[i]) continue;
      if (!isPoint(place)) return false;
      points.emplace_back(i, place);
    }
  }
  if (points.empty() || points.size() > kMaxPoints) return false;
  std::erase_if(s.places, [&](const Place& place) {
    return std::count(stm.results.begin(), stm.results.end(), place.array) > 0;
  });
  for (const auto& [result, place] : points) mapAtPoint(s, stm, node, {result, place});
  return true;
}

void Reverse::mapAtPoint(Scope& s, const Stm& stm, const core::Screma& node, const Point& point) {
  Emitter& e = s.back;
  const Operands at{e.add(point.place.indices[0], Operand::ofI64(point.place.shift(0)))};
  const Operand inside = isInside(e, at, {node.width});
  const Type type = e.type(point.place.value);
  Emitter element(program_), outside(program_);
  Lambda lambda = again(node.map);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    element.append({{lambda.params[i]}, core::Index{node.inputs[i], at}, false, stm.span});
  }
  for (Stm& one : lambda.body.stms) element.append(std::move(one));
  Body taken = element.take({lambda.body.results[point.result]});
  const Operand none = outside.zero(type);
  core::Match match{inside, {{prim::Scalar::ofBool(true), std::move(taken)}}, outside.take({none})};
  const ValueId y = program_.add("y", type);
  own(s, {y});
  activity_.activate(y);
  this->match(s, {{y}, match, false, stm.span}, match, {point.place.value});
}

void Reverse::map(Scope& s, const Stm& stm, const core::Screma& node, const Cotangents& cs) {
  if (!isMap(node)) return combine(s, stm, cs);
  returned(s, {{node.width}, {}, node.inputs, node.map, 0}, cs, stm.span);
}

}  // namespace halo::ad
