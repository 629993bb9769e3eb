// A chain of one operation is split into its terms (a neighbour, perhaps times a constant). They
// are put together again axis by axis.
#include "lang/passes/fuse/share_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/used_once.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"
#include "lang/prim/fold.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::PrimOp;
using core::Stencil;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::Scalar;

constexpr size_t kFewest = 4;            // terms of a sum that is worth a look
constexpr int64_t kRun = 8;              // groups of which ..
constexpr int64_t kTogether = 4;         // .. so many are added half by half, then to the others
constexpr double kSameRatio = 0.000001;  // of weights that were computed as products of f32

bool hasAnyOrder(const PrimOp& node) {
  switch (node.op) {
    case Op::kMin:
    case Op::kMax:
      return true;
    case Op::kAdd:
      return !prim::isFloat(node.type) || node.loose;
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      return true;
    default:
      return false;
  }
}

struct Place {
  size_t window;
  std::vector<int64_t> offset;
};

struct Term {
  Operand neighbour;
  std::optional<Scalar> weight;
  size_t window = 0;
  std::vector<int64_t> offset;
};
using Terms = std::vector<Term>;

class Cell {
 public:
  Cell(core::Program& program, Stencil& stencil, bool factor)
      : program_(program), stencil_(stencil), factor_(factor), builder_(program) {}

  void run() {
    size_t param = 0;
    for (size_t w = 0; w < stencil_.windows.size(); ++w) {
      if (!stencil_.windows[w].dynamic.empty()) return;
      for (const std::vector<int64_t>& offset : stencil_.windows[w].offsets) {
        places_[stencil_.map.params[param++]] = {w, offset};
      }
    }
    Body& body = stencil_.map.body;
    uses_ = core::useCounts(program_, body);
    for (const Stm& stm : body.stms) {
      const auto* op = std::get_if<PrimOp>(&stm.expr);
      if (op != nullptr && !stm.checked) definitions_[stm.results[0]] = *op;
    }
    findInner();
    for (Stm& stm : body.stms) rewrite(std::move(stm));
    body = builder_.take(body.results);
    markProducts(body);
  }

 private:
  const PrimOp* definition(const Operand& operand) const {
    if (operand.isConstant()) return nullptr;
    auto found = definitions_.find(operand.value);
    return found == definitions_.end() ? nullptr : &found->second;
  }
  bool isOnlyUse(const Operand& operand) const { return core::isUsedOnce(uses_, operand.value); }
  bool continues(const PrimOp& sum, const Operand& operand) const {
    const PrimOp* inner = definition(operand);
    return inner != nullptr && inner->op == sum.op && inner->type == sum.type &&
           hasAnyOrder(*inner) && isOnlyUse(operand);
  }

  // Sums that are terms of others.
  void findInner() {
    for (const auto& [value, op] : definitions_) {
      if (!hasAnyOrder(op)) continue;
      for (const Operand& arg : op.args) {
        if (continues(op, arg)) inner_.insert(arg.value);
      }
    }
  }

  void rewrite(Stm stm) {
    const auto* op = std::get_if<PrimOp>(&stm.expr);
    bool is_sum = op != nullptr && !stm.checked && hasAnyOrder(*op);
    if (!is_sum || inner_.contains(stm.results[0])) return builder_.append(std::move(stm));
    sum_ = op;
    Terms terms;
    others_.clear();
    collect(*op, terms);
    if (terms.size() < kFewest || !sharesRows(terms)) return builder_.append(std::move(stm));
    std::optional<Operand> total = add(std::nullopt, terms, 0);
    for (const Operand& other : others_) total = combined(total, other);
    // The result keeps its name.
    Stm last = std::move(builder_.body().stms.back());
    builder_.body().stms.pop_back();
    last.results[0] = stm.results[0];
    last.span = stm.span;
    builder_.append(std::move(last));
  }

  void collect(const PrimOp& sum, Terms& terms) {
    for (const Operand& arg : sum.args) {
      if (continues(sum, arg)) {
        collect(*definition(arg), terms);
      } else if (auto term = termOf(arg)) {
        terms.push_back(*term);
      } else if (!isNeutral(arg)) {
        others_.push_back(arg);
      }
    }
  }

  bool isNeutral(const Operand& operand) const {
    return sum_->op == Op::kAdd && operand.isConstant() &&
           operand.constant == prim::zero(sum_->type);
  }

  std::optional<Term> termOf(const Operand& operand) const {
    if (operand.isConstant()) return std::nullopt;
    if (auto found = places_.find(operand.value); found != places_.end()) {
      return Term{operand, std::nullopt, found->second.window, found->second.offset};
    }
    const PrimOp* product = definition(operand);
    bool is_product = sum_->op == Op::kAdd && product != nullptr && product->op == Op::kMul &&
                      product->type == sum_->type && isOnlyUse(operand);
    if (!is_product) return std::nullopt;
    for (size_t k = 0; k < 2; ++k) {
      const Operand &weight = product->args[k], &other = product->args[1 - k];
      if (!weight.isConstant() || other.isConstant()) continue;
      auto found = places_.find(other.value);
      if (found == places_.end()) continue;
      return Term{other, weight.constant, found->second.window, found->second.offset};
    }
    return std::nullopt;
  }

  // ---- common parts of rows

  using Shape = std::vector<std::tuple<size_t, std::vector<int64_t>, uint64_t>>;

  std::map<int64_t, Terms> groups(const Terms& terms, size_t axis) const {
    std::map<int64_t, Terms> groups;
    for (const Term& term : terms) groups[term.offset[axis]].push_back(term);
    return groups;
  }

  static double number(const Scalar& scalar) {
    return prim::isFloat(scalar.type) ? scalar.asDouble() : static_cast<double>(scalar.asSigned());
  }
  bool mayFactor() const { return sum_->op == Op::kAdd && factor_ && prim::isFloat(sum_->type); }

  // The same for groups that are sums of the same neighbours behind `axis`, but for a factor.
  Shape shapeOf(const Terms& group, size_t axis) const {
    Shape shape;
    double first = group[0].weight ? number(*group[0].weight) : 1;
    for (const Term& term : group) {
      std::vector<int64_t> behind(term.offset.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                                  term.offset.end());
      uint64_t weight = term.weight ? term.weight->bits : ~uint64_t{0};
      if (mayFactor() && first != 0) {
        double ratio = (term.weight ? number(*term.weight) : 1) / first;
        weight = static_cast<uint64_t>(std::llround(ratio / kSameRatio));
      }
      shape.emplace_back(term.window, std::move(behind), weight);
    }
    std::sort(shape.begin(), shape.end());
    return shape;
  }

  std::map<Shape, int> shapesOf(const std::map<int64_t, Terms>& groups, size_t axis) const {
    std::map<Shape, int> shapes;
    for (const auto& [at, group] : groups) {
      if (group.size() > 1) shapes[shapeOf(group, axis)]++;
    }
    return shapes;
  }

  bool sharesRows(const Terms& terms) const {
    for (size_t axis = 0; axis < stencil_.space.size(); ++axis) {
      std::map<int64_t, Terms> rows = groups(terms, axis);
      for (const auto& [shape, count] : shapesOf(rows, axis)) {
        if (count > 1 && axis + 1 < stencil_.space.size()) return true;
      }
      for (auto row = rows.begin(); row != rows.end(); ++row) {
        if (runFrom(rows, row, axis) >= kRun) return true;
      }
    }
    return false;
  }

  static bool areAlike(const Terms& a, const Terms& b, size_t axis) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Term& x, const Term& y) {
      auto behind = static_cast<std::ptrdiff_t>(axis) + 1;
      return x.window == y.window && x.weight == y.weight &&
             std::equal(x.offset.begin() + behind, x.offset.end(), y.offset.begin() + behind);
    });
  }

  using Groups = std::map<int64_t, Terms>;
  // How many groups from this one on are neighbours of each other and the same.
  static int64_t runFrom(const Groups& rows, Groups::const_iterator first, size_t axis) {
    if (first->second.size() == 1 && first->second[0].weight) return 1;
    int64_t count = 1;
    auto next = first;
    for (++next; next != rows.end(); ++next, ++count) {
      if (next->first != first->first + count) break;
      if (!areAlike(first->second, next->second, axis)) break;
    }
    return count;
  }

  // ---- putting together

  std::optional<Operand> combined(const std::optional<Operand>& sum, const Operand& term) {
    if (!sum) return term;
    PrimOp both{sum_->op, sum_->type, {*sum, term}, sum_->loose};
    return builder_.bind("sum", {sum_->type, {}}, both);
  }
  Operand weighted(const Operand& value, const Scalar& weight) {
    return builder_.prim(Op::kMul, sum_->type, {Operand(weight), value});
  }

  // The groups along an axis while they are put together.
  struct Along {
    size_t axis;
    Groups rows;
    std::map<Shape, int> shapes = {};
    std::map<Shape, std::optional<Scalar>> first_weights = {};
  };

  std::optional<Operand> add(std::optional<Operand> sum, const Terms& terms, size_t axis) {
    if (axis >= stencil_.space.size()) return addOneByOne(sum, terms);
    Along along{axis, groups(terms, axis)};
    along.shapes = shapesOf(along.rows, axis);
    for (auto row = along.rows.begin(); row != along.rows.end();) {
      int64_t run = runFrom(along.rows, row, axis);
      if (run < kRun) {
        sum = addGroup(sum, along, (row++)->second);
        continue;
      }
      // Neighbouring cells have them in common; larger ones would be kept for long.
      for (; run >= kTogether; run -= kTogether) {
        sum = combined(sum, halves(along, row, kTogether));
      }
    }
    return sum;
  }

  // The sum of `count` groups, a power of two, from `row` on, which moves behind them.
  Operand halves(Along& along, Groups::iterator& row, int64_t count) {
    if (count == 1) return *addGroup(std::nullopt, along, (row++)->second);
    Operand first = halves(along, row, count / 2);
    Operand second = halves(along, row, count / 2);
    return *combined(first, second);
  }

  std::optional<Operand> addGroup(std::optional<Operand> sum, Along& along, Terms& group) {
    auto found =
        group.size() > 1 ? along.shapes.find(shapeOf(group, along.axis)) : along.shapes.end();
    if (found == along.shapes.end() || found->second < 2) return add(sum, group, along.axis + 1);
    auto [base, is_new] = along.first_weights.try_emplace(found->first, group[0].weight);
    return combined(sum, shared(group, *base, is_new, along.axis));
  }

  // A group as the first of its shape is written, times a factor.
  Operand shared(Terms& row, const std::pair<const Shape, std::optional<Scalar>>& base, bool is_new,
                 size_t axis) {
    std::optional<Scalar> factor;
    if (mayFactor() && row[0].weight && base.second) {
      factor = quotient(*row[0].weight, *base.second);
      Terms& model = models_[base.first];
      if (is_new) model = row;
      for (size_t k = 0; k < row.size(); ++k) row[k].weight = model[k].weight;
    }
    Operand total = *add(std::nullopt, row, axis + 1);
    bool is_one = !factor || number(*factor) == 1;
    return is_one ? total : weighted(total, *factor);
  }

  std::optional<Operand> addOneByOne(std::optional<Operand> sum, const Terms& terms) {
    for (const Term& term : terms) {
      sum = combined(sum, term.weight ? weighted(term.neighbour, *term.weight) : term.neighbour);
    }
    return sum;
  }

  static Scalar quotient(const Scalar& a, const Scalar& b) {
    std::array<Scalar, 2> both = {a, b};
    return std::get<Scalar>(prim::fold(Op::kDiv, a.type, both));
  }

  // Products whose only use is a reassociable sum may be fused into it.
  void markProducts(Body& body) {
    std::unordered_map<ValueId, int> uses = core::useCounts(program_, body);
    std::set<ValueId> taken;
    for (const Stm& stm : body.stms) {
      const auto* op = std::get_if<PrimOp>(&stm.expr);
      if (op == nullptr || !op->loose || op->op != Op::kAdd) continue;
      for (const Operand& arg : op->args) {
        if (!arg.isConstant() && uses[arg.value] == 1) taken.insert(arg.value);
      }
    }
    for (Stm& stm : body.stms) {
      auto* op = std::get_if<PrimOp>(&stm.expr);
      if (op != nullptr && op->op == Op::kMul && taken.contains(stm.results[0])) op->loose = true;
    }
  }

  core::Program& program_;
  Stencil& stencil_;
  bool factor_;
  core::Builder builder_;
  std::unordered_map<ValueId, Place> places_;  // of the lambda's parameters
  std::unordered_map<ValueId, int> uses_;
  std::unordered_map<ValueId, PrimOp> definitions_;
  std::set<ValueId> inner_;
  const PrimOp* sum_ = nullptr;  // that is being rewritten
  Operands others_;              // its terms that are no neighbours
  std::map<Shape, Terms> models_;
};

void visit(core::Program& program, Body& body, bool factor) {
  for (Stm& stm : body.stms) {
    core::visitBodies(stm.expr, [&](Body& nested) { visit(program, nested, factor); });
    auto* stencil = std::get_if<Stencil>(&stm.expr);
    if (stencil != nullptr) Cell(program, *stencil, factor).run();
  }
}

core::Program share(const core::Program& program, bool factor) {
  return withBodies(program, [&](core::Program& result, const core::Function&, Body& body) {
    visit(result, body, factor);
  });
}

}  // namespace

core::Program shareSums(const core::Program& program) { return share(program, false); }
core::Program shareAndFactorSums(const core::Program& program) { return share(program, true); }

}  // namespace halo::passes
