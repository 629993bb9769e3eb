// A copy has the same outline and shares no node with the original.
#include "lang/syntax/copy.h"

#include <doctest/doctest.h>

#include "lang/syntax/test_support.h"
#include "stdlib/embedded.h"

namespace halo::syntax {
namespace {

using test::Parsed;

// The copies of all declarations read like the originals, in a tree of their own, and after the
// originals have been emptied.
void checkCopies(const std::string& text) {
  Parsed parsed(text);
  CAPTURE(text);
  REQUIRE(parsed.errors() == "");
  std::string expected = outline(parsed.tree, parsed.file);
  Tree other;
  File there = parsed.file;
  for (DeclId& id : there.declarations) id = copyDecl(parsed.tree, id, other);
  CHECK(outline(other, there) == expected);

  size_t originals = parsed.tree.exprs.size();
  size_t patterns = parsed.tree.patterns.size();
  File here = parsed.file;
  for (DeclId& id : here.declarations) id = copyDecl(parsed.tree, id, parsed.tree);
  for (size_t i = 0; i < originals; ++i) parsed.tree.exprs[ExprId(i)].node = Hole{};
  for (size_t i = 0; i < patterns; ++i) {
    parsed.tree.patterns[PatternId(i)].node = PatternWildcard{};
  }
  CHECK(outline(parsed.tree, here) == expected);
}

TEST_CASE("every kind of node is copied") {
  checkCopies(
      "def f 'a [n] (x: [n]a) {b = #c y} (-1) : ?[m].[m]a = let [k] z = x[0:k:2, n] with [1] = 2 "
      "let g (h: t) = {i = (j, [k, 1.5]), l} in loop m = 0 for i < n do if o then p else #q r s");
  checkCopies(
      "def f = loop x for (y: t) in z do loop w while #[a] !v do match u case #a t 1 -> ??? "
      "case _ -> m.(s with a[i].b = (.a[j]) (.[k]) (+ l) (m +) (.a) 0..n...o) : t :> u");
  checkCopies("def f = \\(#[a] x: {a: t, b: (u, v)}) : *w -> assert x \"a\" - x.a.0");
  checkCopies("type~ t [n] 'a = #a ([n]a) | #b (i32 -> t [n] a)");
  checkCopies(
      "module type mt = { val f : i32 type t 'a module m : n include (P: a) -> b with t = i32 }");
  checkCopies("module m (P: mt) : nt = \\(Q: a) : b -> (f g {open h import \"i\"} : j)");
}

TEST_CASE("the prelude is copied") {
  for (const auto& file : stdlib::files()) checkCopies(std::string(file.text));
}

TEST_CASE("long chains are copied without recursion") {
  std::string text = "def f = ";
  for (int i = 0; i < 100000; ++i) text += "let x = 1 ";
  text += "in x";
  for (int i = 0; i < 100000; ++i) text += " + x y";
  checkCopies(text);
}

}  // namespace
}  // namespace halo::syntax
