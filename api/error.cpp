// Diagnostics become errors of the caller's: their texts are made once, when they happen.
#include <pthread.h>

#include <new>

#include "api/objects.h"
#include "cli/session/status.h"
#include "lang/diag/json.h"
#include "lang/diag/order.h"

namespace halo::api {
namespace {

halo_error::Row rowOf(const diag::Diagnostic& diagnostic, const source::Files& files) {
  halo_error::Row row;
  row.code = diag::codeLabel(diagnostic.code);
  row.message = diagnostic.message;
  row.place = {};
  row.place.is_warning = diagnostic.severity == diag::Severity::kWarning;
  if (const auto range = diag::rangeOf(diagnostic.span, files)) {
    row.file = files[diagnostic.span.file].name;
    row.place.line = range->line;
    row.place.column = range->column;
    row.place.end_line = range->end_line;
    row.place.end_column = range->end_column;
  }
  return row;
}

halo_status failWith(halo_error** error, std::string message, halo_status status) {
  if (error != nullptr) {
    *error = new halo_error{{}, "error: " + message + "\n", "", {}};
    (*error)->json = "{\"severity\": \"error\", \"message\": " + diag::jsonString(message) +
                     ", \"labels\": [], \"notes\": []}\n";
    (*error)->rows.push_back({"", std::move(message), "", {}});
  }
  return status;
}

}  // namespace

halo_status fail(halo_error** error, const diag::Diagnostic& diagnostic,
                 const source::Files& files) {
  if (error != nullptr) {
    *error = new halo_error{{},
                            diag::render(diagnostic, files),
                            diag::toJson(diagnostic, files) + "\n",
                            {rowOf(diagnostic, files)}};
  }
  return static_cast<halo_status>(session::exitStatus(diagnostic));
}

halo_status fail(halo_error** error, const diag::Sink& sink, const source::Files& files) {
  if (error != nullptr) {
    *error = new halo_error{{}, diag::render(sink, files), diag::toJsonLines(sink, files), {}};
    for (const diag::Diagnostic* diagnostic : diag::inOrder(sink)) {
      (*error)->rows.push_back(rowOf(*diagnostic, files));
    }
  }
  return static_cast<halo_status>(session::exitStatus(sink));
}

halo_status misuse(halo_error** error, std::string message) {
  return fail(error, diag::fail(diag::Code::wrong_argument_type, {}, std::move(message)).value());
}

halo_status needed(std::initializer_list<Needed> pointers, halo_error** error) {
  for (const Needed& needed : pointers) {
    if (needed.pointer == nullptr) {
      return misuse(error, "`" + std::string(needed.name) + "` is NULL");
    }
    if (!needed.is_in_use) {
      return misuse(error, "`" + std::string(needed.name) +
                               "` is no handle in use: it was freed, or is one of another kind");
    }
  }
  return HALO_OK;
}

halo_status neededAll(const char* name, halo_value* const* values, size_t count,
                      halo_error** error) {
  for (size_t i = 0; i < count; ++i) {
    const std::string element = name + ("[" + std::to_string(i) + "]");
    halo_status status = needed({{name, values}}, error);
    if (status == HALO_OK) status = needed({{element.c_str(), values[i]}}, error);
    if (status != HALO_OK) return status;
  }
  return HALO_OK;
}

int forks() {
  static std::atomic<int> count = 0;
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { count.fetch_add(1); });
  return count.load();
}

halo_status usable(const ContextRef& context, halo_error** error) {
  if (context->forks == forks()) return HALO_OK;
  return misuse(error, "this context belongs to the process that has forked: make one of its own");
}

halo_status failBy(halo_error** error, const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) == nullptr) {
    return failWith(error, std::string("a fault of Halo: ") + exception.what(), HALO_INTERNAL);
  }
  return fail(error, diag::fail(diag::Code::out_of_memory, {},
                                "out of memory, which the compiler itself needs")
                         .value());
}

}  // namespace halo::api

using halo_row = halo_error::Row;

extern "C" {

const char* halo_error_text(const halo_error* error) {
  return isInUse(error) ? error->text.c_str() : nullptr;
}
const char* halo_error_json(const halo_error* error) {
  return isInUse(error) ? error->json.c_str() : nullptr;
}
size_t halo_error_count(const halo_error* error) { return isInUse(error) ? error->rows.size() : 0; }

bool halo_error_at(const halo_error* error, size_t i, halo_diagnostic* out) {
  if (!isInUse(error) || out == nullptr) return false;
  if (i >= error->rows.size() || out->size < sizeof *out) return false;
  const halo_row& row = error->rows[i];
  const size_t size = out->size;
  *out = row.place;
  out->size = size;
  out->code = row.code.c_str();
  out->message = row.message.c_str();
  out->file = row.file.empty() ? nullptr : row.file.c_str();
  return true;
}

void halo_error_free(halo_error* error) {
  if (isInUse(error)) delete error;
}

}  // extern "C"
