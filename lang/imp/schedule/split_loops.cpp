// Index-set splitting and loop unswitching. Inner loops first. A loop is split at one condition
// after the other until its branches are decided or there is too much code.
#include "lang/imp/schedule/split_loops.h"

#include <algorithm>
#include <unordered_set>

#include "lang/imp/builder.h"
#include "lang/imp/copy_block.h"
#include "lang/imp/operands.h"
#include "lang/imp/private_arrays.h"
#include "lang/imp/schedule/loop_conditions.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

using prim::Op;

constexpr size_t kMaxStatements = 600;  // of all pieces of a loop
constexpr size_t kMaxInnermost = 192;   // the same in kernels
constexpr int64_t kFewTrips = 64;       // a mask costs less than loops of fewer

class Splitter {
 public:
  Splitter(Program& program, const Function& function, LoopsToSplit which)
      : program_(program), b_(program), uses_(bufferUses(function.body)), which_(which) {}

  void inBlock(Block& block) {
    Block out;
    for (Stm& stm : block) {
      auto* loop = std::get_if<For>(&stm.node);
      if (const auto* let = std::get_if<Let>(&stm.node)) noteSum(*let);
      if (loop != nullptr) inBlock(loop->body);
      if (auto* endless = std::get_if<While>(&stm.node)) {
        inBlock(endless->before), inBlock(endless->body);
      }
      if (auto* branch = std::get_if<If>(&stm.node)) {
        inBlock(branch->then_block), inBlock(branch->else_block);
      }
      if (loop != nullptr && maySplit(*loop)) {
        made_ = countStms(loop->body);
        const BufferUses before = bufferUses(loop->body);
        const Operand lo = loop->lo, hi = loop->hi;
        Block pieces = b_.capture([&] { split(std::move(*loop)); });
        if (which_ == LoopsToSplit::kInnermost && pieces.size() > 1) {
          pieces = whereItRuns(lo, hi, std::move(pieces));
        }
        note(before, bufferUses(pieces));
        std::move(pieces.begin(), pieces.end(), std::back_inserter(out));
      } else {
        out.push_back(std::move(stm));
      }
    }
    block = std::move(out);
  }

 private:
  bool isFixed(const Operand& operand) const {
    return operand.isConstant() || !program_.vars[operand.var].is_mutable;
  }

  bool maySplit(const For& loop) const {
    const bool is_short = loop.lo.isConstant() && loop.hi.isConstant() &&
                          loop.hi.constant.asSigned() - loop.lo.constant.asSigned() < kFewTrips;
    const bool is_wanted =
        which_ == LoopsToSplit::kVector ? loop.vector_width > 1 : isInnermost(loop);
    return is_wanted && !is_short && isFixed(loop.lo) && isFixed(loop.hi) &&
           program_.vars[loop.var].type == ScalarType::kI64 && mayBeCopied(loop.body);
  }

  static bool isInnermost(const For& loop) {
    bool found = false;
    forEachStm(loop.body, [&](const Stm& stm) {
      found |= std::holds_alternative<For>(stm.node) || std::holds_alternative<While>(stm.node);
    });
    const bool begins = loop.lo.isConstant() && loop.lo.constant.asSigned() >= 0;
    return !found && begins && loop.schedule == Schedule::kSequential;
  }

  // The end of a sequential loop may be near the lowest number: places before it would wrap.
  Block whereItRuns(const Operand& lo, const Operand& hi, Block pieces) {
    return b_.capture([&] {
      const Operand runs = b_.prim(Op::kLt, ScalarType::kI64, {lo, hi});
      b_.append(If{runs, std::move(pieces), {}});
    });
  }

  bool hasRoom(const For& loop, size_t pieces) {
    const size_t more = (pieces - 1) * countStms(loop.body);
    const size_t most = which_ == LoopsToSplit::kVector ? kMaxStatements : kMaxInnermost;
    if (made_ + more > most) return false;
    made_ += more;
    return true;
  }

  void split(For loop) {
    if (branches(loop)) hoist(loop);
    const LoopConditions conditions(program_, loop,
                                    which_ == LoopsToSplit::kVector ? kMaxShift : 0);
    if (conditions.invariant() && hasRoom(loop, 2)) {
      const VarId condition = *conditions.invariant();
      auto arm = [&](bool holds) {
        return [&, holds] { split(copyOf(loop, {{condition, Scalar::ofBool(holds)}})); };
      };
      b_.ifThenElse(condition, arm(true), arm(false));
    } else if (conditions.comparison()) {
      splitAt(loop, *conditions.comparison(), conditions);
    } else {
      b_.append(std::move(loop));
    }
  }

  static bool branches(const For& loop) {
    bool found = false;
    forEachStm(loop.body, [&](const Stm& stm) { found |= std::holds_alternative<If>(stm.node); });
    return found;
  }

  // The compared operand may be computed inside.
  void hoist(For& loop) {
    std::unordered_set<VarId> inside{loop.var};
    forEachStm(loop.body, [&](const Stm& stm) {
      if (const auto* let = std::get_if<Let>(&stm.node)) inside.insert(let->var);
      if (const auto* inner = std::get_if<For>(&stm.node)) inside.insert(inner->var);
    });
    loop.body = rewriteBlock(loop.body, [&](Stm stm, Block& out) {
      const auto* let = std::get_if<Let>(&stm.node);
      if (let != nullptr && isIndexArithmetic(*let) && !readsAny(let->expr, inside)) {
        inside.erase(let->var);
        noteSum(*let);
        b_.append(std::move(stm.node));
      } else {
        out.push_back(std::move(stm));
      }
    });
  }

  void noteSum(const Let& let) {
    const auto* prim = std::get_if<Prim>(&let.expr);
    if (prim == nullptr || prim->type != ScalarType::kI64 || prim->args.size() != 2) return;
    const Operand& by = prim->args[1];
    if (!by.isConstant() || (prim->op != Op::kAdd && prim->op != Op::kSub)) return;
    const int64_t sign = prim->op == Op::kAdd ? 1 : -1;
    sums_.insert_or_assign(let.var, std::pair(prim->args[0], sign * by.constant.asSigned()));
  }

  bool isIndexArithmetic(const Let& let) const {
    const ScalarType type = program_.vars[let.var].type;
    return (type == ScalarType::kI64 || type == ScalarType::kBool) && !mayTrap(let.expr) &&
           !std::holds_alternative<Load>(let.expr);
  }

  bool readsAny(const Expr& expr, const std::unordered_set<VarId>& inside) const {
    const Operands operands = operandsOf(expr);
    return std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return !operand.isConstant() &&
             (inside.contains(operand.var) || program_.vars[operand.var].is_mutable);
    });
  }

  // Private arrays of the loop are the piece's own.
  Block bodyOfPiece(const For& loop, const Known& known) {
    Block body =
        imp::copyOf(program_, loop.body, known, privateArraysOf(program_, uses_, loop.body));
    for (const auto& [buffer, count] : bufferUses(body)) uses_.try_emplace(buffer, count);
    return body;
  }

  // The uses of values that the pieces of a loop share with the code around it.
  void note(const BufferUses& before, const BufferUses& after) {
    for (const auto& [buffer, count] : before) {
      auto found = after.find(buffer);
      uses_[buffer] += (found == after.end() ? 0 : found->second) - count;
    }
  }

  For copyOf(const For& loop, Known known) {
    For copy = loop;
    copy.var = program_.addVar(program_.vars[loop.var].name, ScalarType::kI64);
    known[loop.var] = copy.var;
    copy.body = bodyOfPiece(loop, known);
    return copy;
  }

  // Two pieces where they decide all comparisons with this bound, else three.
  void splitAt(const For& loop, const IndexComparison& split_by, const LoopConditions& conditions) {
    const auto comparisons = conditions.withSameOperands(split_by);
    auto known = [&](Relation relation) {
      Known values;
      for (const auto& [var, op] : comparisons) {
        if (auto value = decided(op, relation)) values[var] = Scalar::ofBool(*value);
      }
      return values;
    };
    auto decidesAll = [&](Relation below, Relation above) {
      return known(below).size() == comparisons.size() && known(above).size() == comparisons.size();
    };
    const Relation less{true, false, false}, equal{false, true, false}, greater{false, false, true};
    const Relation at_most{true, true, false}, at_least{false, true, true};
    const bool at_bound = decidesAll(less, at_least), behind = decidesAll(at_most, greater);
    if (!hasRoom(loop, at_bound || behind ? 2 : 3)) return b_.append(loop);
    if (at_bound || behind) {
      const Operand at = place(loop, split_by, at_bound ? 0 : 1);
      piece(loop, loop.lo, at, known(at_bound ? less : at_most));
      piece(loop, at, loop.hi, known(at_bound ? at_least : greater));
      return;
    }
    const Operand at = place(loop, split_by, 0), next = place(loop, split_by, 1);
    piece(loop, loop.lo, at, known(less));
    const Operand is_there = b_.prim(Op::kLt, ScalarType::kI64, {at, next});
    Known there = known(equal);
    there[loop.var] = at;
    Block once = bodyOfPiece(loop, there);
    b_.append(If{is_there, std::move(once), {}});
    piece(loop, next, loop.hi, known(greater));
  }

  // The first index of the loop that is not below the bound, or behind it.
  Operand place(const For& loop, const IndexComparison& split_by, int64_t behind) {
    const Operand by = Operand::ofI64(split_by.shift - behind);
    const Operand first = b_.add(loop.lo, by), end = b_.add(loop.hi, by);
    const Operand from = b_.max(split_by.bound, first);
    if (from == first) return loop.lo;
    if (split_by.bound == end || isEnd(split_by.bound, loop.hi, by)) return loop.hi;
    return b_.sub(b_.min(from, end), by);
  }

  // bound = hi + by
  bool isEnd(const Operand& bound, const Operand& hi, const Operand& by) const {
    auto sum = bound.isConstant() ? sums_.end() : sums_.find(bound.var);
    return sum != sums_.end() && sum->second == std::pair(hi, by.constant.asSigned());
  }

  void piece(const For& loop, Operand lo, Operand hi, const Known& known) {
    const bool is_empty =
        lo.isConstant() && hi.isConstant() && lo.constant.asSigned() >= hi.constant.asSigned();
    if (is_empty || lo == hi) return;
    For part = copyOf(loop, known);
    part.lo = lo, part.hi = hi;
    split(std::move(part));
  }

  Program& program_;
  Builder b_;
  BufferUses uses_;  // in the function
  LoopsToSplit which_;
  std::unordered_map<VarId, std::pair<Operand, int64_t>> sums_;  // with constants
  size_t made_ = 0;  // statements of the pieces of the loop at hand
};

}  // namespace

void splitLoops(Program& program, Function& function, LoopsToSplit which) {
  Splitter(program, function, which).inBlock(function.body);
}

}  // namespace halo::imp
