// The layout by examples, and its laws on every program we have: formatting twice changes nothing,
// whatever the white space was before. That the program stays the same is checked by format().
#include "lang/format/format.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "lang/format/changes.h"
#include "lang/syntax/lex/lexer.h"

namespace halo::format {
namespace {

std::string formatted(const std::string& text) {
  source::Files files;
  diag::Sink sink;
  const auto result = format(files, files.add("test", text), sink);
  return result ? *result : "not parsed\n";
}

void checkLayout(const std::string& before, const std::string& after) {
  CAPTURE(before);
  CHECK(formatted(before) == after);
  CHECK(formatted(after) == after);
}

TEST_CASE("what stands on one line stays on one line") {
  checkLayout("def f(x:i32)  : i32=if x<0 then -x else  f[0]( x )",
              "def f (x: i32) : i32 = if x < 0 then -x else f[0] (x)\n");
  checkLayout("let x={a=1,b} def g=\\(a,_)->a.b.0",
              "def x = {a = 1, b}\n\ndef g = \\(a, _) -> a.b.0\n");
  checkLayout("type^ t 'a [n]= #a (i32,bool)|#b {x:[n][2]*i32}",
              "type^ t 'a [n] = #a (i32, bool) | #b {x: [n][2]*i32}\n");
  checkLayout("def x = a[1 : ,::2 , i : j] with [ 0 ]= 1",
              "def x = a[1:, ::2, i:j] with [0] = 1\n");
  checkLayout("def x = 1 ... 3 def y = 0..2 ..<5", "def x = 1...3\n\ndef y = 0..2..<5\n");
}

TEST_CASE("what was broken is broken by the rule of its kind") {
  checkLayout("def f = let a = 1 in\n let b[0] = 2 in a +\n b * c",
              "def f =\n  let a = 1\n  let b[0] = 2\n  in a\n     + b * c\n");
  checkLayout("def f = if a then b else if c\n then d else e",
              "def f =\n  if a\n  then b\n  else if c\n  then d\n  else e\n");
  checkLayout("def f = g (\\x ->\nx) y\n z", "def f =\n  g (\\x ->\n       x)\n    y\n    z\n");
  checkLayout("def f = g a \\x ->\nx", "def f =\n  g a \\x ->\n    x\n");
  checkLayout("def f = loop x = 0 for i < n do\n x",
              "def f =\n  loop x = 0\n  for i < n do\n    x\n");
  checkLayout("def f = match x case #a -> 1 case _ ->\n2",
              "def f =\n  match x\n  case #a -> 1\n  case _ ->\n    2\n");
  checkLayout("def f = [1,\n2,3,]", "def f =\n  [ 1\n  , 2\n  , 3\n  ]\n");
  checkLayout("type t = {a: i32,\nb: bool}", "type t =\n  { a: i32\n  , b: bool\n  }\n");
  checkLayout("type t = #a\n| #b", "type t =\n    #a\n  | #b\n");
}

TEST_CASE("modules") {
  checkLayout("module m (P:t)={ type a=i32\n def x=1\n\n\n\n local def y=\n2 }",
              "module m (P: t) = {\n  type a = i32\n  def x = 1\n\n  local\n  def y =\n    2\n}\n");
  checkLayout("module type t={\n type a val f:a->i32}",
              "module type t = {\n  type a\n\n  val f : a -> i32\n}\n");
  checkLayout("module m:t with a=i32\nwith b=bool=n",
              "module m\n  : t\n    with a = i32\n    with b = bool =\n  n\n");
}

TEST_CASE("comments stay where they are") {
  checkLayout("-- a\n\n\n-- b\ndef x=1   -- c\n-- d\ndef y=2\n-- e",
              "-- a\n\n-- b\ndef x = 1 -- c\n\n-- d\ndef y = 2\n\n-- e\n");
  checkLayout("def f = [1, -- one\n 2]", "def f =\n  [ 1 -- one\n  , 2\n  ]\n");
  checkLayout("def f = let x = 1\n -- why\n\n in x", "def f =\n  let x = 1\n  -- why\n\n  in x\n");
  checkLayout("#!/bin/halo\n-- | d\n-- e\n#[inline] def f = 1",
              "#!/bin/halo\n-- | d\n-- e\n#[inline]\ndef f = 1\n");
  checkLayout("def f n = 2\n -- a\n * -- b\n n", "def f n =\n  2\n  -- a\n  -- b\n  * n\n");
  checkLayout("", "");
  checkLayout("-- only this", "-- only this\n");
}

TEST_CASE("what does not parse is left alone") {
  source::Files files;
  diag::Sink sink;
  CHECK(!format(files, files.add("test", "def f ="), sink));
  CHECK(sink.errorCount() == 1);
}

TEST_CASE("changes as a unified diff") {
  CHECK(changes("a", "x\n", "x\n") == "");
  CHECK(changes("a", "", "x\n") == "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n");
  CHECK(changes("a", "x", "x\n") ==
        "--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  // Two distant changes, two close together; context of three lines.
  CHECK(changes("a", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\nX\n4\n5\nY\n7\n8\n9\n") ==
        "--- a\n+++ a\n@@ -2,9 +2,10 @@\n 1\n 2\n 3\n+X\n 4\n 5\n-6\n+Y\n 7\n 8\n 9\n");
  CHECK(changes("a", "0\n1\n2\n3\n4\n5\n6\n7\n8\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n") ==
        "--- a\n+++ a\n@@ -1,4 +1,4 @@\n-0\n+A\n 1\n 2\n 3\n"
        "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-8\n+B\n");
  // Of lines that changed places the longer sequence stays.
  CHECK(changes("a", "p\nq\nr\n", "q\nr\np\n") ==
        "--- a\n+++ a\n@@ -1,3 +1,3 @@\n-p\n q\n r\n+p\n");
}

// ---- laws

std::vector<std::string> programs() {
  std::vector<std::string> texts;
  for (const char* folder : {"examples", "stdlib", "tests/syntax", "tests/exec", "tests/check"}) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".fut") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
      std::stringstream text;
      text << std::ifstream(path, std::ios::binary).rdbuf();
      texts.push_back(text.str());
    }
  }
  return texts;
}

// The same words with other white space, and sometimes a numbered comment, where there is space.
std::string mangled(const std::string& text, std::mt19937& random) {
  source::Files files;
  diag::Sink sink;
  const source::FileId file = files.add("test", text);
  const syntax::Tokens tokens = syntax::lex(files, file, sink);
  if (sink.hasErrors()) return text;
  static const char* const kSpaces[] = {" ",    "  ",   " ",        " ",        "\n",
                                        "\n  ", "\n\n", " -- note", "\n-- note"};
  std::string out;
  size_t notes = 0;
  for (const syntax::Token& token : tokens.tokens) {
    if (token.kind == syntax::TokenKind::kDocComment) continue;
    if (token.space_before && !out.empty()) {
      const std::string_view space = kSpaces[random() % std::size(kSpaces)];
      out += space;
      if (space.ends_with("note")) out += fmt::format(" {}\n", ++notes);
    }
    out += files.text(token.span);
  }
  return out;
}

TEST_CASE("formatting twice changes nothing") {
  std::mt19937 random(1);
  for (const std::string& text : programs()) {
    for (int i = 0; i < 3; ++i) {
      const std::string before = i == 0 ? text : mangled(text, random);
      const std::string once = formatted(before);
      if (once == "not parsed\n") continue;
      if (formatted(once) == once) continue;
      CAPTURE(once);
      CHECK(formatted(once) == once);
    }
  }
}

}  // namespace
}  // namespace halo::format
