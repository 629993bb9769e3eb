// Calls of a program's entries with arguments that no one wrote, on all engines: `halo fuzz
// PROGRAM`.
#pragma once

#include "cli/session/testing/tester.h"

namespace halo::session {

// Trials of every entry, alternating, as `options.trials` says; properties are refuted as `halo
// test` does, with other seeds each time. An entry that has failed is left alone.
TestReport tryProgram(const std::string& path, const SessionOptions& session,
                      const TestOptions& options);

}  // namespace halo::session
