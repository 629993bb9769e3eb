// Team form to lanes: barriers where memory is shared, memory that is used again, control flow that
// differs.
#include <doctest/doctest.h>

#include <algorithm>

#include "gpu/team/memory.h"
#include "lang/imp/walk.h"

namespace halo::gpu {
namespace {

using namespace imp;
using prim::Op;

// All elements of the tests are i32.
const WordCode kWords = {
    [](ScalarType) -> size_t { return 1; },
    [](Builder&, ScalarType, const Operand& value) -> Operands { return {value}; },
    [](Builder&, ScalarType, const Operands& words) { return words[0]; }};

class Team {
 public:
  Program program;
  Builder code{program};
  BufferId in = program.buffers.add({"in", ScalarType::kI32, Space::kDevice, 0, false});
  Operand lid = program.addVar("lid", ScalarType::kI64);

  BufferId shared(const Operand& elements) {
    return code.alloc("a", ScalarType::kI32, Space::kShared, elements);
  }
  // to[i] := from[shift + i] for all i.
  void move(BufferId to, BufferId from, int64_t count, int64_t shift = 0) {
    code.forLoop(
        "i", Operand::ofI64(0), Operand::ofI64(count),
        [&](const Operand& i) {
          code.store(to, i, code.load(from, code.add(i, Operand::ofI64(shift))));
        },
        Schedule::kParallel);
  }
  static int barriersIn(const Block& block) {
    int count = 0;
    forEachStm(block, [&](const Stm& stm) { count += std::holds_alternative<Barrier>(stm.node); });
    return count;
  }
  int barriers() {
    Block body = code.take();
    TeamMemory memory(program, body, kWords);
    return barriersIn(
        placeBarriers(body, [&](BufferId buffer) { return memory.memoryOf(buffer); }));
  }
};

const Operand kTen = Operand::ofI64(10);

}  // namespace

TEST_CASE("a barrier stands where one lane reads what another wrote, and nowhere else") {
  Team team;
  BufferId a = team.shared(kTen), b = team.shared(kTen), c = team.shared(kTen);
  team.move(a, team.in, 10);
  team.move(b, team.in, 10);  // other memory
  SUBCASE("written, then read") {
    team.move(c, a, 9, 1);
    CHECK(team.barriers() == 1);
  }
  SUBCASE("read, then written") {
    team.move(c, a, 9, 1);
    team.move(a, team.in, 10);
    CHECK(team.barriers() == 2);
  }
  SUBCASE("nothing is shared") { CHECK(team.barriers() == 0); }
}

TEST_CASE("a loop's end is before its beginning") {
  Team team;
  BufferId a = team.shared(kTen), b = team.shared(kTen);
  team.move(a, team.in, 10);
  team.code.forLoop("t", Operand::ofI64(0), kTen, [&](const Operand&) {
    team.move(b, a, 9, 1);
    team.move(a, b, 10);
  });
  CHECK(team.barriers() == 2);
}

TEST_CASE("arrays that are over give their words to others of their size") {
  Team team;
  BufferId a = team.shared(kTen), b = team.shared(kTen);
  team.move(a, team.in, 10);
  team.move(b, a, 9, 1);
  BufferId c = team.shared(kTen), longer = team.shared(Operand::ofI64(11));
  team.move(c, b, 9, 1);
  team.move(longer, c, 9, 1);
  Block body = team.code.take();
  TeamMemory memory(team.program, body, kWords);
  CHECK(memory.slots().size() == 3);
  CHECK(memory.memoryOf(a) == memory.memoryOf(c));
  CHECK(memory.memoryOf(a) != memory.memoryOf(b));
  CHECK(memory.slotsBefore(1) == std::vector<size_t>{0});
  CHECK(memory.slotsBefore(2) == std::vector<size_t>{1});  // behind the first one anyway
  CHECK(memory.slotsBefore(3) == std::vector<size_t>{2});
}

TEST_CASE("arrays of two arms lie over each other") {
  Team team;
  BufferId kept = team.shared(kTen), in_then, in_else;
  team.move(kept, team.in, 10);
  auto arm = [&](BufferId& made, int64_t elements) {
    return [&, elements] {
      made = team.shared(Operand::ofI64(elements));
      team.move(made, kept, elements);
      team.move(kept, made, elements - 1, 1);
    };
  };
  team.code.ifThenElse(Scalar::ofBool(true), arm(in_then, 5), arm(in_else, 7));
  Block body = team.code.take();
  TeamMemory memory(team.program, body, kWords);
  REQUIRE(memory.slots().size() == 3);
  CHECK(memory.slotsBefore(1) == std::vector<size_t>{0});
  CHECK(memory.slotsBefore(2) == std::vector<size_t>{0});
  CHECK(memory.slotsBefore(3) == std::vector<size_t>{2, 1});
  auto share = [&](BufferId a, BufferId b) {
    const std::set<int64_t> one = memory.memoryOf(a), other = memory.memoryOf(b);
    return std::any_of(one.begin(), one.end(), [&](int64_t at) { return other.contains(at); });
  };
  CHECK(share(in_then, in_else));
  CHECK_FALSE(share(in_then, kept));
}

TEST_CASE("elements that no other lane reads stay in registers") {
  Team team;
  BufferId a = team.shared(kTen), b = team.shared(kTen);
  team.move(a, team.in, 10);
  auto kept = [&](int64_t lanes) {
    const Block body = keepInRegisters(team.program, team.code.take(), lanes);
    bool is_kept = true;
    forEachStm(body, [&](const Stm& stm) {
      forEachBuffer(stm, [&](BufferId buffer) { is_kept = is_kept && buffer != a; });
    });
    return is_kept;
  };
  SUBCASE("read by their lane") {
    team.move(b, a, 10);
    CHECK(kept(32));
  }
  SUBCASE("in a branch and a loop behind") {
    team.code.forLoop("t", Operand::ofI64(0), kTen, [&](const Operand&) { team.move(b, a, 10); });
    CHECK(kept(10));
  }
  SUBCASE("not of lanes that have several") {
    team.move(b, a, 10);
    CHECK_FALSE(kept(8));
  }
  SUBCASE("not where a neighbour reads") {
    team.move(b, a, 9, 1);
    CHECK_FALSE(kept(32));
  }
  SUBCASE("not where fewer lanes read") {
    team.move(b, a, 9);
    CHECK_FALSE(kept(32));
  }
  SUBCASE("not where all lanes read one") {
    team.code.store(b, Operand::ofI64(0), team.code.load(a, Operand::ofI64(3)));
    CHECK_FALSE(kept(32));
  }
  SUBCASE("not where two loops write") {
    team.move(a, team.in, 10);
    team.move(b, a, 10);
    CHECK_FALSE(kept(32));
  }
  SUBCASE("not where arrays change places") {
    team.code.append(Swap{a, b});
    team.move(b, a, 10);
    CHECK_FALSE(kept(32));
  }
}

TEST_CASE("elements of another step stay in memory") {
  Team team;
  BufferId a = team.shared(kTen), b = team.shared(kTen);
  team.code.forLoop("t", Operand::ofI64(0), kTen, [&](const Operand&) {
    team.move(b, a, 10);
    team.move(a, team.in, 10);
  });
  const Block body = keepInRegisters(team.program, team.code.take(), 32);
  bool is_there = false;
  forEachStm(body, [&](const Stm& stm) {
    forEachBuffer(stm, [&](BufferId buffer) { is_there = is_there || buffer == a; });
  });
  CHECK(is_there);
}

TEST_CASE("what a loop reads lives as long as the loop") {
  Team team;
  BufferId a = team.shared(kTen);
  team.move(a, team.in, 10);
  BufferId b, c;
  team.code.forLoop("t", Operand::ofI64(0), kTen, [&](const Operand&) {
    b = team.shared(kTen);
    team.move(b, a, 9, 1);
    c = team.shared(kTen);
    team.move(c, b, 9, 1);
  });
  Block body = team.code.take();
  TeamMemory memory(team.program, body, kWords);
  CHECK(memory.memoryOf(a) != memory.memoryOf(b));
  CHECK(memory.memoryOf(a) != memory.memoryOf(c));
}

TEST_CASE("buffers that change places have the memory of both") {
  Team team;
  BufferId a = team.shared(kTen), b = team.shared(kTen);
  team.code.forLoop("t", Operand::ofI64(0), kTen, [&](const Operand&) {
    team.move(b, a, 9, 1);
    team.code.append(Swap{a, b});
  });
  Block body = team.code.take();
  TeamMemory memory(team.program, body, kWords);
  CHECK(memory.memoryOf(a).size() == 2);
  CHECK(memory.memoryOf(a) == memory.memoryOf(b));
}

TEST_CASE("barriers that some lanes do not reach are found") {
  Team team;
  auto why = [&] {
    Block body = team.code.take();
    Block lids;
    lids.push_back({Let{team.lid.var, BuiltInValue{BuiltIn::kLocalId, 0}}});
    lids.insert(lids.end(), body.begin(), body.end());
    return whyNotUniform(team.program, lids);
  };
  auto barrier = [&] { team.code.append(Barrier{}); };
  SUBCASE("under a branch on the lane") {
    Operand first = team.code.prim(Op::kEq, ScalarType::kI64, {team.lid, Operand::ofI64(0)});
    team.code.ifThenElse(first, barrier);
    CHECK_FALSE(why().empty());
  }
  SUBCASE("in a loop whose bound a lane has found") {
    VarId bound = team.code.declare("bound", ScalarType::kI64, Operand::ofI64(1));
    team.code.forLoop("t", Operand::ofI64(0), kTen, [&](const Operand&) {
      team.code.forLoop("u", Operand::ofI64(0), bound, [&](const Operand&) { barrier(); });
      team.code.assign(bound, team.lid);
    });
    CHECK_FALSE(why().empty());
  }
  SUBCASE("by what is loaded at one index all do the same") {
    Operand go = team.code.load(team.in, Operand::ofI64(0));
    Operand some = team.code.prim(Op::kLt, ScalarType::kI32, {go, prim::zero(ScalarType::kI32)});
    team.code.ifThenElse(some, barrier);
    CHECK(why().empty());
  }
}

TEST_CASE("a failure leaves every barrier to be reached") {
  Team team;
  BufferId a = team.shared(kTen), b = team.shared(kTen);
  team.code.forLoop(
      "i", Operand::ofI64(0), kTen,
      [&](const Operand& i) {
        Operand bad = team.code.prim(Op::kEq, ScalarType::kI64, {i, Operand::ofI64(3)});
        team.code.ifThenElse(bad, [&] { team.code.fail(diag::Code::index_out_of_range, {}, {}); });
        team.code.store(a, i, team.code.load(team.in, i));
      },
      Schedule::kParallel);
  team.move(b, a, 9, 1);
  bool supported = false;
  Block body = keepUniform(team.program, team.code.take(), &supported);
  CHECK(supported);
  TeamMemory memory(team.program, body, kWords);
  body = placeBarriers(body, [&](BufferId buffer) { return memory.memoryOf(buffer); });
  Block lanes = {{Let{team.lid.var, BuiltInValue{BuiltIn::kLocalId, 0}}}};
  Block shared = shareLoops(team.program, body, 32, team.lid);
  lanes.insert(lanes.end(), shared.begin(), shared.end());
  CHECK(Team::barriersIn(lanes) >= 2);
  CHECK(whyNotUniform(team.program, lanes).empty());
}

}  // namespace halo::gpu
