#include "lang/types/sizes/told_sizes.h"

#include <algorithm>

namespace halo::types {

namespace {

class Teller {
 public:
  explicit Teller(Inference& inference) : inference_(inference) {}

  TypeRef tell(TypeRef type) {
    auto* found = inference_.as<InferFunction>(type);
    if (found == nullptr) return type;
    InferFunction function = *found;
    addParts(function.parameter);
    if (inference_.as<InferFunction>(function.result) != nullptr) {
      function.result = tell(function.result);
      return inference_.function(std::move(function));
    }
    if (function.existentials.empty()) return type;
    addTold(function.result, function.existentials);
    if (told_.empty()) return type;
    function.result = inference_.instantiate(function.result, told_);
    std::erase_if(function.existentials, [&](BinderId size) { return isTold(size); });
    return inference_.function(std::move(function));
  }

 private:
  bool isTold(BinderId size) const {
    return std::any_of(told_.sizes.begin(), told_.sizes.end(),
                       [&](const auto& told) { return told.first == size; });
  }

  void addParts(TypeRef type) {
    parts_.push_back(type);
    const InferNode node = inference_.node(type);
    if (auto* array = std::get_if<InferArray>(&node)) addParts(array->element);
    if (auto* record = std::get_if<InferRecord>(&node)) {
      for (TypeRef field : record->fields) addParts(field);
    }
  }

  // Where the result has an abstract type.
  void addTold(TypeRef type, const std::vector<BinderId>& hidden) {
    const InferNode node = inference_.node(type);
    if (auto* array = std::get_if<InferArray>(&node)) addTold(array->element, hidden);
    if (auto* record = std::get_if<InferRecord>(&node)) {
      for (TypeRef field : record->fields) addTold(field, hidden);
    }
    if (auto* abstract = std::get_if<InferParam>(&node)) {
      for (TypeRef argument : abstract->types) addToldBy(argument, hidden);
    }
  }

  // The first part of a parameter that is the argument, but for its sizes.
  void addToldBy(TypeRef argument, const std::vector<BinderId>& hidden) {
    for (TypeRef part : parts_) {
      Inference::SizePairs sizes;
      if (inference_.unifyShapes(argument, part, sizes)) continue;
      for (const auto& [own, told] : sizes) {
        const auto atom = asAtom(own);
        if (!atom || !atom->isBinder()) continue;
        const BinderId size(atom->index);
        const bool is_hidden = std::find(hidden.begin(), hidden.end(), size) != hidden.end();
        if (is_hidden && !isTold(size)) told_.sizes.emplace_back(size, told);
      }
      return;
    }
  }

  Inference& inference_;
  std::vector<TypeRef> parts_;  // of the parameters
  Substitution told_;
};

}  // namespace

TypeRef tellHiddenSizes(Inference& inference, TypeRef function) {
  return Teller(inference).tell(function);
}

}  // namespace halo::types
