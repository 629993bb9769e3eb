#include "lang/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace halo::base {
namespace {
thread_local const char* current_stage = "start";
}  // namespace

StageScope::StageScope(const char* stage) : previous_(current_stage) { current_stage = stage; }
StageScope::~StageScope() { current_stage = previous_; }

void checkFailed(const char* file, int line, const char* condition, const char* message) {
  std::fprintf(stderr,
               "halo: internal error in stage %s: %s (%s, at %s:%d)\n"
               "this is a bug in halo; please report it with the program that caused it\n",
               current_stage, message, condition, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace halo::base
