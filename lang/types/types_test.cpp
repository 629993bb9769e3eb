// Types of definitions as the checker finds them, the tables it leaves behind, and its messages.
// Programs that are rejected are under tests/check, one file per message.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lang/syntax/parse/parser.h"
#include "lang/types/laws.h"
#include "stdlib/embedded.h"

namespace halo::types {

namespace {

struct Checked {
  source::Files files;
  EnvironmentRef environment;
  std::string errors;
};

Checked checkOn(EnvironmentRef base, std::string_view name, std::string_view text, bool is_prelude,
                source::Files files = {}) {
  Checked checked{std::move(files), nullptr, ""};
  diag::Sink sink;
  auto id = checked.files.add(std::string(name), std::string(text));
  syntax::Tree tree = treeOf(*base);
  syntax::File file = syntax::parseFile(checked.files, id, {is_prelude}, tree, sink);
  if (!sink.hasErrors()) {
    checked.environment = extend(base, std::move(tree), file, {is_prelude, !is_prelude}, sink);
  }
  checked.errors = diag::render(sink, checked.files);
  return checked;
}

const EnvironmentRef& prelude() {
  static const EnvironmentRef loaded = [] {
    EnvironmentRef environment = emptyEnvironment();
    for (const stdlib::EmbeddedFile& file : stdlib::files()) {
      Checked checked = checkOn(environment, file.name, file.text, true);
      REQUIRE_MESSAGE(checked.environment, checked.errors);
      environment = checked.environment;
    }
    return environment;
  }();
  return loaded;
}

Checked check(std::string_view text) { return checkOn(prelude(), "test.fut", text, false); }

std::string types(std::string_view text) {
  Checked checked = check(text);
  return checked.environment ? print(program(*checked.environment)) : checked.errors;
}

std::string errors(std::string_view text) { return check(text).errors; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t countErrors(std::string_view text) {
  const std::string all = errors(text);
  size_t count = 0;
  for (size_t at = 0; (at = all.find("error: ", at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

TEST_CASE("a first program") {
  CHECK(types("def main (n: i64) = i64.sum (map (\\x -> x * x) (iota n))") ==
        "entry main: i64 -> i64\n");
}

TEST_CASE("literals take the type of their use, else i32 and f64") {
  CHECK(types("def a = 1") == "def a: i32\n");
  CHECK(types("def a = 1.5") == "def a: f64\n");
  CHECK(types("def a (x: f32) = 2 * x") == "def a: f32 -> f32\n");
  CHECK(types("def a (x: u8) = [1, x]") == "def a: u8 -> [2]u8\n");
  CHECK(types("def a = -128i8") == "def a: i8\n");
  CHECK(types("def a = 128i8") == "def a: i8\n");
  CHECK(contains(errors("def a: i8 = 128"), "H1003"));
  CHECK(types("def a = \"ab\"") == "def a: [2]u8\n");
}

TEST_CASE("definitions without annotations are generalised") {
  CHECK(types("def twice f x = f (f x)") == "def twice 'a: (a -> a) -> a -> a\n");
  CHECK(types("def pairs xs = map (\\x -> (x, x)) xs") ==
        "def pairs [d0] 'a: [d0]a -> [d0](a, a)\n");
  CHECK(types("def f x y = x + y") == "def f: i32 -> i32 -> i32\n");
}

TEST_CASE("a lambda sees the types of the data that follow it") {
  CHECK(types("def f (xs: [](i32, f32)) = map (\\p -> p.1) xs") ==
        "def f [d0]: [d0](i32, f32) -> [d0]f32\n");
  CHECK(types("def f (xs: []{a: i32, b: bool}) = map (.b) xs") ==
        "def f [d0]: [d0]{a: i32, b: bool} -> [d0]bool\n");
}

TEST_CASE("definitions without parameters that are functions get some") {
  CHECK(types("entry main = map (+ 1i32)") == "entry main [d0]: [d0]i32 -> [d0]i32\n");
  CHECK(types("def norm = f32.sum >-> f32.sqrt") == "def norm [d0]: [d0]f32 -> f32\n");
  CHECK(types("def g (x: i32) = map (+ x)") == "def g [d0]: i32 -> [d0]i32 -> [d0]i32\n");
  CHECK(types("def add = \\(x: i32) y -> x + y") == "def add: i32 -> i32 -> i32\n");
}

TEST_CASE("sizes are compared as sums of products") {
  CHECK(types("def f (n: i64) (m: i64) = map2 (+) (iota (n + m)) (iota (m + n))") ==
        "def f: (n: i64) -> (m: i64) -> [n+m]i64\n");
  CHECK(types("def f (n: i64) = let m = n + 1 in map2 (+) (iota m) (iota (1 + n))") ==
        "def f: (n: i64) -> [n+1]i64\n");
  CHECK(types("def f [n] (xs: [n]i32) = tail (tail xs)") == "def f [n]: [n]i32 -> [n-1-1]i32\n");
  CHECK(types("def f (n: i64) (m: i64): [n][m]i64 = unflatten (iota (n * m))") ==
        "def f: (n: i64) -> (m: i64) -> [n][m]i64\n");
  CHECK(types("def k = 3i64 def f = map2 (+) [1, 2, 3] (replicate k 0)") ==
        "def k: i64\ndef f: [3]i32\n");
}

TEST_CASE("sizes of slices and ranges") {
  CHECK(types("def f [n] (xs: [n]i32) = xs[1:n - 1]") == "def f [n]: [n]i32 -> [n-1-1]i32\n");
  CHECK(types("def f [n] (xs: [n]i32) = xs[::-1]") == "def f [n]: [n]i32 -> [n]i32\n");
  CHECK(types("def f [n] [m] (xs: [n][m]i32) = xs[:, 0]") ==
        "def f [n] [m]: [n][m]i32 -> [n]i32\n");
  CHECK(types("def f (n: i64) = 0..<n") == "def f: (n: i64) -> [n]i64\n");
  CHECK(types("def f (n: i64) = 1..2...n") == "def f: (n: i64) -> [n]i64\n");
  CHECK(types("def f = 0...4i32") == "def f: [4-0+1]i32\n");
}

TEST_CASE("sizes that only a result knows") {
  CHECK(types("def f (xs: []i32) = filter (> 0) xs") ==
        "def f [d0]: [d0]i32 -> ?[count].[count]i32\n");
  CHECK(types("def f (b: bool) = if b then iota 3 else iota 4") == "def f: bool -> ?[k].[k]i64\n");
  CHECK(types("def f (n: i32) = replicate (i64.i32 n) true") ==
        "def f: (n: i32) -> [(i64.i32 n)]bool\n");
  CHECK(types("def f (xs: []i32) = filter (> 0) xs |> map (+ 1) |> reduce (+) 0") ==
        "def f [d0]: [d0]i32 -> i32\n");
}

TEST_CASE("callers find every size in the shape of the result") {
  CHECK(types("def f [n] (xs: [n]i32) = let h = n / 2 in (xs[:h], xs[h:])") ==
        "def f [n]: [n]i32 -> ([(n / 2)]i32, [n-(n / 2)]i32)\n");
  CHECK(types("def f [n] (xs: [n]i32) = let h = n / 2 in xs[h:]") ==
        "def f [n]: [n]i32 -> [n-(n / 2)]i32\n");
  CHECK(contains(types("def c = filter (> 0) [1, 2] def f = map (+ 1) c"),
                 "def f: [c$count]i32\n"));  // the same size in every use
}

TEST_CASE("carried arrays keep their size, or have one per step") {
  CHECK(types("def f [n] (xs: [n]i32) = loop ys = xs for i < 3 do map (+ i) ys") ==
        "def f [n]: [n]i32 -> [n]i32\n");
  CHECK(types("def f (n: i64) = loop ys = [1] while length ys < n do ys ++ ys") ==
        "def f: i64 -> ?[k].[k]i32\n");
  CHECK(
      types("def f [n] (xs: [n]i32) (ys: [n]i32) = loop (a, b) = (xs, ys) for _i < 3 do (b, a)") ==
      "def f [n]: [n]i32 -> [n]i32 -> ([n]i32, [n]i32)\n");
}

TEST_CASE("a body that gives back what it got keeps the size") {
  CHECK(types("def f (n: i64) = loop xs = replicate n 0 for i < n do xs with [i] = i") ==
        "def f: (n: i64) -> [n]i64\n");
  CHECK(types("def f [n] (xs: [n]i32) = loop ys = xs for _i < 2i32 do ys") ==
        "def f [n]: [n]i32 -> [n]i32\n");
}

TEST_CASE("the bound of a loop is not in scope of what the loop carries") {
  CHECK(types("def f (n: i32) = loop n = true for _i < n do !n") == "def f: i32 -> bool\n");
}

TEST_CASE("sizes that the body needs equal are equal at the start") {
  CHECK(
      contains(errors("def f = loop (a, b) = (iota 3, iota 4) for _i < 2i32 do (map2 (+) a b, b)"),
               "size `4` is not `3`"));
  CHECK(contains(errors("def f (n: i64) = loop (a, b) = (iota n, iota n) for _i < 2i32 do\n"
                        "  (map2 (+) a b ++ [1], b)"),
                 "H4001"));
  CHECK(types("def f (n: i64) = loop (a, b) = (iota n, iota n) for _i < 2i32 do\n"
              "  (map2 (+) a b ++ [1], b ++ [2])") == "def f: i64 -> ?[k].([k]i64, [k]i64)\n");
}

TEST_CASE("modules become flat definitions with qualified names") {
  CHECK(types("module m = { def k = 1i32 module q = { def f x = x + k } open q }\n"
              "def g = m.f 2") == "def m.k: i32\ndef m.q.f: i32 -> i32\ndef g: i32\n");
}

TEST_CASE("type abbreviations") {
  CHECK(types("type vec [n] 'a = [n](a, a)\ndef f (v: vec [3] i32) = v[0].1") ==
        "def f: [3](i32, i32) -> i32\n");
}

TEST_CASE("local functions with parameters of their own are polymorphic") {
  CHECK(types("def f (x: i64) = let sq 't [n] (g: t -> t) (ys: [n]t) = map g (map g ys)\n"
              "  in (sq (+ 1) (iota x), sq f32.sqrt [2])") ==
        "def f: (x: i64) -> ([x]i64, [1]f32)\n");
}

TEST_CASE("an argument that brings a size is bound before the function that needs it") {
  Checked checked = check("def main (xs: []i32) = map (+ 1) (filter (> 0) xs)");
  REQUIRE(checked.environment);
  const Program& program = types::program(*checked.environment);
  const Def& def = program.defs[*program.findEntry("main")];
  auto* let = std::get_if<syntax::Let>(&program.tree.exprs[def.body].node);
  REQUIRE(let);
  CHECK(program.binds.at(let->value).size() == 1);
  CHECK(program.binds.at(def.body) == program.binds.at(let->value));
}

TEST_CASE("a program without errors leaves no unknown behind") {
  Checked checked = check("def main (xs: []f32) = let s = f32.sum xs in map (/ s) xs");
  REQUIRE(checked.environment);
  const Program& program = types::program(*checked.environment);
  for (size_t i = 0; i < program.tree.exprs.size(); ++i) {
    const auto& use = program.use_of.at(ExprId(i));
    if (!use) continue;
    auto* target = std::get_if<DefTarget>(&use->target);
    if (!target) continue;
    const Def& def = program.defs[target->def];
    CHECK(use->type_arguments.size() == def.type_parameters.size());
    CHECK(use->size_arguments.size() == def.size_parameters.size());
  }
}

TEST_CASE("one mistake gives one message") {
  // The first argument is missing: none of the others fits, nor is the result of any use.
  const std::string blur = "stencil_1d #clamp [-1, 0] (\\() v -> v[0] + v[1]) xs";
  CHECK(countErrors("def main [n] (xs: [n]i32) = " + blur) == 1);
  CHECK(countErrors("def main [n] (xs: [n]i32) = map (+ 1) (" + blur + ")") == 1);
  // A size that only the broken definition knows.
  CHECK(countErrors("def f [n] (xs: [n]i32) = " + blur +
                    " entry main (n: i64) = loop t = iota n for i < 3 do f t") == 1);
  CHECK(countErrors("def f (x: i32) = x && true  def g (x: i32) = x || true") == 2);
  // Unknown types follow from the error.
  CHECK(countErrors("type t = #a | #b i32  def f (x: t) = match x case #a -> 0 case #b -> 1") == 1);
  CHECK(countErrors("def f (x: i32) (y: i32) = x + y  def g = f -1 2") == 2);
  const std::string any = "module type any = {type t val f: t -> t val x: t}  ";
  CHECK(countErrors(any + "module m : any = {def f (x: i32) = x  def x = 1i32}") == 1);
  CHECK(countErrors(any + "module m : any with t = i64 = {type t = i32  def f (x: t) = x  "
                          "def x = 1i32}") == 1);
  CHECK(countErrors("module type sized = {type t [n] val f [n]: t [n] -> i64}  "
                    "module type none = sized with t = i32") == 1);
  CHECK(countErrors("def f (g: i64 -> ?[n].[n]i32) = g 2  def h = f (\\n -> iota n)") == 1);
  // An unknown name at its first use, an unknown type by what uses it.
  CHECK(countErrors("def f = map (\\x -> y + x * y) [y]") == 1);
  CHECK(countErrors("def f (x: u i32) = x[0]  entry main y = f y") == 1);
  CHECK(countErrors("def f (x: i32 bool) = x[0]  def g = f 2") == 1);
}

TEST_CASE("uses of a rejected definition are silent, and so are uses of what they give") {
  const std::string bad = "def bad = [1i32, true]  ";
  CHECK(countErrors(bad + "def f = map (\\x -> x.foo) bad") == 1);
  CHECK(countErrors(bad + "def f = let (a, _) = bad in a.x") == 1);
  CHECK(countErrors(bad + "def f = match bad case #a -> 1 case #b x -> x") == 1);
  CHECK(countErrors(bad + "def x = bad[0]  def y = x.a + x") == 1);
  CHECK(countErrors(bad + "def f = zip bad (rep 1i32)  def g = length f") == 1);
  CHECK(countErrors(bad + "def f (x: i32) : i32 = bad x  def g = f true") == 2);
}

TEST_CASE("uses of a rejected function see its type where all of it is declared") {
  const std::string bad = "def f (x: i32) ((y, _): (i32, i32)) : i64 = x  ";
  CHECK(countErrors(bad + "def g : i64 = f 1 (2, 3)") == 1);
  CHECK(countErrors(bad + "def g : i32 = f 1 (2, 3)") == 2);
  CHECK(countErrors(bad + "def g = f true") == 2);
  CHECK(countErrors("def f (x: i32) y : i64 = x + y  def g = f true") == 1);
  CHECK(countErrors("def n : i64 = true  def f : [n]i32 = [1, 2]") == 1);
}

TEST_CASE("extending leaves the older environment as it was, redefinition shadows") {
  Checked first = check("def f (x: i32) = x");
  REQUIRE(first.environment);
  size_t defs = program(*first.environment).defs.size();
  Checked second = checkOn(first.environment, "b.fut", "def f (x: i32) = x > 0 def g = f 1", false);
  REQUIRE(second.environment);
  CHECK(program(*first.environment).defs.size() == defs);
  CHECK(contains(print(program(*second.environment)), "def g: bool"));
  CHECK(checkOn(first.environment, "c.fut", "def g = f true", false).environment == nullptr);
}

TEST_CASE("built-ins exist in the prelude only, and only known ones") {
  Checked checked = checkOn(prelude(), "p.fut", "val frobnicate : i32 -> i32", true);
  CHECK(contains(checked.errors, "no built-in is called `frobnicate`"));
  CHECK(contains(checked.errors, "H5001"));
}

TEST_CASE("long chains and large types do not exhaust the stack") {
  std::string lets = "def main (x: i32) =\n  let y0 = x\n";
  for (int i = 1; i < 20000; ++i) {
    lets += "let y" + std::to_string(i) + " = y" + std::to_string(i - 1) + " + 1\n";
  }
  CHECK(types(lets + "in y19999") == "entry main: i32 -> i32\n");
  std::string sum = "def main (x: i32) = x", pipe = sum;
  for (int i = 0; i < 10000; ++i) sum += " + x";
  for (int i = 0; i < 10000; ++i) pipe += " |> i32.abs";
  CHECK(types(sum) == "entry main: i32 -> i32\n");
  CHECK(types(pipe) == "entry main: i32 -> i32\n");
  CHECK(contains(errors("def p0 x = (x, x) def p1 x = p0 (p0 x) def p2 x = p1 (p1 x)\n"
                        "def p3 x = p2 (p2 x) def p4 x = p3 (p3 x) def p5 x = p4 (p4 x)"),
                 "the type of this expression is too large"));
}

// As deep as expressions may be.
TEST_CASE("what is consumed is known at any depth") {
  std::string text = "def main (xs: *[2]i32) = (";
  for (int i = 0; i < 1900; ++i) text += "id <| ";
  CHECK(contains(errors("def id 'a (x: a): a = x\n" + text + "(xs with [0] = 1), xs)"), "H3015"));
}

// Texts that once broke a law, found by tests/fuzz/fuzz_checker.cpp.
TEST_CASE("what fuzzing found") {
  int texts = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/regress/types")) {
    CAPTURE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    CHECK(test::brokenLaw(prelude(), text.str()) == "");
    ++texts;
  }
  CHECK(texts > 0);
}

// Sums with many constructors cost time in proportion to the text: each of these is used
// as many times as there are constructors.
TEST_CASE("sums with as many constructors as there may be") {
  constexpr int kConstructors = 255;
  std::string sum, taken, made;
  for (int i = 0; i < kConstructors; ++i) {
    const std::string name = "#c" + std::to_string(i);
    sum += (i > 0 ? " | " : "") + name + " i32";
    taken += "  case " + name + " x -> x\n";
    made += "  case " + std::to_string(i) + " -> " + name + " 1\n";
  }
  const std::string text = "type t = " + sum + "\ndef take (x: t): i32 = match x\n" + taken +
                           "def make (i: i32): t = match i\n" + made + "  case _ -> #c0 2\n";
  CHECK(check(text).errors == "");
  const std::string incomplete = text + "def f (x: t): i32 = match x case #c0 _ -> 1";
  CHECK(contains(errors(incomplete), "no case of this `match` takes `#c1 _`"));
  CHECK(contains(errors("type t = " + sum + " | #more"), "H2005"));
}

}  // namespace halo::types
