#include "interp/scope.h"

namespace halo::interp {

int Scope::bindSlot(types::BinderId binder) {
  const int slot = newSlot();
  bindSlotAt(binder, slot);
  return slot;
}

Place Scope::findKey(uint64_t key) {
  const auto known = places_.find(key);
  if (known != places_.end()) return known->second;
  HALO_CHECK(parent_ != nullptr, "a name that no enclosing function binds");
  captures_.push_back(parent_->findKey(key));
  const Place place{true, env_++};
  places_[key] = place;
  return place;
}

}  // namespace halo::interp
