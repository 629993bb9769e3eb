// A copied node waits in a list until its children are copied: no recursion, because chains in a
// tree may be of any length. `forEachId` names every id that a node holds; a new node
// breaks this file until it is listed.
#include "lang/syntax/copy.h"

#include "lang/base/match.h"

namespace halo::syntax {
namespace {

// ---- ids in the parts that nodes share

template <typename F, typename Tag>
void forEachId(base::Id<Tag>& id, F& f) {
  if (id.valid()) id = f(id);
}

template <typename F>
void forEachId(Identifier&, F&) {}
template <typename F>
void forEachId(IndexPart& part, F& f) {
  for (ExprId* id : {&part.index, &part.start, &part.end, &part.stride}) forEachId(*id, f);
}
template <typename F>
void forEachId(PathStep& step, F& f) {
  if (auto* parts = std::get_if<std::vector<IndexPart>>(&step)) {
    for (IndexPart& part : *parts) forEachId(part, f);
  }
}
template <typename F>
void forEachId(TypeArgument& argument, F& f) {
  forEachId(argument.type, f);
  forEachId(argument.size, f);
}
template <typename F>
void forEachId(MatchCase& branch, F& f) {
  forEachId(branch.pattern, f);
  forEachId(branch.body, f);
}
template <typename F>
void forEachId(ModuleParameter& parameter, F& f) {
  forEachId(parameter.type, f);
}
template <typename F, typename T>
void forEachId(std::vector<T>& list, F& f) {
  for (T& element : list) forEachId(element, f);
}
template <typename F, typename T>
void forEachId(std::pair<Identifier, T>& field, F& f) {
  forEachId(field.second, f);
}
template <typename F>
void forEachId(FunctionParts& function, F& f) {
  forEachId(function.parameters, f);
  forEachId(function.result, f);
  forEachId(function.body, f);
}

// Several parts in order.
template <typename F, typename... Parts>
void each(F& f, Parts&... parts) {
  (forEachId(parts, f), ...);
}

// ---- ids in nodes

template <typename F>
void forEachId(TypeNode& node, F& f) {
  base::match(
      node, [&](TypeName& t) { each(f, t.arguments); },
      [&](TypeArray& t) { each(f, t.size, t.element); }, [&](TypeTuple& t) { each(f, t.elements); },
      [&](TypeRecord& t) { each(f, t.fields); },
      [&](TypeFunction& t) { each(f, t.parameter, t.result); },
      [&](TypeUnique& t) { each(f, t.type); }, [&](TypeSum& t) { each(f, t.constructors); },
      [&](TypeExistential& t) { each(f, t.type); });
}

template <typename F>
void forEachId(PatternNode& node, F& f) {
  base::match(
      node, [](PatternName&) {}, [](PatternWildcard&) {},
      [&](PatternTuple& p) { each(f, p.elements); }, [&](PatternRecord& p) { each(f, p.fields); },
      [&](PatternTyped& p) { each(f, p.pattern, p.type); },
      [&](PatternConstructor& p) { each(f, p.payload); },
      [&](PatternLiteral& p) { each(f, p.value); },
      [&](PatternAttributed& p) { each(f, p.pattern); });
}

template <typename F>
void forEachId(Loop& loop, F& f) {
  each(f, loop.pattern, loop.initial, loop.body);
  base::match(
      loop.form, [&](LoopFor& form) { each(f, form.bound); },
      [&](LoopForIn& form) { each(f, form.pattern, form.array); },
      [&](LoopWhile& form) { each(f, form.condition); });
}

template <typename F>
void forEachId(ExprNode& node, F& f) {
  base::match(
      node, [](Number&) {}, [](BoolLiteral&) {}, [](StringLiteral&) {}, [](Variable&) {},
      [](ProjectSection&) {}, [](Hole&) {}, [&](TupleExpr& e) { each(f, e.elements); },
      [&](RecordExpr& e) { each(f, e.fields); }, [&](ArrayExpr& e) { each(f, e.elements); },
      [&](RangeExpr& e) { each(f, e.first, e.second, e.last); },
      [&](Project& e) { each(f, e.record); }, [&](IndexExpr& e) { each(f, e.array, e.parts); },
      [&](UpdateExpr& e) { each(f, e.array, e.parts, e.value); },
      [&](RecordUpdate& e) { each(f, e.record, e.value); },
      [&](PathUpdate& e) { each(f, e.target, e.path, e.value); },
      [&](Constructor& e) { each(f, e.arguments); },
      [&](Apply& e) { each(f, e.function, e.argument); }, [&](Unary& e) { each(f, e.operand); },
      [&](Binary& e) { each(f, e.lhs, e.rhs); }, [&](OperatorSection& e) { each(f, e.lhs, e.rhs); },
      [&](IndexSection& e) { each(f, e.parts); }, [&](PathSection& e) { each(f, e.path); },
      [&](Lambda& e) { each(f, e.parameters, e.result, e.body); },
      [&](Let& e) { each(f, e.pattern, e.value, e.body); },
      [&](LetFunction& e) { each(f, e.function, e.body); },
      [&](If& e) { each(f, e.condition, e.then_branch, e.else_branch); },
      [&](MatchExpr& e) { each(f, e.scrutinee, e.cases); }, [&](Loop& e) { forEachId(e, f); },
      [&](Ascribe& e) { each(f, e.value, e.type); }, [&](Coerce& e) { each(f, e.value, e.type); },
      [&](AssertExpr& e) { each(f, e.condition, e.value); },
      [&](Attributed& e) { each(f, e.value); }, [&](LocalOpen& e) { each(f, e.value); },
      [&](Parenthesised& e) { each(f, e.value); });
}

template <typename F>
void forEachId(DeclNode& node, F& f) {
  base::match(
      node, [&](FunctionDecl& d) { each(f, d.function); }, [&](ValDecl& d) { each(f, d.type); },
      [&](TypeDecl& d) { each(f, d.type); },
      [&](ModuleDecl& d) { each(f, d.parameters, d.type, d.body); },
      [&](ModuleTypeDecl& d) { each(f, d.type); }, [&](OpenDecl& d) { each(f, d.module); },
      [](ImportDecl&) {});
}

template <typename F>
void forEachId(ModuleNode& node, F& f) {
  base::match(
      node, [](ModuleName&) {}, [](ModuleImport&) {},
      [&](ModuleBody& m) { each(f, m.declarations); },
      [&](ModuleApply& m) { each(f, m.function, m.argument); },
      [&](ModuleAscribe& m) { each(f, m.module, m.type); },
      [&](ModuleLambda& m) { each(f, m.parameter, m.result, m.body); });
}

template <typename F>
void forEachId(ModuleTypeNode& node, F& f) {
  base::match(
      node, [](ModuleTypeName&) {}, [&](ModuleTypeBody& m) { each(f, m.specs); },
      [&](ModuleTypeWith& m) { each(f, m.type, m.definition); },
      [&](ModuleTypeArrow& m) { each(f, m.parameter, m.result); });
}

template <typename F>
void forEachId(SpecNode& node, F& f) {
  base::match(
      node, [&](ValDecl& s) { each(f, s.type); }, [&](TypeSpec& s) { each(f, s.type); },
      [&](ModuleSpec& s) { each(f, s.type); }, [&](IncludeSpec& s) { each(f, s.type); });
}

// ---- the copy

// The store of a tree that an id belongs to.
template <typename T>
auto& storeOf(T& tree, ExprId) {
  return tree.exprs;
}
template <typename T>
auto& storeOf(T& tree, PatternId) {
  return tree.patterns;
}
template <typename T>
auto& storeOf(T& tree, TypeExprId) {
  return tree.types;
}
template <typename T>
auto& storeOf(T& tree, DeclId) {
  return tree.decls;
}
template <typename T>
auto& storeOf(T& tree, ModuleExprId) {
  return tree.modules;
}
template <typename T>
auto& storeOf(T& tree, ModuleTypeId) {
  return tree.module_types;
}
template <typename T>
auto& storeOf(T& tree, SpecId) {
  return tree.specs;
}

using AnyId =
    std::variant<ExprId, PatternId, TypeExprId, DeclId, ModuleExprId, ModuleTypeId, SpecId>;

class Copier {
 public:
  Copier(const Tree& from, Tree& to) : from_(from), to_(to) {}

  template <typename IdType>
  IdType all(IdType root) {
    IdType copy = (*this)(root);
    while (!pending_.empty()) {
      AnyId next = pending_.back();
      pending_.pop_back();
      std::visit([&](auto id) { copyChildren(id); }, next);
    }
    return copy;
  }

  // A copy of one node that still has the children of the other.
  template <typename IdType>
  IdType operator()(IdType from) {
    auto item = storeOf(from_, from)[from];  // by value: the store grows when both are one tree
    IdType to = storeOf(to_, from).add(std::move(item));
    pending_.push_back(to);
    return to;
  }

 private:
  template <typename IdType>
  void copyChildren(IdType id) {
    auto node = std::move(storeOf(to_, id)[id].node);
    forEachId(node, *this);
    storeOf(to_, id)[id].node = std::move(node);
  }

  const Tree& from_;
  Tree& to_;
  std::vector<AnyId> pending_;
};

}  // namespace

DeclId copyDecl(const Tree& from, DeclId id, Tree& to) { return Copier(from, to).all(id); }
ModuleExprId copyModule(const Tree& from, ModuleExprId id, Tree& to) {
  return Copier(from, to).all(id);
}
ModuleTypeId copyModuleType(const Tree& from, ModuleTypeId id, Tree& to) {
  return Copier(from, to).all(id);
}
TypeExprId copyType(const Tree& from, TypeExprId id, Tree& to) { return Copier(from, to).all(id); }
PatternId copyPattern(const Tree& from, PatternId id, Tree& to) { return Copier(from, to).all(id); }
ExprId copyExpr(const Tree& from, ExprId id, Tree& to) { return Copier(from, to).all(id); }

}  // namespace halo::syntax
