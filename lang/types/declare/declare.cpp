// Declarations: functions and constants, built-ins. A definition gets its qualified name. Types are
// declared in declare_type.cpp, modules in module_*.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/copy.h"
#include "lang/types/consume/alias.h"
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
  if (std::holds_alternative<FunctionDecl>(program_.tree.decls[id].node)) {
    return declareFunction(id);
  }
  const Decl decl = program_.tree.decls[id];  // a copy: checking adds nodes
  base::match(
      decl.node, [](const FunctionDecl&) {}, [&](const ValDecl&) { declareVal(id); },
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

// ---- functions

bool Declarations::isEntry(const FunctionDecl& decl, const Decl&) const {
  if (!options_.mark_entries || context_.where.module_depth > 0) return false;
  return decl.is_entry || decl.function.name.name == "main";
}

CurrentDef Declarations::startFunction(DeclId id, const Attempt& attempt) {
  const Decl& decl = program_.tree.decls[id];
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
  FunctionDecl node = std::get<FunctionDecl>(program_.tree.decls[id].node);
  FunctionParts& parts = node.function;
  const bool is_local = program_.tree.decls[id].is_local;
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
  checkFinished(def.id, parts, errors);
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
  scopes_.define(parts.name.name, Value{def.id}, is_local);
  return Outcome::kAccepted;
}

// The checks of a definition whose tables are written. Each needs the ones before: none runs behind
// an error, which is one more than `errors`.
void Declarations::checkFinished(DefId id, const FunctionParts& parts, size_t errors) {
  const auto isFine = [&] { return errors == sink_.errorCount(); };
  const Def& def = program_.defs[id];
  if (def.is_entry && isFine() && !current_->uses_broken) checkEntry(def);
  if (def.is_recursive && isFine()) checkRecursion(program_, id, context_.size_order, sink_);
  if (isFine()) {
    checkConsumed(id, parts);
    checkCausality(program_, id, context_.size_order, sink_);
  }
  if (isFine()) {
    settleSizeScopes(program_, id, context_.size_order, rewritten_, sink_);
    rememberConstant(id, parts);
    sizes_.nameConstantSizes(id);
  }
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
  const bool is_checked_elsewhere = environment_.opaque || context_.applied_depth > 0;
  const bool gets_stars = !parts.result && !parts.parameters.empty() &&
                          SharingTypes(program_).mayShare(program_.defs[id].result);
  if (is_checked_elsewhere && !gets_stars) return;
  diag::Sink ignored;
  diag::Sink& sink = is_checked_elsewhere ? ignored : sink_;
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
