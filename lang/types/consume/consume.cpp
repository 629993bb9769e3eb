// Functions: their parameters, captures, and the memory that their results may share.
#include "lang/types/consume/consume.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/types/consume/star_misfit.h"
#include "lang/types/consume/walks.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// ---- parameters

// Eta-expansion places its parameters where the body stands.
bool FunctionWalk::isEtaParameter(const Function& function, PatternId parameter) const {
  return program_.tree.patterns[parameter].span == span(function.body);
}

// Of the type, which has them from the patterns. A parameter without annotation may be overwritten
// in no case, as in Futhark. A lambda does not look at the type that its surroundings or the
// declaration expect. (A parameter of eta-expansion is only passed on.)
std::vector<Uniqueness> FunctionWalk::starsOfParameters(const Function& function) const {
  std::vector<Uniqueness> stars;
  TypeId type = function.type;
  for (PatternId parameter : function.parameters) {
    const auto& pattern = program_.tree.patterns[parameter];
    const bool is_bare =
        std::holds_alternative<PatternName>(pattern.node) && !isEtaParameter(function, parameter);
    auto* own = functionType(type);
    stars.push_back(own && !is_bare ? parameterStars(*own)
                                    : uniquenessOf(program_.tree, parameter));
    type = own ? own->result : TypeId();
  }
  return stars;
}

void FunctionWalk::bindParameter(PatternId pattern, const Uniqueness& stars) {
  TypeId type = program_.pattern_type.at(pattern);
  if (!sharing_.mayShare(type)) return;
  const PatternNode* n = &program_.tree.patterns[pattern].node;
  while (auto* typed = std::get_if<PatternTyped>(n))
    n = &program_.tree.patterns[typed->pattern].node;
  auto* name = std::get_if<PatternName>(n);
  auto* tuple = std::get_if<PatternTuple>(n);
  auto* record = std::get_if<PatternRecord>(n);
  if (tuple && !stars.all) {  // names of its parts say more
    for (size_t i = 0; i < tuple->elements.size(); ++i) {
      bindParameter(tuple->elements[i], stars.part(std::to_string(i)));
    }
  } else if (record && !stars.all) {
    for (const auto& [field, part] : record->fields) bindParameter(part, stars.part(field.name));
  } else {
    Span where = name ? name->name.span : program_.tree.patterns[pattern].span;
    bind(pattern, ownRoots(type, stars, name ? name->name.name : "", where));
  }
}

// ---- functions

Alias FunctionWalk::evalFunction(const Function& function, const std::vector<Uniqueness>& stars) {
  size_t count = function.parameters.size(), mark = consumed_order_.size();
  ++depth_;
  regions_.push_back({depth_, {}, {}});
  for (size_t i = 0; i < count; ++i) bindParameter(function.parameters[i], stars[i]);
  Alias result = eval(function.body);
  TypeId type = resultType(function.type, count);
  const FunctionType* last =
      count > 0 ? functionType(resultType(function.type, count - 1)) : nullptr;
  checkFunction(resultSpan(function.body), typeOf(function.body), type, result);
  Closure closure{count, last ? last->unique_result : Uniqueness()};
  if (function.has_result_type) {
    Returned returned{{}, resultSpan(function.body), function.name};
    checkStars(type, result, closure.result, returned);
  } else if (count > 0) {
    std::unordered_map<int, int> times;
    countRoots(type, result, times);
    closure.result = inferStars(type, result, times);
  }
  const bool is_expanded = count > 0 && isEtaParameter(function, function.parameters.back());
  if (count > 0 && !is_expanded) checkGlobals(type, result, function);
  takeSince(mark);
  std::vector<int> captured;
  for (int root : rootsOf(result)) {
    bool is_global = roots_[static_cast<size_t>(root)].kind == RootKind::kGlobal;
    if (is_global) captured.push_back(root);
  }
  for (const auto& [value, use] : regions_.back().used) {
    Roots roots = rootsOf(value);
    captured.insert(captured.end(), roots.begin(), roots.end());
  }
  regions_.pop_back();
  --depth_;
  AliasNode made{Roots(std::move(captured)), {}, std::move(closure)};
  return std::make_shared<const AliasNode>(std::move(made));
}

Alias FunctionWalk::evalLambda(ExprId expr) {
  const auto& lambda = std::get<Lambda>(node(expr));
  Function function{lambda.parameters, lambda.body, typeOf(expr), lambda.result.valid(), ""};
  return evalFunction(function, starsOfParameters(function));
}

Alias FunctionWalk::evalLocalFunction(ExprId expr, const LetFunction& node) {
  const FunctionParts& parts = node.function;
  BinderId binder = program_.local_function.at(expr)->binder;
  Function function{parts.parameters, parts.body, program_.binders[binder].type,
                    parts.result.valid(), parts.name.name};
  return evalFunction(function, starsOfParameters(function));
}

Uniqueness FunctionWalk::checkDefinition(DefId id, bool has_result_type) {
  const Def& def = program_.defs[id];
  Function function{def.parameters, def.body, def.type, has_result_type, def.name};
  Alias made = evalFunction(function, starsOfParameters(function));
  return made->closure->result;
}

// ---- results

// How many parts of a result have each root; of a sum only one constructor is there.
void FunctionWalk::countRoots(TypeId type, const Alias& alias,
                              std::unordered_map<int, int>& times) {
  if (!alias || !type) return;
  if (!hasParts(program_, type)) {
    for (int root : rootsOf(alias)) ++times[root];
    return;
  }
  std::vector<Part> parts = partsOf(program_, type);
  std::unordered_map<int, int> of_constructor, most;
  for (size_t i = 0; i < parts.size(); ++i) {
    countRoots(parts[i].type, partOf(alias, i), of_constructor);
    bool is_last = i + 1 == parts.size() || parts[i + 1].constructor != parts[i].constructor;
    if (!is_last) continue;
    for (const auto& [root, count] : of_constructor) most[root] = std::max(most[root], count);
    of_constructor.clear();
  }
  for (const auto& [root, count] : most) times[root] += count;
}

Uniqueness FunctionWalk::inferStars(TypeId type, const Alias& result,
                                    const std::unordered_map<int, int>& times) {
  Uniqueness stars;
  if (!sharing_.mayShare(type) || functionType(type)) return stars;
  if (!hasParts(program_, type)) {
    stars.all = true;
    for (int root : rootsOf(result)) {
      bool is_own = roots_[static_cast<size_t>(root)].kind == RootKind::kValue && !isOutside(root);
      stars.all = stars.all && is_own && times.at(root) == 1;
    }
    return stars;
  }
  std::vector<Part> parts = partsOf(program_, type);
  for (size_t i = 0; i < parts.size(); ++i) {
    Uniqueness part = inferStars(parts[i].type, partOf(result, i), times);
    if (parts[i].constructor.empty()) {
      stars.add(parts[i].name, std::move(part));
    } else if (part.any()) {
      bool is_next = stars.parts.empty() || stars.parts.back().first != parts[i].constructor;
      if (is_next) stars.parts.emplace_back(parts[i].constructor, Uniqueness());
      stars.parts.back().second.add(parts[i].name, std::move(part));
    }
  }
  return stars;
}

void FunctionWalk::reportReturned(int root, const Returned& returned) {
  if (!reported_.insert(root).second) return;
  std::string whose = returned.name.empty() ? "this function" : fmt::format("`{}`", returned.name);
  diag::Diagnostic& diagnostic =
      error(Code::uniqueness, returned.span,
            fmt::format("the result of {} is `*`, but may share the memory of {}, which others "
                        "may use",
                        whose, describe(root)));
  labelOrigin(diagnostic, root);
  diagnostic.notes.push_back("return a `copy`, or leave out the `*`");
}

void FunctionWalk::reportSharedResult(int root, const Returned& returned) {
  if (!reported_.insert(root).second) return;
  std::string whose = returned.name.empty() ? "this function" : fmt::format("`{}`", returned.name);
  diag::Diagnostic& diagnostic =
      error(Code::uniqueness, returned.span,
            fmt::format("two parts of the result of {} may share the memory of {}, and one of "
                        "them is `*`",
                        whose, describe(root)));
  labelOrigin(diagnostic, root);
}

// A part with a star shares with no other, and with nothing that others hold.
void FunctionWalk::checkStars(TypeId type, const Alias& result, const Uniqueness& stars,
                              Returned& returned) {
  if (!result || !type || functionType(type)) return;
  bool is_sum = std::holds_alternative<SumType>(program_.types[type]);
  if (hasParts(program_, type)) {
    std::vector<Part> parts = partsOf(program_, type);
    std::unordered_map<int, bool> before, all;
    if (is_sum) before = all = returned.seen;
    for (size_t i = 0; i < parts.size(); ++i) {
      checkStars(parts[i].type, partOf(result, i), starsOf(stars, parts[i]), returned);
      bool is_last = i + 1 == parts.size() || parts[i + 1].constructor != parts[i].constructor;
      if (!is_sum || !is_last) continue;
      for (const auto& [root, is_unique] : returned.seen) all[root] |= is_unique;
      returned.seen = before;  // only one constructor is there
    }
    if (is_sum) returned.seen = std::move(all);
    return;
  }
  for (int root : result->roots) {
    bool is_own = roots_[static_cast<size_t>(root)].kind == RootKind::kValue && !isOutside(root);
    auto found = returned.seen.find(root);
    if (stars.all && !is_own) {
      reportReturned(root, returned);
    } else if (found != returned.seen.end() && (stars.all || found->second)) {
      reportSharedResult(root, returned);
    }
  }
  for (int root : result->roots) returned.seen[root] |= stars.all;
}

// A function that comes back holds its captures and is not looked at, as in Futhark.
void FunctionWalk::checkGlobals(TypeId type, const Alias& result, const Function& function) {
  if (!result || functionType(type)) return;
  std::vector<Part> parts = partsOf(program_, type);
  for (size_t i = 0; i < parts.size(); ++i)
    checkGlobals(parts[i].type, partOf(result, i), function);
  if (!parts.empty() || !sharing_.mayShare(type)) return;
  const std::string name = function.name.empty() ? "this function" : "`" + function.name + "`";
  for (int root : result->roots) {
    const Root& origin = roots_[static_cast<size_t>(root)];
    if (origin.kind != RootKind::kGlobal || !reported_.insert(root).second) continue;
    diag::Diagnostic& diagnostic =
        error(Code::uniqueness, resultSpan(function.body),
              fmt::format("the result of {} may share the memory of the definition `{}`", name,
                          origin.name));
    labelOrigin(diagnostic, root);
    diagnostic.notes.push_back("return a `copy`");
  }
}

Uniqueness checkConsumption(const Program& program, DefId def, bool has_result_type,
                            const std::unordered_set<ExprId>& pipes, diag::Sink& sink) {
  ConsumptionState state(program, pipes, sink);
  return FunctionWalk(state).checkDefinition(def, has_result_type);
}

}  // namespace halo::types
