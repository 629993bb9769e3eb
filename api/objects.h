// The objects behind the handles of halo.h; private to this folder. Read halo.h first.
#pragma once

#include <atomic>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/float_environment.h"
#include "api/halo.h"
#include "api/handles.h"
#include "cli/session/session.h"

namespace halo::api {

// The common state of a context's programs and values, which they keep alive.
struct Context {
  session::SessionOptions options;
  session::Backend backend = session::Backend::kAuto;
  int forks = 0;     // before it was made: a child of a fork has its own
  std::mutex mutex;  // around everything but values and the cancel flag
  base::CancelFlag cancel;
  engine::CallTimes times;  // of the last call
  std::atomic<uint64_t> copied_bytes = 0;
};
using ContextRef = std::shared_ptr<Context>;

struct Entry {
  types::DefId def;
  std::string name, type, doc;
  std::vector<std::string> input_names;
  std::vector<halo_type> inputs, outputs;
  engine::Prepared* prepared = nullptr;  // belongs to the session
};

}  // namespace halo::api

// ---- the handles: C names them without a namespace

struct halo_context : halo::api::Handle<halo::api::HandleKind::kContext> {
  halo::api::ContextRef state;
};

struct halo_type {
  struct Leaf {
    halo::prim::ScalarType scalar;
    int rank = 0;
  };
  halo_kind kind = HALO_SCALAR;
  int rank = 0;
  halo_scalar_type scalar = HALO_I64;
  std::string text;
  std::vector<std::string> names;
  std::vector<halo_type> fields;
  // Of a sum: how its leaves make it, their types, the types of each constructor's payload.
  std::shared_ptr<const halo::value::SumForm> sum;
  std::vector<Leaf> leaves;
  std::vector<std::vector<halo_type>> payloads;
};

struct halo_program : halo::api::Handle<halo::api::HandleKind::kProgram> {
  halo::api::ContextRef context;
  halo::session::Session session;
  std::optional<halo::session::Loaded> loaded;
  std::vector<halo::api::Entry> entries;
};

struct halo_value : halo::api::Handle<halo::api::HandleKind::kValue> {
  std::atomic<int> references = 1;
  halo::api::ContextRef context;
  halo::value::Value value;
  std::mutex mutex;                        // around facts that are found on request:
  std::optional<halo::value::Value> host;  // .. the same, dense and on the host
  std::unique_ptr<halo_type> type;
  std::vector<halo::value::Value> payload;  // of a single sum
  std::string constructor;
};

struct halo_error : halo::api::Handle<halo::api::HandleKind::kError> {
  struct Row {
    std::string code, message, file;
    halo_diagnostic place;
  };
  std::string text, json;
  std::vector<Row> rows;
};

namespace halo::api {

// The status that a diagnostic stands for; `error`, if given, becomes an error of the caller's.
halo_status fail(halo_error** error, const diag::Diagnostic& diagnostic,
                 const source::Files& files = {});
halo_status fail(halo_error** error, const diag::Sink& sink, const source::Files& files);
// A mistake in the call of a function of this library.
halo_status misuse(halo_error** error, std::string message);
// Forks between this process and the one that loaded the library. To ask the system for the process
// in each call would take a fifth of a small one.
int forks();
// HALO_OK, or why a context is of no use to the caller.
halo_status usable(const ContextRef& context, halo_error** error);

halo_type typeOf(const types::Program& program, types::TypeId type);
halo_type typeOf(const value::Value& value);
halo_value* newValue(const ContextRef& context, value::Value value);

// A pointer that the caller has to give, by its name in halo.h.
struct Needed {
  Needed(const char* name, const void* pointer) : name(name), pointer(pointer) {}
  template <HandleKind kind>
  Needed(const char* name, const Handle<kind>* handle)
      : name(name), pointer(handle), is_in_use(isInUse(handle)) {}

  const char* name;
  const void* pointer;
  bool is_in_use = true;  // of a handle
};
// HALO_OK, or which of them is NULL, or no handle in use.
halo_status needed(std::initializer_list<Needed> pointers, halo_error** error);
halo_status neededAll(const char* name, halo_value* const* values, size_t count,
                      halo_error** error);

// Runs `body` so that no exception leaves the library, in the default floating-point state.
halo_status failBy(halo_error** error, const std::exception& exception);
template <typename Body>
halo_status guarded(halo_error** error, const Body& body) {
  if (error != nullptr) *error = nullptr;
  const DefaultFloatEnvironment environment;
  try {
    return body();
  } catch (const std::exception& exception) {
    return failBy(error, exception);
  }
}

template <typename Body>
halo_status guarded(halo_error** error, std::initializer_list<Needed> pointers, const Body& body) {
  return guarded(error, [&] {
    const halo_status status = needed(pointers, error);
    return status == HALO_OK ? body() : status;
  });
}

// The result of `make`; NULL where memory does not suffice. For calls without a status.
template <typename Make>
auto orNothing(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The options of a context, with the engine's defaults for those that are zero.
halo_status readOptions(const halo_options* given, Context* context, halo_error** error);

}  // namespace halo::api
