// Internal to the check of uniqueness: the walk over one definition, a class for each part. It
// finds aliases of every value, and the values consumed so far, in order of evaluation; but
// arguments of an application are walked from right to left.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lang/types/consume/consume_part.h"

namespace halo::types {

// consume.cpp: functions and the memory that their results may share
class FunctionWalk : ConsumptionPart {
 public:
  explicit FunctionWalk(ConsumptionState& state) : ConsumptionPart(state) {}
  Uniqueness checkDefinition(DefId id, bool has_result_type);
  Alias evalLambda(ExprId expr);
  Alias evalLocalFunction(ExprId expr, const syntax::LetFunction& node);

 private:
  struct Function {
    const std::vector<PatternId>& parameters;
    ExprId body;
    TypeId type;  // of the whole
    bool has_result_type;
    std::string name;  // empty: a lambda
  };
  struct Returned {
    std::unordered_map<int, bool> seen;  // and whether a part with a star has it
    Span span;
    const std::string& name;
  };
  Alias evalFunction(const Function& function, const std::vector<Uniqueness>& stars);
  bool isEtaParameter(const Function& function, PatternId parameter) const;
  std::vector<Uniqueness> starsOfParameters(const Function& function) const;
  void bindParameter(PatternId pattern, const Uniqueness& stars);
  Uniqueness inferStars(TypeId type, const Alias& result,
                        const std::unordered_map<int, int>& times);
  void countRoots(TypeId type, const Alias& alias, std::unordered_map<int, int>& times);
  void checkStars(TypeId type, const Alias& result, const Uniqueness& stars, Returned& returned);
  void checkGlobals(TypeId type, const Alias& result, const Function& function);
  void reportReturned(int root, const Returned& returned);
  void reportSharedResult(int root, const Returned& returned);
};

// consume_expr.cpp: values, their parts, and `let`
class ExprWalk : ConsumptionPart {
 public:
  explicit ExprWalk(ConsumptionState& state) : ConsumptionPart(state) {}
  Alias eval(ExprId expr);
  Alias evalFirst(ExprId expr);
  void evalParts(const std::vector<syntax::IndexPart>& parts);

 private:
  Alias evalNode(ExprId expr);
  Alias evalLets(ExprId expr);
  std::vector<Alias> evalInOrder(const std::vector<ExprId>& exprs);
  Alias evalRecord(ExprId expr, const syntax::RecordExpr& node);
  Alias evalConstructor(ExprId expr, const syntax::Constructor& node);
  Alias evalProject(ExprId expr);
  Alias evalIndex(ExprId expr, const syntax::IndexExpr& node);
  Alias evalAs(ExprId expr, ExprId value);
  ExprId firstPart(ExprId expr) const;
};

// consume_update.cpp: `a with [i] = v`, `r with f = v`
class UpdateWalk : ConsumptionPart {
 public:
  explicit UpdateWalk(ConsumptionState& state) : ConsumptionPart(state) {}
  Alias evalUpdate(ExprId expr, const syntax::UpdateExpr& node);
  Alias evalRecordUpdate(const syntax::RecordUpdate& node);

 private:
  bool isPartOfPath(ExprId expr) const;
  Alias replacedPart(ExprId value, Alias alias) const;
  Alias replaceField(TypeId type, const Alias& record, const std::vector<syntax::Identifier>& path,
                     size_t step, const Alias& value, std::vector<Alias>& kept);
};

// consume_branch.cpp: `if` and `match`
class BranchWalk : ConsumptionPart {
 public:
  explicit BranchWalk(ConsumptionState& state) : ConsumptionPart(state) {}
  Alias evalIf(const syntax::If& node);
  Alias evalMatch(const syntax::MatchExpr& node);

 private:
  Alias joinBranches(std::vector<Alias> values, std::vector<ConsumedRoots> consumed);
};

// consume_loop.cpp
class LoopWalk : ConsumptionPart {
 public:
  explicit LoopWalk(ConsumptionState& state) : ConsumptionPart(state) {}
  Alias evalLoop(const syntax::Loop& loop);

 private:
  struct Carried {  // one part of the carried value
    int root;
    bool is_consumed;
    bool is_star;  // written so, in a tuple: fresh afterwards, and consumed at first if that may be
    Roots initial, returned;
    Span span;
    std::string name;
  };
  using CarriedParts = std::vector<Carried>;
  Alias carry(PatternId pattern, CarriedParts& parts, bool is_alone);
  Alias carryType(TypeId type, const Uniqueness* stars, const Carried& like, CarriedParts& parts);
  Alias elementsOf(const syntax::LoopForIn& form, const Alias& array);
  void settleConsumed(CarriedParts& parts) const;
  void checkReturned(const CarriedParts& parts, Span body);
  void consumeInitial(CarriedParts& parts, ExprId initial, const Uses& used);
  Alias afterLoop(TypeId type, CarriedParts& parts);
  void flatten(TypeId type, const Alias& alias, std::vector<Roots>& out);
  Alias rebuild(TypeId type, const std::vector<Roots>& parts, size_t& next);
};

}  // namespace halo::types
