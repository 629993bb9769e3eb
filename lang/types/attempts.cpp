// The ways to check a definition whose sizes do not fit at first:
// - by form, as Futhark does;
// - with the types that parameters of functions turn out to have written down, `let mean x = ..` as
//   `let mean (x: []f32) = ..`, so that each use has sizes of its own;
// - with sizes of their own for carried arrays where branches give either, `if b then transpose xs
//   else xs`;
// - with sizes that a variable's type leaves open as those that they meet in a branch,
//   `\row i -> if i == 0 then xs else row`;
// - by arithmetic first: `unflatten` of a `[n * m]t` may be a `[m][n]t`, of which Futhark knows
//   nothing.
// A definition that fails in all is reported as the first sees it.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/copy.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/finish.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

bool isAboutSizes(const diag::Diagnostic& diagnostic) {
  return diagnostic.severity == diag::Severity::kWarning ||
         diagnostic.code == Code::size_mismatch || diagnostic.code == Code::size_escapes ||
         diagnostic.code == Code::size_not_determined;
}

// Whether the pattern's type is written, all of it.
bool isTyped(const Tree& tree, PatternId pattern) {
  const auto is_typed = [&](PatternId part) { return isTyped(tree, part); };
  const PatternNode& node = tree.patterns[pattern].node;
  if (std::holds_alternative<PatternTyped>(node)) return true;
  if (auto* attributed = std::get_if<PatternAttributed>(&node))
    return is_typed(attributed->pattern);
  auto* tuple = std::get_if<PatternTuple>(&node);
  return tuple && std::all_of(tuple->elements.begin(), tuple->elements.end(), is_typed);
}

uint64_t placeOf(Span span) { return (static_cast<uint64_t>(span.file.index) << 32) | span.begin; }

}  // namespace

// The checker's rewrites can be undone: then the definition can be copied and checked again.
void Declarations::rewrite(ExprId expr, ExprNode node) {
  rewritten_.emplace_back(expr, std::exchange(program_.tree.exprs[expr].node, std::move(node)));
}

void Declarations::undoRewriting() {
  for (; !rewritten_.empty(); rewritten_.pop_back()) {
    program_.tree.exprs[rewritten_.back().first].node = std::move(rewritten_.back().second);
  }
}

std::vector<diag::Diagnostic> Declarations::takeBack(size_t mark) {
  std::vector<diag::Diagnostic> said(sink_.all().begin() + static_cast<std::ptrdiff_t>(mark),
                                     sink_.all().end());
  sink_.forgetSince(mark);
  return said;
}

// A definition sees itself, also where an older one has its name: the message says so.
void Declarations::declareFunction(DeclId id) {
  const bool is_local = program_.tree.decls[id].is_local;
  const FunctionParts& parts = std::get<FunctionDecl>(program_.tree.decls[id].node).function;
  const Identifier name = parts.name;
  const bool has_parameters = !parts.parameters.empty();
  const bool has_older = has_parameters && names_.findValue({{}, name.name, name.span});
  const size_t mark = sink_.mark();
  rewritten_.clear();
  context_.joins_carried = context_.parts_open = false;
  const Outcome outcome = checkFunction(id, {});
  if (outcome == Outcome::kAccepted) return;
  undoRewriting();
  std::vector<diag::Diagnostic> said = takeBack(mark);
  if (checkOtherwise(id, said)) return;
  const bool is_about_sizes = std::all_of(said.begin(), said.end(), isAboutSizes);
  if (outcome == Outcome::kRecursive && is_about_sizes) {
    said.front().notes.push_back(fmt::format(
        "`{}` calls itself: for other sizes than its own they need names, `[n]`", name.name));
  }
  if (has_older && outcome == Outcome::kRecursive) {
    said.front().notes.push_back(
        fmt::format("`{0}` means the definition itself in its body; give it another name to call "
                    "the older `{0}`",
                    name.name));
  }
  for (const diag::Diagnostic& diagnostic : said) sink_.add(diagnostic);
  if (defineAsDeclared(id)) return;
  Def nothing;
  nothing.name = qualified(name.name);
  nothing.type = nothing.result = inference_.finish(unit());
  const DefId broken = program_.defs.add(std::move(nothing));
  context_.broken.insert(broken);  // uses stay silent
  scopes_.define(name.name, Value{broken}, is_local);
}

// Uses of a rejected function see its type where all of it is declared: that of the function with
// `???` as its body. A constant stays unknown, since sizes may be its value.
bool Declarations::defineAsDeclared(DeclId id) {
  const DeclId declared = copyDecl(program_.tree, id, program_.tree);
  FunctionParts& parts = std::get<FunctionDecl>(program_.tree.decls[declared].node).function;
  const auto is_typed = [&](PatternId parameter) { return isTyped(program_.tree, parameter); };
  const bool is_declared = parts.result && !parts.parameters.empty() &&
                           std::all_of(parts.parameters.begin(), parts.parameters.end(), is_typed);
  if (!is_declared) return false;
  parts.body = program_.tree.exprs.add({Hole{}, span(parts.body)});
  const size_t mark = sink_.mark();
  rewritten_.clear();
  const Outcome outcome = checkFunction(declared, {});
  takeBack(mark);
  return outcome == Outcome::kAccepted;
}

// False: in no other way either, nothing is reported.
bool Declarations::checkOtherwise(DeclId id, const std::vector<diag::Diagnostic>& said) {
  std::vector<Attempt> attempts;
  if (std::all_of(said.begin(), said.end(), isAboutSizes) && !options_.is_prelude) {
    if (context_.parts_open) {
      attempts.push_back({.joins_open = true});
      attempts.push_back({.has_shapes = true, .joins_open = true});
    }
    attempts.push_back({.has_shapes = true});
    if (context_.joins_carried) {
      for (bool has_shapes : {false, true}) {
        attempts.push_back({.has_shapes = has_shapes, .parts_carried = true});
      }
    }
    attempts.push_back({.order = Inference::Order::kArithmeticFirst, .joins_open = true});
  }
  const size_t mark = sink_.mark();
  for (const Attempt& attempt : attempts) {
    if (attempt.has_shapes && !findShapes(copyDecl(program_.tree, id, program_.tree))) {
      continue;
    }
    const DeclId again = copyDecl(program_.tree, id, program_.tree);
    rewritten_.clear();
    const Outcome outcome = checkFunction(again, attempt);
    context_.shapes.clear();
    if (outcome == Outcome::kAccepted) {
      const bool by_arithmetic = attempt.order == Inference::Order::kArithmeticFirst;
      if (by_arithmetic && isWarning()) warnOfRejection(said.front());
      return true;
    }
    takeBack(mark);
  }
  return false;
}

// ---- warnings

// Of a parametric module once, not for each argument.
bool Declarations::isWarning() const { return options_.warns && context_.applied_depth == 0; }

void Declarations::warnOfRejection(const diag::Diagnostic& said) {
  sink_.warning(
      Code::size_mismatch, said.span,
      fmt::format("Futhark rejects this, it compares sizes as they are written: {}", said.message));
}

void Declarations::warnOfArithmetic() {
  if (!isWarning() || sink_.hasErrors()) return;
  for (const auto& [found, needed, span] : inference_.heldByArithmetic()) {
    auto& warning =
        sink_.warning(Code::size_mismatch, span,
                      fmt::format("size `{}` is `{}` by arithmetic, of which Futhark knows nothing",
                                  inference_.print(found), inference_.print(needed)));
    warning.notes.push_back("for Futhark, write both alike, or check at run time with `:>`");
  }
}

// ---- the types of parameters, but for sizes

// All sizes are 0, none depends on an argument.
TypeRef Declarations::shapeOf(TypeRef type) {
  if (inference_.isPlain(type)) return type;
  const InferNode node = inference_.node(type);
  if (auto* array = std::get_if<InferArray>(&node)) {
    return inference_.array(constantSize(0), shapeOf(array->element));
  }
  if (auto* record = std::get_if<InferRecord>(&node)) {
    InferRecord copy = *record;
    for (TypeRef& field : copy.fields) field = shapeOf(field);
    return inference_.record(std::move(copy));
  }
  if (auto* sum = std::get_if<InferSum>(&node)) {
    InferSum copy = *sum;
    for (auto& payload : copy.payloads) {
      for (TypeRef& part : payload) part = shapeOf(part);
    }
    return inference_.sum(std::move(copy));
  }
  if (auto* param = std::get_if<InferParam>(&node)) {
    InferParam copy = *param;
    for (Size& size : copy.sizes) size = constantSize(0);
    for (TypeRef& argument : copy.types) argument = shapeOf(argument);
    const bool is_bare = copy.sizes.empty() && copy.types.empty();
    return is_bare ? type : inference_.parameter(std::move(copy));
  }
  if (auto* function = std::get_if<InferFunction>(&node)) {
    InferFunction copy = *function;
    copy.parameter = shapeOf(copy.parameter);
    copy.result = shapeOf(copy.result);
    copy.parameter_name.reset();
    copy.existentials.clear();
    return inference_.function(std::move(copy));
  }
  return type;
}

// False: it is not only sizes that do not fit.
bool Declarations::findShapes(DeclId id) {
  const FunctionParts parts = std::get<FunctionDecl>(program_.tree.decls[id].node).function;
  const size_t mark = sink_.mark();
  inference_.ignores_sizes = true;
  current_ = startFunction(id, {Inference::Order::kFormsFirst, true});
  current_->info = inferFunction(parts);
  current_->type = current_->info.type;
  exprs_.retryFields(false);
  finisher_.applyDefaults();
  const std::vector<diag::Diagnostic> said = takeBack(mark);
  const bool is_known = std::all_of(said.begin(), said.end(), isAboutSizes);
  for (const auto& [pattern, type] : context_.pattern_types) {
    if (!is_known) break;
    const PatternNode& node = program_.tree.patterns[pattern].node;
    const bool is_open =
        std::holds_alternative<PatternName>(node) || std::holds_alternative<PatternWildcard>(node);
    const bool is_scalar = inference_.isPlain(type) || inference_.as<Poison>(type);
    if (!is_open || is_scalar || !inference_.unknowns(type).empty()) continue;
    context_.shapes[placeOf(span(pattern))] = inference_.finish(shapeOf(type));
  }
  forgetDeclaration();
  return is_known;
}

// The type of a parameter that has no annotation, as if it had one.
std::optional<TypeRef> Declarations::annotationOf(PatternId pattern, Anonymous mode) {
  if (context_.shapes.empty() || mode != Anonymous::kParameter) return std::nullopt;
  const auto found = context_.shapes.find(placeOf(span(pattern)));
  if (found == context_.shapes.end()) return std::nullopt;
  return annotated(inference_.import(found->second), span(pattern), mode);
}

TypeRef Declarations::annotated(TypeRef shape, Span where, Anonymous mode) {
  if (inference_.isPlain(shape)) return shape;
  const InferNode node = inference_.node(shape);
  if (auto* array = std::get_if<InferArray>(&node)) {
    Size size = elaborator_.anonymousSize(where, mode);
    return inference_.array(std::move(size), annotated(array->element, where, mode));
  }
  if (auto* record = std::get_if<InferRecord>(&node)) {
    InferRecord copy = *record;
    for (TypeRef& field : copy.fields) field = annotated(field, where, mode);
    return inference_.record(std::move(copy));
  }
  if (auto* sum = std::get_if<InferSum>(&node)) {
    InferSum copy = *sum;
    for (auto& payload : copy.payloads) {
      for (TypeRef& part : payload) part = annotated(part, where, mode);
    }
    return inference_.sum(std::move(copy));
  }
  if (auto* param = std::get_if<InferParam>(&node)) {
    InferParam copy = *param;
    for (Size& size : copy.sizes) size = elaborator_.anonymousSize(where, mode);
    for (TypeRef& argument : copy.types) argument = annotated(argument, where, mode);
    return inference_.parameter(std::move(copy));
  }
  if (auto* function = std::get_if<InferFunction>(&node)) {
    InferFunction copy = *function;
    copy.parameter = annotated(copy.parameter, where, mode);
    const bool is_last = !inference_.as<InferFunction>(copy.result);
    std::vector<BinderId>* outer = context_.fresh_sizes;
    if (is_last) context_.fresh_sizes = &copy.existentials;
    copy.result = annotated(copy.result, where, is_last ? Anonymous::kExistential : mode);
    context_.fresh_sizes = outer;
    return inference_.function(std::move(copy));
  }
  return shape;
}

// `let h = \xs -> ..` is `let h xs = ..`, whose sizes are those of each use.
bool Declarations::writeLocalFunction(ExprId expr, const Let& let) {
  const auto* name = std::get_if<PatternName>(&program_.tree.patterns[let.pattern].node);
  const auto* lambda =
      std::get_if<Lambda>(&program_.tree.exprs[sizes_.withoutParentheses(let.value)].node);
  if (!name || !lambda || !let.sizes.empty()) return false;
  FunctionParts parts{name->name, {}, lambda->parameters, lambda->result, lambda->body};
  rewrite(expr, LetFunction{std::move(parts), let.body});
  return true;
}

// A function that stands where the sizes of later parameters are earlier ones, `(k: i64) -> [k]t ->
// u`, gets these parameters. Its own sizes are those of each call.
bool Declarations::writeEtaExpansion(ExprId expr, TypeRef needed) {
  size_t arity = 0;
  bool is_dependent = false;
  while (auto* function = inference_.as<InferFunction>(needed)) {
    is_dependent = is_dependent || function->parameter_name;
    needed = function->result;
    ++arity;
  }
  if (!is_dependent) return false;
  Tree& tree = program_.tree;
  const Span where = span(expr);
  Lambda lambda;
  lambda.body = tree.exprs.add({ExprNode(tree.exprs[expr].node), where});
  for (size_t i = 0; i < arity; ++i) {
    const std::string name = fmt::format("$x{}", i + 1);
    lambda.parameters.push_back(tree.patterns.add({PatternName{{name, where}}, where}));
    const ExprId argument = tree.exprs.add({Variable{{{}, name, where}}, where});
    lambda.body = tree.exprs.add({Apply{lambda.body, argument}, where});
  }
  rewrite(expr, std::move(lambda));
  return true;
}

}  // namespace halo::types
