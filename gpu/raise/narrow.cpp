// Intervals first (which i64 values fit 32 bits), then demand (which are used modulo 2^32 alone),
// then the rewrite. Variables keep their ids where their type stays, and get new ones otherwise.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "gpu/raise/intervals.h"
#include "gpu/raise/raise.h"
#include "lang/base/match.h"
#include "lang/imp/kernel_statements.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

class Narrow {
 public:
  Narrow(Program& program, const Function& kernel)
      : program_(program), kernel_(kernel), intervals_(program, kernel, kNarrowLimit) {}

  Function run() {
    findDemand();
    Function result = kernel_;
    for (VarId& scalar : result.scalars) {
      if (!isI64(scalar)) continue;
      narrow_.insert(scalar);
      scalar = narrowed(scalar);
    }
    result.body = rewrite(kernel_.body);
    return result;
  }

 private:
  bool isI64(VarId var) const { return program_.vars[var].type == ScalarType::kI64; }

  // A variable that is not known to fit stays wide if a use needs its true value.
  void findDemand() {
    std::unordered_set<VarId> candidates;
    forEachStm(kernel_.body, [&](const Stm& stm) {
      if (auto* let = std::get_if<Let>(&stm.node); let != nullptr && isI64(let->var)) {
        if (intervals_.fits(let->var) && isComputable(let->expr)) {
          narrow_.insert(let->var);
        } else if (isRing(let->expr) || isShortShift(let->expr)) {
          candidates.insert(let->var);
        }
      } else if (auto* loop = std::get_if<For>(&stm.node); loop != nullptr && isI64(loop->var)) {
        bool fits = intervals_.fits(loop->lo) && intervals_.fits(loop->hi);
        if (fits && intervals_.fits(loop->var)) narrow_.insert(loop->var);
      }
    });
    bool changed = true;
    while (changed) {
      changed = false;
      forEachStm(kernel_.body, [&](const Stm& stm) {
        forEachOperand(stm, [&](const Operand& operand) {
          if (operand.isConstant() || !candidates.contains(operand.var)) return;
          if (toleratesTruncation(stm, operand, candidates)) return;
          candidates.erase(operand.var);
          changed = true;
        });
      });
    }
    narrow_.insert(candidates.begin(), candidates.end());
  }

  // Operations that give the same low 32 bits from the low 32 bits of their operands.
  static bool isRing(const Expr& expr) {
    const Prim* prim = std::get_if<Prim>(&expr);
    if (prim == nullptr) return false;
    switch (prim->op) {
      case Op::kAdd:
      case Op::kSub:
      case Op::kMul:
      case Op::kNeg:
      case Op::kAnd:
      case Op::kOr:
      case Op::kXor:
      case Op::kNot:
        return true;
      default:
        return false;
    }
  }
  // To the left, by less than 32: the low bits come from low bits.
  bool isShortShift(const Expr& expr) const {
    const Prim* prim = std::get_if<Prim>(&expr);
    if (prim == nullptr || prim->op != Op::kMachineShl) return false;
    const auto count = intervals_.of(prim->args[1]);
    return count && count->lo >= 0 && count->hi <= 31;
  }
  // May this i64 expression be computed in 32 bits when its value fits? Ring operations always;
  // others need operands that fit as well, and shifts counts below 32.
  bool isComputable(const Expr& expr) const {
    if (isRing(expr)) return true;
    return base::match(
        expr, [&](const Prim& e) { return isComputable(e); },
        [](const Convert& e) { return e.kind == ConvertKind::kValue; },
        [](const Select&) { return true; }, [](const Load&) { return false; },
        [](const BuiltInValue&) { return true; }, [](const Shuffle&) { return false; },
        [](const Fma&) { return false; });
  }
  bool isComputable(const Prim& e) const {
    switch (e.op) {
      case Op::kMachineShl:
      case Op::kMachineShr:
      case Op::kMachineLshr: {
        auto count = intervals_.of(e.args[1]);
        if (!count || count->lo < 0 || count->hi > 31) return false;
        break;
      }
      case Op::kPopc:  // of all 64 bits
      case Op::kClz:
      case Op::kCtz:
      case Op::kMulHi:
        return false;
      default:
        break;
    }
    return std::all_of(e.args.begin(), e.args.end(),
                       [&](const Operand& arg) { return intervals_.fits(arg); });
  }

  // Is this use of `operand` satisfied by its low 32 bits?
  bool toleratesTruncation(const Stm& stm, const Operand& operand,
                           const std::unordered_set<VarId>& candidates) const {
    if (auto* store = std::get_if<Store>(&stm.node)) {
      return store->index == operand && store->value != operand;
    }
    if (std::holds_alternative<LoadVector>(stm.node)) return true;
    if (std::holds_alternative<MatrixOp>(stm.node)) return true;
    if (auto* store = std::get_if<StoreVector>(&stm.node)) {
      return std::find(store->values.begin(), store->values.end(), operand) == store->values.end();
    }
    if (auto* atomic = std::get_if<Atomic>(&stm.node)) {
      return atomic->index == operand && atomic->value != operand;
    }
    const Let* let = std::get_if<Let>(&stm.node);
    if (let == nullptr) return false;
    if (std::holds_alternative<Load>(let->expr)) return true;
    if (auto* convert = std::get_if<Convert>(&let->expr)) {
      return convert->kind == ConvertKind::kValue && prim::isInteger(convert->to) &&
             prim::bitWidth(convert->to) <= 32;
    }
    if (!narrow_.contains(let->var) && !candidates.contains(let->var)) return false;
    return isRing(let->expr) ||
           (isShortShift(let->expr) && std::get<Prim>(let->expr).args[1] != operand);
  }

  VarId narrowed(VarId var) {
    auto found = renamed_.find(var);
    if (found != renamed_.end()) return found->second;
    VarId made = program_.addVar(program_.vars[var].name, ScalarType::kI32);
    return renamed_[var] = made;
  }

  bool isNarrow(const Operand& operand) const {
    return !operand.isConstant() && narrow_.contains(operand.var);
  }

  // The operand as i32; widens or truncates by a conversion in `out` where needed.
  Operand as32(const Operand& operand, Block& out) {
    if (operand.isConstant()) {
      return Scalar::ofI32(static_cast<int32_t>(operand.constant.bits));
    }
    if (isNarrow(operand)) return narrowed(operand.var);
    if (program_.vars[operand.var].type == ScalarType::kI32) return operand;
    VarId low = program_.addVar("low", ScalarType::kI32);
    out.push_back({Let{low, Convert{ConvertKind::kValue, program_.vars[operand.var].type,
                                    ScalarType::kI32, operand}}});
    return low;
  }
  // The operand with its own type.
  Operand asWide(const Operand& operand, Block& out) {
    if (!isNarrow(operand)) return operand;
    VarId wide = program_.addVar(program_.vars[operand.var].name, ScalarType::kI64);
    out.push_back({Let{wide, Convert{ConvertKind::kValue, ScalarType::kI32, ScalarType::kI64,
                                     narrowed(operand.var)}}});
    return wide;
  }

  Block rewrite(const Block& block) {
    Block out;
    for (const Stm& stm : block) rewrite(stm, out);
    return out;
  }

  void rewrite(const Stm& stm, Block& out) {
    base::match(
        stm.node, [&](const Let& s) { rewriteLet(s, out); },
        [&](const Declare& s) {
          out.push_back({Declare{s.var, asWide(s.initial, out)}});
        },
        [&](const Assign& s) {
          out.push_back({Assign{s.var, asWide(s.value, out)}});
        },
        [&](const Store& s) {
          Operand value = asWide(s.value, out);
          out.push_back({Store{s.buffer, as32(s.index, out), value}});
        },
        [&](const For& s) { rewriteLoop(s, out); },
        [&](const While& s) {
          Block before = rewrite(s.before);
          Operand condition = asWide(s.condition, before);
          out.push_back({While{std::move(before), condition, rewrite(s.body)}});
        },
        [&](const If& s) {
          out.push_back({If{s.condition, rewrite(s.then_block), rewrite(s.else_block)}});
        },
        [&](const Fail& s) { rewriteFail(s, out); }, [&](const Barrier&) { out.push_back(stm); },
        [&](const Atomic& s) {
          Operand value = asWide(s.value, out);
          Operand index = as32(s.index, out);
          out.push_back({Atomic{s.op, s.buffer, index, value, s.old}});
        },
        [&](const Call&) { HALO_UNREACHABLE("call before repeats are outlined"); },
        [&](const LoadVector& s) {
          out.push_back({LoadVector{s.vars, s.buffer, as32(s.index, out)}});
        },
        [&](const StoreVector& s) {
          Operands values;
          for (const Operand& value : s.values) values.push_back(asWide(value, out));
          Operand index = as32(s.index, out);
          out.push_back({StoreVector{s.buffer, index, std::move(values)}});
        },
        [&](const MatrixOp& s) {
          MatrixOp narrow = s;
          narrow.index = as32(s.index, out);
          narrow.pitch = as32(s.pitch, out);
          out.push_back({std::move(narrow)});
        },
        NotInKernels());
  }

  void rewriteLoop(const For& loop, Block& out) {
    const bool narrow = narrow_.contains(loop.var);
    const Operand lo = narrow ? as32(loop.lo, out) : asWide(loop.lo, out);
    const Operand hi = narrow ? as32(loop.hi, out) : asWide(loop.hi, out);
    const VarId var = narrow ? narrowed(loop.var) : loop.var;
    out.push_back({For{var, lo, hi, loop.schedule, loop.vector_width, rewrite(loop.body)}});
  }

  void rewriteFail(const Fail& fail, Block& out) {
    Operands operands;
    for (const Operand& operand : fail.operands) {
      operands.push_back(isNarrow(operand) ? narrowed(operand.var) : operand);
    }
    out.push_back({Fail{fail.site, std::move(operands)}});
  }

  void rewriteLet(const Let& let, Block& out) {
    bool narrow = narrow_.contains(let.var);
    auto take = [&](const Operand& operand) {
      return narrow ? as32(operand, out) : asWide(operand, out);
    };
    Expr expr = base::match(
        let.expr, [&](const Prim& e) { return rewritePrim(e, narrow, out); },
        [&](const Convert& e) -> Expr { return rewriteConvert(e, narrow, out); },
        [&](const Select& e) -> Expr {
          return Select{e.condition, take(e.on_true), take(e.on_false)};
        },
        [&](const Load& e) -> Expr {
          return Load{e.buffer, as32(e.index, out)};
        },
        [&](const BuiltInValue& e) -> Expr { return e; },
        [&](const Shuffle& e) -> Expr {
          Operand value = asWide(e.value, out);
          return Shuffle{e.kind, value, asWide(e.lane, out)};
        },
        [&](const Fma& e) -> Expr { return e; });
    out.push_back({Let{narrow ? narrowed(let.var) : let.var, std::move(expr)}});
  }

  Expr rewritePrim(const Prim& e, bool narrow, Block& out) {
    ScalarType type = e.type;
    bool in_32 = narrow && type == ScalarType::kI64;
    // Comparisons of values that all fit need no widening.
    if (type == ScalarType::kI64 && prim::info(e.op).result == prim::ResultRule::kBoolResult) {
      in_32 = isComputable(e);
    }
    Operands args;
    for (const Operand& arg : e.args) args.push_back(in_32 ? as32(arg, out) : asWide(arg, out));
    return Prim{e.op, in_32 ? ScalarType::kI32 : type, std::move(args)};
  }

  Expr rewriteConvert(const Convert& e, bool narrow, Block& out) {
    Operand arg = e.arg;
    ScalarType from = e.from;
    if (isNarrow(arg) && e.kind == ConvertKind::kValue) {
      arg = narrowed(arg.var);
      from = ScalarType::kI32;
    } else {
      arg = asWide(arg, out);
    }
    return Convert{e.kind, from, narrow ? ScalarType::kI32 : e.to, arg};
  }

  Program& program_;
  const Function& kernel_;
  Intervals intervals_;
  std::unordered_set<VarId> narrow_;
  std::unordered_map<VarId, VarId> renamed_;
};

}  // namespace

Function narrowIndices(Program& program, const Function& kernel) {
  Function result = Narrow(program, kernel).run();
  result.name = kernel.name + "_narrow";
  return result;
}

}  // namespace halo::gpu
