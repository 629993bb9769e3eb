// The state behind emit: a module, and one function of it. In emit.cpp: frames, that is parameters,
// results and leaving early; emit_control.cpp: loops, branches, calls; emit_memory.cpp: buffers,
// their aliasing, and the runtime.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "jit/captures.h"
#include "jit/emit/function_frame.h"
#include "lang/imp/ir.h"

namespace llvm {
class TargetMachine;
}

namespace halo::jit {

// Functions are emitted when something calls them.
class ModuleEmitter {
 public:
  ModuleEmitter(llvm::LLVMContext& context, const imp::Program& program,
                const llvm::TargetMachine& target);

  void addEntry(const imp::Function& source, const std::string& symbol);
  llvm::Function* inner(const std::string& name);
  // Of a parallel loop: a function without a body, and the slot that will hold its address.
  std::pair<llvm::Function*, llvm::Constant*> nest(const std::string& name);
  llvm::Constant* data(imp::BufferId buffer);  // of constant contents
  llvm::Type* varType(imp::VarId var);
  llvm::LLVMContext& context() { return module_->getContext(); }
  llvm::Module& module() { return *module_; }
  const imp::Program& program() const { return program_; }
  std::unique_ptr<llvm::Module> take();

 private:
  void drain();
  llvm::Function* create(llvm::FunctionType* type, const std::string& name,
                         llvm::Function::LinkageTypes linkage);

  const imp::Program& program_;
  std::unique_ptr<llvm::Module> module_;
  const llvm::TargetMachine& target_;
  std::unordered_map<std::string, llvm::Function*> inner_;
  std::unordered_map<imp::BufferId, llvm::Constant*> data_;
  llvm::GlobalVariable* nests_table_;  // stands for the table while its size is not known
  std::vector<llvm::Constant*> nests_;
  std::vector<std::pair<const imp::Function*, llvm::Function*>> queue_;
};

class FunctionEmitter : FunctionFrame {
 public:
  FunctionEmitter(ModuleEmitter& module, const imp::Function& source, llvm::Function* target);
  void run();
  // The chunk function of a parallel loop of `source`: (context, frame, lo, hi) -> status.
  void runChunk(const imp::For& loop, const Captures& captures);

 private:
  friend class LaneLoop;

  // Parameters and results.
  void entryParams();
  void innerParams();
  void entryResults();
  void innerResults();
  void declareBuffers(const imp::Block& block);
  void declareBuffer(imp::BufferId buffer);

  // Statements.
  void block(const imp::Block& block);
  void stm(const imp::Let& n);
  void stm(const imp::Declare& n);
  void stm(const imp::Assign& n);
  void stm(const imp::Store& n);
  void stm(const imp::For& n);
  void loop(const imp::For& n, llvm::Value* lo, llvm::Value* hi, bool vector);
  void scalarLoop(const imp::For& n, llvm::Value* lo, llvm::Value* hi, bool vector);
  void parallelLoop(const imp::For& n);
  void stm(const imp::While& n);
  void stm(const imp::If& n);
  void stm(const imp::Alloc& n);
  void stm(const imp::Free& n);
  void stm(const imp::Rebind& n);
  void stm(const imp::Swap& n);
  void stm(const imp::CopyBuffer& n);
  void stm(const imp::Fail& n);
  void stm(const imp::Barrier& n);
  void stm(const imp::LoadVector& n);
  void stm(const imp::StoreVector& n);
  void stm(const imp::MatrixOp& n);
  void stm(const imp::Atomic& n);
  void stm(const imp::Launch& n);
  void stm(const imp::ReadScalar& n);
  void stm(const imp::ExitFlag& n);
  void stm(const imp::OrderedSection& n);
  void stm(const imp::Append& n);
  void stm(const imp::Call& n);

  llvm::Value* expr(const imp::Expr& expr);
  llvm::Value* operand(const imp::Operand& operand);
  llvm::Value* pointer(imp::BufferId buffer);
  llvm::Value* element(imp::BufferId buffer, const imp::Operand& index);
  llvm::Value* byteOffset(imp::BufferId buffer, const imp::Operand& index);
  void annotate(llvm::Instruction* access, imp::BufferId buffer);
  void enterRegion(const imp::Block& body);
  void finishStreams();
  const imp::BufferUses& usesOfSource();
  llvm::MDNode* loopMetadata(bool vector, int width);
  llvm::Value* unrolled(const imp::For& n, llvm::Value* lo, llvm::Value* hi);
  // The last start of `count` iterations in front of `end`.
  llvm::Value* lastStart(llvm::Value* end, int64_t count);
  llvm::Type* typeOf(imp::VarId var);
  const imp::BufferInfo& info(imp::BufferId buffer) const;
  std::string nameOf(imp::VarId var) const;

  ModuleEmitter& module_;
  const imp::Program& program_;
  const imp::Function& source_;
  llvm::Value* results_ = nullptr;
  std::unordered_map<imp::VarId, llvm::Value*> values_;  // immutable variables
  std::unordered_map<imp::VarId, llvm::AllocaInst*> mutables_;
  std::unordered_map<imp::BufferId, llvm::AllocaInst*> buffers_;  // address variables
  std::unordered_map<imp::BufferId, llvm::Value*> hidden_;  // addresses that LLVM must not know
  std::unordered_map<imp::BufferId, llvm::Value*> arrays_;  // private memory and data
  std::shared_ptr<imp::BufferUses> uses_;  // of buffers by source_; shared with its nests
  bool in_region_ = false;
  const imp::For* chunk_ = nullptr;  // the loop whose body this function is
  std::unordered_map<imp::BufferId, std::pair<llvm::MDNode*, llvm::MDNode*>> scopes_;
  llvm::MDNode* access_group_ = nullptr;
};

}  // namespace halo::jit
