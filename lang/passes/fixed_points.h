// Which passes have nothing to do, as the pipelines list the same ones again and again.
#pragma once

#include <string>
#include <unordered_map>

#include "lang/passes/pipeline.h"

namespace halo::passes {

// Runs passes, each only where its result is not known. A pass depends on the program alone: what
// it has left as it is, it leaves so until another pass changes it. That holds for single functions
// where the pass looks at one function at a time (PassRow::run_on).
class FixedPoints {
 public:
  core::Program run(const PassRow& row, core::Program program);
  // Whether that would leave the last program of `run` as it is.
  bool leaves(const PassRow& row) const { return program_.isLeftBy(row.run); }

 private:
  using Run = core::Program (*)(const core::Program&);
  struct Version {
    size_t now = 0;                             // counts changes
    std::unordered_map<Run, size_t> left = {};  // by which passes, and when
    bool isLeftBy(Run run) const {
      const auto found = left.find(run);
      return found != left.end() && found->second == now;
    }
  };

  core::Program runWhole(const PassRow& row, core::Program program);
  void runOn(const PassRow& row, core::Program& program);

  Version program_;
  std::unordered_map<std::string, Version> functions_;
};

}  // namespace halo::passes
