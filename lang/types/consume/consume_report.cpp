// The walk's messages about consumption: the use found, the place of consumption, and the reason
// why two names are the same memory.
#include <fmt/format.h>

#include "lang/types/consume/walks.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// The variable that an expression is a part or view of; empty: none.
std::string ConsumptionPart::nameOf(ExprId expr) const {
  for (;;) {
    const ExprNode& n = node(expr);
    if (auto* inner = std::get_if<Parenthesised>(&n)) {
      expr = inner->value;
    } else if (auto* attributed = std::get_if<Attributed>(&n)) {
      expr = attributed->value;
    } else if (auto* ascribe = std::get_if<Ascribe>(&n)) {
      expr = ascribe->value;
    } else if (auto* coerce = std::get_if<Coerce>(&n)) {
      expr = coerce->value;
    } else if (auto* index = std::get_if<IndexExpr>(&n)) {
      expr = index->array;
    } else if (auto* project = std::get_if<Project>(&n)) {
      expr = project->record;
    } else {
      auto* variable = std::get_if<Variable>(&n);
      const bool is_written = variable && variable->name.name.front() != '$';
      return is_written ? variable->name.name : "";
    }
  }
}

std::string ConsumptionPart::describe(int root) const {
  const std::string& name = roots_[static_cast<size_t>(root)].name;
  return name.empty() ? "this value" : fmt::format("`{}`", name);
}

diag::Diagnostic& ConsumptionPart::error(Code code, Span span, std::string message) {
  return state_.sink.error(code, span, std::move(message));
}

void ConsumptionPart::labelOrigin(diag::Diagnostic& diagnostic, int root) {
  const Root& origin = roots_[static_cast<size_t>(root)];
  if (!origin.span.file || origin.span == diagnostic.span) return;
  for (const diag::Label& label : diagnostic.labels) {
    if (label.span == origin.span) return;
  }
  diagnostic.labels.push_back({origin.span, fmt::format("{} comes from here", describe(root))});
}

void ConsumptionPart::reportUse(int root, const Consumed& consumed, ExprId expr) {
  if (!reported_.insert(root).second) return;
  std::string name = nameOf(expr);
  std::string message = name.empty()
                            ? fmt::format("{} is used after it was consumed", describe(root))
                            : fmt::format("`{}` is used after it was consumed", name);
  diag::Diagnostic& diagnostic = error(Code::consumed, span(expr), std::move(message));
  const bool is_written = !consumed.name.empty() && consumed.name.front() != '$';
  bool is_same = name == consumed.name || !is_written;
  diagnostic.labels.push_back(
      {consumed.span,
       is_same ? "consumed here" : fmt::format("consumed here, as `{}`", consumed.name)});
  if (consumed.span.begin > span(expr).begin) {
    diagnostic.notes.push_back(
        "arguments are evaluated from right to left: bind this one by a `let` before the call");
  }
  const std::string& origin = roots_[static_cast<size_t>(root)].name;
  if (name.empty() || (origin == name && is_same)) return;
  labelOrigin(diagnostic, root);
  if (origin != name && !origin.empty()) {
    diagnostic.notes.push_back(fmt::format("`{}` may share the memory of `{}`", name, origin));
  }
}

void ConsumptionPart::reportConsume(int root, Span span) {
  if (!reported_.insert(root).second) return;
  const Root& origin = roots_[static_cast<size_t>(root)];
  if (origin.kind == RootKind::kBorrowed) {
    diag::Diagnostic& diagnostic = error(
        Code::consumed, span,
        fmt::format("`{}` is a parameter without `*`, which this would consume", origin.name));
    labelOrigin(diagnostic, root);
    diagnostic.notes.push_back("take it as `*t`, or update a `copy`");
  } else if (origin.kind == RootKind::kGlobal || origin.kind == RootKind::kHidden) {
    error(Code::consumed, span,
          fmt::format("`{}` is a definition, which this would consume", origin.name))
        .notes.push_back("update a `copy` of it");
  } else {
    diag::Diagnostic& diagnostic =
        error(Code::consumed, span,
              fmt::format("{} comes from outside and would be consumed each time", describe(root)));
    labelOrigin(diagnostic, root);
  }
}

}  // namespace halo::types
