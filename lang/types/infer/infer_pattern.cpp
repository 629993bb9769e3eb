// Patterns: the type their annotations give, then the names they bind.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/infer/infer_loop.h"
#include "lang/types/report.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

TypeRef ExprInferrer::patternType(PatternId pattern, Anonymous mode) {
  const PatternNode node = program_.tree.patterns[pattern].node;
  return base::match(
      node,
      [&](const PatternName&) {
        return declarations_.annotationOf(pattern, mode)
            .value_or(inference_.unknown(span(pattern)));
      },
      [&](const PatternWildcard&) {
        return declarations_.annotationOf(pattern, mode)
            .value_or(inference_.unknown(span(pattern)));
      },
      [&](const PatternTyped& typed) {
        TypeRef type = elaborator_.elaborate(typed.type, mode);
        const auto shapes = std::exchange(context_.shapes, {});  // it has an annotation
        comparison_.require(span(typed.pattern), patternType(typed.pattern, mode), type,
                            "this pattern");
        context_.shapes = shapes;
        return type;
      },
      [&](const PatternTuple& tuple) {
        std::vector<TypeRef> fields;
        for (PatternId element : tuple.elements) fields.push_back(patternType(element, mode));
        return inference_.tuple(std::move(fields));
      },
      [&](const PatternRecord& record) {
        std::vector<std::pair<std::string, TypeRef>> fields;
        for (const auto& [name, field] : record.fields) {
          if (name.name[0] == '_') {
            sink_.error(Code::wrong_pattern, name.span,
                        fmt::format("the field `{}` begins with `_`: to leave a field out, write "
                                    "`{} = _`",
                                    name.name, name.name.substr(1)));
          }
          fields.emplace_back(name.name, patternType(field, mode));
        }
        return inference_.recordOf(std::move(fields));
      },
      [&](const PatternConstructor& constructor) {
        return constructorPatternType(pattern, constructor, mode);
      },
      [&](const PatternLiteral& literal) { return literalPatternType(literal); },
      [&](const PatternAttributed& attributed) { return patternType(attributed.pattern, mode); });
}

void ExprInferrer::bind(PatternId pattern, TypeRef type, Anonymous mode) {
  context_.pattern_types[pattern] = type;
  pending_.pattern_types.emplace_back(pattern, type);
  const PatternNode node = program_.tree.patterns[pattern].node;
  base::match(
      node,
      [&](const PatternName& name) {
        BinderId binder = names_.newBinder(name.name.name, name.name.span, type);
        program_.binder_of[pattern] = binder;
        locals_.add({name.name.name, binder, type, {}});
      },
      [](const PatternWildcard&) {},
      [&](const PatternTyped& typed) { bind(typed.pattern, type, mode); },
      [&](const PatternTuple& tuple) { bindTuple(pattern, tuple, type, mode); },
      [&](const PatternRecord& record) { bindRecord(pattern, record, type, mode); },
      [&](const PatternConstructor& constructor) { bindConstructor(constructor, type, mode); },
      [](const PatternLiteral&) {},
      [&](const PatternAttributed& attributed) { bind(attributed.pattern, type, mode); });
}

void ExprInferrer::bindTuple(PatternId pattern, const PatternTuple& tuple, TypeRef type,
                             Anonymous mode) {
  std::vector<TypeRef> fields(tuple.elements.size());
  if (auto* record = inference_.as<InferRecord>(type);
      record && record->fields.size() == fields.size()) {
    fields = record->fields;
  } else {
    for (TypeRef& field : fields) field = poison();
    if (!inference_.as<Poison>(type)) {
      sink_.error(Code::wrong_pattern, span(pattern),
                  fmt::format("the pattern has {} parts, the value has type `{}`", fields.size(),
                              inference_.print(type)));
    }
  }
  for (size_t i = 0; i < fields.size(); ++i) bind(tuple.elements[i], fields[i], mode);
}

void ExprInferrer::bindRecord(PatternId, const PatternRecord& record, TypeRef type,
                              Anonymous mode) {
  for (const auto& [name, field] : record.fields) {
    const InferRecord* fields = inference_.as<InferRecord>(type);
    TypeRef field_type;
    for (size_t i = 0; fields && i < fields->names.size(); ++i) {
      if (fields->names[i] == name.name) field_type = fields->fields[i];
    }
    bind(field, field_type ? field_type : poison(), mode);
  }
}

void ExprInferrer::declareSizeNames(ExprId expr, const std::vector<Identifier>& sizes) {
  std::vector<BinderId>& binders = program_.size_names[expr];
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i >= binders.size()) binders.push_back(names_.newSizeBinder(sizes[i].name, sizes[i].span));
    locals_.add({sizes[i].name, binders[i], i64(), {}});
  }
}

// `let [n] (xs: [n]i32) = e`: n stands for the size of e there.
bool ExprInferrer::requireValue(PatternId pattern, Span span, TypeRef value, TypeRef pattern_type,
                                const std::vector<BinderId>& size_names) {
  const PatternNode& node = program_.tree.patterns[pattern].node;
  inference_.current_span = span;
  Inference::SizePairs sizes;
  MaybeMismatch mismatch;
  if (size_names.empty()) {
    mismatch = inference_.unify(value, pattern_type);
  } else if (inference_.unknowns(value).empty()) {
    mismatch = inference_.unifyShapes(value, pattern_type, sizes);
  } else {  // of `[]` the elements have the sizes that the names stand for, not the names
    mismatch = inference_.unify(value, loops_.withUnknownSizes(pattern_type, sizes));
  }
  for (const auto& [found, needed] : sizes) {
    auto atom = asAtom(inference_.resolve(needed));
    bool is_name =
        atom && atom->isBinder() &&
        std::find(size_names.begin(), size_names.end(), BinderId(atom->index)) != size_names.end();
    const Size known = inference_.resolve(found);
    const auto known_atom = asAtom(known);
    const auto defined = is_name ? inference_.definitionOf(BinderId(atom->index)) : std::nullopt;
    const bool is_open = known_atom && known_atom->is_unknown;
    if (defined && is_open) {
      inference_.unifySizes(found, *defined);
    } else if (is_name && !defined) {
      inference_.defineNamed(BinderId(atom->index), known);
      if (is_open) pending_.untold.push_back(known);
    } else if (!inference_.unifySizes(found, needed) && !mismatch) {
      mismatch = Mismatch{Mismatch::Kind::kSize, {}, {}, found, needed, {}};
    }
  }
  if (!mismatch) return true;
  bool is_plain =
      std::holds_alternative<PatternTuple>(node) || std::holds_alternative<PatternRecord>(node);
  if (is_plain && mismatch->kind == Mismatch::Kind::kType) {
    auto& diagnostic =
        sink_.error(Code::wrong_pattern, this->span(pattern),
                    fmt::format("the pattern has type `{}`, the value has type `{}`",
                                inference_.print(pattern_type), inference_.print(value)));
    const auto* names = std::get_if<PatternTuple>(&node);
    const auto* values = inference_.as<InferRecord>(value);
    if (names && values && names->elements.size() != values->fields.size()) {
      diagnostic.notes.push_back(fmt::format("help: the pattern has {} parts, the value {}",
                                             names->elements.size(), values->fields.size()));
    }
  } else {
    comparison_.report(span, value, pattern_type, *mismatch, "the value");
  }
  return false;
}

std::optional<BinderId> ExprInferrer::simpleName(PatternId pattern) const {
  const PatternNode* node = &program_.tree.patterns[pattern].node;
  while (auto* typed = std::get_if<PatternTyped>(node)) {
    pattern = typed->pattern;
    node = &program_.tree.patterns[pattern].node;
  }
  if (!std::holds_alternative<PatternName>(*node)) return std::nullopt;
  BinderId binder = program_.binder_of.at(pattern);
  return binder ? std::optional(binder) : std::nullopt;
}

}  // namespace halo::types
