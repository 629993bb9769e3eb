// The sink collects diagnostics; the code table answers for numbers and names.
#include "lang/diag/diagnostic.h"

#include <fmt/format.h>

namespace halo::diag {

const char* codeName(Code code) {
  switch (code) {
#define CODE(number, name) \
  case Code::name:         \
    return #name;
#include "lang/diag/codes.def"
#undef CODE
  }
  HALO_UNREACHABLE("code out of range");
}

std::optional<Code> codeFromNumber(int n) {
  switch (n) {
#define CODE(number, name) \
  case number:             \
    return Code::name;
#include "lang/diag/codes.def"
#undef CODE
    default:
      return std::nullopt;
  }
}

std::string codeLabel(Code code) { return fmt::format("H{:04}", static_cast<int>(code)); }

Diagnostic& Sink::error(Code code, Span span, std::string message) {
  add({code, Severity::kError, std::move(message), span, {}, {}});
  return diagnostics_.back();
}

Diagnostic& Sink::warning(Code code, Span span, std::string message) {
  add({code, Severity::kWarning, std::move(message), span, {}, {}});
  return diagnostics_.back();
}

void Sink::forgetSince(size_t mark) {
  for (size_t i = mark; i < diagnostics_.size(); ++i) {
    if (diagnostics_[i].severity == Severity::kError) --errors_;
  }
  diagnostics_.resize(mark);
}

void Sink::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

}  // namespace halo::diag
