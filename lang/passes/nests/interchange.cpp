// Recognition of an operator, then its new form.
#include "lang/passes/nests/interchange.h"

#include <algorithm>
#include <optional>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Lambda;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stm;
using core::ValueId;

}  // namespace

// For rows of rows, down to scalars.
std::optional<Lambda> elementOperator(core::Program& program, const Lambda& op) {
  if (op.body.stms.size() != 1) return std::nullopt;
  const Stm& stm = op.body.stms[0];
  const auto* map = std::get_if<Screma>(&stm.expr);
  if (map == nullptr || !map->reductions.empty() || !map->scans.empty()) return std::nullopt;
  auto free = core::freeValues(program, map->map);
  for (ValueId param : op.params) {
    if (free.contains(param)) return std::nullopt;
  }
  Lambda element;
  for (ValueId param : op.params) {
    element.params.push_back(program.add("e", core::rowOf(program.type(param))));
  }
  core::Substitution scalars;
  for (size_t i = 0; i < map->inputs.size(); ++i) {
    auto at = std::find(op.params.begin(), op.params.end(), map->inputs[i]);
    if (at == op.params.end()) return std::nullopt;
    scalars[map->map.params[i]] = element.params[static_cast<size_t>(at - op.params.begin())];
  }
  Body of_element = core::freshCopy(program, map->map.body, std::move(scalars));
  for (const Operand& result : op.body.results) {
    auto at = std::find(stm.results.begin(), stm.results.end(), result.value);
    if (result.isConstant() || at == stm.results.end()) return std::nullopt;
    auto which = static_cast<size_t>(at - stm.results.begin());
    element.body.results.push_back(of_element.results[which]);
  }
  element.body.stms = std::move(of_element.stms);
  bool of_scalars = std::all_of(element.params.begin(), element.params.end(),
                                [&](ValueId param) { return program.type(param).isScalar(); });
  return of_scalars || elementOperator(program, element) ? std::optional(element) : std::nullopt;
}

namespace {

class Interchanger {
 public:
  Interchanger(core::Program& program, const OperatorTest& wanted)
      : program_(program), wanted_(wanted) {}

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      const auto* screma = std::get_if<Screma>(&stm.expr);
      bool columns = screma != nullptr && isOfRows(*screma);
      auto op = columns ? elementOperator(program_, operatorOf(*screma).first) : std::nullopt;
      if (op) {
        core::Builder builder(program_);
        write(stm, *screma, std::move(*op), builder);
        for (Stm& made : builder.take({}).stms) b.stms.push_back(std::move(made));
        continue;
      }
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      b.stms.push_back(std::move(stm));
    }
  }

 private:
  // The only operator and its neutral element.
  static std::pair<const Lambda&, const Operands&> operatorOf(const Screma& screma) {
    if (screma.scans.empty()) return {screma.reductions[0].op, screma.reductions[0].neutral};
    return {screma.scans[0].op, screma.scans[0].neutral};
  }

  bool isOfRows(const Screma& screma) const {
    if (screma.reductions.size() + screma.scans.size() != 1 || !core::isIdentity(screma.map) ||
        screma.inputs.size() != operatorOf(screma).second.size()) {
      return false;
    }
    return wanted_(operatorOf(screma).first) &&
           std::all_of(screma.inputs.begin(), screma.inputs.end(),
                       [&](ValueId input) { return program_.type(input).rank() >= 2; });
  }

  // The type of an array of elements.
  static core::Type arrayOf(const Operand& width, core::Type type) {
    type.shape.insert(type.shape.begin(), width);
    return type;
  }
  // Of the array as it is, but for its first two axes.
  core::Rearrange turned(ValueId array) const {
    core::Rearrange turned{array, {1, 0}};
    for (int axis = 2; axis < program_.type(array).rank(); ++axis) {
      turned.permutation.push_back(axis);
    }
    return turned;
  }

  void write(const Stm& stm, const Screma& screma, Lambda op, core::Builder& builder) {
    const bool scans = !screma.scans.empty();
    const Operands& neutral = operatorOf(screma).second;
    size_t count = screma.inputs.size();
    Operand columns = program_.type(screma.inputs[0]).shape[1];
    Screma outer{columns, {}, {}, {}, {}, screma.flattening};
    Screma one{screma.width, {}, {}, {}, {}};
    Operands firsts;
    std::vector<ValueId> sums;
    for (ValueId input : screma.inputs) {
      const core::Type element = core::rowOf(program_.type(input), 2);
      const core::Type of_column = arrayOf(screma.width, element);
      outer.inputs.push_back(builder.bind("columns", arrayOf(columns, of_column), turned(input)));
      ValueId column = program_.add("column", of_column);
      outer.map.params.push_back(column);
      one.inputs.push_back(column);
      one.map.params.push_back(program_.add("x", element));
      one.map.body.results.push_back(one.map.params.back());
      sums.push_back(program_.add("sum", scans ? of_column : element));
    }
    for (size_t k = 0; k < count; ++k) {
      ValueId first = program_.add("first", core::rowOf(program_.type(screma.inputs[k]), 2));
      outer.inputs.push_back(neutral[k].value);
      outer.map.params.push_back(first);
      firsts.emplace_back(first);
    }
    if (scans) {
      one.scans.push_back({std::move(op), std::move(firsts)});
    } else {
      one.reductions.push_back(
          {std::move(op), std::move(firsts), screma.reductions[0].commutative});
    }
    outer.map.body.results.assign(sums.begin(), sums.end());
    outer.map.body.stms.push_back({sums, std::move(one), false, stm.span});
    body(outer.map.body);  // rows of rows
    std::vector<ValueId> results = stm.results;
    for (size_t k = 0; k < count && scans; ++k) {
      core::Type row = core::rowOf(program_.type(stm.results[k]), 2);
      results[k] = program_.add("scanned", arrayOf(columns, arrayOf(screma.width, row)));
    }
    builder.append({results, std::move(outer), false, stm.span});
    for (size_t k = 0; k < count && scans; ++k) {
      builder.append({{stm.results[k]}, turned(results[k]), false, stm.span});
    }
  }

  core::Program& program_;
  const OperatorTest& wanted_;
};

}  // namespace

core::Program interchangeRows(const core::Program& program, const OperatorTest& wanted) {
  return withBodies(program, [&](core::Program& result, const core::Function&, Body& body) {
    Interchanger(result, wanted).body(body);
  });
}

core::Program interchangeRows(const core::Program& program) {
  return interchangeRows(program, [](const Lambda&) { return true; });
}

}  // namespace halo::passes
