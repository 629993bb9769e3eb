// Text, expressions and names; calls and the construction of values are in script_calls
// and script_values.
#include "cli/session/values/script.h"

#include <cctype>
#include <filesystem>

#include "cli/session/imports.h"
#include "cli/session/values/script_reader.h"

namespace halo::session {

using diag::Code;

namespace {

bool startsName(char c) { return isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool inName(char c) { return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\''; }

}  // namespace

ScriptValue ofValue(Value value) {
  ScriptValue result;
  result.value = std::move(value);
  return result;
}

bool isTuple(const ScriptValue& value) {
  if (!value.is_record) return value.value.record() != nullptr && value.value.record()->isTuple();
  return value.names.size() != 1 && (value.names.empty() || value.names.front() == "0");
}

std::vector<ScriptValue> tupleFields(const ScriptValue& value) {
  if (value.is_record) return value.fields;
  std::vector<ScriptValue> fields;
  for (const Value& field : value.value.record()->fields) fields.push_back(ofValue(field));
  return fields;
}

void Script::skipSpace() {
  while (at_ < text_.size() && isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

bool Script::take(char c) {
  if (peek() != c) return false;
  ++at_;
  return true;
}

bool Script::takeWord(std::string_view word) {
  skipSpace();
  const size_t end = at_ + word.size();
  if (text_.compare(at_, word.size(), word) != 0) return false;
  if (end < text_.size() && inName(text_[end])) return false;
  at_ = end;
  return true;
}

std::string Script::name() {
  skipSpace();
  const size_t begin = at_;
  while (at_ < text_.size() && inName(text_[at_])) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

source::Span Script::span(size_t begin) const {
  return {file_, static_cast<uint32_t>(begin),
          static_cast<uint32_t>(std::min(begin + 1, text_.size()))};
}

diag::Failure Script::fail(std::string message) const {
  return diag::fail(Code::malformed_test_block, span(at_), std::move(message));
}

Evaluated Script::run() {
  auto result = expression();
  if (result && (skipSpace(), at_ < text_.size())) return fail("the script should end here");
  return result;
}

Evaluated Script::expression() {
  if (++depth_ > 200) return fail("the script is nested too deeply");
  auto result = takeWord("let") ? let() : application();
  --depth_;
  return result;
}

Evaluated Script::let() {
  std::vector<std::string> names;
  const bool many = take('(');
  do {
    names.push_back(name());
    if (names.back().empty()) return fail("a name is missing here");
  } while (many && take(','));
  if (many && !take(')')) return fail("`)` is missing here");
  if (!take('=')) return fail("`=` is missing here");
  auto bound = expression();
  if (!bound) return bound;
  std::vector<ScriptValue> values = {*bound};
  if (many) {
    if (!isTuple(*bound)) return fail("the value of this `let` is no tuple");
    values = tupleFields(*bound);
  }
  if (values.size() != names.size()) return fail("the tuple of this `let` has another size");
  for (size_t i = 0; i < names.size(); ++i) variables_[names[i]] = std::move(values[i]);
  if (!takeWord("in")) return fail("`in` is missing here");
  return expression();
}

bool Script::startsAtom() {
  const char c = peek();
  if (c == '\0' || c == ')' || c == ']' || c == '}' || c == ',' || c == '=') return false;
  const size_t before = at_;
  const bool ends = takeWord("in");
  at_ = before;
  return !ends;
}

Evaluated Script::application() {
  auto function = atom();
  for (bool is_first = true; function && startsAtom(); is_first = false) {
    if (!function->isFunction()) return fail("an argument of something that is no function");
    auto argument = atom();
    if (!argument) return argument;
    const bool is_only = is_first && !startsAtom();
    function = applied(std::move(*function), std::move(*argument), is_only);
  }
  return function;
}

Evaluated Script::atom() {
  auto value = plainAtom();
  // `x.f` and `x[0]` without spaces; literals have taken their own dots already.
  while (value && at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '[')) {
    if (value->isFunction()) break;
    value = text_[at_] == '.' ? project(*value) : index(*value);
  }
  return value;
}

Evaluated Script::plainAtom() {
  const char c = peek();
  if (take('(')) return tuple();
  if (take('{')) return record();
  if (take('$')) {
    ScriptValue function;
    function.built_in = name();
    return function;
  }
  if (c == '"') return string();
  if (startsName(c)) {
    const size_t begin = at_;
    const std::string word = name();
    const bool is_value = word == "true" || word == "false" || word == "empty" ||
                          ((word == "f16" || word == "f32" || word == "f64") &&
                           at_ < text_.size() && text_[at_] == '.');
    if (!is_value) return variable(word);
    at_ = begin;
  }
  return c == '[' ? array() : literal();
}

Evaluated Script::variable(const std::string& word) {
  if (const auto known = variables_.find(word); known != variables_.end()) return known->second;
  auto entry = session_.findEntry(place_.loaded, word);
  if (!entry) return diag::Failure(entry.error());
  ScriptValue function;
  function.entry = *entry;
  if (!place_.loaded.program()->defs[*entry].parameters.empty()) return function;
  return call(*entry, {});
}

diag::Result<std::vector<value::Value>> scriptArguments(Session& session, const ScriptPlace& place,
                                                        types::DefId entry,
                                                        const std::string& text) {
  Script script(session, place, text);
  auto result = script.run();
  if (!result) return diag::Failure(result.error());
  return script.argumentsOf(entry, *result);
}

diag::Result<std::vector<value::Value>> scriptValues(Session& session, const ScriptPlace& place,
                                                     const std::string& text) {
  Script script(session, place, text);
  auto result = script.run();
  if (!result) return diag::Failure(result.error());
  return script.valuesOf(*result);
}

diag::Result<std::vector<value::Value>> scriptFileArguments(Session& session,
                                                            const ScriptPlace& place,
                                                            types::DefId entry,
                                                            const std::string& path) {
  const std::string file = (std::filesystem::path(place.folder) / path).string();
  std::optional<std::string> text = readText(file);
  if (text) return scriptArguments(session, place, entry, *text);
  return diag::Failure(missingFile(file));
}

}  // namespace halo::session
