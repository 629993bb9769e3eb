#include "gpu/templates/cells/cell_grid.h"

#include <algorithm>
#include <bit>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Drivers have at least 64 invocations in the third direction, and NVIDIA's no more.
constexpr int64_t kLogDepth = 6;

int64_t logOfPower(int64_t power) { return std::countr_zero(static_cast<uint64_t>(power)); }

}  // namespace

CellGrid::CellGrid(KernelScope& scope, const Operands& host_space, const MapSchedule& schedule)
    : scope_(scope),
      code_(scope.code()),
      host_space_(host_space),
      log_group_(logOfPower(schedule.workgroup)) {
  for (const Operand& extent : host_space) extents_.push_back(scope.scalar(extent));
  if (rank() == 0) return;
  workgroup_[0] = schedule.line;
  if (rank() == 1) return;
  workgroup_[2] = rank() == 2 ? 1 : schedule.planes;
  workgroup_[1] = schedule.workgroup / schedule.line / workgroup_[2];
  fitLines(schedule);
}

void CellGrid::fitLines(const MapSchedule& schedule) {
  const Operand& x = host_space_[rank() - 1];
  const Operand& y = host_space_[rank() - 2];
  Builder& host = scope_.host();
  const int64_t log_line = logOfPower(schedule.line);
  const Operand log_x = host.min(logOf(x), i64(log_line));
  if (log_x == i64(log_line)) return;
  const Operand rest = host.sub(i64(log_group_ - logOfPower(schedule.planes)), log_x);
  const Operand log_y = rank() == 2 ? rest : host.min(logOf(y), rest);
  if (log_x.isConstant() && log_y.isConstant()) {
    const int64_t log_xy = log_x.constant.asSigned() + log_y.constant.asSigned();
    workgroup_[0] = int64_t{1} << log_x.constant.asSigned();
    workgroup_[1] = int64_t{1} << log_y.constant.asSigned();
    workgroup_[2] = int64_t{1} << std::min(log_group_ - log_xy, kLogDepth);
    return;
  }
  logs_ = {log_x, log_y};
  if (rank() == 3) logs_.push_back(host.sub(i64(log_group_), host.add(log_x, log_y)));
  workgroup_[0] = schedule.workgroup;
  workgroup_[1] = workgroup_[2] = 1;
}

// The least power of two that is not below it; host.
Operand CellGrid::logOf(const Operand& extent) {
  Builder& host = scope_.host();
  const Operand last = host.sub(host.max(extent, i64(1)), i64(1));
  if (last.isConstant()) return i64(std::bit_width(last.constant.bits));
  const VarId zeros = host.program().addVar("zeros", ScalarType::kI32);
  host.append(Let{zeros, Prim{Op::kClz, ScalarType::kI64, {last}}});
  const Convert wide{prim::ConvertKind::kValue, ScalarType::kI32, ScalarType::kI64, zeros};
  return host.sub(i64(64), host.let("zeros", ScalarType::kI64, wide));
}

Operand CellGrid::within(const Operand& value, const Operand& most) {
  return code_.max(code_.min(value, most), i64(0));
}

Operand CellGrid::logAt(size_t dimension) {
  return within(scope_.scalar(logs_[dimension]), i64(log_group_));
}

Operand CellGrid::globalId(size_t axis) {
  const size_t d = rank() - 1 - axis;
  if (logs_.empty()) return scope_.globalId(static_cast<int>(d));
  if (lid_ == Operand()) lid_ = scope_.localId();
  Operand local = lid_;
  for (size_t before = 0; before < d; ++before) {
    local = code_.prim(Op::kMachineShr, ScalarType::kI64, {local, logAt(before)});
  }
  const Operand size = code_.prim(Op::kMachineShl, ScalarType::kI64, {i64(1), logAt(d)});
  if (d + 1 < rank()) {
    local = code_.prim(Op::kAnd, ScalarType::kI64, {local, code_.sub(size, i64(1))});
  }
  const Operand first = code_.mul(scope_.groupId(static_cast<int>(d)), size);
  return within(code_.add(first, local), extents_[axis]);
}

Grid CellGrid::grid(int64_t cells) {
  Builder& host = scope_.host();
  Grid grid{{1, 1, 1}, {}};
  for (size_t d = 0; d < 3; ++d) {
    grid.workgroup[d] = static_cast<int>(workgroup_[d]);
    const bool is_used = d < rank();
    const size_t axis = is_used ? rank() - 1 - d : 0;
    const Operand extent = is_used ? host_space_[axis] : i64(1);
    const int64_t of_invocation = is_used && axis == shared() ? cells : 1;
    if (is_used && !logs_.empty()) {
      const Operand size = host.prim(Op::kMachineShl, ScalarType::kI64, {i64(1), logs_[d]});
      grid.groups.push_back(divideUp(host, extent, host.mul(size, i64(of_invocation))));
      continue;
    }
    grid.groups.push_back(groupsFor(host, extent, grid.workgroup[d] * of_invocation));
  }
  return grid;
}

}  // namespace halo::gpu
