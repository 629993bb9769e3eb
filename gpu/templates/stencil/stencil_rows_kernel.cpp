// Every invocation loads each row that its cells need once, all neighbours of a row together, and
// keeps it in registers (gpu.md#register-tile). Ends of rows are handled at their load; rows that
// are outside as a whole are left to others. A row's loads stand before the arithmetic of the row
// before it, and arithmetic stands where its last row has come. So few rows are live at a time.
//
// Unaligned rows are not whole vectors: each begins at another offset in its first one. The cells
// of an invocation begin in each of its rows where a vector does (width 4k + 1, vectors in
// brackets):
//
//   row 0   0 1 2 3 [4 5 6 7]  8 9 ..     first row of four: a multiple of 4, so that places
//   row 1   0 1 2 [3 4 5 6] 7  8 9 ..     are known when the kernel is made. The ends of rows
//   row 2   0 1 [2 3 4 5] 6 7  8 9 ..     are handled at each neighbour and store, or left to
//                                         others as well.
#include "gpu/templates/stencil/stencil_rows_kernel.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "gpu/schedule/stencil/reach.h"
#include "gpu/templates/kernel/guarded_stores.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/stencil/stencil_rows_cells.h"
#include "gpu/templates/stencil/stencil_rows_grid.h"
#include "gpu/templates/stencil/stencil_rows_places.h"
#include "lang/base/check.h"
#include "lang/core/node_kinds.h"
#include "lang/imp/lower/boundary.h"
#include "lang/imp/operands.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

using Ends = RegisterTileSchedule::Ends;

class Rows {
 public:
  Rows(const RowsJob& job, const RowsLaunch& launch)
      : host_(job.host),
        call_(job.call),
        stencil_(job.stencil),
        shape_(launch.shape),
        minds_edges_(launch.minds_edges),
        rank_(job.stencil.space.size()),
        scope_(job.program, job.host, job.call, job.call.function.name + launch.name),
        code_(scope_.code()),
        grid_(scope_, shape_, rank_),
        places_(code_, grid_, shape_, extents_, columns_) {
    if (launch.is_beside) scope_.runConcurrently();
  }

  void run(const std::vector<Box>& boxes, const Operands& extents) {
    environment_ = scope_.environment();
    lowerPrefix(scope_, environment_, scope_.place(i64(1), [] { return i64(0); }));
    for (const Operand& extent : extents) extents_.push_back(scope_.scalar(extent));
    Operands groups = boxes.size() > 1 ? grid_.over(boxes) : grid_.over(boxes[0]);
    findArrays();
    findLastVector(extents);
    for (int64_t block = 0; block < shape_.blocks; ++block) {
      columns_.push_back(grid_.firstColumn(block, extents_));
      addBodies(block);
    }
    HALO_CHECK(isArithmetic(bodies_), "a register tile of more than arithmetic");
    shareValues(bodies_);
    emit();
    int workgroup[3] = {static_cast<int>(shape_.lanes), static_cast<int>(shape_.height), 1};
    scope_.launch(workgroup, groups);
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
  void findArrays() {
    for (size_t w = 0; w < stencil_.windows.size(); ++w) {
      arrays_.push_back(environment_.arrays.at(stencil_.windows[w].array));
    }
    for (core::ValueId input : stencil_.inputs) arrays_.push_back(environment_.arrays.at(input));
  }

  // How far before the invocation's first column its cells of a row begin.
  int64_t alignmentOffsetOf(const std::vector<int64_t>& outer) const {
    int64_t cells = 0;
    for (size_t axis = 0; axis < shape_.alignment_offset.size(); ++axis) {
      cells += shape_.alignment_offset[axis] * outer[axis];
    }
    return cells - floorDiv(cells, shape_.columns) * shape_.columns;
  }

  // The variable that holds an element.
  Operand element(int64_t block, size_t array, const std::vector<int64_t>& outer, int64_t column) {
    int64_t alignment_offset = alignmentOffsetOf(outer);
    int64_t own =
        floorDiv(column + alignment_offset, shape_.columns) * shape_.columns - alignment_offset;
    Piece piece{block, array, outer, own};
    auto [found, is_new] = loads_.try_emplace(piece);
    if (is_new) {
      for (int64_t k = 0; k < shape_.columns; ++k) {
        found->second.push_back(code_.program().addVar("x", arrays_[array].type));
        level_[found->second.back()] = outer[0];
      }
    }
    return found->second[static_cast<size_t>(column - own)];
  }

  // The element `by` columns from a cell's column, in a row.
  struct Wanted {
    int64_t block;
    size_t array;
    std::vector<int64_t> outer;
    int64_t column, by;
    auto operator<=>(const Wanted&) const = default;
  };
  // The cell is inside. So the last one of the row is on the way from it to an element that is not
  // there. It is found from the far end on.
  Operand neighbour(const Wanted& wanted) {
    if (arrays_[wanted.array].isVirtual()) return uniformNeighbour(wanted);
    Operand own = element(wanted.block, wanted.array, wanted.outer, wanted.column + wanted.by);
    if (wanted.by == 0 || shape_.ends != Ends::kCells) return own;
    auto found = minded_.find(wanted);
    if (found != minded_.end()) return found->second;
    const core::Boundary& boundary = stencil_.windows[wanted.array].boundary.back();
    Wanted nearer = wanted;
    nearer.by += wanted.by < 0 ? 1 : -1;
    bool is_constant = boundary.kind == core::BoundaryKind::kConstant;
    Operand instead = is_constant ? operandOf(environment_, boundary.value) : neighbour(nearer);
    Operand outside = isOutside(wanted);
    return minded_[wanted] =
               code_.let("x", arrays_[wanted.array].type, Select{outside, instead, own});
  }
  Operand isOutside(const Wanted& wanted) {
    const Operand& first = columns_[static_cast<size_t>(wanted.block)];
    Operand at = code_.add(first, i64(wanted.column + wanted.by));
    return wanted.by < 0 ? places_.isBefore(at) : places_.isBehind(at, rank_ - 1);
  }

  // Of an array of one value. Tested are the axes whose ends this kernel handles.
  Operand uniformNeighbour(const Wanted& wanted) {
    const std::vector<core::Boundary>& boundary = stencil_.windows[wanted.array].boundary;
    Operand value = arrays_[wanted.array].generate(code_, Operands(rank_, i64(0)));
    auto minded = [&](const Operand& outside, size_t axis) {
      if (boundary[axis].kind != core::BoundaryKind::kConstant) return;
      Operand instead = operandOf(environment_, boundary[axis].value);
      value = code_.let("x", arrays_[wanted.array].type, Select{outside, instead, value});
    };
    const bool is_beside = floorDiv(wanted.column + wanted.by, shape_.columns) != 0;
    const bool has_end =
        shape_.ends == Ends::kCells ? wanted.by != 0 : shape_.ends == Ends::kLoads && is_beside;
    if (has_end) minded(isOutside(wanted), rank_ - 1);
    if (!minds_edges_) return value;
    for (size_t axis = rank_ - 1; axis-- > 0;) {
      const Operand at = code_.add(grid_.first(axis), i64(wanted.outer[axis]));
      minded(places_.isBefore(at), axis);
      minded(places_.isBehind(at, axis), axis);
    }
    return value;
  }
  void addBodies(int64_t block) {
    std::vector<int64_t> outer(rank_ - 1);
    for (outer[0] = 0; outer[0] < shape_.rows; ++outer[0]) {
      if (rank_ == 2) {
        addRow(block, outer);
        continue;
      }
      for (outer[1] = 0; outer[1] < shape_.lines; ++outer[1]) addRow(block, outer);
    }
  }

  void addRow(int64_t block, const std::vector<int64_t>& outer) {
    int64_t begin = -alignmentOffsetOf(outer);
    for (int64_t column = begin; column < begin + shape_.columns; ++column) {
      std::vector<Wanted> neighbours;
      for (size_t w = 0; w < stencil_.windows.size(); ++w) {
        for (const std::vector<int64_t>& offset : stencil_.windows[w].offsets) {
          std::vector<int64_t> at = outer;
          for (size_t axis = 0; axis + 1 < rank_; ++axis) at[axis] += offset[axis];
          neighbours.push_back({block, w, at, column, offset[rank_ - 1]});
        }
      }
      for (size_t k = 0; k < stencil_.inputs.size(); ++k) {
        neighbours.push_back({block, stencil_.windows.size() + k, outer, column, 0});
      }
      CellCode cell;
      cell.piece = block;
      cell.outer = outer;
      cell.block = code_.capture([&] {
        for (size_t param = 0; param < neighbours.size(); ++param) {
          environment_.scalars[stencil_.map.params[param]] = neighbour(neighbours[param]);
        }
        bindPositions(block, outer, column);
        LoweringTarget place = scope_.place(i64(1), [] { return i64(0); });
        cell.results = lowerBody(code_, scope_.core(), stencil_.map.body, environment_, place);
      });
      bodies_.push_back(std::move(cell));
    }
  }

  void bindPositions(int64_t block, const std::vector<int64_t>& outer, int64_t column) {
    size_t param = core::firstPosition(stencil_);
    for (size_t axis : stencil_.positions) {
      environment_.scalars[stencil_.map.params[param++]] =
          axis + 1 == rank_ ? code_.add(columns_[static_cast<size_t>(block)], i64(column))
                            : code_.add(grid_.first(axis), i64(outer[axis]));
    }
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
    int64_t ahead = std::min(shape_.prefetch, highest - lowest + 1);
    for (int64_t row = lowest; row < lowest + ahead; ++row) load(row);
    for (int64_t row = lowest; row <= highest; ++row) {
      load(row + ahead);
      for (const CellCode& cell : bodies_) {
        for (const Stm& stm : cell.block) {
          if (level_.at(std::get<Let>(stm.node).var) == row) code_.append(stm.node);
        }
      }
      store(row);
    }
  }

  void load(int64_t row) {
    for (const auto& [piece, vars] : loads_) {
      if (piece.outer[0] == row) load(piece, vars);
    }
  }

  void load(const Piece& piece, const std::vector<VarId>& vars) {
    const ArrayRef& array = arrays_[piece.array];
    const Operand& column = columns_[static_cast<size_t>(piece.block)];
    bool is_window = piece.array < stencil_.windows.size();
    bool is_beside = is_window && piece.column != 0 && shape_.ends == Ends::kLoads;
    if (!is_beside && !(is_window && minds_edges_)) {
      Operand index = places_.indexNear(piece.array, array, piece.outer, column, piece.column);
      return loadInto(vars, array, shape_.ends == Ends::kCells ? existing(index) : index);
    }
    const std::vector<core::Boundary>& boundary = stencil_.windows[piece.array].boundary;
    // By axis, the last one first: the outermost that is outside decides.
    std::vector<std::pair<Operand, size_t>> outside;
    Operand own = column;
    if (is_beside) {
      const RowsPlaces::Beside& place =
          places_.besideAt(piece.block, piece.column, boundary.back());
      own = place.column;
      bool is_other = place.outside && boundary.back().kind != core::BoundaryKind::kWrap;
      if (is_other) outside.emplace_back(*place.outside, rank_ - 1);
    }
    Operand index;
    if (minds_edges_) {
      Operands at(rank_ - 1);
      for (size_t axis = rank_ - 1; axis-- > 0;) {
        const Neighbour& neighbour = places_.rowAt(boundary[axis], axis, piece.outer[axis]);
        at[axis] = neighbour.index;
        if (neighbour.outside) outside.emplace_back(*neighbour.outside, axis);
      }
      at.push_back(own);
      index = places_.indexOf(array, at);
    } else {
      index = places_.indexNear(piece.array, array, piece.outer, own, 0);
    }
    if (outside.empty()) return loadInto(vars, array, index);
    loadSelected(piece, vars, index, outside);
  }

  // Where cells handle the ends of rows, vectors beside the first and the last row belong to no
  // cell. The elements loaded instead have no use.
  Operand existing(const Operand& index) {
    if (last_vector_.isConstant()) return index;
    return code_.max(code_.min(index, last_vector_), i64(0));
  }
  void findLastVector(const Operands& extents) {
    if (shape_.ends != Ends::kCells || hasRowsAround(stencil_)) return;
    Operand last = host_.sub(elementCount(host_, extents), i64(1));
    Operand first_of = host_.prim(Op::kAnd, ScalarType::kI64, {last, i64(-shape_.columns)});
    last_vector_ = scope_.scalar(first_of);
  }

  // Where any axis says that the neighbour is outside, a constant replaces the loaded element.
  void loadSelected(const Piece& piece, const std::vector<VarId>& vars, const Operand& index,
                    const std::vector<std::pair<Operand, size_t>>& outside) {
    const ArrayRef& array = arrays_[piece.array];
    const std::vector<core::Boundary>& boundary = stencil_.windows[piece.array].boundary;
    std::vector<VarId> raw;
    for (size_t k = 0; k < vars.size(); ++k) {
      raw.push_back(code_.program().addVar("raw", array.type));
    }
    loadInto(raw, array, index);
    for (size_t k = 0; k < vars.size(); ++k) {
      Operand value = raw[k];
      for (size_t n = 0; n < outside.size(); ++n) {
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
      for (int64_t k = 1; k < shape_.columns; ++k) {
        level = std::max(level, bodies_[first + static_cast<size_t>(k)].level);
      }
      if (level != row) continue;
      for (size_t result = 0; result < call_.results.size(); ++result) storeRow(first, result);
    }
  }

  void storeRow(size_t first, size_t result) {
    ArrayRef target = scope_.array(call_.results[result]);
    const CellCode& cell = bodies_[first];
    const Operand& column = columns_[static_cast<size_t>(cell.piece)];
    Operand index = places_.indexNear(arrays_.size() + result, target, cell.outer, column,
                                      -alignmentOffsetOf(cell.outer));
    Operands values;
    for (int64_t k = 0; k < shape_.columns; ++k) {
      values.push_back(bodies_[first + static_cast<size_t>(k)].results.scalars[result]);
    }
    if (shape_.ends != Ends::kCells) {
      return storeVectors(code_, target.buffer, index, values);
    }
    Operand begin = code_.sub(column, i64(alignmentOffsetOf(cell.outer)));
    auto inside = [&](size_t k) {
      return places_.areInside(code_.add(begin, i64(static_cast<int64_t>(k))), 1);
    };
    GuardedStores stores{index, values.size(), places_.areInside(begin, shape_.columns), inside};
    stores.store(code_, {{target.buffer, values}});
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
  RowsGrid grid_;
  Operands columns_;  // the invocation's first column, by block
  RowsPlaces places_;
  Operand last_vector_ = i64(0);  // of the arrays, where it matters
  std::vector<ArrayRef> arrays_;  // of the windows, then of the inputs
  std::map<Piece, std::vector<VarId>> loads_;
  std::map<Wanted, Operand> minded_;
  std::unordered_map<VarId, int64_t> level_;  // the row with which a variable is known
  std::vector<CellCode> bodies_;
};

}  // namespace

void emitRowsKernel(const RowsJob& job, const RowsLaunch& launch, const std::vector<Box>& boxes) {
  Rows(job, launch).run(boxes, job.extents);
}

}  // namespace halo::gpu
