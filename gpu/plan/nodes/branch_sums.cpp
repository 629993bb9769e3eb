// A reduction leaves one branch after another, beginning with the innermost.
#include "gpu/plan/nodes/branch_sums.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/levels.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

#include "lang/passes/simplify/if_to_select.h"

namespace halo::gpu {

using namespace core;

namespace {

// Nothing but reductions of scalars, over more elements than an invocation takes.
bool isSum(const Program& program, const Stm& stm) {
  const auto* node = std::get_if<Screma>(&stm.expr);
  if (node == nullptr || node->reductions.empty() || !node->scans.empty()) return false;
  size_t reduced = 0;
  for (const Reduction& reduction : node->reductions) reduced += reduction.neutral.size();
  return reduced == stm.results.size() && !mayFail(stm) && !mayNotEnd(stm) &&
         hasScalarOperators(program, *node) && !isFew({node->width});
}

bool isLoad(const Program& program, const Stm& stm) {
  return std::holds_alternative<Index>(stm.expr) && program.type(stm.results[0]).isScalar();
}

class BranchSums {
 public:
  BranchSums(Program& program, std::unordered_set<ValueId> local)
      : program_(program), local_(std::move(local)) {}

  Body run(const Body& body) {
    Body out;
    out.results = body.results;
    for (const Stm& stm : body.stms) {
      const auto* branch = std::get_if<Match>(&stm.expr);
      const bool differs = branch != nullptr && !branch->scrutinee.isConstant() &&
                           local_.contains(branch->scrutinee.value);
      if (differs) {
        lift(stm, *branch, out.stms);
      } else {
        out.stms.push_back(stm);
      }
      local_.insert(stm.results.begin(), stm.results.end());
    }
    return out;
  }

 private:
  // Sums, and the statement without them. Where only scalar code is left of the arms, it may be a
  // reduction's epilogue (nest.h).
  void lift(const Stm& stm, const Match& branch, std::vector<Stm>& out) {
    const size_t count = out.size();
    Match rest = branch;
    for (size_t k = 0; k < rest.cases.size(); ++k) {
      rest.cases[k].body = arm(branch, k, run(branch.cases[k].body), out);
    }
    rest.otherwise = arm(branch, rest.cases.size(), run(branch.otherwise), out);
    Stm left = {stm.results, std::move(rest), stm.checked, stm.span};
    Builder selects(program_);
    if (out.size() > count && passes::appendSelects(selects, left)) {
      for (Stm& select : selects.take({}).stms) out.push_back(std::move(select));
    } else {
      out.push_back(std::move(left));
    }
  }

  // Arm number `k`: that of no case is the last one.
  Body arm(const Match& branch, size_t k, Body body, std::vector<Stm>& before) {
    Body rest;
    rest.results = std::move(body.results);
    std::vector<Stm> cheap;
    std::unordered_set<ValueId> bound;  // in the arm, by statements that stay there
    for (Stm& stm : body.stms) {
      if (isSum(program_, stm) && lift(branch, k, {stm, cheap, bound}, before)) continue;
      if (isCheap(stm)) {
        cheap.push_back(stm);
      } else {
        bound.insert(stm.results.begin(), stm.results.end());
      }
      rest.stms.push_back(std::move(stm));
    }
    return rest;
  }

  struct Sum {
    const Stm& stm;
    const std::vector<Stm>& cheap;  // code in front of it
    const std::unordered_set<ValueId>& bound;
  };

  bool lift(const Match& branch, size_t k, const Sum& sum, std::vector<Stm>& before) {
    const auto& node = std::get<Screma>(sum.stm.expr);
    // All but the map runs for all cells.
    Body around{{}, Operands(node.inputs.begin(), node.inputs.end())};
    around.results.push_back(node.width);
    Screma reduction = node;
    reduction.map = {};
    for (ValueId used : freeValues(program_, Stm{sum.stm.results, reduction, false, {}})) {
      around.results.emplace_back(used);
    }
    around = withNeeded(program_, sum.cheap, std::move(around));
    const bool loads = std::any_of(around.stms.begin(), around.stms.end(),
                                   [&](const Stm& stm) { return isLoad(program_, stm); });
    const ValueId at = program_.add("j", {ScalarType::kI64, {}});
    const Body inside = freshCopy(program_, withNeeded(program_, sum.cheap, elementOf(node, at)));
    if (loads || isMadeIn(sum, around) || isMadeIn(sum, inside)) return false;
    Stm masked = sum.stm;
    auto& made = std::get<Screma>(masked.expr);
    made.map = {{at}, maskedMap(branch, k, node, inside)};
    Builder code(program_);
    for (const Stm& stm : around.stms) code.append(stm);
    made.inputs = {
        code.bind("js", {ScalarType::kI64, {node.width}},
                  Iota{ScalarType::kI64, node.width, Operand::ofI64(0), Operand::ofI64(1)})};
    code.append(std::move(masked));
    Body whole = code.take(Operands(sum.stm.results.begin(), sum.stm.results.end()));
    whole = freshCopy(program_, whole);
    // The sum keeps its name.
    Stm& last = whole.stms.back();
    last.results = sum.stm.results;
    for (Stm& stm : whole.stms) before.push_back(std::move(stm));
    return true;
  }

  bool isMadeIn(const Sum& sum, const Body& body) const {
    for (ValueId used : freeValues(program_, body)) {
      if (sum.bound.contains(used)) return true;
    }
    return false;
  }

  // The map's code for one place. Rows may exist only where the arm is taken, so it loads them.
  Body elementOf(const Screma& node, ValueId at) {
    Builder code(program_);
    Operands elements;
    for (ValueId input : node.inputs) {
      elements.emplace_back(code.bind("x", rowOf(program_.type(input)), Index{input, {at}}));
    }
    auto [stms, results] = apply(program_, node.map, elements);
    for (Stm& stm : stms) code.append(std::move(stm));
    return code.take(std::move(results));
  }

  // The map where the arm is taken, else neutral elements.
  Body maskedMap(const Match& branch, size_t k, const Screma& node, const Body& inside) {
    Body neutral;
    for (const Reduction& reduction : node.reductions) {
      neutral.results.insert(neutral.results.end(), reduction.neutral.begin(),
                             reduction.neutral.end());
    }
    Match mask{branch.scrutinee, {}, k == branch.cases.size() ? inside : neutral};
    for (size_t c = 0; c < branch.cases.size(); ++c) {
      if (k == branch.cases.size()) mask.cases.push_back({branch.cases[c].value, neutral});
      if (k == c) mask.cases.push_back({branch.cases[c].value, inside});
    }
    std::vector<Type> types;
    for (const Operand& element : neutral.results) types.push_back(program_.type(element));
    Builder map(program_);
    const std::vector<ValueId> made = map.bindAll("e", types, std::move(mask));
    return map.take(Operands(made.begin(), made.end()));
  }

  Program& program_;
  std::unordered_set<ValueId> local_;
};

}  // namespace

Body withBranchSums(Program& program, const Body& body, std::unordered_set<ValueId> local) {
  return BranchSums(program, std::move(local)).run(body);
}

}  // namespace halo::gpu
