// Entries compiled for offsets that come again: counts how often they do.

#include <map>

#include "jit/engine.h"
#include "lang/engine/regroup.h"
#include "lang/passes/calls/specialise.h"
#include "lang/passes/pipeline.h"

namespace halo::jit {
namespace {

using value::Value;

constexpr int kWorthCompiling = 2;    // calls, the first one of all not counted
constexpr size_t kMaxPrograms = 4;    // of one entry
constexpr int64_t kMaxOffsets = 320;  // a load that static_offsets and registers can bear

// Nothing if there are too many, or none.
std::optional<passes::KnownParam> knownParam(size_t position, const Value& leaf) {
  if (const value::Scalar* scalar = leaf.scalar()) {
    return passes::KnownParam{position, false, {*scalar}};
  }
  const value::Array* array = leaf.array();
  if (array == nullptr || array->elements() < 1 || array->elements() > kMaxOffsets) {
    return std::nullopt;
  }
  auto host = value::toHost(*array);
  if (!host) return std::nullopt;
  passes::KnownParam known{position, true, {}};
  for (int64_t i = 0; i < host->elements(); ++i) known.values.push_back(host->at(i));
  return known;
}

class Specialised final : public engine::Prepared {
 public:
  Specialised(core::Program lowered, std::string entry, std::unique_ptr<engine::Prepared> general,
              PrepareCore prepare, std::function<void(const std::string&)> explain)
      : lowered_(std::move(lowered)),
        entry_(std::move(entry)),
        general_(std::move(general)),
        prepare_(std::move(prepare)),
        explain_(std::move(explain)) {}

  diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                        const engine::CallContext& context) override {
    last_ = preparedFor(engine::flattenArguments(arguments));
    return last_->call(arguments, context);
  }
  engine::CallTimes lastTimes() const override {
    return (last_ != nullptr ? last_ : general_.get())->lastTimes();
  }

 private:
  struct Seen {
    int times = 0;
    std::unique_ptr<engine::Prepared> prepared;  // null: not yet, or it failed
  };

  engine::Prepared* preparedFor(const std::vector<Value>& leaves) {
    if (!positions_) {
      if (is_first_call_) {  // only more calls are worth looking
        is_first_call_ = false;
        return general_.get();
      }
      positions_ = passes::decidingParams(
          passes::run(passes::rows(passes::Pipeline::kCpu), lowered_), entry_);
    }
    auto now = known(leaves);
    if (!now) return general_.get();
    auto found = seen_.find(keyOf(*now));
    if (found == seen_.end()) {
      if (seen_.size() == kMaxPrograms) return general_.get();
      found = seen_.emplace(keyOf(*now), Seen{}).first;
    }
    Seen& seen = found->second;
    if (++seen.times == kWorthCompiling) compile(seen, *now);
    return seen.prepared != nullptr ? seen.prepared.get() : general_.get();
  }

  std::optional<std::vector<passes::KnownParam>> known(const std::vector<Value>& leaves) const {
    if (positions_->empty()) return std::nullopt;
    std::vector<passes::KnownParam> all;
    for (size_t position : *positions_) {
      if (position >= leaves.size()) return std::nullopt;
      auto one = knownParam(position, leaves[position]);
      if (!one) return std::nullopt;
      all.push_back(std::move(*one));
    }
    return all;
  }

  static std::vector<uint64_t> keyOf(const std::vector<passes::KnownParam>& known) {
    std::vector<uint64_t> key;
    for (const passes::KnownParam& one : known) {
      key.push_back(one.values.size());
      for (const prim::Scalar& value : one.values) key.push_back(value.bits);
    }
    return key;
  }

  void compile(Seen& seen, const std::vector<passes::KnownParam>& known) {
    auto made = prepare_(passes::specialise(lowered_, entry_, known));
    if (!made) return;
    if (explain_) explain_("`" + entry_ + "`: compiled for these offsets of its stencils");
    seen.prepared = std::move(*made);
  }

  core::Program lowered_;
  std::string entry_;
  std::unique_ptr<engine::Prepared> general_;
  PrepareCore prepare_;
  std::function<void(const std::string&)> explain_;
  bool is_first_call_ = true;
  std::optional<std::vector<size_t>> positions_;
  std::map<std::vector<uint64_t>, Seen> seen_;
  engine::Prepared* last_ = nullptr;
};

}  // namespace

std::unique_ptr<engine::Prepared> specialisedByValues(const core::Program& lowered,
                                                      const std::string& entry,
                                                      std::unique_ptr<engine::Prepared> general,
                                                      PrepareCore prepare,
                                                      const engine::Options& options) {
  if (!passes::hasDynamicWindows(lowered)) return general;
  return std::make_unique<Specialised>(lowered, entry, std::move(general), std::move(prepare),
                                       options.explain);
}

}  // namespace halo::jit
