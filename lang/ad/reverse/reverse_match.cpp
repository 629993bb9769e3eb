// The return of a match is a match on the same scrutinee. Each arm runs again and returns the
// cotangents of all that any arm uses. Arrays that have a cotangent already go through the arms and
// are changed there. Everything else starts at zero and is added behind.
#include <algorithm>
#include <set>

#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

struct Arm {
  std::map<ValueId, Operand> through, added;
  std::vector<Place> places;
  // By place, whether an index is of the arm. Others are known around it: an arm that is not taken
  // adds 0 there.
  std::vector<std::vector<bool>> is_own;
};

// A place of one arm, or one that several arms have and that is known around them.
struct SharedPlace {
  Place place;
  std::vector<bool> is_own;
  std::map<size_t, Operand> values;  // by arm; others add 0
};

std::vector<SharedPlace> sharedPlaces(const std::vector<Arm>& arms) {
  std::vector<SharedPlace> all;
  for (size_t i = 0; i < arms.size(); ++i) {
    for (size_t p = 0; p < arms[i].places.size(); ++p) {
      const Place& place = arms[i].places[p];
      const std::vector<bool>& is_own = arms[i].is_own[p];
      const bool is_known = std::count(is_own.begin(), is_own.end(), true) == 0;
      const auto same = std::find_if(all.begin(), all.end(), [&](const SharedPlace& other) {
        return is_known && !other.values.contains(i) && isSamePlace(place, other.place);
      });
      if (same != all.end()) {
        same->values[i] = place.value;
      } else {
        all.push_back({place, is_own, {{i, place.value}}});
      }
    }
  }
  return all;
}

}  // namespace

void Reverse::match(Scope& s, const Stm& stm, const core::Match& node, const Cotangents& cs) {
  Emitter& e = s.back;
  std::vector<ValueId> through;
  std::set<ValueId> used;
  for (const ValueId value : core::freeValues(program_, stm)) {
    if (varies(value) && !program_.type(value).isScalar()) used.insert(value);
  }
  for (const ValueId value : used) {
    if (isBeyondLambda(s, value)) continue;
    settle(s, value);
    if (s.cotangents.contains(value)) through.push_back(value);
  }

  std::vector<std::unique_ptr<Scope>> scopes;
  std::vector<Arm> arms;
  const auto sweep = [&](const Body& body) {
    scopes.push_back(std::make_unique<Scope>(program_, Scope::Kind::kArm, &s));
    Scope& a = *scopes.back();
    Lambda copy = again({{}, body});
    const Operands results = copy.body.results;
    start(a, copy.body);
    for (const ValueId value : through) a.cotangents[value] = s.cotangents[value];
    for (size_t i = 0; i < cs.size(); ++i) {
      if (cs[i]) add(a, results[i], *cs[i]);
    }
    run(a);
    Arm arm;
    arm.places = leavingPlaces(a);
    std::vector<Place> stay;
    for (Place& place : arm.places) {
      const bool goes = isBeyondLambda(a, place.array);
      (goes ? stay : a.places).push_back(place);
    }
    settleAll(a);
    arm.places = std::move(stay);
    for (const Place& place : arm.places) {
      arm.is_own.emplace_back();
      for (size_t i = 0; i < place.indices.size(); ++i) {
        const bool is_outside =
            place.axis(i) != Place::kNoAxis || isKnownOutside(a, {place.indices[i]});
        arm.is_own.back().push_back(!is_outside);
      }
    }
    for (const ValueId value : through) {
      arm.through[value] = a.cotangents[value];
      a.cotangents.erase(value);
    }
    for (const auto& [value, c] : a.cotangents) {
      if (!isOwn(a, value)) arm.added[value] = c;
    }
    arms.push_back(std::move(arm));
  };
  for (const core::Case& arm : node.cases) sweep(arm.body);
  sweep(node.otherwise);

  std::set<ValueId> added;
  for (const Arm& arm : arms) {
    for (const auto& [value, c] : arm.added) added.insert(value);
  }
  std::vector<SharedPlace> places = sharedPlaces(arms);
  core::Match back{node.scrutinee, {}, {}};
  for (size_t i = 0; i < arms.size(); ++i) {
    Emitter& out = scopes[i]->back;
    Operands results;
    for (const ValueId value : through) results.push_back(arms[i].through[value]);
    for (const ValueId value : added) {
      const auto known = arms[i].added.find(value);
      results.push_back(known != arms[i].added.end() ? known->second
                                                     : out.zero(program_.type(value)));
    }
    for (const SharedPlace& shared : places) {
      const auto value = shared.values.find(i);
      const bool is_here = value != shared.values.end();
      for (size_t k = 0; k < shared.place.indices.size(); ++k) {
        if (!shared.is_own[k]) continue;
        Place own = shared.place;
        if (!is_here) own.setPlain(k, Operand::ofI64(-1));
        results.push_back(spread(out, own, k));
      }
      results.push_back(is_here ? value->second : out.zero(e.type(shared.place.value)));
    }
    Body body = finished(*scopes[i], std::move(results));
    if (i < node.cases.size()) {
      back.cases.push_back({node.cases[i].value, std::move(body)});
    } else {
      back.otherwise = std::move(body);
    }
  }
  if (back.otherwise.results.empty()) return;
  std::vector<ValueId> found;
  const auto make = [&](const Type& type) {
    found.push_back(program_.add("back", type));
    return found.back();
  };
  std::vector<std::pair<ValueId, ValueId>> sums;
  for (const ValueId value : through) s.cotangents[value] = make(program_.type(value));
  for (const ValueId value : added) sums.emplace_back(value, make(program_.type(value)));
  for (SharedPlace& shared : places) {
    Place& place = shared.place;
    for (size_t k = 0; k < place.indices.size(); ++k) {
      if (!shared.is_own[k]) continue;
      place.setPlain(k, make({ScalarType::kI64, place.space}));
    }
    place.value = make(e.type(place.value));
  }
  e.append({found, std::move(back), false, stm.span});
  for (const auto& [value, c] : sums) add(s, value, c);
  for (SharedPlace& shared : places) addPlace(s, std::move(shared.place));
}

}  // namespace halo::ad
