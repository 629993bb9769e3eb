// Branches and loops: on the host around kernels, or one invocation for all of it.
#include "gpu/plan/planner.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gpu/plan/branches/guard.h"
#include "gpu/plan/launch_code.h"
#include "gpu/plan/loops/short_steps.h"
#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/sizes/counted_sizes.h"
#include "gpu/plan/sizes/size_choices.h"
#include "gpu/plan/workgroup/small_chain.h"
#include "lang/core/builder.h"
#include "lang/imp/lower/in_place_root.h"
#include "lang/passes/simplify/if_to_select.h"

namespace halo::gpu {

using namespace core;

namespace {

// Whether a body returns a whole array that it has not updated in place: one invocation alone would
// copy it element by element. No arm copies an array that all arms of a branch leave in its place.
bool handsOnArrays(const Program& program, const Body& body, const Loop* loop,
                   const Match* match = nullptr) {
  std::unordered_set<ValueId> in_place;
  for (const Stm& stm : body.stms) {
    bool updates = std::holds_alternative<Update>(stm.expr) ||
                   std::holds_alternative<Loop>(stm.expr) ||
                   std::holds_alternative<Match>(stm.expr);
    if (updates) in_place.insert(stm.results.begin(), stm.results.end());
  }
  for (size_t i = 0; i < body.results.size(); ++i) {
    const Operand& result = body.results[i];
    if (program.type(result).isScalar() || in_place.contains(result.value)) continue;
    if (match != nullptr && imp::commonRoot(program, *match, i)) continue;
    if (loop == nullptr || loop->carried[i].param != result.value) return true;
  }
  return false;
}

// Checks of the statements that may be a chain move in front of it, where the host can do them.
void takeChainCode(Program& program, std::vector<Stm>& stms, size_t first) {
  if (!std::holds_alternative<Screma>(stms[first].expr)) return;
  for (size_t i = first; i < stms.size() && isOfSmallChain(program, stms[i]); ++i) {
    if (!mayFail(stms[i]) || std::holds_alternative<Assert>(stms[i].expr)) continue;
    std::vector<Stm> checks = takeLaunchCode(program, stms[i]);
    stms.insert(stms.begin() + static_cast<std::ptrdiff_t>(i),
                std::make_move_iterator(checks.begin()), std::make_move_iterator(checks.end()));
    i += checks.size();
  }
}

// The host allocates a kernel's results, so the sizes must be known before.
bool knowsSizes(const Program& program, const Stm& stm) {
  return std::none_of(stm.results.begin(), stm.results.end(), [&](ValueId value) {
    const Operands& shape = program.type(value).shape;
    return std::any_of(shape.begin(), shape.end(), [&](const Operand& size) {
      return !size.isConstant() &&
             std::find(stm.results.begin(), stm.results.end(), size.value) != stm.results.end();
    });
  });
}

bool touchesArrays(const Program& program, const Stm& stm) {
  Body body;
  body.stms.push_back(stm);
  for (ValueId value : freeValues(program, body)) {
    if (!program.type(value).isScalar()) return true;
  }
  return std::any_of(stm.results.begin(), stm.results.end(),
                     [&](ValueId value) { return !program.type(value).isScalar(); });
}

// The host reads the scrutinee of the version that waits from a copy of its own, so that the scalar
// itself stays on the device.
void readScrutinee(Program& program, Stm& versions, const std::string& name) {
  Body& waits = std::get<Match>(versions.expr).otherwise;
  const auto branch = std::find_if(waits.stms.begin(), waits.stms.end(), [](const Stm& stm) {
    return std::holds_alternative<Match>(stm.expr);
  });
  Operand& scrutinee = std::get<Match>(branch->expr).scrutinee;
  const Stm box = boxed(program, scrutinee.value, name);
  const ValueId read = program.add("read", program.type(scrutinee));
  scrutinee = read;
  waits.stms.insert(branch, {box, {{read}, Index{box.results[0], {kZero}}, false, {}}});
}

}  // namespace

void Planner::planMatch(Stm stm, const Match& e, std::vector<Stm>& out) {
  // Arms whose code has become a kernel's.
  Builder selects(program_);
  if (passes::appendSelects(selects, stm)) return planAll(selects.take({}).stms, out);
  bool parallel =
      hasParallel(program_, e.otherwise) || handsOnArrays(program_, e.otherwise, nullptr, &e);
  for (const Case& one : e.cases) {
    parallel = parallel || hasParallel(program_, one.body) ||
               handsOnArrays(program_, one.body, nullptr, &e);
  }
  // Both arms of one that may give a size are the host's (size_choices.h).
  const bool is_of_device = !e.scrutinee.isConstant() && of_device_.contains(e.scrutinee.value) &&
                            !isChoice(program_, stm);
  const bool is_for_device = touchesArrays(program_, stm) || is_of_device;
  if (!parallel && is_for_device && knowsSizes(program_, stm)) return single(std::move(stm), out);
  if (is_of_device && planGuarded(stm, out)) return;
  forEachBody(stm.expr, [&](Body& body) { planNested(body); });
  out.push_back(std::move(stm));
}

namespace {

// To start and copy so many takes less time than a wait. On an H200 3.2 million cells took 100
// microseconds.
constexpr int64_t kMaxGuardedCells = int64_t{1} << 19;

}  // namespace

bool Planner::planGuarded(const Stm& stm, std::vector<Stm>& out) {
  if (std::exchange(without_guards_, false)) return false;
  const std::optional<GuardedBranch> guarded = guardBranch(program_, stm, of_device_);
  if (!guarded) return false;
  Builder host(program_);
  for (const Stm& made : guarded->cells.stms) host.append(made);
  const Operands compared = {guarded->cells.results[0], Operand::ofI64(kMaxGuardedCells)};
  const Operand are_few = host.prim(prim::Op::kLe, ScalarType::kI64, compared);
  if (are_few == Operand(Scalar::ofBool(false))) return false;
  for (Stm& made : host.take({}).stms) out.push_back(std::move(made));
  variants_.say("branch by a scalar of the device: its cells choose where they are few");
  if (are_few.isConstant()) {
    planAll(guarded->stms, out);
    return true;
  }
  Body chosen = version(stm, [&](Stm copy, std::vector<Stm>& to) {
    to = guardBranch(program_, copy, of_device_)->stms;
  });
  planNested(chosen);
  chosenOrWithout(stm, std::move(chosen), are_few, without_guards_, out);
  readScrutinee(program_, out.back(), nextName());
  return true;
}

void Planner::planLoop(Stm stm, const Loop& e, std::vector<Stm>& out) {
  if (planIterated(stm, out)) return;
  bool parallel = hasParallel(program_, e.body) || handsOnArrays(program_, e.body, &e);
  if (!parallel && touchesArrays(program_, stm) && knowsSizes(program_, stm))
    return single(std::move(stm), out);
  if (parallel && planShortSteps(stm, out)) return;
  for (Carried& carried : std::get<Loop>(stm.expr).carried) makeDense(carried.initial, out);
  forEachBody(stm.expr, [&](Body& body) { planNested(body); });
  out.push_back(std::move(stm));
}

namespace {

// Of the vectors of one workgroup: shared memory, or as much of the device's as its caches hold.
constexpr int64_t kShortStepsWords = 1 << 16;
// Of arrays of which a step changes elements: so many are copied before the first step.
constexpr int64_t kTableWords = 1 << 24;

// Host code: a workgroup has room for the loop's arrays, and its steps are short.
Operand suitsWorkgroup(Builder& host, const Body& fits, const Body& are_short) {
  for (const Body& condition : {fits, are_short}) {
    for (const Stm& made : condition.stms) host.append(made);
  }
  const Operand never(Scalar::ofBool(false));
  Operand suits = never;
  for (size_t k = 0; k < fits.results.size(); ++k) {
    if (fits.results[k] == never || are_short.results[k] == never) continue;
    const Operand both =
        host.prim(prim::Op::kAnd, ScalarType::kBool, {fits.results[k], are_short.results[k]});
    suits = suits == never ? both : host.prim(prim::Op::kOr, ScalarType::kBool, {suits, both});
  }
  return suits;
}

}  // namespace

bool Planner::planShortSteps(const Stm& stm, std::vector<Stm>& out) {
  // A workgroup sums in an order of its own.
  if (std::exchange(without_short_steps_, false) || variants_.strict_floats) return false;
  if (!variants_.allows("group")) return false;
  const bool tries_rows = !std::exchange(without_shared_rows_, false);
  if (tries_rows && planInWorkgroup(stm, true, without_shared_rows_, out)) return true;
  return planInWorkgroup(stm, false, without_short_steps_, out);
}

bool Planner::planInWorkgroup(const Stm& stm, bool shares_rows, bool& without,
                              std::vector<Stm>& out) {
  std::optional<ShortSteps> steps = asShortSteps(program_, stm, shares_rows);
  if (!steps) return false;
  GroupSizes sizes;
  sizes.most_words = kShortStepsWords;
  sizes.bounds_width = false;  // the work bounds it
  sizes.serial_loops = true;
  // Planes in the device's memory: steps of 64 x 64 cells took twice the time of their launches
  // on an H200.
  sizes.plane_words = GroupSizes().most_words;
  sizes.table_words = kTableWords;
  ScalarCode code = scalar_code_;
  addScalarCode(std::get<Screma>(steps->cell.nest.expr).map.body, code);
  const std::optional<GroupCells> cell = asGroupCells(program_, steps->cell.nest, 1, code, sizes);
  if (!cell) return false;
  Builder host(program_);
  const Operand suits = suitsWorkgroup(host, cell->fits, steps->are_short);
  if (suits == Operand(Scalar::ofBool(false))) return false;
  for (Stm& made : host.take({}).stms) out.push_back(std::move(made));
  variants_.say(std::string("loop: one workgroup for all steps where they are short") +
                (shares_rows ? ", lanes share rows, else:" : ", else:"));
  Body together = version(stm, [&](Stm loop, std::vector<Stm>& to) {
    ShortSteps own = *asShortSteps(program_, loop, shares_rows);
    recompute_.insert_or_assign(own.cell.cells.results[0], own.cell.cells);
    if (own.around) {
      auto& around = std::get<Loop>(own.around->expr);
      for (Carried& carried : around.carried) makeDense(carried.initial, to);
      for (size_t k = 0; k < around.carried.size(); ++k) {
        around.body.results[k] = own.cell.results[k].results[0];
      }
    }
    std::vector<Stm> stms;
    groupKernel(std::move(own.cell.nest), stms);
    planAll(std::move(own.cell.results), stms);
    if (own.around) {
      std::get<Loop>(own.around->expr).body.stms = std::exchange(stms, {});
      stms.push_back(std::move(*own.around));
    }
    for (Stm& made : stms) to.push_back(std::move(made));
  });
  chosenOrWithout(stm, std::move(together), suits, without, out);
  return true;
}

size_t Planner::planSmallChain(std::vector<Stm>& stms, const Operands& results, size_t first,
                               std::vector<Stm>& out) {
  // A workgroup sums in an order of its own.
  if (variants_.strict_floats || !variants_.allows("group")) return 0;
  takeChainCode(program_, stms, first);
  std::optional<SmallChain> chain = smallChain(program_, stms, results, first);
  if (!chain) return 0;
  Stm& nest = chain->cell.nest;
  if (!same_.empty()) substitute(program_, nest.expr, same_);
  GroupSizes sizes;
  sizes.bounds_width = false;  // the work bounds it
  sizes.serial_loops = true;
  const std::optional<GroupCells> cell = asGroupCells(program_, nest, 1, scalar_code_, sizes);
  if (!cell || !cell->always_fit) return 0;
  variants_.say("chain of small statements: one workgroup");
  planAll(std::move(chain->before), out);
  // Views among them may be arrays of before under another name.
  if (!same_.empty()) substitute(program_, nest.expr, same_);
  recompute_.insert_or_assign(chain->cell.cells.results[0], chain->cell.cells);
  groupKernel(std::move(nest), out);
  planAll(std::move(chain->cell.results), out);
  return chain->count;
}

// Definitions of a branch or loop body are unknown outside.
void Planner::planNested(Body& body) {
  auto recompute = recompute_;
  planBody(body);
  recompute_ = std::move(recompute);
}

}  // namespace halo::gpu
