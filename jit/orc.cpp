// One LLJIT for the process, one dylib per program; compiled code sees the runtime's symbols and
// nothing else of the process.
#include "jit/orc.h"

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <mutex>

#include "jit/emit.h"
#include "jit/object_cache.h"
#include "jit/target.h"
#include "lang/base/check.h"
#include "lang/imp/text.h"

namespace halo::jit {
namespace {

namespace orc = llvm::orc;
using llvm::Error;
using llvm::Expected;

// LLVM's time grows faster than the code: beyond this many instructions a program is compiled
// without optimisation, which takes a tenth of the time.
constexpr unsigned kTooLarge = 20000;

diag::Failure compileFailure(Error error) {
  return diag::fail(diag::Code::compile_failure, {},
                    "the code generator failed: " + llvm::toString(std::move(error)));
}

class Process {
 public:
  // Null after a failure, with the reason in `failure()`.
  static Process& get() {
    static Process process;
    return process;
  }
  orc::LLJIT* jit() { return jit_.get(); }
  const std::string& failure() const { return failure_; }

  Expected<orc::JITDylib*> addUnit() {
    std::lock_guard lock(mutex_);
    auto unit = jit_->createJITDylib("unit" + std::to_string(next_++));
    if (!unit) return unit.takeError();
    unit->addToLinkOrder(*runtime_);
    return &*unit;
  }

 private:
  Process() {
    if (Error error = create()) failure_ = llvm::toString(std::move(error));
  }

  Error create() {
    auto machine = hostMachine(true);  // initialises the target
    if (!machine) return machine.takeError();
    auto host = orc::JITTargetMachineBuilder::detectHost();
    if (!host) return host.takeError();
    auto jit =
        orc::LLJITBuilder()
            .setJITTargetMachineBuilder(*host)
            .setPlatformSetUp(orc::setUpInactivePlatform)
            .setLinkProcessSymbolsByDefault(false)
            .setObjectLinkingLayerCreator(
                [](orc::ExecutionSession& session,
                   const llvm::Triple&) -> Expected<std::unique_ptr<orc::ObjectLayer>> {
                  auto memory = llvm::jitlink::InProcessMemoryManager::Create();
                  if (!memory) return memory.takeError();
                  return std::make_unique<orc::ObjectLinkingLayer>(session, std::move(*memory));
                })
            .create();
    if (!jit) return jit.takeError();
    // What goes wrong is returned by the look-up as well.
    (*jit)->getExecutionSession().setErrorReporter([](Error e) { consumeError(std::move(e)); });
    orc::SymbolMap symbols;
    for (const RuntimeSymbol& symbol : runtimeSymbols()) {
      symbols[(*jit)->mangleAndIntern(symbol.name)] = {
          orc::ExecutorAddr::fromPtr(symbol.address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    }
    auto runtime = (*jit)->createJITDylib("runtime");
    if (!runtime) return runtime.takeError();
    if (Error error = runtime->define(orc::absoluteSymbols(std::move(symbols)))) return error;
    runtime_ = &*runtime;
    jit_ = std::move(*jit);
    return Error::success();
  }

  std::unique_ptr<orc::LLJIT> jit_;
  orc::JITDylib* runtime_ = nullptr;
  std::string failure_;
  std::mutex mutex_;
  uint64_t next_ = 0;
};

class LinkedCode final : public Code {
 public:
  LinkedCode(orc::JITDylib& unit, Entry entry) : unit_(unit), entry_(entry) {}
  ~LinkedCode() override {
    orc::ExecutionSession& session = Process::get().jit()->getExecutionSession();
    consumeError(session.removeJITDylib(unit_));
  }
  Entry entry() const override { return entry_; }

 private:
  orc::JITDylib& unit_;
  Entry entry_;
};

void checkModule(const llvm::Module& module) {
#ifndef NDEBUG
  std::string problem;
  llvm::raw_string_ostream out(problem);
  HALO_CHECK(!llvm::verifyModule(module, &out), problem.c_str());
#else
  (void)module;
#endif
}

Expected<std::string> compileObject(const imp::Program& program, const std::string& entry,
                                    llvm::TargetMachine& machine, bool optimise) {
  llvm::LLVMContext context;
  auto module = emit(context, program, entry, machine, {});
  checkModule(*module);
  llvm::TargetMachine* target = &machine;
  if (module->getInstructionCount() > kTooLarge) {
    auto quick = hostMachine(false);
    if (!quick) return quick.takeError();
    target = *quick;
  } else if (optimise) {
    if (Error error = runPasses(*module, machine)) return error;
  }
  llvm::SmallVector<char, 0> bytes;
  if (Error error = emitFile(*module, *target, false, bytes)) return error;
  return std::string(bytes.begin(), bytes.end());
}

Expected<std::string> findObject(const imp::Program& program, const std::string& entry,
                                 const CompileOptions& options) {
  auto machine = hostMachine(options.optimise);
  if (!machine) return machine.takeError();
  if (!options.use_disk_cache) return compileObject(program, entry, **machine, options.optimise);
  static const ObjectCache cache;
  std::string key = compilerKey() + targetKey(**machine, options.optimise) + "|" + entry + "|" +
                    imp::print(program);
  std::string cached = cache.find(key);
  if (!cached.empty()) return cached;
  auto object = compileObject(program, entry, **machine, options.optimise);
  if (object) cache.store(key, *object);
  return object;
}

}  // namespace

diag::Result<std::unique_ptr<Code>> compileCode(const imp::Program& program,
                                                const std::string& entry,
                                                const CompileOptions& options) {
  Process& process = Process::get();
  if (process.jit() == nullptr) {
    return diag::fail(diag::Code::compile_failure, {},
                      "the code generator did not start: " + process.failure());
  }
  auto object = findObject(program, entry, options);
  if (!object) return compileFailure(object.takeError());
  auto unit = process.addUnit();
  if (!unit) return compileFailure(unit.takeError());
  if (Error error = process.jit()->addObjectFile(
          **unit, llvm::MemoryBuffer::getMemBufferCopy(*object, entry))) {
    return compileFailure(std::move(error));
  }
  auto address = process.jit()->lookup(**unit, kEntrySymbol);
  if (!address) return compileFailure(address.takeError());
  return std::make_unique<LinkedCode>(**unit, address->toPtr<Code::Entry>());
}

diag::Result<std::string> printLlvm(const imp::Program& program, bool assembly) {
  auto machine = hostMachine(true);
  if (!machine) return compileFailure(machine.takeError());
  llvm::LLVMContext context;
  auto module = emit(context, program, "", **machine, {.keep_names = true});
  checkModule(*module);
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
