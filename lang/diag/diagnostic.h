// Diagnostics: the messages to the user. One type for all phases; nothing prints directly, a Sink
// collects and render() writes everything once, sorted by position.
//
// Wording (design.md#errors): lower case, no full stop, code in backticks. Messages state what was
// found and what was needed, with both sizes or types. The text is written beside the check;
// codes.def holds only numbers and names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/base/result.h"
#include "lang/source/source.h"

namespace halo::diag {

using source::Span;

enum class Code : int {
#define CODE(number, name) name = number,
#include "lang/diag/codes.def"
#undef CODE
};

const char* codeName(Code code);            // `index_out_of_range`
std::optional<Code> codeFromNumber(int n);  // for Core text, `halo explain`
std::string codeLabel(Code code);           // `H7001`

enum class Severity { kError, kWarning };

struct Label {
  Span span;
  std::string text;  // may be empty: the range alone says it
};

struct Diagnostic {
  Code code;
  Severity severity = Severity::kError;
  std::string message;
  Span span;
  std::vector<Label> labels;
  std::vector<std::string> notes;
};

// A diagnostic as the failure of one operation.
template <typename T>
using Result = base::Expected<T, Diagnostic>;
using Failure = tl::unexpected<Diagnostic>;

inline Failure fail(Code code, Span span, std::string message,
                    std::vector<std::string> notes = {}) {
  return Failure(
      Diagnostic{code, Severity::kError, std::move(message), span, {}, std::move(notes)});
}

inline constexpr size_t kMaxErrors = 25;  // shown; the rest becomes «too many errors»

class Sink {
 public:
  Diagnostic& error(Code code, Span span, std::string message);
  Diagnostic& warning(Code code, Span span, std::string message);
  void add(Diagnostic diagnostic);
  // A phase that checks by trial discards the messages of a trial.
  size_t mark() const { return diagnostics_.size(); }
  void forgetSince(size_t mark);
  bool hasErrors() const { return errors_ > 0; }
  size_t errorCount() const { return errors_; }
  bool full() const { return errors_ > kMaxErrors; }  // phases may stop early
  const std::vector<Diagnostic>& all() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  size_t errors_ = 0;
};

struct RenderOptions {
  bool color = false;
};

// `error: message [H7001]`, then `--> file:line:col`, the excerpt with carets, labels and notes.
std::string render(const Diagnostic& diagnostic, const source::Files& files,
                   const RenderOptions& options = {});
std::string render(const Sink& sink, const source::Files& files, const RenderOptions& options = {});

// The candidate nearest to `name` (Damerau-Levenshtein distance <= 2), or nothing.
std::optional<std::string> didYouMean(const std::string& name,
                                      const std::vector<std::string>& candidates);

}  // namespace halo::diag
