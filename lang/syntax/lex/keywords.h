// The keywords of the language, as one table (keyword.def) for the lexer, the parser's recovery,
// and the editors' completions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace halo::syntax {

enum class KeywordUse : uint8_t { kExpression, kDeclaration, kSpecification };

struct Keyword {
  std::string_view word;
  KeywordUse use;
};

inline constexpr std::array kKeywords = {
#define KEYWORD(word, begins) Keyword{#word, KeywordUse::begins},
#include "lang/syntax/lex/keyword.def"
#undef KEYWORD
};

// Null: the word is a name.
constexpr const Keyword* keywordOf(std::string_view word) {
  if (word.size() < 2 || word.size() > 7) return nullptr;  // most names are decided here
  for (const Keyword& keyword : kKeywords) {
    if (keyword.word == word) return &keyword;
  }
  return nullptr;
}

// Whether a declaration, in a file or in a module type, can begin with the word. A `let` may be one
// as well as an expression.
constexpr bool declares(std::string_view word) {
  const Keyword* keyword = keywordOf(word);
  return keyword != nullptr && keyword->use != KeywordUse::kExpression;
}

}  // namespace halo::syntax
