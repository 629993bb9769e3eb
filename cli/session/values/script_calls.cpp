// The calls of scripts: entries, on the engine that the caller named, and built-in readers of
// files. And values as the arguments that an entry wants.
#include <filesystem>
#include <fstream>

#include "cli/session/values/script_reader.h"
#include "lang/engine/regroup.h"
#include "lang/value/format.h"
#include "lang/value/picture.h"
#include "lang/value/wav.h"

namespace halo::session {

using diag::Code;

diag::Result<std::vector<Value>> Script::argumentsOf(types::DefId entry, const ScriptValue& whole) {
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

diag::Result<std::vector<Value>> Script::valuesOf(const ScriptValue& whole) const {
  if (whole.isFunction()) return fail("this script gives a function");
  if (!isTuple(whole) && !whole.is_record) return std::vector<Value>{whole.value};
  std::vector<Value> values;
  for (const ScriptValue& field : tupleFields(whole)) {
    auto parts = valuesOf(field);
    if (!parts) return parts;
    std::move(parts->begin(), parts->end(), std::back_inserter(values));
  }
  return values;
}

Evaluated Script::applied(ScriptValue function, ScriptValue argument, bool is_only) {
  if (function.built_in == "store") {
    if (!function.arguments.empty()) return store(function.arguments[0], argument);
    function.arguments.push_back(std::move(argument));
    return function;
  }
  if (function.built_in == "restore" && function.arguments.empty()) {
    function.arguments.push_back(std::move(argument));  // a type, which the file follows
    return function;
  }
  // A stored value is its leaves one after another; the parameter it goes to arranges them.
  if (function.built_in == "restore") return builtIn("loaddata", argument);
  if (!function.built_in.empty()) return builtIn(function.built_in, argument);
  const size_t needed = place_.loaded.program()->defs[*function.entry].parameters.size();
  if (is_only && function.arguments.empty() && needed != 1 && isTuple(argument) &&
      tupleFields(argument).size() == needed) {
    return call(*function.entry, tupleFields(argument));
  }
  function.arguments.push_back(std::move(argument));
  if (function.arguments.size() < needed) return function;
  return call(*function.entry, function.arguments);
}

Evaluated Script::call(types::DefId entry, const std::vector<ScriptValue>& arguments) {
  auto values = arranged(entry, arguments);
  if (!values) return diag::Failure(values.error());
  const Backend backend = session_.resolve(place_.backend, *place_.loaded.program(), entry);
  auto prepared = session_.prepare(backend, place_.loaded, entry);
  if (!prepared) return diag::Failure(prepared.error());
  auto results = (*prepared)->call(*values, {session_.options().cancel});
  if (!results) return diag::Failure(results.error());
  if (results->size() == 1) return ofValue(std::move(results->front()));
  return ofValue(value::makeTuple(std::move(*results)));
}

// None: not the name of a file.
std::optional<std::string> Script::pathOf(const ScriptValue& name) const {
  const value::Array* text = name.value.array();
  if (text == nullptr || text->type() != prim::ScalarType::kU8 || text->rank() != 1) {
    return std::nullopt;
  }
  return (std::filesystem::path(place_.folder) / toBytes(name.value)).string();
}

// Its scalars and arrays one after another, in the binary format.
Evaluated Script::store(const ScriptValue& name, const ScriptValue& value) {
  const auto path = pathOf(name);
  if (!path) return fail("`$store` takes the name of a file and a value");
  if (value.isFunction()) return fail("`$store` writes no functions");
  std::vector<const ScriptValue*> sources;
  std::vector<Value> leaves;
  appendLeaves(value, sources, leaves);
  std::string bytes;
  for (const Value& leaf : leaves) {
    auto host = value::toHost(leaf);
    if (!host) return diag::Failure(host.error());
    bytes += value::toBinary(*host);
  }
  auto written = value::writeBytes(*path, bytes);
  if (!written) return diag::Failure(written.error());
  return ofValue(value::makeTuple({}));
}

Evaluated Script::builtIn(const std::string& function, const ScriptValue& argument) {
  const auto file = pathOf(argument);
  if (!file) return fail("`$" + function + "` takes the name of a file");
  const std::string& path = *file;
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

Evaluated Script::loadBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return diag::fail(Code::missing_file, {}, "no file `" + path + "`");
  return ofBytes({std::istreambuf_iterator<char>(in), {}});
}

void Script::appendLeaves(const ScriptValue& value, std::vector<const ScriptValue*>& sources,
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

diag::Result<std::vector<Value>> Script::arranged(types::DefId entry,
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
    values.push_back(leaves.size() == wanted.size() ? engine::regroup(*program, type, leaves, &next)
                                                    : value::makeTuple(std::move(leaves)));
  }
  auto checked = engine::checkArguments(*program, entry, values);
  if (!checked) return diag::Failure(checked.error());
  return values;
}

}  // namespace halo::session
