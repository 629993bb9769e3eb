// Control flow, memory and calls; scalars are in emit_value. Structured Imp becomes blocks in loop
// form (guard, body, latch), so that LLVM needs no pass to find its loops.
//
// Aliasing is a fact of Imp. Inside a loop nest that binds no buffer anew every buffer has a scope
// of its own and overlaps no other (unless neither is `noalias`); vector loops say in addition that
// their iterations are independent.
#include "jit/emit.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <map>
#include <unordered_set>

#include "jit/emit_value.h"
#include "jit/runtime.h"
#include "lang/base/check.h"
#include "lang/base/match.h"

namespace halo::jit {
namespace {

using imp::Block;
using imp::BufferId;
using imp::Operand;
using imp::Space;
using imp::VarId;
using llvm::BasicBlock;
using llvm::Value;
using prim::ScalarType;

constexpr int64_t kPollInterval = 1024;  // trips of an innermost loop between looks at the flag
constexpr uint32_t kLikely = 1u << 20;

bool bindsBuffers(const Block& block) {
  for (const imp::Stm& stm : block) {
    bool binds = base::match(
        stm.node, [](const imp::For& n) { return bindsBuffers(n.body); },
        [](const imp::While& n) { return bindsBuffers(n.before) || bindsBuffers(n.body); },
        [](const imp::If& n) { return bindsBuffers(n.then_block) || bindsBuffers(n.else_block); },
        [](const imp::Let&) { return false; }, [](const imp::Declare&) { return false; },
        [](const imp::Assign&) { return false; }, [](const imp::Store&) { return false; },
        [](const imp::CopyBuffer&) { return false; }, [](const imp::Fail&) { return false; },
        base::otherwise([](const auto&) { return true; }));
    if (binds) return true;
  }
  return false;
}

void collectBuffers(const Block& block, std::vector<BufferId>& buffers) {
  for (const imp::Stm& stm : block) {
    base::match(
        stm.node, [&](const imp::For& n) { collectBuffers(n.body, buffers); },
        [&](const imp::While& n) {
          collectBuffers(n.before, buffers), collectBuffers(n.body, buffers);
        },
        [&](const imp::If& n) {
          collectBuffers(n.then_block, buffers), collectBuffers(n.else_block, buffers);
        },
        [&](const imp::Let& n) {
          if (const auto* load = std::get_if<imp::Load>(&n.expr)) buffers.push_back(load->buffer);
        },
        [&](const imp::Store& n) { buffers.push_back(n.buffer); },
        base::otherwise([](const auto&) {}));
  }
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

class ModuleEmitter;

class FunctionEmitter {
 public:
  FunctionEmitter(ModuleEmitter& module, const imp::Function& source, llvm::Function* target);
  void run();

 private:
  // Parameters and results.
  void entryParams();
  void innerParams();
  void entryResults();
  void innerResults();
  void checkStack();
  void declareBuffers(const Block& block);
  void declareBuffer(BufferId buffer);

  // Statements.
  void block(const Block& block);
  void stm(const imp::Let& n);
  void stm(const imp::Declare& n);
  void stm(const imp::Assign& n);
  void stm(const imp::Store& n);
  void stm(const imp::For& n);
  void stm(const imp::While& n);
  void stm(const imp::If& n);
  void stm(const imp::Alloc& n);
  void stm(const imp::Free& n);
  void stm(const imp::Rebind& n);
  void stm(const imp::Swap& n);
  void stm(const imp::CopyBuffer& n);
  void stm(const imp::Fail& n);
  void stm(const imp::Barrier& n);
  void stm(const imp::Launch& n);
  void stm(const imp::ReadScalar& n);
  void stm(const imp::Call& n);

  Value* expr(const imp::Expr& expr);
  Value* operand(const Operand& operand);
  Value* pointer(BufferId buffer);
  Value* element(BufferId buffer, const Operand& index);
  Value* byteOffset(BufferId buffer, const Operand& index);
  void annotate(llvm::Instruction* access, BufferId buffer);
  void enterRegion(const Block& body);
  llvm::MDNode* loopMetadata(bool vector, int width);
  void poll();
  void pollEvery(Value* trip);
  void leaveUnless(Value* ok, int32_t status);
  void leaveOn(Value* status);
  Value* callRuntime(const char* name, llvm::Type* result, const std::vector<Value*>& args);
  Value* stackArray(const std::vector<Value*>& items);
  llvm::AllocaInst* entryAlloca(llvm::Type* type, const std::string& name);
  BasicBlock* newBlock(const char* name);
  llvm::Type* typeOf(VarId var);
  const imp::BufferInfo& info(BufferId buffer) const;
  std::string nameOf(VarId var) const;

  ModuleEmitter& module_;
  const imp::Program& program_;
  const imp::Function& source_;
  llvm::Function* target_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> ir_;
  BasicBlock* allocas_ = nullptr;
  BasicBlock* exit_ = nullptr;  // returns the status it is reached with
  llvm::PHINode* exit_status_ = nullptr;
  Value* run_context_ = nullptr;
  Value* results_ = nullptr;
  std::unordered_map<VarId, Value*> values_;  // immutable variables
  std::unordered_map<VarId, llvm::AllocaInst*> mutables_;
  std::unordered_map<BufferId, llvm::AllocaInst*> buffers_;  // address variables
  std::unordered_map<BufferId, llvm::AllocaInst*> arrays_;   // private memory
  bool in_region_ = false;
  std::unordered_map<BufferId, std::pair<llvm::MDNode*, llvm::MDNode*>> scopes_;
  llvm::MDNode* access_group_ = nullptr;
};

class ModuleEmitter {
 public:
  ModuleEmitter(llvm::LLVMContext& context, const imp::Program& program,
                const llvm::TargetMachine& target)
      : program_(program),
        module_(std::make_unique<llvm::Module>("halo", context)),
        target_(target) {
    module_->setDataLayout(target.createDataLayout());
    module_->setTargetTriple(target.getTargetTriple().str());
  }

  void addEntry(const imp::Function& source, const std::string& symbol) {
    llvm::Type* ptr = llvm::PointerType::get(context(), 0);
    auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context()), {ptr, ptr, ptr}, false);
    auto* function = create(type, symbol, llvm::Function::ExternalLinkage);
    for (unsigned i = 0; i < 3; i++) function->addParamAttr(i, llvm::Attribute::NoAlias);
    queue_.emplace_back(&source, function);
    drain();
  }

  llvm::Function* inner(const std::string& name) {
    auto found = inner_.find(name);
    if (found != inner_.end()) return found->second;
    const imp::Function* source = nullptr;
    for (const imp::Function& candidate : program_.functions) {
      bool is_inner = !candidate.is_entry && candidate.kind == imp::FunctionKind::kHost;
      if (candidate.name == name && is_inner) source = &candidate;
    }
    HALO_CHECK(source != nullptr, "call of an unknown function");
    std::vector<llvm::Type*> params = {llvm::PointerType::get(context(), 0)};
    params.resize(1 + source->buffers.size(), params[0]);
    for (VarId var : source->scalars) params.push_back(varType(var));
    std::vector<llvm::Type*> results = {llvm::Type::getInt32Ty(context())};
    for (VarId var : source->result_vars) results.push_back(varType(var));
    results.resize(results.size() + source->result_buffers.size(), params[0]);
    auto* type = llvm::FunctionType::get(llvm::StructType::get(context(), results), params, false);
    auto* function = create(type, "halo." + name, llvm::Function::InternalLinkage);
    inner_[name] = function;
    queue_.emplace_back(source, function);
    return function;
  }

  llvm::Type* varType(VarId var) { return registerType(context(), program_.vars[var].type); }
  llvm::LLVMContext& context() { return module_->getContext(); }
  llvm::Module& module() { return *module_; }
  const imp::Program& program() const { return program_; }
  std::unique_ptr<llvm::Module> take() { return std::move(module_); }

 private:
  void drain() {
    while (!queue_.empty()) {
      auto [source, function] = queue_.back();
      queue_.pop_back();
      FunctionEmitter(*this, *source, function).run();
    }
  }

  llvm::Function* create(llvm::FunctionType* type, const std::string& name,
                         llvm::Function::LinkageTypes linkage) {
    auto* function = llvm::Function::Create(type, linkage, name, *module_);
    function->addFnAttr("target-cpu", target_.getTargetCPU());
    function->addFnAttr("target-features", target_.getTargetFeatureString());
    function->addFnAttr("prefer-vector-width", "512");
    function->addFnAttr(llvm::Attribute::NoUnwind);
    return function;
  }

  const imp::Program& program_;
  std::unique_ptr<llvm::Module> module_;
  const llvm::TargetMachine& target_;
  std::unordered_map<std::string, llvm::Function*> inner_;
  std::vector<std::pair<const imp::Function*, llvm::Function*>> queue_;
};

// ---- frame

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, const imp::Function& source,
                                 llvm::Function* target)
    : module_(module),
      program_(module.program()),
      source_(source),
      target_(target),
      context_(module.context()),
      ir_(module.context()) {}

void FunctionEmitter::run() {
  allocas_ = newBlock("allocas");
  BasicBlock* start = newBlock("start");
  exit_ = BasicBlock::Create(context_, "exit");
  exit_status_ = llvm::PHINode::Create(ir_.getInt32Ty(), 4, "status", exit_);
  ir_.SetInsertPoint(start);
  run_context_ = target_->getArg(0);
  for (BufferId buffer : source_.buffers) declareBuffer(buffer);
  declareBuffers(source_.body);
  if (source_.is_entry) {
    entryParams();
  } else {
    checkStack();
    innerParams();
  }
  block(source_.body);
  if (source_.is_entry) {
    entryResults();
  } else {
    innerResults();
  }
  if (exit_status_->getNumIncomingValues() == 0) {
    exit_status_->eraseFromParent();
    delete exit_;
  } else {
    exit_->insertInto(target_);
    ir_.SetInsertPoint(exit_);
    Value* result = exit_status_;
    if (!source_.is_entry) {
      result = ir_.CreateInsertValue(llvm::PoisonValue::get(target_->getReturnType()), result, 0);
    }
    ir_.CreateRet(result);
  }
  ir_.SetInsertPoint(allocas_);
  ir_.CreateBr(start);
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
}

void FunctionEmitter::innerParams() {
  unsigned position = 1;
  for (BufferId buffer : source_.buffers) {
    ir_.CreateStore(target_->getArg(position++), buffers_.at(buffer));
  }
  for (VarId var : source_.scalars) values_[var] = target_->getArg(position++);
}

// Deep recursion ends with a failure, not with a signal.
void FunctionEmitter::checkStack() {
  llvm::AllocaInst* here = entryAlloca(ir_.getInt8Ty(), "here");
  Value* limit_at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), run_context_, 1);
  Value* limit = ir_.CreateLoad(ir_.getInt64Ty(), limit_at);
  Value* address = ir_.CreatePtrToInt(here, ir_.getInt64Ty());
  leaveUnless(ir_.CreateICmpUGT(address, limit), kRunStackExhausted);
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
  if (i.space == Space::kPrivate) {
    auto* type = llvm::ArrayType::get(memoryType(context_, i.type),
                                      static_cast<uint64_t>(i.constant_elements));
    arrays_[buffer] = entryAlloca(type, i.name);
    arrays_[buffer]->setAlignment(llvm::Align(64));
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
        [&](const imp::Call& n) {
          for (BufferId buffer : n.buffers) declareBuffer(buffer);
          for (BufferId buffer : n.result_buffers) declareBuffer(buffer);
        },
        base::otherwise([](const auto&) {}));
  }
}

llvm::AllocaInst* FunctionEmitter::entryAlloca(llvm::Type* type, const std::string& name) {
  llvm::IRBuilder<> at(allocas_);
  return at.CreateAlloca(type, nullptr, name);
}

BasicBlock* FunctionEmitter::newBlock(const char* name) {
  return BasicBlock::Create(context_, name, target_);
}

llvm::Type* FunctionEmitter::typeOf(VarId var) { return module_.varType(var); }
const imp::BufferInfo& FunctionEmitter::info(BufferId buffer) const {
  return program_.buffers[buffer];
}
std::string FunctionEmitter::nameOf(VarId var) const { return program_.vars[var].name; }

// ---- leaving early

void FunctionEmitter::leaveUnless(Value* ok, int32_t status) {
  BasicBlock* next = newBlock("ok");
  exit_status_->addIncoming(ir_.getInt32(static_cast<uint32_t>(status)), ir_.GetInsertBlock());
  ir_.CreateCondBr(ok, next, exit_, llvm::MDBuilder(context_).createBranchWeights(kLikely, 1));
  ir_.SetInsertPoint(next);
}

void FunctionEmitter::leaveOn(Value* status) {
  BasicBlock* next = newBlock("ok");
  exit_status_->addIncoming(status, ir_.GetInsertBlock());
  Value* ok = ir_.CreateICmpEQ(status, ir_.getInt32(kRunOk));
  ir_.CreateCondBr(ok, next, exit_, llvm::MDBuilder(context_).createBranchWeights(kLikely, 1));
  ir_.SetInsertPoint(next);
}

void FunctionEmitter::poll() {
  Value* flag = ir_.CreateLoad(ir_.getPtrTy(), run_context_);
  llvm::LoadInst* word = ir_.CreateAlignedLoad(ir_.getInt32Ty(), flag, llvm::Align(4));
  word->setAtomic(llvm::AtomicOrdering::Monotonic);
  leaveUnless(ir_.CreateICmpEQ(word, ir_.getInt32(0)), kRunInterrupted);
}

void FunctionEmitter::pollEvery(Value* trip) {
  BasicBlock* look = newBlock("look");
  BasicBlock* next = newBlock("go_on");
  Value* rest = ir_.CreateAnd(trip, ir_.getInt64(kPollInterval - 1));
  Value* due = ir_.CreateICmpEQ(rest, ir_.getInt64(kPollInterval - 1));
  ir_.CreateCondBr(due, look, next, llvm::MDBuilder(context_).createBranchWeights(1, kLikely));
  ir_.SetInsertPoint(look);
  poll();
  ir_.CreateBr(next);
  ir_.SetInsertPoint(next);
}

void FunctionEmitter::stm(const imp::Fail& n) {
  std::vector<Value*> operands;
  for (const Operand& o : n.operands) operands.push_back(operand(o));
  callRuntime("rt_fail", ir_.getVoidTy(),
              {run_context_, ir_.getInt32(static_cast<uint32_t>(n.site)),
               ir_.getInt64(operands.size()), stackArray(operands)});
  exit_status_->addIncoming(ir_.getInt32(kRunFailed), ir_.GetInsertBlock());
  ir_.CreateBr(exit_);
  ir_.SetInsertPoint(newBlock("unreached"));
}

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

void FunctionEmitter::enterRegion(const Block& body) {
  in_region_ = true;
  std::vector<BufferId> used;
  collectBuffers(body, used);
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
      [&](const imp::BuiltInValue&) -> Value* {
        HALO_UNREACHABLE("a kernel's value in a host function");
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

// ---- control

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

void FunctionEmitter::stm(const imp::For& n) {
  bool opens_region = !in_region_ && !bindsBuffers(n.body);
  if (opens_region) enterRegion(n.body);
  bool vector = n.schedule == imp::Schedule::kVector;
  llvm::MDNode* outer_group = access_group_;
  access_group_ = vector ? llvm::MDNode::getDistinct(context_, {}) : nullptr;

  Value* lo = operand(n.lo);
  Value* hi = operand(n.hi);
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
  if (opens_region) {
    in_region_ = false;
    scopes_.clear();
  }
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

// ---- the runtime

Value* FunctionEmitter::callRuntime(const char* name, llvm::Type* result,
                                    const std::vector<Value*>& args) {
  std::vector<llvm::Type*> types;
  for (Value* arg : args) types.push_back(arg->getType());
  llvm::FunctionCallee callee =
      module_.module().getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return ir_.CreateCall(callee, args);
}

Value* FunctionEmitter::stackArray(const std::vector<Value*>& items) {
  auto* type = llvm::ArrayType::get(ir_.getInt64Ty(), std::max<size_t>(items.size(), 1));
  llvm::AllocaInst* array = entryAlloca(type, "items");
  for (size_t i = 0; i < items.size(); i++) {
    ir_.CreateStore(toBits(ir_, items[i]), ir_.CreateConstInBoundsGEP2_64(type, array, 0, i));
  }
  return array;
}

void FunctionEmitter::stm(const imp::Alloc& n) {
  if (arrays_.contains(n.buffer)) return;
  int size = prim::byteSize(info(n.buffer).type);
  const char* name = info(n.buffer).space == Space::kDevice ? "rt_device_alloc" : "rt_alloc";
  Value* memory =
      callRuntime(name, ir_.getPtrTy(),
                  {run_context_, operand(n.elements), ir_.getInt64(static_cast<uint64_t>(size))});
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
  } else {
    HALO_CHECK(from_device, "a host program uploads nothing");
    Value* to_at = ir_.CreateInBoundsGEP(ir_.getInt8Ty(), pointer(n.dst), to);
    leaveOn(callRuntime("rt_device_read", ir_.getInt32Ty(),
                        {run_context_, pointer(n.src), from, to_at, bytes}));
  }
}

void FunctionEmitter::stm(const imp::Barrier&) {
  HALO_UNREACHABLE("a kernel's barrier in a host function");
}

void FunctionEmitter::stm(const imp::Launch& n) {
  std::vector<Value*> groups, buffers, scalars;
  for (const Operand& group : n.groups) groups.push_back(operand(group));
  for (BufferId buffer : n.buffers) buffers.push_back(pointer(buffer));
  for (const Operand& scalar : n.scalars) scalars.push_back(operand(scalar));
  uint32_t index = 0;
  while (program_.functions[index].name != n.kernel ||
         program_.functions[index].kind != imp::FunctionKind::kKernel) {
    index++;
    HALO_CHECK(index < program_.functions.size(), "launch of an unknown kernel");
  }
  leaveOn(callRuntime("rt_launch", ir_.getInt32Ty(),
                      {run_context_, ir_.getInt32(index), stackArray(groups), stackArray(buffers),
                       stackArray(scalars)}));
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

}  // namespace

std::unique_ptr<llvm::Module> emit(llvm::LLVMContext& context, const imp::Program& program,
                                   const std::string& entry, const llvm::TargetMachine& target,
                                   const EmitOptions& options) {
  context.setDiscardValueNames(!options.keep_names);
  ModuleEmitter module(context, program, target);
  for (const imp::Function& function : program.functions) {
    if (!function.is_entry || function.kind != imp::FunctionKind::kHost) continue;
    if (entry.empty()) {
      module.addEntry(function, "entry." + function.name);
    } else if (function.name == entry) {
      module.addEntry(function, kEntrySymbol);
    }
  }
  return module.take();
}

}  // namespace halo::jit
