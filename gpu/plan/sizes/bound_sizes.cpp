// Which sizes gain is up to the placement of scalars: all get bounds, and those that the host wants
// in any case lose them again.
#include "gpu/plan/sizes/bound_sizes.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/host_code.h"
#include "gpu/plan/loops/unswitch_reads.h"
#include "gpu/plan/placement.h"
#include "gpu/plan/sizes/count_sources.h"
#include "gpu/plan/sizes/counted_sizes.h"
#include "gpu/plan/sizes/size_choices.h"
#include "gpu/plan/sizes/step_sizes.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

using Counts = std::unordered_set<ValueId>;

// A sum or product with a count may have a bound, too, and so may a size less a count.
bool combines(const Stm& stm) {
  const auto* op = std::get_if<PrimOp>(&stm.expr);
  return op != nullptr && (op->op == Op::kMul || op->op == Op::kAdd || op->op == Op::kSub) &&
         op->type == ScalarType::kI64;
}

class Candidates {
 public:
  explicit Candidates(const Program& program) : program_(program), sources_(program) {}

  // Values that may have bounds and that are sizes.
  Counts in(const Body& body) {
    collect(body);
    // Operands of a size count as sizes.
    for (auto stm = combined_.rbegin(); stm != combined_.rend(); ++stm) {
      if (!sizes_.contains((*stm)->results[0])) continue;
      forEachOperand((*stm)->expr, [&](const Operand& part) {
        if (!part.isConstant()) sizes_.insert(part.value);
      });
    }
    std::erase_if(counts_, [&](ValueId count) { return !sizes_.contains(count); });
    return std::move(counts_);
  }

 private:
  void collect(const Body& body) {
    sources_.enter(body);
    for (const Stm& stm : body.stms) {
      for (const auto& [position, width] : sources_.countsOf(stm)) {
        counts_.insert(stm.results[position]);
      }
      if (combines(stm)) noteCombined(stm);
      if (isChoice(program_, stm) || std::holds_alternative<Select>(stm.expr)) {
        for (const ValueId result : stm.results) noteChoice(result);
      }
      if (std::holds_alternative<Select>(stm.expr)) combined_.push_back(&stm);
      for (const ValueId result : stm.results) noteSizes(result);
      noteSpaces(stm);
      visitBodies(stm.expr, [&](const Body& inner) { collect(inner); });
    }
  }
  void noteCombined(const Stm& stm) {
    counts_.insert(stm.results[0]);
    combined_.push_back(&stm);
  }
  void noteChoice(ValueId result) {
    if (program_.type(result) == Type{ScalarType::kI64, {}}) counts_.insert(result);
  }
  // Kernels for so many elements need not take an array of that size.
  void noteSpaces(const Stm& stm) {
    const Function* kernel = kernelOf(program_, stm);
    if (kernel == nullptr) return;
    const Operands& args = std::get<Call>(stm.expr).args;
    for (size_t k = 0; k < args.size(); ++k) {
      if (args[k].isConstant() || !counts_.contains(args[k].value)) continue;
      if (!isPlainScalar(program_, *kernel, k)) sizes_.insert(args[k].value);
    }
  }
  void noteSizes(ValueId array) {
    for (const Operand& size : program_.type(array).shape) {
      if (!size.isConstant()) sizes_.insert(size.value);
    }
  }

  const Program& program_;
  CountSources sources_;
  Counts counts_, sizes_;
  std::vector<const Stm*> combined_;
};

class SizeBounds {
 public:
  SizeBounds(Program& program, const Function& host, const Counts& wanted,
             const std::function<std::string()>& next_name)
      : program_(program), sources_(program), wanted_(wanted), next_name_(next_name) {
    for (const ValueId param : host.params) {
      for (const Operand& extent : program.type(param).shape) {
        if (!extent.isConstant()) extents_.insert(extent.value);
      }
    }
  }

  void bound(Body& body) {
    sources_.enter(body);
    std::vector<Stm> before = std::exchange(body.stms, {});
    for (Stm& stm : before) {
      visitBodies(stm.expr, [&](Body& inner) { bound(inner); });
      noteTest(stm, body.stms);
      if (const auto holds = whenHolds(stm)) {
        checkUnless(*holds, std::move(stm), body.stms);
      } else if (wantsAny(stm) && isChoice(program_, stm)) {
        boundBranch(stm, body.stms);
      } else {
        boundResults(std::move(stm), body.stms);
      }
      if (auto* loop = std::get_if<Loop>(&body.stms.back().expr)) readAtEnd(*loop);
    }
  }

 private:
  void readAtEnd(Loop& loop) {
    gpu::readAtEnd(
        program_, loop, [&](ValueId size) { return most_.contains(size); }, next_name_);
  }
  bool wantsAny(const Stm& stm) const {
    return std::any_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return wanted_.contains(result); });
  }
  void boundResults(Stm stm, std::vector<Stm>& out) {
    std::vector<Stm> behind;
    for (const auto& [position, width] : sources_.countsOf(stm)) {
      ValueId& count = stm.results[position];
      if (!wanted_.contains(count)) continue;
      const auto known = width.isConstant() ? most_.end() : most_.find(width.value);
      const bool is_carried = std::holds_alternative<PrimOp>(stm.expr);
      wholes_.emplace(count, width);
      bound(count, known == most_.end() ? width : known->second, behind,
            is_carried ? kMaxCarried : kMaxCounted);
    }
    const auto* select = std::get_if<Select>(&stm.expr);
    if (select != nullptr && wanted_.contains(stm.results[0])) {
      const Select chosen = *select;
      const Operand most = mostOf(chosen, behind);
      choices_.emplace(stm.results[0], chosen);
      if (mayBeNegative(chosen.on_true) || mayBeNegative(chosen.on_false)) {
        negative_.insert(stm.results[0]);
      }
      bound(stm.results[0], most, behind);
    }
    if (combines(stm) && wanted_.contains(stm.results[0])) boundCombined(stm, behind);
    out.push_back(std::move(stm));
    std::move(behind.begin(), behind.end(), std::back_inserter(out));
  }

  // ---- branches

  // Both arms, then choices among their results.
  void boundBranch(const Stm& stm, std::vector<Stm>& out) {
    const auto& match = std::get<Match>(stm.expr);
    const Body &first = match.cases[0].body, &second = match.otherwise;
    for (const Body* arm : {&first, &second}) {
      for (const Stm& inner : arm->stms) appendTotal(program_, inner, out);
    }
    const bool is_first = match.cases[0].value.asBool();
    for (size_t k = 0; k < stm.results.size(); ++k) {
      const Operand &a = first.results[k], &b = second.results[k];
      const Select select{match.scrutinee, is_first ? a : b, is_first ? b : a};
      boundResults({{stm.results[k]}, select, false, stm.span}, out);
    }
  }
  // Not below 0: the host gives room for so many elements before a kernel checks the size.
  Operand mostOf(const Select& select, std::vector<Stm>& out) {
    Builder code(program_);
    const auto most = [&](const Operand& a, const Operand& b) {
      return code.prim(Op::kMax, ScalarType::kI64, {a, b});
    };
    Operand made = most(boundOf(select.on_true), boundOf(select.on_false));
    if (select.on_true != kZero && select.on_false != kZero) made = most(made, kZero);
    for (Stm& stm : code.take({}).stms) out.push_back(std::move(stm));
    return made;
  }

  // ---- sums and products

  // Of a count, and of a number that the host knows or another count. Both are cut off above the
  // limit of rooms, so that the result does not wrap around.
  void boundCombined(Stm& stm, std::vector<Stm>& out) {
    const PrimOp op = std::get<PrimOp>(stm.expr);
    if (op.op == Op::kSub) return boundRest(stm, op, out);
    const size_t k = isBounded(op.args[0]) ? 0 : 1;
    if (!isBounded(op.args[k])) return;
    // The bound of a product of two negative numbers is none of the numbers'.
    if (negative_.contains(op.args[k].value)) return;
    const bool are_counts = isBounded(op.args[1 - k]);
    if (are_counts && negative_.contains(op.args[1 - k].value)) return;
    const Operand with = are_counts ? most_.at(op.args[1 - k].value) : op.args[1 - k];
    Builder code(program_);
    const auto atMost = [&](const Operand& value) {
      return code.prim(Op::kMin, ScalarType::kI64, {value, Operand::ofI64(2 * kMaxCounted)});
    };
    const Operand other = code.prim(Op::kMax, ScalarType::kI64, {atMost(with), kZero});
    const Operand count = atMost(most_.at(op.args[k].value));
    const Operand most = op.op == Op::kMul ? code.mul(other, count) : code.add(other, count);
    for (Stm& made : code.take({}).stms) out.push_back(std::move(made));
    others_.emplace(stm.results[0], Combined{with, most});
    if (mayBeNegative(op.args[1 - k])) negative_.insert(stm.results[0]);
    bound(stm.results[0], most, out);
  }
  // The elements less the count of some of them, as a partition's second part.
  void boundRest(Stm& stm, const PrimOp& op, std::vector<Stm>& out) {
    const auto whole = op.args[1].isConstant() ? wholes_.end() : wholes_.find(op.args[1].value);
    if (whole == wholes_.end() || !(whole->second == op.args[0])) return;
    bound(stm.results[0], boundOf(op.args[0]), out);
  }
  // Counts and the extents of arguments are not below 0, nor are their sums and products.
  bool mayBeNegative(const Operand& size) const {
    if (size.isConstant()) return size.constant.asSigned() < 0;
    if (isBounded(size)) return negative_.contains(size.value);
    return !extents_.contains(size.value);
  }
  // Of a size that is a count or the host's.
  Operand boundOf(const Operand& size) const {
    return isBounded(size) ? most_.at(size.value) : size;
  }
  bool isBounded(const Operand& operand) const {
    return !operand.isConstant() && most_.contains(operand.value);
  }

  // ---- checks

  // The host knows when a size is not below 0, or not above a constant, before it knows the size.
  void noteTest(const Stm& stm, std::vector<Stm>& out) {
    const auto* test = std::get_if<PrimOp>(&stm.expr);
    if (test == nullptr || test->args.size() != 2 || !isBounded(test->args[0])) return;
    if (!test->args[1].isConstant()) return;
    const ValueId size = test->args[0].value;
    Builder code(program_);
    const auto compare = [&](Op op, const Operand& a, const Operand& b) {
      return code.prim(op, ScalarType::kI64, {a, b});
    };
    if (test->op == Op::kLe) {
      tests_.emplace(stm.results[0], compare(Op::kLe, most_.at(size), test->args[1]));
    } else if (test->op == Op::kGe && test->args[1] == kZero) {
      const auto isKnown = [&](const Operand& part) {
        return !isBounded(part) || !negative_.contains(part.value);
      };
      const auto isFine = [&](const Operand& part) {
        return compare(Op::kGe, boundOf(part), kZero);
      };
      const auto both = [&](const Operand& a, const Operand& b) {
        return code.prim(Op::kAnd, ScalarType::kBool, {a, b});
      };
      const auto choice = choices_.find(size);
      const auto other = others_.find(size);
      if (other != others_.end()) {
        const Operand limit = Operand::ofI64(kMaxCounted);
        const Operand is_exact = compare(Op::kLe, other->second.most, limit);
        tests_.emplace(stm.results[0], both(isFine(other->second.with), is_exact));
      }
      if (choice != choices_.end() && isKnown(choice->second.on_true) &&
          isKnown(choice->second.on_false)) {
        const Operand a = isFine(choice->second.on_true), b = isFine(choice->second.on_false);
        tests_.emplace(stm.results[0], both(a, b));
      }
    }
    for (Stm& made : code.take({}).stms) out.push_back(std::move(made));
  }
  // Where this holds, the assert does.
  std::optional<Operand> whenHolds(const Stm& stm) const {
    const auto* assert = std::get_if<Assert>(&stm.expr);
    if (assert == nullptr || assert->condition.isConstant()) return std::nullopt;
    const auto found = tests_.find(assert->condition.value);
    return found == tests_.end() ? std::nullopt : std::optional(found->second);
  }
  static void checkUnless(const Operand& holds, Stm stm, std::vector<Stm>& out) {
    Body check;
    check.stms.push_back(std::move(stm));
    Match unless{holds, {{Scalar::ofBool(true), {}}}, std::move(check)};
    out.push_back({{}, std::move(unless), false, {}});
  }

  // ---- bounds

  // `count`, which is not above `width`, gets another name where it is made.
  void bound(ValueId& count, const Operand& width, std::vector<Stm>& out,
             int64_t limit = kMaxCounted) {
    const ValueId own = program_.add(program_.values[count].name, program_.type(count));
    const Operand most = isSmallSize(width) ? width : chosen(own, width, limit, out);
    out.push_back({{count}, PrimOp{Op::kMin, ScalarType::kI64, {own, most}}, false, {}});
    most_.emplace(std::exchange(count, own), most);
  }

  // The width where it is small, else the count.
  Operand chosen(ValueId own, const Operand& width, int64_t limit, std::vector<Stm>& out) {
    const Type size{ScalarType::kI64, {}};
    const ValueId is_small = program_.add("is_small", {ScalarType::kBool, {}});
    const Operands limits = {width, Operand::ofI64(limit)};
    out.push_back({{is_small}, PrimOp{Op::kLe, ScalarType::kI64, limits}, false, {}});
    const ValueId read = program_.add("read", size);
    Body large;
    large.stms.push_back(boxed(program_, own, next_name_()));
    large.stms.push_back({{read}, Index{large.stms[0].results[0], {kZero}}, false, {}});
    large.results = {read};
    Body small;
    small.results = {width};
    const ValueId most = program_.add("most", size);
    Match choice{is_small, {{Scalar::ofBool(true), std::move(small)}}, std::move(large)};
    out.push_back({{most}, std::move(choice), false, {}});
    return most;
  }

  Program& program_;
  CountSources sources_;
  const Counts& wanted_;
  const std::function<std::string()>& next_name_;
  std::unordered_set<ValueId> extents_;          // of the arguments
  std::unordered_map<ValueId, Operand> most_;    // of the counts that have bounds so far
  std::unordered_map<ValueId, Operand> wholes_;  // of how many elements they are
  std::unordered_set<ValueId> negative_;         // those that may be below 0
  std::unordered_map<ValueId, Select> choices_;  // those that are one of two sizes of the host
  // Sums and products: the number with the count, or its bound; their bound, which is exact where
  // it is small.
  struct Combined {
    Operand with, most;
  };
  std::unordered_map<ValueId, Combined> others_;
  std::unordered_map<ValueId, Operand> tests_;  // of sizes, and tests of the host that imply them
};

}  // namespace

void boundSizes(Program& program, Function& host, const std::function<std::string()>& next_name) {
  Counts wanted = Candidates(program).in(host.body);
  for (bool is_settled = false; !is_settled && !wanted.empty();) {
    Program trial = program;
    Function bounded = host;
    int boxes = 0;
    const auto name = [&] { return host.name + "_box_" + std::to_string(++boxes); };
    SizeBounds(trial, host, wanted, name).bound(bounded.body);
    settleReads(trial, bounded.body);
    const Placement placement = placeScalars(trial, bounded);
    is_settled = std::erase_if(wanted, [&](ValueId count) {
                   return !placement.counted.contains(count);
                 }) == 0;
  }
  if (!wanted.empty()) SizeBounds(program, host, wanted, next_name).bound(host.body);
}

}  // namespace halo::gpu
