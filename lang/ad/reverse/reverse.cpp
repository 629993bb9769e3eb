#include "lang/ad/reverse/reverse.h"

#include <algorithm>

#include "lang/ad/places.h"
#include "lang/ad/rules.h"
#include "lang/base/check.h"
#include "lang/core/visit.h"

namespace halo::ad {

Body Reverse::function(Body body, const std::vector<ValueId>& params, const Operands& seeds,
                       const std::vector<ValueId>& wanted) {
  Scope s(program_, Scope::Kind::kFunction, nullptr);
  own(s, params);
  Operands results = body.results;
  start(s, body);
  for (size_t i = 0; i < seeds.size(); ++i) {
    add(s, results[results.size() - seeds.size() + i], seeds[i]);
  }
  run(s);
  for (const ValueId param : wanted) results.push_back(takeOrZero(s, param));
  return finished(s, std::move(results));
}

void Reverse::own(Scope& s, const std::vector<ValueId>& values) {
  for (const ValueId value : values) owner_[value] = &s;
}

void Reverse::start(Scope& s, Body& body) {
  s.forward = std::move(body.stms);
  for (const Stm& stm : s.forward) own(s, stm.results);
}

void Reverse::run(Scope& s) {
  for (size_t at = s.forward.size(); at-- > 0;) statement(s, at);
}

void Reverse::statement(Scope& s, size_t at) {
  const Stm stm = s.forward[at];
  const auto* screma = std::get_if<core::Screma>(&stm.expr);
  if (screma != nullptr && mapAtPoints(s, stm, *screma)) return;
  Cotangents cs;
  bool any = false;
  for (const ValueId result : stm.results) {
    cs.push_back(take(s, result));
    any = any || cs.back().has_value();
  }
  if (!any) return;
  if (screma != nullptr) return map(s, stm, *screma, cs);
  if (const auto* node = std::get_if<core::Stencil>(&stm.expr)) return stencil(s, stm, *node, cs);
  if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) return scatter(s, *node, *cs[0]);
  if (const auto* node = std::get_if<core::Hist>(&stm.expr)) return hist(s, at, *node, cs);
  if (const auto* node = std::get_if<core::Match>(&stm.expr)) return match(s, stm, *node, cs);
  if (std::holds_alternative<core::Loop>(stm.expr)) return loop(s, at, cs);
  if (const auto* node = std::get_if<core::Call>(&stm.expr)) return call(s, stm, *node, cs);
  if (!scalar(s, stm, *cs[0]) && !array(s, stm, *cs[0])) {
    refuse(stm, "an operation that it does not know");
  }
}

bool Reverse::isOwn(const Scope& s, ValueId value) const {
  const auto found = owner_.find(value);
  return found != owner_.end() && found->second == &s;
}

bool Reverse::isDropped(const Scope& s, ValueId value) const {
  for (const Scope* at = &s; at != nullptr && !isOwn(*at, value); at = at->parent) {
    if (at->own_only) return true;
  }
  return false;
}

bool Reverse::isBeyondLambda(const Scope& s, ValueId array) const {
  const auto owner = owner_.find(array);
  HALO_CHECK(owner != owner_.end(), "a value of no scope has a cotangent");
  for (const Scope* at = &s; at != owner->second; at = at->parent) {
    HALO_CHECK(at != nullptr, "a value of another scope has a cotangent");
    if (at->kind == Scope::Kind::kLambda) return true;
  }
  return false;
}

bool Reverse::isInCells(const Scope& s) const {
  for (const Scope* at = &s; at != nullptr; at = at->parent) {
    if (at->kind == Scope::Kind::kLambda) return true;
  }
  return is_in_cells_;
}

void Reverse::add(Scope& s, const Operand& target, const Operand& cotangent) {
  if (!varies(target) || Emitter::isZero(cotangent)) return;
  if (isDropped(s, target.value)) return;
  // Equal sizes may have two names; a cotangent has those of its value.
  const Type& type = program_.type(target.value);
  const Operand part =
      type.isScalar() ? cotangent : Operand(s.back.reshaped(cotangent.value, type.shape));
  const auto [known, is_new] = s.cotangents.try_emplace(target.value, part);
  if (!is_new) known->second = s.back.sum(known->second, part);
}

namespace {

constexpr int64_t kFewUpdated = 16;  // which unrolled code updates one by one

}  // namespace

void Reverse::addAt(Scope& s, ValueId array, Operands indices, const Operand& cotangent) {
  if (!varies(array) || Emitter::isZero(cotangent)) return;
  if (isDropped(s, array)) return;
  if (isBeyondLambda(s, array)) {
    return addPlace(s, {array, {}, std::move(indices), cotangent});
  }
  settle(s, array);  // whole arrays first: the element is added in place
  const auto known = s.cotangents.find(array);
  if (known == s.cotangents.end()) {
    const Type& whole = program_.type(array);
    if (isInCells(s) || core::hasAtMost(whole.shape, kFewUpdated)) {
      const ValueId nothing = s.back.zero(whole).value;
      s.cotangents[array] = s.back.updated(nothing, std::move(indices), cotangent);
    } else {
      s.cotangents[array] = placed(s.back, {array, {}, std::move(indices), cotangent}, whole);
    }
    return;
  }
  const ValueId base = known->second.value;
  const Operand sum = s.back.sum(s.back.index(base, indices), cotangent);
  known->second = s.back.updated(base, std::move(indices), sum);
}

void Reverse::addPlace(Scope& s, Place place) {
  if (varies(place.array) && !isDropped(s, place.array)) s.places.push_back(std::move(place));
}

void Reverse::settleAll(Scope& s) {
  while (!s.places.empty()) settle(s, ValueId(s.places.front().array));
}

Cotangent Reverse::take(Scope& s, ValueId value) {
  settle(s, value);
  const auto known = s.cotangents.find(value);
  if (known == s.cotangents.end()) return std::nullopt;
  const Operand cotangent = known->second;
  s.cotangents.erase(known);
  return cotangent;
}

Operand Reverse::takeOrZero(Scope& s, ValueId value) {
  const Cotangent known = take(s, value);
  return known ? *known : s.back.zero(program_.type(value));
}

std::vector<ValueId> Reverse::binders(const Program&, const Lambda& lambda) {
  std::vector<ValueId> all = lambda.params;
  core::visitStms(lambda.body, [&](const Stm& stm) {
    core::visitBound(stm.expr, [&](ValueId value) { all.push_back(value); });
    all.insert(all.end(), stm.results.begin(), stm.results.end());
  });
  return all;
}

Lambda Reverse::again(const Lambda& lambda) {
  Lambda copy = core::freshCopy(program_, lambda);
  const std::vector<ValueId> from = binders(program_, lambda), to = binders(program_, copy);
  for (size_t i = 0; i < from.size(); ++i) activity_.copy(from[i], to[i]);
  prove(copy.body);
  return copy;
}

bool Reverse::isKnownOutside(const Scope& s, const Operands& operands) const {
  const auto bindsHere = [&](const Operand& operand) {
    if (operand.isConstant()) return false;
    if (isOwn(s, operand.value)) return true;
    Emitter& back = const_cast<Scope&>(s).back;
    for (const Stm& stm : back.body().stms) {
      if (std::count(stm.results.begin(), stm.results.end(), operand.value) > 0) return true;
    }
    return false;
  };
  return std::none_of(operands.begin(), operands.end(), bindsHere);
}

std::vector<Place> Reverse::leavingPlaces(Scope& s) {
  std::vector<ValueId> stay;
  for (const Place& place : s.places) {
    if (!isKnownOutside(s, place.space)) stay.push_back(place.array);
  }
  for (const ValueId array : stay) settle(s, array);
  for (Place& place : s.places) {
    takeShifts(s, place);
    for (size_t i = 0; i < place.indices.size(); ++i) {
      const auto modulus = place.moduli.find(i);
      if (modulus != place.moduli.end() && !isKnownOutside(s, {modulus->second})) {
        makePlain(s.back, place, i);
      }
    }
  }
  return std::exchange(s.places, {});
}

Body Reverse::finished(Scope& s, Operands results) {
  Body body = s.back.take(std::move(results));
  s.forward.insert(s.forward.end(), std::make_move_iterator(body.stms.begin()),
                   std::make_move_iterator(body.stms.end()));
  body.stms = std::move(s.forward);
  return body;
}

}  // namespace halo::ad
