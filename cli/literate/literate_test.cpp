// The parts of a program.
#include <doctest/doctest.h>

#include "cli/literate/document.h"

namespace halo::literate {

TEST_CASE("text, code and directives") {
  const auto blocks = parseDocument(
      "#!/usr/bin/env halo\n-- # Title\n--\n-- text\n\n-- | doc\ndef f = 1\n\ndef g = 2\n"
      "-- ==\n-- input { 1 }\n\n-- run: 3\n-- > f + g\n-- after\n");
  REQUIRE(blocks.size() == 4);
  CHECK(blocks[0].text == "# Title\n\ntext");
  CHECK(blocks[1].kind == Block::kCode);
  CHECK(blocks[1].text == "-- | doc\ndef f = 1\n\ndef g = 2");
  CHECK(blocks[2].kind == Block::kDirective);
  CHECK(blocks[2].expression == "f + g");
  CHECK(blocks[3].text == "after");
}

TEST_CASE("directives with options and more lines") {
  const auto blocks =
      parseDocument("-- > :img f\n--   1 2; file: a.png\n--   size: (3, 4)\n-- > :plot2d g\n");
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].command == "img");
  CHECK(blocks[0].expression == "f\n1 2");
  CHECK(blocks[0].options.at("file") == "a.png");
  CHECK(blocks[0].options.at("size") == "(3, 4)");
  CHECK(blocks[1].command == "plot2d");
}

TEST_CASE("brief and covert directives") {
  const auto blocks =
      parseDocument("-- > :brief :img f; file: a.png\n-- > :covert g\n-- > :brief h 1\n");
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].command == "img");
  CHECK(blocks[0].text == ":img f");
  CHECK(blocks[0].options.at("file") == "a.png");
  CHECK(blocks[1].is_covert);
  CHECK(blocks[1].command.empty());
  CHECK(blocks[1].expression == "g");
  CHECK(blocks[2].text == "h 1");
}

}  // namespace halo::literate
