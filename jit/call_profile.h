// The cpu engine's part of `--profile`: compilation, parallel loops with their source, the code
// between them.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "jit/runtime/nest_times.h"
#include "lang/engine/profile.h"
#include "lang/imp/from_core.h"

namespace halo::jit {

class CallProfile {
 public:
  using Clock = std::chrono::steady_clock;

  // `profile` may be null: then nothing is measured.
  explicit CallProfile(engine::Profile* profile) : profile_(profile) {}

  NestTimes* times() { return profile_ != nullptr ? &times_ : nullptr; }
  imp::SourceSpans* spans() { return profile_ != nullptr ? &spans_ : nullptr; }
  void keepNames(const imp::Program& program, const std::string& entry);

  void compiled(Clock::time_point begin, Clock::time_point end);
  void called(Clock::time_point begin, Clock::time_point end);

 private:
  void add(const std::string& name, source::Span span, Clock::time_point begin,
           Clock::time_point end, int track = kCaller);

  engine::Profile* profile_;
  NestTimes times_;
  imp::SourceSpans spans_;
  std::vector<std::string> names_;  // of variables
  std::string entry_;
};

}  // namespace halo::jit
