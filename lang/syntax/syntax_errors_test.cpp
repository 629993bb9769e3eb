// Syntax errors and their spans; limits.
#include "lang/syntax/parse/parser.h"

#include <doctest/doctest.h>

#include <thread>

#include "lang/base/stack.h"
#include "lang/syntax/test_support.h"

namespace halo::syntax {
namespace {

using test::Parsed;

TEST_CASE("spans are exact") {
  Parsed parsed("def f = (g x) + -y[0] with [1] = z");
  REQUIRE_FALSE(parsed.sink.hasErrors());
  std::string all;
  for (const Expr& expr : parsed.tree.exprs) {
    all += std::string(parsed.files.text(expr.span)) + "|";
  }
  CHECK(all == "g|x|g x|(g x)|y|0|y[0]|-y[0]|(g x) + -y[0]|1|z|(g x) + -y[0] with [1] = z|");
}

std::string problems(const std::string& text) { return test::summary(Parsed(text, false).sink); }

TEST_CASE("syntax errors have codes and ranges") {
  CHECK(problems("def f = + 1") == "2001@8-9");
  CHECK(problems("def f = 1 )") == "2001@10-11");
  CHECK(problems("def = 1") == "2001@4-5");
  CHECK(problems("foo") == "2001@0-3");
  CHECK(problems("def f = if a then b") == "2003@19-19");
  CHECK(problems("def f = (1, 2\n") == "2003@13-13");
  CHECK(problems("def f = let x = 1 x") == "2003@19-19");
  CHECK(problems("def f x x = 1") == "2004@8-9");
  CHECK(problems("def f 'a 'a = 1") == "2004@9-11");
  CHECK(problems("def f [n][n] = 1") == "2004@10-11");
  CHECK(problems("def f [n] (n: i64) = 1") == "2004@11-12");
  CHECK(problems("def f [n] 'n (x: n) = 1") == "");
  CHECK(problems("def f = let [n] (n, _) = 1 in n") == "2004@17-18");
  CHECK(problems("type t [n][n] = i32") == "2004@11-12");
  CHECK(problems("def f = 1 def f = 2") == "2004@14-15");
  CHECK(problems("def f = {a = 1, a = 2}") == "2004@16-17");
  CHECK(problems("val x : i32") == "2001@0-3");
  CHECK(problems("def (&&) a b = a") == "2001@5-7");
}

TEST_CASE("several errors in one file") {
  CHECK(problems("def a = 1 +\ndef b = (1 + ) * (2 *) + (3 4 / ) - (let)\ndef c = ]\ndef d = 1") ==
        "2001@12-15 2001@52-53 2001@62-63");
  CHECK(problems("module m = { def a = ) def b = 1 } def c = +") == "2001@21-22 2001@43-44");
  // One each: a keyword where a name belongs, a module type between specs, a string over lines.
  CHECK(problems("def val x = 1\ndef g = 2") == "2001@4-7");
  CHECK(problems("def f = g (h val x) + 1\ndef g = 2") == "2001@13-16");
  CHECK(problems("module type a = { module type b = { val x : i32 } val y : i32 }") ==
        "2001@25-29");
  CHECK(problems("def s = \"abc\n  def\" ++ t\ndef g = 2") == "1004@8-12");
  CHECK(problems("def s = \"abc\ndef t = \"def\"\ndef u = \"d") == "1004@8-12 1004@35-37");
  CHECK(problems("def s = \"abc\n\ndef t = def\"") == "1004@8-12 1004@25-26");
  // One each: the `=` before a body is missing, a module's head fails in front of its body.
  CHECK(problems("def f (x: i32) (x + 1) * (\\y -> y) 2\ndef g = 2") == "2001@18-19");
  CHECK(problems("def f x g x x\ndef g = 2") == "2001@14-17");
  CHECK(problems("def f = map (\\(x y) -> (x, y)) z\ndef g = 2") == "2001@17-18");
  CHECK(problems("module m { type t = i32 def x = { } 3 }\ndef f = +") == "2001@9-10 2001@48-49");
  CHECK(problems("module type m type { val x : i32 }\ndef f = 1") == "2001@14-18");
  // An unknown character is not a missing expression as well.
  CHECK(problems("def f = @\ndef g = 1") == "1001@8-9");
}

TEST_CASE("the REPL hears that more is needed") {
  CHECK(Parsed("def f x =").incomplete);
  CHECK(Parsed("def f x = (1 +").incomplete);
  CHECK_FALSE(Parsed("def f x = )").incomplete);
  CHECK_FALSE(Parsed("def f x = 1").incomplete);
}

TEST_CASE("nesting has a limit, lists and chains have none") {
  auto repeat = [](const std::string& text, size_t n) {
    std::string out;
    for (size_t i = 0; i < n; ++i) out += text;
    return out;
  };
  auto first = [](const std::string& text) { return problems(text).substr(0, 4); };
  CHECK(problems("def f = " + repeat("(", 250) + "1" + repeat(")", 250)) == "");
  CHECK(first("def f = " + repeat("(", 300) + "1" + repeat(")", 300)) == "2002");
  CHECK(first("def f = " + repeat("(", 100000)) == "2002");
  CHECK(first("def f = " + repeat("- ", 300) + "1") == "2002");
  CHECK(first("def f = " + repeat("\\x -> ", 300) + "1") == "2002");
  CHECK(first("type t = " + repeat("[n]", 300) + "t") == "2002");
  CHECK(first("type t = " + repeat("a -> ", 300) + "t") == "2002");
  CHECK(first("def f " + repeat("(", 300) + "x") == "2002");
  CHECK(first(repeat("module m = { ", 300)) == "2002");
  CHECK(problems(repeat("module m = { ", 250) + repeat("}", 250)) == "");
  CHECK(first("open " + repeat("(", 300)) == "2002");
  CHECK(first("open f" + repeat(" x", 300)) == "2002");
  CHECK(first("open f" + repeat(" : x", 300)) == "2002");
  CHECK(first("module type t = " + repeat("(", 300)) == "2002");
  CHECK(first("module type t = " + repeat("a -> ", 300) + "b") == "2002");
  CHECK(first("module type t = a" + repeat(" with t = i32", 300)) == "2002");
  CHECK(first("def f = " + repeat("match x case _ -> ", 300) + "1") == "2002");
  CHECK(first("def f = x" + repeat(" : t", 300)) == "2002");
  CHECK(first("def f = x with a" + repeat("[0]", 300) + " = 1") == "2002");
  CHECK(first("def f = (.a" + repeat("[0].b", 300) + ")") == "2002");
  CHECK(problems("type t = " + repeat("#a (", 250) + "t" + repeat(")", 250)) == "");
  CHECK(first("type t = " + repeat("#a (", 300) + "t") == "2002");
  CHECK(first("type t = " + repeat("#a [n]", 300) + "t") == "2002");
  CHECK(first("def f = match x case " + repeat("#[a] ", 300) + "y -> 1") == "2002");
  constexpr size_t kMany = 100000;
  CHECK(problems("def f = 1" + repeat(" + 1", kMany)) == "");
  CHECK(problems("def f = f" + repeat(" <| f", kMany)) == "");
  CHECK(problems("def f = f" + repeat(" x", kMany)) == "");
  CHECK(problems("def f = f" + repeat(".0", kMany)) == "");
  CHECK(problems("def f = [" + repeat("1,", kMany) + "]") == "");
  CHECK(problems("def f = " + repeat("let x = 1 ", kMany) + "in x") == "");
}

TEST_CASE("chains longer than any stack holds are refused, on small stacks sooner") {
  auto chain = [](size_t links) {
    std::string out = "def f = x";
    for (size_t i = 0; i < links; ++i) out += " |> f";
    return out;
  };
  CHECK(problems(chain(base::kMaxLevels)) == "");
  CHECK(problems(chain(base::kMaxLevels + 1)).substr(0, 5) == "2002@");
  std::thread([&] {
    CHECK(problems(chain(base::stackLevels())) == "");
    CHECK(problems(chain(base::stackLevels() + 1)).substr(0, 5) == "2002@");
  }).join();
}

TEST_CASE("tuples and records have at most 1024 fields") {
  auto tuple = [](size_t n) {
    std::string out = "def f = (";
    for (size_t i = 0; i < n; ++i) out += "1,";
    return out + ")";
  };
  CHECK(problems(tuple(1024)) == "");
  CHECK(problems(tuple(1025)) == "2005@8-9");
}

}  // namespace
}  // namespace halo::syntax
