// The reader behind script.h: recursive descent that evaluates as it goes.
//
//   exp  ::= "let" pattern "=" exp "in" exp | atom+           application of the first atom
//   atom ::= (name | "$" name | literal | string | "(" exp, .. ")" | "{" f = exp, .. "}"
//            | "[" exp, .. "]") ("." field | "[" number "]")*
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/session/values/script.h"

namespace halo::session {

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

ScriptValue ofValue(Value value);
bool isTuple(const ScriptValue& value);
std::vector<ScriptValue> tupleFields(const ScriptValue& value);

class Script {
 public:
  Script(Session& session, const ScriptPlace& place, const std::string& text)
      : session_(session),
        place_(place),
        file_(session.files().add("script input", text)),
        text_(session.files()[file_].text) {}
  Evaluated run();
  diag::Result<std::vector<Value>> argumentsOf(types::DefId entry, const ScriptValue& whole);
  diag::Result<std::vector<Value>> valuesOf(const ScriptValue& whole) const;

 private:
  // ---- text: script.cpp

  void skipSpace();
  char peek() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c);
  bool takeWord(std::string_view word);
  std::string name();
  source::Span span(size_t begin) const;
  diag::Failure fail(std::string message) const;

  // ---- expressions: script.cpp

  Evaluated expression();
  Evaluated let();
  bool startsAtom();
  Evaluated application();
  Evaluated atom();
  Evaluated plainAtom();
  Evaluated variable(const std::string& word);

  // ---- values: script_values.cpp

  Evaluated array();
  Evaluated stacked(const std::vector<ScriptValue>& elements);
  Evaluated literal();
  Evaluated string();
  static Evaluated ofBytes(const std::string& bytes);
  static std::string toBytes(const Value& value);
  Evaluated tuple();
  Evaluated record();
  Evaluated project(const ScriptValue& record);
  Evaluated index(const ScriptValue& array);

  // ---- calls, and arguments as an entry wants them: script_calls.cpp

  // A tuple that is the only argument of a function of several parameters is all of them.
  Evaluated applied(ScriptValue function, ScriptValue argument, bool is_only);
  Evaluated call(types::DefId entry, const std::vector<ScriptValue>& arguments);
  Evaluated builtIn(const std::string& function, const ScriptValue& argument);
  static Evaluated loadBytes(const std::string& path);
  Evaluated store(const ScriptValue& name, const ScriptValue& value);
  std::optional<std::string> pathOf(const ScriptValue& name) const;
  void appendLeaves(const ScriptValue& value, std::vector<const ScriptValue*>& sources,
                    std::vector<Value>& leaves);
  // A literal without a suffix takes the type that is wanted.
  Value fitted(const Value& leaf, const ScriptValue& source, prim::ScalarType wanted);
  static prim::ScalarType typeOf(const Value& leaf) {
    return leaf.scalar() != nullptr ? leaf.scalar()->type : leaf.array()->type();
  }
  diag::Result<std::vector<Value>> arranged(types::DefId entry,
                                            const std::vector<ScriptValue>& arguments);

  Session& session_;
  const ScriptPlace& place_;
  source::FileId file_;
  std::string text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::map<std::string, ScriptValue> variables_;
};

}  // namespace halo::session
