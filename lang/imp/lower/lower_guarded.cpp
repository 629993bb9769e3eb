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

// The values a scalar has before each iteration of a chunk, and after the last one.
struct Trace {
  VarId var;
  BufferId values;
};

// Names whose memory changes hands, and their memory when the chunk began.
using Moving = std::vector<std::pair<BufferId, BufferId>>;

}  // namespace

void LoopLowering::lowerGuarded() {
  auto condition = static_cast<size_t>(std::get<core::WhileLoop>(node_.form).condition);
  std::vector<Trace> traces;
  Moving moving;
  for (const CarriedArray& carried : plan_) {
    if (carried.mode == CarriedArray::Mode::kScalar && carried.position != condition) {
      ScalarType type = b_.program().vars[carried.var].type;
      Operand count = Operand::ofI64(kMostIterations + 1);
      traces.push_back({carried.var, b_.alloc("trace", type, Space::kHost, count)});
    }
    if (carried.mode != CarriedArray::Mode::kRotate) continue;
    std::vector<BufferId> names = carried.ring;
    names.push_back(carried.current.buffer);
    for (BufferId name : names) {
      moving.emplace_back(name, b_.buffer("before", carried.current.type, place_.space));
    }
  }
  VarId chunk = b_.declare("chunk", ScalarType::kI64, kOne);
  VarId runs = b_.declare("runs", ScalarType::kBool, Scalar::ofBool(true));
  b_.whileLoop([&] { return Operand(runs); },
               [&] {
                 for (auto [name, before] : moving) b_.append(Rebind{before, name});
                 b_.forLoop("i", kZero, chunk, [&](Operand i) {
                   for (const Trace& trace : traces) b_.store(trace.values, i, trace.var);
                   place_.guard->start(i);
                   Results results = low_.body(node_.body, carriedDestinations());
                   advance(results);
                 });
                 for (const Trace& trace : traces) b_.store(trace.values, chunk, trace.var);
                 VarId stop = b_.program().addVar("stop", ScalarType::kU32);
                 b_.append(ReadScalar{stop, place_.guard->stop_word, kZero});
                 Operand goes_on = b_.prim(Op::kEq, ScalarType::kU32,
                                           {Operand(stop), prim::zero(ScalarType::kU32)});
                 Operand wide = b_.let("stop", ScalarType::kI64,
                                       Convert{prim::ConvertKind::kValue, ScalarType::kU32,
                                               ScalarType::kI64, Operand(stop)});
                 Operand stopped = b_.sub(wide, kOne);
                 Operand executed =
                     b_.let("executed", ScalarType::kI64, Select{goes_on, Operand(chunk), stopped});
                 for (auto [name, before] : moving) b_.append(Rebind{name, before});
                 b_.forLoop("i", kZero, executed, [&](Operand) { rotate(); });
                 for (const Trace& trace : traces)
                   b_.assign(trace.var, b_.load(trace.values, executed));
                 b_.assign(runs, goes_on);
                 Operand twice = b_.add(chunk, chunk);
                 b_.assign(chunk, b_.min(twice, Operand::ofI64(kMostIterations)));
               });
  for (const Trace& trace : traces) b_.append(Free{trace.values});
}

}  // namespace halo::imp
