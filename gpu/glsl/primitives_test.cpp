// Every primitive that define-semantics leaves, every conversion and every constant on a Vulkan
// device, bit for bit as prim::fold and prim::convert. One kernel per operand type.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "lang/prim/fold.h"
#include "tests/gpu/test_kernel.h"

using namespace halo;       // NOLINT: a test of these namespaces
using namespace halo::imp;  // NOLINT
using halo::gpu::Scalars;
using halo::gpu::Target;
using halo::gpu::TestKernel;
using prim::ConvertKind;
using prim::Op;

namespace {

// The needs of some device or other; the rest are not hurt by them.
constexpr Target kTarget{.divides_64_bits = false, .drops_roundings = true, .folds_zeros = true};

// Without optional types of any kind.
constexpr Target kPoor{.float64 = false,
                       .int64 = false,
                       .int8 = false,
                       .int16 = false,
                       .float16 = false,
                       .folds_zeros = true};

constexpr Op kAllOps[] = {
#define PRIM(id, name, arity, operands, result, failing) Op::id,
#include "lang/prim/prim.def"
#undef PRIM
};

// The operations that define-semantics replaces.
bool isDefined(Op op, ScalarType type) {
  switch (op) {
    case Op::kQuot:
    case Op::kRem:
    case Op::kShl:
    case Op::kShr:
    case Op::kLshr:
    case Op::kSgn:
    case Op::kMod:  // of floats: refused for now
    case Op::kPow:
      return true;
    case Op::kDiv:
    case Op::kAbs:
      return prim::isInteger(type);
    case Op::kMin:
    case Op::kMax:
      return prim::isFloat(type);
    default:
      return false;
  }
}

uint64_t highest(ScalarType type) {
  int width = prim::bitWidth(type);
  return ~uint64_t{0} >> (64 - (prim::isSigned(type) ? width - 1 : width));
}

Scalars edgeCases(ScalarType type) {
  Scalars values;
  if (type == ScalarType::kBool) return {Scalar::ofBool(false), Scalar::ofBool(true)};
  std::mt19937_64 random(7);
  auto bits = [&](uint64_t b) { values.push_back(Scalar::fromBits(type, b)); };
  if (prim::isInteger(type)) {
    for (int64_t v : {0, 1, 2, 3, 7, 100, -1, -2, -100}) {
      values.push_back(Scalar::ofSigned(type, v));
    }
    for (uint64_t v : {highest(type), highest(type) - 1, highest(type) + 1, highest(type) + 2}) {
      values.push_back(Scalar::ofUnsigned(type, v));
    }
    bits(0x5555555555555555u);
    bits(uint64_t{1} << (prim::bitWidth(type) / 2));
    for (int k = 0; k < 4; ++k) bits(random());
    return values;
  }
  for (double v : {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, -0.5, 3.0, 1.0 / 3, 1e4, 65504.0,
                   1e-5, 1e30, 1e300, -HUGE_VAL, HUGE_VAL, std::nan("")}) {
    values.push_back(Scalar::ofFloat(type, v));
  }
  int fraction = type == ScalarType::kF16 ? 10 : type == ScalarType::kF32 ? 23 : 52;
  bits(1);                                         // the smallest
  bits((uint64_t{1} << fraction) - 1);             // the largest that is not normal
  bits(uint64_t{1} << fraction);                   // the smallest normal
  bits(Scalar::ofFloat(type, HUGE_VAL).bits - 1);  // the largest
  for (int k = 0; k < 6; ++k) bits(random());
  return values;
}

// Operands that the operation is defined for.
bool accepts(Op op, ScalarType type, const Scalars& args) {
  if (op == Op::kMachineDiv || op == Op::kMachineRem) {
    bool overflows =
        prim::isSigned(type) && args[1].asSigned() == -1 && args[0].bits == highest(type) + 1;
    return args[1].bits != 0 && !overflows;
  }
  if (op == Op::kMachineShl || op == Op::kMachineShr || op == Op::kMachineLshr) {
    return args[1].bits < static_cast<uint64_t>(prim::bitWidth(type));
  }
  return true;
}

struct Case {
  std::string name;
  std::vector<Scalars> args;
  Scalars expected;
  BufferId result;
};

Case caseOf(Op op, ScalarType type) {
  Case made;
  made.name = std::string(prim::name(type)) + "." + std::string(prim::info(op).name);
  const size_t arity = static_cast<size_t>(prim::info(op).arity);
  made.args.resize(arity);
  Scalars edges = edgeCases(type);
  for (const Scalar& a : edges) {
    for (const Scalar& b : arity > 1 ? edges : Scalars{a}) {
      Scalars args = Scalars{a, b, a};
      args.resize(arity);
      // Counts for shifts are found among all numbers below the width too.
      if (op == Op::kMachineShl || op == Op::kMachineShr || op == Op::kMachineLshr) {
        args[1].bits %= static_cast<uint64_t>(prim::bitWidth(type));
      }
      if (!accepts(op, type, args)) continue;
      for (size_t k = 0; k < args.size(); ++k) made.args[k].push_back(args[k]);
      made.expected.push_back(std::get<Scalar>(prim::fold(op, type, args)));
    }
  }
  return made;
}

std::string show(const Scalar& s) {
  return doctest::String(std::to_string(s.bits).c_str()).c_str();
}

void check(const TestKernel& kernel, const Case& c) {
  const Scalars& got = kernel.result(c.result);
  int wrong = 0;
  for (size_t i = 0; i < c.expected.size(); ++i) {
    if (got[i] == c.expected[i]) continue;
    if (++wrong > 3) continue;
    std::string text = c.name;
    for (const Scalars& arg : c.args) text += " " + show(arg[i]);
    FAIL_CHECK(text << ": got " << show(got[i]) << ", needed " << show(c.expected[i]));
  }
  CHECK_MESSAGE(wrong == 0, c.name << ": " << wrong << " of " << c.expected.size());
}

// Each invocation does element i of every case: `emit(case, operands)` gives the result.
template <typename Emit>
void runCases(std::vector<Case>& cases, bool narrow, const Target& target, const Emit& emit) {
  TestKernel kernel;
  std::vector<std::vector<BufferId>> inputs(cases.size());
  size_t most = 0;
  for (size_t k = 0; k < cases.size(); ++k) {
    Case& c = cases[k];
    for (const Scalars& arg : c.args) {
      inputs[k].push_back(kernel.input("x", arg[0].type, arg));
    }
    c.result = kernel.output("y", c.expected[0].type, c.expected.size());
    most = std::max(most, c.expected.size());
  }
  Operand i = kernel.builtIn(BuiltIn::kGlobalId);
  for (size_t k = 0; k < cases.size(); ++k) {
    Operand count = Operand::ofI64(static_cast<int64_t>(cases[k].expected.size()));
    Operand inside = kernel.code.prim(Op::kLt, ScalarType::kI64, {i, count});
    kernel.code.ifThenElse(inside, [&] {
      Operands args;
      for (BufferId input : inputs[k]) args.push_back(kernel.code.load(input, i));
      kernel.code.store(cases[k].result, i, emit(kernel.code, k, args));
    });
  }
  if (!kernel.run(static_cast<uint32_t>((most + 63) / 64), narrow, target)) return;
  for (const Case& c : cases) check(kernel, c);
}

void runOps(ScalarType type, bool narrow, const Target& target) {
  std::vector<Case> cases;
  std::vector<Op> ops;
  for (Op op : kAllOps) {
    if (!prim::existsAt(op, type) || isDefined(op, type)) continue;
    cases.push_back(caseOf(op, type));
    ops.push_back(op);
  }
  runCases(cases, narrow, target, [&](Builder& code, size_t k, const Operands& args) {
    return code.prim(ops[k], type, args);
  });
}

struct Conversion {
  ConvertKind kind;
  ScalarType to;
};

// Signed to wider unsigned extends by zeros: define_semantics goes by the unsigned type between.
bool isTwoConversions(ScalarType from, ScalarType to) {
  return prim::isSigned(from) && prim::isUnsigned(to) && prim::bitWidth(to) > prim::bitWidth(from);
}

std::vector<Conversion> conversionsFrom(ScalarType from, const Target& target) {
  std::vector<Conversion> all;
  for (ScalarType to : prim::kAllScalarTypes) {
    if (!target.float64 && to == ScalarType::kF64) continue;
    bool truncates = prim::isFloat(from) && prim::isInteger(to);
    if (truncates && from != ScalarType::kF16) all.push_back({ConvertKind::kMachine, to});
    if (!truncates && !isTwoConversions(from, to)) all.push_back({ConvertKind::kValue, to});
    bool same_width = prim::bitWidth(from) == prim::bitWidth(to) && from != ScalarType::kBool;
    if (same_width) all.push_back({ConvertKind::kBits, to});
  }
  return all;
}

// The value truncates to one of the integer type.
bool inRange(ScalarType to, double value) {
  double above = std::ldexp(1.0, prim::bitWidth(to) - (prim::isSigned(to) ? 1 : 0));
  return prim::isSigned(to) ? value > -above - 1 && value < above : value > -1 && value < above;
}

Scalars convertible(const Conversion& conversion, ScalarType from) {
  Scalars values = edgeCases(from);
  if (prim::isInteger(from)) {  // halfway between two floats, and beside it
    for (int shift = 0; shift < prim::bitWidth(from) - 3; ++shift) {
      for (int k : {-1, 0, 1}) {
        uint64_t odd = (uint64_t{5} << shift) + static_cast<uint64_t>(k);
        values.push_back(Scalar::ofUnsigned(from, odd | uint64_t{1} << (prim::bitWidth(from) - 2)));
      }
    }
  }
  if (from == ScalarType::kF64) {  // halfway between two halves, or two floats, and a bit more
    for (double v : {1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 1 + 0x3p-11, 1 + 0x1p-24, 1 + 0x3p-24,
                     1 + 0x1p-24 + 0x1p-50, 65519.99999999, 65520.0, 0x1p-25, 0x1.0000001p-25}) {
      values.push_back(Scalar::ofF64(v));
    }
  }
  if (conversion.kind != ConvertKind::kMachine) return values;
  Scalars fitting;
  for (double v : {127.9, 255.9, -128.9, -0.9, 32767.5, 2147483000.5, 1e15, -1e15}) {
    values.push_back(Scalar::ofFloat(from, v));
  }
  for (const Scalar& value : values) {
    if (inRange(conversion.to, value.asDouble())) fitting.push_back(value);
  }
  return fitting;
}

void runConversions(ScalarType from, const Target& target) {
  std::vector<Case> cases;
  std::vector<Conversion> conversions = conversionsFrom(from, target);
  for (const Conversion& conversion : conversions) {
    Case c;
    c.name = std::string(prim::name(from)) + " to " + std::string(prim::name(conversion.to));
    c.args.push_back(convertible(conversion, from));
    for (const Scalar& value : c.args[0]) {
      c.expected.push_back(prim::convert(conversion.kind, conversion.to, value));
    }
    cases.push_back(std::move(c));
  }
  runCases(cases, false, target, [&](Builder& code, size_t k, const Operands& args) {
    const Conversion& conversion = conversions[k];
    return code.let("y", conversion.to, Convert{conversion.kind, from, conversion.to, args[0]});
  });
}

}  // namespace

TEST_CASE("primitives at integers and bool") {
  if (gpu::testDevice() == nullptr) return;
  for (ScalarType type : prim::kAllScalarTypes) {
    if (!prim::isFloat(type)) runOps(type, true, kTarget);
  }
}

TEST_CASE("primitives at floats; division and root as they are and raised") {
  if (gpu::testDevice() == nullptr) return;
  bool is_software = !gpu::testDevice()->device->features().is_hardware;
  for (ScalarType type : {ScalarType::kF16, ScalarType::kF32, ScalarType::kF64}) {
    runOps(type, false, kTarget);
    if (is_software) runOps(type, false, {.exact_division_f32 = true, .folds_zeros = true});
  }
}

TEST_CASE("conversions") {
  if (gpu::testDevice() == nullptr) return;
  for (ScalarType from : prim::kAllScalarTypes) runConversions(from, kTarget);
}

TEST_CASE("primitives and conversions on a device without optional types") {
  if (gpu::testDevice() == nullptr) return;
  Target poor = kPoor;
  poor.float64 = gpu::testDevice()->device->features().is_hardware;  // makes roots exact there
  for (ScalarType type : prim::kAllScalarTypes) {
    if (type == ScalarType::kF64) continue;
    CAPTURE(prim::name(type));
    for (bool narrow : {false, true}) runOps(type, narrow, poor);
    runConversions(type, poor);
  }
}

TEST_CASE("constants") {
  if (gpu::testDevice() == nullptr) return;
  TestKernel kernel(1);
  std::mt19937_64 random(3);
  std::vector<std::pair<BufferId, Scalars>> stored;
  for (ScalarType type : prim::kAllScalarTypes) {
    Scalars values = edgeCases(type);
    while (values.size() < 60) values.push_back(Scalar::fromBits(type, random()));
    if (type == ScalarType::kBool) values.resize(2);
    BufferId buffer = kernel.output("y", type, values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      kernel.code.store(buffer, Operand::ofI64(static_cast<int64_t>(i)), values[i]);
    }
    stored.emplace_back(buffer, values);
  }
  kernel.run(1, false);
  for (const auto& [buffer, values] : stored) {
    for (size_t i = 0; i < values.size(); ++i) {
      INFO(prim::name(values[i].type), " ", i);
      CHECK(kernel.result(buffer)[i].bits == values[i].bits);
    }
  }
}

// Constants as operands: signs beside operators.
TEST_CASE("operations on constants") {
  if (gpu::testDevice() == nullptr) return;
  for (ScalarType type : prim::kAllScalarTypes) {
    std::vector<Case> cases;
    std::vector<std::pair<Op, Scalars>> calls;
    for (Op op : kAllOps) {
      if (!prim::existsAt(op, type) || isDefined(op, type)) continue;
      Scalar two = type == ScalarType::kBool ? Scalar::ofBool(true)
                   : prim::isFloat(type)     ? Scalar::ofFloat(type, -2)
                                             : Scalar::ofSigned(type, -2);
      Scalars args(static_cast<size_t>(prim::info(op).arity), two);
      if (!accepts(op, type, args)) continue;
      Scalar expected = std::get<Scalar>(prim::fold(op, type, args));
      cases.push_back({std::string(prim::info(op).name), {{two}}, {expected}, {}});
      calls.emplace_back(op, args);
    }
    runCases(cases, false, kTarget, [&](Builder& code, size_t k, const Operands&) {
      return code.prim(calls[k].first, type,
                       Operands(calls[k].second.begin(), calls[k].second.end()));
    });
  }
}

namespace {

struct ConstantCall {
  Op op;
  bool constant_first;
  Scalar constant;

  template <typename T>
  std::vector<T> arguments(const T& other) const {
    return constant_first ? std::vector<T>{constant, other} : std::vector<T>{other, constant};
  }
};

Case caseOf(const ConstantCall& call, ScalarType type) {
  Case c;
  c.name = fmt::format("{}.{} {} {}", prim::name(type), prim::info(call.op).name,
                       call.constant_first ? "of" : "by", show(call.constant));
  c.args.resize(1);
  for (const Scalar& x : edgeCases(type)) {
    Scalars args = call.arguments(x);
    if (!accepts(call.op, type, args)) continue;
    c.args[0].push_back(x);
    c.expected.push_back(std::get<Scalar>(prim::fold(call.op, type, args)));
  }
  return c;
}

}  // namespace

// Compilers rewrite operations with a constant by rules of their own, wrong ones among them.
TEST_CASE("operations with one constant operand") {
  if (gpu::testDevice() == nullptr) return;
  std::mt19937 random(5);
  for (ScalarType type : prim::kAllScalarTypes) {
    std::vector<Case> cases;
    std::vector<ConstantCall> calls;
    Scalars edges = edgeCases(type);
    for (Op op : kAllOps) {
      if (!prim::existsAt(op, type) || isDefined(op, type) || prim::info(op).arity != 2) continue;
      for (int round = 0; round < 4; ++round) {
        ConstantCall call{op, round % 2 == 0, edges[random() % edges.size()]};
        Case c = caseOf(call, type);
        if (c.expected.empty()) continue;
        cases.push_back(std::move(c));
        calls.push_back(call);
      }
    }
    runCases(cases, false, kTarget, [&](Builder& code, size_t k, const Operands& args) {
      return code.prim(calls[k].op, type, calls[k].arguments(args[0]));
    });
  }
}

namespace {

Scalars boundaries(ScalarType type) {
  if (prim::isFloat(type)) return {Scalar::ofFloat(type, -5.5), Scalar::ofFloat(type, 1e9)};
  return {Scalar::ofSigned(type, 5), Scalar::ofSigned(type, -5), Scalar::ofSigned(type, 300)};
}

struct Comparison {
  ScalarType to;
  Op op;
  Scalar constant;
};

std::vector<Comparison> comparisonsFrom(ScalarType from) {
  std::vector<Comparison> all;
  for (ScalarType to : prim::kAllScalarTypes) {
    bool truncates = prim::isFloat(from) && prim::isInteger(to);
    if (from == to || truncates || prim::bitWidth(to) < 32) continue;
    if (isTwoConversions(from, to)) continue;
    for (const Scalar& constant : boundaries(to)) {
      for (Op op : {Op::kLt, Op::kGe, Op::kEq}) all.push_back({to, op, constant});
    }
  }
  return all;
}

void compareConverted(ScalarType from) {
  std::vector<Case> cases;
  std::vector<Comparison> comparisons = comparisonsFrom(from);
  for (const Comparison& comparison : comparisons) {
    Case c;
    c.name = fmt::format("{} to {} {} {}", prim::name(from), prim::name(comparison.to),
                         prim::info(comparison.op).name, show(comparison.constant));
    c.args.push_back(edgeCases(from));
    for (const Scalar& x : c.args[0]) {
      Scalars args = {prim::convert(ConvertKind::kValue, comparison.to, x), comparison.constant};
      c.expected.push_back(std::get<Scalar>(prim::fold(comparison.op, comparison.to, args)));
    }
    cases.push_back(std::move(c));
  }
  runCases(cases, false, kTarget, [&](Builder& code, size_t k, const Operands& args) {
    const Comparison& c = comparisons[k];
    Operand wide = code.let("w", c.to, Convert{ConvertKind::kValue, from, c.to, args[0]});
    return code.prim(c.op, c.to, {wide, c.constant});
  });
}

}  // namespace

TEST_CASE("comparisons of a converted value with a constant") {
  if (gpu::testDevice() == nullptr) return;
  for (ScalarType from : prim::kAllScalarTypes) compareConverted(from);
}
