// Results of data sets, in the shape of `futhark bench --json`:
//
//   {"prog.fut:entry": {"datasets": {"#1 (\"3i64\")": {"runtimes": [12], "bytes": {},
//                                                      "stderr": ""},
//                                    "large": "why it failed"},
//                       "halo": {"version": VERSION, "engine": "gpu: NAME"}}}
//
// Run times are whole microseconds there. Exact ones stand next to them in `nanoseconds`, which
// Futhark's tools pass over like `halo`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lang/diag/diagnostic.h"

namespace halo::bench {

struct DataSet {
  std::string name;
  std::vector<double> microseconds;
  std::map<std::string, uint64_t> bytes;  // by memory, at the most
  std::string failure;                    // empty: there are times
};
struct Program {
  std::string name;  // path, and entry if there are several
  std::string engine;
  std::vector<DataSet> data;
};

std::string toJson(const std::vector<Program>& programs);
// Also of files that Futhark wrote. Failure: unreadable_file.
diag::Result<std::vector<Program>> readResults(const std::string& path);

}  // namespace halo::bench
