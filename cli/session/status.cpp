#include "cli/session/status.h"

namespace halo::session {

int exitStatus(const diag::Diagnostic& diagnostic) {
  const int number = static_cast<int>(diagnostic.code);
  if (number >= 7000 && number < 8000) return kRunTimeError;
  switch (diagnostic.code) {
    case diag::Code::unknown_backend:
    case diag::Code::missing_file:
    case diag::Code::malformed_value:
    case diag::Code::wrong_argument_count:
    case diag::Code::wrong_argument_type:
    case diag::Code::unknown_entry:
    case diag::Code::unreadable_file:
    case diag::Code::unwritable_file:
    case diag::Code::unknown_stage:
      return kWrongUsage;
    default:
      if (number >= 6000 && number < 7000) return kCannotRun;
      return number >= 8000 && number < 9000 ? kRunTimeError : kRejected;
  }
}

int exitStatus(const diag::Sink& sink) {
  if (!sink.hasErrors()) return kOk;
  for (const diag::Diagnostic& diagnostic : sink.all()) {
    // A file that an `import` names belongs to the program.
    const bool is_in_program = diagnostic.span.file.valid();
    if (is_in_program || exitStatus(diagnostic) != kWrongUsage) return kRejected;
  }
  return kWrongUsage;
}

}  // namespace halo::session
