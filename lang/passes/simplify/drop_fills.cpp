// Of each loop, the parameters that it overwrites; of those, their initial values.
#include "lang/passes/simplify/drop_fills.h"

#include <unordered_map>
#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Loop;
using core::Operand;
using core::Stm;
using core::ValueId;

class Dropper {
 public:
  Dropper(core::Program& program, const Body& whole)
      : program_(program), uses_(core::useCounts(program, whole)) {}

  void run(Body& body) {
    std::unordered_set<ValueId> overwritten;
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& inner) { run(inner); });
      const auto* loop = std::get_if<Loop>(&stm.expr);
      for (size_t k = 0; loop != nullptr && k < loop->carried.size(); k++) {
        if (overwrites(*loop, k)) overwritten.insert(loop->carried[k].initial.value);
      }
    }
    for (Stm& stm : body.stms) {
      const bool fills = std::holds_alternative<core::Replicate>(stm.expr) ||
                         std::holds_alternative<core::Copy>(stm.expr);
      if (!fills || !overwritten.contains(stm.results[0])) continue;
      const core::Type& type = program_.type(stm.results[0]);
      stm.expr = core::Scratch{type.scalar, type.shape};
    }
  }

 private:
  // Does step k write element k of the parameter, which nothing reads, from 0 to its last one?
  bool overwrites(const Loop& loop, size_t position) const {
    const auto* counted = std::get_if<core::ForLoop>(&loop.form);
    const core::Carried& carried = loop.carried[position];
    const core::Type& type = program_.type(carried.param);
    const bool goes_through = counted != nullptr && !carried.initial.isConstant() &&
                              type.rank() == 1 && type.shape[0] == counted->bound;
    if (!goes_through || countOf(carried.param) != 1 || countOf(carried.initial.value) != 1) {
      return false;
    }
    for (const Stm& stm : loop.body.stms) {
      const auto* update = std::get_if<core::Update>(&stm.expr);
      if (update == nullptr || update->array != carried.param) continue;
      return update->indices == core::Operands{Operand(counted->index)} &&
             loop.body.results[position] == Operand(stm.results[0]) && countOf(stm.results[0]) == 1;
    }
    return false;
  }
  int countOf(ValueId value) const {
    auto found = uses_.find(value);
    return found == uses_.end() ? 0 : found->second;
  }

  core::Program& program_;
  std::unordered_map<ValueId, int> uses_;
};

}  // namespace

core::Program dropFills(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    Dropper(result, function.body).run(function.body);
  }
  return result;
}

}  // namespace halo::passes
