// Functions at run time. A Function can be called. A Closure is one with the captured values and
// the arguments it already got. All functions are curried; one runs when its last argument
// arrives.
#pragma once

#include <string>

#include "interp/arrays/array.h"
#include "interp/fast_ops.h"
#include "interp/nodes/node.h"

namespace halo::interp {

class Function {
 public:
  Function(int arity, bool in_prelude) : arity_(arity), in_prelude_(in_prelude) {}
  virtual ~Function() = default;
  int arity() const { return arity_; }
  // Built-ins count as prelude code: where they fail is a matter of the caller (README.md).
  bool inPrelude() const { return in_prelude_; }
  // `args` are `arity` slots on the stack of `state`; they may be moved from.
  virtual Datum call(State& state, const Datum* env, Datum* args) const = 0;
  // A function of two scalars that is one operation on their bits, and can not fail; else null.
  virtual FastOp fastOperation() const { return nullptr; }

 protected:
  int arity_;
  bool in_prelude_;
};

struct Closure : Object {
  static constexpr Kind kKind = Kind::kClosure;
  Closure(const Function* f, Site s) : Object(kKind), function(f), site(s) {}
  const Function* function;
  Site site;  // of the expression that made it
  std::vector<Datum> env;
  std::vector<Datum> args;  // fewer than the arity
};

// Where a part of a pattern goes: into a slot, or split.
struct Target {
  // kSum: a constructor that is the only one; the slot keeps the whole, for `unbind`.
  enum class Kind { kSlot, kTuple, kSum } kind = Kind::kSlot;
  int slot = 0;
  std::vector<Target> parts;

  void bind(Frame& frame, Datum value) const;
  // The binding that `bind` makes of `array[i]`.
  void bindElement(Frame& frame, const Array& array, int64_t i) const;
  // The value again, moved out of the slots: a loop returns it at its end.
  Datum unbind(Frame& frame) const;
};

// A pattern that a value may not have. Its bindings are of use only if all of it matches.
struct CasePattern {
  enum class Kind { kAny, kSlot, kLiteral, kRecord, kSum } kind = Kind::kAny;
  int slot = 0;
  Datum literal;
  size_t constructor = 0;
  std::vector<CasePattern> parts;  // fields in the order of the type, or the payload

  bool match(Frame& frame, const Datum& value) const;
};

// A size that a value's shape determines: where in the type it stands, and the slot it goes to.
struct SizeBinding {
  int slot = 0;
  std::vector<int> path;  // kDimension: enter an array; else a field (of sums: as in arrays)
  static constexpr int kDimension = -1;
};
void bindSizes(Frame& frame, const std::vector<SizeBinding>& sizes, const Datum& value);
int64_t sizeAt(const Datum& value, const std::vector<int>& path);

// A function written in the language: definition, local function or lambda. The first slots of its
// frame are the arguments.
class UserFunction : public Function {
 public:
  using Function::Function;
  struct Parts {
    int frame_slots = 0;
    struct Destructured {
      int slot;  // of the argument
      Target target;
    };
    std::vector<Destructured> destructured;  // arguments that are not just a name
    NodeRef body;
  };
  void fill(Parts parts) { parts_ = std::move(parts); }
  int frameSlots() const { return parts_.frame_slots; }

  Datum call(State& state, const Datum* env, Datum* args) const override;
  // The derivative of a prelude definition, if not its own code's: by the partials of `rule`
  // (active.h), or by calling `instead`.
  struct Derivative {
    const Function* rule = nullptr;
    const Function* instead = nullptr;
  };
  void setDerivative(Derivative derivative) { derivative_ = derivative; }
  bool hasDerivative() const {
    return derivative_.rule != nullptr || derivative_.instead != nullptr;
  }
  Datum callWithoutRule(State& state, const Datum* env, Datum* args) const;
  // With a frame whose first slots hold the arguments; used again for each element of a map. An
  // empty slot is an argument that has been split already.
  void bindParameters(Frame& frame) const;
  const Node& body() const { return *parts_.body; }
  // The pattern of an argument that is split; null if it is just a name.
  const Target* patternOf(size_t argument) const;

 private:
  Parts parts_;
  Derivative derivative_;
};

// Applies a function value to arguments one after another, running each Code that is complete.
// `args` are consumed.
Datum apply(State& state, Datum function, Datum* args, size_t count);

// A function value that a built-in calls many times with `count` arguments. The function must stay
// alive, which it does in the built-in's own arguments.
class Caller {
 public:
  Caller(State& state, const Datum& function, size_t count);
  Datum* args() const { return frame_.slots; }  // to be filled before each call
  Datum call();
  FastOp fastOperation() const {
    return takesAll() && count_ == 2 ? closure_.function->fastOperation() : nullptr;
  }
  uint64_t callBits();          // for functions whose result is a scalar
  void callFields(Datum* out);  // whose result is a record
  // The argument `array[i]`; a tuple that the function splits is not made.
  void setElement(size_t argument, const Array& array, int64_t i);

 private:
  bool takesAll() const {
    return closure_.args.empty() && static_cast<size_t>(closure_.function->arity()) == count_;
  }
  Datum callOther();  // built-ins, and functions that lack or already have some arguments
  template <typename Run>
  auto inside(const Run& run);

  State& state_;
  const Datum& function_;
  const Closure& closure_;
  size_t count_;
  const UserFunction* user_;  // if running its body is all there is to do: its frame is kept
  bool names_site_;           // failures inside are reported where the function value was made
  Slots slots_;
  Frame frame_;
};

}  // namespace halo::interp
