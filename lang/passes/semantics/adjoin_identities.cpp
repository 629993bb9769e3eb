// A node's operators are numbered as its results are: reductions, then scans. Rows of a longer
// reduction (partial values) keep their operators: the rank that joins them has the same code.
#include "lang/passes/semantics/adjoin_identities.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using namespace core;
using prim::Op;

const Operand kTrue = Scalar::ofBool(true), kFalse = Scalar::ofBool(false);
const Type kBool{ScalarType::kBool, {}};

// An operator with its neutral elements, and what is to be changed with it.
struct Operator {
  Lambda* op;
  Operands* neutral;
  Type has;  // of the result that says whether there is an element
  bool is_changed = false;
};

class Adjoining {
 public:
  explicit Adjoining(Program& program) : program_(program) {}

  void run(Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      visitBodies(stm.expr, [&](Body& inner) { run(inner); });
      front_ = &stms;
      if (auto* screma = std::get_if<Screma>(&stm.expr)) change(stm, *screma);
      if (auto* stencil = std::get_if<Stencil>(&stm.expr)) change(stm, *stencil);
      if (auto* hist = std::get_if<Hist>(&stm.expr)) change(stm, *hist);
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

 private:
  void change(Stm& stm, Screma& node) {
    if (node.partial_values || node.joins != Joins::kNothing) return;
    std::vector<Operator> operators;
    for (Reduction& each : node.reductions) operators.push_back({&each.op, &each.neutral, kBool});
    const Type flags{ScalarType::kBool, {node.width}};
    for (Scan& each : node.scans) operators.push_back({&each.op, &each.neutral, flags});
    if (!findFailing(operators)) return;
    Builder code(program_);
    code.body().stms = std::move(node.map.body.stms);
    const Operand is_first = code.prim(Op::kEq, ScalarType::kI64, {placeIn(node, stm.span), kZero});
    changeAll(stm, node.map, operators, code, is_first);
  }

  void change(Stm& stm, Stencil& node) {
    if (node.partial_tiles) return;
    std::vector<Operator> operators;
    for (Reduction& each : node.reductions) operators.push_back({&each.op, &each.neutral, kBool});
    if (!findFailing(operators)) return;
    Builder code(program_);
    code.body().stms = std::move(node.map.body.stms);
    Operand is_first = kTrue;
    for (size_t axis = 0; axis < node.space.size(); ++axis) {
      const Operand here = code.prim(Op::kEq, ScalarType::kI64, {positionOf(node, axis), kZero});
      is_first = axis == 0 ? here : code.prim(Op::kAnd, ScalarType::kBool, {is_first, here});
    }
    changeAll(stm, node.map, operators, code, is_first);
  }

  // Destinations are elements, so that the operator meets no neutral element.
  void change(Stm& stm, Hist& node) {
    std::vector<ValueId> results;
    Operands values;
    size_t next_result = 0, next_value = 0;
    for (HistOp& operation : node.operations) {
      const auto rank = static_cast<size_t>(operation.index_rank);
      const size_t arity = operation.destinations.size();
      const bool is_failing = mayFail(operation.op);
      take(values, node.map.body.results, next_value, rank);
      if (is_failing) values.push_back(kTrue);
      take(values, node.map.body.results, next_value, arity);
      if (is_failing) results.push_back(destinationsHave(operation, rank, stm.span));
      for (size_t k = 0; k < arity; ++k) results.push_back(stm.results[next_result++]);
      if (is_failing) adjoin(operation.op, operation.neutral);
    }
    node.map.body.results = std::move(values);
    stm.results = std::move(results);
  }

  static void take(Operands& to, const Operands& from, size_t& next, size_t count) {
    for (size_t k = 0; k < count; ++k) to.push_back(from[next++]);
  }

  // An array of `true` in front of the destinations; the result that belongs to it.
  ValueId destinationsHave(HistOp& operation, size_t rank, source::Span span) {
    Type flags = program_.type(operation.destinations[0]);
    flags.scalar = ScalarType::kBool;
    flags.shape.resize(rank);
    const ValueId all = program_.add("has", flags);
    front_->push_back({{all}, Replicate{flags.shape, kTrue}, false, span});
    operation.destinations.insert(operation.destinations.begin(), all);
    return program_.add("has", flags);
  }

  static bool findFailing(std::vector<Operator>& operators) {
    for (Operator& each : operators) each.is_changed = mayFail(*each.op);
    return std::any_of(operators.begin(), operators.end(),
                       [](const Operator& each) { return each.is_changed; });
  }

  // The number of the element, as a parameter of the map.
  Operand placeIn(Screma& node, source::Span span) {
    const ValueId places = program_.add("places", {ScalarType::kI64, {node.width}});
    front_->push_back({{places}, Iota{ScalarType::kI64, node.width, kZero, kOne}, false, span});
    node.inputs.push_back(places);
    node.map.params.push_back(program_.add("place", {}));
    return node.map.params.back();
  }
  Operand positionOf(Stencil& node, size_t axis) {
    const auto found = std::find(node.positions.begin(), node.positions.end(), axis);
    const auto behind = static_cast<size_t>(node.positions.end() - found);
    if (behind > 0) return node.map.params[node.map.params.size() - behind];
    node.positions.push_back(axis);
    node.map.params.push_back(program_.add("place", {}));
    return node.map.params.back();
  }

  // Operators, the map whose statements `code` has, and the results of the statement.
  void changeAll(Stm& stm, Lambda& map, std::vector<Operator>& operators, Builder& code,
                 const Operand& is_first) {
    std::vector<ValueId> results;
    Operands values;
    size_t next = 0;
    for (Operator& each : operators) {
      const size_t arity = each.neutral->size(), begin = next;
      Operands elements;
      take(elements, map.body.results, next, arity);
      if (each.is_changed) {
        results.push_back(program_.add("has", each.has));
        elements = afterNeutral(code, each, elements, is_first);
        values.push_back(kTrue);
        adjoin(*each.op, *each.neutral);
      }
      values.insert(values.end(), elements.begin(), elements.end());
      for (size_t k = begin; k < next; ++k) results.push_back(stm.results[k]);
    }
    results.insert(results.end(), stm.results.begin() + static_cast<std::ptrdiff_t>(next),
                   stm.results.end());
    take(values, map.body.results, next, map.body.results.size() - next);
    map.body = code.take(std::move(values));
    stm.results = std::move(results);
  }

  // Of the first element, op(neutral, element).
  Operands afterNeutral(Builder& code, const Operator& each, const Operands& elements,
                        const Operand& is_first) {
    Operands args = *each.neutral;
    args.insert(args.end(), elements.begin(), elements.end());
    auto [stms, results] = apply(program_, *each.op, args);
    Body first{std::move(stms), std::move(results)};
    return choose(code, typesOf(*each.op, elements.size()), is_first, std::move(first),
                  {{}, elements});
  }

  std::vector<Type> typesOf(const Lambda& op, size_t arity) const {
    std::vector<Type> types;
    for (size_t k = 0; k < arity; ++k) types.push_back(program_.type(op.params[k]));
    return types;
  }

  static Operands choose(Builder& code, std::vector<Type> types, const Operand& condition,
                         Body on_true, Body on_false) {
    Match match{condition, {{Scalar::ofBool(true), std::move(on_true)}}, std::move(on_false)};
    const std::vector<ValueId> chosen = code.bindAll("v", std::move(types), std::move(match));
    return {chosen.begin(), chosen.end()};
  }

  void adjoin(Lambda& op, Operands& neutral) {
    const size_t arity = neutral.size();
    const auto middle = op.params.begin() + static_cast<std::ptrdiff_t>(arity);
    const Operands left(op.params.begin(), middle), right(middle, op.params.end());
    const std::vector<Type> types = typesOf(op, arity);
    const ValueId has_left = program_.add("has", kBool), has_right = program_.add("has", kBool);
    Builder other(program_);
    const Operands one = choose(other, types, has_right, {{}, right}, {{}, left});
    Builder code(program_);
    const Operands has{has_left, has_right};
    Operands results{code.prim(Op::kOr, ScalarType::kBool, has)};
    const Operand are_both = code.prim(Op::kAnd, ScalarType::kBool, has);
    const Operands values = choose(code, types, are_both, std::move(op.body), other.take(one));
    results.insert(results.end(), values.begin(), values.end());
    op.params.insert(middle, has_right);
    op.params.insert(op.params.begin(), has_left);
    op.body = code.take(std::move(results));
    neutral.insert(neutral.begin(), kFalse);
  }

  Program& program_;
  std::vector<Stm>* front_ = nullptr;  // in front of the statement
};

}  // namespace

Program adjoinIdentities(const Program& program) {
  return withBodies(
      program, [](Program& changed, const Function&, Body& body) { Adjoining(changed).run(body); });
}

}  // namespace halo::passes
