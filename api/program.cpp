// Loading programs, and the types of their entries. Each program has a session of its own, so that
// all it brought goes with it.
#include "api/objects.h"
#include "cli/session/imports.h"
#include "lang/base/stack.h"

namespace halo::api {
namespace {

std::string nameOf(const types::Program& program, syntax::PatternId id) {
  const syntax::PatternNode& node = program.tree.patterns[id].node;
  if (const auto* name = std::get_if<syntax::PatternName>(&node)) return name->name.name;
  if (const auto* typed = std::get_if<syntax::PatternTyped>(&node)) {
    return nameOf(program, typed->pattern);
  }
  return "";
}

// One output for each component of a tuple, as calls give them.
std::vector<halo_type> outputsOf(const types::Program& program, types::TypeId result) {
  halo_type whole = typeOf(program, result);
  if (whole.kind == HALO_TUPLE &&
      !std::holds_alternative<types::ArrayType>(program.types[result])) {
    return std::move(whole.fields);
  }
  return {std::move(whole)};
}

Entry describe(const types::Program& program, types::DefId def) {
  const types::Def& definition = program.defs[def];
  Entry entry{.def = def,
              .name = definition.name,
              .type = types::print(program, definition.type),
              .doc = definition.doc,
              .input_names = {},
              .inputs = {},
              .outputs = outputsOf(program, definition.result)};
  for (syntax::PatternId parameter : definition.parameters) {
    entry.input_names.push_back(nameOf(program, parameter));
    entry.inputs.push_back(typeOf(program, program.pattern_type.at(parameter)));
  }
  return entry;
}

using Load = std::function<std::optional<session::Loaded>(session::Session&, diag::Sink&)>;

halo_status load(halo_context* context, const Load& read, halo_program** out, halo_error** error) {
  const ContextRef& state = context->state;
  if (halo_status status = usable(state, error); status != HALO_OK) return status;
  const std::lock_guard lock(state->mutex);
  std::unique_ptr<halo_program> program(
      new halo_program{{}, state, session::Session(state->options), {}, {}});
  diag::Sink sink;
  base::onLargeStack([&] {
    program->loaded = read(program->session, sink);
    if (!program->loaded) return;
    const types::Program& checked = *program->loaded->program();
    for (types::DefId def : checked.entries()) program->entries.push_back(describe(checked, def));
  });
  if (!program->loaded) return fail(error, sink, program->session.files());
  *out = program.release();
  return HALO_OK;
}

std::optional<session::Loaded> loadText(session::Session& session, const std::string& name,
                                        std::string text, diag::Sink& sink) {
  const types::EnvironmentRef known = session.prelude();
  const source::FileId file = session.files().add(name, std::move(text));
  types::EnvironmentRef environment = session::extendByProgram(session.files(), known, file, sink);
  if (environment == nullptr) return std::nullopt;
  return session::Loaded{std::move(environment), file};
}

// None where the handle is not in use or there are fewer.
const Entry* entryOf(const halo_program* program, size_t entry) {
  return entry < halo_entries(program) ? &program->entries[entry] : nullptr;
}

template <typename T>
const T* elementOf(const std::vector<T>& list, size_t i) {
  return i < list.size() ? &list[i] : nullptr;
}

}  // namespace
}  // namespace halo::api

using namespace halo::api;
namespace session = halo::session;

extern "C" {

halo_status halo_load_file(halo_context* context, const char* path, halo_program** out,
                           halo_error** error) {
  return guarded(error, {{"context", context}, {"path", path}, {"out", out}}, [&] {
    return load(
        context, [&](session::Session& s, halo::diag::Sink& sink) { return s.load(path, sink); },
        out, error);
  });
}

halo_status halo_load_text(halo_context* context, const char* name, const char* text, size_t bytes,
                           halo_program** out, halo_error** error) {
  return guarded(error, {{"context", context}, {"name", name}, {"text", text}, {"out", out}}, [&] {
    return load(
        context,
        [&](session::Session& s, halo::diag::Sink& sink) {
          return loadText(s, name, std::string(text, bytes), sink);
        },
        out, error);
  });
}

void halo_program_free(halo_program* program) {
  if (!isInUse(program)) return;
  const ContextRef context = program->context;  // lives until the lock is released
  const std::lock_guard lock(context->mutex);
  delete program;
}

size_t halo_entries(const halo_program* program) {
  return isInUse(program) ? program->entries.size() : 0;
}
const char* halo_entry_name(const halo_program* program, size_t entry) {
  const Entry* found = entryOf(program, entry);
  return found != nullptr ? found->name.c_str() : nullptr;
}
const char* halo_entry_type(const halo_program* program, size_t entry) {
  const Entry* found = entryOf(program, entry);
  return found != nullptr ? found->type.c_str() : nullptr;
}
const char* halo_entry_doc(const halo_program* program, size_t entry) {
  const Entry* found = entryOf(program, entry);
  return found != nullptr ? found->doc.c_str() : nullptr;
}
bool halo_find_entry(const halo_program* program, const char* name, size_t* entry) {
  if (name == nullptr || entry == nullptr) return false;
  for (size_t i = 0; i < halo_entries(program); ++i) {
    if (program->entries[i].name != name) continue;
    *entry = i;
    return true;
  }
  return false;
}
size_t halo_inputs(const halo_program* program, size_t entry) {
  const Entry* found = entryOf(program, entry);
  return found != nullptr ? found->inputs.size() : 0;
}
size_t halo_outputs(const halo_program* program, size_t entry) {
  const Entry* found = entryOf(program, entry);
  return found != nullptr ? found->outputs.size() : 0;
}
const char* halo_input_name(const halo_program* program, size_t entry, size_t i) {
  const Entry* found = entryOf(program, entry);
  const std::string* name = found != nullptr ? elementOf(found->input_names, i) : nullptr;
  return name != nullptr ? name->c_str() : nullptr;
}
const halo_type* halo_input_type(const halo_program* program, size_t entry, size_t i) {
  const Entry* found = entryOf(program, entry);
  return found != nullptr ? elementOf(found->inputs, i) : nullptr;
}
const halo_type* halo_output_type(const halo_program* program, size_t entry, size_t i) {
  const Entry* found = entryOf(program, entry);
  return found != nullptr ? elementOf(found->outputs, i) : nullptr;
}

}  // extern "C"
