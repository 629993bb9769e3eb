// Elements that the cells of a map add to rows of zeros, one at a step, as scalar code of a cell
// and a step:
//
//   rows: [n][d]f32 = screma [n] (starts, ..) map (s: i64, ..) {
//     row = loop (r = zeros) for j < steps { i = is[s + j]; v = ..; return r with [i] = r[i] + v }
//     return row }
// adds `v` at `i` for each cell and each j below `steps`. Likewise histograms into zeros, sums of
// such rows, and arms that make them.
//
// Values of a cell are computed again where that is cheap; other numbers become results of the map.
#pragma once

#include <map>
#include <optional>
#include <unordered_set>

#include "lang/ad/emit.h"
#include "lang/core/definitions.h"

namespace halo::ad {

// An arm of a match of the cell.
struct ArmTaken {
  const core::Match* match;
  size_t arm;  // the last one: of all other values
};

// Elements that a cell adds, one at each step.
struct Addition {
  std::vector<ArmTaken> path;  // which arms the cell takes
  Operand steps;
  const core::Loop* loop = nullptr;  // whose step the operands are of; else they are arrays
  Operands indices;
  Operand value;
};

class CellAdditions {
 public:
  // `zeros`: arrays of the program that hold zeros alone.
  CellAdditions(Program& program, const Stm& map, const std::unordered_set<ValueId>& zeros);

  // Of a result of the map; nothing if it is made in another way.
  std::optional<std::vector<Addition>> of(size_t result) const;

  // Numbers of cells that the code reads: more results of the map.
  const std::map<ValueId, ValueId>& given() const { return given_; }

 private:
  friend class CellCode;

  void define(const Body& body, bool is_outer);
  bool collect(const Operand& value, const std::vector<ArmTaken>& path,
               std::vector<Addition>& found) const;
  bool collectLoop(const Stm& stm, const core::Loop& loop, ValueId row,
                   const std::vector<ArmTaken>& path, std::vector<Addition>& found) const;
  static bool collectUpdates(const core::Loop& loop, const Operand& after, ValueId before,
                             const Addition& like, std::vector<Addition>& found);

  Program& program_;
  const core::Screma& node_;
  std::unordered_set<ValueId> zeros_, outside_, outer_;  // outer: bound by the cell, in no arm
  core::Definitions definitions_;                        // by the cell and its arms
  std::map<ValueId, ValueId> given_;
};

// Code of one cell, appended to an emitter.
class CellCode {
 public:
  CellCode(CellAdditions& cells, Emitter& e, const Operand& cell)
      : cells_(cells), e_(&e), cell_(cell) {}

  // At least as many as the cell adds elements; nothing if the code of an arm is needed for it.
  std::optional<Operand> steps(const Addition& addition);
  // Indices, then the value, of a step; -1 and 0 in arms that the cell does not take.
  std::optional<Operands> element(const Addition& addition, const Operand& step, size_t depth = 0);

 private:
  using Names = std::map<ValueId, Operand>;

  std::optional<Operand> anywhere(const Operand& value);
  std::optional<Operands> ofStep(const Addition& addition, const Operand& step);
  std::optional<Operand> at(const Operand& value);
  std::optional<Operand> elementOf(const Operand& array, const Operand& position);
  std::optional<Operand> ofRows(const core::Loop& loop, size_t result, const Operand& position);
  std::optional<Operand> ofMap(const Stm& stm, const core::Screma& map, const Operand& array,
                               const Operand& position);
  std::optional<Operand> inStep(const core::Loop& loop, const Operand& value, Names& names);
  template <typename Resolve>
  bool copy(const Stm& stm, const Resolve& resolve, Names& names);
  Operand isTaken(const ArmTaken& taken, const Operand& scrutinee);

  CellAdditions& cells_;
  Emitter* e_;
  Operand cell_;
  Names names_;
};

}  // namespace halo::ad
