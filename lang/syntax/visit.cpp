// Children of every expression node; a new node breaks this file until it is listed.
#include "lang/syntax/visit.h"

#include <algorithm>

#include "lang/base/match.h"

namespace halo::syntax {
namespace {

using Visit = std::function<void(ExprId)>;

void visitValid(ExprId id, const Visit& visit) {
  if (id.valid()) visit(id);
}

void visitParts(const std::vector<IndexPart>& parts, const Visit& visit) {
  for (const IndexPart& part : parts) {
    for (ExprId id : {part.index, part.start, part.end, part.stride}) visitValid(id, visit);
  }
}

void visitPath(const std::vector<PathStep>& path, const Visit& visit) {
  for (const PathStep& step : path) {
    if (const auto* parts = std::get_if<std::vector<IndexPart>>(&step)) visitParts(*parts, visit);
  }
}

void visitLoop(const Loop& loop, const Visit& visit) {
  visit(loop.initial);
  base::match(
      loop.form, [&](const LoopFor& form) { visit(form.bound); },
      [&](const LoopForIn& form) { visit(form.array); },
      [&](const LoopWhile& form) { visit(form.condition); });
  visit(loop.body);
}

}  // namespace

void forEachChild(const ExprNode& node, const Visit& visit) {
  base::match(
      node, [](const Number&) {}, [](const BoolLiteral&) {}, [](const StringLiteral&) {},
      [](const Variable&) {},
      [&](const TupleExpr& e) {
        for (ExprId id : e.elements) visit(id);
      },
      [&](const RecordExpr& e) {
        for (const auto& [name, id] : e.fields) visit(id);
      },
      [&](const ArrayExpr& e) {
        for (ExprId id : e.elements) visit(id);
      },
      [&](const RangeExpr& e) {
        for (ExprId id : {e.first, e.second, e.last}) visitValid(id, visit);
      },
      [&](const Project& e) { visit(e.record); },
      [&](const IndexExpr& e) {
        visit(e.array);
        visitParts(e.parts, visit);
      },
      [&](const UpdateExpr& e) {
        visit(e.array);
        visitParts(e.parts, visit);
        visit(e.value);
      },
      [&](const RecordUpdate& e) {
        visit(e.record);
        visit(e.value);
      },
      [&](const Apply& e) {
        visit(e.function);
        visit(e.argument);
      },
      [&](const Unary& e) { visit(e.operand); },
      [&](const Binary& e) {
        visit(e.lhs);
        visit(e.rhs);
      },
      [&](const OperatorSection& e) {
        visitValid(e.lhs, visit);
        visitValid(e.rhs, visit);
      },
      [](const ProjectSection&) {}, [&](const IndexSection& e) { visitParts(e.parts, visit); },
      [&](const Lambda& e) { visit(e.body); },
      [&](const Let& e) {
        visit(e.value);
        visit(e.body);
      },
      [&](const LetFunction& e) {
        visit(e.function.body);
        visit(e.body);
      },
      [&](const If& e) {
        visit(e.condition);
        visit(e.then_branch);
        visit(e.else_branch);
      },
      [&](const Loop& e) { visitLoop(e, visit); }, [&](const Ascribe& e) { visit(e.value); },
      [&](const Coerce& e) { visit(e.value); },
      [&](const AssertExpr& e) {
        visit(e.condition);
        visit(e.value);
      },
      [&](const Attributed& e) { visit(e.value); }, [&](const Parenthesised& e) { visit(e.value); },
      [&](const PathUpdate& e) {
        visit(e.target);
        visitPath(e.path, visit);
        visit(e.value);
      },
      [&](const Constructor& e) {
        for (ExprId id : e.arguments) visit(id);
      },
      [&](const PathSection& e) { visitPath(e.path, visit); },
      [&](const MatchExpr& e) {
        visit(e.scrutinee);
        for (const MatchCase& branch : e.cases) visit(branch.body);
      },
      [](const Hole&) {}, [&](const LocalOpen& e) { visit(e.value); });
}

bool hasExpressions(const Tree& tree, TypeExprId id) {
  auto inside = [&](TypeExprId part) { return hasExpressions(tree, part); };
  auto inAny = [&](const std::vector<TypeExprId>& parts) {
    return std::any_of(parts.begin(), parts.end(), inside);
  };
  return base::match(
      tree.types[id].node,
      [&](const TypeName& t) {
        return std::any_of(t.arguments.begin(), t.arguments.end(), [&](const TypeArgument& a) {
          return !a.type.valid() || inside(a.type);
        });
      },
      [&](const TypeArray& t) { return t.size.valid() || inside(t.element); },
      [&](const TypeTuple& t) { return inAny(t.elements); },
      [&](const TypeRecord& t) {
        return std::any_of(t.fields.begin(), t.fields.end(),
                           [&](const auto& field) { return inside(field.second); });
      },
      [&](const TypeFunction& t) { return inside(t.parameter) || inside(t.result); },
      [&](const TypeUnique& t) { return inside(t.type); },
      [&](const TypeSum& t) {
        return std::any_of(t.constructors.begin(), t.constructors.end(),
                           [&](const auto& constructor) { return inAny(constructor.second); });
      },
      [&](const TypeExistential& t) { return inside(t.type); });
}

void collectNames(const Tree& tree, PatternId id, std::vector<Identifier>& out) {
  base::match(
      tree.patterns[id].node, [&](const PatternName& p) { out.push_back(p.name); },
      [](const PatternWildcard&) {},
      [&](const PatternTuple& p) {
        for (PatternId element : p.elements) collectNames(tree, element, out);
      },
      [&](const PatternRecord& p) {
        for (const auto& [name, field] : p.fields) collectNames(tree, field, out);
      },
      [&](const PatternTyped& p) { collectNames(tree, p.pattern, out); },
      [&](const PatternConstructor& p) {
        for (PatternId element : p.payload) collectNames(tree, element, out);
      },
      [](const PatternLiteral&) {},
      [&](const PatternAttributed& p) { collectNames(tree, p.pattern, out); });
}

}  // namespace halo::syntax
