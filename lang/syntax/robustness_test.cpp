// Any bytes: the front end ends with a tree or with diagnostics, and accepted text prints and reads
// back.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "lang/syntax/laws.h"
#include "stdlib/embedded.h"

namespace halo::syntax {
namespace {

using test::Parsed;

void survive(const std::string& text) {
  INFO(text);
  CHECK(test::brokenLaw(text) == "");
}

// Texts that once broke a law, found by tests/fuzz/fuzz_parser.cpp.
TEST_CASE("what fuzzing found") {
  int texts = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/regress/syntax")) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    survive(text.str());
    ++texts;
  }
  CHECK(texts > 0);
}

TEST_CASE("random bytes") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string text(random() % 60, '\0');
    bool ascii = i % 2 == 0;
    for (char& c : text) c = static_cast<char>(ascii ? 32 + random() % 95 : random() % 256);
    survive(text);
    survive("def f = " + text);
  }
}

TEST_CASE("random tokens") {
  static const char* const kTokens[] = {
      "def",     "entry", "let",    "in",     "if",         "then",
      "else",    "loop",  "for",    "while",  "do",         "with",
      "match",   "case",  "type",   "module", "open",       "local",
      "import",  "val",   "assert", "true",   "x",          "y",
      "f",       "m.x",   "m.+",    "i32",    "_",          "1",
      "2.5",     "3u8",   "0x1f",   "'c'",    "'a",         "\"s\"",
      "(",       ")",     "[",      "]",      "{",          "}",
      ",",       ":",     ":>",     "->",     "=",          "\\",
      ".",       "..",    "...",    "..<",    "`",          "#",
      "#[",      "???",   "+",      "-",      "*",          "!",
      "<|",      "|>",    "&&",     "<",      "\n",         "-- | d\n",
      "|",       "#a",    "#b",     "?",      "~",          "^",
      "include", "m.(",   "(.",     "open {", "module m =", "module type t ="};
  std::mt19937 random(2);
  for (int i = 0; i < 6000; ++i) {
    std::string text = i % 2 == 0 ? "def f = " : "";
    size_t length = 1 + random() % 25;
    for (size_t k = 0; k < length; ++k) {
      text += kTokens[random() % std::size(kTokens)];
      if (random() % 4 != 0) text += ' ';
    }
    survive(text);
  }
}

// Real programs with a piece removed, doubled or moved.
TEST_CASE("mutated programs") {
  std::mt19937 random(4);
  for (const auto& file : stdlib::files()) {
    for (int i = 0; i < 60; ++i) {
      size_t begin = random() % file.text.size();
      std::string text(file.text.substr(begin, 600));
      for (int k = 0; k < 3 && !text.empty(); ++k) {
        size_t from = random() % text.size();
        std::string piece = text.substr(from, random() % 12);
        size_t to = random() % text.size();
        if (random() % 2 == 0) text.erase(from, piece.size());
        if (random() % 2 == 0) text.insert(std::min(to, text.size()), piece);
      }
      survive(text);
    }
  }
}

// Well-formed more often than not, so that the printer sees unusual trees.
TEST_CASE("random expressions read back") {
  std::mt19937 random(3);
  auto pick = [&](auto& list) { return std::string(list[random() % std::size(list)]); };
  static const char* const kAtoms[] = {"x",  "1",     "2.5f32", "(+)", "m.x",
                                       "[]", "\"a\"", "'c'",    "true"};
  static const char* const kOperators[] = {"+",  "-",   "*",   "**", "<|",
                                           "|>", "`f`", "m.+", "==", "&&"};
  auto expression = [&](auto& self, int depth) -> std::string {
    auto inner = [&] { return self(self, depth - 1); };
    if (depth == 0) return pick(kAtoms);
    switch (random() % 20) {
      case 0:
        return "(" + inner() + ")";
      case 1:
        return "-" + pick(kAtoms);
      case 2:
        return "\\a (b, _) -> " + inner();
      case 3:
        return "let a = " + inner() + " in " + inner();
      case 4:
        return "if " + inner() + " then " + inner() + " else " + inner();
      case 5:
        return "loop a = " + inner() + " for i < " + inner() + " do " + inner();
      case 6:
        return "(" + inner() + ")[" + pick(kAtoms) + ", " + pick(kAtoms) + ":]";
      case 7:
        return "(" + inner() + ", " + inner() + ")";
      case 8:
        return "[" + inner() + ", " + inner() + "]";
      case 9:
        return "f (" + inner() + ") " + pick(kAtoms);
      case 10:
        return "(" + inner() + " " + pick(kOperators) + ")";
      case 11:
        return pick(kAtoms) + ".0";
      case 12:
        return inner() + " with [" + pick(kAtoms) + "] = " + inner();
      case 13:
        return pick(kAtoms) + "..<" + inner();
      case 14:
        return "{a = " + inner() + "}";
      default:
        return inner() + " " + pick(kOperators) + " " + inner();
    }
  };
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = "def f = " + expression(expression, 4);
    accepted += Parsed(text).sink.hasErrors() ? 0 : 1;
    survive(text);
  }
  CHECK(accepted > 1000);
}

}  // namespace
}  // namespace halo::syntax
