// One walk backwards through the evaluation, carrying the set of variables that are still needed.
#include "interp/last_use.h"

#include <algorithm>
#include <charconv>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"

namespace halo::interp {

using namespace syntax;  // NOLINT: every node kind is mentioned here
using types::BinderId;
using types::Program;

namespace {

// Attributes that mean something here.
bool isKept(const Attribute& attribute) {
  return traceTag(attribute) || attribute.text == "blank" || boundOf(attribute);
}

}  // namespace

ExprId stripped(const Program& program, ExprId expr) {
  while (program.binds.at(expr).empty()) {
    const ExprNode& node = program.tree.exprs[expr].node;
    if (const auto* inner = std::get_if<Parenthesised>(&node)) {
      expr = inner->value;
    } else if (const auto* attributed = std::get_if<Attributed>(&node)) {
      if (isKept(attributed->attribute)) break;
      expr = attributed->value;
    } else if (const auto* open = std::get_if<LocalOpen>(&node)) {
      expr = open->value;
    } else if (const auto* ascribed = std::get_if<Ascribe>(&node)) {
      expr = ascribed->value;
    } else {
      break;
    }
  }
  return expr;
}

std::optional<std::string> traceTag(const Attribute& attribute) {
  const std::string& text = attribute.text;
  const size_t end = text.find_first_of("( \t");
  const std::string name = text.substr(0, end);
  if (name != "trace" && name != "break") return std::nullopt;
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return name;
  return text.substr(open + 1, close - open - 1);
}

std::optional<int64_t> boundOf(const Attribute& attribute) {
  constexpr std::string_view kName = "bound(";
  const std::string& text = attribute.text;
  int64_t bound = 0;
  const char* end = text.data() + text.size();
  if (!text.starts_with(kName)) return std::nullopt;
  const auto read = std::from_chars(text.data() + kName.size(), end, bound);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != ')') return std::nullopt;
  return bound;
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

template <typename Use>
void forEachBinder(const Program& program, PatternId pattern, const Use& use) {
  const auto all = [&](const std::vector<PatternId>& patterns) {
    for (PatternId inner : patterns) forEachBinder(program, inner, use);
  };
  base::match(
      program.tree.patterns[pattern].node,
      [&](const PatternName&) { use(program.binder_of.at(pattern)); },
      [](const PatternWildcard&) {}, [](const PatternLiteral&) {},
      [&](const PatternTuple& tuple) { all(tuple.elements); },
      [&](const PatternRecord& record) {
        for (const auto& field : record.fields) forEachBinder(program, field.second, use);
      },
      [&](const PatternConstructor& constructor) { all(constructor.payload); },
      [&](const PatternAttributed& node) { forEachBinder(program, node.pattern, use); },
      [&](const PatternTyped& typed) { forEachBinder(program, typed.pattern, use); });
}

class Walk {
 public:
  Walk(const Program& program, State& state, const std::unordered_set<BinderId>& kept,
       std::unordered_set<ExprId>& last_uses)
      : program_(program), state_(state), kept_(kept), last_uses_(last_uses) {}

  // `live`: the names read after `expr`; becomes those read from `expr` on.
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
    if (const auto* match = std::get_if<MatchExpr>(&node)) return visitMatch(*match, live);
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
    if (live.insert(binder).second && !kept_.contains(binder)) last_uses_.insert(expr);
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

  void visitMatch(const MatchExpr& match, Live& live) {
    const Live after = live;
    for (const MatchCase& one : match.cases) {
      Live inside = after;
      visit(one.body, inside);
      forget(one.pattern, inside);
      live.insert(inside.begin(), inside.end());
    }
    visit(match.scrutinee, live);
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

  // The function may run any number of times, later: captured values are copied into it.
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
      for (PatternId pattern : patternsOf(node)) {
        forEachBinder(program_, pattern, [&](BinderId binder) { bound.insert(binder); });
      }
      forEachChild(node, [&](ExprId child) { todo.push_back(child); });
    }
    for (BinderId binder : read) {
      if (!bound.contains(binder)) live.insert(binder);
    }
  }

  static std::vector<PatternId> patternsOf(const ExprNode& node) {
    if (const auto* let = std::get_if<Let>(&node)) return {let->pattern};
    if (const auto* match = std::get_if<MatchExpr>(&node)) {
      std::vector<PatternId> patterns;
      for (const MatchCase& one : match->cases) patterns.push_back(one.pattern);
      return patterns;
    }
    if (const auto* lambda = std::get_if<Lambda>(&node)) return lambda->parameters;
    if (const auto* local = std::get_if<LetFunction>(&node)) return local->function.parameters;
    if (const auto* loop = std::get_if<Loop>(&node)) {
      if (const auto* in = std::get_if<LoopForIn>(&loop->form)) return {loop->pattern, in->pattern};
      return {loop->pattern};
    }
    return {};
  }

  void forget(PatternId pattern, Live& live) const {
    forEachBinder(program_, pattern, [&](BinderId binder) { live.erase(binder); });
  }
  void keep(PatternId pattern, Live& live) const {
    forEachBinder(program_, pattern, [&](BinderId binder) { live.insert(binder); });
  }

  const Program& program_;
  State& state_;
  const std::unordered_set<BinderId>& kept_;
  std::unordered_set<ExprId>& last_uses_;
};

}  // namespace

std::unordered_set<BinderId> namedInSizes(const Program& program) {
  std::unordered_set<BinderId> named;
  std::vector<ExprId> todo;
  for (const types::SizeNode& size : program.sizes) {
    if (const auto* node = std::get_if<types::SizeExpression>(&size)) todo.push_back(node->value);
  }
  while (!todo.empty()) {
    const ExprId expr = todo.back();
    todo.pop_back();
    if (const auto& use = program.use_of.at(expr)) {
      if (const auto* local = std::get_if<types::LocalTarget>(&use->target)) {
        named.insert(local->binder);
      }
    }
    forEachChild(program.tree.exprs[expr].node, [&](ExprId child) { todo.push_back(child); });
  }
  return named;
}

void findLastUses(const Program& program, ExprId body, const std::unordered_set<BinderId>& kept,
                  State& state, std::unordered_set<ExprId>& last_uses) {
  Live live;
  Walk(program, state, kept, last_uses).visit(body, live);
}

}  // namespace halo::interp
