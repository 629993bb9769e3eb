// Running test programs: every case on every engine, compared with what the program expects and
// with the other engines (design.md#tests).
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cli/session/session.h"

namespace halo::session {

struct TestOptions {
  std::vector<Backend> backends;
  std::string only_entry;  // empty: all
  uint64_t seed = 0;       // of random inputs and properties
  // Whether failures must be worded as an `error:` line says. If not, any failure of the right kind
  // counts, because the lines of Futhark's own programs follow Futhark's wording; lines that name
  // one of our codes (`H3001`) count always.
  bool wording = false;
  bool everything = false;           // the interpreter runs cases tagged `compiled`, too
  bool checks_only = false;          // no case runs
  std::vector<std::string> exclude;  // tags of programs and cases that do not count
  bool may_fail = false;  // without an expectation, a case may also fail, on all engines alike
  // Called with what is about to run.
  std::function<void(const std::string&)> starting;
};

struct TestReport {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  std::vector<std::string> failures;  // rendered, one text per failure
  std::vector<std::string> skips;     // what was skipped and why
};

// Whether a regular expression matches a part of the text, whose line ends are blanks.
bool matches(const std::string& text, const std::string& regex);

// One program; what it needs on disk is relative to it.
TestReport testProgram(const std::string& path, const SessionOptions& session,
                       const TestOptions& options);

// How programs are spread over processes. A case is interrupted after `timeout`. A process that
// dies, or does not let itself be interrupted, is one failure; the next program gets a new one.
struct PoolOptions {
  int jobs = 1;
  std::chrono::seconds timeout{300};
  const base::CancelFlag* cancel = nullptr;
};
// Reports in the order of the paths; `show` gets each as soon as those before it are there.
void testPrograms(const std::vector<std::string>& paths, const SessionOptions& session,
                  const TestOptions& options, const PoolOptions& pool,
                  const std::function<void(const std::string& path, const TestReport&)>& show);

// All `.fut` files below the paths, sorted.
std::vector<std::string> findPrograms(const std::vector<std::string>& paths);

}  // namespace halo::session
