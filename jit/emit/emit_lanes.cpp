// Statements of a loop body for all lanes at once; those that do not differ between lanes are left
// to the function around. And the number of lanes.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "jit/emit/emit_value.h"
#include "jit/emit/lane_size.h"
#include "jit/emit/lanes.h"
#include "lang/imp/walk.h"

namespace halo::jit {

using imp::Block;
using imp::Operand;
using llvm::Value;
using prim::Op;
using prim::ScalarType;

namespace {

constexpr int kChosenWidth = 16;          // up to here the width is a hint
constexpr size_t kTinyLoop = 10;          // columns of sums: longer pieces of each row
constexpr size_t kFewStatements = 40;     // four vectors of each value stay in registers
constexpr size_t kSomeStatements = 90;    // two do
constexpr size_t kManyStatements = 1500;  // more cost too much time to compile
constexpr size_t kRegisters = 28;         // vectors that bodies without loops may keep

}  // namespace

LaneLoop::LaneLoop(FunctionEmitter& function, const imp::For& loop)
    : f_(function), ir_(function.ir_), loop_(loop) {
  loop_.body = inOrderOfUse(f_.program_, loop.body);
  findUsed();
  findArrays();
  findVarying();
  const BodySize size = sizeOf(f_.program_, loop_.body);
  const int widest = isMostlyNarrow() ? 4 : size.widest;
  lanes_ = kVectorBytes / static_cast<unsigned>(std::max(widest, 4));
  width_ = laneCount();
  llvm::StringRef features = f_.target_->getFnAttribute("target-features").getValueAsString();
  if (features.contains("+avx512dq")) extrema_ = quietExtrema(loop_.body);
}

// Four vectors of each value hide the latency of one, if there are registers for that. Stores past
// the caches are best when eight lines are written by turns: four rows at once write two each.
size_t LaneLoop::vectorsAtOnce() const {
  constexpr size_t kLines = 8;
  const auto streams = static_cast<size_t>(
      std::count_if(loop_.body.begin(), loop_.body.end(), [](const imp::Stm& stm) {
        const auto* store = std::get_if<imp::Store>(&stm.node);
        return store != nullptr && store->stream != Operand::ofI64(0);
      }));
  const size_t most = vectorsInRegisters();
  return streams == 0 ? most : std::min(most, std::max<size_t>(kLines / streams, 1));
}

size_t LaneLoop::vectorsInRegisters() const {
  const BodySize size = sizeOf(f_.program_, loop_.body);
  if (size.has_loops && size.statements <= kTinyLoop) return 8;
  if (size.statements <= kFewStatements) return 4;
  size_t fit = kRegisters / std::max<size_t>(liveVectors(f_.program_, loop_.body, varying_), 1);
  if (!size.has_loops && size.statements <= kManyStatements && fit >= 2) {
    return fit >= 4 ? 4 : 2;
  }
  return size.statements <= kSomeStatements ? 2 : 1;
}

// A few numbers of 64 bits, such as indices, among many of 32: those fill the registers.
bool LaneLoop::isMostlyNarrow() const {
  size_t narrow = 0, wide = 0;
  bool appends = false;  // presses whole registers
  imp::forEachStm(loop_.body, [&](const imp::Stm& stm) {
    appends |= std::holds_alternative<imp::Append>(stm.node);
  });
  if (appends) return false;
  for (const imp::Stm& stm : loop_.body) {
    const auto* let = std::get_if<imp::Let>(&stm.node);
    if (let == nullptr || !varying_.contains(let->var)) continue;
    const auto* prim = std::get_if<imp::Prim>(&let->expr);
    const bool is_sum =
        prim != nullptr && (prim->op == Op::kAdd || prim->op == Op::kSub || prim->op == Op::kMul);
    const ScalarType type = f_.program_.vars[let->var].type;
    if (type == ScalarType::kI64 && is_sum) continue;
    wide += prim::byteSize(type) == 8 ? 1 : 0;
    narrow += prim::byteSize(type) == 4 ? 1 : 0;
  }
  return narrow > 4 * wide;
}

// Values that change lanes: all iterations are one vector.
bool LaneLoop::exchanges() const {
  return std::any_of(loop_.body.begin(), loop_.body.end(), [](const imp::Stm& stm) {
    const auto* let = std::get_if<imp::Let>(&stm.node);
    return let != nullptr && std::holds_alternative<imp::Shuffle>(let->expr);
  });
}

unsigned LaneLoop::laneCount() const {
  if (exchanges()) return static_cast<unsigned>(loop_.hi.constant.asSigned());
  if (loop_.vector_width > kChosenWidth) return static_cast<unsigned>(loop_.vector_width);
  unsigned count = lanes_ * static_cast<unsigned>(vectorsAtOnce());
  while (loop_.at_most && count > lanes_ && count > static_cast<unsigned>(loop_.vector_width)) {
    count /= 2;
  }
  if (!loop_.lo.isConstant() || !loop_.hi.isConstant()) return count;
  auto trips = static_cast<uint64_t>(
      std::max<int64_t>(loop_.hi.constant.asSigned() - loop_.lo.constant.asSigned(), 1));
  while (count > lanes_ && count > trips) count /= 2;
  return count;
}

// ---- statements

void LaneLoop::block(const Block& block) {
  findGroups(block);
  for (const imp::Stm& s : block) {
    std::visit([&](const auto& node) { stm(node); }, s.node);
  }
}

void LaneLoop::stm(const imp::Let& n) {
  if (!varying_.contains(n.var)) return f_.stm(n);
  const auto* load = std::get_if<imp::Load>(&n.expr);
  if (load != nullptr && !used_.contains(n.var)) return fetch(*load);
  const auto extremum = extrema_.find(n.var);
  if (auto given = given_.find(n.var); given != given_.end()) {
    values_[n.var] = given->second;
  } else if (extremum != extrema_.end() && fillsRegisters(f_.typeOf(n.var))) {
    const auto& [is_max, x, y] = extremum->second;
    Value* left = lanes(x);
    values_[n.var] = emitRange(ir_, is_max, left, lanes(y));
  } else if (auto line = linear(n.expr)) {
    linear_[n.var] = *line;
  } else {
    values_[n.var] = expr(n.expr);
  }
}

void LaneLoop::stm(const imp::Declare& n) {
  if (!varying_.contains(n.var)) return f_.stm(n);
  Value* initial = lanes(n.initial);
  llvm::AllocaInst*& slot = mutables_[n.var];
  if (slot == nullptr) slot = f_.entryAlloca(vectorOf(f_.typeOf(n.var)), f_.nameOf(n.var));
  ir_.CreateStore(initial, slot);
}

void LaneLoop::stm(const imp::Assign& n) {
  if (!varying_.contains(n.var)) return f_.stm(n);
  Value* value = lanes(n.value);
  llvm::AllocaInst* slot = mutables_.at(n.var);
  if (mask_ != nullptr) {
    Value* old = ir_.CreateLoad(slot->getAllocatedType(), slot);
    value = ir_.CreateSelect(mask_, value, old);
  }
  ir_.CreateStore(value, slot);
}

bool LaneLoop::fillsRegisters(llvm::Type* type) const {
  return type->getScalarSizeInBits() / 8 * width_ % kVectorBytes == 0;
}

void LaneLoop::store(const imp::Store& n, Value* value) {
  ScalarType scalar = f_.info(n.buffer).type;
  if (scalar == ScalarType::kBool) value = ir_.CreateZExt(value, vectorOf(ir_.getInt8Ty()));
  llvm::Align align(static_cast<uint64_t>(prim::byteSize(scalar)));
  llvm::Instruction* done = nullptr;
  auto line = linear(n.index);
  Value* at = nullptr;
  if (isLaneArray(n.buffer) && !varies(n.index)) {
    at = laneRow(n.buffer, n.index);
  } else if (!isLaneArray(n.buffer) && line && line->step == 1) {
    at = ir_.CreateInBoundsGEP(memoryType(f_.context_, scalar), f_.pointer(n.buffer), line->first);
  }
  if (at == nullptr) {
    done = ir_.CreateMaskedScatter(value, addresses(n.buffer, n.index), align, maskOrAll());
  } else if (mask_ == nullptr && streams_ != nullptr && n.stream != Operand::ofI64(0)) {
    return streamStore(n, value, at);
  } else if (mask_ == nullptr) {
    done = ir_.CreateAlignedStore(value, at, align);
  } else {
    done = ir_.CreateMaskedStore(value, at, align, mask_);
  }
  f_.annotate(done, n.buffer);
}

// The first lane that fails reports.
void LaneLoop::stm(const imp::Fail& n) {
  llvm::Type* bits = ir_.getIntNTy(width_);
  Value* first = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz,
                                           ir_.CreateBitCast(maskOrAll(), bits), ir_.getFalse());
  Value* lane = ir_.CreateZExtOrTrunc(first, ir_.getInt64Ty());
  std::vector<Value*> operands;
  for (const Operand& o : n.operands) operands.push_back(ir_.CreateExtractElement(lanes(o), lane));
  f_.fail(n.site, operands);
}

}  // namespace halo::jit
