// Copies to loops, loops to lanes.
#include <algorithm>
#include <unordered_map>

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

// Iterations of a lane that read memory of the device: so many at once, if the body is short.
constexpr int64_t kAtOnce = 4;
constexpr size_t kShortBody = 32;  // statements

bool isStraight(const Block& body) {
  return std::all_of(body.begin(), body.end(), [](const Stm& stm) {
    return std::holds_alternative<Let>(stm.node) || std::holds_alternative<Store>(stm.node);
  });
}

class Lanes {
 public:
  Lanes(Program& program, int64_t lanes, const Operand& lid, const std::set<VarId>& few)
      : program_(program), lanes_(lanes), lid_(lid), few_(few) {}

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

  static bool isOne(const Operand& count) { return count == Operand::ofI64(1); }
  // The loop, with a variable of a loop around or inside of it that goes from 0 to 1.
  static For onlyOne(VarId var, For loop) {
    Block body;
    body.push_back(
        {Let{var, Prim{Op::kAdd, ScalarType::kI64, {Operand::ofI64(0), Operand::ofI64(0)}}}});
    if (const auto* inner = std::get_if<For>(&loop.body[0].node); inner && inner->var == var) {
      loop.body = Block(inner->body);
    }
    body.insert(body.end(), loop.body.begin(), loop.body.end());
    loop.body = std::move(body);
    return loop;
  }

  // A nest of element copies: its loops as one.
  For collapsed(For outer) {
    while (outer.body.size() == 1 && outer.lo == Operand::ofI64(0)) {
      const auto* inner = std::get_if<For>(&outer.body[0].node);
      const bool joins = inner != nullptr && inner->schedule == Schedule::kParallel &&
                         inner->lo == Operand::ofI64(0) && inner->hi != Operand(outer.var);
      if (!joins) break;
      if (isOne(outer.hi) || isOne(inner->hi)) {
        outer = isOne(outer.hi) ? onlyOne(outer.var, *inner) : onlyOne(inner->var, outer);
        continue;
      }
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
    } else if (count.isConstant() ? count.constant.asSigned() < lanes_ : few_.contains(count.var)) {
      Operand mine = code.prim(Op::kLt, ScalarType::kI64, {lid_, count});
      code.ifThenElse(mine, [&] { iteration(lid_); });
    } else {
      Operand left = code.add(code.sub(count, lid_), Operand::ofI64(lanes_ - 1));
      Operand some = code.max(left, Operand::ofI64(0));
      Operand trips = code.prim(Op::kMachineDiv, ScalarType::kI64, {some, lanes});
      const Operand alone =
          waitsForMemory(loop.body) ? together(code, loop, trips) : Operand::ofI64(0);
      code.forLoop("t", alone, trips,
                   [&](const Operand& t) { iteration(code.add(code.mul(t, lanes), lid_)); });
    }
    append(code, out);
  }

  // Loops over one axis have few trips.
  bool waitsForMemory(const Block& body) const {
    const bool is_nest = std::any_of(body.begin(), body.end(), [](const Stm& stm) {
      const auto* let = std::get_if<Let>(&stm.node);
      const auto* prim = let == nullptr ? nullptr : std::get_if<Prim>(&let->expr);
      return prim != nullptr && prim->op == Op::kMachineDiv;
    });
    return is_nest && isStraight(body) && body.size() <= kShortBody &&
           std::any_of(body.begin(), body.end(), [&](const Stm& stm) {
             const Load* load = boundAs<Load>(stm);
             return load != nullptr && program_.buffers[load->buffer].space == Space::kDevice;
           });
  }
  // Some iterations of the lane at a time, all that they read before anything that they write: they
  // are independent. Gives the trip that the others begin with.
  Operand together(Builder& code, const For& loop, const Operand& trips) {
    const Operand many = Operand::ofI64(kAtOnce);
    Operand turns = code.prim(Op::kMachineDiv, ScalarType::kI64, {trips, many});
    code.forLoop("turn", Operand::ofI64(0), turns, [&](const Operand& turn) {
      Block stores;
      Operand first = code.add(code.mul(turn, Operand::ofI64(kAtOnce * lanes_)), lid_);
      for (int64_t k = 0; k < kAtOnce; ++k) {
        Operand number = code.add(first, Operand::ofI64(k * lanes_));
        copy(code, loop, code.add(loop.lo, number), stores);
      }
      for (Stm& stm : stores) code.append(std::move(stm.node));
    });
    return code.mul(turns, many);
  }
  // One iteration, with variables of its own; its stores go to `stores`.
  void copy(Builder& code, const For& loop, const Operand& number, Block& stores) {
    std::unordered_map<VarId, Operand> names = {{loop.var, number}};
    auto named = [&](const Operand& operand) {
      auto found = operand.isConstant() ? names.end() : names.find(operand.var);
      return found == names.end() ? operand : found->second;
    };
    for (Stm stm : loop.body) {
      mapOperands(stm, named);
      auto* let = std::get_if<Let>(&stm.node);
      if (let == nullptr) {
        stores.push_back(std::move(stm));
        continue;
      }
      const VarInfo info = program_.vars[let->var];
      const VarId own = program_.addVar(info.name, info.type);
      names[let->var] = own;
      let->var = own;
      code.append(std::move(stm.node));
    }
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
  const std::set<VarId>& few_;
  Block before_;
};

}  // namespace

Block shareLoops(Program& program, const Block& body, int64_t lanes, const Operand& lid,
                 const std::set<VarId>& few) {
  return Lanes(program, lanes, lid, few).run(body);
}

}  // namespace halo::gpu
