// Forward mode: beside each statement with a derivative stands one that computes its tangent.
//
//   y: f32 = f32.mul x c
// becomes
//   y: f32 = f32.mul x c
//   y': f32 = f32.mul x' c
//
// Maps, branches and loops take and give tangents beside values. A reduction by `+` gets a second
// one on tangents, others work on pairs. A window gets one on the tangent, so that stencils stay
// stencils.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "lang/ad/activity.h"
#include "lang/ad/emit.h"
#include "lang/ad/operators/products.h"
#include "lang/ad/operators/sparse.h"
#include "lang/ad/refusal.h"

namespace halo::ad {

class Forward {
 public:
  Forward(Program& program, const Activity& activity, Refusal& refusal, FactorsUse use)
      : program_(program), activity_(activity), refusal_(refusal), use_(use) {}

  void know(ValueId value, const Operand& tangent) { tangents_[value] = tangent; }
  // The statements with their tangents; the results, then the tangents of those with one.
  Body body(const Body& body, const std::vector<bool>& wanted);

 private:
  Operand tangent(Emitter& e, const Operand& operand);
  ValueId tangentArray(Emitter& e, ValueId array) { return tangent(e, array).value; }
  bool varies(const Operand& operand) const { return activity_.of(operand); }
  std::vector<bool> vary(const Operands& operands) const;
  // Parameters for tangents of those that vary.
  std::vector<ValueId> tangentParams(const std::vector<ValueId>& params);
  std::vector<ValueId> bindTangents(const Stm& stm, const std::vector<bool>& wanted);
  void refuse(const Stm& stm, const std::string& construct) {
    refusal_.refuse(stm.span, construct);
  }

  void statement(Emitter& e, const Stm& stm);
  // forward_scalars.cpp: nodes without bodies
  void tangentOf(Emitter& e, const Stm& stm, const core::PrimOp& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::Convert& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::Select& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::Update& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::Iota& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::Replicate& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::ArrayLiteral& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::Concat& node);
  void tangentOf(Emitter& e, const Stm& stm, const core::Pad& node);
  bool simple(Emitter& e, const Stm& stm);
  // forward_nodes.cpp
  void statement(Emitter& e, const Stm& stm, core::Stencil node);
  void statement(Emitter& e, const Stm& stm, const core::Scatter& node);
  void statement(Emitter& e, const Stm& stm, core::Match node);
  void statement(Emitter& e, const Stm& stm, core::Loop node);
  void statement(Emitter& e, const Stm& stm, const core::Call& node);
  void map(Emitter& e, const Stm& stm, core::Screma node);
  // forward_combine.cpp
  void statement(Emitter& e, const Stm& stm, core::Screma node);
  template <typename Combined>
  void combined(Emitter& e, const Stm& stm, core::Screma node,
                std::vector<Combined> core::Screma::*list);
  template <typename Combined>
  void sums(Emitter& e, const Stm& stm, core::Screma node,
            std::vector<Combined> core::Screma::*list);
  template <typename Combined>
  void behindNeutral(Emitter& e, const Stm& stm, std::vector<Combined> core::Screma::*list,
                     bool is_optional);
  Lambda pairs(Lambda op);
  void product(Emitter& e, const Stm& stm, const core::Screma& node);
  // forward_recurrence.cpp
  struct Recurrence {
    const Stm& stm;
    const core::Screma& node;
    const std::vector<size_t>& parts;  // components with a tangent
    ScalarType type;
  };
  void recurrence(Emitter& e, const Stm& stm, const core::Screma& node);
  Lambda tangentsOf(const Lambda& op, const Operands& tangents);
  std::vector<ValueId> affineMaps(Emitter& e, const Recurrence& of, const SparseMatrix& matrix);
  std::vector<ValueId> composedMaps(Emitter& e, const core::Screma& node,
                                    const std::vector<ValueId>& maps, ScalarType type,
                                    const SparseMatrix& matrix);
  std::vector<Operands> columnsOf(Emitter& at, const Recurrence& of, const Lambda& op,
                                  const Operands& args, const Operands& none);
  std::vector<std::pair<ValueId, Operand>> forgetTangents(
      const std::unordered_set<ValueId>& values);
  std::vector<Type> rowTypes(const std::vector<ValueId>& arrays) const;
  // forward_hist.cpp
  void statement(Emitter& e, const Stm& stm, core::Hist node);
  void extreme(Emitter& e, const Stm& stm, core::Hist node, Op op);

  Program& program_;
  const Activity& activity_;
  Refusal& refusal_;
  FactorsUse use_;
  std::unordered_map<ValueId, Operand> tangents_;
};

}  // namespace halo::ad
