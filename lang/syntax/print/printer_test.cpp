// Text of trees, and the law parse(print(t)) == t.
#include "lang/syntax/print/printer.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lang/syntax/project_out.h"
#include "lang/syntax/test_support.h"
#include "stdlib/embedded.h"

namespace halo::syntax {
namespace {

using test::Parsed;

void checkRoundTrip(const std::string& text) {
  Parsed once(text);
  CAPTURE(text);
  REQUIRE(once.errors() == "");
  std::string printed = print(once.tree, once.file);
  Parsed again(printed);
  CAPTURE(printed);
  CHECK(again.errors() == "");
  CHECK(outline(again.tree, again.file) == outline(once.tree, once.file));
  CHECK(print(again.tree, again.file) == printed);
}

TEST_CASE("layout") {
  Parsed parsed(
      "-- | doc\n--\n-- more\n#[inline] local def f[n] 'a (x:[n]i32) y:*[n]i32=let a=1 let b[0]=2 "
      "in a +^ -b module m={type t=(i32->a)->t [n] (u v) def x=loop(i)=0 while i<3 do i+1}");
  CHECK(parsed.errors() == "");
  CHECK(print(parsed.tree, parsed.file) ==
        R"(-- | doc
--
-- more
#[inline]
local def f [n] 'a (x: [n]i32) y: *[n]i32 =
  let a = 1
  let b = b with [0] = 2
  in a +^ -b
module m = {
  type t = (i32 -> a) -> t [n] (u v)
  def x =
    loop i = 0 while i < 3 do
      i + 1
}
)");
}

TEST_CASE("everything can be read back") {
  checkRoundTrip("def f = \\x (y, _) {a, b = (c: t)} (z: a -> b): (a -> b) -> x");
  checkRoundTrip("def f = - - !(-x) - -1");
  checkRoundTrip("def f = (x +) (+ x) (`f` x) (x `m.f`) (i32.+) (.a.0) (.[i, 1:2:3, ::-1])");
  checkRoundTrip("def f = a[0][1:, :2, i].0.1 [2] (3)");
  checkRoundTrip("def f = x.0.a.1 with 0.1 = 2 with [0, 1:2] = 3");
  checkRoundTrip("def f = 0..1..<n : [n]i64 :> [m](a -> b)");
  checkRoundTrip("def f = #[a(b, 3)] let x: t = if a then b else c in assert x (y)");
  checkRoundTrip("def f = let g 'a [n] (x: [n]a): a = x let (+^) a b = b in 1 +^ 2 `g` 3");
  checkRoundTrip("def f = let x = let y = 1 in y let [n] (z: [n]i32) = x in z");
  checkRoundTrip("def f = loop [n] (a: [n]i32, b) for (x, y) in c do loop b while a do b");
  checkRoundTrip(
      "def f = \"a\\\"\\\\\\n\\0\\&1\\955\" 'a' '\\'' 0xff 0b1 0rIV 1.5e-3f32 1_0u8 0x1.8p3");
  checkRoundTrip("def f = (1, {}, {a = 1, b}, [], [[()]], 99999999999999999999f64)");
  checkRoundTrip(
      "type t = (n: i64) -> (a -> b) -> *[n](c -> d) -> v [n] [] (u a) {x: a, 0: ()} w.x");
  checkRoundTrip("type t 'a '~b '^c [n] = *[](*a, [n]a)");
  checkRoundTrip("-- | a\n--\n--== b\nentry main (x: i32) = x");
  checkRoundTrip("def (a: t) +^ {b}: t = a  val (-) 'a : a  open m.n  local import \"a\\\"b\"");
  checkRoundTrip("module m = { module k = { } open k  local open import \"x\" }");
}

TEST_CASE("sums, matches, paths and modules can be read back") {
  checkRoundTrip("type t 'a = #a i32 ([2]a) (#b | #c a) | #in  type~ u = ?[n][m].[n][m](#a | #b)");
  checkRoundTrip("type^ f = (#a | #b) -> *(#c) -> (?[n].[n]i32) -> ?[k].[k]i32");
  checkRoundTrip("def f (#a) (x: t) (-1) (#a 1) (#[b] y) (#[c] (z: i32)) 'x' true = ???");
  checkRoundTrip(
      "def f x = match x case #a (b, c) {d = #e f} (g: t) -1 -> match c case _ -> 1 : i32 "
      "case (#[h] y: t) -> #i (#j 1) -2 case 'c' -> 1 case -2.5f32 -> 2 case true -> 3");
  checkRoundTrip("def f = x with a[i].b = 1 with [0].c.1 = 2 with 0[i] = 3 with [1][2:] = #a b");
  checkRoundTrip("def f = let a[i].b = 1 let a.b[i].0 = 2 let a[0][1] = 3 in (.a[i].b) (.[i].c)");
  checkRoundTrip("def f = m.n.(x + y) m.(f g).0 (m.(z)) <| #a 1 <| \\x -> x : t");
  checkRoundTrip(
      "def f = let a[0] = b : t let a.b = c :> t let a[0].c = 0..<n let a[0] = b `f` c "
      "let a[0] = b with [0] = c let a[0] = b with c = d let a[0] = b + c in a");
  checkRoundTrip("def f = m.(+) m.(a, b) m.((a)) m.(x `f`) m.(.a) m.()");
  checkRoundTrip("module m (P: mt) (Q: {type t}) : mt with t [n] 'a = (i32 -> i32) = f P (g Q)");
  checkRoundTrip("module m = \\(P: mt) : (mt with t = i32) -> \\(Q: n) -> (\\(R: n) -> P) : u : v");
  checkRoundTrip("module m = (f : a -> b) (import \"x\") {def a = 1} (g h) : mt");
  checkRoundTrip("module type mt = (P: mt) -> (a -> b) -> (c -> d) with t = #a | #b with u = i32");
  checkRoundTrip(
      "module type mt = { -- | doc\n #[a] val (+) 'a [n] : a -> [n]a val - : t type~ t [n] 'a "
      "type^ u type v = i32 module n : { } include mt with t = i32 }");
  checkRoundTrip("open f m  open { def a = 1 } open import \"x\" local open (m : mt) import \"y\"");
  checkRoundTrip("def a `op` b = a  #[b] local #[a] type t = i32");
}

TEST_CASE("the prelude and the test programs can be read back") {
  for (const auto& file : stdlib::files()) checkRoundTrip(std::string(file.text));
  int programs = 0;
  for (const char* folder : {"tests", "examples", "bench"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      // Programs that must be rejected may fail to parse.
      bool rejected = entry.path().filename().string().rfind("fail_", 0) == 0;
      if (entry.path().extension() != ".fut" || rejected) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream text;
      text << in.rdbuf();
      checkRoundTrip(text.str());
      ++programs;
    }
  }
  CHECK(programs > 100);
}

TEST_CASE("long chains print without recursion") {
  std::string text = "def f = ";
  for (int i = 0; i < 100000; ++i) text += "let x = 1 ";
  text += "in x";
  for (int i = 0; i < 100000; ++i) text += " + x y";
  checkRoundTrip(text);
}

TEST_CASE("a qualified name becomes a projection") {
  source::Files files;
  Tree tree;
  diag::Sink sink;
  ExprId id = parseExpression(files, files.add("t.fut", " m.r.a.b"), tree, sink);
  ExprId variable = projectOut(tree, id, 2);
  CHECK(outline(tree, id) == "(Project (Project (Variable m.r) a) b)");
  CHECK(files.text(tree.exprs[variable].span) == "m.r");
  CHECK(files.text(std::get<Project>(tree.exprs[id].node).field.span) == "b");
}

}  // namespace
}  // namespace halo::syntax
