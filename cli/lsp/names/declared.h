// Records and sums have no names of their own: where a declared type has a field or a constructor,
// the first such type defines it.
#pragma once

#include <optional>
#include <string>

#include "cli/lsp/analysis.h"

namespace halo::lsp {

class DeclaredParts {
 public:
  // `program`: of the analysis, in one of its two worlds.
  DeclaredParts(const Analysis& analysis, const types::Program& program)
      : analysis_(analysis), program_(program) {}

  // None where no declared type may be the value's.
  std::optional<source::Span> fieldOf(types::TypeId record, const std::string& name) const;
  std::optional<source::Span> constructorOf(types::TypeId sum, const std::string& name) const;
  // Of a type as it is written, perhaps again.
  source::Span fieldOf(const syntax::TypeRecord& record, const syntax::Identifier& field) const;
  source::Span constructorOf(const syntax::TypeSum& sum, const syntax::Identifier& name) const;

  std::string_view textOf(const source::Span& span) const;

 private:
  bool fits(const syntax::TypeRecord& written, const types::RecordType& record) const;
  bool mayMean(syntax::TypeExprId written, types::TypeId type) const;
  bool mayBeCalled(const std::string& name, syntax::TypeExprId written, types::TypeId type) const;
  std::string_view textOf(syntax::TypeExprId type) const;

  const Analysis& analysis_;
  const types::Program& program_;
};

}  // namespace halo::lsp
