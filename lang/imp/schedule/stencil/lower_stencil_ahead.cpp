// Rows that the next iterations of a stencil read, loaded ahead: the loaded value has no use, its
// line only comes nearer. The hardware follows a row by itself, but begins anew with each page.
#include <iterator>

#include "lang/imp/schedule/stencil/sweep.h"

namespace halo::imp {

using core::ValueId;

namespace {

// Where the next `count` rows of an array begin, seen from a row of it, or its last row.
Operands rowsBehind(Builder& b, const ArrayRef& source, const Operands& position,
                    const Operands& extents, std::vector<int64_t> far, int64_t count) {
  Operands begins;
  for (int64_t k = 0; k < count; ++k) {
    ++far.back();
    Operand begin = source.offset;
    for (size_t axis = 0; axis < far.size(); ++axis) {
      Operand row = b.add(position[axis], Operand::ofI64(far[axis]));
      row = b.max(kZero, b.min(row, b.sub(extents[axis], Operand::ofI64(1))));
      begin = b.add(begin, b.mul(row, source.strides[axis]));
    }
    begins.push_back(begin);
  }
  return begins;
}

}  // namespace

void Lowering::Sweep::fetch(const std::vector<NextRows>& next, Operand x) const {
  for (const NextRows& array : next) {
    for (const Operand& begin : array.begins) b_.load(array.buffer, b_.add(begin, x));
  }
}

// Of every array that the stencil reads: behind the farthest of the rows at hand, of which there
// are `count`.
std::vector<Lowering::Sweep::NextRows> Lowering::Sweep::nextRows(int64_t count) const {
  std::vector<NextRows> next;
  const size_t outer = position.size();
  if (outer == 0 || columns) return next;
  auto add = [&](const ArrayRef& source, const std::vector<int64_t>& far) {
    if (source.isVirtual() || source.strides[outer] != Operand::ofI64(1)) return;
    next.push_back({source.buffer, rowsBehind(b_, source, position, extents, far, count)});
  };
  for (size_t w = 0; w < node.windows.size(); ++w) {
    auto behind = rows.upper_bound({w + 1, {}});  // no offset is less than none
    if (behind == rows.begin()) continue;
    const auto& [window, far] = std::prev(behind)->first;
    if (window == w) add(low_.array(node.windows[w].array), far);
  }
  std::vector<int64_t> own(outer);
  own.back() = count - 1;
  for (ValueId input : node.inputs) add(low_.array(input), own);
  return next;
}

}  // namespace halo::imp
