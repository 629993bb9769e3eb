// One walk over the loop's body.
#include "lang/core/iterated.h"

#include <algorithm>

namespace halo::core {
namespace {

class Finder {
 public:
  Finder(const Program& program, const Loop& loop) : program_(program), loop_(loop) {}

  std::optional<IteratedStencil> run() {
    const auto* form = std::get_if<ForLoop>(&loop_.form);
    if (form == nullptr || loop_.carried.empty()) return std::nullopt;
    found_.loop = &loop_;
    found_.form = *form;
    found_.space = program_.type(loop_.carried[0].param).shape;
    if (found_.space.empty() || found_.space.size() > 3) return std::nullopt;
    for (const Carried& carried : loop_.carried) {
      if (!isField(carried.param)) return std::nullopt;
      found_.fields.insert(carried.param);
    }
    for (const Stm& stm : loop_.body.stms) {
      if (!accepts(stm)) return std::nullopt;
    }
    for (const Operand& result : loop_.body.results) {
      if (result.isConstant() || !found_.fields.contains(result.value)) return std::nullopt;
    }
    if (found_.stages.empty() || mixesWraps()) return std::nullopt;
    return found_;
  }

 private:
  bool isField(ValueId value) const { return program_.type(value).shape == found_.space; }

  bool accepts(const Stm& stm) {
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
      if (!accepts(*stencil)) return false;
      found_.stages.push_back(&stm);
      found_.fields.insert(stm.results.begin(), stm.results.end());
      return std::all_of(stm.results.begin(), stm.results.end(),
                         [&](ValueId result) { return isField(result); });
    }
    if (const auto* replicate = std::get_if<Replicate>(&stm.expr)) return accepts(stm, *replicate);
    found_.scalars.stms.push_back(stm);
    return isOfScalars(stm);
  }

  // Also a branch of scalar code, as a sine has.
  bool isOfScalars(const Stm& stm) const {
    const auto* match = std::get_if<Match>(&stm.expr);
    if (match == nullptr) return isScalarCode(stm);
    const auto isScalarBody = [&](const Body& body) {
      return std::all_of(body.stms.begin(), body.stms.end(),
                         [&](const Stm& inner) { return isOfScalars(inner); });
    };
    return !stm.checked &&
           std::all_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return program_.type(result).isScalar(); }) &&
           isScalarBody(match->otherwise) &&
           std::all_of(match->cases.begin(), match->cases.end(),
                       [&](const Case& one) { return isScalarBody(one.body); });
  }

  bool accepts(const Stm& stm, const Replicate& replicate) {
    if (!replicate.value.isConstant() || !isField(stm.results[0])) return false;
    found_.uniforms.emplace(stm.results[0], replicate.value.constant);
    return true;
  }

  bool accepts(const Stencil& stencil) const {
    if (stencil.space != found_.space || !stencil.reductions.empty()) return false;
    return std::all_of(stencil.windows.begin(), stencil.windows.end(),
                       [](const Window& window) { return window.dynamic.empty(); }) &&
           std::all_of(stencil.inputs.begin(), stencil.inputs.end(), [&](ValueId input) {
             return isField(input) && !found_.uniforms.contains(input);
           });
  }

  // An axis either ends or goes on and on.
  bool mixesWraps() const {
    for (size_t axis = 0; axis < found_.space.size(); ++axis) {
      bool some = false, all = true;
      for (const Stm* stm : found_.stages) {
        for (const Window& window : std::get<Stencil>(stm->expr).windows) {
          bool wraps = window.boundary[axis].kind == BoundaryKind::kWrap;
          some = some || wraps;
          all = all && wraps;
        }
      }
      if (some && !all) return true;
    }
    return false;
  }

  const Program& program_;
  const Loop& loop_;
  IteratedStencil found_;
};

}  // namespace

bool isScalarCode(const Stm& stm) {
  if (stm.checked) return false;
  return std::holds_alternative<PrimOp>(stm.expr) || std::holds_alternative<Convert>(stm.expr) ||
         std::holds_alternative<Literal>(stm.expr) || std::holds_alternative<Select>(stm.expr);
}

std::optional<IteratedStencil> iteratedStencil(const Program& program, const Loop& loop) {
  return Finder(program, loop).run();
}

}  // namespace halo::core
