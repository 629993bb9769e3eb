// Expressions of one function to nodes.
#pragma once

#include "interp/last_use.h"
#include "interp/prepare/prepare.h"
#include "interp/prepare/prepare_type.h"

namespace halo::interp {

class ExprPreparation {
 public:
  ExprPreparation(Preparation& all, Scope& scope)
      : all_(all), program_(all.program_), scope_(scope) {}

  // Parameters and body; the type and size parameters are bound in the scope already.
  UserFunction::Parts function(const std::vector<syntax::PatternId>& parameters,
                               syntax::ExprId body);
  // As above, for a function that is called from outside with arguments of any size: those that
  // are computed (`[n / 2]t`) are checked first.
  UserFunction::Parts entry(const std::vector<syntax::PatternId>& parameters, syntax::ExprId body);

 private:
  friend class Preparation;
  using ExprId = syntax::ExprId;
  using PatternId = syntax::PatternId;
  // The meaning of a name or operator.
  struct Callee {
    const types::Use* use = nullptr;
    ExprId named_by;
    int arity = 0;  // 0: not known before run time
  };

  NodeRef expr(ExprId id);
  NodeRef withoutSizes(ExprId id);
  Nodes exprs(const std::vector<ExprId>& ids);
  Site site(ExprId id) const { return {program_.tree.exprs[id].span, scope_.in_prelude}; }
  CasePattern casePattern(PatternId pattern);
  Target target(PatternId pattern);  // wildcards get a slot too: a loop returns all parts

  // prepare_call.cpp
  NodeRef variable(ExprId id);
  NodeRef apply(ExprId id);
  NodeRef binary(ExprId id, const syntax::Binary& node);
  const types::PrimMeaning* primOperator(ExprId id) const;
  NodeRef chain(ExprId id);
  NodeRef section(ExprId id, const syntax::OperatorSection& node);
  NodeRef indexSection(ExprId id, const syntax::IndexSection& node);
  NodeRef projectSection(ExprId id, const syntax::ProjectSection& node);
  NodeRef lambda(ExprId id, const syntax::Lambda& node);
  Step localFunction(ExprId id, const syntax::LetFunction& node);
  NodeRef closureOf(ExprId id, const std::vector<types::TypeParamId>& type_parameters,
                    const std::vector<types::BinderId>& size_parameters,
                    const std::vector<PatternId>& parameters, ExprId body);
  Callee callee(ExprId named_by) const;
  NodeRef functionValue(const Callee& callee, Nodes args);
  NodeRef fullCall(const Callee& callee, Nodes args, Site where);
  NodeRef applied(const Callee& callee, const std::vector<ExprId>& arguments,
                  const std::vector<Site>& sites);
  const Function* functionFor(const types::Target& target);
  Nodes env(const types::Use& use);

  // prepare_expr.cpp
  NodeRef stringLiteral(const syntax::StringLiteral& node, ExprId id);
  NodeRef record(ExprId id, const syntax::RecordExpr& node);
  NodeRef array(ExprId id, const syntax::ArrayExpr& node);
  NodeRef range(ExprId id, const syntax::RangeExpr& node);
  NodeRef recordUpdate(const syntax::RecordUpdate& node);
  NodeRef constructor(ExprId id, const syntax::Constructor& node);
  NodeRef matching(const syntax::MatchExpr& node);
  NodeRef attributed(const syntax::Attributed& node);
  NodeRef block(ExprId id);
  NodeRef loop(ExprId id, const syntax::Loop& node);
  NodeRef coerce(ExprId id, const syntax::Coerce& node);
  IndexList indices(const std::vector<syntax::IndexPart>& parts);

  Preparation& all_;
  const types::Program& program_;
  Scope& scope_;
  std::optional<int64_t> most_steps_;  // of the loop that is prepared next
};

}  // namespace halo::interp
