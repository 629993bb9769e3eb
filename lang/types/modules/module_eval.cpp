// Modules are interpreted while checking: a module expression becomes a table of names. A
// parametric module is a closure. Applying it checks a copy of its body with the parameter bound to
// the argument as the parameter's type shows it.
//
// In the opaque world (README) the body is checked once for an unknown argument, too, where it is
// declared. That reports its faults, so errors of later copies are not shown.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/copy.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/modules/module_eval.h"
#include "lang/types/modules/module_type.h"
#include "lang/types/modules/on_demand.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

// Parametric modules that apply others twice grow exponentially, as do module types that include
// others twice.
constexpr size_t kMaxCopied = 2'000'000;

}  // namespace

void ModuleEvaluator::declareModule(const ModuleDecl& node, bool is_local) {
  context_.where.module_names.push_back(node.name.name);
  ++context_.where.module_depth;
  Module module;
  if (!node.parameters.empty()) {
    module = parametricModule(node.parameters, node.type, node.body);
  } else {
    module = evaluate(node.body);
    if (node.type)
      module = signatures_.ascribe(module, node.type, program_.tree.modules[node.body].span);
  }
  --context_.where.module_depth;
  context_.where.module_names.pop_back();
  module.span = node.name.span;
  scopes_.define(node.name.name, module, is_local);
}

void ModuleEvaluator::declareModuleType(const ModuleTypeDecl& node, bool is_local) {
  auto type =
      std::make_shared<ModuleType>(ModuleType{node.type, scopes_.capture(), node.name.span});
  context_.where.module_names.push_back(node.name.name);
  if (!signatures_.checkModuleType(node.type)) type->type = ModuleTypeId();
  context_.where.module_names.pop_back();
  scopes_.define(node.name.name, std::shared_ptr<const ModuleType>(std::move(type)), is_local);
}

void ModuleEvaluator::declareOpen(const OpenDecl& open, bool is_local) {
  const ModuleExpr& opened = program_.tree.modules[open.module];
  if (const auto* file = std::get_if<ModuleImport>(&opened.node)) {
    Module module = import(file->path, file->path_span);
    if (module.scope) scopes_.open(*module.scope, is_local);
    return;
  }
  ++context_.where.module_depth;
  Module module = evaluate(open.module);
  --context_.where.module_depth;
  if (module.scope) scopes_.open(on_demand_.complete(*module.scope), is_local);
  if (!module.parametric) return;
  sink_.error(Code::module_mismatch, program_.tree.modules[open.module].span,
              "this is a parametric module, only its results have names to open");
}

// `local open import ".."`
void ModuleEvaluator::declareImport(const ImportDecl& node) {
  Module module = import(node.path, node.path_span);
  if (module.scope) scopes_.open(*module.scope, true);
}

Module ModuleEvaluator::import(const std::string& path, Span span) {
  auto imports = environment_.imports.find(span.file);
  if (imports != environment_.imports.end()) {
    auto name = imports->second.find(path);
    auto file = name == imports->second.end() ? environment_.files.end()
                                              : environment_.files.find(name->second);
    if (file != environment_.files.end()) return {file->second, nullptr};
  }
  sink_.error(Code::missing_file, span, fmt::format("there is no file `{}.fut`", path));
  return {};
}

Module ModuleEvaluator::evaluate(ModuleExprId id) {
  const ModuleExpr expr = program_.tree.modules[id];  // a copy: checking adds nodes
  return base::match(
      expr.node,
      [&](const ModuleName& node) {
        std::vector<std::string> path = node.name.qualifiers;
        path.push_back(node.name.name);
        const Module* module = names_.findModule(path);
        if (module && !options_.is_prelude && module == on_demand_.preludeModule("intrinsics")) {
          sink_.error(Code::unknown_module, node.name.span,
                      "`intrinsics` takes no other name and is not opened: write "
                      "`intrinsics.NAME`");
          return *module;
        }
        if (module) {
          names_.note(node.name, module->span);
          return *module;
        }
        names_.reportUnknownModule(node.name);
        return Module{};
      },
      [&](const ModuleBody& body) { return evaluateBody(body); },
      [&](const ModuleApply& node) {
        Module function = evaluate(node.function);
        context_.where.module_names.emplace_back("argument");
        Module argument = evaluate(node.argument);
        context_.where.module_names.pop_back();
        if (function.scope) {
          sink_.error(Code::module_mismatch, program_.tree.modules[node.function].span,
                      "this module is applied to another, but takes no parameter");
        }
        if (!function.parametric || argument.isBroken()) return Module{};
        return apply(*function.parametric, argument, program_.tree.modules[node.argument].span);
      },
      [&](const ModuleAscribe& node) {
        Module module = evaluate(node.module);
        return signatures_.ascribe(module, node.type, program_.tree.modules[node.module].span);
      },
      [&](const ModuleLambda& node) {
        return parametricModule({node.parameter}, node.result, node.body);
      },
      [&](const ModuleImport& node) {
        Module module = import(node.path, node.path_span);
        // Files of Futhark's prelude are without text: Halo's has all of their names.
        const bool is_prelude =
            module.scope && module.scope->size() == 0 && node.path.starts_with("/prelude/");
        return is_prelude ? on_demand_.wholePrelude() : module;
      });
}

Module ModuleEvaluator::evaluateBody(const ModuleBody& body) {
  scopes_.push();
  for (DeclId declaration : body.declarations) {
    if (sink_.full()) break;
    declarations_.declare(declaration);
  }
  return {scopes_.pop(), nullptr};
}

// ---- parametric modules

Module ModuleEvaluator::parametricModule(const std::vector<ModuleParameter>& parameters,
                                         ModuleTypeId result, ModuleExprId body) {
  size_t errors = sink_.errorCount();
  if (context_.world == World::kOpaque) checkParametric(parameters, result, body);
  if (sink_.errorCount() != errors) return {};
  WrittenModule written{{parameters.begin() + 1, parameters.end()}, result, body};
  return {nullptr, std::make_shared<ParametricModule>(
                       ParametricModule{parameters[0], std::move(written), scopes_.capture()})};
}

// With parameters about which nothing but their types is known.
void ModuleEvaluator::checkParametric(const std::vector<ModuleParameter>& parameters,
                                      ModuleTypeId result, ModuleExprId body) {
  scopes_.push();
  for (const ModuleParameter& parameter : parameters) {
    Module module = unknownModule(parameter);
    module.span = parameter.name.span;
    scopes_.define(parameter.name.name, module, false);
  }
  Module module = evaluate(copyOf(body));
  if (result) signatures_.ascribe(module, result, program_.tree.modules[body].span);
  scopes_.pop();
}

Module ModuleEvaluator::unknownModule(const ModuleParameter& parameter) {
  if (!signatures_.checkModuleType(parameter.type)) return {};
  std::vector<std::string> outer =
      std::exchange(context_.where.module_names, {parameter.name.name});
  SignatureMatcher::SignatureMatch any{SignatureMatcher::Ascription::kNone, parameter.name.span};
  Module module = signatures_.matchSignature(nullptr, parameter.type, any);
  context_.where.module_names = std::move(outer);
  return module;
}

Module ModuleEvaluator::apply(const ParametricModule& function, const Module& argument, Span span) {
  ScopeStack outer = std::exchange(scopes_, ScopeStack(function.scopes));
  SignatureMatcher::SignatureMatch through{SignatureMatcher::Ascription::kTransparent, span,
                                           context_.world == World::kOpaque};
  Module seen = signatures_.matchSignature(&argument, function.parameter.type, through);
  seen.span = function.parameter.name.span;
  Module result;
  if (through.fits && !seen.isBroken()) {
    scopes_.push();
    if (!function.parameter.name.name.empty()) {
      scopes_.define(function.parameter.name.name, seen, false);
    }
    result = base::match(
        function.body, [&](const WrittenModule& written) { return applyBody(written, span); },
        [&](const ShownModule& shown) {
          if (!shown.inner) {
            SignatureMatcher::SignatureMatch any{SignatureMatcher::Ascription::kNone, span};
            return signatures_.matchSignature(nullptr, shown.result, any);
          }
          return signatures_.ascribe(apply(*shown.inner, seen, span), shown.result, span);
        });
  }
  scopes_ = std::move(outer);
  return result;
}

Module ModuleEvaluator::applyBody(const WrittenModule& written, Span span) {
  if (!written.more_parameters.empty()) {
    const std::vector<ModuleParameter>& more = written.more_parameters;
    WrittenModule rest{{more.begin() + 1, more.end()}, written.result, written.body};
    return {nullptr, std::make_shared<ParametricModule>(
                         ParametricModule{more[0], std::move(rest), scopes_.capture()})};
  }
  if (isTooMuch(span)) return {};
  size_t mark = sink_.mark();
  ++context_.applied_depth;
  Module result = evaluate(copyOf(written.body));
  --context_.applied_depth;
  if (written.result) {
    result = signatures_.ascribe(result, written.result, program_.tree.modules[written.body].span);
  }
  if (context_.world == World::kOpaque && !is_too_much_reported_) sink_.forgetSince(mark);
  return result;
}

bool ModuleEvaluator::isTooMuch(Span span) {
  if (++copied_ <= kMaxCopied) return false;
  if (!is_too_much_reported_) {
    sink_.error(Code::nesting_too_deep, span,
                "modules and module types of this file, written out, are too large");
  }
  is_too_much_reported_ = true;
  return true;
}

ModuleExprId ModuleEvaluator::copyOf(ModuleExprId module) {
  Tree& tree = program_.tree;
  size_t before = tree.exprs.size() + tree.types.size() + tree.decls.size();
  ModuleExprId copy = copyModule(tree, module, tree);
  copied_ += tree.exprs.size() + tree.types.size() + tree.decls.size() - before + 1;
  return copy;
}

}  // namespace halo::types
