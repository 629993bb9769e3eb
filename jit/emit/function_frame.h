// The frame of a function of LLVM IR: its stack memory, the exit block that returns a status early,
// and calls of the runtime. It knows nothing of Imp.
//
//   allocas:  stack memory of the whole function, then to start
//   start:    the code, from `open` on; `leaveUnless` and `leaveOn` go to the exit
//   exit:     returns the status (runtime.h) that it is reached with
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace halo::jit {

inline constexpr uint32_t kLikely = 1u << 20;   // branch weight against 1
inline constexpr int64_t kPollInterval = 1024;  // trips of an innermost loop between polls

class FunctionFrame {
 public:
  explicit FunctionFrame(llvm::Function* target);

  void open();
  // `returns_status`: the function returns it alone, else in front of its results.
  void close(bool returns_status);

  llvm::AllocaInst* entryAlloca(llvm::Type* type, const std::string& name);
  llvm::BasicBlock* newBlock(const char* name);

  void leaveUnless(llvm::Value* ok, int32_t status);
  void leaveOn(llvm::Value* status);
  // Ends the code here with the failure of this site.
  void fail(int site, const std::vector<llvm::Value*>& operands);
  // Leaves where the stack is exhausted. `site`: of that failure.
  void checkStack(uint32_t site);
  // Leaves where the call has been cancelled; `pollEvery` looks once in a while: `trip` goes up by
  // `step`, a power of two.
  void poll();
  void pollEvery(llvm::Value* trip, int64_t step = 1);

  llvm::Value* callRuntime(const char* name, llvm::Type* result,
                           const std::vector<llvm::Value*>& args);
  // Scalars as 64 bits each, in memory for the runtime.
  void fillArray(llvm::Value* array, llvm::Type* type, const std::vector<llvm::Value*>& items);
  llvm::Value* stackArray(const std::vector<llvm::Value*>& items);

 protected:
  llvm::Function* target_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> ir_;
  llvm::Value* run_context_ = nullptr;

 private:
  void leave(int32_t status);

  llvm::BasicBlock* allocas_ = nullptr;
  llvm::BasicBlock* exit_ = nullptr;
  llvm::PHINode* exit_status_ = nullptr;
  std::unordered_map<size_t, llvm::AllocaInst*> failure_operands_;  // by their number
};

}  // namespace halo::jit
