// Recursive functions: they must pass on function arguments as they are, and they give no function;
// only then does each call site know its callee.
#include <fmt/format.h>

#include <algorithm>

#include "lang/syntax/visit.h"
#include "lang/types/declare/recursion.h"
#include "lang/types/intrinsics.h"
#include "lang/types/sizes/size_scope.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

class Recursion {
 public:
  Recursion(const Program& program, DefId id, const SizeOrder& order, diag::Sink& sink)
      : program_(program), id_(id), def_(program.defs[id]), order_(order), sink_(sink) {}

  void check() {
    if (mayBeFunction(program_, def_.result)) {
      reportResult();
      return;
    }
    bool takes_functions = std::any_of(def_.parameters.begin(), def_.parameters.end(),
                                       [&](PatternId parameter) { return isFunction(parameter); });
    if (takes_functions) walk();
  }

 private:
  void reportResult() {
    const bool is_open = std::holds_alternative<ParamType>(program_.types[def_.result]);
    auto& diagnostic = sink_.error(
        Code::function_not_first_class, def_.span,
        is_open ? fmt::format("only calls of itself give the result of `{}` a type", def_.name)
                : fmt::format("`{}` calls itself and gives a function, of type `{}`", def_.name,
                              print(program_, def_.result)));
    if (is_open) diagnostic.notes.push_back("help: write the type of the result, `: t`");
    const std::string symbol = def_.name.substr(def_.name.find_last_of('.') + 1);
    if (!binaryOperator(symbol)) return;
    diagnostic.notes.push_back(fmt::format(
        "help: the built-in `{0}` of a type is `i32.{0}`, with the type in front", symbol));
  }

  bool isFunction(PatternId parameter) const {
    return mayBeFunction(program_, program_.pattern_type.at(parameter));
  }

  bool isSelf(ExprId expr) const {
    const auto& use = program_.use_of.at(expr);
    auto* target = use ? std::get_if<DefTarget>(&use->target) : nullptr;
    return target && target->def == id_;
  }

  bool isPiped(ExprId expr) const {
    return order_.argument_first.contains(expr) || order_.function_first.contains(expr);
  }

  void walk() {
    std::vector<ExprId> open = {def_.body};
    while (!open.empty()) {
      ExprId expr = open.back();
      open.pop_back();
      std::vector<ExprId> arguments;
      while (auto* apply = std::get_if<Apply>(&program_.tree.exprs[expr].node)) {
        arguments.push_back(apply->argument);
        const bool is_piped = isPiped(expr);
        expr = apply->function;
        if (is_piped) break;  // `x |> f y` calls the result of `f y`
      }
      std::reverse(arguments.begin(), arguments.end());
      open.insert(open.end(), arguments.begin(), arguments.end());
      if (std::holds_alternative<Apply>(program_.tree.exprs[expr].node)) {
        open.push_back(expr);
        continue;
      }
      if (isSelf(expr)) checkCall(expr, arguments);
      forEachChild(program_.tree.exprs[expr].node, [&](ExprId child) { open.push_back(child); });
    }
  }

  // The variable that a pattern binds, if it is nothing but that.
  BinderId nameOf(PatternId pattern) const {
    const PatternNode& node = program_.tree.patterns[pattern].node;
    if (auto* typed = std::get_if<PatternTyped>(&node)) return nameOf(typed->pattern);
    if (auto* attributed = std::get_if<PatternAttributed>(&node)) {
      return nameOf(attributed->pattern);
    }
    return std::holds_alternative<PatternName>(node) ? program_.binder_of.at(pattern) : BinderId();
  }

  bool passesOn(ExprId argument, BinderId name) const {
    while (auto* inner = std::get_if<Parenthesised>(&program_.tree.exprs[argument].node)) {
      argument = inner->value;
    }
    const auto& use = program_.use_of.at(argument);
    auto* local = use ? std::get_if<LocalTarget>(&use->target) : nullptr;
    return local && name && local->binder == name;
  }

  void checkCall(ExprId callee, const std::vector<ExprId>& arguments) {
    if (arguments.size() < def_.parameters.size()) {
      sink_.error(Code::function_not_first_class, program_.tree.exprs[callee].span,
                  fmt::format("`{}` takes functions and calls itself with {} of {} arguments: "
                              "give it all of them, without pipes",
                              def_.name, arguments.size(), def_.parameters.size()));
      return;
    }
    for (size_t i = 0; i < def_.parameters.size(); ++i) {
      if (!isFunction(def_.parameters[i])) continue;
      BinderId name = nameOf(def_.parameters[i]);
      if (i < arguments.size() && passesOn(arguments[i], name)) continue;
      ExprId where = i < arguments.size() ? arguments[i] : callee;
      std::string parameter = name ? fmt::format("`{}`", program_.binders[name].name) : "unnamed";
      sink_.error(Code::function_not_first_class, program_.tree.exprs[where].span,
                  fmt::format("`{}` calls itself with another function as argument {}, it has to "
                              "pass its own parameter {} on",
                              def_.name, i + 1, parameter));
    }
  }

  const Program& program_;
  DefId id_;
  const Def& def_;
  const SizeOrder& order_;
  diag::Sink& sink_;
};

}  // namespace

void checkRecursion(const Program& program, DefId def, const SizeOrder& order, diag::Sink& sink) {
  Recursion(program, def, order, sink).check();
}

}  // namespace halo::types
