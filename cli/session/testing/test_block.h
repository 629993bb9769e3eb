// Test blocks: `-- ==` comments of Futhark programs (language.md#test-blocks), plus Halo's lines
// `-- tolerance: exact|1e-6` before a block and `-- run: ARGS` anywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/diag/diagnostic.h"
#include "lang/value/value.h"

namespace halo::session {

enum class SourceKind { kNone, kInline, kFile, kRandom, kScript, kScriptFile };
struct ValueSource {
  SourceKind kind = SourceKind::kNone;
  std::string text;  // the text between the braces, or a path relative to the program
};

enum class Expect { kSuccess, kOutput, kAutoOutput, kError };
struct TestCase {
  std::string name;  // the string before `input`, or `#1`
  std::vector<std::string> tags;
  ValueSource input;
  Expect expect = Expect::kSuccess;
  ValueSource output;
  std::string error_regex;
  bool hasTag(const std::string& tag) const;
};
struct TestBlock {
  std::vector<std::string> entries;  // `main` if none is named
  std::vector<TestCase> cases;
  value::Tolerance tolerance;
};
// `structure gpu { Screma 1 }`: facts about Futhark's compiler, read and not checked.
struct Structure {
  std::string pipeline;
  std::string counts;
};
struct TestProgram {
  std::vector<std::string> tags;
  std::optional<std::string> compile_error;  // regex: the program must be rejected
  std::vector<TestBlock> blocks;
  std::vector<std::string> properties;  // entries that must be true for all arguments
  std::vector<Structure> structures;
  std::vector<std::string> warnings;    // regular expressions, not checked
  std::optional<std::string> run_line;  // the text after `-- run:`
  bool hasTag(const std::string& tag) const;
};

// Failure: malformed_test_block at its place.
diag::Result<TestProgram> parseTestProgram(const source::Files& files, source::FileId file);

}  // namespace halo::session
