// One statement becomes one to three.
#include "lang/passes/bounds/short_quotients.h"

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::Stm;
using prim::Op;

class Expander {
 public:
  Expander(core::Program& program, const ShortQuotients& known)
      : program_(program), known_(known) {}

  void body(core::Body& body) {
    std::vector<Stm> stms;
    for (Stm& stm : body.stms) {
      core::forEachBody(stm.expr, [&](core::Body& inner) { this->body(inner); });
      const auto found = stm.results.empty() ? known_.end() : known_.find(stm.results[0]);
      if (found != known_.end()) expand(stm, found->second, stms);
      stms.push_back(std::move(stm));
    }
    body.stms = std::move(stms);
  }

 private:
  // The last of the statements takes the place of `stm`.
  void expand(Stm& stm, int largest, std::vector<Stm>& before) {
    const auto op = std::get<core::PrimOp>(stm.expr);
    const Operand &x = op.args[0], &divisor = op.args[1];
    const Operand zero = core::Scalar::ofSigned(op.type, 0);
    const Operand one = core::Scalar::ofSigned(op.type, 1);
    const bool is_quotient = op.op == Op::kQuot;
    if (largest == 0) {
      stm.expr = core::PrimOp{Op::kAdd, op.type, {is_quotient ? zero : x, zero}};
      return;
    }
    core::Builder code(program_);
    const Operand is_below = code.prim(Op::kLt, op.type, {x, divisor});
    const Operand rest = is_quotient ? one : code.prim(Op::kSub, op.type, {x, divisor});
    for (Stm& made : code.take({}).stms) before.push_back(std::move(made));
    stm.expr = core::Select{is_below, is_quotient ? zero : x, rest};
  }

  core::Program& program_;
  const ShortQuotients& known_;
};

}  // namespace

void expandShortQuotients(core::Program& program, const ShortQuotients& known) {
  if (known.empty()) return;
  for (core::Function& function : program.functions) Expander(program, known).body(function.body);
}

}  // namespace halo::passes
