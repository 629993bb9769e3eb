// Loops that a device may cut short. A compiler believes that a loop ends only where its text says
// so. After it, the loop's variable and its condition have known values, and comparing them is
// folded away. So `for` counts in a variable of its own, and `while` keeps its condition in memory
// at an index that no compiler knows.
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using enum prim::ScalarType;

class TripChecks {
 public:
  explicit TripChecks(Program& program) : program_(program), site_(givingUpSite(program)) {}

  void check(Stm stm, Block& out) {
    Builder code(program_);
    if (auto* loop = std::get_if<For>(&stm.node); loop != nullptr && !runsOnce(*loop)) {
      checkFor(code, *loop);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      checkWhile(code, *loop);
    } else {
      code.append(std::move(stm.node));
    }
    for (Stm& made : code.take()) out.push_back(std::move(made));
  }

 private:
  // A stopped loop has run its body once all the same.
  static bool runsOnce(const For& loop) {
    return loop.lo.isConstant() && loop.hi.isConstant() &&
           loop.hi.constant.asSigned() - loop.lo.constant.asSigned() <= 1;
  }

  void count(Block& block, VarId counter) {
    VarId next = program_.addVar("next", kU32);
    block.push_back({Let{next, Prim{Op::kAdd, kU32, {counter, u32(1)}}}});
    block.push_back({Assign{counter, next}});
  }

  void failUnlessEqual(Builder& code, Operand counted, Operand wanted) {
    Operand missing = code.prim(Op::kNe, kU32, {counted, wanted});
    code.ifThenElse(missing, [&] { code.append(Fail{site_, {}}); });
  }

  void checkFor(Builder& code, For loop) {
    ScalarType type = program_.vars[loop.var].type;
    VarId trips = code.declare("trips", kU32, u32(0));
    count(loop.body, trips);
    Operand lo = loop.lo;
    Operand hi = loop.hi;
    // Bounds may be variables that the body changes: the number of trips is settled before.
    Operand runs = code.prim(Op::kLt, type, {lo, hi});
    Operand span = code.prim(Op::kSub, type, {hi, lo});
    Operand low = span;
    if (type != kU32) low = code.let("t", kU32, Convert{ConvertKind::kValue, type, kU32, span});
    Operand wanted = code.let("wanted", kU32, Select{runs, low, u32(0)});
    code.append(std::move(loop));
    failUnlessEqual(code, trips, wanted);
  }

  void checkWhile(Builder& code, While loop) {
    // There is no launch without groups, so this is 0.
    Operand groups = code.let("groups", kU32, BuiltInValue{BuiltIn::kGroupCount, 0});
    Operand none = code.prim(Op::kEq, kU32, {groups, u32(0)});
    Operand at = code.let("at", kU32, Select{none, u32(1), u32(0)});
    BufferId last = code.buffer("last", kU32, Space::kPrivate, 2);
    VarId goes_on = program_.addVar("goes_on", kU32);
    loop.before.push_back({Let{goes_on, Select{loop.condition, u32(1), u32(0)}}});
    loop.before.push_back({Store{last, at, goes_on}});
    code.append(std::move(loop));
    failUnlessEqual(code, code.load(last, at), u32(0));
  }

  Program& program_;
  int site_;
};

bool hasLoop(const Block& block) {
  bool found = false;
  forEachStm(block, [&](const Stm& stm) {
    found |= std::holds_alternative<For>(stm.node) || std::holds_alternative<While>(stm.node);
  });
  return found;
}

}  // namespace

Function checkTrips(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (!target.counts_trips || !hasLoop(kernel.body)) return result;
  TripChecks checks(program);
  result.body =
      rewriteBlock(kernel.body, [&](Stm stm, Block& out) { checks.check(std::move(stm), out); });
  return result;
}

}  // namespace halo::gpu
