// The state of lowering one entry, and its parts. Read in this order: emission.h (statements),
// value_emission.h (values), lower.cpp (the whole), types.cpp, coerce.cpp, pattern.cpp, expr.cpp,
// control.cpp, sum.cpp, match.cpp, arrays.cpp, literals.cpp, apply.cpp, functions/, intrinsics.cpp,
// derivatives.cpp, flatmap.cpp, stencil.cpp with boundary.cpp, windows.cpp, equality.cpp,
// constants.cpp.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "lang/lower/functions/free_names.h"
#include "lang/lower/static_value.h"
#include "lang/lower/value_emission.h"
#include "lang/types/declare/attributes.h"

namespace halo::lower {

// A specialised function (functions.cpp). The result is made of the values in `results`.
struct Specialisation {
  std::string name;
  std::vector<ValueId> params;
  std::vector<ValueId> results;  // sizes that only the result knows first
  int size_results = 0;
  StaticValue result;
  bool has_row_sort = false;  // core::KernelInfo::row_sort of a sort is there

  core::Function function(core::Body body) const;
};

// Thrown when a program unfolds into more instances than any machine will compile; caught in run.
struct TooManyInstances {};

struct DerivativeUse {
  bool reverse = false, many = false;
};

class Lowering : public ValueEmission {
 public:
  explicit Lowering(const types::Program& program) : source(program), free_names_(program) {}

  diag::Result<core::Program> run(DefId entry);

  // ---- expr.cpp
  StaticValue lower(ExprId expr, Frame& frame);
  Operand lowerScalar(ExprId expr, Frame& frame);
  Operand lowerIndex(ExprId expr, Frame& frame);  // converted to i64
  StaticValue hole(ExprId id, Frame& frame);
  StaticValue unreached(ExprId hole, types::TypeId type, Frame& frame);

  // ---- sum.cpp, match.cpp
  StaticValue construct(ExprId id, const syntax::Constructor& node, Frame& frame);
  StaticValue lowerMatch(ExprId id, const syntax::MatchExpr& node, Frame& frame);

  // ---- control.cpp
  StaticValue lowerIf(ExprId id, const syntax::If& node, Frame& frame);
  StaticValue lowerLoop(ExprId id, const syntax::Loop& node, Frame& frame);
  StaticValue lowerLogic(types::Logic logic, const Operand& lhs, ExprId rhs, Frame& frame);
  // A branch's or a loop body's results for a value of this type: first the sizes `binders`, read
  // off the value, then its leaves.
  Operands joined(const StaticValue& value, types::TypeId type,
                  const std::vector<BinderId>& binders, Span span, Frame& frame);
  // New values for all that, `binders` bound to them.
  StaticValue bindJoined(types::TypeId type, const std::vector<BinderId>& binders, Frame& frame,
                         std::vector<ValueId>& values);

  // ---- arrays.cpp
  std::vector<IndexValue> lowerParts(const std::vector<syntax::IndexPart>& parts, Frame& frame);

  // ---- literals.cpp
  StaticValue lowerArray(ExprId id, const syntax::ArrayExpr& node, Frame& frame);
  StaticValue lowerRange(ExprId id, const syntax::RangeExpr& node, Frame& frame);

  // ---- pattern.cpp
  void bindPattern(syntax::PatternId pattern, const StaticValue& value, Frame& frame);
  void bindNamed(BinderId binder, const StaticValue& value, Frame& frame);
  // Finds `binders` among the sizes of `type` and binds them to those of the value.
  void bindSizes(types::TypeId type, const StaticValue& value, const std::vector<BinderId>& binders,
                 Frame& frame);

  // ---- types.cpp
  MonoTypeRef evalType(types::TypeId type, const Frame& frame);
  using SizeRule = std::function<Operand(types::SizeId)>;
  MonoTypeRef evalType(types::TypeId type, const Frame& frame, const SizeRule& sizes);
  Operand evalSize(types::SizeId size, const Frame& frame);
  bool mentions(types::SizeId size, const std::vector<BinderId>& binders);
  // Evaluates the sizes of a type that mention none of `unknown`, so that nested bodies find them.
  void evalKnownSizes(types::TypeId type, const std::vector<BinderId>& unknown, const Frame& frame);

  // ---- apply.cpp
  StaticValue apply(const StaticValue& function, std::vector<StaticValue> args, Span span);
  Operand applyPrim(Op op, ScalarType type, const Operands& args, Span span);
  // The same from inside a built-in, which has a rule of its own for where failures are reported.
  StaticValue applyFromBuiltIn(const StaticValue& function, std::vector<StaticValue> args,
                               Span span);
  // The value of a name or operator; `site` is its expression.
  StaticValue closureFor(const types::Use& use, Span site, Frame& frame);
  StaticValue inlineDef(DefId def, const Instantiation& instantiation,
                        const std::vector<StaticValue>& args, Span span);
  Operand callPrelude(const std::string& name, const Operands& args, Span span);
  Instantiation evaluate(const Instantiation& instantiation);

  // ---- functions.cpp
  StaticValue callSpecialised(DefId def, const Instantiation& instantiation,
                              const std::vector<StaticValue>& args, Span span);
  const Names& freeNames(ExprId function) { return free_names_.of(function); }
  bool isPreludeCode(const Closure& closure) const;

  // ---- intrinsics.cpp, flatmap.cpp, stencil.cpp, windows.cpp, equality.cpp
  StaticValue applyIntrinsic(DefId def, types::Intrinsic intrinsic,
                             const Instantiation& instantiation, std::vector<StaticValue> args,
                             Span span);
  MonoTypeRef fitArguments(DefId def, const Instantiation& instantiation,
                           std::vector<StaticValue>& args, Span span);
  StaticValue flatmap(const std::vector<StaticValue>& args, const MonoTypeRef& result, Span span);
  // `with_boundary`: the first argument gives the values outside.
  StaticValue stencil(const std::vector<StaticValue>& args, const MonoTypeRef& result,
                      bool with_boundary, Span span);

  // ---- derivatives.cpp
  StaticValue derivative(const DerivativeUse& use, const std::vector<StaticValue>& args,
                         const MonoTypeRef& result, Span span);
  StaticValue withVjp(const std::vector<StaticValue>& args, const MonoTypeRef& result, Span span);
  bool isDifferentiating() const { return differentiating_ > 0; }
  types::LoopAttributes takeLoopAttributes() { return std::exchange(of_loop_, {}); }

  // ---- constants.cpp
  StaticValue constant(DefId def);

  // ---- frames.cpp
  Frame& newFrame(const Frame* parent, bool prelude, Span site);
  Span spanOf(ExprId expr, const Frame& frame) const;
  void unsupported(Span span, std::string message);

  const types::Program& source;

 private:
  friend class EntryBuilder;
  friend class Specialiser;
  friend class Chain;
  friend class DerivativeCall;

  Span unrolled_;  // of an application behind `#[unroll]`

  // expr.cpp
  // The expressions around a node that have the same value.
  struct Enclosing {
    std::vector<ExprId> exprs;  // those that bind sizes which the value will tell
    core::Flattening requested;
    bool is_unrolled = false;
  };
  // The node whose value an expression has, behind its bindings, attributes and parentheses.
  ExprId descend(ExprId id, Frame& frame, Enclosing& around);
  StaticValue lowerNode(ExprId id, Frame& frame);
  // apply.cpp
  StaticValue applyFull(const Closure& closure, Span span);
  StaticValue applyClosure(const Closure& closure, Span span);
  Operands leavesOfAll(const std::vector<StaticValue>& values);
  StaticValue applyCode(const CodeClosure& code, const Instantiation& instantiation,
                        const std::vector<StaticValue>& args, Span span);
  StaticValue applyDef(DefId def, const Instantiation& instantiation,
                       const std::vector<StaticValue>& args, Span span);

  // functions.cpp
  std::string functionName(const std::string& wanted);
  void addFunction(const std::string& name, const std::vector<ValueId>& captured,
                   const core::Lambda& lambda, const std::vector<ValueId>& params,
                   const Operands& results);
  DefId preludeDef(const std::string& name) const;
  std::optional<StaticValue> ruled(const types::Def& def, DefId id,
                                   const Instantiation& instantiation,
                                   const std::vector<StaticValue>& args, Span span);
  StaticValue callRuled(const types::Def& def, DefId id, DefId rule,
                        const std::vector<StaticValue>& args, Span span);
  void passConstants();  // constants.cpp

  std::deque<Frame> frames_;
  FreeNames free_names_;
  std::map<std::string, Specialisation> specialisations_;
  std::unordered_map<std::string, int> function_names_;
  struct Constant {
    StaticValue value;
    core::Body body;
  };
  std::map<DefId, Constant> constants_;            // those of the program in dependency order
  std::vector<DefId> prelude_constants_;           // in dependency order; they need no others
  int differentiating_ = 0;                        // derivative operators around
  bool in_reverse_ = false, in_row_sort_ = false;  // one of them in reverse mode; functions.cpp
  types::LoopAttributes of_loop_;
  struct RuledFunction {
    std::string name;
    ScalarType type;
  };
  std::map<DefId, RuledFunction> ruled_;
  std::set<std::string> constants_in_front_;  // functions whose last parameters mean something
  std::optional<diag::Diagnostic> failure_;
  std::vector<std::string> chain_;  // the definitions being lowered, each in the one before
  size_t instances_ = 0;
};

// Binds the type and size parameters of a definition to what is known of them.
void bindInstantiation(const std::vector<TypeParamId>& type_params,
                       const std::vector<BinderId>& size_params, const Instantiation& known,
                       Frame& frame);

// An instance that is being lowered; lambdas have no name.
class Chain {
 public:
  Chain(Lowering& lowering, const std::string& name, Span span);
  ~Chain();
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

 private:
  Lowering& lowering_;
};

}  // namespace halo::lower
