// Golden tests: tests/imp/NAME.core (total operations only) as Imp is NAME.exp. The result is
// verified and reads back as itself. HALO_UPDATE=1 writes the results instead.
#include <doctest/doctest.h>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/imp/from_core.h"
#include "lang/imp/text.h"
#include "tests/golden.h"

namespace halo::imp {
namespace {

namespace fs = std::filesystem;
using test::commentHead;
using test::readFile;
using test::verdict;

core::Program parseCore(const std::string& text) {
  source::Files files;
  auto parsed = core::parse(files, files.add("test.core", text));
  if (!parsed) FAIL(diag::render(parsed.error(), files));
  REQUIRE(verdict(core::verify(*parsed)) == "valid");
  return *parsed;
}

void checkGolden(const fs::path& path) {
  CAPTURE(path.string());
  std::string text = readFile(path);
  core::Program core = parseCore(text);
  CHECK(verdict(verify(fromCore(core, {.plain = true}))) == "valid");
  Program program = fromCore(core, {});
  CHECK(verdict(verify(program)) == "valid");
  std::string printed = commentHead(text) + print(program);
  test::checkGolden(fs::path(path).replace_extension(".exp"), printed);
  source::Files files;
  auto again = parse(files, files.add("again.imp", printed));
  if (!again) FAIL_CHECK(diag::render(again.error(), files));
  REQUIRE(again);
  CHECK(commentHead(text) + print(*again) == printed);
  CHECK(verdict(verify(*again)) == "valid");
}

std::string problemOf(const std::string& text) {
  source::Files files;
  auto parsed = parse(files, files.add("test.imp", text));
  if (!parsed) return parsed.error().message;
  auto valid = verify(*parsed);
  return valid ? "" : valid.error().message;
}

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("goldens of Core to Imp") {
  for (const fs::path& path : test::sorted("tests/imp")) {
    if (path.extension() == ".core") checkGolden(path);
    if (path.extension() == ".exp") CHECK(fs::exists(fs::path(path).replace_extension(".core")));
  }
}

TEST_CASE("memory of loops: no copies, no allocation inside") {
  Program program = fromCore(parseCore(readFile("tests/imp/loop_memory.core")), {});
  std::string text = print(program);
  CHECK(count(text, "copy ") == 0);
  std::string loop = text.substr(text.find("for i_"));
  CHECK(count(loop, "alloc ") == 0);
  CHECK(count(loop, "swap ") == 2);
  CHECK(count(text, "alloc ") == 4);  // a ring of three, and the iota in memory
}

TEST_CASE("rows of a map nest are neither copied nor allocated") {
  std::string text = print(fromCore(parseCore(readFile("tests/imp/map_nest.core")), {}));
  std::string loop = text.substr(text.find("for i_"));
  CHECK(count(loop, "copy ") == 0);
  CHECK(count(loop, "alloc ") == 0);
}

// tests/imp/broken: text that parses but breaks a rule of ir.h; the first line says the message.
TEST_CASE("broken programs") {
  for (const fs::path& path : test::sorted("tests/imp/broken")) {
    CAPTURE(path.string());
    std::string text = readFile(path);
    constexpr std::string_view kPrefix = "// expect: ";
    REQUIRE(text.starts_with(kPrefix));
    CHECK(problemOf(text) == text.substr(kPrefix.size(), text.find('\n') - kPrefix.size()));
  }
}

TEST_CASE("what the rules allow") {
  CHECK(problemOf("entry \"f\"(x_0: i64) -> (x_0) { }") == "");
  CHECK(problemOf("entry \"f\"() -> () { buffer b$0: device u32 exit_flag b$0 "
                  "read x_0: u32 = b$0[0i64] }") == "");
  CHECK(problemOf("entry \"f\"() -> () { for i_0: i64 in 0i64 .. 4i64 parallel 1 { ordered begin "
                  "ordered end } }") == "");
  CHECK(problemOf("entry \"f\"(x_0: i32) -> () { for i_1: i64 in 0i64 .. 16i64 vector 16 lanes "
                  "{ y_2: "
                  "i32 = shuffle_up x_0 1u32 } }") == "");
  CHECK(problemOf("entry \"f\"(x_0: i64) -> () { buffer b$0: private i32[80i64] var n_1: i64 := "
                  "0i64 append (b$0) n_1 true (1i32) }") == "");
  CHECK(problemOf("entry \"f\"() -> () { x_0: i64 = threads 0 }") == "");
}

TEST_CASE("malformed text") {
  CHECK(problemOf("entry f() -> () { }") == "expected a name in quotes, found `f`");
  CHECK(problemOf("entry \"f\"() -> () { frob }").starts_with("expected a variable"));
  CHECK(problemOf("entry \"f\"() -> () {").starts_with("expected"));
}

}  // namespace halo::imp
