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
constexpr int64_t kFarthest = 64;  // neighbours further away share no rows

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
       const RowsShape& shape)
      : host_(host),
        call_(call),
        stencil_(stencil),
        shape_(shape),
        rank_(stencil.space.size()),
        scope_(program, host, call,
               call.function.name + (shape.columns > 1 ? "_vectors" : "_rows")),
        code_(scope_.code()) {}

  bool run(const Box& interior) {
    if (shape_.lines > 1) tall_ = 4;
    environment_ = scope_.environment();
    lowerPrefix(scope_, environment_, scope_.place(i64(1), [] { return i64(0); }));
    findCells(interior);
    for (int64_t block = 0; block < shape_.blocks; block++) {
      columns_.push_back(firstColumn(block));
      addBodies(block);
    }
    if (!isArithmetic()) return false;
    emit();
    int64_t width = kLanes * shape_.columns * shape_.blocks;
    Operands groups;
    groups.push_back(groupsFor(host_, interior.size[rank_ - 1], width));
    if (rank_ == 2) {
      groups.push_back(groupsFor(host_, interior.size[0], tall_ * shape_.rows));
      groups.push_back(i64(1));
    } else {
      groups.push_back(groupsFor(host_, interior.size[1], tall_ * shape_.lines));
      groups.push_back(groupsFor(host_, interior.size[0], shape_.rows));
    }
    int workgroup[3] = {kLanes, tall_, 1};
    scope_.launch(workgroup, groups);
    return true;
  }

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

  void findCells(const Box& interior) {
    first_.resize(rank_);
    for (size_t axis = 0; axis < rank_; axis++) {
      origin_.push_back(scope_.scalar(interior.origin[axis]));
      size_.push_back(scope_.scalar(interior.size[axis]));
    }
    Operand row = scope_.globalId(rank_ == 2 ? 1 : 2);
    first_[0] = atMost(code_.mul(row, i64(shape_.rows)), origin_[0], size_[0], shape_.rows);
    if (rank_ == 3) {
      Operand line = scope_.globalId(1);
      first_[1] = atMost(code_.mul(line, i64(shape_.lines)), origin_[1], size_[1], shape_.lines);
    }
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
    int64_t ahead = rowsAhead(highest - lowest + 1);
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

  // Rows loaded before they are needed: bytes under way hide the latency, registers end.
  int64_t rowsAhead(int64_t rows) const {
    if (shape_.columns == 1) return std::min<int64_t>(rows, 12);
    if (rank_ == 3) return 3;
    return shape_.rows == 4 ? std::min<int64_t>(rows, 12) : 2;
  }

  Operand indexOf(const ArrayRef& array, const std::vector<int64_t>& outer, const Operand& column) {
    Operand at = array.offset;
    for (size_t axis = 0; axis < rank_; axis++) {
      Operand index = axis + 1 < rank_ ? code_.add(first_[axis], i64(outer[axis])) : column;
      at = code_.add(at, code_.mul(index, array.strides[axis]));
    }
    return at;
  }

  // A window's piece beside the own cells; the same for every row.
  const Beside& placeOf(const Piece& piece, const core::Boundary& boundary) {
    auto [found, is_new] = places_.try_emplace({piece.block, boundary.kind, piece.column});
    if (!is_new) return found->second;
    const Operand& first = columns_[static_cast<size_t>(piece.block)];
    const Operand& extent = size_[rank_ - 1];
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

  void load(int64_t row) {
    for (const auto& [piece, vars] : loads_) {
      if (piece.outer[0] != row) continue;
      const ArrayRef& array = arrays_[piece.array];
      const Operand& first = columns_[static_cast<size_t>(piece.block)];
      if (piece.column == 0) {
        loadInto(vars, array, indexOf(array, piece.outer, first));
        continue;
      }
      const core::Boundary& boundary = stencil_.windows[piece.array].boundary[rank_ - 1];
      Beside place = placeOf(piece, boundary);
      Operand at = indexOf(array, piece.outer, place.column);
      if (!place.outside || boundary.kind == core::BoundaryKind::kWrap) {
        loadInto(vars, array, at);
        continue;
      }
      std::vector<VarId> raw;
      for (size_t k = 0; k < vars.size(); k++) {
        raw.push_back(code_.program().addVar("raw", array.type));
      }
      loadInto(raw, array, at);
      for (size_t k = 0; k < vars.size(); k++) {
        Operand instead = outsideValue(boundary, raw, k, piece.column < 0);
        code_.append(Let{vars[k], Select{*place.outside, instead, Operand(raw[k])}});
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
    Operand at = indexOf(target, cell.outer, columns_[static_cast<size_t>(cell.piece)]);
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
  size_t rank_;
  KernelScope scope_;
  Builder& code_;
  Environment environment_;
  Operands origin_, size_;  // of the interior
  Operands first_;          // the invocation's first cell, all axes but the last
  Operands columns_;        // its first column, by block
  int tall_ = 8;            // rows of a workgroup
  Operand lane_, group_;
  std::vector<ArrayRef> arrays_;  // of the windows, then of the inputs
  std::map<Piece, std::vector<VarId>> loads_;
  std::map<std::tuple<int64_t, core::BoundaryKind, int64_t>, Beside> places_;
  std::unordered_map<VarId, int64_t> level_;  // the row with which a variable is known
  std::vector<CellCode> bodies_;
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
  // Long code is slow code (GPU.md 1.11).
  while (shape.rows > 2 && points * shape.rows * shape.columns > 3000) shape.rows /= 2;
  if (!vectors && rank == 2) {
    shape.rows = std::max<int64_t>(shape.rows, 4);
    shape.blocks = 2;
  }
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

int64_t reachAlongRows(const core::Stencil& stencil) {
  Span span = spansOf(stencil).back();
  return std::max(-span.lo, span.hi);
}

bool emitRows(Program& program, Builder& host, const KernelCall& call, const core::Stencil& stencil,
              const RowsShape& shape, const Box& interior) {
  return Rows(program, host, call, stencil, shape).run(interior);
}

}  // namespace halo::gpu
