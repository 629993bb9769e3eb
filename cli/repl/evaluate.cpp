// Preparing and calling; comparing the engines' answers.
#include "cli/repl/evaluate.h"

#include <algorithm>
#include <chrono>

#include "cli/session/outcome.h"
#include "cli/session/testing/float_order.h"
#include "lang/types/sizes/given.h"
#include "lang/value/format.h"

namespace halo::repl {

using session::Agreement;
using session::Backend;
using value::Value;
using Clock = std::chrono::steady_clock;

namespace {

// The answer of one engine.
struct Answer {
  Backend backend;
  diag::Result<Evaluation> result;
};

std::string failureText(const diag::Diagnostic& diagnostic) {
  return diagnostic.message + " [" + diag::codeLabel(diagnostic.code) + "]";
}

bool sameFailure(const diag::Diagnostic& a, const diag::Diagnostic& b) {
  return a.code == b.code && a.message == b.message && a.span == b.span;
}

// Where two leaves first differ. Where the order of float additions is the engine's, a difference
// within Futhark's tolerance is none.
std::optional<std::string> differenceOf(const Value& want, const Value& got,
                                        const std::vector<bool>& loose) {
  const std::vector<Value> a = value::flatten(want), b = value::flatten(got);
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    value::Tolerance tolerance;
    if (i < loose.size() && loose[i]) tolerance.kind = value::Tolerance::Kind::kFuthark;
    auto difference = value::firstDifference(a[i], b[i], tolerance);
    if (difference) return (a.size() > 1 ? "component " + std::to_string(i) : "it") + *difference;
  }
  return std::nullopt;
}

// The difference between the first engine and another one; nothing if they agree.
std::optional<std::string> disagreement(const Answer& first, const Answer& other,
                                        const std::vector<bool>& loose) {
  const std::string names =
      std::string(session::name(first.backend)) + " and " + session::name(other.backend);
  if (first.result && other.result) {
    auto difference = differenceOf(first.result->value, other.result->value, loose);
    if (!difference) return std::nullopt;
    return names + " differ: " + *difference;
  }
  if (!first.result && !other.result) {
    if (sameFailure(first.result.error(), other.result.error())) return std::nullopt;
    return names + " differ: " + failureText(first.result.error()) + "; " +
           failureText(other.result.error());
  }
  const Answer& failing = first.result ? other : first;
  return names + " differ: only " + session::name(failing.backend) + " fails, " +
         failureText(failing.result.error());
}

}  // namespace

Value wholeValue(const types::Program& program, types::TypeId type, std::vector<Value> results) {
  const auto* record = std::get_if<types::RecordType>(&program.types[type]);
  bool is_tuple = record != nullptr && record->names.size() != 1;
  for (size_t i = 0; is_tuple && i < record->names.size(); ++i) {
    is_tuple = record->names[i] == std::to_string(i);
  }
  return is_tuple || results.size() != 1 ? value::makeTuple(std::move(results))
                                         : std::move(results[0]);
}

diag::Result<Ready> Evaluator::prepare(const types::EnvironmentRef& environment, types::DefId def,
                                       Backend backend) {
  const types::Program& program = types::program(*environment);
  Ready ready;
  ready.backend = session_.resolve(backend, program, def);
  const auto start = Clock::now();
  auto engine = session_.engine(ready.backend);
  if (!engine) return diag::Failure(engine.error());
  auto prepared = (*engine)->prepare({environment, &program}, def, session_.options().engine);
  if (!prepared) return diag::Failure(prepared.error());
  ready.prepared = std::move(*prepared);
  ready.compile_ms = millisecondsSince(start);
  for (types::DefId given : types::givenFor(program, def)) {
    ready.arguments.push_back(values.at(given));
  }
  return ready;
}

diag::Result<Evaluation> Evaluator::evaluate(const types::EnvironmentRef& environment,
                                             types::DefId def, Backend backend) {
  auto ready = prepare(environment, def, backend);
  if (!ready) return diag::Failure(ready.error());
  const auto start = Clock::now();
  auto results = ready->prepared->call(ready->arguments, {.cancel = session_.options().cancel});
  if (!results) return diag::Failure(results.error());
  Evaluation evaluation;
  evaluation.times.run_ms = millisecondsSince(start);
  evaluation.times.compile_ms = ready->compile_ms;
  evaluation.times.engine = ready->prepared->lastTimes();
  evaluation.times.backend = ready->backend;
  const types::Program& program = types::program(*environment);
  evaluation.value = wholeValue(program, program.defs[def].type, std::move(*results));
  return evaluation;
}

diag::Result<Evaluation> Evaluator::compare(const types::EnvironmentRef& environment,
                                            types::DefId def, const std::vector<Backend>& backends,
                                            std::string* agreement) {
  std::vector<Answer> answers;
  for (Backend backend : backends) {
    answers.push_back({backend, evaluate(environment, def, backend)});
    const auto& result = answers.back().result;
    if (!result && result.error().code == diag::Code::interrupted) return result;
  }
  std::vector<bool> loose;
  if (session_.options().engine.float_mode != engine::FloatMode::kStrict) {
    loose = session::looseResults(types::program(*environment), def);
  }
  for (size_t i = 1; i < answers.size() && agreement->empty(); ++i) {
    if (auto text = disagreement(answers[0], answers[i], loose)) *agreement = *text;
  }
  if (agreement->empty()) {
    const bool is_loose = std::find(loose.begin(), loose.end(), true) != loose.end();
    std::vector<Backend> resolved;
    for (const Answer& answer : answers) resolved.push_back(answer.backend);
    *agreement = session::agreementText(resolved, !answers[0].result ? Agreement::kInFailure
                                                  : is_loose         ? Agreement::kUpToOrder
                                                                     : Agreement::kToTheBit);
  }
  return std::move(answers[0].result);
}

}  // namespace halo::repl
