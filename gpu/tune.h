// Measures the schedules of a program's kernels, on the device and with the arguments at hand, and
// keeps the fastest (tuned.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/plan/variants.h"
#include "lang/engine/engine.h"

namespace halo::gpu {

// One measurement: how long a call takes with these choices, and which statements there are to
// choose for. Some choices bring others about: steps one by one have a stencil of their own.
struct Trial {
  double microseconds = 0;
  std::map<std::string, std::vector<std::string>> offered;  // names by key
};
using Measure = std::function<diag::Result<Trial>(const Choices&)>;

struct TuneReport {
  double by_rule = 0, direct = 0, best = 0;  // microseconds
  // Every statement that has this schedule, the rest by rule; `direct` and `plain` among them.
  std::map<std::string, double> alike;
  int measured = 0;
  Choices choices;  // a name for each statement; empty: the rules choose
};

// First all statements alike, then from the best of these one statement after another. Differences
// below the noise of measuring change nothing. Never slower than `direct`
// everywhere, which is measured as well.
diag::Result<TuneReport> findFastest(const Measure& measure);

// Runs `entry` on the device and stores the choices for sizes like those of `arguments`. Failure:
// that of a call; engine_unsupported if the program does not run on the device.
diag::Result<TuneReport> tune(std::shared_ptr<const types::Program> program, types::DefId entry,
                              const std::string& device, const engine::Options& options,
                              const std::vector<value::Value>& arguments, int runs);

}  // namespace halo::gpu
