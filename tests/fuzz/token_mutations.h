// Random changes of texts token by token: bytes that change at random rarely parse. For the fuzzers
// of this folder and for the unit tests of text forms.
#pragma once

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace halo::test {

using Tokens = std::vector<std::string>;

inline bool isWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '\'';
}

// Words and single bytes with the space before them; joined they are the text again.
inline Tokens tokensOf(std::string_view text) {
  Tokens tokens;
  for (size_t at = 0; at < text.size();) {
    const size_t from = at;
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at < text.size() && !isWordByte(text[at++])) {
      tokens.emplace_back(text.substr(from, at - from));
      continue;
    }
    while (at < text.size() && isWordByte(text[at])) ++at;
    tokens.emplace_back(text.substr(from, at - from));
  }
  return tokens;
}

inline std::string joined(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

// One token is left out, swapped, or replaced by another one or a word; up to twelve are doubled.
inline void changeTokens(Tokens& tokens, const std::vector<std::string_view>& words,
                         std::mt19937& random) {
  const size_t at = random() % tokens.size();
  const size_t other = random() % tokens.size();
  const size_t count = std::min<size_t>(1 + random() % 12, tokens.size() - other);
  const Tokens run(tokens.begin() + other, tokens.begin() + other + count);
  switch (random() % 6) {
    case 0:
      tokens.erase(tokens.begin() + at);
      break;
    case 1:
      tokens.insert(tokens.begin() + at, run.begin(), run.end());
      break;
    case 2:
      std::swap(tokens[at], tokens[other]);
      break;
    case 3:
      tokens[at] = tokens[other];
      break;
    case 4:
      tokens[at] = words[random() % words.size()];
      break;
    default:
      tokens.insert(tokens.begin() + at, std::string(words[random() % words.size()]));
      break;
  }
}

// The text with one to three changes.
inline std::string changed(const std::string& text, const std::vector<std::string_view>& words,
                           std::mt19937& random) {
  Tokens tokens = tokensOf(text);
  for (size_t i = 0; i <= random() % 3 && !tokens.empty(); ++i) changeTokens(tokens, words, random);
  return joined(tokens);
}

// The text with some tokens of another one in the middle.
inline std::string crossed(const std::string& text, const std::string& other,
                           std::mt19937& random) {
  Tokens tokens = tokensOf(text);
  const Tokens others = tokensOf(other);
  const size_t from = others.empty() ? 0 : random() % others.size();
  const size_t count = others.empty() ? 0 : random() % std::min<size_t>(40, others.size() - from);
  const size_t at = tokens.empty() ? 0 : random() % tokens.size();
  tokens.insert(tokens.begin() + at, others.begin() + from, others.begin() + from + count);
  return joined(tokens);
}

}  // namespace halo::test
