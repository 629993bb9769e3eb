// Variables, constants and scalar operations.
#include <array>

#include "interp/derivatives/active.h"
#include "interp/fast_ops.h"
#include "interp/nodes/nodes.h"

namespace halo::interp {

void Node::evalFields(Frame& frame, Datum* out) const {
  const Datum value = eval(frame);
  const auto& fields = value.as<Record>().fields;
  for (size_t i = 0; i < fields.size(); ++i) out[i] = fields[i];
}

void ScalarNode::evalActiveTo(Frame& frame, Datum& out) const { out = evalActive(frame); }

Scalar foldOrFail(State& state, prim::Op op, ScalarType type, std::span<const Scalar> args,
                  Span span) {
  const prim::Folded result = prim::fold(op, type, args);
  if (const auto* value = std::get_if<Scalar>(&result)) return *value;
  switch (std::get<prim::FoldFailure>(result)) {
    case prim::FoldFailure::kDivisionByZero:
      state.fail(Code::division_by_zero, span);
    case prim::FoldFailure::kNegativeExponent:
      state.fail(Code::negative_exponent, span);
  }
  HALO_UNREACHABLE("unknown failure of a primitive");
}

namespace {

class Constant : public Node {
 public:
  explicit Constant(Datum value) : value_(std::move(value)) {}
  Datum eval(Frame&) const override { return value_; }
  uint64_t evalBits(Frame&) const override { return value_.bits(); }
  bool isConstant() const override { return true; }
  Shortcut shortcut() const override {
    if (!value_.isScalar()) return {};
    return {Shortcut::Kind::kConstant, 0, value_.bits()};
  }

 private:
  Datum value_;
};

class SlotVariable : public Node {
 public:
  SlotVariable(int slot, bool take) : slot_(slot), take_(take) {}
  Datum eval(Frame& frame) const override {
    if (take_) return std::move(frame.slots[slot_]);
    return frame.slots[slot_];
  }
  uint64_t evalBits(Frame& frame) const override { return frame.slots[slot_].bits(); }
  Shortcut shortcut() const override { return {Shortcut::Kind::kSlot, slot_, 0}; }

 private:
  int slot_;
  bool take_;
};

class EnvVariable : public Node {
 public:
  explicit EnvVariable(int index) : index_(index) {}
  Datum eval(Frame& frame) const override { return frame.env[index_]; }
  uint64_t evalBits(Frame& frame) const override { return frame.env[index_].bits(); }
  Shortcut shortcut() const override { return {Shortcut::Kind::kEnv, index_, 0}; }

 private:
  int index_;
};

class UnaryNode : public ScalarNode {
 public:
  UnaryNode(prim::Op op, ScalarType type, NodeRef operand, Site site)
      : ScalarNode(prim::resultType(op, type)),
        op_(op),
        at_(type),
        operand_(std::move(operand)),
        site_(site) {}
  uint64_t evalBits(Frame& frame) const override {
    const std::array args{Scalar{at_, operand_.bits(frame)}};
    return foldOrFail(frame.state, op_, at_, args, frame.state.where(site_)).bits;
  }
  Datum evalActive(Frame& frame) const override {
    const std::array args{operand_.eval(frame)};
    return applyPrim(frame.state, op_, at_, args, frame.state.where(site_));
  }

 private:
  prim::Op op_;
  ScalarType at_;
  Operand operand_;
  Site site_;
};

class BinaryNode : public ScalarNode {
 public:
  BinaryNode(prim::Op op, ScalarType type, Nodes operands, Site site)
      : ScalarNode(prim::resultType(op, type)),
        op_(op),
        at_(type),
        division_(fastDivision(op, type)),
        lhs_(std::move(operands[0])),
        rhs_(std::move(operands[1])),
        site_(site) {}
  uint64_t evalBits(Frame& frame) const override {
    const uint64_t lhs = lhs_.bits(frame);
    const uint64_t rhs = rhs_.bits(frame);
    if (division_ != nullptr && rhs != 0) return division_(lhs, rhs);
    const std::array args{Scalar{at_, lhs}, Scalar{at_, rhs}};
    return foldOrFail(frame.state, op_, at_, args, frame.state.where(site_)).bits;
  }
  Datum evalActive(Frame& frame) const override {
    const std::array args{lhs_.eval(frame), rhs_.eval(frame)};
    return applyPrim(frame.state, op_, at_, args, frame.state.where(site_));
  }

 private:
  prim::Op op_;
  ScalarType at_;
  FastOp division_;
  Operand lhs_, rhs_;
  Site site_;
};

class FastBinary : public ScalarNode {
 public:
  FastBinary(FastOp fast, prim::Op op, ScalarType type, Nodes operands)
      : ScalarNode(prim::resultType(op, type)),
        op_(op),
        at_(type),
        fast_(fast),
        lhs_(std::move(operands[0])),
        rhs_(std::move(operands[1])) {}
  uint64_t evalBits(Frame& frame) const override {
    const uint64_t lhs = lhs_.bits(frame);
    return fast_(lhs, rhs_.bits(frame));
  }
  Datum evalActive(Frame& frame) const override {
    const std::array args{lhs_.eval(frame), rhs_.eval(frame)};
    return applyPrim(frame.state, op_, at_, args, frame.state.user_span);
  }

 private:
  prim::Op op_;
  ScalarType at_;
  FastOp fast_;
  Operand lhs_, rhs_;
};

// The only primitive of three operands.
class FusedProduct : public ScalarNode {
 public:
  FusedProduct(ScalarType type, Nodes operands)
      : ScalarNode(type),
        at_(type),
        x_(std::move(operands[0])),
        y_(std::move(operands[1])),
        z_(std::move(operands[2])) {}
  uint64_t evalBits(Frame& frame) const override {
    const std::array args{Scalar{at_, x_.bits(frame)}, Scalar{at_, y_.bits(frame)},
                          Scalar{at_, z_.bits(frame)}};
    return std::get<Scalar>(prim::fold(prim::Op::kFma, at_, args)).bits;
  }
  Datum evalActive(Frame& frame) const override {
    const std::array args{x_.eval(frame), y_.eval(frame), z_.eval(frame)};
    return applyPrim(frame.state, prim::Op::kFma, at_, args, frame.state.user_span);
  }

 private:
  ScalarType at_;
  Operand x_, y_, z_;
};

class Chain : public ScalarNode {
 public:
  Chain(NodeRef first, std::vector<ChainStep> steps)
      : ScalarNode(prim::resultType(steps.back().op, steps.back().type)), first_(std::move(first)) {
    for (ChainStep& step : steps) {
      const FastOp division = fastDivision(step.op, step.type);
      steps_.push_back({division != nullptr ? division : fastOp(step.op, step.type),
                        division != nullptr, Operand(std::move(step.rhs)), step.op, step.type,
                        step.site});
    }
  }
  uint64_t evalBits(Frame& frame) const override {
    uint64_t value = first_.bits(frame);
    for (const Step& step : steps_) {
      const uint64_t rhs = step.rhs.bits(frame);
      const bool is_fast = step.fast != nullptr && (!step.divides || rhs != 0);
      value = is_fast ? step.fast(value, rhs) : folded(frame.state, step, value, rhs);
    }
    return value;
  }
  Datum evalActive(Frame& frame) const override {
    Datum value = first_.eval(frame);
    for (const Step& step : steps_) {
      const std::array args{value, step.rhs.eval(frame)};
      value = applyPrim(frame.state, step.op, step.type, args, frame.state.where(step.site));
    }
    return value;
  }

 private:
  struct Step {
    FastOp fast;
    bool divides;  // fast only if the divisor is not 0
    Operand rhs;
    prim::Op op;
    ScalarType type;
    Site site;
  };
  static uint64_t folded(State& state, const Step& step, uint64_t lhs, uint64_t rhs) {
    const std::array args{Scalar{step.type, lhs}, Scalar{step.type, rhs}};
    return foldOrFail(state, step.op, step.type, args, state.where(step.site)).bits;
  }
  Operand first_;
  std::vector<Step> steps_;
};

class Convert : public ScalarNode {
 public:
  Convert(prim::ConvertKind kind, ScalarType from, ScalarType to, NodeRef operand)
      : ScalarNode(to),
        kind_(kind),
        from_(from),
        fast_(fastConvert(kind, from, to)),
        operand_(std::move(operand)) {}
  uint64_t evalBits(Frame& frame) const override {
    if (fast_ != nullptr) return fast_(operand_.bits(frame));
    const Scalar operand = Scalar::fromBits(from_, operand_.bits(frame));  // a canonical NaN
    return prim::convert(kind_, type_, operand).bits;
  }
  Datum evalActive(Frame& frame) const override {
    return applyConvert(frame.state, kind_, type_, operand_.eval(frame));
  }

 private:
  prim::ConvertKind kind_;
  ScalarType from_;
  FastConvert fast_;
  Operand operand_;
};

class ShortCircuit : public ScalarNode {
 public:
  ShortCircuit(types::Logic logic, NodeRef lhs, NodeRef rhs)
      : ScalarNode(ScalarType::kBool),
        decides_(logic == types::Logic::kOr),
        lhs_(std::move(lhs)),
        rhs_(std::move(rhs)) {}
  uint64_t evalBits(Frame& frame) const override {
    frame.state.checkStack();  // a chain of them leans to the left
    const bool lhs = lhs_.bits(frame) != 0;
    return lhs == decides_ ? lhs : rhs_.bits(frame);
  }
  // As the `if` that it is: the side that decides is a condition.
  Datum evalActive(Frame& frame) const override {
    frame.state.checkStack();
    const bool lhs = lhs_.bits(frame) != 0;
    return lhs == decides_ ? Datum::scalar(Scalar::ofBool(lhs)) : rhs_.eval(frame);
  }

 private:
  bool decides_;  // the value of the left side that makes the right one superfluous
  Operand lhs_, rhs_;
};

class Equality : public ScalarNode {
 public:
  Equality(bool negated, NodeRef lhs, NodeRef rhs)
      : ScalarNode(ScalarType::kBool),
        negated_(negated),
        lhs_(std::move(lhs)),
        rhs_(std::move(rhs)) {}
  uint64_t evalBits(Frame& frame) const override {
    const Datum lhs = lhs_->eval(frame);
    return equal(lhs, rhs_->eval(frame)) != negated_;
  }
  Datum evalActive(Frame& frame) const override {
    return Datum::scalar(Scalar::ofBool(evalBits(frame) != 0));
  }

 private:
  bool negated_;
  NodeRef lhs_, rhs_;
};

}  // namespace

NodeRef constantNode(Datum value) { return std::make_unique<Constant>(std::move(value)); }
NodeRef slotNode(int slot, bool take) { return std::make_unique<SlotVariable>(slot, take); }
NodeRef envNode(int index) { return std::make_unique<EnvVariable>(index); }

NodeRef primNode(prim::Op op, ScalarType type, Nodes operands, Site site) {
  if (operands.size() == 1) {
    return std::make_unique<UnaryNode>(op, type, std::move(operands[0]), site);
  }
  if (op == prim::Op::kFma) return std::make_unique<FusedProduct>(type, std::move(operands));
  if (const FastOp fast = fastOp(op, type)) {
    return std::make_unique<FastBinary>(fast, op, type, std::move(operands));
  }
  return std::make_unique<BinaryNode>(op, type, std::move(operands), site);
}

NodeRef primChainNode(NodeRef first, std::vector<ChainStep> steps) {
  return std::make_unique<Chain>(std::move(first), std::move(steps));
}

NodeRef convertNode(prim::ConvertKind kind, ScalarType from, ScalarType to, NodeRef operand) {
  return std::make_unique<Convert>(kind, from, to, std::move(operand));
}

NodeRef logicNode(types::Logic logic, NodeRef lhs, NodeRef rhs) {
  return std::make_unique<ShortCircuit>(logic, std::move(lhs), std::move(rhs));
}

NodeRef equalityNode(bool negated, NodeRef lhs, NodeRef rhs) {
  return std::make_unique<Equality>(negated, std::move(lhs), std::move(rhs));
}

}  // namespace halo::interp
