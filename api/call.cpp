// Calls. Compiling happens on a large stack; the call itself on the caller's, since another thread
// would take longer than a small call. A call that runs out of the caller's stack is done again on
// a large one: calls change nothing, so that has no effect.
#include "api/objects.h"
#include "cli/session/values/arguments.h"
#include "lang/base/stack.h"

namespace halo::api {
namespace {

using Values = std::vector<value::Value>;

// HALO_OK, or that there is no place for results.
halo_status placeFor(size_t count, const char* name, const void* place, halo_error** error) {
  return count == 0 ? HALO_OK : needed({{name, place}}, error);
}

// Whether the entry exists and gets as many values as it has inputs.
halo_status suited(const halo_program& program, size_t entry, size_t inputs, halo_error** error) {
  if (halo_status status = usable(program.context, error); status != HALO_OK) return status;
  if (entry >= program.entries.size()) {
    return misuse(error, "the program has " + std::to_string(program.entries.size()) +
                             " entries, none with the number " + std::to_string(entry));
  }
  const Entry& found = program.entries[entry];
  if (inputs == found.inputs.size()) return HALO_OK;
  return misuse(error, "`" + found.name + "` takes " + std::to_string(found.inputs.size()) +
                           " values, " + std::to_string(inputs) + " were given");
}

halo_status prepared(halo_program& program, size_t number, halo_error** error) {
  Entry& entry = program.entries[number];
  if (entry.prepared != nullptr) return HALO_OK;
  halo_status status = HALO_OK;
  base::onLargeStack([&] {
    session::Session& session = program.session;
    const session::Backend backend =
        session.resolve(program.context->backend, *program.loaded->program(), entry.def);
    auto made = session.prepare(backend, *program.loaded, entry.def);
    if (made) {
      entry.prepared = *made;
    } else {
      status = fail(error, made.error(), session.files());
    }
  });
  return status;
}

halo_status argumentsOf(halo_program& program, const Entry& entry, halo_value* const* in,
                        Values* arguments, halo_error** error) {
  const halo_status status = neededAll("in", in, entry.inputs.size(), error);
  if (status != HALO_OK) return status;
  for (size_t i = 0; i < entry.inputs.size(); ++i) arguments->push_back(in[i]->value);
  auto checked = engine::checkArguments(*program.loaded->program(), entry.def, *arguments);
  return checked ? HALO_OK : fail(error, checked.error(), program.session.files());
}

diag::Result<Values> run(Context& context, engine::Prepared& prepared, const Values& arguments) {
  auto results = prepared.call(arguments, {.cancel = &context.cancel});
  if (!results && results.error().code == diag::Code::stack_exhausted) {
    base::onLargeStack([&] { results = prepared.call(arguments, {.cancel = &context.cancel}); });
  }
  return results;
}

halo_status call(halo_program& program, size_t number, halo_value* const* in, halo_value** out,
                 size_t outputs, halo_error** error) {
  Context& context = *program.context;
  const std::lock_guard lock(context.mutex);
  context.cancel.clear();  // first: what cancels the call may come while it is compiled
  if (halo_status status = prepared(program, number, error); status != HALO_OK) return status;
  const Entry& entry = program.entries[number];
  Values arguments;
  arguments.reserve(entry.inputs.size());
  if (halo_status status = argumentsOf(program, entry, in, &arguments, error); status != HALO_OK) {
    return status;
  }
  auto results = run(context, *entry.prepared, arguments);
  context.times = entry.prepared->lastTimes();
  if (!results) return fail(error, results.error(), program.session.files());
  for (size_t i = 0; i < outputs; ++i) {
    out[i] = newValue(program.context, std::move((*results)[i]));
  }
  return HALO_OK;
}

}  // namespace
}  // namespace halo::api

using namespace halo::api;

extern "C" {

halo_status halo_prepare(halo_program* program, size_t entry, halo_error** error) {
  return guarded(error, {{"program", program}}, [&] {
    const size_t inputs = entry < program->entries.size() ? halo_inputs(program, entry) : 0;
    const halo_status status = suited(*program, entry, inputs, error);
    if (status != HALO_OK) return status;
    const std::lock_guard lock(program->context->mutex);
    return prepared(*program, entry, error);
  });
}

halo_status halo_call(halo_program* program, size_t entry, halo_value* const* in, size_t inputs,
                      halo_value** out, size_t outputs, halo_error** error) {
  return guarded(error, {{"program", program}}, [&] {
    const halo_status status = suited(*program, entry, inputs, error);
    if (status != HALO_OK) return status;
    const size_t wanted = program->entries[entry].outputs.size();
    if (outputs == wanted) {
      const halo_status place = placeFor(outputs, "out", out, error);
      return place == HALO_OK ? call(*program, entry, in, out, outputs, error) : place;
    }
    return misuse(error, "`" + program->entries[entry].name + "` gives " + std::to_string(wanted) +
                             " values, there is room for " + std::to_string(outputs));
  });
}

halo_status halo_place(halo_program* program, size_t entry, halo_value* const* in, size_t inputs,
                       halo_value** out, halo_error** error) {
  return guarded(error, {{"program", program}}, [&] {
    halo_status status = suited(*program, entry, inputs, error);
    if (status == HALO_OK) status = placeFor(inputs, "out", out, error);
    if (status != HALO_OK) return status;
    const std::lock_guard lock(program->context->mutex);
    status = prepared(*program, entry, error);
    if (status != HALO_OK) return status;
    const Entry& found = program->entries[entry];
    std::vector<halo::value::Value> arguments;
    status = argumentsOf(*program, found, in, &arguments, error);
    if (status != HALO_OK) return status;
    auto placed = found.prepared->placed(arguments);
    if (!placed) return fail(error, placed.error(), program->session.files());
    for (size_t i = 0; i < inputs; ++i) {
      out[i] = newValue(program->context, std::move((*placed)[i]));
    }
    return HALO_OK;
  });
}

halo_status halo_read_inputs(halo_program* program, size_t entry, const char* text, size_t bytes,
                             halo_value** in, size_t inputs, halo_error** error) {
  return guarded(error, {{"program", program}, {"text", text}}, [&] {
    halo_status status = suited(*program, entry, inputs, error);
    if (status == HALO_OK) status = placeFor(inputs, "in", in, error);
    if (status != HALO_OK) return status;
    const std::lock_guard lock(program->context->mutex);
    auto values = halo::session::argumentsFromText(
        program->session, *program->loaded->program(), program->entries[entry].def, "arguments",
        std::string(text, bytes), halo::session::Strictness::kLenient);
    if (!values) return fail(error, values.error(), program->session.files());
    for (size_t i = 0; i < inputs; ++i) in[i] = newValue(program->context, std::move((*values)[i]));
    return HALO_OK;
  });
}

}  // extern "C"
