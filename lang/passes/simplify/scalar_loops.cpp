// Bodies in order, so that the elements that a loop begins with are known; loops inside of a loop
// come first.
#include "lang/passes/simplify/scalar_loops.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/element_uses.h"
#include "lang/passes/simplify/written_out.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

constexpr int64_t kMaxIterations = 64;
constexpr int64_t kMaxStatements = 3072;
constexpr int64_t kMaxCarried = 16;  // elements of an array that a loop goes on to carry

class ScalarLoops {
 public:
  explicit ScalarLoops(core::Program& program) : program_(program), known_(program) {}

  void body(Body& b, bool is_cell) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      const bool is_node = !std::holds_alternative<core::Match>(stm.expr) &&
                           !std::holds_alternative<core::Loop>(stm.expr);
      core::visitBodies(stm.expr, [&](Body& below) { body(below, is_cell || is_node); });
      if (is_cell) known_.makeRow(stm);
      auto* loop = std::get_if<core::Loop>(&stm.expr);
      if (!is_cell || loop == nullptr || !(writeOut(stm, *loop, b.stms) || split(stm, b.stms)))
        b.stms.push_back(std::move(stm));
      known_.define(b.stms.back());
    }
  }

 private:
  int64_t elementsIn(const core::Carried& carried) const {
    return program_.type(carried.param).shape[0].constant.asSigned();
  }

  // Elements of an array, which are read where they are unknown.
  Operands elements(const Operand& array, std::vector<Stm>& out) {
    if (const auto known = known_.elements(array.value)) return *known;
    const core::Type type = program_.type(array);
    core::Builder reads(program_);
    Operands all;
    for (int64_t i = 0; i < type.shape[0].constant.asSigned(); i++)
      all.emplace_back(reads.bind("e", {type.scalar, {}},
                                  core::Index{array.value, {Operand::ofI64(i)}}));
    for (Stm& read : reads.body().stms) out.push_back(std::move(read));
    return all;
  }

  bool writeOut(const Stm& stm, const core::Loop& loop, std::vector<Stm>& out) {
    const auto* form = std::get_if<core::ForLoop>(&loop.form);
    if (form == nullptr || !form->bound.isConstant()) return false;
    const int64_t trips = form->bound.constant.asSigned();
    if (trips < 1 || trips > kMaxIterations) return false;
    const ElementUses uses = elementUses(program_, loop, known_.lookUp(), true);
    if (!uses.are_by_index || uses.have_unwritten || uses.statements * trips > kMaxStatements)
      return false;
    for (size_t i = 0; i < loop.carried.size(); i++)
      if (!uses.known[i] && !program_.type(loop.carried[i].param).isScalar()) return false;
    Operands values;
    for (size_t i = 0; i < loop.carried.size(); i++)
      values.push_back(uses.known[i] ? named(elements(loop.carried[i].initial, out), stm, i, out)
                                     : loop.carried[i].initial);
    for (int64_t k = 0; k < trips; k++) {
      core::Substitution places{{form->index, core::Scalar::ofSigned(form->bound.constant.type, k)}};
      for (size_t i = 0; i < values.size(); i++)
        places.insert_or_assign(loop.carried[i].param, values[i]);
      values = known_.writeOut(core::freshCopy(program_, loop.body, std::move(places)), out);
    }
    bind(stm, uses, values, out);
    return true;
  }

  // An array of them.
  Operand named(Operands elements, const Stm& stm, size_t result, std::vector<Stm>& out) {
    const core::Type type = program_.type(stm.results[result]);
    const ValueId name = program_.add("row", type);
    out.push_back({{name}, core::ArrayLiteral{type.scalar, std::move(elements)}, false, stm.span});
    known_.define(out.back());
    return name;
  }

  // Results keep their names: scalars through an operation that simplify drops.
  void bind(const Stm& stm, const ElementUses& uses, const Operands& values,
            std::vector<Stm>& out) {
    for (size_t i = 0; i < values.size(); i++) {
      core::Expr same = core::Select{core::Scalar::ofBool(true), values[i], values[i]};
      if (uses.known[i])
        same = core::ArrayLiteral{program_.type(stm.results[i]).scalar, elements(values[i], out)};
      out.push_back({{stm.results[i]}, std::move(same), false, stm.span});
      known_.define(out.back());
    }
  }

  // The loop goes on to carry the elements.
  bool split(Stm& stm, std::vector<Stm>& out) {
    auto& loop = std::get<core::Loop>(stm.expr);
    const ElementUses uses = elementUses(program_, loop, known_.lookUp(), false);
    const auto isSplit = [&](size_t i) {
      return uses.known[i] && elementsIn(loop.carried[i]) <= kMaxCarried;
    };
    bool is_any = false;
    for (size_t i = 0; i < loop.carried.size(); i++) is_any = is_any || isSplit(i);
    if (!is_any) return false;
    std::vector<core::Carried> carried;
    std::vector<Stm> rows, ends, arrays;
    std::vector<ValueId> results;
    Operands next;
    int condition = 0;
    auto* form = std::get_if<core::WhileLoop>(&loop.form);
    Known inside(program_);
    Body body = std::move(loop.body);
    for (size_t i = 0; i < loop.carried.size(); i++) {
      if (form != nullptr && static_cast<size_t>(form->condition) == i)
        condition = static_cast<int>(carried.size());
      if (!isSplit(i)) {
        carried.push_back(loop.carried[i]);
        results.push_back(stm.results[i]);
        continue;
      }
      const core::Type row = program_.type(loop.carried[i].param);
      core::ArrayLiteral begin{row.scalar, {}}, end{row.scalar, {}};
      for (const Operand& initial : elements(loop.carried[i].initial, out)) {
        const ValueId param = program_.add("e", {row.scalar, {}});
        carried.push_back({param, initial, false});
        begin.elements.emplace_back(param);
        results.push_back(program_.add("e", {row.scalar, {}}));
        end.elements.emplace_back(results.back());
      }
      rows.push_back({{loop.carried[i].param}, std::move(begin), false, stm.span});
      arrays.push_back({{stm.results[i]}, std::move(end), false, stm.span});
    }
    // Updates of known rows are rows of the new elements.
    Body written;
    for (Stm& row : rows) {
      known_.define(row);
      written.stms.push_back(std::move(row));
    }
    const Operands ended = known_.writeOut(std::move(body), written.stms);
    for (size_t i = 0; i < loop.carried.size(); i++) {
      if (!isSplit(i)) {
        written.results.push_back(ended[i]);
      } else {
        const Operands all = elements(ended[i], written.stms);
        written.results.insert(written.results.end(), all.begin(), all.end());
      }
    }
    loop.body = std::move(written);
    loop.carried = std::move(carried);
    if (form != nullptr) form->condition = condition;
    stm.results = std::move(results);
    out.push_back(std::move(stm));
    for (Stm& array : arrays) {
      known_.define(array);
      out.push_back(std::move(array));
    }
    return true;
  }

  core::Program& program_;
  Known known_;
};

}  // namespace

core::Program scalarLoops(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    ScalarLoops(result).body(body, false);
  });
}

}  // namespace halo::passes
