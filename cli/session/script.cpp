// A recursive-descent reader that evaluates as it goes.
//
//   exp  ::= "let" pattern "=" exp "in" exp | atom+           application of the first atom
//   atom ::= (name | "$" name | literal | string | "(" exp, .. ")" | "{" f = exp, .. "}"
//            | "[" exp, .. "]") ("." field | "[" number "]")*
#include "cli/session/script.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>

#include "cli/session/imports.h"
#include "lang/engine/regroup.h"
#include "lang/value/format.h"
#include "lang/value/wav.h"

namespace halo::session {
namespace {

using diag::Code;
using value::Value;

// A value; or a function, which is an entry or built-in with the arguments that it has so far.
struct ScriptValue {
  Value value;
  std::string literal;  // how a literal was written: it takes the type that it is used at
  std::optional<types::DefId> entry;
  std::string built_in;
  std::vector<ScriptValue> arguments;
  std::vector<ScriptValue> fields;  // of a tuple or record written in the script
  std::vector<std::string> names;
  bool is_record = false;

  bool isFunction() const { return entry.has_value() || !built_in.empty(); }
};
using Evaluated = diag::Result<ScriptValue>;

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

bool startsName(char c) { return isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool inName(char c) { return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\''; }

class Script {
 public:
  Script(Session& session, const ScriptPlace& place, const std::string& text)
      : session_(session),
        place_(place),
        file_(session.files().add("script input", text)),
        text_(session.files()[file_].text) {}

  Evaluated run() {
    auto result = expression();
    if (result && (skipSpace(), at_ < text_.size())) return fail("the script should end here");
    return result;
  }

  diag::Result<std::vector<Value>> argumentsOf(types::DefId entry, const ScriptValue& whole) {
    const auto& parameters = place_.loaded.program()->defs[entry].parameters;
    std::vector<ScriptValue> arguments = {whole};
    if (parameters.size() != 1 && isTuple(whole)) arguments = tupleFields(whole);
    if (arguments.size() != parameters.size()) {
      return diag::fail(Code::wrong_argument_count, span(0),
                        "the script gives " + std::to_string(arguments.size()) +
                            " arguments, the entry takes " + std::to_string(parameters.size()));
    }
    return arranged(entry, arguments);
  }

 private:
  // ---- reading

  void skipSpace() {
    while (at_ < text_.size() && isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  char peek() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    const size_t end = at_ + word.size();
    if (text_.compare(at_, word.size(), word) != 0) return false;
    if (end < text_.size() && inName(text_[end])) return false;
    at_ = end;
    return true;
  }
  std::string name() {
    skipSpace();
    const size_t begin = at_;
    while (at_ < text_.size() && inName(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  source::Span span(size_t begin) const {
    return {file_, static_cast<uint32_t>(begin),
            static_cast<uint32_t>(std::min(begin + 1, text_.size()))};
  }
  diag::Failure fail(std::string message) const {
    return diag::fail(Code::malformed_test_block, span(at_), std::move(message));
  }

  Evaluated expression() {
    if (++depth_ > 200) return fail("the script is nested too deeply");
    auto result = takeWord("let") ? let() : application();
    --depth_;
    return result;
  }

  Evaluated let() {
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

  bool startsAtom() {
    const char c = peek();
    if (c == '\0' || c == ')' || c == ']' || c == '}' || c == ',' || c == '=') return false;
    const size_t before = at_;
    const bool ends = takeWord("in");
    at_ = before;
    return !ends;
  }

  Evaluated application() {
    auto function = atom();
    while (function && startsAtom()) {
      if (!function->isFunction()) return fail("an argument of something that is no function");
      auto argument = atom();
      if (!argument) return argument;
      function = applied(std::move(*function), std::move(*argument));
    }
    return function;
  }

  Evaluated atom() {
    auto value = plainAtom();
    // `x.f` and `x[0]` without spaces; literals have taken their own dots already.
    while (value && at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '[')) {
      if (value->isFunction()) break;
      value = text_[at_] == '.' ? project(*value) : index(*value);
    }
    return value;
  }

  Evaluated plainAtom() {
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

  Evaluated variable(const std::string& word) {
    if (const auto known = variables_.find(word); known != variables_.end()) return known->second;
    auto entry = session_.findEntry(place_.loaded, word);
    if (!entry) return diag::Failure(entry.error());
    ScriptValue function;
    function.entry = *entry;
    if (!place_.loaded.program()->defs[*entry].parameters.empty()) return function;
    return call(*entry, {});
  }

  // An array of literals is one literal.
  Evaluated array() {
    const size_t begin = at_;
    if (auto whole = literal()) return whole;
    at_ = begin + 1;
    std::vector<ScriptValue> elements;
    while (peek() != ']') {
      auto element = expression();
      if (!element) return element;
      elements.push_back(std::move(*element));
      if (!take(',')) break;
    }
    if (!take(']')) return fail("`]` is missing here");
    return stacked(elements);
  }

  // Scalars or arrays of one type, one after another.
  Evaluated stacked(const std::vector<ScriptValue>& elements) {
    std::optional<Value> model;
    for (const ScriptValue& element : elements) {
      const bool is_leaf = !element.is_record && !element.isFunction() &&
                           (element.value.scalar() != nullptr || element.value.array() != nullptr);
      if (!is_leaf) return fail("an array of a script consists of scalars and arrays");
      if (!model || element.literal.empty()) model = element.value;
    }
    if (!model) return fail("an array without elements has no type");
    std::vector<int64_t> shape;
    if (model->array() != nullptr) shape = model->array()->shape();
    shape.insert(shape.begin(), static_cast<int64_t>(elements.size()));
    auto result = value::makeArray(typeOf(*model), shape);
    if (!result) return diag::Failure(result.error());
    int64_t at = 0;
    for (const ScriptValue& element : elements) {
      const Value leaf = fitted(element.value, element, typeOf(*model));
      const value::Array* row = leaf.array();
      const bool fits =
          typeOf(leaf) == typeOf(*model) &&
          (row != nullptr ? row->shape() == std::vector(shape.begin() + 1, shape.end())
                          : shape.size() == 1);
      if (!fits) return fail("the elements of this array have different types");
      if (row == nullptr) value::setAt(*result, at++, *leaf.scalar());
      for (int64_t i = 0; row != nullptr && i < row->elements(); ++i) {
        value::setAt(*result, at++, row->at(i));
      }
    }
    return ofValue(std::move(*result));
  }

  Evaluated literal() {
    auto offset = static_cast<uint32_t>(at_);
    auto value = value::parseValue(session_.files(), file_, &offset);
    if (!value) return diag::Failure(value.error());
    if (!value->has_value()) return fail("a value is missing here");
    ScriptValue result = ofValue(std::move(**value));
    result.literal = std::string(text_.substr(at_, offset - at_));
    at_ = offset;
    return result;
  }

  Evaluated string() {
    const size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return fail("this string does not end");
    const std::string bytes(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return ofBytes(bytes);
  }
  static Evaluated ofBytes(const std::string& bytes) {
    auto array = value::makeArray(prim::ScalarType::kU8, {static_cast<int64_t>(bytes.size())});
    if (!array) return diag::Failure(array.error());
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(array->data()));
    return ofValue(std::move(*array));
  }
  static std::string toBytes(const Value& value) {
    std::string bytes;
    for (int64_t i = 0; i < value.array()->elements(); ++i) {
      bytes.push_back(static_cast<char>(value.array()->at(i).bits));
    }
    return bytes;
  }

  Evaluated tuple() {
    ScriptValue tuple;
    tuple.is_record = true;
    while (peek() != ')') {
      auto field = expression();
      if (!field) return field;
      tuple.names.push_back(std::to_string(tuple.fields.size()));
      tuple.fields.push_back(std::move(*field));
      if (!take(',')) break;
    }
    if (!take(')')) return fail("`)` is missing here");
    if (tuple.fields.size() == 1) return ScriptValue(tuple.fields.front());
    return tuple;
  }

  Evaluated record() {
    std::map<std::string, ScriptValue> fields;
    while (peek() != '}') {
      const std::string field = name();
      if (field.empty()) return fail("a field is missing here");
      auto value = take('=') ? expression() : variable(field);
      if (!value) return value;
      fields[field] = std::move(*value);
      if (!take(',')) break;
    }
    if (!take('}')) return fail("`}` is missing here");
    ScriptValue record;
    record.is_record = true;
    for (auto& [field, value] : fields) {
      record.names.push_back(field);
      record.fields.push_back(std::move(value));
    }
    return record;
  }

  Evaluated project(const ScriptValue& record) {
    ++at_;
    const std::string field = name();
    const auto* whole = record.value.record();
    if (!record.is_record && whole == nullptr) return fail("a field of something without fields");
    const auto& names = record.is_record ? record.names : whole->names;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] != field) continue;
      return record.is_record ? record.fields[i] : ofValue(whole->fields[i]);
    }
    return fail("there is no field `" + field + "`");
  }

  Evaluated index(const ScriptValue& array) {
    ++at_;
    const std::string number = name();
    if (!take(']')) return fail("`]` is missing here");
    const bool is_number = !number.empty() && number.size() < 18 &&
                           number.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) return fail("an index of a script is a number");
    const int64_t position = std::stoll(number);
    const bool is_array = array.value.array() != nullptr || array.value.record() != nullptr ||
                          (array.value.sum() != nullptr && array.value.sum()->rank > 0);
    if (array.is_record || !is_array || position >= value::lengthOf(array.value)) {
      return fail("there is no element `" + number + "`");
    }
    return ofValue(value::elementOf(array.value, position));
  }

  // ---- calls

  Evaluated applied(ScriptValue function, ScriptValue argument) {
    if (function.built_in == "restore" && function.arguments.empty()) {
      function.arguments.push_back(std::move(argument));  // a type, which the file follows
      return function;
    }
    // A stored value is its leaves one after another; the parameter it goes to arranges them.
    if (function.built_in == "restore") return builtIn("loaddata", argument);
    if (!function.built_in.empty()) return builtIn(function.built_in, argument);
    const size_t needed = place_.loaded.program()->defs[*function.entry].parameters.size();
    if (function.arguments.empty() && needed != 1 && isTuple(argument) &&
        tupleFields(argument).size() == needed) {
      return call(*function.entry, tupleFields(argument));
    }
    function.arguments.push_back(std::move(argument));
    if (function.arguments.size() < needed) return function;
    return call(*function.entry, function.arguments);
  }

  Evaluated call(types::DefId entry, const std::vector<ScriptValue>& arguments) {
    auto values = arranged(entry, arguments);
    if (!values) return diag::Failure(values.error());
    auto prepared = session_.prepare(place_.backend, place_.loaded, entry);
    if (!prepared) return diag::Failure(prepared.error());
    auto results = (*prepared)->call(*values, {session_.options().cancel});
    if (!results) return diag::Failure(results.error());
    if (results->size() == 1) return ofValue(std::move(results->front()));
    return ofValue(value::makeTuple(std::move(*results)));
  }

  Evaluated builtIn(const std::string& function, const ScriptValue& argument) {
    const value::Array* name = argument.value.array();
    if (name == nullptr || name->type() != prim::ScalarType::kU8 || name->rank() != 1) {
      return fail("`$" + function + "` takes the name of a file");
    }
    const std::string path =
        (std::filesystem::path(place_.folder) / toBytes(argument.value)).string();
    if (function == "loadbytes") return loadBytes(path);
    if (function == "loadaudio") {
      auto bytes = loadBytes(path);
      if (!bytes) return bytes;
      auto sound = value::readWav(toBytes(bytes->value), span(at_));
      if (!sound) return diag::Failure(sound.error());
      return ofValue(std::move(*sound));
    }
    if (function == "loadimg") {
      auto picture = value::readPng(path);
      if (!picture) return diag::Failure(picture.error());
      return ofValue(std::move(*picture));
    }
    if (function != "loaddata") return fail("there is no `$" + function + "` here");
    auto values = value::readFile(session_.files(), path, std::nullopt);
    if (!values) return diag::Failure(values.error());
    if (values->size() == 1) return ofValue(std::move(values->front()));
    return ofValue(value::makeTuple(std::move(*values)));
  }

  static Evaluated loadBytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return diag::fail(Code::missing_file, {}, "no file `" + path + "`");
    return ofBytes({std::istreambuf_iterator<char>(in), {}});
  }

  // ---- arguments as an entry wants them

  void appendLeaves(const ScriptValue& value, std::vector<const ScriptValue*>& sources,
                    std::vector<Value>& leaves) {
    if (value.is_record) {
      for (const ScriptValue& field : value.fields) appendLeaves(field, sources, leaves);
      return;
    }
    for (Value& leaf : value::flatten(value.value)) {
      leaves.push_back(std::move(leaf));
      sources.push_back(&value);
    }
  }

  static prim::ScalarType typeOf(const Value& leaf) {
    return leaf.scalar() != nullptr ? leaf.scalar()->type : leaf.array()->type();
  }

  // A literal without a suffix takes the type that is wanted.
  Value fitted(const Value& leaf, const ScriptValue& source, prim::ScalarType wanted) {
    if (source.literal.empty() || typeOf(leaf) == wanted) return leaf;
    const source::FileId file = session_.files().add("script input", source.literal);
    uint32_t offset = 0;
    auto value = value::parseValue(session_.files(), file, &offset, wanted);
    return value && value->has_value() ? **value : leaf;
  }

  diag::Result<std::vector<Value>> arranged(types::DefId entry,
                                            const std::vector<ScriptValue>& arguments) {
    const auto program = place_.loaded.program();
    const auto& parameters = program->defs[entry].parameters;
    std::vector<Value> values;
    for (size_t i = 0; i < arguments.size() && i < parameters.size(); ++i) {
      const types::TypeId type = program->pattern_type.at(parameters[i]);
      const auto wanted = types::leaves(*program, type);
      std::vector<const ScriptValue*> sources;
      std::vector<Value> leaves;
      appendLeaves(arguments[i], sources, leaves);
      for (size_t k = 0; k < leaves.size() && k < wanted.size(); ++k) {
        leaves[k] = fitted(leaves[k], *sources[k], wanted[k].scalar);
      }
      size_t next = 0;
      values.push_back(leaves.size() == wanted.size()
                           ? engine::regroup(*program, type, leaves, &next)
                           : value::makeTuple(std::move(leaves)));
    }
    auto checked = engine::checkArguments(*program, entry, values);
    if (!checked) return diag::Failure(checked.error());
    return values;
  }

  Session& session_;
  const ScriptPlace& place_;
  source::FileId file_;
  std::string text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::map<std::string, ScriptValue> variables_;
};

}  // namespace

diag::Result<std::vector<value::Value>> scriptArguments(Session& session, const ScriptPlace& place,
                                                        types::DefId entry,
                                                        const std::string& text) {
  Script script(session, place, text);
  auto result = script.run();
  if (!result) return diag::Failure(result.error());
  return script.argumentsOf(entry, *result);
}

diag::Result<std::vector<value::Value>> scriptFileArguments(Session& session,
                                                            const ScriptPlace& place,
                                                            types::DefId entry,
                                                            const std::string& path) {
  const std::string file = (std::filesystem::path(place.folder) / path).string();
  std::optional<std::string> text = readText(file);
  if (text) return scriptArguments(session, place, entry, *text);
  return diag::fail(Code::missing_file, {}, "there is no readable file `" + file + "`");
}

}  // namespace halo::session
