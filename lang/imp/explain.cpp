// Follows the choices of lower_stencil.cpp and lower_steps.cpp.
#include "lang/imp/explain.h"
#include "lang/imp/simple_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/imp/lower/lowering.h"
#include "lang/imp/schedule/steps.h"

namespace halo::imp {
namespace {

std::string shapeOf(const core::Stencil& stencil) {
  size_t points = 0;
  bool is_dynamic = false;
  for (const core::Window& window : stencil.windows) {
    points += window.offsets.size();
    is_dynamic = is_dynamic || !window.dynamic.empty();
  }
  std::string neighbours =
      is_dynamic ? "neighbours known at run time" : fmt::format("{} neighbours", points);
  return fmt::format("{}-d stencil, {}", stencil.space.size(), neighbours);
}

std::string choiceOf(const core::Program& program, const core::Stm& stm) {
  const auto& stencil = std::get<core::Stencil>(stm.expr);
  bool is_dynamic = std::any_of(stencil.windows.begin(), stencil.windows.end(),
                                [](const core::Window& w) { return !w.dynamic.empty(); });
  if (is_dynamic) return "interior without tests, boundary cell by cell";
  if (!isSimple(program, stencil.map.body)) return "peeled boundary, cell by cell";
  if (!stencil.reductions.empty()) return "peeled boundary, reductions on the way";
  const std::string vectors = "vectorised interior, peeled boundary, ";
  if (const char* why = whySingleRows(program, stm)) return vectors + "row by row: " + why;
  return vectors + "register tile of 4 rows";
}

std::string stepsOf(const core::Program& program, const StepPlan& plan) {
  std::string stages = shapeOf(plan.stencil()), choices = choiceOf(program, plan.stm());
  for (size_t s = 1; s < plan.stages(); ++s) {
    stages += " and " + shapeOf(plan.stencil(s));
    choices += "; " + choiceOf(program, plan.stm(s));
  }
  return fmt::format(
      "{}, iterated: arrays of more than {} MB do {} steps at once in tiles{}; else {}", stages,
      plan.cachedBytes() >> 20, plan.steps,
      plan.wraps() ? ", from copies that go on beyond the ends" : "", choices);
}

class Explainer {
 public:
  Explainer(const core::Program& program, const std::function<void(const std::string&)>& say)
      : program_(program), say_(say) {}

  void body(const core::Body& body) {
    for (const core::Stm& stm : body.stms) {
      if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
        say_(shapeOf(*stencil) + ": " + choiceOf(program_, stm));
        continue;
      }
      const auto* loop = std::get_if<core::Loop>(&stm.expr);
      StepChoice steps = loop != nullptr ? planSteps(program_, *loop) : StepChoice(nullptr);
      if (const auto* plan = std::get_if<StepPlan>(&steps)) {
        say_(stepsOf(program_, *plan));
        continue;
      }
      if (const char* why = std::get<const char*>(steps)) {
        say_(fmt::format("a loop of stencils, step by step: {}", why));
      }
      core::forEachBody(stm.expr, [&](const core::Body& inner) { this->body(inner); });
    }
  }

 private:
  const core::Program& program_;
  const std::function<void(const std::string&)>& say_;
};

}  // namespace

void explainStencils(const core::Program& program,
                     const std::function<void(const std::string&)>& say) {
  for (const core::Function& function : program.functions)
    Explainer(program, say).body(function.body);
}

}  // namespace halo::imp
