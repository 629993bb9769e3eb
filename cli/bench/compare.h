// Two results compared, as `futhark benchcmp` shows them.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/results.h"

namespace halo::bench {

struct CompareOptions {
  double tolerance = 0.05;  // how much slower a data set may be
  bool color = false;
};
struct Comparison {
  std::string text;
  int slower = 0;  // data sets: more than tolerated, and not by chance
};

// `prog.fut`, then a line for each data set of both: `  #1 ("3i64"):  1.25x [1.21, 1.29]`, how many
// times as fast the new one is.
//
// A data set counts as slower under two conditions. Its mean, its median and its least time all are
// by more than the tolerance. The 95 % interval of the ratio of means excludes 1. One busy
// moment of the machine moves the mean but not the others.
Comparison compare(const std::vector<Program>& before, const std::vector<Program>& now,
                   const CompareOptions& options);

}  // namespace halo::bench
