// Failures are compared as they are rendered: code, text and place.
#include "cli/session/outcome.h"

#include "cli/session/testing/float_order.h"
#include "lang/types/infer/derivatives.h"

namespace halo::session {
namespace {

using diag::Diagnostic;
using value::Value;

std::string failureText(Session& session, const Outcome& outcome) {
  return outcome.failure ? diag::render(*outcome.failure, session.files()) : "no failure\n";
}

// One flag per leaf, never an empty list: that would make every result reassociable. Under
// --fp=strict, only reverse mode on the interpreter adds in an order of its own.
std::vector<bool> looseOrNone(Session& session, const Loaded& loaded, types::DefId entry,
                              Backend first) {
  const bool is_strict = session.options().engine.float_mode == engine::FloatMode::kStrict;
  std::vector<bool> loose;
  if (!is_strict ||
      (first == Backend::kInterp && types::hasReverseMode(*loaded.program(), entry))) {
    loose = looseResults(*loaded.program(), entry);
  }
  return loose.empty() ? std::vector<bool>(1, false) : loose;
}

std::vector<Value> withoutThose(const std::vector<Value>& values, const std::vector<bool>& loose) {
  std::vector<Value> rest;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i >= loose.size() || !loose[i]) rest.push_back(values[i]);
  }
  return rest;
}

}  // namespace

Outcome outcomeOn(Session& session, Backend backend, const Loaded& loaded, types::DefId entry,
                  const std::vector<Value>& arguments) {
  Outcome outcome{session.resolve(backend, *loaded.program(), entry), {}, {}};
  auto prepared = session.prepare(outcome.backend, loaded, entry);
  if (!prepared) {
    outcome.failure = prepared.error();
    return outcome;
  }
  auto results = (*prepared)->call(arguments, {session.options().cancel});
  if (!results && results.error().code == diag::Code::interrupted) {
    outcome.failure = Diagnostic{diag::Code::interrupted,
                                 diag::Severity::kError,
                                 "no end within the time that a case may take",
                                 {},
                                 {},
                                 {}};
  } else if (!results) {
    outcome.failure = results.error();
  } else {
    outcome.results = std::move(*results);
  }
  return outcome;
}

bool isLimit(const Diagnostic& diagnostic) {
  const int number = static_cast<int>(diagnostic.code);
  return number >= 6000 && number < 7000;
}

std::vector<Value> flatten(const std::vector<Value>& results) {
  std::vector<Value> leaves;
  for (const Value& result : results) {
    for (Value& leaf : value::flatten(result)) leaves.push_back(std::move(leaf));
  }
  return leaves;
}

std::optional<std::string> differ(const std::vector<Value>& want, const std::vector<Value>& got,
                                  const value::Tolerance& tolerance,
                                  const std::vector<bool>& loose) {
  if (want.size() != got.size()) {
    return std::to_string(want.size()) + " results expected, got " + std::to_string(got.size());
  }
  for (size_t i = 0; i < want.size(); ++i) {
    bool is_loose = loose.empty() || (i < loose.size() && loose[i]);
    auto difference =
        value::firstDifference(want[i], got[i], is_loose ? tolerance : value::Tolerance{});
    if (difference) return "result " + std::to_string(i) + ": " + *difference;
  }
  return std::nullopt;
}

std::optional<std::string> formsDiffer(const Outcome& want, const Outcome& got) {
  const auto isFull = [](const Outcome& outcome) {  // identities keep more arrays
    return outcome.failure && outcome.failure->code == diag::Code::out_of_memory;
  };
  if (isFull(want) || isFull(got)) return std::nullopt;
  if (!want.failure && !got.failure) {
    return differ(flatten(want.results), flatten(got.results), {}, std::vector<bool>(1, false));
  }
  const auto codeOf = [](const Outcome& outcome) {
    if (!outcome.failure) return std::string("no failure");
    return "H" + std::to_string(static_cast<int>(outcome.failure->code));
  };
  if (codeOf(want) == codeOf(got)) return std::nullopt;
  return codeOf(want) + " and " + codeOf(got);
}

std::string agreementText(const std::vector<Backend>& backends, Agreement agreement) {
  std::string text;
  for (size_t i = 0; i < backends.size(); ++i) {
    if (i > 0) text += i + 1 == backends.size() ? " and " : ", ";
    text += name(backends[i]);
  }
  text += " agree";
  if (agreement == Agreement::kToTheBit) text += " to the bit";
  if (agreement == Agreement::kUpToOrder) text += ", up to the order of float additions";
  return text;
}

std::vector<Disagreement> disagreements(Session& session, const Loaded& loaded, types::DefId entry,
                                        const std::vector<Outcome>& outcomes,
                                        const value::Tolerance& tolerance) {
  if (outcomes.size() < 2) return {};
  const Outcome& first = outcomes.front();
  // Limits of an engine: the first may keep an array that others do not, and recursive calls take
  // another part of its stack.
  const auto meets = [&](diag::Code limit) {
    return first.failure && first.failure->code == limit;
  };
  if (meets(diag::Code::out_of_memory) || meets(diag::Code::stack_exhausted)) return {};
  std::vector<Disagreement> found;
  for (size_t i = 1; i < outcomes.size(); ++i) {
    std::string engines = std::string(name(first.backend)) + " and " + name(outcomes[i].backend) +
                          " disagree [H6006]";
    if (first.failure.has_value() || outcomes[i].failure.has_value()) {
      const std::string want = failureText(session, first);
      const std::string got = failureText(session, outcomes[i]);
      if (want != got) found.push_back({std::move(engines), "\n" + want + got, i, false});
      continue;
    }
    const std::vector<Value> want = flatten(first.results), got = flatten(outcomes[i].results);
    auto difference = differ(want, got, {}, {});
    // Which results are reassociable takes a lowering, so it is asked only where bits differ.
    if (!difference) continue;
    const std::vector<bool> loose = looseOrNone(session, loaded, entry, first.backend);
    difference = differ(want, got, tolerance, loose);
    if (!difference) continue;
    const bool is_loose = !differ(withoutThose(want, loose), withoutThose(got, loose), {}, {});
    found.push_back({std::move(engines), *difference, i, is_loose});
  }
  return found;
}

}  // namespace halo::session
