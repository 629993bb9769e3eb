// What an operator is, then what it becomes.
#include "lang/passes/interchange.h"

#include <algorithm>
#include <optional>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/shorthand.h"
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

class Interchanger {
 public:
  explicit Interchanger(core::Program& program) : program_(program) {}

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      const auto* screma = std::get_if<Screma>(&stm.expr);
      bool columns = screma != nullptr && isOfRows(*screma);
      auto op = columns ? elementOperator(screma->reductions[0].op) : std::nullopt;
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
  bool isOfRows(const Screma& screma) const {
    if (screma.reductions.size() != 1 || !screma.scans.empty() || !core::isIdentity(screma.map) ||
        screma.inputs.size() != screma.reductions[0].neutral.size()) {
      return false;
    }
    return std::all_of(screma.inputs.begin(), screma.inputs.end(),
                       [&](ValueId input) { return program_.type(input).rank() == 2; });
  }

  // The operator on one element of each row, if that is all that `op` does.
  std::optional<Lambda> elementOperator(const Lambda& op) {
    if (op.body.stms.size() != 1) return std::nullopt;
    const Stm& stm = op.body.stms[0];
    const auto* map = std::get_if<Screma>(&stm.expr);
    if (map == nullptr || !map->reductions.empty() || !map->scans.empty()) return std::nullopt;
    auto free = core::freeValues(program_, map->map);
    for (ValueId param : op.params) {
      if (free.contains(param)) return std::nullopt;
    }
    Lambda element;
    for (ValueId param : op.params) {
      element.params.push_back(program_.add("e", {program_.type(param).scalar, {}}));
    }
    core::Substitution scalars;
    for (size_t i = 0; i < map->inputs.size(); i++) {
      auto at = std::find(op.params.begin(), op.params.end(), map->inputs[i]);
      if (at == op.params.end()) return std::nullopt;
      if (!program_.type(map->map.params[i]).isScalar()) return std::nullopt;
      scalars[map->map.params[i]] = element.params[static_cast<size_t>(at - op.params.begin())];
    }
    Body inner = core::freshCopy(program_, map->map.body, std::move(scalars));
    for (const Operand& result : op.body.results) {
      auto at = std::find(stm.results.begin(), stm.results.end(), result.value);
      if (result.isConstant() || at == stm.results.end()) return std::nullopt;
      element.body.results.push_back(inner.results[static_cast<size_t>(at - stm.results.begin())]);
    }
    element.body.stms = std::move(inner.stms);
    return element;
  }

  void write(const Stm& stm, const Screma& screma, Lambda op, core::Builder& builder) {
    const core::Reduction& reduction = screma.reductions[0];
    size_t count = screma.inputs.size();
    Operand columns = program_.type(screma.inputs[0]).shape[1];
    Screma outer{columns, {}, {}, {}, {}};
    Screma inner{screma.width, {}, {}, {{std::move(op), {}, reduction.commutative}}, {}};
    std::vector<ValueId> sums;
    for (ValueId input : screma.inputs) {
      core::ScalarType scalar = program_.type(input).scalar;
      outer.inputs.push_back(builder.bind("columns", {scalar, {columns, screma.width}},
                                          core::Rearrange{input, {1, 0}}));
      ValueId column = program_.add("column", {scalar, {screma.width}});
      outer.map.params.push_back(column);
      inner.inputs.push_back(column);
      inner.map.params.push_back(program_.add("x", {scalar, {}}));
      inner.map.body.results.push_back(inner.map.params.back());
      sums.push_back(program_.add("sum", {scalar, {}}));
    }
    for (size_t k = 0; k < count; k++) {
      ValueId first = program_.add("first", {program_.type(screma.inputs[k]).scalar, {}});
      outer.inputs.push_back(reduction.neutral[k].value);
      outer.map.params.push_back(first);
      inner.reductions[0].neutral.push_back(first);
    }
    outer.map.body.results.assign(sums.begin(), sums.end());
    outer.map.body.stms.push_back({sums, std::move(inner), false, stm.span});
    builder.append({stm.results, std::move(outer), false, stm.span});
  }

  core::Program& program_;
};

}  // namespace

core::Program interchangeReductions(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    Interchanger(result).body(body);
  });
}

}  // namespace halo::passes
