// Loops of lanes: branches and loops inside. Divergent ones run under a mask, for as long
// as one lane is active.
#include <algorithm>

#include "jit/emit/lanes.h"
#include "lang/base/check.h"

namespace halo::jit {

using imp::Block;
using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr size_t kCheapArm = 4;  // statements that are done under a mask without a test

// Cheap, and without effect in lanes that do not need it.
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

// Until no lane is active.
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

}  // namespace halo::jit
