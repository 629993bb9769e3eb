// Loops of lanes: the loop itself. Whole vectors first, then the rest.
#include <llvm/IR/InlineAsm.h>

#include <algorithm>

#include "jit/emit/emit_value.h"
#include "jit/emit/lanes.h"
#include "lang/imp/schedule/lane_size.h"

namespace halo::jit {

using imp::BufferId;
using imp::VarId;
using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr size_t kManyInvariants = 12;  // more are loaded anew in each iteration

}  // namespace

void LaneLoop::hideInvariants() {
  std::unordered_map<BufferId, size_t> loads;
  for (const imp::Stm& stm : loop_.body) {
    const auto* let = std::get_if<imp::Let>(&stm.node);
    const auto* load = let == nullptr ? nullptr : std::get_if<imp::Load>(&let->expr);
    if (load != nullptr && !varying_.contains(let->var)) ++loads[load->buffer];
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
  sizeArrays();
  vector(first);
}

// Iterations first .. end - 1, fewer than a whole vector: under a mask, in as narrow vectors as
// there are. With `from` only those from there on.
void LaneLoop::partial(Value* first, Value* end, Value* from) {
  const unsigned whole = width_;
  if (arrays_.empty()) width_ = std::min(whole, lanes_);
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

Value* LaneLoop::wholeVectors(Value* first, Value* end, const LoopBlocks& blocks, bool polls) {
  BasicBlock* before = ir_.GetInsertBlock();
  Value* last = f_.lastStart(end, width_);
  ir_.CreateCondBr(ir_.CreateICmpSLE(first, last), blocks.body, blocks.rest);
  ir_.SetInsertPoint(blocks.body);
  llvm::PHINode* i = ir_.CreatePHI(ir_.getInt64Ty(), 2, f_.nameOf(loop_.var));
  i->addIncoming(first, before);
  vector(i);
  if (polls) f_.poll();
  Value* next = ir_.CreateAdd(i, ir_.getInt64(width_), "next", true, true);
  BasicBlock* body_end = ir_.GetInsertBlock();
  i->addIncoming(next, body_end);
  llvm::BranchInst* latch =
      ir_.CreateCondBr(ir_.CreateICmpSLE(next, last), blocks.body, blocks.rest);
  latch->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  ir_.SetInsertPoint(blocks.rest);
  llvm::PHINode* left = ir_.CreatePHI(ir_.getInt64Ty(), 2, f_.nameOf(loop_.var));
  left->addIncoming(first, before);
  left->addIncoming(next, body_end);
  return left;
}

// In the rest of a loop that writes past the caches, whole vectors of the machine: under a mask
// their lines would be fetched. Returns where they end.
Value* LaneLoop::wholeLines(Value* first, Value* end) {
  const unsigned whole = width_;
  width_ = lanes_;
  auto outer = std::move(mutables_);
  mutables_.clear();
  BasicBlock* body = f_.newBlock("line");
  BasicBlock* rest = f_.newBlock("rest");
  Value* left = wholeVectors(first, end, {body, rest}, false);
  mutables_ = std::move(outer);
  width_ = whole;
  return left;
}

// Arrays of which every lane has its own, now that the number of lanes is known.
void LaneLoop::sizeArrays() {
  for (auto& [buffer, array] : arrays_) {
    const imp::BufferInfo& info = f_.info(buffer);
    llvm::Type* row = vectorOf(memoryType(f_.context_, info.type));
    array->setAllocatedType(llvm::ArrayType::get(
        row, static_cast<uint64_t>(std::max<int64_t>(info.constant_elements, 1))));
    array->setAlignment(llvm::Align(imp::kVectorBytes));
  }
}

// Whole vectors, then one with a mask for the rest.
void LaneLoop::run(Value* lo, Value* hi) {
  sizeArrays();
  const auto* constant_lo = llvm::dyn_cast<llvm::ConstantInt>(lo);
  const auto* constant_hi = llvm::dyn_cast<llvm::ConstantInt>(hi);
  int64_t trips = -1;
  if (constant_lo != nullptr && constant_hi != nullptr) {
    trips = constant_hi->getSExtValue() - constant_lo->getSExtValue();
  }
  if (trips == static_cast<int64_t>(width_)) return vector(lo);
  lo = alignedStart(lo, hi);
  if (streams_ != nullptr) trips = -1;
  BasicBlock* body = f_.newBlock("lanes");
  BasicBlock* rest = f_.newBlock("rest");
  BasicBlock* after = f_.newBlock("done");
  Value* left = wholeVectors(lo, hi, {body, rest}, trips < 0);
  if (trips < 0 || trips % width_ != 0) {
    const bool has_lines = streams_ != nullptr && width_ > lanes_ && arrays_.empty();
    partial(has_lines ? wholeLines(left, hi) : left, hi);
  }
  ir_.CreateBr(after);
  ir_.SetInsertPoint(after);
}

}  // namespace halo::jit
