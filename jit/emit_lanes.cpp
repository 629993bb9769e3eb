// Statements of a loop body for all lanes at once. First which variables differ between lanes at
// all, then code: what does not differ is left to the function around.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

#include "jit/emit_division.h"
#include "jit/emit_value.h"
#include "jit/lane_size.h"
#include "jit/lanes.h"
#include "jit/runtime.h"
#include "lang/base/check.h"
#include "lang/base/match.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::jit {

using imp::Block;
using imp::BufferId;
using imp::Operand;
using imp::VarId;
using llvm::BasicBlock;
using llvm::Value;
using prim::Op;
using prim::ScalarType;

namespace {

constexpr unsigned kVectorBytes = 64;
constexpr int kChosenWidth = 16;          // up to here the width is a hint
constexpr size_t kTinyLoop = 10;          // columns of sums: longer pieces of each row
constexpr size_t kFewStatements = 40;     // four vectors of each value stay in registers
constexpr size_t kSomeStatements = 90;    // two do
constexpr size_t kManyStatements = 1500;  // more cost too much time to compile
constexpr size_t kRegisters = 28;         // vectors that bodies without loops may keep
constexpr size_t kManyInvariants = 12;
constexpr size_t kCheapArm = 4;  // statements that are done under a mask without a test

// Cheap enough to do for nothing, and harmless.
bool isCheap(const Block& block) {
  if (block.size() > kCheapArm) return false;
  return std::all_of(block.begin(), block.end(), [](const imp::Stm& stm) {
    if (const auto* let = std::get_if<imp::Let>(&stm.node)) {
      return !std::holds_alternative<imp::Load>(let->expr);
    }
    return std::holds_alternative<imp::Assign>(stm.node) ||
           std::holds_alternative<imp::Declare>(stm.node);
  });
}

}  // namespace

LaneLoop::LaneLoop(FunctionEmitter& function, const imp::For& loop)
    : f_(function), ir_(function.ir_), loop_(loop) {
  loop_.body = inOrderOfUse(f_.program_, loop.body);
  findUsed();
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
  if (!loop_.lo.isConstant() || !loop_.hi.isConstant()) return count;
  auto trips = static_cast<uint64_t>(
      std::max<int64_t>(loop_.hi.constant.asSigned() - loop_.lo.constant.asSigned(), 1));
  while (count > lanes_ && count > trips) count /= 2;
  return count;
}

// ---- what differs between lanes

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

void LaneLoop::findVarying() {
  varying_.insert(loop_.var);
  do {
    changed_ = false;
    findVarying(loop_.body, false);
  } while (changed_);
}

void LaneLoop::findVarying(const imp::Let& n) {
  const imp::Operands operands = imp::operandsOf(n.expr);
  const auto* load = std::get_if<imp::Load>(&n.expr);
  bool some = (load != nullptr && isLaneArray(load->buffer)) ||
              std::any_of(operands.begin(), operands.end(),
                          [&](const Operand& operand) { return varies(operand); });
  if (some) addVarying(n.var);
}

// `divergent`: not all lanes may come here.
void LaneLoop::findVarying(const Block& block, bool divergent) {
  for (const imp::Stm& stm : block) {
    base::match(
        stm.node, [&](const imp::Let& n) { findVarying(n); },
        [&](const imp::Declare& n) {
          if (varies(n.initial)) addVarying(n.var);
        },
        [&](const imp::Assign& n) {
          if (divergent || varies(n.value)) addVarying(n.var);
        },
        [&](const imp::For& n) {
          if (varies(n.lo)) addVarying(n.var);
          findVarying(n.body, divergent || varies(n.lo) || varies(n.hi));
        },
        [&](const imp::While& n) {
          bool apart = divergent || varies(n.condition);
          findVarying(n.before, apart);
          findVarying(n.body, apart);
        },
        [&](const imp::If& n) {
          bool apart = divergent || varies(n.condition);
          findVarying(n.then_block, apart);
          findVarying(n.else_block, apart);
        },
        base::otherwise([](const auto&) {}));
  }
}

bool LaneLoop::isLaneArray(BufferId buffer) {
  auto [found, is_new] = arrays_.try_emplace(buffer, nullptr);
  if (!is_new) return found->second != nullptr;
  const imp::BufferInfo& info = f_.info(buffer);
  if (info.space != imp::Space::kPrivate || !info.contents.empty()) return false;
  if (f_.isUsedOutside(buffer, loop_)) return false;
  // Its type waits for the number of lanes.
  found->second = f_.entryAlloca(ir_.getInt8Ty(), info.name);
  return true;
}

// ---- vectors

llvm::Type* LaneLoop::vectorOf(llvm::Type* type) const {
  return llvm::FixedVectorType::get(type, width_);
}

Value* LaneLoop::splat(Value* value) {
  return value->getType()->isVectorTy() ? value : ir_.CreateVectorSplat(width_, value);
}

Value* LaneLoop::steps(Value* first, int64_t step) {
  std::vector<llvm::Constant*> offsets;
  for (unsigned l = 0; l < width_; l++) {
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

// Sums of one linear value and what is the same in all lanes.
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

// ---- expressions

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

// What lanes without a partner get is up to us.
Value* LaneLoop::shuffle(const imp::Shuffle& n) {
  HALO_CHECK(n.kind == imp::ShuffleKind::kUp && n.lane.isConstant(), "another host shuffle");
  const auto by = static_cast<int>(n.lane.constant.bits);
  std::vector<int> from;
  for (int l = 0; l < static_cast<int>(width_); l++) from.push_back(std::max(l - by, 0));
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

// One side of a branch for the lanes of `mask`; with `skip` not at all if there are none.
void LaneLoop::arm(const Block& body, Value* mask, bool skip) {
  if (body.empty()) return;
  Value* outer = mask_;
  BasicBlock* after = nullptr;
  if (skip) {
    BasicBlock* run = f_.newBlock("some");
    after = f_.newBlock("none");
    ir_.CreateCondBr(anyLane(mask), run, after);
    ir_.SetInsertPoint(run);
  }
  mask_ = mask;
  block(body);
  mask_ = outer;
  if (!skip) return;
  ir_.CreateBr(after);
  ir_.SetInsertPoint(after);
}

void LaneLoop::stm(const imp::If& n) {
  if (varies(n.condition)) {
    Value* condition = lanes(n.condition);
    Value* others = ir_.CreateNot(condition);
    if (mask_ != nullptr) {
      condition = ir_.CreateAnd(mask_, condition);
      others = ir_.CreateAnd(mask_, others);
    }
    arm(n.then_block, condition, !isCheap(n.then_block));
    arm(n.else_block, others, !isCheap(n.else_block));
    return;
  }
  BasicBlock* then = f_.newBlock("then");
  BasicBlock* otherwise = f_.newBlock("else");
  BasicBlock* after = f_.newBlock("fi");
  ir_.CreateCondBr(f_.operand(n.condition), then, otherwise);
  ir_.SetInsertPoint(then);
  block(n.then_block);
  ir_.CreateBr(after);
  ir_.SetInsertPoint(otherwise);
  block(n.else_block);
  ir_.CreateBr(after);
  ir_.SetInsertPoint(after);
}

void LaneLoop::stm(const imp::While& n) {
  if (varies(n.condition)) return whileLanes(n, true);
  whileLanes(n, false);
}

// Until no lane wants another round.
void LaneLoop::whileLanes(const imp::While& n, bool divergent) {
  BasicBlock* head = f_.newBlock("while");
  BasicBlock* body = f_.newBlock("do");
  BasicBlock* after = f_.newBlock("done");
  Value* outer = mask_;
  llvm::AllocaInst* running = f_.entryAlloca(vectorOf(ir_.getInt1Ty()), "running");
  if (divergent) ir_.CreateStore(maskOrAll(), running);
  ir_.CreateBr(head);
  ir_.SetInsertPoint(head);
  if (divergent) mask_ = ir_.CreateLoad(running->getAllocatedType(), running);
  block(n.before);
  if (divergent) {
    mask_ = ir_.CreateAnd(mask_, lanes(n.condition));
    ir_.CreateStore(mask_, running);
    ir_.CreateCondBr(anyLane(mask_), body, after);
  } else {
    ir_.CreateCondBr(f_.operand(n.condition), body, after);
  }
  ir_.SetInsertPoint(body);
  f_.poll();
  block(n.body);
  ir_.CreateBr(head)->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
  mask_ = outer;
}

void LaneLoop::stm(const imp::For& n) {
  if (varies(n.lo) || varies(n.hi)) return divergentLoop(n);
  innerLoop(n);
}

void LaneLoop::innerLoop(const imp::For& n) {
  Value* lo = f_.operand(n.lo);
  Value* hi = f_.operand(n.hi);
  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* body = f_.newBlock("loop");
  BasicBlock* after = f_.newBlock("done");
  ir_.CreateCondBr(ir_.CreateICmpSLT(lo, hi), body, after);
  ir_.SetInsertPoint(body);
  llvm::PHINode* i = ir_.CreatePHI(lo->getType(), 2, f_.nameOf(n.var));
  i->addIncoming(lo, before);
  f_.values_[n.var] = i;
  llvm::FastMathFlags flags = ir_.getFastMathFlags();
  if (n.contract) flags.setAllowContract();
  {
    llvm::IRBuilder<>::FastMathFlagGuard guard(ir_);
    ir_.setFastMathFlags(flags);
    block(n.body);
  }
  if (!n.lo.isConstant() || !n.hi.isConstant()) f_.pollEvery(i);
  Value* next = ir_.CreateAdd(i, llvm::ConstantInt::get(i->getType(), 1), "next", true, true);
  i->addIncoming(next, ir_.GetInsertBlock());
  llvm::BranchInst* latch = ir_.CreateCondBr(ir_.CreateICmpSLT(next, hi), body, after);
  latch->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
}

// Bounds that differ between lanes: all count, those that have arrived wait. If all begin at the
// same place, the counter is a scalar.
void LaneLoop::divergentLoop(const imp::For& n) {
  bool same_start = !varies(n.lo);
  llvm::Type* i64 = ir_.getInt64Ty();
  Value* lo = same_start ? f_.operand(n.lo) : lanes(n.lo);
  Value* hi = lanes(n.hi);
  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* head = f_.newBlock("while");
  BasicBlock* body = f_.newBlock("do");
  BasicBlock* after = f_.newBlock("done");
  Value* outer = mask_;
  ir_.CreateBr(head);
  ir_.SetInsertPoint(head);
  llvm::PHINode* i = ir_.CreatePHI(lo->getType(), 2, f_.nameOf(n.var));
  i->addIncoming(lo, before);
  Value* wanted = ir_.CreateICmpSLT(splat(i), hi);
  mask_ = outer == nullptr ? wanted : ir_.CreateAnd(outer, wanted);
  ir_.CreateCondBr(anyLane(mask_), body, after);
  ir_.SetInsertPoint(body);
  f_.poll();
  if (same_start) {
    f_.values_[n.var] = i;
  } else {
    values_[n.var] = i;
  }
  block(n.body);
  Value* one = same_start ? ir_.getInt64(1) : splat(ir_.getInt64(1));
  i->addIncoming(ir_.CreateAdd(i, one), ir_.GetInsertBlock());
  HALO_CHECK(i->getType()->getScalarType() == i64, "loops count in i64");
  ir_.CreateBr(head)->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
  mask_ = outer;
}

// ---- the loop itself

void LaneLoop::hideInvariants() {
  std::unordered_map<BufferId, size_t> loads;
  for (const imp::Stm& stm : loop_.body) {
    const auto* let = std::get_if<imp::Let>(&stm.node);
    const auto* load = let == nullptr ? nullptr : std::get_if<imp::Load>(&let->expr);
    if (load != nullptr && !varying_.contains(let->var)) loads[load->buffer]++;
  }
  for (auto [buffer, count] : loads) {
    if (count <= kManyInvariants) continue;
    auto* type = llvm::FunctionType::get(ir_.getPtrTy(), {ir_.getPtrTy()}, false);
    auto* same = llvm::InlineAsm::get(type, "", "=r,0", true);
    f_.hidden_[buffer] = ir_.CreateCall(same, {f_.pointer(buffer)});
  }
}

void LaneLoop::vector(Value* first) {
  linear_[loop_.var] = {first, 1};
  hideInvariants();
  block(loop_.body);
  f_.hidden_.clear();
}

void LaneLoop::once(Value* first, unsigned width, const std::unordered_map<VarId, Value*>& given,
                    Value* streams) {
  width_ = width;
  given_ = given;
  streams_ = streams;
  vector(first);
}

bool LaneLoop::hasLaneArrays() const {
  return std::any_of(arrays_.begin(), arrays_.end(),
                     [](const auto& array) { return array.second != nullptr; });
}

// Iterations first .. end - 1, fewer than a whole vector: under a mask, in as narrow vectors as
// there are. With `from` only those from there on.
void LaneLoop::partial(Value* first, Value* end, Value* from) {
  const unsigned whole = width_;
  if (!hasLaneArrays()) width_ = std::min(whole, lanes_);
  auto outer = std::move(mutables_);
  mutables_.clear();
  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* some = f_.newBlock("some");
  BasicBlock* after = f_.newBlock("none");
  ir_.CreateCondBr(ir_.CreateICmpSLT(first, end), some, after);
  ir_.SetInsertPoint(some);
  llvm::PHINode* i = ir_.CreatePHI(ir_.getInt64Ty(), 2, f_.nameOf(loop_.var));
  i->addIncoming(first, before);
  mask_ = ir_.CreateICmpSLT(steps(i, 1), splat(end));
  if (from != nullptr) mask_ = ir_.CreateAnd(mask_, ir_.CreateICmpSLE(splat(from), steps(i, 1)));
  vector(i);
  mask_ = nullptr;
  Value* next = ir_.CreateAdd(i, ir_.getInt64(width_), "next", true, true);
  i->addIncoming(next, ir_.GetInsertBlock());
  llvm::BranchInst* latch = ir_.CreateCondBr(ir_.CreateICmpSLT(next, end), some, after);
  latch->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
  mutables_ = std::move(outer);
  width_ = whole;
}

// Of what is left of a loop that writes past the caches, whole vectors of the machine: under a mask
// their lines would be fetched. Returns where they end.
Value* LaneLoop::wholeLines(Value* first, Value* end) {
  const unsigned whole = width_;
  width_ = lanes_;
  auto outer = std::move(mutables_);
  mutables_.clear();
  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* some = f_.newBlock("line");
  BasicBlock* after = f_.newBlock("rest");
  Value* last = ir_.CreateSub(end, ir_.getInt64(width_));
  ir_.CreateCondBr(ir_.CreateICmpSLE(first, last), some, after);
  ir_.SetInsertPoint(some);
  llvm::PHINode* i = ir_.CreatePHI(ir_.getInt64Ty(), 2, f_.nameOf(loop_.var));
  i->addIncoming(first, before);
  vector(i);
  Value* next = ir_.CreateAdd(i, ir_.getInt64(width_), "next", true, true);
  BasicBlock* body_end = ir_.GetInsertBlock();
  i->addIncoming(next, body_end);
  llvm::BranchInst* latch = ir_.CreateCondBr(ir_.CreateICmpSLE(next, last), some, after);
  latch->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
  llvm::PHINode* left = ir_.CreatePHI(ir_.getInt64Ty(), 2, f_.nameOf(loop_.var));
  left->addIncoming(first, before);
  left->addIncoming(next, body_end);
  mutables_ = std::move(outer);
  width_ = whole;
  return left;
}

// Whole vectors, then one with a mask for what is left.
void LaneLoop::run(Value* lo, Value* hi) {
  for (auto& [buffer, array] : arrays_) {
    if (array == nullptr) continue;
    const imp::BufferInfo& info = f_.info(buffer);
    llvm::Type* row = vectorOf(memoryType(f_.context_, info.type));
    array->setAllocatedType(llvm::ArrayType::get(
        row, static_cast<uint64_t>(std::max<int64_t>(info.constant_elements, 1))));
    array->setAlignment(llvm::Align(kVectorBytes));
  }
  const auto* constant_lo = llvm::dyn_cast<llvm::ConstantInt>(lo);
  const auto* constant_hi = llvm::dyn_cast<llvm::ConstantInt>(hi);
  int64_t trips = -1;
  if (constant_lo != nullptr && constant_hi != nullptr) {
    trips = constant_hi->getSExtValue() - constant_lo->getSExtValue();
  }
  if (trips == static_cast<int64_t>(width_)) return vector(lo);
  lo = alignedStart(lo, hi);
  if (streams_ != nullptr) trips = -1;
  Value* width = ir_.getInt64(width_);
  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* body = f_.newBlock("lanes");
  BasicBlock* rest = f_.newBlock("rest");
  BasicBlock* after = f_.newBlock("done");
  Value* last = ir_.CreateSub(hi, width);
  ir_.CreateCondBr(ir_.CreateICmpSLE(lo, last), body, rest);
  ir_.SetInsertPoint(body);
  llvm::PHINode* i = ir_.CreatePHI(ir_.getInt64Ty(), 2, f_.nameOf(loop_.var));
  i->addIncoming(lo, before);
  vector(i);
  if (trips < 0) f_.poll();
  Value* next = ir_.CreateAdd(i, width, "next", true, true);
  i->addIncoming(next, ir_.GetInsertBlock());
  llvm::BranchInst* latch = ir_.CreateCondBr(ir_.CreateICmpSLE(next, last), body, rest);
  latch->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  BasicBlock* end = latch->getParent();
  ir_.SetInsertPoint(rest);
  llvm::PHINode* left = ir_.CreatePHI(ir_.getInt64Ty(), 2, f_.nameOf(loop_.var));
  left->addIncoming(lo, before);
  left->addIncoming(next, end);
  if (trips < 0 || trips % width_ != 0) {
    const bool has_lines = streams_ != nullptr && width_ > lanes_ && !hasLaneArrays();
    partial(has_lines ? wholeLines(left, hi) : left, hi);
  }
  ir_.CreateBr(after);
  ir_.SetInsertPoint(after);
}

}  // namespace halo::jit
