// Internal to the check of uniqueness: the base of the walks. It binds and looks up names, keeps
// the record of consumption and reports violations.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "lang/syntax/ast.h"
#include "lang/types/consume/consume_state.h"

namespace halo::types {

class ConsumptionPart {
 protected:
  using Uses = ConsumptionState::Uses;

  explicit ConsumptionPart(ConsumptionState& state)
      : state_(state),
        program_(state.program),
        sharing_(state.sharing),
        roots_(state.roots),
        consumed_order_(state.consumed_order),
        reported_(state.reported),
        regions_(state.regions),
        depth_(state.depth) {}

  Alias eval(ExprId expr);

  // ---- names (consume_names.cpp)
  int newRoot(std::string name, Span span, RootKind kind = RootKind::kValue);
  Alias ownRoots(TypeId type, const Uniqueness& stars, const std::string& name, Span span);
  void bind(PatternId pattern, const Alias& alias);
  void bindName(BinderId binder, Alias alias);
  std::optional<ExprId> variableOf(ExprId expr) const;
  Alias lookUp(ExprId variable);
  void note(ExprId expr, BinderId binder, const Alias& value);
  Alias useVariable(ExprId expr);
  void use(const Alias& alias, ExprId expr);
  void useRoots(const Roots& roots, ExprId expr, size_t since = 0);
  void consume(const Roots& roots, Span span, const std::string& name);
  ConsumedRoots takeSince(size_t mark);
  void putBack(const ConsumedRoots& consumed);
  bool isOutside(int root) const { return roots_[static_cast<size_t>(root)].depth < depth_; }

  // ---- messages (consume_report.cpp)
  std::string nameOf(ExprId expr) const;
  diag::Diagnostic& error(diag::Code code, Span span, std::string message);
  void labelOrigin(diag::Diagnostic& diagnostic, int root);
  std::string describe(int root) const;
  void reportUse(int root, const Consumed& consumed, ExprId expr);

  // ---- functions as values (consume_functions.cpp)
  // Whether a value of this type holds functions.
  bool mayCall(TypeId type) const;
  // Reports a function of type `found` that cannot stand where one of type `needed` is expected.
  void checkFunction(Span span, TypeId found, TypeId needed, const Alias& value);
  struct Making {  // of a function: what there was before
    size_t consumed, roots;
  };
  void rejectConsumed(const Making& making, Span span);

  TypeId typeOf(ExprId expr) const { return program_.type_of.at(expr); }
  Span span(ExprId expr) const { return program_.tree.exprs[expr].span; }
  Span resultSpan(ExprId body) const;
  TypeId resultType(TypeId type, size_t parameters) const;
  const syntax::ExprNode& node(ExprId expr) const { return program_.tree.exprs[expr].node; }
  const FunctionType* functionType(TypeId type) const {
    return type ? std::get_if<FunctionType>(&program_.types[type]) : nullptr;
  }
  const RecordType* recordType(TypeId type) const {
    return type ? std::get_if<RecordType>(&program_.types[type]) : nullptr;
  }

  ConsumptionState& state_;
  const Program& program_;
  SharingTypes& sharing_;
  std::vector<Root>& roots_;
  std::vector<int>& consumed_order_;
  std::unordered_set<int>& reported_;
  std::vector<ConsumptionState::Region>& regions_;
  int& depth_;

 private:
  Alias complete(TypeId type, const Alias& alias, const std::string& name, Span span);
  Alias dataOf(TypeId type, const Roots& roots, const Def& def);
  void reportConsume(int root, Span span);
};

}  // namespace halo::types
