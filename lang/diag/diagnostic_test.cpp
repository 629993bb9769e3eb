// Codes, rendering, and did-you-mean.
#include "lang/diag/diagnostic.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace halo::diag {
namespace {

struct Place {
  source::Files files;
  source::FileId id;

  explicit Place(std::string text) { id = files.add("a.fut", std::move(text)); }
  Span at(uint32_t begin, uint32_t end) const { return {id, begin, end}; }
};

TEST_CASE("codes have numbers, names and labels") {
  CHECK(std::string(codeName(Code::index_out_of_range)) == "index_out_of_range");
  CHECK(codeLabel(Code::index_out_of_range) == "H7001");
  CHECK(codeFromNumber(7001) == Code::index_out_of_range);
  CHECK_FALSE(codeFromNumber(7999).has_value());
}

// The tests run in the repository root.
TEST_CASE("every code is listed once and explained in codes.md") {
  std::ifstream file("lang/diag/codes.md");
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  std::set<int> seen;
  auto check = [&](int number, const std::string& name) {
    CAPTURE(number);
    CHECK(seen.insert(number).second);
    std::string title = "\n## " + std::to_string(number) + " " + name + "\n\n";
    size_t at = text.find(title);
    REQUIRE(at != std::string::npos);
    size_t body = at + title.size();
    CHECK(text.find("\n", body) - body > 20);
    CHECK(text.find(title, body) == std::string::npos);
  };
#define CODE(number, name) check(number, #name);
#include "lang/diag/codes.def"
#undef CODE
}

TEST_CASE("a sink counts errors, not warnings") {
  Sink sink;
  sink.warning(Code::unknown_name, {}, "a");
  CHECK_FALSE(sink.hasErrors());
  sink.error(Code::unknown_name, {}, "b").notes.push_back("c");
  CHECK(sink.errorCount() == 1);
  CHECK(sink.all().size() == 2);
  CHECK(sink.all()[1].notes.size() == 1);
}

TEST_CASE("excerpt, labels and notes") {
  Place place("def xs = [1, 2, 3]\n\ndef y =\n  xs[5]\n");
  Diagnostic d{Code::index_out_of_range,
               Severity::kError,
               "index 5 is out of range",
               place.at(30, 35),
               {},
               {}};
  CHECK(render(d, place.files) ==
        "error: index 5 is out of range [H7001]\n"
        " --> a.fut:4:3\n"
        "  |\n"
        "4 |   xs[5]\n"
        "  |   ^^^^^\n");
  d.labels = {{place.at(9, 18), "of shape [3]"}, {place.at(33, 34), "here"}};
  d.notes = {"first\nsecond"};
  CHECK(render(d, place.files) ==
        "error: index 5 is out of range [H7001]\n"
        " --> a.fut:4:3\n"
        "  |\n"
        "1 | def xs = [1, 2, 3]\n"
        "  |          --------- of shape [3]\n"
        "2 |\n"
        "3 | def y =\n"
        "4 |   xs[5]\n"
        "  |   ^^^^^\n"
        "  |      - here\n"
        "  = note: first\n"
        "          second\n");
}

TEST_CASE("a label on the primary range is its text; far lines are left out") {
  Place place("a\nb\nc\nd\ne\n");
  Diagnostic d{Code::type_mismatch, Severity::kWarning, "m", place.at(8, 9), {}, {}};
  d.labels = {{place.at(0, 1), ""}, {place.at(8, 9), "this"}};
  CHECK(render(d, place.files) ==
        "warning: m [H3002]\n"
        " --> a.fut:5:1\n"
        "  |\n"
        "1 | a\n"
        "  | -\n"
        "...\n"
        "5 | e\n"
        "  | ^ this\n");
}

TEST_CASE("labels in another file get their own excerpt") {
  Place place("main\n");
  source::FileId other = place.files.add("b.fut", "x\nlibrary\n");
  Diagnostic d{Code::type_mismatch, Severity::kError, "m", place.at(0, 4), {}, {}};
  d.labels = {{{other, 2, 9}, "defined here"}};
  CHECK(render(d, place.files) ==
        "error: m [H3002]\n"
        " --> a.fut:1:1\n"
        "  |\n"
        "1 | main\n"
        "  | ^^^^\n"
        " ::: b.fut:2:1\n"
        "  |\n"
        "2 | library\n"
        "  | ------- defined here\n");
}

std::string markedLine(const std::string& text, uint32_t begin, uint32_t end) {
  Place place(text);
  Diagnostic d{Code::type_mismatch, Severity::kError, "m", place.at(begin, end), {}, {}};
  std::string all = render(d, place.files);
  size_t at = all.find("1 |");
  return at == std::string::npos ? all : all.substr(at);
}

TEST_CASE("columns are those of a terminal") {
  CHECK(markedLine("\tx = y", 1, 2) == "1 |     x = y\n  |     ^\n");
  CHECK(markedLine("\xce\xbb\xce\xbb z", 5, 6) == "1 | \xce\xbb\xce\xbb z\n  |    ^\n");
  CHECK(markedLine("\xe6\xbc\xa2 z", 4, 5) == "1 | \xe6\xbc\xa2 z\n  |    ^\n");       // wide
  CHECK(markedLine("e\xcc\x81 z", 4, 5) == "1 | e\xcc\x81 z\n  |   ^\n");              // combining
  CHECK(markedLine("\xff\x01z", 2, 3) == "1 | \xef\xbf\xbd\xef\xbf\xbdz\n  |   ^\n");  // no text
  CHECK(markedLine("ab\r\ncd", 0, 2) == "1 | ab\n  | ^^\n");
}

TEST_CASE("ranges at the edges") {
  CHECK(markedLine("abc\ndef", 1, 6) == "1 | abc\n  |  ^^\n");  // clipped to its first line
  CHECK(markedLine("abc", 3, 3) == "1 | abc\n  |    ^\n");      // the end of the text
  CHECK(markedLine("abc", 90, 95) == "1 | abc\n  |    ^\n");    // outside: still no crash
  CHECK(markedLine("", 0, 0) == "1 |\n  | ^\n");
  Sink sink;
  sink.error(Code::missing_file, {}, "there is no file `x`");
  CHECK(render(sink, source::Files()) == "error: there is no file `x` [H8001]\n");
}

TEST_CASE("a long line is clipped around the mark") {
  std::string line(100000, 'a');
  line[50000] = 'b';
  std::string shown = markedLine(line, 50000, 50001);
  CHECK(shown.size() < 500);
  size_t second = shown.find('\n') + 1;
  CHECK(shown[shown.find('b')] == 'b');
  CHECK(shown.find('^') - second == shown.find('b'));
}

TEST_CASE("sorted by position, without place last, and not too many") {
  Place place(std::string(100, 'x'));
  Sink sink;
  sink.error(Code::missing_file, {}, "nowhere");
  sink.error(Code::unknown_name, place.at(7, 8), "later");
  sink.error(Code::unknown_name, place.at(2, 3), "earlier");
  std::string all = render(sink, place.files);
  CHECK(all.find("earlier") < all.find("later"));
  CHECK(all.find("later") < all.find("nowhere"));
  CHECK_FALSE(sink.full());
  for (uint32_t i = 0; i < 30; ++i) sink.error(Code::unknown_name, place.at(i, i + 1), "more");
  CHECK(sink.full());
  all = render(sink, place.files);
  size_t count = 0;
  for (size_t at = 0; (at = all.find("error: ", at)) != std::string::npos; ++at) ++count;
  CHECK(count == kMaxErrors);
  CHECK(all.substr(all.size() - 20) == "... too many errors\n");
}

TEST_CASE("colours only on request") {
  Place place("abc");
  Diagnostic d{Code::type_mismatch, Severity::kError, "m", place.at(0, 1), {}, {}};
  CHECK(render(d, place.files).find('\x1b') == std::string::npos);
  CHECK(render(d, place.files, {.color = true}).find("\x1b[1;31merror\x1b[0m") == 0);
}

TEST_CASE("did you mean") {
  std::vector<std::string> names = {"length", "replicate", "reduce", "x", "iota"};
  CHECK(didYouMean("lenght", names) == "length");  // a swap is one edit
  CHECK(didYouMean("replicat", names) == "replicate");
  CHECK(didYouMean("reducee", names) == "reduce");
  CHECK(didYouMean("itoa", names) == "iota");
  CHECK_FALSE(didYouMean("y", names).has_value());
  CHECK_FALSE(didYouMean("lente", names).has_value());  // two edits are too many for five letters
  CHECK_FALSE(didYouMean("transpose", names).has_value());
  CHECK_FALSE(didYouMean(std::string(1000, 'a'), names).has_value());
}

}  // namespace
}  // namespace halo::diag
