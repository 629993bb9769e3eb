// Dependences on the row and on the column, from the outer levels inwards.
#include "gpu/schedule/reduce/product_form.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/schedule/words.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {
namespace {

using Values = std::unordered_set<core::ValueId>;

constexpr size_t kMaxStatements = 24;  // of map and operators together

// The values that change with the index of level `which`.
Values changingWith(const core::Program& program, const std::vector<const core::Screma*>& levels,
                    size_t which) {
  Values changing;
  for (size_t k = which; k + 1 < levels.size(); k++) {
    const core::Screma& level = *levels[k];
    for (size_t i = 0; i < level.inputs.size(); i++) {
      if (k == which || changing.contains(level.inputs[i])) {
        changing.insert(level.map.params[i]);
      }
    }
    for (const core::Stm& stm : level.map.body.stms) {
      const Values used = core::freeValues(program, stm);
      const bool changes = std::any_of(
          used.begin(), used.end(), [&](core::ValueId value) { return changing.contains(value); });
      if (changes) changing.insert(stm.results.begin(), stm.results.end());
    }
  }
  return changing;
}

// Nothing but the inputs may differ from cell to cell.
bool isSameInEveryCell(const core::Program& program, const core::Function& kernel,
                       const core::Screma& screma) {
  Values used = core::freeValues(program, screma.map);
  for (const core::Reduction& reduction : screma.reductions) {
    used.merge(core::freeValues(program, reduction.op));
    for (const core::Operand& neutral : reduction.neutral) {
      if (!neutral.isConstant()) used.insert(neutral.value);
    }
  }
  return std::all_of(used.begin(), used.end(), [&](core::ValueId value) {
    const bool is_param =
        std::find(kernel.params.begin(), kernel.params.end(), value) != kernel.params.end();
    return is_param && program.type(value).isScalar();
  });
}

// Code that reads three registers at once wants them of different banks, and does better with
// smaller tiles, other orders of cells and exchanged factors of columns. (Measured for f32 alone.)
bool isFused(const core::Screma& screma) {
  const core::Body& map = screma.map.body;
  if (map.stms.size() != 1 || screma.reductions.size() != 1) return false;
  const core::Body& op = screma.reductions[0].op.body;
  if (op.stms.size() != 1) return false;
  auto is = [](const core::Stm& stm, prim::Op wanted) {
    auto* prim = std::get_if<core::PrimOp>(&stm.expr);
    return prim != nullptr && prim->op == wanted && prim->type == prim::ScalarType::kF32;
  };
  return is(map.stms[0], prim::Op::kMul) && is(op.stms[0], prim::Op::kAdd);
}

}  // namespace

std::optional<ProductForm> productForm(const core::Program& program, const core::Function& kernel,
                                       const std::vector<const core::Screma*>& levels) {
  if (levels.size() < 3) return std::nullopt;
  const core::Screma& screma = *levels.back();
  const std::vector<core::Stm>& map = screma.map.body.stms;
  ProductForm form;
  size_t values = 0, statements = map.size();
  for (const core::Reduction& reduction : screma.reductions) {
    values += reduction.neutral.size();
    statements += reduction.op.body.stms.size();
  }
  const bool may_fail =
      std::any_of(map.begin(), map.end(), [](const core::Stm& stm) { return core::mayFail(stm); });
  if (values != screma.map.body.results.size() || statements > kMaxStatements || may_fail ||
      !isSameInEveryCell(program, kernel, screma)) {
    return std::nullopt;
  }
  const Values of_row = changingWith(program, levels, levels.size() - 3);
  const Values of_column = changingWith(program, levels, levels.size() - 2);
  for (size_t i = 0; i < screma.inputs.size(); i++) {
    const auto words = static_cast<int64_t>(wordsOf(program.type(screma.map.params[i]).scalar));
    if (of_row.contains(screma.inputs[i])) form.row_words += words;
    if (of_column.contains(screma.inputs[i])) form.column_words += words;
  }
  if (form.row_words == 0 || form.column_words == 0) return std::nullopt;
  for (const core::Operand& result : screma.map.body.results) {
    form.cell_words += static_cast<int64_t>(wordsOf(program.type(result).scalar));
  }
  form.statements = static_cast<int64_t>(statements);
  form.is_fused = isFused(screma);
  return form;
}

}  // namespace halo::gpu
