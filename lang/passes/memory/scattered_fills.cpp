// Of each scatter, the reads of its result at elements of the array of its places; if these are all
// uses, the fill.
#include "lang/passes/memory/scattered_fills.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/core/scatter.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Stm;
using core::ValueId;

class ScatteredFills {
 public:
  ScatteredFills(core::Program& program, const Body& whole)
      : program_(program), uses_(core::useCounts(program, whole)) {}

  void run(Body& body) {
    for (size_t i = 0; i < body.stms.size(); ++i) {
      core::visitBodies(body.stms[i].expr, [&](Body& inner) { run(inner); });
      const auto* scatter = std::get_if<core::Scatter>(&body.stms[i].expr);
      if (scatter == nullptr) continue;
      Stm* fill = fillOf(*scatter, body, i);
      const std::optional<ValueId> places = placesOf(*scatter);
      if (fill == nullptr || !places) continue;
      const ValueId result = body.stms[i].results[0];
      const int reads = readsAt(result, *places, body, i + 1);
      if (reads == 0 || reads != uses_[result]) continue;
      const core::Type& type = program_.type(fill->results[0]);
      fill->expr = core::Scratch{type.scalar, type.shape};
    }
  }

 private:
  // What makes the scatter's target, if it is one value everywhere and has no other use.
  Stm* fillOf(const core::Scatter& scatter, Body& body, size_t before) {
    if (scatter.destinations.size() != 1 || core::writesOf(scatter) != 1) return nullptr;
    const ValueId target = scatter.destinations[0].array;
    if (program_.type(target).rank() != 1 || uses_[target] != 1) return nullptr;
    for (size_t i = 0; i < before; ++i) {
      Stm& stm = body.stms[i];
      if (std::holds_alternative<core::Replicate>(stm.expr) && stm.results[0] == target) {
        return &stm;
      }
    }
    return nullptr;
  }

  // The array whose elements are the places.
  static std::optional<ValueId> placesOf(const core::Scatter& scatter) {
    const core::Operand& place = scatter.map.body.results[0];
    for (size_t k = 0; k < scatter.inputs.size(); ++k) {
      if (place == core::Operand(scatter.map.params[k])) return scatter.inputs[k];
    }
    return std::nullopt;
  }

  // How many statements from this one on read the array at an element of `places` that a map takes.
  static int readsAt(ValueId array, ValueId places, const Body& body, size_t from) {
    std::unordered_set<ValueId> elements;
    int reads = 0;
    const auto look = [&](const Stm& stm) {
      if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
        const bool is_at = index->array == array && index->indices.size() == 1 &&
                           !index->indices[0].isConstant() &&
                           elements.contains(index->indices[0].value);
        reads += is_at ? 1 : 0;
      }
      const auto* screma = std::get_if<core::Screma>(&stm.expr);
      for (size_t k = 0; screma != nullptr && k < screma->inputs.size(); ++k) {
        if (screma->inputs[k] == places) elements.insert(screma->map.params[k]);
      }
    };
    for (size_t i = from; i < body.stms.size(); ++i) {
      look(body.stms[i]);
      core::visitBodies(body.stms[i].expr,
                        [&](const Body& inner) { core::visitStms(inner, look); });
    }
    return reads;
  }

  core::Program& program_;
  std::unordered_map<ValueId, int> uses_;
};

}  // namespace

core::Program dropScatteredFills(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    ScatteredFills(result, core::Body(function.body)).run(function.body);
  }
  return result;
}

}  // namespace halo::passes
