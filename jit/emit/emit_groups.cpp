// Stores of loops in lanes that go to neighbouring elements by turns. Scattered one by one they
// cost ten times as much as vectors whose lanes are put in order.
//
//   b[2 * i] := x; b[2 * i + 1] := y        b[2 * i ..] := x0 y0 x1 y1 ..
#include <algorithm>

#include "jit/emit/emit_value.h"
#include "jit/emit/lanes.h"

namespace halo::jit {

using imp::Block;
using imp::BufferId;
using imp::Operand;
using imp::VarId;
using llvm::Value;
using prim::Op;
using prim::ScalarType;

// b[i * 2] := x, b[i * 2 + 1] := y: neighbouring elements from two vectors, or from up to four.
void LaneLoop::findGroups(const Block& block) {
  constexpr int64_t kMost = 4;
  std::unordered_map<VarId, std::pair<Operand, int64_t>> sums;  // of something and a constant
  std::vector<std::vector<const imp::Store*>> open;
  auto close = [&](auto&& ends) {
    for (const auto& group : open) {
      if (!ends(group) || group.size() < 2) continue;
      groups_[group.back()] = group;
      waiting_.insert(group.begin(), group.end() - 1);
    }
    std::erase_if(open, ends);
  };
  auto isOf = [](BufferId buffer) {
    return [buffer](const auto& group) { return group[0]->buffer == buffer; };
  };
  auto follows = [&](const imp::Store& store, const std::vector<const imp::Store*>& group) {
    auto sum = store.index.isConstant() ? sums.end() : sums.find(store.index.var);
    const auto next = static_cast<int64_t>(group.size());
    return sum != sums.end() && next < kMost && group[0]->buffer == store.buffer &&
           sum->second == std::pair(group[0]->index, next);
  };
  for (const imp::Stm& stm : block) {
    if (const auto* let = std::get_if<imp::Let>(&stm.node)) {
      if (const auto* load = std::get_if<imp::Load>(&let->expr)) close(isOf(load->buffer));
      const auto* sum = std::get_if<imp::Prim>(&let->expr);
      const bool adds = sum != nullptr && sum->op == Op::kAdd && sum->type == ScalarType::kI64;
      if (adds && sum->args[1].isConstant()) {
        sums.insert_or_assign(let->var, std::pair(sum->args[0], sum->args[1].constant.asSigned()));
      }
    } else if (const auto* store = std::get_if<imp::Store>(&stm.node)) {
      auto group = std::find_if(open.begin(), open.end(),
                                [&](const auto& one) { return follows(*store, one); });
      if (group != open.end()) {
        group->push_back(store);
        continue;
      }
      close(isOf(store->buffer));
      const bool alone = f_.info(store->buffer).noalias && store->stream == Operand::ofI64(0);
      if (alone) open.push_back({store});
    } else if (!std::holds_alternative<imp::Declare>(stm.node)) {
      close([](const auto&) { return true; });
    }
  }
  close([](const auto&) { return true; });
}

Value* LaneLoop::storedValue(const imp::Store& n) {
  Value* value = lanes(n.value);
  if (f_.info(n.buffer).type != ScalarType::kBool) return value;
  return ir_.CreateZExt(value, vectorOf(ir_.getInt8Ty()));
}

// Where the stores go in steps of their number, all are one access.
bool LaneLoop::storeGroup(const std::vector<const imp::Store*>& group) {
  const imp::Store& first = *group[0];
  auto line = linear(first.index);
  if (isLaneArray(first.buffer) || !line) return false;
  if (line->step != static_cast<int64_t>(group.size())) return false;
  const auto width = static_cast<int>(width_), count = static_cast<int>(group.size());
  auto joined = [&](size_t k) {  // vectors k and k + 1
    Value* left = storedValue(*group[k]);
    Value* right = k + 1 < group.size() ? storedValue(*group[k + 1]) : left;
    std::vector<int> both;
    for (int l = 0; l < 2 * width; l++) both.push_back(l);
    return ir_.CreateShuffleVector(left, right, both);
  };
  std::vector<int> by_turns, again;
  for (int l = 0; l < width * count; l++) {
    by_turns.push_back(l % count * width + l / count);
    again.push_back(l / count);
  }
  Value* front = joined(0);
  Value* back = count > 2 ? joined(2) : front;
  Value* all = ir_.CreateShuffleVector(front, back, by_turns);
  llvm::Type* element = memoryType(f_.context_, f_.info(first.buffer).type);
  Value* at = ir_.CreateInBoundsGEP(element, f_.pointer(first.buffer), line->first);
  const llvm::Align align(static_cast<uint64_t>(prim::byteSize(f_.info(first.buffer).type)));
  llvm::Instruction* done = nullptr;
  if (mask_ == nullptr) {
    done = ir_.CreateAlignedStore(all, at, align);
  } else {
    done = ir_.CreateMaskedStore(all, at, align, ir_.CreateShuffleVector(mask_, again));
  }
  f_.annotate(done, first.buffer);
  return true;
}

void LaneLoop::stm(const imp::Store& n) {
  if (waiting_.contains(&n)) return;
  auto group = groups_.find(&n);
  if (group == groups_.end()) return store(n, lanes(n.value));
  if (storeGroup(group->second)) return;
  for (const imp::Store* one : group->second) store(*one, lanes(one->value));
}

}  // namespace halo::jit
