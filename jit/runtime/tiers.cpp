// The state shared by the background thread and the code (Ascent) outlives both; its lock decides
// whether slots are still there to be filled.
#include "jit/runtime/tiers.h"

#include <atomic>
#include <mutex>

#include "jit/nests.h"
#include "jit/runtime/background.h"
#include "jit/runtime/objects.h"
#include "jit/runtime/orc.h"

namespace halo::jit {
namespace {

using Clock = std::chrono::steady_clock;
using Duration = std::chrono::microseconds;

// Time in quick code before optimised code is made: about the time that making it takes.
constexpr Duration kPatience{5000};

class FixedCode final : public Code {
 public:
  explicit FixedCode(std::unique_ptr<Unit> unit) : unit_(std::move(unit)) {}
  int32_t call(RunContext& context, const uint64_t* arguments, uint64_t* results) override {
    return unit_->entry()(&context, arguments, results);
  }
  bool isFinal() const override { return true; }

 private:
  std::unique_ptr<Unit> unit_;
};

// From quick to optimised code.
struct Ascent {
  imp::Program program;
  std::string entry;
  bool use_disk_cache;
  std::atomic<Unit::Entry> best;  // for the next call
  std::atomic<bool> is_done = false;
  std::mutex mutex;  // of the members below
  std::unique_ptr<Unit> low, high;

  void climb() {
    if (is_done.load()) return;
    auto object = Objects(program, entry, use_disk_cache).compile(Quality::kOptimised);
    auto unit = object ? link(*object) : tl::unexpected(object.error());
    const std::lock_guard lock(mutex);
    if (unit && low != nullptr) exchange(std::move(*unit));
    is_done.store(true);  // also when there is nothing better
  }

  void exchange(std::unique_ptr<Unit> unit) {
    high = std::move(unit);
    for (uint64_t k = 1; k <= low->nests()[0]; ++k) {
      std::atomic_ref<uint64_t>(low->nests()[k]).store(high->nests()[k], std::memory_order_release);
    }
    best.store(high->entry());
  }
};

class ClimbingCode final : public Code {
 public:
  ClimbingCode(const imp::Program& program, const std::string& entry, bool use_disk_cache,
               std::unique_ptr<Unit> unit)
      : ascent_(std::make_shared<Ascent>()) {
    ascent_->program = program;
    ascent_->entry = entry;
    ascent_->use_disk_cache = use_disk_cache;
    ascent_->best = unit->entry();
    ascent_->low = std::move(unit);
  }
  ~ClimbingCode() override {
    const std::lock_guard lock(ascent_->mutex);
    ascent_->low = nullptr;
    ascent_->is_done.store(true);
  }

  int32_t call(RunContext& context, const uint64_t* arguments, uint64_t* results) override {
    const Unit::Entry entry = ascent_->best.load();
    if (isFinal()) return entry(&context, arguments, results);
    context.code_changes = true;
    const Clock::time_point begin = Clock::now();
    const Duration patience = std::max(kPatience - spent_, Duration(0));
    auto order = Background::get().after(patience, [ascent = ascent_] { ascent->climb(); });
    const int32_t status = entry(&context, arguments, results);
    Background::get().cancel(order);
    spent_ += std::chrono::duration_cast<Duration>(Clock::now() - begin);
    return status;
  }
  bool isFinal() const override { return ascent_->is_done.load(); }

 private:
  std::shared_ptr<Ascent> ascent_;
  Duration spent_{0};
};

diag::Result<std::unique_ptr<Code>> fixed(const std::string& object) {
  auto unit = link(object);
  if (!unit) return tl::unexpected(unit.error());
  return std::make_unique<FixedCode>(std::move(*unit));
}

diag::Result<std::unique_ptr<Code>> fixed(const Objects& objects, Quality quality) {
  std::string cached = objects.cached(quality);
  if (!cached.empty()) return fixed(cached);
  auto object = objects.compile(quality);
  if (!object) return tl::unexpected(object.error());
  return fixed(*object);
}

}  // namespace

diag::Result<std::unique_ptr<Code>> compileCode(const imp::Program& program,
                                                const std::string& entry,
                                                const CompileOptions& options) {
  const Objects objects(program, entry, options.use_disk_cache);
  if (options.tier == engine::Tier::kQuick) return fixed(objects, Quality::kQuick);
  const Quality first = canBeginQuick(program, entry) ? Quality::kQuick : Quality::kQuickNests;
  const bool has_better = first == Quality::kQuick || hasNest(program, entry);
  if (options.tier == engine::Tier::kOptimised || !has_better) {
    return fixed(objects, Quality::kOptimised);
  }
  std::string object = objects.cached(Quality::kOptimised);
  if (!object.empty()) return fixed(object);
  object = objects.cached(first);
  if (object.empty()) {
    auto made = objects.compile(first);
    if (!made) return tl::unexpected(made.error());
    object = std::move(*made);
  }
  auto unit = link(object);
  if (!unit) return tl::unexpected(unit.error());
  return std::make_unique<ClimbingCode>(program, entry, options.use_disk_cache, std::move(*unit));
}

}  // namespace halo::jit
