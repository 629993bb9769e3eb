// Tokens, spans and lexical errors.
#include "lang/syntax/lex/lexer.h"
#include "lang/syntax/lex/number_range.h"

#include <doctest/doctest.h>

#include "lang/syntax/test_support.h"

namespace halo::syntax {
namespace {

struct Lexed {
  source::Files files;
  diag::Sink sink;
  Tokens tokens;

  explicit Lexed(const std::string& text) { tokens = lex(files, files.add("t.fut", text), sink); }
  std::string texts() const {
    std::string out;
    for (const Token& token : tokens.tokens) {
      if (token.kind == TokenKind::kEnd) break;
      out += (out.empty() ? "" : " ") + std::string(files.text(token.span));
    }
    return out;
  }
};

std::string split(const std::string& text) { return Lexed(text).texts(); }
std::string complaints(const std::string& text) { return test::summary(Lexed(text).sink); }

Number numberOf(const std::string& text) {
  Lexed lexed(text);
  REQUIRE(lexed.tokens.tokens.size() == 2);
  CHECK(test::summary(lexed.sink) == "");
  return lexed.tokens.numbers[lexed.tokens.tokens[0].number];
}

TEST_CASE("longest tokens win") {
  CHECK(split("a..<b") == "a ..< b");
  CHECK(split("0..1...n") == "0 .. 1 ... n");
  CHECK(split("x.0.1") == "x . 0 . 1");
  CHECK(split("1.5") == "1.5");
  CHECK(split("x:>[n]t") == "x :> [ n ] t");
  CHECK(split("a|>b<|c") == "a |> b <| c");
  CHECK(split("a->b\\x") == "a -> b \\ x");
  CHECK(split("x+^.y") == "x +^. y");
  CHECK(split("x' y_1 _z _") == "x' y_1 _z _");
  CHECK(split("#[a]#b???") == "#[ a ] # b ???");
  CHECK(split("'a '~b '^c 'd' '\\n'") == "'a '~b '^c 'd' '\\n'");
}

TEST_CASE("comments are kept beside the tokens") {
  Lexed lexed("#!/usr/bin/env halo\na -- b\n--c\nd");
  CHECK(lexed.texts() == "a d");
  REQUIRE(lexed.tokens.comments.size() == 2);
  CHECK(lexed.files.text(lexed.tokens.comments[0].span) == "-- b");
  Lexed doc("-- | one\n--   two\n-- == not part of it\nx");
  REQUIRE(doc.tokens.tokens.size() == 3);
  CHECK(doc.tokens.tokens[0].kind == TokenKind::kDocComment);
  CHECK(doc.tokens.tokens[0].text == "one\n  two");
  CHECK(doc.tokens.comments.size() == 1);
}

TEST_CASE("space decides between indexing and application") {
  Lexed lexed("f [x] g[y]");
  CHECK(lexed.tokens.tokens[1].space_before);
  CHECK_FALSE(lexed.tokens.tokens[5].space_before);
}

TEST_CASE("integers") {
  CHECK(numberOf("1_000").integer == 1000);
  CHECK(numberOf("0xFf").integer == 255);
  CHECK(numberOf("0b1_01").integer == 5);
  CHECK(numberOf("0rXIV").integer == 14);
  CHECK(numberOf("18446744073709551615").integer == UINT64_MAX);
  CHECK(numberOf("0xffu8").suffix == prim::ScalarType::kU8);
  CHECK(numberOf("42f32").suffix == prim::ScalarType::kF32);
  CHECK_FALSE(numberOf("42f32").is_decimal);
  CHECK(numberOf("'x'").integer == 120);
  CHECK(numberOf("'\xce\xbb'").integer == 0x3bb);
  CHECK(numberOf("'\\n'").integer == 10);
  CHECK(numberOf("'\\x41'").integer == 0x41);
}

TEST_CASE("decimals keep their spelling") {
  CHECK(numberOf("1_0.2_5e-3f64").text == "10.25e-3");
  CHECK(numberOf("1e3").is_decimal);
  CHECK(numberOf("0x1.8p3").text == "0x1.8p3");
  CHECK(numberOf("0x1.8p-3f32").suffix == prim::ScalarType::kF32);
  CHECK(numberOf("99999999999999999999f64").text == "99999999999999999999");
}

TEST_CASE("strings") {
  Lexed lexed(R"("a\n\"\65\&5\x42\
")");
  CHECK(Lexed(R"("a\n\"\65\&5\x42\\")").tokens.tokens[0].text == "a\n\"A5B\\");
  CHECK(Lexed(R"("\955")").tokens.tokens[0].text == "\xce\xbb");
}

TEST_CASE("lexical errors have codes and ranges") {
  CHECK(complaints("a @@ b \x01") == "1001@2-4 1001@7-8");
  CHECK(complaints("a \xce\xbb b") == "1001@2-4");
  CHECK(complaints("''") == "1001@0-1 1001@1-2");
  CHECK(complaints("12ab + 0x + 1i9") == "1002@0-4 1002@7-9 1002@12-15");
  CHECK(complaints("1.5i32") == "1002@0-6");
  CHECK(complaints("0x1.8") == "1002@0-5");
  CHECK(complaints("0b12") == "1002@0-4");
  CHECK(complaints("18446744073709551616 0xFFFFFFFFFFFFFFFFF") == "");  // a float, or too large
  CHECK(exceeds64Bits(numberOf("18446744073709551616")));
  CHECK(exceeds64Bits(numberOf("0x1_0000_0000_0000_0000")));
  CHECK(!exceeds64Bits(numberOf("0xFFFFFFFFFFFFFFFF")));
  CHECK(complaints("256u8 255u8 129i8 18446744073709551616u64") == "");
  CHECK(complaints("\"abc\nd") == "1004@0-4");
  CHECK(complaints("'\\nx") == "1004@0-3");
  CHECK(complaints("\"a\\qb\"") == "1001@2-4");
  CHECK(complaints("a -- \xff\xfe\n\xc0") == "1005@5-7 1005@8-9");
}

TEST_CASE("a file has a largest size") {
  Lexed large(std::string((16u << 20) + 1, ' '));
  REQUIRE(large.sink.all().size() == 1);
  CHECK(large.sink.all()[0].code == diag::Code::file_too_large);
  CHECK(large.tokens.tokens.size() == 1);
  CHECK(complaints(std::string(16u << 20, ' ')) == "");
}

TEST_CASE("stage tokens") {
  Lexed lexed("def f =\n  'a' + \"s\" -- c");
  CHECK(print(lexed.tokens, lexed.files) ==
        "1:1 keyword def\n"
        "1:5 identifier f\n"
        "1:7 punctuation =\n"
        "2:3 char 'a'\n"
        "2:7 operator +\n"
        "2:9 string \"s\"\n"
        "2:17 end\n");
}

}  // namespace
}  // namespace halo::syntax
