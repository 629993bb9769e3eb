// Scalars in variables, buffers in memory, and the runtime's part in them.
//
// Aliasing is a fact of Imp. Inside a loop nest that binds no buffer anew every buffer has a scope
// of its own and overlaps no other (unless neither is `noalias`). Vector loops say in addition that
// their iterations are independent.
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/TargetParser/Triple.h>

#include <map>

#include "jit/emit/emit_value.h"
#include "jit/emit/emitter.h"
#include "jit/runtime/runtime.h"
#include "lang/base/check.h"
#include "lang/base/match.h"
#include "lang/imp/walk.h"

namespace halo::jit {

using imp::Block;
using imp::BufferId;
using imp::Operand;
using imp::Space;
using llvm::BasicBlock;
using llvm::Value;
using prim::ScalarType;

// ---- scalars and memory

Value* FunctionEmitter::operand(const Operand& o) {
  if (o.isConstant()) return constant(context_, o.constant);
  auto found = values_.find(o.var);
  if (found != values_.end()) return found->second;
  auto changing = mutables_.find(o.var);
  HALO_CHECK(changing != mutables_.end(), "variable without a value");
  return ir_.CreateLoad(typeOf(o.var), changing->second, nameOf(o.var));
}

Value* FunctionEmitter::pointer(BufferId buffer) {
  if (auto hidden = hidden_.find(buffer); hidden != hidden_.end()) return hidden->second;
  auto found = arrays_.find(buffer);
  if (found != arrays_.end()) return found->second;
  return ir_.CreateLoad(ir_.getPtrTy(), buffers_.at(buffer), info(buffer).name);
}

Value* FunctionEmitter::element(BufferId buffer, const Operand& index) {
  Value* at = operand(index);
  if (at->getType()->isIntegerTy(32)) at = ir_.CreateZExt(at, ir_.getInt64Ty());
  return ir_.CreateInBoundsGEP(memoryType(context_, info(buffer).type), pointer(buffer), at);
}

Value* FunctionEmitter::byteOffset(BufferId buffer, const Operand& index) {
  int64_t size = prim::byteSize(info(buffer).type);
  return ir_.CreateMul(operand(index), ir_.getInt64(static_cast<uint64_t>(size)));
}

void FunctionEmitter::annotate(llvm::Instruction* access, BufferId buffer) {
  auto found = scopes_.find(buffer);
  if (found != scopes_.end()) {
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, found->second.first);
    if (found->second.second != nullptr) {
      access->setMetadata(llvm::LLVMContext::MD_noalias, found->second.second);
    }
  }
  if (access_group_ != nullptr) {
    access->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
  }
}

const imp::BufferUses& FunctionEmitter::usesOfSource() {
  if (!uses_) uses_ = std::make_shared<imp::BufferUses>(imp::bufferUses(source_.body));
  return *uses_;
}

void FunctionEmitter::enterRegion(const Block& body) {
  in_region_ = true;
  std::vector<BufferId> used;
  imp::forEachStm(body, [&](const imp::Stm& stm) {
    imp::forEachBuffer(stm, [&](BufferId buffer) { used.push_back(buffer); });
  });
  llvm::MDBuilder metadata(context_);
  llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain();
  std::map<BufferId, llvm::MDNode*> scopes;
  for (BufferId buffer : used) {
    if (!scopes.contains(buffer)) scopes[buffer] = metadata.createAnonymousAliasScope(domain);
  }
  for (auto [buffer, scope] : scopes) {
    std::vector<llvm::Metadata*> others;
    for (auto [other, other_scope] : scopes) {
      if (other != buffer && (info(other).noalias || info(buffer).noalias)) {
        others.push_back(other_scope);
      }
    }
    scopes_[buffer] = {llvm::MDNode::get(context_, {scope}),
                       others.empty() ? nullptr : llvm::MDNode::get(context_, others)};
  }
}

// Streamed stores are seen by other threads in any order unless we wait for them.
void FunctionEmitter::finishStreams() {
  llvm::Triple target(module_.module().getTargetTriple());
  if (target.isX86()) {
    ir_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  } else {
    ir_.CreateFence(llvm::AtomicOrdering::Release);
  }
}

Value* FunctionEmitter::expr(const imp::Expr& e) {
  return base::match(
      e,
      [&](const imp::Prim& n) {
        std::vector<Value*> args;
        for (const Operand& arg : n.args) args.push_back(operand(arg));
        return emitPrim(ir_, n.op, n.type, args);
      },
      [&](const imp::Convert& n) { return emitConvert(ir_, n, operand(n.arg)); },
      [&](const imp::Select& n) {
        return ir_.CreateSelect(operand(n.condition), operand(n.on_true), operand(n.on_false));
      },
      [&](const imp::Load& n) -> Value* {
        ScalarType type = info(n.buffer).type;
        llvm::LoadInst* load =
            ir_.CreateLoad(memoryType(context_, type), element(n.buffer, n.index));
        annotate(load, n.buffer);
        if (type != ScalarType::kBool) return load;
        return ir_.CreateICmpNE(load, ir_.getInt8(0));
      },
      [&](const imp::BuiltInValue& n) -> Value* {
        HALO_CHECK(n.what == imp::BuiltIn::kThreads, "a kernel's value in a host function");
        return callRuntime("rt_threads", ir_.getInt64Ty(), {run_context_});
      },
      [&](const imp::Shuffle& n) { return operand(n.value); },  // the same in all lanes
      [&](const imp::Fma&) -> Value* {
        HALO_UNREACHABLE("a kernel's operation in a host function");
      });
}

void FunctionEmitter::stm(const imp::Let& n) {
  Value* value = expr(n.expr);
  if (!context_.shouldDiscardValueNames() && !value->hasName() && !llvm::isa<llvm::Constant>(value))
    value->setName(nameOf(n.var));
  values_[n.var] = value;
}

void FunctionEmitter::stm(const imp::Declare& n) {
  Value* initial = operand(n.initial);
  llvm::AllocaInst*& slot = mutables_[n.var];
  if (slot == nullptr) slot = entryAlloca(typeOf(n.var), nameOf(n.var));
  ir_.CreateStore(initial, slot);
}

void FunctionEmitter::stm(const imp::Assign& n) {
  ir_.CreateStore(operand(n.value), mutables_.at(n.var));
}

void FunctionEmitter::stm(const imp::Store& n) {
  Value* value = operand(n.value);
  if (value->getType()->isIntegerTy(1)) value = ir_.CreateZExt(value, ir_.getInt8Ty());
  annotate(ir_.CreateStore(value, element(n.buffer, n.index)), n.buffer);
}

// ---- the runtime

void FunctionEmitter::stm(const imp::Alloc& n) {
  if (arrays_.contains(n.buffer)) return;
  int size = prim::byteSize(info(n.buffer).type);
  std::vector<Value*> arguments = {run_context_, operand(n.elements),
                                   ir_.getInt64(static_cast<uint64_t>(size)),
                                   ir_.getInt32(n.buffer.index)};
  const bool is_device = info(n.buffer).space == Space::kDevice;
  if (is_device) arguments.push_back(ir_.getInt64(static_cast<uint64_t>(n.holds)));
  Value* memory =
      callRuntime(is_device ? "rt_device_alloc" : "rt_alloc", ir_.getPtrTy(), arguments);
  ir_.CreateStore(memory, buffers_.at(n.buffer));
  Value* status = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), run_context_, 2);
  leaveOn(ir_.CreateTrunc(ir_.CreateLoad(ir_.getInt64Ty(), status), ir_.getInt32Ty()));
}

void FunctionEmitter::stm(const imp::Free& n) {
  if (arrays_.contains(n.buffer)) return;
  const char* name = info(n.buffer).space == Space::kDevice ? "rt_device_free" : "rt_free";
  callRuntime(name, ir_.getVoidTy(), {run_context_, pointer(n.buffer)});
}

void FunctionEmitter::stm(const imp::Rebind& n) {
  ir_.CreateStore(pointer(n.src), buffers_.at(n.dst));
}

void FunctionEmitter::stm(const imp::Swap& n) {
  Value* a = pointer(n.a);
  Value* b = pointer(n.b);
  ir_.CreateStore(b, buffers_.at(n.a));
  ir_.CreateStore(a, buffers_.at(n.b));
}

void FunctionEmitter::stm(const imp::CopyBuffer& n) {
  bool from_device = info(n.src).space == Space::kDevice;
  bool to_device = info(n.dst).space == Space::kDevice;
  Value* bytes = byteOffset(n.dst, n.count);
  Value* to = byteOffset(n.dst, n.dst_offset);
  Value* from = byteOffset(n.src, n.src_offset);
  if (!from_device && !to_device) {
    Value* to_at = ir_.CreateInBoundsGEP(ir_.getInt8Ty(), pointer(n.dst), to);
    Value* from_at = ir_.CreateInBoundsGEP(ir_.getInt8Ty(), pointer(n.src), from);
    llvm::MaybeAlign align(static_cast<uint64_t>(prim::byteSize(info(n.dst).type)));
    ir_.CreateMemCpy(to_at, align, from_at, align, bytes);
  } else if (from_device && to_device) {
    leaveOn(callRuntime("rt_device_copy", ir_.getInt32Ty(),
                        {run_context_, pointer(n.dst), to, pointer(n.src), from, bytes}));
  } else if (to_device) {
    Value* from_at = ir_.CreateInBoundsGEP(ir_.getInt8Ty(), pointer(n.src), from);
    leaveOn(callRuntime("rt_device_write", ir_.getInt32Ty(),
                        {run_context_, pointer(n.dst), to, from_at, bytes}));
  } else {
    Value* to_at = ir_.CreateInBoundsGEP(ir_.getInt8Ty(), pointer(n.dst), to);
    leaveOn(callRuntime("rt_device_read", ir_.getInt32Ty(),
                        {run_context_, pointer(n.src), from, to_at, bytes}));
  }
}

void FunctionEmitter::stm(const imp::LoadVector&) {
  HALO_UNREACHABLE("a kernel's vector in a host function");
}
void FunctionEmitter::stm(const imp::StoreVector&) {
  HALO_UNREACHABLE("a kernel's vector in a host function");
}
void FunctionEmitter::stm(const imp::MatrixOp&) {
  HALO_UNREACHABLE("a kernel's matrix in a host function");
}
void FunctionEmitter::stm(const imp::Barrier&) {
  HALO_UNREACHABLE("a kernel's barrier in a host function");
}

void FunctionEmitter::stm(const imp::Atomic&) {
  HALO_UNREACHABLE("a kernel's atomic operation in a host function");
}

void FunctionEmitter::stm(const imp::Launch& n) {
  std::vector<Value*> groups, buffers, scalars;
  for (const Operand& group : n.groups) groups.push_back(operand(group));
  for (BufferId buffer : n.buffers) buffers.push_back(pointer(buffer));
  for (const Operand& scalar : n.scalars) scalars.push_back(operand(scalar));
  uint32_t index = 0;
  while (program_.functions[index].name != n.kernel ||
         program_.functions[index].kind != imp::FunctionKind::kKernel) {
    ++index;
    HALO_CHECK(index < program_.functions.size(), "launch of an unknown kernel");
  }
  leaveOn(callRuntime("rt_launch", ir_.getInt32Ty(),
                      {run_context_, ir_.getInt32(index), stackArray(groups), stackArray(buffers),
                       stackArray(scalars)}));
}

void FunctionEmitter::stm(const imp::ExitFlag& n) {
  Value* memory = callRuntime("rt_exit_flag", ir_.getPtrTy(), {run_context_});
  ir_.CreateStore(memory, buffers_.at(n.buffer));
}

void FunctionEmitter::stm(const imp::ReadScalar& n) {
  ScalarType type = info(n.buffer).type;
  llvm::AllocaInst* slot = entryAlloca(memoryType(context_, type), nameOf(n.var));
  int size = prim::byteSize(type);
  leaveOn(callRuntime("rt_device_read", ir_.getInt32Ty(),
                      {run_context_, pointer(n.buffer), byteOffset(n.buffer, n.index), slot,
                       ir_.getInt64(static_cast<uint64_t>(size))}));
  Value* value = ir_.CreateLoad(memoryType(context_, type), slot);
  values_[n.var] = type == ScalarType::kBool ? ir_.CreateICmpNE(value, ir_.getInt8(0)) : value;
}

}  // namespace halo::jit
