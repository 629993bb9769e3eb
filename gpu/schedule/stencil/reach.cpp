// Over all windows and all their offsets.
#include "gpu/schedule/stencil/reach.h"

#include <algorithm>

namespace halo::gpu {

std::vector<Span> spansOf(const core::Stencil& stencil) {
  std::vector<Span> spans(stencil.space.size());
  for (const core::Window& window : stencil.windows) {
    for (const std::vector<int64_t>& offset : window.offsets) {
      for (size_t axis = 0; axis < offset.size(); ++axis) {
        spans[axis].lo = std::min(spans[axis].lo, offset[axis]);
        spans[axis].hi = std::max(spans[axis].hi, offset[axis]);
      }
    }
  }
  return spans;
}

int64_t reachAlong(const core::Stencil& stencil, size_t axis) {
  const Span span = spansOf(stencil)[axis];
  return std::max(-span.lo, span.hi);
}

bool isBox(const core::Stencil& stencil) {
  size_t points = 0, of_star = 1;
  for (const core::Window& window : stencil.windows) points += window.offsets.size();
  for (size_t axis = 0; axis < stencil.space.size(); ++axis) {
    of_star += 2 * static_cast<size_t>(reachAlong(stencil, axis));
  }
  return points > of_star;
}

// Cells of the first row have a neighbour in the array's first row if it lies as far back as any
// along all axes but the last. Likewise at the end.
bool hasRowsAround(const core::Stencil& stencil) {
  const std::vector<Span> spans = spansOf(stencil);
  bool has_before = false, has_behind = false;
  for (size_t axis = 0; axis + 1 < spans.size(); ++axis) {
    has_before = has_before || spans[axis].lo < 0;
    has_behind = has_behind || spans[axis].hi > 0;
  }
  auto isEnd = [&](const std::vector<int64_t>& offset, int64_t Span::*end) {
    bool is_end = true;
    for (size_t axis = 0; axis + 1 < spans.size(); ++axis) {
      is_end = is_end && offset[axis] == spans[axis].*end;
    }
    return is_end;
  };
  for (const core::Window& window : stencil.windows) {
    for (const std::vector<int64_t>& offset : window.offsets) {
      has_before = has_before && !isEnd(offset, &Span::lo);
      has_behind = has_behind && !isEnd(offset, &Span::hi);
    }
  }
  return has_before && has_behind;
}

bool hasEndsAtCells(const core::Stencil& stencil, int64_t columns) {
  const int64_t reach = reachAlong(stencil, stencil.space.size() - 1);
  return reach <= columns &&
         std::all_of(
             stencil.windows.begin(), stencil.windows.end(), [&](const core::Window& window) {
               const core::BoundaryKind kind = window.boundary.back().kind;
               return kind == core::BoundaryKind::kClamp || kind == core::BoundaryKind::kConstant ||
                      (kind == core::BoundaryKind::kMirror && reach == 1);
             });
}

bool isUniform(const core::Function& kernel, core::ValueId array) {
  for (const core::Stm& stm : kernel.body.stms) {
    if (stm.results.size() != 1 || stm.results[0] != array) continue;
    const auto* replicate = std::get_if<core::Replicate>(&stm.expr);
    return replicate != nullptr && replicate->value.isConstant();
  }
  return false;
}

std::vector<std::vector<int64_t>> alignmentOffsets(size_t rank, int64_t columns) {
  std::vector<std::vector<int64_t>> all;
  if (rank == 2) {
    for (int64_t by = 1; by < columns; ++by) all.push_back({by});
    return all;
  }
  for (int64_t plane = 1; plane < columns; plane += 2) {
    for (int64_t line = 1; line < columns; line += 2) all.push_back({plane, line});
  }
  return all;
}

}  // namespace halo::gpu
