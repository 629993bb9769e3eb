// Long because the whole state of checking is meant to be seen in one place.
// The state of checking one file, shared by the files infer_*.cpp (expressions),
// elaborate_type.cpp, declare.cpp (declarations and modules), finish.cpp (side tables) and
// size_scope.cpp.
//
// One declaration at a time. Its nodes get types under inference (`inferred_`). Facts that can only
// be written down when all is known wait in Pending. Then everything becomes the Program's tables.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "lang/types/check.h"
#include "lang/types/consume/consume.h"
#include "lang/types/declare/scope.h"
#include "lang/types/infer/pending.h"

namespace halo::types {

using syntax::FunctionParts;
using syntax::Identifier;
using syntax::QualifiedName;
using syntax::TypeExprId;

// A function with lifted type parameters, as written, and its surroundings (hiding_types.cpp).
struct LiftedFunction {
  syntax::DeclId decl;
  Scopes scopes;
  std::optional<PreludePlace> prelude;
  std::vector<std::string> module_names;
};

class Environment {
 public:
  Program program;
  std::shared_ptr<const ModuleScope> scope = std::make_shared<ModuleScope>();
  // The scopes of imported files, by the path that CheckOptions::import_as gave them.
  std::unordered_map<std::string, std::shared_ptr<const ModuleScope>> files;
  std::unordered_map<DefId, int64_t> constants;  // `def n = 10`: usable as a size
  // The sizes in the type of a constant that it alone knows, and their expressions in uses.
  std::unordered_map<DefId, std::vector<std::pair<BinderId, ExprId>>> constant_sizes;
  std::unordered_map<DefId, LiftedFunction> lifted;
  // Their copies for types that hide sizes, by the form of these; none where there can be no copy.
  std::unordered_map<std::string, std::optional<DefId>> hiding_copies;
  // The prelude, checked on demand, and its checked parts by the numbers of its entries.
  std::shared_ptr<const Prelude> prelude;
  struct {
    std::unordered_map<uint32_t, Value> values;
    std::unordered_map<uint32_t, TypeAbbreviation> types;
    std::unordered_map<uint32_t, Module> modules;
    std::unordered_map<uint32_t, std::shared_ptr<const ModuleType>> module_types;
  } on_demand;
  std::vector<NameUse> name_uses;
  // The same declarations with abstract types opaque (README, two worlds); none while there is no
  // difference.
  std::shared_ptr<const Environment> opaque;
};

enum class World { kTransparent, kOpaque };

// The meaning of an annotation's `[]`.
enum class Anonymous {
  kUnknown,      // a size to be inferred
  kParameter,    // a new size parameter of the function
  kExistential,  // known to the result only
};

struct FunctionInfo {
  std::vector<TypeParamId> type_parameters;
  std::vector<BinderId> size_parameters;
  size_t named_sizes = 0;  // of them, the first ones: `[n]`
  TypeRef type, result;
};

struct CurrentDef {
  std::string name;
  DefId id;
  TypeRef type;
  bool has_parameters = false;
  bool is_recursive = false;
  bool is_entry = false;
  bool has_shapes = false;  // code without types is checked as if it had them
  FunctionInfo info;
};

// Facts about applications for the order of evaluation.
struct SizeOrder {
  // Arguments whose value a later type names: `replicate (f x) 0` becomes
  // `let k = f x in replicate k 0`.
  std::unordered_map<ExprId, BinderId> named_arguments;
  std::unordered_set<ExprId> argument_first;  // applications that were written with `|>`
  std::unordered_set<ExprId> function_first;  // with `<|`
};

// Nodes that checking has replaced, with their originals.
using Rewritten = std::vector<std::pair<ExprId, syntax::ExprNode>>;

// Where an argument goes, for messages.
struct Callee {
  std::string name;  // may be empty
  Span span;
  bool has_wrong_argument = false;  // the rest, and the result, follow from it: they stay silent
};

class Checker {
  using SizePairs = Inference::SizePairs;

 public:
  Checker(Environment& environment, World world, const CheckOptions& options, diag::Sink& sink);

  void checkFile(const syntax::File& file);

 private:
  // ---- declarations (declare.cpp)
  void declare(syntax::DeclId id);
  void declareFunction(syntax::DeclId id);
  // ---- ways to check a definition (attempts.cpp)
  struct Attempt {
    Inference::Order order = Inference::Order::kFormsFirst;
    bool has_shapes = false;  // of parameters without annotation
  };
  enum class Outcome { kAccepted, kRejected, kRecursive };  // kRecursive: rejected, uses itself
  CurrentDef startFunction(syntax::DeclId id, const Attempt& attempt);
  Outcome checkFunction(syntax::DeclId id, const Attempt& attempt);
  bool checkOtherwise(syntax::DeclId id, const std::vector<diag::Diagnostic>& said);
  void rewrite(ExprId expr, syntax::ExprNode node);
  void undoRewriting();
  std::vector<diag::Diagnostic> takeBack(size_t mark);
  bool isWarning() const;
  void warnOfRejection(const diag::Diagnostic& said);
  void warnOfArithmetic();
  TypeRef shapeOf(TypeRef type);
  bool findShapes(syntax::DeclId id);
  std::optional<TypeRef> annotationOf(PatternId pattern, Anonymous mode);
  TypeRef annotated(TypeRef shape, Span where, Anonymous mode);
  bool writeLocalFunction(ExprId expr, const syntax::Let& let);
  bool writeEtaExpansion(ExprId expr, TypeRef needed);
  void declareVal(syntax::DeclId id);
  void forgetDeclaration();
  FunctionInfo inferFunction(const FunctionParts& parts);
  enum class Reach { kLocal, kCallers };
  TypeRef closeFunction(const FunctionParts& parts, TypeRef& result, size_t first_binder,
                        const std::vector<BinderId>& size_parameters, Reach reach);
  void nameHoleSizes(const FunctionParts& parts, TypeRef result);
  void settlePayloads(TypeRef result);
  void settleUntold(const CurrentDef& def);
  void rejectInnerNames(const FunctionParts& parts, TypeRef result, std::vector<BinderId> known,
                        size_t first_binder);
  struct Escaping {
    size_t first_binder;
    std::vector<BinderId> kept;  // parameters, which the caller knows
    std::vector<BinderId> existentials;
  };
  TypeRef exposeSizes(TypeRef type, Escaping& escaping);
  TypeRef expandDefinitions(TypeRef type, size_t first_binder, Reach reach);
  TypeRef leaveScope(TypeRef type, size_t first_binder);
  void declareTypeParameters(const std::vector<syntax::TypeParameter>& parameters,
                             FunctionInfo& info);
  TypeRef withStarsOf(TypeRef starred, TypeRef type);
  void etaExpand(FunctionParts& parts, CurrentDef& def);
  void generalise(CurrentDef& def);
  void rejectOpenSizes(const CurrentDef& def);
  void rejectHiddenSizes(const CurrentDef& def);
  void rejectUnusedSizes(const CurrentDef& def);
  void rememberConstant(DefId id, const FunctionParts& parts);
  void nameConstantSizes(DefId id);
  ExprId constantSizeOf(DefId constant, BinderId size);
  Size sizeInUse(DefId constant, BinderId size, Span span);
  void checkEntry(const Def& def);
  void checkConsumed(DefId id, const FunctionParts& parts);
  TypeId withResultStars(TypeId type, size_t parameters, const Uniqueness& stars);
  bool isEntry(const syntax::FunctionDecl& decl, const syntax::Decl& node) const;
  std::string qualified(const std::string& name) const;

  // ---- declared types (declare_type.cpp)
  void declareType(const syntax::TypeDecl& node, bool is_local);
  // `declared`: how lifted the declaration says it is; none: as its definition is.
  TypeAbbreviation elaborateAbbreviation(const Identifier& name,
                                         const std::vector<syntax::TypeParameter>& parameters,
                                         TypeExprId type, std::optional<syntax::Lift> declared);
  void checkAbbreviation(const Identifier& name, const TypeAbbreviation& abbreviation,
                         TypeExprId type, std::optional<syntax::Lift> declared);
  TypeAbbreviation abstractType(const Identifier& name,
                                const std::vector<syntax::TypeParameter>& parameters,
                                syntax::Lift lift);
  Scheme elaborateScheme(const std::vector<syntax::TypeParameter>& parameters, TypeExprId type);
  void finishTables();

  // ---- modules (module_eval.cpp)
  void declareModule(const syntax::ModuleDecl& node, bool is_local);
  void declareModuleType(const syntax::ModuleTypeDecl& node, bool is_local);
  void declareOpen(const syntax::OpenDecl& open, bool is_local);
  void declareImport(const syntax::ImportDecl& import);
  Module evaluate(syntax::ModuleExprId id);
  Module evaluateBody(const syntax::ModuleBody& body);
  Module parametricModule(const std::vector<syntax::ModuleParameter>& parameters,
                          syntax::ModuleTypeId result, syntax::ModuleExprId body);
  void checkParametric(const std::vector<syntax::ModuleParameter>& parameters,
                       syntax::ModuleTypeId result, syntax::ModuleExprId body);
  Module apply(const ParametricModule& function, const Module& argument, Span span);
  Module applyBody(const WrittenModule& written, Span span);
  Module unknownModule(const syntax::ModuleParameter& parameter);
  Module import(const std::string& path, Span span);
  bool isTooMuch(Span span);  // and reports it
  syntax::ModuleExprId copyOf(syntax::ModuleExprId module);
  TypeExprId copyOf(TypeExprId type);

  // ---- module types (module_type.cpp, module_match.cpp)
  // A module as a module type shows it.
  enum class Seeing {
    kAny,      // no module is given: abstract types are new, values have no body
    kThrough,  // abstract types are those of the module
    kSealed,   // abstract types are new, values are the module's
  };
  struct Refinement {  // `with a.t = ..`
    std::vector<std::string> path;
    TypeAbbreviation type;
    bool is_used = false;
  };
  struct Sight {
    Seeing seeing;
    Span span;             // of the module, for messages
    bool compare = false;  // whether the module fits is not known yet
    bool fits = true;
    std::vector<std::string> path = {};  // of nested modules
    std::vector<Refinement> refinements = {};
  };
  Module ascribe(const Module& module, syntax::ModuleTypeId type, Span span);
  bool checkModuleType(syntax::ModuleTypeId type);
  Module see(const Module* module, syntax::ModuleTypeId type, Sight& sight);
  Module seeNamed(const Module* module, const syntax::ModuleTypeName& name, Sight& sight);
  Module seeWith(const Module* module, const syntax::ModuleTypeWith& with, Sight& sight);
  Module seeArrow(const Module* module, const syntax::ModuleTypeArrow& arrow, Sight& sight);
  Module seeBody(const Module* module, const syntax::ModuleTypeBody& body, Sight& sight);
  void seeSpec(const Module* module, syntax::SpecId spec, Sight& sight);
  void seeType(const Module* module, const syntax::TypeSpec& spec, Sight& sight);
  void seeValue(const Module* module, const syntax::ValDecl& spec, Sight& sight);
  void requireNamedSizes(const Scheme& scheme, const syntax::ValDecl& spec);
  void seeModule(const Module* module, const syntax::ModuleSpec& spec, Sight& sight);
  void fitParameters(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                     const Identifier& name, Sight& sight);
  void fitAbstract(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                   const Identifier& name, Sight& sight);
  void fitSizes(const TypeAbbreviation& found, const Identifier& name, Sight& sight);
  void fitRefinement(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                     const Identifier& name, Sight& sight);
  void fitManifest(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                   const Identifier& name, Sight& sight);
  void fitValue(const Value& found, const Scheme& needed, const syntax::ValDecl& spec,
                Sight& sight);
  void doesNotFit(Sight& sight, Span where, std::string message);
  std::string shown(const Sight& sight, const std::string& name) const;
  Refinement* refinementOf(const std::string& name, Sight& sight);

  // ---- types (elaborate_type.cpp)
  TypeRef elaborate(TypeExprId type, Anonymous mode);
  TypeRef elaborateName(const syntax::TypeName& name, Anonymous mode);
  void rejectSameName(const Identifier& name, TypeExprId rest);
  TypeRef elaborateFunction(const syntax::TypeFunction& function, Anonymous mode);
  TypeRef elaborateRecord(const syntax::TypeRecord& record, Span span, Anonymous mode);
  syntax::Lift writtenLift(TypeExprId type) const;
  TypeRef elaborateExistential(const syntax::TypeExistential& node, Anonymous mode);
  TypeRef elaborateSum(const syntax::TypeSum& sum, Anonymous mode);
  TypeRef applyAbbreviation(const TypeAbbreviation& abbreviation, const syntax::TypeName& name,
                            Anonymous mode);
  Size anonymousSize(Span span, Anonymous mode);
  Size annotatedSize(ExprId size);
  void reportUnknownType(const QualifiedName& name);

  // ---- sizes of expressions (size_of.cpp)
  enum class Following { kPolynomials, kExpressions };  // the followed links
  std::optional<Size> sizeOf(ExprId expr, Following following = Following::kPolynomials,
                             int depth = 0);
  std::optional<SizeOperand> operandOf(ExprId expr, int depth = 0);
  std::optional<SizeExprId> expressionOf(ExprId expr, int depth);
  struct SizeHead {
    std::string text;
    bool is_cheap;
    bool has_use;  // its use has its meaning
  };
  std::optional<SizeHead> headOf(ExprId expr, const syntax::ExprNode& node);
  struct Facts {
    TypeRef type;
    std::optional<Target> target;
    std::vector<TypeRef> types;
    std::vector<Size> sizes;
  };
  Facts factsOf(ExprId expr, bool has_use);
  bool isI64(ExprId expr);
  bool isClosed(ExprId expr);
  bool isBuiltInOperator(ExprId expr, const QualifiedName& op) const;
  ExprId withoutParentheses(ExprId expr) const;

  // ---- the prelude, names in one scope (on_demand.cpp)
  std::shared_ptr<const ModuleScope> checkOnDemand(PreludePlace place) const;
  const Value* valueAt(PreludePlace place) const;
  const TypeAbbreviation* typeAt(PreludePlace place) const;
  const Module* moduleAt(PreludePlace place) const;
  const ModuleType* moduleTypeAt(PreludePlace place) const;
  const Value* valueIn(const ModuleScope& scope, const std::string& name) const;
  const TypeAbbreviation* typeIn(const ModuleScope& scope, const std::string& name) const;
  const Module* moduleIn(const ModuleScope& scope, const std::string& name) const;
  const ModuleType* moduleTypeIn(const ModuleScope& scope, const std::string& name) const;
  bool declaresIn(const ModuleScope& scope, NameKind kind, const std::string& name) const;
  std::vector<std::string> valuesIn(const ModuleScope& scope) const;
  ModuleScope complete(const ModuleScope& scope) const;
  const Value* preludeValue(const std::string& name) const;
  const TypeAbbreviation* preludeType(const std::string& name) const;
  const Module* preludeModule(const std::string& name) const;
  const ModuleType* preludeModuleType(const std::string& name) const;
  std::vector<std::string> preludeNames(NameKind kind) const;
  std::string membersNamed(const std::string& name) const;
  void needMeaningOf(const PrimMeaning& meaning) const;
  void needDerivatives() const;
  void needValue(const std::string& name) const;

  // ---- names (names.cpp)
  const Value* findValue(const QualifiedName& name) const;
  std::optional<DefId> findDef(const QualifiedName& name) const;
  const TypeAbbreviation* findType(const QualifiedName& name) const;
  const Module* findModule(const std::vector<std::string>& path) const;
  // The same where only a module with members will do.
  const ModuleScope* findMembers(const std::vector<std::string>& path) const;
  const ModuleType* findModuleType(const QualifiedName& name) const;
  const LocalValue* findLocal(const std::string& name) const;
  void note(const QualifiedName& name, const Span& definition);
  void noteQualifiers(const QualifiedName& name);
  // `m.(e)`: the names of m hide all others until `closeModule`. False: reported.
  bool openModule(const QualifiedName& module);
  void closeModule();
  bool isBehindBroken(const QualifiedName& name) const;
  void reportUnknownName(const QualifiedName& name);
  void reportUnknownModule(const QualifiedName& name);
  void reportUnknownModuleType(const QualifiedName& name);
  std::vector<std::string> visible() const;
  std::vector<std::string> visibleModules() const;
  BinderId newBinder(const std::string& name, Span span, TypeRef type);
  BinderId newSizeBinder(const std::string& name, Span span);
  TypeRef useDef(ExprId expr, DefId def);
  TypeRef useValue(ExprId expr, const Value& value);
  TypeRef instantiate(const Scheme& scheme, Span span);
  TypeRef useCurrent(ExprId expr);
  TypeRef useLocal(ExprId expr, const LocalValue& local);
  std::optional<TypeRef> useName(ExprId expr, const QualifiedName& name);
  // How many parts of `r.a.b` name the value; the others are fields of it. 0: unknown.
  size_t valueLength(const QualifiedName& name) const;

  // ---- reports (report.cpp)
  MaybeMismatch compare(Span span, TypeRef found, TypeRef needed);
  bool require(Span span, TypeRef found, TypeRef needed, std::string_view what);
  void report(Span span, TypeRef found, TypeRef needed, const Mismatch& mismatch,
              std::string_view what);
  bool reportConstructor(Span span, const Mismatch& mismatch);
  void labelSizes(diag::Diagnostic& diagnostic, const Mismatch& mismatch);
  TypeRef poison() { return inference_.poison(); }

  // ---- expressions (infer_expr.cpp)
  TypeRef infer(ExprId expr, TypeRef hint = {});
  TypeRef inferNode(ExprId expr, TypeRef hint);
  TypeRef inferLocalOpen(const syntax::LocalOpen& node, TypeRef hint);
  TypeRef check(ExprId expr, TypeRef needed, std::string_view what);
  TypeRef inferNumber(ExprId expr, const syntax::Number& number, TypeRef hint);
  TypeRef inferVariable(ExprId expr, const syntax::Variable& variable, TypeRef hint);
  TypeRef inferRecord(const syntax::RecordExpr& record, TypeRef hint);
  TypeRef inferTuple(const syntax::TupleExpr& tuple, TypeRef hint);
  TypeRef inferLambda(ExprId expr, const syntax::Lambda& lambda, TypeRef hint);
  TypeRef inferLets(ExprId expr, TypeRef hint);
  void inferLetValue(ExprId expr, const syntax::Let& let);
  void endScopeOf(ExprId let);
  void rejectUnusedSizes(ExprId expr, const std::vector<Identifier>& names, TypeRef type);
  void inferLetFunction(ExprId expr, const syntax::LetFunction& let);
  TypeRef inferIf(ExprId expr, const syntax::If& node, TypeRef hint);
  TypeRef join(TypeRef a, TypeRef b, Span span, MaybeMismatch& mismatch);
  TypeRef inferAscribe(ExprId expr, const syntax::Ascribe& ascribe);
  std::optional<int64_t> paramOf(const syntax::Attribute& attribute) const;
  TypeRef inferCoerce(ExprId expr, const syntax::Coerce& coerce);
  bool isInferred(ExprId expr) const { return inferred_.at(expr).valid(); }

  // ---- sums and match (infer_sum.cpp)
  TypeRef inferConstructor(ExprId expr, const syntax::Constructor& node, TypeRef hint);
  TypeRef newSum(const std::string& constructor, std::vector<TypeRef> payload, Span span);
  TypeRef inferMatch(ExprId expr, const syntax::MatchExpr& node, TypeRef hint);
  TypeRef constructorPatternType(PatternId pattern, const syntax::PatternConstructor& node,
                                 Anonymous mode);
  TypeRef literalPatternType(const syntax::PatternLiteral& literal);
  void bindConstructor(const syntax::PatternConstructor& node, TypeRef type, Anonymous mode);
  void bindAlways(PatternId pattern, TypeRef type, Anonymous mode);
  void rejectOpenSums();
  void rejectOpenEquality();
  void settleHoles(const CurrentDef& def);

  // ---- paths (infer_path.cpp)
  TypeRef inferPathUpdate(ExprId expr, const syntax::PathUpdate& node, TypeRef hint);
  TypeRef inferPathSection(ExprId expr, const syntax::PathSection& node, TypeRef hint);

  // ---- fields (infer_field.cpp)
  TypeRef project(TypeRef record, const Identifier& field);
  TypeRef projectPath(TypeRef record, const std::vector<Identifier>& path);
  void retryFields(bool report);
  TypeRef inferProjectSection(const syntax::ProjectSection& section, TypeRef hint, Span span);

  // ---- application and operators (infer_apply.cpp, infer_operator.cpp)
  TypeRef inferApply(ExprId expr);
  TypeRef applyAll(TypeRef function, const std::vector<ExprId>& arguments,
                   const std::vector<ExprId>& nodes, Callee callee);
  struct Waiting {
    ExprId expr;
    TypeRef parameter;
    size_t position;
  };
  void checkArgument(ExprId argument, TypeRef parameter, size_t position, Callee& callee);
  void inferWaiting(std::vector<Waiting>& waiting, Callee& callee);
  TypeRef afterArgument(const InferFunction& function, ExprId argument, Span span);
  void nameArgument(const InferFunction& function, ExprId argument, Substitution& values);
  TypeRef reportNotFunction(TypeRef function, size_t given, const std::vector<ExprId>& arguments,
                            const Callee& callee);
  TypeRef limitSizes(TypeRef type, Span span);
  // ---- types that hide sizes, for lifted type parameters (hiding_types.cpp)
  std::optional<LiftedFunction> liftedFunction(syntax::DeclId id);
  std::optional<DefId> hidingCopy(const LiftedFunction& function,
                                  std::vector<syntax::TypeParameter> parameters,
                                  std::vector<std::pair<std::string, TypeExprId>> hiding,
                                  bool is_prelude);
  std::optional<DefId> hidingDefinition(const PendingUse& use, const std::vector<BinderId>& sizes);
  std::optional<TypeRef> applyHiding(ExprId head, const std::vector<ExprId>& arguments,
                                     const std::vector<ExprId>& nodes, const Callee& callee);
  TypeRef inferBinary(ExprId expr, const syntax::Binary& binary, TypeRef hint);
  void reportExistentialComposition(ExprId first);
  bool givesNewSizes(ExprId function);
  void writeComposition(ExprId expr, ExprId first, ExprId second);
  void rejectBareShift(const std::string& symbol, Span span);
  TypeRef inferBuiltInBinary(ExprId expr, prim::Op op, const syntax::Binary& binary, TypeRef hint);
  TypeRef inferUnary(ExprId expr, const syntax::Unary& unary, TypeRef hint);
  TypeRef inferSection(ExprId expr, const syntax::OperatorSection& section);
  TypeRef operatorFunction(ExprId expr, const std::string& symbol, Span span);
  TypeRef overloaded(Span span, Allowed allowed);
  TypeRef resultOf(prim::Op op, TypeRef operand);
  bool requireOperand(Span span, TypeRef found, TypeRef operand, const std::string& symbol);
  std::optional<std::string> pipeOf(const QualifiedName& op) const;

  // ---- arrays (infer_array.cpp)
  TypeRef inferArrayLiteral(ExprId expr, const syntax::ArrayExpr& array, TypeRef hint);
  TypeRef inferRange(ExprId expr, const syntax::RangeExpr& range, TypeRef hint);
  std::optional<Size> rangeSize(const syntax::RangeExpr& range, TypeRef element);
  TypeRef inferIndex(ExprId expr, const syntax::IndexExpr& index);
  TypeRef withOwnSlices(TypeRef type, const std::vector<syntax::IndexPart>& parts, size_t next,
                        Span where);
  TypeRef inferIndexSection(ExprId expr, const syntax::IndexSection& section, TypeRef hint);
  TypeRef inferUpdate(const syntax::UpdateExpr& update);
  std::optional<TypeRef> withField(TypeRef type, const std::vector<Identifier>& path, size_t step,
                                   TypeRef value);
  TypeRef inferRecordUpdate(const syntax::RecordUpdate& update);
  // The type that `parts` select from `array`. Unknown sizes are new names, or, for the
  // target of an update, unknown.
  TypeRef selected(TypeRef array, const std::vector<syntax::IndexPart>& parts, bool is_target,
                   Span span);
  Size newSize(Span span);
  Size shownSize(Size size, Span span);
  Size sliceSize(const syntax::IndexPart& part, const Size& whole, bool is_target);
  void checkIndex(ExprId index);

  // ---- loops (infer_loop.cpp)
  TypeRef inferLoop(ExprId expr, const syntax::Loop& loop);
  struct LoopForm {
    TypeRef element;  // of the variable of `for`, none for `while`
  };
  LoopForm inferLoopForm(const syntax::Loop& loop);
  void bindLoopForm(ExprId expr, const syntax::Loop& loop, const LoopForm& form);
  struct CarriedSize {
    SizeAtom unknown;  // inside the body
    Size initial, returned;
    bool changes = false;
  };
  TypeRef withUnknownSizes(TypeRef type, SizePairs& unknown_of);
  bool isCarried(SizeAtom unknown) const;
  bool isSizeName(ExprId expr, const Size& size) const;
  void checkInitialSizes(ExprId expr, const syntax::Loop& loop, TypeRef carried,
                         const SizePairs& sizes);
  std::vector<CarriedSize> openSizes(ExprId expr, const syntax::Loop& loop, TypeRef carried,
                                     TypeRef body, const SizePairs& sizes);
  void findChanging(std::vector<CarriedSize>& sizes);
  void nameOutside(const SizePairs& sizes);
  void settleLoopSizes(ExprId expr, const syntax::Loop& loop, TypeRef carried, TypeRef body,
                       const SizePairs& sizes);

  // ---- patterns (infer_pattern.cpp)
  void bind(PatternId pattern, TypeRef type, Anonymous mode);
  void bindTuple(PatternId pattern, const syntax::PatternTuple& tuple, TypeRef type,
                 Anonymous mode);
  void bindRecord(PatternId pattern, const syntax::PatternRecord& record, TypeRef type,
                  Anonymous mode);
  // The type that the annotations of a pattern give it, unknown where there are none.
  TypeRef patternType(PatternId pattern, Anonymous mode);
  void declareSizeNames(ExprId expr, const std::vector<Identifier>& sizes);
  bool requireValue(PatternId pattern, Span span, TypeRef value, TypeRef pattern_type,
                    const std::vector<BinderId>& size_names);
  std::optional<BinderId> simpleName(PatternId pattern) const;

  // ---- finishing (finish.cpp)
  void finishDeclaration(CurrentDef& def);
  void applyDefaults();
  void checkDetermined();
  void rejectEscapingTypes();
  void writeTables();
  void writeOperator(const PendingOperator& pending);
  void writeLiteral(const PendingLiteral& pending);

  Span span(ExprId expr) const { return program_.tree.exprs[expr].span; }
  Span span(PatternId pattern) const { return program_.tree.patterns[pattern].span; }
  TypeRef i64() { return inference_.scalar(prim::ScalarType::kI64); }
  TypeRef unit() { return inference_.tuple({}); }
  TypeRef boolean() { return inference_.scalar(prim::ScalarType::kBool); }

  Environment& environment_;
  Program& program_;
  const CheckOptions& options_;
  int unsafe_ = 0;  // `#[unsafe]` around the expression at hand
  diag::Sink& sink_;
  Inference inference_;
  Pending pending_;
  base::SideTable<TypeRef, ExprId> inferred_;
  std::unordered_map<PatternId, TypeRef> pattern_types_;
  LocalScope locals_;
  World world_;
  ScopeStack scopes_;
  std::optional<PreludePlace> prelude_;    // their surroundings
  std::vector<std::string> module_names_;  // of the modules around the declaration
  int module_depth_ = 0;
  int applied_depth_ = 0;  // bodies of parametric modules that are being applied
  size_t copied_ = 0;      // nodes of modules and module types, checked anew
  bool is_too_much_reported_ = false;
  std::vector<size_t> opened_;  // by open `m.(e)`: how many locals came before
  std::optional<CurrentDef> current_;
  // Type parameters that stand for types which hide sizes, new ones at every mention.
  std::vector<std::pair<std::string, TypeExprId>> hiding_types_;
  std::unordered_map<TypeExprId, TypeRef> annotations_;  // each is elaborated once
  std::vector<BinderId>* fresh_sizes_ = nullptr;         // where kParameter, kExistential go
  // In a function type: where the `[]` of its parameters go.
  std::vector<SizeAtom> carried_;  // sizes in the loops around
  int payload_depth_ = 0;          // of the type that is elaborated
  bool loosens_ = false;  // parameters of a function, whose `[]` may turn out to be older sizes
  struct ParameterSizes {
    std::vector<BinderId>* sizes;
    Anonymous mode;
  };
  std::optional<ParameterSizes> parameter_sizes_;
  SizeOrder size_order_;
  Rewritten rewritten_;                          // of the declaration, in order
  std::unordered_map<uint64_t, TypeId> shapes_;  // of parameters without annotation, by place
  std::unordered_set<DefId> broken_;             // had errors: their uses stay silent
  int depth_ = 0;
};

// Defined in size_scope.cpp: names of sizes are known where they are used; `binds` is filled in.
void settleSizeScopes(Program& program, DefId def, const SizeOrder& order, Rewritten& rewritten,
                      diag::Sink& sink);

// Defined in causality.cpp: functions are evaluated after the sizes that they are specialised for.
void checkCausality(const Program& program, DefId def, const SizeOrder& order, diag::Sink& sink);

// Defined in recursion.cpp: a recursive function passes functions on unchanged.
void checkRecursion(const Program& program, DefId def, const SizeOrder& order, diag::Sink& sink);

// Whether a value of this type holds functions, or anything.
bool mayBeFunction(const Program& program, TypeId type);

// Binders that are the size of a dimension of this type, alone: a value's shape shows them.
void addWholeSizes(const Program& program, TypeId type, std::vector<BinderId>& out);

}  // namespace halo::types
