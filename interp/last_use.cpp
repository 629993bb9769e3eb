// One walk backwards through the evaluation, carrying the set of variables that are still needed.
#include "interp/last_use.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"

namespace halo::interp {

using namespace syntax;  // NOLINT: every node kind is mentioned here
using types::BinderId;
using types::Program;

ExprId stripped(const Program& program, ExprId expr) {
  while (program.binds.at(expr).empty()) {
    const ExprNode& node = program.tree.exprs[expr].node;
    if (const auto* inner = std::get_if<Parenthesised>(&node)) {
      expr = inner->value;
    } else if (const auto* attributed = std::get_if<Attributed>(&node)) {
      expr = attributed->value;
    } else if (const auto* ascribed = std::get_if<Ascribe>(&node)) {
      expr = ascribed->value;
    } else {
      break;
    }
  }
  return expr;
}

bool isPlainVariable(const Program& program, ExprId expr) {
  expr = stripped(program, expr);
  const auto& use = program.use_of.at(expr);
  return std::holds_alternative<Variable>(program.tree.exprs[expr].node) && use.has_value() &&
         std::holds_alternative<types::LocalTarget>(use->target) && use->type_arguments.empty() &&
         use->size_arguments.empty() && program.binds.at(expr).empty();
}

Application applicationOf(const Program& program, ExprId expr) {
  Application result;
  for (;;) {
    const auto* apply = std::get_if<Apply>(&program.tree.exprs[expr].node);
    if (apply == nullptr) break;
    result.arguments.push_back(apply->argument);
    result.applications.push_back(expr);
    expr = stripped(program, apply->function);
    if (!program.binds.at(expr).empty()) break;  // those sizes are bound by a node of its own
  }
  result.function = expr;
  std::reverse(result.arguments.begin(), result.arguments.end());
  std::reverse(result.applications.begin(), result.applications.end());
  return result;
}

namespace {

using Live = std::unordered_set<BinderId>;

class Walk {
 public:
  Walk(const Program& program, State& state, std::unordered_set<ExprId>& last_uses)
      : program_(program), state_(state), last_uses_(last_uses) {}

  // `live`: what is read after `expr`; becomes what is read from `expr` on.
  void visit(ExprId expr, Live& live) {
    state_.checkStack();
    expr = stripped(program_, expr);
    // `a + b + c + ..` leans to the left and may be very long: no recursion along it.
    while (const auto* chain = std::get_if<Binary>(&program_.tree.exprs[expr].node)) {
      if (isCall(expr)) break;
      visit(chain->rhs, live);
      expr = stripped(program_, chain->lhs);
    }
    if (isPlainVariable(program_, expr)) return visitVariable(expr, live);
    const ExprNode& node = program_.tree.exprs[expr].node;
    if (const auto* chain = std::get_if<Let>(&node)) return visitLets(*chain, live);
    if (const auto* loop = std::get_if<Loop>(&node)) return visitLoop(*loop, live);
    if (const auto* branch = std::get_if<If>(&node)) return visitIf(*branch, live);
    if (const auto* lambda = std::get_if<Lambda>(&node)) {
      return visitFunction(lambda->parameters, lambda->body, live);
    }
    if (const auto* local = std::get_if<LetFunction>(&node)) {
      visit(local->body, live);
      return visitFunction(local->function.parameters, local->function.body, live);
    }
    visitOperands(expr, node, live);
  }

 private:
  void visitVariable(ExprId expr, Live& live) {
    const BinderId binder = std::get<types::LocalTarget>(program_.use_of.at(expr)->target).binder;
    if (live.insert(binder).second) last_uses_.insert(expr);
  }

  // A chain of lets may be very long: no recursion along it.
  void visitLets(const Let& first, Live& live) {
    std::vector<const Let*> chain{&first};
    ExprId body = stripped(program_, first.body);
    while (const auto* next = std::get_if<Let>(&program_.tree.exprs[body].node)) {
      if (!program_.binds.at(body).empty()) break;
      chain.push_back(next);
      body = stripped(program_, next->body);
    }
    visit(body, live);
    for (size_t i = chain.size(); i-- > 0;) {
      forget(chain[i]->pattern, live);
      visit(chain[i]->value, live);
    }
  }

  void visitIf(const If& branch, Live& live) {
    Live other = live;
    visit(branch.then_branch, live);
    visit(branch.else_branch, other);
    live.insert(other.begin(), other.end());
    visit(branch.condition, live);
  }

  // A variable from outside that the body reads is needed by the next round as well.
  void visitLoop(const Loop& loop, Live& live) {
    const auto* while_form = std::get_if<LoopWhile>(&loop.form);
    Live inside = live;
    addReadsFromOutside(loop.body, inside);
    if (while_form != nullptr) addReadsFromOutside(while_form->condition, inside);
    const auto* in = std::get_if<LoopForIn>(&loop.form);
    forget(loop.pattern, inside);
    if (in != nullptr) forget(in->pattern, inside);
    visit(loop.body, inside);
    if (while_form != nullptr) {
      keep(loop.pattern, inside);  // for the body or the result
      visit(while_form->condition, inside);
    }
    forget(loop.pattern, inside);
    if (in != nullptr) forget(in->pattern, inside);
    live.insert(inside.begin(), inside.end());
    if (in != nullptr) visit(in->array, live);
    if (const auto* up = std::get_if<LoopFor>(&loop.form)) visit(up->bound, live);
    visit(loop.initial, live);
  }

  // The function may run any number of times, later: what it captures is copied into it.
  void visitFunction(const std::vector<PatternId>& parameters, ExprId body, Live& live) {
    Live inside;
    visit(body, inside);
    for (PatternId parameter : parameters) forget(parameter, inside);
    live.insert(inside.begin(), inside.end());
  }

  void visitOperands(ExprId expr, const ExprNode& node, Live& live) {
    std::vector<ExprId> early;
    std::vector<ExprId> late;  // plain variables where the nodes read them last
    const auto add = [&](ExprId operand, bool may_be_late) {
      (may_be_late && isPlainVariable(program_, operand) ? late : early).push_back(operand);
    };
    if (std::holds_alternative<Apply>(node)) {
      const Application application = applicationOf(program_, expr);
      add(application.function, false);
      for (ExprId argument : application.arguments) add(argument, true);
    } else {
      const bool all_late = std::holds_alternative<TupleExpr>(node) ||
                            std::holds_alternative<RecordExpr>(node) ||
                            std::holds_alternative<Binary>(node);
      const bool first_late =
          std::holds_alternative<IndexExpr>(node) || std::holds_alternative<UpdateExpr>(node);
      bool first = true;
      forEachChild(node, [&](ExprId child) {
        add(child, all_late || (first_late && first));
        first = false;
      });
    }
    for (size_t i = late.size(); i-- > 0;) visit(late[i], live);
    for (size_t i = early.size(); i-- > 0;) visit(early[i], live);
    keepTarget(expr, live);
  }

  bool isCall(ExprId expr) const {
    const auto& use = program_.use_of.at(expr);
    return use && (std::holds_alternative<types::DefTarget>(use->target) ||
                   std::holds_alternative<types::LocalTarget>(use->target));
  }

  // The function of an operator, or of a use with type arguments, is a local variable too.
  void keepTarget(ExprId expr, Live& live) {
    const auto& use = program_.use_of.at(expr);
    if (!use) return;
    if (const auto* local = std::get_if<types::LocalTarget>(&use->target)) {
      live.insert(local->binder);
    }
  }

  void addReadsFromOutside(ExprId root, Live& live) {
    Live read;
    Live bound;
    std::vector<ExprId> todo{root};
    while (!todo.empty()) {
      const ExprId expr = todo.back();
      todo.pop_back();
      keepTarget(expr, read);
      const ExprNode& node = program_.tree.exprs[expr].node;
      for (PatternId pattern : patternsOf(node)) keep(pattern, bound);
      forEachChild(node, [&](ExprId child) { todo.push_back(child); });
    }
    for (BinderId binder : read) {
      if (!bound.contains(binder)) live.insert(binder);
    }
  }

  static std::vector<PatternId> patternsOf(const ExprNode& node) {
    if (const auto* let = std::get_if<Let>(&node)) return {let->pattern};
    if (const auto* lambda = std::get_if<Lambda>(&node)) return lambda->parameters;
    if (const auto* local = std::get_if<LetFunction>(&node)) return local->function.parameters;
    if (const auto* loop = std::get_if<Loop>(&node)) {
      if (const auto* in = std::get_if<LoopForIn>(&loop->form)) return {loop->pattern, in->pattern};
      return {loop->pattern};
    }
    return {};
  }

  template <typename Use>
  void forEachBinder(PatternId pattern, const Use& use) const {
    base::match(
        program_.tree.patterns[pattern].node,
        [&](const PatternName&) { use(program_.binder_of.at(pattern)); },
        [](const PatternWildcard&) {},
        [&](const PatternTuple& tuple) {
          for (PatternId element : tuple.elements) forEachBinder(element, use);
        },
        [&](const PatternRecord& record) {
          for (const auto& field : record.fields) forEachBinder(field.second, use);
        },
        [&](const PatternTyped& typed) { forEachBinder(typed.pattern, use); });
  }
  void forget(PatternId pattern, Live& live) const {
    forEachBinder(pattern, [&](BinderId binder) { live.erase(binder); });
  }
  void keep(PatternId pattern, Live& live) const {
    forEachBinder(pattern, [&](BinderId binder) { live.insert(binder); });
  }

  const Program& program_;
  State& state_;
  std::unordered_set<ExprId>& last_uses_;
};

}  // namespace

void findLastUses(const Program& program, ExprId body, State& state,
                  std::unordered_set<ExprId>& last_uses) {
  Live live;
  Walk(program, state, last_uses).visit(body, live);
}

}  // namespace halo::interp
