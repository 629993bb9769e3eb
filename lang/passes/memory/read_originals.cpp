// Each loop for itself. All uses of the array in a loop are known, or it stays as it is.
#include "lang/passes/memory/read_originals.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/memory/loop_places.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Index;
using core::Loop;
using core::Operand;
using core::Stm;
using core::ValueId;

constexpr int kFarthest = 3;  // iterations

class OriginalReader {
 public:
  OriginalReader(core::Program& program, const core::Function& function)
      : program_(program),
        forms_(function.body),
        consumption_(program, function),
        uses_(core::useCounts(program, function.body)) {
    core::visitStms(function.body, [&](const Stm& stm) {
      const bool fills = std::holds_alternative<core::Copy>(stm.expr) ||
                         std::holds_alternative<core::Replicate>(stm.expr);
      if (fills) fills_.emplace(stm.results[0], stm.expr);
    });
  }

  void run(Body& body) {
    core::Substitution values;
    core::visitStms(body, [&](const Stm& stm) {
      const auto* index = std::get_if<Index>(&stm.expr);
      const bool reads =
          index != nullptr && !stm.checked && program_.type(stm.results[0]).isScalar();
      const auto original = reads ? originalOf(index->array) : std::nullopt;
      if (original) values[stm.results[0]] = *original;
    });
    replaceAll(body, values);
    core::visitStms(body, [&](Stm& stm) {
      // Outside of cells, a copy may be a kernel like any other.
      core::visitLambdas(stm.expr, [&](core::Lambda& lambda) {
        core::visitStms(lambda.body, [&](Stm& inner) { copyOriginal(inner); });
      });
    });
    inLoops(body);
  }

 private:
  void inLoops(Body& body) {
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& inner) { inLoops(inner); });
      auto* loop = std::get_if<Loop>(&stm.expr);
      if (loop != nullptr && std::holds_alternative<core::ForLoop>(loop->form)) inLoop(*loop);
    }
  }

  void inLoop(Loop& loop) {
    LoopPlaces places(program_, forms_, loop);
    core::Substitution values;
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      if (program_.type(loop.carried[k].param).isScalar()) continue;
      const auto array = places.written(k);
      const auto original = array ? originalOf(array->initial) : std::nullopt;
      if (!original) continue;
      const std::vector<ValueId> reads = readsOf(loop, places, *array, loop.carried[k].param);
      if (usesOf(*array) != static_cast<int>(array->names.size() + reads.size())) continue;
      for (const ValueId read : reads) values[read] = *original;
    }
    replaceAll(loop.body, values);
  }

  void copyOriginal(Stm& stm) {
    const auto* copy = std::get_if<core::Copy>(&stm.expr);
    const auto original = copy == nullptr ? std::nullopt : originalOf(copy->array);
    if (!original) return;
    if (program_.type(*original).isScalar()) {
      stm.expr = core::Replicate{program_.type(stm.results[0]).shape, *original};
    } else {
      stm.expr = core::Copy{original->value};
    }
  }

  void replaceAll(Body& body, core::Substitution& values) {
    if (values.empty()) return;
    replace(body, values);
    core::substitute(program_, body, values);
  }

  // The value of all elements, or an array that keeps them.
  std::optional<Operand> originalOf(ValueId array) {
    auto fill = fills_.find(array);
    while (fill != fills_.end()) {
      if (const auto* replicate = std::get_if<core::Replicate>(&fill->second)) {
        const bool is_value = program_.type(replicate->value).isScalar();
        return is_value ? std::optional(replicate->value) : std::nullopt;
      }
      const ValueId source = std::get<core::Copy>(fill->second).array;
      if (!consumption_.isConsumed(source)) return source;
      fill = fills_.find(source);
    }
    return std::nullopt;
  }

  // Reads of elements that this iteration or one of the next will write.
  std::vector<ValueId> readsOf(const Loop& loop, LoopPlaces& places, const PlacedArray& array,
                               ValueId param) {
    std::vector<ValueId> reads;
    core::visitStms(loop.body, [&](const Stm& stm) {
      const Index* index = places.readOf(array, stm);
      if (index == nullptr || stm.checked) return;
      const IndexForms::Form place = forms_.of(index->indices);
      for (int later = index->array == param ? 0 : 1; later <= kFarthest; ++later) {
        if (places.moved(array.place, later) != place) continue;
        reads.push_back(stm.results[0]);
        return;
      }
    });
    return reads;
  }

  // Each of the names is used once by the next one, or as the result.
  int usesOf(const PlacedArray& array) const {
    int uses = 0;
    for (const ValueId name : array.names) {
      auto found = uses_.find(name);
      uses += found == uses_.end() ? 0 : found->second;
    }
    return uses;
  }

  // Reads of an array read the original; those of a value go, and `values` keeps them.
  void replace(Body& body, core::Substitution& values) {
    std::erase_if(body.stms, [&](Stm& stm) {
      auto found = stm.results.size() == 1 ? values.find(stm.results[0]) : values.end();
      if (found == values.end()) return false;
      if (program_.type(found->second).isScalar()) return true;
      std::get<Index>(stm.expr).array = found->second.value;
      values.erase(found);
      return false;
    });
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& inner) { replace(inner, values); });
    }
  }

  core::Program& program_;
  IndexForms forms_;
  Consumption consumption_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_map<ValueId, core::Expr> fills_;
};

}  // namespace

core::Program readOriginals(const core::Program& program) {
  core::Program result = program;
  for (size_t f = 0; f < result.functions.size(); ++f) {
    const core::Function& before = program.functions[f];
    Body body = before.body;
    OriginalReader(result, before).run(body);
    result.functions[f].body = std::move(body);
  }
  return result;
}

}  // namespace halo::passes
