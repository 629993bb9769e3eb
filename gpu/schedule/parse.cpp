// The text of stage `kernels`: lines of limits and schedules are read here and blanked out, the
// rest is Core. Places of errors are those of the whole text.
#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "gpu/schedule/fields.h"
#include "gpu/schedule/text.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

using Kind = Condition::Kind;

constexpr int kMaxDepth = 64;  // of parentheses: the parser calls itself

bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Reads one part of the text; after an error it reads nothing more.
class PartParser {
 public:
  PartParser(const std::string& text, size_t begin, size_t end)
      : text_(text), at_(begin), end_(end) {}

  const std::optional<std::pair<size_t, std::string>>& error() const { return error_; }

  // name{field=value, ..}
  template <typename Fields>
  void fields(Fields& into) {
    expect("{");
    bool is_first = true;
    visitFields(into, [&](const char* name, auto& value) {
      field(name, value, is_first);
      is_first = false;
    });
    expect("}");
  }

  Schedule schedule() {
    const size_t begin = (skip(), at_);
    const std::string name = word();
    std::optional<Schedule> found;
    named(name, found, static_cast<Schedule*>(nullptr));
    if (!found) fail(begin, "found `" + name + "`, expected the name of a schedule");
    return found.value_or(Schedule{});
  }

  std::string word() {
    skip();
    const size_t begin = at_;
    while (at_ < end_ && (isWordPart(text_[at_]) || text_[at_] == '.' || text_[at_] == '\'')) at_++;
    return text_.substr(begin, at_ - begin);
  }
  // A function's name, as Core spells it.
  std::string functionName() {
    skip();
    if (at_ >= end_ || text_[at_] != '"') return word();
    const size_t close = std::min(text_.find('"', at_ + 1), end_);
    std::string name = text_.substr(at_ + 1, close - at_ - 1);
    at_ = std::min(close + 1, end_);
    return name;
  }
  bool accept(const std::string& token) {
    skip();
    if (error_ || text_.compare(at_, token.size(), token) != 0 || at_ + token.size() > end_) {
      return false;
    }
    const size_t next = at_ + token.size();
    if (isWordPart(token.back()) && next < end_ && isWordPart(text_[next])) return false;
    at_ = next;
    return true;
  }
  void expect(const std::string& token) {
    if (!accept(token)) fail((skip(), at_), "expected `" + token + "`");
  }
  bool isDone() {
    skip();
    return error_ || at_ >= end_;
  }
  void fail(size_t at, const std::string& message) {
    if (!error_) error_ = {at, message};
  }

  // or < and < not < comparison < product
  Condition condition() {
    const size_t begin = (skip(), at_);
    Condition read = disjunction();
    if (!error_ && (!isWellFormed(read) || isNumber(read))) {
      fail(begin, "expected a condition: numbers are compared, facts are combined");
    }
    return read;
  }

 private:
  template <typename Value>
  void field(const char* name, Value& value, bool is_first) {
    if (!is_first) expect(",");
    expect(name);
    expect("=");
    read(value);
  }
  void field(const char* name, MatrixDepth& depth, bool) { optional(name, depth.elements); }
  void field(const char* name, OwnWords& own, bool) { optional(name, own.words); }
  void field(const char* name, LevelTiles& tile, bool) { optional(name, tile); }
  void field(const char* name, SplitProductSchedule::Blocks& blocks, bool) {
    optional(name, blocks);
  }
  void field(const char* name, ReduceSchedule::RunLanes& lanes, bool) { optional(name, lanes); }
  void field(const char* name, Finish& finish, bool) { optional(name, finish); }
  void field(const char* name, SortSchedule& sort, bool) { optional(name, sort); }
  template <typename Value>
  void optional(const char* name, Value& value) {
    if (!accept(std::string(", ") + name)) return;
    expect("=");
    read(value);
  }
  void skip() {
    while (at_ < end_ && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) at_++;
  }

  template <typename... All>
  void named(const std::string& name, std::optional<Schedule>& found, std::variant<All...>*) {
    (one<All>(name, found), ...);
  }
  template <typename One>
  void one(const std::string& name, std::optional<Schedule>& found) {
    if (found || name != One::kName) return;
    One schedule;
    fields(schedule);
    found = schedule;
  }

  void read(bool& value) {
    value = accept("true");
    if (!value) expect("false");
  }
  void read(int64_t& value) { value = integer(); }
  // 16x32
  std::vector<int64_t> extents() {
    std::vector<int64_t> read = {integer()};
    while (!error_ && at_ < end_ && text_[at_] == 'x') {
      ++at_;
      read.push_back(integer());
    }
    return read;
  }
  void read(TileBlocks& blocks) {
    expect("[");
    do {
      blocks.push_back(extents());
    } while (accept(","));
    expect("]");
  }
  void read(LevelTiles& tile) {
    const size_t begin = (skip(), at_);
    TileBlocks levels;
    read(levels);
    for (const std::vector<int64_t>& each : levels) {
      if (each.size() != 2) return fail(begin, "expected levels and their cells");
      tile.levels.push_back({each[0], each[1]});
    }
  }
  void read(TilePart& part) {
    const size_t begin = (skip(), at_);
    const std::vector<int64_t> read = extents();
    if (read.size() != 4) return fail(begin, "expected rows, lines, lanes and height");
    part = {read[0], read[1], read[2], read[3]};
  }
  void read(SortSchedule& sort) {
    expect(SortSchedule::kName);
    fields(sort);
  }
  void read(int& value) { value = static_cast<int>(integer()); }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void read(Enum& value) {
    const size_t begin = (skip(), at_);
    const std::string name = word();
    const auto names = namesOf(value);
    for (size_t i = 0; i < names.size(); ++i) {
      if (name == names[i]) value = static_cast<Enum>(i);
    }
    if (name != namesOf(value)[static_cast<size_t>(value)]) {
      fail(begin, "found `" + name + "`, expected one of the field's values");
    }
  }
  int64_t integer() {
    const size_t begin = (skip(), at_);
    int64_t value = 0;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + end_, value);
    if (error != std::errc()) fail(begin, "expected a number");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  Condition disjunction() {
    Condition left = conjunction();
    while (accept("or")) left = std::move(left) || conjunction();
    return left;
  }
  Condition conjunction() {
    Condition left = negation();
    while (accept("and")) left = std::move(left) && negation();
    return left;
  }
  Condition negation() {
    if (!accept("not")) return comparison();
    return !comparison();
  }
  Condition comparison() {
    Condition left = product();
    if (accept("<=")) return std::move(left) <= product();
    if (accept("<")) return std::move(left) < product();
    if (accept(">=")) return std::move(left) >= product();
    return left;
  }
  Condition product() {
    Condition left = primary();
    while (accept("*")) left = std::move(left) * primary();
    return left;
  }
  Condition primary() {
    if (accept("(")) {
      if (++depth_ > kMaxDepth) fail(at_, "found more parentheses than a condition may have");
      Condition inner = error_ ? Condition() : disjunction();
      depth_--;
      expect(")");
      return inner;
    }
    if (accept("min")) return call(Kind::kMinimum);
    if (accept("max")) return call(Kind::kMaximum);
    if (accept("tiles")) return call(Kind::kTiles);
    if (at_ < end_ && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return integer();
    const size_t begin = at_;
    const std::string name = word();
    for (const QuantityRow& row : quantityRows()) {
      if (name == row.name) return row.quantity;
    }
    fail(begin, "found `" + name + "`, expected a number or a quantity of the launch");
    return {};
  }

  Condition call(Kind kind) {
    expect("(");
    Condition left = product();
    expect(",");
    Condition right = product();
    expect(")");
    return {kind, {std::move(left), std::move(right)}};
  }

  const std::string& text_;
  size_t at_, end_;
  int depth_ = 0;
  std::optional<std::pair<size_t, std::string>> error_;
};

class ScheduledParser {
 public:
  ScheduledParser(const source::Files& files, source::FileId file)
      : files_(files), file_(file), core_(files[file].text) {}

  diag::Result<ScheduledProgram> run() {
    const std::string& text = files_[file_].text;
    for (size_t line = 0; line < text.size() && !error_;) {
      const size_t line_end = std::min(text.find('\n', line), text.size());
      if (text.compare(line, 7, "limits ") == 0) {
        line = part(line + 7, line_end, line, &ScheduledParser::limits);
      } else if (text.compare(line, 9, "schedule ") == 0) {
        const size_t end = std::min(text.find(" }\n", line), text.size());
        line = part(line + 9, std::min(end + 2, text.size()), line, &ScheduledParser::schedules);
      } else {
        line = line_end + 1;
      }
    }
    if (error_) return diag::Failure(*error_);
    return withCore();
  }

 private:
  using Read = void (ScheduledParser::*)(PartParser&);

  // Reads the part and blanks it; where the text goes on.
  size_t part(size_t begin, size_t end, size_t line, Read read) {
    PartParser parser(files_[file_].text, begin, end);
    (this->*read)(parser);
    if (!parser.isDone()) parser.fail(begin, "found more than one schedule or limit needs");
    if (parser.error()) {
      const auto at = static_cast<uint32_t>(std::min(parser.error()->first, end));
      error_ =
          diag::fail(diag::Code::malformed_core, {file_, at, at}, parser.error()->second).value();
    }
    std::replace_if(
        core_.begin() + static_cast<std::ptrdiff_t>(line),
        core_.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
    return end + 1;
  }

  void limits(PartParser& parser) {
    result_.limits.name = parser.word();
    parser.fields(result_.limits);
  }

  void schedules(PartParser& parser) {
    ScheduleVersions& versions = result_.schedules[parser.functionName()];
    parser.expect("{");
    while (!parser.isDone() && !parser.accept("}")) {
      ScheduleVersion version;
      if (!parser.accept("otherwise")) {
        parser.expect("when");
        version.guard = parser.condition();
      }
      parser.expect(":");
      version.schedule = parser.schedule();
      versions.push_back(std::move(version));
    }
  }

  // Core has files of its own, whose first one this is: spans then name the file of the caller.
  diag::Result<ScheduledProgram> withCore() {
    source::Files own;
    const source::FileId blanked = own.add(files_[file_].name, core_);
    auto parsed = core::parse(own, blanked);
    if (!parsed) {
      diag::Diagnostic error = parsed.error();
      error.span.file = file_;
      for (diag::Label& label : error.labels) label.span.file = file_;
      return diag::Failure(std::move(error));
    }
    result_.kernels = std::move(*parsed);
    return std::move(result_);
  }

  const source::Files& files_;
  source::FileId file_;
  std::string core_;  // the text without schedules and limits
  ScheduledProgram result_;
  std::optional<diag::Diagnostic> error_;
};

}  // namespace

diag::Result<ScheduledProgram> parseScheduled(const source::Files& files, source::FileId file) {
  return ScheduledParser(files, file).run();
}

}  // namespace halo::gpu
