// Functions that are not written in the language: primitives, conversions, operators and sections
// as values.
#include "interp/derivatives/active.h"
#include "interp/fast_ops.h"
#include "interp/nodes/nodes.h"

namespace halo::interp {

namespace {

class PrimFunction : public Function {
 public:
  PrimFunction(prim::Op op, ScalarType type)
      : Function(prim::info(op).arity, true),
        op_(op),
        type_(type),
        result_type_(prim::resultType(op, type)),
        fast_(fastOp(op, type)) {}
  Datum call(State& state, const Datum*, Datum* args) const override {
    if (state.differentiating > 0) {
      const std::span given(args, static_cast<size_t>(arity_));
      return applyPrim(state, op_, type_, given, state.user_span);
    }
    if (fast_ != nullptr) return Datum::scalar(result_type_, fast_(args[0].bits(), args[1].bits()));
    std::array<Scalar, prim::kMaxOperands> operands;
    const std::span used(operands.data(), static_cast<size_t>(arity_));
    for (size_t i = 0; i < used.size(); ++i) operands[i] = args[i].asScalar();
    return Datum::scalar(foldOrFail(state, op_, type_, used, state.user_span));
  }
  FastOp fastOperation() const override {
    return prim::resultType(op_, type_) == type_ ? fast_ : nullptr;
  }

 private:
  prim::Op op_;
  ScalarType type_;
  ScalarType result_type_;
  FastOp fast_;
};

class ConvertFunction : public Function {
 public:
  ConvertFunction(prim::ConvertKind kind, ScalarType to)
      : Function(1, true), kind_(kind), to_(to) {}
  Datum call(State& state, const Datum*, Datum* args) const override {
    return applyConvert(state, kind_, to_, args[0]);
  }

 private:
  prim::ConvertKind kind_;
  ScalarType to_;
};

class EqualityFunction : public Function {
 public:
  explicit EqualityFunction(bool negated) : Function(2, true), negated_(negated) {}
  Datum call(State&, const Datum*, Datum* args) const override {
    return Datum::scalar(Scalar::ofBool(equal(args[0], args[1]) != negated_));
  }

 private:
  bool negated_;
};

// As a function value `&&` is strict, like any function.
class LogicFunction : public Function {
 public:
  explicit LogicFunction(types::Logic logic) : Function(2, true), logic_(logic) {}
  Datum call(State&, const Datum*, Datum* args) const override {
    const bool decides = logic_ == types::Logic::kOr;
    return (args[0].bits() != 0) == decides ? Datum::scalar(Scalar::ofBool(decides))
                                            : std::move(args[1]);
  }

 private:
  types::Logic logic_;
};

class RightSection : public Function {
 public:
  RightSection() : Function(1, true) {}
  Datum call(State& state, const Datum* env, Datum* args) const override {
    const Slots both(state, 2);
    both.get()[0] = std::move(args[0]);
    both.get()[1] = env[1];
    return apply(state, env[0], both.get(), 2);
  }
};

class Projection : public Function {
 public:
  explicit Projection(std::vector<int> path) : Function(1, true), path_(std::move(path)) {}
  Datum call(State&, const Datum*, Datum* args) const override {
    Datum value = std::move(args[0]);
    for (int field : path_) value = Datum(value.as<Record>().fields[static_cast<size_t>(field)]);
    return value;
  }

 private:
  std::vector<int> path_;
};

class IndexSection : public Function {
 public:
  IndexSection(IndexList indices, Site site)
      : Function(1, site.in_prelude), indices_(std::move(indices)), site_(site) {}
  Datum call(State& state, const Datum* env, Datum* args) const override {
    std::vector<int64_t> positions(indices_.slotCount());
    Frame frame{nullptr, env, state};
    indices_.evaluate(frame, positions.data());
    return settle(indices_.view(state, args[0], positions.data(), state.where(site_)));
  }

 private:
  IndexList indices_;
  Site site_;
};

}  // namespace

std::unique_ptr<Function> primFunction(prim::Op op, ScalarType type) {
  return std::make_unique<PrimFunction>(op, type);
}
std::unique_ptr<Function> convertFunction(prim::ConvertKind kind, ScalarType to) {
  return std::make_unique<ConvertFunction>(kind, to);
}
std::unique_ptr<Function> equalityFunction(bool negated) {
  return std::make_unique<EqualityFunction>(negated);
}
std::unique_ptr<Function> logicFunction(types::Logic logic) {
  return std::make_unique<LogicFunction>(logic);
}
std::unique_ptr<Function> rightSectionFunction() { return std::make_unique<RightSection>(); }
std::unique_ptr<Function> projectionFunction(std::vector<int> path) {
  return std::make_unique<Projection>(std::move(path));
}
std::unique_ptr<Function> indexSectionFunction(IndexList indices, Site site) {
  return std::make_unique<IndexSection>(std::move(indices), site);
}

}  // namespace halo::interp
