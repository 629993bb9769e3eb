// Inner loops first. A loop is split at one condition after the other until its branches are
// decided or there is too much code.
#include "lang/imp/schedule/split_loops.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "lang/imp/builder.h"
#include "lang/imp/copy_block.h"
#include "lang/imp/operands.h"
#include "lang/imp/private_arrays.h"
#include "lang/imp/walk.h"
#include "lang/prim/mirrored.h"

namespace halo::imp {
namespace {

using prim::Op;

constexpr size_t kMaxStatements = 600;  // of all pieces of a loop
constexpr size_t kMaxInnermost = 192;   // the same in kernels
constexpr int64_t kFewTrips = 64;       // a mask costs less than loops of fewer
constexpr int64_t kSmallShift = 1 << 20;

// index + shift compared with `bound`
struct Comparison {
  Op op;
  int64_t shift;
  Operand bound;
};

// How index + shift may compare with the bound in a piece.
struct Relation {
  bool less, equal, greater;
};

std::optional<bool> answer(Op op, const Relation& r) {
  auto decide = [&](bool less, bool equal, bool greater) -> std::optional<bool> {
    const bool yes = (r.less && less) || (r.equal && equal) || (r.greater && greater);
    const bool no = (r.less && !less) || (r.equal && !equal) || (r.greater && !greater);
    if (yes == no) return std::nullopt;
    return yes;
  };
  switch (op) {
    case Op::kLt:
      return decide(true, false, false);
    case Op::kLe:
      return decide(true, true, false);
    case Op::kGt:
      return decide(false, false, true);
    case Op::kGe:
      return decide(false, true, true);
    case Op::kEq:
      return decide(false, true, false);
    case Op::kNe:
      return decide(true, false, true);
    default:
      return std::nullopt;
  }
}

bool isComparison(Op op) {
  return op == Op::kLt || op == Op::kLe || op == Op::kGt || op == Op::kGe || op == Op::kEq ||
         op == Op::kNe;
}

using Lets = std::unordered_map<VarId, const Expr*>;

// The questions that the branches of a loop depend on.
class Questions {
 public:
  // `most_shift`: of a comparison. Ends near the highest number wrap where it is above 0.
  Questions(const Program& program, const For& loop, int64_t most_shift)
      : program_(program), loop_(loop), most_shift_(most_shift) {
    forEachStm(loop.body, [&](const Stm& stm) {
      if (const auto* let = std::get_if<Let>(&stm.node)) lets_[let->var] = &let->expr;
      if (const auto* inner = std::get_if<For>(&stm.node)) inner_.insert(inner->var);
    });
    for (bool checks : {false, true}) {
      forEachStm(loop.body, [&](const Stm& stm) {
        const auto* branch = std::get_if<If>(&stm.node);
        if (branch != nullptr && isCheck(*branch) == checks) collect(branch->condition);
      });
    }
  }

  const std::optional<VarId>& fixed() const { return fixed_; }
  const std::optional<Comparison>& comparison() const { return comparison_; }

  // Comparisons of the same with the same, whatever they are used for.
  std::vector<std::pair<VarId, Op>> like(const Comparison& question) const {
    std::vector<std::pair<VarId, Op>> found;
    for (const auto& [var, expr] : lets_) {
      std::optional<Comparison> other = asComparison(*expr);
      if (other && other->shift == question.shift && other->bound == question.bound) {
        found.emplace_back(var, other->op);
      }
    }
    return found;
  }

 private:
  static bool isCheck(const If& branch) {
    return branch.then_block.size() == 1 && std::holds_alternative<Fail>(branch.then_block[0].node);
  }

  void collect(const Operand& condition) {
    if (condition.isConstant()) return;
    auto made = lets_.find(condition.var);
    if (made == lets_.end()) {
      if (!fixed_ && isFixed(condition)) fixed_ = condition.var;
      return;
    }
    if (const auto* select = std::get_if<Select>(made->second)) {
      collect(select->condition), collect(select->on_true), collect(select->on_false);
    }
    const auto* prim = std::get_if<Prim>(made->second);
    if (prim == nullptr) return;
    if (prim->type == ScalarType::kBool) {
      for (const Operand& arg : prim->args) collect(arg);
    } else if (!comparison_) {
      comparison_ = asComparison(*prim);
    }
  }

  std::optional<Comparison> asComparison(const Expr& expr) const {
    const auto* prim = std::get_if<Prim>(&expr);
    const bool compares =
        prim != nullptr && prim->type == ScalarType::kI64 && isComparison(prim->op);
    if (!compares) return std::nullopt;
    const Operand &left = prim->args[0], &right = prim->args[1];
    if (auto shift = shiftOf(left); shift && isFixed(right)) return {{prim->op, *shift, right}};
    if (auto shift = shiftOf(right); shift && isFixed(left)) {
      return {{prim::mirrored(prim->op), *shift, left}};
    }
    return std::nullopt;
  }

  // Of the index plus a small constant.
  std::optional<int64_t> shiftOf(const Operand& operand) const {
    if (operand.isConstant()) return std::nullopt;
    if (operand.var == loop_.var) return 0;
    auto made = lets_.find(operand.var);
    const auto* prim = made == lets_.end() ? nullptr : std::get_if<Prim>(made->second);
    if (prim == nullptr || prim->type != ScalarType::kI64) return std::nullopt;
    if (prim->op != Op::kAdd && prim->op != Op::kSub) return std::nullopt;
    Operand index = prim->args[0], other = prim->args[1];
    if (prim->op == Op::kAdd && index.isConstant()) std::swap(index, other);
    if (index != Operand(loop_.var) || !other.isConstant()) return std::nullopt;
    const int64_t shift = other.constant.asSigned();
    if (shift < -kSmallShift || shift > kSmallShift) return std::nullopt;
    const int64_t by = prim->op == Op::kAdd ? shift : -shift;
    return by <= most_shift_ ? std::optional(by) : std::nullopt;
  }

  bool isFixed(const Operand& operand) const {
    if (operand.isConstant()) return true;
    return operand.var != loop_.var && !lets_.contains(operand.var) &&
           !inner_.contains(operand.var) && !program_.vars[operand.var].is_mutable;
  }

  const Program& program_;
  const For& loop_;
  int64_t most_shift_;
  Lets lets_;
  std::unordered_set<VarId> inner_;
  std::optional<VarId> fixed_;
  std::optional<Comparison> comparison_;
};

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
    Questions questions(program_, loop, which_ == LoopsToSplit::kVector ? kSmallShift : 0);
    if (questions.fixed() && hasRoom(loop, 2)) {
      const VarId condition = *questions.fixed();
      auto arm = [&](bool holds) {
        return [&, holds] { split(copyOf(loop, {{condition, Scalar::ofBool(holds)}})); };
      };
      b_.ifThenElse(condition, arm(true), arm(false));
    } else if (questions.comparison()) {
      splitAt(loop, *questions.comparison(), questions);
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

  // Nothing that traps.
  bool isIndexArithmetic(const Let& let) const {
    const ScalarType type = program_.vars[let.var].type;
    const auto* prim = std::get_if<Prim>(&let.expr);
    const bool may_trap =
        prim != nullptr && (prim->op == Op::kMachineDiv || prim->op == Op::kMachineRem);
    return (type == ScalarType::kI64 || type == ScalarType::kBool) && !may_trap &&
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

  // Two pieces where that answers everything that is asked about this bound, else three.
  void splitAt(const For& loop, const Comparison& question, const Questions& questions) {
    const auto comparisons = questions.like(question);
    auto known = [&](Relation relation) {
      Known answers;
      for (const auto& [var, op] : comparisons) {
        if (auto value = answer(op, relation)) answers[var] = Scalar::ofBool(*value);
      }
      return answers;
    };
    auto decidesAll = [&](Relation below, Relation above) {
      return known(below).size() == comparisons.size() && known(above).size() == comparisons.size();
    };
    const Relation less{true, false, false}, equal{false, true, false}, greater{false, false, true};
    const Relation at_most{true, true, false}, at_least{false, true, true};
    const bool at_bound = decidesAll(less, at_least), behind = decidesAll(at_most, greater);
    if (!hasRoom(loop, at_bound || behind ? 2 : 3)) return b_.append(loop);
    if (at_bound || behind) {
      const Operand at = place(loop, question, at_bound ? 0 : 1);
      piece(loop, loop.lo, at, known(at_bound ? less : at_most));
      piece(loop, at, loop.hi, known(at_bound ? at_least : greater));
      return;
    }
    const Operand at = place(loop, question, 0), next = place(loop, question, 1);
    piece(loop, loop.lo, at, known(less));
    const Operand is_there = b_.prim(Op::kLt, ScalarType::kI64, {at, next});
    Known there = known(equal);
    there[loop.var] = at;
    Block once = bodyOfPiece(loop, there);
    b_.append(If{is_there, std::move(once), {}});
    piece(loop, next, loop.hi, known(greater));
  }

  // The first index of the loop that is not below the bound, or behind it.
  Operand place(const For& loop, const Comparison& question, int64_t behind) {
    const Operand by = Operand::ofI64(question.shift - behind);
    const Operand first = b_.add(loop.lo, by), end = b_.add(loop.hi, by);
    const Operand from = b_.max(question.bound, first);
    if (from == first) return loop.lo;
    if (question.bound == end || isEnd(question.bound, loop.hi, by)) return loop.hi;
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
