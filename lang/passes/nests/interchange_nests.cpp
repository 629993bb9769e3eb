// A body at a time: which nests are only read by columns, then their new form.
#include "lang/passes/nests/interchange_nests.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Program;
using core::Rearrange;
using core::Screma;
using core::Stm;
using core::ValueId;

// Operations of a row that each of its cells may repeat.
constexpr size_t kMaxRepeated = 4;

bool isScalarCode(const Stm& stm) {
  return std::holds_alternative<core::PrimOp>(stm.expr) ||
         std::holds_alternative<core::Convert>(stm.expr) ||
         std::holds_alternative<core::Select>(stm.expr);
}

// Branches too; maps of such code are rows of a cell. Elements of other arrays are not:
// neighbouring cells may find them adjacent in the program's order only.
bool isCellCode(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    const auto* screma = std::get_if<Screma>(&stm.expr);
    bool fits = isScalarCode(stm) || std::holds_alternative<core::Match>(stm.expr) ||
                (screma != nullptr && core::isMap(*screma));
    core::forEachBody(stm.expr, [&](const Body& inner) { fits = fits && isCellCode(inner); });
    return fits;
  });
}

// An exchange of the outer two axes.
bool isExchange(const Rearrange& view) {
  for (size_t i = 0; i < view.permutation.size(); ++i) {
    const int there = i < 2 ? 1 - static_cast<int>(i) : static_cast<int>(i);
    if (view.permutation[i] != there) return false;
  }
  return view.permutation.size() >= 2;
}

// The two levels of a nest.
struct Levels {
  const Screma* outer = nullptr;
  const Stm* inner_stm = nullptr;
  const Screma& inner() const { return std::get<Screma>(inner_stm->expr); }
};

class Turner {
 public:
  explicit Turner(Program& program) : program_(program) {}

  void body(Body& b) {
    counts_.reset();
    for (size_t i = 0; i < b.stms.size(); ++i) {
      const auto levels = levelsOf(b.stms[i]);
      if (levels && isReadByColumns(b, b.stms[i])) turn(b, i, *levels);
    }
    for (Stm& stm : b.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
    }
  }

 private:
  std::optional<Levels> levelsOf(const Stm& stm) const {
    Levels levels;
    levels.outer = std::get_if<Screma>(&stm.expr);
    if (levels.outer == nullptr || !core::isMap(*levels.outer)) return std::nullopt;
    const Body& row = levels.outer->map.body;
    for (const Stm& inner : row.stms) {
      if (std::holds_alternative<Screma>(inner.expr) && levels.inner_stm == nullptr) {
        levels.inner_stm = &inner;
      } else if (!isScalarCode(inner) || core::mayFail(inner)) {
        return std::nullopt;
      }
    }
    if (levels.inner_stm == nullptr || row.stms.size() > 1 + kMaxRepeated) return std::nullopt;
    return mayTurn(levels) ? std::optional(levels) : std::nullopt;
  }

  bool mayTurn(const Levels& levels) const {
    const Screma &outer = *levels.outer, &inner = levels.inner();
    if (!core::isMap(inner) || outer.flattening.any() || inner.flattening.any() ||
        !isCellCode(inner.map.body)) {
      return false;
    }
    const std::vector<ValueId>& made = levels.inner_stm->results;
    auto isMade = [&](const Operand& result) {
      return std::find(made.begin(), made.end(), result.value) != made.end();
    };
    const core::Operands& results = outer.map.body.results;
    if (!std::all_of(results.begin(), results.end(), isMade)) return false;
    // Cells know scalars of their row, and of its arrays one element.
    std::unordered_set<ValueId> of_row(outer.map.params.begin(), outer.map.params.end());
    for (const Stm& stm : outer.map.body.stms)
      of_row.insert(stm.results.begin(), stm.results.end());
    if (of_row.contains(inner.width.value)) return false;
    for (ValueId free : core::freeValues(program_, inner.map)) {
      if (of_row.contains(free) && !program_.type(free).isScalar()) return false;
    }
    return true;
  }

  bool isReadByColumns(const Body& body, const Stm& nest) {
    std::unordered_set<ValueId> columns;
    int views = 0, uses = 0;
    for (const Stm& stm : body.stms) {
      const auto* view = std::get_if<Rearrange>(&stm.expr);
      if (view == nullptr || !isExchange(*view)) continue;
      if (std::find(nest.results.begin(), nest.results.end(), view->array) == nest.results.end()) {
        continue;
      }
      ++views;
      columns.insert(stm.results[0]);
    }
    if (views == 0) return false;
    if (!counts_) counts_ = core::useCounts(program_, body);
    auto usesOf = [&](ValueId value) {
      auto found = counts_->find(value);
      return found == counts_->end() ? 0 : found->second;
    };
    for (ValueId result : nest.results) uses += usesOf(result);
    return views == uses && std::all_of(columns.begin(), columns.end(), [&](ValueId column) {
             return usesOf(column) == inputsOfMaps(body, column);
           });
  }

  // How often maps take the array row by row, and their cells as input of an inner node.
  static int inputsOfMaps(const Body& body, ValueId array) {
    int inputs = 0;
    for (const Stm& stm : body.stms) {
      const auto* screma = std::get_if<Screma>(&stm.expr);
      if (screma == nullptr || !core::isMap(*screma)) continue;
      for (size_t i = 0; i < screma->inputs.size(); ++i) {
        if (screma->inputs[i] != array) continue;
        const ValueId param = screma->map.params[i];
        const std::vector<Stm>& cell = screma->map.body.stms;
        inputs += std::any_of(cell.begin(), cell.end(), [&](const Stm& inner) {
          const auto* node = std::get_if<Screma>(&inner.expr);
          return node != nullptr &&
                 std::find(node->inputs.begin(), node->inputs.end(), param) != node->inputs.end();
        });
      }
    }
    return inputs;
  }

  core::Type arrayOf(const Operand& width, core::Type type) const {
    type.shape.insert(type.shape.begin(), width);
    return type;
  }

  // The columns of an array, by a view in front of the nest.
  ValueId columnsOf(ValueId array, std::vector<Stm>& views) {
    core::Type type = program_.type(array);
    std::swap(type.shape[0], type.shape[1]);
    Rearrange view{array, {1, 0}};
    for (int axis = 2; axis < type.rank(); ++axis) view.permutation.push_back(axis);
    const ValueId columns = program_.add(program_.values[array].name, std::move(type));
    views.push_back({{columns}, std::move(view), false, {}});
    return columns;
  }

  void turn(Body& body, size_t at, const Levels& levels) {
    const Screma outer = *levels.outer;
    const Screma inner = levels.inner();
    const Stm nest = body.stms[at], inner_stm = *levels.inner_stm;
    std::vector<Stm> made;
    Screma columns{inner.width, {}, {}, {}, {}};
    Screma cells{outer.width, {}, {}, {}, {}};
    addInputs(outer, inner, columns, cells, made);
    // The row's scalars, once more in each cell.
    for (const Stm& stm : outer.map.body.stms) {
      if (!std::holds_alternative<Screma>(stm.expr)) cells.map.body.stms.push_back(stm);
    }
    for (const Stm& stm : inner.map.body.stms) cells.map.body.stms.push_back(stm);
    std::vector<ValueId> rows;
    for (const Operand& result : outer.map.body.results) {
      const auto which =
          std::find(inner_stm.results.begin(), inner_stm.results.end(), result.value);
      const Operand element =
          inner.map.body.results[static_cast<size_t>(which - inner_stm.results.begin())];
      cells.map.body.results.push_back(element);
      rows.push_back(program_.add(program_.values[result.value].name,
                                  arrayOf(outer.width, core::rowOf(program_.type(result)))));
    }
    cells.map = core::freshCopy(program_, cells.map);
    columns.map.body.results.assign(rows.begin(), rows.end());
    columns.map.body.stms.push_back({rows, std::move(cells), inner_stm.checked, inner_stm.span});
    made.push_back({{}, std::move(columns), nest.checked, nest.span});
    replace(body, at, nest, std::move(made));
  }

  // Inputs of the new levels, and their parameters.
  void addInputs(const Screma& outer, const Screma& inner, Screma& columns, Screma& cells,
                 std::vector<Stm>& views) {
    for (size_t i = 0; i < inner.inputs.size(); ++i) {
      const auto row = std::find(outer.map.params.begin(), outer.map.params.end(), inner.inputs[i]);
      const ValueId param = inner.map.params[i];
      if (row == outer.map.params.end()) {
        columns.inputs.push_back(inner.inputs[i]);
        columns.map.params.push_back(param);
        continue;
      }
      const ValueId rows = outer.inputs[static_cast<size_t>(row - outer.map.params.begin())];
      const ValueId column =
          program_.add(program_.values[rows].name, arrayOf(outer.width, program_.type(param)));
      columns.inputs.push_back(columnsOf(rows, views));
      columns.map.params.push_back(column);
      cells.inputs.push_back(column);
      cells.map.params.push_back(param);
    }
    for (size_t i = 0; i < outer.inputs.size(); ++i) {
      if (!program_.type(outer.map.params[i]).isScalar()) continue;
      cells.inputs.push_back(outer.inputs[i]);
      cells.map.params.push_back(outer.map.params[i]);
    }
  }

  // The views of the results now name what the nest makes.
  void replace(Body& body, size_t at, const Stm& nest, std::vector<Stm> made) {
    std::map<ValueId, ValueId> columns;
    core::Substitution names;
    for (const Stm& stm : body.stms) {
      const auto* view = std::get_if<Rearrange>(&stm.expr);
      if (view == nullptr) continue;
      if (std::find(nest.results.begin(), nest.results.end(), view->array) == nest.results.end()) {
        continue;
      }
      auto [known, is_new] = columns.emplace(view->array, stm.results[0]);
      if (!is_new) names[stm.results[0]] = known->second;
    }
    for (ValueId result : nest.results) {
      auto found = columns.find(result);
      if (found == columns.end()) {
        core::Type type = program_.type(result);
        std::swap(type.shape[0], type.shape[1]);
        found = columns.emplace(result, program_.add("unused", std::move(type))).first;
      }
      made.back().results.push_back(found->second);
    }
    count(nest, -1);
    for (const Stm& stm : made) count(stm, 1);
    std::erase_if(body.stms, [&](const Stm& stm) {
      const auto* view = std::get_if<Rearrange>(&stm.expr);
      const bool is_removed = view != nullptr && columns.contains(view->array);
      if (is_removed) count(stm, -1);
      return is_removed;
    });
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(at));
    body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(at), made.begin(), made.end());
    if (names.empty()) return;
    core::substitute(program_, body, names);
    for (const auto& [from, to] : names) (*counts_)[to.value] += std::exchange((*counts_)[from], 0);
  }

  void count(const Stm& stm, int by) {
    Body alone;
    alone.stms.push_back(stm);
    for (const auto& [value, uses] : core::useCounts(program_, alone)) {
      (*counts_)[value] += by * uses;
    }
  }

  Program& program_;
  std::optional<std::unordered_map<ValueId, int>> counts_;  // of the body's uses; of none asked yet
};

}  // namespace

core::Program interchangeNests(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    Turner(result).body(body);
  });
}

}  // namespace halo::passes
