// The user's input, before anything is checked: an expression or declarations, whole or not yet. Or
// several inputs in one text, as a paste or a pipe brings them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/diag/diagnostic.h"

namespace halo::repl {

enum class InputKind {
  kNothing,  // blanks and comments
  kCommand,  // `:help`
  kExpression,
  kDeclarations,
  kIncomplete,  // the text ends where more is needed
  kWrong,       // errors are in the sink
};

// Never kIncomplete for a text that no continuation would make right. The sink then names the
// missing part, for a text that nothing follows.
InputKind classify(source::Files& files, source::FileId file, diag::Sink& sink);
bool isIncomplete(std::string_view text);

// An input begins in column 0, where the one before is complete. Lines that are indented, or begin
// with a closing bracket, an infix operator or a word such as `in` and `else`, continue the input
// above. Prompts of ours that were pasted along are taken off.
std::vector<std::string> splitInputs(std::string_view text);
bool continuesInput(std::string_view line);

// An input on a pipe that is not whole must not swallow the lines below. It ends in front of a line
// in column 0 that begins a definition while no brace is open. It also ends in front of one that
// follows the `=` of a definition with an indented body.
bool beginsAnother(std::string_view open, std::string_view line);

}  // namespace halo::repl
