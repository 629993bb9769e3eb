// One stencil while it is lowered (lower_stencil.cpp), or one row of it (lower_step_rows.cpp).
#pragma once

#include "lang/imp/lower/accumulators.h"

namespace halo::imp {

inline constexpr int64_t kRows = 4;  // at once, where they share neighbours

struct Lowering::Sweep {
  Sweep(Lowering& lowering, const core::Stm& of, Operands space)
      : stm(of),
        node(std::get<core::Stencil>(of.expr)),
        extents(std::move(space)),
        low_(lowering),
        b_(lowering.b_) {}

  // lower_stencil.cpp
  void lowerAxes();  // those inside of `position`
  bool hasEnds() const;
  bool sharesRows() const;

  // lower_stencil_rows.cpp
  void lowerInterior(int64_t rows);
  void lowerRow(bool interior = true);

  // lower_stencil_dynamic.cpp
  void findInterior();

  // lower_stencil_bands.cpp
  void reduceBands();

  const core::Stm& stm;
  const core::Stencil& node;
  Operands extents;
  std::vector<ArrayRef> outputs = {};
  LaneReduction* lanes = nullptr;               // reductions in lanes, or ..
  std::vector<Accumulators> accumulators = {};  // .. sequential ones
  bool split = false;
  Operands position = {};  // of the outer axes
  // Where the row of window w at these outer offsets begins.
  std::map<std::pair<size_t, std::vector<int64_t>>, Operand> rows = {};
  // By axis, kind of boundary and offset.
  std::map<std::tuple<size_t, core::BoundaryKind, int64_t>, Neighbour> coordinates = {};
  // Several rows at once: `position` is the first one's, the cell at hand is `shift` rows below it.
  // Elements common to their windows are loaded once.
  int64_t shift = 0;
  std::map<std::tuple<size_t, std::vector<int64_t>, int64_t>, Operand> loaded = {};
  // Where the rows of the outputs are, if not one after the other: by `shift`, by output.
  std::vector<Operands> output_rows = {};
  // With offsets that only the run tells: by axis, from where to where no neighbour is outside.
  std::vector<std::pair<Operand, Operand>> interior = {};
  bool inside = false;  // the cell at hand is there
  // Some of the rows of the first axis; absent: all of them.
  std::optional<std::pair<Operand, Operand>> band = {};
  // Part of a row; absent: all of it.
  std::optional<std::pair<Operand, Operand>> columns = {};
  // The interior may begin up to a line of the cache earlier, and so at the beginning of one:
  // unless `reads_exactly`. Its cells there are not kept, or done again as an end of the row.
  bool begins_lines = false;
  Operand reads_exactly = {};
  // Arrays of which only some rows (along the first axis) exist, in rings: row y is at y & mask.
  std::unordered_map<core::ValueId, Operand> rings = {};
  // Axes that go on and on: no cell there has its neighbours outside.
  std::vector<bool> endless = {};

  // Where a window's row is from the first row.
  std::vector<int64_t> outerOffsets(const std::vector<int64_t>& offset) const {
    std::vector<int64_t> far(offset.begin(), offset.end() - 1);
    if (!far.empty()) far.back() += shift;
    return far;
  }
  Operands cell(Builder& b, Operand x) const {
    Operands cell = position;
    if (shift != 0) cell.back() = b.add(cell.back(), Operand::ofI64(shift));
    cell.push_back(x);
    return cell;
  }
  bool isEndless(size_t axis) const { return axis < endless.size() && endless[axis]; }
  // Of a line there is but one row.
  bool isInRing(core::ValueId array) const { return extents.size() > 1 && rings.contains(array); }
  Operand inRing(Builder& b, core::ValueId array, Operand row) const {
    return b.prim(prim::Op::kAnd, ScalarType::kI64, {row, rings.at(array)});
  }

 private:
  // lower_stencil_bands.cpp
  struct Bands;
  void sumOfBand(const Bands& bands, const Operand& number);
  void joinBands(const Bands& bands);

  // lower_stencil_rows.cpp
  void lowerRows();
  void findRows();
  std::pair<Operand, Operand> interiorOf(Operand lo, Operand hi) const;
  Operand lineStart(Operand left) const;
  void unsplitRow();
  Operand rowInterior(Operand left, Operand right);
  Operand rowInLanes(Operand left, Operand right);
  void rowEnds(std::pair<Operand, Operand> at_left, std::pair<Operand, Operand> at_right);
  void cachedCells(Operand from, Operand to, const std::function<void(Operand)>& cell) const;
  void reduceCell(Results& values);

  // lower_stencil_ahead.cpp
  struct NextRows {
    BufferId buffer;
    Operands begins;
  };
  std::vector<NextRows> nextRows(int64_t count) const;
  void fetch(const std::vector<NextRows>& next, Operand x) const;

  // lower_stencil_cells.cpp
  void lowerCell(Operand x, bool clamped, const std::function<void(Results&)>& use);
  void bindWindows(Operand x, bool clamped);
  Operand neighbour(size_t w, const std::vector<int64_t>& offset, const Neighbour& column,
                    bool clamped);
  Operand wrapped(size_t axis, const Operand& at) const;
  Neighbour staticNeighbour(size_t axis, int64_t offset, const core::Boundary& boundary) const;

  // lower_stencil_dynamic.cpp
  std::pair<Operand, Operand> interiorOfRow() const;
  void bindDynamic(const core::Window& window, core::ValueId param, Operand x);

  Lowering& low_;
  Builder& b_;
};

}  // namespace halo::imp
