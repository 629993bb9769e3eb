// Functions that session, REPL and tests ask of parts which a page does not have: compiling
// engines, stages behind the checker, libpng. Each says so.
#include <emscripten/stack.h>

#include "cli/distributed/on_ranks.h"
#include "cli/session/stages.h"
#include "cli/session/testing/float_order.h"
#include "gpu/engine.h"
#include "jit/engine.h"
#include "lang/ad/no_derivative.h"
#include "lang/base/check.h"
#include "lang/base/stack.h"
#include "lang/ranks/ranks.h"
#include "lang/value/picture.h"
#include "lang/value/readers.h"

namespace halo {

namespace {

diag::Failure absent(const std::string& part) {
  return diag::fail(diag::Code::engine_unsupported, {}, "the playground has no " + part,
                    {"the installed `halo` has it"});
}

class AbsentEngine final : public engine::Engine {
 public:
  std::string name() const override { return "cpu"; }
  diag::Result<std::unique_ptr<engine::Prepared>> prepare(std::shared_ptr<const types::Program>,
                                                          types::DefId,
                                                          const engine::Options&) override {
    return absent("cpu engine");
  }
};

}  // namespace

namespace jit {

std::unique_ptr<engine::Engine> makeCpuEngine() { return std::make_unique<AbsentEngine>(); }
diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program&,
                                                            const std::string&,
                                                            const engine::Options&) {
  return absent("cpu engine");
}

}  // namespace jit

namespace ad {

// H5003 reads Core, which the page has not.
void warnOfSteps(const types::Program&, diag::Sink&) {}

}  // namespace ad

namespace gpu {

std::vector<DeviceInfo> devices() { return {}; }
std::string deviceName(const std::string&) { return ""; }
bool hasHardwareDevice() { return false; }
diag::Result<std::unique_ptr<engine::Engine>> makeGpuEngine(const std::string&) {
  return absent("gpu engine");
}
diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program&,
                                                            const std::string&, const std::string&,
                                                            const engine::Options&) {
  return absent("gpu engine");
}
void timeCalls() {}
std::unique_ptr<engine::PageCopies> pageCopies(const std::string&) { return nullptr; }

}  // namespace gpu

namespace distributed {

diag::Result<std::unique_ptr<engine::Prepared>> prepareOnRanks(Entry, ranks::Ranks*) {
  return absent("ranks");
}
diag::Result<std::unique_ptr<engine::Prepared>> prepareOnThreads(Entry, std::vector<int>) {
  return absent("ranks");
}

}  // namespace distributed

namespace ranks {

// A page is one rank.
Result<int64_t> Ranks::agree(int64_t number, uint64_t) { return number; }

}  // namespace ranks

namespace session {

diag::Result<std::string> stageText(Session&, const types::Program&, types::DefId,
                                    const std::string& stage) {
  return absent("stage `" + stage + "`");
}
std::vector<bool> looseResults(const types::Program&, types::DefId) { return {}; }

}  // namespace session

namespace value {

diag::Result<Value> readPng(const std::string&) { return absent("PNG reader"); }
diag::Result<std::monostate> writePng(const std::string&, const Value&) {
  return absent("PNG writer");
}
std::string toPng(const Pixels&) { HALO_UNREACHABLE("a page draws pixels itself"); }

}  // namespace value

namespace base {

// The one stack is as large as the linker made it.
const std::optional<StackBounds>& stackBounds() {
  static const std::optional<StackBounds> kBounds = StackBounds{
      emscripten_stack_get_end(), emscripten_stack_get_base() - emscripten_stack_get_end()};
  return kBounds;
}
void onLargeStack(const std::function<void()>& run) { run(); }
uintptr_t recursionLimit(size_t, size_t reserve) { return stackBounds()->lowest + reserve; }

// The parser and the checker take less for a level here than on a processor with 64 bits.
size_t stackLevels() {
  constexpr size_t kBytesPerLevel = size_t{4} << 10;
  return stackBounds()->size / kBytesPerLevel;
}

}  // namespace base

}  // namespace halo
