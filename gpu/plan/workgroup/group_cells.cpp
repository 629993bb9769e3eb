#include "gpu/plan/workgroup/group_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/plan/limits.h"
#include "gpu/plan/nests/levels.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/workgroup/cell_needs.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// Without arrays, or of narrow statements: an invocation for each is enough.
constexpr int64_t kManyCells = int64_t{1} << 16;
// Up to four for each multiprocessor: an invocation for each would leave most of the device idle.
constexpr int64_t kFewCells = 512;
constexpr int64_t kNarrow = 32;  // elements: no statement occupies more than a subgroup
// Terms of a product of all cells: then tiles (cell_products.h) save more than launches cost.
constexpr int64_t kMaxCellTerms = int64_t{1} << 24;
constexpr size_t kWorthStatements = 4;  // so many launches for each are worth one

const Operand kAlways(Scalar::ofBool(true));
const Operand kNone = Operand::ofI64(0);

class Cell {
 public:
  Cell(Program& program, const std::vector<const Screma*>& levels, const ScalarCode& code,
       const GroupSizes& sizes)
      : code_(code),
        sizes_(sizes),
        levels_(levels),
        needs_(cellNeeds(program, levels, code, sizes)),
        program_(program),
        host_(program) {}

  bool fits() const { return needs_.possible && (needs_.parallel > 0 || sizes_.serial_loops); }
  bool isWorth() const {
    const bool saves = needs_.has_loop || needs_.makes_planes || sizes_.serial_loops ||
                       needs_.parallel >= kWorthStatements;
    return needs_.plain && saves &&
           (sizes_.plane_words > 0 || needs_.has_loop || isWholeSize(needs_.peak));
  }
  bool alwaysFits() const {
    int64_t words = 0;
    for (const auto& [key, live] : needs_.peak) {
      int64_t most = productBound(live.shape, code_);
      if (__builtin_mul_overflow(most, live.words * live.count, &most)) return false;
      if (__builtin_add_overflow(words, most, &words)) return false;
    }
    return words <= mostWords();
  }

  // Host code for the conditions.
  Body condition() {
    computeExtents();
    const Operand words = wordsOf(needs_.peak);
    const Operand of_tables = wordsOf(needs_.tables);
    const Operand widest = widestExtent();
    std::vector<Operand> terms;
    for (const Operands& extents : needs_.products) terms.push_back(product(extents.size()));
    Operand suits = compare(prim::Op::kLe, words, mostWords());
    if (!needs_.tables.empty()) {
      const Operand apart = both(suits, compare(prim::Op::kLe, of_tables, sizes_.table_words));
      const int64_t most = isWholeSize(needs_.tables) ? mostWords() : sizes_.plane_words;
      return host_.take({compare(prim::Op::kLe, host_.add(words, of_tables), most), apart});
    }
    if (sizes_.bounds_width) {
      suits = both(suits, both(compare(prim::Op::kGe, widest, sizes_.least_width),
                               compare(prim::Op::kLe, widest, sizes_.most_width)));
    }
    return host_.take({boundedCells(suits, terms)});
  }

 private:
  // ---- sizes

  // Arrays of two unknown extents hardly ever fit.
  bool isWholeSize(const LiveSets& lives) const {
    return std::all_of(lives.begin(), lives.end(), [&](const auto& entry) {
      int unknown = 0;
      for (const Operand& extent : entry.second.shape) {
        unknown += upperBound(extent, code_) == INT64_MAX;
      }
      return unknown < 2;
    });
  }
  int64_t mostWords() const {
    const bool are_planes = sizes_.plane_words > 0 && !isWholeSize(needs_.peak);
    return are_planes ? sizes_.plane_words : sizes_.most_words;
  }
  // From so many cells on an invocation for each finishes them sooner.
  int64_t mostCells() const {
    if (sizes_.are_few) return kFewCells;
    const bool may_be_sequential = needs_.peak.empty() || (sizes_.bounds_width && isNarrow());
    return may_be_sequential ? kManyCells : INT64_MAX;
  }
  // Whether an invocation could have a cell's arrays and go through its statements.
  bool isNarrow() const {
    const auto isSmall = [&](const auto& entry) {
      return productBound(entry.second.shape, code_) <= kMaxPrivateElements;
    };
    return std::all_of(needs_.peak.begin(), needs_.peak.end(), isSmall) && needs_.widest <= kNarrow;
  }

  // ---- host code

  // All extents that conditions take, in the order in which `product` takes them.
  void computeExtents() {
    Operands needed;
    const auto add = [&](const Operands& extents) {
      needed.insert(needed.end(), extents.begin(), extents.end());
    };
    for (const LiveSets* lives : {&needs_.peak, &needs_.tables}) {
      for (const auto& [key, live] : *lives) add(live.shape);
    }
    for (const Operands& extents : needs_.extents) add(extents);
    for (const Operands& extents : needs_.products) add(extents);
    for (const Screma* level : levels_) needed.push_back(level->width);
    Body code = freshCopy(program_, withNeeded(program_, needs_.cheap, {{}, needed}));
    for (Stm& stm : code.stms) host_.append(std::move(stm));
    extents_ = std::move(code.results);
  }
  Operand product(size_t count) {
    Operand all = Operand::ofI64(1);
    for (size_t k = 0; k < count; ++k) all = host_.mul(all, extents_[next_++]);
    return all;
  }
  Operand wordsOf(const LiveSets& lives) {
    Operand words = kNone;
    for (const auto& [key, live] : lives) {
      const Operand elements = product(live.shape.size());
      words = host_.add(words, host_.mul(elements, Operand::ofI64(live.words * live.count)));
    }
    return words;
  }
  Operand widestExtent() {
    Operand widest = kNone;
    std::vector<Operand> seen;
    for (const Operands& extents : needs_.extents) {
      const Operand width = product(extents.size());
      if (std::find(seen.begin(), seen.end(), width) != seen.end()) continue;
      seen.push_back(width);
      widest =
          widest == kNone ? width : host_.prim(prim::Op::kMax, ScalarType::kI64, {widest, width});
    }
    return widest;
  }
  // Of many cells, or of products of many terms, all cells together are done better.
  Operand boundedCells(Operand suits, const std::vector<Operand>& terms) {
    const int64_t most = mostCells();
    if (most == INT64_MAX && terms.empty()) return suits;
    const Operand cells = product(levels_.size());
    if (most < INT64_MAX) suits = both(suits, compare(prim::Op::kLt, cells, most));
    for (const Operand& each : terms) {
      suits = both(suits, compare(prim::Op::kLt, host_.mul(cells, each), kMaxCellTerms));
    }
    return suits;
  }
  Operand compare(prim::Op op, const Operand& a, int64_t b) {
    return host_.prim(op, ScalarType::kI64, {a, Operand::ofI64(b)});
  }
  Operand both(const Operand& a, const Operand& b) {
    if (a == kAlways) return b;
    return host_.prim(prim::Op::kAnd, ScalarType::kBool, {a, b});
  }

  const ScalarCode& code_;
  const GroupSizes& sizes_;
  const std::vector<const Screma*>& levels_;
  const CellNeeds needs_;
  Program& program_;
  Builder host_;
  Operands extents_;  // that the host computed
  size_t next_ = 0;   // of those, for `product`
};

}  // namespace

std::optional<GroupCells> asGroupCells(Program& program, const Stm& nest, size_t max_levels,
                                       const ScalarCode& code, const GroupSizes& sizes) {
  const std::vector<const Screma*> levels = mapNest(std::get<Screma>(nest.expr), max_levels);
  Cell cell(program, levels, code, sizes);
  if (!cell.fits() || (!sizes.are_forced && !cell.isWorth())) return std::nullopt;
  return GroupCells{cell.condition(), cell.alwaysFits()};
}

std::string describeGroup() {
  const GroupSizes usual;
  return fmt::format(
      "cells by workgroups where their arrays fit {} KB and their widest statement has {} to {} "
      "elements",
      (usual.most_words * 4 + 1023) / 1024, usual.least_width, usual.most_width);
}

}  // namespace halo::gpu
