// Checking an input on top of the session's definitions, evaluating its constants, keeping both.
#include "cli/repl/workspace.h"

#include <chrono>

#include "cli/repl/outline.h"
#include "cli/session/imports.h"
#include "lang/syntax/lex/lexer.h"
#include "lang/syntax/parse/parser.h"
#include "lang/types/sizes/given.h"

namespace halo::repl {

using session::Backend;
using types::DefId;
using value::Value;
using Clock = std::chrono::steady_clock;

namespace {

constexpr char kIt[] = "it";

bool hasFunction(const types::Program& program, types::TypeId id) {
  const types::TypeNode& node = program.types[id];
  if (std::holds_alternative<types::FunctionType>(node)) return true;
  if (auto* array = std::get_if<types::ArrayType>(&node)) {
    return hasFunction(program, array->element);
  }
  const auto anyOf = [&](const std::vector<types::TypeId>& parts) {
    for (types::TypeId part : parts) {
      if (hasFunction(program, part)) return true;
    }
    return false;
  };
  if (auto* record = std::get_if<types::RecordType>(&node)) return anyOf(record->fields);
  if (auto* sum = std::get_if<types::SumType>(&node)) {
    for (const auto& payload : sum->payloads) {
      if (anyOf(payload)) return true;
    }
  }
  return false;
}

bool isConstant(const types::Program& program, const types::Def& def) {
  return def.parameters.empty() && def.type_parameters.empty() && def.size_parameters.empty() &&
         !def.built_in && !hasFunction(program, def.type);
}

// `def n = 10`: as good as its value, and the checker knows that value as a size.
bool isLiteral(const types::Program& program, types::ExprId expr) {
  const syntax::ExprNode& node = program.tree.exprs[expr].node;
  if (auto* inner = std::get_if<syntax::Parenthesised>(&node)) {
    return isLiteral(program, inner->value);
  }
  return std::holds_alternative<syntax::Number>(node) ||
         std::holds_alternative<syntax::BoolLiteral>(node);
}

std::vector<std::vector<int64_t>> shapesOf(const Value& value) {
  std::vector<std::vector<int64_t>> shapes;
  for (const Value& leaf : value::flatten(value)) {
    shapes.push_back(leaf.array() != nullptr ? leaf.array()->shape() : std::vector<int64_t>{});
  }
  return shapes;
}

void add(Times& total, const Times& times) {
  total.compile_ms += times.compile_ms;
  total.run_ms += times.run_ms;
  total.engine.transfer_ms += times.engine.transfer_ms;
  total.engine.device_ms += times.engine.device_ms;
  total.backend = times.backend;
}

std::string typeText(const Value& value) {
  if (value.scalar() != nullptr) return std::string(prim::name(value.scalar()->type));
  if (value.array() != nullptr) {
    return value::shapeText(value.array()->shape()) +
           std::string(prim::name(value.array()->type()));
  }
  std::string text;
  for (const Value& leaf : value::flatten(value)) {
    text += (text.empty() ? "" : ", ") + typeText(leaf);
  }
  return "(" + text + ")";
}

}  // namespace

const types::Program& Checked::program() const { return types::program(*workspace_->environment_); }

bool Checked::isValue() const { return isConstant(program(), definition()); }

void Workspace::start() {
  if (environment_ == nullptr) environment_ = session_.prelude();
}

types::EnvironmentRef Workspace::environment() {
  start();
  return environment_;
}

source::FileId Workspace::addInput(const std::string& text) {
  return session_.files().add("input " + std::to_string(++inputs_), text);
}

const Value* Workspace::valueOf(const std::string& name) {
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : &evaluator_.values.at(found->second);
}

Entered Workspace::enter(const std::string& text, const std::vector<Backend>& backends,
                         diag::Sink& sink) {
  start();
  const source::FileId file = addInput(text);
  switch (classify(session_.files(), file, sink)) {
    case InputKind::kExpression: {
      Entered entered = enterExpression(file, backends, sink);
      forgetExpressions();
      return entered;
    }
    case InputKind::kDeclarations:
      return enterDeclarations(file, backends, sink);
    case InputKind::kIncomplete:  // nothing more comes
    case InputKind::kNothing:
    case InputKind::kCommand:
    case InputKind::kWrong:
      break;
  }
  Entered entered;
  entered.ok = !sink.hasErrors();
  return entered;
}

// `it` in an expression, where no value has that name yet.
bool Workspace::lacksIt(source::FileId file, diag::Sink& sink) {
  if (types::findValue(*environment_, kIt)) return false;
  diag::Sink ignored;
  for (const syntax::Token& token : syntax::lex(session_.files(), file, ignored).tokens) {
    if (token.kind != syntax::TokenKind::kIdentifier || token.text != kIt) continue;
    sink.error(diag::Code::unknown_name, token.span,
               "there is no `it` yet: it is the value of the last expression");
    return true;
  }
  return false;
}

// `e` is checked as `def it = e`; in it, `it` is still the one before.
bool Workspace::checkExpression(source::FileId file, diag::Sink& sink) {
  if (lacksIt(file, sink)) return false;
  const auto parse = [&](syntax::Tree& tree) {
    syntax::FunctionDecl decl;
    decl.function.body = syntax::parseExpression(session_.files(), file, tree, sink);
    const source::Span span = tree.exprs[decl.function.body].span;
    decl.function.name = {kIt, span};
    return syntax::File{file, {tree.decls.add({std::move(decl), span, {}, {}, false})}, {}};
  };
  types::CheckOptions options;
  options.mark_entries = false;
  return types::grow(environment_, parse, options, sink);
}

std::optional<Checked> Workspace::check(const std::string& expression, diag::Sink& sink) {
  start();
  if (auto def = types::findValue(*environment_, expression)) return Checked(*this, *def, nullptr);
  auto trial = std::make_unique<Trial>(environment_, false);
  if (!checkExpression(addInput(expression), sink)) {
    trial->keep();  // nothing has changed
    return std::nullopt;
  }
  return Checked(*this, *types::findValue(*environment_, kIt), std::move(trial));
}

diag::Result<Evaluation> Workspace::evaluate(const Checked& checked, Backend backend) {
  if (types::isGiven(checked.definition()))
    return Evaluation{evaluator_.values.at(checked.def), {}};
  return evaluator_.evaluate(environment_, checked.def, backend);
}

diag::Result<Ready> Workspace::prepare(const Checked& checked, Backend backend) {
  return evaluator_.prepare(environment_, checked.def, backend);
}

// Evaluates a constant and makes its value given. False: a failure is in the sink.
bool Workspace::give(Entered& entered, DefId def, const std::vector<Backend>& backends,
                     diag::Sink& sink) {
  auto evaluation = backends.size() == 1
                        ? evaluator_.evaluate(environment_, def, backends[0])
                        : evaluator_.compare(environment_, def, backends, &entered.agreement);
  if (!evaluation) {
    sink.add(evaluation.error());
    return false;
  }
  add(entered.times, evaluation->times);
  const types::Program& program = types::program(*environment_);
  const std::string name = program.defs[def].name;
  if (!isLiteral(program, program.defs[def].body)) {
    types::giveValue(environment_, def, shapesOf(evaluation->value));
    evaluator_.values[def] = evaluation->value;
  }
  const types::Program& now = types::program(*environment_);
  const types::TypeId type = now.defs[def].type;
  entered.made.push_back(
      {name, types::print(now, type), "", std::move(evaluation->value), layoutOf(now, type)});
  return true;
}

Entered Workspace::enterExpression(source::FileId file, const std::vector<Backend>& backends,
                                   diag::Sink& sink) {
  Entered entered;
  entered.is_expression = true;
  const auto start = Clock::now();
  const size_t first_new = types::program(*environment_).defs.size();
  Trial trial(environment_, false);
  if (!checkExpression(file, sink)) {
    trial.keep();
    return entered;
  }
  entered.times.check_ms = millisecondsSince(start);
  const types::Program& program = types::program(*environment_);
  const DefId it = *types::findValue(*environment_, kIt);
  if (!isConstant(program, program.defs[it])) {
    entered.made.push_back({kIt, types::print(program, program.defs[it].type), "", {}, {}});
    entered.ok = true;
    return entered;  // a function has nothing to show; `it` stays unchanged
  }
  if (!give(entered, it, backends, sink)) return entered;
  trial.keep();
  commit(first_new);
  entered.ok = true;
  return entered;
}

// Forgetting copies the nodes that stay, which does not pay for a few.
void Workspace::forgetExpressions() {
  constexpr size_t kMaxLeftOver = 4096;
  const types::Extent now = types::extentOf(*environment_);
  if (!lasting_ || !types::isLeftOver(*environment_, *lasting_, kIt)) {
    lasting_ = now;
    return;
  }
  const auto it = types::findValue(*environment_, kIt);
  const bool is_new = it && it->index >= lasting_->defs;
  if (!is_new || now.nodes() - lasting_->nodes() < kMaxLeftOver) return;
  const auto moved = types::forgetBehind(environment_, *lasting_, *it);
  if (!moved) return;
  auto value = evaluator_.values.extract(*it);
  value.key() = *moved;
  evaluator_.values.insert(std::move(value));
  named_[kIt] = *moved;
}

// Only values and types can be added in place.
bool Workspace::checkDeclarations(source::FileId file, bool has_modules, diag::Sink& sink) {
  if (!has_modules) {
    types::CheckOptions options;
    const auto parse = [&](syntax::Tree& tree) {
      const syntax::File line = syntax::parseFile(session_.files(), file, {}, tree, sink);
      session::showLocals(tree, line);
      return line;
    };
    return types::grow(environment_, parse, options, sink);
  }
  session::LoadOptions options;
  options.is_session = true;
  auto extended = session::extendByProgram(session_.files(), environment_, file, sink, options);
  if (extended == nullptr) return false;
  environment_ = std::move(extended);
  return true;
}

Entered Workspace::enterDeclarations(source::FileId file, const std::vector<Backend>& backends,
                                     diag::Sink& sink) {
  lasting_.reset();
  Entered entered;
  const auto start = Clock::now();
  const size_t first_new = types::program(*environment_).defs.size();
  const Outline outline = outlineOf(session_.files(), file);
  Trial trial(environment_, outline.has_modules);
  if (!checkDeclarations(file, outline.has_modules, sink)) {
    trial.keep();
    return entered;
  }
  entered.times.check_ms = millisecondsSince(start);
  std::vector<DefId> given;
  for (const Declared& declared : outline.declared) {
    const auto def = types::findValue(*environment_, declared.name);
    const types::Program& program = types::program(*environment_);
    if (declared.kind != "def" || !def) {
      entered.made.push_back({declared.name, "", declared.kind, {}, {}});
    } else if (!isConstant(program, program.defs[*def])) {
      const std::string type = types::print(program, program.defs[*def].type);
      entered.made.push_back({declared.name, type, "", {}, {}});
    } else if (give(entered, *def, backends, sink)) {
      given.push_back(*def);
    } else {
      for (DefId made : given) evaluator_.values.erase(made);
      entered.made.clear();
      return entered;
    }
  }
  trial.keep();
  commit(first_new);
  entered.ok = true;
  return entered;
}

// Definitions that stay pin the values that they use; a value whose name means something else now
// is let go if no definition pins it.
void Workspace::commit(size_t first_new_def) {
  const types::Program& program = types::program(*environment_);
  for (size_t i = first_new_def; i < program.defs.size(); ++i) {
    const types::Def& def = program.defs[DefId(i)];
    if (types::isGiven(def)) {
      const auto [at, is_new] = named_.try_emplace(def.name, DefId(i));
      if (is_new) continue;
      if (pinned_.count(at->second) == 0) evaluator_.values.erase(at->second);
      at->second = DefId(i);
    } else if (!def.is_prelude && def.body.valid()) {
      for (DefId given : types::givenFor(program, DefId(i))) pinned_.insert(given);
      const auto hidden = named_.find(def.name);
      if (hidden == named_.end()) continue;
      if (pinned_.count(hidden->second) == 0) evaluator_.values.erase(hidden->second);
      named_.erase(hidden);
    }
  }
}

bool Workspace::load(const std::string& path, diag::Sink& sink) {
  start();
  lasting_.reset();
  std::optional<std::string> text = session::readText(path);
  if (!text) {
    sink.error(diag::Code::missing_file, {}, "there is no readable file `" + path + "`");
    return false;
  }
  const source::FileId file = session_.files().add(path, std::move(*text));
  const size_t first_new = types::program(*environment_).defs.size();
  Trial trial(environment_, true);
  types::forgetImports(environment_);
  if (!checkDeclarations(file, true, sink)) return false;
  trial.keep();
  commit(first_new);
  return true;
}

// The checker sees a hole of the value's type; the value itself comes with the calls.
bool Workspace::define(const std::string& name, Value value, diag::Sink& sink) {
  start();
  lasting_.reset();
  const source::FileId file = addInput("def " + name + ": " + typeText(value) + " = ???");
  const size_t first_new = types::program(*environment_).defs.size();
  if (!checkDeclarations(file, false, sink)) return false;
  const DefId def = *types::findValue(*environment_, name);
  types::giveValue(environment_, def, shapesOf(value));
  evaluator_.values[def] = std::move(value);
  commit(first_new);
  return true;
}

void Workspace::reset() {
  environment_ = nullptr;
  lasting_.reset();
  evaluator_.values.clear();
  named_.clear();
  pinned_.clear();
}

}  // namespace halo::repl
