// Chains of lets, branches, loops.
#include "interp/nodes/nodes.h"
#include "lang/base/progress.h"

namespace halo::interp {

namespace {

// Evaluates a value straight into the places of a pattern: a tuple pattern takes the fields without
// a record being made. By way of temporaries, because a loop's next values may mention its present
// ones.
void evalInto(Frame& frame, const Node& value, const Target& target,
              const std::vector<SizeBinding>& sizes) {
  if (target.kind == Target::Kind::kSlot && sizes.empty()) {
    value.evalTo(frame, frame.slots[target.slot]);
    return;
  }
  if (!sizes.empty() || target.kind != Target::Kind::kTuple) {
    Datum whole = value.eval(frame);
    bindSizes(frame, sizes, whole);
    target.bind(frame, std::move(whole));
    return;
  }
  const Slots fields(frame.state, target.parts.size());
  value.evalFields(frame, fields.get());
  for (size_t i = 0; i < target.parts.size(); ++i) {
    target.parts[i].bind(frame, std::move(fields.get()[i]));
  }
}

class Block : public Node {
 public:
  Block(std::vector<Step> steps, NodeRef body) : steps_(std::move(steps)), body_(std::move(body)) {}
  Datum eval(Frame& frame) const override {
    runSteps(frame);
    return body_->eval(frame);
  }
  uint64_t evalBits(Frame& frame) const override {
    runSteps(frame);
    return body_->evalBits(frame);
  }
  void evalTo(Frame& frame, Datum& out) const override {
    runSteps(frame);
    body_->evalTo(frame, out);
  }
  void evalFields(Frame& frame, Datum* out) const override {
    runSteps(frame);
    body_->evalFields(frame, out);
  }

 private:
  void runSteps(Frame& frame) const {
    for (const Step& step : steps_) evalInto(frame, *step.value, step.target, step.sizes);
  }
  std::vector<Step> steps_;
  NodeRef body_;
};

class IfNode : public Node {
 public:
  IfNode(NodeRef condition, NodeRef then_branch, NodeRef else_branch)
      : condition_(std::move(condition)),
        then_(std::move(then_branch)),
        else_(std::move(else_branch)) {}
  Datum eval(Frame& frame) const override { return chosen(frame).eval(frame); }
  uint64_t evalBits(Frame& frame) const override { return chosen(frame).evalBits(frame); }
  void evalTo(Frame& frame, Datum& out) const override { chosen(frame).evalTo(frame, out); }
  void evalFields(Frame& frame, Datum* out) const override { chosen(frame).evalFields(frame, out); }

 private:
  const Node& chosen(Frame& frame) const { return condition_.bits(frame) != 0 ? *then_ : *else_; }
  Operand condition_;
  NodeRef then_, else_;
};

class Match : public Node {
 public:
  Match(NodeRef scrutinee, std::vector<Case> cases)
      : scrutinee_(std::move(scrutinee)), cases_(std::move(cases)) {}
  Datum eval(Frame& frame) const override { return chosen(frame).eval(frame); }
  uint64_t evalBits(Frame& frame) const override { return chosen(frame).evalBits(frame); }
  void evalTo(Frame& frame, Datum& out) const override { chosen(frame).evalTo(frame, out); }
  void evalFields(Frame& frame, Datum* out) const override { chosen(frame).evalFields(frame, out); }

 private:
  // The scrutinee is let go before the body runs, which may then update its arrays in place.
  const Node& chosen(Frame& frame) const {
    const Datum value = scrutinee_->eval(frame);
    for (const Case& one : cases_) {
      if (one.pattern.match(frame, value)) return *one.body;
    }
    HALO_UNREACHABLE("no case of an exhaustive match fits");
  }
  NodeRef scrutinee_;
  std::vector<Case> cases_;
};

// Whether a counted loop runs in no other one: people want to see its progress.
class OutermostLoop {
 public:
  OutermostLoop() : is_outermost_(depth_++ == 0) {}
  ~OutermostLoop() { --depth_; }
  OutermostLoop(const OutermostLoop&) = delete;
  OutermostLoop& operator=(const OutermostLoop&) = delete;
  void report(uint64_t done, uint64_t total) const {
    if (!is_outermost_) return;
    base::progress().set(static_cast<int64_t>(done), static_cast<int64_t>(total));
  }

 private:
  static thread_local int depth_;
  bool is_outermost_;
};
thread_local int OutermostLoop::depth_ = 0;

class LoopNode : public Node {
 public:
  LoopNode(LoopParts parts, Site site) : parts_(std::move(parts)), site_(site) {}
  Datum eval(Frame& frame) const override {
    run(frame);
    return parts_.carried.unbind(frame);
  }
  uint64_t evalBits(Frame& frame) const override {
    run(frame);
    return frame.slots[parts_.carried.slot].bits();
  }
  void evalFields(Frame& frame, Datum* out) const override {
    run(frame);
    const Target& carried = parts_.carried;
    if (carried.kind == Target::Kind::kTuple) {
      for (size_t i = 0; i < carried.parts.size(); ++i) out[i] = carried.parts[i].unbind(frame);
      return;
    }
    const Datum whole = carried.unbind(frame);
    const auto& fields = whole.as<Record>().fields;
    for (size_t i = 0; i < fields.size(); ++i) out[i] = fields[i];
  }

 private:
  void run(Frame& frame) const {
    carry(frame, *parts_.initial);
    switch (parts_.form) {
      case LoopParts::Form::kFor:
        return runFor(frame);
      case LoopParts::Form::kForIn:
        return runForIn(frame);
      case LoopParts::Form::kWhile:
        return runWhile(frame);
    }
  }
  void carry(Frame& frame, const Node& value) const {
    evalInto(frame, value, parts_.carried, parts_.sizes);
  }
  void step(Frame& frame) const {
    frame.state.poll();
    carry(frame, *parts_.body);
  }
  void runFor(Frame& frame) const {
    const ScalarType type = parts_.variable_type;
    const uint64_t bits = parts_.controlling->evalBits(frame);
    const bool none = prim::isSigned(type) && Scalar{type, bits}.asSigned() <= 0;
    if (none) return;
    const bool is_plain = parts_.carried.kind == Target::Kind::kSlot && parts_.sizes.empty();
    if (is_plain) return runPlain(frame, type, bits);
    const OutermostLoop outermost;
    for (uint64_t i = 0; i < bits; ++i) {
      outermost.report(i, bits);
      frame.slots[parts_.variable].setScalar(type, i);
      step(frame);
    }
  }
  // With one carried value that has a name: the questions that `step` repeats are answered once.
  void runPlain(Frame& frame, ScalarType type, uint64_t count) const {
    const Node& body = *parts_.body;
    const OutermostLoop outermost;
    for (uint64_t i = 0; i < count; ++i) {
      outermost.report(i, count);
      frame.slots[parts_.variable].setScalar(type, i);
      frame.state.poll();
      body.evalTo(frame, frame.slots[parts_.carried.slot]);
    }
  }
  void runForIn(Frame& frame) const {
    const Datum items = parts_.controlling->eval(frame);
    const Array& array = arrayOf(items);
    for (int64_t i = 0; i < array.extent(); ++i) {
      parts_.item.bind(frame, element(array, i));
      step(frame);
    }
  }
  void runWhile(Frame& frame) const {
    if (parts_.most_steps && frame.state.isReverse()) return runBounded(frame);
    while (parts_.controlling->evalBits(frame) != 0) step(frame);
  }
  void runBounded(Frame& frame) const {
    int64_t steps = 0;
    while (parts_.controlling->evalBits(frame) != 0) {
      if (steps++ == *parts_.most_steps) {
        frame.state.fail(Code::bound_exceeded, frame.state.where(site_), {*parts_.most_steps});
      }
      step(frame);
    }
  }

  LoopParts parts_;
  Site site_;
};

}  // namespace

NodeRef blockNode(std::vector<Step> steps, NodeRef body) {
  return std::make_unique<Block>(std::move(steps), std::move(body));
}
NodeRef ifNode(NodeRef condition, NodeRef then_branch, NodeRef else_branch) {
  return std::make_unique<IfNode>(std::move(condition), std::move(then_branch),
                                  std::move(else_branch));
}
NodeRef matchNode(NodeRef scrutinee, std::vector<Case> cases) {
  return std::make_unique<Match>(std::move(scrutinee), std::move(cases));
}
NodeRef loopNode(LoopParts parts, Site site) {
  return std::make_unique<LoopNode>(std::move(parts), site);
}

}  // namespace halo::interp
