// Internal errors: a broken invariant of ours aborts with the place and the stage, never with a
// user's message. User errors are diagnostics (lang/diag), the environment's are Results.
#pragma once

namespace halo::base {

// The stage and pass that run now, named in the report of a failed check. Restored on scope exit.
class StageScope {
 public:
  explicit StageScope(const char* stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  const char* previous_;
};

[[noreturn]] void checkFailed(const char* file, int line, const char* condition,
                              const char* message);

}  // namespace halo::base

#define HALO_CHECK(condition, message) \
  ((condition) ? void() : ::halo::base::checkFailed(__FILE__, __LINE__, #condition, message))
#define HALO_UNREACHABLE(message) \
  ::halo::base::checkFailed(__FILE__, __LINE__, "unreachable", message)
