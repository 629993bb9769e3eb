// The resolved tree that is evaluated: names are slots, literals are values, uses know their
// callees. Preparation (prepare.h) builds it from the checked program; evaluating is a virtual call
// per node, with an unboxed path for scalars.
#pragma once

#include <memory>

#include "interp/arrays/datum.h"
#include "interp/state.h"

namespace halo::interp {

// The activation of a function: `env` holds its environment (type and size arguments,
// captured variables), `slots` its parameters and local variables.
struct Frame {
  Datum* slots;
  const Datum* env;
  State& state;
};

// Where an operand is found without a virtual call.
struct Shortcut {
  enum class Kind : uint8_t { kNone, kSlot, kEnv, kConstant } kind = Kind::kNone;
  int index = 0;
  uint64_t bits = 0;
};

class Node {
 public:
  virtual ~Node() = default;
  virtual Datum eval(Frame& frame) const = 0;
  // For expressions whose value is a scalar: its bits.
  virtual uint64_t evalBits(Frame& frame) const { return eval(frame).bits(); }
  // Into a place, which may be among those that the expression reads.
  virtual void evalTo(Frame& frame, Datum& out) const { out = eval(frame); }
  // For tuples and records: the fields into consecutive slots, without making the record.
  virtual void evalFields(Frame& frame, Datum* out) const;

  virtual Shortcut shortcut() const { return {}; }
  virtual bool isConstant() const { return false; }
  bool isVariable() const {
    const auto kind = shortcut().kind;
    return kind == Shortcut::Kind::kSlot || kind == Shortcut::Kind::kEnv;
  }
};
using NodeRef = std::unique_ptr<const Node>;

// A node whose value is always a scalar.
class ScalarNode : public Node {
 public:
  explicit ScalarNode(ScalarType type) : type_(type) {}
  Datum eval(Frame& frame) const final {
    if (frame.state.differentiating > 0) [[unlikely]]
      return evalActive(frame);
    return Datum::scalar(type_, evalBits(frame));
  }
  void evalTo(Frame& frame, Datum& out) const final {
    if (frame.state.differentiating > 0) [[unlikely]]
      return evalActiveTo(frame, out);
    out.setScalar(type_, evalBits(frame));
  }
  uint64_t evalBits(Frame& frame) const override = 0;
  // Of operands that may be active (active.h).
  virtual Datum evalActive(Frame& frame) const = 0;

 private:
  void evalActiveTo(Frame& frame, Datum& out) const;  // inlined, it would slow down evalTo

 protected:
  ScalarType type_;
};

// An operand: variables and scalar constants are read directly.
class Operand {
 public:
  explicit Operand(NodeRef node) : shortcut_(node->shortcut()), node_(std::move(node)) {}
  Datum eval(Frame& frame) const { return node_->eval(frame); }
  // A variable's place, so that `a[i]` need not copy the reference; null for other expressions.
  const Datum* variable(Frame& frame) const {
    switch (shortcut_.kind) {
      case Shortcut::Kind::kSlot:
        return &frame.slots[shortcut_.index];
      case Shortcut::Kind::kEnv:
        return &frame.env[shortcut_.index];
      case Shortcut::Kind::kConstant:
      case Shortcut::Kind::kNone:
        break;
    }
    return nullptr;
  }
  uint64_t bits(Frame& frame) const {
    switch (shortcut_.kind) {
      case Shortcut::Kind::kSlot:
        return frame.slots[shortcut_.index].bits();
      case Shortcut::Kind::kEnv:
        return frame.env[shortcut_.index].bits();
      case Shortcut::Kind::kConstant:
        return shortcut_.bits;
      case Shortcut::Kind::kNone:
        break;
    }
    return node_->evalBits(frame);
  }

 private:
  Shortcut shortcut_;
  NodeRef node_;
};

}  // namespace halo::interp
