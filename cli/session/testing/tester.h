// Running test programs: every case on every engine, compared with the program's expectation and
// with the other engines (design.md#tests).
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "cli/session/testing/property.h"

namespace halo::session {

// Of `halo fuzz PROGRAM`: the first has the seed of the test options, the next the seed behind it.
struct Trials {
  int count = 0;  // of each entry; 0: a test runs its cases instead
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  int64_t largest = 1025;       // size of a dimension
  std::string generator;        // an entry `g size seed`; empty: the one of `#[prop(gen(g))]`
  bool arguments_only = false;  // call nothing: tell the arguments
};

struct TestOptions {
  std::vector<Backend> backends;
  std::string only_entry;  // empty: all
  uint64_t seed = 0;       // of random inputs and properties
  // Whether failures must be worded as an `error:` line says. If not, any failure of the right kind
  // counts, because the lines of Futhark's own programs follow Futhark's wording. Lines that name
  // one of our codes (`H3001`) count always.
  bool wording = false;
  bool everything = false;           // the interpreter runs cases tagged `compiled`, too
  bool checks_only = false;          // no case runs
  bool compiles_only = false;        // .. but entries are prepared on each engine
  bool derivatives = false;          // gradient checks at the arguments of each case
  bool same_entries = false;         // entries of one block are one function in several forms
  bool finite_only = false;          // infinities and NaN among results are no difference
  bool bounds_rounding = false;      // floats may differ by what roundings explain (rounding.h)
  std::vector<std::string> exclude;  // tags of programs and cases that do not count
  PropertyOptions property;
  Trials trials;
  bool tells_schedules = false;
  bool inputs_only = false;  // cases expect nothing: engines are compared with one another
  bool may_fail = false;     // without an expectation, a case may also fail, on all engines alike
  // Called with the name of the next run.
  std::function<void(const std::string&)> starting;
};

// Arguments with which something is wrong.
struct Counterexample {
  std::string entry;
  uint64_t seed = 0;
  std::string text;    // the fault
  std::string input;   // values in Futhark's notation; of a property, nothing
  std::string device;  // of the gpu engine, if it ran
};

struct TestReport {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  std::vector<std::string> failures;            // rendered, one text per failure
  std::vector<std::string> skips;               // the skipped parts with reasons
  std::vector<Counterexample> counterexamples;  // of trials
  std::vector<std::string> schedules;           // the lines of --explain, if options ask for it
  std::string device;                           // of the gpu engine, if something failed
  std::string diagnostics;                      // of the front end, as JSON lines (diag/json.h)
};

// One program; its files on disk are relative to it.
TestReport testProgram(const std::string& path, const SessionOptions& session,
                       const TestOptions& options);

// How programs are spread over processes. A case is interrupted after `timeout`. A process that
// dies, or does not let itself be interrupted, is one failure; the next program gets a new one.
struct PoolOptions {
  int jobs = 1;
  std::chrono::seconds timeout{300};
  const base::CancelFlag* cancel = nullptr;
  // Programs that have not ended then are stopped, and have no report.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};
// Reports in the order of the paths; `show` gets each as soon as those before it are there.
void testPrograms(const std::vector<std::string>& paths, const SessionOptions& session,
                  const TestOptions& options, const PoolOptions& pool,
                  const std::function<void(const std::string& path, const TestReport&)>& show);

}  // namespace halo::session
