// Diagnostics for other programs: editors, the library, build systems.
#pragma once

#include <string>

#include "lang/diag/diagnostic.h"

namespace halo::diag {

// Where a span is: lines and columns from 1, columns in code points, the end behind its last one.
struct Range {
  uint32_t line, column, end_line, end_column;
};
std::optional<Range> rangeOf(Span span, const source::Files& files);  // nothing without a file

// One object on one line, without a line end:
//   {"code": "H3001", "severity": "error", "message": .., "file": .., "line": 1, "column": 19,
//    "end_line": 1, "end_column": 27, "labels": [{"file": .., "line": .., .., "text": ..}],
//    "notes": [..], "suggestion": {"from": "summ", "to": "sum"}}
// Without a place the keys from `file` to `end_column` are missing, without a did-you-mean
// `suggestion` is.
std::string toJson(const Diagnostic& diagnostic, const source::Files& files);
// One line for each, sorted as render() sorts them.
std::string toJsonLines(const Sink& sink, const source::Files& files);

// A JSON string with its quotes. Bytes that are no UTF-8 become the replacement character.
std::string jsonString(std::string_view text);

}  // namespace halo::diag
