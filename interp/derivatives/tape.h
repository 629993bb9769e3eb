// Reverse mode: the operations that depend on the arguments of one operator, in the order in which
// they ran, each with its operands' weights. Running it backwards carries cotangents from results
// to arguments.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interp/arrays/datum.h"
#include "interp/state.h"

namespace halo::interp {

// How a tangent goes through an operation, and a cotangent back.
struct Weight {
  enum class Kind : uint8_t { kOne, kMinusOne, kFactor, kGuarded, kConvert, kConvertBits };
  Kind kind = Kind::kOne;
  ScalarType type =
      ScalarType::kI64;  // of the operand; conversions: from here to the result's type
  Datum factor;          // kFactor, kGuarded

  // The tangent of the result (`to` is its type), the cotangent of the operand.
  Datum forward(State& state, const Datum& tangent, ScalarType to) const;
  Datum reverse(State& state, const Datum& cotangent) const;

 private:
  Datum scaled(State& state, const Datum& value) const;
};

// `with_vjp`: several results, several operands, a function of the language from one to the other.
class Rule {
 public:
  virtual ~Rule() = default;
  // Cotangents of the results (nothing: zero) to those of the operands.
  virtual std::vector<Datum> reverse(State& state, std::span<const Datum> cotangents) const = 0;
};

class Tape {
 public:
  using Node = uint32_t;
  static constexpr Node kConstant = ~Node{0};  // an operand that is not on the tape

  struct Operand {
    Node node;
    Weight weight;
  };

  explicit Tape(State& state) : state_(state) {}
  Node argument() { return record({}); }
  Node record(std::span<const Operand> operands);
  // The first of as many nodes as there are results.
  Node record(std::unique_ptr<const Rule> rule, size_t results, std::vector<Node> operands);
  size_t size() const { return ends_.size(); }

  // Adjoints by node: gets those of the results, leaves those of the arguments. A node without one
  // has nothing, `Datum()`.
  void sweep(std::vector<Datum>& adjoints) const;

 private:
  struct Ruled {
    Node first;
    size_t results;
    std::vector<Node> operands;
    std::unique_ptr<const Rule> rule;
  };
  void reserve();
  void add(std::vector<Datum>& adjoints, Node node, Datum contribution) const;
  void sweepRule(std::vector<Datum>& adjoints, const Ruled& ruled) const;

  State& state_;
  std::vector<Operand> operands_;  // of one record after the other
  std::vector<size_t> ends_;       // by node
  std::vector<Ruled> ruled_;       // ascending
};

// Whether a cotangent is there; of those that are not known to be zero.
inline bool isNothing(const Datum& adjoint) {
  return adjoint.active() == nullptr && adjoint.bits() == 0 && adjoint.type() == Datum().type();
}

}  // namespace halo::interp
