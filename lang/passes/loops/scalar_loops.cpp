// Bodies in order, so that the elements that a loop begins with are known; loops inside of a loop
// come first.
#include "lang/passes/loops/scalar_loops.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/loops/element_uses.h"
#include "lang/passes/loops/written_out.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

constexpr int64_t kMaxIterations = 64;
// SHA-256 of 262,144 blocks on an H200: 77 us with all loops, 37 with the message written out. With
// the rounds as well, 2,900 statements, it takes 198 us. MD5 has 1,700: 2.06 ms before, 0.68 after.
constexpr int64_t kMaxStatements = 2048;
constexpr int64_t kMaxCarried = 16;  // elements of an array that a loop goes on to carry

class ScalarLoops {
 public:
  explicit ScalarLoops(core::Program& program) : program_(program), known_(program) {}

  void body(Body& b, bool is_cell) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      const bool is_node = !core::isControl(stm.expr);
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
    for (int64_t i = 0; i < type.shape[0].constant.asSigned(); ++i)
      all.emplace_back(
          reads.bind("e", {type.scalar, {}}, core::Index{array.value, {Operand::ofI64(i)}}));
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
    for (size_t i = 0; i < loop.carried.size(); ++i)
      if (!uses.known[i] && !program_.type(loop.carried[i].param).isScalar()) return false;
    Operands values;
    for (size_t i = 0; i < loop.carried.size(); ++i)
      values.push_back(uses.known[i] ? named(elements(loop.carried[i].initial, out), stm, i, out)
                                     : loop.carried[i].initial);
    for (int64_t k = 0; k < trips; ++k) {
      core::Substitution places{
          {form->index, core::Scalar::ofSigned(form->bound.constant.type, k)}};
      for (size_t i = 0; i < values.size(); ++i)
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
    append({{{name}, core::ArrayLiteral{type.scalar, std::move(elements)}, false, stm.span}}, out);
    return name;
  }

  // Results keep their names: scalars through an operation that simplify drops.
  void bind(const Stm& stm, const ElementUses& uses, const Operands& values,
            std::vector<Stm>& out) {
    for (size_t i = 0; i < values.size(); ++i) {
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
    std::vector<bool> is_split = elementUses(program_, loop, known_.lookUp(), false).known;
    for (size_t i = 0; i < is_split.size(); ++i)
      is_split[i] = is_split[i] && elementsIn(loop.carried[i]) <= kMaxCarried;
    if (std::find(is_split.begin(), is_split.end(), true) == is_split.end()) return false;
    Body body;
    std::vector<Stm> rows;  // behind the loop
    const std::vector<ValueId> results = carryElements(stm, is_split, out, body.stms, rows);
    const Operands ended = known_.writeOut(std::move(loop.body), body.stms);
    for (size_t i = 0; i < ended.size(); ++i) {
      const Operands all = is_split[i] ? elements(ended[i], body.stms) : Operands{ended[i]};
      body.results.insert(body.results.end(), all.begin(), all.end());
    }
    loop.body = std::move(body);
    stm.results = results;
    out.push_back(std::move(stm));
    append(std::move(rows), out);
    return true;
  }

  // Results of the loop that carries elements; `begin` and `end` make rows of them.
  std::vector<ValueId> carryElements(Stm& stm, const std::vector<bool>& is_split,
                                     std::vector<Stm>& out, std::vector<Stm>& begin,
                                     std::vector<Stm>& end) {
    auto& loop = std::get<core::Loop>(stm.expr);
    std::vector<core::Carried> carried;
    std::vector<ValueId> results;
    std::vector<Stm> begins;
    int condition = 0;
    auto* form = std::get_if<core::WhileLoop>(&loop.form);
    for (size_t i = 0; i < is_split.size(); ++i) {
      if (form != nullptr && static_cast<size_t>(form->condition) == i)
        condition = static_cast<int>(carried.size());
      if (!is_split[i]) {
        carried.push_back(loop.carried[i]);
        results.push_back(stm.results[i]);
        continue;
      }
      const prim::ScalarType scalar = program_.type(stm.results[i]).scalar;
      core::ArrayLiteral first{scalar, {}}, last{scalar, {}};
      for (const Operand& initial : elements(loop.carried[i].initial, out)) {
        carried.push_back({program_.add("e", {scalar, {}}), initial, false});
        first.elements.emplace_back(carried.back().param);
        results.push_back(program_.add("e", {scalar, {}}));
        last.elements.emplace_back(results.back());
      }
      begins.push_back({{loop.carried[i].param}, std::move(first), false, stm.span});
      end.push_back({{stm.results[i]}, std::move(last), false, stm.span});
    }
    append(std::move(begins), begin);
    loop.carried = std::move(carried);
    if (form != nullptr) form->condition = condition;
    return results;
  }

  void append(std::vector<Stm> rows, std::vector<Stm>& out) {
    for (Stm& row : rows) {
      known_.define(row);
      out.push_back(std::move(row));
    }
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
