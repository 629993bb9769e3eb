// A session as `halo repl` has one, text in and text out.
#include "api/objects.h"
#include "cli/picture/file.h"
#include "cli/repl/editing.h"
#include "cli/repl/repl.h"
#include "lang/base/progress.h"
#include "lang/base/stack.h"

struct halo_session : halo::api::Handle<halo::api::HandleKind::kSession> {
  halo::api::Context context;
  std::unique_ptr<halo::repl::Repl> repl;
  std::function<void(bool, std::string_view)> write;  // of the call in flight
};

using namespace halo::api;

extern "C" {

halo_status halo_session_new(const halo_options* options, halo_session** out, halo_error** error) {
  return guarded(error, {{"out", out}}, [&] {
    auto session = std::make_unique<halo_session>();
    const halo_status status = readOptions(options, &session->context, error);
    if (status != HALO_OK) return status;
    session->context.options.cancel = &session->context.cancel;
    halo_session* self = session.get();
    halo::repl::Io io{
        .out = [self](std::string_view text) { self->write(false, text); },
        .err = [self](std::string_view text) { self->write(true, text); },
        .pictures = {},
    };
    session->repl = std::make_unique<halo::repl::Repl>(session->context.options, std::move(io));
    session->repl->settings.backends = {session->context.backend};
    *out = session.release();
    return HALO_OK;
  });
}

void halo_session_free(halo_session* session) {
  if (isInUse(session)) delete session;
}

halo_status halo_session_enter(halo_session* session, const char* text, size_t bytes,
                               void (*write)(void* user, bool is_error, const char*, size_t),
                               void* user) {
  const std::initializer_list<Needed> needs = {
      {"session", session}, {"text", text}, {"write", reinterpret_cast<const void*>(write)}};
  return guarded(nullptr, needs, [&] {
    const halo_status status = usable(ContextRef(ContextRef(), &session->context), nullptr);
    if (status != HALO_OK) return status;
    const std::lock_guard lock(session->context.mutex);
    session->write = [=](bool is_error, std::string_view part) {
      write(user, is_error, part.data(), part.size());
    };
    session->context.cancel.clear();
    halo::base::progress().set(0, 0);
    const int failures = session->repl->failures();
    halo::base::onLargeStack([&] { session->repl->enter(std::string(text, bytes)); });
    return session->repl->failures() == failures ? HALO_OK : HALO_RUNTIME;
  });
}

bool halo_session_incomplete(halo_session* session, const char* text, size_t bytes) {
  bool more = false;
  const halo_status status = guarded(nullptr, {{"session", session}, {"text", text}}, [&] {
    const std::lock_guard lock(session->context.mutex);
    halo::base::onLargeStack([&] { more = session->repl->needsMore(std::string(text, bytes)); });
    return HALO_OK;
  });
  return status == HALO_OK && more;
}

// No look at the table of handles, whose locks a signal handler may interrupt.
void halo_session_cancel(halo_session* session) {
  if (session != nullptr) session->context.cancel.set();
}

void halo_session_show(halo_session* session,
                       void (*show)(void* user, const char* mime, const char* bytes, size_t),
                       void* user) {
  constexpr int kFrameMilliseconds = 40;
  guarded(nullptr, {{"session", session}, {"show", reinterpret_cast<const void*>(show)}}, [&] {
    const std::lock_guard lock(session->context.mutex);
    session->repl->showPicturesBy([=](const std::vector<halo::picture::Pixels>& frames) {
      const std::string bytes = frames.size() == 1
                                    ? halo::value::toPng(frames[0])
                                    : halo::picture::toAnimatedPng(frames, kFrameMilliseconds);
      show(user, "image/png", bytes.data(), bytes.size());
    });
    return HALO_OK;
  });
}

void halo_session_show_plots(halo_session* session,
                             void (*show)(void* user, const char* mime, const char* bytes, size_t),
                             void* user) {
  guarded(nullptr, {{"session", session}, {"show", reinterpret_cast<const void*>(show)}}, [&] {
    const std::lock_guard lock(session->context.mutex);
    session->repl->showDrawingsBy(
        [=](const std::string& svg) { show(user, "image/svg+xml", svg.data(), svg.size()); });
    return HALO_OK;
  });
}

double halo_progress(void) {
  const halo::base::Progress& progress = halo::base::progress();
  const auto done = progress.done.load(std::memory_order_relaxed);
  const auto total = progress.total.load(std::memory_order_relaxed);
  if (total <= 0 || done < 0 || done > total) return -1;
  return static_cast<double>(done) / static_cast<double>(total);
}

size_t halo_session_complete(halo_session* session, const char* text, size_t bytes, size_t cursor,
                             void (*add)(void* user, const char* candidate), void* user) {
  size_t start = cursor;
  const auto* const called = reinterpret_cast<const void*>(add);
  guarded(nullptr, {{"session", session}, {"text", text}, {"add", called}}, [&] {
    const std::lock_guard lock(session->context.mutex);
    halo::base::onLargeStack([&] {
      const halo::repl::Completion found =
          halo::repl::complete(*session->repl, std::string(text, bytes), std::min(cursor, bytes));
      start = found.start;
      for (const std::string& candidate : found.candidates) add(user, candidate.c_str());
    });
    return HALO_OK;
  });
  return start;
}

}  // extern "C"
