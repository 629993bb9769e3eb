// One element of the rows that a map makes, as scalar code over the axes of rows and cells.
//
//   ys: [n][k][m]f32 = screma [n] (xs, gs) map (x: [m]f32, g: [k]f32) {
//     y: [k][m]f32 = screma [k] (g, ws) map (c: f32, w: f32) {
//       b: f32 = .. many operations on c ..
//       z: [m]f32 = screma [m] (x) map (e: f32) { t = f32.mul b e; return t }
//       return z }
//     return y }
// Element ys[0, 1, 2] (axes by number) is `f32.mul b' x'` with the leaves
//   b' of bs: [n][k]f32 by axes {0, 1}, x' of xs by axes {0, 2}
// where bs is one more result of the map: values of outer levels are taken from arrays unless they
// are cheap to compute again, or do not depend on axis 0.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "lang/ad/emit.h"

namespace halo::ad {

class NestElements {
 public:
  using Axes = std::vector<int>;
  // An array from outside of the map, of which the code reads the element at these axes.
  struct Leaf {
    ValueId array;
    Axes axes;
    ValueId element;
  };

  // `map`: a statement that is a map without flattening; gets results for leaves. `widths`: of all
  // axes, 0 being that of the map.
  NestElements(Program& program, Stm& map, Operands widths);

  // Element of a result of the map at all axes in order; nothing if it is no scalar code.
  std::optional<Operand> element(size_t result);

  const std::vector<Leaf>& leaves() const { return leaves_; }
  Body code(Operands results) { return code_.take(std::move(results)); }

 private:
  struct Level {  // a map around values
    size_t parent;
    Stm* stm;
    int axis;
  };
  struct Definition {  // by a statement of a level, or as parameter of one
    size_t level;
    Stm* stm;
    ValueId input;
  };
  struct Made {
    Operand value;
    unsigned axes = 0;  // that it depends on, as bits
    size_t operations = 0;
    std::set<size_t> leaves = {};
  };

  void define(size_t level);
  std::optional<size_t> levelOf(Stm& stm, int axis);
  Axes axesAround(size_t level) const;
  std::optional<Made> at(const Operand& value, const Axes& axes);
  std::optional<Made> atDefinition(ValueId value, const Axes& axes);
  std::optional<Made> ofView(const Stm& stm, const Axes& axes);
  std::optional<Made> again(const Stm& stm, ValueId value);
  std::optional<Made> computed(const Definition& definition, ValueId value);
  std::optional<Made> taken(const Definition& definition, ValueId value, const Axes& axes);
  std::optional<Made> leaf(ValueId array, const Axes& axes);
  bool isKnownOutside(const Type& type) const;

  Program& program_;
  Stm& map_;
  Operands widths_;
  Emitter code_;
  std::vector<Level> levels_;
  std::map<const Stm*, size_t> level_of_;
  std::map<ValueId, Definition> definitions_;
  std::map<std::pair<ValueId, Axes>, Made> made_;
  std::map<ValueId, ValueId> taken_;  // values of levels by the result of the map
  std::vector<Leaf> leaves_;
};

}  // namespace halo::ad
