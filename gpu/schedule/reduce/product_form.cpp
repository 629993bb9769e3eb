// Dependences on the row and on the column, from the outer levels inwards.
#include "gpu/schedule/reduce/product_form.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/nests/nest.h"
#include "gpu/schedule/node_code.h"
#include "gpu/schedule/words.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {
namespace {

using Values = std::unordered_set<core::ValueId>;

constexpr size_t kMaxStatements = 24;  // of map and operators together

bool isParam(const core::Function& kernel, core::ValueId value) {
  return std::find(kernel.params.begin(), kernel.params.end(), value) != kernel.params.end();
}

// The map reads scalars alone; operators and neutral elements are the same in every cell.
bool readsScalars(const core::Program& program, const core::Function& kernel,
                  const core::Screma& screma) {
  const Values mapped = core::freeValues(program, screma.map);
  Values combined;
  for (const core::Reduction& reduction : screma.reductions) {
    combined.merge(core::freeValues(program, reduction.op));
    for (const core::Operand& neutral : reduction.neutral) {
      if (!neutral.isConstant()) combined.insert(neutral.value);
    }
  }
  const auto is_scalar = [&](core::ValueId value) { return program.type(value).isScalar(); };
  return std::all_of(mapped.begin(), mapped.end(), is_scalar) &&
         std::all_of(combined.begin(), combined.end(), [&](core::ValueId value) {
           return isParam(kernel, value) && is_scalar(value);
         });
}

ProductValues wordsOfOwn(const core::Program& program, const std::vector<OwnValue>& values) {
  ProductValues words;
  for (const OwnValue& own : values) {
    OwnWords& of = own.of_row && own.of_column ? words.of_cell
                   : own.of_column             ? words.of_column
                                               : words.of_row;
    of.words += static_cast<int64_t>(wordsOf(program.type(own.value).scalar));
  }
  return words;
}

// Code that reads three registers at once wants them of different banks. It does better with
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

std::vector<OwnValue> ownValues(const core::Program& program, const core::Function& kernel,
                                const std::vector<const core::Screma*>& levels) {
  const Values of_row = changingWith(program, levels, levels.size() - 3);
  const Values of_column = changingWith(program, levels, levels.size() - 2);
  std::vector<OwnValue> values;
  for (core::ValueId value : core::freeValues(program, levels.back()->map)) {
    if (isParam(kernel, value)) continue;
    values.push_back({value, of_row.contains(value), of_column.contains(value)});
  }
  std::sort(values.begin(), values.end(),
            [](const OwnValue& a, const OwnValue& b) { return a.value < b.value; });
  return values;
}

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
      !readsScalars(program, kernel, screma)) {
    return std::nullopt;
  }
  const Values of_row = changingWith(program, levels, levels.size() - 3);
  const Values of_column = changingWith(program, levels, levels.size() - 2);
  for (size_t i = 0; i < screma.inputs.size(); ++i) {
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
  form.values = wordsOfOwn(program, ownValues(program, kernel, levels));
  if (form.values == ProductValues{}) return form;
  for (size_t k = 0; k + 1 < levels.size(); ++k) {
    form.own_statements += static_cast<int64_t>(prologueOf(*levels[k], *levels[k + 1]).stms.size());
  }
  return form;
}

}  // namespace halo::gpu
