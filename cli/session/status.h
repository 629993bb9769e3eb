// Exit statuses (design.md#values-in-and-out), which are the statuses of the library as well.
#pragma once

#include "lang/diag/diagnostic.h"

namespace halo::session {

inline constexpr int kOk = 0;
inline constexpr int kRunTimeError = 1;
inline constexpr int kRejected = 2;
inline constexpr int kCannotRun = 3;
inline constexpr int kWrongUsage = 64;

int exitStatus(const diag::Diagnostic& diagnostic);
// Of a program that was loaded.
int exitStatus(const diag::Sink& sink);

}  // namespace halo::session
