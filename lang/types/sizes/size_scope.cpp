// After a definition's tables are written: every size must be known where it is used.
//
// A walk in evaluation order. A binder is known from where it is bound to the end of its region
// (function body, branch, loop body). It
// - fills in `binds`: an expression whose type names sizes that came up inside it defines them;
// - rewrites applications whose arguments bring sizes that the function itself must know:
//     map f (filter p xs)      becomes    let a = filter p xs in map f a
//     replicate (f x) 0        becomes    let n = f x in replicate n 0
//   with the arguments before it, so that the order of evaluation stays;
// - reports sizes used before they are known, and functions where only values may be.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "lang/base/containers/id_map.h"
#include "lang/base/match.h"
#include "lang/syntax/visit.h"
#include "lang/types/sizes/size_scope.h"
#include "lang/types/sizes/sizes_of_types.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

void addWholeSizes(const Program& program, TypeId type, std::vector<BinderId>& out) {
  if (auto* array = std::get_if<ArrayType>(&program.types[type])) {
    auto* whole = std::get_if<SizeBinder>(&program.sizes[array->size]);
    if (whole) out.push_back(whole->binder);
    addWholeSizes(program, array->element, out);
  } else if (auto* record = std::get_if<RecordType>(&program.types[type])) {
    for (TypeId field : record->fields) addWholeSizes(program, field, out);
  } else if (auto* sum = std::get_if<SumType>(&program.types[type])) {
    for (const auto& payload : sum->payloads) {
      for (TypeId part : payload) addWholeSizes(program, part, out);
    }
  } else if (auto* param = std::get_if<ParamType>(&program.types[type])) {
    // The type behind an abstract one shows its sizes: its declaration has seen to that.
    for (SizeId size : param->sizes) {
      if (auto* whole = std::get_if<SizeBinder>(&program.sizes[size])) out.push_back(whole->binder);
    }
  }
}

bool mayBeFunction(const Program& program, TypeId type) {
  auto inside = [&](TypeId part) { return mayBeFunction(program, part); };
  return base::match(
      program.types[type], [](const ScalarTypeNode&) { return false; },
      [&](const ParamType& param) {
        return program.type_params[param.parameter].lift == Lift::kFull;
      },
      [](const FunctionType&) { return true; },
      [&](const ArrayType& array) { return inside(array.element); },
      [&](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(), inside);
      },
      [&](const SumType& sum) {
        return std::any_of(sum.payloads.begin(), sum.payloads.end(), [&](const auto& payload) {
          return std::any_of(payload.begin(), payload.end(), inside);
        });
      });
}

namespace {

class SizeScopes {
 public:
  SizeScopes(Program& program, const SizeOrder& order, Rewritten& rewritten, diag::Sink& sink)
      : program_(program),
        rewritten_(rewritten),
        named_(order.named_arguments),
        argument_first_(order.argument_first),
        sink_(sink),
        sizes_in_(program) {}

  void settle(DefId id) {
    const Def def = program_.defs[id];
    for (BinderId size : def.size_parameters) know(size);
    for (PatternId parameter : def.parameters) bindPattern(parameter);
    walk(def.body);
  }

 private:
  // A region is left: sizes that came up in it are not known any more.
  class Region {
   public:
    explicit Region(SizeScopes& scopes) : scopes_(scopes), mark_(scopes.order_.size()) {}
    ~Region() {
      while (scopes_.order_.size() > mark_) {
        scopes_.known_.set(scopes_.order_.back(), kUnknown);
        scopes_.order_.pop_back();
      }
    }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

   private:
    SizeScopes& scopes_;
    size_t mark_;
  };

  void know(BinderId binder) {
    if (isKnown(binder)) return;
    known_.set(binder, order_.size());
    order_.push_back(binder);
  }
  // When it came up, kUnknown if it has not.
  size_t placeOf(BinderId binder) const {
    const size_t* place = known_.find(binder);
    return place == nullptr ? kUnknown : *place;
  }
  bool isWalked(ExprId expr) const {
    const bool* walked = walked_.find(expr);
    return walked != nullptr && *walked;
  }
  bool markWalked(ExprId expr) {  // false: it was before
    if (isWalked(expr)) return false;
    walked_.set(expr, true);
    return true;
  }
  bool isKnown(BinderId binder) const { return placeOf(binder) != kUnknown; }

  std::span<const BinderId> sizesOf(TypeId type) { return sizes_in_.of(type); }
  void requireKnown(TypeId type, Span span, Code code);
  void requireKnown(BinderId binder, Span span, Code code, TypeId type);

  void bindPattern(PatternId pattern);
  ExprId firstPart(ExprId expr) const;
  void walk(ExprId expr);
  void walkNode(ExprId expr);
  void walkLets(ExprId expr);
  void walkLoop(ExprId expr, const Loop& loop);
  void leave(ExprId expr, size_t entered);
  void checkUse(ExprId expr);
  void checkFirstClass(ExprId expr, const ExprNode& node);

  bool isValue(ExprId expr);
  void walkApply(ExprId expr);
  struct Bound {
    PatternId pattern;
    ExprId operand, variable;
  };
  using Rebuild = std::function<ExprId(std::vector<ExprId>)>;
  Bound bindBefore(ExprId operand);
  bool walkOperands(ExprId expr, const std::vector<ExprId>& operands, size_t least,
                    const Rebuild& rebuild);
  ExprId copyOf(ExprId expr, ExprNode node);

  Program& program_;
  Rewritten& rewritten_;
  const std::unordered_map<ExprId, BinderId>& named_;
  const std::unordered_set<ExprId>& argument_first_;
  diag::Sink& sink_;
  SizesOfTypes sizes_in_;
  static constexpr size_t kUnknown = SIZE_MAX;  // again, behind its region
  base::IdMap<BinderId, size_t> known_;         // and when it came up
  std::vector<BinderId> order_;
  std::unordered_set<BinderId> reported_;
  base::IdMap<ExprId, bool> walked_;
  std::vector<ExprId> chain_;  // of `walk`
};

void SizeScopes::requireKnown(BinderId binder, Span span, Code code, TypeId whole) {
  if (isKnown(binder) || !reported_.insert(binder).second) return;
  const std::string type = print(program_, whole);
  const Binder& info = program_.binders[binder];
  auto& diagnostic = sink_.error(
      code, span,
      code == Code::size_escapes
          ? fmt::format("the type `{}` depends on size `{}`, which is not the same everywhere here",
                        type, info.name)
          : fmt::format("size `{}` of type `{}` is used before it is known", info.name, type));
  if (info.span.file && !(info.span == span)) {
    diagnostic.labels.push_back({info.span, fmt::format("size `{}` comes from here", info.name)});
  }
  if (code == Code::size_not_determined) {
    diagnostic.notes.push_back("bind the value that brings the size with `let` first");
  } else {
    diagnostic.notes.push_back(fmt::format(
        "`{}` is made anew in each call, branch or step; elements of an array and values used "
        "together have one size: pad to a size known before, and say so, `.. :> [n]t`",
        info.name));
  }
}

void SizeScopes::requireKnown(TypeId type, Span span, Code code) {
  for (BinderId binder : sizesOf(type)) requireKnown(binder, span, code, type);
}

// ---- the walk

void SizeScopes::bindPattern(PatternId pattern) {
  if (TypeId type = program_.pattern_type.at(pattern)) {
    requireKnown(type, program_.tree.patterns[pattern].span, Code::size_escapes);
  }
  const PatternNode& node = program_.tree.patterns[pattern].node;
  base::match(
      node, [&](const PatternName&) { know(program_.binder_of.at(pattern)); },
      [](const PatternWildcard&) {},
      [&](const PatternTuple& tuple) {
        for (PatternId element : tuple.elements) bindPattern(element);
      },
      [&](const PatternRecord& record) {
        for (const auto& [name, field] : record.fields) bindPattern(field);
      },
      [&](const PatternConstructor& constructor) {
        for (PatternId part : constructor.payload) bindPattern(part);
      },
      [](const PatternLiteral&) {},
      [&](const PatternAttributed& attributed) { bindPattern(attributed.pattern); },
      [&](const PatternTyped& typed) { bindPattern(typed.pattern); });
}

void SizeScopes::checkUse(ExprId expr) {
  const auto& use = program_.use_of.at(expr);
  if (!use) return;
  Span span = program_.tree.exprs[expr].span;
  for (TypeId type : use->type_arguments) requireKnown(type, span, Code::size_escapes);
  for (SizeId size : use->size_arguments) {
    std::vector<BinderId> sizes;
    sizes_in_.add(size, sizes);
    for (BinderId binder : sizes) {
      requireKnown(binder, span, Code::size_not_determined, program_.type_of.at(expr));
    }
  }
}

void SizeScopes::checkFirstClass(ExprId expr, const ExprNode& node) {
  bool is_choice = std::holds_alternative<If>(node) || std::holds_alternative<MatchExpr>(node) ||
                   std::holds_alternative<Loop>(node) || std::holds_alternative<ArrayExpr>(node);
  if (!is_choice) return;
  auto isFunction = [&](TypeId type) { return type && mayBeFunction(program_, type); };
  Span span = program_.tree.exprs[expr].span;
  TypeId type = program_.type_of.at(expr);
  if (std::holds_alternative<If>(node) && isFunction(type)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("`if` gives a function of type `{}`: both branches must be values",
                            print(program_, type)));
  }
  if (std::holds_alternative<MatchExpr>(node) && isFunction(type)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("`match` gives a function of type `{}`: its cases must be values",
                            print(program_, type)));
  }
  if (std::holds_alternative<Loop>(node) && isFunction(type)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("`loop` carries a function of type `{}`, but only values change from "
                            "step to step",
                            print(program_, type)));
  }
  if (auto* array = type ? std::get_if<ArrayType>(&program_.types[type]) : nullptr;
      array && std::holds_alternative<ArrayExpr>(node) && isFunction(array->element)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("an array of functions of type `{}`: array elements are plain values",
                            print(program_, array->element)));
  }
}

// Sizes that came up since `entered` and show in the type are defined by this expression.
void SizeScopes::leave(ExprId expr, size_t entered) {
  checkUse(expr);
  const ExprNode& node = program_.tree.exprs[expr].node;
  checkFirstClass(expr, node);
  TypeId type = program_.type_of.at(expr);
  if (!type) return;
  bool is_closure = std::holds_alternative<FunctionType>(program_.types[type]);
  bool defines = std::holds_alternative<Apply>(node) || std::holds_alternative<Binary>(node) ||
                 std::holds_alternative<IndexExpr>(node) ||
                 std::holds_alternative<RangeExpr>(node) || std::holds_alternative<If>(node) ||
                 std::holds_alternative<Loop>(node) || std::holds_alternative<Variable>(node) ||
                 std::holds_alternative<MatchExpr>(node) || std::holds_alternative<Hole>(node) ||
                 std::holds_alternative<Coerce>(node);
  const std::span<const BinderId> sizes = sizesOf(type);
  std::vector<BinderId> visible;  // those that the shape of the value shows
  if (!sizes.empty()) addWholeSizes(program_, type, visible);
  for (BinderId binder : sizes) {
    const size_t place = placeOf(binder);
    const bool is_new = place == kUnknown;
    bool is_visible = std::find(visible.begin(), visible.end(), binder) != visible.end();
    if (is_new && (is_closure || !defines || !is_visible)) {
      requireKnown(binder, program_.tree.exprs[expr].span, Code::size_escapes, type);
      continue;
    }
    if (is_new || (is_visible && place >= entered)) program_.binds[expr].push_back(binder);
    know(binder);
  }
}

// The part that is evaluated first and may be long.
ExprId leftPart(const ExprNode& node) {
  if (auto* binary = std::get_if<Binary>(&node)) return binary->lhs;
  if (auto* index = std::get_if<IndexExpr>(&node)) return index->array;
  if (auto* update = std::get_if<UpdateExpr>(&node)) return update->array;
  if (auto* update = std::get_if<RecordUpdate>(&node)) return update->record;
  if (auto* project = std::get_if<Project>(&node)) return project->record;
  return {};
}

// Of `x |> f`, which is an application by now, `x`.
ExprId SizeScopes::firstPart(ExprId expr) const {
  const ExprNode& node = program_.tree.exprs[expr].node;
  auto* apply = std::get_if<Apply>(&node);
  if (!apply) return leftPart(node);
  return argument_first_.count(expr) > 0 ? apply->argument : ExprId();
}

void SizeScopes::walk(ExprId expr) {
  if (isWalked(expr)) return;
  const size_t mark = chain_.size();
  for (ExprId part = expr; part; part = firstPart(part)) chain_.push_back(part);
  size_t entered = order_.size();
  for (; chain_.size() > mark; chain_.pop_back()) {
    const ExprId next = chain_.back();
    if (!markWalked(next)) continue;
    const ExprNode& node = program_.tree.exprs[next].node;
    if (std::holds_alternative<Let>(node) || std::holds_alternative<LetFunction>(node)) {
      walkLets(next);
    } else {
      walkNode(next);
      leave(next, entered);
    }
  }
}

void SizeScopes::walkNode(ExprId expr) {
  const ExprNode node = program_.tree.exprs[expr].node;  // a copy: the tree may grow
  if (std::holds_alternative<Apply>(node)) return walkApply(expr);
  if (auto* binary = std::get_if<Binary>(&node)) {
    const auto& use = program_.use_of.at(expr);
    if (use && std::holds_alternative<LogicTarget>(use->target)) {
      walk(binary->lhs);
      Region region(*this);
      return walk(binary->rhs);
    }
    bool is_call = use && (std::holds_alternative<DefTarget>(use->target) ||
                           std::holds_alternative<LocalTarget>(use->target));
    auto rebuild = [&](std::vector<ExprId> replaced) {
      ExprId inner = copyOf(expr, Binary{binary->op, replaced[0], replaced[1]});
      std::optional<Use> use_of_expr = program_.use_of.at(expr);  // first: the table may move
      program_.use_of[inner] = std::move(use_of_expr);
      program_.use_of[expr] = std::nullopt;
      return inner;
    };
    if (is_call && walkOperands(expr, {binary->lhs, binary->rhs}, 0, rebuild)) return;
    walk(binary->lhs);
    return walk(binary->rhs);
  }
  if (auto* lambda = std::get_if<Lambda>(&node)) {
    Region region(*this);
    for (PatternId parameter : lambda->parameters) bindPattern(parameter);
    return walk(lambda->body);
  }
  if (auto* choice = std::get_if<If>(&node)) {
    walk(choice->condition);
    for (ExprId branch : {choice->then_branch, choice->else_branch}) {
      Region region(*this);
      walk(branch);
    }
    return;
  }
  if (auto* choice = std::get_if<MatchExpr>(&node)) {
    walk(choice->scrutinee);
    for (const MatchCase& option : choice->cases) {
      Region region(*this);
      bindPattern(option.pattern);
      walk(option.body);
    }
    return;
  }
  if (auto* loop = std::get_if<Loop>(&node)) return walkLoop(expr, *loop);
  forEachChild(node, [&](ExprId child) { walk(child); });
}

void SizeScopes::walkLets(ExprId expr) {
  size_t entered = order_.size();
  std::vector<ExprId> lets;
  for (;;) {
    const ExprNode node = program_.tree.exprs[expr].node;
    if (auto* let = std::get_if<Let>(&node)) {
      walk(let->value);
      for (BinderId size : program_.size_names.at(expr)) know(size);
      bindPattern(let->pattern);
      lets.push_back(expr);
      expr = let->body;
    } else if (auto* local = std::get_if<LetFunction>(&node)) {
      const LocalFunction function = *program_.local_function.at(expr);
      {
        Region region(*this);
        for (BinderId size : function.size_parameters) know(size);
        for (PatternId parameter : local->function.parameters) bindPattern(parameter);
        walk(local->function.body);
      }
      know(function.binder);
      lets.push_back(expr);
      expr = local->body;
    } else {
      break;
    }
    markWalked(expr);
  }
  walked_.set(expr, false);
  walk(expr);
  while (!lets.empty()) {
    leave(lets.back(), entered);
    lets.pop_back();
  }
}

void SizeScopes::walkLoop(ExprId expr, const Loop& loop) {
  walk(loop.initial);
  Region region(*this);
  for (BinderId size : program_.loop_sizes.at(expr)) know(size);
  for (BinderId size : program_.size_names.at(expr)) know(size);
  base::match(
      loop.form,
      [&](const LoopFor& form) {
        walk(form.bound);
        bindPattern(loop.pattern);
        know(program_.loop_variable.at(expr));
      },
      [&](const LoopForIn& form) {
        walk(form.array);
        bindPattern(loop.pattern);
        bindPattern(form.pattern);
      },
      [&](const LoopWhile& form) {
        bindPattern(loop.pattern);
        Region condition(*this);
        walk(form.condition);
      });
  walk(loop.body);
}

// ---- arguments that bring sizes

// Evaluating it later, or not at all, makes no difference.
bool SizeScopes::isValue(ExprId expr) {
  const ExprNode& node = program_.tree.exprs[expr].node;
  if (auto* inner = std::get_if<Parenthesised>(&node)) return isValue(inner->value);
  if (auto* inner = std::get_if<Attributed>(&node)) return isValue(inner->value);
  if (auto* section = std::get_if<OperatorSection>(&node)) {
    return isValue(section->lhs ? section->lhs : section->rhs);
  }
  if (auto* apply = std::get_if<Apply>(&node)) {
    TypeId type = program_.type_of.at(expr);
    bool is_partial = type && std::holds_alternative<FunctionType>(program_.types[type]);
    const bool is_named = named_.count(apply->argument) > 0;  // `gen k`, whose type mentions a name
    return is_partial && !is_named && isValue(apply->function) && isValue(apply->argument);
  }
  if (std::holds_alternative<Variable>(node)) {  // a constant may bring the size of its value
    const auto& use = program_.use_of.at(expr);
    auto* target = use ? std::get_if<DefTarget>(&use->target) : nullptr;
    TypeId type = program_.type_of.at(expr);
    return !target || !type || std::holds_alternative<FunctionType>(program_.types[type]) ||
           sizesOf(type).empty();
  }
  return std::holds_alternative<Lambda>(node) || std::holds_alternative<Number>(node) ||
         std::holds_alternative<BoolLiteral>(node) || std::holds_alternative<ProjectSection>(node);
}

ExprId SizeScopes::copyOf(ExprId expr, ExprNode node) {
  ExprId copy = program_.tree.exprs.add({std::move(node), program_.tree.exprs[expr].span});
  const TypeId type = program_.type_of.at(expr);  // first: the table may move when it grows
  program_.type_of[copy] = type;
  return copy;
}

// A new variable for the value of `operand`.
SizeScopes::Bound SizeScopes::bindBefore(ExprId operand) {
  const Span span = program_.tree.exprs[operand].span;
  const TypeId type = program_.type_of.at(operand);
  auto named = named_.find(operand);
  BinderId binder =
      named != named_.end() ? named->second : program_.binders.add({"arg", span, type});
  const std::string name = program_.binders[binder].name;
  PatternId pattern = program_.tree.patterns.add({PatternName{{name, span}}, span});
  program_.pattern_type[pattern] = type;
  program_.binder_of[pattern] = binder;
  ExprId variable = copyOf(operand, Variable{{{}, name, span}});
  program_.use_of[variable] = Use{LocalTarget{binder}, {}, {}};
  return {pattern, operand, variable};
}

// Walks the operands that compute something, in the order given. If one of them brings a size that
// others may need, it and those before it are bound by `let`s. `expr` becomes the outermost, and
// `rebuild` makes its body from the operands' replacements. False: nothing to bind.
bool SizeScopes::walkOperands(ExprId expr, const std::vector<ExprId>& operands, size_t least,
                              const Rebuild& rebuild) {
  auto computes = [&](ExprId operand) { return !isValue(operand) || named_.count(operand) > 0; };
  size_t entered = order_.size();
  size_t bound = least;  // operands before this index are bound
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!computes(operands[i])) continue;
    walk(operands[i]);
    auto named = named_.find(operands[i]);
    if (named != named_.end()) know(named->second);
    bool brings = !program_.binds.at(operands[i]).empty() || named != named_.end();
    if (brings) bound = i + 1;
  }
  std::vector<Bound> lets;
  std::vector<ExprId> replaced = operands;
  for (size_t i = 0; i < bound; ++i) {
    if (!computes(operands[i])) continue;
    lets.push_back(bindBefore(operands[i]));
    replaced[i] = lets.back().variable;
    know(program_.binder_of.at(lets.back().pattern));
  }
  if (lets.empty()) return false;
  ExprId body = rebuild(replaced);
  walk(body);
  for (size_t i = lets.size(); i-- > 0;) {
    Let let{{}, lets[i].pattern, lets[i].operand, body};
    if (i == 0) {
      rewritten_.emplace_back(expr, std::exchange(program_.tree.exprs[expr].node, std::move(let)));
    } else {
      body = copyOf(expr, std::move(let));
      markWalked(body);
      leave(body, entered);
    }
  }
  return true;
}

void SizeScopes::walkApply(ExprId expr) {
  std::vector<ExprId> nodes, arguments;  // outermost first
  ExprId head = expr;
  while (auto* apply = std::get_if<Apply>(&program_.tree.exprs[head].node)) {
    nodes.push_back(head);
    arguments.push_back(apply->argument);
    head = apply->function;
  }
  std::reverse(nodes.begin(), nodes.end());
  std::reverse(arguments.begin(), arguments.end());
  bool last_first = argument_first_.count(expr) > 0;
  std::vector<ExprId> ordered = arguments;
  if (last_first) std::rotate(ordered.begin(), ordered.end() - 1, ordered.end());
  bool others_compute = !isValue(head) || std::any_of(ordered.begin() + 1, ordered.end(),
                                                      [&](ExprId e) { return !isValue(e); });
  auto rebuild = [&](std::vector<ExprId> replaced) {
    if (last_first) std::rotate(replaced.begin(), replaced.begin() + 1, replaced.end());
    ExprId function = head;
    for (size_t i = 0; i < nodes.size(); ++i) {
      function = copyOf(nodes[i], Apply{function, replaced[i]});
    }
    return function;
  };
  if (walkOperands(expr, ordered, last_first && others_compute ? 1 : 0, rebuild)) return;
  walk(head);
  for (ExprId argument : arguments) walk(argument);
}

}  // namespace

void settleSizeScopes(Program& program, DefId def, const SizeOrder& order, Rewritten& rewritten,
                      diag::Sink& sink) {
  SizeScopes(program, order, rewritten, sink).settle(def);
}

}  // namespace halo::types
