// Which reads of a nest are neighbours (gather_nest.h). First the offset of each read is found,
// from the cell furthest from all ends that reaches it. Then every class of cells must agree.
#include <algorithm>
#include <set>
#include <tuple>

#include "lang/core/visit.h"
#include "lang/passes/nests/gather_nest.h"

namespace halo::passes {
namespace {

using core::BoundaryKind;
using core::Index;
using core::Operand;
using core::Stm;
using core::ValueId;

constexpr int64_t kFarthest = 4;
constexpr size_t kMaxClasses = 1000;
constexpr size_t kMaxWork = 200'000;  // classes times statements

constexpr BoundaryKind kKinds[] = {BoundaryKind::kClamp, BoundaryKind::kWrap};
using Refusal = std::tuple<ValueId, size_t, BoundaryKind>;  // of a read along an axis

bool isComparison(const Stm& stm) {
  const auto* op = std::get_if<core::PrimOp>(&stm.expr);
  if (op == nullptr || prim::isFloat(op->type) || op->type == core::ScalarType::kBool) return false;
  switch (op->op) {
    case prim::Op::kEq:
    case prim::Op::kNe:
    case prim::Op::kLt:
    case prim::Op::kLe:
    case prim::Op::kGt:
    case prim::Op::kGe:
      return true;
    default:
      return false;
  }
}

class Finder {
 public:
  Finder(const core::Program& program, const MapNest& nest, const Outside& outside,
         const std::unordered_set<ValueId>& stencil_arrays)
      : program_(program), nest_(nest), stencil_arrays_(stencil_arrays) {
    code_.space = nest.space;
    code_.position = nest.position;
    code_.outside = &outside;
    for (size_t axis = 0; axis < nest.space.size(); ++axis) knowNarrowExtent(axis);
    for (const Stm& stm : nest.stms) collect(stm);
  }

  std::optional<Neighbourhoods> run(int64_t least_reach) {
    std::vector<int64_t> reach(nest_.space.size(), least_reach);
    if (gathers_.empty() || !findOffsets()) return std::nullopt;
    for (const auto& [value, gather] : gathers_) {
      for (size_t axis = 0; axis < reach.size(); ++axis) {
        reach[axis] = std::max(reach[axis], std::abs(gather.offset[axis]));
      }
    }
    found_.reach = reach;
    found_.least.assign(reach.size(), 1);
    if (!agree() || !isWorthIt()) return std::nullopt;
    found_.gathers = gathers_;
    return std::move(found_);
  }

 private:
  // The i32 that an extent was made from is that extent.
  void knowNarrowExtent(size_t axis) {
    const Operand& extent = nest_.space[axis];
    const auto found = extent.isConstant() ? std::nullopt : code_.definition(extent.value);
    if (!found) return;
    const auto* widened = std::get_if<core::Convert>(&found->first->expr);
    const bool is_same = widened != nullptr && widened->kind == prim::ConvertKind::kValue &&
                         widened->from == core::ScalarType::kI32 && !widened->arg.isConstant();
    if (is_same) code_.extent[widened->arg.value] = axis;
  }

  void collect(const Stm& stm) {
    for (size_t k = 0; k < stm.results.size(); ++k) code_.definitions[stm.results[k]] = {&stm, k};
    ++statements_;
    const auto* index = std::get_if<Index>(&stm.expr);
    if (index != nullptr && isProfile(*index)) {
      found_.profiles.insert(stm.results[0]);
    } else if (index != nullptr) {
      const std::vector<BoundaryKind> clamped(index->indices.size(), BoundaryKind::kClamp);
      gathers_[stm.results[0]] = {index->array, index->indices, {}, clamped};
    }
    core::visitBodies(stm.expr, [&](const core::Body& body) {
      for (const Stm& inner : body.stms) collect(inner);
    });
  }

  // Coefficients by row or by column. They are within the array, so nothing is left to check.
  bool isProfile(const Index& index) const {
    const core::Operands& shape = program_.type(index.array).shape;
    if (shape.size() >= nest_.space.size() || shape.size() != index.indices.size()) return false;
    for (size_t k = 0; k < shape.size(); ++k) {
      if (index.indices[k].isConstant()) return false;
      const auto position = nest_.position.find(index.indices[k].value);
      if (position == nest_.position.end()) return false;
      if (!(nest_.space[position->second] == shape[k])) return false;
    }
    return true;
  }

  bool canBeNeighbour(const Gather& gather) const {
    return program_.type(gather.array).shape == nest_.space &&
           gather.indices.size() == nest_.space.size();
  }

  // Calls use(statement) for those that a cell of the class entered last reaches; false ends it.
  template <typename Use>
  bool walk(CellEvaluator& cells, const std::vector<Stm>& stms, const Use& use) {
    for (const Stm& stm : stms) {
      if (!use(stm)) return false;
      const auto* match = std::get_if<core::Match>(&stm.expr);
      if (match == nullptr) continue;
      const auto known = cells.condition(match->scrutinee);
      for (const core::Case& arm : match->cases) {
        const bool is_taken = !known || arm.value.asBool() == *known;
        if (is_taken && !walk(cells, arm.body.stms, use)) return false;
      }
      const bool is_other = !known || std::none_of(match->cases.begin(), match->cases.end(),
                                                   [&](const core::Case& arm) {
                                                     return arm.value.asBool() == *known;
                                                   });
      if (is_other && !walk(cells, match->otherwise.stms, use)) return false;
    }
    return true;
  }

  bool findOffsets() {
    for (const auto& [value, gather] : gathers_) {
      if (!canBeNeighbour(gather)) return false;
    }
    for (int64_t reach = kFarthest; reach >= 1; reach--) {
      if (findOffsets(std::vector<int64_t>(nest_.space.size(), reach))) return true;
    }
    return false;
  }

  // From inner cells to outer ones: the first class that reaches a read decides.
  bool findOffsets(const std::vector<int64_t>& reach) {
    std::vector<CellClass> classes = cellClasses(reach);
    if (classes.size() * statements_ > kMaxWork) classes.resize(1);
    CellEvaluator cells(program_, code_, reach);
    for (const CellClass& cell : classes) {
      if (!cells.enter(cell)) continue;
      walk(cells, nest_.stms, [&](const Stm& stm) {
        if (stm.results.empty()) return true;  // an assert
        auto found = gathers_.find(stm.results[0]);
        if (found != gathers_.end() && found->second.offset.empty()) {
          if (auto offset = offsetOf(cells, found->second)) found->second.offset = *offset;
        }
        return true;
      });
      if (haveOffsets()) return true;
    }
    return false;
  }

  bool haveOffsets() const {
    return std::none_of(gathers_.begin(), gathers_.end(),
                        [](const auto& gather) { return gather.second.offset.empty(); });
  }

  static std::optional<std::vector<int64_t>> offsetOf(CellEvaluator& cells, const Gather& gather) {
    std::vector<int64_t> offset;
    for (size_t axis = 0; axis < gather.indices.size(); ++axis) {
      auto at = cells.integer(gather.indices[axis], axis);
      auto from = at ? at->plus(cells.position(axis), -1) : std::nullopt;
      auto by = from ? from->asConstant() : std::nullopt;
      if (!by || *by > kFarthest || *by < -kFarthest) return std::nullopt;
      offset.push_back(*by);
    }
    return offset;
  }

  bool agree() {
    const std::vector<CellClass> classes = cellClasses(found_.reach);
    if (classes.size() > kMaxClasses || classes.size() * statements_ > kMaxWork) return false;
    CellEvaluator cells(program_, code_, found_.reach);
    for (const CellClass& cell : classes) {
      if (!cells.enter(cell) || isExcluded(cell)) continue;
      const bool holds = walk(cells, nest_.stms, [&](const Stm& stm) { return check(cells, stm); });
      if (!holds && !exclude(cell)) return false;
    }
    chooseBoundaries();
    found_.narrow = cells.assumesNarrow();
    findTests(classes);
    return true;
  }

  bool isExcluded(const CellClass& cell) const {
    for (size_t axis = 0; axis < cell.size(); ++axis) {
      const auto [before, behind] = cell[axis];
      const bool is_exact = before < found_.reach[axis] && behind < found_.reach[axis];
      if (is_exact && before + behind + 1 < found_.least[axis]) return true;
    }
    return false;
  }

  // Classes of arrays with few cells along an axis can be left to the nest as it was.
  bool exclude(const CellClass& cell) {
    for (size_t axis = 0; axis < cell.size(); ++axis) {
      const auto [before, behind] = cell[axis];
      if (before < found_.reach[axis] && behind < found_.reach[axis]) {
        found_.least[axis] = before + behind + 2;
        return true;
      }
    }
    return false;
  }

  bool check(CellEvaluator& cells, const Stm& stm) {
    if (stm.results.empty()) return !stm.checked;
    if (found_.profiles.contains(stm.results[0])) return true;
    auto gather = gathers_.find(stm.results[0]);
    if (gather != gathers_.end()) return checkGather(cells, gather->first, gather->second);
    if (!stm.checked) return true;
    // Other failures: a divisor that may be zero.
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op == nullptr || (op->op != prim::Op::kMod && op->op != prim::Op::kRem)) return false;
    auto divisor = cells.integer(op->args[1], 0);
    return divisor && cells.isAtLeast(*divisor, 1);
  }

  // Along each axis clamped or wrapped, or both where no class distinguishes them.
  bool checkGather(CellEvaluator& cells, ValueId value, const Gather& gather) {
    std::vector<Refusal> refused;
    for (size_t axis = 0; axis < gather.indices.size(); ++axis) {
      const auto at = cells.integer(gather.indices[axis], axis);
      if (!at) return false;
      bool is_any = false;
      for (BoundaryKind kind : kKinds) {
        const Refusal refusal{value, axis, kind};
        if (!isNeighbour(cells, axis, gather.offset[axis], *at, kind)) refused.push_back(refusal);
        is_any = is_any ||
                 (!refused_.contains(refusal) && (refused.empty() || refused.back() != refusal));
      }
      if (!is_any) return false;
    }
    refused_.insert(refused.begin(), refused.end());
    return true;
  }

  // One boundary for all reads of an array where there is one.
  void chooseBoundaries() {
    for (auto& [value, gather] : gathers_) {
      for (size_t axis = 0; axis < gather.indices.size(); ++axis) {
        for (BoundaryKind kind : {BoundaryKind::kWrap, BoundaryKind::kClamp}) {
          if (!refused_.contains({value, axis, kind})) gather.boundary[axis] = kind;
        }
        for (BoundaryKind kind : {BoundaryKind::kWrap, BoundaryKind::kClamp}) {
          const bool suits_all = std::none_of(gathers_.begin(), gathers_.end(), [&](const auto& g) {
            return g.second.array == gather.array && refused_.contains({g.first, axis, kind});
          });
          if (suits_all) gather.boundary[axis] = kind;
        }
      }
    }
  }

  static bool isNeighbour(const CellEvaluator& cells, size_t axis, int64_t offset, const Affine& at,
                          BoundaryKind kind) {
    Affine by;
    by.constant = offset;
    const auto there = cells.position(axis).plus(by);
    const auto last = cells.extent(axis).plus(Affine{1}, -1);
    if (!there || !last) return false;
    const auto before = cells.less(*there, {}), behind = cells.less(*last, *there);
    if (!before || !behind) return false;
    std::optional<Affine> expected = there;
    if (*before) {
      expected = kind == BoundaryKind::kClamp ? Affine{} : there->plus(cells.extent(axis));
    } else if (*behind) {
      expected = kind == BoundaryKind::kClamp ? last : there->plus(cells.extent(axis), -1);
    }
    if (!expected || cells.equal(at, *expected) != true) return false;
    return cells.isAtLeast(at, 0) && cells.less(at, cells.extent(axis)) == true;
  }

  // Comparisons that each class decides, by one axis alone.
  void findTests(const std::vector<CellClass>& classes) {
    std::vector<ValueId> comparisons;
    for (const auto& [value, definition] : code_.definitions) {
      if (isComparison(*definition.first)) comparisons.push_back(value);
    }
    for (ValueId value : comparisons) {
      if (auto test = testOf(classes, value)) found_.tests[value] = *test;
    }
  }

  std::optional<PositionTest> testOf(const std::vector<CellClass>& classes, ValueId value) {
    CellEvaluator cells(program_, code_, found_.reach);
    std::vector<std::pair<CellClass, bool>> answers;
    for (const CellClass& cell : classes) {
      if (!cells.enter(cell) || isExcluded(cell)) continue;
      const auto known = cells.condition(value);
      if (!known) return std::nullopt;
      answers.emplace_back(cell, *known);
    }
    found_.narrow = found_.narrow || cells.assumesNarrow();
    for (size_t axis = 0; axis < found_.reach.size(); ++axis) {
      PositionTest test{axis, {}};
      const bool fits = std::all_of(answers.begin(), answers.end(), [&](const auto& answer) {
        const AxisClass& at = answer.first[axis];
        auto [known, is_new] = test.holds.try_emplace({at.before, at.behind}, answer.second);
        return known->second == answer.second;
      });
      if (fits) return test;
    }
    return std::nullopt;
  }

  // Several neighbours of one array, or own elements of a stencil that fuse may join.
  bool isWorthIt() const {
    const std::vector<int64_t> own(nest_.space.size(), 0);
    std::map<ValueId, std::set<std::vector<int64_t>>> offsets;
    std::set<std::vector<int64_t>> others;
    for (const auto& [value, gather] : gathers_) {
      offsets[gather.array].insert(gather.offset);
      if (gather.offset != own) others.insert(gather.offset);
    }
    return others.size() > 1 || std::any_of(offsets.begin(), offsets.end(), [&](const auto& array) {
             return array.second.size() > 1 ||
                    (stencil_arrays_.contains(array.first) && array.second.contains(own));
           });
  }

  const core::Program& program_;
  const MapNest& nest_;
  const std::unordered_set<ValueId>& stencil_arrays_;
  CellCode code_;
  size_t statements_ = 0;
  std::unordered_map<ValueId, Gather> gathers_;
  std::set<Refusal> refused_;
  Neighbourhoods found_;
};

}  // namespace

std::optional<Neighbourhoods> findNeighbourhoods(const core::Program& program, const MapNest& nest,
                                                 const Outside& outside,
                                                 const std::unordered_set<ValueId>& stencil_arrays,
                                                 int64_t least_reach) {
  return Finder(program, nest, outside, stencil_arrays).run(least_reach);
}

}  // namespace halo::passes
