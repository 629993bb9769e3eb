// Running test programs: every case on every engine, compared with what the program expects and
// with the other engines (DESIGN.md 7).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/session/session.h"

namespace halo::session {

struct TestOptions {
  std::vector<Backend> backends;
  std::string only_entry;  // empty: all
};

struct TestReport {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  std::vector<std::string> failures;  // rendered, one text per failure
  std::vector<std::string> skips;     // what was skipped and why
};

// One program; what it needs on disk is relative to it.
TestReport testProgram(const std::string& path, const SessionOptions& session,
                       const TestOptions& options);

// All `.fut` files below the paths, sorted.
std::vector<std::string> findPrograms(const std::vector<std::string>& paths);

}  // namespace halo::session
