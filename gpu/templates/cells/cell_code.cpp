#include "gpu/templates/cells/cell_code.h"

#include <algorithm>
#include <unordered_set>

namespace halo::gpu {

using namespace imp;

namespace {

constexpr int64_t kWordBytes = 4;

bool isLet(const Stm& stm) {
  const auto* let = std::get_if<Let>(&stm.node);
  return let != nullptr && !std::holds_alternative<Load>(let->expr);
}

}  // namespace

const Store* storeOf(const Stm& stm) {
  const auto* test = std::get_if<If>(&stm.node);
  if (test == nullptr) return std::get_if<Store>(&stm.node);
  const Block& inside = test->then_block;
  const bool is_one = test->else_block.empty() && !inside.empty() &&
                      std::all_of(inside.begin(), inside.end() - 1, isLet);
  return is_one ? std::get_if<Store>(&inside.back().node) : nullptr;
}

bool isStraight(const CapturedCell& cell, bool is_scatter) {
  std::unordered_set<BufferId> stored;
  for (const Stm& stm : cell.block) {
    if (std::holds_alternative<If>(stm.node) && !is_scatter) return false;
    if (const Store* store = storeOf(stm)) {
      stored.insert(store->buffer);
      continue;
    }
    const auto* let = std::get_if<Let>(&stm.node);
    const Load* load = loadOf(stm);
    if (let == nullptr || (load != nullptr && stored.contains(load->buffer))) return false;
  }
  return true;
}

int64_t accessBytes(const Program& program, const CapturedCell& cell) {
  int64_t least = kWordBytes;
  auto look = [&](BufferId buffer, const Operand& index) {
    const BufferInfo& info = program.buffers[buffer];
    if (info.space != Space::kDevice || index != Operand(cell.number)) return;
    least = std::min<int64_t>(least, prim::byteSize(info.type));
  };
  for (const Stm& stm : cell.block) {
    if (const auto* store = std::get_if<Store>(&stm.node)) {
      if (store->index != Operand(cell.number)) return kWordBytes;
      look(store->buffer, store->index);
    }
    if (const Load* load = loadOf(stm)) look(load->buffer, load->index);
  }
  return least;
}

}  // namespace halo::gpu
