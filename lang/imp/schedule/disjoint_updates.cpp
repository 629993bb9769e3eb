// The update of each carried array, then the dimensions of its place that move with the loop, then
// all accesses in those.
#include "lang/imp/schedule/disjoint_updates.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::imp {

using core::ValueId;

namespace {

const core::Stm* definition(const core::Body& body, const core::Operand& value) {
  const auto found = std::find_if(body.stms.begin(), body.stms.end(), [&](const core::Stm& stm) {
    return std::any_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return core::Operand(result) == value; });
  });
  return found == body.stms.end() ? nullptr : &*found;
}

// The loop's index, or that and something of all iterations.
bool moves(const core::Body& body, ValueId index, const core::Operand& place) {
  if (place == core::Operand(index)) return true;
  const core::Stm* stm = definition(body, place);
  const auto* sum = stm == nullptr ? nullptr : std::get_if<core::PrimOp>(&stm->expr);
  if (sum == nullptr || sum->type != prim::ScalarType::kI64) return false;
  if (sum->op != prim::Op::kAdd && sum->op != prim::Op::kSub) return false;
  const bool first = sum->args[0] == core::Operand(index),
             second = sum->args[1] == core::Operand(index);
  return first != second && definition(body, sum->args[first ? 1 : 0]) == nullptr;
}

class Accesses {
 public:
  Accesses(const core::Program& core, const core::Body& body, ValueId param,
           const core::Update& update, ValueId updated)
      : core_(core), body_(body), param_(param), update_(update), updated_(updated) {}

  // All are at the update's place in this dimension.
  bool agreeIn(size_t dimension) const {
    return std::all_of(body_.stms.begin(), body_.stms.end(), [&](const core::Stm& stm) {
      if (std::get_if<core::Update>(&stm.expr) == &update_) return true;
      const auto used = core::freeValues(core_, stm);
      if (!used.contains(param_) && !used.contains(updated_)) return true;
      const auto* read = std::get_if<core::Index>(&stm.expr);
      return read != nullptr && read->indices.size() == update_.indices.size() &&
             read->indices[dimension] == update_.indices[dimension];
    });
  }

 private:
  const core::Program& core_;
  const core::Body& body_;
  ValueId param_;
  const core::Update& update_;
  ValueId updated_;
};

bool isDisjoint(const core::Program& core, const core::Loop& loop, ValueId index, size_t carried) {
  const ValueId param = loop.carried[carried].param;
  const core::Stm* stm = definition(loop.body, loop.body.results[carried]);
  const auto* update = stm == nullptr ? nullptr : std::get_if<core::Update>(&stm->expr);
  if (update == nullptr || update->array != param || !update->dims.empty() ||
      update->indices.size() != core.type(param).shape.size())
    return false;
  const Accesses accesses(core, loop.body, param, *update, stm->results[0]);
  for (size_t d = 0; d < update->indices.size(); ++d) {
    if (moves(loop.body, index, update->indices[d]) && accesses.agreeIn(d)) return true;
  }
  return false;
}

bool isScalarCode(const core::Stm& stm) {
  return std::holds_alternative<core::PrimOp>(stm.expr) ||
         std::holds_alternative<core::Convert>(stm.expr) ||
         std::holds_alternative<core::Select>(stm.expr) ||
         std::holds_alternative<core::Index>(stm.expr) ||
         std::holds_alternative<core::Update>(stm.expr);
}

}  // namespace

bool hasDisjointUpdates(const core::Program& core, const core::Loop& loop) {
  const auto* form = std::get_if<core::ForLoop>(&loop.form);
  const auto& stms = loop.body.stms;
  if (form == nullptr || loop.carried.empty() ||
      !std::all_of(stms.begin(), stms.end(), isScalarCode))
    return false;
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    if (!isDisjoint(core, loop, form->index, k)) return false;
  }
  return true;
}

}  // namespace halo::imp
