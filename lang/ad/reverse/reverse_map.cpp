// The return of a map is a map over its inputs and the cotangents of its results.
//
//   ys = screma [n] (xs) map (x) { y = f32.mul x c; return y }
// becomes
//   (xs', parts) = screma [n] (xs, ys') map (x, y') { x' = f32.mul y' c; p = f32.mul y' x; .. }
//   c' += screma [n] (parts) reduce f32.add 0f32
#include <algorithm>

#include "lang/ad/element_reads.h"
#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"
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

std::vector<Cotangent> Reverse::returned(Scope& s, const Mapped& node, const Cotangents& cs,
                                         source::Span span) {
  Emitter& e = s.back;
  Scope l(program_, Scope::Kind::kLambda, &s);
  Lambda lambda = again(node.lambda);
  std::vector<ValueId> inputs = node.inputs;
  const std::vector<ValueId> positions = takePositions(s, node, lambda, inputs);
  own(l, lambda.params);
  const auto first_position = lambda.params.end() - static_cast<ptrdiff_t>(node.positions.size());
  const std::vector<ValueId> cell_position(first_position, lambda.params.end());
  lambda.params.erase(first_position, lambda.params.end());
  const std::vector<ValueId> params = lambda.params;
  const Operands mapped = lambda.body.results;
  start(l, lambda.body);
  for (size_t i = 0; i < cs.size(); ++i) {
    if (!cs[i]) continue;
    const ValueId seed = program_.add("c", program_.type(mapped[i]));
    own(l, {seed});
    lambda.params.push_back(seed);
    inputs.push_back(cs[i]->value);
    add(l, mapped[i], seed);
  }
  lambda.params.insert(lambda.params.end(), cell_position.begin(), cell_position.end());
  run(l);

  Operands results;
  std::vector<std::function<void(ValueId)>> sinks;
  const auto give = [&](const Operand& result, std::function<void(ValueId)> sink) {
    results.push_back(result);
    sinks.push_back(std::move(sink));
  };
  std::vector<Cotangent> windows(node.window_params);
  std::vector<std::pair<Operand, size_t>> given;  // neighbours with one cotangent share an array
  for (size_t i = 0; i < params.size(); ++i) {
    const Cotangent c = take(l, params[i]);
    if (!c) continue;
    if (i < node.window_params) {
      const auto same = std::find_if(given.begin(), given.end(),
                                     [&](const auto& one) { return one.first == *c; });
      if (same != given.end()) {
        const size_t other = same->second;
        sinks[other] = [&windows, i, sink = sinks[other]](ValueId array) {
          sink(array);
          windows[i] = array;
        };
        continue;
      }
      given.emplace_back(*c, sinks.size());
      give(*c, [&windows, i](ValueId array) { windows[i] = array; });
    } else if (varies(node.inputs[i - node.window_params])) {
      const ValueId input = node.inputs[i - node.window_params];
      give(*c, [this, &s, input](ValueId array) { add(s, input, array); });
    }
  }
  std::vector<Place> places = leavingPlaces(l);
  const auto isPosition = [&](const Operand& index) {
    return !index.isConstant() && std::count(positions.begin(), positions.end(), index.value) > 0;
  };
  for (const auto& [value, c] : l.cotangents) {
    if (isOwn(l, value)) continue;
    const ValueId outside = value;
    give(c, [this, &s, &e, &node, outside](ValueId array) {
      const Type row = rowOf(program_.type(array), node.space.size());
      const Operand total = e.product(node.space);
      add(s, outside, e.total(e.reshaped(array, arrayOf({total}, row).shape)));
    });
  }
  std::vector<SpreadIndex> spreads;
  for (Place& place : places) {
    const auto shared = std::make_shared<Place>(place);
    shared->surround(node.space);
    for (size_t i = 0; i < place.indices.size(); ++i) {
      const Operand& index = place.indices[i];
      if (place.axis(i) != Place::kNoAxis || isKnownOutside(l, {index})) continue;
      if (isPosition(index)) {
        shared->setAxis(i, 0);
        continue;
      }
      const auto sink = [shared, i](ValueId array) { shared->setPlain(i, array); };
      const auto same = std::find_if(spreads.begin(), spreads.end(), [&](const auto& one) {
        return isSameIndex(*one.place, one.index, place, i);
      });
      if (same != spreads.end()) {
        sinks[same->slot] = [first = sinks[same->slot], sink](ValueId array) {
          first(array);
          sink(array);
        };
        continue;
      }
      spreads.push_back({&place, i, sinks.size()});
      give(spread(l.back, place, i), sink);
    }
    give(place.value, [this, shared, &s](ValueId array) {
      shared->value = array;
      addPlace(s, *shared);
    });
  }
  if (results.empty()) return windows;
  std::vector<Type> types;
  for (const Operand& result : results) types.push_back(arrayOf(node.space, e.type(result)));
  lambda.body = finished(l, std::move(results));
  std::vector<ValueId> arrays;
  for (Type& type : types) arrays.push_back(program_.add("back", std::move(type)));
  if (node.windows.empty() && node.space.size() == 1 && node.positions.empty()) {
    e.append({arrays, core::Screma{node.space[0], inputs, std::move(lambda), {}, {}}, false, span});
  } else {
    core::Stencil back{node.space, node.windows, inputs, std::move(lambda), {}};
    back.positions = node.positions;
    e.append({arrays, std::move(back), false, span});
  }
  for (size_t i = 0; i < arrays.size(); ++i) sinks[i](arrays[i]);
  return windows;
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
