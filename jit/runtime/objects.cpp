// Key: the program's text, the entry, this build, the machine and the passes.
#include "jit/runtime/objects.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/emit/emit.h"
#include "jit/emit/fuse_products.h"
#include "jit/runtime/object_cache.h"
#include "jit/target.h"
#include "lang/base/check.h"
#include "lang/imp/text.h"

namespace halo::jit {
namespace {

using llvm::Error;
using llvm::Expected;

void checkModule(const llvm::Module& module) {
#ifndef NDEBUG
  std::string problem;
  llvm::raw_string_ostream out(problem);
  HALO_CHECK(!llvm::verifyModule(module, &out), problem.c_str());
#else
  (void)module;
#endif
}

std::unique_ptr<llvm::Module> moduleOf(llvm::LLVMContext& context, const imp::Program& program,
                                       const std::string& entry, llvm::TargetMachine& machine,
                                       const EmitOptions& options) {
  auto module = emit(context, program, entry, machine, options);
  fuseProducts(*module, machine);
  checkModule(*module);
  return module;
}

Expected<std::string> compileObject(const imp::Program& program, const std::string& entry,
                                    Quality quality) {
  auto machine = hostMachine(quality != Quality::kQuick);
  if (!machine) return machine.takeError();
  llvm::LLVMContext context;
  auto module = moduleOf(context, program, entry, **machine, {});
  if (quality == Quality::kQuickNests) leaveNests(*module);
  if (quality != Quality::kQuick) {
    if (Error error = runPasses(*module, **machine)) return error;
  }
  llvm::SmallVector<char, 0> bytes;
  if (Error error = emitFile(*module, **machine, false, bytes)) return error;
  return std::string(bytes.begin(), bytes.end());
}

// The code that is compiled. Of a kernel, which a host program launches by its number, the place.
std::string textOf(const imp::Program& program) {
  std::string text;
  for (const imp::Function& function : program.functions) {
    const bool is_kernel = function.kind == imp::FunctionKind::kKernel;
    text += is_kernel ? "kernel " + function.name + "\n" : imp::print(program, function);
  }
  return text;
}

const ObjectCache& cache() {
  static const ObjectCache objects;
  return objects;
}

}  // namespace

Objects::Objects(const imp::Program& program, std::string entry, bool use_disk_cache)
    : program_(program), entry_(std::move(entry)) {
  if (use_disk_cache) text_ = textOf(program);
}

// Empty if there is no cache.
std::string Objects::key(Quality quality) const {
  if (text_.empty()) return "";
  const bool optimise = quality != Quality::kQuick;
  auto machine = hostMachine(optimise);
  if (!machine) {
    consumeError(machine.takeError());  // compiling will say so
    return "";
  }
  const std::string nests = quality == Quality::kQuickNests ? "quick nests|" : "|";
  return compilerKey() + targetKey(**machine, optimise) + nests + entry_ + "|" + text_;
}

std::string Objects::cached(Quality quality) const {
  const std::string name = key(quality);
  return name.empty() ? "" : cache().find(name);
}

diag::Result<std::string> Objects::compile(Quality quality) const {
  auto object = compileObject(program_, entry_, quality);
  if (!object) return compileFailure(object.takeError());
  const std::string name = key(quality);
  if (!name.empty()) cache().store(name, *object);
  return std::move(*object);
}

diag::Result<std::string> printLlvm(const imp::Program& program, bool assembly) {
  auto machine = hostMachine(true);
  if (!machine) return compileFailure(machine.takeError());
  llvm::LLVMContext context;
  auto module = moduleOf(context, program, "", **machine, {.keep_names = true});
  if (Error error = runPasses(*module, **machine)) return compileFailure(std::move(error));
  if (!assembly) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out, nullptr);
    return text;
  }
  llvm::SmallVector<char, 0> bytes;
  if (Error error = emitFile(*module, **machine, true, bytes)) {
    return compileFailure(std::move(error));
  }
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace halo::jit
