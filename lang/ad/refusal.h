// The first construct that has no derivative in compiled code, if there is one.
#pragma once

#include <optional>
#include <string>

#include "lang/diag/diagnostic.h"

namespace halo::ad {

class Refusal {
 public:
  void refuse(source::Span span, const std::string& construct) {
    if (found_) return;
    found_ = diag::Diagnostic{diag::Code::engine_unsupported,
                              diag::Severity::kError,
                              "compiled code has no derivative of " + construct,
                              span,
                              {},
                              {"`--backend=interp` runs it"}};
  }
  const std::optional<diag::Diagnostic>& found() const { return found_; }

 private:
  std::optional<diag::Diagnostic> found_;
};

}  // namespace halo::ad
