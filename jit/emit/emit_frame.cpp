// Parameters, results and buffers of functions; failures.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "jit/emit/emit_value.h"
#include "jit/emit/emitter.h"
#include "jit/runtime/runtime.h"
#include "lang/base/match.h"

namespace halo::jit {

using imp::Block;
using imp::BufferId;
using imp::Operand;
using imp::Space;
using imp::VarId;
using llvm::BasicBlock;
using llvm::Value;

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, const imp::Function& source,
                                 llvm::Function* target)
    : FunctionFrame(target), module_(module), program_(module.program()), source_(source) {}

void FunctionEmitter::runChunk(const imp::For& n, const Captures& captures) {
  open();
  chunk_ = &n;
  Value* frame = target_->getArg(1);
  uint64_t slot = 0;
  auto next = [&] {
    Value* at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), frame, slot++);
    return ir_.CreateLoad(ir_.getInt64Ty(), at);
  };
  for (VarId var : captures.vars) values_[var] = fromBits(ir_, next(), program_.vars[var].type);
  for (BufferId buffer : captures.buffers) {
    Value* address = ir_.CreateIntToPtr(next(), ir_.getPtrTy());
    if (info(buffer).space == Space::kPrivate) {
      arrays_[buffer] = address;
      continue;
    }
    declareBuffer(buffer);
    ir_.CreateStore(address, buffers_.at(buffer));
  }
  declareBuffers(n.body);
  loop(n, target_->getArg(2), target_->getArg(3), n.vector_width > 1);
  ir_.CreateRet(ir_.getInt32(kRunOk));
  close(true);
}

void FunctionEmitter::run() {
  open();
  for (BufferId buffer : source_.buffers) declareBuffer(buffer);
  declareBuffers(source_.body);
  if (source_.is_entry) {
    entryParams();
  } else {
    // The site is the function's number.
    checkStack(static_cast<uint32_t>(&source_ - program_.functions.data()));
    poll();  // a recursion that branches may run for as long as a loop
    innerParams();
  }
  block(source_.body);
  if (source_.is_entry) {
    entryResults();
  } else {
    innerResults();
  }
  close(source_.is_entry);
}

void FunctionEmitter::entryParams() {
  Value* arguments = target_->getArg(1);
  results_ = target_->getArg(2);
  unsigned slot = 0;
  auto next = [&] {
    Value* at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), arguments, slot++);
    return ir_.CreateLoad(ir_.getInt64Ty(), at);
  };
  for (BufferId buffer : source_.buffers) {
    ir_.CreateStore(ir_.CreateIntToPtr(next(), ir_.getPtrTy()), buffers_.at(buffer));
  }
  for (VarId var : source_.scalars) values_[var] = fromBits(ir_, next(), program_.vars[var].type);
  // A bound by a size then needs one comparison, of unsigned numbers.
  for (size_t k = 0; k < static_cast<size_t>(source_.size_params); ++k) {
    Value* size = values_.at(source_.scalars[k]);
    ir_.CreateAssumption(ir_.CreateICmpSGE(size, ir_.getInt64(0)));
  }
}

void FunctionEmitter::innerParams() {
  unsigned position = 1;
  for (BufferId buffer : source_.buffers) {
    ir_.CreateStore(target_->getArg(position++), buffers_.at(buffer));
  }
  for (VarId var : source_.scalars) values_[var] = target_->getArg(position++);
}

void FunctionEmitter::entryResults() {
  unsigned slot = 0;
  auto put = [&](Value* value) {
    Value* at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), results_, slot++);
    ir_.CreateStore(toBits(ir_, value), at);
  };
  for (const imp::EntryResult& result : source_.results) {
    if (const auto* scalar = std::get_if<Operand>(&result)) {
      put(operand(*scalar));
      continue;
    }
    const auto& array = std::get<imp::ArrayResult>(result);
    put(pointer(array.buffer));
    put(operand(array.offset));
    for (const Operand& extent : array.shape) put(operand(extent));
  }
  ir_.CreateRet(ir_.getInt32(kRunOk));
}

void FunctionEmitter::innerResults() {
  Value* all = llvm::PoisonValue::get(target_->getReturnType());
  unsigned position = 0;
  all = ir_.CreateInsertValue(all, ir_.getInt32(kRunOk), position++);
  for (VarId var : source_.result_vars) {
    all = ir_.CreateInsertValue(all, operand(var), position++);
  }
  for (BufferId buffer : source_.result_buffers) {
    all = ir_.CreateInsertValue(all, pointer(buffer), position++);
  }
  ir_.CreateRet(all);
}

void FunctionEmitter::declareBuffer(BufferId buffer) {
  if (buffers_.contains(buffer) || arrays_.contains(buffer)) return;
  const imp::BufferInfo& i = info(buffer);
  if (!i.contents.empty()) {
    arrays_[buffer] = module_.data(buffer);
  } else if (i.space == Space::kPrivate) {
    auto* type = llvm::ArrayType::get(memoryType(context_, i.type),
                                      static_cast<uint64_t>(i.constant_elements));
    llvm::AllocaInst* array = entryAlloca(type, i.name);
    array->setAlignment(llvm::Align(64));
    arrays_[buffer] = array;
  } else {
    buffers_[buffer] = entryAlloca(ir_.getPtrTy(), i.name);
  }
}

void FunctionEmitter::declareBuffers(const Block& block) {
  for (const imp::Stm& stm : block) {
    base::match(
        stm.node,
        [&](const imp::Let& n) {
          if (const auto* load = std::get_if<imp::Load>(&n.expr)) declareBuffer(load->buffer);
        },
        [&](const imp::Store& n) { declareBuffer(n.buffer); },
        [&](const imp::For& n) { declareBuffers(n.body); },
        [&](const imp::While& n) { declareBuffers(n.before), declareBuffers(n.body); },
        [&](const imp::If& n) { declareBuffers(n.then_block), declareBuffers(n.else_block); },
        [&](const imp::Alloc& n) { declareBuffer(n.buffer); },
        [&](const imp::Free& n) { declareBuffer(n.buffer); },
        [&](const imp::Rebind& n) { declareBuffer(n.dst), declareBuffer(n.src); },
        [&](const imp::Swap& n) { declareBuffer(n.a), declareBuffer(n.b); },
        [&](const imp::CopyBuffer& n) { declareBuffer(n.dst), declareBuffer(n.src); },
        [&](const imp::Launch& n) {
          for (BufferId buffer : n.buffers) declareBuffer(buffer);
        },
        [&](const imp::ReadScalar& n) { declareBuffer(n.buffer); },
        [&](const imp::ExitFlag& n) { declareBuffer(n.buffer); },
        [&](const imp::Append& n) {
          for (BufferId buffer : n.buffers) declareBuffer(buffer);
        },
        [&](const imp::Call& n) {
          for (BufferId buffer : n.buffers) declareBuffer(buffer);
          for (BufferId buffer : n.result_buffers) declareBuffer(buffer);
        },
        base::otherwise([](const auto&) {}));
  }
}

llvm::Type* FunctionEmitter::typeOf(VarId var) { return module_.varType(var); }
const imp::BufferInfo& FunctionEmitter::info(BufferId buffer) const {
  return program_.buffers[buffer];
}
std::string FunctionEmitter::nameOf(VarId var) const { return program_.vars[var].name; }

void FunctionEmitter::stm(const imp::Fail& n) {
  std::vector<Value*> operands;
  for (const Operand& o : n.operands) operands.push_back(operand(o));
  fail(n.site, operands);
}

}  // namespace halo::jit
