// A small recursive-descent reader over the text of the comment blocks. Positions are kept, so that
// a malformed block is reported where it is wrong.
#include "cli/session/testing/test_block.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace halo::session {
namespace {

using diag::Code;

// The characters of one block with `--` removed, and where each came from.
struct BlockText {
  std::string text;
  std::vector<uint32_t> offsets;
  value::Tolerance tolerance;
};

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

value::Tolerance toleranceFrom(const std::string& text) {
  using Kind = value::Tolerance::Kind;
  if (text == "exact") return {Kind::kExact, 0};
  char* end = nullptr;
  double relative = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {Kind::kFuthark, 0};
  return {Kind::kRelative, relative};
}

// Cuts a file into its blocks: runs of `--` lines from a `-- ==` line on.
class Cutter {
 public:
  Cutter(const source::Files& files, source::FileId file) : files_(files), file_(file) {}

  std::vector<BlockText> run(std::optional<std::string>* run_line) {
    auto lines = static_cast<uint32_t>(files_[file_].line_starts.size());
    bool in_block = false;
    for (uint32_t number = 1; number <= lines; ++number) {
      std::string_view line = files_.line(file_, number);
      if (startsWith(line, "-- tolerance:")) {
        tolerance_ = toleranceFrom(trim(line.substr(13)));
        in_block = false;
      } else if (startsWith(line, "-- run:")) {
        if (!run_line->has_value()) *run_line = trim(line.substr(7));
        in_block = false;
      } else if (startsWith(line, "-- ==") && trim(line.substr(5)).empty()) {
        blocks_.push_back({{}, {}, tolerance_});
        in_block = true;
      } else if (!startsWith(line, "--")) {
        in_block = false;
      } else if (in_block) {
        append(number, line);
      }
    }
    return std::move(blocks_);
  }

 private:
  void append(uint32_t number, std::string_view line) {
    uint32_t start = files_[file_].line_starts[number - 1];
    BlockText& block = blocks_.back();
    for (size_t i = 2; i < line.size(); ++i) {
      block.text.push_back(line[i]);
      block.offsets.push_back(start + static_cast<uint32_t>(i));
    }
    block.text.push_back('\n');
    block.offsets.push_back(start + static_cast<uint32_t>(line.size()));
  }

  const source::Files& files_;
  source::FileId file_;
  value::Tolerance tolerance_{value::Tolerance::Kind::kFuthark, 0};
  std::vector<BlockText> blocks_;
};

class Reader {
 public:
  Reader(source::FileId file, const BlockText& block) : file_(file), block_(block) {}

  // The parts of a block go into `program`; false after an error.
  bool run(TestProgram& program) {
    TestBlock block;
    block.tolerance = block_.tolerance;
    while (!atEnd()) {
      std::string word = nextKeyword();
      if (word == "tags") {
        if (!readWords(program.tags)) return false;
      } else if (word == "error:" && block.cases.empty() && block.entries.empty()) {
        program.compile_error = restOfLine();
      } else if (word == "entry:") {
        if (!block.cases.empty()) return fail("entries behind cases: a line `-- ==` is missing");
        splitWords(restOfLine(), block.entries);
      } else if (word == "property:") {
        splitWords(restOfLine(), program.properties);
      } else if (word == "warning:") {
        program.warnings.push_back(restOfLine());
      } else if (word == "structure") {
        if (!readStructure(program)) return false;
      } else if (!readCase(word, block)) {
        return false;
      }
    }
    if (block.entries.empty()) block.entries = {"main"};
    if (!block.cases.empty()) program.blocks.push_back(std::move(block));
    return true;
  }

  diag::Diagnostic error() const {
    return {Code::malformed_test_block, diag::Severity::kError, message_, span_, {}, {}};
  }

 private:
  bool atEnd() {
    while (at_ < block_.text.size() && isspace(static_cast<unsigned char>(block_.text[at_]))) ++at_;
    return at_ >= block_.text.size();
  }
  // A word ends at white space or a brace; a brace is a word, and so is a quoted string.
  std::string next() {
    if (atEnd()) return "";
    size_t begin = at_;
    char c = block_.text[at_];
    if (c == '{' || c == '}') return at_++, std::string(1, c);
    if (c == '"') {
      size_t end = block_.text.find('"', at_ + 1);
      at_ = end == std::string::npos ? block_.text.size() : end + 1;
      return block_.text.substr(begin, at_ - begin);
    }
    while (at_ < block_.text.size() && !isspace(static_cast<unsigned char>(block_.text[at_])) &&
           block_.text[at_] != '{' && block_.text[at_] != '}') {
      ++at_;
    }
    return block_.text.substr(begin, at_ - begin);
  }
  // A word that ends behind its colon: `entry:f` and `entry: f` are the same in Futhark.
  std::string nextKeyword() {
    size_t begin = (atEnd(), at_);
    std::string word = next();
    size_t colon = word.find(':');
    if (colon == std::string::npos || word.front() == '"') return word;
    at_ = begin + colon + 1;
    return word.substr(0, colon + 1);
  }
  std::string restOfLine() {
    size_t end = block_.text.find('\n', at_);
    std::string rest = trim(block_.text.substr(at_, end - at_));
    at_ = end == std::string::npos ? block_.text.size() : end;
    return rest;
  }
  // Text between matching braces, which may nest (script expressions).
  bool readBraces(std::string* text) {
    if (next() != "{") return fail("`{` is missing here");
    size_t begin = at_;
    int depth = 1;
    while (at_ < block_.text.size() && depth > 0) {
      if (block_.text[at_] == '{') ++depth;
      if (block_.text[at_] == '}') depth--;
      ++at_;
    }
    if (depth > 0) return fail("the block ends before its closing `}`");
    *text = block_.text.substr(begin, at_ - 1 - begin);
    return true;
  }
  static void splitWords(const std::string& text, std::vector<std::string>& words) {
    size_t at = 0;
    while (at < text.size()) {
      size_t begin = text.find_first_not_of(" \t\n", at);
      if (begin == std::string::npos) return;
      size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      at = end;
    }
  }
  bool readWords(std::vector<std::string>& words) {
    std::string text;
    if (!readBraces(&text)) return false;
    splitWords(text, words);
    return true;
  }
  bool readStructure(TestProgram& program) {
    Structure structure;
    if (!atEnd() && block_.text[at_] != '{') structure.pipeline = next();
    if (!readBraces(&structure.counts)) return false;
    program.structures.push_back(std::move(structure));
    return true;
  }
  bool readSource(ValueSource* source) {
    if (atEnd()) return fail("values `{ .. }` or a file `@path` are missing here");
    if (block_.text[at_] == '@') {
      source->kind = SourceKind::kFile;
      ++at_;
      source->text = next();
      return !source->text.empty() || fail("the path of a file is missing here");
    }
    source->kind = SourceKind::kInline;
    return readBraces(&source->text);
  }
  // word is a name, a tag or `input`.
  bool readCase(std::string word, TestBlock& block) {
    TestCase test;
    test.name = "#" + std::to_string(block.cases.size() + 1);
    for (; word != "input"; word = next()) {
      if (word.empty()) return fail("`input` is missing here");
      if (word == "{" || word == "}" || word == "output") return fail("`input` must come first");
      if (word.front() == '"') {
        test.name = word.substr(1, word.size() - 2);
      } else {
        test.tags.push_back(word);
      }
    }
    if (!readSource(&test.input)) return false;
    if (test.hasTag("random")) test.input.kind = SourceKind::kRandom;
    if (test.hasTag("script")) {
      bool is_file = test.input.kind == SourceKind::kFile;
      test.input.kind = is_file ? SourceKind::kScriptFile : SourceKind::kScript;
    }
    if (!readExpectation(&test)) return false;
    block.cases.push_back(std::move(test));
    return true;
  }
  bool readExpectation(TestCase* test) {
    size_t before = (atEnd(), at_);
    std::string word = nextKeyword();
    if (word == "output") {
      test->expect = Expect::kOutput;
      return readSource(&test->output);
    }
    if (word == "error:") {
      test->expect = Expect::kError;
      test->error_regex = restOfLine();
      return true;
    }
    if (word == "auto" && next() == "output") {
      test->expect = Expect::kAutoOutput;
      return true;
    }
    at_ = before;
    return true;
  }
  bool fail(std::string message) {
    message_ = std::move(message);
    uint32_t begin =
        block_.offsets.empty() ? 0 : block_.offsets[std::min(at_, block_.offsets.size() - 1)];
    span_ = {file_, begin, begin + 1};
    return false;
  }

  source::FileId file_;
  const BlockText& block_;
  size_t at_ = 0;
  std::string message_;
  source::Span span_;
};

bool contains(const std::vector<std::string>& tags, const std::string& tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

}  // namespace

bool TestCase::hasTag(const std::string& tag) const { return contains(tags, tag); }
bool TestProgram::hasTag(const std::string& tag) const { return contains(tags, tag); }

diag::Result<TestProgram> parseTestProgram(const source::Files& files, source::FileId file) {
  TestProgram program;
  for (const BlockText& block : Cutter(files, file).run(&program.run_line)) {
    Reader reader(file, block);
    if (!reader.run(program)) return diag::Failure(reader.error());
  }
  return program;
}

}  // namespace halo::session
