// Statements of a loop body for all lanes at once; those that do not differ between lanes are left
// to the function around.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "jit/emit/emit_value.h"
#include "jit/emit/lanes.h"
#include "lang/imp/schedule/lane_size.h"
#include "lang/imp/walk.h"

namespace halo::jit {

using imp::Block;
using imp::Operand;
using llvm::Value;
using prim::Op;
using prim::ScalarType;

LaneLoop::LaneLoop(FunctionEmitter& function, const imp::For& loop)
    : f_(function), ir_(function.ir_), loop_(loop) {
  findUsed();
  varying_ = imp::varyingInLanes(loop_, findArrays());
  lanes_ = static_cast<unsigned>(imp::lanesOfVector(f_.program_, loop_, varying_));
  width_ = static_cast<unsigned>(loop_.vector_width);
  llvm::StringRef features = f_.target_->getFnAttribute("target-features").getValueAsString();
  if (features.contains("+avx512dq")) extrema_ = quietExtrema(loop_.body);
}

// The types of private arrays follow from the number of lanes.
std::vector<imp::BufferId> LaneLoop::findArrays() {
  std::vector<imp::BufferId> own = imp::privateArraysOf(f_.program_, f_.usesOfSource(), loop_.body);
  for (imp::BufferId buffer : own) {
    arrays_[buffer] = f_.entryAlloca(ir_.getInt8Ty(), f_.info(buffer).name);
  }
  return own;
}

bool LaneLoop::varies(const Operand& operand) const {
  return !operand.isConstant() && varying_.contains(operand.var);
}

void LaneLoop::findUsed() {
  imp::forEachStm(loop_.body, [&](const imp::Stm& stm) {
    imp::forEachOperand(stm, [&](const Operand& operand) {
      if (!operand.isConstant()) used_.insert(operand.var);
    });
  });
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
    const Extremum& of = extremum->second;
    Value* left = lanes(of.x);
    values_[n.var] = emitRange(ir_, of.is_max, left, lanes(of.y));
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
  return type->getScalarSizeInBits() / 8 * width_ % imp::kVectorBytes == 0;
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
