// One LLJIT for the process, one dylib per program; compiled code sees the runtime's symbols and
// nothing else of the process.
#include "jit/runtime/orc.h"

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include <mutex>

#include "jit/emit/emit.h"
#include "jit/target.h"

namespace halo::jit {
namespace {

namespace orc = llvm::orc;
using llvm::Error;
using llvm::Expected;

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
    // The look-up returns errors as well.
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

class LinkedUnit final : public Unit {
 public:
  LinkedUnit(orc::JITDylib& unit, Entry entry, uint64_t* nests)
      : unit_(unit), entry_(entry), nests_(nests) {}
  ~LinkedUnit() override {
    orc::ExecutionSession& session = Process::get().jit()->getExecutionSession();
    consumeError(session.removeJITDylib(unit_));
  }
  Entry entry() const override { return entry_; }
  uint64_t* nests() const override { return nests_; }

 private:
  orc::JITDylib& unit_;
  Entry entry_;
  uint64_t* nests_;
};

}  // namespace

diag::Result<std::unique_ptr<Unit>> link(const std::string& object) {
  Process& process = Process::get();
  if (process.jit() == nullptr) {
    return diag::fail(diag::Code::compile_failure, {},
                      "the code generator did not start: " + process.failure());
  }
  auto unit = process.addUnit();
  if (!unit) return compileFailure(unit.takeError());
  orc::LLJIT& jit = *process.jit();
  if (Error error = jit.addObjectFile(**unit, llvm::MemoryBuffer::getMemBufferCopy(object))) {
    return compileFailure(std::move(error));
  }
  auto entry = jit.lookup(**unit, kEntrySymbol);
  if (!entry) return compileFailure(entry.takeError());
  auto nests = jit.lookup(**unit, kNestsSymbol);
  if (!nests) return compileFailure(nests.takeError());
  return std::make_unique<LinkedUnit>(**unit, entry->toPtr<Unit::Entry>(),
                                      nests->toPtr<uint64_t*>());
}

}  // namespace halo::jit
