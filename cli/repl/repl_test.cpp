// Parts without an engine: classifying inputs, showing values, finding commands.
#include <doctest/doctest.h>

#include "cli/repl/command.h"
#include "cli/repl/input.h"
#include "cli/repl/show.h"
#include "lang/value/format.h"

namespace halo::repl {

TEST_CASE("inputs that are not complete") {
  for (const char* text : {"def f x =", "(1 +", "let x = 1 in", "if true then 1", "[1,", "-- | doc",
                           "match x case 1 ->", "module m = {"}) {
    CAPTURE(text);
    CHECK(isIncomplete(text));
  }
  for (const char* text : {"1", "def f x = x", "let x = 1", "1 + )", ":type (", "", "-- x"}) {
    CAPTURE(text);
    CHECK_FALSE(isIncomplete(text));
  }
}

TEST_CASE("several inputs in one text") {
  CHECK(splitInputs("1\n2\n") == std::vector<std::string>{"1", "2"});
  CHECK(splitInputs("def f x =\n  x\n\n  + 1\nf 2") ==
        std::vector<std::string>{"def f x =\n  x\n\n  + 1", "f 2"});
  CHECK(splitInputs("f x\n|> g\n)\n") == std::vector<std::string>{"f x\n|> g\n)"});
  CHECK(splitInputs(":type 1\n:quit") == std::vector<std::string>{":type 1", ":quit"});
  CHECK(splitInputs("> (1 +\n|  2)\ni32 = 3\n> 4\n") == std::vector<std::string>{"(1 +\n 2)", "4"});
}

TEST_CASE("on a pipe, lines in column 0 that end an input which needs more") {
  CHECK(beginsAnother("let x =\n", "1 + 1"));
  CHECK(beginsAnother("def f (x: i32) =\n", "def g = 1"));
  CHECK(beginsAnother("f (1 +\n", "def g = 1"));
  CHECK_FALSE(beginsAnother("def f (x: i32) =\n", "  x"));
  CHECK_FALSE(beginsAnother("f (1 +\n", "2)"));
  CHECK_FALSE(beginsAnother("let x = 1 in\n", "x"));
  CHECK_FALSE(beginsAnother("module m = {\n", "def g = 1"));
  CHECK_FALSE(beginsAnother("module m = { def f =\n", "1 }"));
  CHECK_FALSE(beginsAnother("#[inline]\n", "def g = 1"));
  CHECK_FALSE(beginsAnother("-- | A number.\n", "def g = 1"));
}

TEST_CASE("commands by the beginning of their names") {
  CHECK(findCommand("ty").command->name == std::string("type"));
  CHECK(findCommand("core@fuse").command->name == std::string("core"));
  CHECK(findCommand("re").candidates == std::vector<std::string>{"reload", "reset"});
  CHECK(findCommand("x").command == nullptr);
  CHECK(splitCommand("load  a b ").argument == "a b");
}

TEST_CASE("values: elided in every dimension") {
  auto matrix = *value::makeArray(prim::ScalarType::kI32, {20, 20});
  for (int64_t i = 0; i < 400; ++i) value::setAt(matrix, i, value::Scalar::ofI32(1));
  CHECK(*show(value::Value(matrix), {}, {.limit = 10, .edge = 1}) ==
        "\n[[1, ..., 1],\n ...,\n [1, ..., 1]]");
  auto row = *value::makeArray(prim::ScalarType::kF32, {3});
  for (int64_t i = 0; i < 3; ++i) value::setAt(row, i, value::Scalar::ofF32(0.5f));
  CHECK(*show(value::Value(row), {}) == "[0.5, 0.5, 0.5]");
  CHECK(*show(value::Value(row), {}, {.limit = 0, .edge = 1}) == "[0.5, ..., 0.5]");
}

TEST_CASE("values: an array of records is stored as a record of arrays") {
  auto a = *value::makeArray(prim::ScalarType::kI32, {2});
  for (int64_t i = 0; i < 2; ++i) value::setAt(a, i, value::Scalar::ofI32(static_cast<int>(i)));
  const Layout layout{1, {{}, {}}};
  CHECK(*show(value::makeTuple({value::Value(a), value::Value(a)}), layout) == "[(0, 0), (1, 1)]");
}

}  // namespace halo::repl
