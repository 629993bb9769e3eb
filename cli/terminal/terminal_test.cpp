// The parts of the editor that need no terminal.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "cli/terminal/brackets.h"
#include "cli/terminal/edit_buffer.h"
#include "cli/terminal/history.h"
#include "cli/terminal/keys.h"
#include "cli/terminal/layout.h"

namespace halo::terminal {

TEST_CASE("edit buffer: characters, words, lines") {
  EditBuffer buffer;
  buffer.insert("map größe");
  buffer.eraseWordBefore();
  CHECK(buffer.text() == "map ");
  buffer.yank();
  CHECK(buffer.text() == "map größe");
  buffer.left();
  buffer.left();
  buffer.eraseBefore();
  CHECK(buffer.text() == "map grße");
  buffer.set("one\ntwo three");
  CHECK(buffer.up());
  CHECK(buffer.cursor() == 3);
  CHECK_FALSE(buffer.up());
  CHECK(buffer.down());
  buffer.eraseToLineEnd();
  CHECK(buffer.text() == "one\ntwo");
}

TEST_CASE("edit buffer: typing is undone at once") {
  EditBuffer buffer;
  for (char c : {'a', 'b', 'c'}) buffer.insert(std::string(1, c));
  buffer.eraseBefore();
  buffer.undo();
  CHECK(buffer.text() == "abc");
  buffer.undo();
  CHECK(buffer.text().empty());
  buffer.undo();
  CHECK(buffer.text().empty());
}

TEST_CASE("layout: prompts, wide characters, rows that are too long") {
  const std::vector<Style> none;
  const std::string text = "ab\ncd";
  Layout layout = layOut({text, 4, "> ", none, 80});
  CHECK(layout.rows == std::vector<std::string>{"> ab", "| cd"});
  CHECK(layout.cursor.row == 1);
  CHECK(layout.cursor.column == 3);
  const std::string wide = "日本語";
  CHECK(widthOf(wide) == 6);
  layout = layOut({wide, wide.size(), "> ", none, 6});
  CHECK(layout.rows.size() == 2);
  CHECK(layout.cursor.row == 1);
}

TEST_CASE("brackets: the one at the cursor, else the one before it, and their partners") {
  using Pair = std::optional<std::pair<size_t, size_t>>;
  const std::vector<Style> none;
  const std::string text = "f (xs[1] + {a})";
  CHECK(matchingBrackets(text, 2, none) == Pair({2, 14}));
  CHECK(matchingBrackets(text, text.size(), none) == Pair({14, 2}));
  CHECK(matchingBrackets(text, 8, none) == Pair({7, 5}));
  CHECK(matchingBrackets(text, 0, none) == std::nullopt);
  CHECK(matchingBrackets("", 0, none) == std::nullopt);
  CHECK(matchingBrackets("(]", 0, none) == std::nullopt);
  CHECK(matchingBrackets("([)", 3, none) == std::nullopt);
  CHECK(matchingBrackets("))", 0, none) == std::nullopt);
  std::vector<Style> in_string(4, Style::kPlain);
  in_string[1] = in_string[2] = Style::kString;
  CHECK(matchingBrackets("())(", 0, in_string) == std::nullopt);
  CHECK(matchingBrackets("()))", 0, in_string) == Pair({0, 3}));
}

TEST_CASE("keys: sequences, pastes, broken bytes") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const std::string bytes = "a\x1b[A\x1b[1;5C\x1b[3~\x1b[200~x\ny\x1b[201~\xc3\xa4\xff\x01";
  REQUIRE(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  close(ends[1]);
  Keys keys(ends[0]);
  CHECK(keys.next().text == "a");
  CHECK(keys.next().kind == Key::kUp);
  CHECK(keys.next().kind == Key::kWordRight);
  CHECK(keys.next().kind == Key::kDelete);
  const Key paste = keys.next();
  CHECK(paste.kind == Key::kPaste);
  CHECK(paste.text == "x\ny");
  CHECK(keys.next().text == "\xc3\xa4");
  CHECK(keys.next().kind == Key::kUnknown);
  CHECK(keys.next().kind == Key::kControl);
  CHECK(keys.next().kind == Key::kHangUp);
  close(ends[0]);
}

TEST_CASE("history: entries with lines, what is in the file, search") {
  const auto file = std::filesystem::temp_directory_path() / "halo_history_test";
  std::filesystem::remove(file);
  {
    History history(file.string());
    history.add("a\\b\nc");
    history.add("second");
    history.add("second");
    history.add("\x1b[2J");
  }
  const History again(file.string());
  CHECK(again.entries() == std::vector<std::string>{"a\\b\nc", "second"});
  CHECK(again.find("b", 2) == 0);
  CHECK_FALSE(again.find("third", 2).has_value());
  std::filesystem::remove(file);
}

}  // namespace halo::terminal
