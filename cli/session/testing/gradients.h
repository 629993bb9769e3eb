// Gradient checks of any entry `f`: with `y' = jvp f x u` and `x' = vjp f x w` for
// random directions `u` and weights `w`,
//
//   <y', w> = <u, x'>                                      on each engine
//   <y', w> = <f (x + h u) - f (x - h u), w> / 2h          where all floats are f64
//   all engines have the same `f x`, `y'` and `x'`
//
// Parameters without floats are held constant. The second line does not count where one-sided
// differences show that `f` has a kink or a jump at `x`. Nor does it where a moved call fails or
// takes too long.
#pragma once

#include <chrono>
#include <optional>

#include "cli/session/directions.h"
#include "cli/session/outcome.h"

namespace halo::session {

class GradientCheck {
 public:
  // Nothing for entries without float parameters, or whose results have sizes of their own.
  static std::optional<GradientCheck> of(Session& session, const Loaded& loaded,
                                         types::DefId entry);

  // Disagreements at these arguments, one text each; a failure on all engines alike is, unless it
  // is expected.
  std::vector<std::string> problems(const std::vector<value::Value>& arguments,
                                    const std::vector<Backend>& backends, uint64_t seed,
                                    bool may_fail);

 private:
  using Values = std::vector<value::Value>;
  GradientCheck(Session& session, Loaded loaded, std::vector<bool> varied)
      : session_(session), loaded_(std::move(loaded)), varied_(std::move(varied)) {}

  value::Value point(const Values& arguments) const;
  Values at(const Values& arguments, const value::Value& x) const;
  Outcome call(Backend backend, const char* entry, Values arguments) const;
  Outcome callWithin(std::chrono::seconds limit, Backend backend, Values arguments) const;
  void compare(const Outcome& first, const Outcome& other, const char* mode);
  void checkAdjoint(Backend backend, const value::Value& u, const value::Value& w,
                    const Outcome& forward, const Outcome& reverse);
  void checkDifferences(Backend backend, const Values& arguments, const value::Value& u,
                        const value::Value& w, const Outcome& forward);
  void problem(const std::string& text) { problems_.push_back(text); }

  Session& session_;
  Loaded loaded_;             // the program with the entries that are called
  std::vector<bool> varied_;  // by parameter
  std::vector<std::string> problems_;
};

}  // namespace halo::session
