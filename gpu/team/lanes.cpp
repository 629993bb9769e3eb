// Copies to loops, loops to lanes.
#include "gpu/team/team.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

Block expandCopies(Program& program, const Block& body) {
  return rewriteBlock(body, [&](Stm stm, Block& out) {
    const auto* copy = std::get_if<CopyBuffer>(&stm.node);
    if (copy == nullptr) return out.push_back(std::move(stm));
    Builder code(program);
    code.forLoop(
        "i", Operand::ofI64(0), copy->count,
        [&](const Operand& i) {
          Operand value = code.load(copy->src, code.add(copy->src_offset, i));
          code.store(copy->dst, code.add(copy->dst_offset, i), value);
        },
        Schedule::kParallel);
    for (Stm& made : code.take()) out.push_back(std::move(made));
  });
}

namespace {

class Lanes {
 public:
  Lanes(Program& program, int64_t lanes, const Operand& lid)
      : program_(program), lanes_(lanes), lid_(lid) {}

  Block run(const Block& block) {
    Block out;
    for (const Stm& stm : block) {
      if (const auto* loop = std::get_if<For>(&stm.node)) {
        if (loop->schedule == Schedule::kParallel) {
          shared(collapsed(*loop), out);
        } else {
          For copy = *loop;
          copy.body = run(loop->body);
          out.push_back({std::move(copy)});
        }
      } else if (const auto* loop = std::get_if<While>(&stm.node)) {
        out.push_back({While{run(loop->before), loop->condition, run(loop->body)}});
      } else if (const auto* branch = std::get_if<If>(&stm.node)) {
        out.push_back({If{branch->condition, run(branch->then_block), run(branch->else_block)}});
      } else if (std::holds_alternative<Store>(stm.node)) {
        Builder code(program_);
        Operand first = code.prim(Op::kEq, ScalarType::kI64, {lid_, Operand::ofI64(0)});
        code.append(If{first, {stm}, {}});
        append(code, out);
      } else {
        out.push_back(stm);
      }
    }
    return out;
  }

 private:
  static void append(Builder& code, Block& out) {
    for (Stm& made : code.take()) out.push_back(std::move(made));
  }

  // A nest of element copies: its loops as one.
  For collapsed(For outer) {
    while (outer.body.size() == 1 && outer.lo == Operand::ofI64(0)) {
      const auto* inner = std::get_if<For>(&outer.body[0].node);
      const bool joins = inner != nullptr && inner->schedule == Schedule::kParallel &&
                         inner->lo == Operand::ofI64(0) && inner->hi != Operand(outer.var);
      if (!joins) break;
      Builder code(program_);
      Operand count = code.mul(outer.hi, inner->hi);
      VarId both = program_.addVar("i", ScalarType::kI64);
      Builder split(program_);
      split.append(Let{outer.var, Prim{Op::kMachineDiv, ScalarType::kI64, {both, inner->hi}}});
      Operand before = split.mul(outer.var, inner->hi);
      split.append(Let{inner->var, Prim{Op::kSub, ScalarType::kI64, {both, before}}});
      Block body = split.take();
      body.insert(body.end(), inner->body.begin(), inner->body.end());
      append(code, before_);
      outer = For{both, Operand::ofI64(0), count, Schedule::kParallel, 1, std::move(body)};
    }
    return outer;
  }

  void shared(For loop, Block& out) {
    for (Stm& stm : before_) out.push_back(std::move(stm));
    before_.clear();
    Builder code(program_);
    Operand count = code.sub(loop.hi, loop.lo);
    auto iteration = [&](const Operand& number) {
      code.append(Let{loop.var, Prim{Op::kAdd, ScalarType::kI64, {loop.lo, number}}});
      for (Stm& stm : sequential(std::move(loop.body))) code.append(std::move(stm.node));
    };
    const Operand lanes = Operand::ofI64(lanes_);
    if (count == lanes) {
      iteration(lid_);
    } else if (count.isConstant() && count.constant.asSigned() < lanes_) {
      Operand mine = code.prim(Op::kLt, ScalarType::kI64, {lid_, count});
      code.ifThenElse(mine, [&] { iteration(lid_); });
    } else {
      Operand left = code.add(code.sub(count, lid_), Operand::ofI64(lanes_ - 1));
      Operand some = code.max(left, Operand::ofI64(0));
      Operand trips = code.prim(Op::kMachineDiv, ScalarType::kI64, {some, lanes});
      code.forLoop("t", Operand::ofI64(0), trips,
                   [&](const Operand& t) { iteration(code.add(code.mul(t, lanes), lid_)); });
    }
    append(code, out);
  }

  // Loops inside are one lane's.
  Block sequential(Block body) {
    return rewriteBlock(body, [](Stm stm, Block& out) {
      if (auto* loop = std::get_if<For>(&stm.node)) loop->schedule = Schedule::kSequential;
      out.push_back(std::move(stm));
    });
  }

  Program& program_;
  int64_t lanes_;
  Operand lid_;
  Block before_;
};

}  // namespace

Block shareLoops(Program& program, const Block& body, int64_t lanes, const Operand& lid) {
  return Lanes(program, lanes, lid).run(body);
}

}  // namespace halo::gpu
