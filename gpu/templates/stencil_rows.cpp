// Every invocation loads each row that its cells need once, all neighbours of a row together, and
// keeps it in registers (GPU.md 10a). The ends of rows are minded where a row is loaded; rows that
// are outside as a whole are left to others. A row's loads stand before the arithmetic of the row
// before it, and arithmetic stands where its last row has come: so few rows are alive at a time.
#include "gpu/templates/stencil_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "lang/imp/boundary.h"
#include "lang/imp/operands.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int kLanes = 32;
constexpr int64_t kLargePlane = 600'000;  // cells of planes of which a cache holds no ten
constexpr size_t kLongest = 3000;         // statements: long code is slow code (GPU.md 1.11)
constexpr int64_t kFarthest = 64;         // neighbours further away share no rows

struct Span {
  int64_t lo = 0, hi = 0;  // of the offsets along an axis, 0 included
};
std::vector<Span> spansOf(const core::Stencil& stencil) {
  std::vector<Span> spans(stencil.space.size());
  for (const core::Window& window : stencil.windows) {
    for (const std::vector<int64_t>& offset : window.offsets) {
      for (size_t axis = 0; axis < offset.size(); axis++) {
        spans[axis].lo = std::min(spans[axis].lo, offset[axis]);
        spans[axis].hi = std::max(spans[axis].hi, offset[axis]);
      }
    }
  }
  return spans;
}

class Rows {
 public:
  Rows(Program& program, Builder& host, const KernelCall& call, const core::Stencil& stencil,
       const RowsShape& shape, bool minds_edges)
      : host_(host),
        call_(call),
        stencil_(stencil),
        shape_(shape),
        minds_edges_(minds_edges),
        rank_(stencil.space.size()),
        scope_(program, host, call,
               call.function.name + (shape.columns > 1 ? "_vectors" : "_rows") +
                   (minds_edges ? "_edges" : "")),
        code_(scope_.code()) {}

  bool run(const std::vector<Box>& boxes, const Operands& extents) {
    environment_ = scope_.environment();
    lowerPrefix(scope_, environment_, scope_.place(i64(1), [] { return i64(0); }));
    for (const Operand& extent : extents) extents_.push_back(scope_.scalar(extent));
    Operands groups = minds_edges_ ? findBox(boxes) : findTile(boxes[0]);
    findArrays();
    for (int64_t block = 0; block < shape_.blocks; block++) {
      columns_.push_back(firstColumn(block));
      addBodies(block);
    }
    if (!isArithmetic()) return false;
    shareValues();
    if (shape_.rows > 2 && statements() > kLongest) {
      is_too_long_ = true;
      return false;
    }
    emit();
    int workgroup[3] = {kLanes, static_cast<int>(shape_.tall), 1};
    if (minds_edges_) scope_.runBeside();
    scope_.launch(workgroup, groups);
    return true;
  }

  // Nothing has been emitted, because there would be too much of it.
  bool isTooLong() const { return is_too_long_; }

 private:
  // A piece of one row of one array, loaded at once; or an element.
  struct Piece {
    int64_t block;
    size_t array;                // window, or behind the windows input
    std::vector<int64_t> outer;  // offsets along all axes but the last, from the first cell
    int64_t column;              // of its first element
    auto operator<=>(const Piece&) const = default;
  };
  // Where a piece beside the invocation's own cells is: along the last axis rows have ends.
  struct Beside {
    Operand column;
    std::optional<Operand> outside;
  };
  struct CellCode {
    int64_t piece;
    Block block;
    std::vector<int64_t> outer;
    Results results;
    int64_t level = 0;  // the last row that it needs
  };

  // Invocations beyond the end do the last cells once more: no test, and the same bits.
  Operand atMost(const Operand& first, const Operand& origin, const Operand& size, int64_t own) {
    Operand last = code_.add(origin, code_.sub(size, i64(own)));
    return code_.max(code_.min(code_.add(origin, first), last), i64(0));
  }

  void findFirst(size_t axis, const Operand& number, int64_t own) {
    first_[axis] = atMost(code_.mul(number, i64(own)), origin_[axis], size_[axis], own);
  }

  void enter(const Box& box) {
    first_.resize(rank_);
    for (size_t axis = 0; axis < rank_; axis++) {
      origin_.push_back(scope_.scalar(box.origin[axis]));
      size_.push_back(scope_.scalar(box.size[axis]));
    }
  }

  Operand groupsAcross(const Operand& columns) {
    return groupsFor(host_, columns, kLanes * shape_.columns * shape_.blocks);
  }
  Operand groupsAlong(size_t axis, const Operand& size) {
    if (axis + 2 == rank_) return groupsFor(host_, size, shape_.tall * across(axis));
    return groupsFor(host_, size, shape_.rows);
  }
  // Cells of an invocation.
  int64_t across(size_t axis) const { return axis == 0 ? shape_.rows : shape_.lines; }

  // One box. The number of workgroups.
  Operands findTile(const Box& box) {
    enter(box);
    Operand columns = groupsAcross(box.size.back());
    Operand first = groupsAlong(0, box.size[0]);
    if (rank_ == 2) {
      findFirst(0, scope_.globalId(1), shape_.rows);
      return {columns, first, i64(1)};
    }
    Operand lines = groupsAlong(1, box.size[1]);
    if (shape_.slab == 0) {
      findFirst(0, scope_.globalId(2), shape_.rows);
      findFirst(1, scope_.globalId(1), shape_.lines);
      return {columns, lines, first};
    }
    // The first axis runs faster than slabs of the second do: what a slab has loaded stays in the
    // cache until its neighbours along the first axis want it.
    Operand cells = host_.mul(box.size[1], box.size[2]);
    Operand is_large = host_.prim(Op::kLe, ScalarType::kI64, {i64(kLargePlane), cells});
    Operand slab = host_.let("slab", ScalarType::kI64, Select{is_large, i64(shape_.slab), lines});
    slab = host_.min(lines, slab);
    Operand within = scope_.scalar(slab);
    Operand group = scope_.groupId(1);
    Operand of_slab = code_.prim(Op::kMachineRem, ScalarType::kI64, {group, within});
    findFirst(0, code_.prim(Op::kMachineDiv, ScalarType::kI64, {group, within}), shape_.rows);
    Operand line_group = code_.add(code_.mul(scope_.groupId(2), within), of_slab);
    Operand line = code_.add(code_.mul(line_group, i64(shape_.tall)), localRow());
    findFirst(1, line, shape_.lines);
    return {columns, host_.mul(first, slab), divideUp(host_, lines, slab)};
  }

  // The number of this invocation along the second dimension of the workgroup.
  Operand localRow() {
    Operand id = scope_.globalId(1);
    return code_.sub(id, code_.mul(scope_.groupId(1), i64(shape_.tall)));
  }

  // Several boxes, one behind the other along the second dimension of the grid.
  Operands findBox(const std::vector<Box>& boxes) {
    Operand total = i64(0), group = scope_.groupId(1), begin = i64(0);
    std::vector<Operands> counts;
    Operands begins;
    for (const Box& box : boxes) {
      begins.push_back(total);
      Operand first = groupsAlong(0, box.size[0]);
      counts.push_back({first});
      if (rank_ == 3) {
        Operand lines = groupsAlong(1, box.size[1]);
        counts.back().push_back(lines);
        first = host_.mul(first, lines);
      }
      total = host_.add(total, first);
    }
    enter(boxes[0]);
    Operand lines = rank_ == 3 ? scope_.scalar(counts[0][1]) : i64(1);
    for (size_t b = 1; b < boxes.size(); b++) {
      Operand start = scope_.scalar(begins[b]);
      Operand behind = code_.prim(Op::kLe, ScalarType::kI64, {start, group});
      auto choose = [&](Operand& chosen, const Operand& host) {
        Operand other = scope_.scalar(host);
        if (!(chosen == other)) {
          chosen = code_.let("chosen", ScalarType::kI64, Select{behind, other, chosen});
        }
      };
      choose(begin, begins[b]);
      if (rank_ == 3) choose(lines, counts[b][1]);
      for (size_t axis = 0; axis + 1 < rank_; axis++) {
        choose(origin_[axis], boxes[b].origin[axis]);
        choose(size_[axis], boxes[b].size[axis]);
      }
    }
    Operand number = code_.sub(group, begin);
    if (rank_ == 2) {
      Operand row = code_.add(code_.mul(number, i64(shape_.tall)), localRow());
      findFirst(0, row, shape_.rows);
    } else {
      Operand of_line = code_.prim(Op::kMachineRem, ScalarType::kI64, {number, lines});
      findFirst(0, code_.prim(Op::kMachineDiv, ScalarType::kI64, {number, lines}), shape_.rows);
      Operand line = code_.add(code_.mul(of_line, i64(shape_.tall)), localRow());
      findFirst(1, line, shape_.lines);
    }
    return {groupsAcross(boxes[0].size.back()), total, i64(1)};
  }

  void findArrays() {
    lane_ = scope_.localId();
    group_ = scope_.groupId();
    for (size_t w = 0; w < stencil_.windows.size(); w++) {
      arrays_.push_back(environment_.arrays.at(stencil_.windows[w].array));
    }
    for (core::ValueId input : stencil_.inputs) arrays_.push_back(environment_.arrays.at(input));
  }

  Operand firstColumn(int64_t block) {
    Operand piece = code_.add(code_.mul(group_, i64(shape_.blocks)), i64(block));
    Operand column = code_.add(code_.mul(piece, i64(kLanes)), lane_);
    return atMost(code_.mul(column, i64(shape_.columns)), origin_[rank_ - 1], size_[rank_ - 1],
                  shape_.columns);
  }

  // The variable that holds an element.
  Operand element(int64_t block, size_t array, const std::vector<int64_t>& outer, int64_t column) {
    int64_t own = floorDiv(column, shape_.columns) * shape_.columns;
    Piece piece{block, array, outer, own};
    auto [found, is_new] = loads_.try_emplace(piece);
    if (is_new) {
      for (int64_t k = 0; k < shape_.columns; k++) {
        found->second.push_back(code_.program().addVar("x", arrays_[array].type));
        level_[found->second.back()] = outer[0];
      }
    }
    return found->second[static_cast<size_t>(column - own)];
  }

  void addBodies(int64_t block) {
    std::vector<int64_t> outer(rank_ - 1);
    for (outer[0] = 0; outer[0] < shape_.rows; outer[0]++) {
      if (rank_ == 2) {
        addRow(block, outer);
        continue;
      }
      for (outer[1] = 0; outer[1] < shape_.lines; outer[1]++) addRow(block, outer);
    }
  }

  void addRow(int64_t block, const std::vector<int64_t>& outer) {
    for (int64_t column = 0; column < shape_.columns; column++) {
      size_t param = 0;
      for (size_t w = 0; w < stencil_.windows.size(); w++) {
        for (const std::vector<int64_t>& offset : stencil_.windows[w].offsets) {
          std::vector<int64_t> at = outer;
          for (size_t axis = 0; axis + 1 < rank_; axis++) at[axis] += offset[axis];
          environment_.scalars[stencil_.map.params[param++]] =
              element(block, w, at, column + offset[rank_ - 1]);
        }
      }
      for (size_t k = 0; k < stencil_.inputs.size(); k++) {
        environment_.scalars[stencil_.map.params[param++]] =
            element(block, stencil_.windows.size() + k, outer, column);
      }
      CellCode cell;
      cell.piece = block;
      cell.outer = outer;
      cell.block = code_.capture([&] {
        Place place = scope_.place(i64(1), [] { return i64(0); });
        cell.results = lowerBody(code_, scope_.core(), stencil_.map.body, environment_, place);
      });
      bodies_.push_back(std::move(cell));
    }
  }

  bool isArithmetic() const {
    return std::all_of(bodies_.begin(), bodies_.end(), [](const CellCode& cell) {
      return std::all_of(cell.block.begin(), cell.block.end(), [](const Stm& stm) {
        const auto* let = std::get_if<Let>(&stm.node);
        return let != nullptr && !std::holds_alternative<Load>(let->expr);
      });
    });
  }

  // Cells have sums in common (passes/share_sums): each is computed by the first that wants it.
  void shareValues() {
    std::map<Text, VarId> known;
    std::unordered_map<VarId, VarId> same;
    auto current = [&](const Operand& operand) -> Operand {
      auto found = operand.isConstant() ? same.end() : same.find(operand.var);
      return found == same.end() ? operand : Operand(found->second);
    };
    for (CellCode& cell : bodies_) {
      Block kept;
      for (Stm& stm : cell.block) {
        auto& let = std::get<Let>(stm.node);
        mapOperands(let.expr, current);
        auto text = textOf(let.expr);
        auto [found, is_new] =
            text ? known.try_emplace(*text, let.var) : std::pair(known.end(), true);
        if (is_new) {
          kept.push_back(std::move(stm));
        } else {
          same[let.var] = found->second;
        }
      }
      cell.block = std::move(kept);
      for (Operand& value : cell.results.scalars) value = current(value);
    }
    dropUnused();
  }

  size_t statements() const {
    size_t count = 0;
    for (const CellCode& cell : bodies_) count += cell.block.size();
    return count;
  }

  // Products that have been fused.
  void dropUnused() {
    std::set<VarId> used;
    auto use = [&](const Operand& operand) {
      if (!operand.isConstant()) used.insert(operand.var);
    };
    for (auto cell = bodies_.rbegin(); cell != bodies_.rend(); ++cell) {
      for (const Operand& value : cell->results.scalars) use(value);
    }
    for (auto cell = bodies_.rbegin(); cell != bodies_.rend(); ++cell) {
      Block kept;
      for (auto stm = cell->block.rbegin(); stm != cell->block.rend(); ++stm) {
        const auto& let = std::get<Let>(stm->node);
        if (!used.contains(let.var)) continue;
        for (const Operand& operand : operandsOf(let.expr)) use(operand);
        kept.push_back(std::move(*stm));
      }
      std::reverse(kept.begin(), kept.end());
      cell->block = std::move(kept);
    }
  }

  // What tells arithmetic from other arithmetic.
  using Text = std::vector<uint64_t>;
  static std::optional<Text> textOf(const Expr& expr) {
    Text text = {expr.index()};
    if (const auto* prim = std::get_if<Prim>(&expr)) {
      text.push_back(static_cast<uint64_t>(prim->op));
      text.push_back(static_cast<uint64_t>(prim->type));
    } else if (const auto* fma = std::get_if<Fma>(&expr)) {
      text.push_back(static_cast<uint64_t>(fma->type));
    } else {
      return std::nullopt;
    }
    for (const Operand& operand : operandsOf(expr)) {
      text.push_back(operand.isConstant() ? 0 : operand.var.index + uint64_t{1});
      text.push_back(operand.isConstant() ? operand.constant.bits : 0);
    }
    return text;
  }

  int64_t levelOf(const Operand& operand, int64_t least) const {
    if (operand.isConstant()) return least;
    auto found = level_.find(operand.var);
    return found == level_.end() ? least : std::max(least, found->second);
  }

  void emit() {
    std::set<int64_t> rows;
    for (const auto& [piece, vars] : loads_) rows.insert(piece.outer[0]);
    int64_t lowest = rows.empty() ? 0 : *rows.begin();
    int64_t highest = rows.empty() ? 0 : *rows.rbegin();
    for (CellCode& cell : bodies_) {
      for (const Stm& stm : cell.block) {
        int64_t level = lowest;
        const auto& let = std::get<Let>(stm.node);
        for (const Operand& operand : operandsOf(let.expr)) level = levelOf(operand, level);
        level_[let.var] = level;
      }
      cell.level = lowest;
      for (const Operand& value : cell.results.scalars) cell.level = levelOf(value, cell.level);
    }
    int64_t ahead = std::min(shape_.ahead, highest - lowest + 1);
    for (int64_t row = lowest; row < lowest + ahead; row++) load(row);
    for (int64_t row = lowest; row <= highest; row++) {
      load(row + ahead);
      for (const CellCode& cell : bodies_) {
        for (const Stm& stm : cell.block) {
          if (level_.at(std::get<Let>(stm.node).var) == row) code_.append(stm.node);
        }
      }
      store(row);
    }
  }

  Operand indexOf(const ArrayRef& array, const Operands& at) {
    Operand index = array.offset;
    for (size_t axis = 0; axis < rank_; axis++) {
      index = code_.add(index, code_.mul(at[axis], array.strides[axis]));
    }
    return index;
  }

  // A window's piece beside the own cells; the same for every row.
  const Beside& placeOf(const Piece& piece, const core::Boundary& boundary) {
    auto [found, is_new] = places_.try_emplace({piece.block, boundary.kind, piece.column});
    if (!is_new) return found->second;
    const Operand& first = columns_[static_cast<size_t>(piece.block)];
    const Operand& extent = extents_[rank_ - 1];
    if (shape_.columns == 1) {
      Neighbour at = neighbourAt(code_, boundary, first, i64(piece.column), extent);
      return found->second = {at.index, at.outside};
    }
    // Vectors are outside as a whole: rows are whole vectors.
    bool left = piece.column < 0;
    Operand at = code_.add(first, i64(piece.column));
    Operand outside = left ? code_.prim(Op::kLt, ScalarType::kI64, {at, i64(0)})
                           : code_.prim(Op::kLe, ScalarType::kI64, {extent, at});
    Operand last = code_.sub(extent, i64(shape_.columns));
    Operand other = left ? i64(0) : last;
    if (boundary.kind == core::BoundaryKind::kWrap) {
      other = left ? code_.add(at, extent) : code_.sub(at, extent);
    } else if (boundary.kind == core::BoundaryKind::kMirror) {
      Operand mirrored = code_.sub(i64(-shape_.columns), at);
      other = left ? mirrored : code_.add(code_.add(extent, extent), mirrored);
    }
    Operand column = code_.let("column", ScalarType::kI64, Select{outside, other, at});
    return found->second = {column, outside};
  }

  // Of a window's row that may be outside: where it is instead, and whether a constant is.
  const Neighbour& rowAt(const core::Boundary& boundary, size_t axis, int64_t offset) {
    auto [found, is_new] = rows_.try_emplace({axis, boundary.kind, offset});
    if (is_new) {
      found->second = neighbourAt(code_, boundary, first_[axis], i64(offset), extents_[axis]);
    }
    return found->second;
  }

  void load(int64_t row) {
    for (const auto& [piece, vars] : loads_) {
      if (piece.outer[0] == row) load(piece, vars);
    }
  }

  void load(const Piece& piece, const std::vector<VarId>& vars) {
    const ArrayRef& array = arrays_[piece.array];
    Operands at;
    for (size_t axis = 0; axis + 1 < rank_; axis++) {
      at.push_back(code_.add(first_[axis], i64(piece.outer[axis])));
    }
    at.push_back(columns_[static_cast<size_t>(piece.block)]);
    if (piece.array >= stencil_.windows.size()) return loadInto(vars, array, indexOf(array, at));
    const std::vector<core::Boundary>& boundary = stencil_.windows[piece.array].boundary;
    // By axis, the last one first: the outermost that is outside decides.
    std::vector<std::pair<Operand, size_t>> outside;
    if (piece.column != 0) {
      Beside place = placeOf(piece, boundary.back());
      at.back() = place.column;
      bool is_other = place.outside && boundary.back().kind != core::BoundaryKind::kWrap;
      if (is_other) outside.emplace_back(*place.outside, rank_ - 1);
    }
    for (size_t axis = rank_ - 1; minds_edges_ && axis-- > 0;) {
      const Neighbour& neighbour = rowAt(boundary[axis], axis, piece.outer[axis]);
      at[axis] = neighbour.index;
      if (neighbour.outside) outside.emplace_back(*neighbour.outside, axis);
    }
    if (outside.empty()) return loadInto(vars, array, indexOf(array, at));
    std::vector<VarId> raw;
    for (size_t k = 0; k < vars.size(); k++) {
      raw.push_back(code_.program().addVar("raw", array.type));
    }
    loadInto(raw, array, indexOf(array, at));
    for (size_t k = 0; k < vars.size(); k++) {
      Operand value = raw[k];
      for (size_t n = 0; n < outside.size(); n++) {
        const auto& [is_outside, axis] = outside[n];
        Operand instead = axis + 1 == rank_
                              ? outsideValue(boundary.back(), raw, k, piece.column < 0)
                              : operandOf(environment_, boundary[axis].value);
        VarId next = n + 1 == outside.size() ? vars[k] : code_.program().addVar("x", array.type);
        code_.append(Let{next, Select{is_outside, instead, value}});
        value = next;
      }
    }
  }

  Operand outsideValue(const core::Boundary& boundary, const std::vector<VarId>& raw, size_t k,
                       bool left) const {
    switch (boundary.kind) {
      case core::BoundaryKind::kClamp:
        return left ? raw.front() : raw.back();
      case core::BoundaryKind::kMirror:
        return raw[raw.size() - 1 - k];
      case core::BoundaryKind::kConstant:
        return operandOf(environment_, boundary.value);
      case core::BoundaryKind::kWrap:
        break;
    }
    return raw[k];
  }

  void loadInto(const std::vector<VarId>& vars, const ArrayRef& array, const Operand& at) {
    if (shape_.columns > 1) {
      code_.append(LoadVector{vars, array.buffer, at});
    } else {
      code_.append(Let{vars[0], Load{array.buffer, at}});
    }
  }

  // Rows whose cells are complete now.
  void store(int64_t row) {
    for (size_t first = 0; first < bodies_.size(); first += static_cast<size_t>(shape_.columns)) {
      int64_t level = bodies_[first].level;
      for (int64_t k = 1; k < shape_.columns; k++) {
        level = std::max(level, bodies_[first + static_cast<size_t>(k)].level);
      }
      if (level != row) continue;
      for (size_t result = 0; result < call_.results.size(); result++) storeRow(first, result);
    }
  }

  void storeRow(size_t first, size_t result) {
    ArrayRef target = scope_.array(call_.results[result]);
    const CellCode& cell = bodies_[first];
    Operands cells;
    for (size_t axis = 0; axis + 1 < rank_; axis++) {
      cells.push_back(code_.add(first_[axis], i64(cell.outer[axis])));
    }
    cells.push_back(columns_[static_cast<size_t>(cell.piece)]);
    Operand at = indexOf(target, cells);
    if (shape_.columns == 1) {
      code_.store(target.buffer, at, bodies_[first].results.scalars[result]);
      return;
    }
    StoreVector store{target.buffer, at, {}};
    for (int64_t k = 0; k < shape_.columns; k++) {
      store.values.push_back(bodies_[first + static_cast<size_t>(k)].results.scalars[result]);
    }
    code_.append(std::move(store));
  }

  Builder& host_;
  const KernelCall& call_;
  const core::Stencil& stencil_;
  const RowsShape& shape_;
  bool minds_edges_;  // of all axes; else of the last one alone
  size_t rank_;
  KernelScope scope_;
  Builder& code_;
  Environment environment_;
  Operands extents_;
  Operands origin_, size_;  // of the box
  Operands first_;          // the invocation's first cell, all axes but the last
  Operands columns_;        // its first column, by block
  Operand lane_, group_;
  std::vector<ArrayRef> arrays_;  // of the windows, then of the inputs
  std::map<Piece, std::vector<VarId>> loads_;
  std::map<std::tuple<int64_t, core::BoundaryKind, int64_t>, Beside> places_;
  std::map<std::tuple<size_t, core::BoundaryKind, int64_t>, Neighbour> rows_;
  std::unordered_map<VarId, int64_t> level_;  // the row with which a variable is known
  std::vector<CellCode> bodies_;
  bool is_too_long_ = false;
};

// Whether vectors may be loaded from it, if rows are whole vectors.
bool isPlain(const ArrayRef& array) {
  return !array.isVirtual() && array.dense && array.offset == i64(0);
}

}  // namespace

std::optional<RowsShape> rowsShape(const KernelCall& call, const core::Stencil& stencil,
                                   bool vectors) {
  size_t rank = stencil.space.size();
  if (rank < 2) return std::nullopt;
  int64_t points = 0, bytes = 0;
  bool plain = true, same = true;
  auto note = [&](const ArrayRef& array) {
    int64_t size = prim::byteSize(array.type);
    same = same && (bytes == 0 || bytes == size);
    bytes = size;
    plain = plain && isPlain(array);
  };
  for (const core::Window& window : stencil.windows) {
    if (!window.dynamic.empty()) return std::nullopt;
    auto found = call.arguments.arrays.find(window.array);
    if (found == call.arguments.arrays.end() || found->second.isVirtual()) return std::nullopt;
    for (const std::vector<int64_t>& offset : window.offsets) {
      for (int64_t by : offset) {
        if (by > kFarthest || by < -kFarthest) return std::nullopt;
      }
    }
    points += static_cast<int64_t>(window.offsets.size());
    note(found->second);
  }
  for (core::ValueId input : stencil.inputs) {
    auto found = call.arguments.arrays.find(input);
    bool fits = found != call.arguments.arrays.end() && !found->second.isVirtual() &&
                found->second.shape.size() == rank;
    if (!fits) return std::nullopt;
    note(found->second);
  }
  for (const core::Operand& result : stencil.map.body.results) {
    if (!call.core.type(result).isScalar()) return std::nullopt;
  }
  for (const ArrayRef& result : call.results) note(result);
  RowsShape shape;
  if (vectors) {
    if (!plain || !same || bytes < 4) return std::nullopt;
    shape.columns = 16 / bytes;
  }
  std::vector<Span> spans = spansOf(stencil);
  int64_t reach = std::max(-spans[0].lo, spans[0].hi);
  if (rank == 3) {
    shape.rows = 4;
    shape.lines = points > 7 ? 2 : 1;
  } else if (reach <= 2) {
    shape.rows = points > 9 ? 4 : 2;
  } else if (reach <= 4) {
    shape.rows = points > 30 ? 8 : 4;
  } else {
    shape.rows = reach < 12 ? 8 : 4;
  }
  // Bytes under way hide the latency, registers end.
  shape.ahead = !vectors || (rank == 2 && shape.rows == 4) ? 12 : rank == 3 ? 3 : 2;
  shape.tall = shape.lines > 1 ? 4 : 8;
  if (rank == 2 && vectors && points > 9) shape.tall = 4;
  if (rank == 2 && vectors && points > 30 && reach <= 4) shape.ahead = 1;
  if (!vectors && rank == 3) {
    shape.lines = 2;
    shape.ahead = shape.tall = 4;
  }
  if (!vectors && rank == 2 && points > 9) {
    shape.rows = 8;
    shape.tall = 4;
  }
  if (!vectors && rank == 2) {
    shape.rows = std::max<int64_t>(shape.rows, 4);
    shape.blocks = 2;
  }
  // Three planes and more on each side do not stay in the cache while others are walked.
  if (rank == 3 && reach > 2) shape.slab = 32;
  shape.rows = call.variants.number("rows", 0, shape.rows);
  if (rank == 3) shape.lines = call.variants.number("rows", 1, shape.lines);
  shape.ahead = call.variants.number("rows", 2, shape.ahead);
  shape.tall = call.variants.number("rows", 3, shape.tall);
  shape.slab = call.variants.number("rows", 4, shape.slab);
  return shape;
}

Box rowsInterior(Builder& host, const core::Stencil& stencil, const Operands& extents) {
  std::vector<Span> spans = spansOf(stencil);
  Box interior;
  for (size_t axis = 0; axis < extents.size(); axis++) {
    bool is_last = axis + 1 == extents.size();
    Operand before = i64(is_last ? 0 : -spans[axis].lo);
    Operand end = host.sub(extents[axis], i64(is_last ? 0 : spans[axis].hi));
    interior.origin.push_back(before);
    interior.size.push_back(host.max(host.sub(end, before), i64(0)));
  }
  return interior;
}

namespace {

// What surrounds the interior, axis by axis; along the last one it is whole.
std::vector<Box> boxesAround(Builder& host, const Box& interior, const Operands& extents) {
  std::vector<Box> boxes;
  Box rest{Operands(extents.size(), i64(0)), extents};
  for (size_t axis = 0; axis + 1 < extents.size(); axis++) {
    Box before = rest, behind = rest;
    before.size[axis] = interior.origin[axis];
    behind.origin[axis] = host.add(interior.origin[axis], interior.size[axis]);
    behind.size[axis] = host.sub(extents[axis], behind.origin[axis]);
    for (const Box& box : {before, behind}) {
      if (!(box.size[axis] == i64(0))) boxes.push_back(box);
    }
    rest.origin[axis] = interior.origin[axis];
    rest.size[axis] = interior.size[axis];
  }
  return boxes;
}

}  // namespace

int64_t reachAlongRows(const core::Stencil& stencil) {
  Span span = spansOf(stencil).back();
  return std::max(-span.lo, span.hi);
}

bool emitRows(Program& program, Builder& host, const KernelCall& call, const core::Stencil& stencil,
              RowsShape shape, const Operands& extents) {
  Box interior = rowsInterior(host, stencil, extents);
  for (bool made = false; !made;) {
    Rows rows(program, host, call, stencil, shape, false);
    made = rows.run({interior}, extents);
    if (!made && !rows.isTooLong()) return false;
    if (!made) shape.rows /= 2;
  }
  std::vector<Box> edges = boxesAround(host, interior, extents);
  if (edges.empty()) return true;
  RowsShape thin = shape;
  thin.slab = 0;
  std::vector<Span> spans = spansOf(stencil);
  auto reach = [&](size_t axis) { return std::max<int64_t>({1, -spans[axis].lo, spans[axis].hi}); };
  thin.rows = std::min(shape.rows, reach(0));
  if (extents.size() == 3) thin.lines = std::min(shape.lines, reach(1));
  return Rows(program, host, call, stencil, thin, true).run(edges, extents);
}

}  // namespace halo::gpu
