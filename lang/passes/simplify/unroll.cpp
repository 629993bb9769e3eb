// Knows array literals, iotas and replicates by name; written out nodes then become known, and so
// do rows of literals and the nodes over them.
#include "lang/passes/simplify/unroll.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stm;
using core::ValueId;

constexpr int64_t kMaxWidth = 32;
constexpr size_t kMaxStatements = 512;
// Over values that are not in memory, such as neighbours: written out they stay in registers.
constexpr int64_t kMaxValues = 320;
constexpr size_t kMaxValueStatements = 4096;
// Of rows that a nest returns. An invocation, or a lane, for each element writes longer ones side
// by side.
constexpr int64_t kMaxRow = 16;
constexpr int64_t kMaxTerms = 64;  // of nodes over known rows: a product of 4 x 4 matrices
// Of scans in nests. Longer ones are parallel work beside the cells; written out they are chains.
constexpr int64_t kMaxScan = 16;

class Unroller {
 public:
  explicit Unroller(core::Program& program) : program_(program) {}

  // `row`: elements that rows of these results have outside of them; 0: they are no rows.
  void body(Body& b, int64_t row = 0) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    const std::unordered_set<ValueId> scanned = inputsOfLongScans(old);
    for (Stm& stm : old) {
      const int64_t returned = returnedOf(b, stm, row);
      const auto* screma = std::get_if<Screma>(&stm.expr);
      nests_ += screma != nullptr ? 1 : 0;
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested, rowBelow(stm, returned)); });
      nests_ -= screma != nullptr ? 1 : 0;
      const bool is_parallel = nests_ > 0 && (isLongScan(stm) || makesAny(stm, scanned));
      if (screma != nullptr && isSmall(*screma, returned, is_parallel)) {
        write(stm, *screma, b.stms);
      } else if (const auto* view = std::get_if<core::Rearrange>(&stm.expr);
                 view != nullptr && isKnownPlane(*view)) {
        turn(stm, *view, b.stms);
      } else {
        define(stm);
        b.stms.push_back(std::move(stm));
      }
    }
  }

 private:
  static bool isLongScan(const Stm& stm) {
    const auto* screma = std::get_if<Screma>(&stm.expr);
    return screma != nullptr && !screma->scans.empty() && screma->width.isConstant() &&
           screma->width.constant.asSigned() > kMaxScan;
  }

  static bool makesAny(const Stm& stm, const std::unordered_set<ValueId>& values) {
    return std::any_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return values.count(result) > 0; });
  }

  // Of these statements, with the inputs of the nodes that make them.
  static std::unordered_set<ValueId> inputsOfLongScans(const std::vector<Stm>& stms) {
    std::unordered_set<ValueId> inputs;
    for (auto stm = stms.rbegin(); stm != stms.rend(); ++stm) {
      if (!isLongScan(*stm) && !makesAny(*stm, inputs)) continue;
      if (const auto* screma = std::get_if<Screma>(&stm->expr))
        inputs.insert(screma->inputs.begin(), screma->inputs.end());
    }
    return inputs;
  }

  static bool isAnyResult(const Body& b, const Stm& stm) {
    return std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      return std::find(b.results.begin(), b.results.end(), Operand(result)) != b.results.end();
    });
  }

  // Outside of nests all maps that read memory are nests of their own. Those that only compute,
  // such as offsets and weights, are wanted one by one.
  int64_t returnedOf(const Body& b, const Stm& stm, int64_t row) const {
    if (nests_ == 0) return readsMemory(stm) ? 1 : 0;
    return isAnyResult(b, stm) ? row : 0;
  }

  bool readsMemory(const Stm& stm) const {
    bool reads = false;
    core::visitBodies(stm.expr, [&](const Body& body) {
      core::visitStms(body, [&](const Stm& inner) {
        const auto* read = std::get_if<core::Index>(&inner.expr);
        reads = reads || (read != nullptr && definitions_.count(read->array) == 0);
      });
    });
    return reads;
  }

  // The same for the bodies of a statement: `returned` of its own rows.
  static int64_t rowBelow(const Stm& stm, int64_t returned) {
    if (std::holds_alternative<core::Match>(stm.expr)) return returned;
    const auto* screma = std::get_if<Screma>(&stm.expr);
    if (screma == nullptr || !core::isMap(*screma)) return 0;
    if (!screma->width.isConstant()) return 1;
    const int64_t width = std::clamp<int64_t>(screma->width.constant.asSigned(), 0, kMaxValues);
    return std::min(returned * width, kMaxValues);
  }

  void define(const Stm& stm) {
    bool known = std::holds_alternative<core::ArrayLiteral>(stm.expr) ||
                 std::holds_alternative<core::Iota>(stm.expr) ||
                 std::holds_alternative<core::Replicate>(stm.expr);
    if (known) definitions_.insert_or_assign(stm.results[0], stm.expr);
  }

  static bool isScalarCode(const Body& body) {
    for (const Stm& stm : body.stms) {
      bool nested = false;
      core::visitBodies(stm.expr, [&](const Body&) { nested = true; });
      if (nested && !std::holds_alternative<core::Match>(stm.expr)) return false;
    }
    return true;
  }

  // Nodes over rows: with the rows, their elements are known as well.
  static bool isRowCode(const Body& body, int64_t around) {
    return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      const auto* node = std::get_if<Screma>(&stm.expr);
      bool nested = false;
      core::visitBodies(stm.expr, [&](const Body&) { nested = true; });
      if (node == nullptr) return !nested || std::holds_alternative<core::Match>(stm.expr);
      if (!node->width.isConstant()) return false;
      const int64_t terms = around * std::max<int64_t>(node->width.constant.asSigned(), 1);
      return terms <= kMaxTerms && isRowCode(node->map.body, terms);
    });
  }

  bool combinesRows(const Screma& screma) const {
    const auto isRow = [&](const Operand& neutral) { return !program_.type(neutral).isScalar(); };
    const auto hasRow = [&](const auto& op) {
      return std::any_of(op.neutral.begin(), op.neutral.end(), isRow);
    };
    return std::any_of(screma.reductions.begin(), screma.reductions.end(), hasRow) ||
           std::any_of(screma.scans.begin(), screma.scans.end(), hasRow);
  }

  const core::ArrayLiteral* literalOf(const Operand& array) const {
    const auto found = array.isConstant() ? definitions_.end() : definitions_.find(array.value);
    return found == definitions_.end() ? nullptr : std::get_if<core::ArrayLiteral>(&found->second);
  }

  // A matrix whose rows are known, transposed.
  bool isKnownPlane(const core::Rearrange& view) const {
    const core::ArrayLiteral* rows = literalOf(view.array);
    if (rows == nullptr || view.permutation != std::vector<int>{1, 0}) return false;
    return program_.type(view.array).rank() == 2 &&
           std::all_of(rows->elements.begin(), rows->elements.end(),
                       [&](const Operand& row) { return literalOf(row) != nullptr; });
  }

  void turn(const Stm& stm, const core::Rearrange& view, std::vector<Stm>& out) {
    const core::Type column = core::rowOf(program_.type(stm.results[0]));
    const Operands rows = literalOf(view.array)->elements;
    core::ArrayLiteral all{column.scalar, {}};
    for (size_t j = 0; j < literalOf(rows[0])->elements.size(); ++j) {
      core::ArrayLiteral made{column.scalar, {}};
      for (const Operand& row : rows) made.elements.push_back(literalOf(row)->elements[j]);
      const ValueId name = program_.add("column", column);
      out.push_back({{name}, std::move(made), false, stm.span});
      define(out.back());
      all.elements.emplace_back(name);
    }
    out.push_back({stm.results, std::move(all), false, stm.span});
    define(out.back());
  }

  // `is_parallel`: a long scan, or what it scans.
  bool isSmall(const Screma& screma, int64_t returned, bool is_parallel) const {
    if (!screma.width.isConstant()) return false;
    int64_t width = screma.width.constant.asSigned();
    if (width < 1 || width > kMaxValues || screma.inputs.empty()) return false;
    bool of_values = false;
    bool known = true;  // unknown ones are in memory
    bool of_rows = false;
    for (ValueId input : screma.inputs) {
      const bool is_row = program_.type(input).rank() != 1;
      if (is_row && literalOf(input) == nullptr) return false;
      of_rows = of_rows || is_row;
      auto definition = definitions_.find(input);
      known = known && definition != definitions_.end();
      of_values =
          of_values || (definition != definitions_.end() && holdsValues(definition->second));
    }
    if (of_rows && (!known || width > kMaxRow || combinesRows(screma))) return false;
    of_values = of_values && !of_rows;
    const bool is_long_row = core::isMap(screma) && returned * width > kMaxRow;
    if (!of_values && (width > kMaxWidth || !known || is_long_row || is_parallel)) return false;
    size_t size = 0;
    bool scalar = true;
    Stm stm{{}, screma, false, {}};
    core::visitBodies(stm.expr, [&](const Body& body) {
      core::visitStms(body, [&](const Stm&) { size++; });
      scalar = scalar && (of_rows ? isRowCode(body, width) : isScalarCode(body));
    });
    size_t most = of_values ? kMaxValueStatements : kMaxStatements;
    return scalar && size * static_cast<size_t>(width) <= most;
  }

  static bool holdsValues(const core::Expr& definition) {
    const auto* literal = std::get_if<core::ArrayLiteral>(&definition);
    if (literal == nullptr) return false;
    return std::none_of(literal->elements.begin(), literal->elements.end(),
                        [](const Operand& element) { return element.isConstant(); });
  }

  Operand element(ValueId input, int64_t i, core::Builder& builder) const {
    auto found = definitions_.find(input);
    if (found == definitions_.end()) {
      core::Index load{input, {core::Scalar::ofI64(i)}};
      return builder.bind("w", {program_.type(input).scalar, {}}, load);
    }
    const core::Expr& definition = found->second;
    if (const auto* literal = std::get_if<core::ArrayLiteral>(&definition)) {
      return literal->elements[static_cast<size_t>(i)];
    }
    if (const auto* replicate = std::get_if<core::Replicate>(&definition)) return replicate->value;
    const auto& iota = std::get<core::Iota>(definition);
    Operand index(core::Scalar::ofSigned(iota.type, i));
    Operand offset = builder.prim(prim::Op::kMul, iota.type, {index, iota.step});
    return builder.prim(prim::Op::kAdd, iota.type, {iota.start, offset});
  }

  void write(const Stm& stm, const Screma& screma, std::vector<Stm>& out) {
    core::Builder builder(program_);
    auto run = [&](const core::Lambda& lambda, const Operands& args) {
      auto [stms, results] = core::apply(program_, lambda, args);
      for (Stm& inner : stms) builder.append(std::move(inner));
      return results;
    };
    std::vector<Operands> columns(stm.results.size());  // elements of each result array
    std::vector<Operands> reduced, scanned;
    for (const core::Reduction& reduction : screma.reductions) reduced.push_back(reduction.neutral);
    for (const core::Scan& scan : screma.scans) scanned.push_back(scan.neutral);
    for (int64_t i = 0; i < screma.width.constant.asSigned(); ++i) {
      Operands args;
      for (ValueId input : screma.inputs) args.push_back(element(input, i, builder));
      Operands mapped = run(screma.map, args);
      size_t next = 0, column = 0;
      auto combine = [&](const core::Lambda& op, Operands& accumulator, bool is_reduction) {
        Operands both = accumulator;
        for (size_t k = 0; k < accumulator.size(); ++k) both.push_back(mapped[next++]);
        accumulator = run(op, both);
        if (is_reduction && isFloatSum(op)) loosen(builder);
      };
      for (size_t r = 0; r < reduced.size(); ++r) {
        combine(screma.reductions[r].op, reduced[r], true);
        column += reduced[r].size();
      }
      for (size_t s = 0; s < scanned.size(); ++s) {
        combine(screma.scans[s].op, scanned[s], false);
        for (const Operand& o : scanned[s]) columns[column++].push_back(o);
      }
      while (next < mapped.size()) columns[column++].push_back(mapped[next++]);
    }
    bindResults(stm, reduced, columns, builder);
    body(builder.body());  // nodes over rows that are known now
    for (Stm& inner : builder.body().stms) out.push_back(std::move(inner));
  }

  bool isFloatSum(const core::Lambda& op) const {
    auto primitive = core::asPrimitive(program_, op);
    return primitive && primitive->first == prim::Op::kAdd && prim::isFloat(primitive->second);
  }
  // The order of a written-out sum is as free as the reduction's was.
  static void loosen(core::Builder& builder) {
    auto* sum = std::get_if<core::PrimOp>(&builder.body().stms.back().expr);
    if (sum != nullptr) sum->loose = true;
  }

  // Results keep their names: reduced scalars through an operation that simplify drops.
  void bindResults(const Stm& stm, const std::vector<Operands>& reduced,
                   std::vector<Operands>& columns, core::Builder& builder) {
    size_t next = 0;
    for (const Operands& values : reduced) {
      for (const Operand& value : values) {
        core::Select same{core::Scalar::ofBool(true), value, value};
        builder.append({{stm.results[next++]}, same, false, stm.span});
      }
    }
    for (; next < stm.results.size(); ++next) {
      prim::ScalarType scalar = program_.type(stm.results[next]).scalar;
      builder.append({{stm.results[next]},
                      core::ArrayLiteral{scalar, std::move(columns[next])},
                      false,
                      stm.span});
    }
  }

  core::Program& program_;
  std::unordered_map<ValueId, core::Expr> definitions_;
  int nests_ = 0;  // around the body
};

}  // namespace

core::Program unroll(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    Unroller(result).body(body);
  });
}

}  // namespace halo::passes
