// The walk: in program order; the facts of a body are forgotten at its end.
#include "lang/passes/bounds/prove_bounds.h"

#include "lang/core/visit.h"
#include "lang/passes/bounds/bounds_facts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using prim::Op;

class Prover {
 public:
  explicit Prover(const core::Program& program) : program_(program), facts_(program) {}

  void function(core::Function& f) {
    for (ValueId param : f.params) facts_.knowSizes(param);
    for (int i = 0; i < f.size_params; i++) {
      facts_.knowNotNegative(facts_.exact(f.params[static_cast<size_t>(i)]));
    }
    body(f.body);
  }

 private:
  void body(Body& b) {
    size_t mark = facts_.mark();
    std::vector<Stm> kept;
    for (Stm& stm : b.stms) {
      bool holds = statement(stm);
      if (!holds) kept.push_back(std::move(stm));
    }
    b.stms = std::move(kept);
    facts_.forgetTo(mark);
  }

  // Is it an assert that holds?
  bool statement(Stm& stm) {
    if (const auto* assertion = std::get_if<core::Assert>(&stm.expr)) {
      if (facts_.holds(assertion->condition)) return true;
      facts_.knowCondition(assertion->condition, true);
      return false;
    }
    nested(stm);
    prove(stm);
    for (ValueId result : stm.results) facts_.knowSizes(result);
    if (auto* op = std::get_if<core::PrimOp>(&stm.expr)) truncate(*op);
    if (const auto* iota = std::get_if<core::Iota>(&stm.expr))
      iotas_.insert_or_assign(stm.results[0], *iota);
    facts_.define(stm);
    return false;
  }

  // ---- assumptions of bodies

  void nested(Stm& stm) {
    if (auto* node = std::get_if<core::Screma>(&stm.expr)) {
      space({node->width}, node->map, node->inputs, 0);
      for (auto& reduction : node->reductions) lambda(reduction.op);
      for (auto& scan : node->scans) lambda(scan.op);
    } else if (auto* node = std::get_if<core::Stencil>(&stm.expr)) {
      space(node->space, node->map, node->inputs, node->map.params.size() - node->inputs.size());
      for (auto& reduction : node->reductions) lambda(reduction.op);
    } else if (auto* node = std::get_if<core::Scatter>(&stm.expr)) {
      space({node->width}, node->map, node->inputs, 0);
    } else if (auto* node = std::get_if<core::Hist>(&stm.expr)) {
      space({node->width}, node->map, node->inputs, 0);
      for (auto& operation : node->operations) lambda(operation.op);
    } else if (auto* node = std::get_if<core::Match>(&stm.expr)) {
      match(*node);
    } else if (auto* node = std::get_if<core::Loop>(&stm.expr)) {
      loop(*node);
    }
  }

  void lambda(core::Lambda& l) {
    for (ValueId param : l.params) facts_.knowSizes(param);
    body(l.body);
  }

  // A cell of a space exists, so no size is 0; an element of an iota is between its ends.
  void space(const core::Operands& sizes, core::Lambda& map, const std::vector<ValueId>& inputs,
             size_t first) {
    size_t mark = facts_.mark();
    for (const Operand& size : sizes) atLeast(size, 1);
    for (size_t i = 0; i < inputs.size(); i++) element(inputs[i], map.params[first + i]);
    lambda(map);
    facts_.forgetTo(mark);
  }

  void atLeast(const Operand& o, int64_t least) {
    auto p = facts_.exact(o);
    if (p) facts_.knowNotNegative(p->plus(Polynomial::constant(-least)));
  }

  void below(const Operand& o, const Operand& bound) {
    auto p = facts_.exact(o), n = facts_.exact(bound);
    auto difference = p && n ? n->plus(*p, -1) : std::nullopt;
    if (difference) facts_.knowNotNegative(difference->plus(Polynomial::constant(-1)));
  }

  void element(ValueId input, ValueId param) {
    auto found = iotas_.find(input);
    if (found == iotas_.end() || !program_.type(param).isScalar()) return;
    const core::Iota& iota = found->second;
    bool plain = iota.start.isConstant() && iota.start.constant.bits == 0 &&
                 iota.step.isConstant() && iota.step.constant.bits == 1 &&
                 iota.type == prim::ScalarType::kI64;
    if (!plain) return;
    atLeast(param, 0);
    below(param, iota.count);
  }

  void match(core::Match& node) {
    bool of_bool = program_.type(node.scrutinee).scalar == prim::ScalarType::kBool;
    auto arm = [&](Body& b, std::optional<bool> known) {
      size_t mark = facts_.mark();
      if (known) facts_.knowCondition(node.scrutinee, *known);
      body(b);
      facts_.forgetTo(mark);
    };
    for (core::Case& c : node.cases) {
      arm(c.body, of_bool ? std::optional(c.value.asBool()) : std::nullopt);
    }
    bool decided = of_bool && node.cases.size() == 1;
    arm(node.otherwise, decided ? std::optional(!node.cases[0].value.asBool()) : std::nullopt);
  }

  void loop(core::Loop& node) {
    size_t mark = facts_.mark();
    for (const core::Carried& c : node.carried) facts_.knowSizes(c.param);
    if (const auto* form = std::get_if<core::ForLoop>(&node.form)) {
      atLeast(form->index, 0);
      below(form->index, form->bound);
    }
    body(node.body);
    facts_.forgetTo(mark);
  }

  // ---- checks

  // Of numbers that are not negative floor and truncation are the same, and machines
  // truncate.
  void truncate(core::PrimOp& op) {
    if (op.op != Op::kMod && op.op != Op::kDiv) return;
    if (!prim::isSigned(op.type)) return;
    for (const Operand& arg : op.args) {
      if (!facts_.isNotNegative(facts_.exact(arg))) return;
    }
    op.op = op.op == Op::kMod ? Op::kRem : Op::kQuot;
  }

  void prove(Stm& stm) {
    if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
      if (stm.checked) stm.checked = !indices(index->array, index->indices);
    } else if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
      if (stm.checked) {
        stm.checked = !(update->dims.empty() ? indices(update->array, update->indices)
                                             : slices(update->array, update->dims));
      }
    } else if (const auto* slice = std::get_if<core::Slice>(&stm.expr)) {
      if (stm.checked) stm.checked = !slices(slice->array, slice->dims);
    } else if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) {
      if (stm.checked) stm.checked = !operation(*op);
    }
  }

  bool indices(ValueId array, const core::Operands& list) {
    const core::Operands& shape = program_.type(array).shape;
    bool proven = true;
    for (size_t i = 0; i < list.size(); i++) {
      proven = proven && (isInside(facts_.modular(list[i]), shape[i]) ||
                          isInside(facts_.exact(list[i]), shape[i]));
    }
    for (size_t i = 0; i < list.size() && !proven; i++) {  // from here on they are in range
      atLeast(list[i], 0);
      below(list[i], shape[i]);
    }
    return proven;
  }

  bool isInside(const std::optional<Polynomial>& p, const Operand& extent) {
    auto size = facts_.exact(extent);
    auto rest = p && size ? size->plus(*p, -1) : std::nullopt;
    return rest && facts_.isNotNegative(p) &&
           facts_.isNotNegative(rest->plus(Polynomial::constant(-1)));
  }

  // Empty, or both ends in range. With a known stride the ends are start and the last element.
  bool slices(ValueId array, const std::vector<core::SliceDim>& dims) {
    const core::Operands& shape = program_.type(array).shape;
    for (size_t i = 0; i < dims.size(); i++) {
      const core::SliceDim& d = dims[i];
      bool whole =
          d.start == Operand::ofI64(0) && d.stride == Operand::ofI64(1) && d.length == shape[i];
      if (!whole && !slice(d, shape[i])) return false;
    }
    return true;
  }

  bool slice(const core::SliceDim& d, const Operand& extent) {
    if (!d.stride.isConstant()) return false;
    int64_t stride = d.stride.constant.asSigned();
    auto start = facts_.modular(d.start), length = facts_.exact(d.length);
    auto steps = length->plus(Polynomial::constant(-1));
    auto last = steps ? start->plus(*steps, stride) : std::nullopt;
    if (!last) return false;
    auto isBelow = [&](const Polynomial& p) {
      auto rest = facts_.exact(extent)->plus(p, -1);
      return rest && facts_.isNotNegative(rest->plus(Polynomial::constant(-1)));
    };
    // An empty slice is in range anywhere, so its length may be taken to be positive: with a
    // positive stride, start <= last.
    if (stride > 0) return facts_.isNotNegative(start) && isBelow(*last);
    if (stride < 0) return facts_.isNotNegative(last) && isBelow(*start);
    return facts_.isNotNegative(start) && isBelow(*start);
  }

  bool operation(const core::PrimOp& op) {
    auto second = facts_.exact(op.args[1]);
    if (!second) return false;
    if (op.op == Op::kPow) return facts_.isNotNegative(second);
    return facts_.isNotNegative(second->plus(Polynomial::constant(-1)));
  }

  const core::Program& program_;
  BoundsFacts facts_;
  std::unordered_map<ValueId, core::Iota> iotas_;
};

}  // namespace

core::Program proveBounds(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) Prover(result).function(function);
  return result;
}

}  // namespace halo::passes
