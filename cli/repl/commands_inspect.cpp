// Commands that look without evaluating: types, documentation, stages of the compiler.
#include <fmt/format.h>

#include "cli/repl/commands.h"
#include "cli/repl/repl.h"
#include "cli/session/documentation.h"
#include "cli/session/prelude.h"
#include "cli/session/stages.h"
#include "lang/types/modules/visible.h"
#include "lang/types/sizes/given.h"

namespace halo::repl {

namespace {

// `a.b.c` as `a`, `b`, `c`.
std::vector<std::string> pathOf(const std::string& name) {
  std::vector<std::string> path;
  size_t begin = 0;
  for (size_t dot = 0; (dot = name.find('.', begin)) != std::string::npos; begin = dot + 1) {
    path.push_back(name.substr(begin, dot - begin));
  }
  path.push_back(name.substr(begin));
  return path;
}

// Whether the session sees `m.t`, a type or a module in a module.
bool isVisible(const types::Environment& environment, const std::string& name) {
  std::vector<std::string> path = pathOf(name);
  const std::string last = path.back();
  path.pop_back();
  const types::VisibleNames names = types::visibleIn(environment, {}, path);
  return names.types.contains(last) || names.modules.contains(last) ||
         names.parametric_modules.contains(last) || names.module_types.contains(last);
}

// The members of `module m = import ".."`, whose declarations are those of another file.
std::string membersSeen(const types::Environment& environment, const std::string& module) {
  const types::VisibleNames names = types::visibleIn(environment, {}, pathOf(module));
  std::string members;
  const auto add = [&](const char* kind, const std::set<std::string>& found) {
    for (const std::string& name : found) members += fmt::format("  {} {}\n", kind, name);
  };
  add("type", names.types);
  add("module type", names.module_types);
  add("module", names.modules);
  add("module", names.parametric_modules);
  for (const std::string& name : names.values) {
    const auto id = types::findValue(environment, module + "." + name);
    const types::Program& program = types::program(environment);
    const std::string type = id ? " : " + types::print(program, program.defs[*id].type) : "";
    members += fmt::format("  {}{}\n", name, type);
  }
  return members.empty() ? "" : "it has\n" + members;
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

struct Described {
  std::string text;
  std::optional<source::Span> declaration;  // none: of a value
};
Described described(const types::Program& program, const std::string& name, std::string text) {
  return {std::move(text), session::declarationOf(program, name)};
}

// Of the session's names, else of the prelude as a whole, of which it knows only names.
std::optional<Described> documentationOf(Repl& repl, const std::string& name) {
  diag::Sink sink;
  const types::EnvironmentRef environment = repl.workspace().environment();
  const types::Program& program = types::program(*environment);
  if (types::findValue(*environment, name) ||
      (isVisible(*environment, name) && session::declarationOf(program, name))) {
    if (auto text = session::documentation(program, name)) {
      if (session::isImport(program, name)) *text += membersSeen(*environment, name);
      return described(program, name, *text);
    }
  }
  if (const auto at = types::declaredAt(*environment, pathOf(name))) {
    if (auto text = session::documentationAt(program, *at)) return Described{*text, at};
  }
  const types::EnvironmentRef prelude = session::wholePrelude(repl.session().files(), sink);
  if (prelude == nullptr) return std::nullopt;
  const types::Program& whole = types::program(*prelude);
  auto text = session::documentation(whole, name);
  return text ? std::optional(described(whole, name, *text)) : std::nullopt;
}

bool unknown(Repl& repl, const std::string& name) {
  std::string message = "there is no `" + name + "`";
  const types::EnvironmentRef environment = repl.workspace().environment();
  if (auto near = diag::didYouMean(name, types::visibleNames(*environment))) {
    message += ", did you mean `" + *near + "`?";
  }
  return repl.fail(message);
}

size_t bytesOf(const value::Value& value) {
  size_t bytes = 0;
  for (const value::Value& leaf : value::flatten(value)) {
    const auto type = leaf.array() != nullptr ? leaf.array()->type() : leaf.scalar()->type;
    const int64_t count = leaf.array() != nullptr ? leaf.array()->elements() : 1;
    bytes += static_cast<size_t>(count * prim::byteSize(type));
  }
  return bytes;
}

bool isOnDevice(const value::Value& value) {
  for (const value::Value& leaf : value::flatten(value)) {
    if (leaf.array() != nullptr && !leaf.array()->onHost()) return true;
  }
  return false;
}

std::string placeOf(Repl& repl, const source::Span& span) {
  const source::Files& files = repl.session().files();
  if (!files.contains(span.file)) return "";
  const source::LineColumn at = files.locate(span.file, span.begin);
  return fmt::format("{}:{}", files[span.file].name, at.line);
}

// Of a type, a module or a module type, else of a name that no line has used yet.
bool describeOther(Repl& repl, const std::string& name) {
  const auto found = documentationOf(repl, name);
  if (!found) return unknown(repl, name);
  repl.say(found->text.substr(0, found->text.find_last_not_of('\n') + 1));
  if (session::isLogicOperator(name)) return true;
  if (!found->declaration) {
    repl.say("  from the prelude; `:core " + name + " ..` shows the code of a use");
  } else {
    const std::string place = placeOf(repl, *found->declaration);
    const bool is_own = !place.empty() && !place.starts_with("stdlib/");
    repl.say(is_own ? "  defined in " + place : "  from the prelude");
  }
  return true;
}

bool printStage(Repl& repl, const std::string& expression, const std::string& stage) {
  const auto checked = repl.check(expression);
  if (!checked) return false;
  if (!checked->definition().type_parameters.empty()) {
    return repl.fail("`" + expression + "` has any type, compiled code has one: apply it");
  }
  if (types::isGiven(checked->definition()) || checked->definition().built_in) {
    return repl.fail("`" + expression + "` is there already, no code makes it");
  }
  auto text = session::stageText(repl.session(), checked->program(), checked->def, stage);
  if (!text) return repl.fail(text.error());
  if (text->empty()) repl.say("-- no kernel: the host computes this");
  repl.print(*text);
  return true;
}

}  // namespace

bool runType(Repl& repl, const std::string& argument) {
  const auto checked = repl.check(argument.empty() ? "it" : argument);
  if (!checked) return false;
  repl.say((argument.empty() ? "it" : argument) + " : " + checked->type());
  return true;
}

bool runDoc(Repl& repl, const std::string& argument) {
  if (argument.empty()) return repl.fail("`:doc` takes a name, such as `:doc map`");
  const std::string name = session::bareName(argument);
  const auto found = documentationOf(repl, name);
  if (!found) return unknown(repl, name);
  repl.print(found->text);
  return true;
}

bool runInfo(Repl& repl, const std::string& argument) {
  const std::string name = argument.empty() ? "it" : session::bareName(argument);
  const types::EnvironmentRef environment = repl.workspace().environment();
  const auto id = types::findValue(*environment, name);
  if (!id) return describeOther(repl, name);
  const types::Program& program = types::program(*environment);
  const types::Def& def = program.defs[*id];
  repl.say(name + " : " + types::print(program, def.type));
  if (const value::Value* value = repl.workspace().valueOf(name)) {
    repl.say(fmt::format("  a value of {} bytes, {}", bytesOf(*value),
                         isOnDevice(*value) ? "on the device" : "in main memory"));
  } else if (def.built_in) {
    repl.say("  built into the engines");
  }
  const std::string place = placeOf(repl, def.span);
  if (!place.empty()) repl.say("  defined in " + place);
  if (!def.doc.empty()) repl.say("  " + firstLine(def.doc));
  return true;
}

// `:core@fuse e`: the word behind `@` names a pass.
bool runCore(Repl& repl, const std::string& argument) {
  if (!argument.starts_with("@")) return printStage(repl, argument, "core");
  const size_t space = argument.find(' ');
  return printStage(repl, argument.substr(std::min(argument.size(), space + 1)),
                    "core" + argument.substr(0, space));
}

bool runLlvm(Repl& repl, const std::string& argument) { return printStage(repl, argument, "llvm"); }

bool runGlsl(Repl& repl, const std::string& argument) { return printStage(repl, argument, "glsl"); }

}  // namespace halo::repl
