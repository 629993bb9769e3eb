// Of each body, the fills that only such a histogram takes; then both are made anew.
#include "lang/passes/memory/widen_hists.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/used_once.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::Type;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

constexpr int kWordBytes = 4;
constexpr int64_t kMaxBins = int64_t{1} << 16;  // words take four times the memory of bytes

bool keepsLowBits(Op op) {
  return op == Op::kAdd || op == Op::kMin || op == Op::kMax || op == Op::kAnd || op == Op::kOr ||
         op == Op::kXor;
}

class Widener {
 public:
  Widener(core::Program& program, const Body& whole)
      : program_(program), uses_(core::useCounts(program, whole)) {}

  void body(Body& b) {
    std::unordered_map<ValueId, size_t> fills;  // where they stand
    for (size_t i = 0; i < b.stms.size(); ++i) {
      Stm& stm = b.stms[i];
      if (core::isControl(stm.expr)) core::forEachBody(stm.expr, [&](Body& in) { body(in); });
      const auto* fill = std::get_if<core::Replicate>(&stm.expr);
      const bool is_scalar = fill != nullptr && program_.type(fill->value).isScalar();
      if (is_scalar) fills[stm.results[0]] = i;
    }
    for (size_t i = 0; i < b.stms.size(); ++i) {
      if (!isNarrow(b.stms[i])) continue;
      const ValueId bins = std::get<core::Hist>(b.stms[i].expr).operations[0].destinations[0];
      const auto fill = fills.find(bins);
      if (fill == fills.end() || !core::isUsedOnce(uses_, bins)) continue;
      widen(b, fill->second, i);
      return body(b);  // positions have changed
    }
  }

 private:
  // Of one number for each bin.
  bool isNarrow(const Stm& stm) const {
    const auto* hist = std::get_if<core::Hist>(&stm.expr);
    if (hist == nullptr || hist->operations.size() != 1) return false;
    const core::HistOp& operation = hist->operations[0];
    const core::Lambda& op = operation.op;
    if (operation.destinations.size() != 1 || op.params.size() != 2) return false;
    if (!areFew(program_.type(stm.results[0]))) return false;
    const Type& type = program_.type(op.params[0]);
    const bool is_number = type.isScalar() && prim::isInteger(type.scalar);
    if (!is_number || prim::byteSize(type.scalar) >= kWordBytes) return false;
    if (op.body.stms.size() != 1) return false;
    const Stm& only = op.body.stms[0];
    const auto* prim = std::get_if<core::PrimOp>(&only.expr);
    if (prim == nullptr || op.body.results[0] != Operand(only.results[0])) return false;
    const Operand first = op.params[0], second = op.params[1];
    const bool of_both =
        prim->args == core::Operands{first, second} || prim->args == core::Operands{second, first};
    return of_both && keepsLowBits(prim->op);
  }

  static bool areFew(const Type& bins) {
    int64_t count = 1;
    for (const Operand& extent : bins.shape) {
      if (!extent.isConstant() || extent.constant.asSigned() > kMaxBins) return false;
      count *= extent.constant.asSigned();
    }
    return count <= kMaxBins;
  }

  static ScalarType wordOf(ScalarType narrow) {
    return prim::isSigned(narrow) ? ScalarType::kI32 : ScalarType::kU32;
  }
  Operand inWord(core::Builder& b, const Operand& value) {
    const ScalarType word = wordOf(program_.type(value).scalar);
    return b.convert(prim::ConvertKind::kValue, word, value);
  }

  // The fill at `fill`, the histogram at `at`.
  void widen(Body& b, size_t fill, size_t at) {
    Stm hist = std::move(b.stms[at]);
    const Type narrow = program_.type(hist.results[0]);
    const ScalarType word = wordOf(narrow.scalar);
    core::Builder filled(program_), counted(program_);
    core::Replicate words = std::get<core::Replicate>(b.stms[fill].expr);
    words.value = inWord(filled, words.value);
    const ValueId bins = filled.bind("bins", {word, narrow.shape}, std::move(words));
    core::Hist wide = std::get<core::Hist>(hist.expr);
    wide.operations[0].destinations = {bins};
    inWords(wide, word);
    const ValueId counts =
        counted.bind("counts", {word, narrow.shape}, std::move(wide), false, hist.span);
    counted.append(inNarrow(counts, hist.results[0], hist.span));
    const auto place = b.stms.begin() + static_cast<std::ptrdiff_t>(at);
    const std::vector<Stm> behind = counted.take({}).stms;
    b.stms.insert(b.stms.erase(place), behind.begin(), behind.end());
    const auto front = b.stms.begin() + static_cast<std::ptrdiff_t>(fill);
    const std::vector<Stm> before = filled.take({}).stms;
    b.stms.insert(b.stms.erase(front), before.begin(), before.end());
  }

  // The operator, its neutral element, and the value that the map gives last.
  void inWords(core::Hist& hist, ScalarType word) {
    core::HistOp& operation = hist.operations[0];
    core::Builder none(program_);
    operation.neutral[0] = inWord(none, operation.neutral[0]);
    const ValueId a = program_.add("a", {word, {}}), b = program_.add("b", {word, {}});
    core::Builder op(program_);
    const auto& prim = std::get<core::PrimOp>(operation.op.body.stms[0].expr);
    const Operand result = op.prim(prim.op, word, {a, b});
    operation.op = {{a, b}, op.take({result})};
    core::Builder map(program_);
    Operand& value = hist.map.body.results.back();
    value = inWord(map, value);
    for (Stm& stm : map.take({}).stms) hist.map.body.stms.push_back(std::move(stm));
  }

  // A nest over the bins.
  Stm inNarrow(ValueId words, ValueId result, core::Span span) {
    const Type type = program_.type(words);
    const ScalarType narrow = program_.type(result).scalar;
    const core::Operands inner(type.shape.begin() + 1, type.shape.end());
    const ValueId row = program_.add("w", {type.scalar, inner});
    core::Screma map;
    map.width = type.shape[0];
    map.inputs = {words};
    map.map.params = {row};
    core::Builder b(program_);
    if (inner.empty()) {
      const Operand value = b.convert(prim::ConvertKind::kValue, narrow, row);
      map.map.body = b.take({value});
    } else {
      const ValueId made = program_.add("h", {narrow, inner});
      b.append(inNarrow(row, made, span));
      map.map.body = b.take({made});
    }
    return {{result}, std::move(map), false, span};
  }

  core::Program& program_;
  const std::unordered_map<ValueId, int> uses_;
};

}  // namespace

core::Program widenHists(const core::Program& program) {
  return withBodies(program, [](core::Program& changed, const core::Function&, Body& body) {
    Widener(changed, body).body(body);
  });
}

}  // namespace halo::passes
