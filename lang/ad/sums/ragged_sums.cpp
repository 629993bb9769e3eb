// Which sums of a body are of rows that a map makes, then both forms of them.
#include "lang/ad/sums/ragged_sums.h"

#include <algorithm>

#include "lang/ad/rules.h"
#include "lang/ad/sums/cell_additions.h"
#include "lang/core/node_kinds.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify.h"

namespace halo::ad {

namespace {

constexpr int64_t kShortRow = 64;  // elements that a cell adds up by itself

// A statement that adds rows to an array: all of them, or each at its place.
struct RowSum {
  ValueId rows;
  std::vector<ValueId> places;  // indices of the rows
  ValueId start;                // what is there before
};

std::optional<RowSum> rowSumOf(const Stm& stm) {
  if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
    if (hist->operations.size() != 1 || !hist->map.body.stms.empty()) return std::nullopt;
    const core::HistOp& operation = hist->operations[0];
    if (operation.destinations.size() != 1 || !isSum(operation.op)) return std::nullopt;
    const std::vector<ValueId> places(hist->inputs.begin(), hist->inputs.end() - 1);
    return RowSum{hist->inputs.back(), places, operation.destinations[0]};
  }
  const auto* node = std::get_if<core::Screma>(&stm.expr);
  const bool is_sum = node != nullptr && stm.results.size() == 1 && node->inputs.size() == 1 &&
                      node->reductions.size() == 1 && node->scans.empty() &&
                      node->map.body.stms.empty() && isSum(node->reductions[0].op);
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
    for (size_t at = 0; at < body.stms.size();) {
      if (core::isControl(body.stms[at].expr)) {
        core::visitBodies(body.stms[at].expr,
                          [&](Body& nested) { is_changed = run(nested) || is_changed; });
      }
      const size_t made = rewrite(body, at);
      is_changed = is_changed || made > 0;
      at += std::max<size_t>(made, 1);  // what is made here stays
    }
    return is_changed;
  }

 private:
  // How many statements replace the sum; 0: it stays.
  size_t rewrite(Body& body, size_t at) {
    const Stm sum = body.stms[at];
    const auto rows = rowSumOf(sum);
    if (!rows) return 0;
    const auto map_at = core::makerOf(body.stms, rows->rows);
    if (!map_at || !isWanted(body, body.stms[*map_at], *rows)) return 0;
    Stm& map = body.stms[*map_at];
    const auto result = std::find(map.results.begin(), map.results.end(), rows->rows);
    const Stm before = map;
    CellAdditions cells(program_, before, zeros_);
    const auto found = cells.of(static_cast<size_t>(result - map.results.begin()));
    if (!found || found->empty()) return 0;
    Emitter e(program_);
    if (!emit(e, {before, sum, *rows, *found}, cells)) return 0;
    auto& lambda = std::get<core::Screma>(map.expr).map;
    for (const auto& [value, array] : cells.given()) {
      map.results.push_back(array);
      lambda.body.results.emplace_back(value);
    }
    std::vector<Stm> made = e.take({}).stms;
    const size_t count = made.size();
    body.stms.erase(body.stms.begin() + static_cast<ptrdiff_t>(at));
    body.stms.insert(body.stms.begin() + static_cast<ptrdiff_t>(at),
                     std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
    return count;
  }

  bool isWanted(const Body& body, const Stm& map, const RowSum& sum) const {
    const auto* node = std::get_if<core::Screma>(&map.expr);
    if (node == nullptr || !core::isMap(*node) || node->flattening.any()) return false;
    const Type row = rowOf(program_.type(sum.rows));
    return !row.isScalar() && !core::hasAtMost(row.shape, kShortRow) && !core::mayFail(map) &&
           core::useCounts(program_, body).at(sum.rows) == 1;
  }

  struct Sum {
    const Stm &map, &stm;
    const RowSum& rows;
    const std::vector<Addition>& additions;
  };

  struct Counts {
    ValueId of_cells;
    Operand total;
  };

  bool emit(Emitter& e, const Sum& sum, CellAdditions& cells) {
    const auto& node = std::get<core::Screma>(sum.map.expr);
    std::vector<Counts> counts;
    Operand total = kZero;
    for (const Addition& one : sum.additions) {
      const auto found = counted(e, node.width, one, cells);
      if (!found) return false;
      counts.push_back({*found, e.total(*found)});
      total = e.add(total, counts.back().total);
    }
    const Operand most = e.product(program_.type(sum.rows.rows).shape);
    bool is_found = true;
    const ValueId result = sum.stm.results[0];
    const Operand is_less = e.compare(Op::kLe, total, most);
    const ValueId made = e.branch(
        is_less, {program_.type(result)},
        [&](Emitter& yes) -> Operands {
          ValueId all = sum.rows.start;
          for (size_t i = 0; is_found && i < counts.size(); ++i) {
            const auto more = added(yes, all, sum, i, counts[i], cells);
            is_found = more.has_value();
            all = more.value_or(all);
          }
          return {all};
        },
        [&](Emitter& no) -> Operands { return {asBefore(no, sum)}; })[0];
    e.append({{result}, core::Copy{made}, false, sum.stm.span});
    return is_found;
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
    const ValueId nobody = e.zero({ScalarType::kI64, {counts.total}}).value;
    const ValueId firsts = e.scattered(nobody, both[1], e.iota(width));
    Lambda later = e.combiner({Type{}}, [](Emitter& at, const Operands& pair) -> Operands {
      return {at.op(Op::kMax, ScalarType::kI64, pair[0], pair[1])};
    });
    found.owners = e.scan(counts.total, {firsts}, std::move(later), {kZero})[0];
    return found;
  }

  // The array with one element of each step added.
  std::optional<ValueId> added(Emitter& e, ValueId all, const Sum& sum, size_t number,
                               const Counts& counts, CellAdditions& cells) {
    const Addition& addition = sum.additions[number];
    const Owners owned = owners(e, std::get<core::Screma>(sum.map.expr).width, counts);
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

  // The map makes the rows there alone.
  ValueId asBefore(Emitter& e, const Sum& sum) {
    const auto& node = std::get<core::Screma>(sum.map.expr);
    const auto found = std::find(sum.map.results.begin(), sum.map.results.end(), sum.rows.rows);
    const auto number = static_cast<size_t>(found - sum.map.results.begin());
    core::Screma map = node;
    map.map = core::freshCopy(program_, node.map);
    map.map.body.results = {map.map.body.results[number]};
    const ValueId rows = e.bind("rows", program_.type(sum.rows.rows), std::move(map));
    core::Substitution replaced{{sum.rows.rows, rows}};
    replaced[sum.rows.start] = e.copy(sum.rows.start);
    const Operands results(sum.stm.results.begin(), sum.stm.results.end());
    Body whole{{sum.stm}, results};
    whole = core::freshCopy(program_, whole, replaced);
    for (Stm& stm : whole.stms) e.append(std::move(stm));
    return whole.results[0].value;
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
