// An engine prepares an entry of a checked program. The prepared entry can be called with values,
// can fail with a diagnostic, and can be cancelled. The command, the tests and the session know
// engines only through this.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lang/base/cancel.h"
#include "lang/diag/diagnostic.h"
#include "lang/engine/profile.h"
#include "lang/types/checked.h"
#include "lang/value/value.h"

namespace halo::engine {

enum class FloatMode { kDefault, kStrict, kFast };  // language.md#semantics

// How compiled code is made: both tiers give the same bits.
enum class Tier {
  kAuto,       // quick code first, optimised code while it runs and for later calls
  kQuick,      // cheap to make
  kOptimised,  // at once
};

struct Options {
  FloatMode float_mode = FloatMode::kDefault;
  int threads = 1;
  Tier tier = Tier::kAuto;  // of the cpu engine
  bool unsafe = false;      // --unsafe: `#[unsafe]` drops checks
  bool verify = false;      // run the verifiers around every pass
  bool use_disk_cache = true;
  bool verbose = false;
  std::string variant;  // --variant: the schedule of GPU kernels that have it
  std::function<void(const std::string&)> explain;  // --explain: the choices and their reasons
  std::function<void(const std::string&)> log;      // --verbose lines; may be empty
  std::function<void(const std::string& name, double milliseconds)> time_pass;  // --time-passes
  Profile* profile = nullptr;  // filled by calls on devices if there is one; outlives the engine
};

// Where the time of the last call went; times unknown to an engine stay 0.
struct CallTimes {
  double compile_ms = 0;
  double transfer_ms = 0;
  double run_ms = 0;     // wall time of the run itself
  double device_ms = 0;  // GPU timestamps
};

struct CallContext {
  const base::CancelFlag* cancel = nullptr;  // may be null
  // By results, or null: arrays that the caller gives to other calls alone, or fetches by
  // PageCopies. These may still be on their way.
  const std::vector<bool>* late = nullptr;
};

// One entry, ready to run. Arguments (behind them the values of types::givenFor) are borrowed and
// never overwritten, in any memory. Results stay where they were made (value::toHost fetches them).
class Prepared {
 public:
  virtual ~Prepared() = default;
  virtual diag::Result<std::vector<value::Value>> call(const std::vector<value::Value>& arguments,
                                                       const CallContext& context) = 0;
  // The same arguments in the memory that calls read: a call with them copies nothing.
  virtual diag::Result<std::vector<value::Value>> placed(
      const std::vector<value::Value>& arguments) {
    return arguments;
  }
  virtual CallTimes lastTimes() const { return {}; }
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;  // `interp` `cpu` `gpu`
  // The program must outlive the result. A failure here says why this engine cannot run the entry
  // (6xxx) and is not a run-time error.
  virtual diag::Result<std::unique_ptr<Prepared>> prepare(
      std::shared_ptr<const types::Program> program, types::DefId entry,
      const Options& options) = 0;
};

// Checks arguments against an entry's parameters (number, scalar types, ranks, sizes that must
// agree: 8003, 8004, 7006) before any engine sees them. Arguments have one Value per parameter.
diag::Result<std::monostate> checkArguments(const types::Program& program, types::DefId entry,
                                            const std::vector<value::Value>& arguments);

}  // namespace halo::engine
