#include "lang/types/sizes/binding_sizes.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/application.h"
#include "lang/syntax/visit.h"

namespace halo::types {

using namespace syntax;

namespace {

bool bindsNames(const ExprNode& node) {
  return std::holds_alternative<MatchExpr>(node) || std::holds_alternative<Loop>(node) ||
         std::holds_alternative<LetFunction>(node) || std::holds_alternative<Lambda>(node) ||
         std::holds_alternative<Let>(node);
}

struct FreeVariables {
  explicit FreeVariables(const Tree& tree) : tree(tree) {}

  void walk(ExprId expr) {
    const ExprNode& node = tree.exprs[expr].node;
    if (auto* variable = std::get_if<Variable>(&node)) {  // `r.f` may be a field
      const QualifiedName& name = variable->name;
      const std::string& first = name.qualifiers.empty() ? name.name : name.qualifiers[0];
      if (std::find(bound.begin(), bound.end(), first) == bound.end()) found.insert(first);
    } else if (auto* lambda = std::get_if<Lambda>(&node)) {
      under(lambda->parameters, {}, [&] { walk(lambda->body); });
    } else if (auto* let = std::get_if<Let>(&node)) {
      walk(let->value);
      under({let->pattern}, let->sizes, [&] { walk(let->body); });
    } else if (auto* local = std::get_if<LetFunction>(&node)) {
      std::vector<Identifier> sizes;
      for (const TypeParameter& parameter : local->function.type_parameters) {
        sizes.push_back(parameter.name);
      }
      under(local->function.parameters, sizes, [&] { walk(local->function.body); });
      under({}, {local->function.name}, [&] { walk(local->body); });
    } else if (auto* choice = std::get_if<MatchExpr>(&node)) {
      walk(choice->scrutinee);
      for (const MatchCase& one : choice->cases) {
        under({one.pattern}, {}, [&] { walk(one.body); });
      }
    } else if (auto* loop = std::get_if<Loop>(&node)) {
      walkLoop(*loop);
    } else {
      forEachChild(node, [&](ExprId child) { walk(child); });
    }
  }

  void walkLoop(const Loop& loop) {
    walk(loop.initial);
    base::match(
        loop.form,
        [&](const LoopFor& form) {
          walk(form.bound);
          under({loop.pattern}, {form.variable}, [&] { walk(loop.body); });
        },
        [&](const LoopForIn& form) {
          walk(form.array);
          under({loop.pattern, form.pattern}, {}, [&] { walk(loop.body); });
        },
        [&](const LoopWhile& form) {
          under({loop.pattern}, {}, [&] {
            walk(form.condition);
            walk(loop.body);
          });
        });
  }

  void under(const std::vector<PatternId>& patterns, std::vector<Identifier> names,
             const std::function<void()>& inside) {
    const size_t outside = bound.size();
    for (PatternId pattern : patterns) collectNames(tree, pattern, names);
    for (const Identifier& name : names) bound.push_back(name.name);
    inside();
    bound.resize(outside);
  }

  const Tree& tree;
  std::vector<std::string> bound;
  std::set<std::string> found;
};

}  // namespace

std::vector<ExprId> bindingParts(const Tree& tree, ExprId size) {
  std::vector<ExprId> found, open = {size};
  while (!open.empty()) {
    const ExprId part = open.back();
    open.pop_back();
    const ExprNode& node = tree.exprs[part].node;
    if (std::holds_alternative<Apply>(node)) {
      ExprId head = appliedFunction(tree, part);
      if (std::holds_alternative<Lambda>(tree.exprs[head].node)) continue;  // closedOver made it
      while (auto* inner = std::get_if<Parenthesised>(&tree.exprs[head].node)) head = inner->value;
      if (std::holds_alternative<Lambda>(tree.exprs[head].node)) {
        found.push_back(part);
        continue;
      }
    }
    auto* let = part == size ? std::get_if<Let>(&node) : nullptr;
    const bool is_name =
        let != nullptr && std::holds_alternative<PatternName>(tree.patterns[let->pattern].node);
    if (bindsNames(node) && !is_name) {
      found.push_back(part);
    } else {
      forEachChild(node, [&](ExprId child) { open.push_back(child); });
    }
  }
  return found;
}

std::set<std::string> freeVariables(const Tree& tree, ExprId expr) {
  FreeVariables free(tree);
  free.walk(expr);
  return free.found;
}

ExprNode appliedTo(Tree& tree, ExprId function, const std::vector<std::string>& names, Span where) {
  std::vector<ExprId> arguments;
  for (const std::string& name : names) {
    arguments.push_back(tree.exprs.add({Variable{{{}, name, where}}, where}));
  }
  if (names.empty()) arguments.push_back(tree.exprs.add({TupleExpr{}, where}));
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    function = tree.exprs.add({Apply{function, arguments[i]}, where});
  }
  return Apply{function, arguments.back()};
}

ExprNode closedOver(Tree& tree, ExprId body, const std::vector<std::string>& names) {
  const Span where = tree.exprs[body].span;
  Lambda lambda{{}, {}, body};
  for (const std::string& name : names) {
    lambda.parameters.push_back(tree.patterns.add({PatternName{{name, where}}, where}));
  }
  if (names.empty()) lambda.parameters.push_back(tree.patterns.add({PatternTuple{}, where}));
  return appliedTo(tree, tree.exprs.add({std::move(lambda), where}), names, where);
}

}  // namespace halo::types
