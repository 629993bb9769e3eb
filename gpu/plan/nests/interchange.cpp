// The body of a loop or an arm becomes the body of a nest with the same levels.
#include "gpu/plan/nests/interchange.h"

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

Loop Interchange::loop(const Loop& loop, const UniformLoop& uniform, const Operands& initials,
                       Span span, std::vector<Stm>& host) {
  Loop outer;
  outer.form = loop.form;
  Expanded inside = expanded_;
  Body body{loop.body.stms, {}};
  std::vector<ValueId> made;
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    ValueId param = loop.carried[k].param;
    if (!uniform.isUniform(k)) {
      const Type all = levels_.expandedType(program_.type(param));
      param = program_.add(program_.values[param].name, all);
      inside[loop.carried[k].param] = param;
      body.results.push_back(loop.body.results[k]);
      made.push_back(program_.add("next", all));
    }
    outer.carried.push_back({param, initials[k], loop.carried[k].consumed});
  }
  body = withNeeded(program_, cheap_, std::move(body));
  outer.body.stms.push_back(levels_.nest(std::move(body), made, inside, span));
  Operands shared;
  if (uniform.hasState()) {
    Body step = freshCopy(program_, uniform.step(program_));
    for (Stm& one : step.stms) outer.body.stms.push_back(std::move(one));
    shared = std::move(step.results);
    onlyForCells(outer, host);
  }
  for (size_t k = 0, next = 0, same = 0; k < loop.carried.size(); ++k) {
    outer.body.results.push_back(uniform.isUniform(k) ? shared[same++] : Operand(made[next++]));
  }
  return outer;
}

// Without cells the loop does not run: it might not end, or its uniform code might be of no cell.
void Interchange::onlyForCells(Loop& loop, std::vector<Stm>& host) {
  Builder code(program_);
  const auto both = [&](const Operand& a, const Operand& b) {
    return code.prim(Op::kAnd, ScalarType::kBool, {a, b});
  };
  Operand has_cells;
  for (const Operand& width : levels_.widths()) {
    const Operand some = code.prim(Op::kGt, ScalarType::kI64, {width, Operand::ofI64(0)});
    const bool is_first = &width == &levels_.widths().front();
    has_cells = is_first ? some : both(has_cells, some);
  }
  if (auto* counted = std::get_if<ForLoop>(&loop.form)) {
    counted->bound = code.bind("bound", {ScalarType::kI64, {}},
                               Select{has_cells, counted->bound, Operand::ofI64(0)});
  } else {
    const auto condition = static_cast<size_t>(std::get<WhileLoop>(loop.form).condition);
    Operand& first = loop.carried[condition].initial;
    first = both(has_cells, first);
  }
  for (Stm& made : code.take({}).stms) host.push_back(std::move(made));
}

Match Interchange::match(const Stm& stm, const Match& match, const std::vector<size_t>& wanted) {
  Match outer;
  outer.scrutinee = match.scrutinee;
  auto forAllCells = [&](const Body& arm) {
    std::vector<ValueId> made;
    Body body{arm.stms, {}};
    for (size_t k : wanted) {
      const Type type = levels_.expandedType(program_.type(stm.results[k]));
      made.push_back(program_.add("arm", type));
      body.results.push_back(arm.results[k]);
    }
    body = withNeeded(program_, cheap_, std::move(body));
    Body all;
    all.stms.push_back(levels_.nest(std::move(body), made, expanded_, stm.span));
    all.results = Operands(made.begin(), made.end());
    return all;
  };
  for (const Case& one : match.cases) outer.cases.push_back({one.value, forAllCells(one.body)});
  outer.otherwise = forAllCells(match.otherwise);
  return outer;
}

}  // namespace halo::gpu
