// Carries out the schedules of a histogram (gpu/schedule/hist.h).
#include <algorithm>

#include "gpu/templates/hist/hist_atomic.h"
#include "gpu/templates/hist/hist_claims.h"
#include "gpu/templates/hist/hist_few.h"
#include "gpu/templates/hist/hist_lanes.h"
#include "gpu/templates/hist/hist_ranges.h"
#include "gpu/templates/hist/hist_row_atomics.h"
#include "gpu/templates/hist/hist_sorted.h"
#include "gpu/templates/hist/hist_tables.h"
#include "gpu/templates/hist/hist_workers.h"
#include "gpu/templates/host/versions.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;

namespace {

// Of the operation with the most bins; host.
Operand mostBins(Builder& host, const KernelCall& call) {
  const auto& hist = std::get<core::Hist>(lastStatement(call).expr);
  Operand most = i64(0);
  size_t result = 0;
  for (const core::HistOp& node : hist.operations) {
    const Operands& shape = call.results[result].shape;
    const Operands extents(shape.begin(), shape.begin() + node.index_rank);
    const Operand bins = elementCount(host, extents);
    most = result == 0 ? bins : host.max(most, bins);
    result += node.destinations.size();
  }
  return most;
}

bool areDense(const KernelCall& call) {
  return std::all_of(call.results.begin(), call.results.end(),
                     [](const ArrayRef& result) { return result.dense; });
}

Operand quantityOf(Builder& host, const KernelCall& call, Quantity quantity) {
  switch (quantity) {
    case Quantity::kUpdates:
      return operandOf(call.arguments, std::get<core::Hist>(lastStatement(call).expr).width);
    case Quantity::kBins:
      return mostBins(host, call);
    case Quantity::kTableWords:
      return tableWords(host, call);
    case Quantity::kIsDense:
      return prim::Scalar::ofBool(areDense(call));
    default:
      HALO_UNREACHABLE("quantity of a histogram");
  }
}

TemplateResult emitOrdered(Program& program, Builder& host, const KernelCall& call,
                           const OrderedHistSchedule& schedule) {
  using Combine = OrderedHistSchedule::Combine;
  switch (schedule.combine) {
    case Combine::kPairs:
      return emitFewHist(program, host, call, schedule);
    case Combine::kLanes:
      return emitLaneHist(program, host, call, schedule);
    case Combine::kClaims:
      return emitClaimHist(program, host, call, schedule);
    case Combine::kRanges:
      return emitRangeHist(program, host, call, schedule);
    case Combine::kSorted:
    case Combine::kNumbers:
      return emitSortedHist(program, host, call, schedule);
    case Combine::kWorkers:
      return emitWorkerHist(program, host, call, schedule);
  }
  HALO_UNREACHABLE("schedule of a histogram");
}

TemplateResult emitSchedule(Program& program, Builder& host, const KernelCall& call,
                            const Schedule& schedule) {
  if (const auto* tables = std::get_if<TableHistSchedule>(&schedule)) {
    return TableHist(program, host, call, *tables).run();
  }
  if (const auto* ordered = std::get_if<OrderedHistSchedule>(&schedule)) {
    return emitOrdered(program, host, call, *ordered);
  }
  const auto& atomic = std::get<AtomicHistSchedule>(schedule);
  const bool is_of_rows = atomic.bins == AtomicHistSchedule::Bins::kRows;
  return is_of_rows ? emitRowAtomicHist(program, host, call)
                    : emitAtomicHist(program, host, call, atomic);
}

}  // namespace

TemplateResult emitHist(Program& program, Builder& host, const KernelCall& call) {
  bool supported = true;
  emitVersions(
      host, call, [&](Quantity quantity) { return quantityOf(host, call, quantity); },
      [&](const Schedule& schedule) {
        supported = emitSchedule(program, host, call, schedule).supported && supported;
      });
  return {{}, supported};
}

}  // namespace halo::gpu
