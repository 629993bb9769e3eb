// The files that `halo fuzz` leaves behind, of random programs and of a user's: reproducers that
// stand for themselves, and reports in files.
#pragma once

#include <chrono>

#include "cli/commands.h"
#include "cli/junit.h"
#include "cli/session/testing/tester.h"

namespace halo::cli {

struct FuzzFailure {
  std::string program, entry;  // of a random program its seed, and nothing
  uint64_t seed = 0;
  std::string text;        // the fault
  std::string input;       // values of a user's program
  std::string reproducer;  // a whole program
  std::string device;
};

class FuzzReport {
 public:
  FuzzReport(const Common& common, const FuzzArguments& arguments,
             std::vector<session::Backend> backends);

  // Of the command that repeats a run, those that decide about programs and engines.
  std::string options() const;
  // Comment lines: the command that repeats this, and its device.
  std::string head(uint64_t seed, const std::string& rest, const std::string& device) const;
  // Of a later slice; else the command's seed is the first one.
  void beginAt(uint64_t seed) { first_seed_ = seed; }
  void passed(const std::string& group, const std::string& name, int calls = 1);
  void failed(const std::string& group, const std::string& name, FuzzFailure failure);
  // The requested files; kOk, or the status of a failed write.
  int write(const std::string& coverage_json) const;

 private:
  std::string json(const std::string& coverage_json) const;

  const Common& common_;
  const FuzzArguments& arguments_;
  std::string engines_;
  uint64_t first_seed_;
  int passed_ = 0;
  std::vector<FuzzFailure> failures_;
  std::vector<JunitCase> cases_;
};

// `90s`, `10min`, `2h` from now on; the latest time for an empty text. Failure: wrong usage.
diag::Result<std::chrono::steady_clock::time_point> endOf(const std::string& duration);

session::PoolOptions poolOptions(const FuzzArguments& arguments);
// How many programs, or calls of an entry, are tried unless the time ends first.
int countOf(const FuzzArguments& arguments);

// The kind of failure as one word: a smaller program must fail in the same way.
std::string kindOf(const std::string& failure);
// The interpreter may take long where others are quick: that is no difference.
inline constexpr char kSlowKind[] = "slow";

// Mutations of `arguments.programs`, which are written to a folder.
int fuzzMutations(const Common& common, const FuzzArguments& arguments,
                  const std::vector<session::Backend>& backends, const std::string& folder,
                  std::chrono::steady_clock::time_point end);

// Calls of the entries of `arguments.programs`.
int fuzzPrograms(const Common& common, const FuzzArguments& arguments,
                 const std::vector<session::Backend>& backends);

}  // namespace halo::cli
