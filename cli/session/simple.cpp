// Looks for an array, a loop or a recursive function in the code that an entry reaches.
#include "cli/session/simple.h"

#include <algorithm>

#include "cli/session/reached.h"

namespace halo::session {
namespace {

bool isArray(const types::Program& program, types::TypeId type) {
  return type.valid() && std::holds_alternative<types::ArrayType>(program.types[type]);
}

bool isSimpleDef(const types::Program& program, const types::Def& def) {
  if (def.is_recursive || isArray(program, def.result)) return false;
  return std::none_of(def.parameters.begin(), def.parameters.end(), [&](syntax::PatternId it) {
    return isArray(program, program.pattern_type.at(it));
  });
}

bool isSimpleExpr(const types::Program& program, types::ExprId expr) {
  return !isArray(program, program.type_of.at(expr)) &&
         !std::holds_alternative<syntax::Loop>(program.tree.exprs[expr].node);
}

}  // namespace

bool isSimple(const types::Program& program, types::DefId entry) {
  bool simple = true;
  ReachedVisitor visitor;
  visitor.visit_def = [&](const types::Def& def) { return simple = isSimpleDef(program, def); };
  visitor.visit_expr = [&](const Reached& reached) {
    return simple = isSimpleExpr(program, reached.expr);
  };
  visitReached(program, entry, visitor);
  return simple;
}

}  // namespace halo::session
