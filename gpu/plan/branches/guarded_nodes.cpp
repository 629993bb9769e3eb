// Innermost lambdas as a whole; around them one statement after another.
#include "gpu/plan/branches/guarded_nodes.h"

#include <algorithm>
#include <utility>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::gpu {

using namespace core;

namespace {

class NodeGuard {
 public:
  NodeGuard(Program& program, const Taken& taken) : program_(program), taken_(taken) {}

  std::optional<Screma> run(Screma node) {
    const auto mayFailIn = [](const auto& one) { return mayFail(one.op); };
    fails_ = fails_ || std::any_of(node.reductions.begin(), node.reductions.end(), mayFailIn) ||
             std::any_of(node.scans.begin(), node.scans.end(), mayFailIn);
    guard(node.map.body);
    if (fails_) return std::nullopt;
    return node;
  }

 private:
  void guard(Body& body) {
    const bool is_scalar = std::all_of(body.stms.begin(), body.stms.end(),
                                       [&](const Stm& stm) { return isScalarCode(program_, stm); });
    const bool is_total = std::all_of(body.stms.begin(), body.stms.end(), isTotal);
    if (is_total) return;
    if (is_scalar && haveScalars(body.results)) return guardAll(body);
    for (Stm& stm : body.stms) guard(stm);
  }
  bool haveScalars(const Operands& results) const {
    return std::all_of(results.begin(), results.end(),
                       [&](const Operand& result) { return program_.type(result).isScalar(); });
  }
  void guardAll(Body& body) {
    std::vector<Type> types;
    for (const Operand& result : body.results) types.push_back(program_.type(result));
    Builder code(program_);
    const std::vector<ValueId> made =
        code.bindAll("y", types, taken_.branch(std::move(body), zeros(types)));
    body = code.take(Operands(made.begin(), made.end()));
  }
  void guard(Stm& stm) {
    if (auto* node = std::get_if<Screma>(&stm.expr)) {
      if (const std::optional<Screma> own = run(*node)) *node = *own;
    } else if (isScalarCode(program_, stm) && !isTotal(stm)) {
      Body alone{{stm}, Operands(stm.results.begin(), stm.results.end())};
      std::vector<Type> types;
      for (const ValueId result : stm.results) types.push_back(program_.type(result));
      stm.expr = taken_.branch(freshCopy(program_, alone), zeros(types));
      stm.checked = false;
    } else if (!isTotal(stm)) {
      fails_ = fails_ || !(std::holds_alternative<Rearrange>(stm.expr) ||
                           std::holds_alternative<Iota>(stm.expr) ||
                           std::holds_alternative<Replicate>(stm.expr));
    }
  }

  Program& program_;
  const Taken& taken_;
  bool fails_ = false;
};

}  // namespace

Match Taken::branch(Body taken, Body other) const {
  if (!when) std::swap(taken, other);
  return {condition, {{Scalar::ofBool(true), std::move(taken)}}, std::move(other)};
}

Body zeros(const std::vector<Type>& types) {
  Body body;
  for (const Type& type : types) body.results.emplace_back(prim::zero(type.scalar));
  return body;
}

bool isTotal(const Stm& stm) { return !stm.checked && passes::isTotalScalar(stm.expr); }

bool isScalarCode(const Program& program, const Stm& stm) {
  bool is_plain = isControl(stm.expr) || isTotal(stm) || std::holds_alternative<PrimOp>(stm.expr) ||
                  std::holds_alternative<Convert>(stm.expr) ||
                  std::holds_alternative<Index>(stm.expr) ||
                  std::holds_alternative<Assert>(stm.expr);
  for (const ValueId result : stm.results) is_plain = is_plain && program.type(result).isScalar();
  visitBodies(stm.expr, [&](const Body& body) {
    for (const Stm& inner : body.stms) is_plain = is_plain && isScalarCode(program, inner);
  });
  return is_plain;
}

std::optional<Screma> guardedNode(Program& program, const Screma& node, const Taken& taken) {
  return NodeGuard(program, taken).run(node);
}

}  // namespace halo::gpu
