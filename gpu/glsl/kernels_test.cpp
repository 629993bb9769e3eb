// Kernels as a whole on a Vulkan device: failures, barriers, loops that a device cuts short, and
// 32-bit indices against 64-bit ones.
#include <doctest/doctest.h>

#include <random>

#include "lang/imp/text.h"
#include "lang/prim/fold.h"
#include "tests/gpu/test_kernel.h"

using namespace halo;       // NOLINT: a test of these namespaces
using namespace halo::imp;  // NOLINT
using halo::gpu::Scalars;
using halo::gpu::Target;
using halo::gpu::TestKernel;
using prim::Op;

namespace {

constexpr ScalarType kI64 = ScalarType::kI64;
constexpr Target kSoftware{.exact_division_f32 = true, .folds_zeros = true, .counts_trips = true};

Operand i64(int64_t value) { return Operand::ofI64(value); }

Scalars numbers(std::initializer_list<int64_t> values) {
  Scalars scalars;
  for (int64_t value : values) scalars.push_back(Scalar::ofI64(value));
  return scalars;
}

// total += step, `trips` times, by a loop of either kind; the total is stored.
struct Counting {
  TestKernel kernel{1};
  BufferId result = kernel.output("total", kI64, 1);

  Counting(int64_t trips, bool by_while) {
    Builder& code = kernel.code;
    VarId n = kernel.scalar("n", Scalar::ofI64(trips));
    VarId total = code.declare("total", kI64, i64(0));
    auto body = [&] { code.assign(total, code.add(total, i64(1))); };
    if (by_while) {
      code.whileLoop([&] { return code.prim(Op::kLt, kI64, {total, n}); }, body);
    } else {
      code.forLoop("i", i64(0), n, [&](Operand) { body(); });
    }
    code.store(result, i64(0), total);
  }
};

}  // namespace

TEST_CASE("loops: cut short by the device or not, never wrong in silence") {
  if (gpu::testDevice() == nullptr) return;
  for (bool by_while : {false, true}) {
    for (int64_t trips : {0, 1, 1000, 65'000, 100'000, 1'000'000}) {
      for (bool narrow : {false, true}) {
        CAPTURE(by_while);
        CAPTURE(trips);
        Counting counting(trips, by_while);
        REQUIRE(counting.kernel.run(1, narrow, kSoftware));
        bool failed = counting.kernel.failure()[0] != 0;
        bool right = counting.kernel.result(counting.result)[0].asSigned() == trips;
        CHECK(failed != right);
        if (failed) {
          CHECK(counting.kernel.failedSite().code == diag::Code::engine_unsupported);
        }
        if (trips <= 1000) CHECK(right);
      }
    }
  }
}

TEST_CASE("nested loops: their trips add up") {
  if (gpu::testDevice() == nullptr) return;
  TestKernel kernel(1);
  BufferId result = kernel.output("total", kI64, 1);
  Builder& code = kernel.code;
  VarId total = code.declare("total", kI64, i64(0));
  VarId n = kernel.scalar("n", Scalar::ofI64(1000));
  code.forLoop("i", i64(0), n, [&](Operand) {
    code.forLoop("j", i64(0), n, [&](Operand) { code.assign(total, code.add(total, i64(1))); });
  });
  code.store(result, i64(0), total);
  REQUIRE(kernel.run(1, true, kSoftware));
  bool right = kernel.result(result)[0].asSigned() == 1'000'000;
  CHECK((kernel.failure()[0] != 0) != right);
}

TEST_CASE("a bound that the loop changes is read once") {
  if (gpu::testDevice() == nullptr) return;
  for (Target target : {Target{}, kSoftware}) {
    TestKernel kernel(1);
    BufferId result = kernel.output("total", kI64, 1);
    Builder& code = kernel.code;
    VarId end = code.declare("end", kI64, i64(5));
    code.forLoop("i", i64(0), end, [&](Operand) { code.assign(end, code.add(end, i64(1))); });
    code.store(result, i64(0), end);
    REQUIRE(kernel.run(1, false, target));
    CHECK(kernel.failure()[0] == 0);
    CHECK(kernel.result(result)[0].asSigned() == 10);
  }
}

TEST_CASE("a failing cell stores nothing, and says which it was") {
  if (gpu::testDevice() == nullptr) return;
  TestKernel kernel;
  Scalars inputs;
  for (int i = 0; i < 200; ++i) inputs.push_back(Scalar::ofI64(i == 77 ? -5'000'000'000 : i));
  BufferId xs = kernel.input("xs", kI64, inputs);
  BufferId ys = kernel.output("ys", kI64, 256);
  Operand id = kernel.builtIn(BuiltIn::kGlobalId);
  Builder& code = kernel.code;
  code.ifThenElse(code.prim(Op::kLt, kI64, {id, i64(200)}), [&] {
    Operand x = code.load(xs, id);
    code.ifThenElse(code.prim(Op::kLt, kI64, {x, i64(0)}), [&] {
      code.fail(diag::Code::assertion_failed, {}, {id, x});
    });
    code.store(ys, id, code.add(x, i64(1)));
  });
  for (bool narrow : {false, true}) {
    REQUIRE(kernel.run(4, narrow));
    CHECK(kernel.failure()[0] == 1);
    CHECK(kernel.failure()[1] == 77);
    CHECK(kernel.failure()[2] == -5'000'000'000);
    CHECK(kernel.result(ys)[76].asSigned() == 77);
    CHECK(kernel.result(ys)[77].asSigned() == 0);
    CHECK(kernel.result(ys)[200].asSigned() == 0);
  }
}

// Read in front of a barrier and behind it, from arguments in memory.
TEST_CASE("each workgroup knows how many there are, along each axis") {
  if (gpu::testDevice() == nullptr) return;
  TestKernel kernel(64);
  const BufferId counts = kernel.output("counts", kI64, 6);
  Builder& code = kernel.code;
  Operand others = i64(0);
  for (int k = 0; k < 40; ++k) {  // too many to be pushed
    others = code.add(others, kernel.scalar("s", Scalar::ofI64(k % 2 == 0 ? 5 : -5)));
  }
  const Operand across = kernel.builtIn(BuiltIn::kGroupCount);
  const Operand id = kernel.builtIn(BuiltIn::kLocalId);
  const BufferId sums = code.buffer("sums", kI64, Space::kShared, 64);
  code.store(sums, id, code.add(across, others));
  code.append(Barrier{});
  code.ifThenElse(code.prim(Op::kEq, kI64, {id, i64(0)}), [&] {
    const Operand all = code.mul(
        code.mul(kernel.builtIn(BuiltIn::kGroupCount), kernel.builtIn(BuiltIn::kGroupCount, 1)),
        kernel.builtIn(BuiltIn::kGroupCount, 2));
    const Operand row = code.mul(kernel.builtIn(BuiltIn::kGroupId, 1), i64(2));
    const Operand twos = code.sub(code.load(sums, i64(63)), i64(2));
    code.store(counts, code.add(row, kernel.builtIn(BuiltIn::kGroupId)), code.add(all, twos));
  });
  kernel.rows = 3;
  for (bool narrow : {false, true}) {
    REQUIRE(kernel.run(2, narrow, kSoftware));
    for (const Scalar& count : kernel.result(counts)) CHECK(count.asSigned() == 6);
  }
}

TEST_CASE("barriers: a failing invocation holds up nobody") {
  if (gpu::testDevice() == nullptr) return;
  TestKernel kernel;
  BufferId xs = kernel.input("xs", kI64, numbers({3, 1, 4, 1, 5, 9, 2, 6}));
  BufferId ys = kernel.output("ys", kI64, 64);
  BufferId part = kernel.code.buffer("part", kI64, Space::kShared, 64);
  Operand lid = kernel.builtIn(BuiltIn::kLocalId);
  Builder& code = kernel.code;
  Operand at = code.prim(Op::kAnd, kI64, {lid, i64(7)});
  Operand x = code.load(xs, at);
  code.ifThenElse(code.prim(Op::kEq, kI64, {x, i64(9)}),
                  [&] { code.fail(diag::Code::division_by_zero, {}, {lid}); });
  VarId sum = code.declare("sum", kI64, x);
  code.store(part, lid, sum);
  code.append(Barrier{});
  for (int64_t step = 1; step < 8; step *= 2) {
    Operand other = code.load(part, code.prim(Op::kXor, kI64, {lid, i64(step)}));
    Operand both = code.add(sum, other);
    code.append(Barrier{});
    code.assign(sum, both);
    code.store(part, lid, sum);
    code.append(Barrier{});
  }
  code.store(ys, lid, sum);
  REQUIRE(kernel.run(1, true, kSoftware));
  CHECK(kernel.failure()[0] == 1);
  CHECK(kernel.failure()[1] % 8 == 5);
  // The invocation that failed stores nothing; the others have gone through all barriers.
  CHECK(kernel.result(ys)[5].asSigned() == 0);
}

TEST_CASE("barriers: a reduction of shared memory, loops between barriers") {
  if (gpu::testDevice() == nullptr) return;
  for (bool narrow : {false, true}) {
    TestKernel kernel;
    VarId n = kernel.scalar("n", Scalar::ofI64(10));
    BufferId ys = kernel.output("ys", kI64, 3);
    BufferId part = kernel.code.buffer("part", kI64, Space::kShared, 64);
    Operand lid = kernel.builtIn(BuiltIn::kLocalId);
    Operand group = kernel.builtIn(BuiltIn::kGroupId);
    Builder& code = kernel.code;
    VarId sum = code.declare("sum", kI64, i64(0));
    code.forLoop("i", i64(0), n, [&](Operand i) {
      code.assign(sum, code.add(sum, code.mul(i, code.add(lid, group))));
    });
    code.store(part, lid, sum);
    code.append(Barrier{});
    code.forLoop("k", i64(0), i64(6), [&](Operand k) {
      Operand stride = code.prim(Op::kMachineShl, kI64, {i64(1), k});
      Operand other = code.load(part, code.prim(Op::kXor, kI64, {lid, stride}));
      VarId both = code.declare("both", kI64, other);
      code.append(Barrier{});
      code.assign(sum, code.add(sum, both));
      code.store(part, lid, sum);
      code.append(Barrier{});
    });
    Operand first = code.prim(Op::kEq, kI64, {lid, i64(0)});
    code.ifThenElse(first, [&] { code.store(ys, group, sum); });
    REQUIRE(kernel.run(3, narrow, kSoftware));
    CHECK(kernel.failure()[0] == 0);
    for (int64_t g = 0; g < 3; ++g) {
      CHECK(kernel.result(ys)[static_cast<size_t>(g)].asSigned() == 45 * (64 * 63 / 2 + 64 * g));
    }
  }
}

namespace {

// Random straight-line arithmetic on i64. Each step is built as Imp, and computed by prim::fold for
// each invocation.
class RandomKernel {
 public:
  static constexpr int64_t kSteps = 40;
  static constexpr int64_t kInvocations = 64;

  explicit RandomKernel(uint32_t seed) : dice_(seed), n_(Scalar::ofI64(gpu::kNarrowLimit)) {
    Operand n = kernel.scalar("n", n_);
    Operand m = kernel.scalar("m", m_);
    xs_ = kernel.input("xs", kI64, table_);
    ys = kernel.output("ys", kI64, kInvocations * kSteps);
    expected.assign(kInvocations * kSteps, prim::zero(kI64));
    id_ = kernel.builtIn(BuiltIn::kGlobalId);
    Operand low = kernel.code.prim(Op::kAnd, kI64, {id_, i64(7)});
    add(n, [&](int64_t) { return n_; });
    add(m, [&](int64_t) { return m_; });
    add(id_, [&](int64_t id) { return Scalar::ofI64(id); });
    add(low, [&](int64_t id) { return Scalar::ofI64(id & 7); });
    add(kernel.code.load(xs_, low),
        [&](int64_t id) { return table_[static_cast<size_t>(id & 7)]; });
    for (int64_t c : {int64_t{3}, int64_t{-7}, int64_t{1} << 33}) {
      add(i64(c), [&](int64_t) { return Scalar::ofI64(c); });
    }
    for (int64_t k = 0; k < kSteps; ++k) step(k);
  }

  TestKernel kernel;
  BufferId ys;
  Scalars expected;

 private:
  struct Value {
    Operand operand;
    Scalars of;  // by invocation
  };

  template <typename Compute>
  void add(Operand operand, const Compute& compute) {
    Value value{operand, {}};
    for (int64_t id = 0; id < kInvocations; ++id) value.of.push_back(compute(id));
    pool_.push_back(std::move(value));
  }
  static Scalar fold(Op op, const Scalars& args) {
    return std::get<Scalar>(prim::fold(op, args[0].type, args));
  }

  Value constant(int64_t c) { return {i64(c), Scalars(kInvocations, Scalar::ofI64(c))}; }
  Value pick() { return pool_[dice_() % pool_.size()]; }

  void step(int64_t k) {
    static constexpr Op kOps[] = {Op::kAdd,        Op::kSub,        Op::kMul, Op::kAnd,
                                  Op::kOr,         Op::kXor,        Op::kNeg, Op::kMachineDiv,
                                  Op::kMachineRem, Op::kMin,        Op::kMax, Op::kMachineShl,
                                  Op::kMachineShr, Op::kMachineLshr};
    Builder& code = kernel.code;
    Op op = kOps[dice_() % std::size(kOps)];
    Value a = pick();
    Value b = pick();
    if (op == Op::kMachineShl || op == Op::kMachineShr || op == Op::kMachineLshr) {
      b = constant(dice_() % 64);
    }
    if (op == Op::kMachineDiv || op == Op::kMachineRem) b = constant(1 + dice_() % 1000);
    bool is_unary = op == Op::kNeg;
    Operand made =
        code.prim(op, kI64, is_unary ? Operands{a.operand} : Operands{a.operand, b.operand});
    bool selects = dice_() % 4 == 0;
    if (selects) {
      Operand less = code.prim(Op::kLt, kI64, {a.operand, b.operand});
      made = code.let("s", kI64, Select{less, made, a.operand});
    }
    add(made, [&](int64_t id) {
      auto at = static_cast<size_t>(id);
      if (selects && !fold(Op::kLt, {a.of[at], b.of[at]}).asBool()) return a.of[at];
      return is_unary ? fold(op, {a.of[at]}) : fold(op, {a.of[at], b.of[at]});
    });
    use(k, pool_.back());
  }

  // Some values are stored, some only serve as indices.
  void use(int64_t k, const Value& value) {
    Builder& code = kernel.code;
    Operand at = code.add(code.mul(i64(kSteps), id_), i64(k));
    auto expect = [&](auto compute) {
      for (int64_t id = 0; id < kInvocations; ++id) {
        expected[static_cast<size_t>(kSteps * id + k)] = compute(value.of[static_cast<size_t>(id)]);
      }
    };
    if (dice_() % 2 == 0) {
      code.store(ys, at, value.operand);
      expect([](const Scalar& v) { return v; });
    } else if (dice_() % 2 == 0) {
      Operand low = code.prim(Op::kAnd, kI64, {value.operand, i64(7)});
      code.store(ys, at, code.load(xs_, low));
      expect([&](const Scalar& v) { return table_[v.bits & 7]; });
    }
  }

  std::mt19937 dice_;
  Scalar n_;
  Scalar m_ = Scalar::ofI64(-12345);
  Scalars table_ = numbers({7, -1, int64_t{1} << 40, 5, 0, 1, 2, 3});
  BufferId xs_;
  Operand id_;
  std::vector<Value> pool_;
};

}  // namespace

TEST_CASE("narrow and wide kernels compute what prim::fold does") {
  if (gpu::testDevice() == nullptr) return;
  std::mt19937 random(11);
  for (int round = 0; round < 12; ++round) {
    uint32_t seed = random();
    for (bool narrow : {false, true}) {
      bool has_int64 = round % 2 == 0;
      CAPTURE(has_int64);
      RandomKernel made(seed);
      REQUIRE(made.kernel.run(1, narrow, {.int64 = has_int64, .divides_64_bits = false}));
      const Scalars& got = made.kernel.result(made.ys);
      size_t at = 0;
      while (at < got.size() && got[at] == made.expected[at]) ++at;
      if (at == got.size()) continue;
      FAIL_CHECK("seed " << seed << ", narrow " << narrow << ", invocation "
                         << at / RandomKernel::kSteps << ", step " << at % RandomKernel::kSteps
                         << ": got " << got[at].asSigned() << ", needed "
                         << made.expected[at].asSigned() << "\n"
                         << print(made.kernel.program, made.kernel.function));
    }
  }
}

TEST_CASE("64-bit division in words of 32 bits") {
  if (gpu::testDevice() == nullptr) return;
  constexpr size_t kPairs = 4096;
  std::mt19937_64 random(5);
  for (ScalarType type : {kI64, ScalarType::kU64}) {
    Scalars as, bs;
    for (size_t i = 0; i < kPairs; ++i) {
      as.push_back(Scalar::fromBits(type, random() >> (random() % 64)));
      uint64_t b = random() >> (random() % 64);
      bs.push_back(Scalar::fromBits(type, i % 8 == 0 ? 285 : b == 0 ? 1 : b));
    }
    TestKernel kernel;
    BufferId a = kernel.input("a", type, as);
    BufferId b = kernel.input("b", type, bs);
    BufferId quotients = kernel.output("quotients", type, kPairs);
    BufferId rests = kernel.output("rests", type, kPairs);
    Operand id = kernel.builtIn(BuiltIn::kGlobalId);
    Operand x = kernel.code.load(a, id);
    Operand y = kernel.code.load(b, id);
    kernel.code.store(quotients, id, kernel.code.prim(Op::kMachineDiv, type, {x, y}));
    kernel.code.store(rests, id, kernel.code.prim(Op::kMachineRem, type, {x, y}));
    REQUIRE(kernel.run(kPairs / 64, true, {.int64 = false}));
    size_t wrong = 0;
    for (size_t i = 0; i < kPairs; ++i) {
      Scalar args[] = {as[i], bs[i]};
      Scalar quotient = std::get<Scalar>(prim::fold(Op::kMachineDiv, type, args));
      Scalar rest = std::get<Scalar>(prim::fold(Op::kMachineRem, type, args));
      bool right = kernel.result(quotients)[i] == quotient && kernel.result(rests)[i] == rest;
      if (!right && wrong++ < 5) {
        FAIL_CHECK(prim::name(type) << " " << as[i].bits << " / " << bs[i].bits << ": got "
                                    << kernel.result(quotients)[i].bits);
      }
    }
    CHECK(wrong == 0);
  }
}
