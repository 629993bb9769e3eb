// The planner behind plan.h: one statement after another becomes kernels or host code; a node that
// fits no template is split first. Read plan.cpp first; the other files are one kind of statement
// each.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gpu/plan/branches/device_scalars.h"
#include "gpu/plan/layout.h"
#include "gpu/plan/loops/iterated.h"
#include "gpu/plan/loops/overwritten.h"
#include "gpu/plan/nests/distribute.h"
#include "gpu/plan/variants.h"
#include "gpu/plan/workgroup/group_cells.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

inline constexpr size_t kMaxSpace = 8;   // of a nest; beyond a grid's three they are folded
inline constexpr size_t kMaxGroups = 3;  // of a nest whose cells are workgroups

class Planner {
 public:
  Planner(core::Program& program, const Variants& variants)
      : program_(program), variants_(variants) {}

  void run();

 private:
  // plan.cpp
  std::string nextName();
  void planBody(core::Body& body);
  void planStm(core::Stm stm, std::vector<core::Stm>& out);
  void kernel(core::Stm stm, core::KernelInfo info, std::vector<core::Stm>& out);
  core::KernelInfo elementwise(const core::Stm& stm) const;
  void elementKernel(core::Stm stm, std::vector<core::Stm>& out);
  void single(core::Stm stm, std::vector<core::Stm>& out);
  void planAll(std::vector<core::Stm> stms, std::vector<core::Stm>& out);
  void nestKernel(core::Stm stm, core::KernelKind kind,
                  const std::vector<const core::Screma*>& levels, std::vector<core::Stm>& out);
  core::ValueId copyOf(core::ValueId array, std::vector<core::Stm>& out);
  void makeDense(core::Operand& operand, std::vector<core::Stm>& out);

  // plan_copies.cpp
  void planCopy(core::Stm stm, std::vector<core::Stm>& out);
  void removeCopies(core::Function& host);
  void outlineCopies(core::Body& body);

  // plan_kept.cpp
  // Statements that become one kernel when a later statement needs them.
  struct Kept {
    std::vector<core::Stm> stms;
    std::vector<core::ValueId> results;
    core::KernelInfo info;
  };
  core::Stm keep(const core::Stm& scan, const core::Stm& scatter);
  core::Stm keep(std::vector<core::Stm> stms, const std::vector<core::ValueId>& results,
                 core::KernelInfo info);
  core::Stm keptKernel(const Kept& kept);
  bool isIota(const core::Body& body, core::ValueId value) const;

  // plan_arrays.cpp
  void planIndex(core::Stm stm, const core::Index& e, std::vector<core::Stm>& out);
  void planLiteral(core::Stm stm, const core::ArrayLiteral& e, std::vector<core::Stm>& out);
  void view(core::Stm stm, std::vector<core::Stm>& out);
  void planSlice(core::Stm stm, const core::Slice& e, std::vector<core::Stm>& out);
  void planRearrange(core::Stm stm, core::Rearrange e, std::vector<core::Stm>& out);
  void planVirtual(core::Stm stm, std::vector<core::Stm>& out);
  void planUpdate(core::Stm stm, const core::Update& e, std::vector<core::Stm>& out);
  void planUpdates(std::vector<core::Stm> stms, std::vector<core::Stm>& out);
  void staysView(const core::Stm& stm);

  // plan_nests.cpp
  void planScrema(core::Stm stm, const core::Screma& e, std::vector<core::Stm>& out);
  void inOrder(core::Stm stm, const core::Operand& width, std::vector<core::Stm>& out);
  void planArrayOperators(core::Stm stm, std::vector<core::Stm>& out);
  void planMap(core::Stm stm, const core::Screma& e, std::vector<core::Stm>& out);
  void laidOutKernel(core::Stm stm, const std::vector<const core::Screma*>& levels,
                     std::vector<core::Stm>& out);
  bool planRowPrefixes(const core::Stm& stm, const core::Screma& e, std::vector<core::Stm>& out);
  core::Body version(const core::Stm& stm,
                     const std::function<void(core::Stm, std::vector<core::Stm>&)>& plan);
  // `chosen` where the condition holds, else the statement, planned while `without` is set.
  void chosenOrWithout(const core::Stm& stm, core::Body chosen, const core::Operand& condition,
                       bool& without, std::vector<core::Stm>& out);
  void byCells(const core::Stm& stm, const core::Screma& e, Distributed parts,
               std::vector<core::Stm>& out);
  // A nest as one kernel, and the condition for it.
  struct WholeNest {
    core::Operand condition;
    core::KernelKind kind;
    std::vector<const core::Screma*> levels;
  };
  void wholeOrParts(const core::Stm& stm, const WholeNest& nest, std::vector<core::Stm> parts,
                    std::vector<core::Stm>& out);
  // Reductions of reductions, level by level (nests/nested_reductions.h).
  bool planNestedReduction(const core::Stm& stm, const std::vector<const core::Screma*>& levels,
                           std::vector<core::Stm>& out);
  void planHist(core::Stm stm, const core::Hist& e, std::vector<core::Stm>& out);
  bool planExtrema(const core::Stm& stm, std::vector<core::Stm>& out);
  bool planHistParts(const core::Stm& stm, const core::Hist& e, std::vector<core::Stm>& out);

  // workgroup/plan_groups.cpp
  struct Groups {
    core::Stm nest;  // the nest, prepared for workgroups
    GroupCells cells;
    GroupSizes sizes;
    bool are_staged = false;  // windows of arrays are copied to shared memory
  };
  std::optional<Groups> asGroups(const core::Stm& stm);
  bool planGroupsFirst(const core::Stm& stm, const core::Screma& e, std::vector<core::Stm>& out);
  // Where cells may be workgroups: a kernel of those, and the nest as it would be without them.
  bool planGroup(const core::Stm& stm, std::vector<core::Stm>& out);
  void groupKernel(core::Stm stm, std::vector<core::Stm>& out);

  // plan_stencils.cpp
  void planStencil(core::Stm stm, const core::Stencil& e, std::vector<core::Stm>& out);
  void reduceCells(const core::Stm& stm, const core::Stencil& e,
                   const std::vector<core::ValueId>& arrays, std::vector<core::Stm>& out);

  // plan_steps.cpp
  // A loop of stencils, or a chain of them, that is worth doing several steps at once, and how.
  struct AtOnce {
    core::IteratedStencil iterated;
    Variants own;
  };
  std::optional<AtOnce> doneAtOnce(const core::Stm& stm);
  bool planIterated(const core::Stm& stm, std::vector<core::Stm>& out);
  bool stepsInSpace(core::Stm& stm, const core::IteratedStencil& iterated,
                    std::vector<core::Stm>& out);
  void iteratedKernel(core::Stm& stm, const core::IteratedStencil& iterated,
                      std::vector<core::Stm>& out);

  // plan_control.cpp
  void planMatch(core::Stm stm, const core::Match& e, std::vector<core::Stm>& out);
  // A branch by a scalar of the device, without a wait where it has few cells; and as it is.
  bool planGuarded(const core::Stm& stm, std::vector<core::Stm>& out);
  void planLoop(core::Stm stm, const core::Loop& e, std::vector<core::Stm>& out);
  // Where steps are short: one workgroup for all of them, and the loop as it would be without it.
  bool planShortSteps(const core::Stm& stm, std::vector<core::Stm>& out);
  bool planInWorkgroup(const core::Stm& stm, bool shares_rows, bool& without,
                       std::vector<core::Stm>& out);
  // Statements over few elements in one workgroup: how many of them, 0 if there are none.
  size_t planSmallChain(std::vector<core::Stm>& stms, const core::Operands& results, size_t first,
                        std::vector<core::Stm>& out);
  void planNested(core::Body& body);

  core::Program& program_;
  const Variants& variants_;
  std::string name_;
  size_t function_ = 0;
  int counter_ = 0;
  std::unordered_set<core::ValueId> views_;     // arrays that may not be dense
  std::unordered_set<core::ValueId> prefixes_;  // dense ones, of a larger array's memory
  int depth_ = 0;                               // bodies around the statement at hand
  Turned turned_;            // those of them that are dense ones, axes rearranged
  Rearranged rearranged_;    // arrays that only a view with other axes uses
  core::Substitution same_;  // arrays by other names
  std::unordered_set<core::ValueId> droppable_;  // stored copies of recomputed arrays
  std::unordered_map<core::ValueId, core::Operands> constants_;  // elements of literals, row by row
  std::unordered_map<core::ValueId, std::string> copies_;  // that wait: the names of their kernels
  ScalarCode scalar_code_;                                 // of the function
  bool without_groups_ = false;                            // for the nest at hand
  bool without_shared_rows_ = false;                       // for the loop at hand
  bool without_few_cells_ = false;                         // for the parts of many cells
  bool without_short_steps_ = false;                       // for the loop at hand
  bool without_guards_ = false;                            // for the branch at hand
  DeviceScalars of_device_;
  bool in_steps_ = false;  // inside of a loop that is to go step by step
  std::unordered_map<core::ValueId, core::Stm> recompute_;
  std::unordered_map<core::ValueId, core::Stm> elements_;  // of arrays that nothing overwrites
  Overwritten overwritten_;                                // of the function
  std::unordered_map<std::string, Kept> kept_;             // by the name of a call
};

}  // namespace halo::gpu
