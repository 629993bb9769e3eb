// libFuzzer over the checker: every text must keep the laws of lang/types/laws.h. Bytes that change
// at random rarely parse, so half of the mutations work on tokens. One token is left out, doubled,
// moved, or replaced by another one of the text or of the language.
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "lang/syntax/lex/lexer.h"
#include "lang/types/laws.h"
#include "stdlib/embedded.h"

namespace {

using namespace halo;  // NOLINT: a program of one file

// Without the elementary functions: every text is checked on a copy of this.
bool isUsed(std::string_view file) {
  return file.starts_with("basis") || file == "functional.fut" || file == "module_types.fut";
}

types::EnvironmentRef loadPrelude() {
  types::EnvironmentRef environment = types::emptyEnvironment();
  for (const stdlib::EmbeddedFile& file : stdlib::files()) {
    if (!isUsed(file.name)) continue;
    source::Files files;
    diag::Sink sink;
    const auto id = files.add(std::string(file.name), std::string(file.text));
    syntax::Tree tree = types::treeOf(*environment);
    const syntax::File parsed =
        syntax::parseFile(files, id, {.allow_intrinsics = true}, tree, sink);
    types::CheckOptions options;
    options.is_prelude = true;
    environment = types::extend(environment, std::move(tree), parsed, options, sink);
    if (!environment) {
      fprintf(stderr, "%s\n", diag::render(sink, files).c_str());
      __builtin_trap();
    }
  }
  return environment;
}

// The pieces of a text: tokens with the space before them.
std::vector<std::string> pieces(const std::string& text) {
  source::Files files;
  diag::Sink sink;
  std::vector<std::string> pieces;
  uint32_t at = 0;
  for (const syntax::Token& token : syntax::lex(files, files.add("t.fut", text), sink).tokens) {
    pieces.push_back(text.substr(at, token.span.end - at));
    at = token.span.end;
  }
  return pieces;
}

const char* const kWords[] = {
    " []",   " [n]",    " [m]",    " *",     " i64", " i32",    " f32",  " bool", " 'a",
    " '^a",  " '~a",    " ?[k].",  " n",     " m",   " xs",     " x",    " f",    " map",
    " 0",    " 1",      " 2i64",   " (",     " )",   " ->",     " =",    " let",  " in",
    " loop", " for",    " with",   " entry", " def", " module", " type", " open", " match",
    " case", " if",     " #a",     " #b",    " {",   " }",      " :",    " :>",   ",",
    ".0",    " filter", " iota",   " + ",    " n+1", " |> ",    " copy", " val",  " while",
    " |",    "[0]",     " reduce", "\n",     " ()",  " \\x ->"};

void mutate(std::vector<std::string>& tokens, std::mt19937& random) {
  const size_t at = random() % tokens.size();
  const size_t other = random() % tokens.size();
  const size_t count = std::min<size_t>(1 + random() % 12, tokens.size() - other);
  const std::vector<std::string> run(tokens.begin() + other, tokens.begin() + other + count);
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
      tokens[at] = kWords[random() % std::size(kWords)];
      break;
    default:
      tokens.insert(tokens.begin() + at, kWords[random() % std::size(kWords)]);
      break;
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t limit);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit,
                                          unsigned int seed) {
  std::mt19937 random(seed);
  if (random() % 8 == 0) return LLVMFuzzerMutate(data, size, limit);
  std::vector<std::string> tokens = pieces(std::string(reinterpret_cast<char*>(data), size));
  for (size_t i = 0; i <= random() % 3 && !tokens.empty(); ++i) mutate(tokens, random);
  std::string text;
  for (const std::string& token : tokens) text += token;
  text.resize(std::min(text.size(), limit));
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

// A declaration of one text goes behind the other.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size,
                                            const uint8_t* second, size_t second_size, uint8_t* out,
                                            size_t limit, unsigned int seed) {
  std::mt19937 random(seed);
  std::vector<std::string> text = pieces(std::string(first, first + first_size));
  const std::vector<std::string> other = pieces(std::string(second, second + second_size));
  const size_t from = other.empty() ? 0 : random() % other.size();
  const size_t count = other.empty() ? 0 : random() % std::min<size_t>(40, other.size() - from);
  const size_t at = text.empty() ? 0 : random() % text.size();
  text.insert(text.begin() + at, other.begin() + from, other.begin() + from + count);
  std::string joined;
  for (const std::string& token : text) joined += token;
  joined.resize(std::min(joined.size(), limit));
  std::copy(joined.begin(), joined.end(), out);
  return joined.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const types::EnvironmentRef base = loadPrelude();
  const std::string broken =
      types::test::brokenLaw(base, std::string(reinterpret_cast<const char*>(data), size));
  if (!broken.empty()) {
    fprintf(stderr, "%s\n", broken.c_str());
    __builtin_trap();
  }
  return 0;
}
