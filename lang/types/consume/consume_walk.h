// The walk over one definition: aliases of every value, and the values consumed so far. In
// order of evaluation, but arguments of an application are walked from right to left.
//
// Files: consume.cpp (functions and their results), consume_expr.cpp (expressions),
// consume_call.cpp (application), consume_parametric.cpp, consume_loop.cpp, consume_names.cpp
// (variables, patterns, consumed values), consume_report.cpp (messages).
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/syntax/ast.h"
#include "lang/types/consume/alias.h"
#include "lang/types/consume/consume.h"

namespace halo::types {

enum class RootKind {
  kValue,     // made here, or a `*` parameter
  kBorrowed,  // a parameter without `*`, or a carried value that is written without
  kGlobal,    // a definition
  kHidden,    // a definition of an abstract type
};
struct Root {
  std::string name;
  Span span;
  RootKind kind = RootKind::kValue;
  int depth = 0;  // functions and loops around its birth: only in there it may be consumed
};

struct Consumed {
  Span span;
  std::string name;  // the name used there
  size_t order = 0;  // its place in consumed_order_
};
using ConsumedRoots = std::vector<std::pair<int, Consumed>>;

class ConsumptionWalk {
 public:
  ConsumptionWalk(const Program& program, const std::unordered_set<ExprId>& pipes, diag::Sink& sink)
      : program_(program), pipes_(pipes), sink_(sink), sharing_(program) {}

  Uniqueness checkDefinition(DefId id, bool has_result_type);

 private:
  // ---- functions (consume.cpp)
  struct Function {
    const std::vector<PatternId>& parameters;
    ExprId body;
    TypeId type;  // of the whole
    bool has_result_type;
    std::string name;  // empty: a lambda
  };
  Alias evalFunction(const Function& function, const std::vector<Uniqueness>& stars);
  Alias evalLambda(ExprId expr);
  Alias evalLocalFunction(ExprId expr, const syntax::LetFunction& node);
  bool isEtaParameter(const Function& function, PatternId parameter) const;
  std::vector<Uniqueness> starsOfParameters(const Function& function) const;
  void bindParameter(PatternId pattern, const Uniqueness& stars);
  Uniqueness inferStars(TypeId type, const Alias& result,
                        const std::unordered_map<int, int>& times);
  void countRoots(TypeId type, const Alias& alias, std::unordered_map<int, int>& times);
  struct Returned {
    std::unordered_map<int, bool> seen;  // and whether a part with a star has it
    Span span;
    const std::string& name;
  };
  void checkStars(TypeId type, const Alias& result, const Uniqueness& stars, Returned& returned);
  void checkGlobals(TypeId type, const Alias& result, const Function& function);
  TypeId resultType(TypeId type, size_t parameters) const;

  // ---- expressions (consume_expr.cpp)
  Alias eval(ExprId expr);
  Alias evalFirst(ExprId expr);
  Alias evalNode(ExprId expr);
  Alias evalLets(ExprId expr);
  std::vector<Alias> evalInOrder(const std::vector<ExprId>& exprs);
  Alias evalRecord(ExprId expr, const syntax::RecordExpr& node);
  Alias evalConstructor(ExprId expr, const syntax::Constructor& node);
  Alias evalProject(ExprId expr);
  Alias evalIndex(ExprId expr, const syntax::IndexExpr& node);
  bool isPartOfPath(ExprId expr) const;
  Alias replacedPart(ExprId value, Alias alias) const;
  Alias evalUpdate(ExprId expr, const syntax::UpdateExpr& node);
  Alias evalRecordUpdate(const syntax::RecordUpdate& node);
  Alias replaceField(TypeId type, const Alias& record, const std::vector<syntax::Identifier>& path,
                     size_t step, const Alias& value, std::vector<Alias>& kept);
  Alias evalIf(const syntax::If& node);
  Alias evalMatch(const syntax::MatchExpr& node);
  Alias joinBranches(std::vector<Alias> values, std::vector<ConsumedRoots> consumed);
  Alias evalAs(ExprId expr, ExprId value);
  void evalParts(const std::vector<syntax::IndexPart>& parts);
  ExprId firstPart(ExprId expr) const;

  // ---- application (consume_call.cpp)
  struct Argument {
    ExprId expr;
    TypeId parameter;  // none: unknown
    Uniqueness stars;
    Alias value;
    Roots consumed, kept;  // by the call
  };
  Alias evalApply(ExprId expr);
  Alias evalBinary(ExprId expr, const syntax::Binary& node);
  Alias evalSection(ExprId expr, const syntax::OperatorSection& node);
  Alias evalOperator(ExprId expr, TypeId& type);
  struct Callee {
    const Alias& value;
    TypeId type;        // here
    TypeId declared;    // of a definition, with its type parameters; none: of something else
    size_t parameters;  // that it takes before anything of it is evaluated; 0: unknown
  };
  // ---- consume_parametric.cpp
  bool makesUnique(const Argument& argument) const;
  void addParametricStars(const Callee& callee, const std::vector<Argument>& arguments,
                          Uniqueness& stars) const;
  // ----
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
  struct Split {
    std::vector<int> consumed, kept;
    std::optional<int> twice;
  };
  void split(TypeId type, const Alias& value, const Uniqueness& stars, Split& split);
  void checkSharing(const std::vector<Argument>& arguments, const Alias& function);
  bool mayCall(TypeId type) const;
  struct Making {  // of a function: what there was before
    size_t consumed, roots;
  };
  void rejectConsumed(const Making& making, Span span);
  void checkFunction(Span span, TypeId found, TypeId needed, const Alias& value);
  Alias resultOf(ExprId expr, const Callee& callee, const std::vector<Argument>& arguments);

  // ---- loops (consume_loop.cpp)
  struct Carried {  // one part of the carried value
    int root;
    bool is_consumed;
    bool is_star;  // written so, in a tuple: fresh afterwards, and consumed at first if that may be
    Roots initial, returned;
    Span span;
    std::string name;
  };
  using CarriedParts = std::vector<Carried>;
  Alias evalLoop(const syntax::Loop& loop);
  Alias carry(PatternId pattern, CarriedParts& parts, bool is_alone);
  Alias carryType(TypeId type, const Uniqueness* stars, const Carried& like, CarriedParts& parts);
  Alias elementsOf(const syntax::LoopForIn& form, const Alias& array);
  void settleConsumed(CarriedParts& parts) const;
  void checkReturned(const CarriedParts& parts, Span body);
  using Uses = std::vector<std::pair<Alias, ExprId>>;
  void consumeInitial(CarriedParts& parts, ExprId initial, const Uses& used);
  Alias afterLoop(TypeId type, CarriedParts& parts);
  void flatten(TypeId type, const Alias& alias, std::vector<Roots>& out);
  Alias rebuild(TypeId type, const std::vector<Roots>& parts, size_t& next);

  // ---- names (consume_names.cpp)
  struct Bound {
    Alias value;
    int depth;
  };
  // A function or the body of a loop, and the variables around that it uses.
  struct Region {
    int depth;
    Uses used;
    std::unordered_set<const AliasNode*> known;
  };
  int newRoot(std::string name, Span span, RootKind kind = RootKind::kValue);
  Alias complete(TypeId type, const Alias& alias, const std::string& name, Span span);
  Alias ownRoots(TypeId type, const Uniqueness& stars, const std::string& name, Span span);
  void bind(PatternId pattern, const Alias& alias);
  void bindName(BinderId binder, Alias alias);
  Alias lookUp(ExprId variable);
  Alias dataOf(TypeId type, const Roots& roots, const Def& def);
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
  void reportUse(int root, const Consumed& consumed, ExprId expr);
  void reportConsume(int root, Span span);
  void reportReturned(int root, const Returned& returned);
  void reportSharedResult(int root, const Returned& returned);
  void reportSharedArgument(int root, Span span, const Argument& consumer);
  diag::Diagnostic& error(diag::Code code, Span span, std::string message);
  void labelOrigin(diag::Diagnostic& diagnostic, int root);
  std::string describe(int root) const;

  TypeId typeOf(ExprId expr) const { return program_.type_of.at(expr); }
  Span span(ExprId expr) const { return program_.tree.exprs[expr].span; }
  Span resultSpan(ExprId body) const;
  const syntax::ExprNode& node(ExprId expr) const { return program_.tree.exprs[expr].node; }
  const FunctionType* functionType(TypeId type) const {
    return type ? std::get_if<FunctionType>(&program_.types[type]) : nullptr;
  }

  const RecordType* recordType(TypeId type) const {
    return type ? std::get_if<RecordType>(&program_.types[type]) : nullptr;
  }

  const Program& program_;
  const std::unordered_set<ExprId>& pipes_;
  diag::Sink& sink_;
  SharingTypes sharing_;
  std::vector<Root> roots_;
  std::unordered_map<DefId, int> global_roots_;
  std::unordered_map<BinderId, Bound> variables_;
  std::unordered_map<int, Consumed> consumed_;
  std::vector<int> consumed_order_;
  std::unordered_set<int> reported_;
  std::vector<Region> regions_;
  struct Ready {  // the first part of a long chain
    ExprId expr;
    Alias value;
    size_t mark;  // of consumed_order_, before all of the chain
  };
  std::optional<Ready> ready_;
  std::vector<ExprId> chain_;  // of `eval`
  int depth_ = 0;
};

// As starMisfit; `closure` says more about the first function.
StarMisfit starMisfit(const Program& program, TypeId found, TypeId needed, Unknowns unknowns,
                      std::optional<Closure> closure);
Uniqueness parameterStars(const FunctionType& function);

}  // namespace halo::types
