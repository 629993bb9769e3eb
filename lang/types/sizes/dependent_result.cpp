#include "lang/types/sizes/dependent_result.h"

#include "lang/syntax/visit.h"

namespace halo::types {

using namespace syntax;

namespace {

class Shown {
 public:
  explicit Shown(const Program& program) : program_(program) {}

  // A lambda without a written result, or a definition of the prelude.
  bool byFunction(ExprId function) const {
    const ExprNode& node = program_.tree.exprs[function].node;
    if (auto* inner = std::get_if<Parenthesised>(&node)) return byFunction(inner->value);
    if (auto* lambda = std::get_if<Lambda>(&node)) return !lambda->result && byValue(lambda->body);
    return std::holds_alternative<Variable>(node) && byUse(function);
  }

 private:
  // Nothing in it binds a name whose size would be forgotten, or calls what may hide one.
  bool byValue(ExprId expr) const {
    const ExprNode& node = program_.tree.exprs[expr].node;
    const bool may_hide =
        std::holds_alternative<Let>(node) || std::holds_alternative<LetFunction>(node) ||
        std::holds_alternative<MatchExpr>(node) || std::holds_alternative<Loop>(node) ||
        std::holds_alternative<Coerce>(node) || std::holds_alternative<LocalOpen>(node) ||
        std::holds_alternative<Hole>(node);
    auto* lambda = std::get_if<Lambda>(&node);
    if (may_hide || (lambda && lambda->result) || !byUse(expr)) return false;
    bool is_shown = true;
    forEachChild(node, [&](ExprId part) { is_shown = is_shown && byValue(part); });
    return is_shown;
  }

  bool byUse(ExprId expr) const {
    const auto& use = program_.use_of.at(expr);
    if (!use) return true;
    if (auto* def = std::get_if<DefTarget>(&use->target)) return program_.defs[def->def].is_prelude;
    if (!std::holds_alternative<LocalTarget>(use->target)) return true;
    const TypeId type = program_.type_of.at(expr);
    return !type || !std::holds_alternative<FunctionType>(program_.types[type]);
  }

  const Program& program_;
};

}  // namespace

void rejectDependentResults(const Program& program, const std::vector<source::Span>& places,
                            diag::Sink& sink) {
  const Shown shown(program);
  for (const source::Span place : places) {
    for (size_t i = program.tree.exprs.size(); i-- > 0;) {
      const ExprId expr(i);
      // Those without a type are of the parametric module's text, of which this is a copy.
      if (program.tree.exprs[expr].span != place || !program.type_of.at(expr)) continue;
      if (!shown.byFunction(expr)) continue;
      auto& diagnostic =
          sink.error(diag::Code::size_mismatch, place,
                     "the result's size depends on the argument, but is needed as one that only "
                     "the result knows");
      diagnostic.notes.push_back(
          "write the result's type, which forgets the size: `\\x : []t -> ..`");
      break;
    }
  }
}

}  // namespace halo::types
