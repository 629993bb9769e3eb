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

// The nest with the node at its bottom as a map and reductions or scans of its results.
Stm withSplitBottom(Program& program, Stm nest, size_t levels) {
  Body* cell = &std::get<Screma>(nest.expr).map.body;
  for (size_t k = 2; k < levels; k++) cell = &std::get<Screma>(cell->stms.back().expr).map.body;
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

Operand staysWhole(Builder& host, const std::vector<const Screma*>& levels) {
  auto compare = [&](prim::Op op, const Operand& count, int64_t limit) {
    return host.prim(op, ScalarType::kI64, {count, Operand::ofI64(limit)});
  };
  Operand elements = levels[0]->width;
  for (size_t k = 1; k < levels.size(); k++) elements = host.mul(elements, levels[k]->width);
  Operand whole = compare(prim::Op::kGe, elements, kFillsDevice);
  for (const Operand& length : rowLengths(*levels.back())) {
    const Operand is_short = compare(prim::Op::kLt, length, kLongRow);
    whole = host.prim(prim::Op::kAnd, ScalarType::kBool, {whole, is_short});
  }
  return whole;
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
