// The types of values as a program writes them, for a definition that takes such values. An array
// is `[n]t`, with a name for each size and type parameter of the place where the value comes from.
#pragma once

#include <string>
#include <vector>

#include "lang/types/infer/inference.h"

namespace halo::types {

class WrittenTypes {
 public:
  WrittenTypes(Inference& inference, syntax::Tree& tree, source::Span where)
      : inference_(inference), tree_(tree), where_(where) {}

  // None where the type is not known, or has no such form.
  syntax::TypeExprId write(TypeRef type);
  const std::vector<syntax::TypeParameter>& parameters() const { return parameters_; }
  const std::string& key() const { return key_; }  // the same for types that are written alike

 private:
  template <typename Node>
  syntax::TypeExprId add(Node node) {
    return tree_.types.add({std::move(node), where_});
  }
  syntax::TypeExprId name(const std::string& text);
  syntax::TypeExprId array(const InferArray& array);
  syntax::TypeExprId record(const InferRecord& record);
  syntax::TypeExprId sum(const InferSum& sum);
  syntax::TypeExprId function(const InferFunction& function);
  syntax::TypeExprId parameter(const InferParam& parameter);

  Inference& inference_;
  syntax::Tree& tree_;
  source::Span where_;
  std::vector<syntax::TypeParameter> parameters_;
  std::vector<Size> sizes_;         // of the size parameters
  std::vector<TypeParamId> types_;  // of the type parameters
  std::string key_;
};

}  // namespace halo::types
