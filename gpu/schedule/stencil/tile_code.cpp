// Value numbering [Cocke, Schwartz 1970] over the cells of an invocation, then one walk backwards
// from their results.
#include "gpu/schedule/stencil/tile_code.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "gpu/schedule/stencil/reach.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {
namespace {

using core::ValueId;
using prim::ScalarType;

bool isVirtual(const core::Function& kernel, ValueId array) {
  return std::any_of(kernel.body.stms.begin(), kernel.body.stms.end(), [&](const core::Stm& stm) {
    return stm.results.size() == 1 && stm.results[0] == array &&
           (std::holds_alternative<core::Replicate>(stm.expr) ||
            std::holds_alternative<core::Iota>(stm.expr));
  });
}

int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// The number of a value, or a constant.
using Number = std::vector<uint64_t>;

class TileCode {
 public:
  TileCode(const core::Function& kernel, const RegisterTileSchedule& tile,
           const std::vector<int64_t>& offsets)
      : kernel_(kernel),
        stencil_(std::get<core::Stencil>(kernel.body.stms.back().expr)),
        tile_(tile),
        offsets_(offsets),
        rank_(stencil_.space.size()) {}

  size_t run() {
    std::vector<int64_t> outer(rank_ - 1);
    for (int64_t block = 0; block < tile_.blocks; ++block) {
      for (outer[0] = 0; outer[0] < tile_.rows; ++outer[0]) {
        if (rank_ == 2) {
          row(block, outer);
          continue;
        }
        for (outer[1] = 0; outer[1] < tile_.lines; ++outer[1]) row(block, outer);
      }
    }
    return countUsed();
  }

 private:
  struct Statement {
    uint64_t result;
    std::vector<Number> args;
  };

  // How far before the invocation's first column the cells of a row begin.
  int64_t begin(const std::vector<int64_t>& outer) const {
    int64_t cells = 0;
    for (size_t axis = 0; axis < offsets_.size(); ++axis) cells += offsets_[axis] * outer[axis];
    return cells - floorDiv(cells, tile_.columns) * tile_.columns;
  }

  void row(int64_t block, const std::vector<int64_t>& outer) {
    const int64_t first = -begin(outer);
    for (int64_t column = first; column < first + tile_.columns; ++column) {
      cell(block, outer, column);
    }
  }

  void cell(int64_t block, const std::vector<int64_t>& outer, int64_t column) {
    values_.clear();
    products_.clear();
    size_t param = 0;
    for (size_t w = 0; w < stencil_.windows.size(); ++w) {
      for (const std::vector<int64_t>& offset : stencil_.windows[w].offsets) {
        std::vector<int64_t> at = outer;
        for (size_t axis = 0; axis + 1 < rank_; ++axis) at[axis] += offset[axis];
        values_[stencil_.map.params[param++]] = neighbour({block, w, at, column, offset.back()});
      }
    }
    for (size_t k = 0; k < stencil_.inputs.size(); ++k) {
      values_[stencil_.map.params[param++]] =
          element({block, stencil_.windows.size() + k, outer, column, 0});
    }
    for (size_t axis : stencil_.positions) {
      values_[stencil_.map.params[param++]] =
          axis + 1 == rank_ ? place(block, column) : rowAt(axis, outer[axis]);
    }
    for (const core::Stm& stm : stencil_.map.body.stms) statement(stm);
    for (const core::Operand& result : stencil_.map.body.results) results_.push_back(of(result));
  }

  // The element `by` columns from a cell's column, in a row.
  struct Neighbour {
    int64_t block;
    size_t array;
    std::vector<int64_t> outer;
    int64_t column, by;
    auto operator<=>(const Neighbour&) const = default;
  };
  Number element(Neighbour at) {
    at.column += at.by;
    at.by = 0;
    auto [found, is_new] = elements_.try_emplace(at, 0);
    if (is_new) found->second = ++last_;
    return {found->second};
  }

  // A column, and a row along another axis, counted from the first of the invocation.
  Number place(int64_t of_block, int64_t of_column) {
    const auto column = static_cast<uint64_t>(of_column), block = static_cast<uint64_t>(of_block);
    return column == 0 ? Number{0, 1, block} : shared({kPlace, column, block}, {});
  }
  Number rowAt(size_t axis, int64_t row) {
    if (row == 0) return {0, 2, axis};
    return shared({kRow, axis, static_cast<uint64_t>(row)}, {});
  }

  // Cells that handle the ends of rows select the boundary's value.
  Number neighbour(const Neighbour& at) {
    const core::Window& window = stencil_.windows[at.array];
    if (isUniform(kernel_, window.array)) return {0, 0};
    Number own = element(at);
    if (at.by == 0 || tile_.ends != RegisterTileSchedule::Ends::kCells) return own;
    auto found = selected_.find(at);
    if (found != selected_.end()) return found->second;
    Neighbour nearer = at;
    nearer.by += at.by < 0 ? 1 : -1;
    const core::Boundary& boundary = window.boundary.back();
    const Number instead =
        boundary.kind == core::BoundaryKind::kConstant ? Number{0, 0} : neighbour(nearer);
    const Number there = place(at.block, at.column + at.by);
    const Number outside = shared({kOutside, at.by < 0 ? 1U : 0U, there[0], there.size()}, {there});
    return selected_[at] = added({outside, instead, own});
  }

  Number of(const core::Operand& operand) const {
    if (operand.isConstant()) return {0, operand.constant.bits};
    auto found = values_.find(operand.value);
    // Values that the cell does not make are the same in all cells.
    return found == values_.end() ? Number{0, operand.value.index, 1} : found->second;
  }

  void statement(const core::Stm& stm) {
    if (const auto* literal = std::get_if<core::Literal>(&stm.expr)) {
      values_[stm.results[0]] = {0, literal->value.bits};
      return;
    }
    if (const auto* prim = std::get_if<core::PrimOp>(&stm.expr)) return primitive(stm, *prim);
    std::vector<Number> args;
    core::forEachOperand(stm.expr, [&](const core::Operand& arg) { args.push_back(of(arg)); });
    values_[stm.results[0]] = added(std::move(args));
  }

  // A product and its sum are one statement where they may be (lang/imp/lower/lower_scalars.cpp).
  void primitive(const core::Stm& stm, const core::PrimOp& prim) {
    const bool may_fuse =
        prim.loose && (prim.type == ScalarType::kF32 || prim.type == ScalarType::kF64);
    std::vector<Number> args;
    for (const core::Operand& arg : prim.args) args.push_back(of(arg));
    auto text = [&](uint64_t op, const std::vector<Number>& operands) {
      std::vector<uint64_t> words = {op, static_cast<uint64_t>(prim.type)};
      for (const Number& number : operands) {
        words.push_back(number.size());
        words.insert(words.end(), number.begin(), number.end());
      }
      return words;
    };
    if (may_fuse && prim.op == prim::Op::kMul) products_[stm.results[0]] = args;
    if (may_fuse && prim.op == prim::Op::kAdd) {
      for (size_t k = 2; k-- > 0;) {
        auto product = products_.find(prim.args[k].value);
        if (prim.args[k].isConstant() || product == products_.end()) continue;
        std::vector<Number> factors = product->second;
        factors.push_back(args[1 - k]);
        values_[stm.results[0]] = shared(text(kFma, factors), factors);
        return;
      }
    }
    values_[stm.results[0]] = shared(text(kFirstOp + static_cast<uint64_t>(prim.op), args), args);
  }

  Number added(std::vector<Number> args) {
    statements_.push_back({++last_, std::move(args)});
    return {last_};
  }
  // The same statement for equal texts.
  Number shared(const std::vector<uint64_t>& text, std::vector<Number> args) {
    auto [found, is_new] = known_.try_emplace(text, 0);
    if (is_new) found->second = added(std::move(args))[0];
    return {found->second};
  }

  size_t countUsed() const {
    std::set<uint64_t> used;
    auto use = [&](const Number& number) {
      if (number[0] != 0) used.insert(number[0]);
    };
    for (const Number& result : results_) use(result);
    size_t count = 0;
    for (auto stm = statements_.rbegin(); stm != statements_.rend(); ++stm) {
      if (!used.contains(stm->result)) continue;
      ++count;
      for (const Number& arg : stm->args) use(arg);
    }
    return count;
  }

  static constexpr uint64_t kPlace = 0, kOutside = 1, kFma = 2, kRow = 3, kFirstOp = 4;

  const core::Function& kernel_;
  const core::Stencil& stencil_;
  const RegisterTileSchedule& tile_;
  const std::vector<int64_t>& offsets_;
  size_t rank_;
  uint64_t last_ = 0;  // number of a value
  std::map<Neighbour, uint64_t> elements_;
  std::map<Neighbour, Number> selected_;
  std::map<std::vector<uint64_t>, uint64_t> known_;
  std::unordered_map<ValueId, Number> values_;                 // of the cell at hand
  std::unordered_map<ValueId, std::vector<Number>> products_;  // factors
  std::vector<Statement> statements_;
  std::vector<Number> results_;
};

}  // namespace

bool isArithmetic(const core::Function& kernel, const core::Body& cell) {
  return std::all_of(cell.stms.begin(), cell.stms.end(), [&](const core::Stm& stm) {
    if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
      return isVirtual(kernel, index->array);
    }
    return std::holds_alternative<core::Literal>(stm.expr) ||
           std::holds_alternative<core::PrimOp>(stm.expr) ||
           std::holds_alternative<core::Convert>(stm.expr) ||
           std::holds_alternative<core::Select>(stm.expr);
  });
}

size_t tileCode(const core::Function& kernel, const RegisterTileSchedule& tile,
                const std::vector<int64_t>& offsets) {
  return TileCode(kernel, tile, offsets).run();
}

}  // namespace halo::gpu
