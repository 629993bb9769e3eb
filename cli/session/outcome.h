// The results of one call on several engines, and whether they are the same: the comparison under
// `halo test` and `halo fuzz`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "lang/value/format.h"

namespace halo::session {

struct Outcome {
  Backend backend;
  std::vector<value::Value> results;
  std::optional<diag::Diagnostic> failure;
};

// A call that is cancelled fails with `interrupted`, in the words of a test.
Outcome outcomeOn(Session& session, Backend backend, const Loaded& loaded, types::DefId entry,
                  const std::vector<value::Value>& arguments);

// A limit of the engine is not the program's error.
bool isLimit(const diag::Diagnostic& diagnostic);

// Results as test data has them: successive leaves.
std::vector<value::Value> flatten(const std::vector<value::Value>& results);
// The first difference; `loose`: by leaf, whether the tolerance counts (none given: for all).
std::optional<std::string> differ(const std::vector<value::Value>& want,
                                  const std::vector<value::Value>& got,
                                  const value::Tolerance& tolerance,
                                  const std::vector<bool>& loose);

// The difference between two forms of one function: other bits, or failures of different codes.
// Places differ, because the forms stand at different places.
std::optional<std::string> formsDiffer(const Outcome& want, const Outcome& got);

// `interp, cpu and gpu agree to the bit`.
enum class Agreement { kToTheBit, kUpToOrder, kInFailure };
std::string agreementText(const std::vector<Backend>& backends, Agreement agreement);

struct Disagreement {
  std::string engines;  // `interp and cpu disagree [H6006]`
  std::string text;
  size_t other = 0;       // the outcome that differs
  bool is_loose = false;  // only floats differ that may be rounded differently
};
// Every engine that differs from the first: other values, or another failure in any word.
std::vector<Disagreement> disagreements(Session& session, const Loaded& loaded, types::DefId entry,
                                        const std::vector<Outcome>& outcomes,
                                        const value::Tolerance& tolerance);

}  // namespace halo::session
