#include "lang/passes/ranks/plan/shard_blocks.h"

#include <algorithm>
#include <numeric>

#include "lang/core/iterated.h"
#include "lang/core/lane_sums.h"
#include "lang/core/rewrite.h"
#include "lang/core/tile_sums.h"
#include "lang/core/visit.h"
#include "lang/passes/ranks/plan/shard_forms.h"
#include "lang/passes/ranks/plan/shard_gathers.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Loop;
using core::Operand;
using core::Program;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::ValueId;

// Rows: a multiple of the tiles of products and of lanes (6, 64, 128); those that begin at whole
// vectors whatever their length.
constexpr int64_t kTile = 384, kVector = 4;

class Blocks {
 public:
  Blocks(const Program& program, const core::Function& entry, const ShardOptions& options,
         ShardPlan& plan)
      : program_(program), options_(options), plan_(plan) {
    of_entry_.insert(entry.params.begin(), entry.params.end());
    for (const Stm& stm : entry.body.stms) of_entry_.insert(stm.results.begin(), stm.results.end());
  }

  void measure(const Body& body) {
    reaches(body);
    core::visitStms(body, [&](const Stm& stm) {
      const auto* loop = std::get_if<Loop>(&stm.expr);
      if (loop == nullptr || loop->carried.empty() || plan_.cycles.contains(keyOf(stm))) return;
      if (auto padded = paddedIn(program_, plan_, *loop)) {
        plan_.padded[loop->carried[0].param] = std::move(*padded);
      }
    });
    for (const Stm& stm : body.stms) {
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) noteWork(stm, *loop);
    }
  }

 private:
  using Sums = ShardPlan::Sums;

  static ValueId keyOf(const Stm& stm) { return stm.results.at(0); }

  // Known in front of loops.
  bool isOfEntry(const Operand& size) const {
    return size.isConstant() || of_entry_.contains(size.value);
  }

  ShardPlan::Unit& unitOf(const Operand& extent) { return plan_.units[ShardPlan::keyOf(extent)]; }
  void needLeast(const Operand& extent, int64_t rows) {
    int64_t& least = unitOf(extent).least;
    least = std::max(least, rows);
  }
  void needMultiple(const Operand& extent, int64_t rows) {
    int64_t& multiple = unitOf(extent).multiple;
    multiple = std::lcm(multiple, rows);
  }

  bool sumsIn(const Stm& stm, Sums sums) const {
    const auto found = plan_.sums.find(keyOf(stm));
    return found != plan_.sums.end() && found->second == sums;
  }

  // core/tile_sums.h. Tiles of any rows do where no order matters.
  void needTiles(const Stencil& stencil) {
    if (areExact(program_, stencil.reductions)) return;
    const Operand& n = stencil.space[0];
    const size_t rank = stencil.space.size();
    if (options_.sums == ShardOptions::Order::kLanes) {
      needMultiple(n, core::kBandRows[rank]);
    } else if (rank == 3) {
      std::vector<Operand>& lines = unitOf(n).lines;
      if (std::find(lines.begin(), lines.end(), stencil.space[1]) == lines.end()) {
        lines.push_back(stencil.space[1]);
      }
    } else {
      needMultiple(n, rank == 1 ? core::kLineTile : core::kTileLines);
    }
  }

  int64_t rowsOfTile() const { return options_.cuts_inner_sums ? kTile : kVector; }

  void reaches(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        loopReaches(stm, *loop);
        reaches(loop->body);
      }
      if (stm.results.empty() || !plan_.statements.contains(keyOf(stm))) continue;
      if (const auto product = plan_.products.find(keyOf(stm)); product != plan_.products.end()) {
        std::ranges::copy(product->second, std::back_inserter(plan_.least_sizes));
      }
      if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
        needLeast(stencil->space[0], ghostRows(reachOf(*stencil), options_));
        if (sumsInCells(program_, stm)) needMultiple(stencil->space[0], rowsOfTile());
        if (sumsIn(stm, Sums::kTiles)) needTiles(*stencil);
      } else if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
        if (sumsInCells(program_, stm)) needMultiple(screma->width, rowsOfTile());
        if (sumsIn(stm, Sums::kScans)) needMultiple(screma->width, core::kScanChunk);
        if (sumsIn(stm, Sums::kPartialValues)) unitOf(screma->width).has_lanes = true;
        if (sumsIn(stm, Sums::kChunks)) unitOf(screma->width).has_chunks = true;
      } else if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
        if (sumsInCells(program_, stm)) needMultiple(hist->width, rowsOfTile());
      }
    }
  }

  static bool isScalarCode(const Stm& stm) {
    return std::holds_alternative<core::Literal>(stm.expr) ||
           std::holds_alternative<core::PrimOp>(stm.expr) ||
           std::holds_alternative<core::Convert>(stm.expr) ||
           std::holds_alternative<core::Select>(stm.expr);
  }

  // Of the host's statements, of which each is some launches.
  static int64_t statementsOf(const Body& body) {
    int64_t count = 0;
    for (const Stm& stm : body.stms) {
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        count += statementsOf(loop->body);
      } else if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
        for (const core::Case& arm : match->cases) count += statementsOf(arm.body);
        count += statementsOf(match->otherwise);
      } else if (!isScalarCode(stm)) {
        ++count;
      }
    }
    return count;
  }

  void noteWork(const Stm& stm, const Loop& loop) {
    std::vector<ShardPlan::LeastWork> works;
    for (core::Operands& extents : gatheredWork(program_, plan_, loop)) {
      works.push_back({std::move(extents), options_.min_gathered_work});
    }
    if (options_.short_step > 0) noteShortSteps(loop, works);
    if (!works.empty()) plan_.least_work[keyOf(stm)] = std::move(works);
  }

  void noteShortSteps(const Loop& loop, std::vector<ShardPlan::LeastWork>& works) {
    const int64_t least = options_.short_step * statementsOf(loop.body);
    core::visitStms(loop.body, [&](const Stm& nested) {
      if (nested.results.empty() || !plan_.statements.contains(keyOf(nested))) return;
      const auto* stencil = std::get_if<Stencil>(&nested.expr);
      if (stencil != nullptr && sumsIn(nested, Sums::kTiles)) {
        works.push_back({{}, least});
        for (const Operand& extent : stencil->space) {
          if (isOfEntry(extent)) works.back().extents.push_back(extent);
        }
      }
      const auto* node = std::get_if<Screma>(&nested.expr);
      if (node == nullptr) return;
      if (!plan_.sums.contains(keyOf(nested)) && !sumsInCells(program_, nested)) return;
      works.push_back({{node->width}, least});
      for (const Stm& row : node->map.body.stms) {
        const auto* sum = std::get_if<Screma>(&row.expr);
        if (sum != nullptr && isOfEntry(sum->width)) works.back().extents.push_back(sum->width);
      }
    });
  }

  void loopReaches(const Stm& stm, const Loop& loop) {
    auto iterated = core::iteratedStencil(program_, loop);
    if (!iterated) return;
    int64_t reach = 0;
    bool wraps = false, ends = false;
    for (const Stm* stage : iterated->stages) {
      if (!plan_.statements.contains(keyOf(*stage)) || core::mayFail(*stage)) return;
      const auto& stencil = std::get<Stencil>(stage->expr);
      reach += reachOf(stencil);
      (wrapsRows(stencil) ? wraps : ends) = true;
    }
    for (const core::Carried& carried : loop.carried) {
      if (!plan_.cut.contains(carried.param)) return;
    }
    if (reach == 0 || (wraps && ends)) return;
    plan_.cycles[keyOf(stm)] = reach;
    needLeast(iterated->space[0], options_.goes_beside ? 2 * reach : reach);
  }

  const Program& program_;
  const ShardOptions& options_;
  ShardPlan& plan_;
  std::unordered_set<ValueId> of_entry_;  // parameters, and values of its outermost level
};

}  // namespace

void measureBlocks(const Program& program, const core::Function& entry, const ShardOptions& options,
                   ShardPlan& plan) {
  Blocks(program, entry, options, plan).measure(entry.body);
}

int64_t reachOf(const Stencil& stencil) {
  int64_t reach = 0;
  for (const core::Window& window : stencil.windows) {
    for (const auto& offset : window.offsets) reach = std::max(reach, std::abs(offset[0]));
  }
  return reach;
}

int64_t ghostRows(int64_t reach, const ShardOptions& options) {
  const bool has_vectors = options.sums == ShardOptions::Order::kChunks;
  return has_vectors ? (reach + kVector - 1) / kVector * kVector : reach;
}

bool wrapsRows(const Stencil& stencil) {
  return std::any_of(stencil.windows.begin(), stencil.windows.end(), [](const core::Window& w) {
    return w.boundary[0].kind == core::BoundaryKind::kWrap;
  });
}

}  // namespace halo::passes
