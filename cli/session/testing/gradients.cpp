#include "cli/session/testing/gradients.h"

#include <algorithm>
#include <cmath>

#include "cli/session/imports.h"
#include "lang/base/deadline.h"

namespace halo::session {

namespace {

using value::Value;

constexpr char kPrimal[] = "gradient_check_primal";
constexpr char kForward[] = "gradient_check_forward";
constexpr char kReverse[] = "gradient_check_reverse";
// A loop that ends at a point may not end at a moved one, which then tells nothing.
constexpr std::chrono::seconds kTimeOfMovedCall{3};

bool hasFloats(const types::Program& program, types::TypeId id) {
  const types::TypeNode& node = program.types[id];
  const auto any = [&](const std::vector<types::TypeId>& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](types::TypeId part) { return hasFloats(program, part); });
  };
  if (const auto* scalar = std::get_if<types::ScalarTypeNode>(&node)) {
    return prim::isFloat(scalar->scalar);
  }
  if (const auto* array = std::get_if<types::ArrayType>(&node)) {
    return hasFloats(program, array->element);
  }
  if (const auto* record = std::get_if<types::RecordType>(&node)) return any(record->fields);
  if (const auto* sum = std::get_if<types::SumType>(&node)) {
    return std::any_of(sum->payloads.begin(), sum->payloads.end(), any);
  }
  return false;
}

// The names of the parameters that vary, as a pattern or a tuple.
std::string varying(const std::vector<bool>& varied) {
  std::string list;
  for (size_t i = 0; i < varied.size(); ++i) {
    if (varied[i]) list += (list.empty() ? "x" : ", x") + std::to_string(i);
  }
  return "(" + list + ")";
}

// Entries that call `f` on its parameters, and on directions or weights behind them.
std::string entriesFor(const std::string& f, const std::vector<bool>& varied) {
  std::string params, call = f;
  for (size_t i = 0; i < varied.size(); ++i) {
    params += " x" + std::to_string(i);
    call += " (copy x" + std::to_string(i) + ")";
  }
  const std::string x = varying(varied);
  const std::string function = "(\\" + x + " -> " + call + ") " + x;
  return std::string("entry ") + kPrimal + params + " = " + call + "\nentry " + kForward + params +
         " d = jvp2 " + function + " d\nentry " + kReverse + params + " d = vjp2 " + function +
         " d\n";
}

Value together(std::vector<Value> values) {
  return values.size() == 1 ? std::move(values.front()) : value::makeTuple(std::move(values));
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

}  // namespace

std::optional<GradientCheck> GradientCheck::of(Session& session, const Loaded& loaded,
                                               types::DefId entry) {
  const types::Program& program = *loaded.program();
  const types::Def& def = program.defs[entry];
  std::vector<bool> varied;
  for (const syntax::PatternId parameter : def.parameters) {
    varied.push_back(hasFloats(program, program.pattern_type.at(parameter)));
  }
  const bool any = std::find(varied.begin(), varied.end(), true) != varied.end();
  if (!any || !hasFloats(program, def.result)) return std::nullopt;
  diag::Sink sink;
  const source::FileId file =
      session.files().add("gradient check of " + def.name, entriesFor(def.name, varied));
  types::EnvironmentRef extended = extendByProgram(session.files(), loaded.environment, file, sink);
  if (extended == nullptr) return std::nullopt;
  return GradientCheck(session, {std::move(extended), loaded.file}, std::move(varied));
}

Value GradientCheck::point(const Values& arguments) const {
  Values parts;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (varied_[i]) parts.push_back(arguments[i]);
  }
  return together(std::move(parts));
}

GradientCheck::Values GradientCheck::at(const Values& arguments, const Value& x) const {
  Values all = arguments;
  const auto count = std::count(varied_.begin(), varied_.end(), true);
  size_t next = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (varied_[i]) all[i] = count == 1 ? x : x.record()->fields[next++];
  }
  return all;
}

Outcome GradientCheck::call(Backend backend, const char* entry, Values arguments) const {
  Outcome outcome =
      outcomeOn(session_, backend, loaded_, *loaded_.program()->findEntry(entry), arguments);
  for (Value& result : outcome.results) {
    auto host = value::toHost(result);
    if (host) {
      result = std::move(*host);
    } else {
      outcome.failure = host.error();
    }
  }
  return outcome;
}

Outcome GradientCheck::callWithin(std::chrono::seconds limit, Backend backend,
                                  Values arguments) const {
  const base::CancelFlag* const outer = session_.options().cancel;
  const base::Deadline deadline(limit, outer);
  session_.setCancel(&deadline.flag());
  Outcome outcome = call(backend, kPrimal, std::move(arguments));
  session_.setCancel(outer);
  return outcome;
}

std::vector<std::string> GradientCheck::problems(const Values& arguments,
                                                 const std::vector<Backend>& backends,
                                                 uint64_t seed, bool may_fail) {
  problems_.clear();
  RandomBits random(seed);
  const Value x = point(arguments);
  const Value u = randomDirection(x, random);
  std::optional<Outcome> forward, reverse;
  std::optional<Value> w;
  for (const Backend backend : backends) {
    Values args = arguments;
    args.push_back(u);
    const Outcome ahead = call(backend, kForward, args);
    if (!forward) forward = ahead;
    compare(*forward, ahead, "jvp");
    if (ahead.failure) continue;
    if (!w) {
      w = randomDirection(ahead.results[0], random);
      checkDifferences(backend, arguments, u, *w, ahead);
    }
    args.back() = *w;
    const Outcome back = call(backend, kReverse, args);
    if (!reverse) reverse = back;
    compare(*reverse, back, "vjp");
    if (!back.failure) checkAdjoint(backend, u, *w, ahead, back);
  }
  if (forward && forward->failure && !may_fail) {
    problem(diag::render(*forward->failure, session_.files()));
  }
  return problems_;
}

void GradientCheck::compare(const Outcome& first, const Outcome& other, const char* mode) {
  const std::string engine = std::string(name(other.backend)) + ": " + mode + ": ";
  const auto textOf = [&](const Outcome& outcome) {
    return outcome.failure ? diag::render(*outcome.failure, session_.files()) : "no failure\n";
  };
  if (first.failure || other.failure) {
    if (other.failure && isLimit(*other.failure)) return problem(engine + textOf(other));
    if (textOf(first) == textOf(other)) return;
    return problem(engine + name(first.backend) + " and " + name(other.backend) + " disagree\n" +
                   textOf(first) + textOf(other));
  }
  for (size_t i = 0; i < first.results.size(); ++i) {
    const double apart = distance(first.results[i], other.results[i]);
    if (apart <= precision(first.results[i])) continue;
    problem(engine + name(first.backend) + " and " + name(other.backend) + " disagree in " +
            (i == 0 ? "values" : "derivatives") + " by " + number(apart) + ": " +
            value::toText(first.results[i]).substr(0, 400) + " and " +
            value::toText(other.results[i]).substr(0, 400));
  }
}

void GradientCheck::checkAdjoint(Backend backend, const Value& u, const Value& w,
                                 const Outcome& forward, const Outcome& reverse) {
  const Value& ahead = forward.results[1];
  const Value& back = reverse.results[1];
  if (!isFinite(ahead) || !isFinite(back)) return;
  const Product left = product(ahead, w), right = product(back, u);
  const double allowed = std::max({precision(u), precision(w)}) * (left.size + right.size);
  if (std::abs(left.sum - right.sum) <= allowed) return;
  problem(std::string(name(backend)) + ": <jvp f x u, w> is " + number(left.sum) +
          ", <u, vjp f x w> is " + number(right.sum));
}

void GradientCheck::checkDifferences(Backend backend, const Values& arguments, const Value& u,
                                     const Value& w, const Outcome& forward) {
  if (!hasOnlyDoubles(u) || !hasOnlyDoubles(w) || !isFinite(forward.results[1])) return;
  const Value x = point(arguments);
  const auto weighted = [&](double h) -> std::optional<Product> {
    const Outcome there = callWithin(kTimeOfMovedCall, backend, at(arguments, moved(x, u, h)));
    if (there.failure) return std::nullopt;
    const Value y = together(there.results);
    const std::vector<Value> a = value::flatten(y), b = value::flatten(w);
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i].array() != nullptr && a[i].array()->shape() != b[i].array()->shape()) {
        return std::nullopt;
      }
    }
    return product(y, w);
  };
  const Product slope = product(forward.results[1], w);
  double error = 0, kink = 0, found = 0;
  for (const double h : {1e-5, 1e-6, 1e-8}) {
    const auto low = weighted(-h), middle = weighted(0), high = weighted(h);
    if (!low || !middle || !high || !std::isfinite(low->size + middle->size + high->size)) return;
    found = (high->sum - low->sum) / (2 * h);
    const double noise = 1e-15 * middle->size / h;
    const double allowed = 1e-5 * slope.size + 20 * noise + 1e-9;
    error = std::abs(found - slope.sum);
    kink = std::abs(high->sum - 2 * middle->sum + low->sum) / h;
    if (error <= allowed || kink > allowed / 2) return;
  }
  problem(std::string(name(backend)) + ": <jvp f x u, w> is " + number(slope.sum) +
          ", by differences " + number(found));
}

}  // namespace halo::session
