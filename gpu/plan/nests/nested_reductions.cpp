// The split nest is distributed as any other one (distribute.h).
#include "gpu/plan/nests/nested_reductions.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/nests/distribute.h"
#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/split.h"
#include "lang/core/builder.h"

namespace halo::gpu {

using namespace core;

namespace {

// Elements of the outer levels that keep an H200 busy with one invocation for each.
constexpr int64_t kFillsDevice = int64_t{1} << 16;
// Longer rows of f32 in each of 2,048 invocations leave a multiprocessor's first-level cache. Its
// lanes read one row each, concurrently, and a line has to stay until its last element.
constexpr int64_t kLongRow = 64;
// Rows of sums of products from which on tiles of all cells (gpu.md#products) and a second kernel
// for their totals are faster: the nearest of 10,000 points in 16 dimensions for each of 4,096
// takes 364 us on an H200 as a whole, 202 so. Of as many cells as memory holds easily.
constexpr int64_t kProductRow = 16, kProductSide = 48, kMaxProductCells = int64_t{1} << 27;

// The nest with the node at its bottom as a map and reductions or scans of its results.
Stm withSplitBottom(Program& program, Stm nest, size_t levels) {
  Body* cell = &std::get<Screma>(nest.expr).map.body;
  for (size_t k = 2; k < levels; ++k) cell = &std::get<Screma>(cell->stms.back().expr).map.body;
  std::vector<Stm> parts = mapFirst(program, cell->stms.back());
  cell->stms.pop_back();
  cell->stms.insert(cell->stms.end(), parts.begin(), parts.end());
  return nest;
}

// Extents of the rows that the elements' own reductions walk along, where the host knows them.
Operands rowLengths(const Screma& reduction) {
  const Lambda& element = reduction.map;
  std::unordered_set<ValueId> bound(element.params.begin(), element.params.end());
  std::unordered_set<ValueId> rows = bound;
  Operands lengths;
  for (const Stm& stm : element.body.stms) {
    const bool is_made =
        std::holds_alternative<Iota>(stm.expr) || std::holds_alternative<Replicate>(stm.expr);
    if (!is_made) rows.insert(stm.results.begin(), stm.results.end());
    bound.insert(stm.results.begin(), stm.results.end());
    const auto* inner = std::get_if<Screma>(&stm.expr);
    if (inner == nullptr || isMap(*inner)) continue;
    const bool walks = std::any_of(inner->inputs.begin(), inner->inputs.end(),
                                   [&](ValueId input) { return rows.contains(input); });
    const bool is_known = inner->width.isConstant() || !bound.contains(inner->width.value);
    if (walks && is_known) lengths.push_back(inner->width);
  }
  return lengths;
}

// Whether an element walks along a row of its own and one of the cells around it, as a product of
// matrices does.
bool isOfTwoRows(const std::vector<const Screma*>& levels) {
  if (levels.size() != 2) return false;
  const auto& cell = levels[0]->map.params;
  const auto& own = levels[1]->map.params;
  const auto isAnyOf = [](const std::vector<ValueId>& params, const Screma& inner) {
    return std::any_of(inner.inputs.begin(), inner.inputs.end(), [&](ValueId input) {
      return std::find(params.begin(), params.end(), input) != params.end();
    });
  };
  const std::vector<Stm>& code = levels[1]->map.body.stms;
  return std::any_of(code.begin(), code.end(), [&](const Stm& stm) {
    const auto* inner = std::get_if<Screma>(&stm.expr);
    return inner != nullptr && isAnyOf(cell, *inner) && isAnyOf(own, *inner);
  });
}

Operand staysWhole(Builder& host, const std::vector<const Screma*>& levels) {
  auto compare = [&](prim::Op op, const Operand& count, int64_t limit) {
    return host.prim(op, ScalarType::kI64, {count, Operand::ofI64(limit)});
  };
  Operand elements = levels[0]->width;
  for (size_t k = 1; k < levels.size(); ++k) elements = host.mul(elements, levels[k]->width);
  Operand whole = compare(prim::Op::kGe, elements, kFillsDevice);
  for (const Operand& length : rowLengths(*levels.back())) {
    const Operand is_short = compare(prim::Op::kLt, length, kLongRow);
    whole = host.prim(prim::Op::kAnd, ScalarType::kBool, {whole, is_short});
  }
  if (!isOfTwoRows(levels)) return whole;
  Operand is_other = compare(prim::Op::kGt, elements, kMaxProductCells);
  const auto orElse = [&](const Operand& other) {
    is_other = host.prim(prim::Op::kOr, ScalarType::kBool, {is_other, other});
  };
  for (const Screma* level : levels) orElse(compare(prim::Op::kLt, level->width, kProductSide));
  for (const Operand& length : rowLengths(*levels.back()))
    orElse(compare(prim::Op::kLt, length, kProductRow));
  return host.prim(prim::Op::kAnd, ScalarType::kBool, {whole, is_other});
}

}  // namespace

std::optional<NestedReduction> splitNestedReduction(Program& program, const Stm& nest,
                                                    const std::vector<const Screma*>& levels,
                                                    const Variants& variants) {
  if (levels.size() < 2 || !isWorthMapping(program, *levels.back(), variants)) return std::nullopt;
  std::optional<Distributed> parts =
      distribute(program, withSplitBottom(program, nest, levels.size()), variants);
  if (!parts) return std::nullopt;
  Builder host(program);
  NestedReduction split;
  split.whole = staysWhole(host, levels);
  split.stms = std::move(parts->stms);
  split.host = host.take({}).stms;
  return split;
}

std::optional<Stm> withAllTotals(Program& program, const Stm& nest) {
  const auto* outer = std::get_if<Screma>(&nest.expr);
  if (outer == nullptr || !isMap(*outer) || outer->map.body.stms.empty()) return std::nullopt;
  Screma level = *outer;
  Body& cell = level.map.body;
  Stm& last = cell.stms.back();
  const auto* inner = std::get_if<Screma>(&last.expr);
  if (inner == nullptr) return std::nullopt;
  if (isMap(*inner)) {
    std::optional<Stm> made = withAllTotals(program, last);
    if (!made) return std::nullopt;
    last = std::move(*made);
  } else if (!inner->scans.empty() || cell.results.size() >= last.results.size()) {
    return std::nullopt;
  }
  Stm all{{}, {}, nest.checked, nest.span};
  size_t known = 0;
  for (const ValueId total : last.results) {
    const auto found = std::find(cell.results.begin(), cell.results.end(), Operand(total));
    const bool is_known = found != cell.results.end();
    Type type = program.type(total);
    type.shape.insert(type.shape.begin(), level.width);
    all.results.push_back(is_known ? nest.results[static_cast<size_t>(found - cell.results.begin())]
                                   : program.add("total", std::move(type)));
    known += is_known ? 1 : 0;
  }
  if (known != cell.results.size()) return std::nullopt;
  cell.results.assign(last.results.begin(), last.results.end());
  all.expr = std::move(level);
  return all;
}

std::optional<std::vector<Stm>> splitNestedScan(Program& program, const Stm& nest,
                                                const std::vector<const Screma*>& levels,
                                                const Variants& variants) {
  if (levels.size() < 2 || isElementCode(program, levels.back()->map.body, true)) {
    return std::nullopt;
  }
  std::optional<Distributed> parts =
      distribute(program, withSplitBottom(program, nest, levels.size()), variants);
  return parts ? std::optional(std::move(parts->stms)) : std::nullopt;
}

}  // namespace halo::gpu
