// Fields of records and tuples. Where the record's type is not known yet (`\x -> x.0` before its
// data), the question waits until it is.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/checker.h"

namespace halo::types {

using diag::Code;

TypeRef Checker::project(TypeRef record, const Identifier& field) {
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
  sink_.error(Code::unknown_field, field.span, std::move(message));
  return poison();
}

TypeRef Checker::projectPath(TypeRef record, const std::vector<Identifier>& path) {
  for (const Identifier& field : path) record = project(record, field);
  return record;
}

void Checker::retryFields(bool report) {
  bool progress = true;
  while (progress) {
    progress = false;
    for (const PendingField& waiting : std::exchange(pending_.fields, {})) {
      if (inference_.isUnknown(waiting.record)) {
        pending_.fields.push_back(waiting);
        continue;
      }
      progress = true;
      TypeRef type = project(waiting.record, waiting.field);
      require(waiting.field.span, type, waiting.type,
              fmt::format("field `{}`", waiting.field.name));
    }
  }
  if (!report) return;
  for (const PendingField& waiting : std::exchange(pending_.fields, {})) {
    sink_.error(Code::ambiguous_type, waiting.field.span,
                fmt::format("the type of the value with field `{}` is not known here, annotate it",
                            waiting.field.name));
    inference_.unify(waiting.record, poison());
    inference_.unify(waiting.type, poison());
  }
}

TypeRef Checker::inferProjectSection(const syntax::ProjectSection& section, TypeRef hint,
                                     Span span) {
  auto* expected = hint ? inference_.as<InferFunction>(hint) : nullptr;
  TypeRef parameter = expected ? expected->parameter : inference_.unknown(span);
  TypeRef result = projectPath(parameter, section.path);
  return inference_.function({parameter, false, {}, result, {}});
}

// `r with a.b = e`: the type stays, so the path must exist and hold a value of that type.
TypeRef Checker::inferRecordUpdate(const syntax::RecordUpdate& update) {
  TypeRef record = infer(update.record);
  TypeRef field = projectPath(record, update.path);
  check(update.value, field, fmt::format("the new value of `{}`", update.path.back().name));
  return record;
}

}  // namespace halo::types
