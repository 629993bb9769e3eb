// Forward mode: the function runs on dual numbers, once for each direction. Reverse mode: it runs
// once, on arguments that have places on a tape, which then runs backwards once for each result's
// weights.
#include "interp/derivatives/derivative.h"

#include <array>

#include "interp/derivatives/active.h"
#include "interp/scalars.h"

namespace halo::interp {

namespace {

Datum call(State& state, const Datum& function, Datum argument) {
  const Slots slots(state, 1);
  slots.get()[0] = std::move(argument);
  return apply(state, function, slots.get(), 1);
}

Datum pair(Datum first, Datum second) { return makeRecord({std::move(first), std::move(second)}); }

// A result and its derivative, lists of scalars; `model` has their form.
struct Derived {
  Datum model;
  std::vector<Datum> primals, tangents;

  Datum primal(State& state) const { return withScalars(state, model, primals); }
  Datum tangent(State& state) const { return withScalars(state, model, tangents); }
};

// The results one by one; one that does not depend on an argument has a tangent of zero.
Derived derived(Datum result, uint32_t level) {
  Derived parts{std::move(result), {}, {}};
  for (const Datum& scalar : scalarsOf(parts.model)) {
    const bool varies = levelOf(scalar) == level;
    parts.primals.push_back(below(scalar, level));
    parts.tangents.push_back(varies ? scalar.active()->tangent
                                    : Datum::scalar(prim::zero(scalar.type())));
  }
  return parts;
}

Derived forward(State& state, const Datum& function, const Datum& point, const Datum& direction) {
  checkConstructors(state, point, direction);
  const std::vector<Datum> tangents = scalarsOf(direction);
  const LevelScope scope(state, nullptr);
  std::vector<Datum> scalars = scalarsOf(point);
  for (size_t i = 0; i < scalars.size(); ++i) {
    auto* active = new Active(scope.level, std::move(scalars[i]));
    active->tangent = tangents[i];
    scalars[i] = Datum::active(active);
  }
  return derived(call(state, function, withScalars(state, point, scalars)), scope.level);
}

// One item for each of an array of seeds; for none of them an empty array of such as `model`.
template <typename Derive>
Datum forEachSeed(State& state, const Datum& seeds, const Datum& model, const Derive& derive) {
  const Array& array = arrayOf(seeds);
  if (array.extent() == 0) return newArrayLike(state, {0}, model);
  ArrayBuilder results(state, array.extent());
  for (int64_t i = 0; i < array.extent(); ++i) results.add(derive(element(array, i)));
  return results.finish([]() -> Datum { HALO_UNREACHABLE("a derivative of nothing"); });
}

}  // namespace

Datum runJvp(State& state, Datum* args, bool many) {
  if (!many) {
    const Derived parts = forward(state, args[0], args[1], args[2]);
    return pair(parts.primal(state), parts.tangent(state));
  }
  if (arrayOf(args[2]).extent() == 0) {
    Datum result = call(state, args[0], args[1]);
    Datum none = newArrayLike(state, {0}, result);
    return pair(std::move(result), std::move(none));
  }
  Datum primal;
  Datum tangents = forEachSeed(state, args[2], args[1], [&](const Datum& direction) {
    const Derived parts = forward(state, args[0], args[1], direction);
    primal = parts.primal(state);
    return parts.tangent(state);
  });
  return pair(std::move(primal), std::move(tangents));
}

namespace {

// One run of a function with its tape.
class Recording {
 public:
  Recording(State& state, const Datum& function, const Datum& point)
      : state_(state), tape_(state), scope_(state, &tape_) {
    std::vector<Datum> scalars = scalarsOf(point);
    arguments_ = scalars.size();
    for (Datum& scalar : scalars) {
      types_.push_back(scalar.type());
      auto* active = new Active(scope_.level, std::move(scalar));
      active->node = tape_.argument();
      scalar = Datum::active(active);
    }
    result_ = call(state, function, withScalars(state, point, scalars));
    results_ = scalarsOf(result_);
  }

  std::vector<Datum> primals() const {
    std::vector<Datum> primals;
    for (const Datum& scalar : results_) primals.push_back(below(scalar, scope_.level));
    return primals;
  }
  const Datum& model() const { return result_; }

  // The cotangents of the arguments.
  std::vector<Datum> sweep(const Datum& weights) const {
    checkConstructors(state_, result_, weights);
    const std::vector<Datum> seeds = scalarsOf(weights);
    std::vector<Datum> adjoints(tape_.size());
    for (size_t i = 0; i < results_.size(); ++i) {
      if (levelOf(results_[i]) != scope_.level || isNothing(seeds[i])) continue;
      Datum& adjoint = adjoints[results_[i].active()->node];
      adjoint = isNothing(adjoint) ? seeds[i] : sum(adjoint, seeds[i]);
    }
    tape_.sweep(adjoints);
    adjoints.resize(arguments_);
    for (size_t i = 0; i < arguments_; ++i) {
      if (isNothing(adjoints[i])) adjoints[i] = Datum::scalar(prim::zero(types_[i]));
    }
    return adjoints;
  }

 private:
  Datum sum(const Datum& a, const Datum& b) const {
    const prim::Op op = a.type() == ScalarType::kBool ? prim::Op::kOr : prim::Op::kAdd;
    return applyPrim(state_, op, a.type(), std::array{a, b}, state_.user_span);
  }

  State& state_;
  Tape tape_;
  LevelScope scope_;
  std::vector<ScalarType> types_;
  size_t arguments_ = 0;
  Datum result_;
  std::vector<Datum> results_;
};

}  // namespace

Datum runVjp(State& state, Datum* args, bool many) {
  Datum model;
  std::vector<Datum> primals;
  std::vector<std::vector<Datum>> cotangents;
  {
    const Recording recording(state, args[0], args[1]);
    model = recording.model();
    primals = recording.primals();
    if (!many) {
      cotangents.push_back(recording.sweep(args[2]));
    } else {
      const Array& seeds = arrayOf(args[2]);
      for (int64_t i = 0; i < seeds.extent(); ++i) {
        cotangents.push_back(recording.sweep(element(seeds, i)));
      }
    }
  }
  Datum primal = withScalars(state, model, primals);
  if (!many) return pair(std::move(primal), withScalars(state, args[1], cotangents[0]));
  size_t next = 0;
  Datum all = forEachSeed(state, args[2], args[1], [&](const Datum&) {
    return withScalars(state, args[1], cotangents[next++]);
  });
  return pair(std::move(primal), std::move(all));
}

namespace {

class CustomRule : public Rule {
 public:
  CustomRule(Datum function, Datum result)
      : function_(std::move(function)), result_(std::move(result)) {}

  std::vector<Datum> reverse(State& state, std::span<const Datum> cotangents) const override {
    std::vector<Datum> weights = scalarsOf(result_);
    for (size_t i = 0; i < weights.size(); ++i) {
      weights[i] =
          isNothing(cotangents[i]) ? Datum::scalar(prim::zero(weights[i].type())) : cotangents[i];
    }
    const Slots args(state, 2);
    args.get()[0] = result_;
    args.get()[1] = withScalars(state, result_, weights);
    return scalarsOf(apply(state, function_, args.get(), 2));
  }

 private:
  Datum function_, result_;
};

// Without its record of reverse mode: captured values have no derivative.
Datum detached(const State& state, const Datum& scalar) {
  const Active* active = scalar.active();
  const bool is_reverse = active != nullptr && !isForward(state, active->level);
  return is_reverse ? detached(state, active->primal) : scalar;
}

}  // namespace

// Of two operators around it the inner one decides: the one whose level is highest.
Datum runWithVjp(State& state, Datum* args) {
  std::vector<Datum> scalars = scalarsOf(args[2]);
  const uint32_t level = highestLevel(scalars);
  if (level != 0 && isForward(state, level)) return call(state, args[0], args[2]);
  if (level == 0) {
    const Datum found = call(state, args[0], args[2]);
    if (state.differentiating == 0) return found;
    std::vector<Datum> results = scalarsOf(found);
    for (Datum& result : results) result = detached(state, result);
    return withScalars(state, found, results);
  }
  std::vector<Tape::Node> operands;
  for (Datum& scalar : scalars) {
    const bool varies = levelOf(scalar) == level;
    operands.push_back(varies ? scalar.active()->node : Tape::kConstant);
    scalar = below(scalar, level);
  }
  const Slots lower(state, 3);
  lower.get()[0] = args[0];
  lower.get()[1] = args[1];
  lower.get()[2] = withScalars(state, args[2], scalars);
  const Datum found = runWithVjp(state, lower.get());
  std::vector<Datum> results = scalarsOf(found);
  for (Datum& result : results) result = below(result, level);  // that of a captured value
  if (results.empty()) return found;
  auto rule = std::make_unique<CustomRule>(args[1], withScalars(state, found, results));
  Tape::Node node =
      state.tapes[level]->record(std::move(rule), results.size(), std::move(operands));
  for (Datum& result : results) {
    auto* active = new Active(level, std::move(result));
    active->node = node++;
    result = Datum::active(active);
  }
  return withScalars(state, found, results);
}

Datum runActiveIota(State& state, const Datum& count) {
  const ScalarType type = ScalarType::kI64;
  const auto binary = [&](prim::Op op, const Datum& a, const Datum& b) {
    return applyPrim(state, op, type, std::array{a, b}, state.user_span);
  };
  const Datum zero = binary(prim::Op::kSub, count, Datum::ofI64(count.asI64()));
  const Datum result = newArray(state, type, {count.asI64()});
  for (int64_t i = 0; i < count.asI64(); ++i) {
    state.poll();
    store(arrayOf(result), i, binary(prim::Op::kAdd, Datum::ofI64(i), zero));
  }
  return result;
}

}  // namespace halo::interp
