// Loops of lanes: values, one vector each. A value that is the same in all lanes stays scalar until
// a vector uses it. One that grows by a constant from lane to lane is stored as its first lane.
#include <algorithm>

#include "jit/emit/emit_division.h"
#include "jit/emit/emit_value.h"
#include "jit/emit/lanes.h"
#include "lang/base/check.h"
#include "lang/base/match.h"

namespace halo::jit {

using imp::BufferId;
using imp::Operand;
using llvm::Value;
using prim::Op;
using prim::ScalarType;

llvm::Type* LaneLoop::vectorOf(llvm::Type* type) const {
  return llvm::FixedVectorType::get(type, width_);
}

Value* LaneLoop::splat(Value* value) {
  return value->getType()->isVectorTy() ? value : ir_.CreateVectorSplat(width_, value);
}

Value* LaneLoop::steps(Value* first, int64_t step) {
  std::vector<llvm::Constant*> offsets;
  for (unsigned l = 0; l < width_; ++l) {
    offsets.push_back(ir_.getInt64(static_cast<uint64_t>(step) * l));
  }
  return ir_.CreateAdd(splat(first), llvm::ConstantVector::get(offsets));
}

Value* LaneLoop::lanes(const Operand& operand) {
  if (!varies(operand)) return splat(f_.operand(operand));
  if (auto line = linear_.find(operand.var); line != linear_.end()) {
    return steps(line->second.first, line->second.step);
  }
  auto found = values_.find(operand.var);
  if (found != values_.end()) return found->second;
  llvm::AllocaInst* slot = mutables_.at(operand.var);
  return ir_.CreateLoad(slot->getAllocatedType(), slot);
}

std::optional<LaneLoop::Linear> LaneLoop::linear(const Operand& operand) {
  if (!varies(operand)) return Linear{f_.operand(operand), 0};
  auto found = linear_.find(operand.var);
  if (found == linear_.end()) return std::nullopt;
  return found->second;
}

// Sums of one linear value and values that are the same in all lanes.
std::optional<LaneLoop::Linear> LaneLoop::linear(const imp::Expr& expr) {
  const auto* prim = std::get_if<imp::Prim>(&expr);
  if (prim == nullptr || prim->type != ScalarType::kI64) return std::nullopt;
  if (prim->op != Op::kAdd && prim->op != Op::kSub && prim->op != Op::kMul) return std::nullopt;
  auto a = linear(prim->args[0]);
  auto b = linear(prim->args[1]);
  if (!a || !b) return std::nullopt;
  if (prim->op == Op::kAdd) return Linear{ir_.CreateAdd(a->first, b->first), a->step + b->step};
  if (prim->op == Op::kSub) return Linear{ir_.CreateSub(a->first, b->first), a->step - b->step};
  if (a->step != 0) std::swap(a, b);
  const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(a->first);
  if (factor == nullptr || a->step != 0) return std::nullopt;
  return Linear{ir_.CreateMul(a->first, b->first), b->step * factor->getSExtValue()};
}

Value* LaneLoop::maskOrAll() {
  return mask_ != nullptr ? mask_ : llvm::Constant::getAllOnesValue(vectorOf(ir_.getInt1Ty()));
}

Value* LaneLoop::anyLane(Value* mask) { return ir_.CreateOrReduce(mask); }

// A lane that does not run may hold a divisor of zero.
Value* LaneLoop::prim(const imp::Prim& n) {
  std::vector<Value*> args;
  for (const Operand& arg : n.args) args.push_back(lanes(arg));
  if (n.op == Op::kMachineDiv || n.op == Op::kMachineRem) {
    llvm::Constant* one = llvm::ConstantInt::get(args[1]->getType(), 1);
    if (mask_ != nullptr) args[1] = ir_.CreateSelect(mask_, args[1], one);
    llvm::StringRef features = f_.target_->getFnAttribute("target-features").getValueAsString();
    bool converts = features.contains("+avx512dq");  // i64 to f64 and back
    if (converts) return divideLanes(ir_, n.op, n.type, args[0], args[1]);
  }
  return emitPrim(ir_, n.op, n.type, args);
}

Value* LaneLoop::expr(const imp::Expr& e) {
  return base::match(
      e, [&](const imp::Prim& n) { return prim(n); },
      [&](const imp::Convert& n) { return emitConvert(ir_, n, lanes(n.arg)); },
      [&](const imp::Select& n) {
        Value* condition = varies(n.condition) ? lanes(n.condition) : f_.operand(n.condition);
        Value* on_true = lanes(n.on_true);
        Value* on_false = lanes(n.on_false);
        return ir_.CreateSelect(condition, on_true, on_false);
      },
      [&](const imp::Load& n) { return load(n); },
      [](const imp::BuiltInValue&) -> Value* { HALO_UNREACHABLE("a kernel's value"); },
      [&](const imp::Shuffle& n) { return shuffle(n); },
      [](const imp::Fma&) -> Value* { HALO_UNREACHABLE("a kernel's fused product"); });
}

// The values of lanes without a partner are up to us.
Value* LaneLoop::shuffle(const imp::Shuffle& n) {
  HALO_CHECK(n.kind == imp::ShuffleKind::kUp && n.lane.isConstant(), "another host shuffle");
  const auto by = static_cast<int>(n.lane.constant.bits);
  std::vector<int> from;
  for (int l = 0; l < static_cast<int>(width_); ++l) from.push_back(std::max(l - by, 0));
  return ir_.CreateShuffleVector(lanes(n.value), from);
}

// Element `index` of every lane's own array: [elements x <lanes>].
Value* LaneLoop::laneRow(BufferId buffer, const Operand& index) {
  llvm::Type* row = vectorOf(memoryType(f_.context_, f_.info(buffer).type));
  return ir_.CreateInBoundsGEP(row, arrays_.at(buffer), f_.operand(index));
}

// Of the element in each lane.
Value* LaneLoop::addresses(BufferId buffer, const Operand& index) {
  Value* at = lanes(index);
  llvm::Type* type = memoryType(f_.context_, f_.info(buffer).type);
  Value* i64 = ir_.CreateZExtOrTrunc(at, vectorOf(ir_.getInt64Ty()));
  if (!isLaneArray(buffer)) return ir_.CreateInBoundsGEP(type, f_.pointer(buffer), i64);
  Value* rows = ir_.CreateMul(i64, splat(ir_.getInt64(width_)));
  return ir_.CreateInBoundsGEP(type, arrays_.at(buffer),
                               ir_.CreateAdd(rows, steps(ir_.getInt64(0), 1)));
}

Value* LaneLoop::load(const imp::Load& n) {
  ScalarType scalar = f_.info(n.buffer).type;
  llvm::Type* type = vectorOf(memoryType(f_.context_, scalar));
  llvm::Align align(static_cast<uint64_t>(prim::byteSize(scalar)));
  llvm::Instruction* found = nullptr;
  auto line = linear(n.index);
  if (isLaneArray(n.buffer) && !varies(n.index)) {
    found = ir_.CreateAlignedLoad(type, laneRow(n.buffer, n.index), align);
  } else if (!isLaneArray(n.buffer) && line && line->step == 1) {
    Value* at =
        ir_.CreateInBoundsGEP(memoryType(f_.context_, scalar), f_.pointer(n.buffer), line->first);
    found = mask_ == nullptr
                ? static_cast<llvm::Instruction*>(ir_.CreateAlignedLoad(type, at, align))
                : ir_.CreateMaskedLoad(type, at, align, mask_, llvm::PoisonValue::get(type));
  } else {
    found = ir_.CreateMaskedGather(type, addresses(n.buffer, n.index), align, maskOrAll(),
                                   llvm::PoisonValue::get(type));
  }
  f_.annotate(found, n.buffer);
  if (scalar != ScalarType::kBool) return found;
  return ir_.CreateICmpNE(found, llvm::Constant::getNullValue(type));
}

}  // namespace halo::jit
