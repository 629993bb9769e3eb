// Target machines, the pass pipeline, object and assembly output.
#include "jit/target.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <map>

namespace halo::jit {

using llvm::Error;
using llvm::Expected;
using llvm::TargetMachine;

namespace {

constexpr const char* kPasses =
    "function(sroa,early-cse,simplifycfg,loop-mssa(licm),instcombine<no-verify-fixpoint>,"
    "loop(indvars),loop-vectorize,simplifycfg,instcombine<no-verify-fixpoint>,sroa,early-cse,"
    "loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg)";

// Passes of code generation that cost more than they give. LSR is half of it for loop nests and
// gains nothing here (CPU.md 1.2). Domain reassignment is quadratic in the length of a chain of
// integer selects (thousands of conditionals took tens of seconds), and looks for mask registers
// that scalar code does not use.
constexpr const char* kDisabled[] = {"disable-lsr", "disable-x86-domain-reassignment"};

bool initialise() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto& flags = llvm::cl::getRegisteredOptions();
  bool all = true;
  for (const char* name : kDisabled) {
    auto flag = flags.find(name);  // some are of one target only
    all = all && flag != flags.end() && !flag->second->addOccurrence(0, name, "true");
  }
  return all;
}

}  // namespace

Expected<TargetMachine*> hostMachine(bool optimise) {
  static const bool kOnce = initialise();
  (void)kOnce;
  thread_local std::map<bool, std::unique_ptr<TargetMachine>> machines;
  std::unique_ptr<TargetMachine>& machine = machines[optimise];
  if (machine != nullptr) return machine.get();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host) return host.takeError();
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeModel(llvm::CodeModel::Small);
  host->getOptions().ExceptionModel = llvm::ExceptionHandling::None;
  host->setCodeGenOptLevel(optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
  auto made = host->createTargetMachine();
  if (!made) return made.takeError();
  machine = std::move(*made);
  return machine.get();
}

Error runPasses(llvm::Module& module, TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (Error error = builder.parsePassPipeline(passes, kPasses)) return error;
  passes.run(module, modules);
  return Error::success();
}

Error emitFile(llvm::Module& module, TargetMachine& machine, bool assembly,
               llvm::SmallVectorImpl<char>& bytes) {
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  auto type = assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, out, nullptr, type)) {
    return llvm::createStringError("this target writes no such file");
  }
  passes.run(module);
  return Error::success();
}

diag::Failure compileFailure(Error error) {
  return diag::fail(diag::Code::compile_failure, {},
                    "the code generator failed: " + llvm::toString(std::move(error)));
}

std::string targetKey(const TargetMachine& machine, bool optimise) {
  return machine.getTargetTriple().str() + "|" + machine.getTargetCPU().str() + "|" +
         machine.getTargetFeatureString().str() + "|" LLVM_VERSION_STRING "|" +
         (optimise ? kPasses : "none");
}

}  // namespace halo::jit
