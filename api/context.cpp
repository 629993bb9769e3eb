// Contexts: options, cancellation, measurements. A handle holds the state that programs and values
// share, so that the order in which they are freed does not matter.
#include <algorithm>
#include <cstring>

#include "api/objects.h"
#include "lang/base/version.h"

namespace halo::api {
namespace {

// The options that the caller knows; zero for the rest.
halo_options known(const halo_options* given) {
  halo_options options{};
  if (given != nullptr) std::memcpy(&options, given, std::min(given->size, sizeof options));
  return options;
}

}  // namespace

halo_status readOptions(const halo_options* given, Context* context, halo_error** error) {
  const halo_options options = known(given);
  engine::Options& engine = context->options.engine;
  if (options.backend != nullptr) {
    auto backend = session::backendFromName(options.backend);
    if (!backend) return fail(error, backend.error());
    context->backend = *backend;
  }
  if (options.device != nullptr) context->options.device = options.device;
  const std::string mode = options.fp == nullptr ? "default" : options.fp;
  if (mode == "strict") engine.float_mode = engine::FloatMode::kStrict;
  if (mode == "fast") engine.float_mode = engine::FloatMode::kFast;
  if (mode != "default" && mode != "strict" && mode != "fast") {
    return misuse(error, "unknown float mode `" + mode + "`: it is default, strict or fast");
  }
  if (options.threads < 0 || options.threads > 1024) {
    return misuse(error, "threads are 1 to 1024, not " + std::to_string(options.threads));
  }
  engine.threads = std::max(options.threads, 1);
  engine.unsafe = options.is_unsafe;
  if (options.host_budget > 0) value::setHostBudget(options.host_budget);
  if (options.log != nullptr) {
    engine.verbose = true;
    engine.log = [log = options.log, user = options.log_user](const std::string& line) {
      log(user, line.c_str());
    };
  }
  context->forks = forks();
  return HALO_OK;
}

}  // namespace halo::api

using namespace halo::api;

extern "C" {

uint32_t halo_abi(void) { return HALO_ABI; }
const char* halo_version(void) { return halo::base::version(); }

halo_status halo_context_new(const halo_options* options, halo_context** out, halo_error** error) {
  return guarded(error, {{"out", out}}, [&] {
    auto context = std::make_shared<Context>();
    const halo_status status = readOptions(options, context.get(), error);
    if (status == HALO_OK) *out = new halo_context{{}, std::move(context)};
    return status;
  });
}

void halo_context_free(halo_context* context) {
  if (isInUse(context)) delete context;
}

// No look at the table of handles, whose locks a signal handler may interrupt.
void halo_cancel(halo_context* context) {
  if (context != nullptr) context->state->cancel.set();
}

void halo_stats(halo_context* context, halo_statistics* out) {
  if (!isInUse(context) || out == nullptr || out->size < sizeof *out) return;
  const std::lock_guard lock(context->state->mutex);
  const halo::engine::CallTimes& times = context->state->times;
  *out = {out->size,    times.compile_ms, times.transfer_ms,
          times.run_ms, times.device_ms,  context->state->copied_bytes};
}

}  // extern "C"
