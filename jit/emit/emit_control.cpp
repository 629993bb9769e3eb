// Control flow. Structured Imp becomes blocks in loop form (guard, body, latch), so that LLVM needs
// no pass to find its loops. Loops that may run long look at the cancel word.
#include <llvm/IR/MDBuilder.h>

#include "jit/emit/emit_value.h"
#include "jit/emit/emitter.h"
#include "jit/emit/lanes.h"
#include "jit/emit/transposed_tiles.h"
#include "jit/runtime/runtime.h"
#include "lang/base/match.h"
#include "lang/imp/schedule/lanes.h"
#include "lang/imp/schedule/transposed_tiles.h"

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

constexpr int64_t kFewLanes = 16;  // one vector of 32-bit numbers
constexpr int64_t kUnrolled = 4;
constexpr size_t kShortBody = 40;  // statements that are worth unrolling

bool bindsBuffers(const Block& block) {
  for (const imp::Stm& stm : block) {
    bool binds = base::match(
        stm.node, [](const imp::For& n) { return bindsBuffers(n.body); },
        [](const imp::While& n) { return bindsBuffers(n.before) || bindsBuffers(n.body); },
        [](const imp::If& n) { return bindsBuffers(n.then_block) || bindsBuffers(n.else_block); },
        [](const imp::Let&) { return false; }, [](const imp::Declare&) { return false; },
        [](const imp::Assign&) { return false; }, [](const imp::Store&) { return false; },
        [](const imp::CopyBuffer&) { return false; }, [](const imp::Fail&) { return false; },
        [](const imp::Append&) { return false; },
        base::otherwise([](const auto&) { return true; }));
    if (binds) return true;
  }
  return false;
}

// Vector code of its own instead of LLVM's vectoriser. Its cases: as many iterations as lanes,
// which become straight code; loops inside; accesses to memory under a condition.
bool needsLanes(const Block& block, bool conditional) {
  return std::any_of(block.begin(), block.end(), [&](const imp::Stm& stm) {
    return base::match(
        stm.node,
        [&](const imp::Let& n) { return conditional && std::holds_alternative<imp::Load>(n.expr); },
        [&](const imp::Store&) { return conditional; }, [](const imp::For&) { return true; },
        [](const imp::While&) { return true; }, [](const imp::Fail&) { return true; },
        [](const imp::Append&) { return true; },
        [](const imp::If& n) {
          return needsLanes(n.then_block, true) || needsLanes(n.else_block, true);
        },
        base::otherwise([](const auto&) { return false; }));
  });
}

bool streams(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const imp::Stm& stm) {
    return base::match(
        stm.node, [](const imp::Store& n) { return n.stream != Operand::ofI64(0); },
        [](const imp::For& n) { return streams(n.body); },
        [](const imp::While& n) { return streams(n.body); },
        [](const imp::If& n) { return streams(n.then_block) || streams(n.else_block); },
        base::otherwise([](const auto&) { return false; }));
  });
}

// LLVM would take vectors apart for that.
bool dividesIntegers(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const imp::Stm& stm) {
    const auto* let = std::get_if<imp::Let>(&stm.node);
    const auto* prim = let == nullptr ? nullptr : std::get_if<imp::Prim>(&let->expr);
    if (prim == nullptr || prim::isFloat(prim->type)) return false;
    bool divides = prim->op == prim::Op::kMachineDiv || prim->op == prim::Op::kMachineRem;
    return divides && !prim->args[1].isConstant();
  });
}

bool isOrdered(const imp::For& n) {
  return std::any_of(n.body.begin(), n.body.end(), [](const imp::Stm& stm) {
    return std::holds_alternative<imp::OrderedSection>(stm.node);
  });
}

// `has_own`: each iteration has arrays of its own, which take a vector of elements for each.
bool runsInLanes(const imp::Program& program, const imp::For& n, bool has_own) {
  bool is_known = n.lo.isConstant() && n.hi.isConstant();
  int64_t trips = is_known ? n.hi.constant.asSigned() - n.lo.constant.asSigned() : 0;
  bool is_lanes = trips > 0 && trips <= imp::kLanes && trips % kFewLanes == 0;
  bool is_wanted = n.vector_width > kFewLanes || n.at_most;
  bool is_large = (streams(n.body) || dividesIntegers(n.body)) && imp::hasUnitSteps(n.body, n.var);
  return (is_lanes || is_wanted || is_large || has_own || needsLanes(n.body, false)) &&
         !bindsBuffers(n.body) && imp::canRunInLanes(program, n.body);
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

size_t statementCount(const Block& block) {
  size_t count = block.size();
  for (const imp::Stm& stm : block) {
    const auto* branch = std::get_if<imp::If>(&stm.node);
    if (branch != nullptr)
      count += statementCount(branch->then_block) + statementCount(branch->else_block);
  }
  return count;
}

bool isShortBody(const Block& block) {
  return !hasInnerLoop(block) && !bindsBuffers(block) && statementCount(block) <= kShortBody;
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
  bool opens_region = !in_region_ && !bindsBuffers(n.body);
  if (opens_region) enterRegion(n.body);
  const std::vector<VarId> transposed = imp::markedTransposed(n);
  const bool has_own = vector && !imp::privateArraysOf(program_, usesOfSource(), n.body).empty();
  if (!transposed.empty()) {
    LaneLoop::TransposedTiles(*this, n, transposed).run(lo, hi);
  } else if (vector && runsInLanes(program_, n, has_own)) {
    LaneLoop(*this, n).run(lo, hi);
  } else {
    scalarLoop(n, lo, hi, vector && !has_own && !needsLanes(n.body, false));
  }
  if (opens_region) {
    in_region_ = false;
    scopes_.clear();
    if (streams(n.body)) finishStreams();
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
  for (int64_t k = 0; k < kUnrolled; k++) {
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
