// Branches: each result has one name for all arms. The memory behind the name is the arms' common
// memory, memory whose ownership each arm passes on, or the statement's own.
#include "lang/imp/lower/lower_match.h"

#include <algorithm>

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

bool isIn(const std::vector<BufferId>& buffers, BufferId buffer) {
  return std::find(buffers.begin(), buffers.end(), buffer) != buffers.end();
}

}  // namespace

MatchLowering::MatchLowering(Lowering& lowering, const core::Stm& stm, const core::Match& node)
    : low_(lowering),
      b_(lowering.b_),
      core_(lowering.core_),
      target_(lowering.target_),
      stm_(stm),
      node_(node),
      vars_(stm.results.size()),
      destinations_(stm.results.size()),
      rooms_(stm.results.size()),
      arms_(node.cases.size() + 1),
      results_(node.cases.size() + 1) {}

const core::Type& MatchLowering::typeOf(size_t k) const { return core_.type(stm_.results[k]); }

const std::string& MatchLowering::nameOf(size_t k) const {
  return core_.values[stm_.results[k]].name;
}

void MatchLowering::behindArms(const std::function<void(Results&)>& append) {
  for (size_t a = 0; a < arms_.size(); ++a) {
    arms_[a] = b_.capture([&] { append(results_[a]); }, std::move(arms_[a]));
  }
}

// Arrays without a destination get their memory where the arms join.
void MatchLowering::placeResults() {
  for (size_t k = 0; k < stm_.results.size(); ++k) {
    const ValueId result = stm_.results[k];
    const core::Type& type = core_.type(result);
    if (type.isScalar()) {
      vars_[k] = b_.declare(nameOf(k), type.scalar, prim::zero(type.scalar));
      low_.set(result, Operand(vars_[k]));
    } else if (target_.room && bindsSizeOf(stm_, type)) {
      rooms_[k] = low_.fresh(nameOf(k), type.scalar, {target_.room->elements()});
    } else if (low_.destinations_.has(result) || (!target_.can_rebind && !isInPlace(k)) ||
               makeShortRow(k)) {
      destinations_[k] = low_.destinations_.output(result);
    }
  }
}

void MatchLowering::lowerArms() {
  std::vector<const core::Body*> bodies;
  for (const core::Case& arm : node_.cases) {
    const Operand scrutinee = low_.scalar(node_.scrutinee);
    const bool is_true = arm.value == prim::Scalar::ofBool(true);
    conditions_.push_back(
        is_true ? scrutinee : b_.prim(Op::kEq, arm.value.type, {scrutinee, Operand(arm.value)}));
    bodies.push_back(&arm.body);
  }
  bodies.push_back(&node_.otherwise);
  for (size_t a = 0; a < bodies.size(); ++a) {
    low_.starts_arm_ = true;
    arms_[a] = b_.capture([&] { results_[a] = low_.body(*bodies[a], destinations_); });
  }
}

void MatchLowering::joinResults() {
  const size_t count = stm_.results.size();
  for (size_t k = 0; k < count; ++k) {
    if (vars_[k].valid() || rooms_[k]) continue;
    low_.set(stm_.results[k], destinations_[k] ? *destinations_[k] : join(k));
  }
  behindArms([&](Results& arm) {
    for (size_t k = 0; k < count; ++k) {
      if (vars_[k].valid()) b_.assign(vars_[k], arm.scalars[k]);
      if (rooms_[k]) low_.keepIn(*rooms_[k], arm.arrays[k]);
    }
    low_.release(arm.owned);
  });
}

// The arms as nested branches, the first case outermost.
void MatchLowering::appendBranches() {
  Block rest = std::move(arms_.back());
  for (size_t a = node_.cases.size(); a-- > 0;) {
    Block all;
    all.push_back({If{conditions_[a], std::move(arms_[a]), std::move(rest)}});
    rest = std::move(all);
  }
  for (Stm& statement : rest) b_.append(std::move(statement.node));
}

void MatchLowering::run() {
  placeResults();
  lowerArms();
  joinResults();
  appendBranches();
  // Strides come from sizes that the arms have set.
  for (size_t k = 0; k < stm_.results.size(); ++k) {
    if (!rooms_[k]) continue;
    low_.set(stm_.results[k], inRoom(b_, *rooms_[k], low_.scalars(typeOf(k).shape)));
  }
}

void Lowering::lower(const core::Stm& stm, const core::Match& node) {
  MatchLowering(*this, stm, node).run();
}

// Loops around rely on it that branches which work in one array leave their result there
// (`inPlaceRoot`).
bool MatchLowering::isInPlace(size_t k) const {
  const std::optional<ValueId> root = commonRoot(core_, node_, k);
  return root && !low_.array(*root).isVirtual();
}

// One name for the arms' results. It is the array itself if all mean the same, a variable offset if
// only that differs, else a buffer set by each arm.
ArrayRef MatchLowering::join(size_t k) {
  const ArrayRef first = results_[0].arrays[k];
  bool same_buffer = arms_.size() > 1, same_offset = true;
  for (const Results& arm : results_) {
    const ArrayRef& array = arm.arrays[k];
    same_buffer = same_buffer && !array.isVirtual() && !isIn(arm.owned, array.buffer) &&
                  array.buffer == first.buffer && array.strides == first.strides;
    same_offset = same_offset && array.offset == first.offset;
  }
  if (!same_buffer) return joinByRebinding(k);
  ArrayRef joined = first;
  joined.shape = low_.scalars(typeOf(k).shape);
  if (same_offset) return joined;
  VarId offset = b_.declare("offset", ScalarType::kI64, kZero);
  behindArms([&](Results& arm) { b_.assign(offset, arm.arrays[k].offset); });
  joined.offset = offset;
  return joined;
}

// An array from outside of the arm. An arm's result may be one of several buffers of its own, such
// as a loop's. An earlier result that is the same buffer may have taken it from the arm.
bool MatchLowering::isBorrowed(const Results& arm, size_t k) const {
  const ArrayRef& array = arm.arrays[k];
  const auto earlier = arm.arrays.begin() + static_cast<std::ptrdiff_t>(k);
  return isPlain(array) &&
         std::none_of(arm.owned.begin(), arm.owned.end(),
                      [&](BufferId own) { return low_.aliases_.mayBe(array.buffer, own); }) &&
         std::none_of(arm.arrays.begin(), earlier, [&](const ArrayRef& other) {
           return !other.isVirtual() && low_.aliases_.mayBe(array.buffer, other.buffer);
         });
}

// A name that may be an array from outside, or memory of the arm.
bool MatchLowering::isMixed(const Results& arm, size_t k) const {
  const ArrayRef& array = arm.arrays[k];
  const BufferId owned = low_.aliases_.ownedPart(array.buffer);
  return isPlain(array) && owned.valid() && isIn(arm.owned, owned);
}

ArrayRef MatchLowering::joinByRebinding(size_t k) {
  const core::Type& type = typeOf(k);
  const BufferId joined = b_.buffer(nameOf(k), type.scalar, target_.space);
  const bool borrow = std::all_of(results_.begin(), results_.end(),
                                  [&](const Results& arm) { return isBorrowed(arm, k); });
  const bool may_mix = target_.can_rebind && target_.space == Space::kDevice &&
                       std::any_of(results_.begin(), results_.end(), [&](const Results& arm) {
                         return isBorrowed(arm, k) || isMixed(arm, k);
                       });
  if (!borrow && may_mix) return joinMixed(k);
  behindArms([&](Results& arm) {
    const ArrayRef& array = arm.arrays[k];
    if (borrow) low_.aliases_.add(joined, array.buffer);
    if (!borrow && low_.exchange_.mayTake(arm, k)) return low_.exchange_.take(joined, array);
    ArrayRef own = borrow ? array : low_.ownedDense(array, arm);
    b_.append(Rebind{joined, own.buffer});
  });
  if (!borrow) low_.scope_->owned.push_back(joined);
  return denseArray(b_, joined, kZero, type.scalar, low_.scalars(type.shape));
}

// Some arms give arrays from outside, which are not copied. The memory of the other arms' results
// has a name of its own, which is empty behind an arm of the first kind. It is the result where no
// arm is of the first kind. An arm's own result may be such a pair of names.
ArrayRef MatchLowering::joinMixed(size_t k) {
  const core::Type& type = typeOf(k);
  const BufferId kept = target_.allocate(b_, nameOf(k), type.scalar, {kZero}).buffer;
  const bool is_all_kept = std::none_of(results_.begin(), results_.end(), [&](const Results& arm) {
    return isMixed(arm, k) || (isBorrowed(arm, k) && !low_.exchange_.mayTake(arm, k));
  });
  const BufferId joined = is_all_kept ? kept : b_.buffer(nameOf(k), type.scalar, target_.space);
  behindArms([&](Results& arm) {
    const BufferId to = keepOrBorrow(arm, k, kept);
    if (joined == kept) return;
    low_.aliases_.add(joined, to);
    b_.append(Rebind{joined, to});
  });
  if (joined != kept) {
    low_.aliases_.add(joined, kept);
    low_.aliases_.setOwnedPart(joined, kept);
  }
  low_.scope_->owned.push_back(kept);
  return denseArray(b_, joined, kZero, type.scalar, low_.scalars(type.shape));
}

// Memory whose ownership the arm passes on goes to `kept`. Returns the buffer that the result is
// in.
BufferId MatchLowering::keepOrBorrow(Results& arm, size_t k, BufferId kept) {
  const ArrayRef& array = arm.arrays[k];
  if (isMixed(arm, k)) {
    b_.append(Swap{kept, low_.aliases_.ownedPart(array.buffer)});
    return array.buffer;
  }
  if (isBorrowed(arm, k)) {
    if (!low_.exchange_.mayTake(arm, k)) return array.buffer;
    b_.append(Swap{kept, array.buffer});
    return kept;
  }
  const ArrayRef own = low_.ownedDense(array, arm);
  b_.append(Swap{kept, own.buffer});
  low_.release({own.buffer});
  for (ArrayRef& same : arm.arrays) {  // results in the same memory are read from there
    if (!same.isVirtual() && same.buffer == own.buffer) same.buffer = kept;
  }
  return kept;
}

}  // namespace halo::imp
