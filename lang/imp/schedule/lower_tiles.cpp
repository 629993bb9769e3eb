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
#include <algorithm>
#include <unordered_set>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/lowering.h"
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

}  // namespace

// One redomap, and scalars that are not needed by it.
std::optional<Lowering::Product> Lowering::asProduct(const core::Screma& rows) const {
  if (!place_.vectorise || in_lanes_ || !isMap(rows)) return std::nullopt;
  const core::Body& outer = rows.map.body;
  if (outer.stms.size() != 1) return std::nullopt;
  const auto* columns = std::get_if<core::Screma>(&outer.stms[0].expr);
  if (columns == nullptr || !isMap(*columns)) return std::nullopt;
  if (outer.results.size() != outer.stms[0].results.size()) return std::nullopt;
  for (size_t k = 0; k < outer.results.size(); k++) {
    if (outer.results[k] != core::Operand(outer.stms[0].results[k])) return std::nullopt;
  }
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
  if (!hasScalarBodies(found) || !reusesBoth(found)) return std::nullopt;
  return found;
}

bool Lowering::hasScalarBodies(const Product& product) const {
  const core::Lambda& op = product.sum.reductions[0].op;
  if (op.params.size() != 2 || !core_.type(op.params[0]).isScalar()) return false;
  if (!isSimple(core_, op.body) || !isSimple(core_, product.sum.map.body)) return false;
  if (!isSimple(core_, product.rest)) return false;
  auto isIndex = [](const core::Stm& stm) { return std::holds_alternative<core::Index>(stm.expr); };
  const std::vector<core::Stm>& cell = product.sum.map.body.stms;
  if (std::any_of(cell.begin(), cell.end(), isIndex)) return false;
  return std::all_of(product.rest.results.begin(), product.rest.results.end(),
                     [&](const core::Operand& o) { return core_.type(o).isScalar(); });
}

// Each array that is summed over is a row, a column or the same for all. There are both of the
// first two, and nothing else in the sum depends on its place.
bool Lowering::reusesBoth(const Product& product) const {
  bool has_row = false, has_column = false;
  auto isKnown = [&](const core::Operand& o) {
    return o.isConstant() || env_.scalars.contains(o.value);
  };
  for (ValueId input : product.sum.inputs) {
    size_t row = positionIn(product.rows.map.params, input);
    size_t column = positionIn(product.columns.map.params, input);
    if (row < product.rows.inputs.size()) {
      has_row = true;
    } else if (column < product.columns.inputs.size()) {
      has_column = true;
      if (!env_.arrays.contains(product.columns.inputs[column])) return false;
    } else if (!env_.arrays.contains(input)) {
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
    for (ValueId used : core::freeValues(core_, *code)) {
      if (!env_.scalars.contains(used) || of_cells.contains(used)) return false;
    }
  }
  const core::Operand& neutral = product.sum.reductions[0].neutral[0];
  return has_row && has_column && isKnown(neutral) && isKnown(product.sum.width) &&
         isKnown(product.columns.width);
}

// One tiling while it is lowered.
struct Lowering::Tiles {
  const Product& product;
  const std::vector<ArrayRef>& outputs;
  int64_t columns = 0;                 // of a tile
  Operand width, depth;                // of the result; of the sum
  std::map<ValueId, ArrayRef> panels;  // by parameter of the columns' map
  Operand first_column;
};

// Rows that make whole tiles; returns their number. The remaining rows are the caller's.
Operand Lowering::lowerTiles(const Product& product, const std::vector<ArrayRef>& outputs) {
  Operand rows = Operand::ofI64(kTileRows);
  Operand whole = b_.prim(Op::kMachineDiv, ScalarType::kI64, {scalar(product.rows.width), rows});
  Tiles tiles{product, outputs, 0, scalar(product.columns.width), scalar(product.sum.width),
              {},      {}};
  int widest = 4;
  for (ValueId param : product.sum.map.params) {
    widest = std::max(widest, prim::byteSize(core_.type(param).scalar));
  }
  tiles.columns = kTileBytes / widest;
  Operand columns = Operand::ofI64(tiles.columns);
  for (ValueId input : product.sum.inputs) {
    size_t column = positionIn(product.columns.map.params, input);
    if (column == product.columns.map.params.size()) continue;
    tiles.panels[input] = fresh("panel", core_.type(input).scalar, {tiles.depth, columns});
  }
  Operand rounded = b_.add(tiles.width, Operand::ofI64(tiles.columns - 1));
  Operand panels = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, columns});
  Operand some = b_.prim(Op::kLt, ScalarType::kI64, {kZero, whole});
  b_.ifThenElse(some, [&] {
    b_.forLoop("panel", kZero, panels, [&](Operand panel) {
      tiles.first_column = b_.mul(panel, columns);
      fillPanels(tiles);
      parallelLoop("tile", kZero, whole,
                   [&](Operand tile) { lowerTile(tiles, b_.mul(tile, rows)); });
    });
  });
  return b_.mul(whole, rows);
}

// Columns behind the last one repeat it: their results are not stored.
void Lowering::fillPanels(Tiles& tiles) {
  Operand columns = Operand::ofI64(tiles.columns);
  Operand end = b_.add(tiles.first_column, columns);
  Operand is_whole = b_.prim(Op::kLe, ScalarType::kI64, {end, tiles.width});
  Operand last = b_.sub(tiles.width, Operand::ofI64(1));
  auto fill = [&](bool whole) {
    b_.forLoop("k", kZero, tiles.depth, [&](Operand k) {
      auto cell = [&](Operand lane) {
        for (auto& [param, panel] : tiles.panels) {
          size_t at = positionIn(tiles.product.columns.map.params, param);
          Operand column = b_.add(tiles.first_column, lane);
          if (!whole) column = b_.min(column, last);
          const ArrayRef& source = array(tiles.product.columns.inputs[at]);
          storeElement(b_, panel, {k, lane}, loadElement(b_, source, {column, k}));
        }
      };
      b_.forLoop("lane", kZero, columns, cell, Schedule::kVector, static_cast<int>(tiles.columns));
    });
  };
  b_.ifThenElse(
      is_whole, [&] { fill(true); }, [&] { fill(false); });
}

void Lowering::lowerTile(Tiles& tiles, Operand first_row) {
  const Product& product = tiles.product;
  const core::Reduction& reduction = product.sum.reductions[0];
  ScalarType type = core_.type(product.result).scalar;
  auto lanes = [&](Operand lane) {
    std::vector<VarId> sums;
    Operands rows;
    for (int64_t r = 0; r < kTileRows; r++) {
      rows.push_back(b_.add(first_row, Operand::ofI64(r)));
      sums.push_back(b_.declare("acc", type, scalar(reduction.neutral[0])));
    }
    VarId k = b_.program().addVar("k", ScalarType::kI64);
    Block body = b_.capture([&] {
      for (size_t r = 0; r < sums.size(); r++) addProduct(tiles, rows[r], lane, k, sums[r]);
    });
    For loop{k, kZero, tiles.depth, Schedule::kSequential, 1, std::move(body)};
    loop.contract = !place_.strict_floats && mayContract(product);
    b_.append(std::move(loop));
    Operand column = b_.add(tiles.first_column, lane);
    Operand inside = b_.prim(Op::kLt, ScalarType::kI64, {column, tiles.width});
    b_.ifThenElse(inside, [&] {
      for (size_t r = 0; r < sums.size(); r++) finishCell(tiles, rows[r], column, sums[r]);
    });
  };
  b_.forLoop("lane", kZero, Operand::ofI64(tiles.columns), lanes, Schedule::kVector,
             static_cast<int>(tiles.columns));
}

// acc := op acc (f row[k] column[k])
void Lowering::addProduct(Tiles& tiles, Operand row, Operand lane, Operand k, VarId sum) {
  const Product& product = tiles.product;
  for (size_t p = 0; p < product.sum.inputs.size(); p++) {
    ValueId input = product.sum.inputs[p];
    size_t outer = positionIn(product.rows.map.params, input);
    auto panel = tiles.panels.find(input);
    Operand value;
    if (panel != tiles.panels.end()) {
      value = loadElement(b_, panel->second, {k, lane});
    } else if (outer < product.rows.inputs.size()) {
      value = loadElement(b_, array(product.rows.inputs[outer]), {row, k});
    } else {
      value = loadElement(b_, array(input), {k});
    }
    env_.scalars[product.sum.map.params[p]] = value;
  }
  Operand element = body(product.sum.map.body).scalars[0];
  const core::Lambda& op = product.sum.reductions[0].op;
  env_.scalars[op.params[0]] = sum;
  env_.scalars[op.params[1]] = element;
  b_.assign(sum, body(op.body).scalars[0]);
}

void Lowering::finishCell(Tiles& tiles, Operand row, Operand column, VarId sum) {
  const Product& product = tiles.product;
  for (size_t p = 0; p < product.rows.inputs.size(); p++) {
    bindElement(b_, core_, env_, product.rows.map.params[p], array(product.rows.inputs[p]), {row});
  }
  for (size_t p = 0; p < product.columns.inputs.size(); p++) {
    bindElement(b_, core_, env_, product.columns.map.params[p], array(product.columns.inputs[p]),
                {column});
  }
  env_.scalars[product.result] = sum;
  cellBody(product.rest, {row, column}, tiles.outputs, 0);
}

// language.md#semantics: only the multiplication that is summed joins the addition.
bool Lowering::mayContract(const Product& product) const {
  auto add = core::asPrimitive(core_, product.sum.reductions[0].op);
  const core::Body& map = product.sum.map.body;
  if (!add || add->first != Op::kAdd || map.stms.size() != 1) return false;
  const auto* mul = std::get_if<core::PrimOp>(&map.stms[0].expr);
  return mul != nullptr && mul->op == Op::kMul && prim::isFloat(mul->type);
}

}  // namespace halo::imp
