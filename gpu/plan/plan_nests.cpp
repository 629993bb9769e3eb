// Nodes over one index space: maps, reductions, scans and histograms, and the nests that they are
// in.
#include "gpu/plan/planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/plan/loops/chunks.h"
#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nests/nested_reductions.h"
#include "gpu/plan/nests/view_cells.h"
#include "gpu/plan/nests/whole_cells.h"
#include "gpu/plan/nodes/float_extrema.h"
#include "gpu/plan/nodes/hist_operations.h"
#include "gpu/plan/nodes/row_branches.h"
#include "gpu/plan/outline.h"
#include "gpu/plan/split.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/imp/lower/lower_body.h"

namespace halo::gpu {

using namespace core;

// One invocation goes from left to right.
void Planner::inOrder(Stm stm, const Operand& width, std::vector<Stm>& out) {
  Builder host(program_);
  const Operand fits =
      host.prim(prim::Op::kLe, ScalarType::kI64, {width, Operand::ofI64(kMaxInOrder)});
  host.assertThat(fits, diag::Code::engine_unsupported, {}, stm.span);
  for (Stm& extra : host.take({}).stms) out.push_back(std::move(extra));
  variants_.say("--fp=strict: one invocation, from left to right");
  single(std::move(stm), out);
}

void Planner::planScrema(Stm stm, const Screma& e, std::vector<Stm>& out) {
  // Its checks are the host's now.
  if (stm.results.empty() && !mayFail(stm) && !mayNotEnd(stm)) return;
  if (std::optional<Stm> all = withAllTotals(program_, stm)) {
    const Screma nest = std::get<Screma>(all->expr);
    return planScrema(std::move(*all), nest, out);
  }
  if (variants_.strict_floats && hasOrder(program_, e)) {
    if (!hasScalarOperators(program_, e) || isAlone(e)) {
      return inOrder(std::move(stm), e.width, out);
    }
    return planAll(mapFirst(program_, stm), out);
  }
  // Work for several invocations is not left to the one that reduces, scans or passes it on.
  if (isWorthMapping(program_, e, variants_)) {
    const Variants own = variants_.of(program_, stm, {"distribute", "plain"});
    const bool splits = own.allows("distribute") || own.forced == "group";
    if (splits) return planAll(mapFirst(program_, stm), out);
  }
  if (planGroupsFirst(stm, e, out)) return;
  auto isForAll = [&](const std::vector<const Screma*>& levels) {
    return !levels.empty() && !(variants_.strict_floats && hasOrder(program_, *levels.back()));
  };
  if (auto levels = reduceNest(program_, e); isForAll(levels)) {
    if (planNestedReduction(stm, levels, out)) return;
    return nestKernel(std::move(stm), KernelKind::kReduce, levels, out);
  }
  if (auto levels = scanNest(program_, e); isForAll(levels)) {
    if (auto parts = splitNestedScan(program_, stm, levels, variants_)) {
      return planAll(std::move(*parts), out);
    }
    std::optional<LaidOut> laid_out = layOut(program_, stm, levels, turned_);
    if (!laid_out) return nestKernel(std::move(stm), KernelKind::kScan, levels, out);
    out.push_back(outlineAll(program_, laid_out->stms, laid_out->stored, nextName(),
                             {KernelKind::kScan, spaceOf(levels)}, recompute_));
    return planAll(std::move(laid_out->views), out);
  }
  if (isMap(e)) return planMap(std::move(stm), e, out);
  if (!hasScalarOperators(program_, e)) {
    planArrayOperators(std::move(stm), out);
  } else {
    planAll(splitScrema(program_, stm), out);
  }
}

void Planner::planArrayOperators(Stm stm, std::vector<Stm>& out) {
  std::vector<Stm> chunked = chunkReduction(program_, stm);
  if (chunked.empty()) return single(std::move(stm), out);
  Stm last = std::move(chunked.back());
  chunked.pop_back();
  planAll(std::move(chunked), out);
  single(std::move(last), out);
}

// The nest as a statement of a body of its own, with new names, for one of several versions.
Body Planner::version(const Stm& stm, const std::function<void(Stm, std::vector<Stm>&)>& plan) {
  Body copy;
  copy.stms.push_back(stm);
  copy.results = Operands(stm.results.begin(), stm.results.end());
  copy = freshCopy(program_, copy);
  Stm nest = std::move(copy.stms[0]);
  copy.stms.clear();
  plan(std::move(nest), copy.stms);
  return copy;
}

void Planner::chosenOrWithout(const Stm& stm, Body chosen, const Operand& condition, bool& without,
                              std::vector<Stm>& out) {
  Match versions{condition, {{Scalar::ofBool(true), std::move(chosen)}}, {}};
  versions.otherwise =
      version(stm, [](Stm same, std::vector<Stm>& to) { to.push_back(std::move(same)); });
  without = true;
  planNested(versions.otherwise);
  without = false;
  out.push_back({stm.results, std::move(versions), false, stm.span});
}

namespace {

// The copies of the first elements of each row: how many.
std::optional<Operand> rowPrefix(const Program& program, const Screma& nest) {
  const Body& row = nest.map.body;
  const bool is_plain = isMap(nest) && nest.inputs.size() == 1 && row.stms.size() == 2 &&
                        !row.stms[1].results.empty() &&  // not a check
                        row.results == Operands{row.stms[1].results[0]};
  if (!is_plain || program.type(nest.inputs[0]).rank() != 2) return std::nullopt;
  const auto* slice = std::get_if<Slice>(&row.stms[0].expr);
  const auto* copy = std::get_if<Screma>(&row.stms[1].expr);
  if (slice == nullptr || copy == nullptr || slice->array != nest.map.params[0])
    return std::nullopt;
  const SliceDim& dim = slice->dims[0];
  const bool begins = dim.start == Operand::ofI64(0) && dim.stride == Operand::ofI64(1);
  const bool copies = isMap(*copy) && copy->map.body.stms.empty() &&
                      copy->inputs == std::vector<ValueId>{row.stms[0].results[0]} &&
                      copy->map.body.results == Operands{copy->map.params[0]};
  return begins && copies ? std::optional(dim.length) : std::nullopt;
}

}  // namespace

// Where a prefix of each row is the whole row, the rows are the array as it is:
//
//   zs = screma [n] (xs) map (x: [m]f32) { y = slice x[0:k:1]; z = screma [k] (y); return z }
// becomes
//   zs = match (i64.eq k m) { true -> { z = reshape [n][k] xs; return z } else -> { .. } }
bool Planner::planRowPrefixes(const Stm& stm, const Screma& e, std::vector<Stm>& out) {
  const std::optional<Operand> length = rowPrefix(program_, e);
  if (!length || views_.contains(e.inputs[0])) return false;
  Builder host(program_);
  const Operand all = program_.type(e.inputs[0]).shape[1];
  const Operand same = host.prim(prim::Op::kEq, ScalarType::kI64, {*length, all});
  for (Stm& made : host.take({}).stms) out.push_back(std::move(made));
  Match versions{same, {}, {}};
  const Type type = program_.type(stm.results[0]);
  const ValueId whole = program_.add(program_.values[stm.results[0]].name, type);
  Body alias;
  alias.stms.push_back({{whole}, Reshape{e.inputs[0], type.shape}, false, stm.span});
  alias.results = {whole};
  versions.cases.push_back({Scalar::ofBool(true), std::move(alias)});
  versions.otherwise = version(stm, [this](Stm nest, std::vector<Stm>& to) {
    const auto levels = mapNest(std::get<Screma>(nest.expr), kMaxSpace);
    nestKernel(std::move(nest), KernelKind::kMap, levels, to);
  });
  out.push_back({stm.results, std::move(versions), false, stm.span});
  return true;
}

void Planner::planMap(Stm stm, const Screma& e, std::vector<Stm>& out) {
  if (planRowPrefixes(stm, e, out)) return;
  std::vector<Stm> views = viewCells(program_, stm);
  if (!views.empty()) return planAll(std::move(views), out);
  // A team sums in an order of its own.
  if (!variants_.strict_floats && planGroup(stm, out)) return;
  auto& asked = std::get<Screma>(stm.expr).flattening;
  asked.bits = static_cast<uint8_t>(asked.bits & ~(1U << Flattening::kOnlyIntra));
  std::optional<Distributed> parts = distribute(program_, stm, variants_);
  Variants own = variants_;
  if (parts) own = variants_.of(program_, stm, {"distribute", "plain"});
  if (own.is_tuned) own.sayTuned("nest");
  const bool goes_on = own.allows("distribute") || own.forced == "group";
  if (!parts || !goes_on) {
    return laidOutKernel(std::move(stm), mapNest(e, kMaxSpace), out);
  }
  if (own.forced.empty() && !own.is_tuned) variants_.say("nest: " + describeChoice(*parts));
  if ((own.forced.empty() || own.forced == "group") && mayStayWhole(*parts)) {
    return byCells(stm, e, std::move(*parts), out);
  }
  planAll(std::move(parts->stms), out);
}

// Rows of the nest's cells are stored as their consumer has them.
void Planner::laidOutKernel(Stm stm, const std::vector<const Screma*>& levels,
                            std::vector<Stm>& out) {
  const bool has_groups = std::get<Screma>(stm.expr).flattening.has(Flattening::kOnlyIntra);
  std::optional<LaidOut> laid_out =
      layOutRows(program_, stm, {static_cast<int>(levels.size()), has_groups}, rearranged_);
  if (!laid_out) return nestKernel(std::move(stm), KernelKind::kMap, levels, out);
  out.push_back(outlineAll(program_, laid_out->stms, laid_out->stored, nextName(),
                           {KernelKind::kMap, spaceOf(levels)}, recompute_));
  planAll(std::move(laid_out->views), out);
}

// Two versions: each cell alone, or all cells together.
void Planner::byCells(const Stm& stm, const Screma& e, Distributed parts, std::vector<Stm>& out) {
  Builder builder(program_);
  Operand whole = staysWhole(builder, parts);
  for (Stm& extra : builder.take({}).stms) out.push_back(std::move(extra));
  wholeOrParts(stm, {whole, KernelKind::kMap, mapNest(e, kMaxSpace)}, std::move(parts.stms), out);
}

void Planner::wholeOrParts(const Stm& stm, const WholeNest& nest, std::vector<Stm> parts,
                           std::vector<Stm>& out) {
  Match versions{nest.condition, {}, {}};
  Body whole = version(stm, [&](Stm copy, std::vector<Stm>& to) {
    nestKernel(std::move(copy), nest.kind, nest.levels, to);
  });
  versions.cases.push_back({Scalar::ofBool(true), std::move(whole)});
  const Body together{std::move(parts), Operands(stm.results.begin(), stm.results.end())};
  versions.otherwise = freshCopy(program_, together);
  planNested(versions.otherwise);
  out.push_back({stm.results, std::move(versions), false, stm.span});
}

bool Planner::planNestedReduction(const Stm& stm, const std::vector<const Screma*>& levels,
                                  std::vector<Stm>& out) {
  const Variants own = variants_.of(program_, stm, {"distribute", "plain"});
  const bool is_forced = own.forced == "distribute";
  if (!is_forced && !own.allows("distribute") && own.forced != "group") return false;
  std::optional<NestedReduction> split = splitNestedReduction(program_, stm, levels, variants_);
  const bool is_decided = split && (is_forced || split->whole.isConstant());
  if (!split || (is_decided && !is_forced && split->whole.constant.asBool())) return false;
  variants_.say(std::string("reduction of reductions: ") +
                (is_decided ? "level by level" : "level by level, or inner ones whole, by sizes"));
  if (is_decided) {
    planAll(std::move(split->stms), out);
    return true;
  }
  for (Stm& made : split->host) out.push_back(std::move(made));
  wholeOrParts(stm, {split->whole, KernelKind::kReduce, levels}, std::move(split->stms), out);
  return true;
}

// Rows are combined in place; operators that look at several of their elements are rare.
void Planner::planHist(Stm stm, const Hist& e, std::vector<Stm>& out) {
  if (variants_.strict_floats && hasOrder(program_, e)) {
    std::vector<Stm> parts = halo::gpu::mapFirst(program_, stm, e);
    if (parts.size() == 1) return inOrder(std::move(stm), e.width, out);
    return planAll(std::move(parts), out);
  }
  auto is_scalar = [&](const HistOp& op) { return worksOnScalars(program_, op.op); };
  const bool are_scalar = std::all_of(e.operations.begin(), e.operations.end(), is_scalar);
  bool in_place = std::all_of(e.operations.begin(), e.operations.end(), [&](const HistOp& op) {
    return is_scalar(op) || imp::isElementwise(program_, op.op);
  });
  if (!in_place) return single(std::move(stm), out);
  if (!are_scalar && !isElementCode(program_, e.map.body, true)) {
    // Every lane of a row would do the map's loops again.
    return planAll(halo::gpu::mapFirst(program_, stm, e), out);
  }
  if (planExtrema(stm, out) || planHistParts(stm, e, out)) return;
  kernel(std::move(stm), {KernelKind::kHist, {e.width}}, out);
}

bool Planner::planExtrema(const Stm& stm, std::vector<Stm>& out) {
  if (!variants_.forced.empty() && variants_.forced != "atomics") return false;
  std::optional<FloatExtrema> extrema = asIntegerExtrema(program_, stm);
  if (!extrema) return false;
  variants_.say("histogram of least or greatest floats: atomic operations on their order");
  for (Stm& made : extrema->are_few.stms) out.push_back(std::move(made));
  Match versions{extrema->are_few.results[0], {}, {}};
  const Body keys{std::move(extrema->stms), Operands(stm.results.begin(), stm.results.end())};
  versions.cases.push_back({Scalar::ofBool(true), freshCopy(program_, keys)});
  planNested(versions.cases[0].body);
  versions.otherwise = version(stm, [&](Stm copy, std::vector<Stm>& to) {
    const auto& hist = std::get<Hist>(copy.expr);
    const Operand width = hist.width;
    if (!planHistParts(copy, hist, to)) kernel(std::move(copy), {KernelKind::kHist, {width}}, to);
  });
  out.push_back({stm.results, std::move(versions), false, stm.span});
  return true;
}

// Several operations on more bins than a workgroup has room for: each for itself, as the schedules
// of many bins have one.
bool Planner::planHistParts(const Stm& stm, const Hist& e, std::vector<Stm>& out) {
  const bool gains = e.operations.size() > 1 && variants_.forced.empty() &&
                     !isAtomic(program_, e) && !areRowsAtomic(program_, e) &&
                     isElementCode(program_, e.map.body, true) &&
                     std::any_of(e.operations.begin(), e.operations.end(),
                                 [&](const HistOp& op) { return worksOnScalars(program_, op.op); });
  if (!gains) return false;
  const bool has_tables = canHaveTables(program_, e);
  variants_.say(
      fmt::format("histogram of {} operations: {}one for each", e.operations.size(),
                  has_tables ? "together in a workgroup's room for all bins, else " : ""));
  if (!has_tables) {
    planAll(splitHist(program_, stm), out);
    return true;
  }
  Builder host(program_);
  Operand words = Operand::ofI64(0);
  for (ValueId result : stm.results) {
    const Type& type = program_.type(result);
    Operand cells = Operand::ofI64(std::max(prim::byteSize(type.scalar) / 4, 1));
    for (const Operand& size : type.shape) cells = host.mul(cells, size);
    words = host.add(words, cells);
  }
  const Operand fits =
      host.prim(prim::Op::kLe, ScalarType::kI64, {words, Operand::ofI64(maxTableWords(variants_))});
  for (Stm& made : host.take({}).stms) out.push_back(std::move(made));
  Match versions{fits, {}, {}};
  versions.cases.push_back({Scalar::ofBool(true), version(stm, [&](Stm copy, std::vector<Stm>& to) {
                              const Operand width = std::get<Hist>(copy.expr).width;
                              kernel(std::move(copy), {KernelKind::kHist, {width}}, to);
                            })});
  versions.otherwise =
      version(stm, [&](Stm copy, std::vector<Stm>& to) { planAll(splitHist(program_, copy), to); });
  out.push_back({stm.results, std::move(versions), false, stm.span});
  return true;
}

}  // namespace halo::gpu
