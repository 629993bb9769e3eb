// Lanes without a cell wait for those that have one: where a statement holds them, at least a
// workgroup's lanes count.
#include "gpu/plan/loops/statement_work.h"

#include "gpu/plan/workgroup/only_cell.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

// Invocations of other launches go through the loops of a cell, too. So many in a workgroup are
// about as fast as they would be on multiprocessors of their own, and as slow as if they were one.
constexpr int64_t kFreeLanes = 256;

}  // namespace

Operand atMost(Builder& host, const Operand& number) {
  return host.prim(Op::kMin, ScalarType::kI64, {number, Operand::ofI64(kMaxWork)});
}

Operand times(Builder& host, Operand product, const Operands& extents, LikelyExtents& likely) {
  for (const Operand& extent : extents) {
    product = atMost(host, host.mul(product, atMost(host, likely.of(host, extent))));
  }
  return product;
}

Operand operationsOf(Builder& host, const StatementWork& work, LikelyExtents& likely) {
  const Operand each = Operand::ofI64(work.operations);
  if (!work.holds_lanes) return times(host, each, work.extents(), likely);
  const Operand cells = times(host, Operand::ofI64(1), work.lanes, likely);
  const Operand lanes = host.prim(Op::kMax, ScalarType::kI64, {cells, Operand::ofI64(kLanes)});
  return times(host, atMost(host, host.mul(lanes, each)), work.turns, likely);
}

Operand farOperationsOf(Builder& host, const StatementWork& work, LikelyExtents& likely) {
  StatementWork far = work;
  far.operations += work.of_tables;
  if (work.turns.empty() || work.holds_lanes) return operationsOf(host, far, likely);
  const Operand cells = times(host, Operand::ofI64(1), work.lanes, likely);
  const Operand lanes = host.prim(Op::kMax, ScalarType::kI64, {cells, Operand::ofI64(kFreeLanes)});
  const Operand each = atMost(host, host.mul(lanes, Operand::ofI64(far.operations)));
  return times(host, each, work.turns, likely);
}

Operand ofOtherLaunches(Builder& host, const StatementWork& work, const Operand& all,
                        LikelyExtents& likely) {
  if (work.turns.empty() || work.holds_lanes) return Operand::ofI64(0);
  const Operand cells = times(host, Operand::ofI64(1), work.lanes, likely);
  const Operand few = host.prim(Op::kMin, ScalarType::kI64, {cells, Operand::ofI64(kFreeLanes)});
  const Operand own = atMost(host, host.mul(few, Operand::ofI64(work.operations)));
  return host.prim(Op::kMin, ScalarType::kI64, {all, times(host, own, work.turns, likely)});
}

}  // namespace halo::gpu
