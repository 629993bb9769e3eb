// A cell's code is captured with its index open, so that a loop or a straight sequence of copies
// may hold it.
#include "gpu/templates/cells/cells.h"

#include <algorithm>
#include <map>

#include "gpu/schedule/cells/per_element.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// The workgroup of all versions.
MapSchedule shapeOf(const ScheduleVersions& versions) {
  for (const ScheduleVersion& version : versions) {
    if (const auto* map = std::get_if<MapSchedule>(&version.schedule)) return *map;
  }
  return {};
}

}  // namespace

CellKernel::CellKernel(KernelScope& scope, const Operands& host_space, const CellBody& body,
                       const ScheduleVersions& versions)
    : scope_(scope),
      code_(scope.code()),
      host_space_(host_space),
      body_(body),
      grid_(scope, host_space, shapeOf(versions)),
      indices_(host_space.size()) {
  for (size_t axis = 0; axis < indices_.size(); ++axis) {
    if (axis != grid_.shared()) indices_[axis] = grid_.globalId(axis);
  }
  if (!indices_.empty()) {
    cell_.number = code_.program().addVar("cell", ScalarType::kI64);
    indices_[grid_.shared()] = cell_.number;
  }
  cell_.block = code_.capture([&] { body_(indices_, placeFor(indices_)); });
  cell_.has_memory = !indices_.empty() && scope.usesScratch();
  cell_.is_unbounded = scope.usesCapacity();
}

std::optional<Operand> CellKernel::quantity(Quantity which) {
  const core::Stm& stm = lastStatement(scope_.call());
  switch (which) {
    case Quantity::kCode:
      return i64(static_cast<int64_t>(cell_.block.size()));
    case Quantity::kIsStraight:
      return prim::Scalar::ofBool(
          isStraight(cell_, std::holds_alternative<core::Scatter>(stm.expr)));
    case Quantity::kAccessBytes:
      return i64(accessBytes(code_.program(), cell_));
    case Quantity::kHasMemory:
      return prim::Scalar::ofBool(cell_.has_memory);
    case Quantity::kIsUnbounded:
      return prim::Scalar::ofBool(cell_.is_unbounded);
    case Quantity::kTransposedReads:
      return i64(transposed() ? static_cast<int64_t>(transposed()->reads.size()) : 0);
    case Quantity::kTileExtent:
      return transposed()
                 ? scope_.host().min(host_space_.back(), host_space_[transposed()->dimension])
                 : i64(0);
    default:
      return std::nullopt;
  }
}

const std::optional<TransposedReads>& CellKernel::transposed() {
  if (!transposed_) transposed_ = transposedReads(code_.program(), cell_.block, indices_);
  return *transposed_;
}

Grid CellKernel::carryOut(const Schedule& schedule) {
  if (indices_.empty()) {
    append(cell_.block);
    return grid_.grid(1);
  }
  if (const auto* of_slots = std::get_if<CellSlotsSchedule>(&schedule)) return slots(*of_slots);
  const auto& map = std::get<MapSchedule>(schedule);
  switch (map.layout) {
    case MapSchedule::Layout::kSingle:
      return single();
    case MapSchedule::Layout::kApart:
      return several(map.cells, map.workgroup);
    case MapSchedule::Layout::kBelow:
      return several(map.cells, 1);
    case MapSchedule::Layout::kVectors:
      return vectors(map.cells);
  }
  HALO_UNREACHABLE("layout of cells");
}

Grid CellKernel::single() {
  const Operand id = grid_.globalId(grid_.shared());
  code_.append(Let{cell_.number, Prim{Op::kAdd, ScalarType::kI64, {id, i64(0)}}});
  guarded(indices_.size(), [&] { append(cell_.block); });
  return grid_.grid(1);
}

// ---- memory of slots

// As many iterations for each invocation, about, and whole lines of the memory of slots.
Operand CellKernel::evenSlots(const Operand& limit, int64_t workgroup) {
  Builder& host = scope_.host();
  const Operand cells = elementCount(host, host_space_);
  const Operand turns = host.max(divideUp(host, cells, limit), i64(1));
  const Operand lines = divideUp(host, divideUp(host, cells, turns), i64(workgroup));
  return host.min(host.min(host.mul(lines, i64(workgroup)), limit), cells);
}

// Invocation i computes cells i, i + slots .., each in the memory of slot i.
Grid CellKernel::slots(const CellSlotsSchedule& schedule) {
  Builder& host = scope_.host();
  scope_.forgetScratch();
  const Operand cells = elementCount(host, host_space_);
  const VarId slots = code_.program().addVar("slots", ScalarType::kI64);
  const Operand first = scope_.globalId(0);
  const Operand step = scope_.scalar(slots);
  const Operand is_used = code_.prim(Op::kLt, ScalarType::kI64, {first, step});
  code_.ifThenElse(is_used, [&] {
    const Operand rest = code_.sub(scope_.scalar(cells), first);
    code_.forLoop("turn", i64(0), divideUp(code_, rest, step), [&](const Operand& turn) {
      const Operand cell = code_.add(first, code_.mul(turn, step));
      body_(indicesOf(code_, cell, grid_.extents()),
            scope_.place(slots, [first] { return first; }));
    });
  });
  const Operand bytes = host.max(scope_.scratchBytes(), i64(1));
  const Operand fit = host.prim(Op::kMachineDiv, ScalarType::kI64, {i64(schedule.bytes), bytes});
  const Operand limit =
      host.min(host.max(fit, i64(schedule.least_invocations)), i64(schedule.invocations));
  const Operand even = evenSlots(limit, schedule.workgroup);
  host.append(Let{slots, Prim{Op::kMin, ScalarType::kI64, {even, limit}}});
  return {{static_cast<int>(schedule.workgroup), 1, 1},
          {groupsFor(host, slots, schedule.workgroup), i64(1), i64(1)}};
}

// ---- several cells of an invocation

// On a line, a workgroup's cells are one piece.
Operand CellKernel::firstCell(int64_t cells, int64_t workgroup) {
  if (indices_.size() == 1) {
    const Operand of_group = code_.mul(scope_.groupId(), i64(cells * workgroup));
    return code_.add(of_group, scope_.localId());
  }
  const Operand first = code_.mul(grid_.globalId(grid_.shared()), i64(cells));
  return grid_.isCutByHost() ? grid_.within(first, grid_.extents()[grid_.shared()]) : first;
}

// `distance` from one cell of an invocation to the next.
Grid CellKernel::several(int64_t cells, int64_t distance) {
  const Operand step = i64(distance);
  const Operand first = firstCell(cells, distance);
  guarded(grid_.shared(), [&] {
    const Operand last = code_.add(first, code_.mul(step, i64(cells - 1)));
    const Operand all =
        code_.prim(Op::kLt, ScalarType::kI64, {last, grid_.extents()[grid_.shared()]});
    code_.ifThenElse(
        all, [&] { together(first, step, cells); }, [&] { atTheEdge(first, step, cells); });
  });
  return grid_.grid(cells);
}

Grid CellKernel::vectors(int64_t cells) {
  const Operand first = code_.mul(grid_.globalId(0), i64(cells));
  const Operand last = code_.add(first, i64(cells - 1));
  const Operand all = code_.prim(Op::kLt, ScalarType::kI64, {last, grid_.extents()[0]});
  code_.ifThenElse(
      all, [&] { inVectors(first, cells); }, [&] { atTheEdge(first, i64(1), cells); });
  return grid_.grid(cells);
}

// Elements at the cells' own numbers move together: loads before the first cell, stores behind the
// last one.
void CellKernel::inVectors(const Operand& first, int64_t cells) {
  std::map<BufferId, Operands> loaded;
  std::vector<std::pair<BufferId, Operands>> stored;
  for (int64_t k = 0; k < cells; ++k) {
    Operand number;
    Block cell = code_.capture([&] {
      number =
          code_.let("cell", ScalarType::kI64, Prim{Op::kAdd, ScalarType::kI64, {first, i64(k)}});
      body_({number}, placeFor({number}));
    });
    size_t store_number = 0;
    for (Stm& stm : cell) {
      auto* let = std::get_if<Let>(&stm.node);
      auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
      if (const auto* store = std::get_if<Store>(&stm.node)) {
        if (k == 0) stored.push_back({store->buffer, {}});
        stored[store_number++].second.push_back(store->value);
        continue;
      }
      bool is_own = load != nullptr && load->index == number &&
                    code_.program().buffers[load->buffer].space == Space::kDevice;
      if (is_own) {
        ScalarType type = code_.program().buffers[load->buffer].type;
        auto found = loaded.find(load->buffer);
        if (found == loaded.end()) {
          found =
              loaded.emplace(load->buffer, loadVectors(code_, load->buffer, first, cells)).first;
        }
        Operand value = found->second[static_cast<size_t>(k)];
        let->expr = Convert{prim::ConvertKind::kValue, type, type, value};
      }
      code_.append(std::move(stm.node));
    }
  }
  for (const auto& [buffer, values] : stored) storeVectors(code_, buffer, first, values);
}

// All loads and arithmetic of the cells, then all stores.
void CellKernel::together(const Operand& first, const Operand& step, int64_t cells) {
  Block stores;
  for (int64_t k = 0; k < cells; ++k) {
    Block cell = code_.capture([&] {
      Operands indices = indices_;
      indices[grid_.shared()] = code_.add(first, code_.mul(step, i64(k)));
      body_(indices, placeFor(indices));
    });
    for (const Stm& stm : cell) {
      if (storeOf(stm) != nullptr) {
        stores.push_back(stm);
      } else {
        code_.append(stm.node);
      }
    }
  }
  append(stores);
}

void CellKernel::atTheEdge(const Operand& first, const Operand& step, int64_t cells) {
  code_.forLoop("k", i64(0), i64(cells), [&](const Operand& k) {
    const Operand moved = code_.mul(k, step);
    code_.append(Let{cell_.number, Prim{Op::kAdd, ScalarType::kI64, {first, moved}}});
    const Operand inside = code_.prim(Op::kLt, ScalarType::kI64,
                                      {Operand(cell_.number), grid_.extents()[grid_.shared()]});
    code_.ifThenElse(inside, [&] { append(cell_.block); });
  });
}

void CellKernel::append(const Block& block) {
  for (const Stm& stm : block) code_.append(stm.node);
}

// Inside of the space along all axes but `except`.
void CellKernel::guarded(size_t except, const std::function<void()>& emit, size_t axis) {
  if (axis == indices_.size()) return emit();
  if (axis == except) return guarded(except, emit, axis + 1);
  const Operand inside =
      code_.prim(Op::kLt, ScalarType::kI64, {indices_[axis], grid_.extents()[axis]});
  code_.ifThenElse(inside, [&] { guarded(except, emit, axis + 1); });
}

LoweringTarget CellKernel::placeFor(const Operands& indices) {
  return scope_.place(elementCount(scope_.host(), host_space_),
                      [this, indices] { return positionOf(code_, indices, grid_.extents()); });
}

}  // namespace halo::gpu
