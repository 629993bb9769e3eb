// Declarations: functions and constants, built-ins. A definition gets its qualified name. Types are
// declared in declare_type.cpp, modules in module_*.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/copy.h"
#include "lang/types/consume/consume.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/finish.h"
#include "lang/types/declare/names.h"
#include "lang/types/declare/recursion.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/intrinsics.h"
#include "lang/types/modules/module_eval.h"
#include "lang/types/modules/on_demand.h"
#include "lang/types/report.h"
#include "lang/types/sizes/causality.h"
#include "lang/types/sizes/size_of.h"
#include "lang/types/sizes/size_scope.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

void Declarations::declare(DeclId id) {
  const Decl decl = program_.tree.decls[id];  // a copy: checking adds nodes
  base::match(
      decl.node, [&](const FunctionDecl&) { declareFunction(id); },
      [&](const ValDecl&) { declareVal(id); },
      [&](const TypeDecl& type) { elaborator_.declareType(type, decl.is_local); },
      [&](const ModuleDecl& module) { modules_.declareModule(module, decl.is_local); },
      [&](const ModuleTypeDecl& type) { modules_.declareModuleType(type, decl.is_local); },
      [&](const OpenDecl& open) { modules_.declareOpen(open, decl.is_local); },
      [&](const ImportDecl& import) { modules_.declareImport(import); });
}

std::string Declarations::qualified(const std::string& name) const {
  std::string text;
  for (const std::string& module : context_.where.module_names) text += module + ".";
  return text + name;
}

void Declarations::declareTypeParameters(const std::vector<TypeParameter>& parameters,
                                         FunctionInfo& info) {
  for (const TypeParameter& parameter : parameters) {
    const auto& [name, span] = parameter.name;
    if (parameter.kind == TypeParameter::Kind::kSize) {
      BinderId binder = names_.newSizeBinder(name, span);
      info.size_parameters.push_back(binder);
      locals_.add({name, binder, i64(), {}});
    } else {
      Lift lift = parameter.kind == TypeParameter::Kind::kLifted        ? Lift::kSize
                  : parameter.kind == TypeParameter::Kind::kFullyLifted ? Lift::kFull
                                                                        : Lift::kNone;
      TypeParamId id = program_.type_params.add({name, span, lift});
      info.type_parameters.push_back(id);
      locals_.type_params.emplace_back(name, id);
    }
  }
}

// ---- functions

FunctionInfo Declarations::inferFunction(const FunctionParts& parts) {
  FunctionInfo info;
  size_t first_binder = program_.binders.size();
  declareTypeParameters(parts.type_parameters, info);
  info.named_sizes = info.size_parameters.size();
  std::vector<BinderId> fresh;
  std::vector<BinderId>* outer = std::exchange(context_.fresh_sizes, &fresh);
  const Size begin = inference_.unknownSize(parts.name.span);
  const bool outer_loosens = std::exchange(context_.loosens, true);
  for (PatternId parameter : parts.parameters) {
    exprs_.bindAlways(parameter, exprs_.patternType(parameter, Anonymous::kParameter),
                      Anonymous::kParameter);
  }
  context_.loosens = outer_loosens;
  context_.fresh_sizes = outer;
  for (BinderId size : fresh) inference_.endParameters(size, program_.binders.size());
  info.size_parameters.insert(info.size_parameters.end(), fresh.begin(), fresh.end());
  // A function that calls itself is seen only through its declared type, where `[]` may be any
  // size; otherwise the sizes follow from the body.
  std::vector<BinderId> declared;
  bool is_top = current_ && !current_->type;
  bool is_opaque = !parts.parameters.empty();
  TypeRef result = inference_.unknown(parts.name.span);
  if (parts.result) {
    outer = std::exchange(context_.fresh_sizes, &declared);
    result = elaborator_.elaborate(parts.result,
                                   is_opaque ? Anonymous::kExistential : Anonymous::kUnknown);
    context_.fresh_sizes = outer;
    std::vector<BinderId> known = info.size_parameters;
    known.insert(known.end(), declared.begin(), declared.end());
    rejectInnerNames(parts, result, std::move(known), first_binder);
  }
  if (is_top) {  // for recursive uses
    current_->info = info;
    TypeRef promised = result;
    current_->type =
        closeFunction(parts, promised, first_binder, info.size_parameters, Reach::kCallers);
  }
  Substitution hidden;
  for (BinderId size : declared) {
    hidden.sizes.emplace_back(size, inference_.unknownSize(program_.binders[size].span));
  }
  TypeRef needed = inference_.instantiate(result, hidden);
  if (!hidden.empty()) pending_.results.push_back(needed);
  TypeRef body = exprs_.infer(parts.body, needed);
  comparison_.require(span(parts.body), body, needed,
                      fmt::format("the result of `{}`", parts.name.name));
  if (!hidden.empty()) settlePayloads(needed);
  if (!(is_top && current_->is_recursive)) result = needed;
  inference_.fasten(info.size_parameters);
  // The sizes found for `[]` in a local function's parameters, `[n * m]`, have parameters of their
  // own for open sizes that came up in the function.
  for (size_t i = 0; !is_top && i < fresh.size(); ++i) {
    inference_.forEachLeaf(inference_.resolve(binderSize(fresh[i])), [&](SizeAtom leaf) {
      const bool is_own = leaf.is_unknown && leaf.index >= asAtom(begin)->index;
      if (!is_own || !hasUnknown(inference_.resolve(atomSize(leaf)))) return;
      const std::string name = fmt::format("d{}", info.size_parameters.size());
      info.size_parameters.push_back(names_.newSizeBinder(name, inference_.originOf(leaf)));
      inference_.solveSize(leaf, binderSize(info.size_parameters.back()));
    });
  }
  if (is_opaque && !(is_top && current_->is_entry)) nameHoleSizes(parts, result);
  info.type = closeFunction(parts, result, first_binder, info.size_parameters,
                            is_top ? Reach::kCallers : Reach::kLocal);
  info.result = result;
  return info;
}

bool Declarations::isEntry(const FunctionDecl& decl, const Decl&) const {
  if (!options_.mark_entries || context_.where.module_depth > 0) return false;
  return decl.is_entry || decl.function.name.name == "main";
}

CurrentDef Declarations::startFunction(DeclId id, const Attempt& attempt) {
  const Decl decl = program_.tree.decls[id];
  const auto& node = std::get<FunctionDecl>(decl.node);
  const FunctionParts& parts = node.function;
  CurrentDef def;
  def.name = parts.name.name;
  Def made;
  made.name = qualified(parts.name.name);
  made.span = parts.name.span;
  made.is_prelude = options_.is_prelude;
  made.doc = decl.doc;
  def.id = program_.defs.add(std::move(made));
  def.has_parameters = !parts.parameters.empty();
  def.is_entry = isEntry(node, decl);
  def.has_shapes = attempt.has_shapes;
  def.errors_before = sink_.errorCount();
  return def;
}

// Not accepted: there are errors, which another attempt may not have; nothing is defined.
Declarations::Outcome Declarations::checkFunction(DeclId id, const Attempt& attempt) {
  const Decl decl = program_.tree.decls[id];
  FunctionDecl node = std::get<FunctionDecl>(decl.node);
  FunctionParts& parts = node.function;
  size_t errors = sink_.errorCount();
  auto lifted = applications_.liftedFunction(id);

  inference_.order = attempt.order;
  context_.parts_carried = attempt.parts_carried;
  context_.joins_open = attempt.joins_open;
  const CurrentDef def = startFunction(id, attempt);
  current_ = def;
  current_->info = inferFunction(parts);
  current_->type = current_->info.type;
  exprs_.retryFields(false);
  if (parts.parameters.empty() || def.is_entry) etaExpand(parts, *current_);
  finisher_.finishDeclaration(*current_);

  Def& finished = program_.defs[def.id];
  finished.parameters = parts.parameters;
  finished.body = parts.body;
  finished.is_entry = def.is_entry;
  if (node.is_entry && context_.where.module_depth > 0) {
    sink_.error(Code::entry_interface, parts.name.span,
                fmt::format("entry `{}` is inside of a module, entries are declared outside of all",
                            parts.name.name));
  }
  finished.is_recursive = current_->is_recursive;
  const bool is_known = errors == sink_.errorCount() && !current_->uses_broken;
  if (finished.is_entry && is_known) checkEntry(finished);
  if (finished.is_recursive && errors == sink_.errorCount()) {
    checkRecursion(program_, def.id, context_.size_order, sink_);
  }
  if (errors == sink_.errorCount()) {
    checkConsumed(def.id, parts);
    checkCausality(program_, def.id, context_.size_order, sink_);
  }
  if (errors == sink_.errorCount()) {
    settleSizeScopes(program_, def.id, context_.size_order, rewritten_, sink_);
    rememberConstant(def.id, parts);
    sizes_.nameConstantSizes(def.id);
  }
  const bool is_recursive = current_->is_recursive;
  const bool follows_errors = current_->uses_broken && !parts.result;
  forgetDeclaration();
  if (errors != sink_.errorCount()) {
    Def nothing;  // without a type
    nothing.name = qualified(parts.name.name);
    program_.defs[def.id] = std::move(nothing);
    return is_recursive ? Outcome::kRecursive : Outcome::kRejected;
  }
  if (lifted) environment_.lifted.emplace(def.id, *std::move(lifted));
  if (follows_errors) context_.broken.insert(def.id);
  scopes_.define(parts.name.name, Value{def.id}, decl.is_local);
  return Outcome::kAccepted;
}

void Declarations::forgetDeclaration() {
  current_.reset();
  locals_ = {};
  pending_ = {};
  context_.pattern_types.clear();
  context_.annotations.clear();
  context_.size_order = {};
  inference_.reset();
}

// `def sum = reduce (+) 0` becomes `def sum x1 = reduce (+) 0 x1`, and a lambda's parameters become
// the definition's. Only functions with parameters are polymorphic in sizes, and entries need all
// of theirs (`entry main k = map (+ k)`).
void Declarations::etaExpand(FunctionParts& parts, CurrentDef& def) {
  if (!inference_.as<InferFunction>(def.info.result)) return;
  Tree& tree = program_.tree;
  ExprId body = parts.body;
  while (auto* inner = std::get_if<Parenthesised>(&tree.exprs[body].node)) body = inner->value;
  if (auto* lambda = std::get_if<Lambda>(&tree.exprs[body].node)) {
    const Lambda inner = *lambda;
    parts.body = inner.body;
    for (PatternId parameter : inner.parameters) {
      parts.parameters.push_back(parameter);
      def.info.result = inference_.as<InferFunction>(def.info.result)->result;
    }
    if (def.is_entry) etaExpand(parts, def);  // `entry f = \x -> \y -> e`
    return;
  }
  Span where = span(parts.body);
  TypeRef type = def.info.result;
  size_t first_binder = program_.binders.size();
  while (auto* found = inference_.as<InferFunction>(type)) {
    InferFunction function = *found;
    std::string name = fmt::format("x{}", parts.parameters.size() + 1);
    PatternId pattern = tree.patterns.add({PatternName{{name, where}}, where});
    exprs_.bind(pattern, function.parameter, Anonymous::kUnknown);
    BinderId binder = program_.binder_of[pattern];
    ExprId argument = tree.exprs.add({Variable{{{}, name, where}}, where});
    inferred_[argument] = function.parameter;
    pending_.types.emplace_back(argument, function.parameter);
    pending_.uses.push_back({argument, LocalTarget{binder}, {}, {}});
    parts.parameters.push_back(pattern);
    parts.body = tree.exprs.add({Apply{parts.body, argument}, where});
    Substitution values;
    if (function.parameter_name) {
      if (inference_.asScalar(function.parameter) == prim::ScalarType::kI64) {
        values.sizes.emplace_back(*function.parameter_name, binderSize(binder));
      } else {
        values.values.emplace_back(*function.parameter_name,
                                   inference_.sizeVariable(binder, function.parameter));
      }
    }
    for (BinderId existential : function.existentials) {
      const std::string existential_name = program_.binders[existential].name;
      values.sizes.emplace_back(existential,
                                binderSize(names_.newSizeBinder(existential_name, where)));
    }
    type = inference_.instantiate(function.result, values);
    inferred_[parts.body] = type;
    pending_.types.emplace_back(parts.body, type);
  }
  def.info.type = withStarsOf(
      def.info.type,
      closeFunction(parts, type, first_binder, def.info.size_parameters, Reach::kCallers));
  def.info.result = type;
  def.type = def.info.type;
}

// `type` with the stars of another function type of as many parameters.
TypeRef Declarations::withStarsOf(TypeRef starred, TypeRef type) {
  auto* from = inference_.as<InferFunction>(starred);
  auto* to = inference_.as<InferFunction>(type);
  if (!from || !to) return type;
  InferFunction copy = *to;
  copy.consumes = from->consumes;
  copy.unique_parameter = from->unique_parameter;
  copy.unique_result = from->unique_result;
  copy.result = withStarsOf(from->result, copy.result);
  return inference_.function(std::move(copy));
}

TypeId Declarations::withResultStars(TypeId type, size_t parameters, const Uniqueness& stars) {
  auto* found = std::get_if<FunctionType>(&program_.types[type]);
  if (!found || parameters == 0) return type;
  FunctionType function = *found;
  if (parameters == 1) function.unique_result = stars;
  function.result = withResultStars(function.result, parameters - 1, stars);
  return inference_.intern(std::move(function));
}

// A result whose type is not written has stars where nothing else holds it. Where abstract types
// are known, more may seem to be shared than the program can tell. The other world has checked it,
// and a parametric module is checked by itself.
void Declarations::checkConsumed(DefId id, const FunctionParts& parts) {
  diag::Sink ignored;
  diag::Sink& sink = environment_.opaque || context_.applied_depth > 0 ? ignored : sink_;
  std::unordered_set<ExprId> pipes = context_.size_order.argument_first;
  pipes.insert(context_.size_order.function_first.begin(),
               context_.size_order.function_first.end());
  Uniqueness stars = checkConsumption(program_, id, parts.result.valid(), pipes, sink);
  Def& def = program_.defs[id];
  if (parts.result && parts.parameters.empty() && uniquenessOf(program_.tree, parts.result).any()) {
    sink.error(
        Code::uniqueness, program_.tree.types[parts.result].span,
        fmt::format("`{}` is a constant, which nobody may consume: its type has no `*`", def.name));
  }
  if (parts.result || parts.parameters.empty()) return;
  def.type = withResultStars(def.type, parts.parameters.size(), stars);
}

// A constant whose value is a number may be used in sizes.
void Declarations::rememberConstant(DefId id, const FunctionParts& parts) {
  if (!parts.parameters.empty()) return;
  const Def& def = program_.defs[id];
  if (def.type != scalarTypeId(prim::ScalarType::kI64)) return;
  auto size = sizes_.sizeOf(parts.body);
  auto value = size ? asConstant(*size) : std::nullopt;
  if (value) environment_.constants[id] = *value;
}

void Declarations::checkEntry(const Def& def) {
  if (!def.type_parameters.empty()) {
    sink_.error(Code::entry_interface, def.span,
                fmt::format("entry `{}` has type `{}`: the types of an entry must be fixed, "
                            "annotate its parameters",
                            def.name, print(program_, def.type)));
    return;
  }
  bool is_plain = !mayBeFunction(program_, def.result);
  std::vector<BinderId> shown;
  for (PatternId parameter : def.parameters) {
    TypeId type = program_.pattern_type.at(parameter);
    is_plain = is_plain && !mayBeFunction(program_, type);
    addWholeSizes(program_, type, shown);
  }
  for (BinderId size : def.size_parameters) {
    if (!context_.broken.empty()) break;  // it may come from there
    if (std::find(shown.begin(), shown.end(), size) != shown.end()) continue;
    const Binder& binder = program_.binders[size];
    sink_.error(Code::size_not_determined, binder.span.file ? binder.span : def.span,
                fmt::format("size `{}` of entry `{}` is not the size of any array it takes",
                            binder.name, def.name));
  }
  if (is_plain) return;
  sink_.error(
      Code::entry_interface, def.span,
      fmt::format("entry `{}` has type `{}`: parameters and results of an entry are values, "
                  "not functions",
                  def.name, print(program_, def.type)));
}

// ---- built-ins

void Declarations::declareVal(DeclId id) {
  const Decl decl = program_.tree.decls[id];
  const ValDecl& val = std::get<ValDecl>(decl.node);
  auto meaning = builtInMeaning(qualified(val.name.name));
  if (!meaning || !options_.is_prelude) {
    sink_.error(Code::unknown_intrinsic, val.name.span,
                fmt::format("no built-in is called `{}`", qualified(val.name.name)));
    return;
  }
  FunctionInfo info;
  declareTypeParameters(val.type_parameters, info);
  TypeRef type = elaborator_.elaborate(val.type, Anonymous::kUnknown);
  finisher_.applyDefaults();
  finisher_.writeTables();
  Def def;
  def.name = qualified(val.name.name);
  def.span = val.name.span;
  def.type_parameters = info.type_parameters;
  def.size_parameters = info.size_parameters;
  def.type = inference_.finishAsWritten(type);
  inference_.writeCopies();  // of sizes that are expressions
  def.result = def.type;
  def.built_in = meaning;
  def.is_prelude = true;
  def.doc = decl.doc;
  scopes_.define(val.name.name, Value{program_.defs.add(std::move(def))}, decl.is_local);
  forgetDeclaration();
  if (auto* prim = std::get_if<PrimMeaning>(&*meaning)) on_demand_.needMeaningOf(*prim);
}

}  // namespace halo::types
