// Types under inference from finished types (TypeId), which all declarations share, and back. Sizes
// that are expressions are written into the tree again (write_expression.cpp).
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/base/containers/id_map.h"
#include "lang/types/infer/instantiate.h"
#include "lang/types/intern.h"

namespace halo::types {

class FinishedTypes {
 public:
  FinishedTypes(Program& program, TypeTable& types, SizeTable& sizes, Instantiator& instantiator)
      : program_(program), types_(types), sizes_(sizes), instantiator_(instantiator) {}

  std::function<Size(ExprId)> import_expression;  // of a finished SizeExpression; set by Checker

  TypeRef import(TypeId type) { return import(type, {}); }
  TypeRef import(TypeId type, const Substitution& arguments);  // instantiated at once
  Size import(SizeId size) { return import(size, {}); }
  Size import(SizeId size, const Substitution& arguments);

  TypeId finish(TypeRef type);  // unknowns that are left become i32: the caller has reported them
  SizeId finish(const Size& size);
  // Sizes as they were written, for the declarations that come: the type of a definition.
  TypeId finishAsWritten(TypeRef type);
  TypeId intern(TypeNode node);
  SizeId intern(SizeNode node);
  // The meaning of names in written expressions, once that is known of those they are copies of.
  void writeCopies();

  void reset();

 private:
  SizeId finishPolynomial(Size size);
  std::optional<SizeId> finishForm(const Size& size);
  TypeId finishFunction(const InferFunction& function);
  ExprId addExpr(syntax::ExprNode node, Span span, TypeId type, std::optional<Use> use);
  ExprId writeVariable(BinderId binder, TypeId type);
  ExprId writeSize(SizeId id);
  ExprId writeExpression(SizeExprId id);

  Program& program_;
  TypeTable& types_;
  SizeTable& sizes_;
  Instantiator& instantiator_;
  base::IdMap<TypeId, TypeRef> imported_;
  std::vector<TypeId> finished_, finished_as_written_;  // by node
  bool writes_forms_ = false;
  std::unordered_map<SizeExprId, ExprId> written_;
  std::vector<std::pair<ExprId, SizeExprId>> copies_;  // their uses are not written yet
  InternTable<TypeId> interned_types_;
  InternTable<SizeId> interned_sizes_;
};

// The scalar types are the first types of every program, in the order of prim::ScalarType.
TypeId scalarTypeId(prim::ScalarType type);

}  // namespace halo::types
