// Modules: entries, inner functions, nests and their table, constant data.
#include "jit/emit/emit.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "jit/emit/emit_value.h"
#include "jit/emit/emitter.h"
#include "jit/runtime/runtime.h"
#include "lang/base/check.h"

namespace halo::jit {

using imp::BufferId;
using imp::VarId;

ModuleEmitter::ModuleEmitter(llvm::LLVMContext& context, const imp::Program& program,
                             const llvm::TargetMachine& target)
    : program_(program), module_(std::make_unique<llvm::Module>("halo", context)), target_(target) {
  module_->setDataLayout(target.createDataLayout());
  module_->setTargetTriple(target.getTargetTriple().str());
  nests_table_ = new llvm::GlobalVariable(*module_, llvm::Type::getInt64Ty(context), false,
                                          llvm::GlobalValue::ExternalLinkage, nullptr);
}

void ModuleEmitter::addEntry(const imp::Function& source, const std::string& symbol) {
  llvm::Type* ptr = llvm::PointerType::get(context(), 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context()), {ptr, ptr, ptr}, false);
  auto* function = create(type, symbol, llvm::Function::ExternalLinkage);
  for (unsigned i = 0; i < 3; ++i) function->addParamAttr(i, llvm::Attribute::NoAlias);
  queue_.emplace_back(&source, function);
  drain();
}

llvm::Function* ModuleEmitter::inner(const std::string& name) {
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

std::pair<llvm::Function*, llvm::Constant*> ModuleEmitter::nest(const std::string& name) {
  llvm::Type* ptr = llvm::PointerType::get(context(), 0);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context());
  auto* type =
      llvm::FunctionType::get(llvm::Type::getInt32Ty(context()), {ptr, ptr, i64, i64}, false);
  auto* function = create(type, "nest." + name, llvm::Function::InternalLinkage);
  function->addFnAttr(kNestAttribute);
  for (unsigned i = 0; i < 2; ++i) function->addParamAttr(i, llvm::Attribute::NoAlias);
  nests_.push_back(llvm::ConstantExpr::getPtrToInt(function, i64));
  auto* slot = llvm::ConstantExpr::getInBoundsGetElementPtr(
      i64, nests_table_, llvm::ConstantInt::get(i64, nests_.size()));
  return {function, slot};
}

// The table of nests, now that all are known.
std::unique_ptr<llvm::Module> ModuleEmitter::take() {
  llvm::Type* i64 = llvm::Type::getInt64Ty(context());
  std::vector<llvm::Constant*> words = {llvm::ConstantInt::get(i64, nests_.size())};
  words.insert(words.end(), nests_.begin(), nests_.end());
  auto* type = llvm::ArrayType::get(i64, words.size());
  auto* table = new llvm::GlobalVariable(*module_, type, false, llvm::GlobalValue::ExternalLinkage,
                                         llvm::ConstantArray::get(type, words), kNestsSymbol);
  nests_table_->replaceAllUsesWith(table);
  nests_table_->eraseFromParent();
  return std::move(module_);
}

void ModuleEmitter::drain() {
  while (!queue_.empty()) {
    auto [source, function] = queue_.back();
    queue_.pop_back();
    FunctionEmitter(*this, *source, function).run();
  }
}

llvm::Function* ModuleEmitter::create(llvm::FunctionType* type, const std::string& name,
                                      llvm::Function::LinkageTypes linkage) {
  auto* function = llvm::Function::Create(type, linkage, name, *module_);
  function->addFnAttr("target-cpu", target_.getTargetCPU());
  function->addFnAttr("target-features", target_.getTargetFeatureString());
  function->addFnAttr("prefer-vector-width", "512");
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

// The bytes of the elements: one constant whatever their number, where LLVM's constants for each
// element would cost memory and time.
llvm::Constant* ModuleEmitter::data(BufferId buffer) {
  llvm::Constant*& known = data_[buffer];
  if (known != nullptr) return known;
  const imp::BufferInfo& info = program_.buffers[buffer];
  auto size = static_cast<size_t>(prim::byteSize(info.type));
  std::string bytes;
  for (const prim::Scalar& scalar : info.contents) {
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(scalar.bits >> (8 * i));
  }
  auto* contents = llvm::ConstantDataArray::getRaw(bytes, info.contents.size(),
                                                   memoryType(context(), info.type));
  auto* global = new llvm::GlobalVariable(*module_, contents->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, contents, info.name);
  global->setAlignment(llvm::Align(64));
  return known = global;
}

llvm::Type* ModuleEmitter::varType(VarId var) {
  return registerType(context(), program_.vars[var].type);
}

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
