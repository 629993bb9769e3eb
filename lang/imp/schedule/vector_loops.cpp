// The conditions one by one, then the walk that marks.
#include "lang/imp/schedule/vector_loops.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/imp/schedule/lane_size.h"
#include "lang/imp/schedule/lanes.h"
#include "lang/imp/schedule/transposed_tiles.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

// Code that LLVM's vectoriser refuses or does one lane at a time: loops inside, failures, appended
// elements, shuffles, accesses under a condition.
bool needsLanes(const Block& block, bool conditional = false) {
  return std::any_of(block.begin(), block.end(), [&](const Stm& stm) {
    return base::match(
        stm.node, [&](const Let& n) { return conditional && std::holds_alternative<Load>(n.expr); },
        [&](const Store&) { return conditional; }, [](const For&) { return true; },
        [](const While&) { return true; }, [](const Fail&) { return true; },
        [](const Append&) { return true; },
        [](const If& n) {
          return needsLanes(n.then_block, true) || needsLanes(n.else_block, true);
        },
        base::otherwise([](const auto&) { return false; }));
  });
}

// LLVM would split such vectors into scalars.
bool dividesIntegers(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const Stm& stm) {
    const auto* prim = boundAs<Prim>(stm);
    if (prim == nullptr || prim::isFloat(prim->type)) return false;
    const bool divides = prim->op == prim::Op::kMachineDiv || prim->op == prim::Op::kMachineRem;
    return divides && !prim->args[1].isConstant();
  });
}

bool hasPrivateArrays(const Program& program, const BufferUses& uses, const Block& body) {
  return !privateArraysOf(program, uses, body).empty();
}

// As many iterations as lanes become straight code.
bool fillsLanes(const For& loop) {
  if (!loop.lo.isConstant() || !loop.hi.isConstant()) return false;
  const int64_t trips = loop.hi.constant.asSigned() - loop.lo.constant.asSigned();
  return trips > 0 && trips <= kLanes && trips % kVectorLanes == 0;
}

bool isMarkedVector(const For& loop) {
  return loop.schedule == Schedule::kVector ||
         (loop.schedule == Schedule::kParallel && loop.vector_width > 1);
}

void mark(const Program& program, const BufferUses& uses, Block& block);

// A loop that is marked already has memory for so many lanes, and no more.
void markLanes(const Program& program, const BufferUses& uses, For& loop) {
  loop.body = inOrderOfUse(program, loop.body);
  const int count = laneCount(program, uses, loop);
  loop.vector_width = loop.lanes ? std::min(count, loop.vector_width) : count;
  loop.lanes = true;
}

void mark(const Program& program, const BufferUses& uses, For& loop) {
  if (!markedTransposed(loop).empty()) {
    return markLanes(program, uses, std::get<For>(loop.body.back().node));
  }
  mark(program, uses, loop.body);
  if (!isMarkedVector(loop)) return;
  const VectorCode code = vectorCode(program, uses, loop);
  if (code == VectorCode::kLanes) return markLanes(program, uses, loop);
  loop.lanes = false;
  if (code == VectorCode::kVectoriser) return;
  loop.vector_width = 1;
  if (loop.schedule == Schedule::kVector) loop.schedule = Schedule::kSequential;
}

void mark(const Program& program, const BufferUses& uses, Block& block) {
  for (Stm& stm : block) {
    base::match(
        stm.node, [&](For& n) { mark(program, uses, n); },
        [&](While& n) { mark(program, uses, n.before), mark(program, uses, n.body); },
        [&](If& n) { mark(program, uses, n.then_block), mark(program, uses, n.else_block); },
        base::otherwise([](auto&) {}));
  }
}

}  // namespace

bool bindsBuffers(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const Stm& stm) {
    return base::match(
        stm.node, [](const For& n) { return bindsBuffers(n.body); },
        [](const While& n) { return bindsBuffers(n.before) || bindsBuffers(n.body); },
        [](const If& n) { return bindsBuffers(n.then_block) || bindsBuffers(n.else_block); },
        [](const Let&) { return false; }, [](const Declare&) { return false; },
        [](const Assign&) { return false; }, [](const Store&) { return false; },
        [](const CopyBuffer&) { return false; }, [](const Fail&) { return false; },
        [](const Append&) { return false; }, base::otherwise([](const auto&) { return true; }));
  });
}

bool hasStreams(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const Stm& stm) {
    return base::match(
        stm.node, [](const Store& n) { return n.stream != Operand::ofI64(0); },
        [](const For& n) { return hasStreams(n.body); },
        [](const While& n) { return hasStreams(n.body); },
        [](const If& n) { return hasStreams(n.then_block) || hasStreams(n.else_block); },
        base::otherwise([](const auto&) { return false; }));
  });
}

bool mayRunInLanes(const Program& program, const Block& body) {
  return !bindsBuffers(body) && canRunInLanes(program, body);
}

bool mayBeVectorised(const Program& program, const BufferUses& uses, const Block& body) {
  return !hasPrivateArrays(program, uses, body) && !needsLanes(body);
}

VectorCode vectorCode(const Program& program, const BufferUses& uses, const For& loop) {
  const bool vectorised = mayBeVectorised(program, uses, loop.body);
  const bool is_large =
      (hasStreams(loop.body) || dividesIntegers(loop.body)) && hasUnitSteps(loop.body, loop.var);
  const bool wants_lanes =
      !vectorised || fillsLanes(loop) || loop.vector_width > kVectorLanes || is_large;
  if (wants_lanes && mayRunInLanes(program, loop.body)) return VectorCode::kLanes;
  return vectorised ? VectorCode::kVectoriser : VectorCode::kNone;
}

VectorCode markedVectorCode(const For& loop) {
  if (loop.lanes) return VectorCode::kLanes;
  return isMarkedVector(loop) ? VectorCode::kVectoriser : VectorCode::kNone;
}

void markVectorLoops(const Program& program, Function& function) {
  mark(program, bufferUses(function.body), function.body);
}

}  // namespace halo::imp
