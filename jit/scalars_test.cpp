// Every primitive and every conversion at every type against their meaning (prim/fold), on values
// from the corners of each type, as elements of arrays. So loads and stores are tested.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>

#include "jit/engine.h"
#include "lang/core/builder.h"
#include "lang/prim/fold.h"

namespace halo::jit {
namespace {

using core::Operand;
using core::Program;
using prim::Op;
using prim::Scalar;
using prim::ScalarType;
using value::Array;
using value::Value;

std::vector<Scalar> corners(ScalarType type) {
  std::vector<Scalar> all;
  if (type == ScalarType::kBool) return {Scalar::ofBool(false), Scalar::ofBool(true)};
  if (prim::isFloat(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    for (double v : {0.0, 1.0, 0.5, 2.5, 3.0, 1e-8, 0.0999755859375, 65504.0, 65519.99, 65520.0,
                     7e4, 2147483648.0, 9.3e18, 1.9e19, 1e300, infinity, 1 + 0x1p-11 + 0x1p-40}) {
      all.push_back(Scalar::ofFloat(type, v));
      all.push_back(Scalar::ofFloat(type, -v));
    }
    all.push_back(Scalar::ofFloat(type, std::numeric_limits<double>::quiet_NaN()));
    return all;
  }
  for (int64_t v : {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{7}, int64_t{63}, int64_t{100},
                    int64_t{2049}, int64_t{2051}, int64_t{65519}, int64_t{65520},
                    int64_t{(1 << 24) + 1}, (int64_t{1} << 53) + 1, INT64_MAX, INT64_MIN}) {
    all.push_back(Scalar::ofUnsigned(type, static_cast<uint64_t>(v)));
    all.push_back(Scalar::ofUnsigned(type, uint64_t{0} - static_cast<uint64_t>(v)));
  }
  all.push_back(Scalar::ofUnsigned(type, uint64_t{1} << (prim::bitWidth(type) - 1)));
  all.push_back(Scalar::ofUnsigned(type, (uint64_t{1} << (prim::bitWidth(type) - 1)) - 1));
  return all;
}

Value arrayOf(ScalarType type, const std::vector<Scalar>& items) {
  Array made = *value::makeArray(type, {static_cast<int64_t>(items.size())});
  for (size_t i = 0; i < items.size(); ++i) value::setAt(made, static_cast<int64_t>(i), items[i]);
  return made;
}

// One map whose lambda `build` fills; it returns the results and their types.
struct Kernel {
  Program program;
  std::vector<core::ValueId> params;
  core::Builder builder{program};

  std::vector<Value> run(const std::vector<Value>& inputs, core::Operands results) {
    Program& p = program;
    core::Function main;
    main.name = "main", main.is_entry = true, main.size_params = 1;
    core::ValueId n = p.add("n", {ScalarType::kI64, {}});
    main.params = {n}, main.consumed = {false};
    core::Screma map{n, {}, {}, {}, {}};
    for (core::ValueId param : params) {
      core::ValueId array = p.add("xs", {p.type(param).scalar, {n}});
      main.params.push_back(array), main.consumed.push_back(false);
      map.inputs.push_back(array);
    }
    map.map = {params, builder.take(results)};
    core::Stm stm{{}, {}, false, {}};
    for (const Operand& result : results) {
      core::ValueId array = p.add("ys", {p.type(result).scalar, {n}});
      stm.results.push_back(array);
      main.results.push_back(p.add("r", {p.type(result).scalar, {n}}));
      main.body.results.push_back(array);
    }
    stm.expr = std::move(map);
    main.body.stms.push_back(std::move(stm));
    p.functions.push_back(std::move(main));
    engine::Options options;
    options.verify = true;
    auto prepared = prepareCore(p, "main", options);
    if (!prepared) FAIL(prepared.error().message);
    auto values = (*prepared)->call(inputs, {});
    if (!values) FAIL(values.error().message);
    return *values;
  }
};

bool sameScalar(const Scalar& a, const Scalar& b) {
  if (prim::isFloat(a.type) && a.asDouble() != a.asDouble() && b.asDouble() != b.asDouble()) {
    return true;
  }
  return a.type == b.type && a.bits == b.bits;
}

}  // namespace

TEST_CASE("every primitive means what fold says") {
  for (ScalarType type : prim::kAllScalarTypes) {
    Kernel kernel;
    core::ValueId x = kernel.program.add("x", {type, {}}), y = kernel.program.add("y", {type, {}});
    kernel.params = {x, y};
    std::vector<Op> ops;
    core::Operands results;
    for (int k = 0; k <= static_cast<int>(Op::kMulHi); ++k) {
      Op op = static_cast<Op>(k);
      // Operations that can fail would; powers of floats have their own tests.
      if (!prim::existsAt(op, type) || prim::canFail(op, type)) continue;
      if (op == Op::kPow && prim::isFloat(type)) continue;
      core::Operands args = {x, y, x};
      args.resize(static_cast<size_t>(prim::info(op).arity));
      ops.push_back(op);
      results.push_back(kernel.builder.prim(op, type, args));
    }
    std::vector<Scalar> xs, ys;
    for (const Scalar& a : corners(type)) {
      for (const Scalar& b : corners(type)) xs.push_back(a), ys.push_back(b);
    }
    auto values = kernel.run({arrayOf(type, xs), arrayOf(type, ys)}, results);
    for (size_t k = 0; k < ops.size(); ++k) {
      int wrong = 0;
      std::string first;
      for (size_t i = 0; i < xs.size(); ++i) {
        std::vector<Scalar> args = {xs[i], ys[i], xs[i]};
        args.resize(static_cast<size_t>(prim::info(ops[k]).arity));
        auto folded = prim::fold(ops[k], type, args);
        Scalar found = values[k].array()->at(static_cast<int64_t>(i));
        if (sameScalar(std::get<Scalar>(folded), found)) continue;
        if (wrong++ == 0) {
          first = fmt::format("{}.{} {:x} {:x}: {:x}, needed {:x}", prim::name(type),
                              prim::info(ops[k]).name, xs[i].bits, ys[i].bits, found.bits,
                              std::get<Scalar>(folded).bits);
        }
      }
      CHECK_MESSAGE(wrong == 0, first);
    }
  }
}

TEST_CASE("every conversion means what fold says") {
  for (ScalarType from : prim::kAllScalarTypes) {
    Kernel kernel;
    core::ValueId x = kernel.program.add("x", {from, {}});
    kernel.params = {x};
    std::vector<ScalarType> types;
    core::Operands results;
    for (ScalarType to : prim::kAllScalarTypes) {
      if (to == from) continue;
      types.push_back(to);
      results.push_back(kernel.builder.convert(prim::ConvertKind::kValue, to, x));
    }
    std::vector<Scalar> xs = corners(from);
    auto values = kernel.run({arrayOf(from, xs)}, results);
    for (size_t k = 0; k < types.size(); ++k) {
      for (size_t i = 0; i < xs.size(); ++i) {
        Scalar needed = prim::convert(prim::ConvertKind::kValue, types[k], xs[i]);
        Scalar found = values[k].array()->at(static_cast<int64_t>(i));
        CHECK_MESSAGE(sameScalar(needed, found),
                      fmt::format("{} of {} {:x}: {:x}, needed {:x}", prim::name(types[k]),
                                  prim::name(from), xs[i].bits, found.bits, needed.bits));
      }
    }
  }
}

}  // namespace halo::jit
