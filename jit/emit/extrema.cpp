// A variable is quiet if all values assigned to it are.
#include "jit/emit/extrema.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "lang/core/float_extremum.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::jit {
namespace {

using imp::Operand;
using imp::VarId;
using prim::Op;
using prim::ScalarType;

class Finder {
 public:
  explicit Finder(const imp::Block& body) {
    imp::forEachStm(body, [&](const imp::Stm& stm) {
      if (const auto* let = std::get_if<imp::Let>(&stm.node)) lets_[let->var] = &let->expr;
      if (const auto* declare = std::get_if<imp::Declare>(&stm.node)) {
        assigned_[declare->var].push_back(declare->initial);
      }
    });
    imp::forEachStm(body, [&](const imp::Stm& stm) {
      const auto* assign = std::get_if<imp::Assign>(&stm.node);
      if (assign == nullptr) return;
      auto found = assigned_.find(assign->var);  // else it is a variable of the code around
      if (found != assigned_.end()) found->second.push_back(assign->value);
    });
  }

  Extrema run() {
    for (const auto& [var, expr] : lets_) {
      if (auto found = match(var)) all_[var] = *found;
    }
    findLoud();
    Extrema quiet;
    for (const auto& [var, extremum] : all_) {
      if (isQuiet(extremum.x) && isQuiet(extremum.y)) quiet[var] = extremum;
    }
    return quiet;
  }

 private:
  template <typename Expr>
  const Expr* definition(const Operand& operand) const {
    auto found = operand.isConstant() ? lets_.end() : lets_.find(operand.var);
    return found == lets_.end() ? nullptr : std::get_if<Expr>(found->second);
  }

  std::optional<Extremum> match(VarId var) const {
    const auto* outer = definition<imp::Select>(var);
    if (outer == nullptr) return std::nullopt;
    const auto expr = [&](const Operand& operand) -> const imp::Expr* {
      const auto found = lets_.find(operand.var);
      return found == lets_.end() ? nullptr : found->second;
    };
    using Form = core::FloatExtremumForm<imp::Select, imp::Prim, imp::Convert, decltype(expr)>;
    std::optional<Extremum> found = Form(expr).match(*outer);
    if (found && found->type == ScalarType::kF16) return std::nullopt;
    return found;
  }

  bool isQuiet(const Operand& operand) const {
    if (operand.isConstant()) return isQuietConstant(operand.constant);
    const bool is_known = lets_.contains(operand.var) || assigned_.contains(operand.var);
    return is_known && !loud_.contains(operand.var);
  }

  // All are taken to be quiet until one of their sources is not.
  void findLoud() {
    for (bool changes = true; changes;) {
      changes = false;
      auto look = [&](VarId var) {
        if (!loud_.contains(var) && !isQuietVar(var)) changes = loud_.insert(var).second;
      };
      for (const auto& [var, expr] : lets_) look(var);
      for (const auto& [var, values] : assigned_) look(var);
    }
  }

  static bool isQuietConstant(const prim::Scalar& scalar) {
    const bool wide = scalar.type == ScalarType::kF64;
    const uint64_t exponent = wide ? uint64_t{0x7ff} << 52 : uint64_t{0xff} << 23;
    return (scalar.bits & exponent) != exponent || (scalar.bits << (wide ? 12 : 41)) == 0;
  }

  bool isQuietVar(VarId var) const {
    if (auto found = assigned_.find(var); found != assigned_.end()) {
      return std::all_of(found->second.begin(), found->second.end(),
                         [&](const Operand& value) { return isQuiet(value); });
    }
    if (auto found = all_.find(var); found != all_.end()) {
      return isQuiet(found->second.x) && isQuiet(found->second.y);
    }
    if (const auto* prim = definition<imp::Prim>(var)) {
      return prim->op == Op::kAdd || prim->op == Op::kSub || prim->op == Op::kMul ||
             prim->op == Op::kDiv || prim->op == Op::kSqrt;
    }
    const auto* convert = definition<imp::Convert>(var);
    return convert != nullptr && convert->kind == prim::ConvertKind::kValue &&
           !prim::isFloat(convert->from);
  }

  std::unordered_map<VarId, const imp::Expr*> lets_;
  std::unordered_map<VarId, imp::Operands> assigned_;
  Extrema all_;
  std::unordered_set<VarId> loud_;  // may be a signalling NaN
};

}  // namespace

Extrema quietExtrema(const imp::Block& body) { return Finder(body).run(); }

llvm::Value* emitRange(llvm::IRBuilderBase& ir, bool is_max, llvm::Value* x, llvm::Value* y) {
  constexpr uint32_t kSignOfResult = 4, kMin = 0, kMax = 1, kRounding = 4;
  auto* whole = llvm::cast<llvm::FixedVectorType>(x->getType());
  const bool wide = whole->getElementType()->isDoubleTy();
  const unsigned lanes = wide ? 8 : 16;
  const auto id = wide ? llvm::Intrinsic::x86_avx512_mask_range_pd_512
                       : llvm::Intrinsic::x86_avx512_mask_range_ps_512;
  llvm::Value* how = ir.getInt32(kSignOfResult | (is_max ? kMax : kMin));
  llvm::Value* all = llvm::ConstantInt::getAllOnesValue(ir.getIntNTy(lanes));
  llvm::Value* result = nullptr;
  for (unsigned first = 0; first < whole->getNumElements(); first += lanes) {
    std::vector<int> part;
    for (unsigned l = 0; l < lanes; ++l) part.push_back(static_cast<int>(first + l));
    llvm::Value* a = ir.CreateShuffleVector(x, part);
    llvm::Value* b = ir.CreateShuffleVector(y, part);
    llvm::Value* range = ir.CreateIntrinsic(id, {}, {a, b, how, a, all, ir.getInt32(kRounding)});
    if (first == 0) {
      result = range;
      continue;
    }
    // Two vectors of one length may be joined: the part is made as long as the other vector.
    std::vector<int> longer, both;
    for (unsigned l = 0; l < first; ++l) longer.push_back(l < lanes ? static_cast<int>(l) : -1);
    for (unsigned l = 0; l < first + lanes; ++l) both.push_back(static_cast<int>(l));
    result = ir.CreateShuffleVector(result, ir.CreateShuffleVector(range, longer), both);
  }
  return result;
}

}  // namespace halo::jit
