// Which sums of a body are of rows that a map makes, then both forms of them.
#include "lang/ad/sums/ragged_sums.h"

#include <algorithm>
#include <utility>

#include "lang/ad/rules.h"
#include "lang/ad/sums/cell_additions.h"
#include "lang/core/node_kinds.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify.h"

namespace halo::ad {

namespace {

constexpr int64_t kShortRow = 64;  // elements that a cell adds up by itself
// An element is found, read and added at a place of its own; those of rows are adjacent.
constexpr int64_t kRowElements = 4;  // in the time of one

// A statement that adds rows to an array: all of them, or each at its place.
struct RowSum {
  ValueId rows;
  std::vector<ValueId> places;  // indices of the rows
  ValueId start;                // its contents before
};

std::optional<RowSum> rowSumOf(const Stm& stm) {
  if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
    // Bins and elements may be constants, which no array holds.
    if (hist->operations.size() != 1 || hist->inputs.empty()) return std::nullopt;
    if (!core::isIdentity(hist->map)) return std::nullopt;
    const core::HistOp& operation = hist->operations[0];
    if (operation.destinations.size() != 1 || !isSum(operation.op)) return std::nullopt;
    const std::vector<ValueId> places(hist->inputs.begin(), hist->inputs.end() - 1);
    return RowSum{hist->inputs.back(), places, operation.destinations[0]};
  }
  const auto* node = std::get_if<core::Screma>(&stm.expr);
  const bool is_sum = node != nullptr && stm.results.size() == 1 && node->inputs.size() == 1 &&
                      node->reductions.size() == 1 && node->scans.empty() &&
                      core::isIdentity(node->map) && isSum(node->reductions[0].op);
  if (!is_sum || node->reductions[0].neutral[0].isConstant()) return std::nullopt;
  return RowSum{node->inputs[0], {}, node->reductions[0].neutral[0].value};
}

class RaggedSummer {
 public:
  explicit RaggedSummer(Program& program) : program_(program) {
    for (const core::Function& function : program.functions) {
      core::visitStms(function.body, [&](const Stm& stm) {
        const auto* rows = std::get_if<core::Replicate>(&stm.expr);
        if (rows != nullptr && Emitter::isZero(rows->value)) zeros_.insert(stm.results[0]);
      });
    }
  }

  // Of host code. Returns whether it has changed.
  bool run(Body& body) {
    bool is_changed = false;
    for (size_t at = 0; at < body.stms.size(); ++at) {
      if (core::isControl(body.stms[at].expr)) {
        core::visitBodies(body.stms[at].expr,
                          [&](Body& nested) { is_changed = run(nested) || is_changed; });
      }
      const size_t made = rewrite(body, at);
      is_changed = is_changed || made > 0;
      at += std::max<size_t>(made, 1) - 1;  // the new statements stay
    }
    return is_changed;
  }

 private:
  struct Sum {
    size_t at;  // in the body
    Stm stm;
    RowSum rows;
    size_t number;  // of the rows among the map's results
    std::vector<Addition> additions;
    ValueId kept;  // the rows, none where there are less elements
  };
  struct Counts {
    ValueId of_cells;
    Operand total;
  };

  // How many statements replace the map; 0: it stays.
  size_t rewrite(Body& body, size_t at) {
    const Stm map = body.stms[at];
    const auto* node = std::get_if<core::Screma>(&map.expr);
    const bool is_map = node != nullptr && core::isMap(*node) && !node->flattening.any();
    if (!is_map || core::mayFail(map)) return 0;
    CellAdditions cells(program_, map, zeros_);
    std::vector<Sum> sums = sumsOf(body, at, cells);
    if (sums.empty()) return 0;
    Emitter front(program_);
    std::vector<std::vector<Stm>> behind;
    if (!forms(front, behind, map, sums, cells)) return 0;
    const auto replace = [&](size_t place, const std::vector<Stm>& by) {
      const auto where = body.stms.erase(body.stms.begin() + static_cast<ptrdiff_t>(place));
      body.stms.insert(where, by.begin(), by.end());
    };
    for (size_t i = sums.size(); i-- > 0;) replace(sums[i].at, behind[i]);
    const std::vector<Stm> first = front.take({}).stms;
    replace(at, first);
    return first.size();
  }

  // Those of a map's results that are made of elements.
  std::vector<Sum> sumsOf(const Body& body, size_t map_at, const CellAdditions& cells) const {
    const std::vector<ValueId>& results = body.stms[map_at].results;
    std::vector<Sum> found;
    for (size_t at = map_at + 1; at < body.stms.size(); ++at) {
      const auto rows = rowSumOf(body.stms[at]);
      if (!rows) continue;
      const auto result = std::find(results.begin(), results.end(), rows->rows);
      if (result == results.end() || !isWanted(body, *rows)) continue;
      const auto number = static_cast<size_t>(result - results.begin());
      const auto additions = cells.of(number);
      if (!additions || additions->empty()) continue;
      found.push_back({at, body.stms[at], *rows, number, *additions, {}});
    }
    return found;
  }

  bool isWanted(const Body& body, const RowSum& sum) const {
    const Type row = rowOf(program_.type(sum.rows));
    return !row.isScalar() && !core::hasAtMost(row.shape, kShortRow) &&
           core::useCounts(program_, body).at(sum.rows) == 1;
  }

  // In place of the map one with or without rows, in place of each sum one of rows or elements.
  bool forms(Emitter& front, std::vector<std::vector<Stm>>& behind, const Stm& map,
             std::vector<Sum>& sums, CellAdditions& cells) {
    const Operand width = std::get<core::Screma>(map.expr).width;
    std::vector<std::vector<Counts>> counts;
    Operand total = kZero, most = kZero;
    for (const Sum& sum : sums) {
      counts.emplace_back();
      for (const Addition& one : sum.additions) {
        const auto found = counted(front, width, one, cells);
        if (!found) return false;
        counts.back().push_back({*found, front.total(*found)});
        total = front.add(total, counts.back().back().total);
      }
      most = front.add(most, front.product(program_.type(sum.rows.rows).shape));
    }
    if (!cells.given().empty()) return false;  // the map itself would have to count
    const Operand weighed = front.mul(total, Operand::ofI64(kRowElements));
    const Operand is_less = front.compare(Op::kLe, weighed, most);
    const Operand rows = front.named(front.select(is_less, kZero, width));
    for (size_t i = 0; i < sums.size(); ++i) {
      Type kept = program_.type(sums[i].rows.rows);
      kept.shape[0] = rows;
      sums[i].kept = program_.add("rows", kept);
      Emitter e(program_);
      if (!sumEither(e, sums[i], width, {is_less, counts[i]}, cells)) return false;
      behind.push_back(e.take({}).stms);
    }
    mapEither(front, map, sums, is_less, cells);
    return true;
  }

  struct Choice {
    Operand is_less;
    const std::vector<Counts>& counts;
  };

  bool sumEither(Emitter& e, const Sum& sum, const Operand& width, const Choice& choice,
                 CellAdditions& cells) {
    bool is_found = true;
    const ValueId result = sum.stm.results[0];
    const ValueId made = e.branch(
        choice.is_less, {program_.type(result)},
        [&](Emitter& yes) -> Operands {
          ValueId all = sum.rows.start;
          for (size_t i = 0; is_found && i < choice.counts.size(); ++i) {
            const auto more = added(yes, all, sum, i, {width, choice.counts[i]}, cells);
            is_found = more.has_value();
            all = more.value_or(all);
          }
          return {all};
        },
        [&](Emitter& no) -> Operands { return {ofRows(no, sum)}; })[0];
    e.append({{result}, core::Copy{made}, false, sum.stm.span});
    return is_found;
  }

  void mapEither(Emitter& e, const Stm& map, const std::vector<Sum>& sums, const Operand& is_less,
                 const CellAdditions& cells) {
    core::Screma others = std::get<core::Screma>(map.expr);
    const Operands all = std::exchange(others.map.body.results, {});
    std::vector<ValueId> results;
    std::vector<Type> types;
    const auto give = [&](ValueId result, const Operand& value) {
      results.push_back(result);
      types.push_back(program_.type(result));
      others.map.body.results.push_back(value);
    };
    for (size_t i = 0; i < all.size(); ++i) {
      const bool is_summed =
          std::any_of(sums.begin(), sums.end(), [&](const Sum& sum) { return sum.number == i; });
      if (!is_summed) give(map.results[i], all[i]);
    }
    for (const auto& [value, array] : cells.given()) give(array, value);
    core::Screma whole = others;
    const std::vector<Type> without = types;
    for (const Sum& sum : sums) {
      whole.map.body.results.push_back(all[sum.number]);
      types.push_back(program_.type(sum.rows.rows));
      results.push_back(sum.kept);
    }
    const auto again = [&](Emitter& arm, core::Screma made, const std::vector<Type>& arrays) {
      made.map = core::freshCopy(program_, made.map);
      const auto found = arm.bindAll("t", arrays, std::move(made), false, map.span);
      return Operands(found.begin(), found.end());
    };
    Emitter yes(program_), no(program_);
    Operands less = again(yes, others, without), more = again(no, std::move(whole), types);
    for (size_t i = 0; i < sums.size(); ++i) {
      const Type kept = program_.type(sums[i].kept);
      less.emplace_back(yes.bind("rows", kept, core::Scratch{kept.scalar, kept.shape}));
      Operand& rows = more[without.size() + i];
      rows = no.reshaped(rows.value, kept.shape);
    }
    core::Match match{is_less, {}, no.take(std::move(more))};
    match.cases.push_back({prim::Scalar::ofBool(true), yes.take(std::move(less))});
    e.append({std::move(results), std::move(match), false, map.span});
  }

  // The number of elements that each cell adds.
  std::optional<ValueId> counted(Emitter& e, const Operand& width, const Addition& addition,
                                 CellAdditions& cells) {
    bool is_found = true;
    const ValueId counts =
        e.map(width, {e.iota(width)}, [&](Emitter& at, const Operands& cell) -> Operands {
          const auto steps = CellCode(cells, at, cell[0]).steps(addition);
          is_found = steps.has_value();
          return {steps.value_or(kZero)};
        })[0];
    return is_found ? std::optional(counts) : std::nullopt;
  }

  struct Owners {  // by cell, the number of elements before it; by element, its cell
    ValueId starts, owners;
  };

  // The cell of each element: the last one that starts at it or in front.
  static Owners owners(Emitter& e, const Operand& width, const Counts& counts) {
    Owners found;
    const ValueId ends = e.scan(width, {counts.of_cells}, e.adder(Type{}), {kZero})[0];
    const std::vector<ValueId> sides{ends, counts.of_cells};
    const auto both = e.map(width, sides, [](Emitter& at, const Operands& cell) -> Operands {
      const Operand first = at.sub(cell[0], cell[1]);
      const Operand is_none = at.compare(Op::kEq, cell[1], kZero);
      return {first, at.select(is_none, Operand::ofI64(-1), first)};
    });
    found.starts = both[0];
    const ValueId zeros = e.zero({ScalarType::kI64, {counts.total}}).value;
    const ValueId firsts = e.scattered(zeros, both[1], e.iota(width));
    Lambda later = e.combiner({Type{}}, [](Emitter& at, const Operands& pair) -> Operands {
      return {at.op(Op::kMax, ScalarType::kI64, pair[0], pair[1])};
    });
    found.owners = e.scan(counts.total, {firsts}, std::move(later), {kZero})[0];
    return found;
  }

  struct Cells {
    Operand width;
    const Counts& counts;
  };

  // The array with one element of each step added.
  std::optional<ValueId> added(Emitter& e, ValueId all, const Sum& sum, size_t number,
                               const Cells& cells_of, CellAdditions& cells) {
    const Addition& addition = sum.additions[number];
    const Counts& counts = cells_of.counts;
    const Owners owned = owners(e, cells_of.width, counts);
    bool is_found = true;
    std::vector<ValueId> arrays =
        e.map(counts.total, {owned.owners, e.iota(counts.total)},
              [&](Emitter& at, const Operands& element) -> Operands {
                const Operand first = at.index(owned.starts, {element[0]});
                const auto found =
                    CellCode(cells, at, element[0]).element(addition, at.sub(element[1], first));
                is_found = found.has_value();
                Operands results;
                for (const ValueId place : sum.rows.places) {
                  results.emplace_back(at.index(place, {element[0]}));
                }
                if (found) results.insert(results.end(), found->begin(), found->end());
                return results;
              });
    if (!is_found) return std::nullopt;
    const ValueId values = arrays.back();
    arrays.pop_back();
    return e.addedAt(all, counts.total, arrays, values);
  }

  // The sum as it was.
  ValueId ofRows(Emitter& e, const Sum& sum) {
    const Type whole = program_.type(sum.rows.rows);
    const Operand rows = e.bind("rows", whole, core::Reshape{sum.kept, whole.shape});
    const core::Substitution replaced{{sum.rows.rows, rows},
                                      {sum.rows.start, e.copy(sum.rows.start)}};
    Body body{{sum.stm}, {sum.stm.results[0]}};
    body = core::freshCopy(program_, body, replaced);
    for (Stm& stm : body.stms) e.append(std::move(stm));
    return body.results[0].value;
  }

  Program& program_;
  std::unordered_set<ValueId> zeros_;
};

}  // namespace

core::Program sumRaggedly(core::Program program) {
  RaggedSummer summer(program);
  bool is_changed = false;
  for (core::Function& function : program.functions) {
    if (function.is_entry) is_changed = summer.run(function.body) || is_changed;
  }
  return is_changed ? passes::simplify(program) : program;
}

}  // namespace halo::ad
