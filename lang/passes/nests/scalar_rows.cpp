// Rows are split behind the map and in front of the neutral elements, and put together inside of
// the operator and behind the node.
#include "lang/passes/nests/scalar_rows.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/nests/interchange.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Lambda;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stm;
using core::Type;
using core::ValueId;

constexpr int64_t kMaxElements = 16;  // of all rows that an operator combines

// Elements of a row of known size, 1 for a scalar; more than kMaxElements for all others.
int64_t elementsOf(const Type& type) {
  int64_t count = 1;
  for (const Operand& extent : type.shape) {
    if (!extent.isConstant()) return kMaxElements + 1;
    const int64_t size = extent.constant.asSigned();
    if (size < 1 || size > kMaxElements) return kMaxElements + 1;
    count = std::min(count * size, kMaxElements + 1);
  }
  return count;
}

class ScalarRows {
 public:
  explicit ScalarRows(core::Program& program) : program_(program) {}

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      const auto* screma = std::get_if<Screma>(&stm.expr);
      if (screma == nullptr || !isWanted(*screma)) {
        b.stms.push_back(std::move(stm));
        continue;
      }
      for (Stm& made : rewritten(stm, *screma)) b.stms.push_back(std::move(made));
    }
  }

 private:
  bool isWanted(const Screma& screma) {
    if (screma.partial_values) return false;
    std::vector<const Lambda*> of_rows;
    bool are_short = true;
    auto look = [&](const Lambda& op, const Operands& neutral) {
      if (worksOnScalars(neutral)) return;
      of_rows.push_back(&op);
      int64_t elements = 0;
      for (const Operand& each : neutral) elements += elementsOf(program_.type(each));
      are_short = are_short && elements <= kMaxElements;
    };
    for (const core::Reduction& reduction : screma.reductions)
      look(reduction.op, reduction.neutral);
    for (const core::Scan& scan : screma.scans) look(scan.op, scan.neutral);
    return are_short && std::any_of(of_rows.begin(), of_rows.end(), [&](const Lambda* op) {
             return !elementOperator(program_, *op);
           });
  }
  bool worksOnScalars(const Operands& neutral) const {
    return std::all_of(neutral.begin(), neutral.end(),
                       [&](const Operand& each) { return program_.type(each).isScalar(); });
  }

  std::vector<Stm> rewritten(const Stm& stm, const Screma& screma) {
    core::Builder before(program_), mapped(program_), after(program_);
    Screma node = screma;
    std::vector<ValueId> results;
    size_t next = 0;  // result of the node, and of its map
    for (core::Reduction& reduction : node.reductions) {
      for (const Operand& neutral : reduction.neutral) {
        const std::vector<ValueId> parts = fresh(program_.type(neutral), {});
        results.insert(results.end(), parts.begin(), parts.end());
        join(after, stm.results[next++], {parts.begin(), parts.end()});
      }
      reduction.op = onScalars(reduction.op);
      reduction.neutral = apart(before, reduction.neutral);
    }
    for (core::Scan& scan : node.scans) {
      for (const Operand& neutral : scan.neutral) {
        const std::vector<ValueId> parts = fresh(program_.type(neutral), {node.width});
        results.insert(results.end(), parts.begin(), parts.end());
        joinRows(after, stm.results[next++], parts, stm.span);
      }
      scan.op = onScalars(scan.op);
      scan.neutral = apart(before, scan.neutral);
    }
    results.insert(results.end(), stm.results.begin() + static_cast<std::ptrdiff_t>(next),
                   stm.results.end());
    Operands& of_map = node.map.body.results;
    const Operands combined(of_map.begin(), of_map.begin() + static_cast<std::ptrdiff_t>(next));
    of_map.erase(of_map.begin(), of_map.begin() + static_cast<std::ptrdiff_t>(next));
    const Operands parts = apart(mapped, combined);
    of_map.insert(of_map.begin(), parts.begin(), parts.end());
    for (Stm& made : mapped.take({}).stms) node.map.body.stms.push_back(std::move(made));
    before.append({std::move(results), std::move(node), stm.checked, stm.span});
    std::vector<Stm> all = before.take({}).stms;
    for (Stm& made : after.take({}).stms) all.push_back(std::move(made));
    return all;
  }

  // A value for each element of such a row: a scalar, or an array of this shape.
  std::vector<ValueId> fresh(const Type& row, const Operands& shape) {
    std::vector<ValueId> parts;
    for (int64_t i = 0; i < elementsOf(row); ++i)
      parts.push_back(program_.add("e", {row.scalar, shape}));
    return parts;
  }

  Lambda onScalars(const Lambda& op) {
    Lambda scalar;
    core::Builder builder(program_);
    Operands rows;
    for (ValueId param : op.params) {
      const std::vector<ValueId> parts = fresh(program_.type(param), {});
      scalar.params.insert(scalar.params.end(), parts.begin(), parts.end());
      rows.push_back(together(builder, program_.type(param), {parts.begin(), parts.end()}));
    }
    auto [stms, results] = core::apply(program_, op, rows);
    for (Stm& inner : stms) builder.append(std::move(inner));
    const Operands parts = apart(builder, results);
    scalar.body = builder.take(parts);
    return scalar;
  }

  Operands apart(core::Builder& builder, const Operands& rows) {
    Operands elements;
    for (const Operand& row : rows) {
      if (row.isConstant() || program_.type(row).isScalar()) {
        elements.push_back(row);
      } else {
        apart(builder, row.value, {}, elements);
      }
    }
    return elements;
  }
  // In row-major order; `at`: the indices of the axes in front.
  void apart(core::Builder& builder, ValueId row, const Operands& at, Operands& elements) {
    const Type type = program_.type(row);
    if (at.size() == type.shape.size()) {
      elements.emplace_back(builder.bind("e", {type.scalar, {}}, core::Index{row, at}));
      return;
    }
    for (int64_t i = 0; i < type.shape[at.size()].constant.asSigned(); ++i) {
      Operands here = at;
      here.push_back(Operand::ofI64(i));
      apart(builder, row, here, elements);
    }
  }

  Operand together(core::Builder& builder, const Type& type, const Operands& elements) {
    if (type.isScalar()) return elements[0];
    return builder.bind("row", type, literal(builder, type, elements));
  }
  core::ArrayLiteral literal(core::Builder& builder, const Type& type, const Operands& elements) {
    core::ArrayLiteral made{type.scalar, {}};
    const Type inner = core::rowOf(type);
    const auto count = static_cast<size_t>(elementsOf(inner));
    for (size_t i = 0; i < elements.size(); i += count) {
      const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(i);
      const Operands part(begin, begin + static_cast<std::ptrdiff_t>(count));
      made.elements.push_back(together(builder, inner, part));
    }
    return made;
  }

  // The reduced row under its name.
  void join(core::Builder& builder, ValueId row, const Operands& elements) {
    const Type type = program_.type(row);
    const core::Expr made =
        type.isScalar()
            ? core::Expr(core::Select{core::Scalar::ofBool(true), elements[0], elements[0]})
            : core::Expr(literal(builder, type, elements));
    builder.append({{row}, made, false, {}});
  }

  // The scanned rows under their name.
  void joinRows(core::Builder& builder, ValueId rows, const std::vector<ValueId>& parts,
                source::Span span) {
    const Type type = core::rowOf(program_.type(rows));
    Screma map{program_.type(rows).shape[0], parts, {}, {}, {}};
    map.map.params = fresh(type, {});
    core::Builder inner(program_);
    const Operands elements(map.map.params.begin(), map.map.params.end());
    const Operand row = together(inner, type, elements);
    map.map.body = inner.take({row});
    builder.append({{rows}, std::move(map), false, span});
  }

  core::Program& program_;
};

}  // namespace

core::Program scalarRows(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    ScalarRows(result).body(body);
  });
}

}  // namespace halo::passes
