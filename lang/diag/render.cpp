// Diagnostics as text:
//
//   error: index 5 is out of range for an array of shape [3] [H7001]
//    --> a.fut:2:8
//     |
//   1 | def xs = [1, 2, 3]
//     |     -- defined here
//   2 | def y = xs[5]
//     |         ^^^^^
//     = note: ...
//
// Each mark has a row of its own, so that texts never collide.
#include <fmt/format.h>

#include <algorithm>

#include "lang/diag/diagnostic.h"
#include "lang/diag/excerpt.h"
#include "lang/diag/order.h"

namespace halo::diag {
namespace {

constexpr uint32_t kMaxGap = 2;  // lines between two marked lines that are shown rather than `...`

enum class Style { kPlain, kError, kWarning, kBold, kFrame };

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string operator()(Style style, std::string_view text) const {
    if (!color_ || style == Style::kPlain || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code(style), text);
  }

 private:
  static const char* code(Style style) {
    switch (style) {
      case Style::kPlain:
        return "0";
      case Style::kError:
        return "1;31";
      case Style::kWarning:
        return "1;33";
      case Style::kBold:
        return "1";
      case Style::kFrame:
        return "1;34";
    }
    HALO_UNREACHABLE("style out of range");
  }
  bool color_;
};

// One range to underline, on the line where it begins.
struct Mark {
  uint32_t line;
  size_t begin, end;  // bytes within the line; end may lie behind it
  bool primary;
  std::string text;
};

Mark makeMark(const source::Files& files, const Label& label, bool primary) {
  Span span = label.span;
  auto size = static_cast<uint32_t>(files[span.file].text.size());
  span.begin = std::min(span.begin, size);
  span.end = std::clamp(span.end, span.begin, size);
  source::LineColumn at = files.locate(span.file, span.begin);
  size_t length = files.line(span.file, at.line).size();
  size_t begin = std::min<size_t>(at.column - 1, length);
  // A range over several lines is marked to the end of its first.
  size_t end = std::min<size_t>(begin + (span.end - span.begin), length);
  return {at.line, begin, end, primary, label.text};
}

class Renderer {
 public:
  Renderer(const source::Files& files, const RenderOptions& options)
      : files_(files), paint_(options.color) {}

  std::string run(const Diagnostic& diagnostic) {
    mark_style_ = diagnostic.severity == Severity::kError ? Style::kError : Style::kWarning;
    header(diagnostic);
    std::vector<Label> labels = diagnostic.labels;
    if (files_.contains(diagnostic.span.file)) {
      std::vector<Mark> marks = primaryMarks(diagnostic, labels);
      margin_ = marginFor(diagnostic, labels);
      location("-->", diagnostic.span);
      excerpts(diagnostic.span.file, std::move(marks));
    }
    foreignLabels(labels);
    for (const std::string& note : diagnostic.notes) noteLines(note);
    return std::move(out_);
  }

 private:
  void header(const Diagnostic& diagnostic) {
    bool error = diagnostic.severity == Severity::kError;
    out_ += paint_(mark_style_, error ? "error" : "warning");
    out_ += paint_(Style::kBold,
                   fmt::format(": {} [{}]", diagnostic.message, codeLabel(diagnostic.code)));
    out_ += '\n';
  }

  // Takes the labels of the primary file out of `labels`. One that covers the primary range gives
  // its text to it.
  std::vector<Mark> primaryMarks(const Diagnostic& diagnostic, std::vector<Label>& labels) {
    Label primary{diagnostic.span, ""};
    std::vector<Mark> marks;
    std::vector<Label> rest;
    for (Label& label : labels) {
      if (label.span == diagnostic.span && primary.text.empty()) {
        primary.text = label.text;
      } else if (label.span.file == diagnostic.span.file) {
        marks.push_back(makeMark(files_, label, false));
      } else if (files_.contains(label.span.file)) {
        rest.push_back(std::move(label));
      }
    }
    marks.insert(marks.begin(), makeMark(files_, primary, true));
    labels = std::move(rest);
    return marks;
  }

  size_t marginFor(const Diagnostic& diagnostic, const std::vector<Label>& foreign) const {
    uint32_t line = 1;
    auto see = [&](Span span) {
      if (!files_.contains(span.file)) return;
      auto size = static_cast<uint32_t>(files_[span.file].text.size());
      line = std::max(line, files_.locate(span.file, std::min(span.begin, size)).line);
    };
    see(diagnostic.span);
    for (const Label& label : diagnostic.labels) see(label.span);
    for (const Label& label : foreign) see(label.span);
    return fmt::formatted_size("{}", line);
  }

  void location(const char* arrow, Span span) {
    auto size = static_cast<uint32_t>(files_[span.file].text.size());
    source::LineColumn at = files_.locate(span.file, std::min(span.begin, size));
    out_ += std::string(margin_, ' ') + paint_(Style::kFrame, arrow);
    out_ += fmt::format(" {}:{}:{}\n", files_[span.file].name, at.line, at.column);
  }

  void gutter(std::string_view number) {
    out_ += paint_(Style::kFrame, fmt::format("{:>{}} |", number, margin_));
  }

  void sourceLine(uint32_t line, const Excerpt& excerpt) {
    gutter(fmt::format("{}", line));
    if (!excerpt.text().empty()) out_ += ' ' + excerpt.text();
    out_ += '\n';
  }

  void excerpts(source::FileId file, std::vector<Mark> marks) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.line < b.line; });
    gutter("");
    out_ += '\n';
    uint32_t previous = 0;
    for (size_t i = 0; i < marks.size();) {
      uint32_t line = marks[i].line;
      fillGap(file, previous, line);
      Excerpt excerpt(files_.line(file, line), focusOf(marks, i));
      sourceLine(line, excerpt);
      for (; i < marks.size() && marks[i].line == line; ++i) markRow(excerpt, marks[i]);
      previous = line;
    }
  }

  // Where a long line is clipped: around the primary mark if it is there.
  static size_t focusOf(const std::vector<Mark>& marks, size_t first) {
    for (size_t i = first; i < marks.size() && marks[i].line == marks[first].line; ++i) {
      if (marks[i].primary) return marks[i].begin;
    }
    return marks[first].begin;
  }

  void fillGap(source::FileId file, uint32_t previous, uint32_t next) {
    if (previous == 0 || next <= previous + 1) return;
    if (next - previous - 1 > kMaxGap) {
      out_ += paint_(Style::kFrame, "...") + '\n';
      return;
    }
    for (uint32_t line = previous + 1; line < next; ++line) {
      sourceLine(line, Excerpt(files_.line(file, line), 0));
    }
  }

  void markRow(const Excerpt& excerpt, const Mark& mark) {
    size_t begin = excerpt.column(mark.begin);
    size_t end = std::max(excerpt.column(mark.end), begin + 1);
    std::string row(end - begin, mark.primary ? '^' : '-');
    if (!mark.text.empty()) row += ' ' + mark.text;
    gutter("");
    out_ += std::string(begin + 1, ' ') + paint_(mark.primary ? mark_style_ : Style::kFrame, row);
    out_ += '\n';
  }

  void foreignLabels(const std::vector<Label>& labels) {
    for (const Label& label : labels) {
      location(":::", label.span);
      excerpts(label.span.file, {makeMark(files_, label, false)});
    }
  }

  // A note that begins with `help: ` proposes other code.
  void noteLines(std::string_view note) {
    constexpr std::string_view kHelp = "help: ";
    const bool is_help = note.starts_with(kHelp);
    if (is_help) note.remove_prefix(kHelp.size());
    std::string lead = std::string(margin_ + 1, ' ') + paint_(Style::kFrame, "=") + ' ' +
                       paint_(Style::kBold, is_help ? "help" : "note") + ": ";
    std::string indent(margin_ + 9, ' ');
    for (size_t begin = 0; begin <= note.size();) {
      size_t end = std::min(note.find('\n', begin), note.size());
      out_ += begin == 0 ? lead : indent;
      out_ += note.substr(begin, end - begin);
      out_ += '\n';
      begin = end + 1;
    }
  }

  const source::Files& files_;
  Painter paint_;
  Style mark_style_ = Style::kError;
  size_t margin_ = 1;
  std::string out_;
};

bool before(const Diagnostic* a, const Diagnostic* b) {
  if (a->span.file != b->span.file) return a->span.file < b->span.file;
  return a->span.begin < b->span.begin;
}

// The same twice: a checker has seen a place in several ways.
bool isSame(const Diagnostic* a, const Diagnostic* b) {
  return a->span.file == b->span.file && a->span.begin == b->span.begin &&
         a->span.end == b->span.end && a->code == b->code && a->message == b->message;
}

}  // namespace

std::vector<const Diagnostic*> inOrder(const Sink& sink) {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& diagnostic : sink.all()) sorted.push_back(&diagnostic);
  std::stable_sort(sorted.begin(), sorted.end(), before);
  sorted.erase(std::unique(sorted.begin(), sorted.end(), isSame), sorted.end());
  return sorted;
}

std::string render(const Diagnostic& diagnostic, const source::Files& files,
                   const RenderOptions& options) {
  return Renderer(files, options).run(diagnostic);
}

std::string render(const Sink& sink, const source::Files& files, const RenderOptions& options) {
  std::string out;
  size_t errors = 0;
  for (const Diagnostic* diagnostic : inOrder(sink)) {
    if (diagnostic->severity == Severity::kError && errors++ == kMaxErrors) {
      out += "... too many errors\n";
      break;
    }
    if (!out.empty()) out += '\n';
    out += render(*diagnostic, files, options);
  }
  return out;
}

}  // namespace halo::diag
