// Generated arguments of an entry: by type, where one name is one size, or made by an entry `g size
// seed` that `#[prop(gen(g))]` names. And smaller arguments of which something is still true.
// Properties and `halo fuzz PROGRAM` use them.
#pragma once

#include <functional>

#include "cli/session/testing/shrink.h"
#include "cli/session/values/random_values.h"
#include "cli/session/values/script.h"

namespace halo::session {

using Arguments = std::vector<value::Value>;

struct ArgumentStyle {
  int64_t largest = 12;   // size; of every dimension at most
  bool edges = false;     // sizes and numbers where engines change their ways, and small numbers
  std::string generator;  // an entry; empty: the attribute's
  int tries = kShrinkTries;
};

class RandomArguments {
 public:
  RandomArguments(Session& session, const ScriptPlace& place, types::DefId entry, uint64_t seed,
                  ArgumentStyle style = {});

  // `fraction`: of the largest size, from just above 0 to 1.
  diag::Result<Arguments> make(double fraction);
  bool areGenerated() const { return !generator_.empty(); }

  // Greedily; the arguments as they are where their generator relates them to each other.
  Arguments shrunk(Arguments arguments, const std::function<bool(const Arguments&)>& refutes);

 private:
  diag::Result<Arguments> byType(int64_t largest);
  diag::Result<Arguments> generated(double fraction);
  diag::Result<Arguments> regrouped(const Arguments& leaves) const;
  int64_t size(int64_t largest);
  std::vector<SizedLeaf> sized(const Arguments& arguments) const;
  Arguments shrunkByProgram(Arguments arguments,
                            const std::function<bool(const Arguments&)>& refutes);
  std::optional<Arguments> shrunkOneWay(types::DefId shrinker, const Arguments& arguments, int way);
  diag::Result<Arguments> call(types::DefId entry, const Arguments& arguments);
  types::TypeId parameterType(types::DefId entry, size_t i) const;

  Session& session_;
  const ScriptPlace& place_;
  std::shared_ptr<const types::Program> program_;
  types::DefId entry_;
  ArgumentStyle style_;
  std::string generator_, shrinker_;
  int64_t generator_size_ = 100;  // the largest request to the generator
  RandomBits random_;
};

// As test data has them, with a blank in front of each.
std::string textOf(const Arguments& arguments);

}  // namespace halo::session
