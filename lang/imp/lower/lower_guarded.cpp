// While loops whose condition stays on the device, in chunks of iterations:
//
//   chunk = 1; runs = true
//   while runs {
//     remember where carried values are
//     for i in 0 .. chunk { remember scalars; body; rotate }
//     stop = read stop_word                                   the only time the host waits
//     executed = stop == 0 ? chunk : stop - 1
//     go back; for i in 0 .. executed { rotate }              predicated launches changed nothing
//     runs = stop == 0; chunk = min(2 * chunk, 64) }
#include "lang/imp/lower/lower_loop.h"

namespace halo::imp {

using prim::Op;

namespace {

// More iterations behind the last cost more than waiting does, and a call could not be cancelled.
constexpr int64_t kMostIterations = 64;

}  // namespace

class LoopLowering::GuardedLoop {
 public:
  explicit GuardedLoop(LoopLowering& loop)
      : loop_(loop),
        b_(loop.b_),
        condition_(static_cast<size_t>(std::get<core::WhileLoop>(loop.node_.form).condition)) {}

  void run() {
    for (const CarriedArray& carried : loop_.plan_) note(carried);
    const VarId chunk = b_.declare("chunk", ScalarType::kI64, kOne);
    const VarId runs = b_.declare("runs", ScalarType::kBool, Scalar::ofBool(true));
    b_.whileLoop([&] { return Operand(runs); },
                 [&] {
                   for (auto [name, before] : moving_) b_.append(Rebind{before, name});
                   runChunk(chunk);
                   const Operand goes_on = goBack(chunk);
                   b_.assign(runs, goes_on);
                   const Operand twice = b_.add(chunk, chunk);
                   b_.assign(chunk, b_.min(twice, Operand::ofI64(kMostIterations)));
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
      const Operand count = Operand::ofI64(kMostIterations + 1);
      traces_.push_back({carried.var, b_.alloc("trace", type, Space::kHost, count)});
    }
    if (carried.mode != CarriedArray::Mode::kRotate) return;
    std::vector<BufferId> names = carried.ring;
    names.push_back(carried.current.buffer);
    for (BufferId name : names) {
      moving_.emplace_back(name, b_.buffer("before", carried.current.type, loop_.place_.space));
    }
  }

  void runChunk(VarId chunk) {
    b_.forLoop("i", kZero, chunk, [&](Operand i) {
      for (const Trace& trace : traces_) b_.store(trace.values, i, trace.var);
      loop_.place_.guard->start(i);
      Results results = loop_.low_.body(loop_.node_.body, loop_.carriedDestinations());
      loop_.advance(results);
    });
    for (const Trace& trace : traces_) b_.store(trace.values, chunk, trace.var);
  }

  // To the end of the last iteration that ran. Returns whether none was the loop's last.
  Operand goBack(VarId chunk) {
    const VarId stop = b_.program().addVar("stop", ScalarType::kU32);
    b_.append(ReadScalar{stop, loop_.place_.guard->stop_word, kZero});
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
  // Names whose memory changes hands, and their memory when the chunk began.
  std::vector<std::pair<BufferId, BufferId>> moving_;
};

void LoopLowering::lowerGuarded() { GuardedLoop(*this).run(); }

}  // namespace halo::imp
