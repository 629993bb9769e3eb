#include "cli/session/testing/example.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cli/session/values/arguments.h"
#include "cli/session/values/sum_values.h"

namespace halo::session {

namespace {

std::optional<std::vector<std::string>> wordsOf(const ValueSource& input,
                                                const std::string& folder) {
  if (input.kind == SourceKind::kFile) {
    return std::vector{"@" + (std::filesystem::path(folder) / input.text).string()};
  }
  if (input.kind != SourceKind::kInline) return std::nullopt;
  std::string text = input.text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return splitWords(text);
}

}  // namespace

std::optional<std::vector<std::string>> exampleWords(const TestProgram& program,
                                                     const std::string& entry,
                                                     const std::string& folder) {
  for (const TestBlock& block : program.blocks) {
    if (std::find(block.entries.begin(), block.entries.end(), entry) == block.entries.end()) {
      continue;
    }
    for (const TestCase& test : block.cases) {
      if (auto words = wordsOf(test.input, folder)) return words;
    }
  }
  return std::nullopt;
}

namespace {

constexpr int64_t kSmallSize = 2;  // of each size that the type leaves open

// Whether a parameter is the size of another: `(n: i64) (xs: [n]f32)`.
bool namesSizes(const types::Program& program, const types::Def& def,
                const std::vector<types::Leaf>& leaves) {
  for (const types::Leaf& leaf : leaves) {
    for (types::SizeId size : leaf.shape) {
      const auto* named = std::get_if<types::SizeBinder>(&program.sizes[size]);
      if (named == nullptr) continue;
      const auto& known = def.size_parameters;
      if (std::find(known.begin(), known.end(), named->binder) == known.end()) return true;
    }
  }
  return false;
}

// Numbers from 1 in rows of `shape`; nothing for a size that is neither small nor a name.
std::optional<std::string> smallValue(const types::Program& program, const types::Leaf& leaf,
                                      size_t dimension, int* next) {
  if (dimension == leaf.shape.size()) {
    if (leaf.scalar == prim::ScalarType::kBool) return "true";
    return std::to_string((*next)++);
  }
  const types::SizeNode& size = program.sizes[leaf.shape[dimension]];
  const auto* constant = std::get_if<types::SizeConst>(&size);
  const bool is_open = std::holds_alternative<types::SizeBinder>(size);
  if (!is_open && (constant == nullptr || constant->value > 4)) return std::nullopt;
  std::string row = "[";
  for (int64_t i = 0; i < (is_open ? kSmallSize : constant->value); ++i) {
    const auto element = smallValue(program, leaf, dimension + 1, next);
    if (!element) return std::nullopt;
    row += (i == 0 ? "" : ", ") + *element;
  }
  return row + "]";
}

}  // namespace

std::optional<std::vector<std::string>> smallWords(const types::Program& program,
                                                   types::DefId entry) {
  std::vector<types::Leaf> leaves;
  for (syntax::PatternId parameter : program.defs[entry].parameters) {
    const types::TypeId type = program.pattern_type.at(parameter);
    if (hasSum(program, type)) return std::nullopt;
    for (types::Leaf& leaf : types::leaves(program, type)) leaves.push_back(std::move(leaf));
  }
  const bool are_sizes = namesSizes(program, program.defs[entry], leaves);
  std::vector<std::string> words;
  for (const types::Leaf& leaf : leaves) {
    int next = leaf.shape.empty() && are_sizes ? kSmallSize : 1;
    const auto word = smallValue(program, leaf, 0, &next);
    if (!word) return std::nullopt;
    words.push_back(*word);
  }
  return words;
}

std::string shellWord(const std::string& word) {
  const bool is_plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 128 ||
           std::string_view("_./:=,+@%-").find(char(c)) != std::string_view::npos;
  });
  if (is_plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string{c};
  return quoted + "'";
}

}  // namespace halo::session
