#include "lang/passes/ranks/plan/shard_order.h"

#include <algorithm>

#include "lang/core/lane_sums.h"
#include "lang/passes/ranks/plan/shard_forms.h"
#include "lang/passes/ranks/shard_products.h"

namespace halo::passes {

using core::Operand;
using core::Reduction;
using core::Screma;
using core::Stencil;
using core::Stm;

namespace {

using Sums = ShardPlan::Sums;

constexpr int64_t kMinPairs = 64;  // cells, and elements of their sums

}  // namespace

// Rows are summed alike where they lie alike: no axes of an array that the engine lays out are
// exchanged.
const char* SumOrder::whyNotRows(const Stm& stm) {
  const auto* node = std::get_if<Screma>(&stm.expr);
  if (node != nullptr && options_.sums == ShardOptions::Order::kChunks) {
    const auto is_known = [&](const Operand& size) { return facts_.isParam(size); };
    if (auto sizes = tiledProduct(program_, *node, is_known)) {
      plan_.products[stm.results.at(0)] = std::move(*sizes);
      return nullptr;
    }
  }
  if (options_.sums != ShardOptions::Order::kChunks || node == nullptr ||
      !sumsRows(program_, *node)) {
    return hasLongSums(stm) ? nullptr
                            : "the order of the sums in its cells depends on how many there are";
  }
  return facts_.exchangesAxes() ? "axes of an array are exchanged, which may lie in another way"
                                : nullptr;
}

// Engines do few cells with short sums in another way (gpu/plan/nests/whole_cells.cpp).
bool SumOrder::hasLongSums(const Stm& stm) {
  const auto* node = std::get_if<Screma>(&stm.expr);
  if (node == nullptr || options_.sums != ShardOptions::Order::kChunks) return false;
  const SumsOnce sums = sumsOnce(program_, *node);
  if (sums == SumsOnce::kPairs && facts_.isParam(node->width)) {
    plan_.products[stm.results.at(0)] = {{{node->width}, kMinPairs}};
    return !facts_.exchangesAxes();
  }
  return sums == SumsOnce::kRows && !facts_.exchangesAxes();
}

const char* SumOrder::whyNotOrdered(const Stm& stm, int depth) {
  if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) return whyNotTiles(stm, *stencil);
  const auto* node = std::get_if<Screma>(&stm.expr);
  if (node != nullptr && !areExact(program_, node->scans))
    plan_.sums[stm.results.at(0)] = Sums::kScans;
  if (node == nullptr || areExact(program_, node->reductions)) return nullptr;
  if (options_.sums == ShardOptions::Order::kChunks) return whyNotChunks(stm, *node, depth);
  if (hasLoops(node->map)) {
    plan_.sums[stm.results.at(0)] = Sums::kElements;
    return nullptr;
  }
  const bool is_heavy = facts_.isHeavy(node->width);
  const bool has_lanes =
      options_.sums == ShardOptions::Order::kLanes &&
      core::reducesInLanes(program_, node->map, node->reductions) &&
      std::all_of(node->reductions.begin(), node->reductions.end(),
                  [&](const Reduction& reduction) { return isPlain(program_, reduction.op.body); });
  if (!is_heavy && !has_lanes && depth > 0) return "its summands are gathered at each step";
  plan_.sums[stm.results.at(0)] = has_lanes && !is_heavy ? Sums::kPartialValues : Sums::kSummands;
  return nullptr;
}

// Blocks are whole tiles of lines, of which a plane has a number that must be known.
const char* SumOrder::whyNotTiles(const Stm& stm, const Stencil& stencil) {
  if (!sumsInTiles(program_, stencil, options_.sums)) return nullptr;
  if (!facts_.isParam(stencil.space.at(stencil.space.size() / 2))) return "its planes are computed";
  plan_.sums[stm.results.at(0)] = Sums::kTiles;
  return nullptr;
}

// Blocks of chunks leave ranks idle where few rows are much work.
const char* SumOrder::whyNotChunks(const Stm& stm, const Screma& node, int depth) {
  const bool has_rows = hasLoops(node.map);
  const bool is_heavy = has_rows || facts_.isHeavy(node.width);
  if (is_heavy && !has_rows && depth > 0) return "its summands are gathered at each step";
  if (!facts_.isOfEntry(node.width)) return "the number of its elements changes in a loop";
  plan_.sums[stm.results.at(0)] = is_heavy ? Sums::kSummands : Sums::kChunks;
  return nullptr;
}

}  // namespace halo::passes
