#include "lang/imp/schedule/blocked_steps.h"

#include <algorithm>
#include <bit>

namespace halo::imp {

using core::ValueId;

namespace {

int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

int64_t Lowering::Steps::columnsBefore() const {
  return roundUp(haloOf(2) + plan.reach[2], kLineCells);
}

ArrayRef Lowering::Steps::inRing(Builder& b, ArrayRef array, BufferId ring, Operand of_step) const {
  array.buffer = ring;
  array.dense = false;
  array.offset = b.mul(of_step, Operand::ofI64(ring_rows * ring_row));
  if (plan.rank() == 3) {
    Operand lines = b.sub(begin[1], Operand::ofI64(haloOf(1)));
    array.offset = b.sub(array.offset, b.mul(lines, Operand::ofI64(ring_line)));
  }
  Operand columns = b.sub(begin[2], Operand::ofI64(columnsBefore()));
  array.offset = b.sub(array.offset, columns);
  array.strides = {kOne};
  if (plan.rank() == 3) array.strides.insert(array.strides.begin(), Operand::ofI64(ring_line));
  if (plan.rank() > 1) array.strides.insert(array.strides.begin(), Operand::ofI64(ring_row));
  return array;
}

bool Lowering::Steps::isCarried(size_t of_stage, size_t result) const {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    return !field.over && field.stage == of_stage && field.result == result;
  });
}

int64_t Lowering::Steps::mostBehind() const {
  int64_t most = plan.handsOver() ? 2 : 1;
  for (size_t s = 0; s < plan.stages(); ++s) {
    const core::Stencil& node = plan.stencil(s);
    auto reads = [&](ValueId array) {
      return std::count(node.inputs.begin(), node.inputs.end(), array) > 0 ||
             std::any_of(node.windows.begin(), node.windows.end(),
                         [&](const core::Window& window) { return window.array == array; });
    };
    const auto reader = static_cast<int64_t>(s);
    for (const Field& field : fields) {
      const auto maker = static_cast<int64_t>(field.stage);
      if (!field.over && reads(field.param)) most = std::max(most, stages() + reader - maker);
    }
    for (size_t maker = 0; maker < s; ++maker) {
      const std::vector<ValueId>& made = plan.stm(maker).results;
      if (std::any_of(made.begin(), made.end(), reads)) {
        most = std::max(most, reader - static_cast<int64_t>(maker));
      }
    }
  }
  return most;
}

void Lowering::Steps::sizeRings() {
  const int64_t rows = (mostBehind() + 1) * plan.reach[0] + rows_at_once;
  ring_rows = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(rows)));
  ring_line = roundUp(plan.tile[2] + 2 * columnsBefore(), kLineCells);
  ring_row = ring_line * (plan.tile[1] + 2 * haloOf(1));
}

}  // namespace halo::imp
