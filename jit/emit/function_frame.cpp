// The exit is made with the frame and comes behind all other blocks, if anything leaves early.
#include "jit/emit/function_frame.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "jit/emit/emit_value.h"
#include "jit/runtime/runtime.h"

namespace halo::jit {

using llvm::BasicBlock;
using llvm::Value;

FunctionFrame::FunctionFrame(llvm::Function* target)
    : target_(target), context_(target->getContext()), ir_(target->getContext()) {}

void FunctionFrame::open() {
  allocas_ = newBlock("allocas");
  BasicBlock* start = newBlock("start");
  exit_ = BasicBlock::Create(context_, "exit");
  exit_status_ = llvm::PHINode::Create(ir_.getInt32Ty(), 4, "status", exit_);
  ir_.SetInsertPoint(start);
  run_context_ = target_->getArg(0);
}

// The exit block, and the way from the allocas to the start.
void FunctionFrame::close(bool returns_status) {
  if (exit_status_->getNumIncomingValues() == 0) {
    exit_status_->eraseFromParent();
    delete exit_;
  } else {
    exit_->insertInto(target_);
    ir_.SetInsertPoint(exit_);
    Value* result = exit_status_;
    if (!returns_status) {
      result = ir_.CreateInsertValue(llvm::PoisonValue::get(target_->getReturnType()), result, 0);
    }
    ir_.CreateRet(result);
  }
  ir_.SetInsertPoint(allocas_);
  ir_.CreateBr(allocas_->getNextNode());
}

void FunctionFrame::leave(int32_t status) {
  exit_status_->addIncoming(ir_.getInt32(static_cast<uint32_t>(status)), ir_.GetInsertBlock());
  ir_.CreateBr(exit_);
}

// Deep recursion ends with a failure, not with a signal.
void FunctionFrame::checkStack(uint32_t site) {
  llvm::AllocaInst* here = entryAlloca(ir_.getInt8Ty(), "here");
  Value* limit_at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), run_context_, 1);
  Value* limit = ir_.CreateLoad(ir_.getInt64Ty(), limit_at);
  Value* address = ir_.CreatePtrToInt(here, ir_.getInt64Ty());
  BasicBlock *next = newBlock("ok"), *deep = newBlock("deep");
  ir_.CreateCondBr(ir_.CreateICmpUGT(address, limit), next, deep,
                   llvm::MDBuilder(context_).createBranchWeights(kLikely, 1));
  ir_.SetInsertPoint(deep);
  callRuntime("rt_fail", ir_.getVoidTy(),
              {run_context_, ir_.getInt32(site), ir_.getInt64(0),
               llvm::ConstantPointerNull::get(ir_.getPtrTy())});
  leave(kRunStackExhausted);
  ir_.SetInsertPoint(next);
}

llvm::AllocaInst* FunctionFrame::entryAlloca(llvm::Type* type, const std::string& name) {
  llvm::IRBuilder<> at(allocas_);
  return at.CreateAlloca(type, nullptr, name);
}

BasicBlock* FunctionFrame::newBlock(const char* name) {
  return BasicBlock::Create(context_, name, target_);
}

void FunctionFrame::leaveUnless(Value* ok, int32_t status) {
  BasicBlock* next = newBlock("ok");
  exit_status_->addIncoming(ir_.getInt32(static_cast<uint32_t>(status)), ir_.GetInsertBlock());
  ir_.CreateCondBr(ok, next, exit_, llvm::MDBuilder(context_).createBranchWeights(kLikely, 1));
  ir_.SetInsertPoint(next);
}

void FunctionFrame::leaveOn(Value* status) {
  BasicBlock* next = newBlock("ok");
  exit_status_->addIncoming(status, ir_.GetInsertBlock());
  Value* ok = ir_.CreateICmpEQ(status, ir_.getInt32(kRunOk));
  ir_.CreateCondBr(ok, next, exit_, llvm::MDBuilder(context_).createBranchWeights(kLikely, 1));
  ir_.SetInsertPoint(next);
}

void FunctionFrame::fail(int site, const std::vector<Value*>& operands) {
  // Sites share their arrays: hundreds of checks in a function must not make its frame large.
  auto* type = llvm::ArrayType::get(ir_.getInt64Ty(), std::max<size_t>(operands.size(), 1));
  llvm::AllocaInst*& array = failure_operands_[operands.size()];
  if (array == nullptr) array = entryAlloca(type, "operands");
  fillArray(array, type, operands);
  callRuntime("rt_fail", ir_.getVoidTy(),
              {run_context_, ir_.getInt32(static_cast<uint32_t>(site)),
               ir_.getInt64(operands.size()), array});
  leave(kRunFailed);
  ir_.SetInsertPoint(newBlock("unreached"));
}

Value* FunctionFrame::callRuntime(const char* name, llvm::Type* result,
                                  const std::vector<Value*>& args) {
  std::vector<llvm::Type*> types;
  for (Value* arg : args) types.push_back(arg->getType());
  llvm::FunctionCallee callee = target_->getParent()->getOrInsertFunction(
      name, llvm::FunctionType::get(result, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return ir_.CreateCall(callee, args);
}

void FunctionFrame::fillArray(Value* array, llvm::Type* type, const std::vector<Value*>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    ir_.CreateStore(toBits(ir_, items[i]), ir_.CreateConstInBoundsGEP2_64(type, array, 0, i));
  }
}

Value* FunctionFrame::stackArray(const std::vector<Value*>& items) {
  auto* type = llvm::ArrayType::get(ir_.getInt64Ty(), std::max<size_t>(items.size(), 1));
  llvm::AllocaInst* array = entryAlloca(type, "items");
  fillArray(array, type, items);
  return array;
}

void FunctionFrame::poll() {
  Value* flag = ir_.CreateLoad(ir_.getPtrTy(), run_context_);
  llvm::LoadInst* word = ir_.CreateAlignedLoad(ir_.getInt32Ty(), flag, llvm::Align(4));
  word->setAtomic(llvm::AtomicOrdering::Monotonic);
  leaveUnless(ir_.CreateICmpEQ(word, ir_.getInt32(0)), kRunInterrupted);
}

void FunctionFrame::pollEvery(Value* trip, int64_t step) {
  BasicBlock* look = newBlock("look");
  BasicBlock* next = newBlock("go_on");
  Value* last = ir_.getInt64(static_cast<uint64_t>(kPollInterval - step));
  Value* due = ir_.CreateICmpEQ(ir_.CreateAnd(trip, last), last);
  ir_.CreateCondBr(due, look, next, llvm::MDBuilder(context_).createBranchWeights(1, kLikely));
  ir_.SetInsertPoint(look);
  poll();
  ir_.CreateBr(next);
  ir_.SetInsertPoint(next);
}

}  // namespace halo::jit
