// Reading leaf values and arranging them as the entry's parameters.
#include "cli/session/arguments.h"

#include <filesystem>

#include "lang/engine/regroup.h"
#include "lang/prim/fold.h"
#include "lang/value/format.h"

namespace halo::session {
namespace {

using diag::Code;
using value::Value;

std::vector<types::Leaf> parameterLeaves(const types::Program& program, types::DefId entry) {
  std::vector<types::Leaf> all;
  for (syntax::PatternId parameter : program.defs[entry].parameters) {
    for (types::Leaf& leaf : types::leaves(program, program.pattern_type.at(parameter))) {
      all.push_back(std::move(leaf));
    }
  }
  return all;
}

std::string entryType(const types::Program& program, types::DefId entry) {
  return types::print(program, program.defs[entry].type);
}

diag::Failure wrongCount(const types::Program& program, types::DefId entry, size_t found,
                         size_t needed) {
  return diag::fail(Code::wrong_argument_count, program.defs[entry].span,
                    "`" + program.defs[entry].name + "` needs " + std::to_string(needed) +
                        (needed == 1 ? " value" : " values") + ", " + std::to_string(found) +
                        (found == 1 ? " was given" : " were given"),
                    {"its type is `" + entryType(program, entry) + "`"});
}

// A literal without a suffix came out as i32 or f64: the number itself may fit the parameter.
std::optional<value::Scalar> convertExactly(value::Scalar scalar, prim::ScalarType to) {
  using prim::ScalarType;
  if (scalar.type == to) return scalar;
  bool from_default = scalar.type == ScalarType::kI32 || scalar.type == ScalarType::kF64;
  if (!from_default || to == ScalarType::kBool) return std::nullopt;
  if (scalar.type == ScalarType::kF64 && !prim::isFloat(to)) return std::nullopt;
  value::Scalar converted = prim::convert(prim::ConvertKind::kValue, to, scalar);
  if (prim::isFloat(to)) return converted;  // rounds, as reading the text would
  if (prim::convert(prim::ConvertKind::kValue, scalar.type, converted) != scalar) {
    return std::nullopt;
  }
  if (prim::isUnsigned(to) && scalar.asSigned() < 0) return std::nullopt;
  return converted;
}

diag::Result<Value> convertLeaf(Value leaf, const types::Leaf& wanted) {
  if (const value::Scalar* scalar = leaf.scalar(); scalar != nullptr && wanted.shape.empty()) {
    if (auto converted = convertExactly(*scalar, wanted.scalar)) return Value(*converted);
    return leaf;
  }
  const value::Array* array = leaf.array();
  if (array == nullptr || array->type() == wanted.scalar) return leaf;
  auto result = value::makeArray(wanted.scalar, array->shape());
  if (!result) return diag::Failure(result.error());
  for (int64_t i = 0; i < array->elements(); i++) {
    auto converted = convertExactly(array->at(i), wanted.scalar);
    if (!converted) return leaf;  // checkArguments reports the types
    value::setAt(*result, i, *converted);
  }
  return Value(std::move(*result));
}

diag::Result<std::vector<Value>> arrange(const types::Program& program, types::DefId entry,
                                         std::vector<Value> leaves, Strictness strictness) {
  std::vector<types::Leaf> wanted = parameterLeaves(program, entry);
  if (leaves.size() != wanted.size()) {
    return wrongCount(program, entry, leaves.size(), wanted.size());
  }
  if (strictness == Strictness::kLenient) {
    for (size_t i = 0; i < leaves.size(); i++) {
      auto converted = convertLeaf(std::move(leaves[i]), wanted[i]);
      if (!converted) return diag::Failure(converted.error());
      leaves[i] = std::move(*converted);
    }
  }
  std::vector<Value> arguments;
  size_t next = 0;
  for (syntax::PatternId parameter : program.defs[entry].parameters) {
    arguments.push_back(
        engine::regroup(program, program.pattern_type.at(parameter), leaves, &next));
  }
  auto checked = engine::checkArguments(program, entry, arguments);
  if (!checked) return diag::Failure(checked.error());
  return arguments;
}

diag::Result<std::vector<Value>> readWord(Session& session, const std::string& word,
                                          const std::string& folder,
                                          const std::optional<value::Shape>& want) {
  if (word.empty() || word.front() != '@') {
    source::FileId file = session.files().add("argument", word);
    return value::parseValues(session.files(), file);
  }
  std::string path = (std::filesystem::path(folder) / word.substr(1)).string();
  return value::readFile(session.files(), path, want);
}

}  // namespace

diag::Result<std::vector<Value>> argumentsFromWords(Session& session, const types::Program& program,
                                                    types::DefId entry,
                                                    const std::vector<std::string>& words,
                                                    const std::string& folder) {
  std::vector<types::Leaf> wanted = parameterLeaves(program, entry);
  std::vector<Value> leaves;
  for (const std::string& word : words) {
    std::optional<value::Shape> want;
    if (leaves.size() < wanted.size()) {
      const types::Leaf& leaf = wanted[leaves.size()];
      want = value::Shape{leaf.scalar, static_cast<int>(leaf.shape.size())};
    }
    auto values = readWord(session, word, folder, want);
    if (!values) return diag::Failure(values.error());
    for (Value& value : *values) leaves.push_back(std::move(value));
  }
  return arrange(program, entry, std::move(leaves), Strictness::kLenient);
}

diag::Result<std::vector<Value>> argumentsFromText(Session& session, const types::Program& program,
                                                   types::DefId entry, const std::string& name,
                                                   std::string text, Strictness strictness) {
  source::FileId file = session.files().add(name, std::move(text));
  auto values = value::parseValues(session.files(), file);
  if (!values) return diag::Failure(values.error());
  return arrange(program, entry, std::move(*values), strictness);
}

std::vector<std::string> splitWords(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  int brackets = 0;
  bool quoted = false;
  for (char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '(')) brackets++;
    if (!quoted && (c == ']' || c == ')')) brackets--;
    bool is_space = c == ' ' || c == '\t';
    if (is_space && !quoted && brackets <= 0) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word.push_back(c);
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

}  // namespace halo::session
