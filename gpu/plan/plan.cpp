// One statement after another, and the common part of all kinds.
#include "gpu/plan/plan.h"
#include "gpu/plan/nests/nest.h"

#include <algorithm>
#include <functional>

#include "gpu/plan/branches/updates_in_arms.h"
#include "gpu/plan/in_place/updates_in_place.h"
#include "gpu/plan/launch_code.h"
#include "gpu/plan/loops/carried.h"
#include "gpu/plan/loops/short_rows.h"
#include "gpu/plan/loops/shrinking.h"
#include "gpu/plan/loops/unswitch_reads.h"
#include "gpu/plan/nests/chain.h"
#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/independent.h"
#include "gpu/plan/nests/join_maps.h"
#include "gpu/plan/nodes/flag_windows.h"
#include "gpu/plan/nodes/row_choices.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/plan/nodes/sort_gather.h"
#include "gpu/plan/nodes/usual_sums.h"
#include "gpu/plan/outline.h"
#include "gpu/plan/planner.h"
#include "gpu/plan/singles/join_singles.h"
#include "gpu/plan/sizes/bound_sizes.h"
#include "gpu/plan/whole_extents.h"
#include "lang/base/match.h"
#include "lang/passes/fuse/fuse_scans.h"

namespace halo::gpu {

using namespace core;

namespace {

// Statements of one invocation; shader compilers take long for long bodies.
constexpr size_t kMaxUpdates = 64;

// How many statements from here on update one array's elements, each the one before's. A launch for
// each would cost more than the stores of one invocation.
size_t updatesFrom(const Program& program, const std::vector<Stm>& stms, size_t first) {
  size_t count = 0;
  for (; first + count < stms.size() && count < kMaxUpdates; ++count) {
    const Stm& stm = stms[first + count];
    const auto* update = std::get_if<Update>(&stm.expr);
    if (update == nullptr || !program.type(update->value).isScalar()) break;
    if (count > 0 && update->array != stms[first + count - 1].results[0]) break;
  }
  return count;
}

// Stored iotas and replicates, and elements, that no host code wanted after all.
void dropUnused(const Program& program, const std::unordered_set<ValueId>& droppable, Body& body) {
  auto uses = useCounts(program, body);
  std::vector<Stm> kept;
  for (Stm& stm : body.stms) {
    bool unused =
        stm.results.size() == 1 && droppable.contains(stm.results[0]) && uses[stm.results[0]] == 0;
    if (!unused) kept.push_back(std::move(stm));
  }
  body.stms = std::move(kept);
}

}  // namespace

void Planner::run() {
  size_t count = program_.functions.size();  // outlining adds more
  for (size_t i = 0; i < count; ++i) {
    if (!program_.functions[i].kernel.empty()) continue;  // a sort
    function_ = i;
    name_ = program_.functions[i].name;
    counter_ = 0;
    Function host = program_.functions[i];
    readChosenRows(program_, host.body);
    layShortRowsByElement(program_, host);
    splitIndependent(program_, host.body);
    joinMaps(program_, host.body, variants_);
    takeUsualSums(program_, host.body);
    overwritten_ = Overwritten(program_, host.body);
    scalar_code_.clear();
    addScalarCode(host.body, scalar_code_);
    planBody(host.body);
    removeCopies(host);
    moveUpdatesIntoArms(program_, host);
    updateInPlace(program_, host);
    keepShrinking(program_, host, [this] { return nextName(); });
    boundSizes(program_, host, [this] { return nextName(); });
    unswitchReads(program_, host.body);
    keepCarriedOnDevice(
        program_, host, [this] { return nextName(); },
        [this](const std::string& line) { variants_.say(line); });
    joinSingles(program_, host, [this] { return nextName(); });
    program_.functions[i] = std::move(host);
  }
}

std::string Planner::nextName() { return name_ + "_" + std::to_string(++counter_); }

void Planner::planBody(Body& body) {
  ++depth_;
  addDeviceScalars(program_, body, of_device_);
  if (variants_.allows("carried")) {
    sortElements(program_, body,
                 {[&](ValueId value) { return isIota(body, value); },
                  [&](ValueId value) { return recompute_.contains(value); }},
                 [&](std::vector<Stm> stms, std::vector<ValueId> results) {
                   Operands space = {program_.type(results[0]).shape[0]};
                   return keep(std::move(stms), results, {KernelKind::kSort, std::move(space)});
                 });
  }
  countNeighbours(program_, body, variants_);
  passes::joinScans(program_, program_.functions[function_], body,
                    [&](const Stm& scan, const Stm& to) {
                      const bool is_one = isScanAndScatter(program_, scan, to, variants_) ||
                                          isScanAndMap(program_, scan, to, variants_);
                      return is_one ? std::optional(keep(scan, to)) : std::nullopt;
                    });
  rearranged_.merge(rearrangedOnce(program_, body));
  auto accepts = [&](const Stm& loop) { return doneAtOnce(loop).has_value(); };
  std::vector<Stm> before = chainStencils(program_, std::move(body.stms), body.results, accepts);
  body.stms.clear();
  for (size_t i = 0; i < before.size();) {
    if (const size_t chained = planSmallChain(before, body.results, i, body.stms)) {
      i += chained;
      continue;
    }
    const size_t count = updatesFrom(program_, before, i);
    if (count > 1) {
      planUpdates({before.begin() + static_cast<std::ptrdiff_t>(i),
                   before.begin() + static_cast<std::ptrdiff_t>(i + count)},
                  body.stms);
    } else {
      planStm(std::move(before[i]), body.stms);
    }
    i += std::max<size_t>(count, 1);
  }
  for (Operand& result : body.results) {
    auto same = result.isConstant() ? same_.end() : same_.find(result.value);
    if (same != same_.end()) result = same->second;
    makeDense(result, body.stms);
    // The result of a call has no more memory than its elements need.
    const bool leaves = depth_ == 1 && !result.isConstant() && prefixes_.contains(result.value);
    if (leaves) result = copyOf(result.value, body.stms);
  }
  dropUnused(program_, droppable_, body);
  depth_--;
}

void Planner::planStm(Stm stm, std::vector<Stm>& out) {
  if (!same_.empty()) substitute(program_, stm.expr, same_);
  for (Stm& alike : takeLaunchCode(program_, stm)) out.push_back(std::move(alike));
  // Copied first: the handlers below move the statement.
  Expr expr = stm.expr;
  base::match(
      expr, [&](const Screma& e) { planScrema(std::move(stm), e, out); },
      [&](const Stencil& e) { planStencil(std::move(stm), e, out); },
      [&](const Scatter& e) {
        kernel(std::move(stm), {KernelKind::kScatter, {e.width}}, out);
      },
      [&](const Hist& e) { planHist(std::move(stm), e, out); },
      [&](const Pad&) { elementKernel(std::move(stm), out); },
      [&](const Slide&) { view(std::move(stm), out); },
      [&](const Iota&) { planVirtual(std::move(stm), out); },
      [&](const Replicate&) { planVirtual(std::move(stm), out); },
      [&](const ArrayLiteral& e) { planLiteral(std::move(stm), e, out); },
      [&](const Concat&) { elementKernel(std::move(stm), out); },
      [&](const Copy&) { planCopy(std::move(stm), out); },
      [&](const Scratch&) { elementKernel(std::move(stm), out); },
      [&](const Update& e) { planUpdate(std::move(stm), e, out); },
      [&](const Reshape& e) {
        if (views_.contains(e.array)) std::get<Reshape>(stm.expr).array = copyOf(e.array, out);
        out.push_back(std::move(stm));
      },
      [&](const Rearrange& e) { planRearrange(std::move(stm), e, out); },
      [&](const Slice& e) { planSlice(std::move(stm), e, out); },
      [&](const Index& e) { planIndex(std::move(stm), e, out); },
      [&](const Match& e) { planMatch(std::move(stm), e, out); },
      [&](const Loop& e) { planLoop(std::move(stm), e, out); },
      [&](const Literal&) { out.push_back(std::move(stm)); },
      [&](const PrimOp&) { out.push_back(std::move(stm)); },
      [&](const Convert&) { out.push_back(std::move(stm)); },
      [&](const Select&) { out.push_back(std::move(stm)); },
      [&](const Call& e) {
        auto kept = kept_.find(e.function);
        out.push_back(kept == kept_.end() ? std::move(stm) : keptKernel(kept->second));
      },
      [&](const Assert&) { out.push_back(std::move(stm)); });
}

void Planner::kernel(Stm stm, KernelInfo info, std::vector<Stm>& out) {
  staysView(stm);
  out.push_back(outline(program_, stm, nextName(), std::move(info), recompute_));
}

// One invocation for each element of the result.
KernelInfo Planner::elementwise(const Stm& stm) const {
  Operands shape = program_.type(stm.results[0]).shape;
  if (shape.size() > kMaxSpace) shape.resize(kMaxSpace);
  return {KernelKind::kMap, std::move(shape)};
}
void Planner::elementKernel(Stm stm, std::vector<Stm>& out) {
  KernelInfo info = elementwise(stm);
  kernel(std::move(stm), std::move(info), out);
}

void Planner::single(Stm stm, std::vector<Stm>& out) {
  kernel(std::move(stm), {KernelKind::kMap, {}}, out);
}

void Planner::planAll(std::vector<Stm> stms, std::vector<Stm>& out) {
  for (Stm& stm : stms) planStm(std::move(stm), out);
}

void Planner::nestKernel(Stm stm, KernelKind kind, const std::vector<const Screma*>& levels,
                         std::vector<Stm>& out) {
  Operands space = spaceOf(levels);
  // Lanes would sum in an order of their own.
  auto* nest = std::get_if<Screma>(&stm.expr);
  const bool is_ordered = variants_.strict_floats && kind == KernelKind::kMap && nest != nullptr;
  if (is_ordered && hasOrderedRows(program_, levels.back()->map.body)) {
    nest->flattening.add(Flattening::kSequentialInner);
  }
  kernel(std::move(stm), {kind, std::move(space)}, out);
}

ValueId Planner::copyOf(ValueId array, std::vector<Stm>& out) {
  ValueId dense = program_.add(program_.values[array].name, program_.type(array));
  elementKernel({{dense}, Copy{array}, false, {}}, out);
  return dense;
}

void Planner::makeDense(Operand& operand, std::vector<Stm>& out) {
  if (operand.isConstant() || !views_.contains(operand.value)) return;
  operand = copyOf(operand.value, out);
}

namespace {

// Kernels without calls, because their result was dropped.
void dropUncalled(Program& program) {
  std::unordered_set<std::string> called;
  std::function<void(const Body&)> visit = [&](const Body& body) {
    for (const Stm& stm : body.stms) {
      if (auto* call = std::get_if<Call>(&stm.expr)) called.insert(call->function);
      forEachBody(stm.expr, visit);
    }
  };
  for (const Function& function : program.functions) visit(function.body);
  std::erase_if(program.functions, [&](const Function& function) {
    return !function.kernel.empty() && !called.contains(function.name);
  });
}

}  // namespace

Program plan(const Program& program, const Variants& variants) {
  Program planned = program;
  Planner(planned, variants).run();
  dropUncalled(planned);
  addWholeExtents(planned);
  return planned;
}

}  // namespace halo::gpu
