// Kernels with one invocation for each cell, or for a few cells: the carrying out of the schedules
// of gpu/schedule/cells/per_element.h.
#pragma once

#include <memory>

#include "gpu/templates/cells/cell_code.h"
#include "gpu/templates/cells/cell_grid.h"

namespace halo::gpu {

// The kernel of one scope.
class CellKernel {
 public:
  // The workgroups of `versions` are alike. `body` is made once here, and again by some schedules.
  CellKernel(KernelScope& scope, const imp::Operands& host_space, const CellBody& body,
             const ScheduleVersions& versions);

  // Quantities of the code and its reads; nothing for others.
  std::optional<imp::Operand> quantity(Quantity which);
  // Of schedules `per_element` and `cell_slots`, once.
  Grid carryOut(const Schedule& schedule);
  // Of schedule `staged_cells`.
  const std::optional<TransposedReads>& transposed();

 private:
  Grid single();
  Grid several(int64_t cells, int64_t workgroup);
  Grid vectors(int64_t cells);
  Grid slots(const CellSlotsSchedule& schedule);

  imp::Operand firstCell(int64_t cells, int64_t workgroup);
  imp::Operand evenSlots(const imp::Operand& limit, int64_t workgroup);
  void inVectors(const imp::Operand& first, int64_t cells);
  void together(const imp::Operand& first, const imp::Operand& step, int64_t cells);
  void atTheEdge(const imp::Operand& first, const imp::Operand& step, int64_t cells);
  void append(const imp::Block& block);
  void guarded(size_t except, const std::function<void()>& emit, size_t axis = 0);
  imp::LoweringTarget placeFor(const imp::Operands& indices);

  KernelScope& scope_;
  imp::Builder& code_;
  const imp::Operands& host_space_;
  const CellBody& body_;
  CellGrid grid_;
  imp::Operands indices_;
  CapturedCell cell_;
  std::optional<std::optional<TransposedReads>> transposed_;
};

// A kernel of a call, with a scope of its own for each schedule that needs one.
class CallOfCells {
 public:
  using Cell =
      std::function<void(KernelScope&, const imp::Operands& indices, const imp::LoweringTarget&)>;
  CallOfCells(imp::Program& program, imp::Builder& host, const KernelCall& call, std::string name,
              imp::Operands host_space, Cell cell);
  ~CallOfCells();

  // As of CellKernel. The code is made when a guard first asks.
  std::optional<imp::Operand> quantity(Quantity which);
  // `per_element`, `cell_slots` and `staged_cells`. False: the code cannot be made.
  bool emit(const Schedule& schedule);
  // All versions of the call, which has no others.
  TemplateResult emitVersions();

 private:
  struct Made;
  Made& made();
  bool emitStaged(const StagedCellsSchedule& schedule);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  std::string name_;
  imp::Operands host_space_;
  Cell cell_;
  std::unique_ptr<Made> made_;
};

}  // namespace halo::gpu
