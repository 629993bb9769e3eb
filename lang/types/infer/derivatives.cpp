#include "lang/types/infer/derivatives.h"

#include <unordered_set>

#include "lang/syntax/visit.h"

namespace halo::types {

namespace {

bool is(const Def& def, Intrinsic wanted) {
  const auto* intrinsic = def.built_in ? std::get_if<Intrinsic>(&*def.built_in) : nullptr;
  return intrinsic != nullptr && *intrinsic == wanted;
}
bool isReverse(const Def& def) { return is(def, Intrinsic::kVjp); }
bool isDerivative(const Def& def) { return isReverse(def) || is(def, Intrinsic::kJvp); }

}  // namespace

std::string insteadName(const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return name + "_ad";
  return name.substr(dot + 1) + "_ad_" + name.substr(0, dot);
}

bool hasDerivatives(const Program& program) {
  for (const Def& def : program.defs) {
    if (isDerivative(def)) return true;
  }
  return false;
}

bool hasReverseMode(const Program& program, DefId entry) {
  if (!hasDerivatives(program)) return false;
  std::unordered_set<DefId> seen{entry};
  std::vector<DefId> defs{entry};
  std::vector<ExprId> exprs;
  while (!defs.empty() || !exprs.empty()) {
    if (exprs.empty()) {
      const Def& def = program.defs[defs.back()];
      defs.pop_back();
      if (isReverse(def)) return true;
      if (def.body.valid()) exprs.push_back(def.body);
      continue;
    }
    const ExprId expr = exprs.back();
    exprs.pop_back();
    if (const auto& use = program.use_of.at(expr)) {
      const auto* target = std::get_if<DefTarget>(&use->target);
      if (target != nullptr && seen.insert(target->def).second) defs.push_back(target->def);
    }
    syntax::forEachChild(program.tree.exprs[expr].node,
                         [&](ExprId child) { exprs.push_back(child); });
  }
  return false;
}

}  // namespace halo::types
