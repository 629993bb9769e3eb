// Checked program to resolved tree, once per definition that an entry reaches.
//
// A function's frame: its arguments, then every variable it binds, one slot each. Its env: type
// arguments, size arguments, captured variables. Definitions capture nothing.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interp/function.h"
#include "interp/intrinsics.h"
#include "interp/last_use.h"
#include "interp/scope.h"
#include "lang/types/infer/derivatives.h"

namespace halo::interp {

class Preparation : public SizeExpressions {
 public:
  explicit Preparation(const types::Program& program)
      : program_(program), kept_(namedInSizes(program)) {
    if (types::hasDerivatives(program)) namePrelude();
  }

  // The function of a definition, with all that it reaches ready to run. Fails (in `state`) if
  // expressions are nested too deeply for the stack.
  const Function* prepare(types::DefId def, State& state);

  // Runs the program's constants that the prepared code reaches, in the order of definition. They
  // come before everything else (design.md#representations), as do failures on every engine.
  void runConstants(State& state) const;

  // Whether a function that was prepared calls itself.
  bool isRecursive() const { return is_recursive_; }

  NodeRef sizeExpression(syntax::ExprId expr, Scope& scope) override;

 private:
  friend class ExprPreparation;

  void namePrelude();

  struct Unfinished {
    types::DefId def;
    UserFunction* function;
  };
  const Function* functionOf(types::DefId def);  // its body may still be on the list
  const Function* primitive(const types::PrimMeaning& meaning);
  // `**` on floats is a definition of the prelude (language.md#semantics), nothing else is.
  const Function* libraryFunction(const types::PrimMeaning& meaning);
  const Function* builtIn(const types::Def& def);
  // Definitions of the prelude beside `def` that say how it is differentiated.
  UserFunction::Derivative derivativeOf(const types::Def& def);
  const Function* preludeFunction(const std::string& name);
  NodeRef resultTypeOf(const types::Def& def, types::Intrinsic kind, int arity);
  void prepareBody(const Unfinished& next);
  template <typename T>
  T* keep(std::unique_ptr<T> function) {
    T* result = function.get();
    functions_.push_back(std::move(function));
    return result;
  }

  const types::Program& program_;
  const std::unordered_set<types::BinderId> kept_;
  State* state_ = nullptr;  // while preparing
  std::vector<std::unique_ptr<Function>> functions_;
  std::unordered_map<types::DefId, const Function*> by_def_;
  std::vector<Unfinished> todo_;
  std::map<types::DefId, NodeRef> constants_;  // of the program, those mentioned
  // Definitions of the prelude by name; filled if something is differentiated.
  std::unordered_map<std::string, types::DefId> prelude_;
  bool is_recursive_ = false;
  std::unordered_set<syntax::ExprId> last_uses_;
};

}  // namespace halo::interp
