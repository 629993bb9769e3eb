// Stores of loops in lanes that go to neighbouring elements alternately. Scattered one by one they
// cost ten times as much as vectors whose lanes are put in order.
//
//   b[2 * i] := x; b[2 * i + 1] := y        b[2 * i ..] := x0 y0 x1 y1 ..
#include <algorithm>
#include <functional>

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

namespace {

using Group = std::vector<const imp::Store*>;

// b[i * 2] := x, b[i * 2 + 1] := y: neighbouring elements from two vectors, or from up to four.
class GroupFinder {
 public:
  GroupFinder(const imp::Program& program, const std::function<void(const Group&)>& found)
      : program_(program), found_(found) {}

  void run(const Block& block) {
    for (const imp::Stm& stm : block) {
      if (const auto* let = std::get_if<imp::Let>(&stm.node)) {
        visit(*let);
      } else if (const auto* store = std::get_if<imp::Store>(&stm.node)) {
        visit(*store);
      } else if (!std::holds_alternative<imp::Declare>(stm.node)) {
        closeAll();
      }
    }
    closeAll();
  }

 private:
  static constexpr size_t kMax = 4;

  void visit(const imp::Let& let) {
    if (const auto* load = std::get_if<imp::Load>(&let.expr)) closeThoseOf(load->buffer);
    const auto* sum = std::get_if<imp::Prim>(&let.expr);
    const bool adds = sum != nullptr && sum->op == Op::kAdd && sum->type == ScalarType::kI64;
    if (adds && sum->args[1].isConstant()) {
      sums_.insert_or_assign(let.var, std::pair(sum->args[0], sum->args[1].constant.asSigned()));
    }
  }

  void visit(const imp::Store& store) {
    auto group = std::find_if(open_.begin(), open_.end(),
                              [&](const Group& one) { return follows(store, one); });
    if (group != open_.end()) {
      group->push_back(&store);
      return;
    }
    closeThoseOf(store.buffer);
    const bool alone = program_.buffers[store.buffer].noalias && store.stream == Operand::ofI64(0);
    if (alone) open_.push_back({&store});
  }

  bool follows(const imp::Store& store, const Group& group) const {
    auto sum = store.index.isConstant() ? sums_.end() : sums_.find(store.index.var);
    return sum != sums_.end() && group.size() < kMax && group[0]->buffer == store.buffer &&
           sum->second == std::pair(group[0]->index, static_cast<int64_t>(group.size()));
  }

  void closeThoseOf(BufferId buffer) {
    close([&](const Group& group) { return group[0]->buffer == buffer; });
  }
  void closeAll() {
    close([](const Group&) { return true; });
  }
  void close(const std::function<bool(const Group&)>& ends) {
    for (const Group& group : open_) {
      if (group.size() > 1 && ends(group)) found_(group);
    }
    std::erase_if(open_, ends);
  }

  const imp::Program& program_;
  const std::function<void(const Group&)>& found_;
  std::unordered_map<VarId, std::pair<Operand, int64_t>> sums_;  // of something and a constant
  std::vector<Group> open_;
};

}  // namespace

void LaneLoop::findGroups(const Block& block) {
  GroupFinder(f_.program_, [&](const Group& group) {
    groups_[group.back()] = group;
    waiting_.insert(group.begin(), group.end() - 1);
  }).run(block);
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
    for (int l = 0; l < 2 * width; ++l) both.push_back(l);
    return ir_.CreateShuffleVector(left, right, both);
  };
  std::vector<int> by_turns, again;
  for (int l = 0; l < width * count; ++l) {
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
