// Running a checked constant on one engine or on all, with the values that earlier inputs have
// made.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/session/session.h"

namespace halo::repl {

inline double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

struct Times {
  double check_ms = 0;
  double compile_ms = 0;
  double run_ms = 0;
  engine::CallTimes engine;
  session::Backend backend = session::Backend::kInterp;
};

struct Evaluation {
  value::Value value;
  Times times;
};

// Ready to be called again and again.
struct Ready {
  std::unique_ptr<engine::Prepared> prepared;
  std::vector<value::Value> arguments;
  session::Backend backend = session::Backend::kInterp;
  double compile_ms = 0;
};

class Evaluator {
 public:
  explicit Evaluator(session::Session& session) : session_(session) {}

  diag::Result<Ready> prepare(const types::EnvironmentRef& environment, types::DefId def,
                              session::Backend backend);
  diag::Result<Evaluation> evaluate(const types::EnvironmentRef& environment, types::DefId def,
                                    session::Backend backend);

  // On every engine. The value is the first one's; `agreement` says that they agree, or where the
  // first difference is. A failure that all share is the failure.
  diag::Result<Evaluation> compare(const types::EnvironmentRef& environment, types::DefId def,
                                   const std::vector<session::Backend>& backends,
                                   std::string* agreement);

  std::map<types::DefId, value::Value> values;  // of given definitions

 private:
  session::Session& session_;
};

// The value of a definition from a call's results: one value per component of a tuple.
value::Value wholeValue(const types::Program& program, types::TypeId type,
                        std::vector<value::Value> results);

}  // namespace halo::repl
