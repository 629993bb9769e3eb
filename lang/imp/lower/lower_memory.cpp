// Lifetimes of memory: arrays own buffers or share them. A buffer is released behind the last use
// of any value that refers to it.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/imp/lower/lowering.h"
#include "lang/imp/schedule/transposed_tiles.h"
#include "lang/value/limits.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

// Rows that are too long, or less than empty, fail where the first of them is made. No row counts
// as one of no elements here.
Operands possibleRows(Builder& b, const Operands& shape) {
  Operands possible = shape;
  for (size_t axis = 1; axis < shape.size(); ++axis) {
    if (shape[axis].isConstant()) {
      const int64_t extent = shape[axis].constant.asSigned();
      if (extent < 0 || extent > value::kMaxElements) possible[axis] = kZero;
      continue;
    }
    const Operand most = Operand::ofI64(value::kMaxElements);
    const Operand cut = b.prim(Op::kAnd, ScalarType::kI64, {shape[axis], most});
    const Operand fits = b.prim(Op::kEq, ScalarType::kI64, {cut, shape[axis]});
    possible[axis] = b.let("row", ScalarType::kI64, Select{fits, shape[axis], kZero});
  }
  return possible;
}

// As the interpreter has it: no array has more than kMaxElements.
void checkSize(Builder& b, Span span, const Operands& extents, const Operands& shape) {
  static_assert((value::kMaxElements & (value::kMaxElements + 1)) == 0);
  Operand count = Operand::ofI64(1);
  for (const Operand& extent : extents) {
    int64_t known = 0;
    if (count.isConstant() && extent.isConstant() &&
        !__builtin_mul_overflow(count.constant.asSigned(), extent.constant.asSigned(), &known) &&
        known <= value::kMaxElements) {
      count = Operand::ofI64(known);
      continue;
    }
    const Operand product = b.prim(Op::kMul, ScalarType::kI64, {count, extent});
    const Operand high = b.prim(Op::kMulHi, ScalarType::kI64, {count, extent});
    const Operand above =
        b.prim(Op::kAnd, ScalarType::kI64, {product, Operand::ofI64(~value::kMaxElements)});
    const Operand excess = b.prim(Op::kOr, ScalarType::kI64, {high, above});
    const Operand overflows = b.prim(Op::kNe, ScalarType::kI64, {excess, kZero});
    b.ifThenElse(overflows, [&] { b.fail(diag::Code::size_overflow, span, shape); });
    count = product;
  }
}

}  // namespace

bool sameMemory(const ArrayRef& a, const ArrayRef& b) {
  return !a.isVirtual() && !b.isVirtual() && a.buffer == b.buffer && a.offset == b.offset &&
         a.strides == b.strides;
}

bool isPlain(const ArrayRef& array) {
  return !array.isVirtual() && array.dense && array.offset == kZero;
}

bool Scope::owns(BufferId buffer) const {
  return std::find(owned.begin(), owned.end(), buffer) != owned.end();
}

bool Scope::isBehind(ValueId value) const {
  const auto last = last_use.find(value);
  return last == last_use.end() || last->second <= position;
}

const ArrayRef& Lowering::array(ValueId value) const {
  auto found = env_.arrays.find(value);
  HALO_CHECK(found != env_.arrays.end(), "array without a value");
  return found->second;
}

void Lowering::set(ValueId value, ArrayRef array) {
  array.stream = Operand::ofI64(0);
  env_.arrays[value] = std::move(array);
  scope_->live.push_back(value);
}

ArrayRef Lowering::fresh(const std::string& name, ScalarType type, Operands shape) {
  ArrayRef array;
  if (target_.check_sizes) {
    const Operands possible = possibleRows(b_, shape);
    checkSize(b_, span_, possible, shape);
    array = target_.allocate(b_, name, type, possible);
    array.shape = std::move(shape);
  } else {
    array = target_.allocate(b_, name, type, shape);
  }
  scope_->owned.push_back(array.buffer);
  return array;
}

void Lowering::copyTo(const ArrayRef& to, const ArrayRef& from) {
  const bool is_alone = independent_ == 0 && !in_lanes_;
  (is_alone ? copyAlone : copyArray)(b_, target_, to, from);
}

ArrayRef Lowering::real(const ArrayRef& array) {
  if (!array.isVirtual()) return array;
  ArrayRef copy = fresh("made", array.type, array.shape);
  copyTo(copy, array);
  return copy;
}

ArrayRef Lowering::dense(const ArrayRef& array) {
  if (!array.isVirtual() && array.dense) return array;
  ArrayRef copy = fresh("dense", array.type, array.shape);
  copyTo(copy, array);
  return copy;
}

ArrayRef Lowering::ownedDense(const ArrayRef& array, Results& from) {
  auto owner = std::find(from.owned.begin(), from.owned.end(), array.buffer);
  if (!array.isVirtual() && array.dense && array.offset == Operand::ofI64(0) &&
      owner != from.owned.end()) {
    from.owned.erase(owner);
    return array;
  }
  ArrayRef copy = target_.allocate(b_, "result", array.type, array.shape);
  copyTo(copy, array);
  return copy;
}

// Only this statement, and by this name only, reads the memory of the array from now on. The memory
// belongs to the body at hand.
bool Lowering::isLastUse(ValueId value, const core::Stm& stm) const {
  const ArrayRef& whole = array(value);
  if (!isPlain(whole) || !scope_->owns(whole.buffer)) return false;
  const std::unordered_set<ValueId> used = core::freeValues(core_, stm);
  return std::all_of(scope_->live.begin(), scope_->live.end(),
                     [&](ValueId other) {
                       const ArrayRef& rest = array(other);
                       const bool is_part =
                           rest.buffer.valid() && aliases_.mayBe(rest.buffer, whole.buffer);
                       if (other == value || !is_part) return true;
                       return scope_->isBehind(other) && !used.contains(other);
                     }) &&
         scope_->last_use.at(value) <= scope_->position;
}

void Lowering::release(const std::vector<BufferId>& buffers) {
  if (!target_.release) return;
  for (BufferId buffer : buffers) target_.release(b_, buffer);
}

// Values whose last use is behind us die, and with them the memory that only they touched.
void Lowering::releaseDead() {
  Scope& scope = *scope_;
  size_t before = scope.live.size();
  std::erase_if(scope.live, [&](ValueId value) { return scope.isBehind(value); });
  if (scope.live.size() == before) return;
  auto isTouched = [&](BufferId buffer) {
    return std::any_of(scope.live.begin(), scope.live.end(), [&](ValueId value) {
      const ArrayRef& array = env_.arrays.at(value);
      return array.buffer.valid() && aliases_.mayBe(array.buffer, buffer);
    });
  };
  std::erase_if(scope.owned, [&](BufferId buffer) {
    if (isTouched(buffer)) return false;
    release({buffer});
    return true;
  });
}

// ---- arrays of any size

ArrayRef inRoom(Builder& b, const ArrayRef& room, Operands shape) {
  return denseArray(b, room.buffer, room.offset, room.type, std::move(shape), room.pitch);
}

void Lowering::keepIn(const ArrayRef& room, const ArrayRef& array) {
  target_.room->check(b_, saturatingCount(b_, array.shape));
  copyArray(b_, target_, inRoom(b_, room, array.shape), array);
}

}  // namespace halo::imp
