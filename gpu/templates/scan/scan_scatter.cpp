// The scan's map is computed again for the results that the scatter takes: that costs less than
// keeping them.
#include "gpu/templates/scan/scan_scatter.h"

#include <algorithm>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/plan/split.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/scan/compact.h"
#include "gpu/templates/scan/scan_tile.h"
#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::gpu {

using namespace imp;

namespace {

const core::Screma& scanOfKernel(const KernelCall& call) {
  const std::vector<core::Stm>& stms = call.function.body.stms;
  return std::get<core::Screma>(stms[stms.size() - 2].expr);
}

// The function up to the scan, which does nothing else.
core::Function scanAlone(const KernelCall& call) {
  core::Function function = call.function;
  function.body.stms.pop_back();
  core::Stm& stm = function.body.stms.back();
  core::Screma scans = withoutReductions(std::get<core::Screma>(stm.expr));
  size_t scanned = 0;
  for (const core::Scan& scan : scans.scans) scanned += scan.neutral.size();
  scans.map.body.results.resize(scanned);
  stm.expr = std::move(scans);
  return function;
}

const core::Lambda& consumerOf(const core::Stm& stm) {
  const auto* scatter = std::get_if<core::Scatter>(&stm.expr);
  return scatter != nullptr ? scatter->map : std::get<core::Screma>(stm.expr).map;
}
const std::vector<core::ValueId>& inputsOf(const core::Stm& stm) {
  const auto* scatter = std::get_if<core::Scatter>(&stm.expr);
  return scatter != nullptr ? scatter->inputs : std::get<core::Screma>(stm.expr).inputs;
}

}  // namespace

ScanScatter::ScanScatter(Builder& host, const KernelCall& call)
    : call_(call),
      screma_(scanOfKernel(call)),
      consumer_(consumerOf(lastStatement(call))),
      inputs_(inputsOf(lastStatement(call))),
      results_(lastStatement(call).results.size()),
      map_(screma_.map.body),
      function_(scanAlone(call)),
      scan_call_{call.core,     function_,      call.arguments, {},
                 call.variants, call.on_device, call.counted} {
  const size_t first = results_;
  for (size_t r = 0; r < screma_.reductions.size(); ++r) {
    scan_of_.push_back(*scanOf(call.core, screma_, r));
    ScalarType type = call.core.type(screma_.reductions[r].neutral[0]).scalar;
    BufferId buffer = host.alloc("last", type, Space::kDevice, i64(1));
    lasts_.push_back({static_cast<int>(first + r), buffer});
  }
}

void ScanScatter::trustChecks() { map_ = withoutChecks(std::move(map_)); }

bool ScanScatter::takesTotals() const {
  const std::vector<core::Stm>& stms = call_.function.body.stms;
  return gpu::takesTotals(call_.core, stms[stms.size() - 2], stms.back());
}

void ScanScatter::storeLast(KernelScope& scope, const Operands& scanned) const {
  for (size_t r = 0; r < lasts_.size(); ++r) {
    scope.code().store(scope.buffer(lasts_[r].buffer), i64(0), scanned[scan_of_[r]]);
  }
}

Operands ScanScatter::mapped(KernelScope& scope, Environment& environment,
                             const LoweringTarget& place, const Operands& scanned,
                             const Operands& mapped) const {
  const core::Operands& results = screma_.map.body.results;
  const size_t first = lasts_.size();
  Operands made(results.size());
  std::vector<bool> is_known(results.size(), false);
  for (size_t k = 0; k < results.size(); ++k) {
    for (size_t s = 0; s < mapped.size(); ++s) {
      if (results[k] != results[first + s]) continue;
      made[k] = mapped[s];
      is_known[k] = true;
    }
  }
  bool all = std::all_of(is_known.begin() + static_cast<std::ptrdiff_t>(first), is_known.end(),
                         [](bool known) { return known; });
  if (!all) {
    Operands again = lowerBody(scope.code(), call_.core, map_, environment, place).scalars;
    for (size_t k = 0; k < made.size(); ++k) made[k] = is_known[k] ? made[k] : again[k];
  }
  made.erase(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(first));
  std::copy(scanned.begin(), scanned.end(), made.begin());
  return made;
}

Operands ScanScatter::consumed(KernelScope& scope, const Operand& i, const Loaded& loaded,
                               const Loaded& read, const Operands& scanned,
                               const Operands& mapped) const {
  Builder& code = scope.code();
  const core::Program& core = call_.core;
  Environment environment = scope.environment();
  LoweringTarget place = scope.place(operandOf(call_.arguments, screma_.width), [i] { return i; });
  lowerPrefix(scope, environment, place);
  auto bind = [&](core::ValueId param, core::ValueId array, std::optional<Operand> known) {
    auto at = std::find(screma_.inputs.begin(), screma_.inputs.end(), array);
    if (!known && at != screma_.inputs.end()) {
      known = loaded(static_cast<size_t>(at - screma_.inputs.begin()));
    }
    if (known) {
      environment.scalars[param] = *known;
    } else {
      bindElement(code, core, environment, param, environment.arrays.at(array), {i});
    }
  };
  for (size_t k = 0; k < screma_.inputs.size(); ++k) {
    bind(screma_.map.params[k], screma_.inputs[k], std::nullopt);
  }
  Operands made = this->mapped(scope, environment, place, scanned, mapped);
  const std::vector<core::Stm>& stms = call_.function.body.stms;
  const std::vector<core::ValueId>& results = stms[stms.size() - 2].results;
  for (size_t r = 0; r < lasts_.size() && !totals_.empty(); ++r) {
    environment.scalars[results[r]] = totals_[scan_of_[r]];
  }
  for (size_t k = 0; k < inputs_.size(); ++k) {
    auto at = std::find(results.begin(), results.end(), inputs_[k]);
    if (at == results.end()) {
      bind(consumer_.params[k], inputs_[k], read(k));
      continue;
    }
    auto position = static_cast<size_t>(at - results.begin()) - lasts_.size();
    environment.scalars[consumer_.params[k]] = made[position];
  }
  return lowerBody(code, core, consumer_.body, environment, place).scalars;
}

bool ScanScatter::isOfScan(size_t input) const {
  const std::vector<core::ValueId>& read = screma_.inputs;
  return std::find(read.begin(), read.end(), inputs_[input]) != read.end();
}

bool ScanScatter::isComputed(size_t input) const {
  const std::vector<core::Stm>& stms = call_.function.body.stms;
  return std::any_of(stms.begin(), stms.end() - 1, [&](const core::Stm& stm) {
    const std::vector<core::ValueId>& made = stm.results;
    const bool is_made = std::find(made.begin(), made.end(), inputs_[input]) != made.end();
    const bool is_scan = &stm == &stms[stms.size() - 2];
    return is_made && (is_scan || std::holds_alternative<core::Iota>(stm.expr));
  });
}

bool ScanScatter::isTotal() const {
  auto is_total = [](const core::Stm& stm) {
    return !core::mayFail(stm) && passes::isTotalScalar(stm.expr);
  };
  return std::all_of(map_.stms.begin(), map_.stms.end(), is_total) &&
         std::all_of(consumer_.body.stms.begin(), consumer_.body.stms.end(), is_total);
}

std::vector<const core::Screma*> ScanScatter::mapLevels() const {
  return {&std::get<core::Screma>(lastStatement(call_).expr)};
}

std::vector<VarId> ScanScatter::declareResults(KernelScope& scope) const {
  std::vector<VarId> results;
  for (const core::Operand& result : consumer_.body.results) {
    const ScalarType type = call_.core.type(result).scalar;
    results.push_back(scope.code().declare("mapped", type, prim::zero(type)));
  }
  return results;
}

Operands ScanScatter::values(KernelScope& scope, const Operand& i, const Loaded& loaded,
                             const Loaded& read, const Operands& scanned) const {
  return consumed(scope, i, loaded, read, scanned, {});
}

void ScanScatter::scatter(KernelScope& scope, const Operand& i, const Loaded& loaded,
                          const Operands& scanned, const Operands& mapped) const {
  Builder& code = scope.code();
  const auto& to = std::get<core::Scatter>(lastStatement(call_).expr);
  auto nothing = [](size_t) { return std::optional<Operand>(); };
  const Operands values = consumed(scope, i, loaded, nothing, scanned, mapped);
  size_t next = 0;
  for (size_t d = 0; d < to.destinations.size(); ++d) {
    ArrayRef target = scope.array(call_.results[d]);
    auto rank = static_cast<size_t>(to.destinations[d].index_rank);
    Operands indices(values.begin() + static_cast<std::ptrdiff_t>(next),
                     values.begin() + static_cast<std::ptrdiff_t>(next + rank));
    next += rank;
    Operand value = values[next++];
    code.ifThenElse(isInside(code, indices, target),
                    [&] { storeElement(code, target, indices, value); });
  }
}

TemplateResult emitScanScatter(Program& program, Builder& host, const KernelCall& call) {
  ScanScatter scatter(host, call);
  TemplateResult result;
  const Operand width = operandOf(call.arguments, scanOfKernel(call).width);
  // Of one line of elements, which is its only segment.
  const auto quantity = [&](Quantity which) {
    HALO_CHECK(which == Quantity::kSegment, "a quantity of scans with scatters");
    return width;
  };
  emitVersions(host, call, quantity, [&](const Schedule& version) {
    const auto* compaction = std::get_if<CompactionSchedule>(&version);
    const TemplateResult made =
        compaction != nullptr
            ? emitCompaction(program, host, scatter, *compaction)
            : emitTileScan(program, host, scatter, std::get<ScanSchedule>(version));
    result.supported = result.supported && made.supported;
  });
  result.scalars = scatter.lasts();
  return result;
}

}  // namespace halo::gpu
