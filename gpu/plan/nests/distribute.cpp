// Statements of the innermost cell are sorted into kinds, then into groups, then each group is
// given the nest's levels.
#include "gpu/plan/nests/distribute.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "gpu/plan/limits.h"
#include "gpu/plan/nests/cell_groups.h"
#include "gpu/plan/nests/expanded_cells.h"
#include "gpu/plan/nests/flattened_cells.h"
#include "gpu/plan/nests/interchange.h"
#include "gpu/plan/nests/join_maps.h"
#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/levels.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nodes/branch_sums.h"
#include "gpu/plan/nodes/cell_products.h"
#include "gpu/plan/nodes/hist_operations.h"
#include "gpu/plan/nodes/row_branches.h"
#include "gpu/plan/nodes/row_updates.h"
#include "gpu/plan/split.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// The statements that can become nests.
Body partsOf(Program& program, const Body& cell, const Variants& variants,
             const std::unordered_set<ValueId>& local) {
  // An ordered sum is no parallel statement.
  const Body lifted = variants.strict_floats ? cell : withBranchSums(program, cell, local);
  const Body single = withSingleScremas(program, lifted, variants);
  return withRowUpdates(program, withRowBranches(program, single));
}

class Distributor {
 public:
  Distributor(Program& program, const Stm& stm, const Variants& variants)
      : program_(program),
        stm_(stm),
        scremas_(mapNest(std::get<Screma>(stm.expr), SIZE_MAX)),
        levels_(program, scremas_),
        body_(partsOf(program, scremas_.back()->map.body, variants, boundByLevels())),
        classifier_(program, boundByLevels(), variants.strict_floats) {}

  std::optional<Distributed> run() {
    kinds_ = classifier_.kinds(body_);
    joinCheapResults();
    rows_ = cheapRows(program_, body_, kinds_, classifier_);
    if (!anyGains(body_, kinds_) && rows_.empty()) return std::nullopt;
    groups_.emplace(program_, body_, kinds_);
    if (isOneNest() || !groups_->crossRegularly(classifier_)) return std::nullopt;
    result_.widths = levels_.widths();
    result_.inner = innerExtents(program_, body_, kinds_, rows_, classifier_);
    result_.passes_arrays = groups_->passArrays();
    result_.rows = returnedRows();
    result_.has_own_data = !groups_->all().empty() && cellsHaveOwnData() &&
                           !isTableOfProducts(scremas_, body_, kinds_);
    nameResults();
    const std::vector<CellGroup>& groups = groups_->all();
    const size_t last = lastParallel();
    for (size_t g = 0; g < groups.size(); ++g) {
      if (g == last && reductionWithEpilogue(g)) return std::move(result_);
      if (groups[g].is_parallel) {
        parallel(groups[g]);
      } else {
        scalars(groups[g]);
      }
    }
    rest();
    return std::move(result_);
  }

 private:
  std::unordered_set<ValueId> boundByLevels() const {
    std::unordered_set<ValueId> bound;
    for (size_t k = 0; k < scremas_.size(); ++k) {
      const Lambda& map = scremas_[k]->map;
      bound.insert(map.params.begin(), map.params.end());
      if (k + 1 == scremas_.size()) break;
      for (const Stm& stm : map.body.stms) bound.insert(stm.results.begin(), stm.results.end());
    }
    return bound;
  }

  // Nothing to distribute: the cell was one map, reduction or scan.
  bool isOneNest() const {
    if (!(body_ == scremas_.back()->map.body)) return false;
    const std::vector<CellGroup>& groups = groups_->all();
    if (groups.size() != 1 || !groups[0].is_parallel) return false;
    const Stm& only = body_.stms[groups[0].members[0]];
    return std::holds_alternative<Screma>(only.expr) && returnsResultsOf(body_, only);
  }

  bool cellsHaveOwnData() const {
    return std::all_of(scremas_.begin(), scremas_.end(),
                       [this](const Screma* level) { return hasOwnData(program_, *level); });
  }

  std::vector<Operands> returnedRows() const {
    std::vector<Operands> rows;
    for (ValueId result : stm_.results) {
      const Operands& shape = program_.type(result).shape;
      const auto own = shape.begin() + static_cast<ptrdiff_t>(result_.widths.size());
      if (own != shape.end()) rows.emplace_back(own, shape.end());
    }
    return rows;
  }

  // ---- results

  // Cheap scalars that the cell returns belong to the scalar code at its end, if there is some.
  void joinCheapResults() {
    size_t end = kinds_.size();
    while (end > 0 && kinds_[end - 1] != Kind::kParallel) --end;
    const auto tail = kinds_.begin() + static_cast<std::ptrdiff_t>(end);
    const bool has_scalars = std::find(tail, kinds_.end(), Kind::kScalar) != kinds_.end();
    if (!has_scalars && !endsInScalars()) return;
    for (size_t i = end; i < kinds_.size(); ++i) {
      if (kinds_[i] != Kind::kCheap) continue;
      const ValueId made = body_.stms[i].results[0];
      const bool is_result = std::find(body_.results.begin(), body_.results.end(), Operand(made)) !=
                             body_.results.end();
      if (is_result && program_.type(made).isScalar()) kinds_[i] = Kind::kScalar;
    }
  }

  // Scalar code that no parallel statement needs comes last, wherever it stands.
  bool endsInScalars() const {
    const CellGroups groups(program_, body_, kinds_);
    return !groups.all().empty() && !groups.all().back().is_parallel;
  }

  // The array of the host for a value of the cell: the nest's own result where it is one.
  void nameResults() {
    std::vector<Stm> cheap;
    for (size_t i = 0; i < kinds_.size(); ++i) {
      if (kinds_[i] == Kind::kCheap) cheap.push_back(body_.stms[i]);
    }
    cells_.emplace(program_, levels_, std::move(cheap), stm_.span, result_.stms);
    for (size_t i = 0; i < stm_.results.size(); ++i) {
      const Operand& result = body_.results[i];
      bool is_first = !result.isConstant() && !cells_->isNamed(result.value);
      if (is_first && groups_->isMade(result.value)) {
        cells_->name(result.value, stm_.results[i]);
      } else {
        left_.push_back(i);
      }
    }
  }

  // ---- groups of statements

  void scalars(const CellGroup& group) {
    Body body;
    std::vector<ValueId> values;
    for (size_t i = 0; i < kinds_.size(); ++i) {
      bool inside = std::find(group.members.begin(), group.members.end(), i) != group.members.end();
      if (!inside) continue;
      for (ValueId value : body_.stms[i].results) {
        if (groups_->isUsedOutside(value, group)) values.push_back(value);
      }
    }
    for (ValueId value : values) body.results.emplace_back(value);
    cells_->addNest(inOrder(group.members, body.results), values,
                    body_.stms[group.members[0]].span);
  }

  // The members with the cheap code that they need, as they stood.
  Body inOrder(const std::vector<size_t>& members, const Operands& results) {
    Body body;
    body.results = results;
    std::unordered_set<ValueId> needed = CellGroups::valuesIn(results);
    for (size_t i = kinds_.size(); i-- > 0;) {
      const Stm& stm = body_.stms[i];
      const bool is_cheap = kinds_[i] == Kind::kCheap && !cells_->has(stm.results[0]);
      const bool wanted = is_cheap ? needed.contains(stm.results[0])
                                   : std::find(members.begin(), members.end(), i) != members.end();
      if (!wanted) continue;
      body.stms.push_back(stm);
      needed.insert(groups_->freeOf(i).begin(), groups_->freeOf(i).end());
    }
    std::reverse(body.stms.begin(), body.stms.end());
    return body;
  }

  void parallel(const CellGroup& group) {
    const Stm& stm = body_.stms[group.members[0]];
    if (std::holds_alternative<Screma>(stm.expr)) {
      Body body;
      body.results = Operands(stm.results.begin(), stm.results.end());
      body.stms.push_back(stm);
      cells_->addNest(withNeeded(program_, cells_->cheapCode(), std::move(body)), stm.results,
                      stm.span);
    } else if (auto* copy = std::get_if<Copy>(&stm.expr)) {
      cells_->copyAll(copy->array, stm.results[0]);
    } else if (auto* loop = std::get_if<Loop>(&stm.expr)) {
      interchange(stm, *loop);
    } else if (auto* match = std::get_if<Match>(&stm.expr)) {
      interchange(stm, *match, group);
    } else if (auto* reshape = std::get_if<Reshape>(&stm.expr)) {
      reshapeAll(stm, *reshape);
    } else if (std::holds_alternative<Scatter>(stm.expr) ||
               std::holds_alternative<Hist>(stm.expr)) {
      updateAll(stm);
    } else {
      concatAll(stm, std::get<Concat>(stm.expr));
    }
  }

  size_t lastParallel() const {
    const std::vector<CellGroup>& groups = groups_->all();
    size_t last = groups.size();
    while (last > 0 && !groups[last - 1].is_parallel) --last;
    return last == 0 ? groups.size() : last - 1;
  }

  // The last parallel group with all code behind it, where that is the epilogue of a reduction.
  bool reductionWithEpilogue(size_t group) {
    const std::vector<CellGroup>& groups = groups_->all();
    if (group + 1 == groups.size() && left_.empty()) return false;
    const auto* node = std::get_if<Screma>(&body_.stms[groups[group].members[0]].expr);
    if (node == nullptr || !isPlainReduction(*node)) return false;
    std::vector<size_t> members;
    for (size_t g = group; g < groups.size(); ++g) {
      members.insert(members.end(), groups[g].members.begin(), groups[g].members.end());
    }
    Operands results;
    std::vector<ValueId> names;
    for (size_t i : members) {
      for (ValueId value : body_.stms[i].results) {
        if (!cells_->isNamed(value)) continue;
        results.emplace_back(value);
        names.push_back(cells_->resultOf(value));
      }
    }
    for (size_t i : left_) {
      results.push_back(body_.results[i]);
      names.push_back(stm_.results[i]);
    }
    Body cell = inOrder(members, results);
    Stm nest =
        levels_.nest(std::move(cell), std::move(names), cells_->all(), body_.stms[members[0]].span);
    if (reduceNest(program_, std::get<Screma>(nest.expr)).empty()) return false;
    cells_->append(std::move(nest));
    return true;
  }

  Interchange interchanged() { return {program_, levels_, cells_->cheapCode(), cells_->all()}; }

  // map (loop ..) becomes loop (map ..).
  void interchange(const Stm& stm, const Loop& loop) {
    result_.has_loop = true;
    const UniformLoop uniform = classifier_.uniformLoop(loop);
    Operands initials;
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      const Carried& carried = loop.carried[k];
      initials.push_back(uniform.isUniform(k)
                             ? carried.initial
                             : Operand(cells_->arrayOf(carried.initial, carried.consumed)));
    }
    Loop outer = interchanged().loop(loop, uniform, initials, stm.span, result_.stms);
    nameLoop(stm, uniform, std::move(outer));
  }

  // Uniform results keep their names; where the nest returns one, all cells have it.
  void nameLoop(const Stm& stm, const UniformLoop& uniform, Loop loop) {
    std::vector<ValueId> names;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      const ValueId value = stm.results[k];
      names.push_back(uniform.isUniform(k) ? value : cells_->nameOf(value));
    }
    cells_->append({names, std::move(loop), false, stm.span});
    for (size_t k = 0; k < names.size(); ++k) {
      if (!uniform.isUniform(k)) {
        cells_->expand(stm.results[k], names[k]);
      } else if (cells_->isNamed(names[k])) {
        cells_->append(levels_.nest(Body{{}, {names[k]}}, {cells_->resultOf(names[k])},
                                    cells_->all(), stm.span));
      }
    }
  }

  // map (if ..) becomes if (map ..).
  void interchange(const Stm& stm, const Match& match, const CellGroup& by) {
    std::vector<size_t> wanted;
    std::vector<ValueId> names;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      if (!groups_->isUsedOutside(stm.results[k], by)) continue;
      wanted.push_back(k);
      names.push_back(cells_->nameOf(stm.results[k]));
    }
    cells_->append({names, interchanged().match(stm, match, wanted), false, stm.span});
    for (size_t i = 0; i < names.size(); ++i) cells_->expand(stm.results[wanted[i]], names[i]);
  }

  // Scatter and hist.
  void updateAll(const Stm& stm) {
    std::vector<ValueId> destinations;
    for (ValueId array : consumed(program_, stm))
      destinations.push_back(cells_->arrayOf(array, true));
    std::vector<ValueId> names;
    for (ValueId value : stm.results) names.push_back(cells_->nameOf(value));
    FlattenedCells across(program_, levels_, cells_->cheapCode(), cells_->all());
    const auto* scatter = std::get_if<Scatter>(&stm.expr);
    const auto* hist = std::get_if<Hist>(&stm.expr);
    if (hist != nullptr && !isAtomic(program_, *hist)) noteOrderedBins(stm);
    for (Stm& made : scatter != nullptr ? across.scatter(*scatter, destinations, names, stm.span)
                                        : across.hist(*hist, destinations, names, stm.span)) {
      cells_->append(std::move(made));
    }
    for (size_t i = 0; i < names.size(); ++i) cells_->expand(stm.results[i], names[i]);
  }

  void noteOrderedBins(const Stm& hist) {
    using Bins = Distributed::OrderedBins;
    const bool are_few = std::all_of(hist.results.begin(), hist.results.end(), [&](ValueId bins) {
      return hasAtMost(program_.type(bins).shape, kMaxPrivateElements);
    });
    result_.ordered_bins = std::max(result_.ordered_bins, are_few ? Bins::kPrivate : Bins::kMemory);
  }

  void reshapeAll(const Stm& stm, const Reshape& reshape) {
    ValueId whole = cells_->arrayOf(reshape.array, false);
    ValueId name = cells_->nameOf(stm.results[0]);
    cells_->append({{name}, Reshape{whole, program_.type(name).shape}, false, stm.span});
    cells_->expand(stm.results[0], name);
  }

  void concatAll(const Stm& stm, const Concat& concat) {
    std::vector<ValueId> parts;
    for (ValueId array : concat.arrays) parts.push_back(cells_->arrayOf(array, false));
    ValueId name = cells_->nameOf(stm.results[0]);
    FlattenedCells across(program_, levels_, cells_->cheapCode(), cells_->all());
    for (Stm& made : across.concat(concat, parts, name, stm.span)) cells_->append(std::move(made));
    cells_->expand(stm.results[0], name);
  }

  // Results that no group made: parameters, constants, cheap code, and values returned twice.
  void rest() {
    Body body;
    std::vector<ValueId> names;
    for (size_t i : left_) {
      const Operand& result = body_.results[i];
      if (!program_.type(result).isScalar()) {
        cells_->name(result.value, stm_.results[i]);
        std::vector<Stm> stms;
        ValueId inside =
            elementwise(program_, result.value, Operands(program_.type(result.value).shape), stms);
        cells_->addNamed(Body{std::move(stms), {inside}}, {stm_.results[i]});
        continue;
      }
      body.results.push_back(result);
      names.push_back(stm_.results[i]);
    }
    if (names.empty()) return;
    cells_->addNamed(std::move(body), std::move(names));
  }

  Program& program_;
  const Stm& stm_;
  std::vector<const Screma*> scremas_;
  Levels levels_;
  Body body_;  // of the innermost cell
  Classifier classifier_;
  std::vector<Kind> kinds_;
  std::vector<ValueId> rows_;  // results that are arrays of cheap code
  std::optional<CellGroups> groups_;
  std::optional<ExpandedCells> cells_;
  std::vector<size_t> left_;  // results that no group makes
  Distributed result_;
};

}  // namespace

std::optional<Distributed> distribute(Program& program, const Stm& nest, const Variants& variants) {
  if (hasEpilogue(reduceNest(program, std::get<Screma>(nest.expr)))) return std::nullopt;
  return Distributor(program, nest, variants).run();
}

bool hasParallelWork(Program& program, const Lambda& map, const Variants& variants) {
  std::unordered_set<ValueId> local(map.params.begin(), map.params.end());
  Body body = partsOf(program, map.body, variants, local);
  return anyGains(body, Classifier(program, std::move(local), variants.strict_floats).kinds(body));
}

}  // namespace halo::gpu
