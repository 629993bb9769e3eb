// Modules: meanings of their names, and their match with a module type. Programs that are rejected
// are under tests/check (fail_module_*), those that run under tests/exec (modules_*).
#include <doctest/doctest.h>

#include "lang/syntax/parse/parser.h"
#include "lang/types/check.h"
#include "stdlib/embedded.h"

namespace halo::types {

namespace {

struct Checked {
  EnvironmentRef environment;
  std::string errors;
};

Checked extendBy(const EnvironmentRef& base, const std::string& text, const CheckOptions& options) {
  source::Files files;
  diag::Sink sink;
  auto id = files.add("test.fut", text);
  syntax::Tree tree = treeOf(*base);
  syntax::File file = syntax::parseFile(files, id, {options.is_prelude}, tree, sink);
  Checked checked;
  if (!sink.hasErrors()) {
    checked.environment = extend(base, std::move(tree), file, options, sink);
  }
  checked.errors = diag::render(sink, files);
  return checked;
}

const EnvironmentRef& prelude() {
  static const EnvironmentRef loaded = [] {
    EnvironmentRef environment = emptyEnvironment();
    for (const stdlib::EmbeddedFile& file : stdlib::files()) {
      Checked checked = extendBy(environment, std::string(file.text), {true, false});
      REQUIRE_MESSAGE(checked.environment, checked.errors);
      environment = checked.environment;
    }
    return environment;
  }();
  return loaded;
}

std::string types(const std::string& text) {
  Checked checked = extendBy(prelude(), text, {});
  return checked.environment ? print(program(*checked.environment)) : checked.errors;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The errors of a program, or nothing; all of them must have the code.
std::string rejected(const std::string& code, const std::string& text) {
  std::string errors = extendBy(prelude(), text, {}).errors;
  CHECK_MESSAGE(contains(errors, "[" + code + "]"), errors << text);
  return errors;
}

}  // namespace

TEST_CASE("an ascription hides names and makes types abstract") {
  const std::string module =
      "module m: { type t  val zero: t  val up: t -> t  val get: t -> i32 } = {\n"
      "  type t = i32  def step = 2i32  def zero: t = 0\n"
      "  def up (x: t) = x + step  def get (x: t) = x\n"
      "}\n";
  CHECK(types(module + "def main = m.get (m.up m.zero)") ==
        "def m.step: i32\ndef m.zero: i32\ndef m.up: i32 -> i32\ndef m.get: i32 -> i32\n"
        "entry main: i32\n");
  CHECK(contains(rejected("H3001", module + "def main = m.step"), "unknown name `m.step`"));
  CHECK(contains(rejected("H3014", module + "def main: i32 = m.zero"), "`m.t`"));
  CHECK(contains(rejected("H3014", module + "def main = m.zero + m.zero"), "m.t"));
}

TEST_CASE("what a module type says of values") {
  auto fits = [](const std::string& spec, const std::string& def) {
    return "module m: { " + spec + " } = { " + def + " }";
  };
  CHECK(contains(rejected("H3018", fits("val f: i32", "def g = 1i32")), "value `f` is missing"));
  CHECK(contains(rejected("H3018", fits("val f: i32 val g: i32 val h: i32", "def g = 1i32")),
                 "values `f`, `h` are missing"));
  CHECK(contains(rejected("H3018", "module m : integral = {type t = i32}"), "` and 12 more are"));
  CHECK(contains(rejected("H3018", fits("val f: i32", "def f = true")),
                 "value `f` has type `bool`, but `i32` is needed"));
  CHECK(types(fits("val f: i32 -> i32", "def f 'a (x: a) = x")) == "def m.f 'a: a -> a\n");
  rejected("H3018", fits("val f 'a: a -> a", "def f (x: i32) = x"));
  rejected("H3018", fits("val f [n]: [n]i32 -> [n]i32", "def f (x: [2]i32) = x"));
  rejected("H3018", fits("val f [n]: [n]i32 -> [n]i32", "def f (x: []i32) = filter (> 0) x"));
  CHECK(contains(types(fits("val f [n]: [n]i32 -> []i32", "def f (x: []i32) = x")), "def m.f"));
  CHECK(contains(types(fits("val f: i64 -> []i64", "def f (n: i64) = iota n")), "def m.f"));
  rejected("H3018", fits("val f: (n: i64) -> [n]i64", "def f (n: i64) = iota (n + 1)"));
  rejected("H3018", fits("val f [n]: [n]i32 -> i32", "def f [n] (x: *[n]i32) = x[0]"));
  rejected("H3018", fits("module f: {}", "def f = 1"));
  rejected("H3018", fits("val f: i32", "module f = {}"));
}

TEST_CASE("what a module type says of types") {
  auto fits = [](const std::string& spec, const std::string& def) {
    return "module m: { " + spec + " } = { " + def + " }";
  };
  CHECK(contains(rejected("H3018", fits("type t", "")), "type `t` is missing"));
  rejected("H3018", fits("type t", "type t [n] = [n]i32"));
  rejected("H3018", fits("type t 'a", "type t [n] = [n]i32"));
  rejected("H3018", fits("type t", "type~ t = []i32"));
  rejected("H3018", fits("type~ t", "type^ t = i32 -> i32"));
  rejected("H3018", fits("type t = i32", "type t = i64"));
  rejected("H3018", fits("type t 'a 'b = (a, b)", "type t 'a 'b = (b, a)"));
  CHECK(types(fits("type t 'a 'b = (a, b)", "type t 'x 'y = (x, y)")) == "");
  CHECK(types(fits("type^ t", "type t = i32")) == "");
  rejected("H3018", "module type mt = { type t } module m: mt with u = i32 = { type t = i32 }");
  rejected("H3018", "module type mt = { type t = i32 } module m: mt with t = i32 = {}");
  rejected("H3018", "module type mt = { type t } module m: mt with t = i64 = { type t = i32 }");
}

// The engines' world sees `replicate n 0i32` of size n where the module type says `[]`.
TEST_CASE("sizes that results forget are those of module types") {
  CheckOptions options;
  options.warns = true;
  const std::string text =
      "module m : { val f : i64 -> []i32 } = { def f (n: i64) = replicate n 0i32 }\n"
      "def ap (g: i64 -> []i32) = length (g 3)\n";
  CHECK(extendBy(prelude(), text + "def main = ap m.f\n", options).errors == "");
  const std::string rejected =
      extendBy(prelude(), text + "def main = ap (\\n -> replicate n 0)\n", options).errors;
  CHECK_MESSAGE(contains(rejected, "the result's size depends on the argument"), rejected);
}

TEST_CASE("parametric modules") {
  const std::string sums =
      "module type monoid = { type t  val zero: t  val add: t -> t -> t }\n"
      "module sums (M: monoid) = { def sum (xs: []M.t) = reduce M.add M.zero xs }\n";
  CHECK(contains(types(sums + "module s = sums {type t = i32 def zero = 0i32 def add = (i32.+)}\n"
                              "entry main (xs: []i32) = s.sum xs"),
                 "entry main [d0]: [d0]i32 -> i32"));
  CHECK(contains(rejected("H3018", sums + "module s = sums { type t = i32  def zero = 0i32 }"),
                 "value `add` is missing"));
  rejected("H3018", sums + "module s = sums sums");
  rejected("H3018", sums + "module s = sums\nopen s");
  rejected("H3018", "module m = {}\nmodule s = m m");
  rejected("H3014", "module f (M: {type t val x: t}) = { def y: i32 = M.x }");
  rejected("H3019", "module f (M: mt) = {}");
  rejected("H3019", "module m = n");
}

TEST_CASE("a parametric module whose parameter is parametric") {
  const std::string text =
      "module type num = { type t  val one: t }\n"
      "module type maker = (N: num) -> { val two: (N.t, N.t) }\n"
      "module apply (F: maker) (N: num) = { module inner = F N  def four = (inner.two, inner.two) "
      "}\n"
      "module pair (N: num) = { def two = (N.one, N.one)  def unused = 1i32 }\n"
      "module r = apply pair { type t = i64  def one = 1i64 }\n"
      "def main: i64 = r.four.0.1\n";
  CHECK_MESSAGE(contains(types(text), "entry main: i64"), types(text));
  CHECK(contains(types(text), "def r.four: ((i64, i64), (i64, i64))"));
  rejected("H3018", text + "module bad (N: num) = { def two = N.one }\nmodule b = apply bad");
  rejected("H3001", text + "def x = r.inner.unused");
}

TEST_CASE("open, local, shadowing") {
  CHECK(types("module m = { local def a = 1i32  def b = a } def main = m.b") ==
        "def m.a: i32\ndef m.b: i32\nentry main: i32\n");
  rejected("H3001", "module m = { local def a = 1i32 } def main = m.a");
  CHECK(
      contains(types("module m = { module n = { def a = 1i32 } open n } def main = m.a"), "main"));
  rejected("H3001", "module m = { module n = { def a = 1i32 } local open n } def main = m.a");
  CHECK(contains(types("open { def a = 1i32 } def main = a"), "entry main: i32"));
  rejected("H3001", "def m = 1i32  module n = { module m = {} }  open n  def main = m");
}

TEST_CASE("imported names are seen by the importing file only") {
  Checked a = extendBy(prelude(), "def x = 1i32  local def y = 2i32",
                       {.mark_entries = false, .import_as = "a"});
  REQUIRE_MESSAGE(a.environment, a.errors);
  CheckOptions options;
  options.imports["a"] = "a";
  CHECK(extendBy(a.environment, "import \"a\" def main = x", options).errors == "");
  CHECK(extendBy(a.environment, "module m = import \"a\" def main = m.x", options).errors == "");
  CHECK(contains(extendBy(a.environment, "def main = x", options).errors, "H3001"));
  CHECK(contains(extendBy(a.environment, "import \"a\" def main = y", options).errors, "H3001"));
  options.import_as = "b";
  Checked b = extendBy(a.environment, "import \"a\" def z = x", options);
  options.imports["b"] = "b";
  options.import_as = "";
  CHECK(contains(extendBy(b.environment, "import \"b\" def main = x", options).errors, "H3001"));
  CHECK(extendBy(b.environment, "import \"b\" def main = z", options).errors == "");
}

// A large scope goes on in layers after each capture; names mean the same.
TEST_CASE("many names and many captures in one scope") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "def a" + std::to_string(i) + " = 1i32\n";
  for (int i = 0; i < 100; ++i) {
    std::string n = std::to_string(i);
    text += "module f" + n + " (X: {}) = { def y = v }\nopen { def v = " + n + "i32 }\n";
    text += "module type t" + n + " = { val y: i32 }\n";
  }
  const std::string before = "open { def v = true  def w = 1i32 }\n" + text;
  CHECK(contains(types(before + "module m = f0 {}  def main = m.y"), "entry main: bool"));
  CHECK(contains(types(before + "module m = f99 {}  def main = m.y"), "entry main: i32"));
  CHECK(contains(types("module n = { " + before + "} def main = (n.w, n.v, n.a7)"),
                 "entry main: (i32, i32, i32)"));
  rejected("H3001", "module n = { local def w' = 1i32 " + before + "} def main = n.w'");
  rejected("H3001", before + "open { module w = {} } def main = w");
  rejected("H3001", "module n = { " + before + "open { module w = {} } } def main = n.w");
}

}  // namespace halo::types
