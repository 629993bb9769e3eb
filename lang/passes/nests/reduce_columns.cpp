#include "lang/passes/nests/reduce_columns.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"
#include "lang/core/used_once.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stm;
using core::ValueId;

constexpr int64_t kMaxColumns = 16;
constexpr size_t kMaxReductions = 16;  // of all columns
constexpr size_t kMaxStatements = 64;  // around the reduction of a column

bool isShort(const Operand& width) {
  return width.isConstant() && width.constant.asSigned() >= 1 &&
         width.constant.asSigned() <= kMaxColumns;
}

// Scalar code and nodes over few elements.
bool isCheap(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    const auto* screma = std::get_if<Screma>(&stm.expr);
    if (screma != nullptr) return isShort(screma->width) && isCheap(screma->map.body);
    bool nested = false;
    core::visitBodies(stm.expr, [&](const Body&) { nested = true; });
    return !nested || std::holds_alternative<core::Match>(stm.expr);
  });
}

// A map over columns and its parts.
struct ColumnMap {
  const Stm* stm;
  ValueId rows;      // of the array, which is transposed
  size_t column;     // among the inputs
  size_t reduction;  // among the statements of the body
  const Screma& map() const { return std::get<Screma>(stm->expr); }
  const Screma& reduce() const { return std::get<Screma>(map().map.body.stms[reduction].expr); }
  ValueId param() const { return map().map.params[column]; }
};

class ColumnReducer {
 public:
  explicit ColumnReducer(core::Program& program) : program_(program) {}

  void body(Body& b) {
    for (Stm& stm : b.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
    }
    if (!hasTransposed(b)) return;
    const auto counts = core::useCounts(program_, b);
    definitions_ = {};
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (const Stm& stm : old) {
      const auto columns = columnsOf(stm, counts);
      if (columns) {
        write(*columns, b.stms);
      } else {
        b.stms.push_back(stm);
      }
      definitions_.add(stm);
    }
  }

 private:
  static bool hasTransposed(const Body& b) {
    return std::any_of(b.stms.begin(), b.stms.end(), [](const Stm& stm) {
      return std::holds_alternative<core::Rearrange>(stm.expr);
    });
  }

  std::optional<ColumnMap> columnsOf(const Stm& stm,
                                     const std::unordered_map<ValueId, int>& counts) const {
    const auto* map = std::get_if<Screma>(&stm.expr);
    if (map == nullptr || !core::isMap(*map) || !isShort(map->width)) return std::nullopt;
    for (size_t k = 0; k < map->inputs.size(); ++k) {
      const auto rows = transposedRows(map->inputs[k], counts);
      if (!rows) continue;
      const std::vector<Stm>& code = map->map.body.stms;
      for (size_t i = 0; i < code.size(); ++i) {
        const ColumnMap columns{&stm, *rows, k, i};
        if (std::holds_alternative<Screma>(code[i].expr) && reducesColumn(columns)) return columns;
      }
    }
    return std::nullopt;
  }

  // Made of rows that a map makes for it alone.
  std::optional<ValueId> transposedRows(ValueId columns,
                                        const std::unordered_map<ValueId, int>& counts) const {
    const auto* view = definitions_.node<core::Rearrange>(columns);
    if (view == nullptr || counts.at(columns) != 1 || view->permutation != std::vector<int>{1, 0})
      return std::nullopt;
    const Stm* made = definitions_.find(view->array);
    if (made == nullptr || counts.at(view->array) != 1) return std::nullopt;
    const auto* rows = std::get_if<Screma>(&made->expr);
    const bool is_cheap = rows != nullptr && core::isMap(*rows) && isCheap(rows->map.body) &&
                          makesRow(*rows, resultOf(*made, view->array));
    return is_cheap ? std::optional(view->array) : std::nullopt;
  }
  static Operand resultOf(const Stm& map, ValueId result) {
    const auto at = std::find(map.results.begin(), map.results.end(), result);
    const Operands& results = std::get<Screma>(map.expr).map.body.results;
    return results[static_cast<size_t>(at - map.results.begin())];
  }
  // As a literal, or by a map that can become one.
  static bool makesRow(const Screma& rows, const Operand& row) {
    const auto at = core::makerOf(rows.map.body.stms, row);
    if (!at) return false;
    const core::Expr& made = rows.map.body.stms[*at].expr;
    const auto* map = std::get_if<Screma>(&made);
    return std::holds_alternative<core::ArrayLiteral>(made) ||
           (map != nullptr && core::isMap(*map) && isShort(map->width));
  }

  // The elements of the row as scalars: fuse splits literals.
  void writeOutRow(std::vector<Stm>& stms, ValueId rows) {
    const auto maker = core::makerOf(stms, Operand(rows));
    Body& code = std::get<Screma>(stms[*maker].expr).map.body;
    const Operand row = resultOf(stms[*maker], rows);
    const size_t at = *core::makerOf(code.stms, row);
    const Stm made = code.stms[at];
    const auto* map = std::get_if<Screma>(&made.expr);
    if (map == nullptr) return;
    core::Builder elements(program_);
    std::vector<Operands> columns(made.results.size());
    for (int64_t j = 0; j < map->width.constant.asSigned(); ++j) {
      Operands args;
      for (size_t k = 0; k < map->inputs.size(); ++k) {
        const core::Index read{map->inputs[k], {Operand::ofI64(j)}};
        const core::Type type = program_.type(map->map.params[k]);
        args.emplace_back(elements.bind("x", type, read, false, made.span));
      }
      auto [own, results] = core::apply(program_, map->map, args);
      for (Stm& stm : own) elements.append(std::move(stm));
      for (size_t r = 0; r < results.size(); ++r) columns[r].push_back(results[r]);
    }
    for (size_t r = 0; r < columns.size(); ++r) {
      const prim::ScalarType scalar = program_.type(made.results[r]).scalar;
      core::ArrayLiteral literal{scalar, std::move(columns[r])};
      elements.append({{made.results[r]}, std::move(literal), false, made.span});
    }
    const auto place = code.stms.erase(code.stms.begin() + static_cast<std::ptrdiff_t>(at));
    code.stms.insert(place, std::make_move_iterator(elements.body().stms.begin()),
                     std::make_move_iterator(elements.body().stms.end()));
  }

  bool reducesColumn(const ColumnMap& columns) const {
    const Screma& map = columns.map();
    const Screma& reduce = columns.reduce();
    const bool is_reduction = !reduce.reductions.empty() && reduce.scans.empty() &&
                              !reduce.partial_values && !reduce.chunk &&
                              reduce.joins == core::Joins::kNothing;
    if (!is_reduction || reduce.width != program_.type(columns.rows).shape[0]) return false;
    size_t reduced = 0;
    for (const core::Reduction& each : reduce.reductions) {
      reduced += each.neutral.size();
      for (const Operand& neutral : each.neutral) {
        if (!program_.type(neutral).isScalar()) return false;
      }
    }
    const auto width = static_cast<size_t>(map.width.constant.asSigned());
    const std::vector<Stm>& code = map.map.body.stms;
    const bool returns_all = code[columns.reduction].results.size() == reduced;
    if (!returns_all || reduced * width > kMaxReductions || code.size() > kMaxStatements ||
        !isCheap(reduce.map.body)) {
      return false;
    }
    return readsColumnOnce(columns) && areFree(columns);
  }

  // The reduction alone.
  bool readsColumnOnce(const ColumnMap& columns) const {
    const auto counts = core::useCounts(program_, columns.map().map.body);
    return core::isUsedOnce(counts, columns.param()) &&
           std::count(columns.reduce().inputs.begin(), columns.reduce().inputs.end(),
                      columns.param()) == 1;
  }

  // The other arrays that are reduced, and what the operators use, are those of all columns.
  bool areFree(const ColumnMap& columns) const {
    std::unordered_set<ValueId> own(columns.map().map.params.begin(),
                                    columns.map().map.params.end());
    const std::vector<Stm>& code = columns.map().map.body.stms;
    for (const Stm& stm : code) own.insert(stm.results.begin(), stm.results.end());
    const Screma& reduce = columns.reduce();
    const auto isOwn = [&](ValueId value) { return own.contains(value); };
    for (ValueId input : reduce.inputs) {
      if (input != columns.param() && isOwn(input)) return false;
    }
    for (const core::Reduction& each : reduce.reductions) {
      const auto free = core::freeValues(program_, each.op);
      if (std::any_of(free.begin(), free.end(), isOwn)) return false;
      for (const Operand& neutral : each.neutral) {
        if (!neutral.isConstant() && isOwn(neutral.value)) return false;
      }
    }
    return true;
  }

  void write(const ColumnMap& columns, std::vector<Stm>& out) {
    writeOutRow(out, columns.rows);
    const Screma& reduce = columns.reduce();
    Screma all{reduce.width, reduce.inputs, {}, {}, {}, reduce.flattening};
    std::replace(all.inputs.begin(), all.inputs.end(), columns.param(), columns.rows);
    for (size_t k = 0; k < reduce.inputs.size(); ++k) {
      all.map.params.push_back(program_.add("row", core::rowOf(program_.type(all.inputs[k]))));
    }
    Stm joint{{}, {}, false, columns.stm->span};
    std::vector<Stm> behind;
    std::vector<Operands> results(columns.stm->results.size());
    for (int64_t j = 0; j < columns.map().width.constant.asSigned(); ++j) {
      const Operands made = column(columns, j, all, joint, out, behind);
      for (size_t r = 0; r < made.size(); ++r) results[r].push_back(made[r]);
    }
    joint.expr = std::move(all);
    out.push_back(std::move(joint));
    std::move(behind.begin(), behind.end(), std::back_inserter(out));
    for (size_t r = 0; r < results.size(); ++r) {
      const ValueId result = columns.stm->results[r];
      core::ArrayLiteral literal{program_.type(result).scalar, std::move(results[r])};
      out.push_back({{result}, std::move(literal), false, columns.stm->span});
    }
  }

  // Column `j`: code before the reduction to `before`, its part of the reduction, code behind it.
  Operands column(const ColumnMap& columns, int64_t j, Screma& all, Stm& joint,
                  std::vector<Stm>& before, std::vector<Stm>& behind) {
    const Screma& map = columns.map();
    core::Builder inputs(program_);
    core::Substitution known;
    for (size_t k = 0; k < map.inputs.size(); ++k) {
      if (k == columns.column) continue;
      const core::Index read{map.inputs[k], {Operand::ofI64(j)}};
      const ValueId param = map.map.params[k];
      known.emplace(param, Operand(inputs.bind("x", program_.type(param), read)));
    }
    std::move(inputs.body().stms.begin(), inputs.body().stms.end(), std::back_inserter(before));
    known.emplace(columns.param(), Operand(columns.rows));  // its one use is replaced below
    Body copy = core::freshCopy(program_, map.map.body, known);
    const auto at = copy.stms.begin() + static_cast<std::ptrdiff_t>(columns.reduction);
    addReduction(std::get<Screma>(at->expr), columns, j, all);
    joint.results.insert(joint.results.end(), at->results.begin(), at->results.end());
    std::move(copy.stms.begin(), at, std::back_inserter(before));
    std::move(at + 1, copy.stms.end(), std::back_inserter(behind));
    return copy.results;
  }

  void addReduction(const Screma& own, const ColumnMap& columns, int64_t j, Screma& all) {
    core::Builder element(program_);
    Operands elements;
    for (size_t k = 0; k < own.inputs.size(); ++k) {
      const ValueId row = all.map.params[k];
      if (columns.reduce().inputs[k] != columns.param()) {
        elements.emplace_back(row);
        continue;
      }
      const core::Index read{row, {Operand::ofI64(j)}};
      elements.emplace_back(element.bind("x", {program_.type(row).scalar, {}}, read));
    }
    auto [stms, results] = core::apply(program_, own.map, elements);
    std::vector<Stm>& code = all.map.body.stms;
    std::move(element.body().stms.begin(), element.body().stms.end(), std::back_inserter(code));
    std::move(stms.begin(), stms.end(), std::back_inserter(code));
    all.map.body.results.insert(all.map.body.results.end(), results.begin(), results.end());
    all.reductions.insert(all.reductions.end(), own.reductions.begin(), own.reductions.end());
  }

  core::Program& program_;
  core::Definitions definitions_;
};

}  // namespace

core::Program reduceColumns(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    ColumnReducer(result).body(body);
  });
}

}  // namespace halo::passes
