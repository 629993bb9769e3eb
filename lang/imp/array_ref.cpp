// Array values (declared in lower_body.h): index functions, elements, sizes, copies.
#include <algorithm>

#include "lang/core/visit.h"
#include "lang/imp/lower/lowering.h"
#include "lang/imp/schedule/transposed_tiles.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

Operand indexOf(Builder& b, const ArrayRef& array, const Operands& indices) {
  Operand index = array.offset;
  for (size_t k = 0; k < indices.size(); ++k) {
    index = b.add(index, b.mul(indices[k], array.strides[k]));
  }
  return index;
}

}  // namespace

Operand saturatingCount(Builder& b, const Operands& shape) {
  Operand count = kOne;
  for (const Operand& size : shape) {
    const Operand extent =
        size.isConstant() ? Operand::ofI64(std::max<int64_t>(size.constant.asSigned(), 0)) : size;
    if (count.isConstant() && extent.isConstant()) {
      int64_t product = 0;
      const bool wraps =
          __builtin_mul_overflow(count.constant.asSigned(), extent.constant.asSigned(), &product);
      count = Operand::ofI64(wraps ? INT64_MAX : product);
      continue;
    }
    const Operand& known = count.isConstant() ? count : extent;
    if (known == kZero || known == kOne) {
      count = b.mul(count, extent);
      continue;
    }
    Operand product = b.mul(count, extent);
    Operand high = b.prim(Op::kMulHi, ScalarType::kI64, {count, extent});
    Operand fits = b.prim(Op::kEq, ScalarType::kI64, {high, kZero});
    Operand positive = b.prim(Op::kLe, ScalarType::kI64, {kZero, product});
    Operand good = b.prim(Op::kAnd, ScalarType::kBool, {fits, positive});
    // A negative size was moved here from behind its assert, which will fail: nothing is needed.
    Operand negative = b.prim(Op::kLt, ScalarType::kI64, {high, kZero});
    Operand huge = Operand::ofI64(INT64_MAX);
    Operand other = b.let("other", ScalarType::kI64, Select{negative, kZero, huge});
    count = b.let("count", ScalarType::kI64, Select{good, product, other});
  }
  return count;
}

Operand elementCount(Builder& b, const Operands& shape) {
  Operand count = kOne;
  for (const Operand& extent : shape) count = b.mul(count, extent);
  return count;
}

ArrayRef denseArray(Builder& b, BufferId buffer, Operand offset, ScalarType type, Operands shape,
                    Operand pitch) {
  ArrayRef array;
  array.buffer = buffer;
  array.offset = offset;
  array.type = type;
  array.dense = true;
  array.pitch = pitch;
  array.strides.resize(shape.size(), pitch);
  for (size_t k = shape.size(); k-- > 1;) {
    array.strides[k - 1] = b.mul(array.strides[k], shape[k]);
  }
  array.shape = std::move(shape);
  return array;
}

ArrayRef prefixView(Builder& b, const ArrayRef& array, const Operands& indices) {
  ArrayRef view = array;
  auto count = static_cast<ptrdiff_t>(indices.size());
  view.shape.erase(view.shape.begin(), view.shape.begin() + count);
  if (array.isVirtual()) {
    view.generate = [whole = array.generate, indices](Builder& inner, const Operands& rest) {
      Operands all = indices;
      all.insert(all.end(), rest.begin(), rest.end());
      return whole(inner, all);
    };
    return view;
  }
  view.offset = indexOf(b, array, indices);
  view.strides.erase(view.strides.begin(), view.strides.begin() + count);
  return view;
}

Operand loadElement(Builder& b, const ArrayRef& array, const Operands& indices) {
  if (array.isVirtual()) return array.generate(b, indices);
  return b.load(array.buffer, indexOf(b, array, indices));
}

void storeElement(Builder& b, const ArrayRef& array, const Operands& indices, Operand value) {
  HALO_CHECK(!array.isVirtual(), "store into a virtual array");
  Operand at = indexOf(b, array, indices);
  b.store(array.buffer, at, value, array.stream);
}

void bindElement(Builder& b, const core::Program& core, Environment& environment, ValueId param,
                 const ArrayRef& array, const Operands& indices) {
  if (core.type(param).isScalar()) {
    environment.scalars[param] = loadElement(b, array, indices);
  } else {
    environment.arrays[param] = prefixView(b, array, indices);
  }
}

namespace {

// Loops over the axes of `to`, from the outermost in. The elements of `from` that are neighbours in
// memory never have a larger stride than in the loop around the innermost.
class ElementCopy {
 public:
  ElementCopy(Builder& b, const LoweringTarget& target, const ArrayRef& to, const ArrayRef& from,
              bool alone)
      : b_(b),
        target_(target),
        to_(to),
        from_(from),
        may_share_(alone && target.parallel && target.vectorise),
        indices_(to.shape.size()) {
    if (alone && target.vectorise) to_.stream = elementCount(b, to.shape);
    const Operand& count = to_.stream;
    if (count.isConstant() && count.constant.asSigned() < kNeverStreamed) to_.stream = kZero;
    for (size_t k = 0; k < to.shape.size(); ++k) order_.push_back(k);
    if (order_.size() < 3 || !target.vectorise || from.isVirtual()) return;
    auto dense = std::find(from.strides.begin(), from.strides.end(), kOne);
    if (dense == from.strides.end() || dense + 1 == from.strides.end()) return;
    const auto axis = dense - from.strides.begin();
    std::rotate(order_.begin() + axis, order_.begin() + axis + 1, order_.end() - 1);
  }

  void run(size_t depth = 0) {
    const size_t axis = order_[depth];
    const bool innermost = depth + 1 == order_.size();
    const VarId i = b_.program().addVar("i", ScalarType::kI64);
    indices_[axis] = i;
    Block body = b_.capture([&] {
      if (!innermost) return run(depth + 1);
      Operand value = loadElement(b_, from_, indices_);
      storeElement(b_, to_, indices_, value);
    });
    const bool shared = depth == 0 && may_share_;
    const Operand& count = to_.shape[axis];
    const std::vector<VarId> transposed =
        depth + 2 == order_.size() ? transposedLoads(b_.program(), body, i) : std::vector<VarId>();
    if (!transposed.empty()) {
      For loop{i, kZero, count, Schedule::kVector, kVectorWidth, std::move(body)};
      return appendTransposedTiles(b_, std::move(loop), transposed, shared);
    }
    const bool vector = innermost && target_.vectorise;
    const Schedule single = vector ? Schedule::kVector : Schedule::kSequential;
    const bool parallel = shared || target_.space == Space::kShared;
    b_.append(For{i, kZero, count, parallel ? Schedule::kParallel : single,
                  vector ? kVectorWidth : 1, std::move(body)});
  }

 private:
  Builder& b_;
  const LoweringTarget& target_;
  ArrayRef to_;
  const ArrayRef& from_;
  bool may_share_;
  Operands indices_;
  std::vector<size_t> order_;  // of the axes
};

}  // namespace

namespace {

void copyAny(Builder& b, const LoweringTarget& target, const ArrayRef& to, const ArrayRef& from,
             bool alone) {
  if (target.can_rebind && to.dense && from.dense && !from.isVirtual()) {
    b.append(CopyBuffer{to.buffer, to.offset, from.buffer, from.offset, elementCount(b, to.shape)});
  } else if (to.shape.empty()) {
    storeElement(b, to, {}, loadElement(b, from, {}));
  } else {
    ElementCopy(b, target, to, from, alone).run();
  }
}

}  // namespace

void copyArray(Builder& b, const LoweringTarget& target, const ArrayRef& to, const ArrayRef& from) {
  copyAny(b, target, to, from, false);
}
void copyAlone(Builder& b, const LoweringTarget& target, const ArrayRef& to, const ArrayRef& from) {
  copyAny(b, target, to, from, true);
}

}  // namespace halo::imp
