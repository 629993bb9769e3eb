// Arguments of an entry from command-line words, standard input or a test block.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"

namespace halo::session {

enum class Strictness {
  kStrict,   // data of test blocks: `3` is an i32, types must match exactly
  kLenient,  // people's input: a number without a suffix takes the parameter's type if it fits
};

// One word per parameter leaf: a value, or `@file` relative to `folder`.
diag::Result<std::vector<value::Value>> argumentsFromWords(Session& session,
                                                           const types::Program& program,
                                                           types::DefId entry,
                                                           const std::vector<std::string>& words,
                                                           const std::string& folder);

// Successive values of a text or binary stream.
diag::Result<std::vector<value::Value>> argumentsFromText(Session& session,
                                                          const types::Program& program,
                                                          types::DefId entry,
                                                          const std::string& name, std::string text,
                                                          Strictness strictness);

// The leaves of all parameters in order.
diag::Result<std::vector<value::Value>> argumentsFromLeaves(const types::Program& program,
                                                            types::DefId entry,
                                                            std::vector<value::Value> leaves);

// Splits a `-- run:` line at white space, honouring double quotes and brackets.
std::vector<std::string> splitWords(const std::string& line);

}  // namespace halo::session
