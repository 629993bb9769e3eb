// Diagnostics as JSON: places in code points, strings that any reader takes, suggestions.
#include "lang/diag/json.h"

#include <doctest/doctest.h>

namespace halo::diag {
namespace {

TEST_CASE("a diagnostic is one object on one line") {
  source::Files files;
  const source::FileId id = files.add("a.fut", "-- \xc3\xa9\xc3\xa9\ndef x = i32.summ 1\n");
  Diagnostic found{Code::unknown_name,
                   Severity::kError,
                   "unknown name `i32.summ`, did you mean `i32.sum`?",
                   {id, 16, 24},
                   {},
                   {}};
  found.labels.push_back({{id, 3, 7}, "a \"label\""});
  found.notes.emplace_back("two\nlines");
  CHECK(toJson(found, files) ==
        R"({"code": "H3001", "severity": "error", )"
        R"("message": "unknown name `i32.summ`, did you mean `i32.sum`?", )"
        R"("file": "a.fut", "line": 2, "column": 9, "end_line": 2, "end_column": 17, )"
        R"("labels": [{"file": "a.fut", "line": 1, "column": 4, "end_line": 1, "end_column": 6, )"
        R"("text": "a \"label\""}], "notes": ["two\nlines"], )"
        R"("suggestion": {"from": "i32.summ", "to": "i32.sum"}})");
}

TEST_CASE("a known conversion is a suggestion") {
  source::Files files;
  const auto id = files.add("a.fut", "iota n + iota (f m) + iota (n) + (a) + (b)");
  const auto suggested = [&](uint32_t begin, uint32_t end) {
    Diagnostic found{Code::type_mismatch, Severity::kError, "argument 1", {id, begin, end}, {}, {}};
    found.notes.emplace_back("help: `i64.i32 x` converts an `i32` to `i64`");
    const std::string json = toJson(found, files);
    return json.substr(json.find("\"to\": "));
  };
  CHECK(suggested(5, 6) == R"~("to": "(i64.i32 n)"}})~");
  CHECK(suggested(14, 19) == R"~("to": "(i64.i32 (f m))"}})~");
  CHECK(suggested(27, 30) == R"~("to": "(i64.i32 n)"}})~");
  CHECK(suggested(33, 42) == R"~("to": "(i64.i32 ((a) + (b)))"}})~");
  CHECK(suggested(15, 18) == R"~("to": "(i64.i32 (f m))"}})~");
}

TEST_CASE("a diagnostic without a place has no keys of one") {
  CHECK(
      toJson(fail(Code::missing_file, {}, "no file").value(), {}) ==
      R"({"code": "H8001", "severity": "error", "message": "no file", "labels": [], "notes": []})");
}

TEST_CASE("strings are UTF-8 without control characters") {
  CHECK(jsonString("a\\\x01\xff\xe2\x82\xac") == "\"a\\\\\\u0001\xef\xbf\xbd\xe2\x82\xac\"");
}

TEST_CASE("lines are in the order of places") {
  source::Files files;
  const source::FileId id = files.add("a.fut", "x y\n");
  Sink sink;
  sink.error(Code::unknown_name, {id, 2, 3}, "second");
  sink.warning(Code::unknown_name, {id, 0, 1}, "first");
  const std::string lines = toJsonLines(sink, files);
  CHECK(lines.find("first") < lines.find("second"));
  CHECK(lines.find("\"warning\"") < lines.find("\"error\""));
}

}  // namespace
}  // namespace halo::diag
