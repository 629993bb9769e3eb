// Products of matrices, with any operators: rows of one array against columns of another, reduced.
//
//   map (\row -> map (\column -> reduce op e (map2 f row column)) columns) rows
//
// A tile of kTileRows x kTileBytes of the result stays in registers while the reduction runs. So an
// element of either array is loaded once for all of a tile's columns or rows. The columns
// of a tile are first copied to where they follow each other (a panel), once for all rows. Elements
// are reduced from left to right.
//
//   for panel {  panel := columns j .. j + T
//     for tile { for lane j' vector T {            acc_0 .. acc_5 := e
//       for k { acc_r := op acc_r (f row[i + r, k] panel[k, j']) }
//       result[i + r, j + j'] := acc_r } } }
#include "lang/imp/schedule/lower_tiles.h"

#include <algorithm>
#include <unordered_set>

#include "lang/base/check.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"
#include "lang/imp/simple_code.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

constexpr int64_t kTileRows = 6;     // times four vectors of columns: 24 accumulators
constexpr int64_t kTileBytes = 256;  // of one element type, four vectors

size_t positionIn(const std::vector<ValueId>& params, ValueId value) {
  return static_cast<size_t>(std::find(params.begin(), params.end(), value) - params.begin());
}

bool hasScalarBodies(const core::Program& core, const Product& product) {
  const core::Lambda& op = product.sum.reductions[0].op;
  if (op.params.size() != 2 || !core.type(op.params[0]).isScalar()) return false;
  if (!isSimple(core, op.body) || !isSimple(core, product.sum.map.body)) return false;
  if (!isSimple(core, product.rest)) return false;
  auto isIndex = [](const core::Stm& stm) { return std::holds_alternative<core::Index>(stm.expr); };
  const std::vector<core::Stm>& cell = product.sum.map.body.stms;
  if (std::any_of(cell.begin(), cell.end(), isIndex)) return false;
  return std::all_of(product.rest.results.begin(), product.rest.results.end(),
                     [&](const core::Operand& o) { return core.type(o).isScalar(); });
}

// Each array that is summed over is a row, a column or the same for all. There are both of the
// first two, and nothing else in the sum depends on its place.
bool reusesBoth(const core::Program& core, const Environment& env, const Product& product) {
  bool has_row = false, has_column = false;
  auto isKnown = [&](const core::Operand& o) {
    return o.isConstant() || env.scalars.contains(o.value);
  };
  for (ValueId input : product.sum.inputs) {
    size_t row = positionIn(product.rows.map.params, input);
    size_t column = positionIn(product.columns.map.params, input);
    if (row < product.rows.inputs.size()) {
      has_row = true;
    } else if (column < product.columns.inputs.size()) {
      has_column = true;
      if (!env.arrays.contains(product.columns.inputs[column])) return false;
    } else if (!env.arrays.contains(input)) {
      return false;
    }
  }
  // The environment may still know a row's values from another schedule of the same nest.
  std::unordered_set<ValueId> of_cells;
  for (const core::Stm& stm : product.columns.map.body.stms) {
    of_cells.insert(stm.results.begin(), stm.results.end());
  }
  for (const core::Lambda* level : {&product.rows.map, &product.columns.map}) {
    of_cells.insert(level->params.begin(), level->params.end());
  }
  for (const core::Lambda* code : {&product.sum.map, &product.sum.reductions[0].op}) {
    for (ValueId used : core::freeValues(core, *code)) {
      if (!env.scalars.contains(used) || of_cells.contains(used)) return false;
    }
  }
  const core::Operand& neutral = product.sum.reductions[0].neutral[0];
  return has_row && has_column && isKnown(neutral) && isKnown(product.sum.width) &&
         isKnown(product.columns.width);
}

// language.md#semantics: only the multiplication that is summed joins the addition.
bool mayContract(const core::Program& core, const Product& product) {
  auto add = core::asPrimitive(core, product.sum.reductions[0].op);
  const core::Body& map = product.sum.map.body;
  if (!add || add->first != Op::kAdd || map.stms.size() != 1) return false;
  const auto* mul = std::get_if<core::PrimOp>(&map.stms[0].expr);
  return mul != nullptr && mul->op == Op::kMul && prim::isFloat(mul->type);
}

}  // namespace

// One redomap, and scalars that are not needed by it.
std::optional<Product> asProduct(const core::Program& core, const Environment& env,
                                 const core::Screma& rows) {
  if (!isMap(rows)) return std::nullopt;
  const core::Body& outer = rows.map.body;
  if (outer.stms.size() != 1) return std::nullopt;
  const auto* columns = std::get_if<core::Screma>(&outer.stms[0].expr);
  if (columns == nullptr || !isMap(*columns)) return std::nullopt;
  if (!core::returnsResultsOf(outer, outer.stms[0])) return std::nullopt;
  const core::Screma* sum = nullptr;
  Product product{rows, *columns, rows, columns->map.body, ValueId()};
  for (const core::Stm& stm : columns->map.body.stms) {
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma == nullptr) continue;
    if (sum != nullptr || stm.results.size() != 1) return std::nullopt;
    sum = screma;
    product.result = stm.results[0];
  }
  if (sum == nullptr || sum->reductions.size() != 1 || !sum->scans.empty()) return std::nullopt;
  std::erase_if(product.rest.stms, [](const core::Stm& stm) {
    return std::holds_alternative<core::Screma>(stm.expr);
  });
  Product found{rows, *columns, *sum, std::move(product.rest), product.result};
  if (!hasScalarBodies(core, found) || !reusesBoth(core, env, found)) return std::nullopt;
  return found;
}

ProductTiles::ProductTiles(Lowering& lowering, const Product& product,
                           const std::vector<ArrayRef>& outputs)
    : low_(lowering),
      b_(lowering.b_),
      core_(lowering.core_),
      env_(lowering.env_),
      target_(lowering.target_),
      product_(product),
      outputs_(outputs) {}

// Rows that make whole tiles; returns their number. The remaining rows are the caller's.
Operand ProductTiles::run() {
  Operand rows = Operand::ofI64(kTileRows);
  Operand whole =
      b_.prim(Op::kMachineDiv, ScalarType::kI64, {low_.scalar(product_.rows.width), rows});
  width_ = low_.scalar(product_.columns.width);
  depth_ = low_.scalar(product_.sum.width);
  int widest = 4;
  for (ValueId param : product_.sum.map.params) {
    widest = std::max(widest, prim::byteSize(core_.type(param).scalar));
  }
  columns_ = kTileBytes / widest;
  Operand columns = Operand::ofI64(columns_);
  for (ValueId input : product_.sum.inputs) {
    size_t column = positionIn(product_.columns.map.params, input);
    if (column == product_.columns.map.params.size()) continue;
    panels_[input] = low_.fresh("panel", core_.type(input).scalar, {depth_, columns});
  }
  Operand rounded = b_.add(width_, Operand::ofI64(columns_ - 1));
  Operand panels = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, columns});
  Operand some = b_.prim(Op::kLt, ScalarType::kI64, {kZero, whole});
  b_.ifThenElse(some, [&] {
    b_.forLoop("panel", kZero, panels, [&](Operand panel) {
      first_column_ = b_.mul(panel, columns);
      fillPanels();
      low_.parallelLoop("tile", kZero, whole, [&](Operand tile) { lowerTile(b_.mul(tile, rows)); });
    });
  });
  return b_.mul(whole, rows);
}

// Columns behind the last one repeat it: their results are not stored.
void ProductTiles::fillPanels() {
  Operand columns = Operand::ofI64(columns_);
  Operand end = b_.add(first_column_, columns);
  Operand is_whole = b_.prim(Op::kLe, ScalarType::kI64, {end, width_});
  Operand last = b_.sub(width_, Operand::ofI64(1));
  auto fill = [&](bool whole) {
    b_.forLoop("k", kZero, depth_, [&](Operand k) {
      auto cell = [&](Operand lane) {
        for (auto& [param, panel] : panels_) {
          size_t at = positionIn(product_.columns.map.params, param);
          Operand column = b_.add(first_column_, lane);
          if (!whole) column = b_.min(column, last);
          const ArrayRef& source = low_.array(product_.columns.inputs[at]);
          storeElement(b_, panel, {k, lane}, loadElement(b_, source, {column, k}));
        }
      };
      b_.forLoop("lane", kZero, columns, cell, Schedule::kVector, static_cast<int>(columns_));
    });
  };
  b_.ifThenElse(
      is_whole, [&] { fill(true); }, [&] { fill(false); });
}

void ProductTiles::lowerTile(Operand first_row) {
  const core::Reduction& reduction = product_.sum.reductions[0];
  ScalarType type = core_.type(product_.result).scalar;
  auto lanes = [&](Operand lane) {
    std::vector<VarId> sums;
    Operands rows;
    for (int64_t r = 0; r < kTileRows; ++r) {
      rows.push_back(b_.add(first_row, Operand::ofI64(r)));
      sums.push_back(b_.declare("acc", type, low_.scalar(reduction.neutral[0])));
    }
    VarId k = b_.program().addVar("k", ScalarType::kI64);
    Block body = b_.capture([&] {
      for (size_t r = 0; r < sums.size(); ++r) addProduct(rows[r], lane, k, sums[r]);
    });
    For loop{k, kZero, depth_, Schedule::kSequential, 1, std::move(body)};
    loop.contract = !target_.strict_floats && mayContract(core_, product_);
    b_.append(std::move(loop));
    Operand column = b_.add(first_column_, lane);
    Operand inside = b_.prim(Op::kLt, ScalarType::kI64, {column, width_});
    b_.ifThenElse(inside, [&] {
      for (size_t r = 0; r < sums.size(); ++r) finishCell(rows[r], column, sums[r]);
    });
  };
  b_.forLoop("lane", kZero, Operand::ofI64(columns_), lanes, Schedule::kVector,
             static_cast<int>(columns_));
}

// acc := op acc (f row[k] column[k])
void ProductTiles::addProduct(Operand row, Operand lane, Operand k, VarId sum) {
  for (size_t p = 0; p < product_.sum.inputs.size(); ++p) {
    ValueId input = product_.sum.inputs[p];
    size_t outer = positionIn(product_.rows.map.params, input);
    auto panel = panels_.find(input);
    Operand value;
    if (panel != panels_.end()) {
      value = loadElement(b_, panel->second, {k, lane});
    } else if (outer < product_.rows.inputs.size()) {
      value = loadElement(b_, low_.array(product_.rows.inputs[outer]), {row, k});
    } else {
      value = loadElement(b_, low_.array(input), {k});
    }
    env_.scalars[product_.sum.map.params[p]] = value;
  }
  Operand element = low_.body(product_.sum.map.body).scalars[0];
  const core::Lambda& op = product_.sum.reductions[0].op;
  env_.scalars[op.params[0]] = sum;
  env_.scalars[op.params[1]] = element;
  b_.assign(sum, low_.body(op.body).scalars[0]);
}

void ProductTiles::finishCell(Operand row, Operand column, VarId sum) {
  for (size_t p = 0; p < product_.rows.inputs.size(); ++p) {
    bindElement(b_, core_, env_, product_.rows.map.params[p], low_.array(product_.rows.inputs[p]),
                {row});
  }
  for (size_t p = 0; p < product_.columns.inputs.size(); ++p) {
    bindElement(b_, core_, env_, product_.columns.map.params[p],
                low_.array(product_.columns.inputs[p]), {column});
  }
  env_.scalars[product_.result] = sum;
  low_.cellBody(product_.rest, {row, column}, outputs_, 0);
}

}  // namespace halo::imp
