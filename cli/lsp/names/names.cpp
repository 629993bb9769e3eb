#include "cli/lsp/names/names.h"

#include <algorithm>
#include <map>

#include "cli/lsp/names/declaration.h"
#include "lang/base/match.h"

namespace halo::lsp {
namespace {

using types::Program;

bool contains(const source::Span& span, source::FileId file, uint32_t offset) {
  return span.file == file && span.begin <= offset && offset <= span.end;
}

uint32_t lengthOf(const source::Span& span) { return span.end - span.begin; }

std::optional<Target> targetOf(const types::Use& use) {
  if (const auto* local = std::get_if<types::LocalTarget>(&use.target)) return local->binder;
  if (const auto* def = std::get_if<types::DefTarget>(&use.target)) return def->def;
  return std::nullopt;
}

// The name that an expression is, if it is one.
const syntax::QualifiedName* nameOf(const syntax::Expr& expr) {
  if (const auto* variable = std::get_if<syntax::Variable>(&expr.node)) return &variable->name;
  if (const auto* binary = std::get_if<syntax::Binary>(&expr.node)) return &binary->op;
  if (const auto* section = std::get_if<syntax::OperatorSection>(&expr.node)) return &section->op;
  return nullptr;
}

std::string spelled(const syntax::QualifiedName& name) {
  std::string text;
  for (const std::string& qualifier : name.qualifiers) text += qualifier + ".";
  return text + name.name;
}

// Without the modules in front of it.
source::Span lastPart(const syntax::QualifiedName& name) {
  source::Span span = name.span;
  const auto length = static_cast<uint32_t>(name.name.size());
  if (!name.qualifiers.empty() && lengthOf(span) > length) span.begin = span.end - length;
  return span;
}

class Finder {
 public:
  Finder(const types::Environment& world, source::FileId file, uint32_t offset)
      : world_(world), program_(types::program(world)), file_(file), offset_(offset) {}

  std::optional<Found> run() {
    for (size_t i = 0; i < program_.tree.exprs.size(); ++i) lookAt(syntax::ExprId(i));
    for (size_t i = 0; i < program_.binders.size(); ++i) {
      const types::BinderId id(i);
      const types::Binder& binder = program_.binders[id];
      if (binder.type) consider({binder.span, id, binder.name, binder.type});
    }
    for (size_t i = 0; i < program_.defs.size(); ++i) {
      const types::DefId id(i);
      const types::Def& def = program_.defs[id];
      consider({def.span, id, def.name, def.type});
    }
    // Those that nothing uses, too; a type that a module type asks for leads to itself.
    for (const syntax::Decl& decl : program_.tree.decls) {
      const syntax::Identifier* name = declaredName(decl.node);
      if (name != nullptr) considerNamed(name->span, name->span);
    }
    for (const types::NameUse& use : types::nameUses(world_)) {
      considerNamed(use.use, use.definition);
      considerNamed(use.definition, use.definition);
    }
    for (const syntax::Spec& spec : program_.tree.specs) {
      const auto* value = std::get_if<syntax::ValDecl>(&spec.node);
      if (value != nullptr) considerNamed(value->name.span, value->name.span);
    }
    return best_;
  }

 private:
  void lookAt(syntax::ExprId id) {
    const syntax::Expr& expr = program_.tree.exprs[id];
    if (!contains(expr.span, file_, offset_)) return;
    const types::TypeId type = program_.type_of.at(id);
    if (!type) return;
    const syntax::QualifiedName* name = nameOf(expr);
    const auto& use = program_.use_of.at(id);
    if (name != nullptr && contains(name->span, file_, offset_)) {
      const std::optional<Target> target = use ? targetOf(*use) : std::nullopt;
      const bool is_variable = std::holds_alternative<syntax::Variable>(expr.node);
      if (is_variable || target) {
        consider({name->span, target, spelled(*name), is_variable ? type : typeOfTarget(target)});
      }
    } else {
      consider({expr.span, std::nullopt, "", type});
    }
  }

  types::TypeId typeOfTarget(const std::optional<Target>& target) const {
    if (const auto* def = std::get_if<types::DefId>(&*target)) return program_.defs[*def].type;
    const auto* binder = std::get_if<types::BinderId>(&*target);
    return binder != nullptr ? program_.binders[*binder].type : types::TypeId();
  }

  void considerNamed(const source::Span& span, const source::Span& definition) {
    consider({span, Named{definition}, "?", {}});
  }

  // A name counts more than an expression, a shorter one more than a longer one.
  void consider(Found found) {
    found.world = &world_;
    if (!contains(found.span, file_, offset_)) return;
    if (best_) {
      const bool is_name = !found.name.empty();
      const bool has_name = !best_->name.empty();
      if (is_name != has_name ? has_name : lengthOf(found.span) >= lengthOf(best_->span)) return;
    }
    best_ = std::move(found);
  }

  const types::Environment& world_;
  const Program& program_;
  source::FileId file_;
  uint32_t offset_;
  std::optional<Found> best_;
};

}  // namespace

bool isParametric(const syntax::Tree& tree, const source::Span& place) {
  const auto isAround = [&](const source::Span& span) {
    return contains(span, place.file, place.begin) && place.end <= span.end;
  };
  const bool is_in_decl = std::any_of(tree.decls.begin(), tree.decls.end(), [&](const auto& decl) {
    const auto* module = std::get_if<syntax::ModuleDecl>(&decl.node);
    return module != nullptr && !module->parameters.empty() && isAround(decl.span);
  });
  return is_in_decl || std::any_of(tree.modules.begin(), tree.modules.end(), [&](const auto& one) {
           return std::holds_alternative<syntax::ModuleLambda>(one.node) && isAround(one.span);
         });
}

const Program& programAt(const Analysis& analysis, uint32_t offset) {
  const Program& program = analysis.program();
  const bool is_parametric = isParametric(program.tree, {analysis.file, offset, offset});
  return is_parametric ? types::program(types::opaqueWorld(*analysis.environment)) : program;
}

std::optional<Found> findIn(const types::Environment& world, source::FileId file, uint32_t offset) {
  return Finder(world, file, offset).run();
}

std::optional<Found> findAt(const Analysis& analysis, uint32_t offset) {
  const types::Environment& engines = *analysis.environment;
  const types::Environment& users = types::opaqueWorld(engines);
  const bool is_parametric = isParametric(analysis.program().tree, {analysis.file, offset, offset});
  const auto found = findIn(is_parametric ? users : engines, analysis.file, offset);
  if (&users == &engines || (found && !found->name.empty())) return found;
  const auto other = findIn(is_parametric ? engines : users, analysis.file, offset);
  return other && (!found || !other->name.empty()) ? other : found;
}

source::Span definitionOf(const Program& program, const Target& target) {
  return base::match(
      target, [&](types::BinderId id) { return program.binders[id].span; },
      [&](types::DefId id) { return program.defs[id].span; },
      [](const Named& named) { return named.definition; });
}

std::string typeOf(const Program& program, const Target& target) {
  return base::match(
      target,
      [&](types::BinderId id) {
        const types::TypeId type = program.binders[id].type;
        return type ? types::print(program, type) : std::string("i64");
      },
      [&](types::DefId id) { return types::print(program, program.defs[id].type); },
      [](const Named&) { return std::string(); });
}

std::string documentationOf(const Program& program, const Target& target) {
  const auto* def = std::get_if<types::DefId>(&target);
  return def == nullptr ? "" : program.defs[*def].doc;
}

namespace {

// The definitions of each name in the texts. A parametric module has several, as its parameter
// stands for its arguments; so has a module that a use sees through a module type.
std::map<source::Span, Spans, BySpan> definitionsByUse(const Analysis& analysis) {
  std::map<source::Span, Spans, BySpan> definitions;
  const auto add = [&](const source::Span& use, const source::Span& definition) {
    if (!analysis.isPrelude(use.file)) definitions[use].insert(definition);
  };
  const types::Environment& engines = *analysis.environment;
  for (const types::NameUse& use : types::nameUses(engines)) add(use.use, use.definition);
  for (const types::Environment* world : {&engines, &types::opaqueWorld(engines)}) {
    const Program& program = types::program(*world);
    for (size_t i = 0; i < program.tree.exprs.size(); ++i) {
      const syntax::ExprId id(i);
      const syntax::QualifiedName* name = nameOf(program.tree.exprs[id]);
      const auto& use = program.use_of.at(id);
      const auto target = name != nullptr && use ? targetOf(*use) : std::nullopt;
      if (target) add(lastPart(*name), definitionOf(program, *target));
    }
  }
  return definitions;
}

}  // namespace

Spans occurrences(const Analysis& analysis, const source::Span& definition) {
  const auto uses = definitionsByUse(analysis);
  Spans found = {definition};
  const auto isFound = [&](const source::Span& span) {
    return found.contains(span) && (span == definition || !analysis.isPrelude(span.file));
  };
  for (size_t before = 0; before != found.size();) {
    before = found.size();
    for (const auto& [use, definitions] : uses) {
      const bool is_use = std::any_of(definitions.begin(), definitions.end(), isFound);
      if (!is_use && !found.contains(use)) continue;  // a module's type leads to its module type
      found.insert(use);
      if (!analysis.isPrelude(definition.file))
        found.insert(definitions.begin(), definitions.end());
    }
  }
  return found;
}

std::vector<types::BinderId> bindersAround(const Program& program, source::FileId file,
                                           uint32_t offset) {
  source::Span around;
  for (const syntax::Decl& decl : program.tree.decls) {
    const bool is_function = std::holds_alternative<syntax::FunctionDecl>(decl.node);
    if (is_function && contains(decl.span, file, offset)) around = decl.span;
  }
  std::vector<types::BinderId> binders;
  for (size_t i = 0; i < program.binders.size(); ++i) {
    const source::Span& span = program.binders[types::BinderId(i)].span;
    if (around.file == file && span.file == file && around.begin <= span.begin &&
        span.end <= around.end && span.begin < offset) {
      binders.push_back(types::BinderId(i));
    }
  }
  return binders;
}

}  // namespace halo::lsp
