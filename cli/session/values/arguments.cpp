// Reading leaf values and arranging them as the entry's parameters.
#include "cli/session/values/arguments.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/session/values/sum_values.h"
#include "lang/engine/regroup.h"
#include "lang/value/format.h"

namespace halo::session {
namespace {

using diag::Code;
using value::ScalarType;
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

diag::Result<std::vector<Value>> arrange(const types::Program& program, types::DefId entry,
                                         std::vector<Value> leaves) {
  std::vector<types::Leaf> wanted = parameterLeaves(program, entry);
  if (leaves.size() != wanted.size()) {
    return wrongCount(program, entry, leaves.size(), wanted.size());
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

// Whether a tuple or record begins at a place of the text.
bool beginsRecord(std::string_view text, size_t at) {
  while (at < text.size() && isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at < text.size() && (text[at] == '(' || text[at] == '{');
}

// Values for the parameters from `*parameter` on, as long as there are some. Those with sums, and
// tuples and records in brackets, are Halo expressions, all else is a value per leaf.
diag::Result<std::monostate> readTyped(Session& session, const types::Program& program,
                                       types::DefId entry, source::FileId file, SumReader& reader,
                                       size_t* parameter) {
  const auto& parameters = program.defs[entry].parameters;
  uint32_t offset = 0;
  const auto atEnd = [&] {
    uint32_t ahead = offset;
    auto next = value::parseValue(session.files(), file, &ahead);
    return next && !next->has_value();
  };
  while (*parameter < parameters.size() && !atEnd()) {
    const types::TypeId type = program.pattern_type.at(parameters[(*parameter)++]);
    if (hasSum(program, type) || beginsRecord(session.files()[file].text, offset)) {
      if (auto done = reader.read(type, &offset); !done) return done;
      continue;
    }
    for (const types::Leaf& leaf : types::leaves(program, type)) {
      auto value = value::parseValue(session.files(), file, &offset, leaf.scalar);
      if (!value) return diag::Failure(value.error());
      if (value->has_value()) reader.add(std::move(**value), leaf);
    }
  }
  if (atEnd()) return std::monostate{};
  return wrongCount(program, entry, parameters.size() + 1, parameters.size());
}

// Has the text arguments that are more than a value per leaf: sums, or bracketed tuples and
// records? Only programs with such parameters take them.
bool hasExpressions(const types::Program& program, types::DefId entry, std::string_view text) {
  const auto& parameters = program.defs[entry].parameters;
  return std::any_of(parameters.begin(), parameters.end(), [&](syntax::PatternId parameter) {
    const types::TypeId type = program.pattern_type.at(parameter);
    if (hasSum(program, type)) return true;
    if (!std::holds_alternative<types::RecordType>(program.types[type])) return false;
    for (size_t at = 0; at < text.size(); ++at) {
      const bool is_first = at == 0 || isspace(static_cast<unsigned char>(text[at - 1])) != 0;
      if (is_first && (text[at] == '(' || text[at] == '{')) return true;
    }
    return false;
  });
}

// Successive values; numbers without a suffix take the type at their position.
diag::Result<std::vector<Value>> readStream(Session& session, source::FileId file,
                                            const std::vector<ScalarType>& types) {
  std::vector<Value> values;
  uint32_t offset = 0;
  for (;;) {
    std::optional<ScalarType> wanted;
    if (values.size() < types.size()) wanted = types[values.size()];
    auto value = value::parseValue(session.files(), file, &offset, wanted);
    if (!value) return diag::Failure(value.error());
    if (!value->has_value()) return values;
    values.push_back(std::move(**value));
  }
}

diag::Result<std::vector<Value>> readWord(Session& session, const std::string& word,
                                          const std::string& folder,
                                          const std::optional<value::Shape>& want) {
  if (word.empty() || word.front() != '@') {
    source::FileId file = session.files().add("argument", word);
    return readStream(session, file, want ? std::vector{*want->type} : std::vector<ScalarType>{});
  }
  std::string path = (std::filesystem::path(folder) / word.substr(1)).string();
  return value::readFile(session.files(), path, want);
}

// For a word that is no value: the name of an entry, or of a file.
diag::Diagnostic withHint(diag::Diagnostic failure, const types::Program& program,
                          const std::string& word, const std::string& folder) {
  std::error_code none;
  if (program.findEntry(word)) {
    failure.notes.push_back("help: `--entry=" + word + "` names the entry to run");
  } else if (std::filesystem::is_regular_file(std::filesystem::path(folder) / word, none)) {
    failure.notes.push_back("help: `@" + word + "` is the value in that file");
  }
  return failure;
}

}  // namespace

diag::Result<std::vector<Value>> argumentsFromWords(Session& session, const types::Program& program,
                                                    types::DefId entry,
                                                    const std::vector<std::string>& words,
                                                    const std::string& folder) {
  std::string plain;
  for (const std::string& word : words) plain += word + "\n";
  if (hasExpressions(program, entry, plain)) {
    std::string text;
    for (const std::string& word : words) {
      if (!word.starts_with('@')) {
        text += word + "\n";
        continue;
      }
      const std::string path = (std::filesystem::path(folder) / word.substr(1)).string();
      std::ifstream in(path, std::ios::binary);
      if (!in) return diag::fail(Code::missing_file, {}, "no file `" + path + "`");
      text += std::string{std::istreambuf_iterator<char>(in), {}} + "\n";
    }
    return argumentsFromText(session, program, entry, "arguments", std::move(text),
                             Strictness::kLenient);
  }
  std::vector<types::Leaf> wanted = parameterLeaves(program, entry);
  std::vector<Value> leaves;
  for (const std::string& word : words) {
    std::optional<value::Shape> want;
    if (leaves.size() < wanted.size()) {
      const types::Leaf& leaf = wanted[leaves.size()];
      want = value::Shape{leaf.scalar, static_cast<int>(leaf.shape.size())};
    }
    auto values = readWord(session, word, folder, want);
    if (!values) return diag::Failure(withHint(values.error(), program, word, folder));
    for (Value& value : *values) leaves.push_back(std::move(value));
  }
  return arrange(program, entry, std::move(leaves));
}

diag::Result<std::vector<Value>> argumentsFromText(Session& session, const types::Program& program,
                                                   types::DefId entry, const std::string& name,
                                                   std::string text, Strictness strictness) {
  source::FileId file = session.files().add(name, std::move(text));
  if (hasExpressions(program, entry, session.files()[file].text)) {
    SumReader reader(session.files(), file, program);
    size_t parameter = 0;
    auto read = readTyped(session, program, entry, file, reader, &parameter);
    if (!read) return diag::Failure(read.error());
    auto leaves = reader.finish();
    if (!leaves) return diag::Failure(leaves.error());
    return arrange(program, entry, std::move(*leaves));
  }
  std::vector<ScalarType> types;
  if (strictness == Strictness::kLenient) {
    for (const types::Leaf& leaf : parameterLeaves(program, entry)) types.push_back(leaf.scalar);
  }
  auto values = readStream(session, file, types);
  if (!values) return diag::Failure(values.error());
  return arrange(program, entry, std::move(*values));
}

diag::Result<std::vector<Value>> argumentsFromLeaves(const types::Program& program,
                                                     types::DefId entry,
                                                     std::vector<Value> leaves) {
  return arrange(program, entry, std::move(leaves));
}

std::vector<std::string> splitWords(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  int brackets = 0;
  bool quoted = false;
  for (char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '(')) ++brackets;
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
