// First the scalars that are extents, then intervals of those, then the minima.
#include "gpu/plan/loops/bounded_extents.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

constexpr int kDepth = 8;  // of the arithmetic that is followed

class Bounds {
 public:
  Bounds(Program& program, const Loop& loop) : program_(program), before_(program) {
    for (const Carried& carried : loop.carried) bind(carried.param);
    noteIndex(loop);
    collect(loop.body);
  }

  // An index that is an extent becomes a statement's result, too.
  void boundLoop(Loop& loop) {
    loop.body = withMinima(loop.body);
    auto* counted = std::get_if<ForLoop>(&loop.form);
    if (counted == nullptr || !extents_.contains(counted->index)) return;
    auto minimum = minimumOf(counted->index, {});
    if (minimum) loop.body.stms.insert(loop.body.stms.begin(), std::move(*minimum));
  }

  BoundedExtents finish(Stm loop) {
    return {before_.take(std::move(bounds_)), std::move(loop), std::move(bound_of_)};
  }

 private:
  void bind(ValueId value) { inside_.insert(value); }
  bool isOutside(const Operand& operand) const {
    return operand.isConstant() || !inside_.contains(operand.value);
  }
  Body withMinima(const Body& body) {
    Body out;
    out.results = body.results;
    for (Stm stm : body.stms) {
      if (auto* loop = std::get_if<Loop>(&stm.expr)) boundLoop(*loop);
      if (std::holds_alternative<Match>(stm.expr)) {
        forEachBody(stm.expr, [&](Body& inner) { inner = withMinima(inner); });
      }
      std::vector<Stm> minima;
      for (ValueId& result : stm.results) {
        if (!extents_.contains(result) || isInTypes(stm, result)) continue;
        if (auto minimum = minimumOf(result, stm.span)) minima.push_back(std::move(*minimum));
      }
      out.stms.push_back(std::move(stm));
      out.stms.insert(out.stms.end(), minima.begin(), minima.end());
    }
    return out;
  }
  // A statement that makes the extent of another value, which takes its place.
  std::optional<Stm> minimumOf(ValueId& extent, Span span) {
    const std::optional<Operand> most = mostOf(extent, kDepth);
    if (!most) return std::nullopt;
    const ValueId own = program_.add("own", {ScalarType::kI64, {}});
    Stm minimum{{extent}, PrimOp{Op::kMin, ScalarType::kI64, {own, *most}}, false, span};
    bound_of_[extent] = numberOf(*most);
    extent = own;
    return minimum;
  }

  void noteIndex(const Loop& loop) {
    const auto* counted = std::get_if<ForLoop>(&loop.form);
    if (counted == nullptr) return;
    bind(counted->index);
    noteExtent(counted->bound);
    if (program_.type(counted->index).scalar == ScalarType::kI64) {
      last_[counted->index] = counted->bound;
    }
  }
  void noteExtent(const Operand& extent) {
    if (!extent.isConstant()) extents_.insert(extent.value);
  }
  void noteType(ValueId value) {
    for (const Operand& extent : program_.type(value).shape) noteExtent(extent);
  }
  // Also of the code of lanes.
  void collect(const Body& body) {
    for (const Stm& stm : body.stms) {
      for (ValueId result : stm.results) {
        bind(result);
        noteType(result);
        if (stm.results.size() == 1) made_by_[result] = stm.expr;
      }
      visitBound(stm.expr, [&](ValueId value) {
        bind(value);
        noteType(value);
      });
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) noteIndex(*loop);
      if (const auto* node = std::get_if<Screma>(&stm.expr)) noteExtent(node->width);
      if (const auto* node = std::get_if<Scatter>(&stm.expr)) noteExtent(node->width);
      if (const auto* slice = std::get_if<Slice>(&stm.expr)) noteSlice(*slice);
      visitBodies(stm.expr, [&](const Body& inner) { collect(inner); });
    }
  }
  void noteSlice(const Slice& slice) {
    for (size_t d = 0; d < slice.dims.size(); ++d) {
      const Operand& length = slice.dims[d].length;
      if (length.isConstant()) continue;
      slices_.try_emplace(length.value, program_.type(slice.array).shape[d]);
    }
  }
  // The minimum would come too late.
  bool isInTypes(const Stm& stm, ValueId value) const {
    return std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      const Operands& shape = program_.type(result).shape;
      return std::find(shape.begin(), shape.end(), Operand(value)) != shape.end();
    });
  }

  size_t numberOf(const Operand& most) {
    const auto found = std::find(bounds_.begin(), bounds_.end(), most);
    const auto number = static_cast<size_t>(found - bounds_.begin());
    if (found == bounds_.end()) bounds_.push_back(most);
    return number;
  }

  // ---- intervals

  const PrimOp* primOf(const Operand& operand) const {
    const auto made = operand.isConstant() ? made_by_.end() : made_by_.find(operand.value);
    const auto* prim = made == made_by_.end() ? nullptr : std::get_if<PrimOp>(&made->second);
    return prim != nullptr && prim->type == ScalarType::kI64 ? prim : nullptr;
  }
  Operand together(Op op, const Operand& a, const Operand& b) {
    return a == b ? a : before_.prim(op, ScalarType::kI64, {a, b});
  }

  std::optional<Operand> mostOf(const Operand& operand, int depth) {
    if (isOutside(operand)) return operand;
    if (depth == 0) return std::nullopt;
    if (const auto last = last_.find(operand.value); last != last_.end()) {
      const auto bound = mostOf(last->second, depth - 1);
      return bound ? std::optional(before_.sub(*bound, Operand::ofI64(1))) : std::nullopt;
    }
    if (const PrimOp* prim = primOf(operand)) {
      if (auto most = mostOfPrim(*prim, depth - 1)) return most;
    }
    const auto slice = slices_.find(operand.value);
    return slice == slices_.end() ? std::nullopt : mostOf(slice->second, depth - 1);
  }
  std::optional<Operand> mostOfPrim(const PrimOp& prim, int depth) {
    if (prim.op == Op::kSub) {
      if (auto most = mostOfRest(prim.args[0], prim.args[1], depth)) return most;
    }
    const bool is_sum = prim.op == Op::kAdd || prim.op == Op::kSub;
    if (!is_sum && prim.op != Op::kMin && prim.op != Op::kMax) return std::nullopt;
    const auto a = mostOf(prim.args[0], depth);
    const auto b = prim.op == Op::kSub ? leastOf(prim.args[1], depth) : mostOf(prim.args[1], depth);
    if (a && b) return is_sum ? sum(prim.op, *a, *b) : together(prim.op, *a, *b);
    return prim.op == Op::kMin ? (a ? a : b) : std::nullopt;
  }
  // `min n (i + c) - i` is at most c.
  std::optional<Operand> mostOfRest(const Operand& end, const Operand& begin, int depth) {
    const PrimOp* prim = primOf(end);
    if (prim == nullptr) return std::nullopt;
    if (prim->op == Op::kAdd) {
      for (size_t k : {0u, 1u}) {
        if (prim->args[k] == begin) return mostOf(prim->args[1 - k], depth);
      }
    }
    if (prim->op != Op::kMin) return std::nullopt;
    for (const Operand& arg : prim->args) {
      if (auto most = mostOfRest(arg, begin, depth)) return most;
    }
    return std::nullopt;
  }
  std::optional<Operand> leastOf(const Operand& operand, int depth) {
    if (isOutside(operand)) return operand;
    if (last_.contains(operand.value)) return Operand::ofI64(0);
    const PrimOp* prim = depth == 0 ? nullptr : primOf(operand);
    if (prim == nullptr) return std::nullopt;
    const bool is_sum = prim->op == Op::kAdd || prim->op == Op::kSub;
    if (!is_sum && prim->op != Op::kMin && prim->op != Op::kMax) return std::nullopt;
    const auto a = leastOf(prim->args[0], depth - 1);
    const auto b =
        prim->op == Op::kSub ? mostOf(prim->args[1], depth - 1) : leastOf(prim->args[1], depth - 1);
    if (a && b) return is_sum ? sum(prim->op, *a, *b) : together(prim->op, *a, *b);
    return prim->op == Op::kMax ? (a ? a : b) : std::nullopt;
  }
  Operand sum(Op op, const Operand& a, const Operand& b) {
    return op == Op::kAdd ? before_.add(a, b) : before_.sub(a, b);
  }

  Program& program_;
  Builder before_;
  std::unordered_set<ValueId> inside_;         // bound by the loop
  std::unordered_map<ValueId, Operand> last_;  // indices that begin at 0, and their bounds
  std::unordered_map<ValueId, Expr> made_by_;
  std::unordered_map<ValueId, Operand> slices_;  // lengths, and the extents they are of
  std::unordered_set<ValueId> extents_;
  Operands bounds_;
  std::unordered_map<ValueId, size_t> bound_of_;
};

}  // namespace

BoundedExtents withBoundedExtents(Program& program, const Stm& stm) {
  Bounds bounds(program, std::get<Loop>(stm.expr));
  Stm made = stm;
  bounds.boundLoop(std::get<Loop>(made.expr));
  return bounds.finish(std::move(made));
}

}  // namespace halo::gpu
