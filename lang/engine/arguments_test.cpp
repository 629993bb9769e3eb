// checkArguments on a program built by hand:
//   entry f [n] (k: i64) (xs: [n]f32) (p: ([n][k]i32, bool)) (ys: [n+1]f32)
#include <doctest/doctest.h>

#include "lang/engine/engine.h"

using namespace halo;  // NOLINT: names from five folders
using diag::Code;
using prim::ScalarType;
using types::TypeId;
using value::Value;

namespace {

class Fixture {
 public:
  Fixture() {
    const TypeId i64 = scalar(ScalarType::kI64);
    const types::BinderId n = program.binders.add({"n", {}, i64});
    const types::BinderId k = program.binders.add({"k", {}, i64});
    const types::SizeId size_n = program.sizes.add(types::SizeBinder{n});
    const types::SizeId size_k = program.sizes.add(types::SizeBinder{k});
    const types::SizeId one = program.sizes.add(types::SizeConst{1});
    const types::SizeId more =
        program.sizes.add(types::SizeArith{types::SizeOp::kAdd, size_n, one});
    const TypeId matrix = array(size_n, array(size_k, scalar(ScalarType::kI32)));
    const TypeId pair =
        program.types.add(types::RecordType{{"0", "1"}, {matrix, scalar(ScalarType::kBool)}});
    types::Def def;
    def.name = "f";
    def.size_parameters = {n};
    def.parameters = {parameter(i64, k), parameter(array(size_n, scalar(ScalarType::kF32))),
                      parameter(pair), parameter(array(more, scalar(ScalarType::kF32)))};
    entry = program.defs.add(def);
  }

  std::string check(const std::vector<Value>& arguments) const {
    const auto done = engine::checkArguments(program, entry, arguments);
    if (done) return "fine";
    std::string text = diag::codeLabel(done.error().code) + " " + done.error().message;
    for (const std::string& note : done.error().notes) text += "; " + note;
    return text;
  }

  types::Program program;
  types::DefId entry;

 private:
  TypeId scalar(ScalarType type) { return program.types.add(types::ScalarTypeNode{type}); }
  TypeId array(types::SizeId size, TypeId element) {
    return program.types.add(types::ArrayType{size, element});
  }
  types::PatternId pattern(syntax::PatternNode node) {
    syntax::Pattern pattern;
    pattern.node = std::move(node);
    return program.tree.patterns.add(std::move(pattern));
  }
  types::PatternId parameter(TypeId type, types::BinderId binder = {}) {
    const types::PatternId name = pattern(syntax::PatternName{{"x", {}}});
    const types::PatternId typed = pattern(syntax::PatternTyped{name, {}});
    program.pattern_type[name] = type;
    program.pattern_type[typed] = type;
    program.binder_of[name] = binder;
    return typed;
  }
};

Value zeros(ScalarType type, std::vector<int64_t> shape) {
  return *value::makeArray(type, std::move(shape));
}

const Value kTwo = prim::Scalar::ofI64(2);
const Value kTrue = prim::Scalar::ofBool(true);

Value pairOf(std::vector<int64_t> shape) {
  return value::makeTuple({zeros(ScalarType::kI32, std::move(shape)), kTrue});
}

}  // namespace

TEST_CASE("arguments that fit") {
  CHECK(Fixture().check({kTwo, zeros(ScalarType::kF32, {3}), pairOf({3, 2}),
                         zeros(ScalarType::kF32, {4})}) == "fine");
}

TEST_CASE("wrong number of arguments") {
  CHECK(Fixture().check({kTwo}) == "H8003 entry `f` takes 4 arguments, found 1");
}

TEST_CASE("wrong types") {
  const Fixture fixture;
  const Value xs = zeros(ScalarType::kF32, {3}), ys = zeros(ScalarType::kF32, {4});
  CHECK(fixture.check({prim::Scalar::ofI32(2), xs, pairOf({3, 2}), ys}) ==
        "H8004 argument 1 of `f` has type `i32`, needed `i64`");
  CHECK(fixture.check({kTwo, zeros(ScalarType::kF64, {3}), pairOf({3, 2}), ys}) ==
        "H8004 argument 2 of `f` has type `[3]f64`, needed `[n]f32`");
  CHECK(fixture.check({kTwo, zeros(ScalarType::kF32, {3, 1}), pairOf({3, 2}), ys}) ==
        "H8004 argument 2 of `f` has type `[3][1]f32`, needed `[n]f32`");
  CHECK(fixture.check({kTwo, xs, kTrue, ys}) ==
        "H8004 argument 3 of `f` has type `bool`, needed `([n][k]i32, bool)`");
  CHECK(fixture.check({kTwo, xs, value::makeTuple({kTrue, kTrue}), ys}) ==
        "H8004 argument 3 of `f` has type `(bool, bool)`, needed `([n][k]i32, bool)`");
}

TEST_CASE("sizes that disagree") {
  const Fixture fixture;
  const Value xs = zeros(ScalarType::kF32, {3}), ys = zeros(ScalarType::kF32, {4});
  CHECK(fixture.check({kTwo, xs, pairOf({5, 2}), ys}) ==
        "H7006 argument 3 of `f` has shape `[5][2]`, needed `[3][2]`; "
        "argument 2 says that `n` is 3");
  CHECK(fixture.check({kTwo, xs, pairOf({3, 7}), ys}) ==
        "H7006 argument 3 of `f` has shape `[3][7]`, needed `[3][2]`; "
        "argument 1 says that `k` is 2");
  CHECK(fixture.check({kTwo, xs, pairOf({3, 2}), xs}) ==
        "H7006 argument 4 of `f` has shape `[3]`, needed `[4]`");
}
