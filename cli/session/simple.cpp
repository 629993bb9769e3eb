// Walks the code that an entry reaches, in search of an array, a loop or a recursive function.
#include "cli/session/simple.h"

#include <unordered_set>
#include <vector>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"

namespace halo::session {
namespace {

using types::DefId;
using types::ExprId;

bool isArray(const types::Program& program, types::TypeId type) {
  return type.valid() && std::holds_alternative<types::ArrayType>(program.types[type]);
}

class Walk {
 public:
  explicit Walk(const types::Program& program) : program_(program) {}

  bool run(DefId entry) {
    visitDef(entry);
    while (simple_ && !pending_.empty()) {
      ExprId expr = pending_.back();
      pending_.pop_back();
      visitExpr(expr);
    }
    return simple_;
  }

 private:
  void visitDef(DefId id) {
    if (!seen_.insert(id).second) return;
    const types::Def& def = program_.defs[id];
    if (def.is_recursive || isArray(program_, def.result)) simple_ = false;
    for (syntax::PatternId parameter : def.parameters) {
      if (isArray(program_, program_.pattern_type.at(parameter))) simple_ = false;
    }
    if (def.body.valid()) pending_.push_back(def.body);
  }

  void visitExpr(ExprId id) {
    const syntax::ExprNode& node = program_.tree.exprs[id].node;
    if (isArray(program_, program_.type_of.at(id)) || std::holds_alternative<syntax::Loop>(node)) {
      simple_ = false;
      return;
    }
    if (const auto& use = program_.use_of.at(id)) {
      if (auto* target = std::get_if<types::DefTarget>(&use->target)) visitDef(target->def);
    }
    syntax::forEachChild(node, [&](ExprId child) { pending_.push_back(child); });
  }

  const types::Program& program_;
  std::unordered_set<DefId> seen_;
  std::vector<ExprId> pending_;
  bool simple_ = true;
};

}  // namespace

bool isSimple(const types::Program& program, DefId entry) { return Walk(program).run(entry); }

}  // namespace halo::session
