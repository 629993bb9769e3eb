// Types of expressions and patterns. Applications, operators, arrays and loops have parts of their
// own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class ExprInferrer : CheckerPart {
 public:
  explicit ExprInferrer(const CheckerParts& parts)
      : CheckerPart(parts),
        names_(parts.names),
        comparison_(parts.comparison),
        elaborator_(parts.elaborator),
        sizes_(parts.sizes),
        applications_(parts.applications),
        arrays_(parts.arrays),
        loops_(parts.loops),
        declarations_(parts.declarations) {}

  TypeRef infer(ExprId expr, TypeRef hint = {});
  TypeRef inferNode(ExprId expr, TypeRef hint);
  TypeRef check(ExprId expr, TypeRef needed, std::string_view what);
  void bindAlways(PatternId pattern, TypeRef type, Anonymous mode);
  void rejectOpenSums();
  void retryFields(bool report);
  void settleFields(size_t first);
  TypeRef overloaded(Span span, Allowed allowed);
  void bind(PatternId pattern, TypeRef type, Anonymous mode);
  // The type that the annotations of a pattern give it, unknown where there are none.
  TypeRef patternType(PatternId pattern, Anonymous mode);
  void declareSizeNames(ExprId expr, const std::vector<syntax::Identifier>& sizes);
  std::optional<BinderId> simpleName(PatternId pattern) const;
  void rejectUnusedSizes(ExprId expr, const std::vector<syntax::Identifier>& names, TypeRef type);

 private:
  TypeRef inferNumber(ExprId expr, const syntax::Number& number, TypeRef hint);
  TypeRef inferVariable(ExprId expr, const syntax::Variable& variable, TypeRef hint);
  TypeRef inferRecord(const syntax::RecordExpr& record, TypeRef hint);
  TypeRef inferTuple(const syntax::TupleExpr& tuple, TypeRef hint);
  TypeRef inferLambda(ExprId expr, const syntax::Lambda& lambda, TypeRef hint);
  TypeRef inferLets(ExprId expr, TypeRef hint);
  void inferLetValue(ExprId expr, const syntax::Let& let);
  void endScopeOf(ExprId let);
  std::vector<std::pair<BinderId, ExprId>> namedParts(PatternId pattern, ExprId value) const;
  void inferLetFunction(ExprId expr, const syntax::LetFunction& let);
  TypeRef inferIf(ExprId expr, const syntax::If& node, TypeRef hint);
  TypeRef join(TypeRef a, TypeRef b, Span span, MaybeMismatch& mismatch);
  bool isOpenApart(const Size& a, const Size& b);
  bool isOpenInVariable(const Size& size);
  TypeRef inferAscribe(ExprId expr, const syntax::Ascribe& ascribe);
  std::optional<int64_t> paramOf(const syntax::Attribute& attribute) const;
  TypeRef inferParam(syntax::ExprId expr, int64_t param, TypeRef type);
  TypeRef inferCoerce(ExprId expr, const syntax::Coerce& coerce);
  TypeRef inferConstructor(ExprId expr, const syntax::Constructor& node, TypeRef hint);
  TypeRef newSum(const std::string& constructor, std::vector<TypeRef> payload, Span span);
  TypeRef inferMatch(ExprId expr, const syntax::MatchExpr& node, TypeRef hint);
  TypeRef constructorPatternType(PatternId pattern, const syntax::PatternConstructor& node,
                                 Anonymous mode);
  TypeRef literalPatternType(const syntax::PatternLiteral& literal);
  void bindConstructor(const syntax::PatternConstructor& node, TypeRef type, Anonymous mode);
  TypeRef inferPathUpdate(ExprId expr, const syntax::PathUpdate& node, TypeRef hint);
  TypeRef inferPathSection(ExprId expr, const syntax::PathSection& node, TypeRef hint);
  TypeRef withOwnSizes(TypeRef type, const std::vector<bool>& is_own, size_t next,
                       std::vector<BinderId>& brought);
  TypeRef project(TypeRef record, const syntax::Identifier& field,
                  const syntax::QualifiedName* base = nullptr);
  TypeRef inferProject(const syntax::Project& node);
  TypeRef projectPath(TypeRef record, const std::vector<syntax::Identifier>& path);
  TypeRef inferProjectSection(const syntax::ProjectSection& section, TypeRef hint, Span span);
  std::optional<TypeRef> withField(TypeRef type, const std::vector<syntax::Identifier>& path,
                                   size_t step, TypeRef value);
  TypeRef inferRecordUpdate(const syntax::RecordUpdate& update);
  void bindTuple(PatternId pattern, const syntax::PatternTuple& tuple, TypeRef type,
                 Anonymous mode);
  void bindRecord(PatternId pattern, const syntax::PatternRecord& record, TypeRef type,
                  Anonymous mode);
  bool requireValue(PatternId pattern, Span span, TypeRef value, TypeRef pattern_type,
                    const std::vector<BinderId>& size_names);

  Names& names_;
  Comparison& comparison_;
  TypeElaborator& elaborator_;
  SizeExpressions& sizes_;
  ApplyInferrer& applications_;
  ArrayInferrer& arrays_;
  LoopInferrer& loops_;
  Declarations& declarations_;
  int unsafe_ = 0;  // `#[unsafe]` around the expression at hand
  int depth_ = 0;
};

}  // namespace halo::types
