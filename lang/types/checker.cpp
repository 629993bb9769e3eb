#include "lang/types/checker.h"

#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/finish.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_array.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/infer/infer_loop.h"
#include "lang/types/modules/module_eval.h"
#include "lang/types/modules/module_type.h"
#include "lang/types/modules/on_demand.h"
#include "lang/types/report.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

struct Checker::Whole {
  Context context;
  CheckerParts parts{context, on_demand,  names,        comparison, elaborator,
                     modules, signatures, sizes,        exprs,      applications,
                     arrays,  loops,      declarations, finisher};
  OnDemand on_demand{parts};
  Names names{parts};
  Comparison comparison{parts};
  TypeElaborator elaborator{parts};
  ModuleEvaluator modules{parts};
  SignatureMatcher signatures{parts};
  SizeExpressions sizes{parts};
  ExprInferrer exprs{parts};
  ApplyInferrer applications{parts};
  ArrayInferrer arrays{parts};
  LoopInferrer loops{parts};
  Declarations declarations{parts};
  Finisher finisher{parts};
};

Checker::Checker(Environment& environment, World world, const CheckOptions& options,
                 diag::Sink& sink)
    : whole_(new Whole{Context(environment, world, options, sink)}) {
  Context& context = whole_->context;
  context.inference.import_expression = [this](ExprId expr) {
    const auto size = whole_->sizes.sizeOf(expr, SizeExpressions::Following::kExpressions);
    return size ? *size : unreadSize(expr);
  };
  context.scopes.push(environment.scope);
  context.scopes.push();
  if (environment.prelude) context.where.prelude = environment.prelude->end();
}

Checker::~Checker() = default;

// The size of a finished type was read when it was written, but it cannot be here.
Size Checker::unreadSize(ExprId expr) {
  Context& context = whole_->context;
  const Span where = context.environment.program.tree.exprs[expr].span;
  auto& error = context.sink.error(diag::Code::size_not_determined, where,
                                   "this size cannot be compared where its type is used");
  error.notes.push_back("name it by a `let` or by a size parameter");
  return context.inference.unknownSize(where);
}

void Checker::checkFile(const syntax::File& file) {
  Context& context = whole_->context;
  const ImportNames& imports = context.options.imports;
  if (!imports.empty()) context.environment.imports[file.file] = imports;
  for (syntax::DeclId declaration : file.declarations) {
    if (context.sink.full()) break;
    whole_->declarations.declare(declaration);
  }
  if (!context.options.is_prelude) {
    whole_->on_demand.needRowSorts();
    whole_->on_demand.needDerivatives();
  }
  Environment& environment = context.environment;
  std::shared_ptr<const ModuleScope> defined = context.scopes.pop();
  if (!context.options.import_as.empty()) {
    environment.files[context.options.import_as] = std::move(defined);
    return;
  }
  auto scope = std::make_shared<ModuleScope>(*environment.scope);
  scope->addAll(*defined);
  environment.scope = std::move(scope);
}

std::shared_ptr<const ModuleScope> Checker::declareAt(Surroundings where, Scopes scopes,
                                                      syntax::DeclId declaration) {
  Context& context = whole_->context;
  context.where = std::move(where);
  context.scopes = ScopeStack(std::move(scopes));
  context.scopes.push();
  whole_->declarations.declare(declaration);
  return context.scopes.pop();
}

}  // namespace halo::types
