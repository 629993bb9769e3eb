#include "cli/session/testing/rounding.h"

#include <cfenv>

#include "cli/session/directions.h"

namespace halo::session {
namespace {

// Threads that start meanwhile inherit the mode.
class Rounding {
 public:
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  int before_;
};

}  // namespace

bool isWithinRounding(Session& session, const Loaded& loaded, types::DefId entry,
                      const std::vector<value::Value>& arguments, const Outcome& first,
                      const Outcome& other) {
  if (first.backend != Backend::kInterp || first.failure || other.failure) return false;
  const auto hosted = value::toHost(flatten(other.results));  // engines leave arrays on devices
  if (!hosted) return false;
  const std::vector<value::Value> want = flatten(first.results), &got = *hosted;
  std::vector<std::vector<value::Value>> moved;
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const Rounding rounding(mode);
    const Outcome outcome = outcomeOn(session, Backend::kInterp, loaded, entry, arguments);
    if (outcome.failure) return false;
    moved.push_back(flatten(outcome.results));
  }
  for (size_t i = 0; i < want.size(); ++i) {
    std::vector<value::Value> leaves;
    for (const std::vector<value::Value>& results : moved) leaves.push_back(results[i]);
    if (!isWithinSpread(want[i], got[i], leaves, largestFinite(want))) return false;
  }
  return true;
}

}  // namespace halo::session
