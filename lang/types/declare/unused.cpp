// One walk over the tree with the names in scope. Parts of a node that bind no name wait on a list,
// so that chains of operators and of `let`s may have any length.
#include "lang/types/declare/unused.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"

namespace halo::types {

using namespace syntax;

namespace {

class Unused {
 public:
  Unused(const Tree& tree, diag::Sink& sink) : tree_(tree), sink_(sink) {}

  void declaration(DeclId id);

 private:
  enum class Space { kName, kType };
  struct Bound {
    Space space;
    const Identifier* name;
    bool is_used;
  };

  void bind(const Identifier& name, Space space = Space::kName, bool is_used = false) {
    places(space)[name.name].push_back(scope_.size());
    scope_.push_back({space, &name, is_used});
  }
  void use(const std::string& name, Space space = Space::kName);
  void use(const QualifiedName& name, Space space = Space::kName) {
    if (name.qualifiers.empty()) return use(name.name, space);
    use(name.qualifiers[0]);  // a record, `r.a`; modules are no local names
  }
  void leave(size_t mark);

  void walk(ExprId expr);
  void enter(ExprId expr, std::vector<ExprId>& waiting);
  void walkLets(ExprId expr);
  void walkLoop(const Loop& loop);
  void walkMatch(const MatchExpr& node, std::vector<ExprId>& waiting);
  void walkFunction(const FunctionParts& parts);
  void bindParameters(const std::vector<TypeParameter>& parameters);
  void bindPattern(PatternId pattern);
  void walkType(TypeExprId type);
  void walkTypes(const std::vector<TypeExprId>& types) {
    for (TypeExprId type : types) walkType(type);
  }
  void module(ModuleExprId id);
  void moduleType(ModuleTypeId id);

  // The places of each name in `scope_`, innermost last. A search of the scope itself would make
  // long chains of `let` quadratic.
  using Places = std::unordered_map<std::string_view, std::vector<size_t>>;
  Places& places(Space space) { return space == Space::kName ? names_ : types_; }

  const Tree& tree_;
  diag::Sink& sink_;
  std::vector<Bound> scope_;
  Places names_;
  Places types_;
};

void Unused::use(const std::string& name, Space space) {
  const auto found = places(space).find(name);
  if (found != places(space).end()) scope_[found->second.back()].is_used = true;
}

// Names since `mark` go out of scope.
void Unused::leave(size_t mark) {
  for (size_t i = mark; i < scope_.size(); ++i) {
    const auto& [space, name, is_used] = scope_[i];
    const auto own = places(space).find(name->name);
    own->second.pop_back();
    if (own->second.empty()) places(space).erase(own);
    if (is_used || name->name.starts_with('_')) continue;
    sink_.warning(
        diag::Code::unknown_name, name->span,
        fmt::format("unused {} `{}`", space == Space::kName ? "name" : "type", name->name));
  }
  scope_.resize(mark);
}

// ---- expressions

void Unused::walk(ExprId expr) {
  std::vector<ExprId> waiting = {expr};
  while (!waiting.empty()) {
    const ExprId next = waiting.back();
    waiting.pop_back();
    enter(next, waiting);
  }
}

// The parts that see the same names are put on the list.
void Unused::enter(ExprId expr, std::vector<ExprId>& waiting) {
  const ExprNode& node = tree_.exprs[expr].node;
  auto children = [&] { forEachChild(node, [&](ExprId child) { waiting.push_back(child); }); };
  base::match(
      node, [&](const Variable& variable) { use(variable.name); },
      [&](const Binary& binary) {
        use(binary.op);
        children();
      },
      [&](const OperatorSection& section) {
        use(section.op);
        children();
      },
      [&](const Lambda& lambda) {
        const size_t mark = scope_.size();
        for (PatternId parameter : lambda.parameters) bindPattern(parameter);
        if (lambda.result) walkType(lambda.result);
        walk(lambda.body);
        leave(mark);
      },
      [&](const Let&) { walkLets(expr); }, [&](const LetFunction&) { walkLets(expr); },
      [&](const Loop& loop) { walkLoop(loop); },
      [&](const MatchExpr& match) { walkMatch(match, waiting); },
      [&](const Ascribe& ascribe) {
        walkType(ascribe.type);
        waiting.push_back(ascribe.value);
      },
      [&](const Coerce& coerce) {
        walkType(coerce.type);
        waiting.push_back(coerce.value);
      },
      base::otherwise([&](const auto&) { children(); }));
}

void Unused::walkLets(ExprId expr) {
  const size_t mark = scope_.size();
  for (;;) {
    const ExprNode& node = tree_.exprs[expr].node;
    if (auto* let = std::get_if<Let>(&node)) {
      walk(let->value);
      for (const Identifier& size : let->sizes) bind(size);
      bindPattern(let->pattern);
      expr = let->body;
    } else if (auto* local = std::get_if<LetFunction>(&node)) {
      walkFunction(local->function);
      bind(local->function.name);
      expr = local->body;
    } else {
      break;
    }
  }
  walk(expr);
  leave(mark);
}

void Unused::walkLoop(const Loop& loop) {
  walk(loop.initial);
  const size_t mark = scope_.size();
  for (const Identifier& size : loop.sizes) bind(size, Space::kName, true);
  base::match(
      loop.form,
      [&](const LoopFor& form) {
        walk(form.bound);
        bind(form.variable);
        bindPattern(loop.pattern);
      },
      [&](const LoopForIn& form) {
        walk(form.array);
        bindPattern(form.pattern);
        bindPattern(loop.pattern);
      },
      [&](const LoopWhile& form) {
        bindPattern(loop.pattern);
        walk(form.condition);
      });
  walk(loop.body);
  leave(mark);
}

void Unused::walkMatch(const MatchExpr& node, std::vector<ExprId>& waiting) {
  waiting.push_back(node.scrutinee);
  for (const MatchCase& option : node.cases) {
    const size_t mark = scope_.size();
    bindPattern(option.pattern);
    walk(option.body);
    leave(mark);
  }
}

void Unused::bindParameters(const std::vector<TypeParameter>& parameters) {
  for (const TypeParameter& parameter : parameters) {
    const bool is_size = parameter.kind == TypeParameter::Kind::kSize;
    bind(parameter.name, is_size ? Space::kName : Space::kType);
  }
}

void Unused::walkFunction(const FunctionParts& parts) {
  const size_t mark = scope_.size();
  bindParameters(parts.type_parameters);
  for (PatternId parameter : parts.parameters) bindPattern(parameter);
  if (parts.result) walkType(parts.result);
  walk(parts.body);
  leave(mark);
}

void Unused::bindPattern(PatternId pattern) {
  base::match(
      tree_.patterns[pattern].node, [&](const PatternName& name) { bind(name.name); },
      [](const PatternWildcard&) {}, [](const PatternLiteral&) {},
      [&](const PatternTuple& tuple) {
        for (PatternId element : tuple.elements) bindPattern(element);
      },
      [&](const PatternRecord& record) {
        for (const auto& [name, field] : record.fields) bindPattern(field);
      },
      [&](const PatternTyped& typed) {
        walkType(typed.type);
        bindPattern(typed.pattern);
      },
      [&](const PatternConstructor& constructor) {
        for (PatternId part : constructor.payload) bindPattern(part);
      },
      [&](const PatternAttributed& attributed) { bindPattern(attributed.pattern); });
}

// ---- types

void Unused::walkType(TypeExprId type) {
  base::match(
      tree_.types[type].node,
      [&](const TypeName& name) {
        use(name.name, Space::kType);
        for (const TypeArgument& argument : name.arguments) {
          if (argument.type) walkType(argument.type);
          if (argument.size) walk(argument.size);
        }
      },
      [&](const TypeArray& array) {
        if (array.size) walk(array.size);
        walkType(array.element);
      },
      [&](const TypeTuple& tuple) { walkTypes(tuple.elements); },
      [&](const TypeRecord& record) {
        for (const auto& [name, field] : record.fields) walkType(field);
      },
      [&](const TypeFunction& function) {
        const size_t mark = scope_.size();
        walkType(function.parameter);
        if (function.parameter_name) bind(*function.parameter_name, Space::kName, true);
        walkType(function.result);
        leave(mark);
      },
      [&](const TypeUnique& unique) { walkType(unique.type); },
      [&](const TypeSum& sum) {
        for (const auto& [name, payload] : sum.constructors) walkTypes(payload);
      },
      [&](const TypeExistential& existential) {
        const size_t mark = scope_.size();
        for (const Identifier& size : existential.sizes) bind(size, Space::kName, true);
        walkType(existential.type);
        leave(mark);
      });
}

// ---- declarations

void Unused::declaration(DeclId id) {
  base::match(
      tree_.decls[id].node, [&](const FunctionDecl& function) { walkFunction(function.function); },
      [&](const TypeDecl& type) {
        const size_t mark = scope_.size();
        bindParameters(type.parameters);
        walkType(type.type);
        leave(mark);
      },
      [&](const ModuleDecl& decl) { module(decl.body); },
      [&](const ModuleTypeDecl& decl) { moduleType(decl.type); },
      [&](const OpenDecl& open) { module(open.module); }, [](const ValDecl&) {},
      [](const ImportDecl&) {});
}

void Unused::module(ModuleExprId id) {
  base::match(
      tree_.modules[id].node, [](const ModuleName&) {}, [](const ModuleImport&) {},
      [&](const ModuleBody& body) {
        for (DeclId declared : body.declarations) declaration(declared);
      },
      [&](const ModuleApply& apply) {
        module(apply.function);
        module(apply.argument);
      },
      [&](const ModuleAscribe& ascribe) {
        module(ascribe.module);
        moduleType(ascribe.type);
      },
      [&](const ModuleLambda& lambda) { module(lambda.body); });
}

void Unused::moduleType(ModuleTypeId id) {
  auto* body = std::get_if<ModuleTypeBody>(&tree_.module_types[id].node);
  if (!body) return;
  for (SpecId spec : body->specs) {
    auto* value = std::get_if<ValDecl>(&tree_.specs[spec].node);
    if (!value) continue;
    const size_t mark = scope_.size();
    bindParameters(value->type_parameters);
    walkType(value->type);
    leave(mark);
  }
}

}  // namespace

void warnOfUnused(const Tree& tree, const File& file, diag::Sink& sink) {
  Unused unused(tree, sink);
  for (DeclId declared : file.declarations) unused.declaration(declared);
}

}  // namespace halo::types
