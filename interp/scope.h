// Names to places: which slot of the frame, or which captured value, a binder or type parameter of
// the checked program is.
#pragma once

#include <unordered_map>
#include <vector>

#include "interp/nodes/nodes.h"
#include "lang/types/checked.h"

namespace halo::interp {

struct Place {
  bool in_env = false;
  int index = 0;
};

class Scope;
// Makes nodes of the expressions that stand for sizes.
class SizeExpressions {
 public:
  virtual NodeRef sizeExpression(syntax::ExprId expr, Scope& scope) = 0;

 protected:
  ~SizeExpressions() = default;
};

// One function that is being prepared; `parent` is the one around it.
class Scope {
 public:
  Scope(Scope* parent, bool in_prelude, SizeExpressions& sizes)
      : in_prelude(in_prelude), parent_(parent), sizes_(sizes) {}

  int newSlot() { return slots_++; }
  int slotCount() const { return slots_; }
  int bindSlot(types::BinderId binder);
  void bindSlotAt(types::BinderId binder, int slot) { places_[key(binder)] = {false, slot}; }
  // The next type or size argument that uses of the function pass.
  void bindArgument(types::TypeParamId parameter) { places_[key(parameter)] = {true, env_++}; }
  void bindArgument(types::BinderId size) { places_[key(size)] = {true, env_++}; }

  Place find(types::BinderId binder) { return findKey(key(binder)); }
  Place find(types::TypeParamId parameter) { return findKey(key(parameter)); }
  NodeRef sizeExpression(syntax::ExprId expr) { return sizes_.sizeExpression(expr, *this); }
  SizeExpressions& sizes() const { return sizes_; }
  // The function's captures from the one around it, in the order of its env.
  const std::vector<Place>& captures() const { return captures_; }

  const bool in_prelude;

 private:
  static uint64_t key(types::BinderId binder) { return 2 * uint64_t{binder.index}; }
  static uint64_t key(types::TypeParamId parameter) { return 2 * uint64_t{parameter.index} + 1; }
  Place findKey(uint64_t key);

  Scope* parent_;
  SizeExpressions& sizes_;
  int slots_ = 0;
  int env_ = 0;
  std::unordered_map<uint64_t, Place> places_;
  std::vector<Place> captures_;
};

inline NodeRef placeNode(Place place, bool take = false) {
  return place.in_env ? envNode(place.index) : slotNode(place.index, take);
}

}  // namespace halo::interp
