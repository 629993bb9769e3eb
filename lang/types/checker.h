// Checks files. The work is that of the parts (part.h), which the Checker owns.
#pragma once

#include <memory>

#include "lang/types/context.h"

namespace halo::types {

class Checker {
 public:
  Checker(Environment& environment, World world, const CheckOptions& options, diag::Sink& sink);
  ~Checker();

  void checkFile(const syntax::File& file);
  // The scope of one declaration, which stands at `where` and sees `scopes`.
  std::shared_ptr<const ModuleScope> declareAt(Surroundings where, Scopes scopes,
                                               syntax::DeclId declaration);

 private:
  struct Whole;
  Size unreadSize(ExprId expr);
  std::unique_ptr<Whole> whole_;
};

}  // namespace halo::types
