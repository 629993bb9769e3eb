#include "lang/ad/reverse/reverse_match.h"

#include <algorithm>

#include "lang/ad/places.h"
#include "lang/ad/rules.h"

namespace halo::ad {

void ReverseMatch::run(const Stm& stm, const Cotangents& cs) {
  settleUsed(stm);
  for (const core::Case& arm : node_.cases) sweep(arm.body, cs);
  sweep(node_.otherwise, cs);
  for (const Arm& arm : arms_) {
    for (const auto& [value, c] : arm.added) added_.insert(value);
  }
  sharePlaces();
  core::Match back = write();
  if (!back.otherwise.results.empty()) bind(std::move(back), stm.span);
}

void ReverseMatch::settleUsed(const Stm& stm) {
  std::set<ValueId> used;
  for (const ValueId value : core::freeValues(program_, stm)) {
    if (all_.varies(value) && !program_.type(value).isScalar()) used.insert(value);
  }
  for (const ValueId value : used) {
    if (all_.isBeyondLambda(s_, value)) continue;
    all_.settle(s_, value);
    if (s_.cotangents.contains(value)) through_.push_back(value);
  }
}

// An arm's own return statements, and the cotangents that they leave.
void ReverseMatch::sweep(const Body& body, const Cotangents& cs) {
  scopes_.push_back(std::make_unique<Scope>(program_, Scope::Kind::kArm, &s_));
  Scope& a = *scopes_.back();
  Lambda copy = all_.again({{}, body});
  const Operands results = copy.body.results;
  all_.start(a, copy.body);
  for (const ValueId value : through_) a.cotangents[value] = s_.cotangents[value];
  for (size_t i = 0; i < cs.size(); ++i) {
    if (cs[i]) all_.add(a, results[i], *cs[i]);
  }
  all_.run(a);
  Arm arm;
  arm.places = leavingPlaces(a);
  arm.is_own = ownIndices(a, arm.places);
  for (const ValueId value : through_) {
    arm.through[value] = a.cotangents[value];
    a.cotangents.erase(value);
  }
  for (const auto& [value, c] : a.cotangents) {
    if (!all_.isOwn(a, value)) arm.added[value] = c;
  }
  arms_.push_back(std::move(arm));
}

// Those of arrays around the lambda leave the arm; the others are settled in it.
std::vector<Place> ReverseMatch::leavingPlaces(Scope& arm) {
  std::vector<Place> leaving;
  for (Place& place : all_.leavingPlaces(arm)) {
    (all_.isBeyondLambda(arm, place.array) ? leaving : arm.places).push_back(place);
  }
  all_.settleAll(arm);
  return leaving;
}

std::vector<std::vector<bool>> ReverseMatch::ownIndices(const Scope& arm,
                                                        const std::vector<Place>& places) const {
  std::vector<std::vector<bool>> own;
  for (const Place& place : places) {
    own.emplace_back();
    for (size_t i = 0; i < place.indices.size(); ++i) {
      const bool is_outside =
          place.axis(i) != Place::kNoAxis || all_.isKnownOutside(arm, {place.indices[i]});
      own.back().push_back(!is_outside);
    }
  }
  return own;
}

void ReverseMatch::sharePlaces() {
  for (size_t i = 0; i < arms_.size(); ++i) {
    for (size_t p = 0; p < arms_[i].places.size(); ++p) {
      const Place& place = arms_[i].places[p];
      const std::vector<bool>& is_own = arms_[i].is_own[p];
      const bool is_known = std::count(is_own.begin(), is_own.end(), true) == 0;
      const auto same = std::find_if(places_.begin(), places_.end(), [&](const SharedPlace& other) {
        return is_known && !other.values.contains(i) && isSamePlace(place, other.place);
      });
      if (same != places_.end()) {
        same->values[i] = place.value;
      } else {
        places_.push_back({place, is_own, {{i, place.value}}});
      }
    }
  }
}

// What each arm returns, in the order of `bind`.
Operands ReverseMatch::resultsOf(size_t i) {
  Emitter& out = scopes_[i]->back;
  Operands results;
  for (const ValueId value : through_) results.push_back(arms_[i].through[value]);
  for (const ValueId value : added_) {
    const auto known = arms_[i].added.find(value);
    const bool is_known = known != arms_[i].added.end();
    results.push_back(is_known ? known->second : out.zero(program_.type(value)));
  }
  for (const SharedPlace& shared : places_) {
    const auto value = shared.values.find(i);
    const bool is_here = value != shared.values.end();
    for (size_t k = 0; k < shared.place.indices.size(); ++k) {
      if (!shared.is_own[k]) continue;
      Place own = shared.place;
      if (!is_here) own.setPlain(k, Operand::ofI64(-1));
      results.push_back(spread(out, own, k));
    }
    results.push_back(is_here ? value->second : out.zero(s_.back.type(shared.place.value)));
  }
  return results;
}

core::Match ReverseMatch::write() {
  core::Match back{node_.scrutinee, {}, {}};
  for (size_t i = 0; i < arms_.size(); ++i) {
    Body body = all_.finished(*scopes_[i], resultsOf(i));
    if (i < node_.cases.size()) {
      back.cases.push_back({node_.cases[i].value, std::move(body)});
    } else {
      back.otherwise = std::move(body);
    }
  }
  return back;
}

// The results of the return match become cotangents and places of the scope.
void ReverseMatch::bind(core::Match back, source::Span span) {
  Emitter& e = s_.back;
  std::vector<ValueId> found;
  const auto make = [&](const Type& type) {
    found.push_back(program_.add("back", type));
    return found.back();
  };
  std::vector<std::pair<ValueId, ValueId>> sums;
  for (const ValueId value : through_) s_.cotangents[value] = make(program_.type(value));
  for (const ValueId value : added_) sums.emplace_back(value, make(program_.type(value)));
  for (SharedPlace& shared : places_) {
    Place& place = shared.place;
    for (size_t k = 0; k < place.indices.size(); ++k) {
      if (shared.is_own[k]) place.setPlain(k, make({ScalarType::kI64, place.space}));
    }
    place.value = make(e.type(place.value));
  }
  e.append({found, std::move(back), false, span});
  for (const auto& [value, c] : sums) all_.add(s_, value, c);
  for (SharedPlace& shared : places_) all_.addPlace(s_, std::move(shared.place));
}

void Reverse::match(Scope& s, const Stm& stm, const core::Match& node, const Cotangents& cs) {
  ReverseMatch(*this, s, node).run(stm, cs);
}

}  // namespace halo::ad
