#include "lang/ad/normal_form.h"

#include <algorithm>

#include "lang/ad/bins/rows_hist.h"
#include "lang/ad/bins/sorted_hist.h"
#include "lang/ad/operators/kinks.h"
#include "lang/ad/operators/neutral.h"
#include "lang/ad/operators/products.h"
#include "lang/ad/operators/sparse.h"
#include "lang/ad/reverse/sequential.h"
#include "lang/ad/rules.h"
#include "lang/core/scatter.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"

namespace halo::ad {

namespace {

class Apart {
 public:
  Apart(Program& program, const Activity& activity, const Mode& mode)
      : program_(program),
        activity_(activity),
        reverse_(mode.reverse),
        cells_(mode.is_in_cells ? 1 : 0) {}

  void body(Body& body) {
    std::vector<Stm> old = std::move(body.stms);
    Emitter out(program_);
    for (Stm& stm : old) {
      const bool has_cells = !std::holds_alternative<core::Loop>(stm.expr) &&
                             !std::holds_alternative<core::Match>(stm.expr);
      cells_ += has_cells ? 1 : 0;
      core::visitBodies(stm.expr, [&](Body& nested) { this->body(nested); });
      cells_ -= has_cells ? 1 : 0;
      if (activity_.any(stm.results) && apart(out, stm)) continue;
      out.append(std::move(stm));
    }
    Body done = out.take(body.results);
    body.stms = std::move(done.stms);
  }

 private:
  bool apart(Emitter& out, Stm& stm) {
    if (auto* screma = std::get_if<core::Screma>(&stm.expr)) return screma_(out, stm, *screma);
    if (auto* stencil = std::get_if<core::Stencil>(&stm.expr)) return stencil_(out, stm, *stencil);
    if (auto* scatter = std::get_if<core::Scatter>(&stm.expr)) return scatter_(out, stm, *scatter);
    if (auto* hist = std::get_if<core::Hist>(&stm.expr)) return hist_(out, stm, *hist);
    return false;
  }

  // The results of a lambda as arrays, by a map of their own.
  std::vector<ValueId> mapped(Emitter& out, const Stm& stm, const Operand& width,
                              const std::vector<ValueId>& inputs, core::Lambda lambda) {
    if (core::isIdentity(lambda)) return inputs;
    std::vector<Type> types;
    for (const Operand& result : lambda.body.results) {
      types.push_back(arrayOf({width}, program_.type(result)));
    }
    core::Screma map{width, inputs, std::move(lambda), {}, {}};
    return out.bindAll("t", std::move(types), std::move(map), false, stm.span);
  }

  // One node for each reduction and scan.
  template <typename Node>
  void combine(Emitter& out, const Stm& stm, const Operand& width, Node& node,
               const std::vector<ValueId>& mapped, size_t& next) {
    const size_t k = node.neutral.size();
    const auto from = static_cast<ptrdiff_t>(next);
    core::Screma one;
    one.width = width;
    std::vector<Type> types;
    for (size_t i = 0; i < k; ++i) {
      one.inputs.push_back(mapped[next + i]);
      types.push_back(rowOf(program_.type(mapped[next + i])));
    }
    one.map = out.identity(types);
    if constexpr (std::is_same_v<Node, core::Reduction>) one.reductions.push_back(std::move(node));
    if constexpr (std::is_same_v<Node, core::Scan>) one.scans.push_back(std::move(node));
    const std::vector<ValueId> results(stm.results.begin() + from,
                                       stm.results.begin() + from + static_cast<ptrdiff_t>(k));
    if (!inSequence(out, results, one)) {
      out.append({results, std::move(one), false, stm.span});
    }
    next += k;
  }

  // A node of one reduction or scan as a loop where it needs one. The rule of a reduction is of any
  // order; that of a scan in reverse mode is of this one.
  bool inSequence(Emitter& out, const std::vector<ValueId>& results, const core::Screma& node) {
    if (node.scans.empty()) {
      const core::Reduction& one = node.reductions[0];
      if (!isOrdered(one.op) && isOfAnyOrder(one.op)) return false;
      if (isOrdered(one.op) || !hasSmallMatrix(one.op)) {
        sequentialReduction(out, results, node.width, node.inputs, one);
      } else {
        lastOfScan(out, results, node);
      }
      return true;
    }
    const core::Scan& one = node.scans[0];
    const bool is_ruled = reverse_ ? isSum(one.op) || hasSmallMatrix(one.op)
                                   : !isOrdered(one.op) && isOfAnyOrder(one.op);
    if (!is_ruled) sequentialScan(out, results, node.width, node.inputs, one);
    return !is_ruled;
  }

  // Forward mode has a recurrence for all whose matrix is small, reverse mode for scans alone.
  bool isOfAnyOrder(const Lambda& op) const {
    return ad::isOfAnyOrder(program_, op, activity_) || (!reverse_ && hasSmallMatrix(op));
  }
  void lastOfScan(Emitter& out, const std::vector<ValueId>& results, const core::Screma& node) {
    const core::Reduction& one = node.reductions[0];
    const std::vector<ValueId> all = out.scan(node.width, node.inputs, one.op, one.neutral);
    std::vector<Type> types;
    for (const ValueId result : results) types.push_back(program_.type(result));
    const Operand last = out.sub(node.width, kOne);
    const std::vector<ValueId> found = out.branch(
        out.compare(Op::kLt, kZero, node.width), types,
        [&](Emitter& yes) {
          Operands rows;
          for (const ValueId scanned : all) rows.push_back(yes.index(scanned, {last}));
          return rows;
        },
        [&](Emitter&) { return one.neutral; });
    for (size_t i = 0; i < results.size(); ++i) out.name(results[i], found[i]);
  }

  // Does the operator's derivative depend on the order in which elements are combined, although its
  // values do not? `a ^ b` has the derivative of `a` where `b` is 0; `a ^ b ^ b` has none. So it is
  // with integer operations but those of polynomials, extremes and masks. `a && b` is a branch,
  // which has no derivative by `a`: `a && true` has not that of `a`.
  bool isOrdered(const Lambda& op) const {
    bool found = false;
    core::visitStms(op.body, [&](const Stm& stm) {
      if (!activity_.any(stm.results)) return;
      const auto* node = std::get_if<core::PrimOp>(&stm.expr);
      const bool chooses = std::holds_alternative<core::Match>(stm.expr) ||
                           std::holds_alternative<core::Select>(stm.expr);
      found = found || (node != nullptr && !isOfAnyOrder(*node)) || (chooses && makesBools(stm));
    });
    return found;
  }
  bool makesBools(const Stm& stm) const {
    return std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      return program_.type(result).scalar == ScalarType::kBool;
    });
  }
  static bool isOfAnyOrder(const core::PrimOp& node) {
    switch (node.op) {
      case Op::kAdd:
      case Op::kSub:
      case Op::kMul:
      case Op::kNeg:
      case Op::kMin:
      case Op::kMax:
        return true;
      case Op::kAnd:
      case Op::kOr:
        return node.type != ScalarType::kBool;
      default:
        return prim::isFloat(node.type) || node.type == ScalarType::kBool;
    }
  }

  // Components that vary must be numbers of one type, and their matrix small. An operator that was
  // made here is of unknown activity: all of its components may vary.
  bool hasSmallMatrix(const Lambda& op) const {
    const size_t k = op.params.size() / 2;
    std::vector<size_t> all, parts;
    for (size_t i = 0; i < k; ++i) {
      all.push_back(i);
      const Type& type = program_.type(op.params[i]);
      if (!type.isScalar()) return false;
      if (activity_.of(op.params[i]) || activity_.of(op.params[k + i])) parts.push_back(i);
    }
    if (parts.empty()) parts = all;
    const ScalarType type = program_.type(op.params[parts[0]]).scalar;
    const bool is_simple = std::all_of(parts.begin(), parts.end(), [&](size_t i) {
      return program_.type(op.params[i]).scalar == type;
    });
    return is_simple && type != ScalarType::kBool &&
           dependences(program_, op, parts).entries().size() <= kMaxEntries;
  }

  // Which of equal numbers counts depends on their order, which histograms of engines do not keep.
  bool choosesInOrder(const Lambda& op, const Operands& neutral) const {
    if (extremum(op)) return false;
    return !ad::isOfAnyOrder(program_, op, activity_) ||
           neutralElementOf(program_, op, neutral, activity_) != NeutralElement::kKeeps;
  }

  // Where the mode has no rule, the histogram in another form.
  bool inOtherForm(Emitter& out, const std::vector<ValueId>& results, const core::Hist& node) {
    const Lambda& op = node.operations[0].op;
    if (isOrdered(op)) return sequentialHist(out, results, node), true;
    if (!reverse_ && choosesInOrder(op, node.operations[0].neutral)) {
      const bool is_sorted = canBeSorted(program_, node) && cells_ == 0 &&
                             (ad::isOfAnyOrder(program_, op, activity_) || hasSmallMatrix(op));
      is_sorted ? sortedHist(out, results, node) : sequentialHist(out, results, node);
      return true;
    }
    if (!reverse_ || isSum(op)) return false;
    if (auto elements = byElement(out, node)) {
      if (!inOtherForm(out, results, *elements)) {
        out.append({results, std::move(*elements), false, {}});
      }
      return true;
    }
    const bool is_scalar = canBeSorted(program_, node);
    if (is_scalar && extremum(op)) return false;
    if (is_scalar && cells_ == 0 && isFloatProduct(program_, op)) return false;
    if (is_scalar && cells_ == 0 && hasSmallMatrix(op)) {
      sortedHist(out, results, node);
    } else {
      sequentialHist(out, results, node);
    }
    return true;
  }

  bool screma_(Emitter& out, Stm& stm, core::Screma& node) {
    const size_t parts = node.reductions.size() + node.scans.size();
    if (parts == 0) return false;
    size_t combined = 0;
    for (const auto& one : node.reductions) combined += one.neutral.size();
    for (const auto& one : node.scans) combined += one.neutral.size();
    if (parts == 1 && core::isIdentity(node.map) && combined == stm.results.size()) {
      return inSequence(out, stm.results, node);
    }
    core::Lambda map = std::move(node.map);
    std::vector<ValueId> arrays;
    if (core::isIdentity(map) && combined == stm.results.size()) {
      arrays = node.inputs;
    } else {  // a value passed on keeps its name
      std::vector<ValueId> results;
      for (size_t i = 0; i < map.body.results.size(); ++i) {
        const Type type = arrayOf({node.width}, program_.type(map.body.results[i]));
        results.push_back(i < combined ? program_.add("t", type) : stm.results[i]);
      }
      arrays = results;
      out.append({results, core::Screma{node.width, node.inputs, std::move(map), {}, {}}, false,
                  stm.span});
    }
    size_t next = 0;
    for (auto& one : node.reductions) combine(out, stm, node.width, one, arrays, next);
    for (auto& one : node.scans) combine(out, stm, node.width, one, arrays, next);
    return true;
  }

  bool stencil_(Emitter& out, Stm& stm, core::Stencil& node) {
    if (node.reductions.empty()) return false;
    size_t combined = 0;
    for (const auto& one : node.reductions) combined += one.neutral.size();
    std::vector<ValueId> arrays, results;
    for (size_t i = 0; i < node.map.body.results.size(); ++i) {
      const Type type = arrayOf(node.space, program_.type(node.map.body.results[i]));
      results.push_back(i < combined ? program_.add("t", type) : stm.results[i]);
    }
    std::vector<core::Reduction> reductions = std::move(node.reductions);
    const Operands space = node.space;
    node.reductions.clear();
    out.append({results, std::move(node), false, stm.span});
    const Operand total = out.product(space);
    for (const ValueId result : results) arrays.push_back(out.reshaped(result, {total}));
    size_t next = 0;
    for (auto& one : reductions) combine(out, stm, total, one, arrays, next);
    return true;
  }

  bool scatter_(Emitter& out, Stm& stm, core::Scatter& node) {
    const std::vector<ValueId> arrays =
        mapped(out, stm, node.width, node.inputs, std::move(node.map));
    const int writes = writesOf(node.destinations, arrays.size());
    size_t next = 0;
    for (size_t d = 0; d < node.destinations.size(); ++d) {
      const core::ScatterDest& destination = node.destinations[d];
      const core::ValueInfo info = program_.values[stm.results[d]];
      ValueId array = destination.array;
      for (int w = 0; w < writes; ++w) {
        const bool is_last = w + 1 == writes;
        const ValueId result = is_last ? stm.results[d] : program_.add(info.name, info.type);
        const auto first = arrays.begin() + static_cast<ptrdiff_t>(next);
        next += static_cast<size_t>(destination.index_rank) + 1;
        core::Scatter one = oneWrite(out, node.width,
                                     {first, arrays.begin() + static_cast<ptrdiff_t>(next)}, array);
        out.append({{result}, std::move(one), false, stm.span});
        array = result;
      }
    }
    return true;
  }

  // `inputs`: indices, then the value.
  core::Scatter oneWrite(Emitter& out, const Operand& width, std::vector<ValueId> inputs,
                         ValueId array) {
    const std::vector<ValueId> indices(inputs.begin(), inputs.end() - 1);
    inputs[0] = winning(out, width, indices, program_.type(array));
    std::vector<Type> types(indices.size(), Type{});
    types.push_back(rowOf(program_.type(inputs.back())));
    core::Scatter one;
    one.width = width;
    one.inputs = std::move(inputs);
    one.map = out.identity(types);
    one.destinations = {{array, static_cast<int>(indices.size())}};
    return one;
  }

  // The outermost indices, -1 for all but the last of those that name one place.
  ValueId winning(Emitter& out, const Operand& width, const std::vector<ValueId>& indices,
                  const Type& destination) {
    const Operand none = Operand::ofI64(-1);
    const Operands space(destination.shape.begin(),
                         destination.shape.begin() + static_cast<ptrdiff_t>(indices.size()));
    core::Hist node;
    node.width = width;
    node.inputs = indices;
    const ValueId positions = out.iota(width);
    node.inputs.push_back(positions);
    node.map = out.identity(std::vector<Type>(indices.size() + 1));
    core::HistOp last;
    last.index_rank = static_cast<int>(indices.size());
    last.op = out.combiner({Type{}}, [](Emitter& e, const Operands& both) -> Operands {
      return {e.op(Op::kMax, ScalarType::kI64, both[0], both[1])};
    });
    last.neutral = {none};
    last.destinations = {
        out.bind("nobody", {ScalarType::kI64, space}, core::Replicate{space, none})};
    node.operations.push_back(std::move(last));
    const ValueId winners = out.bind("winners", {ScalarType::kI64, space}, std::move(node));
    std::vector<ValueId> arrays = indices;
    arrays.push_back(positions);
    return out.map(width, arrays, [&](Emitter& e, const Operands& cell) -> Operands {
      const Operands place(cell.begin(), cell.end() - 1);
      Operand inside = prim::Scalar::ofBool(true);
      for (size_t i = 0; i < place.size(); ++i) {
        const Operand low = e.compare(Op::kLe, Operand::ofI64(0), place[i]);
        inside = e.both(inside, e.both(low, e.compare(Op::kLt, place[i], space[i])));
      }
      const ValueId found = e.branch(
          inside, {Type{}}, [&](Emitter& at) -> Operands { return {at.index(winners, place)}; },
          [&](Emitter&) -> Operands { return {none}; })[0];
      return {e.select(e.compare(Op::kEq, found, cell.back()), place[0], none)};
    })[0];
  }

  bool hist_(Emitter& out, Stm& stm, core::Hist& node) {
    if (core::isIdentity(node.map) && node.operations.size() == 1) {
      return inOtherForm(out, stm.results, node);
    }
    const std::vector<ValueId> arrays =
        mapped(out, stm, node.width, node.inputs, std::move(node.map));
    size_t next = 0, result = 0;
    for (core::HistOp& operation : node.operations) {
      const size_t k = operation.destinations.size();
      const size_t count = static_cast<size_t>(operation.index_rank) + k;
      core::Hist one;
      one.width = node.width;
      one.inputs.assign(arrays.begin() + static_cast<ptrdiff_t>(next),
                        arrays.begin() + static_cast<ptrdiff_t>(next + count));
      std::vector<Type> types;
      for (const ValueId input : one.inputs) types.push_back(rowOf(program_.type(input)));
      one.map = out.identity(types);
      one.operations.push_back(std::move(operation));
      const auto from = stm.results.begin() + static_cast<ptrdiff_t>(result);
      const std::vector<ValueId> results(from, from + static_cast<ptrdiff_t>(k));
      if (!inOtherForm(out, results, one)) {
        out.append({results, std::move(one), false, stm.span});
      }
      next += count;
      result += k;
    }
    return true;
  }

  Program& program_;
  const Activity& activity_;
  bool reverse_;
  int cells_;  // nodes around whose bodies run once for each cell
};

}  // namespace

void takeApart(core::Program& program, core::Body& body, const Activity& activity,
               const Mode& mode) {
  Apart(program, activity, mode).body(body);
}

}  // namespace halo::ad
