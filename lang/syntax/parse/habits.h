// Replacements for signs and words of other languages, for the notes of syntax errors.
#pragma once

#include <string>
#include <string_view>

namespace halo::syntax {

// For a token that no place of the grammar takes: `/*`, `//`, `#`. Otherwise empty.
std::string helpForComment(std::string_view found);

// For a token behind a complete expression or type: `->`, `=`, `;`, `|`, `?`, `$`. Otherwise empty.
std::string helpBehindValue(std::string_view found);

// For a token in front of which `closer` is missing: `[x * x for ..]`, `{a: 1}`. Otherwise empty.
std::string helpBeforeCloser(std::string_view closer, std::string_view found);

// For what begins no expression, and the token before it: `for`, `| _`, `*/`. Otherwise empty.
std::string helpForExpression(std::string_view before, std::string_view found);

// For a token in place of `else`, `then`, `in` and others. Otherwise empty.
std::string helpForKeyword(std::string_view keyword, std::string_view found);

// For a `->` behind the body of a case: the next one lacks its `case`.
std::string helpForCase();

// For `struct`, `class` and others, where a declaration is wanted. Otherwise empty.
std::string helpForTypeWord(std::string_view word);

// `fun`, `var` and others stand where `def` stands here: `fun f x = x`.
bool isDefiningWord(std::string_view word);

// For names in front of `=`: the first, and the others with a blank in front of each. Where the
// first may be a word in place of `def` or the name to define, both readings.
std::string helpForDefinition(std::string_view first, std::string_view others);

}  // namespace halo::syntax
