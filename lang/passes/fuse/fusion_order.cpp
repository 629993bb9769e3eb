// Facts are computed on request, once per statement, and move along with it.
#include "lang/passes/fuse/fusion_order.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;

namespace {

std::unique_ptr<ParallelNode> nodeOf(const Stm& stm) {
  auto node = decompose(stm);
  return node ? std::make_unique<ParallelNode>(std::move(*node)) : nullptr;
}

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
  nodes_.clear();
  for (const Stm& stm : body.stms) nodes_.push_back(nodeOf(stm));
  facts_.clear();
  facts_.resize(body.stms.size());
  users_.clear();
}

const FusionOrder::Facts& FusionOrder::facts(size_t i) {
  if (!facts_[i]) facts_[i] = std::make_unique<Facts>(factsOf(body_->stms[i]));
  return *facts_[i];
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
    for (size_t k = 0; k < facts_.size(); ++k) countUses(k, 1);
  }
  const auto users = users_.find(value);
  if (users == users_.end()) return false;
  return users->second > (facts(c).used.contains(value) ? 1 : 0);
}

void FusionOrder::countUses(size_t i, int by) {
  for (ValueId value : facts(i).used) users_[value] += by;
}

bool FusionOrder::joinFirst(ArraysOf arrays, const Join& join) const {
  std::unordered_map<ValueId, size_t> made_at;
  for (size_t c = 0; c < body_->stms.size(); ++c) {
    if (nodes_[c]) {
      for (ValueId array : arrays(*nodes_[c])) {
        auto made = made_at.find(array);
        if (made != made_at.end() && nodes_[made->second] && join(made->second, c)) return true;
      }
    }
    for (ValueId result : body_->stms[c].results) made_at[result] = c;
  }
  return false;
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
  const std::vector<ValueId>& made = nodes_[p]->mapped_results;
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
  const bool is_counted = !users_.empty();
  for (size_t k : {p, c}) {
    if (is_counted) countUses(k, -1);
  }
  nodes_[c] = nodeOf(joint);
  facts_[c].reset();
  body.stms[c] = std::move(joint);
  std::vector<size_t> order;
  for (size_t k = p + 1; k < c; ++k) {
    if (!depends[k - p]) order.push_back(k);
  }
  const size_t at = p + order.size();
  order.push_back(c);
  for (size_t k = p + 1; k < c; ++k) {
    if (depends[k - p]) order.push_back(k);
  }
  reorder(body.stms, p, order);
  reorder(nodes_, p, order);
  reorder(facts_, p, order);
  if (is_counted) countUses(at, 1);
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
  const bool is_counted = !users_.empty();
  if (is_counted) countUses(c, -1);
  nodes_[c] = nodeOf(other);
  facts_[c].reset();
  body.stms[c] = std::move(other);
  if (is_counted) countUses(c, 1);
}

}  // namespace halo::passes
