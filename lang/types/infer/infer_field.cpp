// Fields of records and tuples. Where the record's type is not known yet (`\x -> x.0` before its
// data), the question waits until it is.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/report.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

// Of an array, a part that other languages have.
void helpForArray(diag::Diagnostic& diagnostic, const std::string& field) {
  if (field == "T") {
    diagnostic.notes.emplace_back("help: `transpose xs` exchanges the two outer dimensions");
  } else if (field == "shape" || field == "size" || field == "len") {
    diagnostic.notes.emplace_back(
        "help: `length xs` is the outer size, `(xs: [n][m]t)` names both");
  } else if (std::isdigit(static_cast<unsigned char>(field[0])) != 0) {
    diagnostic.notes.push_back(fmt::format(
        "help: an element is `xs[{0}]`, another one in its place `xs with [{0}] = v`", field));
  }
}

}  // namespace

// `base`: the name of the record, if it has one.
TypeRef ExprInferrer::project(TypeRef record, const Identifier& field, const QualifiedName* base) {
  if (inference_.isUnknown(record)) {
    TypeRef type = inference_.unknown(field.span);
    pending_.fields.push_back({record, field, type});
    return type;
  }
  if (inference_.as<Poison>(record)) return poison();
  auto* fields = inference_.as<InferRecord>(record);
  for (size_t i = 0; fields && i < fields->names.size(); ++i) {
    if (fields->names[i] == field.name) return fields->fields[i];
  }
  std::string message =
      fmt::format("no field `{}` in a value of type `{}`", field.name, inference_.print(record));
  if (fields) {
    if (auto near = diag::didYouMean(field.name, fields->names)) {
      message += fmt::format(", did you mean `{}`?", *near);
    }
  }
  auto& diagnostic = sink_.error(Code::unknown_field, field.span, std::move(message));
  const bool is_tuple = fields && fields->names.size() > 1 && fields->names[0] == "0";
  if (is_tuple && field.name == std::to_string(fields->names.size())) {
    diagnostic.notes.emplace_back("help: the parts of a tuple are numbered from 0");
  }
  if (inference_.as<InferArray>(record)) helpForArray(diagnostic, field.name);
  const auto def = fields ? std::nullopt : names_.findDef({{}, field.name, field.span});
  if (base && names_.hidesModule(*base)) {
    diagnostic.notes.push_back(
        fmt::format("help: `{0}` is a value here, which hides the module `{0}`: use the module "
                    "where that value is not in scope, or name the value differently",
                    base->name));
  } else if (def) {
    diagnostic.notes.push_back(
        fmt::format("help: a function stands in front of its argument: `{} x`", field.name));
  }
  return poison();
}

TypeRef ExprInferrer::inferProject(const Project& node) {
  const Project projection = node;  // inference adds nodes
  const TypeRef record = infer(projection.record);
  const auto* base = std::get_if<Variable>(&program_.tree.exprs[projection.record].node);
  return project(record, projection.field, base ? &base->name : nullptr);
}

TypeRef ExprInferrer::projectPath(TypeRef record, const std::vector<Identifier>& path) {
  for (const Identifier& field : path) record = project(record, field);
  return record;
}

// Those asked from the `first` on whose records are known by now.
void ExprInferrer::settleFields(size_t first) {
  bool progress = true;
  while (progress) {
    progress = false;
    const auto begin = pending_.fields.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<PendingField> asked(begin, pending_.fields.end());
    pending_.fields.erase(begin, pending_.fields.end());
    for (const PendingField& waiting : asked) {
      if (inference_.isUnknown(waiting.record)) {
        pending_.fields.push_back(waiting);
        continue;
      }
      progress = true;
      TypeRef type = project(waiting.record, waiting.field);
      comparison_.require(waiting.field.span, type, waiting.type,
                          fmt::format("field `{}`", waiting.field.name));
    }
  }
}

void ExprInferrer::retryFields(bool report) {
  settleFields(0);
  if (!report) return;
  for (const PendingField& waiting : std::exchange(pending_.fields, {})) {
    if (!context_.hasFollowingErrors()) {
      sink_.error(Code::ambiguous_type, waiting.field.span,
                  fmt::format("the type of the value with field `{}` is not known here, annotate "
                              "it",
                              waiting.field.name));
    }
    inference_.unify(waiting.record, poison());
    inference_.unify(waiting.type, poison());
  }
}

TypeRef ExprInferrer::inferProjectSection(const syntax::ProjectSection& section, TypeRef hint,
                                          Span span) {
  auto* expected = hint ? inference_.as<InferFunction>(hint) : nullptr;
  TypeRef parameter = expected ? expected->parameter : inference_.unknown(span);
  TypeRef result = projectPath(parameter, section.path);
  return inference_.function({parameter, false, {}, result, {}});
}

// The type of the record with another type for a field; nothing if the record is not known so far.
std::optional<TypeRef> ExprInferrer::withField(TypeRef type, const std::vector<Identifier>& path,
                                               size_t step, TypeRef value) {
  if (step == path.size()) return value;
  const InferRecord* fields = inference_.as<InferRecord>(type);
  if (!fields) return std::nullopt;
  InferRecord record = *fields;
  for (size_t i = 0; i < record.names.size(); ++i) {
    if (record.names[i] != path[step].name) continue;
    auto field = withField(record.fields[i], path, step + 1, value);
    if (!field) return std::nullopt;
    record.fields[i] = *field;
  }
  return inference_.record(std::move(record));
}

// `r with a.b = e`: the path must exist and hold a value of that type, but for its sizes.
TypeRef ExprInferrer::inferRecordUpdate(const syntax::RecordUpdate& update) {
  TypeRef record = infer(update.record);
  TypeRef field = projectPath(record, update.path);
  const std::string what = fmt::format("the new value of `{}`", update.path.back().name);
  if (inference_.as<InferFunction>(field) || !withField(record, update.path, 0, field)) {
    check(update.value, field, what);
    return record;
  }
  TypeRef value = infer(update.value, field);
  Inference::SizePairs sizes;
  if (auto mismatch = inference_.unifyShapes(value, field, sizes)) {
    comparison_.report(span(update.value), value, field, *mismatch, what);
    return poison();
  }
  bool is_same = true;
  for (const auto& [found, needed] : sizes) {
    bool is_open = hasUnknown(inference_.resolve(found)) || hasUnknown(inference_.resolve(needed));
    is_same = (is_open ? inference_.unifySizes(found, needed) : inference_.isSame(found, needed)) &&
              is_same;
  }
  return is_same ? record : *withField(record, update.path, 0, value);
}

}  // namespace halo::types
