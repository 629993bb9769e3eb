// Target machines, the pass pipeline, object and assembly output.
#include "jit/target.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <map>
#include <new>

#include "jit/emit/emit.h"

namespace halo::jit {

using llvm::Error;
using llvm::Expected;
using llvm::TargetMachine;

namespace {

constexpr const char* kPasses =
    "sroa,early-cse,simplifycfg,loop-mssa(licm),instcombine<no-verify-fixpoint>,"
    "loop(indvars),loop-vectorize,simplifycfg,instcombine<no-verify-fixpoint>,sroa,early-cse,"
    "loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg";

// The passes of large functions: no instcombine, whose time grows with the square of the conditions
// around. Loops are vectorised all the same.
constexpr const char* kPassesOfLarge =
    "sroa,early-cse,simplifycfg,loop-mssa(licm),loop(indvars),loop-vectorize,simplifycfg,"
    "sroa,early-cse,loop-mssa(licm),simplifycfg";
constexpr unsigned kLarge = 4000;  // instructions
// Beyond this even code generation takes seconds.
constexpr unsigned kHuge = 100000;
// Code that runs once takes a thousand times longer to optimise than to run.
constexpr unsigned kWorthIt = 1000;

// Passes of code generation that cost more time than they save. For loop nests LSR is half of the
// time, without a gain (cpu.md#tiers). Domain reassignment is quadratic in the length of a chain of
// integer selects (thousands of conditionals took tens of seconds). It looks for mask registers
// that scalar code does not use.
constexpr const char* kDisabled[] = {"disable-lsr", "disable-x86-domain-reassignment"};
// From so many blocks on, preparing for code generation looks again at those that changed, not at
// all of them.
constexpr std::pair<const char*, const char*> kManyBlocks = {"cgpp-huge-func", "128"};

// An extension that LLVM 19 makes wrong code for. Loads of halves move across stores of halves when
// peepholes are optimised (tests/regress/halves_sorted_in_place.fut). Halves are converted instead.
constexpr const char* kMisused = "avx512fp16";

bool runsOnce(const llvm::Function& function) {
  if (function.getName() != kEntrySymbol) return false;
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  return back_edges.empty();
}

bool isLeftAsItIs(const llvm::Function& function, unsigned size) {
  return size > kHuge || (size > kWorthIt && runsOnce(function));
}

// As where `new` finds no memory. LLVM has arrays of its own, and would end the process itself.
void endWithoutMemory(void*, const char*, bool) {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  std::abort();
}

bool initialise() {
  llvm::install_bad_alloc_error_handler(endWithoutMemory);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto& flags = llvm::cl::getRegisteredOptions();
  bool all = true;
  for (const char* name : kDisabled) {
    auto flag = flags.find(name);  // some are of one target only
    all = all && flag != flags.end() && !flag->second->addOccurrence(0, name, "true");
  }
  auto blocks = flags.find(kManyBlocks.first);
  return all && blocks != flags.end() &&
         !blocks->second->addOccurrence(0, kManyBlocks.first, kManyBlocks.second);
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
  host->getFeatures().AddFeature(kMisused, false);
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeModel(llvm::CodeModel::Small);
  host->getOptions().ExceptionModel = llvm::ExceptionHandling::None;
  host->setCodeGenOptLevel(optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
  auto made = host->createTargetMachine();
  if (!made) return made.takeError();
  machine = std::move(*made);
  return machine.get();
}

namespace {

void leave(llvm::Function& function) {
  function.addFnAttr(llvm::Attribute::OptimizeNone);
  function.addFnAttr(llvm::Attribute::NoInline);
}

}  // namespace

void leaveNests(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && function.hasFnAttribute(kNestAttribute)) leave(function);
  }
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
  llvm::FunctionPassManager passes, of_large;
  if (Error error = builder.parsePassPipeline(passes, kPasses)) return error;
  if (Error error = builder.parsePassPipeline(of_large, kPassesOfLarge)) return error;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasOptNone()) continue;
    const unsigned size = function.getInstructionCount();
    if (isLeftAsItIs(function, size)) {
      leave(function);
      continue;
    }
    (size > kLarge ? of_large : passes).run(function, functions);
    functions.clear(function, function.getName());
  }
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
  const std::string key = machine.getTargetTriple().str() + "|" + machine.getTargetCPU().str() +
                          "|" + machine.getTargetFeatureString().str() +
                          "|" LLVM_VERSION_STRING "|";
  return optimise ? key + kPasses + "|" + kPassesOfLarge : key + "none";
}

}  // namespace halo::jit
