// Control flow. Structured Imp becomes blocks in loop form (guard, body, latch), so that LLVM needs
// no pass to find its loops. Loops that may run long poll the cancel word.
#include <llvm/IR/MDBuilder.h>

#include "jit/emit/emit_value.h"
#include "jit/emit/emitter.h"
#include "jit/emit/lanes.h"
#include "jit/emit/transposed_tiles.h"
#include "jit/runtime/runtime.h"
#include "lang/base/match.h"
#include "lang/imp/schedule/transposed_tiles.h"
#include "lang/imp/schedule/vector_loops.h"
#include "lang/imp/walk.h"

namespace halo::jit {

using imp::Block;
using imp::BufferId;
using imp::Operand;
using imp::Space;
using imp::VarId;
using llvm::BasicBlock;
using llvm::Value;
using prim::ScalarType;

namespace {

constexpr int64_t kUnrolled = 4;
constexpr size_t kShortBody = 40;  // statements that are worth unrolling

bool isOrdered(const imp::For& n) {
  return std::any_of(n.body.begin(), n.body.end(), [](const imp::Stm& stm) {
    return std::holds_alternative<imp::OrderedSection>(stm.node);
  });
}

bool hasInnerLoop(const Block& block) {
  for (const imp::Stm& stm : block) {
    bool inner = base::match(
        stm.node, [](const imp::For&) { return true; }, [](const imp::While&) { return true; },
        [](const imp::Call&) { return true; },
        [](const imp::If& n) { return hasInnerLoop(n.then_block) || hasInnerLoop(n.else_block); },
        base::otherwise([](const auto&) { return false; }));
    if (inner) return true;
  }
  return false;
}

bool isShortBody(const Block& block) {
  return !hasInnerLoop(block) && !imp::bindsBuffers(block) && imp::countStms(block) <= kShortBody;
}

// Whether a loop is a statement of the function itself, not of a loop or branch in it.
bool isOutermost(const imp::Function& function, const imp::For& loop) {
  for (const imp::Stm& stm : function.body) {
    if (std::get_if<imp::For>(&stm.node) == &loop) return true;
  }
  return false;
}

// For a progress bar; see lang/base/progress.h.
void storeProgress(llvm::IRBuilder<>& ir, Value* run_context, Value* done, Value* total) {
  constexpr uint64_t kProgressField = 3;  // of RunContext
  llvm::Type* word = ir.getInt64Ty();
  Value* field = ir.CreateConstInBoundsGEP1_64(word, run_context, kProgressField);
  Value* progress = ir.CreateLoad(ir.getPtrTy(), field);
  uint64_t at = 0;
  for (Value* value : {done, total}) {
    Value* place = ir.CreateConstInBoundsGEP1_64(word, progress, at++);
    llvm::StoreInst* store =
        ir.CreateAlignedStore(ir.CreateSExtOrTrunc(value, word), place, llvm::Align(8));
    store->setAtomic(llvm::AtomicOrdering::Monotonic);
  }
}

}  // namespace

void FunctionEmitter::block(const Block& block) {
  for (const imp::Stm& s : block) {
    std::visit([&](const auto& node) { stm(node); }, s.node);
  }
}

llvm::MDNode* FunctionEmitter::loopMetadata(bool vector, int width) {
  std::vector<llvm::Metadata*> items = {nullptr};
  auto flag = [&](const char* name, llvm::Constant* value) {
    items.push_back(llvm::MDNode::get(
        context_, {llvm::MDString::get(context_, name), llvm::ConstantAsMetadata::get(value)}));
  };
  if (vector && width > 1) {
    items.push_back(llvm::MDNode::get(
        context_, {llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), access_group_}));
  } else {
    flag("llvm.loop.vectorize.enable", ir_.getFalse());
  }
  llvm::MDNode* node = llvm::MDNode::getDistinct(context_, items);
  node->replaceOperandWith(0, node);
  return node;
}

// The body's captures from this function go into a frame; the runtime calls the body for chunks.
void FunctionEmitter::parallelLoop(const imp::For& n) {
  Captures captures = capturesOf(program_, usesOfSource(), n);
  std::vector<Value*> items;
  for (VarId var : captures.vars) items.push_back(operand(var));
  for (BufferId buffer : captures.buffers) items.push_back(pointer(buffer));
  auto [nest, slot] = module_.nest(source_.name);
  FunctionEmitter chunk(module_, source_, nest);
  chunk.uses_ = uses_;
  chunk.runChunk(n, captures);
  auto work = static_cast<uint64_t>(std::max<int64_t>(estimatedWork(n.body), 1));
  const auto loop = ir_.getInt32(static_cast<uint32_t>(n.var.index));
  leaveOn(callRuntime(isOrdered(n) ? "rt_ordered" : "rt_parallel", ir_.getInt32Ty(),
                      {run_context_, slot, stackArray(items), operand(n.lo), operand(n.hi),
                       ir_.getInt64(work), loop}));
}

void FunctionEmitter::stm(const imp::For& n) {
  if (n.schedule == imp::Schedule::kParallel) return parallelLoop(n);
  loop(n, operand(n.lo), operand(n.hi), n.schedule == imp::Schedule::kVector);
}

void FunctionEmitter::loop(const imp::For& n, Value* lo, Value* hi, bool vector) {
  bool opens_region = !in_region_ && !imp::bindsBuffers(n.body);
  if (opens_region) enterRegion(n.body);
  const std::vector<VarId> transposed = imp::markedTransposed(n);
  if (!transposed.empty()) {
    LaneLoop::TransposedTiles(*this, n, transposed).run(lo, hi);
  } else if (n.lanes) {
    LaneLoop(*this, n).run(lo, hi);
  } else {
    scalarLoop(n, lo, hi, vector);
  }
  if (opens_region) {
    in_region_ = false;
    scopes_.clear();
    if (imp::hasStreams(n.body)) finishStreams();
  }
}

// A bound near the lowest number stays below all starts: `end - count` must not wrap.
Value* FunctionEmitter::lastStart(Value* end, int64_t count) {
  return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, end,
                                   ir_.getInt64(static_cast<uint64_t>(count)));
}

// Short bodies of sequential loops, four at a time: counting and looking for a cancelled call would
// cost as much as they do. Returns where it stopped.
Value* FunctionEmitter::unrolled(const imp::For& n, Value* lo, Value* hi) {
  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* body = newBlock("four");
  BasicBlock* after = newBlock("rest");
  Value* last = lastStart(hi, kUnrolled);
  ir_.CreateCondBr(ir_.CreateICmpSLE(lo, last), body, after);
  ir_.SetInsertPoint(body);
  llvm::PHINode* i = ir_.CreatePHI(ir_.getInt64Ty(), 2, nameOf(n.var));
  i->addIncoming(lo, before);
  for (int64_t k = 0; k < kUnrolled; ++k) {
    Value* step = ir_.getInt64(static_cast<uint64_t>(k));
    values_[n.var] = k == 0 ? i : ir_.CreateAdd(i, step, "", true, true);
    block(n.body);
  }
  pollEvery(i, kUnrolled);
  Value* next = ir_.CreateAdd(i, ir_.getInt64(kUnrolled), "next", true, true);
  BasicBlock* end = ir_.GetInsertBlock();
  i->addIncoming(next, end);
  llvm::BranchInst* latch = ir_.CreateCondBr(ir_.CreateICmpSLE(next, last), body, after);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
  llvm::PHINode* rest = ir_.CreatePHI(ir_.getInt64Ty(), 2, nameOf(n.var));
  rest->addIncoming(lo, before);
  rest->addIncoming(next, end);
  return rest;
}

void FunctionEmitter::scalarLoop(const imp::For& n, Value* lo, Value* hi, bool vector) {
  bool known = n.lo.isConstant() && n.hi.isConstant();
  if (!vector && !known && isShortBody(n.body)) lo = unrolled(n, lo, hi);
  llvm::MDNode* outer_group = access_group_;
  access_group_ = vector ? llvm::MDNode::getDistinct(context_, {}) : nullptr;

  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* body = newBlock("loop");
  BasicBlock* after = newBlock("done");
  ir_.CreateCondBr(ir_.CreateICmpSLT(lo, hi), body, after);
  ir_.SetInsertPoint(body);
  llvm::PHINode* i = ir_.CreatePHI(lo->getType(), 2, nameOf(n.var));
  i->addIncoming(lo, before);
  values_[n.var] = i;
  block(n.body);
  bool short_loop = n.lo.isConstant() && n.hi.isConstant() &&
                    n.hi.constant.asSigned() - n.lo.constant.asSigned() <= kPollInterval;
  if (hasInnerLoop(n.body)) {
    if (!short_loop) poll();
    if (source_.is_entry && isOutermost(source_, n)) storeProgress(ir_, run_context_, i, hi);
  } else if (!vector && !short_loop) {
    pollEvery(i);
  }
  // Loops count from 0 or more upwards.
  Value* next = ir_.CreateAdd(i, llvm::ConstantInt::get(i->getType(), 1), "next", true, true);
  i->addIncoming(next, ir_.GetInsertBlock());
  llvm::BranchInst* latch = ir_.CreateCondBr(ir_.CreateICmpSLT(next, hi), body, after);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loopMetadata(vector, n.vector_width));
  ir_.SetInsertPoint(after);

  access_group_ = outer_group;
}

void FunctionEmitter::stm(const imp::While& n) {
  BasicBlock* head = newBlock("while");
  BasicBlock* body = newBlock("do");
  BasicBlock* after = newBlock("done");
  ir_.CreateBr(head);
  ir_.SetInsertPoint(head);
  block(n.before);
  ir_.CreateCondBr(operand(n.condition), body, after);
  ir_.SetInsertPoint(body);
  poll();
  block(n.body);
  llvm::BranchInst* latch = ir_.CreateBr(head);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
}

void FunctionEmitter::stm(const imp::If& n) {
  BasicBlock* then = newBlock("then");
  BasicBlock* otherwise = n.else_block.empty() ? nullptr : newBlock("else");
  BasicBlock* after = newBlock("fi");
  bool fails = n.then_block.size() == 1 && std::holds_alternative<imp::Fail>(n.then_block[0].node);
  ir_.CreateCondBr(operand(n.condition), then, otherwise ? otherwise : after,
                   fails ? llvm::MDBuilder(context_).createBranchWeights(1, kLikely) : nullptr);
  ir_.SetInsertPoint(then);
  block(n.then_block);
  ir_.CreateBr(after);
  if (otherwise != nullptr) {
    ir_.SetInsertPoint(otherwise);
    block(n.else_block);
    ir_.CreateBr(after);
  }
  ir_.SetInsertPoint(after);
}

void FunctionEmitter::stm(const imp::Call& n) {
  llvm::Function* callee = module_.inner(n.function);
  std::vector<Value*> args = {run_context_};
  for (BufferId buffer : n.buffers) args.push_back(pointer(buffer));
  for (const Operand& scalar : n.scalars) args.push_back(operand(scalar));
  Value* all = ir_.CreateCall(callee, args);
  leaveOn(ir_.CreateExtractValue(all, 0));
  unsigned position = 1;
  for (VarId var : n.results) values_[var] = ir_.CreateExtractValue(all, position++);
  for (BufferId buffer : n.result_buffers) {
    ir_.CreateStore(ir_.CreateExtractValue(all, position++), buffers_.at(buffer));
  }
}

}  // namespace halo::jit
