// Type equations that an expression requires, and the diagnostics of those that fail.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

// "an `i32`", "a `u8`"
std::string withArticle(std::string_view type);

class Comparison : CheckerPart {
 public:
  explicit Comparison(const CheckerParts& parts) : CheckerPart(parts) {}

  MaybeMismatch compare(Span span, TypeRef found, TypeRef needed);
  bool require(Span span, TypeRef found, TypeRef needed, std::string_view what);
  // The diagnostic, until the next one.
  diag::Diagnostic& report(Span span, TypeRef found, TypeRef needed, const Mismatch& mismatch,
                           std::string_view what);
  void labelSizes(diag::Diagnostic& diagnostic, const Mismatch& mismatch);

 private:
  Substitution distinctNames(const std::vector<TypeRef>& types);
  diag::Diagnostic& reportSize(Span span, TypeRef found, TypeRef needed, const Mismatch& mismatch,
                               std::string_view what);
  diag::Diagnostic& reportLift(Span span, TypeRef found, std::string_view what);
  void addConversions(diag::Diagnostic& diagnostic, const Mismatch& mismatch);
  diag::Diagnostic* reportConstructor(Span span, const Mismatch& mismatch);
};

}  // namespace halo::types
