// Follows the choices of lower_stencil.cpp and lower_steps.cpp.
#include "lang/imp/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/imp/lowering.h"

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

std::string choiceOf(const core::Program& program, const core::Stencil& stencil) {
  bool is_dynamic = std::any_of(stencil.windows.begin(), stencil.windows.end(),
                                [](const core::Window& w) { return !w.dynamic.empty(); });
  if (is_dynamic) return "interior without tests, the rest cell by cell";
  if (!isSimple(program, stencil.map.body)) return "interior and edges, cell by cell";
  if (stencil.reductions.empty()) return "interior in vectors, edges apart";
  return "interior and edges, reductions on the way";
}

class Explainer {
 public:
  Explainer(const core::Program& program, const std::function<void(const std::string&)>& say)
      : program_(program), say_(say) {}

  void body(const core::Body& body) {
    for (const core::Stm& stm : body.stms) {
      if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
        say_(shapeOf(*stencil) + ": " + choiceOf(program_, *stencil));
        continue;
      }
      const auto* loop = std::get_if<core::Loop>(&stm.expr);
      const core::Stencil* blocked = loop != nullptr ? blockedStencil(program_, *loop) : nullptr;
      if (blocked != nullptr) {
        say_(shapeOf(*blocked) + ", iterated: larger than the cache, steps in groups of tiles; " +
             "else " + choiceOf(program_, *blocked));
        continue;
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
