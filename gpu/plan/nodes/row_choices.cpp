// Inner bodies first; of each choice all uses, then the uses one by one.
#include "gpu/plan/nodes/row_choices.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/nests/nest.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMaxCheap = 8;  // statements of an arm, which every element computes again

bool isHostCode(const Stm& stm) {
  return std::holds_alternative<Loop>(stm.expr) || std::holds_alternative<Match>(stm.expr);
}

// Views of rows, perhaps by branches below.
bool isView(const Body& arm) {
  return arm.stms.size() <= kMaxCheap &&
         std::all_of(arm.stms.begin(), arm.stms.end(), [](const Stm& stm) {
           if (!std::holds_alternative<Match>(stm.expr)) return isCheap(stm);
           bool are_views = true;
           forEachBody(stm.expr, [&](const Body& inner) { are_views &= isView(inner); });
           return are_views;
         });
}

bool isChoice(const Program& program, const Stm& stm) {
  const auto* branch = std::get_if<Match>(&stm.expr);
  if (branch == nullptr || stm.results.empty() || branch->scrutinee.isConstant()) return false;
  const bool are_rows = std::none_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
    return program.type(result).isScalar();
  });
  if (!are_rows) return false;
  bool are_views = true;
  forEachBody(stm.expr, [&](const Body& arm) { are_views &= isView(arm); });
  return are_views;
}

bool hasChoice(const Program& program, const Body& body, bool in_cell) {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    bool found = in_cell && isChoice(program, stm);
    forEachBody(stm.expr, [&](const Body& inner) {
      found = found || hasChoice(program, inner, in_cell || !isHostCode(stm));
    });
    return found;
  });
}

class RowChoices {
 public:
  explicit RowChoices(Program& program) : program_(program) {}

  void run(Body& body, bool in_cell) {
    for (Stm& stm : body.stms) {
      const bool is_cell = in_cell || !isHostCode(stm);
      if (is_cell) findVarying(stm, in_cell);
      forEachBody(stm.expr, [&](Body& inner) { run(inner, is_cell); });
    }
    if (!in_cell) return;
    for (size_t i = 0; i < body.stms.size();) {
      const bool is_choice = isChoice(program_, body.stms[i]) && varies(body.stms[i]) &&
                             isReadByElement(body, body.stms[i].results);
      if (is_choice) {
        const Stm choice = std::move(body.stms[i]);
        body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(i));
        read(body, choice);
      } else {
        ++i;
      }
    }
  }

 private:
  // Values that differ from cell to cell, in the order of the code.
  void findVarying(const Stm& stm, bool in_cell) {
    const std::vector<ValueId> bound = boundIn(stm.expr);
    varying_.insert(bound.begin(), bound.end());
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    const bool varies = in_cell && std::any_of(used.begin(), used.end(), [&](ValueId value) {
                          return varying_.contains(value);
                        });
    if (varies) varying_.insert(stm.results.begin(), stm.results.end());
  }
  bool varies(const Stm& choice) const {
    return varying_.contains(std::get<Match>(choice.expr).scrutinee.value);
  }

  // ---- uses

  bool isElement(const Stm& stm, ValueId row) const {
    const auto* index = std::get_if<Index>(&stm.expr);
    return index != nullptr && index->array == row && program_.type(stm.results[0]).isScalar();
  }
  // As the input of a map, or for an element.
  int elementUses(const Body& body, ValueId row) const {
    int uses = 0;
    for (const Stm& stm : body.stms) {
      if (isElement(stm, row)) uses++;
      const auto* node = std::get_if<Screma>(&stm.expr);
      if (node != nullptr && program_.type(row).rank() == 1) {
        uses += static_cast<int>(std::count(node->inputs.begin(), node->inputs.end(), row));
      }
      forEachBody(stm.expr, [&](const Body& inner) { uses += elementUses(inner, row); });
    }
    return uses;
  }
  bool isReadByElement(const Body& body, const std::vector<ValueId>& rows) const {
    auto uses = useCounts(program_, body);
    return std::all_of(rows.begin(), rows.end(),
                       [&](ValueId row) { return elementUses(body, row) == uses[row]; });
  }

  // ---- elements in place of rows

  // An element of the choice's row `k`.
  Expr element(const Stm& choice, size_t k, const Operands& at) {
    Expr picked = choice.expr;
    forEachBody(picked, [&](Body& arm) {
      arm = freshCopy(program_, arm);
      const ValueId row = arm.results[k].value;
      const Type type{program_.type(row).scalar, {}};
      Builder code(program_);
      code.body().stms = std::move(arm.stms);
      const ValueId x = code.bind("x", type, Index{row, at});
      arm = code.take({x});
    });
    return picked;
  }

  void read(Body& body, const Stm& choice) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      forEachBody(stm.expr, [&](Body& inner) { read(inner, choice); });
      for (size_t k = 0; k < choice.results.size(); ++k) {
        if (isElement(stm, choice.results[k])) {
          const Operands at = std::get<Index>(stm.expr).indices;
          stm.expr = element(choice, k, at);
        } else if (auto* node = std::get_if<Screma>(&stm.expr)) {
          readInputs(*node, choice, k, body.stms);
        }
      }
      body.stms.push_back(std::move(stm));
    }
  }
  void readInputs(Screma& node, const Stm& choice, size_t k, std::vector<Stm>& before) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] != choice.results[k]) continue;
      Builder positions(program_);
      const Iota iota{ScalarType::kI64, node.width, Operand::ofI64(0), Operand::ofI64(1)};
      node.inputs[i] = positions.bind("js", {ScalarType::kI64, {node.width}}, iota);
      for (Stm& stm : positions.take({}).stms) before.push_back(std::move(stm));
      const ValueId at = program_.add("j", {ScalarType::kI64, {}});
      const ValueId x = std::exchange(node.map.params[i], at);
      std::vector<Stm>& stms = node.map.body.stms;
      stms.insert(stms.begin(), {{x}, element(choice, k, {at}), false, choice.span});
    }
  }

  Program& program_;
  std::unordered_set<ValueId> varying_;
};

}  // namespace

void readChosenRows(Program& program, Body& host) {
  if (hasChoice(program, host, false)) RowChoices(program).run(host, false);
}

}  // namespace halo::gpu
