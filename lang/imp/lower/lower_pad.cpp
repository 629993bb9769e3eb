// A pad in memory: the array itself is copied to the middle, then the cells around it are computed
// region by region. Axis k has two of them, where the axes before k are inside:
//
//   0 0 0 0 0
//   0 0 0 0 0      0: axis 0 outside
//   1 x x x 1      1: axis 0 inside, axis 1 outside
//   0 0 0 0 0
#include "lang/imp/lower/boundary.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

void Lowering::lower(const core::Stm& stm, const core::Pad& node) {
  const ArrayRef source = array(node.array);
  ArrayRef target = destinations_.output(stm.results[0]);
  std::vector<std::pair<Operand, Operand>> region;
  Operands indices;
  const std::function<void()> fill = [&] {
    auto [lo, hi] = region[indices.size()];
    const bool innermost = indices.size() + 1 == region.size();
    loop("i", lo, hi, innermost, [&](Operand i) {
      indices.push_back(i);
      if (innermost) {
        storeElement(b_, target, indices, padElement(b_, core_, env_, node, indices));
      } else {
        fill();
      }
      indices.pop_back();
    });
  };
  for (const Operand& extent : target.shape) region.emplace_back(kZero, extent);
  ArrayRef middle = target;
  middle.dense = false;
  for (size_t axis = 0; axis < node.dims.size(); ++axis) {
    Operand before = scalar(node.dims[axis].before);
    Operand end = b_.add(before, source.shape[axis]);
    middle.offset = b_.add(middle.offset, b_.mul(before, target.strides[axis]));
    middle.shape[axis] = source.shape[axis];
    region[axis] = {kZero, before};
    if (before != kZero) fill();
    region[axis] = {end, target.shape[axis]};
    if (scalar(node.dims[axis].after) != kZero) fill();
    region[axis] = {before, end};
  }
  copyArray(b_, target_, middle, source);
  set(stm.results[0], target);
}

}  // namespace halo::imp
