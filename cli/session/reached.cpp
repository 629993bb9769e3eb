#include "cli/session/reached.h"

#include <unordered_set>
#include <vector>

#include "interp/last_use.h"
#include "lang/syntax/visit.h"

namespace halo::session {
namespace {

using types::DefId;

class Walk {
 public:
  Walk(const types::Program& program, const ReachedVisitor& visitor)
      : program_(program), visitor_(visitor) {}

  void run(DefId entry) {
    bool goes_on = enter(entry, std::nullopt);
    while (goes_on && !pending_.empty()) {
      const Reached next = pending_.back();
      pending_.pop_back();
      goes_on = visit(next);
    }
  }

 private:
  bool enter(DefId id, std::optional<source::Span> name) {
    if (!seen_.insert(id).second) return true;
    const types::Def& def = program_.defs[id];
    if (def.body.valid()) pending_.push_back({def.body, def.is_prelude ? name : std::nullopt});
    return !visitor_.visit_def || visitor_.visit_def(def);
  }

  bool visit(const Reached& reached) {
    if (!visitor_.visit_expr(reached)) return false;
    const syntax::Expr& expr = program_.tree.exprs[reached.expr];
    syntax::forEachChild(expr.node, [&](types::ExprId child) {
      pending_.push_back({child, reached.name});
    });
    const auto& use = program_.use_of.at(reached.expr);
    const auto* target = use ? std::get_if<types::DefTarget>(&use->target) : nullptr;
    return target == nullptr || enter(target->def, reached.name ? reached.name : expr.span);
  }

  const types::Program& program_;
  const ReachedVisitor& visitor_;
  std::unordered_set<DefId> seen_;
  std::vector<Reached> pending_;
};

bool isBefore(const source::Span& a, const source::Span& b) {
  return a.file != b.file ? a.file.index < b.file.index : a.begin < b.begin;
}

}  // namespace

void visitReached(const types::Program& program, DefId entry, const ReachedVisitor& visitor) {
  Walk(program, visitor).run(entry);
}

std::optional<source::Span> firstTrace(const types::Program& program, DefId entry) {
  std::optional<source::Span> first;
  ReachedVisitor visitor;
  visitor.visit_expr = [&](const Reached& reached) {
    const auto* node = std::get_if<syntax::Attributed>(&program.tree.exprs[reached.expr].node);
    if (node == nullptr || !interp::traceTag(node->attribute)) return true;
    const source::Span span = reached.name.value_or(node->attribute.span);
    if (!first || isBefore(span, *first)) first = span;
    return true;
  };
  visitReached(program, entry, visitor);
  return first;
}

}  // namespace halo::session
