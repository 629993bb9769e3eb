// One walk decides whether code may run in lanes, one computes the cost with and without.
#include "lang/imp/schedule/lanes.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lang/base/match.h"
#include "lang/imp/builder.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

constexpr double kUnknownTrips = 64;
constexpr double kLanesAtOnce = 16;
constexpr double kGather = 20;     // compared with one vector operation
constexpr double kDivergence = 2;  // lanes wait for the slowest one

class Admission {
 public:
  explicit Admission(const Program& program) : program_(program) {}

  bool admits(const Block& block) {
    return std::all_of(block.begin(), block.end(), [&](const Stm& stm) {
      return base::match(
          stm.node, [&](const Let& n) { return admits(n.expr); },
          [](const Declare&) { return true; }, [](const Assign&) { return true; },
          [](const Store&) { return true; }, [](const Fail&) { return true; },
          [](const Append&) { return true; },
          [&](const For& n) { return n.schedule != Schedule::kParallel && admits(n.body); },
          [&](const While& n) { return admits(n.before) && admits(n.body); },
          [&](const If& n) { return admits(n.then_block) && admits(n.else_block); },
          [&](const Alloc& n) { return isPrivate(n, block); },
          [&](const Free& n) { return private_.contains(n.buffer); },
          base::otherwise([](const auto&) { return false; }));
    });
  }

 private:
  // The library's functions work on one number.
  static bool admits(const Expr& expr) {
    const auto* prim = std::get_if<Prim>(&expr);
    if (prim == nullptr || !prim::isFloat(prim->type)) return true;
    return prim->op != prim::Op::kPow && prim->op != prim::Op::kMod;
  }

  // Small, and dead at the end of the block.
  bool isPrivate(const Alloc& alloc, const Block& block) {
    bool dies = std::any_of(block.begin(), block.end(), [&](const Stm& stm) {
      const auto* free = std::get_if<Free>(&stm.node);
      return free != nullptr && free->buffer == alloc.buffer;
    });
    if (!dies || !alloc.elements.isConstant()) return false;
    int64_t count = alloc.elements.constant.asSigned();
    bytes_ += std::clamp<int64_t>(count, 1, kPrivateBytesOfLane + 1) *
              prim::byteSize(program_.buffers[alloc.buffer].type);
    private_.insert(alloc.buffer);
    return bytes_ <= kPrivateBytesOfLane;
  }

  const Program& program_;
  int64_t bytes_ = 0;
  std::unordered_set<BufferId> private_;
};

// A loop over blocks of lanes goes over kUnknownTrips elements as well.
double tripsOf(const For& n) {
  if (!n.lo.isConstant() || !n.hi.isConstant()) {
    for (const Stm& stm : n.body) {
      const auto* inner = std::get_if<For>(&stm.node);
      if (inner == nullptr || inner->schedule != Schedule::kVector) continue;
      if (inner->hi.isConstant() && inner->hi.constant.asSigned() > 0) {
        return kUnknownTrips / static_cast<double>(inner->hi.constant.asSigned());
      }
    }
    return kUnknownTrips;
  }
  return static_cast<double>(
      std::max<int64_t>(n.hi.constant.asSigned() - n.lo.constant.asSigned(), 0));
}

// How an integer depends on one loop variable: not, by a known step per iteration, or otherwise.
class Cost {
 public:
  Cost(VarId var, bool in_lanes) : in_lanes_(in_lanes) { steps_[var] = 1; }

  double of(const Block& block) {
    double cost = 0;
    for (const Stm& stm : block) {
      cost += base::match(
          stm.node, [&](const Let& n) { return let(n); },
          [&](const Declare& n) { return assign(n.var, n.initial); },
          [&](const Assign& n) { return assign(n.var, n.value); },
          [&](const Store& n) { return access(n.index); }, [&](const For& n) { return loop(n); },
          [&](const While& n) {
            double once = of(n.before) + of(n.body);
            return kUnknownTrips * once * (in_lanes_ ? kDivergence : 1);
          },
          [&](const If& n) { return 1 + of(n.then_block) + of(n.else_block); },
          base::otherwise([](const auto&) { return 1.0; }));
    }
    return cost;
  }

  bool gathers() const { return gathers_; }

 private:
  static constexpr int64_t kVaries = int64_t{1} << 40;

  int64_t step(const Operand& operand) const {
    if (operand.isConstant()) return 0;
    auto found = steps_.find(operand.var);
    return found == steps_.end() ? 0 : found->second;
  }

  double loop(const For& n) {
    if (in_lanes_ || n.schedule == Schedule::kSequential || n.vector_width <= 1) {
      steps_[n.var] = step(n.lo) == 0 ? 0 : kVaries;
      double once = of(n.body) + 1;
      return tripsOf(n) * once * (in_lanes_ && step(n.hi) != 0 ? kDivergence : 1);
    }
    return tripsOf(n) * Cost(n.var, true).of(n.body) / kLanesAtOnce;
  }

  double assign(VarId var, const Operand& value) {
    steps_[var] = step(value) == 0 && step(var) == 0 ? 0 : kVaries;
    return 0;
  }

  double access(const Operand& index) {
    int64_t by = step(index);
    if (!in_lanes_ || by == 0 || by == 1) return 1;
    gathers_ = true;
    return kGather;
  }

  double let(const Let& n) {
    if (const auto* load = std::get_if<Load>(&n.expr)) {
      steps_[n.var] = step(load->index) == 0 ? 0 : kVaries;
      return access(load->index);
    }
    steps_[n.var] = arithmetic(n.expr);
    return steps_[n.var] == 0 && in_lanes_ ? 1 / kLanesAtOnce : 1;
  }

  int64_t arithmetic(const Expr& expr) const {
    const auto* prim = std::get_if<Prim>(&expr);
    const Operands args = operandsOf(expr);
    bool same = std::all_of(args.begin(), args.end(), [&](const Operand& a) { return !step(a); });
    if (same) return 0;
    if (prim == nullptr || prim->type != ScalarType::kI64 || args.size() != 2) return kVaries;
    int64_t a = step(args[0]), b = step(args[1]);
    if (a == kVaries || b == kVaries) return kVaries;
    if (prim->op == prim::Op::kAdd) return a + b;
    if (prim->op == prim::Op::kSub) return a - b;
    return kVaries;
  }

  bool in_lanes_;
  bool gathers_ = false;
  std::unordered_map<VarId, int64_t> steps_;
};

}  // namespace

Block withElementCopies(Program& program, Block body) {
  constexpr int64_t kMaxElements = 16;
  const auto shortCopy = [](const Stm& stm) {
    const auto* copy = std::get_if<CopyBuffer>(&stm.node);
    const bool is_short = copy != nullptr && copy->count.isConstant() &&
                          copy->count.constant.asSigned() <= kMaxElements;
    return is_short ? copy : nullptr;
  };
  bool has_any = false;
  forEachStm(body, [&](const Stm& stm) { has_any = has_any || shortCopy(stm) != nullptr; });
  if (!has_any) return body;
  return rewriteBlock(body, [&](Stm stm, Block& out) {
    const CopyBuffer* copy = shortCopy(stm);
    if (copy == nullptr) return out.push_back(std::move(stm));
    Builder b(program);
    b.forLoop("i", Operand::ofI64(0), copy->count, [&](const Operand& i) {
      b.store(copy->dst, b.add(copy->dst_offset, i), b.load(copy->src, b.add(copy->src_offset, i)));
    });
    for (Stm& made : b.take()) out.push_back(std::move(made));
  });
}

bool canRunInLanes(const Program& program, const Block& body) {
  return Admission(program).admits(body);
}

bool hasUnitSteps(const Block& body, VarId var) {
  Cost cost(var, true);
  cost.of(body);
  return !cost.gathers();
}

double costAlone(const Block& body) { return Cost(VarId(), false).of(body); }

double costInLanes(const Block& body, VarId var) { return Cost(var, true).of(body) / kLanesAtOnce; }

}  // namespace halo::imp
