// Variables, the patterns that bind them, and the record of consumption.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/consume/walks.h"

namespace halo::types {

using namespace syntax;

int ConsumptionPart::newRoot(std::string name, Span span, RootKind kind) {
  roots_.push_back({std::move(name), span, kind, depth_});
  return static_cast<int>(roots_.size()) - 1;
}

// A part without a root is this name's own.
Alias ConsumptionPart::complete(TypeId type, const Alias& alias, const std::string& name,
                                Span span) {
  if (!sharing_.mayShare(type) || functionType(type)) return alias;
  if (!hasParts(program_, type)) {
    return alias && !alias->roots.empty() ? alias : leaf(Roots(newRoot(name, span)));
  }
  std::vector<Part> parts = partsOf(program_, type);
  std::vector<Alias> completed;
  bool is_same = alias && alias->parts.size() == parts.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    completed.push_back(complete(parts[i].type, partOf(alias, i), name, span));
    is_same = is_same && completed.back() == alias->parts[i];
  }
  return is_same ? alias : composite(std::move(completed));
}

// The value of a parameter: every part has a root of its own.
Alias ConsumptionPart::ownRoots(TypeId type, const Uniqueness& stars, const std::string& name,
                                Span span) {
  if (!sharing_.mayShare(type)) return {};
  if (!hasParts(program_, type)) {
    return leaf(Roots(newRoot(name, span, stars.all ? RootKind::kValue : RootKind::kBorrowed)));
  }
  std::vector<Alias> parts;
  for (const Part& part : partsOf(program_, type)) {
    parts.push_back(ownRoots(part.type, starsOf(stars, part), name, span));
  }
  return composite(std::move(parts));
}

void ConsumptionPart::bindName(BinderId binder, Alias alias) {
  if (!alias) return;  // never shared: not worth a place
  state_.variables[binder] = {std::move(alias), depth_};
}

void ConsumptionPart::bind(PatternId pattern, const Alias& alias) {
  TypeId type = program_.pattern_type.at(pattern);
  if (!sharing_.mayShare(type)) return;
  auto bindFields = [&](const std::vector<std::pair<std::string, PatternId>>& fields,
                        const std::string& constructor) {
    std::vector<Part> parts = partsOf(program_, type);
    for (const auto& [name, field] : fields) {
      auto found = std::find_if(parts.begin(), parts.end(), [&, &name = name](const Part& part) {
        return part.name == name && part.constructor == constructor;
      });
      if (found == parts.end()) continue;
      bind(field, partOf(alias, static_cast<size_t>(found - parts.begin())));
    }
  };
  auto bindElements = [&](const std::vector<PatternId>& elements, const std::string& constructor) {
    std::vector<std::pair<std::string, PatternId>> fields;
    for (PatternId element : elements) fields.emplace_back(std::to_string(fields.size()), element);
    bindFields(fields, constructor);
  };
  base::match(
      program_.tree.patterns[pattern].node,
      [&](const PatternName& name) {
        bindName(program_.binder_of.at(pattern),
                 complete(type, alias, name.name.name, name.name.span));
      },
      [](const PatternWildcard&) {}, [](const PatternLiteral&) {},
      [&](const PatternTyped& typed) { bind(typed.pattern, alias); },
      [&](const PatternAttributed& attributed) { bind(attributed.pattern, alias); },
      [&](const PatternTuple& tuple) { bindElements(tuple.elements, ""); },
      [&](const PatternConstructor& node) { bindElements(node.payload, node.name.name); },
      [&](const PatternRecord& record) {
        std::vector<std::pair<std::string, PatternId>> fields;
        for (const auto& [name, field] : record.fields) fields.emplace_back(name.name, field);
        bindFields(fields, "");
      });
}

// ---- uses

// `x`, `x.a.0`: of a variable only the field is used.
std::optional<ExprId> ConsumptionPart::variableOf(ExprId expr) const {
  for (;;) {
    const ExprNode& n = node(expr);
    if (auto* inner = std::get_if<Parenthesised>(&n)) {
      expr = inner->value;
    } else if (auto* project = std::get_if<Project>(&n)) {
      expr = project->record;
    } else {
      return std::holds_alternative<Variable>(n) ? std::optional(expr) : std::nullopt;
    }
  }
}

Alias ConsumptionPart::lookUp(ExprId variable) {
  const auto& used = program_.use_of.at(variable);
  if (!used) return {};
  if (auto* local = std::get_if<LocalTarget>(&used->target)) {
    auto found = state_.variables.find(local->binder);
    return found == state_.variables.end() ? Alias() : found->second.value;
  }
  auto* target = std::get_if<DefTarget>(&used->target);
  if (!target) return {};
  const Def& def = program_.defs[target->def];
  TypeId type = typeOf(variable);
  const bool is_function = def.built_in || !def.parameters.empty();
  const bool is_made_anew =  // at every use
      !def.size_parameters.empty() || !def.type_parameters.empty();
  if (is_function || is_made_anew || !sharing_.mayShare(type)) return {};
  auto [place, is_new] = state_.global_roots.try_emplace(target->def);
  if (is_new) place->second = newRoot(def.name, def.span, RootKind::kGlobal);
  return dataOf(def.type, Roots(place->second), def);
}

namespace {

bool mentionsTypeParameter(const Program& program, TypeId type) {
  if (auto* param = std::get_if<ParamType>(&program.types[type])) {
    return !program.type_params[param->parameter].is_abstract;
  }
  auto* array = std::get_if<ArrayType>(&program.types[type]);
  return array && mentionsTypeParameter(program, array->element);
}

}  // namespace

// Of a definition only data are shared. Functions have captured no arrays, and a value with a type
// parameter in its type is made anew for each use. A value behind an abstract type must not be
// consumed, but may be returned: callers do not know whether there is an array in it.
Alias ConsumptionPart::dataOf(TypeId type, const Roots& roots, const Def& def) {
  if (functionType(type) || mentionsTypeParameter(program_, type)) return {};
  if (std::holds_alternative<ParamType>(program_.types[type])) {
    return leaf(Roots(newRoot(def.name, def.span, RootKind::kHidden)));
  }
  if (!hasParts(program_, type)) return sharing_.mayShare(type) ? leaf(roots) : Alias();
  std::vector<Alias> parts;
  for (const Part& part : partsOf(program_, type)) parts.push_back(dataOf(part.type, roots, def));
  return composite(std::move(parts));
}

// Functions and loops around remember the outer values they use.
void ConsumptionPart::note(ExprId expr, BinderId binder, const Alias& value) {
  auto found = state_.variables.find(binder);
  if (!value || found == state_.variables.end()) return;
  for (size_t i = regions_.size(); i-- > 0 && regions_[i].depth > found->second.depth;) {
    if (regions_[i].known.insert(value.get()).second) regions_[i].used.emplace_back(value, expr);
  }
}

Alias ConsumptionPart::useVariable(ExprId expr) {
  Alias value = lookUp(expr);
  if (!value) return {};
  const auto& used = program_.use_of.at(expr);
  if (auto* local = std::get_if<LocalTarget>(&used->target)) note(expr, local->binder, value);
  use(value, expr);
  return value;
}

void ConsumptionPart::use(const Alias& alias, ExprId expr) {
  if (alias && !state_.consumed.empty()) useRoots(rootsOf(alias), expr);
}

void ConsumptionPart::useRoots(const Roots& roots, ExprId expr, size_t since) {
  if (consumed_order_.size() <= since) return;
  for (int root : roots) {
    auto found = state_.consumed.find(root);
    if (found == state_.consumed.end() || found->second.order < since) continue;
    reportUse(root, found->second, expr);
    return;
  }
}

// ---- consumption

void ConsumptionPart::consume(const Roots& roots, Span span, const std::string& name) {
  for (int root : roots) {
    bool is_own = roots_[static_cast<size_t>(root)].kind == RootKind::kValue && !isOutside(root);
    if (!is_own) {
      reportConsume(root, span);
      return;
    }
  }
  for (int root : roots) {
    if (!state_.consumed.try_emplace(root, Consumed{span, name, consumed_order_.size()}).second)
      continue;
    consumed_order_.push_back(root);
  }
}

// Consumption by a branch or a function since the mark; afterwards it counts as undone.
ConsumedRoots ConsumptionPart::takeSince(size_t mark) {
  ConsumedRoots taken;
  for (size_t i = mark; i < consumed_order_.size(); ++i) {
    auto found = state_.consumed.find(consumed_order_[i]);
    taken.emplace_back(*found);
    state_.consumed.erase(found);
  }
  consumed_order_.resize(mark);
  return taken;
}

void ConsumptionPart::putBack(const ConsumedRoots& consumed) {
  for (auto [root, what] : consumed) {
    what.order = consumed_order_.size();
    if (state_.consumed.try_emplace(root, what).second) consumed_order_.push_back(root);
  }
}

}  // namespace halo::types
