// Futhark's text format: accepted input, printed output, complaints.
#include <random>

#include "lang/value/test_values.h"

using namespace halo::value;  // NOLINT: a test of exactly this namespace

namespace {

std::string again(const std::string& text) { return toText(valueOf(text)); }

}  // namespace

TEST_CASE("scalars: suffixes, bases, underscores") {
  CHECK(again("42") == "42i32");
  CHECK(again("-42i8") == "-42i8");
  CHECK(again("255u8") == "255u8");
  CHECK(again(R"("\x41\10\xff")") == "[65u8, 10u8, 255u8]");
  CHECK(again("18446744073709551615u64") == "18446744073709551615u64");
  CHECK(again("-9223372036854775808i64") == "-9223372036854775808i64");
  CHECK(again("0xFFu8") == "255u8");
  CHECK(again("0xFFi8") == "-1i8");
  CHECK(again("0b1_01") == "5i32");
  CHECK(again("1_000_000") == "1000000i32");
  CHECK(again("0xf32") == "3890i32");
  CHECK(again("true") == "true");
  CHECK(again("false") == "false");
}

TEST_CASE("floats print the shortest text that reads back") {
  CHECK(again("1.5") == "1.5f64");
  CHECK(again("3f32") == "3.0f32");
  CHECK(again("0.1f32") == "0.1f32");
  CHECK(again("0.1f16") == "0.1f16");
  CHECK(again("-0.0f32") == "-0.0f32");
  CHECK(again("1e3f32") == "1000.0f32");
  CHECK(again("1e30") == "1e+30f64");
  CHECK(again("16777217f32") == "16777216.0f32");
  CHECK(again("65504f16") == "65500.0f16");
  CHECK(again("0x1.8p3") == "12.0f64");
  CHECK(again("0x1.8p-3f32") == "0.1875f32");
  CHECK(again("1e400") == "f64.inf");
  CHECK(again("1e-400") == "0.0f64");
  CHECK(again("f32.nan") == "f32.nan");
  CHECK(again("-f32.nan") == "f32.nan");
  CHECK(again("-f32.inf") == "-f32.inf");
  CHECK(again("f16.inf") == "f16.inf");
}

TEST_CASE("arrays: the first scalar fixes the type") {
  CHECK(again("[1, 2,3]") == "[1i32, 2i32, 3i32]");
  CHECK(again("[1u8, 2, 3u8,]") == "[1u8, 2u8, 3u8]");
  CHECK(again("[1.5f32, 2, -1e2]") == "[1.5f32, 2.0f32, -100.0f32]");
  CHECK(again("[4294967295u32, 0x10, 4294967295]") == "[4294967295u32, 16u32, 4294967295u32]");
  CHECK(again("[1f32, f32.nan, -f32.inf]") == "[1.0f32, f32.nan, -f32.inf]");
  CHECK(again("[[1,2],[3,4],[5,6]]") == "[[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]]");
  CHECK(again("[true, false]") == "[true, false]");
  CHECK(again("[ 1 -- one\n , 2 -- two\n ]") == "[1i32, 2i32]");
  const Value cube = valueOf("[[[1i64,2]],[[3,4]]]");
  CHECK(cube.array()->shape() == std::vector<int64_t>{2, 1, 2});
}

TEST_CASE("empty arrays keep all dimensions") {
  CHECK(again("empty([0][3]f32)") == "empty([0][3]f32)");
  CHECK(again("empty( [2] [0] bool )") == "empty([2][0]bool)");
  CHECK(valueOf("empty([0][3]f32)").array()->shape() == std::vector<int64_t>{0, 3});
}

TEST_CASE("strings are arrays of u8") {
  CHECK(again("\"abc\"") == "[97u8, 98u8, 99u8]");
  CHECK(again(R"("\n\"\65")") == "[10u8, 34u8, 65u8]");
  CHECK(again("\"\"") == "empty([0]u8)");
}

TEST_CASE("several values in a row, comments between") {
  auto values = tryValues("1 2i64 -- three\n[3] \"x\" -- end");
  REQUIRE(values.has_value());
  CHECK(values->size() == 4);
  CHECK(tryValues("")->empty());
  CHECK(tryValues(" -- nothing")->empty());
}

TEST_CASE("tuples and records print as expressions") {
  const Value pair = makeTuple({halo::prim::Scalar::ofI32(1), valueOf("[2.5]")});
  CHECK(toText(pair) == "(1i32, [2.5f64])");
  CHECK(toText(Value(Record{{"a", "b"}, {valueOf("1"), valueOf("true")}})) ==
        "{a = 1i32, b = true}");
  CHECK(toText(makeTuple({})) == "()");
}

TEST_CASE("malformed text: message and place") {
  CHECK(failureOf("foo") == "expected a value, found `foo` @ foo");
  CHECK(failureOf("300u8") == "number `300u8` does not fit `u8` @ 300u8");
  CHECK(failureOf("-1u8") == "number `-1u8` does not fit `u8` @ -1u8");
  CHECK(failureOf("2147483648") == "number `2147483648` does not fit `i32` @ 2147483648");
  CHECK(failureOf("[1, 2i64]") == "element `2i64` has type `i64`, the first one has `i32` @ 2i64");
  CHECK(failureOf("[1, 2.5]") == "element `2.5` has type `f64`, the first one has `i32` @ 2.5");
  CHECK(failureOf("[1, true]") == "element `true` has type `bool`, the first one has `i32` @ true");
  CHECK(failureOf("[true, 1]") == "element `1` has type `i32`, the first one has `bool` @ 1");
  CHECK(failureOf("[[1,2],[3]]") == "row of 1 elements in an array of rows of 2 @ [3]");
  CHECK(failureOf("[[1],2]") == "scalar in a row of arrays @ 2");
  CHECK(failureOf("[1,[2]]") == "array in a row of scalars @ [");
  CHECK(failureOf("[]") == "array without elements has no type: write it as `empty([0]i32)` @ []");
  CHECK(failureOf("[1 2]") == "expected `,` or `]`, found `2` @ 2");
  CHECK(failureOf("[1,") == "expected a value, found the end of the input @ ");
  CHECK(failureOf("empty([2]i32)") ==
        "`empty` of shape `[2]` needs a dimension of size 0 @ empty([2]i32)");
  CHECK(failureOf("empty([0]i31)") == "expected a scalar type, found `i31` @ i31");
  CHECK(failureOf("empty([-1]i32)") == "expected a size, found `-1` @ -1");
  CHECK(failureOf("\"abc") == "text has no closing `\"` @ \"abc");
  CHECK(failureOf("1.5i32") == "expected a value, found `1.5i32` @ 1.5i32");
  CHECK(failureOf("0x") == "expected a value, found `0x` @ 0x");
  CHECK(failureOf("-") == "expected a value, found `-` @ -");
  CHECK(failureOf("(1, 2)") ==
        "expected a value, found `(`: a tuple is its values, one after another @ (");
  CHECK(failureOf("1e") == "expected a value, found `1e` @ 1e");
  CHECK(failureOf("\x01") == "expected a value, found byte 0x01 @ \x01");
  CHECK(failureOf(std::string(40, '[')) == "more than 16 dimensions @ [");
}

TEST_CASE("every float reads back to its bits") {
  std::mt19937_64 random(1);
  for (const ScalarType type : {ScalarType::kF16, ScalarType::kF32, ScalarType::kF64}) {
    for (int i = 0; i < 20000; ++i) {
      const Scalar scalar = Scalar::fromBits(type, random());
      const Value back = valueOf(toText(scalar));
      REQUIRE(back.scalar() != nullptr);
      REQUIRE(*back.scalar() == scalar);
    }
  }
  for (uint64_t bits = 0; bits < 0x10000; ++bits) {
    const Scalar half = Scalar::fromBits(ScalarType::kF16, bits);
    REQUIRE(*valueOf(toText(half)).scalar() == half);
  }
}

TEST_CASE("every integer reads back, alone and in arrays") {
  std::mt19937_64 random(2);
  for (const ScalarType type : halo::prim::kAllScalarTypes) {
    auto array = makeArray(type, {3, 50});
    REQUIRE(array.has_value());
    for (int64_t i = 0; i < array->elements(); ++i) {
      setAt(*array, i, Scalar::fromBits(type, random() >> (random() % 64)));
      REQUIRE(*valueOf(toText(array->at(i))).scalar() == array->at(i));
    }
    CHECK_FALSE(firstDifference(*array, valueOf(toText(Value(*array))), {}).has_value());
  }
}
