// Reverse mode: behind the statements of a body stand those that return cotangents, in reverse
// order.
//
//   y: f32 = f32.mul x c
// becomes, behind all others,
//   x' += f32.mul y' c
//
// A body below (of a map, an arm, a loop) occurs in its return node again with its own forward
// statements in front. So only values that loops overwrite are recorded [Schenck et al. 2022].
// Statements without use there are dropped by simplify. Statements that run again cannot fail.
//
// An array that lives around a map gets its cotangent from the cells as places (scope.h), added by
// one histogram behind the map; in straight code, arms and loops it is updated in place. Files:
// reverse.cpp (scopes), places.cpp, place_slices.cpp, reverse_scalars.cpp, reverse_arrays.cpp,
// reverse_map.h, reverse_combine.h (reductions and scans), reverse_places.cpp (scatters and
// histograms), reverse_match.h, reverse_loop.h, reverse_stencil.h.
#pragma once

#include <functional>
#include <optional>

#include "lang/ad/activity.h"
#include "lang/ad/refusal.h"
#include "lang/ad/reverse/journal.h"
#include "lang/ad/reverse/loop_hints.h"
#include "lang/ad/scope.h"

namespace halo::ad {

using Cotangent = std::optional<Operand>;
using Cotangents = std::vector<Cotangent>;

// Of all functions of a program.
struct ReverseContext {
  const LoopHints& hints;
  Refusal& refusal;
  Journal& journal;
  bool is_in_cells = false;        // the function is called in cells
  bool is_differentiated = false;  // the derivative is differentiated
};

class Reverse {
 public:
  Reverse(Program& program, Activity& activity, const ReverseContext& context)
      : program_(program),
        activity_(activity),
        refusal_(context.refusal),
        hints_(context.hints),
        journal_(context.journal),
        is_in_cells_(context.is_in_cells),
        is_differentiated_(context.is_differentiated) {}

  // The body with return statements; behind its results the cotangents of `wanted`. `seeds` are
  // those of its last results.
  Body function(Body body, const std::vector<ValueId>& params, const Operands& seeds,
                const std::vector<ValueId>& wanted);

 private:
  friend class ReverseCombine;
  friend class ReverseLoop;
  friend class ReverseMap;
  friend class ReverseMatch;
  friend class ReverseStencil;

  // ---- reverse.cpp, places.cpp
  void own(Scope& s, const std::vector<ValueId>& values);
  void start(Scope& s, Body& body);
  void run(Scope& s);
  void statement(Scope& s, size_t at);
  void add(Scope& s, const Operand& target, const Operand& cotangent);
  void addAt(Scope& s, ValueId array, Operands indices, const Operand& cotangent);
  void addPlace(Scope& s, Place place);
  Cotangent take(Scope& s, ValueId value);
  Operand takeOrZero(Scope& s, ValueId value);
  // The places of an array: equal ones as one, those of all its elements first, so that others are
  // added in place.
  static std::vector<Place> takePlaces(Scope& s, ValueId array);
  void settle(Scope& s, ValueId array);
  void settle(Scope& s, const Place& place);
  // The place without a histogram where its indices are different axes of all their cells.
  bool settleByAxes(Scope& s, const Place& place);
  std::pair<Operand, int64_t> lengthOf(Operand size) const;
  bool isNearly(const Operand& space, const Operand& extent) const;
  bool settleByInterior(Scope& s, const Place& place);
  bool settleByInverse(Scope& s, const Place& place);
  void settleRotations(Scope& s, ValueId array, std::vector<Place>& places);
  bool settleBySlice(Scope& s, const Place& place);
  // Constants that the scope adds to indices become shifts, rests of them moduli.
  void takeShifts(const Scope& s, Place& place) const;
  bool takeShift(const Scope& s, Place& place, size_t i) const;
  // `0 .. n - 1` by a statement of the scopes around.
  bool isPositions(ValueId array) const;
  void settleAll(Scope& s);
  bool isOwn(const Scope& s, ValueId value) const;
  // Beyond a scope whose sweep is for its own values only.
  bool isDropped(const Scope& s, ValueId value) const;
  bool isBeyondLambda(const Scope& s, ValueId array) const;
  // Whether the body runs once for each cell of a node.
  bool isInCells(const Scope& s) const;
  // A copy of a lambda in which nothing fails; what is active in it is so in the copy.
  Lambda again(const Lambda& lambda);
  static std::vector<ValueId> binders(const Program& program, const Lambda& lambda);
  bool isKnownOutside(const Scope& s, const Operands& operands) const;
  // The places of others that leave the scope; those that cannot are settled inside.
  std::vector<Place> leavingPlaces(Scope& s);
  Body finished(Scope& s, Operands results);
  void refuse(const Stm& stm, const std::string& construct) {
    refusal_.refuse(stm.span, construct);
  }
  // The value's name as text.
  std::string nameOf(ValueId value) const { return "`" + program_.values[value].name + "`"; }
  bool varies(const Operand& operand) const { return activity_.of(operand); }

  // ---- reverse_scalars.cpp, reverse_arrays.cpp
  bool scalar(Scope& s, const Stm& stm, const Operand& c);
  bool array(Scope& s, const Stm& stm, const Operand& c);
  void call(Scope& s, const Stm& stm, const core::Call& node, const Cotangents& cs);
  void slice(Scope& s, const core::Slice& node, const Operand& c);
  void update(Scope& s, const core::Update& node, const Operand& c);
  void iota(Scope& s, const core::Iota& node, const Operand& c);
  void concat(Scope& s, const core::Concat& node, const Operand& c);
  void slide(Scope& s, const core::Slide& node, const Operand& c);
  void pad(Scope& s, const core::Pad& node, const Operand& c);

  // ---- reverse_map.h
  struct Mapped {
    Operands space;
    std::vector<core::Window> windows;
    std::vector<ValueId> inputs;  // one for each parameter behind those of the windows
    Lambda lambda;
    size_t window_params = 0;
    std::vector<size_t> positions = {};  // of a stencil; their parameters are the last ones
  };
  std::vector<ValueId> takePositions(Scope& s, const Mapped& node, Lambda& lambda,
                                     std::vector<ValueId>& inputs);
  // Returns the lambda; gives the cotangents of the windows' parameters, one array each.
  std::vector<Cotangent> returned(Scope& s, const Mapped& node, const Cotangents& cs,
                                  source::Span span);
  void map(Scope& s, const Stm& stm, const core::Screma& node, const Cotangents& cs);
  struct Point {
    size_t result;
    Place place;
  };
  bool mapAtPoints(Scope& s, const Stm& stm, const core::Screma& node);
  void mapAtPoint(Scope& s, const Stm& stm, const core::Screma& node, const Point& point);

  // ---- reverse_combine.h
  void combine(Scope& s, const Stm& stm, const Cotangents& cs);

  // ---- reverse_places.cpp
  void scatter(Scope& s, const core::Scatter& node, const Operand& c);
  void hist(Scope& s, size_t at, const core::Hist& node, const Cotangents& cs);
  void histExtreme(Scope& s, const core::Hist& node, Op op, const Operand& c);
  void histProduct(Scope& s, const core::Hist& node, ValueId ys, const Operand& c);

  // ---- reverse_match.h, reverse_loop.h
  void match(Scope& s, const Stm& stm, const core::Match& node, const Cotangents& cs);
  void loop(Scope& s, size_t at, const Cotangents& cs);

  // ---- reverse_stencil.h
  void stencil(Scope& s, const Stm& stm, const core::Stencil& node, const Cotangents& cs);

  Program& program_;
  Activity& activity_;
  Refusal& refusal_;
  const LoopHints& hints_;
  Journal& journal_;
  bool is_in_cells_, is_differentiated_;
  std::unordered_map<ValueId, const Scope*> owner_;
};

}  // namespace halo::ad
