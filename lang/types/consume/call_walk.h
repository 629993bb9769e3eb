// Internal to the check of uniqueness: the part of the walk (walks.h) that follows applications.
#pragma once

#include <optional>
#include <vector>

#include "lang/types/consume/consume_part.h"

namespace halo::types {

// consume_call.cpp: applications; consume_parametric.cpp: results of an unknown type
class CallWalk : ConsumptionPart {
 public:
  explicit CallWalk(ConsumptionState& state) : ConsumptionPart(state) {}
  Alias evalApply(ExprId expr);
  Alias evalBinary(ExprId expr, const syntax::Binary& node);
  Alias evalSection(ExprId expr, const syntax::OperatorSection& node);

 private:
  struct Argument {
    ExprId expr;
    TypeId parameter;  // none: unknown
    Uniqueness stars;
    Alias value;
    Roots consumed, kept;  // by the call
  };
  struct Callee {
    const Alias& value;
    TypeId type;        // here
    TypeId declared;    // of a definition, with its type parameters; none: of something else
    size_t parameters;  // that it takes before anything of it is evaluated; 0: unknown
  };
  struct Split {
    std::vector<int> consumed, kept;
    std::optional<int> twice;
  };
  Alias evalOperator(ExprId expr, TypeId& type);
  bool makesUnique(const Argument& argument) const;
  void addParametricStars(const Callee& callee, const std::vector<Argument>& arguments,
                          Uniqueness& stars) const;
  Alias call(ExprId expr, const Callee& callee, const std::vector<ExprId>& arguments,
             bool in_order);
  void rejectConsumingPipe(const syntax::Apply& pipe);
  Callee calleeOf(ExprId head, const Alias& value, TypeId type) const;
  TypeId typeOfDefinition(ExprId expr) const;
  std::vector<Argument> argumentsOf(TypeId type, const std::vector<ExprId>& exprs) const;
  void evalArguments(std::vector<Argument>& arguments, bool in_order);
  void evalArgument(Argument& argument);
  void rejectTwice(const Argument& variable, const std::vector<const Argument*>& evaluated);
  void consumeArgument(Argument& argument);
  void split(TypeId type, const Alias& value, const Uniqueness& stars, Split& split);
  void checkSharing(const std::vector<Argument>& arguments, const Alias& function);
  Alias resultOf(ExprId expr, const Callee& callee, const std::vector<Argument>& arguments);
  void reportSharedArgument(int root, Span span, const Argument& consumer);
};

}  // namespace halo::types
