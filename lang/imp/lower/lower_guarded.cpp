// While loops whose condition stays on the device, in chunks of iterations:
//
//   chunk = 1; runs = true
//   while runs {
//     remember where carried values are
//     for i in 0 .. chunk { remember scalars; body; rotate }
//     stop = read exit_flag                                   the only time the host waits
//     executed = stop == 0 ? chunk : stop - 1
//     go back; for i in 0 .. executed { rotate }              predicated launches changed nothing
//     runs = stop == 0; chunk = the next one }
//
// The host waits once in a chunk of c iterations. A loop that has run t iterations may run as
// many more. Chunks of c iterations cost t / c waits and c / 2 superfluous iterations of n
// launches. The sum is least where c * c * n is a multiple of t. So a chunk is twice the one
// before as long as that does not pass the limit. For 1 to 400 iterations of 64 launches, this
// takes half of the time of doubling alone; 0.8 for 16 launches, and the same for 2.
#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/imp/lower/lower_loop.h"

namespace halo::imp {

using prim::Op;

namespace {

// Chunks grow while c * c * n is not above t times this. A wait takes as long as 26 launches that
// do nothing (an H200: 36 us and 1.4 us).
constexpr int64_t kGrowth = 200;

// Memory with undefined contents takes none.
bool launches(const core::Program& program, const core::Stm& stm) {
  const auto* call = std::get_if<core::Call>(&stm.expr);
  const core::Function* callee = call == nullptr ? nullptr : program.find(call->function);
  return callee != nullptr && !(callee->body.stms.size() == 1 &&
                                std::holds_alternative<core::Scratch>(callee->body.stms[0].expr));
}
// Launches of an iteration; inner loops whose bound is not a constant have four iterations.
int64_t launchesIn(const core::Program& program, const core::Body& body) {
  int64_t all = 0;
  for (const core::Stm& stm : body.stms) {
    all += launches(program, stm) ? 1 : 0;
    int64_t inside = 0;
    core::forEachBody(stm.expr, [&](const core::Body& inner) {
      inside = std::max(inside, launchesIn(program, inner));
    });
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      const auto* counted = std::get_if<core::ForLoop>(&loop->form);
      const bool is_known = counted != nullptr && counted->bound.isConstant();
      inside *= is_known ? std::clamp<int64_t>(counted->bound.constant.asSigned(), 0, 64) : 4;
    }
    all += inside;
  }
  return all;
}

// More iterations behind the last cost more than waiting does, and a call could not be cancelled.
constexpr int64_t kMaxIterations = 64;

// Twice the chunk, or as many again. `done`: iterations so far; `launches`: of each.
Operand nextChunk(Builder& b, VarId chunk, VarId done, int64_t launches) {
  Operand twice = b.min(b.add(chunk, chunk), Operand::ofI64(kMaxIterations));
  Operand cost = b.mul(b.mul(twice, twice), Operand::ofI64(launches));
  Operand grows = b.prim(Op::kLe, ScalarType::kI64, {cost, b.mul(done, Operand::ofI64(kGrowth))});
  return b.let("chunk", ScalarType::kI64, Select{grows, twice, chunk});
}

}  // namespace

class LoopLowering::GuardedLoop {
 public:
  explicit GuardedLoop(LoopLowering& loop)
      : loop_(loop),
        b_(loop.b_),
        condition_(static_cast<size_t>(std::get<core::WhileLoop>(loop.node_.form).condition)) {}

  void run() {
    for (const CarriedArray& carried : loop_.plan_) note(carried);
    const int64_t launches = std::max<int64_t>(launchesIn(loop_.core_, loop_.node_.body), 1);
    const VarId chunk = b_.declare("chunk", ScalarType::kI64, kOne);
    const VarId done = b_.declare("done", ScalarType::kI64, kZero);
    const VarId runs = b_.declare("runs", ScalarType::kBool, Scalar::ofBool(true));
    b_.whileLoop([&] { return Operand(runs); },
                 [&] {
                   for (auto [name, before] : moving_) b_.append(Rebind{before, name});
                   runChunk(chunk);
                   const Operand goes_on = goBack(chunk);
                   b_.assign(runs, goes_on);
                   b_.assign(done, b_.add(done, chunk));
                   b_.assign(chunk, nextChunk(b_, chunk, done, launches));
                 });
    for (const Trace& trace : traces_) b_.append(Free{trace.values});
  }

 private:
  // The values a scalar has before each iteration of a chunk, and after the last one.
  struct Trace {
    VarId var;
    BufferId values;
  };

  void note(const CarriedArray& carried) {
    if (carried.mode == CarriedArray::Mode::kScalar && carried.position != condition_) {
      const ScalarType type = b_.program().vars[carried.var].type;
      const Operand count = Operand::ofI64(kMaxIterations + 1);
      traces_.push_back({carried.var, b_.alloc("trace", type, Space::kHost, count)});
    }
    if (carried.mode != CarriedArray::Mode::kRotate) return;
    std::vector<BufferId> names = carried.ring;
    names.push_back(carried.current.buffer);
    for (BufferId name : names) {
      moving_.emplace_back(name, b_.buffer("before", carried.current.type, loop_.target_.space));
    }
  }

  void runChunk(VarId chunk) {
    b_.forLoop("i", kZero, chunk, [&](Operand i) {
      for (const Trace& trace : traces_) b_.store(trace.values, i, trace.var);
      loop_.target_.guard->start(i);
      Results results = loop_.low_.body(loop_.node_.body, loop_.carriedDestinations());
      loop_.advance(results);
    });
    for (const Trace& trace : traces_) b_.store(trace.values, chunk, trace.var);
  }

  // To the end of the last iteration that ran. Returns whether none was the loop's last.
  Operand goBack(VarId chunk) {
    const VarId stop = b_.program().addVar("stop", ScalarType::kU32);
    b_.append(ReadScalar{stop, loop_.target_.guard->exit_flag, kZero});
    const Operand goes_on =
        b_.prim(Op::kEq, ScalarType::kU32, {Operand(stop), prim::zero(ScalarType::kU32)});
    const Operand wide = b_.let(
        "stop", ScalarType::kI64,
        Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, Operand(stop)});
    const Operand stopped = b_.sub(wide, kOne);
    const Operand executed =
        b_.let("executed", ScalarType::kI64, Select{goes_on, Operand(chunk), stopped});
    for (auto [name, before] : moving_) b_.append(Rebind{name, before});
    b_.forLoop("i", kZero, executed, [&](Operand) { loop_.rotate(); });
    for (const Trace& trace : traces_) b_.assign(trace.var, b_.load(trace.values, executed));
    return goes_on;
  }

  LoopLowering& loop_;
  Builder& b_;
  const size_t condition_;  // its position among the carried values
  std::vector<Trace> traces_;
  // Names that the chunk rebinds or swaps, and their memory when it began.
  std::vector<std::pair<BufferId, BufferId>> moving_;
};

void LoopLowering::lowerGuarded() { GuardedLoop(*this).run(); }

}  // namespace halo::imp
