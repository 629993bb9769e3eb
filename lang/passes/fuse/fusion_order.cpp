// Facts are computed on request, once per statement, and move along with it.
#include "lang/passes/fuse/fusion_order.h"

#include <algorithm>
#include <set>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;

namespace {

// Of the nodes that read one array, the latest that a joint one is looked for among.
constexpr size_t kMaxSharers = 32;

// Those at `order` in the place of `p` and of all in between, one element fewer.
template <typename T>
void reorder(std::vector<T>& elements, size_t p, const std::vector<size_t>& order) {
  std::vector<T> moved;
  for (const size_t k : order) moved.push_back(std::move(elements[k]));
  const auto from = elements.begin() + static_cast<ptrdiff_t>(p);
  elements.erase(std::move(moved.begin(), moved.end(), from));
}

}  // namespace

FusionOrder::FusionOrder(const core::Program& program, const core::Function& function)
    : program_(program), aliases_(program) {
  bindAliases(function.body);
}

void FusionOrder::bindAliases(const Body& body) {
  for (const Stm& stm : body.stms) {
    core::visitBodies(stm.expr, [&](const Body& nested) { bindAliases(nested); });
    std::vector<core::Roots> roots = aliases_.resultRoots(stm);
    for (size_t i = 0; i < stm.results.size(); ++i) aliases_.bind(stm.results[i], roots[i]);
  }
}

void FusionOrder::enter(const Body& body) {
  body_ = &body;
  slots_.clear();
  made_by_.clear();
  read_by_.clear();
  users_.clear();
  for (const Stm& stm : body.stms) {
    slots_.push_back(slotOf(stm));
    list(*slots_.back(), stm);
  }
  number(0);
}

std::unique_ptr<FusionOrder::Slot> FusionOrder::slotOf(const Stm& stm) const {
  auto slot = std::make_unique<Slot>();
  slot->reach.fill(kUntried);
  if (auto node = decompose(stm)) slot->node = std::make_unique<ParallelNode>(std::move(*node));
  return slot;
}

void FusionOrder::list(Slot& slot, const Stm& stm) {
  if (!slot.node) return;
  for (ValueId result : stm.results) made_by_[result] = &slot;
  for (ValueId array : arraysOf(*slot.node)) read_by_[array].push_back(&slot);
}

void FusionOrder::unlist(Slot& slot, const Stm& stm) {
  if (!slot.node) return;
  for (ValueId result : stm.results) made_by_.erase(result);
  for (ValueId array : arraysOf(*slot.node)) {
    std::vector<Slot*>& readers = read_by_[array];
    readers.erase(std::remove(readers.begin(), readers.end(), &slot), readers.end());
  }
}

void FusionOrder::number(size_t from) {
  for (size_t k = from; k < slots_.size(); ++k) slots_[k]->position = k;
}

// Statements from `from` to `to` have changed.
void FusionOrder::tryAgain(size_t from, size_t to) {
  for (size_t k = from; k < slots_.size(); ++k) {
    for (size_t& reach : slots_[k]->reach) {
      if (k <= to || (reach != kUntried && k - reach <= to)) reach = kUntried;
    }
  }
}

const FusionOrder::Facts& FusionOrder::facts(size_t i) {
  Slot& slot = *slots_[i];
  if (!slot.facts) slot.facts = std::make_unique<Facts>(factsOf(body_->stms[i]));
  return *slot.facts;
}

FusionOrder::Facts FusionOrder::factsOf(const Stm& stm) {
  Facts facts;
  facts.used = core::freeValues(program_, stm);
  auto consume = [&](const Stm& inner) {
    for (ValueId v : core::consumedBy(program_, inner.expr)) {
      const core::Roots& roots = aliases_.of(v);
      facts.consumed.insert(roots.begin(), roots.end());
    }
  };
  consume(stm);
  core::visitBodies(stm.expr, [&](const Body& nested) { core::visitStms(nested, consume); });
  facts.may_fail = core::mayFail(stm);
  facts.may_not_end = core::mayNotEnd(stm);
  return facts;
}

bool FusionOrder::isUsedBeside(size_t c, ValueId value) {
  const core::Operands& results = body_->results;
  if (std::find(results.begin(), results.end(), Operand(value)) != results.end()) return true;
  if (users_.empty()) {
    for (size_t k = 0; k < slots_.size(); ++k) addUses(k, 1, users_);
  }
  const auto users = users_.find(value);
  if (users == users_.end()) return false;
  return users->second > (facts(c).used.contains(value) ? 1 : 0);
}

bool FusionOrder::ownsElements(size_t c, const ParallelNode& scan, const ParallelNode& reader) {
  ParallelNode without = reader;
  without.inputs.clear();
  without.input_params.clear();
  const ValueSet whole = core::freeValues(program_, compose(std::move(without)));
  const auto isOwned = [&](ValueId result) {
    return !whole.contains(result) && !isUsedBeside(c, result);
  };
  return std::all_of(scan.scanned_results.begin(), scan.scanned_results.end(), isOwned) &&
         std::all_of(scan.mapped_results.begin(), scan.mapped_results.end(), isOwned);
}

bool FusionOrder::readsSums(size_t c, const ParallelNode& scan) {
  const auto isRead = [&](ValueId result) { return used(c).contains(result); };
  return std::any_of(scan.reduced_results.begin(), scan.reduced_results.end(), isRead);
}

void FusionOrder::addUses(size_t i, int by, Uses& uses) {
  for (ValueId value : facts(i).used) uses[value] += by;
}

void FusionOrder::changeUses(const Uses& changes) {
  if (users_.empty()) return;
  for (const auto& [value, by] : changes) {
    int& users = users_[value];
    const bool had_one = users <= 1;
    users += by;
    const auto maker = made_by_.find(value);
    if (had_one == (users <= 1) || maker == made_by_.end()) continue;
    tryAgain(maker->second->position, maker->second->position);
  }
}

bool FusionOrder::offer(size_t kind, const std::function<Places(size_t c)>& producers,
                        const Join& join) {
  for (size_t c = 0; c < slots_.size(); ++c) {
    Slot& slot = *slots_[c];
    if (!slot.node || slot.reach[kind] != kUntried) continue;
    size_t reach = 0;
    for (const size_t p : producers(c)) {
      if (join(p, c)) return true;
      reach = std::max(reach, c - p);
    }
    slot.reach[kind] = reach;
  }
  return false;
}

bool FusionOrder::joinFirst(size_t kind, ArraysOf arrays, const Join& join) {
  auto producers = [&](size_t c) {
    Places places;
    for (ValueId array : arrays(*node(c))) {
      const auto made = made_by_.find(array);
      if (made != made_by_.end()) places.push_back(made->second->position);
    }
    return places;
  };
  return offer(kind, producers, join);
}

bool FusionOrder::joinSharers(size_t kind, const Join& join) {
  return offer(
      kind, [&](size_t c) { return sharers(c); }, join);
}

FusionOrder::Places FusionOrder::sharers(size_t c) const {
  std::set<size_t> all;
  for (ValueId array : arraysOf(*node(c))) {
    Places places;
    for (const Slot* slot : read_by_.at(array)) {
      if (slot->position < c) places.push_back(slot->position);
    }
    std::sort(places.begin(), places.end());
    const size_t skipped = places.size() - std::min(places.size(), kMaxSharers);
    all.insert(places.begin() + static_cast<std::ptrdiff_t>(skipped), places.end());
  }
  return {all.begin(), all.end()};
}

std::vector<ValueId> FusionOrder::arraysOf(const ParallelNode& node) {
  std::vector<ValueId> arrays = node.inputs;
  for (ValueId array : node.windowed()) arrays.push_back(array);
  return arrays;
}

// A scatter or histogram overwrites its destinations while the joint node still reads.
bool FusionOrder::clobbers(size_t p, const ParallelNode& consumer) {
  if (!consumer.isInPlace()) return false;
  ValueSet roots;
  for (ValueId destination : consumer.overwritten()) {
    const core::Roots& of = aliases_.of(destination);
    roots.insert(of.begin(), of.end());
  }
  // A result of the producer that is a destination is not its input, so `used` is all it reads.
  const ValueSet& read = used(p);
  const std::vector<ValueId>& made = node(p)->mapped_results;
  auto meets = [&](ValueId v) { return touches(v, roots); };
  return std::any_of(read.begin(), read.end(), meets) ||
         std::any_of(made.begin(), made.end(), meets);
}

bool FusionOrder::touches(ValueId value, const ValueSet& roots) {
  if (program_.type(value).isScalar()) return false;
  const core::Roots& of = aliases_.of(value);
  return std::any_of(of.begin(), of.end(), [&](ValueId root) { return roots.contains(root); });
}

// May `x`, which comes first, come after `y`?
bool FusionOrder::maySwap(const Facts& x, const Facts& y) {
  if ((x.may_fail && y.may_not_end) || (x.may_not_end && y.may_fail)) return false;
  return !usesRoots(x, y.consumed) && !usesRoots(y, x.consumed);
}

bool FusionOrder::usesRoots(const Facts& facts, const ValueSet& roots) {
  return !roots.empty() && std::any_of(facts.used.begin(), facts.used.end(),
                                       [&](ValueId v) { return touches(v, roots); });
}

bool FusionOrder::usesAny(const Facts& facts, const ValueSet& values) {
  const bool are_fewer = values.size() < facts.used.size();
  const ValueSet &few = are_fewer ? values : facts.used, &many = are_fewer ? facts.used : values;
  return std::any_of(few.begin(), few.end(), [&](ValueId v) { return many.contains(v); });
}

std::optional<std::vector<bool>> FusionOrder::dependents(size_t p, size_t c) {
  const Body& body = *body_;
  const auto insert = [](ValueSet& into, const auto& values) {
    into.insert(values.begin(), values.end());
  };
  Facts dependents;  // of all so far
  ValueSet from_p, from_dependents;
  insert(from_p, body.stms[p].results);
  std::vector<bool> depends(c - p);
  for (size_t k = p + 1; k < c; ++k) {
    const Facts& of = facts(k);
    if (!usesAny(of, from_p)) {
      if (!maySwap(facts(p), of) || !maySwap(dependents, of)) return std::nullopt;
      continue;
    }
    depends[k - p] = true;
    if (of.may_fail) return std::nullopt;  // later ones may rely on its checks
    insert(from_p, body.stms[k].results);
    insert(from_dependents, body.stms[k].results);
    if (!maySwap(of, facts(c))) return std::nullopt;
    insert(dependents.used, of.used);
    insert(dependents.consumed, of.consumed);
    dependents.may_not_end = dependents.may_not_end || of.may_not_end;
  }
  if (usesAny(facts(c), from_dependents)) return std::nullopt;
  return depends;
}

void FusionOrder::replace(Body& body, size_t p, size_t c, const std::vector<bool>& depends,
                          Stm joint) {
  std::vector<size_t> order;
  for (size_t k = p + 1; k < c; ++k) {
    if (!depends[k - p]) order.push_back(k);
  }
  const size_t at = p + order.size();
  order.push_back(c);
  for (size_t k = p + 1; k < c; ++k) {
    if (depends[k - p]) order.push_back(k);
  }
  Uses changes;
  if (!users_.empty()) addUses(p, -1, changes);
  unlist(*slots_[p], body.stms[p]);
  reorder(body.stms, p, order);
  reorder(slots_, p, order);
  number(p);
  exchange(body, at, std::move(joint), changes);
  tryAgain(p, c - 1);
  changeUses(changes);
}

void FusionOrder::exchange(Body& body, size_t c, Stm other, Uses& changes) {
  if (!users_.empty()) addUses(c, -1, changes);
  unlist(*slots_[c], body.stms[c]);
  body.stms[c] = std::move(other);
  slots_[c] = slotOf(body.stms[c]);
  slots_[c]->position = c;
  list(*slots_[c], body.stms[c]);
  if (!users_.empty()) addUses(c, 1, changes);
}

void FusionOrder::insert(Body& body, size_t at, std::vector<Stm> stms) {
  if (stms.empty()) return;
  Slots slots;
  for (const Stm& stm : stms) {
    slots.push_back(slotOf(stm));
    list(*slots.back(), stm);
  }
  const size_t end = at + stms.size();
  const auto into = static_cast<std::ptrdiff_t>(at);
  body.stms.insert(body.stms.begin() + into, std::make_move_iterator(stms.begin()),
                   std::make_move_iterator(stms.end()));
  slots_.insert(slots_.begin() + into, std::make_move_iterator(slots.begin()),
                std::make_move_iterator(slots.end()));
  number(at);
  tryAgain(at, end - 1);
  Uses changes;
  if (!users_.empty()) {
    for (size_t k = at; k < end; ++k) addUses(k, 1, changes);
  }
  changeUses(changes);
}

bool FusionOrder::joinSecond(Body& body, size_t p, size_t c, Stm first, Stm second,
                             const Join& join) {
  std::vector<std::array<size_t, kKinds>> reaches;
  for (const auto& slot : slots_) reaches.push_back(slot->reach);
  Stm whole = body.stms[p];
  const auto at = static_cast<std::ptrdiff_t>(p);
  replace(body, p, std::move(second));
  insert(body, p, {std::move(first)});
  if (join(p + 1, c + 1)) return true;
  Uses changes;
  if (!users_.empty()) addUses(p, -1, changes);
  unlist(*slots_[p], body.stms[p]);
  body.stms.erase(body.stms.begin() + at);
  slots_.erase(slots_.begin() + at);
  number(p);
  exchange(body, p, std::move(whole), changes);
  changeUses(changes);
  for (size_t k = 0; k < slots_.size(); ++k) slots_[k]->reach = reaches[k];
  return false;
}

bool FusionOrder::mayRepeat(size_t p, size_t c) {
  for (size_t k = p + 1; k <= c; ++k) {
    const ValueSet& consumed = facts(k).consumed;
    for (ValueId v : used(p)) {
      if (touches(v, consumed)) return false;
    }
  }
  return true;
}

void FusionOrder::replace(Body& body, size_t c, Stm other) {
  Uses changes;
  exchange(body, c, std::move(other), changes);
  tryAgain(c, c);
  changeUses(changes);
}

}  // namespace halo::passes
