// Nests whose cells may be workgroups, and those that run in front of a reduction.
#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nodes/row_branches.h"
#include "gpu/plan/nodes/stage_windows.h"
#include "gpu/plan/planner.h"
#include "gpu/plan/split.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// The program asked for loops below this nest, or for all cells together.
bool excludesGroups(Flattening wish) {
  return wish.has(Flattening::kNoIntra) || wish.has(Flattening::kOnlyInner) ||
         wish.has(Flattening::kSequential) || wish.has(Flattening::kSequentialInner);
}

// Whether a loop holds nodes that several lanes could share.
bool hasLoopsOfNodes(const Body& body) {
  bool found = false;
  visitStms(body, [&](const Stm& stm) {
    const auto* loop = std::get_if<Loop>(&stm.expr);
    if (loop == nullptr) return;
    visitStms(loop->body, [&](const Stm& inner) {
      found = found || std::holds_alternative<Screma>(inner.expr) ||
              std::holds_alternative<Scatter>(inner.expr);
    });
  });
  return found;
}

}  // namespace

// Its template looks at the attribute.
void Planner::groupKernel(Stm stm, std::vector<Stm>& out) {
  auto& nest = std::get<Screma>(stm.expr);
  nest.flattening.add(Flattening::kOnlyIntra);
  const Screma copy = nest;
  laidOutKernel(std::move(stm), mapNest(copy, kMaxGroups), out);
}

// A reduction or scan of cells, as a map whose cells may be workgroups in front of it. Their loops
// need not be alike (distribute.h), and an invocation that reduces runs them alone.
bool Planner::planGroupsFirst(const Stm& stm, const Screma& e, std::vector<Stm>& out) {
  const bool has_cells = !isMap(e) && hasScalarOperators(program_, e) &&
                         hasLoopsOfNodes(e.map.body) && !variants_.strict_floats;
  if (!has_cells) return false;
  std::vector<Stm> parts = mapFirst(program_, stm);
  if (!planGroup(parts[0], out)) return false;
  parts.erase(parts.begin());
  planAll(std::move(parts), out);
  return true;
}

std::optional<Planner::Groups> Planner::asGroups(const Stm& stm) {
  const Flattening wish = std::get<Screma>(stm.expr).flattening;
  const std::string& forced = variants_.forced;
  const bool is_forced = forced == "group" || (forced.empty() && wish.has(Flattening::kOnlyIntra));
  if (!is_forced && (!forced.empty() || excludesGroups(wish))) return std::nullopt;
  std::optional<GroupCells> cells;
  GroupSizes sizes;
  sizes.are_forced = is_forced;
  const auto is_iota = [this](ValueId value) {
    auto made = recompute_.find(value);
    return made != recompute_.end() && isPlainIota(made->second.expr);
  };
  Stm joined = withJoinedRows(program_, stm, kMaxGroups);
  std::optional<Stm> staged = stageWindows(program_, joined, kMaxGroups, scalar_code_, is_iota);
  if (staged) cells = asGroupCells(program_, *staged, kMaxGroups, scalar_code_, sizes);
  if (!cells || !cells->always_fit) {
    staged.reset();
    cells = asGroupCells(program_, joined, kMaxGroups, scalar_code_, sizes);
  }
  if (!cells && !without_few_cells_) {
    sizes.are_few = true;
    cells = asGroupCells(program_, joined, kMaxGroups, scalar_code_, sizes);
  }
  if (!cells) return std::nullopt;
  const bool is_staged = staged.has_value();
  return Groups{is_staged ? std::move(*staged) : std::move(joined), std::move(*cells), sizes,
                is_staged};
}

bool Planner::planGroup(const Stm& stm, std::vector<Stm>& out) {
  if (std::exchange(without_groups_, false)) return false;
  std::optional<Groups> groups = asGroups(stm);
  if (!groups) return false;
  GroupCells& cells = groups->cells;
  const Operand fits = groups->sizes.are_forced ? Scalar::ofBool(true) : cells.fits.results[0];
  const bool is_decided = fits.isConstant();
  if (is_decided && !fits.constant.asBool()) return false;
  for (Stm& made : cells.fits.stms) out.push_back(std::move(made));
  variants_.say("nest: " + describeGroup() + (groups->are_staged ? ", windows staged" : "") +
                (is_decided ? "" : ", else:"));
  if (is_decided) {
    groupKernel(std::move(groups->nest), out);
    return true;
  }
  Body alone = version(
      groups->nest, [this](Stm nest, std::vector<Stm>& to) { groupKernel(std::move(nest), to); });
  // The parts of the nest have as many cells.
  const bool without_few = without_few_cells_;
  without_few_cells_ = without_few || groups->sizes.are_few;
  chosenOrWithout(stm, std::move(alone), fits, without_groups_, out);
  without_few_cells_ = without_few;
  return true;
}

}  // namespace halo::gpu
