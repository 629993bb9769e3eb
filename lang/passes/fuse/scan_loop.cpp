#include "lang/passes/fuse/scan_loop.h"

namespace halo::passes {

using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

bool hasScan(const Stm& stm) {
  const auto* screma = std::get_if<core::Screma>(&stm.expr);
  return screma != nullptr && !screma->scans.empty();
}

ScanLoop::ScanLoop(core::Program& program, const ParallelNode& scan)
    : program_(program), scan_(scan), code_(program), index_(program.add("i", {})) {
  loop_.form = core::ForLoop{index_, scan.space[0]};
  for (size_t k = 0; k < scan.inputs.size(); ++k) {
    code_.append({{scan.input_params[k]}, core::Index{scan.inputs[k], {index_}}, false, {}});
  }
  for (const Stm& inner : scan.stms) code_.append(inner);
  next_ = combineAll(scan.reductions, scan.reduced);
  results_ = scan.reduced_results;
  first_scan_ = loop_.carried.size();
  scanned_ = combineAll(scan.scans, scan.scanned);
  for (const Operand& scanned : scanned_) {
    next_.push_back(scanned);
    results_.push_back(program.add("last", program.type(scanned)));
  }
}

ValueId ScanLoop::carry(const char* name, const Operand& initial, bool is_unique) {
  const ValueId carried = program_.add(name, program_.type(initial));
  loop_.carried.push_back({carried, initial, is_unique});
  return carried;
}

Operands ScanLoop::elementOf(const ParallelNode& reader, const Operands& results,
                             core::Substitution known) {
  for (size_t k = 0; k < reader.inputs.size(); ++k) {
    const ValueId input = reader.inputs[k], param = reader.input_params[k];
    if (const auto at = positionIn(scan_.scanned_results, input)) {
      known[param] = scanned_[*at];
    } else if (const auto made = positionIn(scan_.mapped_results, input)) {
      known[param] = scan_.mapped[*made];
    } else {
      code_.append({{param}, core::Index{input, {index_}}, false, {}});
    }
  }
  core::Body body{reader.stms, results};
  core::substitute(program_, body, known);
  for (Stm& inner : body.stms) code_.append(std::move(inner));
  return std::move(body.results);
}

Stm ScanLoop::take(const Operands& next, const std::vector<ValueId>& results, core::Span span) {
  next_.insert(next_.end(), next.begin(), next.end());
  results_.insert(results_.end(), results.begin(), results.end());
  loop_.body = code_.take(std::move(next_));
  return {std::move(results_), std::move(loop_), false, span};
}

}  // namespace halo::passes
